//! Memory and open files over time.

use testkit::Server;

/// The part of the time that counts as warming up.
const WARM_UP: f64 = 0.4;
const MIB: f64 = 1024.0 * 1024.0;

/// At one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
  resident_bytes: f64,
  open_files: f64,
}

#[derive(Debug, Default)]
pub(crate) struct Samples(Vec<Sample>);

impl Sample {
  pub(crate) fn of(server: &Server) -> Self {
    let open = std::fs::read_dir(format!("/proc/{}/fd", server.id())).unwrap().count();
    Self {
      resident_bytes: server.resident_bytes() as f64,
      open_files: open as f64,
    }
  }
}

impl Samples {
  pub(crate) fn push(&mut self, sample: Sample) {
    self.0.push(sample);
  }

  /// After the warm-up the first half and the second half are about the same.
  pub(crate) fn check(&self) {
    let warm = &self.0[(self.0.len() as f64 * WARM_UP) as usize..];
    let (first, second) = warm.split_at(warm.len() / 2);
    let of = |samples: &[Sample], what: fn(&Sample) -> f64| {
      let mut values: Vec<f64> = samples.iter().map(what).collect();
      values.sort_by(f64::total_cmp);
      values[values.len() / 2]
    };
    let memory = (of(first, |s| s.resident_bytes), of(second, |s| s.resident_bytes));
    let files = (of(first, |s| s.open_files), of(second, |s| s.open_files));
    println!(
      "memory {:.1} MiB, then {:.1} MiB ({:.3}); open files {}, then {}",
      memory.0 / MIB,
      memory.1 / MIB,
      memory.1 / memory.0,
      files.0,
      files.1
    );
    assert!(
      memory.1 <= memory.0 * 1.05,
      "memory grows: {:?}",
      self
        .0
        .iter()
        .map(|sample| (sample.resident_bytes / MIB) as u64)
        .collect::<Vec<_>>()
    );
    assert!(files.1 <= files.0 * 1.05 + 1.0, "open files grow");
  }
}
