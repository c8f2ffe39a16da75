// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Device memory of the program's own that another process of this host maps by a key: allocations, and not
//! the memory of pools.
//!
//! A process may import a key once, and exports a range once; both are kept here for all users in the
//! process, and end with the last of them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, Weak};

use mf_base::Result;
use mf_base::sync::lock;

/// A range (address, bytes) that is exported, with its key. Any holder of the key may map the memory.
pub type Exported = SharedValue<(u64, u64), Vec<u8>>;
/// A key that is imported, with the address for the device of this process.
pub type Imported = SharedValue<Vec<u8>, u64>;

/// Ends an export or an import.
pub(super) type End = Box<dyn FnOnce() + Send + Sync>;

/// A named shared value that ends when its last user drops it.
pub struct SharedValue<N: Ord + 'static, V: 'static> {
    name: N,
    value: V,
    /// Its number, which a later one of its name does not have.
    number: u64,
    table: &'static SharedValues<N, V>,
}

/// All of one sort in this process.
pub(super) struct SharedValues<N: Ord + 'static, V: 'static>(Mutex<Entries<N, V>>);

struct Entries<N: Ord + 'static, V: 'static> {
    begun: u64,
    all: BTreeMap<N, SharedEntry<N, V>>,
}

struct SharedEntry<N: Ord + 'static, V: 'static> {
    number: u64,
    shared: Weak<SharedValue<N, V>>,
    end: End,
}

impl<N: Ord + Clone + 'static, V: 'static> SharedValues<N, V> {
    pub(super) const fn new() -> Self {
        Self(Mutex::new(Entries { begun: 0, all: BTreeMap::new() }))
    }

    /// Returns the value of this name; else `begin` makes it, together with its destructor.
    ///
    /// # Errors
    /// Errors of `begin`.
    pub(super) fn get(
        &'static self,
        name: N,
        begin: impl FnOnce() -> Result<(V, End)>,
    ) -> Result<Arc<SharedValue<N, V>>> {
        // Held while the driver works: an ended value has ended in the driver, too, before it begins anew.
        let mut entries = lock(&self.0);
        if let Some(entry) = entries.all.remove(&name) {
            if let Some(shared) = entry.shared.upgrade() {
                entries.all.insert(name, entry);
                return Ok(shared);
            }
            // Its last user is about to end it.
            (entry.end)();
        }
        let (value, end) = begin()?;
        entries.begun += 1;
        let number = entries.begun;
        let shared = Arc::new(SharedValue { name: name.clone(), value, number, table: self });
        entries.all.insert(name, SharedEntry { number, shared: Arc::downgrade(&shared), end });
        Ok(shared)
    }
}

impl<N: Ord, V> SharedValue<N, V> {
    /// Returns the key of an export, or the address of an import.
    pub fn value(&self) -> &V {
        &self.value
    }
}

impl<N: Ord + 'static, V: 'static> Drop for SharedValue<N, V> {
    fn drop(&mut self) {
        let mut entries = lock(&self.table.0);
        if entries.all.get(&self.name).is_some_and(|entry| entry.number == self.number)
            && let Some(entry) = entries.all.remove(&self.name)
        {
            (entry.end)();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use mf_base::{Error, Kind};

    use super::*;

    #[test]
    fn users_share_one_instance_until_the_last_drops_it() {
        static TABLE: SharedValues<u32, u64> = SharedValues::new();
        static OPEN: AtomicU32 = AtomicU32::new(0);
        fn closed() {
            OPEN.fetch_sub(1, Ordering::Relaxed);
        }
        let begin = |value| {
            move || {
                assert_eq!(OPEN.fetch_add(1, Ordering::Relaxed), 0, "two at once");
                let end: End = Box::new(closed);
                Ok((value, end))
            }
        };
        let first = TABLE.get(7, begin(1)).unwrap();
        let second = TABLE.get(7, || panic!("there is one")).unwrap();
        assert_eq!((*first.value(), *second.value()), (1, 1));
        drop(first);
        assert_eq!(OPEN.load(Ordering::Relaxed), 1);
        drop(second);
        assert_eq!(OPEN.load(Ordering::Relaxed), 0);
        assert_eq!(*TABLE.get(7, begin(2)).unwrap().value(), 2);
        assert!(TABLE.get(8, || Err(Error::new(Kind::Failed, "test"))).is_err());
    }

    #[test]
    fn concurrent_reopening_never_creates_two_instances() {
        static TABLE: SharedValues<u32, ()> = SharedValues::new();
        static OPEN: AtomicU32 = AtomicU32::new(0);
        fn closed() {
            OPEN.fetch_sub(1, Ordering::Relaxed);
        }
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..2000 {
                        let shared = TABLE.get(1, || {
                            assert_eq!(OPEN.fetch_add(1, Ordering::Relaxed), 0);
                            Ok(((), Box::new(closed) as End))
                        });
                        drop(shared.unwrap());
                    }
                });
            }
        });
        assert_eq!(OPEN.load(Ordering::Relaxed), 0);
    }
}
