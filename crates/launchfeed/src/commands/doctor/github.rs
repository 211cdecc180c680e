//! GitHub: whether its API can be reached, and its clock. The token and its budget come from the same answer.

use std::time::Duration;

use futures_util::future::join_all;
use release_feed::SystemClock;
use release_feed::github::{
  AllowanceAnswer, AllowanceFailure, NetworkFailure, Obstacle, Timeouts, Token, ask_allowance, build_http_client,
};

use super::clock::clock;
use super::finding::Finding;
use super::token::{self, judge};
use crate::config::{Examined, GITHUB_API_URL, Machine, Surroundings};

pub(super) const NAME: &str = "github";
const CLOCK: &str = "github_clock";
/// Shorter than a check may take.
const TIMEOUTS: Timeouts = Timeouts {
  connect: Duration::from_secs(5),
  whole: Duration::from_secs(8),
};
/// Variables that send requests through a proxy, by the scheme of the address.
const PROXIES: [(&str, [&str; 2]); 3] = [
  ("https", ["HTTPS_PROXY", "https_proxy"]),
  ("http", ["HTTP_PROXY", "http_proxy"]),
  ("", ["ALL_PROXY", "all_proxy"]),
];

pub(super) async fn check(examined: &Examined) -> Vec<Finding> {
  if !examined.settings.polling.enabled {
    return vec![Finding::not_applicable(NAME, "polling is off: GitHub isn't asked")];
  }
  let github = &examined.settings.source.github;
  let client = match build_http_client(TIMEOUTS) {
    Ok(client) => client,
    Err(error) => return vec![Finding::wrong(NAME, error, "a start is refused without them")],
  };
  let api = github.api.as_str();
  // All at once: none may take long.
  let askers: Vec<Option<&Token>> = match &github.tokens[..] {
    [] => vec![None],
    tokens => tokens.iter().map(Some).collect(),
  };
  let asking = askers
    .into_iter()
    .map(|token| ask_allowance(&client, &github.api, token, &SystemClock));
  let answers: Result<Vec<AllowanceAnswer>, NetworkFailure> = join_all(asking).await.into_iter().collect();
  match answers {
    Ok(answers) => {
      let mut findings = judge_answer(api, worst(&answers));
      findings.extend(judge(examined, &answers));
      findings
    }
    Err(failure) => vec![
      Finding::wrong(
        NAME,
        format_args!("{api}{} can't be reached: {failure}", by_proxy(api)),
        advice(&failure),
      ),
      Finding::not_applicable(token::NAME, "not checked: GitHub can't be reached"),
    ],
  }
}

/// One that isn't GitHub's, else the first.
fn worst(answers: &[AllowanceAnswer]) -> Option<&AllowanceAnswer> {
  answers.iter().find(|answer| !is_githubs(answer)).or(answers.first())
}

/// What the others say is said of the token and its budget.
fn is_githubs(answer: &AllowanceAnswer) -> bool {
  matches!(
    answer.says,
    Ok(_) | Err(AllowanceFailure::TokenRefused | AllowanceFailure::Limited(_))
  )
}

fn judge_answer(api: &str, answer: Option<&AllowanceAnswer>) -> Vec<Finding> {
  let Some(answer) = answer else { return Vec::new() };
  let is_github = match &answer.says {
    Ok(_) | Err(AllowanceFailure::TokenRefused | AllowanceFailure::Limited(_)) => {
      Finding::ok(NAME, format_args!("{api}{} answers", by_proxy(api)))
    }
    Err(failure) => Finding::wrong(
      NAME,
      format_args!("{api}{}: {failure}", by_proxy(api)),
      advice_after(failure),
    ),
  };
  let clock = match answer.ahead_ms {
    Some(ahead_ms) => clock(CLOCK, "GitHub's", ahead_ms),
    None => Finding::not_applicable(CLOCK, "the answer has no date"),
  };
  vec![is_github, clock]
}

fn advice_after(failure: &AllowanceFailure) -> String {
  match failure {
    AllowanceFailure::BrokenOff(failure) => advice(failure),
    AllowanceFailure::Status { status: 500.., .. } => {
      "that is GitHub's own trouble: try again later (https://www.githubstatus.com)".to_owned()
    }
    _ => format!("check that {GITHUB_API_URL} is the API's address, and what stands between (a proxy, a login page)"),
  }
}

/// What to do about a request that got nowhere; also for other addresses than GitHub's.
pub(super) fn advice(failure: &NetworkFailure) -> String {
  let advice = match failure.obstacle {
    Obstacle::Name => "check the address and this machine's name resolution (/etc/resolv.conf)",
    Obstacle::Connection => "check the address, the network and the firewall; behind a proxy set HTTPS_PROXY",
    Obstacle::Proxy => "check HTTPS_PROXY, HTTP_PROXY and ALL_PROXY, and what the proxy allows",
    Obstacle::Tls => {
      "check the system's CA certificates (SSL_CERT_FILE for others), the clock, and whether a proxy opens TLS on the way"
    }
    Obstacle::Time | Obstacle::Answer => "check the network and what stands between, or try again later",
  };
  advice.to_owned()
}

/// Which variable says that it goes through a proxy; its value may hold a password.
fn by_proxy(address: &str) -> String {
  let is_set = |name: &&&str| Machine.variable(name).is_some_and(|value| !value.is_empty());
  let names = PROXIES.iter().filter(|(scheme, _)| {
    let rest = address.strip_prefix(scheme);
    scheme.is_empty() || rest.is_some_and(|rest| rest.starts_with(':'))
  });
  let name = names.flat_map(|(_, names)| names).find(is_set);
  name.map(|name| format!(" ({name} is set)")).unwrap_or_default()
}
