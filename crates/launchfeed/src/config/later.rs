//! Variables that are described already and do nothing in this version.

use super::findings::Findings;
use super::surroundings::Surroundings;

const WITHOUT_EFFECT: &[&str] = &[
  "LAUNCHFEED_DATABASE_URL",
  "LAUNCHFEED_PUBLIC_URL",
  "LAUNCHFEED_ADMIN_TOKEN",
  "LAUNCHFEED_WEBHOOK_SECRET",
];

/// Warns of each that is set: who sets one relies on it.
pub(super) fn warn_of_variables_without_effect(surroundings: &dyn Surroundings, findings: &mut Findings) {
  for name in WITHOUT_EFFECT {
    let is_set = surroundings
      .variable(name)
      .is_some_and(|value| value.to_str().is_none_or(|value| !value.trim().is_empty()));
    if is_set {
      findings.warn(format!("{name} has no effect in this version"));
    }
  }
}

#[cfg(test)]
mod tests {
  use super::super::surroundings::tests::MadeUp;
  use super::*;

  #[test]
  fn each_variable_that_is_set_is_named_without_its_value() {
    let mut findings = Findings::default();
    let surroundings = MadeUp {
      variables: WITHOUT_EFFECT.iter().map(|name| (*name, "hunter2")).collect(),
      ..MadeUp::default()
    };
    warn_of_variables_without_effect(&surroundings, &mut findings);
    let expected: Vec<String> = WITHOUT_EFFECT
      .iter()
      .map(|name| format!("{name} has no effect in this version"))
      .collect();
    assert_eq!(findings.warnings(), expected);
  }

  #[test]
  fn a_blank_one_is_not_set() {
    let mut findings = Findings::default();
    let surroundings = MadeUp {
      variables: [("LAUNCHFEED_PUBLIC_URL", " ")].into(),
      ..MadeUp::default()
    };
    warn_of_variables_without_effect(&surroundings, &mut findings);
    assert_eq!(findings.warnings(), [""; 0]);
  }
}
