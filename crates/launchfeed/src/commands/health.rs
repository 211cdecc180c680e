//! `launchfeed health`: asks a running instance how it is, for containers and scripts without an HTTP client.

use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use axum::body::Bytes;
use http_body_util::{BodyExt, Empty, Limited};
use hyper::client::conn::http1;
use hyper::header::HOST;
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio::time::timeout;

use crate::admin::{LIVE, READY};
use crate::cli::HealthCommandArgs;
use crate::config::HealthSettings;
use crate::outcome::{Failure, Outcome};
use crate::printer::{Field, Printer};

const TIMEOUT: Duration = Duration::from_secs(5);
/// Far more than an instance says of itself.
const MAX_BODY_BYTES: usize = 256 * 1024;

/// What an instance said.
struct Said {
  status: StatusCode,
  body: Bytes,
}

pub(crate) fn health(
  settings: &HealthSettings,
  args: &HealthCommandArgs,
  printer: &mut Printer,
) -> Result<Outcome, Failure> {
  let runtime = Builder::new_current_thread()
    .enable_all()
    .build()
    .context("starting a timer")
    .map_err(Failure::Failed)?;
  let path = if args.live { LIVE } else { READY };
  let asked = runtime.block_on(async {
    let asking = timeout(TIMEOUT, ask(&settings.authority, path));
    let too_slow = |_| Err(anyhow!("no answer within {} s", TIMEOUT.as_secs()));
    asking.await.unwrap_or_else(too_slow)
  });
  let read = asked.and_then(|said| if args.live { live(&said) } else { ready(&said) });
  let (is_well, document) = read.unwrap_or_else(|error| {
    let reason = format!("http://{}{path}: {error:#}", settings.authority);
    (false, json!({ "status": "unreachable", "reason": reason }))
  });
  if args.json {
    printer.result(&document)?;
  } else {
    printer.result(Field(&line(&document)))?;
  }
  printer.flush()?;
  Ok(if is_well { Outcome::Done } else { Outcome::FoundTrouble })
}

/// How an instance that is asked there says that it is.
///
/// # Errors
///
/// When nobody answers in time, or something else than an instance does.
pub(super) async fn readiness_at(authority: &str) -> anyhow::Result<String> {
  let said = timeout(TIMEOUT, ask(authority, READY)).await??;
  let (_, document) = ready(&said)?;
  Ok(document["status"].as_str().unwrap_or_default().to_owned())
}

async fn ask(authority: &str, path: &str) -> anyhow::Result<Said> {
  let stream = TcpStream::connect(authority).await?;
  let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
  let request = Request::get(path).header(HOST, authority).body(Empty::<Bytes>::new())?;
  let answering = async {
    let response = sender.send_request(request).await?;
    let status = response.status();
    let body = Limited::new(response.into_body(), MAX_BODY_BYTES).collect().await;
    let body = body.map_err(|error| anyhow!("its answer can't be read: {error}"))?;
    Ok(Said {
      status,
      body: body.to_bytes(),
    })
  };
  tokio::select! {
    said = answering => said,
    // The answer may be there already when the connection ends, so it is looked at first.
    ended = async { connection.await?; std::future::pending().await } => ended,
  }
}

fn live(said: &Said) -> anyhow::Result<(bool, Value)> {
  if said.status != StatusCode::OK {
    bail!("it answers {}", said.status);
  }
  Ok((true, json!({ "status": "live" })))
}

fn ready(said: &Said) -> anyhow::Result<(bool, Value)> {
  let document: Option<Value> = serde_json::from_slice(&said.body).ok();
  let document = document.filter(|document| document["status"].is_string() && document["parts"].is_object());
  let document = document.ok_or_else(|| {
    anyhow!(
      "it answers {}, and not as the private listener of an instance does",
      said.status
    )
  })?;
  Ok((said.status == StatusCode::OK, document))
}

/// The status, and whatever isn't as it should be.
fn line(document: &Value) -> String {
  let status = document["status"].as_str().unwrap_or_default();
  if let Some(reason) = document["reason"].as_str() {
    return format!("{status}: {reason}");
  }
  let Some(parts) = document["parts"].as_object() else {
    return status.to_owned();
  };
  let amiss: Vec<String> = parts
    .iter()
    .filter(|(_, part)| !matches!(part["state"].as_str(), Some("ok" | "off")))
    .map(|(name, part)| format!("{name}: {}", part["reason"].as_str().unwrap_or_default()))
    .collect();
  if amiss.is_empty() {
    let reason = parts.get("answer").and_then(|part| part["reason"].as_str());
    return format!("{status}: {}", reason.unwrap_or_default());
  }
  format!("{status}: {}", amiss.join("; "))
}
