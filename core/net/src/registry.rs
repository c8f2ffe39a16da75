// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Registry of exposed memory: contributors by job and key, of all members in this process.
//!
//! A contributor may end as soon as [`Registry::remove`] has returned ([`mf_base::sync::lending`]).

use std::os::fd::OwnedFd;

use mf_base::sync::lending::Lending;
use mf_base::{Error, Kind, Result, warn_limited};
use mf_device::Access;
use mf_transport::{
    Grant, JobId, MESSAGE_BYTES_MAX, Peer, Range, SegmentKey, Spot, no_file, not_granted, not_together,
};

/// Length of the key before each message.
pub(crate) const KEY_BYTES: usize = size_of::<u64>();

/// Longest message of [`Network::send`](crate::Network::send), in bytes.
pub const NETWORK_MESSAGE_BYTES_MAX: usize = MESSAGE_BYTES_MAX - KEY_BYTES;

/// A contributor of memory under a key.
pub trait Contributor: Send + Sync {
    /// As [`Target::access`](mf_transport::Target::access), for this contributor's key.
    ///
    /// # Errors
    /// As there.
    fn access(&self, address: u64, bytes: u64, access: Access, touch: &mut dyn FnMut(Spot<'_>))
    -> Result<()>;

    /// As [`Target::read_all`](mf_transport::Target::read_all), for this contributor's key.
    ///
    /// # Errors
    /// As there.
    fn read_all(&self, ranges: &[Range], _touch: &mut dyn FnMut(&[Spot<'_>])) -> Result<()> {
        Err(not_together(ranges.len()))
    }

    /// As [`Target::grant`](mf_transport::Target::grant), for this contributor's key. Without it all others
    /// are asked for each access.
    ///
    /// # Errors
    /// As there.
    fn grant(&self, address: u64, bytes: u64, _more: &mut Vec<Grant>) -> Result<Grant> {
        Err(not_granted(address, bytes))
    }

    /// As [`Target::file`](mf_transport::Target::file), for this contributor's key.
    ///
    /// # Errors
    /// As there.
    fn file(&self, id: u64) -> Result<(OwnedFd, u64)> {
        Err(no_file(id))
    }

    /// As [`Target::device`](mf_transport::Target::device), for this contributor's key.
    ///
    /// # Errors
    /// As there.
    fn device(&self, id: u64) -> Result<Vec<u8>> {
        Err(no_file(id))
    }

    /// A message for this contributor. Must not block.
    fn message(&self, from: Peer, message: &[u8]);
}

/// A contributor that its owner keeps valid.
struct Entry(*const dyn Contributor);

// SAFETY: contributors are `Send` and `Sync`, and the owner keeps them valid until the entry is removed.
unsafe impl Send for Entry {}
// SAFETY: as for `Send`.
unsafe impl Sync for Entry {}

#[derive(Default)]
pub(crate) struct Registry {
    contributors: Lending<(JobId, SegmentKey), Entry>,
}

impl Registry {
    /// Again with the same key: instead of the former one, which is not used any more when this returns.
    ///
    /// # Safety
    /// `contributor` is valid until [`remove`](Self::remove), or another insertion with its key, has
    /// returned.
    pub(crate) unsafe fn insert(&self, key: (JobId, SegmentKey), contributor: *const dyn Contributor) {
        self.contributors.lend(&key, Entry(contributor));
    }

    /// When this returns the contributor is not used any more. Not to be called by a contributor that is
    /// being used.
    pub(crate) fn remove(&self, key: (JobId, SegmentKey)) {
        self.contributors.take_back(&key);
    }

    /// Runs `using` with the contributor of `key`; returns `None` if it is unknown.
    fn with<T>(&self, key: (JobId, SegmentKey), using: impl FnOnce(&dyn Contributor) -> T) -> Option<T> {
        // SAFETY: `insert` was promised that it is valid until it is taken back, which waits for this use.
        self.contributors.with(&key, |Entry(contributor)| using(unsafe { &**contributor }))
    }
}

impl Registry {
    /// As [`Target::access`](mf_transport::Target::access), for members of this job.
    pub(crate) fn access(
        &self,
        key: (JobId, SegmentKey),
        address: u64,
        bytes: u64,
        access: Access,
        touch: &mut dyn FnMut(Spot<'_>),
    ) -> Result<()> {
        let done = self.with(key, |contributor| contributor.access(address, bytes, access, touch));
        done.unwrap_or_else(|| Err(left(address)))
    }

    /// As [`Target::read_all`](mf_transport::Target::read_all), for members of this job.
    pub(crate) fn read_all(
        &self,
        key: (JobId, SegmentKey),
        ranges: &[Range],
        touch: &mut dyn FnMut(&[Spot<'_>]),
    ) -> Result<()> {
        let done = self.with(key, |contributor| contributor.read_all(ranges, touch));
        done.unwrap_or_else(|| Err(left(ranges.first().map_or(0, |range| range.0))))
    }

    /// As [`Target::grant`](mf_transport::Target::grant), for members of this job.
    pub(crate) fn grant(
        &self,
        key: (JobId, SegmentKey),
        address: u64,
        bytes: u64,
        more: &mut Vec<Grant>,
    ) -> Result<Grant> {
        let granted = self.with(key, |contributor| contributor.grant(address, bytes, more));
        granted.unwrap_or_else(|| Err(left(address)))
    }

    /// As [`Target::file`](mf_transport::Target::file), for members of this job.
    pub(crate) fn file(&self, key: (JobId, SegmentKey), id: u64) -> Result<(OwnedFd, u64)> {
        self.with(key, |contributor| contributor.file(id)).unwrap_or_else(|| Err(left(id)))
    }

    /// As [`Target::device`](mf_transport::Target::device), for members of this job.
    pub(crate) fn device(&self, key: (JobId, SegmentKey), id: u64) -> Result<Vec<u8>> {
        self.with(key, |contributor| contributor.device(id)).unwrap_or_else(|| Err(left(id)))
    }

    /// As [`Target::message`](mf_transport::Target::message).
    pub(crate) fn message(&self, from: Peer, message: &[u8]) {
        let Some((key, message)) = message.split_first_chunk::<KEY_BYTES>() else {
            warn_limited!("a message of {from} is too short");
            return;
        };
        let key = (from.job, SegmentKey(u64::from_le_bytes(*key)));
        if self.with(key, |contributor| contributor.message(from, message)).is_none() {
            tracing::debug!("a message of {from} came for a pool that is gone");
        }
    }
}

#[cold]
fn left(address: u64) -> Error {
    Error::new(Kind::NotConnected, "remote access")
        .what("the member has left the pool")
        .with("address", format!("{address:#x}"))
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::time::Duration;

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
    fn stale_key_reaches_nothing() {
        let (registry, memory) = (Registry::default(), Memory::default());
        let (key, peer) = ((JobId(1), SegmentKey(7)), Peer { job: JobId(1), rank: 0, session: 1 });
        // SAFETY: removed below, before the memory goes.
        unsafe { registry.insert(key, &raw const memory) };
        let mut touched = 0;
        registry.access(key, 1, 1, Access::Read, &mut |_| touched += 1).unwrap();
        let message = [&key.1.0.to_le_bytes()[..], b"four"].concat();
        registry.message(peer, &message);
        // A peer of another job that knows the key.
        registry.message(Peer { job: JobId(2), ..peer }, &message);
        let other = registry.access((JobId(2), key.1), 1, 1, Access::Read, &mut |_| touched += 1);
        assert_eq!(other.unwrap_err().kind(), Kind::NotConnected);
        registry.message(peer, b"short");
        registry.message(peer, &[0; 20]);
        assert_eq!((touched, memory.0.load(Ordering::Relaxed)), (1, 4));
        registry.remove(key);
        let refused = registry.access(key, 1, 1, Access::Read, &mut |_| touched += 1).unwrap_err();
        assert_eq!((refused.kind(), touched), (Kind::NotConnected, 1));
    }

    /// Signals its use, and continues when allowed.
    struct Busy {
        begun: Mutex<Sender<()>>,
        may_end: Mutex<Receiver<()>>,
        is_in_use: AtomicBool,
    }

    impl Contributor for Busy {
        fn access(&self, _: u64, _: u64, _: Access, _: &mut dyn FnMut(Spot<'_>)) -> Result<()> {
            self.is_in_use.store(true, Ordering::Release);
            self.begun.lock().unwrap().send(()).unwrap();
            self.may_end.lock().unwrap().recv().unwrap();
            self.is_in_use.store(false, Ordering::Release);
            Ok(())
        }

        fn message(&self, _: Peer, _: &[u8]) {}
    }

    #[test]
    fn removal_of_a_reinserted_target_waits_for_its_users() {
        let (registry, key) = (Registry::default(), (JobId(1), SegmentKey(7)));
        let ((begun, begins), (may_end, ends)) = (channel(), channel());
        let busy = Busy { begun: Mutex::new(begun), may_end: Mutex::new(ends), is_in_use: false.into() };
        // SAFETY: removed below, before the memory goes.
        unsafe { registry.insert(key, &raw const busy) };
        std::thread::scope(|scope| {
            scope.spawn(|| registry.access(key, 1, 1, Access::Read, &mut |_| ()).unwrap());
            begins.recv().unwrap();
            let (given, gives) = channel();
            let (registry, busy) = (&registry, &busy);
            scope.spawn(move || {
                // Like a member that extends its contribution while it is read, and that leaves then.
                // SAFETY: removed below, before the memory is freed.
                unsafe { registry.insert(key, std::ptr::from_ref(busy)) };
                registry.remove(key);
                given.send(busy.is_in_use.load(Ordering::Acquire)).unwrap();
            });
            // It comes too early, or not before the use is over.
            assert!(gives.recv_timeout(Duration::from_millis(50)).is_err(), "removed while it is in use");
            may_end.send(()).unwrap();
            assert!(!gives.recv().unwrap());
        });
    }
}
