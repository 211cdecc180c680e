//! The lines that a process writes, as they come.

use std::io::{BufRead, BufReader, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::DEADLINE;

/// What a process wrote so far; clones see the same lines.
#[derive(Clone, Debug, Default)]
pub struct LogLines(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
  state: Mutex<State>,
  changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
  lines: Vec<String>,
  ended: bool,
}

impl Shared {
  /// Also after a test failed while it looked: the log is shown then.
  fn lock(&self) -> MutexGuard<'_, State> {
    self.state.lock().unwrap_or_else(PoisonError::into_inner)
  }
}

impl LogLines {
  /// Reads a pipe to its end in a thread of its own.
  pub fn follow(pipe: impl Read + Send + 'static) -> Self {
    let lines = Self::default();
    let shared = Arc::clone(&lines.0);
    thread::spawn(move || {
      let mut reader = BufReader::new(pipe);
      let mut line = Vec::new();
      while reader.read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
        let text = String::from_utf8_lossy(line.strip_suffix(b"\n").unwrap_or(&line)).into_owned();
        shared.lock().lines.push(text);
        shared.changed.notify_all();
        line.clear();
      }
      shared.lock().ended = true;
      shared.changed.notify_all();
    });
    lines
  }

  /// Everything so far.
  pub fn all(&self) -> Vec<String> {
    self.0.lock().lines.clone()
  }

  /// Everything as one text.
  pub fn text(&self) -> String {
    self.all().join("\n")
  }

  /// How many lines hold all of the words.
  pub fn count(&self, words: &[&str]) -> usize {
    self.all().iter().filter(|line| holds(line, words)).count()
  }

  /// Waits until a line holds all of the words, and gives it. Panics at the deadline, or when the process ends without it.
  pub fn wait_for(&self, words: &[&str]) -> String {
    self.wait_for_after(0, words, DEADLINE)
  }

  /// The same for a line behind the first `lines`, with a time of its own.
  pub fn wait_for_after(&self, lines: usize, words: &[&str], time: Duration) -> String {
    let until = Instant::now() + time;
    let mut state = self.0.lock();
    loop {
      if let Some(line) = state.lines.iter().skip(lines).find(|line| holds(line, words)) {
        return line.clone();
      }
      let left = until.saturating_duration_since(Instant::now());
      assert!(
        !state.ended && !left.is_zero(),
        "no line with {words:?} {}:\n{}",
        if state.ended {
          "before the process ended"
        } else {
          "in time"
        },
        state.lines.join("\n")
      );
      state = self
        .0
        .changed
        .wait_timeout(state, left)
        .unwrap_or_else(PoisonError::into_inner)
        .0;
    }
  }

  /// Waits until a line holds one of the words; whether one did before the process ended. Panics at the deadline.
  pub fn has_any(&self, words: &[&str]) -> bool {
    let until = Instant::now() + DEADLINE;
    let mut state = self.0.lock();
    loop {
      if state
        .lines
        .iter()
        .any(|line| words.iter().any(|word| line.contains(word)))
      {
        return true;
      }
      if state.ended {
        return false;
      }
      let left = until.saturating_duration_since(Instant::now());
      assert!(
        !left.is_zero(),
        "no line with any of {words:?}:\n{}",
        state.lines.join("\n")
      );
      state = self
        .0
        .changed
        .wait_timeout(state, left)
        .unwrap_or_else(PoisonError::into_inner)
        .0;
    }
  }

  /// Waits until the pipe is closed.
  pub fn wait_for_end(&self) {
    let until = Instant::now() + DEADLINE;
    let mut state = self.0.lock();
    while !state.ended {
      let left = until.saturating_duration_since(Instant::now());
      assert!(!left.is_zero(), "the process still writes:\n{}", state.lines.join("\n"));
      state = self
        .0
        .changed
        .wait_timeout(state, left)
        .unwrap_or_else(PoisonError::into_inner)
        .0;
    }
  }
}

fn holds(line: &str, words: &[&str]) -> bool {
  words.iter().all(|word| line.contains(word))
}
