// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Sending: each part becomes one request to libucp.

use super::WorkerState;
use crate::ucx::abi::Outcome;
use crate::ucx::links::LinkId;
use crate::ucx::parts::{Part, Payload, Want};
use crate::ucx::slab::Id;
use crate::ucx::wire::{HEAD_BYTES, Head, NO_SIGNAL, Verb};
use crate::ucx::worker::Worker;
use mf_transport::SegmentKey;

impl WorkerState {
    /// Starts a request with an answer that only confirms it.
    pub(super) fn start_request(&mut self, operation: Id, head: Head) {
        self.start(operation, head, Payload::None, Want::Nothing);
    }

    /// Starts a part that is answered, unless the operation has failed.
    pub(in crate::ucx) fn start(&mut self, operation: Id, head: Head, payload: Payload, want: Want) {
        if let Some(link) = self.operations.part_began(operation) {
            self.send(Some(operation), link, head, payload, want);
        }
    }

    /// Starts a message that is not answered.
    pub(in crate::ucx) fn start_silent(&mut self, link: LinkId, head: Head, data: Vec<u8>) {
        self.send(None, link, head, Payload::Owned(data), Want::Nothing);
    }

    /// Starts small pieces of a put.
    pub(in crate::ucx) fn start_pieces(&mut self, operation: Id, key: SegmentKey, data: Vec<u8>) {
        let mut head = Head::new(Verb::Pieces);
        (head.key, head.flags) = (key, NO_SIGNAL);
        self.start(operation, head, Payload::Owned(data), Want::Nothing);
    }

    /// Begins a part that libucp does alone, unless the operation has failed.
    pub(super) fn begin_one_sided(
        &mut self,
        operation: Id,
        bytes: u64,
        run: impl FnOnce(&Worker, Id) -> Outcome,
    ) -> Option<(Id, Outcome)> {
        let link = self.operations.part_began(operation)?;
        let part = self.insert_part(Part {
            operation: Some(operation),
            link,
            head: [0; HEAD_BYTES],
            buffer: Vec::new(),
            bytes,
            borrows: true,
            sending: false,
            waiting: false,
            want: Want::Nothing,
        });
        let worker = self.worker.as_ref()?;
        Some((part, run(worker, part)))
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
            (&self.worker, self.links.get(id), self.parts.get_mut(part))
        else {
            return;
        };
        // The address space is not larger.
        let length = usize::try_from(bytes).unwrap_or(usize::MAX);
        let revocable = link.connection().is_some_and(|connection| connection.revocable);
        let start = if place.borrows && !revocable {
            // libucp could not be made to let go of the caller's memory.
            // SAFETY: the caller's memory has this length.
            unsafe { place.copy_data(&mut self.buffers, start, length) }
        } else {
            start
        };
        (head.from, head.to) = (link.member.me, link.peer.session);
        head.connection = link.connection().map_or(0, |connection| connection.number as u64);
        place.head = head.encode(&link.secret);
        // SAFETY: the head lies in the part and the data in its buffer or with the caller, until the part is
        // over, which is not before libucp has noted that it was sent.
        let mut outcome = unsafe { worker.send(endpoint, &raw const place.head, start, length, part) };
        if matches!(outcome, Outcome::Refused(_)) && place.borrows {
            // libucp cannot register the caller's memory, as of a read-only mapping: it gets a copy.
            // SAFETY: the caller's memory has this length.
            let start = unsafe { place.copy_data(&mut self.buffers, start, length) };
            // SAFETY: as above; the data lies in the part's buffer.
            outcome = unsafe { worker.send(endpoint, &raw const place.head, start, length, part) };
        }
        self.started(part, outcome);
    }

    fn insert_part(&mut self, part: Part) -> Id {
        self.links.part_began(part.link, part.bytes);
        self.parts.insert(part)
    }

    pub(super) fn started(&mut self, part: Id, outcome: Outcome) {
        match outcome {
            Outcome::Done => self.over_if_nothing_is_left(part),
            Outcome::Pending(_) => self.parts.keep(part),
            Outcome::Refused(status) => {
                let link = self.parts.get_mut(part).map_or(0, |part| part.link);
                let error = self.broken(link, status);
                self.part_failed(part, error);
            }
        }
    }
}
