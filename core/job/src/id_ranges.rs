// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Which numbers the objects of each family have: pools in a job, and records in the meta area in which the
//! kernels of this process look.
//!
//! | family | objects | pools of each, in blocks | records of object *i* |
//! |---|---|---|---|
//! | [`BIG_MEMORY`] | 64 | 1: memory | none |
//! | [`SHARE_MEMORY`] | 64 | 2: memory, control areas | *i* |
//! | [`SYMMETRIC_HEAP`] | 255 | 3: device memory, host memory, control areas | 2*i*, 2*i* + 1 |
//! | [`OPEN_SHMEM`] | 1 | 2: memory, control areas | none |
//! | [`OFFLOAD`] | 1 | 1: memory | none |
//!
//! All members of a job come to the same numbers, so pools of different families never meet. Records are
//! distinguished by the area itself: the interfaces for kernels say which ones a family has, and they
//! overlap; the second one is refused.

use std::ops::Range;

use mf_base::{Error, Result};

/// The numbers of one family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Family {
    objects: u32,
    first_pool: u32,
    pools: u32,
    records: u32,
}

/// Pools of big memory.
pub const BIG_MEMORY: Family = Family::new(64, 0, 1, 0);
/// Objects of share memory: memory is their pool 0, control areas 1.
pub const SHARE_MEMORY: Family = Family::new(64, BIG_MEMORY.end(), 2, 1);
/// Instances of the symmetric heap: device memory is their pool 0, host memory 1, control areas 2.
pub const SYMMETRIC_HEAP: Family = Family::new(255, SHARE_MEMORY.end(), 3, 2);
/// The symmetric heap of OpenSHMEM, of which a process has one: memory is its pool 0, control areas 1.
pub const OPEN_SHMEM: Family = Family::new(1, SYMMETRIC_HEAP.end(), 2, 0);
/// The pool of offload, of which a process has one.
pub const OFFLOAD: Family = Family::new(1, OPEN_SHMEM.end(), 1, 0);

impl Family {
    const fn new(objects: u32, first_pool: u32, pools: u32, records: u32) -> Self {
        Self { objects, first_pool, pools, records }
    }

    /// Returns the first number after its pools'.
    const fn end(self) -> u32 {
        self.first_pool + self.objects * self.pools
    }

    /// The numbers of object `id`.
    ///
    /// # Errors
    /// `InvalidParam` the family has no such object.
    pub fn number(self, operation: &'static str, id: u32) -> Result<Number> {
        if id < self.objects {
            return Ok(Number { family: self, id });
        }
        Err(Error::invalid(operation, "the id is out of range")
            .with("id", id)
            .hint(format!("0 to {}", self.objects - 1)))
    }
}

/// The numbers of one object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    family: Family,
    id: u32,
}

impl Number {
    /// Its number among the objects of its family.
    pub fn id(self) -> u32 {
        self.id
    }

    /// Number of its pool `part` in the job, from 0.
    pub fn pool(self, part: u32) -> u32 {
        debug_assert!(part < self.family.pools);
        self.family.first_pool + part * self.family.objects + self.id
    }

    /// Its records in the kernels' meta area.
    pub fn records(self) -> Range<u32> {
        let first = self.id * self.family.records;
        first..first + self.family.records
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn pool_numbers_are_unique() {
        let mut taken = BTreeSet::new();
        for family in [BIG_MEMORY, SHARE_MEMORY, SYMMETRIC_HEAP, OPEN_SHMEM, OFFLOAD] {
            for id in 0..family.objects {
                let number = family.number("test", id).unwrap();
                assert!((0..family.pools).all(|part| taken.insert(number.pool(part))), "{number:?}");
                assert!(number.records().end <= 511, "{number:?}");
            }
            assert_eq!(family.number("test", family.objects).unwrap_err().code(), -2000);
        }
        assert_eq!(taken.last(), Some(&(OFFLOAD.end() - 1)));
    }

    #[test]
    fn numbers_match_those_of_other_members_and_kernels() {
        let heap = SYMMETRIC_HEAP.number("test", 254).unwrap();
        assert_eq!((heap.records(), heap.id()), (508..510, 254));
        let share = SHARE_MEMORY.number("test", 3).unwrap();
        assert_eq!((share.pool(0), share.pool(1), share.records()), (67, 131, 3..4));
        assert_eq!(BIG_MEMORY.number("test", 63).unwrap().pool(0), 63);
    }
}
