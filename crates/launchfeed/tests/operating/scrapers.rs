//! Those who ask too much, or don't go away.

use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use testkit::{HttpConnection, Server};

use crate::exposition::{read, scrape};
use crate::stage::*;

/// More than the private listener takes at a time.
const HUNG: usize = 80;

#[tokio::test(flavor = "multi_thread")]
async fn scrapers_that_hang_hinder_no_answer_and_no_other_scraper_for_long() {
  let stage = Stage::set().await;
  let server = stage.serve_asked();
  let mut hung: Vec<TcpStream> = (0..HUNG)
    .map(|_| TcpStream::connect(server.admin_address()).unwrap())
    .collect();
  for stream in &mut hung {
    stream.write_all(b"GET /metrics HTTP/1.1\r\nHo").unwrap();
  }
  let asked = Instant::now();
  assert_eq!(server.request("GET", PATH).status, 200);
  assert!(asked.elapsed() < Duration::from_secs(2), "{:?}", asked.elapsed());
  scrape(&server);
  drop(hung);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_scrapes_are_all_whole_and_answers_go_on() {
  let stage = Stage::set().await;
  let server = stage.serve_asked();
  let before = scrape(&server)
    .values()
    .map(|family| family.samples.len())
    .sum::<usize>();
  let address = server.admin_address();
  let scrapers: Vec<_> = (0..4)
    .map(|_| {
      std::thread::spawn(move || {
        let mut connection = HttpConnection::open(address);
        for _ in 0..250 {
          let answer = connection.request("GET", "/metrics");
          read(&String::from_utf8(answer.body).unwrap());
        }
      })
    })
    .collect();
  while scrapers.iter().any(|scraper| !scraper.is_finished()) {
    let asked = Instant::now();
    assert_eq!(server.request("GET", PATH).status, 200);
    assert!(asked.elapsed() < Duration::from_secs(2), "{:?}", asked.elapsed());
  }
  scrapers.into_iter().for_each(|scraper| scraper.join().unwrap());
  let after = scrape(&server)
    .values()
    .map(|family| family.samples.len())
    .sum::<usize>();
  assert!(after <= before + 2, "{before} series, then {after}");
}

#[tokio::test(flavor = "multi_thread")]
async fn paths_that_nobody_has_become_no_labels() {
  let stage = Stage::set().await;
  let server = stage.serve_asked();
  let long = "x".repeat(8 * 1024);
  let ask_everything = || {
    for number in 0..20 {
      for path in [
        format!("/{number}{long}"),
        format!("/v1/release_info/{number}{long}"),
        format!("/download/{number}/{long}/x64"),
        format!("/%22%0a{number}\"}}"),
      ] {
        assert_eq!(server.request("GET", &path).status, 404);
      }
    }
  };
  ask_everything();
  let before = size_of_labels(&server);
  ask_everything();
  assert_eq!(size_of_labels(&server), before);
  let routes = ["release_info", "app", "download", "openapi", "docs", "other"];
  for (name, family) in scrape(&server) {
    for sample in family.samples {
      let route = sample.labels.get("route");
      assert!(
        route.is_none_or(|route| routes.contains(&route.as_str())),
        "{name}: {route:?}"
      );
    }
  }
}

fn size_of_labels(server: &Server) -> usize {
  let families = scrape(server);
  let labels = families
    .values()
    .flat_map(|family| &family.samples)
    .flat_map(|sample| &sample.labels);
  labels.map(|(name, value)| name.len() + value.len()).sum()
}
