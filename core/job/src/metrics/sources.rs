// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Sources of metrics in families above this crate.

use std::collections::BTreeMap;
use std::sync::Mutex;

use mf_base::sync::lock;
use mf_fabric::figures::CacheFigures;

use super::sheet::{Sheet, Value};
use super::table::{self, Metric};

/// Function that adds the values of a family above this crate.
pub type Source = fn(&mut Sheet);

static SOURCES: Mutex<Vec<Source>> = Mutex::new(Vec::new());

/// From now on sheets have the values of `source`, once however often it is added. It is called on any
/// thread, and must not wait. **Local.**
pub fn add_source(source: Source) {
    let mut sources = lock(&SOURCES);
    if !sources.iter().any(|present| std::ptr::fn_addr_eq(*present, source)) {
        sources.push(source);
    }
}

/// Adds the values of all sources.
pub(super) fn fill(sheet: &mut Sheet) {
    let sources: Vec<Source> = lock(&SOURCES).clone();
    sources.iter().for_each(|source| source(sheet));
}

/// Bytes of the symmetric heaps of this process: used, free, quarantined. **Local.**
pub(crate) fn heaps() -> BTreeMap<String, [u64; 3]> {
    let mut sheet = Sheet::default();
    fill(&mut sheet);
    let mut heaps: BTreeMap<String, [u64; 3]> = BTreeMap::new();
    let samples = sheet.metrics().filter(|(metric, _)| metric.name == table::HEAP_BYTES.name);
    for sample in samples.flat_map(|(_, samples)| samples) {
        let label = |wanted| sample.labels.iter().find(|(name, _)| *name == wanted).map(|(_, value)| value);
        if let (Some(heap), Some(state), Value::Number(bytes)) = (label("heap"), label("state"), sample.value)
            && let Some(at) = ["used", "free", "quarantined"].iter().position(|name| name == state)
        {
            heaps.entry(heap.clone()).or_default()[at] = bytes;
        }
    }
    heaps
}

/// Parts of this process in caches with a tier on disk, by pool. **Local.**
pub(crate) fn caches() -> Vec<CacheFigures> {
    let mut sheet = Sheet::default();
    fill(&mut sheet);
    let mut caches: BTreeMap<u32, CacheFigures> = BTreeMap::new();
    for (metric, samples) in sheet.metrics() {
        let Some((_, of)) = CACHE_FIELDS.iter().find(|(field, _)| field.name == metric.name) else {
            continue;
        };
        for sample in samples {
            let pool = sample.labels.iter().find(|(name, _)| *name == "pool");
            if let (Some(Ok(pool)), Value::Number(number)) =
                (pool.map(|(_, pool)| pool.parse()), sample.value)
            {
                let cache = caches.entry(pool).or_insert(CacheFigures { pool, ..CacheFigures::default() });
                *of(cache) = number;
            }
        }
    }
    caches.into_values().collect()
}

/// A figure of a cache.
type Field = fn(&mut CacheFigures) -> &mut u64;

/// Metrics of a cache, and the figures that they are.
const CACHE_FIELDS: [(Metric, Field); 10] = [
    (table::CACHE_MEMORY_BYTES, |cache| &mut cache.memory[0]),
    (table::CACHE_MEMORY_MANAGED_BYTES, |cache| &mut cache.memory[1]),
    (table::CACHE_DISK_BYTES, |cache| &mut cache.disk[0]),
    (table::CACHE_DISK_CAPACITY_BYTES, |cache| &mut cache.disk[1]),
    (table::CACHE_HITS, |cache| &mut cache.hits[0]),
    (table::CACHE_DISK_HITS, |cache| &mut cache.hits[1]),
    (table::CACHE_MISSES, |cache| &mut cache.misses),
    (table::CACHE_DISK_DROPS, |cache| &mut cache.drops),
    (table::CACHE_DISK_QUEUE_BYTES, |cache| &mut cache.queue),
    (table::CACHE_DISK_OFF, |cache| &mut cache.off),
];
