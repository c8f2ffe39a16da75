// SPDX-License-Identifier: Apache-2.0 OR MIT
//! How the members of a job agree on the bases of a pool's windows.
//!
//! **Problem.** A pool must lie at the same addresses in every process, but each process has mappings of its own, its
//! devices can use certain ranges only, and the members come one after the other.
//!
//! **Rule.** On init every member publishes which ranges are free in it for windows of each kind ([`publish_free`]). Who
//! creates a pool first takes the lowest ranges that are free in *all* members of that moment and not used by another
//! pool, and records them; those after take what is recorded. So a range that is taken in one process moves the pool to
//! the next candidate for everybody. A later joiner in whom a recorded range is taken fails and names what is there.
//! Where both kinds may lie in the same ranges the host window follows the device window; else each takes its own first fit.
//!
//! **Record.** One key holds the table of all pools (id → bases, shape, nonce), changed by compare-and-swap. A pool is
//! alive while some member holds its `open` key with the entry's nonce; entries without are left-overs of killed
//! members and are replaced. After publishing its `open` key a member reads the table again: if its entry was
//! replaced meanwhile it starts over, so nobody uses a range that another pool was given.

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Instant;

use mf_base::os::mapping::mapped_ranges;
use mf_base::units::GIB;
use mf_base::{ByteLen, Error, Kind, MemKind, Result};
use mf_store::{Lifetime, Store};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::layout::{Layout, MAX_TOTAL_BYTES, Shape};
use crate::device::{Devices, Window};

const OP: &str = "address space";
const TABLE_KEY: &str = "space/pools";
const FREE_PREFIX: &str = "space/free/";
/// Bases are multiples of this, as devices map memory in units of up to 1 GiB.
const ALIGN: u64 = GIB;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    bases: [u64; 2],
    shape: Shape,
    nonce: u64,
}

impl Entry {
    /// The ranges that its windows use.
    fn used(&self) -> impl Iterator<Item = Range<u64>> {
        let shape = self.shape;
        std::iter::zip(MemKind::ALL, self.bases).filter_map(move |(kind, base)| {
            let bytes = shape.window_bytes(kind).unwrap_or(u64::MAX);
            (bytes > 0).then(|| base..base.saturating_add(bytes))
        })
    }
}

type Table = BTreeMap<u32, Entry>;
/// Start and end of free ranges, in the order of preference.
type FreeRanges = Vec<(u64, u64)>;
/// What is free in one member, indexed by kind.
type Free = [FreeRanges; 2];

/// The windows of a pool, indexed by kind; none for an absent one.
pub type Reserved = [Option<Box<dyn Window>>; 2];

/// What the members agreed on, and this process's reservation of it.
pub struct Agreed {
    /// The layout.
    pub layout: Layout,
    /// The addresses, reserved.
    pub windows: Reserved,
}

/// Tells the other members which ranges are free in this process. Local; one round trip to the store.
///
/// # Errors
/// `NotConnected` without the store.
pub fn publish_free(store: &dyn Store, devices: &Devices, preferred_base: Option<u64>) -> Result<()> {
    publish_free_but(store, devices, preferred_base, &[])
}

/// As [`publish_free`], without ranges that turned out to be taken by something that the kernel does not list.
fn publish_free_but(
    store: &dyn Store,
    devices: &Devices,
    preferred_base: Option<u64>,
    but: &[Range<u64>],
) -> Result<()> {
    let mut taken: Vec<Range<u64>> = mapped_ranges().into_iter().map(|(range, _)| range).collect();
    taken.extend_from_slice(but);
    taken.sort_unstable_by_key(|range| range.start);
    let free: Free = MemKind::ALL.map(|kind| free_ranges(&regions(devices, kind, preferred_base), &taken));
    let key = format!("{FREE_PREFIX}{}", store.member().rank);
    store.set(&key, &encode(&free)?, Lifetime::Session).map(drop)
}

/// Agrees with the other members on the bases of pool `id` and reserves its windows here. Local; a few round trips.
///
/// # Errors
/// `InvalidParam` the pool exists with another shape · `NoResources` no range is free in all members · `InUse` an
/// agreed range is taken in this process · `NotConnected`, `Timeout` of the store.
pub fn open(
    store: &dyn Store,
    devices: &Devices,
    id: u32,
    shape: Shape,
    preferred_base: Option<u64>,
    deadline: Instant,
) -> Result<Agreed> {
    let mut unusable = Vec::new();
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
        let layout = Layout::new(entry.bases, shape)?;
        match reserve(devices, &layout) {
            Ok(windows) => return Ok(Agreed { layout, windows }),
            Err((error, range)) => {
                close(store, id)?;
                // Something took it since `publish_free`. If nobody else uses the entry it was just dropped, and the
                // next round finds another place; else the others cannot move any more.
                let others_use_it = read_table(store)?.0.contains_key(&id);
                if error.kind() == Kind::InUse {
                    unusable.push(range);
                }
                publish_free_but(store, devices, preferred_base, &unusable)?;
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

/// Reserves both windows; with the error comes the range that could not be had.
fn reserve(devices: &Devices, layout: &Layout) -> Result<Reserved, (Error, Range<u64>)> {
    let reserve = |kind: MemKind| {
        let range = layout.range(kind);
        if range.is_empty() {
            return Ok(None);
        }
        let stride = layout.shape().max_bytes[kind.index()];
        let window = devices.for_kind(kind).reserve(kind, range.start, range.end - range.start, stride);
        window.map(Some).map_err(|error| (error, range))
    };
    Ok([reserve(MemKind::Device)?, reserve(MemKind::Host)?])
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
    let total = shape.check()?;
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
                used.extend(entry.used());
            }
        }
        let free: Vec<Free> = store
            .list(FREE_PREFIX)?
            .entries
            .iter()
            .map(|entry| decode(&entry.value))
            .collect::<Result<_>>()?;
        let bases = place(&free, used, shape).ok_or_else(|| {
            Error::new(Kind::NoResources, OP)
                .what("no range of addresses is free in all members")
                .with("bytes", ByteLen(total))
                .with("members", free.len())
                .with("pools", table.len())
                .hint("lower the world size or the maxima, or set MF_ADDRESS_BASE to a range that is free everywhere")
        })?;
        let mut nonce = [0; 8];
        rustix::rand::getrandom(&mut nonce, rustix::rand::GetRandomFlags::empty())
            .map_err(|e| Error::os(OP, e))?;
        let entry = Entry { bases, shape, nonce: u64::from_le_bytes(nonce) };
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

/// The regions in which a window of this kind may lie here, best first. Who asks for a base gets it wherever the device
/// can have it.
fn regions(devices: &Devices, kind: MemKind, preferred: Option<u64>) -> Vec<Range<u64>> {
    let possible = devices.address_ranges(kind);
    let preferred = preferred.map(|base| base..base.saturating_add(MAX_TOTAL_BYTES));
    let wanted = match preferred {
        None => Vec::new(),
        Some(preferred) if devices.accelerator.is_none() || kind == MemKind::Host => vec![preferred],
        Some(preferred) => {
            let clip = |range: &Range<u64>| range.start.max(preferred.start)..range.end.min(preferred.end);
            possible.iter().map(clip).collect()
        }
    };
    wanted.into_iter().chain(possible.iter().cloned()).collect()
}

/// The gaps between `taken` (ascending by start) inside `regions`.
fn free_ranges(regions: &[Range<u64>], taken: &[Range<u64>]) -> FreeRanges {
    let mut free = FreeRanges::new();
    for region in regions {
        let mut at = region.start;
        for range in taken.iter().filter(|range| range.end > region.start && range.start < region.end) {
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

/// Bases for both windows that are free in every member and used by no pool; 0 for an absent window.
fn place(free: &[Free], mut used: Vec<Range<u64>>, shape: Shape) -> Option<[u64; 2]> {
    let of = |kind: MemKind| free.iter().map(|free| free[kind.index()].clone()).collect::<Vec<FreeRanges>>();
    let [device_bytes, host_bytes] = MemKind::ALL.map(|kind| shape.window_bytes(kind));
    let (device_bytes, host_bytes) = (device_bytes?, host_bytes?);
    if free.iter().all(|[device, host]| device == host)
        && let Some(base) = first_fit(&of(MemKind::Device), &used, device_bytes.checked_add(host_bytes)?)
    {
        let at = |bytes: u64, base: u64| if bytes == 0 { 0 } else { base };
        return Some([at(device_bytes, base), at(host_bytes, base + device_bytes)]);
    }
    let mut bases = [0; 2];
    for (kind, bytes) in std::iter::zip(MemKind::ALL, [device_bytes, host_bytes]) {
        if bytes > 0 {
            let base = first_fit(&of(kind), &used, bytes)?;
            bases[kind.index()] = base;
            used.push(base..base + bytes);
        }
    }
    Some(bases)
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
mod tests;
