//! What the doctor looks at, and what it says.

use github_standin::StandIn;
use serde_json::Value;
use tempfile::TempDir;
use testkit::ServerBuilder;

/// Two apps of a made-up family.
pub(crate) const TWO_APPS: &str = "alpha=Alpha=acme/alpha,beta=Beta=acme/beta";
pub(crate) const TOKEN_VARIABLE: &str = "CRAFT_APPS_RELEASE_GITHUB_TOKEN";
/// In every secret of these tests, and in no output.
pub(crate) const SECRET: &str = "hunter2hunter2";

pub(crate) struct Stage {
  pub(crate) github: StandIn,
  pub(crate) state: TempDir,
}

/// What one run said.
#[derive(Debug)]
pub(crate) struct Visit {
  pub(crate) code: Option<i32>,
  pub(crate) report: Value,
  /// Everything that was written.
  pub(crate) all: String,
}

/// One finding.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Found {
  pub(crate) check: String,
  pub(crate) verdict: String,
  pub(crate) what: String,
  pub(crate) advice: String,
}

impl Stage {
  pub(crate) async fn set() -> Self {
    Self {
      github: StandIn::start().await.unwrap(),
      state: testkit::temporary_folder(),
    }
  }

  /// The doctor, not yet started, for two apps of that GitHub. All by variables, so that flags may say otherwise.
  pub(crate) fn doctor(&self) -> ServerBuilder {
    self
      .doctor_of_the_built_in_list()
      .env("CRAFT_APPS_RELEASE_APPS", TWO_APPS)
  }

  /// The same for the family that everybody has.
  pub(crate) fn doctor_of_the_built_in_list(&self) -> ServerBuilder {
    doctor()
      .env("LAUNCHFEED_LISTEN", "127.0.0.1:0")
      .env("LAUNCHFEED_GITHUB_API_URL", self.github.api_url())
      .env("LAUNCHFEED_STATE_DIR", self.state.path())
  }

  /// The same with a token, so that nothing is to be said of it.
  pub(crate) fn doctor_with_token(&self) -> ServerBuilder {
    self.doctor().env(TOKEN_VARIABLE, format!("ghp_{SECRET}"))
  }
}

pub(crate) fn doctor() -> ServerBuilder {
  ServerBuilder::new(env!("CARGO_BIN_EXE_launchfeed"), "doctor")
}

/// Runs it and reads its JSON. Whatever else a test is about: no secret is said, and the exit code is that of the findings.
pub(crate) fn visit(doctor: ServerBuilder) -> Visit {
  let (status, output, notes) = doctor.args(["--json"]).run();
  let report: Value = serde_json::from_str(&output).unwrap_or_else(|error| panic!("{error} in {output:?}\n{notes}"));
  let visit = Visit {
    code: status.code(),
    report,
    all: format!("{output}\n{notes}"),
  };
  assert!(!visit.all.contains(SECRET), "{}", visit.all);
  let is_wrong = visit.all().iter().any(|found| found.verdict == "wrong");
  assert_eq!(visit.report["ok"], !is_wrong);
  assert_eq!(visit.code, Some(i32::from(is_wrong)), "{}", visit.all);
  visit
}

impl Visit {
  pub(crate) fn all(&self) -> Vec<Found> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let findings = self.report["findings"].as_array().unwrap().iter();
    let findings = findings.map(|finding| Found {
      check: text(&finding["check"]),
      verdict: text(&finding["verdict"]),
      what: text(&finding["what"]),
      advice: text(&finding["advice"]),
    });
    findings.collect()
  }

  /// The findings of a check.
  pub(crate) fn of(&self, check: &str) -> Vec<Found> {
    let mut findings = self.all();
    findings.retain(|found| found.check == check);
    findings
  }

  /// Asserts that a check has one finding, with that verdict and those words in it; gives it back.
  pub(crate) fn expect(&self, check: &str, verdict: &str, words: &[&str]) -> Found {
    let findings = self.of(check);
    let [found] = &findings[..] else {
      panic!("{check}: {findings:?}\n{}", self.all)
    };
    assert_eq!(found.verdict, verdict, "{found:?}");
    let text = format!("{} {}", found.what, found.advice);
    assert!(words.iter().all(|word| text.contains(word)), "{words:?} in {found:?}");
    let must_advise = matches!(verdict, "warning" | "wrong");
    assert_eq!(!found.advice.is_empty(), must_advise, "{found:?}");
    found.clone()
  }

  /// Asserts that nothing is wrong but these.
  pub(crate) fn expect_wrong(&self, checks: &[&str]) {
    let wrong = self.all().into_iter().filter(|found| found.verdict == "wrong");
    let wrong: Vec<String> = wrong.map(|found| found.check).collect();
    assert_eq!(wrong, checks, "{}", self.all);
  }
}
