//! A source that asks a stand-in.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use feed_types::Release;
use github_standin::StandIn;
use release_feed::catalog::{AppKey, Catalog, parse_app_list, parse_catalog_file};
use release_feed::github::{
  ApiBase, Ask, Checksums, ChoiceMemory, Credentials, ETag, FetchFailure, GithubSource, Known, Outcome, ReleaseSource,
  Timeouts, Token, Validators, build_http_client, install_tls_provider,
};
use release_feed::release::{ReleaseFacts, ReleaseRules, WebBase};
use release_feed::{BaseUrl, Clock, UnixMs};

/// 2026-10-08T14:52:50Z.
pub(crate) const NOW: UnixMs = UnixMs(1_791_471_170_000);
/// The same for GitHub.
pub(crate) const GITHUBS_DATE: &str = "Thu, 08 Oct 2026 14:52:50 GMT";
pub(crate) const REPO: &str = "acme/demo";

/// A clock that stands until it is moved.
#[derive(Debug, Default)]
pub(crate) struct Standing(AtomicI64);

impl Clock for Standing {
  fn now(&self) -> UnixMs {
    NOW.shifted_by_ms(self.0.load(Ordering::Relaxed))
  }
}

/// What asks.
pub(crate) struct Asker {
  pub(crate) source: GithubSource<Standing>,
  catalog: Catalog,
  key: AppKey,
}

impl Asker {
  pub(crate) fn of(github: &StandIn) -> Self {
    Self::at(&github.api_url())
  }

  pub(crate) fn at(api_url: &str) -> Self {
    install_tls_provider();
    let timeouts = Timeouts::default();
    Self {
      source: GithubSource {
        client: build_http_client(timeouts).unwrap(),
        timeouts,
        api: ApiBase::new(BaseUrl::read(api_url).unwrap()),
        credentials: Credentials::default(),
        rules: ReleaseRules {
          web: WebBase::new(BaseUrl::read("https://github.com").unwrap()),
        },
        checksums: Checksums::default(),
        clock: Standing::default(),
        choices: ChoiceMemory::default(),
      },
      catalog: parse_app_list("demo=Demo=acme/demo").0,
      key: "demo".parse().unwrap(),
    }
  }

  pub(crate) fn with_token(self, token: &str) -> Self {
    self.with_tokens(&[token])
  }

  pub(crate) fn with_tokens(mut self, tokens: &[&str]) -> Self {
    let tokens = tokens.iter().filter_map(|token| Token::new(token).unwrap());
    self.source.credentials = Credentials::new(tokens);
    self
  }

  pub(crate) fn of_app(mut self, repo: &str) -> Self {
    self.catalog = parse_app_list(&format!("demo=Demo={repo}")).0;
    self
  }

  /// The same for an app with these fields in the catalog file.
  pub(crate) fn choosing(mut self, fields: &str) -> Self {
    let text = format!("[[apps]]\nkey = \"demo\"\nname = \"Demo\"\nrepo = \"{REPO}\"\n{fields}\n");
    self.catalog = parse_catalog_file(&text).unwrap();
    self
  }

  pub(crate) fn within(mut self, whole: Duration) -> Self {
    self.source.timeouts.whole = whole;
    self.source.client = build_http_client(self.source.timeouts).unwrap();
    self
  }

  pub(crate) async fn ask(&self) -> Outcome {
    self.ask_knowing(None).await
  }

  pub(crate) async fn ask_knowing(&self, etag: Option<&ETag>) -> Outcome {
    self.ask_with(&Validators::unowned(etag.cloned())).await
  }

  pub(crate) async fn ask_with(&self, validators: &Validators) -> Outcome {
    let app = self.catalog.get(&self.key).unwrap();
    let (release, facts) = (Release::default(), ReleaseFacts::default());
    let ask = Ask {
      key: &self.key,
      app,
      known: Some(Known {
        validators,
        release: &release,
        facts: &facts,
      }),
    };
    self.source.latest_release(ask).await
  }

  pub(crate) fn let_pass(&self, time: Duration) {
    let milliseconds = i64::try_from(time.as_millis()).unwrap();
    self.source.clock.0.fetch_add(milliseconds, Ordering::Relaxed);
  }

  /// Asks, and gives the release's tag, its version and its validators.
  pub(crate) async fn choose(&self, validators: &Validators) -> (String, String, Validators) {
    match self.ask_with(validators).await {
      Outcome::Release(answer) => {
        let release = answer.valid.release;
        (release.tag, release.version, Validators::of(&answer.asker, answer.etag))
      }
      other => panic!("no release: {other:?}"),
    }
  }

  pub(crate) fn is_token_refused(&self) -> bool {
    self.source.is_token_refused()
  }

  /// Asks, and gives the reason of the failure.
  pub(crate) async fn fail(&self) -> FetchFailure {
    match self.ask().await {
      Outcome::Failed(failure) => failure,
      other => panic!("no failure: {other:?}"),
    }
  }
}
