// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The tier on disk of a member: values that leave its memory stay on its disk.
//!
//! A value on disk has a **stub** in the index: a block with the key and without the value, in the segment of
//! the member with the disk. So all that concerns the index is as for values in memory: locks, replacement,
//! removal, lists, changes of membership. The version of the value is its generation on disk.
//!
//! - `demote.rs`: a thread keeps an eighth of the memory free. It copies values that were not read lately to
//!   the queue of the disk and puts stubs in their places. A put that finds no room evicts as without a disk.
//! - `promote.rs`: a get reads the member's own disk; values that are read again come back.
//! - `requests.rs`: a member asks another one to bring a value back into memory.
//! - `save.rs`: values in memory move to the disk before the member leaves.
//! - `returned.rs`: values in the folders of a member that starts again.
//! - `journal.rs`, `follow.rs`, `sweep.rs`: the folders follow the changes of other members, so that they are
//!   good after a restart.
//! - `move_value.rs`: a block takes the place of another one, as the same value.
//!
//! **Right values.** A member puts versions of a key on its disk only under the lock of the key. A reader
//! takes only the generation of the stub it has found. So the index alone decides, and a value that the disk
//! keeps although its key was changed by another member is never read; it is removed soon.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Mutex;

use mf_base::settings::settings;
use mf_base::sync::lock;
use mf_base::{ByteLen, Error, Result};
use mf_disk::{DiskKey, DiskTier, Engine, EngineOptions, KEY_PURPOSE};
use mf_tls::JobSecret;

use crate::block::{Head, Holds};
use crate::counts::Count;
use crate::filter::Filter;
use crate::follow::Sources;
use crate::key::Print;
use crate::member::Member;
use crate::memory::Memory;
use crate::prefault::HUGE_PAGE;
use crate::returned::{Note, Offer};
use crate::sweep::Sweep;

const OP: &str = "cache open";
/// Least size of a tier.
const BYTES_MIN: u64 = 16 << 20;

/// Values that the disk takes when they leave memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Admission {
    /// All.
    #[default]
    All,
    /// Values that were read at least once, or replaced an earlier one.
    Reused,
}

/// Options of a member's tier on disk.
#[derive(Clone, Debug)]
pub struct DiskOptions {
    /// Folders on local disks, at least one; slots alternate between them. The member uses `rank-N` in each,
    /// with its rank, so that members of one host may have the same options.
    pub folders: Vec<PathBuf>,
    /// Bytes of all folders together, 16 MiB or more. Folders that exist keep their size.
    pub bytes: u64,
    /// Values that the disk takes.
    pub admission: Admission,
}

impl DiskOptions {
    /// Returns the options of the settings `MF_CACHE_DISK`, `MF_CACHE_DISK_BYTES` and
    /// `MF_CACHE_DISK_ADMISSION`; `None` without folders.
    ///
    /// # Errors
    /// `InvalidParam` names the setting.
    pub fn from_settings() -> Result<Option<Self>> {
        let settings = settings()?;
        let folders = split(&settings.cache_disk);
        if folders.is_empty() {
            return Ok(None);
        }
        let admission = Admission::parse(&settings.cache_disk_admission)?;
        Ok(Some(Self { folders, bytes: settings.cache_disk_bytes.0, admission }))
    }

    /// Returns options with these folders, separated by colons, bytes and admission; `None`: by the setting.
    ///
    /// # Errors
    /// `InvalidParam` names the setting · no folder is given or set.
    pub fn or_settings(
        folders: Option<&str>,
        bytes: Option<u64>,
        admission: Option<Admission>,
    ) -> Result<Self> {
        let settings = settings()?;
        let folders = split(folders.unwrap_or(&settings.cache_disk));
        if folders.is_empty() {
            return Err(Error::invalid(OP, "a tier on disk has a folder: name one, or set MF_CACHE_DISK"));
        }
        let admission = admission.map_or_else(|| Admission::parse(&settings.cache_disk_admission), Ok)?;
        Ok(Self { folders, bytes: bytes.unwrap_or(settings.cache_disk_bytes.0), admission })
    }
}

impl Admission {
    fn parse(text: &str) -> Result<Self> {
        match text {
            "all" => Ok(Self::All),
            "reused" => Ok(Self::Reused),
            other => Err(Error::invalid(OP, "MF_CACHE_DISK_ADMISSION is all or reused")
                .with("MF_CACHE_DISK_ADMISSION", other)),
        }
    }
}

/// Splits folders that are separated by colons.
fn split(folders: &str) -> Vec<PathBuf> {
    folders.split(':').filter(|folder| !folder.is_empty()).map(PathBuf::from).collect()
}

/// Storage below a member.
pub(crate) enum Storage {
    Folders(DiskTier),
    #[cfg(test)]
    Simulated(std::sync::Arc<Engine>),
}

impl Storage {
    pub(crate) fn engine(&self) -> &Engine {
        match self {
            Self::Folders(tier) => tier,
            #[cfg(test)]
            Self::Simulated(engine) => engine,
        }
    }
}

/// Progress of the comparison of stubs with the disk.
#[derive(Default)]
pub(crate) struct Scrub {
    /// Losses of the engine when it began.
    pub(crate) losses: u64,
    pub(crate) is_walking: bool,
}

pub(crate) struct Disk {
    storage: Storage,
    admission: Admission,
    /// Values of a former process that are not in the index yet.
    pub(crate) offer: Mutex<Option<Offer>>,
    /// Offered values that are not read before the journals of all members were read again.
    unconfirmed: Mutex<Vec<(Vec<u8>, u64)>>,
    /// Followed members, and the note about them in the folders.
    pub(crate) sources: Mutex<Sources>,
    pub(crate) noted: Mutex<Option<Note>>,
    pub(crate) sweep: Mutex<Option<Sweep>>,
    pub(crate) scrub: Mutex<Scrub>,
    largest: u64,
    pub(crate) filter: Filter,
}

impl Disk {
    pub(crate) fn new(storage: Storage, segment_bytes: u64, admission: Admission) -> Self {
        Self {
            storage,
            admission,
            offer: Mutex::default(),
            unconfirmed: Mutex::default(),
            sources: Mutex::default(),
            noted: Mutex::default(),
            sweep: Mutex::default(),
            scrub: Mutex::default(),
            largest: segment_bytes - segment_bytes / 16,
            filter: Filter::new(),
        }
    }

    /// Opens the folders of a member of this rank.
    ///
    /// # Errors
    /// `InvalidParam` no folder, or too few bytes · errors of the folders.
    pub(crate) fn open(options: &DiskOptions, (pool, rank): (u32, u16)) -> Result<Self> {
        if options.folders.is_empty() || options.bytes < BYTES_MIN {
            return Err(Error::invalid(OP, "a tier on disk has a folder, and 16 MiB or more")
                .with("folders", options.folders.len())
                .with("bytes", ByteLen(options.bytes)));
        }
        // Segments of whole huge pages, so that values of many MiB fit.
        let segment_bytes = (options.bytes / 16 / HUGE_PAGE * HUGE_PAGE).clamp(1 << 20, 256 << 20);
        let engine = EngineOptions { segment_bytes, ..EngineOptions::default() };
        let admission = options.admission;
        let options = mf_disk::Options {
            folders: options.folders.iter().map(|folder| folder.join(format!("rank-{rank}"))).collect(),
            capacity_bytes: options.bytes,
            job: format!("cache of pool {pool}"),
            engine,
            key: JobSecret::from_settings(settings()?)?.derive_key(KEY_PURPOSE).map(|key| DiskKey::new(*key)),
        };
        Ok(Self::new(Storage::Folders(DiskTier::open(&options)?), segment_bytes, admission))
    }

    /// Returns the folders; `None` in a simulation.
    pub(crate) fn folders(&self) -> Option<&DiskTier> {
        match &self.storage {
            Storage::Folders(tier) => Some(tier),
            #[cfg(test)]
            Storage::Simulated(_) => None,
        }
    }

    pub(crate) fn engine(&self) -> &Engine {
        self.storage.engine()
    }

    pub(crate) fn last_generation(&self) -> u64 {
        self.engine().last_generation()
    }

    /// Returns true if the disk takes a value when it leaves memory.
    pub(crate) fn admits(&self, head: &Head) -> bool {
        let is_reused = head.used.number() != 0 || head.replaced > 0;
        let fits = head.holds.bytes + head.holds.key_bytes <= self.largest;
        fits && (self.admission == Admission::All || is_reused)
    }

    /// Returns true if the queue has room for a value now.
    pub(crate) fn has_room(&self, holds: Holds) -> bool {
        let most = EngineOptions::default().queue_bytes;
        let queued = self.engine().queue_bytes();
        queued.is_some_and(|queued| queued + holds.bytes + holds.key_bytes <= most)
    }

    /// Returns true if the disk has this version of a value, also if it cannot read it now.
    pub(crate) fn holds(&self, key: &[u8], version: u64) -> bool {
        self.generation(key) == Some(version)
    }

    /// Gives the disk a value, under the lock of its key. Returns false if it does not take it.
    pub(crate) fn keep(&self, (print, key): (Print, &[u8]), version: u64, value: Vec<u8>) -> bool {
        self.filter.add(print);
        let known = self.generation(key);
        if known.is_some_and(|known| known > version) {
            // Another member removed that one and put this one, by a clock that is behind.
            self.remove((print, key));
        }
        known == Some(version) || self.engine().put_at(key, version, value).unwrap_or(false)
    }

    fn generation(&self, key: &[u8]) -> Option<u64> {
        self.engine().generation(key).ok().flatten()
    }

    /// Removes older versions of a value, under the lock of its key.
    #[inline]
    pub(crate) fn remove_before(&self, (print, key): (Print, &[u8]), version: u64) {
        if self.filter.may_have(print) {
            // Keys were checked before.
            let _ = self.engine().remove_at(key, version.saturating_sub(1));
        }
    }

    /// Removes a value, under the lock of its key.
    pub(crate) fn remove(&self, (print, key): (Print, &[u8])) {
        if self.filter.may_have(print) {
            let _ = self.engine().remove_at(key, self.last_generation());
        }
    }

    /// Removes a value if it has this version.
    pub(crate) fn remove_at(&self, (print, key): (Print, &[u8]), version: u64) {
        if self.filter.may_have(print) && self.holds(key, version) {
            let _ = self.engine().remove_at(key, version);
        }
    }

    /// Removes a value unless it has this version: another member has put that, or removed the key.
    pub(crate) fn void_others(&self, named: (Print, &[u8]), version: u64) {
        if self.filter.may_have(named.0)
            && let Some(known) = self.generation(named.1).filter(|known| *known != version)
        {
            self.remove_at(named, known);
        }
    }

    /// Notes an offer before others can find it.
    pub(crate) fn note_unconfirmed(&self, key: &[u8], version: u64) {
        lock(&self.unconfirmed).push((key.to_vec(), version));
    }

    pub(crate) fn has_unconfirmed(&self) -> bool {
        !lock(&self.unconfirmed).is_empty()
    }

    pub(crate) fn unconfirmed(&self) -> Vec<(Vec<u8>, u64)> {
        lock(&self.unconfirmed).clone()
    }

    /// Lets all offered values be read.
    pub(crate) fn confirm(&self) {
        lock(&self.unconfirmed).clear();
    }

    /// Returns true if a value was offered and cannot be read yet.
    pub(crate) fn is_unconfirmed(&self, key: &[u8]) -> bool {
        lock(&self.unconfirmed).iter().any(|(offered, _)| offered == key)
    }

    /// Reads a part of a value and passes it to `take`; `None` if the disk does not have this version, or
    /// cannot read it now.
    pub(crate) fn read<R>(
        &self,
        key: &[u8],
        version: u64,
        part: Range<u64>,
        take: impl FnOnce(&[u8]) -> R,
    ) -> Option<R> {
        let bytes = part.end - part.start;
        let take = |read: &[u8]| (read.len() as u64 == bytes).then(|| take(read));
        self.engine().get_at(key, version, (part.start, bytes), take).ok().flatten().flatten()
    }
}

impl<M: Memory> Member<M> {
    pub(crate) fn disk_stats(&self) -> Option<DiskStats> {
        let stats = self.disk.as_ref()?.engine().stats();
        let count = |count| self.counts.read(count);
        Some(DiskStats {
            capacity_bytes: stats.capacity_bytes,
            bytes: stats.live_bytes,
            values: stats.values,
            hits: count(Count::DiskHits),
            admissions: stats.admissions,
            drops: stats.drops,
            lost: count(Count::DiskLost),
            demotions: count(Count::Demotions),
            promotions: count(Count::Promotions),
            queue_bytes: stats.queue_bytes,
            written_bytes: stats.written_bytes,
            faults: stats.faults,
            is_off: stats.is_off,
        })
    }
}

/// Figures of a member's tier on disk since it was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiskStats {
    /// Size of the tier, in bytes.
    pub capacity_bytes: u64,
    /// Bytes of values on disk, in whole pages.
    pub bytes: u64,
    /// Values on disk.
    pub values: u64,
    /// Gets that read a value from the own disk.
    pub hits: u64,
    /// Values that entered the queue of the disk.
    pub admissions: u64,
    /// Values that the disk did not keep: full queue, fault, too large.
    pub drops: u64,
    /// Values on disk that were lost: to make room there, or by damage.
    pub lost: u64,
    /// Values that left memory for the disk.
    pub demotions: u64,
    /// Values that came back into memory.
    pub promotions: u64,
    /// Bytes in the queue.
    pub queue_bytes: u64,
    /// Bytes written to disk, with heads and padding.
    pub written_bytes: u64,
    /// Disk calls that failed.
    pub faults: u64,
    /// True while a fault has switched the disk off.
    pub is_off: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_separated_by_colons() {
        let given = DiskOptions::or_settings(Some("/a:/b"), Some(5), Some(Admission::Reused)).unwrap();
        assert_eq!((given.folders.len(), given.bytes, given.admission), (2, 5, Admission::Reused));
        assert!(DiskOptions::or_settings(Some(":"), Some(5), None).is_err());
        assert!(Admission::parse("some").is_err());
    }
}
