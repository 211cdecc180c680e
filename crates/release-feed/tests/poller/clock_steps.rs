//! The wall clock is set while the instance runs.

use crate::simulation::*;

#[tokio::test(start_paused = true)]
async fn a_clock_set_back_by_an_hour_stops_nothing_and_storms_nobody() {
  let running = Plan::default().start(|_| ());
  running.pass(secs(600)).await;
  running.clock.set_by_ms(-3_600_000);
  running.pass(secs(1_200)).await;
  let asked = running.source.asked_of("a");
  assert!(
    gaps(&asked)
      .iter()
      .all(|gap| *gap >= secs(90) && *gap <= secs(90 + 33 + 3)),
    "{:?}",
    gaps(&asked)
  );
  assert!(
    running.age_secs("a") >= 0 && running.age_secs("a") < 200,
    "{}",
    running.age_secs("a")
  );
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_clock_set_forward_by_an_hour_costs_one_round_and_the_way_back_none() {
  let running = Plan::default().start(|_| ());
  running.pass(secs(600)).await;
  running.clock.set_by_ms(3_600_000);
  running.pass(secs(60)).await;
  let after_step = running.source.asked_since(secs(600)).len();
  assert!(after_step == 3, "{after_step}");
  running.clock.set_by_ms(-3_600_000);
  running.pass(secs(600)).await;
  let asked = running.source.asked_since(secs(601));
  let of_a: Vec<_> = asked.into_iter().filter(|asked| asked.key == "a").collect();
  assert!(
    gaps(&of_a)
      .iter()
      .all(|gap| *gap >= secs(90) && *gap <= secs(90 + 33 + 3)),
    "{:?}",
    gaps(&of_a)
  );
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_backoff_keeps_its_length_when_the_clock_is_set_back() {
  let running = Plan::default().start(|source| source.queue("a", [limited(Some(START.plus(secs(1_000))))]));
  running.pass(secs(100)).await;
  running.clock.set_by_ms(-3_600_000);
  running.pass(HOUR).await;
  let second = running.source.asked()[1].after;
  assert!(
    second >= secs(1_060) && second <= secs(1_060).mul_f64(1.1) + secs(33),
    "{second:?}"
  );
  running.stop().await;
}
