// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Link: a connection of a server, with its outbox and its partly received data.
//!
//! ```text
//! event ─▶ visit ─▶ turn: one thread ─▶ write.rs, read.rs ─▶ armed for the next event
//! end ─▶ mark, shutdown ─▶ the thread with the turn finishes it: removed from all tables,
//!        callback on a separate thread
//! ```
//! Sends bypass the turn: the outbox orders them ([`crate::outbox`]).

mod http;
mod read;
mod write;

use std::net::{IpAddr, Shutdown, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use mf_base::os::service;
use mf_base::sync::lock;
use mf_base::{Error, Result, warn_limited};
use rustls::Connection;

use crate::client_limits::ClientPlace;
use crate::exclusive_turn::Turn;
use crate::frame::Frames;
use crate::outbox::{Chunk, Note, Outbox, SENT_BROKEN, SENT_TIMEOUT};
use crate::poll::Interest;
use crate::server_state::{ServerState, Speech, Task};
use crate::timers::Due;
use http::Serving;
pub(crate) use read::Scratch;

/// Reason for the end of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The other side closed it, or is gone.
    Peer(String),
    /// The other side sent malformed data.
    Garbage(String),
    /// The program released it.
    Released,
    /// The other side read nothing for too long.
    Stuck,
    /// A panic while working on it.
    Panicked,
    /// It had not sent its hello, and a newer client took its place.
    Displaced,
    /// An HTTP connection that ended in order.
    Over,
}

/// Phase of a connection.
enum Phase {
    /// The hello of the client, received in part.
    Hello(Vec<u8>),
    /// Messages.
    Messages(Frames),
    /// Requests.
    Http(Box<Serving>),
    /// It has ended.
    Ended,
}

impl Phase {
    /// Returns the bytes allocated for partly received messages.
    fn held_bytes(&self) -> usize {
        match self {
            Phase::Messages(frames) => frames.held_bytes(),
            Phase::Http(serving) => serving.held_bytes(),
            Phase::Hello(_) | Phase::Ended => 0,
        }
    }
}

/// Outcomes of messages that senders asked to be notified of.
#[derive(Default)]
struct Reports {
    waiting: std::collections::VecDeque<(i32, Note)>,
    /// A worker is delivering them.
    is_served: bool,
}

/// A connection of a server.
pub struct Link {
    id: u32,
    server: Arc<ServerState>,
    socket: TcpStream,
    peer: SocketAddr,
    tls: Option<Box<Mutex<Connection>>>,
    context: AtomicU64,
    tag: AtomicUsize,
    outbox: Mutex<Outbox>,
    /// Bytes that the socket has taken.
    progress: AtomicU64,
    /// True if a deadline runs for it.
    is_watched: AtomicBool,
    turn: Turn,
    phase: Mutex<Phase>,
    is_ending: AtomicBool,
    why: Mutex<Option<End>>,
    reports: Mutex<Reports>,
    /// Last use, in milliseconds after the start of the server, for HTTP.
    used_at: AtomicU64,
    /// Charged bytes of partly received messages. Protected by the lock of the phase.
    charged: AtomicUsize,
    /// Its place among the clients of the server; `None` if it has sent no hello, or was dialled.
    place: Mutex<Option<ClientPlace>>,
}

impl Link {
    fn create(
        server: &Arc<ServerState>,
        socket: TcpStream,
        tls: Option<Connection>,
        phase: Phase,
        is_open: bool,
    ) -> Result<Arc<Self>> {
        let refused = |error: std::io::Error| {
            Error::new(mf_base::Kind::Failed, "acc link").what("a connection cannot be set up").source(error)
        };
        socket.set_nonblocking(true).map_err(refused)?;
        socket.set_nodelay(true).map_err(refused)?;
        // The death of a host is noticed also if nothing is sent.
        let _ = keep_alive(&socket);
        let peer = socket.peer_addr().map_err(refused)?;
        let mut outbox = Outbox::new(server.queue);
        if is_open {
            outbox.open();
        }
        let link = Arc::new(Self {
            id: server.next_id(),
            server: Arc::clone(server),
            socket,
            peer,
            tls: tls.map(|connection| Box::new(Mutex::new(connection))),
            context: AtomicU64::new(0),
            tag: AtomicUsize::new(0),
            outbox: Mutex::new(outbox),
            progress: AtomicU64::new(0),
            is_watched: AtomicBool::new(false),
            turn: Turn::default(),
            phase: Mutex::new(phase),
            is_ending: AtomicBool::new(false),
            why: Mutex::default(),
            reports: Mutex::default(),
            used_at: AtomicU64::new(server.now_ms()),
            charged: AtomicUsize::new(0),
            place: Mutex::default(),
        });
        Ok(link)
    }

    /// Accepts a client of the listener.
    pub(crate) fn accepted(server: &Arc<ServerState>, socket: TcpStream) -> Result<()> {
        let tls = match &server.tls {
            Some(tls) => Some(Connection::from(tls.accept()?)),
            None => None,
        };
        let now = Instant::now();
        let (phase, due, at) = match server.speech {
            Speech::Messages { .. } => (Phase::Hello(Vec::new()), Due::Hello, now + server.times.hello),
            Speech::Http { body_bytes_max } => {
                (Phase::Http(Box::new(Serving::new(body_bytes_max))), Due::Idle, now + server.times.idle)
            }
        };
        let is_http = matches!(phase, Phase::Http(_));
        let link = Self::create(server, socket, tls, phase, is_http)?;
        if is_http && !(link.take_place() && server.hooks.begun(&link)) {
            return Err(no_room());
        }
        server.add(&link).inspect_err(|_| server.hooks.ended(&link))?;
        if !is_http {
            let displaced = server.places.add_silent(link.id, link.peer.ip(), Arc::downgrade(&link));
            if let Some(displaced) = displaced.and_then(|displaced| displaced.upgrade()) {
                displaced.end(End::Displaced);
            }
        }
        server.timers.add(at, link.id, due);
        link.arm();
        Ok(())
    }

    /// Adds a connection that was dialled, after its hello was answered.
    pub(crate) fn connected(
        server: &Arc<ServerState>,
        socket: TcpStream,
        tls: Option<Connection>,
    ) -> Result<Arc<Self>> {
        let link = Self::create(server, socket, tls, Phase::Messages(Frames::default()), true)?;
        if !server.hooks.begun(&link) {
            return Err(no_room());
        }
        server.add(&link).inspect_err(|_| server.hooks.ended(&link))?;
        // TLS may have read beyond the answer and buffered it: a worker handles that.
        match link.tls {
            Some(_) => server.post(Task::Visit(Arc::clone(&link))),
            None => link.arm(),
        }
        Ok(link)
    }

    /// Takes a place among the clients of the server. Returns false if all are taken.
    fn take_place(&self) -> bool {
        let place = self.server.places.take(self.peer.ip());
        let has_room = place.is_some();
        *lock(&self.place) = place;
        has_room
    }

    /// Returns the number of the link, unique in its server; never 0.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Returns the number that the program keeps on the link.
    pub fn context(&self) -> u64 {
        self.context.load(Ordering::Acquire)
    }

    /// Sets the number of the program.
    pub fn set_context(&self, context: u64) {
        self.context.store(context, Ordering::Release);
    }

    /// Returns the tag that the [hooks](crate::Hooks) gave the link; 0 if none.
    pub fn tag(&self) -> usize {
        self.tag.load(Ordering::Acquire)
    }

    /// Sets the tag of the hooks.
    pub fn set_tag(&self, tag: usize) {
        self.tag.store(tag, Ordering::Release);
    }

    /// Returns the address of the other end.
    pub fn peer(&self) -> SocketAddr {
        self.peer
    }

    /// Returns true if it has ended, or is about to.
    pub fn has_ended(&self) -> bool {
        // Acquire pairs with the swap in `end`.
        self.is_ending.load(Ordering::Acquire)
    }

    pub(crate) fn socket(&self) -> &TcpStream {
        &self.socket
    }

    pub(crate) fn server(&self) -> &ServerState {
        &self.server
    }

    pub(crate) fn is_of(&self, server: &Arc<ServerState>) -> bool {
        Arc::ptr_eq(&self.server, server)
    }

    fn is_http(&self) -> bool {
        matches!(self.server.speech, Speech::Http { .. })
    }

    /// Does all that can be done now, unless another thread is doing it, which then goes round again.
    pub(crate) fn visit(self: &Arc<Self>, scratch: &mut Scratch) {
        if !self.turn.take() {
            return;
        }
        loop {
            if !self.has_ended() {
                self.guarded(|| {
                    service::turn();
                    self.flush();
                    self.read(scratch);
                });
            }
            if self.has_ended() {
                self.finish();
            } else {
                self.arm();
            }
            if self.turn.release() {
                return;
            }
        }
    }

    /// Runs work on the link; a panic ends this link, and no other.
    pub(crate) fn guarded(self: &Arc<Self>, work: impl FnOnce()) {
        if service::catch(work).is_err() {
            self.end(End::Panicked);
        }
    }

    /// Arms the socket for the next event. Under the lock of the outbox, so that the last thread to arm has
    /// seen all waiting chunks.
    fn arm(&self) {
        let outbox = lock(&self.outbox);
        let waits = outbox.is_waiting();
        // A client that does not read its answers gets no more of them.
        let reads = !(self.is_http() && waits && outbox.waiting_bytes() > http::ANSWER_BYTES_MAX);
        self.server.poll.arm(&self.socket, self.id, Interest { reads, writes: waits });
    }

    /// Ends the link. The callback follows on a separate thread.
    pub(crate) fn end(self: &Arc<Self>, why: End) {
        if self.is_ending.swap(true, Ordering::AcqRel) {
            return;
        }
        match &why {
            End::Peer(text) => {
                tracing::debug!(link = self.id, peer = %self.peer, "the link has ended: {text}");
            }
            End::Garbage(text) => {
                warn_limited!(link = self.id, peer = %self.peer, "the link is closed: {text}");
            }
            End::Stuck => {
                warn_limited!(
                link = self.id, peer = %self.peer,
                "the link is closed: the other side took nothing for {:?}", self.server.times.send
                );
            }
            // The panic was logged.
            End::Released | End::Over | End::Displaced | End::Panicked => {}
        }
        *lock(&self.why) = Some(why);
        self.send_close_alert();
        let _ = self.socket.shutdown(Shutdown::Both);
        if self.turn.take() {
            loop {
                self.finish();
                if self.turn.release() {
                    return;
                }
            }
        }
    }

    /// Finishes a link that ends; called with its turn.
    fn finish(self: &Arc<Self>) {
        let before = std::mem::replace(&mut *lock(&self.phase), Phase::Ended);
        let was_open = match before {
            Phase::Ended => return,
            Phase::Hello(_) => false,
            Phase::Messages(_) | Phase::Http(_) => true,
        };
        self.server.forget(self);
        self.server.places.remove_silent(self.id);
        let charged = self.charged.swap(0, Ordering::Relaxed);
        if charged > 0 {
            self.server.places.charge(self.peer.ip(), charged, 0);
        }
        lock(&self.place).take();
        let rest = lock(&self.outbox).close();
        rest.into_iter().for_each(|chunk| self.report_unsent(chunk));
        if was_open {
            self.server.disconnects.push(self);
        }
    }

    /// Called when no callback gets the link any more.
    pub(crate) fn finished(link: &Arc<Self>) {
        link.server.hooks.ended(link);
    }

    /// Ends it without a callback: its server is stopped, and none of its threads runs any more.
    pub(crate) fn drop_with_server(self: &Arc<Self>) {
        self.is_ending.store(true, Ordering::Release);
        let _ = self.socket.shutdown(Shutdown::Both);
        let before = std::mem::replace(&mut *lock(&self.phase), Phase::Ended);
        self.server.forget(self);
        let _unsent = lock(&self.outbox).close();
        if matches!(before, Phase::Messages(_) | Phase::Http(_)) {
            Self::finished(self);
        }
    }

    /// Reports the unsent messages of a link that ends.
    fn report_unsent(self: &Arc<Self>, chunk: Chunk) {
        let code = match *lock(&self.why) {
            Some(End::Stuck) => SENT_TIMEOUT,
            _ => SENT_BROKEN,
        };
        self.report(code, chunk.notes);
    }

    fn report(self: &Arc<Self>, code: i32, notes: Vec<Note>) {
        if notes.is_empty() {
            return;
        }
        let mut reports = lock(&self.reports);
        reports.waiting.extend(notes.into_iter().map(|note| (code, note)));
        if !std::mem::replace(&mut reports.is_served, true) {
            self.server.post(Task::Sent(Arc::clone(self)));
        }
    }

    /// Delivers the outcomes of messages to senders that asked for them, in order.
    pub(crate) fn serve_reports(self: &Arc<Self>) {
        loop {
            let next = {
                let mut reports = lock(&self.reports);
                let next = reports.waiting.pop_front();
                reports.is_served = next.is_some();
                next
            };
            let Some((code, note)) = next.filter(|_| !self.server.is_stopping()) else { return };
            if let Some(handler) = self.server.handlers.sent(note.message.kind) {
                let _inside = crate::server_state::Inside::enter(&self.server.handlers);
                // The reports behind it are served nevertheless; a panic was logged.
                let _logged = service::catch(|| handler(code, &note.message, &note.data));
            }
        }
    }

    /// Handles an expired deadline.
    pub(crate) fn on_deadline(self: &Arc<Self>, due: Due) {
        if self.has_ended() {
            return;
        }
        match due {
            Due::Hello => {
                // If a thread holds the phase, it is working on it: the client is not silent.
                let is_silent = self.phase.try_lock().is_ok_and(|phase| matches!(*phase, Phase::Hello(_)));
                if is_silent {
                    self.end(End::Garbage(format!("no hello came within {:?}", self.server.times.hello)));
                }
            }
            Due::Progress(seen) => {
                self.is_watched.store(false, Ordering::Release);
                if !lock(&self.outbox).is_waiting() {
                    return;
                }
                let now = self.progress.load(Ordering::Acquire);
                if now == seen { self.end(End::Stuck) } else { self.watch_progress() }
            }
            Due::Idle => self.check_idle(),
            Due::Over => self.end(End::Over),
        }
    }

    /// Ends the link after some time in which the other side reads nothing.
    fn watch_progress(self: &Arc<Self>) {
        if self.is_watched.swap(true, Ordering::AcqRel) {
            return;
        }
        let seen = self.progress.load(Ordering::Acquire);
        self.server.timers.add(Instant::now() + self.server.times.send, self.id, Due::Progress(seen));
    }
}

impl std::fmt::Debug for Link {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Link").field("id", &self.id).field("peer", &self.peer).finish_non_exhaustive()
    }
}

#[cold]
fn no_room() -> Error {
    Error::new(mf_base::Kind::NoResources, "acc link").what("no room for another link")
}

/// Formats an address.
pub(crate) fn format_address(address: IpAddr, port: u16) -> String {
    SocketAddr::new(address, port).to_string()
}

fn keep_alive(socket: &TcpStream) -> rustix::io::Result<()> {
    use std::time::Duration;

    use rustix::net::sockopt;
    sockopt::set_socket_keepalive(socket, true)?;
    sockopt::set_tcp_keepidle(socket, Duration::from_secs(30))?;
    sockopt::set_tcp_keepintvl(socket, Duration::from_secs(10))?;
    sockopt::set_tcp_keepcnt(socket, 3)
}
