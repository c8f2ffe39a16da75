// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Shape of a pool for a member that gives no largest contribution: the shape of the existing pool, else one
//! for a cluster. Unmapped addresses cost nothing.

use std::time::{Duration, Instant};

use mf_base::{MemKind, Result};
use mf_store::Store;
use rustix::process::{Resource, getrlimit};

use super::records::{self, PoolRecord};
use super::{fit, is_alive};
use crate::space::layout::{GRANULE_BYTES, Shape};

/// Addresses of a new pool, in bytes, all members together: the first for which there is room.
const TOTALS: [u64; 3] = [16 << 40, 2 << 40, 128 << 30];
/// Most host memory of one member, in bytes.
const MEMBER_BYTES_MAX: u64 = 2 << 40;
/// Longest search for room.
const SEARCH: Duration = Duration::from_secs(1);

/// Returns the shape of pool `id` for a member with the maxima `least`, where others may contribute more host
/// memory. A pool with a smaller maximum refuses it.
///
/// # Errors
/// `Failed` a record of the store was not written by this library · errors of the store.
pub fn adopt(store: &dyn Store, id: u32, least: Shape) -> Result<Shape> {
    let host = MemKind::Host.index();
    let with = |bytes: u64| {
        let mut shape = least;
        if let Some(most) = shape.max_bytes.get_mut(host) {
            *most = bytes;
        }
        shape
    };
    let (table, _) = records::read_table(store)?;
    let mut used = Vec::new();
    for (pool, entry) in &table {
        if !is_alive(store, *pool, entry)? {
            continue;
        }
        if *pool == id {
            return Ok(with(entry.shape.max_bytes[host].max(least.max_bytes[host])));
        }
        used.extend(PoolRecord::used(entry));
    }
    let free = records::read_free(store)?;
    let deadline = Instant::now() + SEARCH;
    let limit = getrlimit(Resource::As).current;
    for total in TOTALS {
        let each =
            (total / u64::from(least.world.max(1))).min(MEMBER_BYTES_MAX) / GRANULE_BYTES * GRANULE_BYTES;
        let shape = with(each.max(least.max_bytes[host]));
        let is_allowed = limit.is_none_or(|most| shape.total_bytes().is_some_and(|bytes| bytes < most / 2));
        if is_allowed
            && shape.check().is_ok()
            && fit::find_bases(&free, used.clone(), shape, deadline).is_some()
        {
            return Ok(shape);
        }
    }
    Ok(least)
}
