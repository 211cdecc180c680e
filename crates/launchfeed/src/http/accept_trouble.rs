//! What to do when a connection can't be accepted.

use std::io;
use std::time::Duration;

/// How long to wait when there are no files or no memory for another connection: long enough not to spin, short enough that nobody
/// notices once there are.
const PAUSE: Duration = Duration::from_millis(100);

/// Remembers whether accepting is in trouble, so that its beginning and its end are logged, and not each attempt.
#[derive(Debug, Default)]
pub(super) struct AcceptTrouble {
  is_on: bool,
}

/// What to do next, and what to log.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Reaction {
  /// The client was gone already: on to the next one.
  Next,
  /// Wait this long.
  Pause {
    /// How long.
    pause: Duration,
    /// Whether it has just begun.
    is_new: bool,
  },
}

impl AcceptTrouble {
  /// After an error.
  pub(super) fn on_error(&mut self, error: &io::Error) -> Reaction {
    match error.kind() {
      io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset | io::ErrorKind::Interrupted => Reaction::Next,
      _ => Reaction::Pause {
        pause: PAUSE,
        is_new: !std::mem::replace(&mut self.is_on, true),
      },
    }
  }

  /// After a connection; whether the trouble is over just now.
  pub(super) fn on_success(&mut self) -> bool {
    std::mem::take(&mut self.is_on)
  }
}

#[cfg(test)]
mod tests {
  use super::*;

  const EMFILE: i32 = 24;

  #[test]
  fn without_files_it_waits_and_says_so_once() {
    let mut trouble = AcceptTrouble::default();
    let error = io::Error::from_raw_os_error(EMFILE);
    assert_eq!(
      trouble.on_error(&error),
      Reaction::Pause {
        pause: PAUSE,
        is_new: true
      }
    );
    assert_eq!(
      trouble.on_error(&error),
      Reaction::Pause {
        pause: PAUSE,
        is_new: false
      }
    );
    assert!(trouble.on_success());
    assert!(!trouble.on_success());
    assert_eq!(
      trouble.on_error(&error),
      Reaction::Pause {
        pause: PAUSE,
        is_new: true
      }
    );
  }

  #[test]
  fn a_client_that_went_away_is_no_trouble() {
    let mut trouble = AcceptTrouble::default();
    assert_eq!(
      trouble.on_error(&io::ErrorKind::ConnectionAborted.into()),
      Reaction::Next
    );
    assert!(!trouble.on_success());
  }
}
