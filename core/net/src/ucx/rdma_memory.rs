// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory for one-sided access by network cards: ours, registered, and the peers', by their keys.
//!
//! Only if a card copies by itself; all other requests go to the process that owns the memory, and need no
//! keys.

use std::collections::HashMap;

use mf_base::{Error, Result};
use mf_transport::{Peer, Region, SegmentKey};

use super::members::MemberId;
use super::wire::take;
use super::worker::{Endpoint, Memory, RemoteKey, Worker};

/// First bytes of a description.
const MAGIC: [u8; 4] = *b"MFK1";

/// A region of a peer.
struct Attached {
    address: u64,
    bytes: u64,
    packed: Vec<u8>,
    /// The number of the connection that it was unpacked for.
    unpacked: Option<(usize, RemoteKey)>,
}

/// Registered memory of the members, and the keys of their peers' memory.
pub(super) struct RdmaMemory {
    /// It is used without such a card, too: all peers are known to behave.
    is_always_used: bool,
    exposed: HashMap<(MemberId, SegmentKey), Vec<Memory>>,
    attached: HashMap<(MemberId, Peer, SegmentKey), Vec<Attached>>,
    /// Keys of connections that are being closed.
    stale: Vec<RemoteKey>,
}

impl RdmaMemory {
    pub(super) fn new(is_always_used: bool) -> Self {
        Self { is_always_used, exposed: HashMap::new(), attached: HashMap::new(), stale: Vec::new() }
    }

    /// Returns true if peers are trusted as a card is.
    pub(super) fn is_always_used(&self) -> bool {
        self.is_always_used
    }

    /// Registers memory under a key, instead of the former, if a card copies by itself. Returns its
    /// description.
    ///
    /// # Errors
    /// Refusals of libucp; the earlier registration stays then.
    ///
    /// # Safety
    /// The regions are mapped until [`conceal`](Self::conceal).
    pub(super) unsafe fn expose(
        &mut self,
        worker: &Worker,
        (member, key): (MemberId, SegmentKey),
        regions: &[Region],
    ) -> Result<Vec<u8>> {
        if !worker.has_rdma() && !self.is_always_used {
            return Ok(Vec::new());
        }
        let mut exposed = Vec::new();
        let mut description = MAGIC.to_vec();
        for region in regions.iter().filter(|region| region.is_host_memory && region.bytes > 0) {
            // SAFETY: mapped until `conceal`, by the caller.
            match unsafe { worker.map(region.address, region.bytes) } {
                Ok((memory, packed)) => {
                    exposed.push(memory);
                    description.extend(region.address.to_le_bytes());
                    description.extend(region.bytes.to_le_bytes());
                    description.extend(u32::try_from(packed.len()).unwrap_or(u32::MAX).to_le_bytes());
                    description.extend(packed);
                }
                Err(error) => {
                    exposed.into_iter().for_each(|memory| worker.unmap(memory));
                    return Err(error);
                }
            }
        }
        self.conceal(worker, member, key);
        self.exposed.insert((member, key), exposed);
        Ok(description)
    }

    /// Ends the registration under a key.
    pub(super) fn conceal(&mut self, worker: &Worker, member: MemberId, key: SegmentKey) {
        for memory in self.exposed.remove(&(member, key)).into_iter().flatten() {
            worker.unmap(memory);
        }
    }

    /// Ends all registrations of a member.
    pub(super) fn conceal_all(&mut self, worker: &Worker, member: MemberId) {
        let keys: Vec<_> = self.exposed.keys().copied().filter(|(of, _)| *of == member).collect();
        keys.into_iter().for_each(|(_, key)| self.conceal(worker, member, key));
    }

    /// Keeps the description of memory that a peer exposed, instead of the former under its key.
    ///
    /// # Errors
    /// `InvalidParam` if malformed.
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

    /// Ends [`attach`](Self::attach).
    pub(super) fn detach(&mut self, (member, peer): (MemberId, Peer), key: SegmentKey) {
        let gone = self.attached.remove(&(member, peer, key)).unwrap_or_default();
        // Operations with these keys may be in flight: they are destroyed with the connection, or now without
        // one.
        self.stale.extend(gone.into_iter().filter_map(|region| region.unpacked).map(|(_, key)| key));
    }

    /// Drops the descriptions of a peer after the end of its connection.
    pub(super) fn detach_peer(&mut self, member: MemberId, peer: Peer) {
        self.attached.retain(|(of, owner, _), _| (*of, *owner) != (member, peer));
    }

    /// Drops the descriptions of all peers of a member after the end of their connections.
    pub(super) fn detach_all(&mut self, member: MemberId) {
        self.attached.retain(|(of, ..), _| *of != member);
    }

    /// Returns true if no peer has exposed memory to cards.
    pub(super) fn is_empty(&self) -> bool {
        self.attached.is_empty()
    }

    /// Marks the keys of a connection that ends as stale.
    pub(super) fn forget_keys(&mut self, connection: usize) {
        for region in self.attached.values_mut().flatten() {
            if let Some((_, key)) = region.unpacked.take_if(|(number, _)| *number == connection) {
                self.stale.push(key);
            }
        }
    }

    /// Destroys stale keys: no connection is being closed.
    pub(super) fn destroy_stale_keys(&mut self, worker: &Worker) {
        self.stale.drain(..).for_each(|key| worker.forget_key(key));
    }

    /// Returns the key of a range of a peer for the connection, unpacked on first use; `None`: it is not
    /// attached.
    pub(super) fn key_for(
        &mut self,
        worker: &Worker,
        at: (MemberId, Peer, SegmentKey),
        (endpoint, connection): (Endpoint, usize),
        (address, bytes): (u64, u64),
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
                let key = worker.unpack(endpoint, &region.packed).ok()?;
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
