// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One-sided copies: a network card reads and writes the memory of a peer by itself.

use mf_transport::{SegmentKey, Span};

use super::WorkerState;
use crate::ucx::abi::{self, Outcome};
use crate::ucx::links::LinkId;
use crate::ucx::members::MemberId;
use crate::ucx::slab::Id;
use crate::ucx::wire::Verb;
use crate::ucx::worker::{Endpoint, RemoteKey};

impl WorkerState {
    /// Ends the registration of memory of a member.
    pub(in crate::ucx) fn conceal(&mut self, member: MemberId, key: SegmentKey) {
        if let Some(worker) = &self.worker {
            self.memory.conceal(worker, member, key);
        }
    }

    /// Returns the key and address by which a card reaches this range of the peer by itself; `None`: the peer
    /// must be asked.
    pub(in crate::ucx) fn one_sided(
        &mut self,
        id: LinkId,
        key: SegmentKey,
        address: u64,
        bytes: u64,
    ) -> Option<(Endpoint, RemoteKey)> {
        if self.memory.is_empty() {
            return None;
        }
        let endpoint = self.connected(id).ok()?;
        let link = self.links.get(id).filter(|link| link.unanswered.is_none())?;
        let connection = link.connection().filter(|connection| connection.copies_by_itself)?;
        let (at, connection) = ((link.member.id, link.peer, key), (endpoint, connection.number));
        let worker = self.worker.as_ref()?;
        Some((endpoint, self.memory.key_for(worker, at, connection, (address, bytes))?))
    }

    /// Puts or gets a span by itself. Returns false if libucp refuses: it cannot register the local memory
    /// (a read-only mapping, a limit of locked memory), and the owner must be asked.
    ///
    /// # Safety
    /// The span is valid for reading, or for writing when it is got, until the operation is over.
    pub(in crate::ucx) unsafe fn copy_one_sided(
        &mut self,
        verb: Verb,
        (link, operation): (LinkId, Id),
        key: SegmentKey,
        span: &Span,
    ) -> bool {
        let Some((endpoint, remote)) = self.one_sided(link, key, span.address, span.bytes) else {
            self.fail(operation, link);
            return true;
        };
        let (length, at) = (usize::try_from(span.bytes).unwrap_or(usize::MAX), (span.address, remote));
        let begun = self.begin_one_sided(operation, span.bytes, |worker, part| match verb {
            // SAFETY: valid until the operation is over, by the caller.
            Verb::Put => unsafe { worker.put(endpoint, span.local.cast_const(), length, at, part) },
            // SAFETY: as above.
            _ => unsafe { worker.get(endpoint, span.local, length, at, part) },
        });
        match begun {
            Some((part, Outcome::Refused(_))) => {
                self.over_if_nothing_is_left(part);
                false
            }
            Some((part, outcome)) => {
                self.started(part, outcome);
                true
            }
            None => true,
        }
    }

    /// Ends when all that was put on this connection is in the memory of the peer.
    pub(in crate::ucx) fn flush_one_sided(&mut self, operation: Id, link: LinkId, number: usize) {
        let connection = self.links.connection(link).filter(|connection| connection.number == number);
        let Some(endpoint) = connection.map(|connection| connection.endpoint) else {
            return self.fail(operation, link);
        };
        let begun = self.begin_one_sided(operation, 0, |worker, part| worker.flush(endpoint, part));
        if let Some((part, outcome)) = begun {
            self.started(part, outcome);
        }
    }

    /// The connection went while the parts of an operation were being started.
    fn fail(&mut self, operation: Id, link: LinkId) {
        let error = self.broken(link, abi::CANCELED);
        self.operations.fail(operation, error);
    }
}
