// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory of other processes of this host: private memory by cross memory attach (process_vm_readv and
//! writev), memory files by mapping them, and device memory by importing it.
//!
//! **Problem.** A program registers memory anywhere in its process, and others of the host copy to and from
//! it without a message and without its help. It withdraws the memory at any time, and when that has returned
//! not one byte is touched any more, also by a process that was killed or stopped in the middle.
//!
//! **How.**
//! 1. The first copy to a process connects to it over [`crate::link`], and gets a page that the two share
//!    (`page.rs`). It is guarded by [`mf_base::sync::shared_rcu`] (RCU between processes): the owner's epoch,
//!    and copies in flight.
//! 2. For a range without a grant the initiator asks the owner (`remote.rs`); the owner decides
//!    ([`Target::grant`]), having read its epoch before. Grants hold as long as the epoch does (`grants.rs`).
//! 3. A copy is a visit: announced in the page, checked against the epoch, done, taken off. No call to the
//!    owner. Two threads share the large ones (`remote/vm_copy.rs`); the visit is over when both are done.
//! 4. The owner that withdraws ends the epoch in each page, and waits for the visits of the one before
//!    (`guests.rs`), or for the end of their process.
//!
//! **Refusals of the kernel** are probed: a word of the other process is read when it is introduced
//! (`calls.rs`). If that fails, private memory is reached by other transports, and memory files still by
//! mapping.
//!
//! **Bounds.** A process that is stopped in the middle of a copy holds up a withdrawal until its deadline,
//! and the memory must stay: only the kernel could take it from that process.
//!
//! **Rejected.** `/proc/PID/mem`: it copies twice, and writes where the owner itself may not.

mod calls;
mod grants;
mod guests;
mod page;
mod remote;
#[cfg(test)]
mod tests;
mod wire;

use std::collections::HashMap;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, RwLock, Weak};
use std::time::{Duration, Instant};

use mf_base::os::{guarded, process, random};
use mf_base::sync::rcu::ReadSection;
use mf_base::sync::{lock, read, write};
use mf_base::{Error, Kind, Result, error_limited};
use mf_device::{Access, engine};
use mf_transport::{
    Backing, Capabilities, Completion, Deadlines, Grant, InPlace, OnDevice, Operation, Peer, PeerRoute,
    Reach, Region, SegmentKey, Span, Spot, Target, Transport, Usage, hole, not_granted,
};

use self::calls::process_namespace;
use self::guests::{Guest, Guests};
use self::page::Page;
use self::remote::{Remote, Stop, Wanted};
use self::wire::{Card, Reply, Request};
use crate::link::{Answer, Asker, ConnectionId, Endpoint, Handler, Message, Name};

const OP: &str = "cma";
/// Purpose of the link's endpoint.
const SERVICE: &str = "cma";
/// Better than any network.
const SCORE: u32 = 100_000;

/// One member's options for the transport.
#[derive(Debug)]
pub struct Options {
    /// The member.
    pub me: Peer,
    /// Proof of belonging to the job.
    pub token: [u8; 32],
    /// Longest wait for a process that hangs in the middle of a copy, where a call has no deadline.
    pub timeout: Duration,
    /// The memory of this process.
    pub target: Weak<dyn Target>,
}

/// The transport of one member.
pub struct Cma(Arc<Shared>);

struct Shared {
    timeout: Duration,
    target: Weak<dyn Target>,
    endpoint: Mutex<Option<Endpoint>>,
    card: Card,
    /// Exposed keys; without regions the target is asked.
    exposed: RwLock<HashMap<SegmentKey, Vec<Region>>>,
    guests: Guests,
    remotes: RwLock<HashMap<Peer, Arc<Remote>>>,
    is_closed: AtomicBool,
}

impl Cma {
    /// Opens it. One thread serves all that use the link of the process.
    ///
    /// # Errors
    /// `NoResources` out of descriptors or threads.
    pub fn open(options: Options) -> Result<Arc<Self>> {
        let Options { me, token, timeout, target } = options;
        let name = Name { job: me.job, session: me.session, service: SERVICE.to_owned() };
        let mut opened = Ok(());
        let shared = Arc::new_cyclic(|myself: &Weak<Shared>| {
            let handler: Weak<dyn Handler> = Weak::clone(myself) as _;
            let endpoint = Endpoint::open(name, token, handler).map_err(|error| opened = Err(error)).ok();
            let socket = endpoint.as_ref().map(|endpoint| endpoint.socket().to_owned()).unwrap_or_default();
            Shared {
                timeout,
                target,
                endpoint: Mutex::new(endpoint),
                card: own_card(socket),
                exposed: RwLock::default(),
                guests: Guests::default(),
                remotes: RwLock::default(),
                is_closed: AtomicBool::new(false),
            }
        });
        opened?;
        Ok(Arc::new(Self(shared)))
    }

    /// Returns the reason that this process cannot even read its own memory by the kernel's calls; `None` if
    /// it can.
    pub fn refusal() -> Option<String> {
        let card = own_card(String::new());
        calls::probe(i32::try_from(card.pid).unwrap_or(0), card.probe).err()
    }
}

/// Returns the card by which others of the host reach this process.
fn own_card(socket: String) -> Card {
    static WORD: OnceLock<Box<u64>> = OnceLock::new();
    let word = WORD.get_or_init(|| Box::new(random(OP).map_or(u64::MAX, u64::from_le_bytes)));
    let space = [process::network_namespace(), process_namespace()].map(Option::unwrap_or_default);
    let [machine, processes] = space;
    let probe = (std::ptr::from_ref(&**word).addr() as u64, **word);
    Card { machine, processes, socket, pid: std::process::id(), probe }
}

impl Shared {
    fn remote(&self, peer: Peer) -> Result<Arc<Remote>> {
        let known = read(&self.remotes).get(&peer).cloned();
        known.filter(|_| !self.is_closed.load(Ordering::Acquire)).ok_or_else(|| {
            Error::new(Kind::NotConnected, OP)
                .what("the process is not known, or gone")
                .with("rank", peer.rank_fact())
        })
    }

    /// Connects to another process.
    fn connect(&self, remote: &Remote) -> Result<ConnectionId> {
        let endpoint = lock(&self.endpoint);
        let closed = || {
            Error::new(Kind::NotConnected, OP)
                .what("this process has closed")
                .with("rank", remote.peer.rank_fact())
        };
        let name = Name { job: remote.peer.job, session: remote.peer.session, service: SERVICE.to_owned() };
        let connected = endpoint.as_ref().ok_or_else(closed)?.connect(&remote.card.socket, name);
        connected.map_err(|error| error.as_kind(Kind::NotConnected).with("rank", remote.peer.rank_fact()))
    }

    /// Ends the state of a process.
    fn end(&self, remote: &Remote) {
        remote.end();
        if let (Some(connection), Some(endpoint)) = (remote.connection(), lock(&self.endpoint).as_ref()) {
            endpoint.disconnect(connection);
        }
    }

    /// Reports once that a process has ended.
    fn lost(&self, remote: &Remote, reason: &Error) {
        if let Some(target) = self.target.upgrade()
            && remote.is_first_report()
        {
            target.lost(remote.peer, reason);
        }
    }

    /// Returns the grant for a range.
    fn grant(&self, key: SegmentKey, address: u64, bytes: u64, more: &mut Vec<Grant>) -> Result<Grant> {
        let exposed = read(&self.exposed);
        let left = || Error::new(Kind::NotConnected, OP).what("no memory under this key");
        let regions = exposed.get(&key).ok_or_else(left)?;
        if regions.is_empty() {
            drop(exposed);
            return self.target.upgrade().ok_or_else(left)?.grant(key, address, bytes, more);
        }
        let end = address.checked_add(bytes);
        let covers = |region: &&Region| {
            address >= region.address
                && end.zip(region.address.checked_add(region.bytes)).is_some_and(|(end, last)| end <= last)
        };
        let region = regions.iter().find(covers).ok_or_else(|| {
            Error::invalid(OP, "the range is not inside one segment")
                .with("address", format_args!("{address:#x}"))
                .with("bytes", bytes)
        })?;
        if !region.is_host_memory {
            return Err(not_granted(address, bytes));
        }
        Ok(Grant { start: region.address, end: region.address + region.bytes, backing: Backing::Private })
    }

    fn answer(&self, from: ConnectionId, request: Request) -> Result<(Reply, Vec<OwnedFd>)> {
        let unknown =
            || Error::new(Kind::NotConnected, OP).what("the other process has not announced itself");
        if self.is_closed.load(Ordering::Acquire) {
            return Err(Error::new(Kind::NotConnected, OP).what("this process has closed"));
        }
        match request {
            Request::Meet => {
                let (page, descriptor) = Page::create()?;
                self.guests.insert(from, Guest::new(Asker::current()?.peer(from), page));
                Ok((Reply::Met(Page::bytes()), vec![descriptor]))
            }
            Request::Ask { key, ranges } => {
                let guest = self.guests.get(from).ok_or_else(unknown)?;
                // Later withdrawals end this epoch.
                let epoch = guest.epoch();
                let (mut grants, mut refused): (Vec<Grant>, _) = (Vec::new(), None);
                for ((address, bytes), number) in ranges.into_iter().take(wire::RANGES_MAX).zip(0_u32..) {
                    match self.grant(key, address, bytes, &mut grants) {
                        Ok(grant) if grants.last() == Some(&grant) => {}
                        Ok(grant) => grants.push(grant),
                        Err(error) => {
                            refused = Some((number, error.code(), error.to_string()));
                            break;
                        }
                    }
                }
                Ok((Reply::Granted { epoch, grants, refused }, Vec::new()))
            }
            Request::File { key, id } => {
                let guest = self.guests.get(from).ok_or_else(unknown)?;
                guest.files.fetch_add(1, Ordering::Relaxed);
                let (file, bytes) = self.target.upgrade().ok_or_else(unknown)?.file(key, id)?;
                Ok((Reply::File(bytes), vec![file]))
            }
            Request::Put { key, address, bytes } => {
                let target = self.target.upgrade().ok_or_else(unknown)?;
                let mut stored = Err(not_granted(address, bytes.len() as u64));
                target.access(key, address, bytes.len() as u64, Access::Write, &mut |spot| {
                    match spot {
                        Spot::Host(to) => {
                            // SAFETY: the target vouches for the spot during its call; the bytes are private.
                            unsafe { engine::copy(bytes.as_ptr(), to, bytes.len()) };
                            stored = Ok(());
                        }
                        Spot::Program(to) => {
                            // SAFETY: the target has assigned the spot to this write.
                            let written = unsafe { guarded::write(&bytes, to.expose_provenance()) };
                            stored = if written == bytes.len() {
                                Ok(())
                            } else {
                                Err(hole(Access::Write, address, bytes.len() as u64))
                            };
                        }
                        Spot::Device { .. } => {}
                    }
                })?;
                stored.map(|()| (Reply::Done, Vec::new()))
            }
            Request::Device { key, id } => {
                let guest = self.guests.get(from).ok_or_else(unknown)?;
                guest.files.fetch_add(1, Ordering::Relaxed);
                let key = self.target.upgrade().ok_or_else(unknown)?.device(key, id)?;
                Ok((Reply::Device(key), Vec::new()))
            }
            Request::Gone { id } => {
                let remotes: Vec<Arc<Remote>> = read(&self.remotes).values().cloned().collect();
                let asked = remotes.iter().filter(|remote| remote.connection() == Some(from));
                asked.for_each(|remote| remote.drop_backing(id));
                Ok((Reply::Done, Vec::new()))
            }
        }
    }

    fn file_gone(&self, id: u64) {
        let (Ok(asker), Ok(request)) = (Asker::current(), wire::encode(&Request::Gone { id })) else {
            return;
        };
        for connection in self.guests.with_files() {
            let asked = asker.request(connection, &request, &[]);
            // The reply does not matter.
            let _ = asker.wait(&[asked], Instant::now());
        }
    }
}

impl Handler for Shared {
    fn request(&self, from: ConnectionId, request: Message) -> Result<Answer<'_>> {
        let (reply, descriptors) = self.answer(from, wire::decode(&request.bytes)?)?;
        Ok(Answer { message: Message { bytes: wire::encode(&reply)?, descriptors }, order: None })
    }

    fn closed(&self, connection: ConnectionId) {
        self.guests.closed(connection);
        let lost =
            read(&self.remotes).values().find(|remote| remote.connection() == Some(connection)).cloned();
        if let Some(remote) = lost {
            remote.end();
            self.lost(&remote, &Error::new(Kind::NotConnected, OP).what("the other process is gone"));
        }
    }
}

impl Transport for Cma {
    fn name(&self) -> &'static str {
        "cma"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::COPY.with(Capabilities::CANCEL).with(Capabilities::ORDERED)
    }

    fn address(&self) -> Vec<u8> {
        self.0.card.encode()
    }

    fn introduce(&self, peer: Peer, address: &[u8]) -> Result<()> {
        let card = Card::decode(address)?;
        let elsewhere = |what: &str| {
            Err(Error::new(Kind::NotConnected, OP).what(what.to_owned()).with("rank", peer.rank_fact()))
        };
        if card.machine.is_empty() || card.machine != self.0.card.machine {
            return elsewhere("the process is on another host, or in another network namespace");
        }
        let refused = if card.processes == self.0.card.processes {
            calls::probe(i32::try_from(card.pid).unwrap_or(0), card.probe).err()
        } else {
            Some("the process is in another pid namespace".to_owned())
        };
        let remote = Arc::new(Remote::new(peer, card, refused, Asker::current()?));
        let former = write(&self.0.remotes).insert(peer, remote);
        former.inspect(|former| self.0.end(former));
        Ok(())
    }

    fn reach(&self, peer: Peer) -> Result<Reach> {
        let remote = self.0.remote(peer)?;
        let pid = remote.card.pid;
        let path = match &remote.refused {
            None => format!("process {pid} of this host, by process_vm_writev or mapped"),
            Some(reason) => format!("memory files of process {pid} only, mapped: {reason}"),
        };
        Ok(Reach { path, encrypted: true, score: SCORE })
    }

    fn forget(&self, peer: Peer) {
        let remote = write(&self.0.remotes).remove(&peer);
        remote.inspect(|remote| self.0.end(remote));
    }

    unsafe fn expose(&self, key: SegmentKey, regions: &[Region]) -> Result<Vec<u8>> {
        let former = write(&self.0.exposed).insert(key, regions.to_vec());
        if former.is_some_and(|former| former != regions) {
            self.revoke(key, Instant::now() + self.0.timeout)?;
        }
        Ok(Vec::new())
    }

    fn conceal(&self, key: SegmentKey) {
        if write(&self.0.exposed).remove(&key).is_some()
            && let Err(error) = self.revoke(key, Instant::now() + self.0.timeout)
        {
            error_limited!("memory may be written to after it was withdrawn: {error}");
        }
    }

    fn revoke(&self, _key: SegmentKey, deadline: Instant) -> Result<()> {
        self.0.guests.withdraw(deadline)
    }

    fn file_gone(&self, id: u64) {
        self.0.file_gone(id);
    }

    fn attach(&self, _: Peer, _: SegmentKey, description: &[u8]) -> Result<()> {
        match description {
            [] => Ok(()),
            _ => Err(Error::invalid(OP, "memory has no description here").with("bytes", description.len())),
        }
    }

    fn detach(&self, _: Peer, _: SegmentKey) {}

    fn route(&self, peer: Peer) -> Result<Arc<dyn PeerRoute>> {
        Ok(Arc::new(CmaRoute { shared: Arc::clone(&self.0), remote: self.0.remote(peer)? }))
    }

    fn eager_bytes(&self) -> u64 {
        // A posted operation is done already.
        u64::MAX
    }

    fn wait(&self, completion: &Completion) -> Result<()> {
        completion.sleep(None);
        completion.outcome()
    }

    fn send(&self, peer: Peer, _: &[u8], _: Instant) -> Result<()> {
        self.0.remote(peer)?;
        Err(Error::invalid(OP, "this route carries no messages").with("rank", peer.rank_fact()))
    }

    fn flush(&self, _: Option<Peer>, _: Instant) -> Result<()> {
        Ok(())
    }

    fn close(&self) {
        if self.0.is_closed.swap(true, Ordering::AcqRel) {
            return;
        }
        if let Err(error) = self.0.guests.close(Instant::now() + self.0.timeout) {
            error_limited!("memory may be written to after its end: {error}");
        }
        let remotes = std::mem::take(&mut *write(&self.0.remotes));
        remotes.into_values().for_each(|remote| self.0.end(&remote));
        // Outside of the lock: it waits for a handler that runs.
        let endpoint = lock(&self.0.endpoint).take();
        drop(endpoint);
    }

    fn usage(&self) -> Usage {
        let remotes = read(&self.0.remotes);
        let connected = remotes.values().filter(|remote| remote.connection().is_some()).count();
        let is_open = !self.0.is_closed.load(Ordering::Acquire);
        Usage {
            connections: if is_open { connected + self.0.guests.connected() } else { 0 },
            bytes: size_of::<Shared>() + remotes.values().map(|remote| remote.bytes()).sum::<usize>(),
            threads: 0,
        }
    }
}

impl Drop for Cma {
    fn drop(&mut self) {
        self.close();
    }
}

/// The route to one process.
struct CmaRoute {
    shared: Arc<Shared>,
    remote: Arc<Remote>,
}

impl CmaRoute {
    /// # Safety
    /// As [`PeerRoute::copy_now`].
    unsafe fn run(
        &self,
        key: SegmentKey,
        spans: &[Span],
        is_put: bool,
        deadline: impl Fn() -> Instant,
        device: Option<OnDevice<'_>>,
    ) -> std::result::Result<(), Stop> {
        let connect = |remote: &Remote| self.shared.connect(remote);
        // SAFETY: passed on to the caller.
        let done = unsafe { self.remote.copy(Wanted { key, spans, is_put, device }, deadline, &connect) };
        if let Err(Stop::Failed(error)) = &done
            && error.kind() == Kind::NotConnected
            && !self.shared.is_closed.load(Ordering::Acquire)
        {
            self.shared.lost(&self.remote, error);
        }
        done
    }
}

impl PeerRoute for CmaRoute {
    fn peer(&self) -> Peer {
        self.remote.peer
    }

    fn put_by_owner(
        &self,
        key: SegmentKey,
        address: u64,
        bytes: &[u8],
        deadline: Instant,
    ) -> Option<Result<()>> {
        if self.shared.is_closed.load(Ordering::Acquire) {
            return None;
        }
        let connect = |remote: &Remote| self.shared.connect(remote);
        Some(self.remote.put_by_owner(key, address, bytes, deadline, &connect))
    }

    unsafe fn post(
        &self,
        operation: &Operation<'_>,
        completion: &Arc<Completion>,
        deadline: Instant,
    ) -> Result<()> {
        operation.check(self.remote.peer)?;
        if self.shared.is_closed.load(Ordering::Acquire) {
            return Err(Error::new(Kind::NotConnected, OP)
                .what("this process has closed")
                .with("rank", self.remote.peer.rank_fact()));
        }
        let late = || {
            Error::new(Kind::Timeout, OP)
                .what("the deadline has passed")
                .with("rank", self.remote.peer.rank_fact())
        };
        let post = |key, spans: &[Span], is_put| {
            completion.begin(1);
            let done = if Instant::now() >= deadline {
                Err(late())
            } else {
                // SAFETY: passed on to the caller.
                match unsafe { self.run(key, spans, is_put, || deadline, None) } {
                    Ok(()) => Ok(()),
                    Err(Stop::Failed(error)) => Err(error),
                    Err(Stop::Elsewhere) => Err(Error::new(Kind::NotExist, OP)
                        .what("this memory is reached by other transports")
                        .with("rank", self.remote.peer.rank_fact())
                        .with(
                            "reason",
                            self.remote.refused.as_deref().unwrap_or("it is withdrawn from often"),
                        )),
                }
            };
            completion.end(done);
            Ok(())
        };
        match operation {
            Operation::Put { key, spans } => post(*key, spans, true),
            Operation::Get { key, spans } => post(*key, spans, false),
            Operation::PutStrided { key, strided } => {
                strided.post_spans(|spans| post(*key, spans, true), |error| completion.fail(error))
            }
            Operation::GetStrided { key, strided } => {
                strided.post_spans(|spans| post(*key, spans, false), |error| completion.fail(error))
            }
            Operation::Atomic { .. } | Operation::Signal { .. } | Operation::Copy { .. } => {
                Err(Error::invalid(OP, "this transport copies and does nothing else")
                    .with("rank", self.remote.peer.rank_fact()))
            }
        }
    }

    #[inline]
    unsafe fn copy_at_once(
        &self,
        section: ReadSection<'_>,
        key: SegmentKey,
        span: &Span,
        is_put: bool,
    ) -> Option<Result<()>> {
        // SAFETY: passed on to the caller.
        unsafe { self.remote.copy_at_once(section, key, span, is_put) }
    }

    fn in_place(&self, section: ReadSection<'_>, key: SegmentKey, range: (u64, u64)) -> Option<InPlace> {
        self.remote.in_place(section, key, range)
    }

    unsafe fn copy_now(
        &self,
        key: SegmentKey,
        spans: &[Span],
        is_put: bool,
        deadlines: Deadlines,
        device: Option<OnDevice<'_>>,
    ) -> Option<Result<()>> {
        let bytes = || spans.iter().fold(0_u64, |sum, span| sum.saturating_add(span.bytes));
        // SAFETY: passed on to the caller.
        match unsafe { self.run(key, spans, is_put, || deadlines.after(bytes()), device) } {
            Ok(()) => Some(Ok(())),
            Err(Stop::Failed(error)) => Some(Err(error)),
            Err(Stop::Elsewhere) => None,
        }
    }
}
