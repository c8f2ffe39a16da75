// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The reference transport: carries operations from one endpoint to another inside this process. It tests the
//! suite and the decorators on a transport that is simple enough to be right.
//!
//! Each endpoint has one thread, which serves requests, in order. Payloads are copied when they are posted,
//! and the bytes of a get are copied to their place under the lock of its ticket: so a ticket that has ended
//! touches nothing.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use mf_base::{Error, Kind, Result};
use mf_device::Access;
use mf_transport::{
    Atomic, AtomicKind, Capabilities, Completion, MESSAGE_BYTES_MAX, Operation, Peer, PeerRoute, Reach,
    Region, Remote, SegmentKey, Span, Spot, Target, Transport, Usage, Width,
};

use crate::bed::Make;
use crate::suite::Shared;

type Job = Box<dyn FnOnce(&Node) + Send>;
type Nodes = Arc<Mutex<HashMap<u64, Arc<Node>>>>;

/// Makes them; endpoints of one maker reach each other.
#[derive(Default)]
struct Maker {
    nodes: Nodes,
}

impl Make for Maker {
    fn name(&self) -> String {
        "direct".to_owned()
    }

    fn start(&self, me: Peer, target: Weak<dyn Target>) -> Shared {
        Direct::start(&self.nodes, me, target)
    }
}

/// An endpoint, as others see it.
struct Node {
    peer: Peer,
    target: Weak<dyn Target>,
    jobs: Mutex<Sender<Job>>,
    closed: AtomicBool,
}

impl Node {
    fn give(&self, job: Job) {
        // A node with an ended thread drops the job, and its ticket ends.
        let _ = self.jobs.lock().unwrap().send(job);
    }

    fn access(&self, at: Remote, bytes: usize, access: Access, mut touch: impl FnMut(*mut u8)) -> Result<()> {
        let target = self.target.upgrade().filter(|_| !self.closed.load(Ordering::Acquire));
        let target = target.ok_or_else(|| gone(self.peer))?;
        target.access(at.key, at.address, bytes as u64, access, &mut |spot| {
            if let Spot::Host(place) = spot {
                touch(place);
            }
        })
    }

    fn read(&self, at: Remote, bytes: usize) -> Result<Vec<u8>> {
        // The length is believed only where memory is.
        let mut found = Vec::new();
        self.access(at, bytes, Access::Read, |place| {
            found.resize(bytes, 0);
            // SAFETY: the target vouches for `bytes` at `place`, and `found` has as many.
            unsafe { copy(place, found.as_mut_ptr(), bytes) };
        })?;
        Ok(found)
    }

    fn write(&self, at: Remote, data: &[u8]) -> Result<()> {
        self.access(at, data.len(), Access::Write, |place| {
            // SAFETY: the target vouches for so many bytes at `place`.
            unsafe { copy(data.as_ptr(), place, data.len()) };
        })
    }

    fn change(&self, at: Remote, atomic: Atomic) -> Result<u64> {
        let mut old = 0;
        self.access(at, atomic.width.bytes() as usize, Access::Write, |place| {
            // SAFETY: the target vouches for the word; its alignment was checked when it was posted.
            old = unsafe { change(place, atomic) };
        })?;
        Ok(old)
    }
}

/// One operation in flight.
struct Ticket {
    peer: Peer,
    deadline: Instant,
    completion: Arc<Completion>,
    ended: Mutex<bool>,
}

impl Ticket {
    /// Ends it, unless it has ended; `touch` may use local memory before.
    fn end(&self, result: Result<()>, touch: impl FnOnce()) {
        let mut ended = self.ended.lock().unwrap();
        if !*ended {
            *ended = true;
            touch();
            self.completion.end(result);
        }
    }
}

/// Ends its ticket when its job is dropped undone.
struct Held(Arc<Ticket>);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.end(Err(gone(self.0.peer)), || {});
    }
}

/// Local memory of the caller, on another thread.
#[derive(Clone, Copy)]
struct Local(*mut u8);

// SAFETY: the poster keeps it valid until the ticket has ended, and it is touched under the ticket's lock.
unsafe impl Send for Local {}

impl Local {
    /// # Safety
    /// The ticket has not ended.
    unsafe fn fill(self, data: &[u8]) {
        // SAFETY: the caller's, for a ticket that has not ended.
        unsafe { copy(data.as_ptr(), self.0, data.len()) };
    }
}

/// The transport.
pub(crate) struct Direct {
    me: Weak<Self>,
    number: u64,
    node: Arc<Node>,
    nodes: Nodes,
    known: Mutex<HashMap<Peer, u64>>,
    used: Mutex<HashSet<Peer>>,
    tickets: Mutex<Vec<Arc<Ticket>>>,
}

impl Direct {
    /// A maker of transports that reach each other.
    pub(crate) fn make() -> Arc<dyn Make> {
        Arc::<Maker>::default()
    }

    fn start(nodes: &Nodes, peer: Peer, target: Weak<dyn Target>) -> Arc<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(1);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let (jobs, queue) = channel::<Job>();
        let node = Arc::new(Node { peer, target, jobs: Mutex::new(jobs), closed: AtomicBool::new(false) });
        let serving = Arc::clone(&node);
        std::thread::spawn(move || {
            while let Ok(job) = queue.recv() {
                job(&serving);
                if serving.closed.load(Ordering::Acquire) {
                    return;
                }
            }
        });
        nodes.lock().unwrap().insert(number, Arc::clone(&node));
        Arc::new_cyclic(|me| Self {
            me: Weak::clone(me),
            number,
            node,
            nodes: Arc::clone(nodes),
            known: Mutex::default(),
            used: Mutex::default(),
            tickets: Mutex::default(),
        })
    }

    fn node(&self, peer: Peer) -> Result<Arc<Node>> {
        if self.node.closed.load(Ordering::Acquire) {
            return Err(Error::new(Kind::NotConnected, "direct post").what("this transport is closed"));
        }
        let known = self.known.lock().unwrap().get(&peer).copied();
        let number = known.ok_or_else(|| {
            Error::new(Kind::NotConnected, "direct post").what(format!("{peer} is not introduced"))
        })?;
        let node = self.nodes.lock().unwrap().get(&number).cloned();
        match node {
            Some(node) if node.peer == peer => Ok(node),
            _ => {
                let reason = gone(peer);
                if let Some(target) = self.node.target.upgrade() {
                    target.lost(peer, &reason);
                }
                Err(reason)
            }
        }
    }

    /// Ends tickets past their deadline. Returns the next deadline, and the peers of the remaining tickets.
    fn expire(&self, peer: Option<Peer>) -> (Option<Instant>, Vec<Peer>) {
        let now = Instant::now();
        let mut tickets = self.tickets.lock().unwrap();
        tickets.retain(|ticket| {
            if ticket.deadline <= now {
                let late =
                    Error::new(Kind::Timeout, "direct").what(format!("{} does not answer", ticket.peer));
                ticket.end(Err(late), || {});
            }
            !*ticket.ended.lock().unwrap()
        });
        let left = tickets.iter().filter(|ticket| peer.is_none_or(|peer| peer == ticket.peer));
        (tickets.iter().map(|ticket| ticket.deadline).min(), left.map(|ticket| ticket.peer).collect())
    }

    fn end_all(&self, of: Option<Peer>) {
        for ticket in
            self.tickets.lock().unwrap().iter().filter(|ticket| of.is_none_or(|of| of == ticket.peer))
        {
            ticket.end(Err(gone(ticket.peer)), || {});
        }
    }

    /// The work of the peer's thread.
    fn job(&self, operation: &Operation<'_>, held: Held) -> Job {
        match *operation {
            Operation::Put { key, spans } => {
                let pieces = staged(key, spans);
                Box::new(move |node| held.0.end(write_all(node, &pieces), || {}))
            }
            // Posted as spans.
            Operation::PutStrided { .. } | Operation::GetStrided { .. } => Box::new(move |_| drop(held)),
            Operation::Signal { key, spans, signal, width, kind, value } => {
                let pieces = staged(key, spans);
                let atomic = kind.atomic(width, value);
                Box::new(move |node| {
                    let done = write_all(node, &pieces);
                    let done = done.and_then(|()| node.change(Remote { key, address: signal }, atomic));
                    held.0.end(done.map(|_| ()), || {});
                })
            }
            Operation::Get { key, spans } => {
                let spans: Vec<_> =
                    spans.iter().map(|span| (Local(span.local), span.address, span.bytes as usize)).collect();
                Box::new(move |node| {
                    let read = |(local, address, bytes): &(Local, u64, usize)| {
                        node.read(Remote { key, address: *address }, *bytes).map(|data| (*local, data))
                    };
                    match spans.iter().map(read).collect::<Result<Vec<_>>>() {
                        Err(error) => held.0.end(Err(error), || {}),
                        Ok(found) => held.0.end(Ok(()), || {
                            for (local, data) in found {
                                // SAFETY: called only for a ticket that has not ended.
                                unsafe { local.fill(&data) };
                            }
                        }),
                    }
                })
            }
            Operation::Atomic { at, atomic, old } => {
                let (local, width) = (Local(old), atomic.width);
                Box::new(move |node| match node.change(at, atomic) {
                    Err(error) => held.0.end(Err(error), || {}),
                    Ok(found) => held.0.end(Ok(()), || {
                        if !{ local }.0.is_null() {
                            // SAFETY: called only for a ticket that has not ended.
                            unsafe { width.write(found, local.0) };
                        }
                    }),
                })
            }
            Operation::Copy { from, to_peer, to_address, to, bytes } => {
                // An invalid address has no owner.
                let number = number(to_address).unwrap_or(0);
                let nodes = Arc::clone(&self.nodes);
                Box::new(move |node| {
                    let receiver = nodes.lock().unwrap().get(&number).cloned();
                    let receiver = receiver.filter(|receiver| receiver.peer == to_peer);
                    match (receiver, node.read(from, bytes as usize)) {
                        (None, _) => held.0.end(Err(gone(to_peer)), || {}),
                        (_, Err(error)) => held.0.end(Err(error), || {}),
                        (Some(receiver), Ok(data)) => {
                            receiver.give(Box::new(move |node| held.0.end(node.write(to, &data), || {})));
                        }
                    }
                })
            }
        }
    }
}

impl Transport for Direct {
    fn name(&self) -> &'static str {
        "direct"
    }

    fn capabilities(&self) -> Capabilities {
        [
            Capabilities::ATOMIC_32,
            Capabilities::ATOMIC_64,
            Capabilities::SIGNAL,
            Capabilities::REMOTE_COPY,
            Capabilities::MESSAGE,
            Capabilities::CANCEL,
            Capabilities::ORDERED,
        ]
        .into_iter()
        .fold(Capabilities::COPY, Capabilities::with)
    }

    fn address(&self) -> Vec<u8> {
        [b"direct", &self.number.to_le_bytes()[..]].concat()
    }

    fn introduce(&self, peer: Peer, address: &[u8]) -> Result<()> {
        let number = number(address)?;
        self.known.lock().unwrap().insert(peer, number);
        Ok(())
    }

    fn reach(&self, peer: Peer) -> Result<Reach> {
        match self.known.lock().unwrap().get(&peer) {
            Some(number) => Ok(Reach { path: format!("node {number}"), encrypted: false, score: 1 }),
            None => Err(gone(peer)),
        }
    }

    fn forget(&self, peer: Peer) {
        self.known.lock().unwrap().remove(&peer);
        self.used.lock().unwrap().remove(&peer);
        self.end_all(Some(peer));
    }

    unsafe fn expose(&self, _key: SegmentKey, _regions: &[Region]) -> Result<Vec<u8>> {
        Ok(Vec::new())
    }

    fn conceal(&self, _key: SegmentKey) {}

    fn attach(&self, _peer: Peer, _key: SegmentKey, description: &[u8]) -> Result<()> {
        if description.is_empty() {
            Ok(())
        } else {
            Err(Error::invalid("direct attach", "it needs no description"))
        }
    }

    fn detach(&self, _peer: Peer, _key: SegmentKey) {}

    fn route(&self, peer: Peer) -> Result<Arc<dyn PeerRoute>> {
        self.node(peer)?;
        Ok(Arc::new(DirectRoute { direct: Weak::clone(&self.me), peer }))
    }

    fn eager_bytes(&self) -> u64 {
        u64::MAX
    }

    fn wait(&self, completion: &Completion) -> Result<()> {
        loop {
            let (next, _) = self.expire(None);
            let soon = Instant::now() + Duration::from_millis(20);
            if completion.sleep(Some(next.map_or(soon, |next| next.min(soon)))) {
                return completion.outcome();
            }
        }
    }

    fn send(&self, peer: Peer, message: &[u8], _deadline: Instant) -> Result<()> {
        if message.is_empty() || message.len() > MESSAGE_BYTES_MAX {
            return Err(Error::invalid("direct send", format!("{} bytes are no message", message.len())));
        }
        let (from, message) = (self.node.peer, message.to_vec());
        self.used.lock().unwrap().insert(peer);
        self.node(peer)?.give(Box::new(move |node| {
            if let Some(target) = node.target.upgrade() {
                target.message(from, &message);
            }
        }));
        Ok(())
    }

    fn flush(&self, peer: Option<Peer>, deadline: Instant) -> Result<()> {
        loop {
            let (_, left) = self.expire(peer);
            let Some(slow) = left.first() else { return Ok(()) };
            if Instant::now() >= deadline {
                return Err(Error::new(Kind::Timeout, "direct flush").what(format!("{slow} is not done")));
            }
            std::thread::sleep(Duration::from_micros(50));
        }
    }

    fn close(&self) {
        if self.node.closed.swap(true, Ordering::AcqRel) {
            return;
        }
        self.nodes.lock().unwrap().remove(&self.number);
        // Wakes the thread, which sees that it is closed.
        self.node.give(Box::new(|_| {}));
        self.end_all(None);
    }

    fn usage(&self) -> Usage {
        Usage { connections: self.used.lock().unwrap().len(), bytes: 0, threads: 1 }
    }
}

struct DirectRoute {
    direct: Weak<Direct>,
    peer: Peer,
}

impl PeerRoute for DirectRoute {
    fn peer(&self) -> Peer {
        self.peer
    }

    unsafe fn post(
        &self,
        operation: &Operation<'_>,
        completion: &Arc<Completion>,
        deadline: Instant,
    ) -> Result<()> {
        let peer = self.peer;
        let direct = self.direct.upgrade().ok_or_else(|| gone(peer))?;
        operation.check(peer)?;
        let failed = |error| completion.fail(error);
        match *operation {
            Operation::PutStrided { key, strided } => {
                // SAFETY: the caller's, for the blocks of the operation.
                let put = |spans: &[Span]| unsafe {
                    self.post(&Operation::Put { key, spans }, completion, deadline)
                };
                return strided.post_spans(put, failed);
            }
            Operation::GetStrided { key, strided } => {
                // SAFETY: as above.
                let get = |spans: &[Span]| unsafe {
                    self.post(&Operation::Get { key, spans }, completion, deadline)
                };
                return strided.post_spans(get, failed);
            }
            _ => {}
        }
        let node = direct.node(peer)?;
        let ticket =
            Arc::new(Ticket { peer, deadline, completion: Arc::clone(completion), ended: Mutex::new(false) });
        completion.begin(1);
        let job = direct.job(operation, Held(Arc::clone(&ticket)));
        direct.used.lock().unwrap().insert(peer);
        direct.tickets.lock().unwrap().push(ticket);
        node.give(job);
        Ok(())
    }
}

fn gone(peer: Peer) -> Error {
    Error::new(Kind::NotConnected, "direct").what(format!("{peer} is gone"))
}

fn number(address: &[u8]) -> Result<u64> {
    let number = address.strip_prefix(b"direct").and_then(|number| number.try_into().ok());
    number
        .map(u64::from_le_bytes)
        .ok_or_else(|| Error::invalid("direct introduce", "no address of this transport"))
}

fn staged(key: SegmentKey, spans: &[Span]) -> Vec<(Remote, Vec<u8>)> {
    let stage = |span: &Span| {
        let mut data = vec![0; span.bytes as usize];
        // SAFETY: the poster vouches for the local range.
        unsafe { copy(span.local, data.as_mut_ptr(), data.len()) };
        (Remote { key, address: span.address }, data)
    };
    spans.iter().map(stage).collect()
}

fn write_all(node: &Node, pieces: &[(Remote, Vec<u8>)]) -> Result<()> {
    pieces.iter().try_for_each(|(at, data)| node.write(*at, data))
}

/// Copies by whole words where both ends allow it.
///
/// # Safety
/// Both ranges are valid and apart; others may read and write them meanwhile.
unsafe fn copy(from: *const u8, to: *mut u8, bytes: usize) {
    let words = if (from as usize | to as usize).is_multiple_of(8) { bytes / 8 } else { 0 };
    for word in 0..words {
        // SAFETY: aligned and inside the range.
        let value = unsafe { from.cast::<u64>().wrapping_add(word).read_volatile() };
        // SAFETY: as above.
        unsafe { to.cast::<u64>().wrapping_add(word).write_volatile(value) };
    }
    let done = words * 8;
    // SAFETY: the rest of both ranges.
    unsafe { to.wrapping_add(done).copy_from_nonoverlapping(from.wrapping_add(done), bytes - done) };
}

/// # Safety
/// `place` is an aligned word of this width.
unsafe fn change(place: *mut u8, atomic: Atomic) -> u64 {
    macro_rules! change {
        ($word:expr, $operand:expr, $compare:expr) => {
            match atomic.kind {
                AtomicKind::Add => $word.fetch_add($operand, Ordering::SeqCst),
                AtomicKind::And => $word.fetch_and($operand, Ordering::SeqCst),
                AtomicKind::Or => $word.fetch_or($operand, Ordering::SeqCst),
                AtomicKind::Xor => $word.fetch_xor($operand, Ordering::SeqCst),
                AtomicKind::Swap => $word.swap($operand, Ordering::SeqCst),
                AtomicKind::Fetch => $word.load(Ordering::SeqCst),
                AtomicKind::CompareSwap => {
                    let swap = $word.compare_exchange($compare, $operand, Ordering::SeqCst, Ordering::SeqCst);
                    swap.unwrap_or_else(|found| found)
                }
            }
        };
    }
    match atomic.width {
        Width::W64 => {
            // SAFETY: the caller's.
            let word = unsafe { AtomicU64::from_ptr(place.cast()) };
            change!(word, atomic.operand, atomic.compare)
        }
        Width::W32 => {
            // SAFETY: the caller's.
            let word = unsafe { AtomicU32::from_ptr(place.cast()) };
            u64::from(change!(word, atomic.operand as u32, atomic.compare as u32))
        }
    }
}
