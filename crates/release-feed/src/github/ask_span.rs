//! The span of one question to GitHub, as the semantic conventions for HTTP clients name its parts.

use tracing::{Span, field, info_span};

use super::api_base::ApiBase;
use super::fetch_failure::FetchFailure;
use super::release_source::{Ask, Outcome};
use crate::catalog::{ReleaseChoice, Select};

/// What a trace knows of a request.
#[derive(Debug)]
pub(super) struct AskSpan(Span);

impl AskSpan {
  /// A request that is about to be sent.
  pub(super) fn begin(ask: Ask<'_>, api: &ApiBase) -> Self {
    let span = info_span!(
      "ask",
      otel.name = route(&ask.app.releases),
      otel.kind = "client",
      otel.status_code = field::Empty,
      otel.status_description = field::Empty,
      app = %ask.key,
      repo = %ask.app.repo,
      outcome = field::Empty,
      http.request.method = "GET",
      http.response.status_code = field::Empty,
      server.address = field::Empty,
      server.port = field::Empty,
      url.full = field::Empty,
      "error.type" = field::Empty,
    );
    // Nothing is put together for a trace that nobody keeps.
    if !span.is_disabled() {
      let url = api.url();
      span.record("server.address", url.host_str());
      span.record("server.port", url.port_or_known_default());
      span.record("url.full", address(ask, api));
    }
    Self(span)
  }

  /// The span itself.
  pub(super) fn span(&self) -> &Span {
    &self.0
  }

  pub(super) fn note_status(&self, status: u16) {
    self.0.record("http.response.status_code", status);
  }

  /// How it ended.
  pub(super) fn note_end(&self, asked: &Result<Outcome, FetchFailure>) {
    if self.0.is_disabled() {
      return;
    }
    let failure = match asked {
      Ok(Outcome::Failed(failure)) | Err(failure) => Some(failure),
      Ok(_) => None,
    };
    self.0.record("outcome", asked.as_ref().map_or("failed", Outcome::name));
    if let Some(failure) = failure {
      self.0.record("error.type", failure.kind());
      self.0.record("otel.status_code", "error");
      self.0.record("otel.status_description", failure.to_string());
    }
  }
}

fn route(choice: &ReleaseChoice) -> &'static str {
  match &choice.select {
    Select::Latest if choice.tag_prefix.is_none() => "GET /repos/{owner}/{repo}/releases/latest",
    Select::Pinned(_) => "GET /repos/{owner}/{repo}/releases/tags/{tag}",
    Select::Latest | Select::NewestStableVersion => "GET /repos/{owner}/{repo}/releases",
  }
}

/// What is asked for, without the pages of a list.
fn address(ask: Ask<'_>, api: &ApiBase) -> String {
  let (choice, repo) = (&ask.app.releases, &ask.app.repo);
  match &choice.select {
    Select::Latest if choice.tag_prefix.is_none() => api.latest_release(repo),
    Select::Pinned(tag) => api.release_by_tag(repo, tag.as_str()),
    Select::Latest | Select::NewestStableVersion => format!("{}/releases", api.repository(repo)),
  }
}
