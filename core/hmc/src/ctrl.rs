// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Control channel: short messages between processes, each identified by its rank, over TCP or Unix sockets.
//! A process has one ([`PROCESS`]).
//!
//! Messages of one peer arrive in the order in which they were sent, and after the data of puts that have
//! returned. Both directions use one socket, independent of the end that connected. If a rank is claimed
//! again, by a peer that connects or by connecting to it, the last claimant gets it: the older link ends.
//! After a simultaneous connect both ends keep the same link (`simultaneous_connect.rs`).
//!
//! # The path of a tag
//! 1. `ctrl.rs`: [`Control::send`] finds the link (`links.rs`) in the table (`table.rs`).
//! 2. `link.rs`: under the sender's lock (`../fair_mutex.rs`), head and payload are one write.
//! 3. `link.rs` of the peer: a thread that waits in [`Control::receive_into`] reads the socket itself, all
//!    available bytes.
//! 4. `frame.rs`: the inbox delimits the frame; its payload is copied to the caller.
//!
//! So a tag costs one system call on each side. No background thread is on that path.
//!
//! # How a link begins
//! `dial.rs` connects, `accept.rs` accepts for all listeners on one thread, `admission.rs` admits peers,
//! `handshake_frames.rs` has the handshake's frames and `handshake.rs` the state machines of both ends,
//! `identity.rs` identifies the process at the other end. Links of the older interface are identified by the
//! peer's address and have no handshake (`legacy.rs`).
//!
//! # Ends
//! A link ends when the peer closes it or dies: waiting callers get an error, and the rank has no link any
//! more. If no caller waits, the channel's thread closes the descriptor at once and keeps the unread bytes
//! (`watch.rs`). A forked child has no links and no listeners.
//!
//! # Measurements
//! `MF_TEST_SPEED=1 cargo test --release -p mf-hmc --test ctrl speed -- --nocapture`: round trips of a tag
//! next to round trips of 16 bytes over plain blocking sockets, in one run.

mod accept;
mod address;
mod admission;
mod dial;
mod dials;
pub mod frame;
mod handshake;
pub mod handshake_frames;
mod identity;
mod legacy;
mod link;
mod links;
mod simultaneous_connect;
mod table;
mod unix;
mod watch;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use mf_base::os::per_process::PerProcess;
use mf_base::{Error, Kind, Result, warn_limited};

use accept::{Listener, Server};
use address::{Target, resolve};
pub use admission::Rules;
use dials::{Dialing, Dials};
use frame::Head;
use link::{Link, Others, RECV, SEND};
use table::LinkTable;
pub use table::Peer;
pub use unix::{PATH_BYTES_MAX, named_by_port, path_for};

use crate::Status;
use crate::fair_mutex::{FairMutex, Wait};

const START: &str = "hmc ctrl start";
const CONNECT: &str = "hmc ctrl connect";
/// Longest handshake: it takes many seconds on a slow machine. Calls have no limit of their own.
const HELLO_TIMEOUT: Duration = Duration::from_secs(60);
/// Links that two processes dial to each other within this time count as a simultaneous connect.
const GREETING_TIMEOUT: Duration = Duration::from_secs(5);
/// Default port of listeners of the older interface.
pub const PLAIN_PORT: u16 = 5555;

/// The control channel of this process.
pub static PROCESS: Control = Control::new();

/// A control channel.
pub struct Control {
    state: PerProcess<ControlState>,
    /// Serialises starts and stops.
    changing: PerProcess<Option<Arc<FairMutex<()>>>>,
    /// Serialises connecting to addresses without a link.
    dialing: PerProcess<Option<Arc<FairMutex<()>>>>,
    dials: PerProcess<Option<Arc<Dials>>>,
}

#[derive(Default)]
struct ControlState {
    links: LinkTable<Same>,
    server: Option<Server>,
    has_ranks: bool,
    has_addresses: bool,
    /// Port at which it listens for peers identified by their addresses; 0 if it does not.
    plain_port: u16,
}

/// A link, compared by identity.
#[derive(Clone)]
struct Same(Arc<Link>);

impl PartialEq for Same {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Addresses to listen at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Listen<'a> {
    /// Address, numeric or a name, and port; port 0: any.
    pub tcp: Option<(&'a str, u16)>,
    /// Path of a socket file.
    pub unix: Option<&'a str>,
}

/// A received message.
#[derive(Debug)]
pub struct Message {
    /// Type, flags and length.
    pub head: Head,
    /// Payload.
    pub payload: Vec<u8>,
}

/// Expected form of an integer or struct.
#[derive(Clone, Copy, Debug)]
pub struct Expected {
    /// [`frame::INTEGER`] or [`frame::STRUCT`].
    pub kind: u16,
    /// Bytes of the payload.
    pub bytes: usize,
}

fn mutex(of: &PerProcess<Option<Arc<FairMutex<()>>>>) -> Arc<FairMutex<()>> {
    Arc::clone(of.lock().get_or_insert_with(|| Arc::new(FairMutex::new(()))))
}

impl Control {
    /// Creates a channel without listeners and links.
    pub const fn new() -> Self {
        Self {
            state: PerProcess::new(ControlState::DEFAULT),
            changing: PerProcess::new(None),
            dialing: PerProcess::new(None),
            dials: PerProcess::new(None),
        }
    }

    /// Listens for peers that announce their ranks; does nothing if started already. **Local.** Returns the
    /// port.
    ///
    /// # Errors
    /// `InvalidParam` invalid address or path · `InUse` the address, or, without an address, a path at which
    /// a living process listens or that is not a socket · errors of the kernel. No new listener is left
    /// then.
    pub fn start(&'static self, rules: &Arc<Rules>, at: Listen<'_>) -> Result<Option<u16>> {
        let mutex = mutex(&self.changing);
        mutex.with(&mut Wait::new(START, None), |(), _| {
            if self.state.lock().has_ranks {
                return Ok(None);
            }
            let mut port = None;
            let mut made = Vec::new();
            if let Some((host, wanted)) = at.tcp {
                let (listener, bound) = Listener::tcp(rules, &resolve(START, host, wanted)?, true)?;
                port = Some(bound);
                made.push((listener, None));
            }
            if let Some(path) = at.unix {
                match Listener::unix(rules, Path::new(path)) {
                    Ok(listener) => made.push(listener),
                    Err(error) if error.kind() == Kind::InUse && port.is_some() => warn_limited!(
                        "{error}; this process listens by TCP alone: give each job a folder of its own for Unix \
                         sockets, or have clients connect by TCP"
                    ),
                    Err(error) => return Err(error),
                }
                if let Some(port) = port {
                    // If jobs share one path, each has its own abstract name; `None` for another address of
                    // the host with the same port.
                    match Listener::unix(rules, Path::new(&named_by_port(path, port))) {
                        Ok(listener) => made.push(listener),
                        Err(error) if error.kind() == Kind::InUse => tracing::debug!("{error}"),
                        Err(error) => return Err(error),
                    }
                }
            }
            self.serve(made, |state| state.has_ranks = true)?;
            Ok(port)
        })
    }

    /// Adds a listener to the thread, and records it with `listening`.
    fn serve(
        &'static self,
        made: Vec<(Listener, Option<unix::SocketFile>)>,
        listening: impl FnOnce(&mut ControlState),
    ) -> Result<()> {
        let mut state = self.state.lock();
        let server = state.server(self)?;
        server.check(START)?;
        for (listener, file) in made {
            server.add(listener, file);
        }
        // Under the same lock: a thread that has nothing to do ends (`stop_if_idle`).
        listening(&mut state);
        Ok(())
    }

    /// Ends the thread if it has nothing left to wait for.
    fn stop_if_idle(&self) {
        let server = {
            let mut state = self.state.lock();
            let is_idle = !state.is_listening() && state.links.is_empty();
            if is_idle { state.server.take() } else { None }
        };
        if let Some(server) = server {
            server.stop();
        }
    }

    /// Removes the socket file of a process that exits without [`stop`](Self::stop); the kernel cleans up the
    /// rest. **Local.**
    pub fn at_exit(&self) {
        if let Some(server) = &mut self.state.lock().server {
            server.unlink();
        }
    }

    /// Stops listening, and removes the socket file. **Local.** Links stay until they are closed.
    pub fn stop(&self) {
        let mutex = mutex(&self.changing);
        // Cannot fail: it has no limit and is not interrupted.
        let _ = mf_base::interrupt::without(|| {
            mutex.with(&mut Wait::new(START, None), |(), _| {
                let closing = {
                    let mut state = self.state.lock();
                    (state.has_ranks, state.has_addresses, state.plain_port) = (false, false, 0);
                    state.server.as_mut().map(Server::closing)
                };
                if let Some(closing) = closing {
                    closing.closed();
                }
                self.stop_if_idle();
                Ok(())
            })
        });
    }

    /// Returns true if it listens.
    pub fn is_server(&self) -> bool {
        self.state.lock().is_listening()
    }

    /// Connects over TCP to the process of rank `peer`, as rank `own`. Makes one attempt, which blocks as
    /// long as the kernel tries.
    ///
    /// # Errors
    /// `InvalidParam` invalid address, or port 0 · `NotConnected` no listener, or the peer refuses ·
    /// `Timeout` it does not answer · `Interrupted`.
    pub fn connect_tcp(
        &'static self,
        rules: &Arc<Rules>,
        peer: u32,
        host: &str,
        port: u16,
        own: u32,
    ) -> Result<()> {
        let _dialing = self.begin_dial(Peer::Rank(peer));
        let link = self.dial_any(rules, host, port, Peer::Rank(peer), Some(own))?;
        self.bind(link);
        Ok(())
    }

    /// Connects over the socket file of rank `peer`, as rank `own`. Blocks while the listener is busy.
    ///
    /// # Errors
    /// As [`connect_tcp`](Self::connect_tcp).
    pub fn connect_unix(&'static self, rules: &Arc<Rules>, peer: u32, path: &str, own: u32) -> Result<()> {
        let _dialing = self.begin_dial(Peer::Rank(peer));
        self.bind(dial::dial(rules, Target::Unix(Path::new(path)), Peer::Rank(peer), Some(own))?);
        Ok(())
    }

    /// Begins a dial, which receivers wait for until its link is bound.
    fn begin_dial(&self, peer: Peer) -> Dialing {
        let dials = Arc::clone(self.dials.lock().get_or_insert_default());
        dials.begin(peer)
    }

    /// Connects to the first address of a host that answers.
    fn dial_any(
        &self,
        rules: &Arc<Rules>,
        host: &str,
        port: u16,
        peer: Peer,
        rank: Option<u32>,
    ) -> Result<Link> {
        if port == 0 {
            return Err(Error::invalid(CONNECT, "nobody listens at port 0")
                .code_of_family(Status::InvalidConfig as i32));
        }
        let mut failure = None;
        for address in resolve(CONNECT, host, port)? {
            match dial::dial(rules, Target::Tcp(address), peer, rank) {
                Ok(link) => return Ok(link),
                Err(error) if error.kind() == Kind::Interrupted => return Err(error),
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        Err(failure.unwrap_or_else(|| Error::new(Kind::NotConnected, CONNECT)))
    }

    /// Returns true if there is a link to `peer` that the peer has not closed.
    pub fn has(&self, peer: Peer) -> bool {
        self.find_living(peer).is_some()
    }

    /// Sends a message. Blocks while the peer does not read and the kernel's buffers are full.
    ///
    /// # Errors
    /// `NotConnected` no link, or it has ended · `InvalidParam` more than [`frame::PAYLOAD_BYTES_MAX`], or
    /// the reserved flag · `Interrupted` before anything was sent.
    pub fn send(&self, peer: Peer, kind: u16, flags: u16, payload: &[u8]) -> Result<()> {
        let link = self.find_or_fail(SEND, peer)?;
        self.with_link(&link, |link| link.send(kind, flags, payload))
    }

    /// Receives the next message; waits for it, at most for `limit` if there is one. One thread receives from
    /// a peer at a time, others wait for their turn.
    ///
    /// # Errors
    /// `NotConnected` no link, or it has ended · `Timeout` · `Interrupted`; these two lose nothing ·
    /// `Failed` a hello came amid messages; it is consumed.
    pub fn receive(&self, peer: Peer, limit: Option<Duration>) -> Result<Message> {
        let link = self.find_or_fail(RECV, peer)?;
        receive_message(self, &link, limit)
    }

    /// Receives an integer or struct: `take` is called with its bytes. Another message is consumed, so that
    /// the next call receives the next one.
    ///
    /// # Errors
    /// `Failed` the message has another type or length · as [`receive`](Self::receive).
    pub fn receive_into(
        &self,
        peer: Peer,
        limit: Option<Duration>,
        expected: Expected,
        take: impl FnOnce(&[u8]),
    ) -> Result<()> {
        let (link, mut take) = (self.find_or_fail(RECV, peer)?, Some(take));
        let mut compare = |head: Head, inbox: &mut frame::Inbox| {
            let is_right = head.kind == expected.kind && inbox.payload().len() == expected.bytes;
            if let Some(take) = take.take_if(|_| is_right) {
                take(inbox.payload());
            }
            inbox.consume();
            if is_right { Ok(()) } else { Err(other_message(head, expected)) }
        };
        self.with_link(&link, |link| link.receive(limit, self, &mut compare))
    }

    /// Ends the link to `peer` at once; waiting callers get an error. Returns false if there was no link.
    pub fn close(&self, peer: Peer) -> bool {
        let link = self.state.lock().links.remove(peer);
        if let Some(Same(link)) = &link {
            link.end("it was closed here");
            self.stop_if_idle();
        }
        link.is_some()
    }

    /// Ends all links.
    pub fn close_all(&self) {
        let all = self.state.lock().links.clear();
        for Same(link) in all {
            link.end("it was closed here");
        }
        self.stop_if_idle();
    }
}

impl Others for Control {
    fn wait_for_pending(&self) {
        Self::wait_for_pending(self);
    }

    fn wait_for_dials(&self, peer: Peer, wait: &mut Wait) -> Result<()> {
        let dials = self.dials.lock().clone();
        dials.map_or(Ok(()), |dials| dials.wait(peer, wait))
    }
}

impl Default for Control {
    fn default() -> Self {
        Self::new()
    }
}

impl ControlState {
    const DEFAULT: Self =
        Self { links: LinkTable::new(), server: None, has_ranks: false, has_addresses: false, plain_port: 0 };

    fn is_listening(&self) -> bool {
        self.has_ranks || self.has_addresses
    }

    /// Returns the thread, started if necessary.
    fn server(&mut self, control: &'static Control) -> Result<&mut Server> {
        match &mut self.server {
            Some(server) => Ok(server),
            none => Ok(none.insert(Server::start(control)?)),
        }
    }
}

fn receive_message(control: &Control, link: &Arc<Link>, limit: Option<Duration>) -> Result<Message> {
    let mut take = |head: Head, inbox: &mut frame::Inbox| Ok(Message { head, payload: inbox.take() });
    control.with_link(link, |link| link.receive(limit, control, &mut take))
}

#[cold]
fn other_message(head: Head, expected: Expected) -> Error {
    Error::new(Kind::Failed, RECV)
        .what("the message is another than the one that is expected; it is consumed")
        .with("type", head.kind)
        .with("bytes", head.length)
        .with("expected_type", expected.kind)
        .with("expected_bytes", expected.bytes)
}
