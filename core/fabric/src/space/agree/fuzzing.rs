// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Fuzz target for the search for addresses.

use std::time::{Duration, Instant};

use mf_base::MemKind;
use mf_base::units::GIB;

use super::records::{self, Free, PoolRecord, PoolRecords};
use super::{Layout, Shape, fit};

/// A table, the free ranges of some members, and the shape of the pool that is wanted.
type Input = (Vec<u8>, Vec<Vec<u8>>, Shape);

/// Reads records of the store and searches for a place; a place that is found must be free in all members.
pub(crate) fn agree(bytes: &[u8]) {
    let Ok((table, members, shape)) = postcard::from_bytes::<Input>(bytes) else { return };
    let table = records::table(&table).unwrap_or_default();
    let free: Vec<Free> = members.iter().filter_map(|member| records::free("key", member).ok()).collect();
    if shape.check().is_err() {
        return;
    }
    let used = table.values().flat_map(PoolRecord::used).collect();
    let deadline = Instant::now() + Duration::from_secs(5);
    let Some(bases) = fit::find_bases(&free, used, shape, deadline) else { return };
    let layout = Layout::new(bases, shape);
    assert!(layout.is_ok(), "no pool can lie there: {bases:x?}");
    let Ok(layout) = layout else { return };
    for kind in MemKind::ALL {
        let range = layout.range(kind);
        for entry in table.values().flat_map(PoolRecord::used) {
            assert!(range.end <= entry.start || entry.end <= range.start, "{range:x?} is another pool's");
        }
    }
}

/// An input to start from.
pub(crate) fn seed() -> Option<Vec<u8>> {
    let shape = Shape { world: 2, max_bytes: [GIB, 2 * GIB] };
    let table = PoolRecords::from([(0, PoolRecord { bases: [GIB, 4 * GIB], shape, nonce: 7 })]);
    let free: Free = [vec![(GIB, 90 * GIB)], vec![(GIB, 20 * GIB), (30 * GIB, 90 * GIB)]];
    let free = records::encode(&free).ok()?;
    let input: Input = (records::encode(&table).ok()?, vec![free.clone(), free], shape);
    postcard::to_allocvec(&input).ok()
}
