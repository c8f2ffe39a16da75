// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Id allocator of an object's members: a set of 1024 bits in the store, changed by compare-and-swap.
//!
//! A number belongs to the member that took it until any member releases it, even if its member has died.

use std::time::Instant;

use mf_base::{Error, Kind, Result};
use mf_store::{Lifetime, Store};

/// Numbers are below it.
pub const VALUES_MAX: u32 = 1024;

const SET_BYTES: usize = VALUES_MAX as usize / 8;

/// Takes the smallest free number below `limit`.
pub(super) fn alloc(
    operation: &'static str,
    store: &dyn Store,
    key: &str,
    limit: u32,
    deadline: Instant,
) -> Result<u32> {
    if limit == 0 || limit > VALUES_MAX {
        return Err(Error::invalid(operation, "the limit is out of range")
            .with("limit", limit)
            .hint("1 to 1024"));
    }
    change(store, key, deadline, operation, |set| {
        let free = (0..limit).find(|value| set[*value as usize / 8] & bit(*value) == 0);
        let value = free.ok_or_else(|| {
            Error::new(Kind::Failed, operation)
                .what("no number is free")
                .with("limit", limit)
                .hint("release numbers, those of ranks that died as well, or raise the limit")
        })?;
        set[value as usize / 8] |= bit(value);
        Ok(value)
    })
}

/// Gives a number back.
pub(super) fn release(
    operation: &'static str,
    store: &dyn Store,
    key: &str,
    value: u32,
    deadline: Instant,
) -> Result<()> {
    change(store, key, deadline, operation, |set| {
        let taken = value < VALUES_MAX && set[value as usize / 8] & bit(value) != 0;
        if !taken {
            return Err(Error::new(Kind::NotExist, operation)
                .what("the number was not allocated")
                .with("value", value));
        }
        set[value as usize / 8] &= !bit(value);
        Ok(())
    })
}

fn bit(value: u32) -> u8 {
    1 << (value % 8)
}

fn change<T>(
    store: &dyn Store,
    key: &str,
    deadline: Instant,
    operation: &'static str,
    change: impl Fn(&mut [u8; SET_BYTES]) -> Result<T>,
) -> Result<T> {
    let mut current = store.get(key)?.map(|entry| entry.value);
    loop {
        let mut set = match current.as_deref() {
            None => [0; SET_BYTES],
            Some(value) => <[u8; SET_BYTES]>::try_from(value).map_err(|_| {
                Error::new(Kind::Failed, operation)
                    .what("corrupt record in the store (not written by this library)")
                    .with("key", key)
                    .with("bytes", value.len())
            })?,
        };
        let changed = change(&mut set)?;
        let swap = store.compare_and_swap(key, current.as_deref(), &set, Lifetime::Permanent)?;
        if swap.swapped {
            return Ok(changed);
        }
        if Instant::now() >= deadline {
            return Err(Error::new(Kind::Timeout, operation)
                .what("other ranks changed the set all the time")
                .with("key", key));
        }
        current = swap.current.map(|entry| entry.value);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::time::Duration;

    use mf_store::MemoryStore;

    use super::*;

    #[test]
    fn numbers_are_unique_and_the_smallest_is_reused_first() {
        let world = MemoryStore::new(4).unwrap();
        let stores: Vec<_> = (0..4).map(|_| world.join(None).unwrap()).collect();
        let soon = Instant::now() + Duration::from_secs(60);
        let taken: BTreeSet<u32> = std::thread::scope(|scope| {
            let ranks = stores.iter().map(|store| {
                scope.spawn(move || {
                    (0..10).map(|_| alloc("test", store, "v", 40, soon).unwrap()).collect::<Vec<_>>()
                })
            });
            let ranks: Vec<_> = ranks.collect();
            ranks.into_iter().flat_map(|rank| rank.join().unwrap()).collect()
        });
        assert_eq!(taken, (0..40).collect());
        let store = &stores[0];
        assert_eq!(alloc("test", store, "v", 40, soon).unwrap_err().kind(), Kind::Failed);
        for value in [17, 5] {
            release("test", store, "v", value, soon).unwrap();
            assert_eq!(release("test", store, "v", value, soon).unwrap_err().kind(), Kind::NotExist);
        }
        assert_eq!(alloc("test", &stores[3], "v", 1024, soon).unwrap(), 5);
        for value in [1024, u32::MAX] {
            assert_eq!(release("test", store, "v", value, soon).unwrap_err().kind(), Kind::NotExist);
        }
        stores[1].set("v", b"something else", Lifetime::Permanent).unwrap();
        let error = alloc("test", store, "v", 40, soon).unwrap_err();
        assert_eq!((error.kind(), error.fact("key")), (Kind::Failed, Some("v")));
        for limit in [0, 1025] {
            assert_eq!(alloc("test", store, "v", limit, soon).unwrap_err().kind(), Kind::InvalidParam);
        }
    }
}
