// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Parts in flight: each is one request to libucp.
//!
//! A part is over when libucp does not touch its memory any more and, if it asks for an answer, when the
//! answer has come, or is not awaited any more.

use mf_transport::Width;

use super::buffers::BufferPool;
use super::links::LinkId;
use super::slab::{Id, Slab};
use super::wire::HEAD_BYTES;

pub(super) struct Part {
    pub(super) operation: Option<Id>,
    pub(super) link: LinkId,
    /// At a fixed address while libucp needs it.
    pub(super) head: [u8; HEAD_BYTES],
    pub(super) buffer: Vec<u8>,
    pub(super) bytes: u64,
    /// Its memory, beside the head, is the caller's.
    pub(super) borrows: bool,
    /// libucp may touch its memory.
    pub(super) sending: bool,
    /// An answer must come.
    pub(super) waiting: bool,
    pub(super) want: Want,
}

impl Part {
    /// Copies data of the caller into the part's own buffer, and returns where it is now.
    ///
    /// # Safety
    /// `start` is valid for reading `bytes`.
    pub(super) unsafe fn copy_data(
        &mut self,
        buffers: &mut BufferPool,
        start: *const u8,
        bytes: usize,
    ) -> *const u8 {
        self.buffer = buffers.take(bytes);
        // SAFETY: valid, by the caller; the buffer has room.
        unsafe { mf_device::engine::copy(start, self.buffer.as_mut_ptr(), bytes) };
        self.borrows = false;
        self.buffer.as_ptr()
    }
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

/// The parts in flight.
pub(super) struct Parts {
    all: Slab<Part>,
    /// Parts with memory that libucp still touches.
    unsent: usize,
    /// Number of parts that ever had to wait in libucp.
    delayed: u64,
}

impl Parts {
    pub(super) const fn new() -> Self {
        Self { all: Slab::new(), unsent: 0, delayed: 0 }
    }

    pub(super) fn insert(&mut self, part: Part) -> Id {
        self.all.insert(part)
    }

    pub(super) fn get_mut(&mut self, id: Id) -> Option<&mut Part> {
        self.all.get_mut(id)
    }

    /// Notes that libucp keeps a part, and its memory, for later.
    pub(super) fn keep(&mut self, id: Id) {
        self.unsent += 1;
        self.delayed += 1;
        if let Some(part) = self.all.get_mut(id) {
            part.sending = true;
        }
    }

    /// Notes that libucp does not touch the memory of a part any more. Returns the link.
    pub(super) fn sent(&mut self, id: Id) -> Option<LinkId> {
        self.unsent = self.unsent.saturating_sub(1);
        let part = self.all.get_mut(id)?;
        part.sending = false;
        Some(part.link)
    }

    /// Removes a part that is over; it can be read once more.
    pub(super) fn take_over(&mut self, id: Id) -> Option<&mut Part> {
        let part = self.all.get_mut(id)?;
        if part.sending || part.waiting { None } else { self.all.remove(id) }
    }

    /// Returns the parts to a peer.
    pub(super) fn of_link(&self, link: LinkId) -> Vec<Id> {
        self.all.iter().filter(|(_, part)| part.link == link).map(|(id, _)| id).collect()
    }

    /// Returns the parts of an operation, each with true if libucp may touch memory of the caller for it.
    pub(super) fn of_operation(&self, operation: Id) -> Vec<(Id, bool)> {
        let parts = self.all.iter().filter(|(_, part)| part.operation == Some(operation));
        parts.map(|(id, part)| (id, part.sending && part.borrows)).collect()
    }

    /// Returns true if libucp may touch memory for these peers.
    pub(super) fn has_unsent(&self, links: &[LinkId]) -> bool {
        self.unsent > 0 && self.all.iter().any(|(_, part)| part.sending && links.contains(&part.link))
    }

    /// Number of parts with memory that libucp may touch.
    pub(super) fn unsent(&self) -> usize {
        self.unsent
    }

    /// Number of parts that ever had to wait in libucp.
    pub(super) fn delayed(&self) -> u64 {
        self.delayed
    }

    /// Returns all parts, as sent: nothing drives libucp any more.
    pub(super) fn abandon(&mut self) -> Vec<Id> {
        let all: Vec<Id> = self.all.iter().map(|(id, _)| id).collect();
        for id in &all {
            if let Some(part) = self.all.get_mut(*id) {
                part.sending = false;
            }
        }
        all
    }

    /// Leaks the memory of all parts, because libucp may still read it.
    pub(super) fn leak(&mut self) {
        std::mem::forget(std::mem::replace(&mut self.all, Slab::new()));
    }

    /// Memory of the table.
    pub(super) fn bytes(&self) -> usize {
        self.all.bytes()
    }
}
