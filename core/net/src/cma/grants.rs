// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Cache of another process's grants to this one, valid for an epoch. Pure, but for the mappings of files.

use std::any::Any;
use std::sync::Arc;

use mf_base::os::mapped::Mapped;
use mf_device::Imported;
use mf_transport::{Grant, SegmentKey};

/// A memory file of another process, mapped here.
pub(super) struct File {
    /// Its registration with the accelerator, for fast copies; dropped before the mapping.
    pub(super) _registered: Option<Box<dyn Any + Send + Sync>>,
    pub(super) mapped: Mapped,
}

/// A grant, with the file that it lies in.
#[derive(Clone)]
pub(super) struct Held {
    key: SegmentKey,
    start: u64,
    end: u64,
    /// Address of the mapped start; 0: not mapped.
    mapped: usize,
    at: At,
}

/// Resolved access to a grant.
#[derive(Clone)]
pub(super) enum At {
    /// By the kernel.
    Private,
    /// In a file, with the place of its start there.
    File(Arc<File>, usize),
    /// In device memory that begins with it: of another process, or of this one.
    Device(u64, Option<Arc<Imported>>),
    /// In device memory that this process has not imported: by other transports, until it can be.
    Unimported,
    /// By other transports.
    Elsewhere,
}

/// Place of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Mapped here, at this address.
    Mapped(*mut u8),
    /// By the kernel, at its own address.
    Private,
    /// By the device, at this address.
    Device(u64),
    /// By the device once it is imported, and by other transports before.
    Unimported,
    /// By other transports.
    Elsewhere,
}

impl Held {
    /// Returns `None` if the range wraps, or if its file is shorter than claimed.
    pub(super) fn new(key: SegmentKey, grant: &Grant, at: At) -> Option<Self> {
        let bytes = grant.end.checked_sub(grant.start).filter(|bytes| *bytes > 0)?;
        let mut mapped = 0;
        if let At::File(file, offset) = &at {
            let end = (*offset as u64).checked_add(bytes)?;
            if end > file.mapped.bytes() as u64 {
                return None;
            }
            // Here, beside the rest: copies of some sizes leave little else in the first cache.
            mapped = file.mapped.base().wrapping_add(*offset).expose_provenance();
        }
        Some(Self { key, start: grant.start, end: grant.end, mapped, at })
    }

    /// Returns the place of a range that lies in it.
    #[inline(always)]
    pub(super) fn place(&self, address: u64) -> Place {
        let skip = address - self.start;
        if self.mapped != 0 {
            let skip = usize::try_from(skip).unwrap_or(usize::MAX);
            return Place::Mapped(std::ptr::with_exposed_provenance_mut(self.mapped.wrapping_add(skip)));
        }
        match &self.at {
            At::Private => Place::Private,
            At::Device(start, _) => Place::Device(start.wrapping_add(skip)),
            At::Unimported => Place::Unimported,
            At::File(..) | At::Elsewhere => Place::Elsewhere,
        }
    }

    /// Returns the import that keeps its device memory mapped.
    pub(super) fn imported(&self) -> Option<&Arc<Imported>> {
        match &self.at {
            At::Device(_, imported) => imported.as_ref(),
            _ => None,
        }
    }

    /// Returns true if a range lies in it.
    #[inline(always)]
    pub(super) fn covers(&self, key: SegmentKey, address: u64, bytes: u64) -> bool {
        // The order of the comparisons keeps the sums from wrapping.
        self.key == key && address >= self.start && address <= self.end && bytes <= self.end - address
    }
}

/// Grants of one epoch; none lies in another, so that they are sorted by starts and by ends.
#[derive(Clone, Default)]
pub(super) struct Grants {
    pub(super) epoch: u64,
    /// The only grant, if there is only one: the common case.
    only: Option<Held>,
    list: Vec<Held>,
}

impl Grants {
    /// No grants yet.
    pub(super) fn of(epoch: u64) -> Self {
        Self { epoch, only: None, list: Vec::new() }
    }

    /// Adds one, unless it lies in another with as much information; grants inside it are removed.
    pub(super) fn add(&mut self, held: Held) {
        let at = self.list.partition_point(|other| (other.key, other.start) < (held.key, held.start));
        let is_covered = |other: &Held| {
            let is_inside = other.start <= held.start && other.end >= held.end;
            other.key == held.key && is_inside && !matches!(other.at, At::Unimported)
        };
        if self.list.get(at).is_some_and(is_covered)
            || at.checked_sub(1).and_then(|before| self.list.get(before)).is_some_and(is_covered)
        {
            return;
        }
        let rest = self.list.get(at..).unwrap_or_default();
        let covered = rest.iter().take_while(|other| other.key == held.key && other.end <= held.end).count();
        self.list.splice(at..at + covered, [held]);
        self.only = self.list.first().filter(|_| self.list.len() == 1).cloned();
    }

    /// Returns the grant that contains a range.
    #[inline(always)]
    pub(super) fn find(&self, key: SegmentKey, address: u64, bytes: u64) -> Option<&Held> {
        if let Some(only) = &self.only {
            return only.covers(key, address, bytes).then_some(only);
        }
        let behind = self.list.partition_point(|held| (held.key, held.start) <= (key, address));
        let held = self.list.get(behind.checked_sub(1)?)?;
        held.covers(key, address, bytes).then_some(held)
    }

    /// Returns the number of grants.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }
}

#[cfg(test)]
mod tests {
    use mf_transport::Backing;
    use proptest::prelude::*;

    use super::*;

    const KEY: SegmentKey = SegmentKey(7);

    fn held(key: SegmentKey, start: u64, end: u64) -> Held {
        Held::new(key, &Grant { start, end, backing: Backing::Private }, At::Private).unwrap()
    }

    proptest! {
        #[test]
        fn a_range_is_found_when_a_grant_covers_it(
            grants in prop::collection::vec((0..3_u64, 0..40_u64, 1..20_u64), 0..30),
        ) {
            let mut all = Grants::of(1);
            for (key, start, bytes) in &grants {
                all.add(held(SegmentKey(*key), *start, start + bytes));
            }
            for key in 0..3 {
                for start in 0..60 {
                    for bytes in 1..25 {
                        let covers = |(of, first, length): &(u64, u64, u64)| {
                            *of == key && *first <= start && start + bytes <= first + length
                        };
                        let expected = grants.iter().any(covers);
                        prop_assert_eq!(all.find(SegmentKey(key), start, bytes).is_some(), expected);
                    }
                }
            }
        }
    }

    #[test]
    fn imported_grant_replaces_an_unimported_one() {
        let grant = Grant { start: 10, end: 20, backing: Backing::Device(1) };
        let of = |at| Held::new(KEY, &grant, at).unwrap();
        let mut all = Grants::of(1);
        let place = |all: &Grants| all.find(KEY, 12, 3).unwrap().place(12);
        all.add(of(At::Unimported));
        assert_eq!(place(&all), Place::Unimported);
        all.add(of(At::Device(1000, None)));
        assert_eq!((place(&all), all.len()), (Place::Device(1002), 1));
        all.add(of(At::Unimported));
        assert_eq!((place(&all), all.len()), (Place::Device(1002), 1));
    }

    #[test]
    fn ranges_over_the_end_of_addresses_are_not_found() {
        let mut all = Grants::of(1);
        all.add(held(KEY, u64::MAX - 10, u64::MAX));
        assert!(all.find(KEY, u64::MAX - 10, 10).is_some());
        assert!(all.find(KEY, u64::MAX - 5, 10).is_none() && all.find(KEY, u64::MAX, 1).is_none());
        let empty = Grant { start: 5, end: 5, backing: Backing::Private };
        assert!(Held::new(KEY, &empty, At::Private).is_none());
    }
}
