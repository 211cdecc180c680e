//! The listener and its connections. It stands on hyper itself, since only a service that may fail can close a connection
//! without an answer.

use std::{
  fmt,
  future::pending,
  io,
  net::SocketAddr,
  sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicU64, Ordering},
  },
  time::Instant,
};

use http::{Request, Response};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use tokio::{
  net::{TcpListener, TcpSocket, TcpStream},
  task::yield_now,
  time::sleep,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
  answer::Delivery,
  body::ResponseBody,
  clock,
  request_log::{RequestLog, SeenRequest, logged_headers},
  respond::{circumstances, respond},
  world::{Decision, World},
};

const BACKLOG: u32 = 1024;
/// Small, so that `bytes_sent` stays close to what a client has read of an endless body.
const SEND_BUFFER: u32 = 16 * 1024;
const WRITE_BUFFER: usize = 16 * 1024;

/// What the handle and the connections share.
pub(crate) struct Shared {
  world: Mutex<World>,
  pub(crate) log: RequestLog,
  pub(crate) bytes_sent: Arc<AtomicU64>,
  /// Requests since the start; unlike the log's, this count is never cleared.
  arrived: AtomicU64,
}

/// The connection is closed without an answer, as scripted.
#[derive(Debug)]
struct ClosedWithoutAnswer;

impl Shared {
  pub(crate) fn new(api_url: &str, api_prefix: &str) -> Self {
    Self {
      world: Mutex::new(World::new(api_url, api_prefix)),
      log: RequestLog::new(),
      bytes_sent: Arc::default(),
      arrived: AtomicU64::default(),
    }
  }

  pub(crate) fn world(&self) -> MutexGuard<'_, World> {
    self.world.lock().unwrap_or_else(PoisonError::into_inner)
  }
}

impl fmt::Display for ClosedWithoutAnswer {
  fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    formatter.write_str("closed without an answer, as scripted")
  }
}

impl std::error::Error for ClosedWithoutAnswer {}

/// Binds; from then on connections are taken, if not yet served.
pub(crate) fn listen(address: SocketAddr) -> io::Result<TcpListener> {
  let socket = TcpSocket::new_v4()?;
  // On Windows it would mean that somebody else may take the port at the same time.
  socket.set_reuseaddr(cfg!(unix))?;
  socket.set_send_buffer_size(SEND_BUFFER)?;
  socket.bind(address)?;
  socket.listen(BACKLOG)
}

/// Serves until stopped. Connections run among `tasks`, and are cut by `stop`.
pub(crate) async fn serve(listener: TcpListener, shared: Arc<Shared>, stop: CancellationToken, tasks: TaskTracker) {
  let accepting = async {
    loop {
      match listener.accept().await {
        Ok((stream, _)) => {
          let connection = serve_connection(stream, Arc::clone(&shared));
          let stopped = stop.clone().cancelled_owned();
          tasks.spawn(async move {
            tokio::select! {
              () = connection => {}
              () = stopped => {}
            }
          });
        }
        // Out of file handles, or the client was gone already: neither is a reason to stop.
        Err(_) => yield_now().await,
      }
    }
  };
  stop.run_until_cancelled(accepting).await;
}

async fn serve_connection(stream: TcpStream, shared: Arc<Shared>) {
  // Without it small answers would wait for the client's acknowledgement; with an error they just do.
  let _ = stream.set_nodelay(true);
  let service = service_fn(|request| answer(request, Arc::clone(&shared)));
  let mut http = http1::Builder::new();
  http.auto_date_header(false).max_buf_size(WRITE_BUFFER);
  // The client went away, or the script said so; either way there is nobody left to tell.
  let _ = http.serve_connection(TokioIo::new(stream), service).await;
}

async fn answer(
  request: Request<Incoming>,
  shared: Arc<Shared>,
) -> Result<Response<ResponseBody>, ClosedWithoutAnswer> {
  let received_at = Instant::now();
  let number = shared.arrived.fetch_add(1, Ordering::Relaxed) + 1;
  let now = clock::now();
  let Decision {
    answer,
    rate,
    repo,
    wait,
  } = {
    let mut world = shared.world();
    world.decide(
      request.method(),
      request.uri(),
      request.headers(),
      clock::unix_secs(now),
    )
  };
  let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
  shared.log.push(SeenRequest {
    method: request.method().to_string(),
    path: path.to_owned(),
    repo,
    headers: logged_headers(request.headers()),
    received_at,
    status: (!answer.is_silent()).then_some(answer.status),
  });
  if !wait.is_zero() {
    sleep(wait).await;
  }
  match answer.delivery {
    // Until the client hangs up, or the stand-in stops; either cuts the connection with this in it.
    Delivery::Hang => pending().await,
    Delivery::Reset => Err(ClosedWithoutAnswer),
    _ => {
      let circumstances = circumstances(request.headers(), rate, now, number);
      Ok(respond(answer, &circumstances, Arc::clone(&shared.bytes_sent)))
    }
  }
}
