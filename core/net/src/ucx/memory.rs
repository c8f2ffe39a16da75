// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory for one-sided access by network cards: ours, registered, and the peers', by their keys.
//!
//! Only if a card copies by itself; all other requests go to the process that owns the memory, and need no
//! keys.

use mf_base::{Error, Result};
use mf_transport::{Peer, Region, SegmentKey, Span};

use super::endpoints::LinkId;
use super::members::MemberId;
use super::requests::State;
use super::slab::Id;
use super::wire::{Verb, take};
use super::worker::{Endpoint, Memory, RemoteKey};

/// First bytes of a description.
const MAGIC: [u8; 4] = *b"MFK1";

/// Registered memory of a key.
#[derive(Default)]
pub(super) struct Exposed(Vec<Memory>);

/// A region of a peer.
pub(super) struct Attached {
    address: u64,
    bytes: u64,
    packed: Vec<u8>,
    /// The number of the connection that it was unpacked for.
    unpacked: Option<(usize, RemoteKey)>,
}

impl State {
    /// # Errors
    /// Refusals of libucp; the earlier registration stays then.
    ///
    /// # Safety
    /// The regions are mapped until [`conceal`](Self::conceal).
    pub(super) unsafe fn expose(
        &mut self,
        member: MemberId,
        key: SegmentKey,
        regions: &[Region],
    ) -> Result<Vec<u8>> {
        let Some(worker) = &self.worker else { return Ok(Vec::new()) };
        if !worker.has_rdma() && !self.always_one_sided {
            return Ok(Vec::new());
        }
        let mut exposed = Exposed::default();
        let mut description = MAGIC.to_vec();
        for region in regions.iter().filter(|region| region.is_host_memory && region.bytes > 0) {
            // SAFETY: mapped until `conceal`, by the caller.
            match unsafe { worker.map(region.address, region.bytes) } {
                Ok((memory, packed)) => {
                    exposed.0.push(memory);
                    description.extend(region.address.to_le_bytes());
                    description.extend(region.bytes.to_le_bytes());
                    description.extend(u32::try_from(packed.len()).unwrap_or(u32::MAX).to_le_bytes());
                    description.extend(packed);
                }
                Err(error) => {
                    exposed.0.drain(..).for_each(|memory| worker.unmap(memory));
                    return Err(error);
                }
            }
        }
        self.conceal(member, key);
        self.exposed.insert((member, key), exposed);
        Ok(description)
    }

    pub(super) fn conceal(&mut self, member: MemberId, key: SegmentKey) {
        if let (Some(exposed), Some(worker)) = (self.exposed.remove(&(member, key)), &self.worker) {
            exposed.0.into_iter().for_each(|memory| worker.unmap(memory));
        }
    }

    pub(super) fn conceal_all(&mut self, member: MemberId) {
        let keys: Vec<_> = self.exposed.keys().copied().filter(|(of, _)| *of == member).collect();
        keys.into_iter().for_each(|(_, key)| self.conceal(member, key));
    }

    pub(super) fn attach(
        &mut self,
        (member, peer): (MemberId, Peer),
        key: SegmentKey,
        description: &[u8],
    ) -> Result<()> {
        let regions = parse(description)?;
        self.detach((member, peer), key);
        if !regions.is_empty() {
            self.attached.insert((member, peer, key), regions);
        }
        Ok(())
    }

    pub(super) fn detach(&mut self, (member, peer): (MemberId, Peer), key: SegmentKey) {
        let gone = self.attached.remove(&(member, peer, key)).unwrap_or_default();
        // Operations with these keys may be in flight: they are destroyed with the connection, or now without
        // one.
        self.stale_keys.extend(gone.into_iter().filter_map(|region| region.unpacked).map(|(_, key)| key));
    }

    /// The keys of a connection that ends.
    pub(super) fn forget_keys(&mut self, connection: usize) {
        for region in self.attached.values_mut().flatten() {
            if let Some((_, key)) = region.unpacked.take_if(|(number, _)| *number == connection) {
                self.stale_keys.push(key);
            }
        }
    }

    /// Returns the key and address by which a card reaches this range of the peer by itself; `None`: the peer
    /// must be asked.
    pub(super) fn one_sided(
        &mut self,
        id: LinkId,
        key: SegmentKey,
        address: u64,
        bytes: u64,
    ) -> Option<(Endpoint, RemoteKey)> {
        if self.attached.is_empty() {
            return None;
        }
        let endpoint = self.connected(id).ok()?;
        let link = self.links.get(&id).filter(|link| link.unanswered.is_none())?;
        let connection = link.connection.as_ref().filter(|connection| connection.copies_by_itself)?;
        let (at, number) = ((link.member.id, link.peer, key), connection.number);
        Some((endpoint, self.key_for(at, (endpoint, number), address, bytes)?))
    }

    /// Puts or gets a span by itself.
    ///
    /// # Safety
    /// The span is valid for reading, or for writing when it is got, until the operation is over.
    pub(super) unsafe fn copy_one_sided(
        &mut self,
        verb: Verb,
        (link, operation): (LinkId, Id),
        key: SegmentKey,
        span: &Span,
    ) {
        let Some((endpoint, remote)) = self.one_sided(link, key, span.address, span.bytes) else {
            return self.fail(operation, link);
        };
        let (length, at) = (usize::try_from(span.bytes).unwrap_or(usize::MAX), (span.address, remote));
        self.start_one_sided(operation, span.bytes, |worker, part| match verb {
            // SAFETY: valid until the operation is over, by the caller.
            Verb::Put => unsafe { worker.put(endpoint, span.local.cast_const(), length, at, part) },
            // SAFETY: as above.
            _ => unsafe { worker.get(endpoint, span.local, length, at, part) },
        });
    }

    /// The number of the connection to a peer.
    pub(super) fn connection_of(&self, link: LinkId) -> Option<usize> {
        self.links.get(&link)?.connection.as_ref().map(|connection| connection.number)
    }

    /// Ends when all that was put on this connection is in the memory of the peer.
    pub(super) fn flush_one_sided(&mut self, operation: Id, link: LinkId, number: usize) {
        let connection = self.links.get(&link).and_then(|link| link.connection.as_ref());
        let connection = connection.filter(|connection| connection.number == number);
        let Some(endpoint) = connection.map(|connection| connection.endpoint) else {
            return self.fail(operation, link);
        };
        self.start_one_sided(operation, 0, |worker, part| worker.flush(endpoint, part));
    }

    /// The connection went while the parts of an operation were being started.
    fn fail(&mut self, operation: Id, link: LinkId) {
        let error = self.broken(link, super::abi::CANCELED);
        self.operation_failed(Some(operation), error);
    }

    fn key_for(
        &mut self,
        at: (MemberId, Peer, SegmentKey),
        (endpoint, connection): (Endpoint, usize),
        address: u64,
        bytes: u64,
    ) -> Option<RemoteKey> {
        let regions = self.attached.get_mut(&at)?;
        let region = regions.iter_mut().find(|region| {
            address
                .checked_sub(region.address)
                .is_some_and(|offset| offset.checked_add(bytes).is_some_and(|end| end <= region.bytes))
        })?;
        match region.unpacked {
            Some((number, key)) if number == connection => Some(key),
            _ => {
                let key = self.worker.as_ref()?.unpack(endpoint, &region.packed).ok()?;
                region.unpacked = Some((connection, key));
                Some(key)
            }
        }
    }
}

fn parse(description: &[u8]) -> Result<Vec<Attached>> {
    let foreign =
        || Error::invalid("ucx attach", "this does not describe segments").with("bytes", description.len());
    let mut regions = Vec::new();
    let mut rest = description;
    if rest.is_empty() {
        return Ok(regions);
    }
    if take(&mut rest) != Some(MAGIC) {
        return Err(foreign());
    }
    while !rest.is_empty() {
        let region = (|| {
            let address = u64::from_le_bytes(take(&mut rest)?);
            let bytes = u64::from_le_bytes(take(&mut rest)?);
            let length = usize::try_from(u32::from_le_bytes(take(&mut rest)?)).ok()?;
            let (packed, others) = rest.split_at_checked(length)?;
            rest = others;
            (length > 0).then(|| Attached { address, bytes, packed: packed.to_vec(), unpacked: None })
        })();
        regions.push(region.ok_or_else(foreign)?);
    }
    Ok(regions)
}

/// Reads a description, for a fuzz target.
#[cfg(feature = "fuzzing")]
pub(super) fn check(description: &[u8]) {
    let _ = parse(description);
}

/// A description to start from.
#[cfg(feature = "fuzzing")]
pub(super) fn seed() -> Vec<u8> {
    let key = [3; 8];
    [&MAGIC[..], &(1u64 << 44).to_le_bytes(), &(2u64 << 20).to_le_bytes(), &8u32.to_le_bytes(), &key].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truncated_or_foreign_descriptions_are_refused() {
        let mut text = MAGIC.to_vec();
        text.extend(64_u64.to_le_bytes());
        text.extend(4096_u64.to_le_bytes());
        text.extend(2_u32.to_le_bytes());
        text.extend([7, 8]);
        assert_eq!(parse(&text).unwrap()[0].packed, [7, 8]);
        for end in 5..text.len() {
            assert!(parse(&text[..end]).is_err(), "{end}");
        }
        assert!(parse(b"something else").is_err());
        assert!(parse(b"").unwrap().is_empty());
    }
}
