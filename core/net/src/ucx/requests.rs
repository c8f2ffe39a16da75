// SPDX-License-Identifier: Apache-2.0 OR MIT
//! State under the lock of the transport, and the parts in flight.
//!
//! An *operation* is a posted request; a *part* is one request to libucp for it. A part is over when libucp
//! does not touch its memory any more and, if it asks for an answer, when the answer has come, or is not
//! awaited any more. An operation is over with its last part; then its completion is notified. The caller
//! that starts parts holds one more, so that it is not over before all were started.

use mf_base::Error;
use mf_base::os::service::Health;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use mf_transport::{Peer, SegmentKey, Width};

use super::abi::Outcome;
use super::callbacks::Event;
use super::endpoints::{Link, LinkId};
use super::members::{Member, MemberId};
use super::memory::{Attached, Exposed};
use super::operations::Operation;
use super::serve::{Incoming, Jobs};
use super::slab::{Id, Slab};
use super::wire::{HEAD_BYTES, Head, NO_SIGNAL, Verb};
use super::worker::{Closing, RemoteKey, Worker};

/// Most parts in flight to one peer, and most of their bytes: bounds the peer's memory for arrivals.
pub(super) const PARTS_MAX: u32 = 1024;
pub(super) const BYTES_MAX: u64 = 8 << 20;
/// Most idle buffers.
const BUFFERS_MAX: usize = 32;

/// Everything that the lock of the transport protects.
pub(super) struct State {
    /// `None` after `close`.
    pub(super) worker: Option<Worker>,
    /// State of the thread that drives it.
    pub(super) health: Health,
    pub(super) members: Vec<Arc<Member>>,
    /// Members that have left.
    pub(super) departed: Vec<MemberId>,
    pub(super) next_member: MemberId,
    pub(super) always_one_sided: bool,
    pub(super) links: HashMap<LinkId, Link>,
    pub(super) by_peer: HashMap<(MemberId, Peer), LinkId>,
    pub(super) by_connection: HashMap<usize, LinkId>,
    pub(super) next_link: LinkId,
    pub(super) next_connection: usize,
    pub(super) operations: Slab<Operation>,
    pub(super) parts: Slab<Part>,
    /// Parts with memory that libucp still touches.
    pub(super) unsent: usize,
    /// Number of parts that ever had to wait in libucp.
    pub(super) delayed: u64,
    /// Number of the last operation.
    pub(super) posted: u64,
    pub(super) attached: HashMap<(MemberId, Peer, SegmentKey), Vec<Attached>>,
    pub(super) exposed: HashMap<(MemberId, SegmentKey), Exposed>,
    pub(super) incoming: VecDeque<Incoming>,
    /// A thread works off `incoming`, `jobs` and `lost`.
    pub(super) is_serving: bool,
    pub(super) jobs: Jobs,
    pub(super) lost: Vec<(Arc<Member>, Peer, Error)>,
    /// Connections that are being closed or drained.
    pub(super) closing: Vec<Closing>,
    /// Keys of connections that are being closed.
    pub(super) stale_keys: Vec<RemoteKey>,
    /// Number of ended parts and operations.
    pub(super) ended: u64,
    /// An empty list for the next thread that serves.
    pub(super) spare: VecDeque<Incoming>,
    pub(super) buffers: Vec<Vec<u8>>,
    /// An empty list for the next events.
    pub(super) events: Vec<Event>,
}

pub(super) struct Part {
    pub(super) operation: Option<Id>,
    pub(super) link: LinkId,
    /// At a fixed address while libucp needs it.
    head: [u8; HEAD_BYTES],
    buffer: Vec<u8>,
    bytes: u64,
    /// Its memory, beside the head, is the caller's.
    pub(super) borrows: bool,
    /// libucp may touch its memory.
    pub(super) sending: bool,
    /// An answer must come.
    pub(super) waiting: bool,
    pub(super) want: Want,
}

/// Content of the answer, and its destination.
#[derive(Clone, Copy)]
pub(super) enum Want {
    Nothing,
    Data(*mut u8, u64),
    Old(*mut u8, Width),
}

// SAFETY: the places belong to the caller that posted the operation, which leaves them to the transport until
// it is over.
unsafe impl Send for Want {}

/// The data of a message.
pub(super) enum Payload {
    None,
    /// Memory of the caller, or behind a raw pointer that stays until the part is over.
    There(*const u8, u64),
    Owned(Vec<u8>),
}

impl State {
    pub(super) fn new(worker: Worker, always_one_sided: bool) -> Self {
        Self {
            worker: Some(worker),
            health: Health::new(),
            members: Vec::new(),
            departed: Vec::new(),
            next_member: 0,
            always_one_sided,
            links: HashMap::new(),
            by_peer: HashMap::new(),
            by_connection: HashMap::new(),
            next_link: 0,
            next_connection: 0,
            operations: Slab::new(),
            parts: Slab::new(),
            unsent: 0,
            delayed: 0,
            posted: 0,
            attached: HashMap::new(),
            exposed: HashMap::new(),
            incoming: VecDeque::new(),
            is_serving: false,
            jobs: Jobs::default(),
            lost: Vec::new(),
            closing: Vec::new(),
            stale_keys: Vec::new(),
            ended: 0,
            spare: VecDeque::new(),
            buffers: Vec::new(),
            events: Vec::new(),
        }
    }

    /// Returns true if another part to this peer fits.
    pub(super) fn has_room(&self, link: LinkId) -> bool {
        self.links.get(&link).is_none_or(|link| link.parts < PARTS_MAX && link.bytes < BYTES_MAX)
    }

    /// Starts a request with an answer that only confirms it.
    pub(super) fn start_request(&mut self, operation: Id, head: Head) {
        self.start(operation, head, Payload::None, Want::Nothing);
    }

    /// Starts a part that is answered, unless the operation has failed.
    pub(super) fn start(&mut self, operation: Id, head: Head, payload: Payload, want: Want) {
        if !self.is_well(operation) {
            return;
        }
        let Some(link) = self.operations.get_mut(operation).map(|operation| {
            operation.remaining += 1;
            operation.link
        }) else {
            return;
        };
        self.send(Some(operation), link, head, payload, want);
    }

    /// Starts a message that is not answered.
    pub(super) fn start_silent(&mut self, link: LinkId, head: Head, data: Vec<u8>) {
        self.send(None, link, head, Payload::Owned(data), Want::Nothing);
    }

    fn send(&mut self, operation: Option<Id>, id: LinkId, mut head: Head, payload: Payload, want: Want) {
        let (start, bytes, buffer, borrows) = match payload {
            Payload::None => (std::ptr::null(), 0, Vec::new(), false),
            Payload::There(start, bytes) => (start, bytes, Vec::new(), true),
            Payload::Owned(buffer) => (buffer.as_ptr(), buffer.len() as u64, buffer, false),
        };
        let counted = if let Want::Data(_, wanted) = want { wanted } else { bytes };
        let part = self.insert_part(Part {
            operation,
            link: id,
            head: [0; HEAD_BYTES],
            buffer,
            bytes: counted,
            borrows,
            sending: false,
            waiting: operation.is_some(),
            want,
        });
        let endpoint = match self.connected(id) {
            Ok(endpoint) => endpoint,
            Err(error) => return self.part_failed(part, error),
        };
        if operation.is_some() {
            head.id = part;
        }
        let (Some(worker), Some(link), Some(place)) =
            (&self.worker, self.links.get(&id), self.parts.get_mut(part))
        else {
            return;
        };
        let guarded = link.connection.as_ref().is_some_and(|connection| connection.guarded);
        let start = if place.borrows && !guarded {
            // libucp could not be made to let go of the caller's memory.
            let length = usize::try_from(bytes).unwrap_or(usize::MAX);
            place.buffer.reserve(length);
            // SAFETY: the caller's memory has this length, and the buffer has room for it.
            unsafe { mf_device::engine::copy(start, place.buffer.as_mut_ptr(), length) };
            place.borrows = false;
            place.buffer.as_ptr()
        } else {
            start
        };
        (head.from, head.to) = (link.member.me, link.peer.session);
        head.connection = link.connection.as_ref().map_or(0, |connection| connection.number as u64);
        place.head = head.encode(&link.secret);
        // The address space is not larger.
        let length = usize::try_from(bytes).unwrap_or(usize::MAX);
        // SAFETY: the head lies in the part and the data in its buffer or with the caller, until the part is
        // over, which is not before libucp has noted that it was sent.
        let outcome = unsafe { worker.send(endpoint, &raw const place.head, start, length, part) };
        self.started(part, outcome);
    }

    /// Starts small pieces of a put.
    pub(super) fn start_pieces(&mut self, operation: Id, key: SegmentKey, data: Vec<u8>) {
        let mut head = Head::new(Verb::Pieces);
        (head.key, head.flags) = (key, NO_SIGNAL);
        self.start(operation, head, Payload::Owned(data), Want::Nothing);
    }

    /// Starts a part that libucp does alone, unless the operation has failed.
    pub(super) fn start_one_sided(
        &mut self,
        operation: Id,
        bytes: u64,
        run: impl FnOnce(&Worker, Id) -> Outcome,
    ) {
        if !self.is_well(operation) {
            return;
        }
        let Some(id) = self.operations.get_mut(operation).map(|operation| {
            operation.remaining += 1;
            operation.link
        }) else {
            return;
        };
        let part = self.insert_part(Part {
            operation: Some(operation),
            link: id,
            head: [0; HEAD_BYTES],
            buffer: Vec::new(),
            bytes,
            borrows: true,
            sending: false,
            waiting: false,
            want: Want::Nothing,
        });
        let Some(worker) = &self.worker else { return };
        let outcome = run(worker, part);
        self.started(part, outcome);
    }

    fn insert_part(&mut self, part: Part) -> Id {
        if let Some(link) = self.links.get_mut(&part.link) {
            link.parts += 1;
            link.bytes += part.bytes;
        }
        self.parts.insert(part)
    }

    fn started(&mut self, part: Id, outcome: Outcome) {
        match outcome {
            Outcome::Done => self.over_if_nothing_is_left(part),
            Outcome::Pending(_) => {
                self.unsent += 1;
                self.delayed += 1;
                if let Some(part) = self.parts.get_mut(part) {
                    part.sending = true;
                }
            }
            Outcome::Refused(status) => {
                let link = self.parts.get_mut(part).map_or(0, |part| part.link);
                let error = self.broken(link, status);
                self.part_failed(part, error);
            }
        }
    }

    /// It does not wait any more, and its operation has failed.
    pub(super) fn part_failed(&mut self, id: Id, error: Error) {
        let Some(part) = self.parts.get_mut(id) else { return };
        let operation = part.operation;
        self.operation_failed(operation, error);
        self.give_up(id);
    }

    /// Gives up an awaited part. If libucp still needs its memory, and that is not the caller's, it goes on
    /// alone.
    pub(super) fn give_up(&mut self, id: Id) {
        let Some(part) = self.parts.get_mut(id) else { return };
        if std::mem::take(&mut part.waiting)
            && let Some(link) = self.links.get_mut(&part.link)
        {
            link.unanswered = Some(self.posted);
        }
        if part.sending && !part.borrows {
            if let Some(operation) = part.operation.take() {
                self.part_is_over(operation);
            }
        } else {
            self.over_if_nothing_is_left(id);
        }
    }

    pub(super) fn over_if_nothing_is_left(&mut self, id: Id) {
        let Some(part) = self.parts.get_mut(id) else { return };
        if part.sending || part.waiting {
            return;
        }
        let Some(part) = self.parts.remove(id) else { return };
        let (operation, link, bytes) = (part.operation, part.link, part.bytes);
        let buffer = std::mem::take(&mut part.buffer);
        self.ended += 1;
        if let Some(link) = self.links.get_mut(&link) {
            link.parts = link.parts.saturating_sub(1);
            link.bytes = link.bytes.saturating_sub(bytes);
        }
        self.give_back(buffer);
        if let Some(operation) = operation {
            self.part_is_over(operation);
        }
    }

    /// Ends all parts in flight to a peer.
    pub(super) fn end_all_of(&mut self, link: LinkId, error: &dyn Fn() -> Error) {
        let parts = self.parts.iter().filter(|(_, part)| part.link == link);
        let parts: Vec<Id> = parts.map(|(id, _)| id).collect();
        for part in parts {
            self.part_failed(part, error());
        }
    }

    /// A buffer of at least `bytes`, empty.
    pub(super) fn buffer(&mut self, bytes: usize) -> Vec<u8> {
        let mut buffer = self.buffers.pop().unwrap_or_default();
        buffer.clear();
        buffer.reserve(bytes);
        buffer
    }

    fn give_back(&mut self, buffer: Vec<u8>) {
        if buffer.capacity() > 0 && self.buffers.len() < BUFFERS_MAX {
            self.buffers.push(buffer);
        }
    }

    /// Memory of tables and buffers.
    pub(super) fn bytes(&self) -> usize {
        let buffers: usize = self.buffers.iter().map(Vec::capacity).sum();
        let links: usize = self.links.values().map(|link| size_of::<Link>() + link.address.len()).sum();
        buffers + links + self.operations.bytes() + self.parts.bytes()
    }
}
