// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Whose memory others may reach: contributors by key.
//!
//! An entry is used under its read lock and taken away under its write lock, so that a contributor may end as soon as
//! [`Registry::remove`] has returned.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use mf_base::{Error, Kind, Result};

use super::network::KEY_BYTES;
use super::{Peer, SegmentKey, Spot, Target};
use crate::space::Access;

/// Who contributes memory under a key.
pub trait Contributor: Send + Sync {
    /// As [`Target::access`], for this contributor's key.
    ///
    /// # Errors
    /// As there.
    fn access(&self, address: u64, bytes: u64, access: Access, touch: &mut dyn FnMut(Spot<'_>))
    -> Result<()>;

    /// A message for this contributor. Must not block.
    fn message(&self, from: Peer, message: &[u8]);
}

/// A contributor that its owner keeps valid.
struct Entry(*const dyn Contributor);

// SAFETY: contributors are `Send` and `Sync`, and the owner keeps them valid until the entry is gone.
unsafe impl Send for Entry {}
// SAFETY: as for `Send`.
unsafe impl Sync for Entry {}

type Slot = Arc<RwLock<Option<Entry>>>;

#[derive(Default)]
pub(super) struct Registry {
    slots: RwLock<HashMap<SegmentKey, Slot>>,
}

impl Registry {
    /// # Safety
    /// `contributor` is valid until [`remove`](Self::remove) has returned.
    pub(super) unsafe fn insert(&self, key: SegmentKey, contributor: *const dyn Contributor) {
        let slot = Arc::new(RwLock::new(Some(Entry(contributor))));
        self.slots.write().unwrap_or_else(PoisonError::into_inner).insert(key, slot);
    }

    /// When this returns the contributor is not used any more. Not to be called by a contributor that is being used.
    pub(super) fn remove(&self, key: SegmentKey) {
        let slot = self.slots.write().unwrap_or_else(PoisonError::into_inner).remove(&key);
        if let Some(slot) = slot {
            slot.write().unwrap_or_else(PoisonError::into_inner).take();
        }
    }

    /// Runs `using` with the contributor of `key`; `None` when there is none.
    fn with<T>(&self, key: SegmentKey, using: impl FnOnce(&dyn Contributor) -> T) -> Option<T> {
        let slot = Arc::clone(self.slots.read().unwrap_or_else(PoisonError::into_inner).get(&key)?);
        let entry = slot.read().unwrap_or_else(PoisonError::into_inner);
        let Entry(contributor) = entry.as_ref()?;
        // SAFETY: `insert` was promised that it is valid while the entry is there, and `remove` waits for this lock.
        Some(using(unsafe { &**contributor }))
    }
}

impl Target for Registry {
    fn access(
        &self,
        key: SegmentKey,
        address: u64,
        bytes: u64,
        access: Access,
        touch: &mut dyn FnMut(Spot<'_>),
    ) -> Result<()> {
        let done = self.with(key, |contributor| contributor.access(address, bytes, access, touch));
        done.unwrap_or_else(|| {
            Err(Error::new(Kind::NotConnected, "remote access")
                .what("the member has left the pool")
                .with("address", format!("{address:#x}")))
        })
    }

    fn message(&self, from: Peer, message: &[u8]) {
        let Some((key, message)) = message.split_first_chunk::<KEY_BYTES>() else {
            tracing::warn!("a message of {from} is too short");
            return;
        };
        let key = SegmentKey(u64::from_le_bytes(*key));
        if self.with(key, |contributor| contributor.message(from, message)).is_none() {
            tracing::debug!("a message of {from} came for a pool that is gone");
        }
    }

    fn lost(&self, peer: Peer, reason: &Error) {
        tracing::info!("the connection to {peer} is lost: {reason}");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[derive(Default)]
    struct Memory(AtomicU32);

    impl Contributor for Memory {
        fn access(&self, _: u64, _: u64, _: Access, touch: &mut dyn FnMut(Spot<'_>)) -> Result<()> {
            touch(Spot::Host(std::ptr::dangling_mut()));
            Ok(())
        }

        fn message(&self, _: Peer, message: &[u8]) {
            self.0.fetch_add(u32::try_from(message.len()).unwrap(), Ordering::Relaxed);
        }
    }

    #[test]
    fn an_old_key_reaches_nothing() {
        let (registry, memory) = (Registry::default(), Memory::default());
        let (key, peer) = (SegmentKey(7), Peer { rank: 0, session: 1 });
        // SAFETY: removed below, before the memory goes.
        unsafe { registry.insert(key, &raw const memory) };
        let mut touched = 0;
        registry.access(key, 1, 1, Access::Read, &mut |_| touched += 1).unwrap();
        registry.message(peer, &[&key.0.to_le_bytes()[..], b"four"].concat());
        registry.message(peer, b"short");
        registry.message(peer, &[0; 20]);
        assert_eq!((touched, memory.0.load(Ordering::Relaxed)), (1, 4));
        registry.remove(key);
        let refused = registry.access(key, 1, 1, Access::Read, &mut |_| touched += 1).unwrap_err();
        assert_eq!((refused.kind(), touched), (Kind::NotConnected, 1));
    }
}
