//! Where the state is kept.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use super::findings::{ConfigError, Findings};
use super::setting::STATE_DIR;
use super::surroundings::Surroundings;
use super::values::path;

/// systemd's; with several folders, they are separated by colons.
const SYSTEMD_VARIABLE: &str = "STATE_DIRECTORY";

/// Our folder in the platform's.
const FOLDER_NAME: &str = "launchfeed";

/// The folder given, else systemd's first, else our own in the platform's state folder. Nothing is created.
pub(super) fn state_dir(value: Option<&OsString>, surroundings: &dyn Surroundings, findings: &mut Findings) -> PathBuf {
  let given = path(value).map(PathBuf::from);
  let by_systemd = || first_folder(&surroundings.variable(SYSTEMD_VARIABLE)?);
  let by_platform = || Some(surroundings.state_home()?.join(FOLDER_NAME));
  given.or_else(by_systemd).or_else(by_platform).unwrap_or_else(|| {
    findings.refuse(ConfigError::NoStateDir { setting: STATE_DIR });
    PathBuf::new()
  })
}

fn first_folder(folders: &OsStr) -> Option<PathBuf> {
  let bytes = folders.as_encoded_bytes();
  let Some(end) = bytes.iter().position(|byte| *byte == b':') else {
    return (!bytes.is_empty()).then(|| PathBuf::from(folders));
  };
  // Paths that aren't UTF-8 can't be cut without platform code; one of several such is better set by hand.
  let first = folders.to_str()?.get(..end)?;
  (!first.is_empty()).then(|| PathBuf::from(first))
}

#[cfg(test)]
mod tests {
  use std::path::Path;

  use rstest::rstest;

  use super::super::surroundings::tests::MadeUp;
  use super::*;

  #[rstest]
  #[case::given(Some("/srv/state"), Some("/var/lib/a"), Some("/home/x/.local/state"), "/srv/state")]
  #[case::relative(Some("state"), None, None, "state")]
  #[case::blank_is_none(Some(" "), Some("/var/lib/a"), None, "/var/lib/a")]
  #[case::systemd_before_platform(None, Some("/var/lib/a"), Some("/home/x"), "/var/lib/a")]
  #[case::systemds_first(None, Some("/var/lib/a:/var/lib/b"), None, "/var/lib/a")]
  #[case::systemds_is_empty(None, Some(""), Some("/home/x"), "/home/x/launchfeed")]
  #[case::platform(None, None, Some("/home/x/.local/state"), "/home/x/.local/state/launchfeed")]
  fn the_folder_is_the_one_given_or_systemds_or_the_platforms(
    #[case] value: Option<&str>,
    #[case] systemd: Option<&'static str>,
    #[case] state_home: Option<&'static str>,
    #[case] expected: &str,
  ) {
    let surroundings = MadeUp {
      variables: systemd.map(|folders| (SYSTEMD_VARIABLE, folders)).into_iter().collect(),
      state_home,
      ..MadeUp::default()
    };
    let mut findings = Findings::default();
    let folder = state_dir(value.map(OsString::from).as_ref(), &surroundings, &mut findings);
    assert_eq!(folder, Path::new(expected));
    assert_eq!(findings.errors(), [""; 0]);
  }

  #[test]
  fn without_any_the_start_is_refused() {
    let mut findings = Findings::default();
    state_dir(None, &MadeUp::default(), &mut findings);
    assert_eq!(
      findings.errors(),
      [
        "LAUNCHFEED_STATE_DIR (--state-dir): not set, and no home folder is known to keep the state in; \
        expected the path of a folder"
      ]
    );
  }
}
