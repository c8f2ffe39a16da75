// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Metrics of the tiers on disk of this process.

use mf_job::metrics::{Sheet, table};

use crate::counts::Count;
use crate::shared::for_each_member;

/// Adds the tiers to a sheet. While a cache is opened or closed they are missing.
pub(crate) fn fill(sheet: &mut Sheet) {
    for_each_member(|pool, member| {
        let Some(disk) = member.disk_stats() else { return };
        let mut number = |metric, value| sheet.number(metric, vec![("pool", pool.to_string())], value);
        let (managed, free) = member.manager.bytes(&member.memory);
        number(table::CACHE_HITS, member.counts.read(Count::Hits));
        number(table::CACHE_MISSES, member.counts.read(Count::Misses));
        number(table::CACHE_MEMORY_BYTES, managed - free.min(managed));
        number(table::CACHE_MEMORY_MANAGED_BYTES, managed);
        number(table::CACHE_DISK_CAPACITY_BYTES, disk.capacity_bytes);
        number(table::CACHE_DISK_HITS, disk.hits);
        number(table::CACHE_DISK_ADMISSIONS, disk.admissions);
        number(table::CACHE_DISK_DROPS, disk.drops);
        number(table::CACHE_DISK_VALUES, disk.values);
        number(table::CACHE_DISK_BYTES, disk.bytes);
        number(table::CACHE_DISK_QUEUE_BYTES, disk.queue_bytes);
        number(table::CACHE_DISK_WRITTEN_BYTES, disk.written_bytes);
        number(table::CACHE_DISK_OFF, disk.is_off.into());
    });
}
