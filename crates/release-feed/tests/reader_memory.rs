//! How much memory it takes to read the largest release that GitHub may answer with. One test alone in its program, so that
//! nothing else is counted.

use github_standin::SampleRelease;
use peak_alloc::PeakAlloc;
use release_feed::github::read_release;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const MAX_BYTES_BEYOND_THE_BODY: usize = 8 * 1024 * 1024;

#[test]
fn a_thousand_files_take_eight_mib_beyond_the_body() {
  let release = SampleRelease::new("v1.0").notes(&"n".repeat(125_000));
  let release = (0..1_000).fold(release, |release, number| {
    release.asset(&format!("demo-1.0-linux-x64-{number}.tar.gz"))
  });
  let body = release.to_json("acme/demo").to_string().into_bytes();
  assert!(body.len() > 1_600_000, "{}", body.len());
  let before = MEMORY.current_usage();
  MEMORY.reset_peak_usage();
  let read = read_release(&body).unwrap();
  let beyond = MEMORY.peak_usage() - before;
  assert_eq!((read.release.assets.len(), read.facts.assets.len()), (1_000, 1_000));
  // Else nothing was counted.
  assert!(beyond > 125_000, "{beyond}");
  assert!(beyond <= MAX_BYTES_BEYOND_THE_BODY, "{beyond}");
}
