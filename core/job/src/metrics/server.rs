// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The sockets of the server of metrics, and the one thread that has them.
//!
//! It never waits for a client: at most [`CONNECTIONS`] are open, a further one takes the place of the
//! oldest, and each has [`TIME`] from its arrival to the end of its reply. So clients that send garbage, read
//! slowly or come by the thousand cost a bounded amount, and one that asks and reads gets its reply.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use mf_base::os::process::Owner;
use mf_base::os::thread::spawn;
use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};

use super::http::{HEAD_BYTES_MAX, Step, step};

/// Most connections at a time.
const CONNECTIONS: usize = 32;
/// How long one may be open.
const TIME: Duration = Duration::from_secs(10);
/// Connections that are taken in before others go on.
const TAKEN_AT_ONCE: usize = 64;
/// The pause after the system refused to take one in, for example for want of descriptors.
const PAUSE: Duration = Duration::from_millis(100);

/// Makes the text.
pub(super) type Metrics = Box<dyn Fn() -> String + Send>;

/// The server; dropping it ends it.
pub(super) struct Server {
    address: SocketAddr,
    wake: Arc<OwnedFd>,
    thread: Option<JoinHandle<()>>,
    owner: Owner,
}

impl Server {
    /// Serves on `listener`; with a secret, only those who have it.
    ///
    /// # Errors
    /// Those of the system.
    pub(super) fn start(
        listener: TcpListener,
        secret: Option<Vec<u8>>,
        metrics: Metrics,
    ) -> std::io::Result<Self> {
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let wake = Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?);
        let mut desk = Desk { listener, secret, metrics, open: VecDeque::new(), rest_until: None };
        let woken = Arc::clone(&wake);
        let thread = Some(spawn("mf-metrics", move || while desk.turn(&woken) {})?);
        Ok(Self { address, wake, thread, owner: Owner::current() })
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A forked child has no such thread.
        if !self.owner.is_current() {
            return;
        }
        // The counter of a descriptor that is read at once has room.
        let _ = rustix::io::write(&self.wake, &1_u64.to_ne_bytes());
        if let Some(thread) = self.thread.take()
            && thread.thread().id() != std::thread::current().id()
        {
            let _ = thread.join();
        }
    }
}

/// What the thread has.
struct Desk {
    listener: TcpListener,
    secret: Option<Vec<u8>>,
    metrics: Metrics,
    /// The oldest first.
    open: VecDeque<Connection>,
    /// No connection is taken in before.
    rest_until: Option<Instant>,
}

struct Connection {
    stream: TcpStream,
    until: Instant,
    stage: Stage,
}

enum Stage {
    Asking(Vec<u8>),
    /// The reply, and how much of it was sent.
    Replying(Vec<u8>, usize),
    /// Sent; what the client still sends is thrown away until it closes, lest the reply be lost with it.
    Closing,
}

impl Desk {
    /// Waits until something is to be done, and does it; false: the server ends.
    fn turn(&mut self, wake: &OwnedFd) -> bool {
        let now = Instant::now();
        self.open.retain(|connection| connection.until > now);
        self.rest_until = self.rest_until.filter(|until| *until > now);
        let first = self.open.iter().map(|connection| connection.until).chain(self.rest_until).min();
        let wait = first.map(|until| Timespec::try_from(until.saturating_duration_since(now)));
        let mut polled = vec![PollFd::new(wake, PollFlags::IN)];
        let flags = if self.rest_until.is_some() { PollFlags::empty() } else { PollFlags::IN };
        polled.push(PollFd::new(&self.listener, flags));
        for Connection { stream, stage, .. } in &self.open {
            let flags = if matches!(stage, Stage::Replying(..)) { PollFlags::OUT } else { PollFlags::IN };
            polled.push(PollFd::new(stream, flags));
        }
        let wait = wait.and_then(Result::ok);
        if poll(&mut polled, wait.as_ref()).is_err() {
            return true;
        }
        let ready: Vec<bool> = polled.iter().map(|polled| !polled.revents().is_empty()).collect();
        let mut ready = ready.into_iter();
        if ready.next().unwrap_or(false) {
            return false;
        }
        let has_arrivals = ready.next().unwrap_or(false);
        let (secret, metrics) = (self.secret.as_deref(), &self.metrics);
        self.open.retain_mut(|one| !ready.next().unwrap_or(false) || one.go_on(secret, metrics));
        if has_arrivals {
            self.take_in();
        }
        true
    }

    fn take_in(&mut self) {
        for _ in 0..TAKEN_AT_ONCE {
            match self.listener.accept() {
                Ok((stream, _)) if stream.set_nonblocking(true).is_ok() => {
                    if self.open.len() >= CONNECTIONS {
                        self.open.pop_front();
                    }
                    let (until, stage) = (Instant::now() + TIME, Stage::Asking(Vec::new()));
                    self.open.push_back(Connection { stream, until, stage });
                }
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                // The client is gone already.
                Err(error)
                    if matches!(error.kind(), ErrorKind::ConnectionAborted | ErrorKind::Interrupted) => {}
                Err(error) => {
                    tracing::debug!("a connection for metrics is not taken in: {error}");
                    self.rest_until = Some(Instant::now() + PAUSE);
                    return;
                }
            }
        }
    }
}

impl Connection {
    /// Reads or writes once; false: it is done.
    fn go_on(&mut self, secret: Option<&[u8]>, metrics: &Metrics) -> bool {
        match self.advance(secret, metrics) {
            Ok(goes_on) => goes_on,
            Err(error) => matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted),
        }
    }

    fn advance(&mut self, secret: Option<&[u8]>, metrics: &Metrics) -> std::io::Result<bool> {
        let mut room = [0; HEAD_BYTES_MAX];
        match &mut self.stage {
            Stage::Asking(head) => {
                let count = self.stream.read(&mut room)?;
                head.extend_from_slice(room.get(..count).unwrap_or_default());
                if count == 0 {
                    return Ok(false);
                }
                if let Step::Reply(reply) = step(head, secret, metrics) {
                    self.stage = Stage::Replying(reply, 0);
                }
                Ok(true)
            }
            Stage::Replying(reply, sent) => {
                *sent += self.stream.write(reply.get(*sent..).unwrap_or_default())?;
                if *sent >= reply.len() {
                    self.stream.shutdown(std::net::Shutdown::Write)?;
                    self.stage = Stage::Closing;
                }
                Ok(true)
            }
            Stage::Closing => Ok(self.stream.read(&mut room)? > 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &[u8] = b"s3cret";

    fn server(secret: Option<&[u8]>, text: &'static str) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        Server::start(listener, secret.map(<[u8]>::to_vec), Box::new(move || text.to_owned())).unwrap()
    }

    /// A connection that is given up after a minute.
    fn connect(server: &Server) -> TcpStream {
        let stream = TcpStream::connect(server.address()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.set_write_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    fn get(server: &Server, headers: &str) -> String {
        let mut stream = connect(server);
        stream.write_all(format!("GET /metrics HTTP/1.1\r\n{headers}\r\n").as_bytes()).unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        reply
    }

    #[test]
    fn who_asks_gets_a_reply_and_the_connection_is_closed() {
        let server = server(None, "mf 1\n# EOF\n");
        for _ in 0..3 {
            let reply = get(&server, "");
            assert!(
                reply.starts_with("HTTP/1.1 200 ") && reply.ends_with("\r\n\r\nmf 1\n# EOF\n"),
                "{reply}"
            );
        }
        // In pieces.
        let mut stream = connect(&server);
        for piece in ["GE", "T /metrics HT", "TP/1.1\r\n\r", "\n"] {
            stream.write_all(piece.as_bytes()).unwrap();
            stream.flush().unwrap();
        }
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        assert!(reply.ends_with("# EOF\n"), "{reply}");
    }

    #[test]
    fn the_thread_ends_with_the_server_and_so_does_its_port() {
        let server = server(None, "");
        let (address, open) = (server.address(), connect(&server));
        drop(server);
        assert_eq!(TcpStream::connect(address).unwrap_err().kind(), ErrorKind::ConnectionRefused);
        drop(open);
    }

    #[test]
    fn without_the_secret_nothing_is_shown() {
        let server = server(Some(SECRET), "mf 1\n# EOF\n");
        assert!(get(&server, "Authorization: Bearer s3cret\r\n").contains(" 200 "));
        let refused = get(&server, "Authorization: Bearer other\r\n");
        assert!(refused.contains(" 401 ") && !refused.contains("mf 1"), "{refused}");
    }

    #[test]
    fn garbage_is_refused_and_others_are_served() {
        let server = server(None, "mf 1\n# EOF\n");
        let mut garbage = vec![0x16, 3, 1, 0xff];
        garbage.extend((0..100_u32 << 10).map(|index| u8::try_from(index % 251).unwrap_or(0)));
        let mut stream = connect(&server);
        // The server may close before it has taken all.
        let _ = stream.write_all(&garbage);
        let _ = stream.read_to_end(&mut Vec::new());
        assert!(get(&server, "").contains(" 200 "));
    }

    #[test]
    fn a_thousand_connections_that_ask_nothing_do_not_keep_others_away() {
        let server = server(None, "mf 1\n# EOF\n");
        let silent: Vec<TcpStream> = (0..500).map(|_| connect(&server)).collect();
        assert!(get(&server, "").contains(" 200 "));
        drop(silent);
        let silent: Vec<TcpStream> = (0..500).map(|_| connect(&server)).collect();
        assert!(get(&server, "").contains(" 200 "));
        drop(silent);
    }

    #[test]
    fn readers_that_do_not_read_give_way() {
        let large: &'static str = Box::leak("x".repeat(32 << 20).into_boxed_str());
        let server = server(None, large);
        let ask = || {
            let mut stream = connect(&server);
            stream.write_all(b"GET /metrics HTTP/1.1\r\n\r\n").unwrap();
            stream
        };
        let slow: Vec<TcpStream> = (0..4).map(|_| ask()).collect();
        assert!(get(&server, "").len() > large.len());
        // The oldest is the first that further ones replace.
        let others: Vec<TcpStream> = (0..CONNECTIONS).map(|_| connect(&server)).collect();
        assert!(get(&server, "").len() > large.len());
        let mut first = slow.into_iter().next().unwrap();
        let mut rest = Vec::new();
        let ended = first.read_to_end(&mut rest);
        assert!(ended.is_err() || rest.len() < large.len(), "{}", rest.len());
        drop(others);
    }
}
