// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The transport over libucp (UCX), for RoCE and InfiniBand.
//!
//! # One worker a process
//! All members of jobs in a process share one [`Engine`]: a context and a worker of libucp, and the thread
//! that drives it. Each has an address with a secret of its own, peers, and exposed memory.
//!
//! | part | file |
//! |---|---|
//! | libucp: functions, context, worker | `library.rs`, `abi.rs`, `context.rs`, `worker.rs` |
//! | libucp: events, printed output | `callbacks.rs`, `text.rs` |
//! | messages | `wire.rs` |
//! | tables, each the only owner of its entries: members and peers | `members.rs`, `links.rs` |
//! | tables of work | `operations.rs`, `parts.rs`, `inbox.rs`, `jobs.rs` |
//! | tables of memory | `rdma_memory.rs`, `buffers.rs` |
//! | all of them under one lock, and the steps that change several | `state.rs` |
//! | the threads that drive and wait; the lock | `progress.rs`, `waiting.rs` |
//! | an operation becomes parts | `post.rs` |
//! | requests of others | `serve.rs`, `access.rs` |
//!
//! # Two routes to the memory of a peer
//! UCX can write into the memory of another process with nothing but an address and a key. If a network card
//! does that (transports `rc_*` and `dc_*`), the card itself refuses memory that is not registered, or not
//! any more: puts and gets take this route (*one-sided*), and a put has ended when `ucp_ep_flush_nbx` reports
//! that it is in the memory of the peer. Over TCP and shared memory UCX only imitates this: a thread of the
//! other process writes to the address in the message, mapped or not. A put that comes late, after its pool
//! has ended, would crash the process that owned it. So there, every operation is an active message instead,
//! and the owner's [`Target`] checks, at the moment of the access, that there is such memory. The route is
//! chosen for each connection, by the lanes that UCX gives it; when in doubt the owner is asked.
//!
//! Atomics, signals, copies between two others and messages are always active messages: atomics of a card are
//! not atomic towards the processor's on the same word, and ours must be. A signal is sent when its data has
//! arrived.
//!
//! # Protection
//! * `ucp_mem_unmap` in [`Transport::conceal`] takes the memory from the card; later accesses are refused
//!   there and break their connection. On the other route the owner refuses, and the connection stays.
//! * UCX has no authentication: a process with a worker's address can send to it, and one that has a key too
//!   can use the card's route. Both travel through the store only, and its members have proven themselves. An
//!   address contains 16 random bytes that every message must bring back; others are dropped. Messages are
//!   not encrypted, and the sender's identity within the job is not proved.
//! * Connections are numbered, and each message has the number of its own. A request on a connection that is
//!   not the last of its sender is void, and discarded: it failed before the next connection was made, and
//!   must not replace later writes. Within a connection libucp keeps the order of messages, so a request that
//!   timed out while its connection stays is done before later ones. A card would overtake it: until a later
//!   request is answered no copy is one-sided. A put by a card has no number: its queue pair ends before the
//!   operation fails, but packets in flight then may still be written.
//! * A message that was dropped, or given up by its sender, leaves its operation to the deadline.
//!
//! # Ends
//! Endpoints are made on first use, and with UCX's error handling for peers: a dead one fails its endpoint,
//! by its reset connection or by UCX's own keepalive (`UCX_KEEPALIVE_INTERVAL`). All operations in flight to
//! it end with `NotConnected`, and a second endpoint is tried, before the peer is reported as lost. At its
//! deadline an operation ends with `Timeout`, and with `Interrupted` when the program interrupts the wait for
//! it (`waiting`). What libucp does with local memory then cannot be called back, so it depends on the
//! connection:
//! * A *revocable* one, over network cards: libucp reads and writes memory of the caller. If it may still do
//!   so for the operation, the endpoint is closed by force first; other operations in flight on it end too,
//!   with `Timeout` and [`Retry::AtOnce`](mf_base::Retry::AtOnce). This is why there is no
//!   [`Capabilities::CANCEL`].
//! * Any other, over TCP or shared memory: sent data is copied first, and libucp never sees memory of a
//!   caller. The connection stays, and libucp goes on with the copy.
//!
//! Over TCP an endpoint is flushed before it is closed by force, however long that takes, unless libucp has
//! reported that it broke. For after a forced close UCX 1.13 keeps the socket for the direction from the
//! peer, with the data that it had not sent. When the peer closes its end too (its keepalive finds out that
//! the endpoint is gone), and can take data, libuct frees its state of the socket for the one event, and uses
//! it for the other. A peer that was stopped and continues is enough. A worker that would have to wait for
//! such a peer at its end is left to the process, too.
//!
//! Some UCX transports have no error handling (shared memory, in UCX 1.13). There a dead peer is noticed by
//! the deadlines, an endpoint cannot be closed by force, and a member that closes notifies its peers.
//!
//! UCX 1.13 has assertions that end a process when a peer ends while the two are being connected over TCP. A
//! process that is killed closes its sockets one after another, so after a connection broke no operation
//! begins for a moment, and a probe neither. A transport that closes waits a moment for young connections,
//! its own and those that peers have begun; a worker whose peers do not finish them is left to the process.
//! Against a peer that is killed in the moment of the first connection only a newer UCX helps.
//!
//! # Effects of libucp on a process
//! By default it installs signal handlers and patches `mmap`; `library` prevents that. It has a thread of its
//! own, and ours drives it (`progress`). In a forked child it is not touched.
//!
//! Memory of accelerators is not served: it would have to be staged, which tcp does.

mod abi;
mod access;
mod buffers;
mod callbacks;
mod context;
#[cfg(feature = "fuzzing")]
pub(crate) mod fuzzing;
mod inbox;
mod jobs;
mod library;
mod links;
mod members;
mod operations;
mod parts;
mod post;
mod progress;
mod rdma_memory;
mod serve;
mod slab;
mod state;
mod text;
mod waiting;
mod wire;
mod worker;

#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, Weak};
use std::thread::JoinHandle;
use std::time::Instant;

use mf_base::os::random;
use mf_base::os::service::{self, Panicked};
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use mf_transport::{
    Capabilities, Completion, Left, MESSAGE_BYTES_MAX, Peer, PeerRoute, Reach, Region, SegmentKey, Target,
    Transport, Usage,
};

use self::members::Member;
use self::post::Route;
use self::progress::{Locked, Shared};
use self::state::WorkerState;
use self::wire::{Head, Verb};
use self::worker::Worker;

/// Score of a route over a network card that copies by itself.
pub const SCORE_RDMA: u32 = 300;
/// Score of any other route: our own tcp does better.
pub const SCORE_SOFTWARE: u32 = 10;

/// The worker of a process and the thread that drives it; all its members stand on it. Ends with the last.
pub struct Engine {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// The transport as one member uses it; see the [module](self).
pub struct Ucx {
    shared: Arc<Shared>,
    member: Arc<Member>,
    _engine: Arc<Engine>,
}

/// Checks for a network card that copies by itself. Returns its name, or the reason that there is no such
/// card. **Local.** Takes some milliseconds on machines with such cards.
///
/// # Errors
/// `NotExist`, `Failed`: the reason.
pub fn has_rdma() -> Result<String> {
    let folder = "/sys/class/infiniband";
    let cards = mf_base::os::descriptor::read_dir(folder).map(Iterator::count).unwrap_or(0);
    if cards == 0 {
        return Err(Error::new(Kind::NotExist, "ucx")
            .what(format!("this machine has no RDMA network card: {folder} is empty or not there")));
    }
    let worker = Worker::open(None)?;
    let usable: Vec<&str> =
        worker.resources.iter().map(String::as_str).filter(|name| text::copies_by_itself(name)).collect();
    if usable.is_empty() {
        return Err(Error::new(Kind::NotExist, "ucx")
            .what(format!("UCX {} uses none of the RDMA network cards", worker.version()))
            .with("cards", cards)
            .with("uses", worker.resources.join(", "))
            .hint("check UCX_TLS and UCX_NET_DEVICES, and run: ucx_info -d"));
    }
    Ok(format!("UCX {} over {}", worker.version(), usable.join(", ")))
}

/// Returns the version of libucp. **Local.**
///
/// # Errors
/// `NotExist` with the reason.
pub fn version() -> Result<String> {
    Ok(library::Library::get()?.version.clone())
}

impl Engine {
    /// Opens libucp and starts. `tls`: the transports that UCX may use, in the syntax of `UCX_TLS`, which it
    /// replaces.
    ///
    /// # Errors
    /// `NotExist` libucp was not found; the text lists the attempts · `Failed` refusals of libucp.
    pub fn start(tls: Option<&str>) -> Result<Arc<Self>> {
        Self::start_as(tls, false)
    }

    /// `one_sided`: as over network cards also without one, where all peers are known to behave.
    fn start_as(tls: Option<&str>, one_sided: bool) -> Result<Arc<Self>> {
        let shared = Arc::new(Shared::new(WorkerState::new(Worker::open(tls)?, one_sided))?);
        let (for_thread, failing) = (Arc::clone(&shared), Arc::clone(&shared));
        let failed = move |panicked: &Panicked| failing.lock().thread_panicked(panicked);
        let thread = service::spawn("mf-ucx", move || for_thread.run(), failed).map_err(|e| {
            Error::new(Kind::NoResources, "ucx start").what("no thread can be started").source(e)
        })?;
        Ok(Arc::new(Self { shared, thread: Mutex::new(Some(thread)) }))
    }

    /// Adds a member that others know as `me`, with memory served by `target`.
    ///
    /// # Errors
    /// `NotConnected` the engine has ended · `Failed` refusals of libucp.
    pub fn join(self: &Arc<Self>, me: Peer, target: Weak<dyn Target>) -> Result<Arc<Ucx>> {
        let secret = random("ucx start")?;
        let mut state = self.shared.lock();
        state.health.check("ucx start")?;
        let worker = state.worker.as_ref().map(Worker::address).transpose()?;
        let worker = worker.ok_or_else(|| Error::new(Kind::NotConnected, "ucx start"))?;
        let member = state.members.join((me, target), secret, wire::encode_address(&secret, &worker));
        drop(state);
        Ok(Arc::new(Ucx { shared: Arc::clone(&self.shared), member, _engine: Arc::clone(self) }))
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if self.shared.in_own_process().is_err() {
            // The state of libucp belongs to the parent.
            std::mem::forget(Arc::clone(&self.shared));
            return;
        }
        self.shared.stop();
        let thread = lock(&self.thread).take();
        if let Some(thread) = thread
            && thread.thread().id() != std::thread::current().id()
        {
            let _ = thread.join();
        }
        self.shared.lock().close();
    }
}

impl Transport for Ucx {
    fn name(&self) -> &'static str {
        "ucx"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::COPY
            .with(Capabilities::ATOMIC_32)
            .with(Capabilities::ATOMIC_64)
            .with(Capabilities::SIGNAL)
            .with(Capabilities::REMOTE_COPY)
            .with(Capabilities::MESSAGE)
    }

    fn address(&self) -> Vec<u8> {
        self.member.address.clone()
    }

    fn introduce(&self, peer: Peer, address: &[u8]) -> Result<()> {
        self.shared.in_own_process()?;
        let address = wire::decode_address(address).map_err(|error| error.with("peer", peer))?;
        self.open()?.links.learn(&self.member, peer, address, true);
        Ok(())
    }

    fn reach(&self, peer: Peer) -> Result<Reach> {
        self.shared.in_own_process()?;
        self.shared.lock().reach(self.member.id, peer)
    }

    fn forget(&self, peer: Peer) {
        if self.shared.in_own_process().is_ok() {
            self.shared.lock().forget(self.member.id, peer);
        }
    }

    unsafe fn expose(&self, key: SegmentKey, regions: &[Region]) -> Result<Vec<u8>> {
        self.shared.in_own_process()?;
        let mut state = self.open()?;
        let WorkerState { worker: Some(worker), memory, .. } = &mut *state else { return Ok(Vec::new()) };
        // SAFETY: mapped until `conceal`, by the caller.
        unsafe { memory.expose(worker, (self.member.id, key), regions) }
    }

    fn conceal(&self, key: SegmentKey) {
        if self.shared.in_own_process().is_ok() {
            self.shared.lock().conceal(self.member.id, key);
        }
    }

    fn attach(&self, peer: Peer, key: SegmentKey, description: &[u8]) -> Result<()> {
        self.shared.in_own_process()?;
        let at = (self.member.id, peer);
        self.open()?.memory.attach(at, key, description).map_err(|error| error.with("peer", peer))
    }

    fn detach(&self, peer: Peer, key: SegmentKey) {
        if self.shared.in_own_process().is_ok() {
            self.shared.lock().memory.detach((self.member.id, peer), key);
        }
    }

    fn route(&self, peer: Peer) -> Result<Arc<dyn PeerRoute>> {
        self.shared.in_own_process()?;
        let link = self.shared.lock().introduced(self.member.id, peer)?;
        Ok(Arc::new(Route { shared: Arc::clone(&self.shared), peer, link }))
    }

    fn eager_bytes(&self) -> u64 {
        0
    }

    fn wait(&self, completion: &Completion) -> Result<()> {
        self.shared.in_own_process()?;
        self.shared.wait(completion);
        completion.outcome()
    }

    fn wait_interruptible(&self, completion: &Completion, left: Left) -> Result<()> {
        self.shared.in_own_process()?;
        self.shared.wait_interruptible(completion, left)
    }

    fn send(&self, peer: Peer, message: &[u8], deadline: Instant) -> Result<()> {
        self.shared.in_own_process()?;
        if message.is_empty() || message.len() > MESSAGE_BYTES_MAX {
            return Err(
                Error::invalid("ucx send", "a message has 1 to 16384 bytes").with("bytes", message.len())
            );
        }
        loop {
            let mut state = self.shared.lock();
            let link = state.introduced(self.member.id, peer)?;
            if state.links.has_room(link) {
                state.connected(link)?;
                let mut data = state.buffers.take(message.len());
                data.extend_from_slice(message);
                let head = Head::new(Verb::Message);
                state.start_silent(link, head, data);
                return Ok(());
            }
            drop(state);
            let has_room = |state: &mut WorkerState| state.links.has_room(link);
            if !self.shared.wait_for(&has_room, deadline) {
                return Err(Error::new(Kind::Timeout, "ucx send")
                    .what("the send queue stayed full")
                    .with("peer", peer));
            }
        }
    }

    fn flush(&self, peer: Option<Peer>, deadline: Instant) -> Result<()> {
        self.shared.in_own_process()?;
        let mark = self.shared.lock().operations.posted();
        if self
            .shared
            .wait_for(&|state| state.peers_not_done(self.member.id, peer, mark).is_empty(), deadline)
        {
            return Ok(());
        }
        let peers = self.shared.lock().peers_not_done(self.member.id, peer, mark);
        let names: Vec<String> = peers.iter().map(Peer::to_string).collect();
        Err(Error::new(Kind::Timeout, "ucx flush")
            .what("operations are still in flight")
            .with("peers", names.join(", ")))
    }

    fn close(&self) {
        if self.shared.in_own_process().is_ok() {
            self.shared.lock().leave(&self.member);
        }
    }

    fn usage(&self) -> Usage {
        if self.shared.in_own_process().is_err() {
            return Usage::default();
        }
        let state = self.shared.lock();
        let links = state.links.of_member(self.member.id);
        let connections = links.filter(|(_, link)| link.connection().is_some()).count();
        // The worker's, libucp's thread and tables of all members among them.
        let threads = if state.members.is_member(self.member.id) { 2 } else { 0 };
        Usage { connections, bytes: state.bytes(), threads }
    }
}

impl Ucx {
    /// The state, while this member is open.
    fn open(&self) -> Result<Locked<'_>> {
        let state = self.shared.lock();
        if state.members.is_member(self.member.id) {
            return Ok(state);
        }
        Err(Error::new(Kind::NotConnected, "ucx").what("the transport was closed"))
    }
}

impl Drop for Ucx {
    fn drop(&mut self) {
        self.close();
    }
}
