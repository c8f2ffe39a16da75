// SPDX-License-Identifier: Apache-2.0 OR MIT
//! How the members of a job agree on one base for a pool.
//!
//! **Problem.** A pool must lie at the same addresses in every process, but each process has mappings of its own, and
//! the members come one after the other.
//!
//! **Rule.** On init every member publishes which parts of the candidate regions are free in it ([`publish_free`]). Who
//! creates a pool first takes the lowest range that is free in *all* members of that moment and not used by another
//! pool, and records it; those after take what is recorded. So a range that is taken in one process moves the pool to
//! the next candidate for everybody. A later joiner in whom the recorded range is taken fails and names what is there.
//!
//! **Record.** One key holds the table of all pools (id → base, shape, nonce), changed by compare-and-swap. A pool is
//! alive while some member holds its `open` key with the entry's nonce; entries without are left-overs of killed
//! members and are replaced. After publishing its `open` key a member reads the table again: if its entry was
//! replaced meanwhile it starts over, so nobody uses a range that another pool was given.

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Instant;

use mf_base::os::mapping::{Reservation, mapped_ranges};
use mf_base::units::GIB;
use mf_base::{ByteLen, Error, Kind, Result};
use mf_store::{Lifetime, Store};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::layout::{Layout, Shape};

const OP: &str = "address space";
const TABLE_KEY: &str = "space/pools";
const FREE_PREFIX: &str = "space/free/";
/// Bases are multiples of this, as devices map memory in units of up to 1 GiB.
const ALIGN: u64 = GIB;

/// Regions that are usually free on 64-bit Linux, best first: away from position-independent programs
/// (0x5500…), from the mappings below the stack (0x7f…) and from the shadows of the sanitizers (below 0x1000_8000_0000).
const CANDIDATES: [Range<u64>; 4] = [
    0x2800_0000_0000..0x5000_0000_0000,
    0x1100_0000_0000..0x2800_0000_0000,
    0x6200_0000_0000..0x7800_0000_0000,
    // Where the address space has 39 bits only.
    0x20_0000_0000..0x50_0000_0000,
];

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    base: u64,
    shape: Shape,
    nonce: u64,
}

type Table = BTreeMap<u32, Entry>;
/// Start and end of free ranges, in the order of preference.
type FreeRanges = Vec<(u64, u64)>;

/// What the members agreed on, and this process's reservation of it.
#[derive(Debug)]
pub struct Agreed {
    /// The layout.
    pub layout: Layout,
    /// The addresses, reserved.
    pub window: Reservation,
}

/// Tells the other members which candidate ranges are free in this process. Local; one round trip to the store.
///
/// # Errors
/// `NotConnected` without the store.
pub fn publish_free(store: &dyn Store, preferred_base: Option<u64>) -> Result<()> {
    let key = format!("{FREE_PREFIX}{}", store.member().rank);
    store.set(&key, &encode(&free_ranges(preferred_base, &mapped_ranges()))?, Lifetime::Session).map(drop)
}

/// Agrees with the other members on the base of pool `id` and reserves it here. Local; a few round trips.
///
/// # Errors
/// `InvalidParam` the pool exists with another shape · `NoResources` no range is free in all members · `InUse` the
/// agreed range is taken in this process · `NotConnected`, `Timeout` of the store.
pub fn open(
    store: &dyn Store,
    id: u32,
    shape: Shape,
    preferred_base: Option<u64>,
    deadline: Instant,
) -> Result<Agreed> {
    loop {
        let entry = match settle(store, id, shape, deadline)? {
            Settled::Found(entry) if entry.shape != shape => {
                return Err(Error::invalid(OP, "the pool exists with other sizes")
                    .with("pool", id)
                    .with("exists", describe(&entry.shape))
                    .with("asked", describe(&shape))
                    .hint("all members pass the same world size and the same maxima"));
            }
            Settled::Found(entry) | Settled::Made(entry) => entry,
        };
        store.set(&open_key(store, id), &entry.nonce.to_le_bytes(), Lifetime::Session)?;
        if read_table(store)?.0.get(&id) != Some(&entry) {
            continue;
        }
        let layout = Layout::new(entry.base, shape)?;
        match Reservation::at(entry.base, layout.total_bytes()) {
            Ok(window) => return Ok(Agreed { layout, window }),
            Err(error) => {
                close(store, id)?;
                // Something was mapped there since `publish_free`. If nobody else uses the entry it was just dropped,
                // and the next round finds another place; else the others cannot move any more.
                let others_use_it = read_table(store)?.0.contains_key(&id);
                publish_free(store, preferred_base)?;
                if error.kind() != Kind::InUse {
                    return Err(error);
                }
                if others_use_it || Instant::now() >= deadline {
                    return Err(error.hint("the other members use these addresses already; start this one before whatever takes them"));
                }
            }
        }
    }
}

/// Gives up this member's share in the addresses of pool `id`; the last one frees them for other pools.
///
/// # Errors
/// `NotConnected` without the store; then the entry is dropped when its range is next needed.
pub fn close(store: &dyn Store, id: u32) -> Result<()> {
    store.delete(&open_key(store, id))?;
    loop {
        let (mut table, raw) = read_table(store)?;
        let Some(entry) = table.get(&id) else { return Ok(()) };
        if is_alive(store, id, entry)? {
            return Ok(());
        }
        table.remove(&id);
        if store.compare_and_swap(TABLE_KEY, raw.as_deref(), &encode(&table)?, Lifetime::Permanent)?.swapped {
            return Ok(());
        }
    }
}

enum Settled {
    Found(Entry),
    Made(Entry),
}

fn settle(store: &dyn Store, id: u32, shape: Shape, deadline: Instant) -> Result<Settled> {
    let total = Layout::new(0, shape)?.total_bytes();
    while Instant::now() < deadline {
        let (mut table, raw) = read_table(store)?;
        if let Some(entry) = table.get(&id)
            && is_alive(store, id, entry)?
        {
            return Ok(Settled::Found(entry.clone()));
        }
        table.remove(&id);
        let mut used = Vec::new();
        for (other, entry) in &table {
            if is_alive(store, *other, entry)? {
                let total = entry.shape.total_bytes().unwrap_or(u64::MAX);
                used.push(entry.base..entry.base.saturating_add(total));
            }
        }
        let free: Vec<FreeRanges> = store
            .list(FREE_PREFIX)?
            .entries
            .iter()
            .map(|entry| decode(&entry.value))
            .collect::<Result<_>>()?;
        let base = first_fit(&free, &used, total).ok_or_else(|| {
            Error::new(Kind::NoResources, OP)
                .what("no range of addresses is free in all members")
                .with("bytes", ByteLen(total))
                .with("members", free.len())
                .with("pools", used.len())
                .hint("lower the world size or the maxima, or set MF_ADDRESS_BASE to a range that is free everywhere")
        })?;
        let mut nonce = [0; 8];
        rustix::rand::getrandom(&mut nonce, rustix::rand::GetRandomFlags::empty())
            .map_err(|e| Error::os(OP, e))?;
        let entry = Entry { base, shape, nonce: u64::from_le_bytes(nonce) };
        table.insert(id, entry.clone());
        if store.compare_and_swap(TABLE_KEY, raw.as_deref(), &encode(&table)?, Lifetime::Permanent)?.swapped {
            return Ok(Settled::Made(entry));
        }
    }
    Err(Error::new(Kind::Timeout, OP).what("the members did not agree on addresses in time").with("pool", id))
}

fn open_key(store: &dyn Store, id: u32) -> String {
    format!("pool/{id}/open/{}", store.member().rank)
}

/// Whether a member holds the pool open with this very entry.
fn is_alive(store: &dyn Store, id: u32, entry: &Entry) -> Result<bool> {
    let holders = store.list(&format!("pool/{id}/open/"))?;
    Ok(holders.entries.iter().any(|holder| holder.value == entry.nonce.to_le_bytes()))
}

fn read_table(store: &dyn Store) -> Result<(Table, Option<Vec<u8>>)> {
    match store.get(TABLE_KEY)? {
        Some(entry) => Ok((decode(&entry.value)?, Some(entry.value))),
        None => Ok((Table::new(), None)),
    }
}

fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>> {
    postcard::to_allocvec(value)
        .map_err(|e| Error::new(Kind::Failed, OP).what("a record could not be written").source(e.to_string()))
}

fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    postcard::from_bytes(bytes).map_err(|e| {
        Error::new(Kind::Failed, OP).what("a record of another member is not readable").source(e.to_string())
    })
}

fn describe(shape: &Shape) -> String {
    let [device, host] = shape.max_bytes;
    format!("{} ranks × ({} device + {} host)", shape.world, ByteLen(device), ByteLen(host))
}

/// The gaps between `taken` (ascending) inside the candidate regions, `preferred` first.
fn free_ranges(preferred: Option<u64>, taken: &[(Range<u64>, String)]) -> FreeRanges {
    let preferred = preferred.map(|base| base..base.saturating_add(super::layout::MAX_TOTAL_BYTES));
    let mut free = FreeRanges::new();
    for region in preferred.into_iter().chain(CANDIDATES) {
        let mut at = region.start;
        for (range, _) in
            taken.iter().filter(|(range, _)| range.end > region.start && range.start < region.end)
        {
            push_gap(&mut free, at, range.start);
            at = at.max(range.end);
        }
        push_gap(&mut free, at, region.end);
    }
    free
}

fn push_gap(free: &mut FreeRanges, start: u64, end: u64) {
    let start = start.next_multiple_of(ALIGN);
    let end = end & !(ALIGN - 1);
    if end > start {
        free.push((start, end));
    }
}

/// The first range of `bytes` that is free in every member and used by no pool. The order of preference is the first
/// member's.
fn first_fit(free: &[FreeRanges], used: &[Range<u64>], bytes: u64) -> Option<u64> {
    let (first, others) = free.split_first()?;
    for &(start, end) in first {
        let mut at = start;
        while at.checked_add(bytes)? <= end {
            // The furthest obstacle in the way, if any, tells where to look next.
            let in_others = others.iter().filter_map(|ranges| obstacle(ranges, at, bytes));
            let in_pools =
                used.iter().filter(|range| range.start < at + bytes && at < range.end).map(|range| range.end);
            match in_others.chain(in_pools).max() {
                None => return Some(at),
                Some(next) => at = next.max(at + 1).next_multiple_of(ALIGN),
            }
        }
    }
    None
}

/// `None` when the range is free in `ranges`; else the next address from which it may be.
fn obstacle(ranges: &FreeRanges, at: u64, bytes: u64) -> Option<u64> {
    if ranges.iter().any(|(start, end)| *start <= at && at + bytes <= *end) {
        return None;
    }
    Some(
        ranges
            .iter()
            .map(|(start, _)| *start)
            .filter(|start| *start > at)
            .min()
            .unwrap_or(u64::MAX - bytes - ALIGN),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use mf_store::MemoryStore;
    use std::time::Duration;

    const SHAPE: Shape = Shape { world: 2, max_bytes: [0, GIB] };

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(5)
    }

    #[test]
    fn a_range_taken_in_one_member_moves_the_pool_for_all() {
        let everything = vec![(GIB, 100 * GIB)];
        let punctured = vec![(GIB, 2 * GIB), (4 * GIB, 100 * GIB)];
        assert_eq!(first_fit(&[everything.clone(), everything.clone()], &[], 2 * GIB), Some(GIB));
        assert_eq!(first_fit(&[everything.clone(), punctured], &[], 2 * GIB), Some(4 * GIB));
        let used = std::iter::once(GIB..3 * GIB).collect::<Vec<_>>();
        assert_eq!(first_fit(std::slice::from_ref(&everything), &used, 2 * GIB), Some(3 * GIB));
        assert_eq!(first_fit(&[everything.clone(), vec![]], &[], GIB), None);
        assert_eq!(first_fit(&[everything], &[], 200 * GIB), None);
    }

    #[test]
    fn gaps_are_found_between_mappings() {
        let region = CANDIDATES[0].start;
        let taken = [(region + GIB..region + 2 * GIB, String::new())];
        let free = free_ranges(None, &taken);
        assert_eq!(free[0], (region, region + GIB));
        assert_eq!(free[1].0, region + 2 * GIB);
        assert_eq!(free_ranges(Some(0x3000_0000_0000), &[])[0].0, 0x3000_0000_0000);
    }

    #[test]
    fn pools_get_ranges_of_their_own_and_give_them_back() {
        let store = MemoryStore::new(2).unwrap().join(None).unwrap();
        publish_free(&store, None).unwrap();
        let one = open(&store, 0, SHAPE, None, soon()).unwrap();
        let two = open(&store, 1, SHAPE, None, soon()).unwrap();
        assert!(!one.layout.contains(two.layout.base()));
        assert!(!two.layout.contains(one.layout.base()));
        let base = one.layout.base();
        drop(one);
        close(&store, 0).unwrap();
        assert_eq!(open(&store, 2, SHAPE, None, soon()).unwrap().layout.base(), base);
    }

    #[test]
    fn another_shape_is_refused_with_both() {
        let store = MemoryStore::new(2).unwrap().join(None).unwrap();
        publish_free(&store, None).unwrap();
        let first = open(&store, 7, SHAPE, None, soon()).unwrap();
        let error = open(&store, 7, Shape { world: 2, max_bytes: [0, 2 * GIB] }, None, soon()).unwrap_err();
        assert_eq!(error.kind(), Kind::InvalidParam);
        assert!(error.to_string().contains("2 GiB host"), "{error}");
        drop(first);
    }

    #[test]
    fn a_range_that_others_use_and_this_process_holds_is_named() {
        let world = MemoryStore::new(2).unwrap();
        let (one, two) = (world.join(None).unwrap(), world.join(None).unwrap());
        publish_free(&one, None).unwrap();
        let held = open(&one, 9, SHAPE, None, soon()).unwrap();
        let error = open(&two, 9, SHAPE, None, soon()).unwrap_err();
        assert_eq!(error.kind(), Kind::InUse);
        assert!(error.fact("taken_by").is_some(), "{error}");
        drop(held);
    }
}
