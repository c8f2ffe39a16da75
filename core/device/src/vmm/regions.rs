// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Registered ranges of the program's own memory, with their localities.
//!
//! The copy path queries it on every call, from many threads, and registrations are rare meanwhile. So the
//! answer is in a sorted table that is replaced as a whole (RCU): a look-up is one load, inside a read
//! section, and a binary search, without a lock and a call of CANN. Registrations are counted per range;
//! ranges may overlap.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, Ordering};

use mf_base::sync::lock;
use mf_base::sync::rcu;

use crate::Locality;

/// One registered range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Registration {
    /// Locality of the memory.
    pub(super) locality: Locality,
    /// True if we registered it with the driver, and have to unregister it.
    pub(super) ours: bool,
    /// Registrations of exactly this range.
    count: usize,
}

/// Start and end of a stretch of one locality.
type Stretch = (u64, u64, Locality);

/// The registered ranges of this process.
#[derive(Default)]
pub(super) struct Regions {
    /// Null stands for the empty table.
    table: AtomicPtr<Vec<Stretch>>,
    registered: Mutex<BTreeMap<(u64, u64), Registration>>,
}

impl Regions {
    /// Returns the locality of `address`, if that is registered.
    #[inline]
    pub(super) fn locality(&self, address: u64) -> Option<Locality> {
        let _section = rcu::read_lock();
        // Acquire pairs with the release in `publish`: the table is complete when it is found.
        let table = self.table.load(Ordering::Acquire);
        // SAFETY: a table is freed only after `synchronize`, which waits for this section.
        let table = unsafe { table.as_ref() }?;
        let (_, end, locality) =
            table.get(table.partition_point(|(start, ..)| *start <= address).checked_sub(1)?)?;
        (address < *end).then_some(*locality)
    }

    /// Adds a registration; `make` runs for the first one of this range and returns its locality and whether
    /// the driver has registered it, which is the result.
    pub(super) fn add<E>(
        &self,
        address: u64,
        bytes: u64,
        make: impl FnOnce() -> Result<(Locality, bool), E>,
    ) -> Result<bool, E> {
        let mut registered = lock(&self.registered);
        if let Some(known) = registered.get_mut(&(address, bytes)) {
            known.count += 1;
            return Ok(known.ours);
        }
        let (locality, ours) = make()?;
        registered.insert((address, bytes), Registration { locality, ours, count: 1 });
        self.publish(&registered);
        Ok(ours)
    }

    /// Ends a registration; the last one of a range is returned, and look-ups miss it from then on.
    pub(super) fn remove(&self, address: u64, bytes: u64) -> Option<Registration> {
        let mut registered = lock(&self.registered);
        let known = registered.get_mut(&(address, bytes))?;
        known.count -= 1;
        if known.count > 0 {
            return None;
        }
        let gone = registered.remove(&(address, bytes));
        self.publish(&registered);
        gone
    }

    /// Returns every range that we registered with the driver; the table is empty then.
    pub(super) fn take_own_ranges(&self) -> Vec<u64> {
        let mut registered = lock(&self.registered);
        let gone = std::mem::take(&mut *registered);
        self.publish(&registered);
        gone.iter().filter(|(_, known)| known.ours).map(|((address, _), _)| *address).collect()
    }

    /// Replaces the table; the lock of `registered` is held.
    fn publish(&self, registered: &BTreeMap<(u64, u64), Registration>) {
        let table = merge_ranges(registered);
        let new = if table.is_empty() { std::ptr::null_mut() } else { Box::into_raw(Box::new(table)) };
        let old = self.table.swap(new, Ordering::AcqRel);
        if !old.is_null() {
            rcu::synchronize();
            // SAFETY: made by `Box::into_raw` above, taken out once, and no section reads it any more.
            drop(unsafe { Box::from_raw(old) });
        }
    }
}

impl Drop for Regions {
    fn drop(&mut self) {
        let table = *self.table.get_mut();
        if !table.is_null() {
            // SAFETY: made by `Box::into_raw`; no other reference to this object is left.
            drop(unsafe { Box::from_raw(table) });
        }
    }
}

/// Returns the ranges in order, overlapping ones joined: registrations of one address agree on its locality,
/// unless the program reused it without unregistering; then the range that starts first counts.
fn merge_ranges(registered: &BTreeMap<(u64, u64), Registration>) -> Vec<Stretch> {
    let mut table: Vec<Stretch> = Vec::with_capacity(registered.len());
    for ((address, bytes), known) in registered {
        let (mut start, end) = (*address, address.saturating_add(*bytes));
        if let Some(last) = table.last_mut() {
            if start <= last.1 && last.2 == known.locality {
                last.1 = last.1.max(end);
                continue;
            }
            start = start.max(last.1);
        }
        if start < end {
            table.push((start, end, known.locality));
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use Locality::{Device, Host};
    use proptest::prelude::*;
    use std::convert::Infallible;
    use std::sync::atomic::AtomicBool;

    fn add(regions: &Regions, address: u64, bytes: u64, locality: Locality) {
        regions.add(address, bytes, || Ok::<_, Infallible>((locality, locality == Host))).unwrap();
    }

    #[test]
    fn a_registered_range_is_known_until_its_last_registration_ends() {
        let regions = Regions::default();
        add(&regions, 100, 50, Device);
        add(&regions, 100, 50, Device);
        add(&regions, 300, 10, Host);
        for (address, expected) in [
            (99, None),
            (100, Some(Device)),
            (149, Some(Device)),
            (150, None),
            (305, Some(Host)),
            (310, None),
        ] {
            assert_eq!(regions.locality(address), expected, "{address}");
        }
        assert_eq!(regions.remove(100, 50), None);
        assert_eq!(regions.locality(120), Some(Device));
        assert_eq!(regions.remove(100, 50).map(|gone| gone.ours), Some(false));
        assert_eq!(regions.locality(120), None);
        assert_eq!(regions.remove(100, 50), None);
        assert_eq!(regions.take_own_ranges(), [300]);
        assert_eq!(regions.locality(305), None);
    }

    #[test]
    fn a_failed_registration_leaves_nothing() {
        let regions = Regions::default();
        assert_eq!(regions.add(100, 50, || Err("no")), Err("no"));
        assert_eq!(regions.locality(100), None);
        assert_eq!(regions.remove(100, 50), None);
    }

    #[test]
    fn look_ups_race_with_changes() {
        let regions = Regions::default();
        let stop = AtomicBool::new(false);
        add(&regions, 1000, 100, Device);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    assert_eq!(regions.locality(1050), Some(Device));
                    assert_ne!(regions.locality(10), Some(Device));
                }
            });
            for _ in 0..300 {
                add(&regions, 0, 100, Host);
                assert!(regions.remove(0, 100).is_some());
            }
            stop.store(true, Ordering::Relaxed);
        });
    }

    proptest! {
        #[test]
        fn overlapping_ranges_are_found_as_by_a_linear_search(
            ranges in prop::collection::btree_set((0u64..200, 1u64..40), 0..12),
            address in 0u64..260,
        ) {
            let regions = Regions::default();
            for (start, bytes) in &ranges {
                add(&regions, *start, *bytes, Host);
            }
            let inside = ranges.iter().any(|(start, bytes)| (*start..start + bytes).contains(&address));
            prop_assert_eq!(regions.locality(address).is_some(), inside);
        }
    }
}
