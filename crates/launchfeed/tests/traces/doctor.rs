//! What the doctor sends to a collector.

use testkit::ServerBuilder;

use super::collector::Mood;
use super::stage::*;

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_sends_what_a_server_would_but_no_spans() {
  let stage = Stage::set(Mood::Takes).await;
  let (status, output, notes) = ServerBuilder::new(env!("CARGO_BIN_EXE_launchfeed"), "doctor")
    .against(&stage.github.api_url(), stage.state.path())
    .env("LAUNCHFEED_OTLP_ENDPOINT", stage.collector.url())
    .env("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20hunter2")
    .run();
  assert!(status.success(), "{output}{notes}");
  assert!(
    output.contains(&format!("{} takes them", stage.collector.url())),
    "{output}"
  );
  let [request] = &stage.collector.requests()[..] else {
    panic!("{:?}", stage.collector.requests())
  };
  assert!(
    request.head.contains("authorization: Bearer hunter2\r\n"),
    "{}",
    request.head
  );
  assert_eq!(request.spans(), []);
}
