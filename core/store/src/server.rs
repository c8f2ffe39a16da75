// SPDX-License-Identifier: Apache-2.0 OR MIT
//! TCP server of the store: no blocking, on the one thread that all servers of a process share
//! ([`event_loop`]).
//!
//! [`listen`] binds the port in the caller's thread, so that a busy port is an error of [`Server::start`];
//! from then on clients can connect, even before the thread runs. [`connection`] is one task for each
//! connection: handshake, then frames in, bytes out, as far as the client reads. [`unauthenticated`] bounds
//! the connections before authentication, [`guests`] the bytes that guests have in flight. [`hub`] owns the
//! state machine and turns its actions into frames; [`durability_gate`] holds them back until the changes
//! that they report are written, if keys are also written to etcd; [`outbound`] is the send queue of one
//! connection, and [`alarm`] notifies a callback of members that are lost.

mod alarm;
mod connection;
mod durability_gate;
mod event_loop;
mod guests;
mod hub;
mod listen;
mod local_servers;
mod options;
mod outbound;
mod serve;
mod unauthenticated;

use std::any::Any;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::{AsFd, OwnedFd};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mf_base::os::process::Owner;
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::journal::Elected;
use crate::protocol::{About, auth, limits};
use crate::state::{Machine, Status};
use alarm::Alarm;
pub use alarm::LostFn;
use event_loop::{ServerEnd, ThreadSlot};
use hub::{Hub, Identity, Parts};
pub use listen::Listening;
pub(crate) use local_servers::runs_here;
pub use options::ServerOptions;
use serve::{Control, serve};

const OPERATION: &str = "store server";
/// Longest wait for an answer of the server's own thread.
const ANSWER_LIMIT: Duration = Duration::from_secs(5);

/// Status published by the server's thread.
#[derive(Default)]
struct StatusBoard {
    term: AtomicU64,
    /// It has ended by itself, because a store of a higher term leads.
    stepped_down: AtomicBool,
    /// Kept until the server has ended.
    kept: Mutex<Option<Box<dyn Any + Send>>>,
}

/// A running server. Dropping it stops it.
pub struct Server {
    address: SocketAddr,
    control: UnboundedSender<Control>,
    ended: Option<ServerEnd>,
    alarm: Alarm,
    shown: Arc<StatusBoard>,
    owner: Owner,
}

impl Server {
    /// Binds the address and starts to serve. Does not wait for clients. **Local.**
    ///
    /// # Errors
    /// `InUse` the port is taken · `InvalidParam` the address is not one of this machine, the world size is
    /// above 16,384, or other hosts would reach the store in plaintext that was not chosen · `NoResources`
    /// no descriptors or threads left.
    pub fn start(options: ServerOptions) -> Result<Self> {
        options.security.may_listen(options.listen.ip())?;
        Self::serve(listen::bind(options.listen)?, options, None)
    }

    /// Like [`start`](Self::start), on a TCP socket that the caller has bound, and may have made listen; its
    /// address counts, not the address in the options. The server takes the socket: it is closed on exec and
    /// does not block.
    ///
    /// # Errors
    /// `InvalidParam` the descriptor is not a TCP socket, is not bound, or is a connection · else as
    /// [`start`](Self::start).
    pub fn start_on(socket: OwnedFd, mut options: ServerOptions) -> Result<Self> {
        let (listening, address) = listen::adopt(socket)?;
        options.listen = address;
        options.security.may_listen(address.ip())?;
        Self::serve(listening, options, None)
    }

    /// A free port of this machine for a store that may be elected.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn bind(address: IpAddr) -> Result<Listening> {
        listen::bind(SocketAddr::new(address, 0))
    }

    /// Starts a store that was elected; `listening` is its published address, `elected` its journal, if any.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn lead(listening: Listening, options: ServerOptions, elected: Option<Elected>) -> Result<Self> {
        let listen = listening.address()?;
        options.security.may_listen(listen.ip())?;
        Self::serve(listening, ServerOptions { listen, ..options }, elected)
    }

    fn serve(listening: Listening, options: ServerOptions, elected: Option<Elected>) -> Result<Self> {
        let Listening { socket: listener, has_predecessor } = listening;
        if options.world_size > 0 {
            limits::check_world_size(options.world_size).map_err(|failure| failure.into_error(OPERATION))?;
        }
        let failed = |what: &str, error: std::io::Error| {
            Error::new(Kind::NoResources, OPERATION).what(what).with("address", options.listen).source(error)
        };
        let address = listener.local_addr().map_err(|error| failed("the listener has no address", error))?;
        let [store, _] = halves(auth::random(OPERATION)?);
        let place =
            ThreadSlot::reserve().map_err(|error| failed("the server thread could not be started", error))?;
        let listener = {
            let _inside = place.handle().enter();
            TcpListener::from_std(listener)
                .map_err(|error| failed("the listener could not be used", error))?
        };
        let spare = listener
            .as_fd()
            .try_clone_to_owned()
            .map_err(|error| failed("a spare descriptor could not be had", error))?;
        let (alarm, shown) = (Alarm::default(), Arc::new(StatusBoard::default()));
        let mut machine = Machine::new(store, options.limits(has_predecessor));
        let journal = elected.map(|Elected { journal, inherited }| {
            shown.term.store(inherited.term, Ordering::Release);
            machine.inherit(inherited);
            journal
        });
        let parts = Parts {
            machine,
            journal,
            job_token: auth::random(OPERATION)?,
            alarm: alarm.clone(),
            lease: options.timing.lease,
            hello_limit: options.hello_limit,
            resume_grace: options.timing.resume_grace,
            identity: Identity { store, about: About::this(&options.job), security: options.security },
        };
        let (control, orders) = unbounded_channel();
        let showing = Arc::clone(&shown);
        let ended = place.run(move || async move {
            let _here = local_servers::LocalStore::enter(store);
            serve(listener, Some(spare), orders, Rc::new(Hub::new(parts, Arc::clone(&showing)))).await;
            drop(lock(&showing.kept).take());
            tracing::debug!(%address, "store server ended");
        });
        tracing::debug!(%address, world_size = options.world_size, "store server started");
        Ok(Self { address, control, ended: Some(ended), alarm, shown, owner: Owner::current() })
    }

    /// Returns the server's address, with the real port. **Local.**
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The term of this store: it increases with each store that takes over from one that died. 0: not known
    /// yet. **Local.**
    pub fn term(&self) -> u64 {
        self.shown.term.load(Ordering::Acquire)
    }

    /// Returns true if it ended by itself because another store leads the job. **Local.**
    pub fn stepped_down(&self) -> bool {
        self.shown.stepped_down.load(Ordering::Acquire)
    }

    /// The status of the store and its members at this moment. Waits for the server's thread, at most 5 s.
    ///
    /// # Errors
    /// `NotStarted` it has ended · `Timeout` the process is overloaded.
    pub fn status(&self) -> Result<Status> {
        let ended = || Error::new(Kind::NotStarted, OPERATION).what("the server has ended");
        let (answer, status) = std::sync::mpsc::channel();
        self.control.send(Control::Status(answer)).map_err(|_| ended())?;
        status.recv_timeout(ANSWER_LIMIT).map_err(|error| match error {
            std::sync::mpsc::RecvTimeoutError::Disconnected => ended(),
            std::sync::mpsc::RecvTimeoutError::Timeout => {
                Error::new(Kind::Timeout, OPERATION).what("the server's thread did not answer within 5 s")
            }
        })
    }

    /// Sets the callback for members that are lost without leaving; it runs on a thread of its own.
    ///
    /// # Errors
    /// `NoResources` no threads left.
    pub fn on_member_lost(&self, callback: LostFn) -> Result<()> {
        self.alarm.set(callback)
    }

    /// Stops serving: every connection closes. Blocks until that is done; other servers of this process go
    /// on. May be repeated.
    pub fn stop(&mut self) {
        let Some(ended) = self.ended.take() else { return };
        // A forked child has a copy of this object but not the thread.
        if self.owner.is_current() {
            // It ends by itself at most before this order; both are fine.
            let _ = self.control.send(Control::Stop);
            ended.wait();
            self.alarm.end();
        }
    }

    /// Like [`stop`](Self::stop), after a notice that this is on purpose, so that clients search for a
    /// successor only briefly.
    pub fn end_on_purpose(&mut self) {
        if self.owner.is_current() && self.ended.is_some() {
            let (answer, received) = std::sync::mpsc::channel();
            if self.control.send(Control::Linger(answer)).is_ok() {
                // It has ended when there is no answer.
                let _ = received.recv();
            }
        }
        self.stop();
    }

    /// Like [`linger`](Self::linger), and drops `kept` after the end.
    pub fn linger_with(self, kept: Box<dyn Any + Send>) {
        if self.owner.is_current() {
            *lock(&self.shown.kept) = Some(kept);
        }
        self.linger();
    }

    /// Keeps serving until the last client has left, then ends by itself. Blocks only if there is no client
    /// now: then the port is free on return.
    pub fn linger(mut self) {
        if !self.owner.is_current() {
            return;
        }
        let (answer, clients) = std::sync::mpsc::channel();
        if self.control.send(Control::Linger(answer)).is_ok()
            && clients.recv().is_ok_and(|clients| clients > 0)
        {
            // Not waited for: the server continues without this object.
            self.ended = None;
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("address", &self.address).finish_non_exhaustive()
    }
}

/// Two numbers out of one.
pub(crate) fn halves(bytes: [u8; 32]) -> [[u8; 16]; 2] {
    let mut halves = [[0; 16]; 2];
    for (half, bytes) in halves.iter_mut().zip(bytes.chunks_exact(16)) {
        half.copy_from_slice(bytes);
    }
    halves
}
