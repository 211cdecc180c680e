//! A TCP link that can be cut, slowed down and stopped.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

const CHUNK: usize = 64 * 1024;

/// What a link does with what it carries.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum LinkMode {
  /// Carries it.
  Whole,
  /// Carries each piece that much later.
  Slow(Duration),
  /// Keeps it until something else is set.
  Hung,
  /// Breaks connections off, and new ones at once.
  Cut,
}

/// A way to a port of this machine, through a port of its own. Closed when it is dropped.
#[derive(Debug)]
pub struct Link {
  port: u16,
  shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
  state: Mutex<State>,
  changed: Condvar,
}

#[derive(Debug)]
struct State {
  mode: LinkMode,
  streams: Vec<TcpStream>,
  is_closed: bool,
}

impl Link {
  /// A whole link to that port.
  pub fn to(target: u16) -> Self {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let shared = Arc::new(Shared {
      state: Mutex::new(State {
        mode: LinkMode::Whole,
        streams: Vec::new(),
        is_closed: false,
      }),
      changed: Condvar::new(),
    });
    let accepting = Arc::clone(&shared);
    thread::spawn(move || {
      for client in listener.incoming() {
        if accepting.lock().is_closed {
          return;
        }
        if let Ok(client) = client {
          accepting.carry(client, target);
        }
      }
    });
    Self { port, shared }
  }

  /// Where it begins.
  pub fn port(&self) -> u16 {
    self.port
  }

  /// From now on.
  pub fn set(&self, mode: LinkMode) {
    let mut state = self.shared.lock();
    state.mode = mode;
    if mode == LinkMode::Cut {
      state.break_off();
    }
    self.shared.changed.notify_all();
  }
}

impl Shared {
  fn lock(&self) -> MutexGuard<'_, State> {
    self.state.lock().unwrap_or_else(PoisonError::into_inner)
  }

  fn carry(self: &Arc<Self>, client: TcpStream, target: u16) {
    if self.lock().mode == LinkMode::Cut {
      return;
    }
    // Whoever is refused there is refused here.
    let Ok(server) = TcpStream::connect(("127.0.0.1", target)) else {
      return;
    };
    let (Ok(client_too), Ok(server_too)) = (client.try_clone(), server.try_clone()) else {
      return;
    };
    for stream in [&client, &server] {
      let _ = stream.set_nodelay(true);
      if let Ok(stream) = stream.try_clone() {
        self.lock().streams.push(stream);
      }
    }
    let (there, back) = (Arc::clone(self), Arc::clone(self));
    thread::spawn(move || there.copy(client, server));
    thread::spawn(move || back.copy(server_too, client_too));
  }

  fn copy(&self, mut from: TcpStream, mut to: TcpStream) {
    let mut chunk = vec![0; CHUNK];
    while let Ok(length) = from.read(&mut chunk) {
      if length == 0 || !self.pass() || to.write_all(&chunk[..length]).is_err() {
        break;
      }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
  }

  /// Waits as the mode says. Whether to carry on.
  fn pass(&self) -> bool {
    let mut state = self.lock();
    if let LinkMode::Slow(by) = state.mode {
      let is_slow = |state: &mut State| state.mode == LinkMode::Slow(by) && !state.is_closed;
      let waited = self.changed.wait_timeout_while(state, by, is_slow);
      state = waited.unwrap_or_else(PoisonError::into_inner).0;
    }
    while state.mode == LinkMode::Hung && !state.is_closed {
      state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
    }
    state.mode != LinkMode::Cut && !state.is_closed
  }
}

impl State {
  fn break_off(&mut self) {
    for stream in self.streams.drain(..) {
      let _ = stream.shutdown(Shutdown::Both);
    }
  }
}

impl Drop for Link {
  fn drop(&mut self) {
    {
      let mut state = self.shared.lock();
      state.is_closed = true;
      state.break_off();
    }
    self.shared.changed.notify_all();
    // So that the acceptor looks.
    let _ = TcpStream::connect(("127.0.0.1", self.port));
  }
}
