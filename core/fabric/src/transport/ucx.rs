// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The transport over libucp (UCX): the road to RoCE and InfiniBand.
//!
//! # Two ways to the memory of a peer
//! UCX can write into the memory of another process with nothing but an address and a key. Where a network card does that
//! (transports `rc_*` and `dc_*`), the card itself refuses what was not registered, or is not any more: puts and gets go
//! this way (*one-sided*), and a put has ended when `ucp_ep_flush_nbx` says that it is in the memory of the peer. Over TCP and
//! shared memory UCX only imitates this: the other process's own thread writes wherever the message says, mapped or not. A
//! put that comes late, after its pool is gone, would end the process that owned it. So there, every operation is an
//! active message instead, and the owner's [`Target`] says, at the moment of the access, whether there is such memory.
//! The way is chosen for each connection, by the lanes that UCX gives it; when in doubt the owner is asked.
//!
//! Atomics, signals, copies between two others and messages are always active messages: atomics of a card are not atomic
//! towards the processor's on the same word, and ours must be. A signal is sent when its data has arrived.
//!
//! # What protects whom
//! * `ucp_mem_unmap` in [`Transport::conceal`] takes the memory from the card; what arrives later is refused there and
//!   breaks the connection that brought it. On the other way the owner refuses, and the connection stays.
//! * UCX knows no passwords: who has a worker's address can send to it, and who has a key too can use the card's way. Both
//!   travel through the store only, whose members have proven themselves. An address contains 16 random bytes that
//!   every message must bring back; others are dropped. What is sent is not encrypted, and which member of the job sent
//!   a message is what it says.
//! * A message that was dropped, or whose sender gives up, leaves its operation to the deadline.
//!
//! # Ends
//! Endpoints are made on first use, and with UCX's error handling for peers: a dead one fails its endpoint, by its reset
//! connection or by UCX's own looking (`UCX_KEEPALIVE_INTERVAL`). All that was under way to it ends with `NotConnected`, and a
//! second endpoint is tried, before the peer is reported as lost. At its deadline an operation ends with `Timeout`. If
//! libucp may still read or write local memory for it, which cannot be called back, its endpoint is closed by force first;
//! what else was under way on it ends too. This is why there is no [`Capabilities::CANCEL`].
//!
//! Some ways have no such error handling (shared memory, in UCX 1.13). There a dead peer is noticed by the deadlines, and
//! nothing can be closed by force; so what is sent is copied first, libucp never sees memory of a caller, and who closes
//! says so.
//!
//! UCX 1.13 has assertions that end a process when a peer goes while the two are being connected over TCP. A transport that
//! closes waits a moment for young connections; against a peer that is killed in that moment nothing helps but a newer UCX.
//!
//! # What libucp does to a process
//! It would install signal handlers and patch `mmap`; see `library` for how it does not. It has a thread of its own, and
//! ours drives it (`progress`). In a forked child nothing of this is touched.
//!
//! Memory of accelerators is not served: it would have to be staged, which tcp does.

mod abi;
mod context;
mod endpoints;
mod events;
#[cfg(feature = "fuzzing")]
pub(super) mod fuzzing;
mod library;
mod memory;
mod progress;
mod requests;
mod serve;
mod slab;
mod text;
mod wire;
mod worker;

#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::Instant;

use mf_base::os::thread;
use mf_base::{Error, Kind, Result};

use self::endpoints::LinkId;
use self::progress::{Locked, Shared};
use self::requests::{Payload, Purpose, State, Want};
use self::serve::CHUNK_BYTES;
use self::slab::Id;
use self::wire::{Head, PIECE_HEAD_BYTES, SIGNAL_ADD, SIGNAL_SET, Verb};
use self::worker::Worker;
use super::{
    Capabilities, Completion, MESSAGE_BYTES_MAX, Operation, Peer, Reach, Region, SegmentKey, SignalKind,
    Span, Target, Transport, Usage,
};

/// Score of a way over a network card that copies by itself.
pub const SCORE_RDMA: u32 = 300;
/// Score of any other way: our own tcp does better.
pub const SCORE_SOFTWARE: u32 = 10;
/// Pieces up to this length share messages.
const SMALL_BYTES: u64 = 4 << 10;
/// Data of a message with pieces.
const PIECES_BYTES_MAX: u64 = 8 << 10;

/// What [`Ucx::start`] needs.
pub struct Options {
    /// This process.
    pub me: Peer,
    /// Who serves others.
    pub target: Weak<dyn Target>,
    /// The transports that UCX may use, as in `UCX_TLS`, instead of what that says.
    pub tls: Option<String>,
}

/// The transport; see the [module](self).
pub struct Ucx {
    shared: Arc<Shared>,
    address: Vec<u8>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// Whether libucp finds a network card that copies by itself: which, or why not. **Local.** Takes some milliseconds on
/// machines with such cards.
///
/// # Errors
/// `NotExist`, `Failed`: the reason.
pub fn has_rdma() -> Result<String> {
    let folder = "/sys/class/infiniband";
    let cards = std::fs::read_dir(folder).map(Iterator::count).unwrap_or(0);
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
            .hint("look at UCX_TLS and UCX_NET_DEVICES, and at: ucx_info -d"));
    }
    Ok(format!("UCX {} over {}", worker.version(), usable.join(", ")))
}

/// The version of libucp, or why there is none. **Local.**
///
/// # Errors
/// `NotExist`.
pub fn version() -> Result<String> {
    Ok(library::Library::get()?.version.clone())
}

impl Ucx {
    /// Opens libucp and starts.
    ///
    /// # Errors
    /// `NotExist` there is no libucp, and what was tried · `Failed` what it refuses.
    pub fn start(options: Options) -> Result<Arc<Self>> {
        Self::start_as(options, false)
    }

    /// `one_sided`: the way of network cards also without one, where all peers are known to behave.
    fn start_as(options: Options, one_sided: bool) -> Result<Arc<Self>> {
        let mut secret = [0; 16];
        let got = rustix::rand::getrandom(&mut secret, rustix::rand::GetRandomFlags::empty())
            .map_err(|errno| Error::os("ucx start", errno))?;
        if got != secret.len() {
            return Err(Error::new(Kind::Failed, "ucx start").what("the kernel gave too few random bytes"));
        }
        let worker = Worker::open(options.tls.as_deref())?;
        let address = wire::encode_address(&secret, &worker.address()?);
        let state = State::new(options.me, secret, worker, address.clone(), one_sided);
        let shared = Arc::new(Shared::new(state, options.target)?);
        let for_thread = Arc::clone(&shared);
        let thread = thread::spawn("mf-ucx", move || for_thread.run()).map_err(|e| {
            Error::new(Kind::NoResources, "ucx start").what("no thread can be started").source(e)
        })?;
        Ok(Arc::new(Self { shared, address, thread: Mutex::new(Some(thread)) }))
    }

    fn in_own_process(&self) -> Result<()> {
        if self.shared.owner.is_current() {
            return Ok(());
        }
        Err(Error::new(Kind::NotInit, "ucx")
            .what("this process was forked from the one that started the transport")
            .hint("initialise after the fork, or use spawn instead of fork"))
    }

    /// Waits until another part to the peer fits.
    fn room<'a>(
        &'a self,
        mut state: Locked<'a>,
        link: LinkId,
        operation: Id,
        deadline: Instant,
    ) -> Locked<'a> {
        while !state.has_room(link) && state.is_well(operation) {
            drop(state);
            self.shared.wait_for(&|state| state.has_room(link) || !state.is_well(operation), deadline);
            state = self.shared.lock();
            state.expire(Instant::now());
        }
        state
    }

    /// Starts the parts of a put. Safety as [`Transport::post`].
    unsafe fn put<'a>(
        &'a self,
        mut state: Locked<'a>,
        (link, operation, deadline): (LinkId, Id, Instant),
        key: SegmentKey,
        spans: &[Span],
    ) -> Locked<'a> {
        let mut head = Head::new(state.me, Verb::Put);
        head.key = key;
        let mut small: Vec<u8> = Vec::new();
        let mut one_sided_on = None;
        for span in spans {
            if state.one_sided(link, key, span.address, span.bytes).is_some() {
                state = self.room(state, link, operation, deadline);
                // SAFETY: valid until the operation is over, by the contract of `post`.
                unsafe { state.put_one_sided(operation, link, key, span) };
                // What is put on one connection cannot be flushed on another.
                one_sided_on = one_sided_on.or(state.connection_of(link));
                continue;
            }
            if spans.len() > 1 && span.bytes <= SMALL_BYTES {
                if small.len() as u64 + PIECE_HEAD_BYTES + span.bytes > PIECES_BYTES_MAX {
                    state = self.room(state, link, operation, deadline);
                    state.start_pieces(operation, key, std::mem::take(&mut small));
                }
                // SAFETY: valid for reading, by the contract of `post`.
                unsafe { push_span(&mut small, span) };
                continue;
            }
            let mut done = 0;
            while done < span.bytes {
                state = self.room(state, link, operation, deadline);
                if !state.is_well(operation) {
                    return state;
                }
                let bytes = (span.bytes - done).min(CHUNK_BYTES);
                head = head.within(span.address, span.bytes);
                head.address = span.address.wrapping_add(done);
                let start = span.local.cast_const().wrapping_add(usize::try_from(done).unwrap_or(0));
                state.start(operation, head, Payload::There(start, bytes), Want::Nothing);
                done += bytes;
            }
        }
        if !small.is_empty() {
            state = self.room(state, link, operation, deadline);
            state.start_pieces(operation, key, small);
        }
        if let Some(number) = one_sided_on {
            state.flush_one_sided(operation, link, number);
        }
        state
    }

    /// Starts the parts of a get. Safety as [`Transport::post`].
    unsafe fn get<'a>(
        &'a self,
        mut state: Locked<'a>,
        (link, operation, deadline): (LinkId, Id, Instant),
        key: SegmentKey,
        spans: &[Span],
    ) -> Locked<'a> {
        let mut head = Head::new(state.me, Verb::Get);
        head.key = key;
        for span in spans {
            if state.one_sided(link, key, span.address, span.bytes).is_some() {
                state = self.room(state, link, operation, deadline);
                // SAFETY: valid until the operation is over, by the contract of `post`.
                unsafe { state.get_one_sided(operation, link, key, span) };
                continue;
            }
            let mut done = 0;
            while done < span.bytes {
                state = self.room(state, link, operation, deadline);
                if !state.is_well(operation) {
                    return state;
                }
                let bytes = (span.bytes - done).min(CHUNK_BYTES);
                head = head.within(span.address, span.bytes);
                (head.address, head.operand) = (span.address.wrapping_add(done), bytes);
                let start = span.local.wrapping_add(usize::try_from(done).unwrap_or(0));
                state.start(operation, head, Payload::None, Want::Data(start, bytes));
                done += bytes;
            }
        }
        state
    }
}

/// Appends a span to the data of a message with pieces.
///
/// # Safety
/// It is valid for reading.
unsafe fn push_span(data: &mut Vec<u8>, span: &Span) {
    let length = u32::try_from(span.bytes).unwrap_or(0);
    wire::push_piece(
        data,
        span.address,
        &mut |to| {
            let bytes = length as usize;
            to.reserve(bytes);
            let end = to.spare_capacity_mut().as_mut_ptr().cast::<u8>();
            // SAFETY: the span is valid for reading, by the caller; the buffer has room for it.
            unsafe { crate::engine::copy(span.local.cast_const(), end, bytes) };
            let full = to.len() + bytes;
            // SAFETY: the bytes were just written.
            unsafe { to.set_len(full) };
        },
        length,
    );
}

/// Whether it can be done at all.
fn check(operation: &Operation<'_>) -> Result<()> {
    let invalid = |what: &str| Err(Error::invalid("ucx", what));
    match operation {
        Operation::Put { spans, .. } | Operation::Get { spans, .. } if spans.is_empty() => {
            invalid("the list of spans is empty")
        }
        Operation::Put { spans, .. } | Operation::Get { spans, .. } | Operation::Signal { spans, .. }
            if spans.iter().any(|span| span.bytes == 0 || span.local.is_null()) =>
        {
            invalid("a span has no bytes, or no local memory")
        }
        Operation::Atomic { at, atomic, .. } if at.address % atomic.width.bytes() != 0 => {
            Err(Error::invalid("ucx atomic", "the word is not aligned")
                .with("address", format_args!("{:#x}", at.address))
                .with("bytes", atomic.width.bytes()))
        }
        Operation::Signal { signal, .. } if signal % 8 != 0 => {
            Err(Error::invalid("ucx signal", "the word is not aligned")
                .with("address", format_args!("{signal:#x}")))
        }
        Operation::Copy { bytes: 0, .. } => invalid("a copy of no bytes"),
        Operation::Copy { to_address, .. } => wire::decode_address(to_address).map(|_| ()),
        _ => Ok(()),
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
        self.address.clone()
    }

    fn introduce(&self, peer: Peer, address: &[u8]) -> Result<()> {
        self.in_own_process()?;
        let (secret, worker) = wire::decode_address(address).map_err(|error| error.with("peer", peer))?;
        self.shared.lock().learn(peer, secret, worker, true);
        Ok(())
    }

    fn reach(&self, peer: Peer) -> Result<Reach> {
        self.in_own_process()?;
        self.shared.lock().reach(peer)
    }

    fn forget(&self, peer: Peer) {
        if self.in_own_process().is_ok() {
            self.shared.lock().forget(peer);
        }
    }

    unsafe fn expose(&self, key: SegmentKey, regions: &[Region]) -> Result<Vec<u8>> {
        self.in_own_process()?;
        // SAFETY: mapped until `conceal`, by the caller.
        unsafe { self.shared.lock().expose(key, regions) }
    }

    fn conceal(&self, key: SegmentKey) {
        if self.in_own_process().is_ok() {
            self.shared.lock().conceal(key);
        }
    }

    fn attach(&self, peer: Peer, key: SegmentKey, description: &[u8]) -> Result<()> {
        self.in_own_process()?;
        self.shared.lock().attach(peer, key, description).map_err(|error| error.with("peer", peer))
    }

    fn detach(&self, peer: Peer, key: SegmentKey) {
        if self.in_own_process().is_ok() {
            self.shared.lock().detach(peer, key);
        }
    }

    unsafe fn post(
        &self,
        peer: Peer,
        operation: &Operation<'_>,
        completion: &Arc<Completion>,
        deadline: Instant,
    ) -> Result<()> {
        self.in_own_process()?;
        check(operation)?;
        operation.check_job(peer)?;
        let mut state = self.shared.lock();
        let link = state.introduced(peer)?;
        let mut begin = |name| state.begin(link, Some(completion), deadline, name, Purpose::Caller);
        match *operation {
            Operation::Put { key, spans } => {
                let id = begin("put");
                // SAFETY: the spans are valid until the operation is over, by the caller.
                state = unsafe { self.put(state, (link, id, deadline), key, spans) };
                state.release(id);
            }
            Operation::Get { key, spans } => {
                let id = begin("get");
                // SAFETY: the spans are valid until the operation is over, by the caller.
                state = unsafe { self.get(state, (link, id, deadline), key, spans) };
                state.release(id);
            }
            Operation::Atomic { at, atomic, old } => {
                let id = begin("atomic");
                state = self.room(state, link, id, deadline);
                let mut head = Head::new(state.me, Verb::Atomic).with_atomic(atomic);
                (head.key, head.address) = (at.key, at.address);
                state.start(id, head, Payload::None, Want::Old(old));
                state.release(id);
            }
            Operation::Signal { key, spans, signal, kind, value } => {
                let id = begin("put with signal");
                let mut head = Head::new(state.me, Verb::Pieces);
                (head.key, head.second, head.operand) = (key, signal, value);
                head.flags = if kind == SignalKind::Set { SIGNAL_SET } else { SIGNAL_ADD };
                let total = spans
                    .iter()
                    .fold(0_u64, |sum, span| sum.saturating_add(span.bytes).saturating_add(PIECE_HEAD_BYTES));
                if total <= PIECES_BYTES_MAX {
                    let mut data = Vec::new();
                    // SAFETY: the spans are valid for reading, by the caller.
                    spans.iter().for_each(|span| unsafe { push_span(&mut data, span) });
                    state = self.room(state, link, id, deadline);
                    state.start(id, head, Payload::Owned(data), Want::Nothing);
                } else {
                    // SAFETY: the spans are valid until the operation is over, by the caller.
                    state = unsafe { self.put(state, (link, id, deadline), key, spans) };
                    state.then(id, head);
                }
                state.release(id);
            }
            Operation::Copy { from, to_peer, to_address, to, bytes } => {
                let id = begin("copy between two others");
                let mut head = Head::new(state.me, Verb::Copy);
                (head.key, head.address, head.operand, head.second) =
                    (from.key, from.address, bytes, to.address);
                let left = deadline.saturating_duration_since(Instant::now()).as_millis();
                let mut data = Vec::with_capacity(28 + to_address.len());
                data.extend(to_peer.rank.to_le_bytes());
                data.extend(to_peer.session.to_le_bytes());
                data.extend(to.key.0.to_le_bytes());
                data.extend(u64::try_from(left).unwrap_or(u64::MAX).to_le_bytes());
                data.extend(to_address);
                state = self.room(state, link, id, deadline);
                state.start(id, head, Payload::Owned(data), Want::Nothing);
                state.release(id);
            }
        }
        Ok(())
    }

    fn wait(&self, completion: &Completion) -> Result<()> {
        self.in_own_process()?;
        self.shared.wait(completion);
        completion.outcome()
    }

    fn send(&self, peer: Peer, message: &[u8], deadline: Instant) -> Result<()> {
        self.in_own_process()?;
        if message.is_empty() || message.len() > MESSAGE_BYTES_MAX {
            return Err(
                Error::invalid("ucx send", "a message has 1 to 16384 bytes").with("bytes", message.len())
            );
        }
        loop {
            let mut state = self.shared.lock();
            let link = state.introduced(peer)?;
            if state.has_room(link) {
                state.connected(link)?;
                let mut data = state.buffer(message.len());
                data.extend_from_slice(message);
                let head = Head::new(state.me, Verb::Message);
                state.start_silent(link, head, data);
                return Ok(());
            }
            drop(state);
            let has_room = |state: &mut State| state.has_room(link);
            if !self.shared.wait_for(&has_room, deadline) {
                return Err(Error::new(Kind::Timeout, "ucx send")
                    .what("the send queue stayed full")
                    .with("peer", peer));
            }
        }
    }

    fn flush(&self, peer: Option<Peer>, deadline: Instant) -> Result<()> {
        self.in_own_process()?;
        let mark = self.shared.lock().posted;
        if self.shared.wait_for(&|state| state.peers_not_done(peer, mark).is_empty(), deadline) {
            return Ok(());
        }
        let peers = self.shared.lock().peers_not_done(peer, mark);
        let names: Vec<String> = peers.iter().map(Peer::to_string).collect();
        Err(Error::new(Kind::Timeout, "ucx flush")
            .what("operations are still under way")
            .with("peers", names.join(", ")))
    }

    fn close(&self) {
        if self.in_own_process().is_err() {
            return;
        }
        self.shared.stop();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread
            && thread.thread().id() != std::thread::current().id()
        {
            let _ = thread.join();
        }
        self.shared.lock().close();
    }

    fn usage(&self) -> Usage {
        if self.in_own_process().is_err() {
            return Usage::default();
        }
        let state = self.shared.lock();
        let threads = if state.worker.is_some() { 2 } else { 0 };
        Usage { connections: state.by_connection.len(), bytes: state.bytes(), threads }
    }
}

impl Drop for Ucx {
    fn drop(&mut self) {
        if self.in_own_process().is_ok() {
            self.close();
        } else {
            // What libucp has belongs to the parent.
            std::mem::forget(Arc::clone(&self.shared));
        }
    }
}
