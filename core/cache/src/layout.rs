// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Layout of a segment: a page that describes it, claims of its zones, a part of the index, data.
//!
//! ```text
//! 0        description: magic, incarnation, sizes, the view that its member has settled, its name; requests
//! 4096     a word for each zone: its manager
//! 8192     a word for each zone: units that are retired there and not reclaimed
//! 12288    a word for each zone: bytes of it, from its start, that have pages
//! 16384    buckets of the index
//! data_at  zones, in which blocks follow each other without gaps
//! then     cursors and ring of the journal (`journal.rs`)
//! ```

use mf_base::{ByteLen, Error, Result};

use crate::atomic_fields::{REACH, Spot};
use crate::journal::CURSORS_BYTES;
use crate::memory::Memory;

/// Offsets of the tables with a word for each zone.
const CLAIMS_AT: u64 = 4096;
const RETIRED_AT: u64 = 8192;
const POPULATED_AT: u64 = 12288;
const INDEX_AT: u64 = 16384;
/// Most zones of a segment: as many as the tables have room for.
pub(crate) const ZONES_MAX: u64 = 512;
/// Bytes of a bucket: its control word and its slots.
pub(crate) const BUCKET_BYTES: u64 = 128;
/// Slots of a bucket.
pub(crate) const SLOTS: usize = 15;
/// Zone sizes are multiples of this.
const ZONE_GRAIN: u64 = 64 << 10;
/// Zones of a segment that is large enough.
const ZONES: u64 = 16;

/// First word of a segment that is ready.
pub(crate) const MAGIC: u64 = u64::from_le_bytes(*b"mfcache5");
/// Words of the first page: magic, incarnation, buckets, where data begins, bytes of a zone, zones, bytes of
/// the journal's ring with the bit of a disk.
pub(crate) const DESCRIPTION_WORDS: usize = 7;
/// Offset of the digest of the view that the member has settled.
pub(crate) const SETTLED_AT: u64 = 64;
/// Offset of the digest of the members that the member expects.
pub(crate) const EXPECTED_AT: u64 = 128;
/// Offset of the number of bytes before the zones that have pages.
pub(crate) const INDEX_POPULATED_AT: u64 = 192;
/// Offset of the length of the member's name; the name follows.
pub(crate) const NAME_AT: u64 = 256;
/// Offset of the requests for values on the member's disk (`requests.rs`).
pub(crate) const REQUESTS_AT: u64 = 1024;
/// Offset of the state of the journal.
pub(crate) const JOURNAL_AT: u64 = 3072;
/// Bytes of a segment for each byte of its journal, and bounds of the latter.
const JOURNAL_SHARE: u64 = 128;
const JOURNAL_BYTES: (u64, u64) = (16 << 10, 64 << 20);

/// The sizes of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Geometry {
    pub(crate) buckets: u64,
    pub(crate) data_at: u64,
    pub(crate) zone_bytes: u64,
    pub(crate) zones: u64,
    /// Bytes of the journal's ring.
    pub(crate) journal_bytes: u64,
    /// The member has a tier on disk.
    pub(crate) has_disk: bool,
}

impl Geometry {
    /// The segment of a member that keeps nothing: tables without zones, no index.
    pub(crate) const EMPTY: Self = Self {
        buckets: 0,
        data_at: INDEX_AT,
        zone_bytes: ZONE_GRAIN,
        zones: 0,
        journal_bytes: JOURNAL_BYTES.0,
        has_disk: false,
    };

    /// Divides a segment; `entries` 0: an entry for each 2 KiB.
    ///
    /// # Errors
    /// `InvalidParam` no room for data, or beyond the range that slots can address.
    pub(crate) fn divide(operation: &'static str, bytes: u64, entries: u64) -> Result<Self> {
        let bad = |what: &str| Error::invalid(operation, what).with("contribution", ByteLen(bytes));
        if bytes > REACH {
            return Err(bad("a member of a cache contributes at most 4 TiB"));
        }
        let entries = if entries == 0 { bytes / 2048 } else { entries };
        // Half of the slots stay empty, so that full buckets are rare.
        let buckets = (entries / 7).max(16);
        let index = buckets.checked_mul(BUCKET_BYTES).and_then(|bytes| bytes.checked_add(INDEX_AT));
        let data_at = index.and_then(|end| end.checked_next_multiple_of(4096));
        let journal_bytes = bytes / JOURNAL_SHARE / 4096 * 4096;
        let journal_bytes = journal_bytes.clamp(JOURNAL_BYTES.0, JOURNAL_BYTES.1);
        let end = data_at.and_then(|data_at| data_at.checked_add(CURSORS_BYTES + journal_bytes));
        let room = end.and_then(|end| bytes.checked_sub(end)).filter(|room| *room >= ZONE_GRAIN);
        let (Some(data_at), Some(room)) = (data_at, room) else {
            return Err(bad("the index leaves no room for data")
                .with("entries", entries)
                .hint("contribute 2 MiB or more, or ask for fewer entries"));
        };
        let zone_bytes = (room / ZONES / ZONE_GRAIN * ZONE_GRAIN).max(ZONE_GRAIN);
        let zones = (room / zone_bytes).min(ZONES_MAX);
        Ok(Self { buckets, data_at, zone_bytes, zones, journal_bytes, has_disk: false })
    }

    /// Returns the words of the first page; the magic is the word to be written last.
    pub(crate) fn describe(&self, incarnation: u32) -> [u64; DESCRIPTION_WORDS] {
        let journal = self.journal_bytes | u64::from(self.has_disk);
        [MAGIC, u64::from(incarnation), self.buckets, self.data_at, self.zone_bytes, self.zones, journal]
    }

    /// Parses the words of a first page. Returns `None` if the segment is not ready or does not belong to a
    /// cache.
    pub(crate) fn read(words: [u64; DESCRIPTION_WORDS]) -> Option<(u32, Self)> {
        let [magic, incarnation, buckets, data_at, zone_bytes, zones, journal] = words;
        let incarnation = u32::try_from(incarnation).ok().filter(|number| *number != 0)?;
        let (journal_bytes, has_disk) = (journal & !1, journal & 1 != 0);
        let geometry = Self { buckets, data_at, zone_bytes, zones, journal_bytes, has_disk };
        let is_sound = magic == MAGIC
            && (buckets > 0 || zones == 0)
            && zone_bytes > 0
            && zones <= ZONES_MAX
            && journal_bytes.is_multiple_of(4096)
            && (JOURNAL_BYTES.0..=JOURNAL_BYTES.1).contains(&journal_bytes)
            && buckets.checked_mul(BUCKET_BYTES).is_some_and(|index| INDEX_AT + index <= data_at)
            && zones
                .checked_mul(zone_bytes)
                .and_then(|data| data.checked_add(data_at)?.checked_add(CURSORS_BYTES + journal_bytes))
                .is_some_and(|end| end <= REACH);
        is_sound.then_some((incarnation, geometry))
    }

    pub(crate) fn bucket(&self, rank: u16, number: u64) -> Spot {
        Spot { rank, offset: INDEX_AT + number % self.buckets * BUCKET_BYTES }
    }

    /// Returns true if the segment holds values and a part of the index.
    pub(crate) fn is_used(&self) -> bool {
        self.buckets > 0
    }

    /// Returns the bytes available to blocks.
    pub(crate) fn data_bytes(&self) -> u64 {
        self.zones * self.zone_bytes
    }

    pub(crate) fn zone(&self, number: u64) -> u64 {
        self.data_at + number * self.zone_bytes
    }

    /// Returns the end of all that the member uses.
    pub(crate) fn end(&self) -> u64 {
        self.zone(self.zones) + CURSORS_BYTES + self.journal_bytes
    }

    /// Returns the place of a rank's cursor in the journal of member `of`.
    pub(crate) fn cursor(&self, of: u16, rank: u16) -> Spot {
        Spot { rank: of, offset: self.zone(self.zones) + u64::from(rank) * 8 % CURSORS_BYTES }
    }

    /// Returns the start of the journal's ring.
    pub(crate) fn ring(&self, rank: u16) -> Spot {
        Spot { rank, offset: self.zone(self.zones) + CURSORS_BYTES }
    }

    /// Returns the zone that contains an offset.
    pub(crate) fn zone_of(&self, offset: u64) -> Option<u64> {
        let number = offset.checked_sub(self.data_at)? / self.zone_bytes;
        (number < self.zones).then_some(number)
    }

    pub(crate) fn claim(rank: u16, zone: u64) -> Spot {
        Spot { rank, offset: CLAIMS_AT + zone * 8 }
    }

    pub(crate) fn retired(rank: u16, zone: u64) -> Spot {
        Spot { rank, offset: RETIRED_AT + zone * 8 }
    }

    pub(crate) fn populated(rank: u16, zone: u64) -> Spot {
        Spot { rank, offset: POPULATED_AT + zone * 8 }
    }

    /// Reads a table with a word for each zone; `first` is the place of the first word.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn table<M: Memory>(&self, memory: &M, first: Spot) -> Result<Vec<u64>> {
        let mut table = vec![0; usize::try_from(self.zones * 8).unwrap_or(0)];
        memory.read(first, &mut table)?;
        Ok(table.as_chunks().0.iter().map(|word| u64::from_ne_bytes(*word)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_segment_is_divided_without_overlap() {
        for bytes in [2 << 20, 64 << 20, (1 << 30) + 4096, 1 << 40, REACH] {
            let geometry = Geometry::divide("test", bytes, 0).unwrap();
            assert!(geometry.end() <= bytes && geometry.zones >= ZONES, "{bytes} {geometry:?}");
            assert!(geometry.bucket(0, geometry.buckets - 1).offset + BUCKET_BYTES <= geometry.data_at);
            assert_eq!(Geometry::read(geometry.describe(3)), Some((3, geometry)));
            assert_eq!(Geometry::read(Geometry::EMPTY.describe(3)), Some((3, Geometry::EMPTY)));
            assert_eq!(geometry.zone_of(geometry.zone(geometry.zones) - 1), Some(geometry.zones - 1));
            assert_eq!(geometry.zone_of(geometry.zone(geometry.zones)), None);
        }
    }

    #[test]
    fn too_small_segments_and_foreign_pages_are_refused() {
        assert!(Geometry::divide("test", 64 << 10, 0).is_err());
        assert!(Geometry::divide("test", 2 << 20, 1 << 40).is_err());
        assert!(Geometry::divide("test", 2 << 20, u64::MAX).is_err());
        assert!(Geometry::divide("test", REACH + 1, 0).is_err());
        assert_eq!(Geometry::read([0; DESCRIPTION_WORDS]), None);
        assert_eq!(Geometry::read([MAGIC, 1, 1, 0, 1, 1, 1 << 14]), None);
        assert_eq!(Geometry::read([MAGIC, 1, 0, 1 << 20, 1, 1, 1 << 14]), None);
        assert_eq!(Geometry::read([MAGIC, 1, u64::MAX, 0, u64::MAX, 1, 1 << 14]), None);
        assert_eq!(Geometry::read(Geometry { journal_bytes: 4096, ..Geometry::EMPTY }.describe(3)), None);
    }
}
