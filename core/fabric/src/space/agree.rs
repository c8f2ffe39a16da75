// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Agreement of a job's members on the base addresses of a pool's windows.
//!
//! **Problem.** A pool must lie at the same addresses in every process, but each process has mappings of its
//! own, its devices can use certain ranges only, and the members come one after the other.
//!
//! **Rule.** On init every member publishes the ranges that are free in it, for windows of each kind
//! ([`publish_free`]). The first member to create a pool takes the lowest ranges that are free in *all*
//! members of that moment and not used by another pool, and records them; later members take the recorded
//! ones. So a range that is taken in one process moves the pool to the next candidate for all. A later joiner
//! fails if a recorded range is taken in its process, and names the mapping there. If both kinds may lie in
//! the same ranges the host window follows the device window; else each takes its own first fit.
//!
//! **Record.** One key holds the table of all pools (id → bases, shape, nonce), changed by
//! compare-and-swap. A pool is alive while some member holds its `open` key with the entry's nonce. Entries
//! without one are stale (the pool was given up, or its members were killed) and are removed by the next
//! change of the table. A member that makes an entry holds its `open` key before the table has it, so an
//! entry is never taken for stale while a member uses it or is about to. A member that takes an entry over
//! reads the table again after publishing its own `open` key, and starts over if the entry was replaced
//! meanwhile. A member gives a pool up by deleting its own `open` key, which needs no reply of the store.
//!
//! **All at once.** When all members of a job make a pool together, each sends the others its view
//! ([`Prospect`]) and all compute the same ranges without asking the store ([`open_together`]). One of them
//! has read the table, and changes it; if another pool was made meanwhile that fails, and they make the pool
//! one after the other as above.
//!
//! **Round trips.** Requests that do not depend on each other's replies leave together: a member that comes
//! later waits for two round trips, one that makes the pool for two, one of many that make it at the same
//! moment for three.
//!
//! **Foreign input.** Any process of the job can write these keys. So each record is checked before it is
//! used, work is bounded by the number of records and every loop by the deadline, and errors name the key.

mod adopt;
mod fit;
#[cfg(feature = "fuzzing")]
pub(crate) mod fuzzing;
mod records;

pub use adopt::adopt;

use std::ops::Range;
use std::time::{Duration, Instant};

use mf_base::os::mapping::mapped_ranges;
use mf_base::os::random;
use mf_base::units::GIB;
use mf_base::{ByteLen, Error, Kind, MemKind, Result, interrupt};
use mf_device::{Devices, Window};
use mf_store::{Lifetime, Listing, Started, Store};
use records::{Free, FreeRanges, PoolRecord, PoolRecords};
use serde::{Deserialize, Serialize};

use super::layout::{Layout, MAX_TOTAL_BYTES, Shape};

const OP: &str = "address space";
const TABLE_KEY: &str = ".mf/space/pools";
const FREE_PREFIX: &str = ".mf/space/free/";
/// Bases are multiples of this, as devices map memory in units of up to 1 GiB.
const ALIGN: u64 = GIB;
/// Up to this many members, all free ranges are read along with the table, before it is known whether the
/// pool exists.
const FEW_MEMBERS: u32 = 256;
/// Time that members get to give up a pool that this one opens with another shape.
const GIVING_UP: Duration = Duration::from_millis(200);
const PAUSE: Duration = Duration::from_millis(2);

/// The windows of a pool, indexed by kind; none for an absent one.
pub type Reserved = [Option<Box<dyn Window>>; 2];

/// The agreed layout, and this process's reservation of it.
pub struct Agreed {
    /// The layout.
    pub layout: Layout,
    /// The addresses, reserved.
    pub windows: Reserved,
}

/// A member's view of the address space before a pool is made, as the others need it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prospect {
    free: Free,
    /// Of the member that has read the table: the ranges of all other pools, and the nonce of the new one.
    pools: Option<(FreeRanges, u64)>,
}

/// The table as read by one member.
#[derive(Clone, Debug)]
pub struct Seen {
    alive: PoolRecords,
    raw: Option<Vec<u8>>,
}

/// Views of all members of a pool that is made together.
#[derive(Clone, Debug)]
pub struct Together {
    /// Of all members of the job.
    pub prospects: Vec<Prospect>,
    /// The table, on the member that has read it.
    pub seen: Option<Seen>,
}

/// The ranges that are free in this process, as it has published them.
#[derive(Debug)]
pub struct Published(Free);

/// Returns this member's view before pool `id` is made by all members of the job together. `published`: the
/// ranges that are free here, if nothing was mapped since; `None`: they are determined now. `reads_table` is
/// set on one member, which asks the store; **local** on the others.
///
/// # Errors
/// `Failed` a record of the store was not written by this library · errors of the store.
pub fn prospect(
    store: &dyn Store,
    devices: &Devices,
    id: u32,
    preferred_base: Option<u64>,
    published: Option<Published>,
    reads_table: bool,
) -> Result<(Prospect, Option<Seen>)> {
    let free = published.map_or_else(|| free_here(devices, preferred_base, &[]), |published| published.0);
    if !reads_table {
        return Ok((Prospect { free, pools: None }, None));
    }
    let (table, raw) = records::read_table(store)?;
    let mut alive = PoolRecords::new();
    // An earlier pool of this number has ended on all members, since they make the new one together.
    for (pool, entry) in table.into_iter().filter(|(pool, _)| *pool != id) {
        if is_alive(store, pool, &entry)? {
            alive.insert(pool, entry);
        }
    }
    let used = alive.values().flat_map(PoolRecord::used).map(|range| (range.start, range.end)).collect();
    let nonce = u64::from_le_bytes(random(OP)?);
    Ok((Prospect { free, pools: Some((used, nonce)) }, Some(Seen { alive, raw })))
}

/// Like [`open`], by all members of the job at once, from the views of all of them. **Collective**, and one
/// round trip. Does not wait for the others: the members must confirm to each other that all succeeded before
/// they use the pool.
///
/// # Errors
/// As there; `InUse` another pool was made meanwhile, or an agreed range is taken in this process: the
/// members that learn of it may [`open`] it.
pub fn open_together(
    store: &dyn Store,
    devices: &Devices,
    id: u32,
    shape: Shape,
    together: &Together,
    deadline: Instant,
) -> Result<Agreed> {
    let opened = open_with(store, devices, id, shape, together, deadline);
    opened.inspect_err(|_| close(store, id))
}

fn open_with(
    store: &dyn Store,
    devices: &Devices,
    id: u32,
    shape: Shape,
    together: &Together,
    deadline: Instant,
) -> Result<Agreed> {
    let total = shape.check()?;
    let prospects = &together.prospects;
    let pools = prospects.iter().find_map(|prospect| prospect.pools.as_ref());
    let (used, nonce) = pools.ok_or_else(|| Error::invalid(OP, "no member has read the table of pools"))?;
    let free: Vec<Free> = prospects.iter().map(|prospect| prospect.free.clone()).collect();
    free.iter().try_for_each(|free| records::check_free(FREE_PREFIX, free))?;
    let ranges = used.iter().map(|(start, end)| *start..*end).collect();
    let bases = fit::find_bases(&free, ranges, shape, deadline);
    check_deadline(id, deadline)?;
    let bases = bases.ok_or_else(|| no_room(total, free.len(), used.len()))?;
    let entry = PoolRecord { bases, shape, nonce: *nonce };
    let opened = store.start_set(&open_key(store, id), &nonce.to_le_bytes(), Lifetime::Session)?;
    if let Some(Seen { alive, raw }) = &together.seen {
        let mut table = alive.clone();
        table.insert(id, entry);
        let table = records::encode(&table)?;
        if !store.compare_and_swap(TABLE_KEY, raw.as_deref(), &table, Lifetime::Permanent)?.swapped {
            return Err(Error::new(Kind::InUse, OP)
                .what("another pool was made at the same time")
                .with("pool", id));
        }
    }
    opened.wait()?;
    let layout = Layout::new(bases, shape)?;
    let windows = reserve(devices, &layout).map_err(|(error, _)| error)?;
    Ok(Agreed { layout, windows })
}

#[cold]
fn no_room(bytes: u64, members: usize, pools: usize) -> Error {
    Error::new(Kind::NoResources, OP)
        .what("no range of addresses is free in all members")
        .with("bytes", ByteLen(bytes))
        .with("members", members)
        .with("pools", pools)
        .hint("lower the world size or the maxima, or set MF_ADDRESS_BASE to a range that is free everywhere")
}

/// Publishes the ranges that are free in this process to the other members. Local; one round trip to the
/// store.
///
/// # Errors
/// `NotConnected` without the store.
pub fn publish_free(store: &dyn Store, devices: &Devices, preferred_base: Option<u64>) -> Result<Published> {
    let (published, reply) = start_publishing(store, devices, preferred_base)?;
    reply.wait()?;
    Ok(published)
}

/// As [`publish_free`], and returns before the store's reply, which comes apart. Local.
///
/// # Errors
/// As there.
pub fn start_publishing(
    store: &dyn Store,
    devices: &Devices,
    preferred_base: Option<u64>,
) -> Result<(Published, Started<u64>)> {
    publish_free_but(store, devices, preferred_base, &[])
}

/// Like [`start_publishing`], without the ranges `but`, which turned out to be taken although the kernel does
/// not list them.
fn publish_free_but(
    store: &dyn Store,
    devices: &Devices,
    preferred_base: Option<u64>,
    but: &[Range<u64>],
) -> Result<(Published, Started<u64>)> {
    let free = free_here(devices, preferred_base, but);
    let key = format!("{FREE_PREFIX}{}", store.member().rank);
    let reply = store.start_set(&key, &records::encode(&free)?, Lifetime::Session)?;
    Ok((Published(free), reply))
}

/// Returns the free ranges of this process, without `but`.
fn free_here(devices: &Devices, preferred_base: Option<u64>, but: &[Range<u64>]) -> Free {
    let mut taken: Vec<Range<u64>> = mapped_ranges().into_iter().map(|(range, _)| range).collect();
    taken.extend_from_slice(but);
    taken.sort_unstable_by_key(|range| range.start);
    MemKind::ALL.map(|kind| {
        let mut free = free_ranges(&regions(devices, kind, preferred_base), &taken);
        free.truncate(records::RANGES_MAX);
        free
    })
}

/// Agrees with the other members on the bases of pool `id` and reserves its windows here. Local; a few round
/// trips.
///
/// # Errors
/// `InvalidParam` the pool exists with another shape · `NoResources` no range is free in all members ·
/// `InUse` an agreed range is taken in this process · `Failed` a record of the store was not written by this
/// library; it is named · `NotConnected`, `Timeout` of the store.
pub fn open(
    store: &dyn Store,
    devices: &Devices,
    id: u32,
    shape: Shape,
    preferred_base: Option<u64>,
    deadline: Instant,
) -> Result<Agreed> {
    let opened = open_until(store, devices, id, shape, preferred_base, deadline);
    opened.inspect_err(|_| close(store, id))
}

fn open_until(
    store: &dyn Store,
    devices: &Devices,
    id: u32,
    shape: Shape,
    preferred_base: Option<u64>,
    deadline: Instant,
) -> Result<Agreed> {
    let mut unusable = Vec::new();
    loop {
        let entry = get_or_create_record(store, id, shape, deadline)?;
        let layout = Layout::new(entry.bases, shape)?;
        match reserve(devices, &layout) {
            Ok(windows) => return Ok(Agreed { layout, windows }),
            Err((error, range)) => {
                store.delete(&open_key(store, id))?;
                // The range was taken since `publish_free`. If no other member uses the entry it is stale
                // now, and the next round finds another place; else the others cannot move any more.
                let others_use_it = is_alive(store, id, &entry)?;
                if error.kind() == Kind::InUse {
                    unusable.push(range);
                }
                publish_free_but(store, devices, preferred_base, &unusable)?.1.wait()?;
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

/// Reserves both windows. The error comes with the range that could not be reserved.
fn reserve(devices: &Devices, layout: &Layout) -> Result<Reserved, (Error, Range<u64>)> {
    let reserve = |kind: MemKind| {
        let range = layout.range(kind);
        if range.is_empty() {
            return Ok(None);
        }
        let stride = layout.shape().max_bytes[kind.index()];
        let windows = devices.windows(kind);
        let window = windows.and_then(|it| it.reserve(kind, range.start, range.end - range.start, stride));
        window.map(Some).map_err(|error| (error, range))
    };
    Ok([reserve(MemKind::Device)?, reserve(MemKind::Host)?])
}

/// Gives up this member's share in the addresses of pool `id`; the last member's call frees them for other
/// pools. Does not wait for the store.
pub fn close(store: &dyn Store, id: u32) {
    if let Err(error) = store.discard(&open_key(store, id)) {
        tracing::debug!("the share in the addresses of a pool stays until the session ends: {error}");
    }
}

/// Returns the entry of the pool, creating it if absent. This member holds it open.
fn get_or_create_record(store: &dyn Store, id: u32, shape: Shape, deadline: Instant) -> Result<PoolRecord> {
    let total = shape.check()?;
    let mut other_shape = None;
    loop {
        let asked = store.start_get(TABLE_KEY)?;
        let holders = store.start_list(&open_prefix(id))?;
        let free = (shape.world <= FEW_MEMBERS).then(|| store.start_list(FREE_PREFIX)).transpose()?;
        let (table, raw) = records::table_of(asked.wait()?)?;
        // Stale entries are removed with the next change.
        let mut alive = alive_among(store, table, (id, holders))?;
        check_deadline(id, deadline)?;
        match alive.get(&id) {
            Some(entry) if entry.shape != shape => {
                // Members that had the pool open may be giving it up at this moment.
                let since = *other_shape.get_or_insert_with(Instant::now);
                if since.elapsed() >= GIVING_UP {
                    return Err(Error::invalid(OP, "the pool exists with other sizes")
                        .with("pool", id)
                        .with("exists", describe(&entry.shape))
                        .with("asked", describe(&shape))
                        .hint("all members pass the same world size and the same maxima"));
                }
                interrupt::sleep(OP, PAUSE)?;
                continue;
            }
            Some(entry) if is_taken_over(store, id, entry)? => return Ok(entry.clone()),
            Some(_) => continue,
            None => {}
        }
        let free = free.map_or_else(|| store.start_list(FREE_PREFIX), Ok)?;
        let free = records::free_of(&free.wait()?)?;
        let used = alive.values().flat_map(PoolRecord::used).collect();
        let bases = fit::find_bases(&free, used, shape, deadline);
        check_deadline(id, deadline)?;
        let bases = bases.ok_or_else(|| no_room(total, free.len(), alive.len()))?;
        let nonce = random(OP)?;
        let entry = PoolRecord { bases, shape, nonce: u64::from_le_bytes(nonce) };
        alive.insert(id, entry.clone());
        let table = records::encode(&alive)?;
        // The store takes them in this order.
        let opened = store.start_set(&open_key(store, id), &nonce, Lifetime::Session)?;
        let swap = store.start_compare_and_swap(TABLE_KEY, raw.as_deref(), &table, Lifetime::Permanent)?;
        let swap = swap.wait()?;
        opened.wait()?;
        if swap.swapped {
            return Ok(entry);
        }
        // Another member was faster. The entry that it has just made is alive: its maker holds it open.
        let (table, _) = records::table_of(swap.current)?;
        if let Some(entry) = table.get(&id).filter(|entry| entry.shape == shape)
            && is_taken_over(store, id, entry)?
        {
            return Ok(entry.clone());
        }
    }
}

/// Returns the entries of the table that members hold open. The holders of one pool were asked for already.
fn alive_among(
    store: &dyn Store,
    table: PoolRecords,
    (id, holders): (u32, Started<Listing>),
) -> Result<PoolRecords> {
    let mut holders = Some(holders);
    let asked = table.into_iter().map(|(pool, entry)| {
        let own = if pool == id { holders.take() } else { None };
        let listing = own.map_or_else(|| store.start_list(&open_prefix(pool)), Ok)?;
        Ok((pool, entry, listing))
    });
    let asked = asked.collect::<Result<Vec<_>>>()?;
    let mut alive = PoolRecords::new();
    for (pool, entry, listing) in asked {
        if is_held(&listing.wait()?, &entry) {
            alive.insert(pool, entry);
        }
    }
    Ok(alive)
}

/// Opens the pool by another member's entry. Returns false if the table has another one meanwhile.
fn is_taken_over(store: &dyn Store, id: u32, entry: &PoolRecord) -> Result<bool> {
    let opened = store.start_set(&open_key(store, id), &entry.nonce.to_le_bytes(), Lifetime::Session)?;
    let (table, _) = records::table_of(store.start_get(TABLE_KEY)?.wait()?)?;
    opened.wait()?;
    Ok(table.get(&id) == Some(entry))
}

fn check_deadline(id: u32, deadline: Instant) -> Result<()> {
    if Instant::now() < deadline {
        return Ok(());
    }
    Err(Error::new(Kind::Timeout, OP)
        .what("the members did not agree on addresses in time")
        .with("pool", id)
        .with("table", TABLE_KEY)
        .hint("check whether another program writes to the keys of the library"))
}

fn open_prefix(id: u32) -> String {
    format!(".mf/pool/{id}/open/")
}

fn open_key(store: &dyn Store, id: u32) -> String {
    format!("{}{}", open_prefix(id), store.member().rank)
}

/// Returns true if a member holds the pool open with this very entry.
fn is_alive(store: &dyn Store, id: u32, entry: &PoolRecord) -> Result<bool> {
    Ok(is_held(&store.list(&open_prefix(id))?, entry))
}

fn is_held(holders: &Listing, entry: &PoolRecord) -> bool {
    holders.entries.iter().any(|holder| holder.value == entry.nonce.to_le_bytes())
}

fn describe(shape: &Shape) -> String {
    let [device, host] = shape.max_bytes;
    format!("{} ranks × ({} device + {} host)", shape.world, ByteLen(device), ByteLen(host))
}

/// Returns the regions in which a window of this kind may lie here, best first. A base asked for by the
/// caller comes first wherever the device supports it.
fn regions(devices: &Devices, kind: MemKind, preferred: Option<u64>) -> Vec<Range<u64>> {
    let possible = devices.address_ranges(kind);
    let preferred = preferred.map(|base| base..base.saturating_add(MAX_TOTAL_BYTES));
    let wanted = match preferred {
        None => Vec::new(),
        Some(preferred) if devices.accelerator().is_none() || kind == MemKind::Host => vec![preferred],
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

#[cfg(test)]
mod tests;
