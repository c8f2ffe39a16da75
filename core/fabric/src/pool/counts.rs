// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Counters of copies between memory that is mapped in this process, at the cost of an addition: copies and
//! bytes, by pool, direction and kind. Transports count their own (`MF_NET_METRICS`).
//!
//! An open pool has a place among the counters; counts of an earlier pool at that place are subtracted. Sums
//! of the process are over all places, so that a copy is counted once. While watching is on, copies count by
//! peer, too ([`mf_net::watch`]).

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Instant;

use mf_base::sync::counters::{Cells, OwnCell};
use mf_base::sync::{lock, rcu};
use mf_base::{MemKind, Rank};
use mf_net::watch::{self, COUNTERS, Copying, POOL_CELLS, Slot};
use mf_transport::OperationKind;

use crate::space::{Extents, Places, PoolPlace, Presence, Shape};

/// The direction of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Into the pool.
    Put,
    /// Out of the pool.
    Get,
    /// From the pool into the pool.
    Between,
}

/// The copies of one direction and kind in this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Direction of the copies.
    pub direction: Direction,
    /// Kind of the memory in the pool; for a copy inside the pool, of the destination.
    pub kind: MemKind,
    /// Number of copies.
    pub copies: u64,
    /// Number of bytes.
    pub bytes: u64,
}

/// The copies of one open pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolCopies {
    /// Its number in the job.
    pub pool: u32,
    /// The member's rank in it.
    pub rank: Rank,
    /// As [`copied`] has them.
    pub rows: Vec<Copied>,
}

/// One member's segments of an open pool, as this process knows them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolSegments {
    /// The pool's number in the job.
    pub pool: u32,
    /// This member's rank in it.
    pub own: Rank,
    /// Members that it has room for.
    pub world: u32,
    /// Most bytes of a member's segment, by kind.
    pub most_bytes: [u64; 2],
    /// Ranks that have joined, left or died, with the bytes that can be read of their segments, by kind.
    pub members: Vec<(Rank, Presence, [u64; 2])>,
}

impl Direction {
    fn operation(self) -> OperationKind {
        match self {
            Self::Put => OperationKind::Put,
            Self::Get => OperationKind::Get,
            Self::Between => OperationKind::Copy,
        }
    }
}

const DIRECTIONS: [Direction; 3] = [Direction::Put, Direction::Get, Direction::Between];

/// Counters of a pool: for each direction and kind the number of copies, then of bytes.
const EACH: usize = 12;
/// Pools with counters of their own at the same time; further ones count together, in place 0.
const APART: usize = 63;
const _: () =
    assert!(EACH * (1 + APART) == POOL_CELLS, "all pools have their cells at the front of COUNTERS");

/// Open pools by their place.
static OPEN: Mutex<BTreeMap<usize, Opened>> = Mutex::new(BTreeMap::new());

/// Places of both ends of a copy; `None` for an end outside of the pool.
pub(super) type EndPlaces = (Option<PoolPlace>, Option<PoolPlace>);

/// Returns direction, kind and rank of a copy; kind and rank are of the destination, else of the source.
#[inline(always)]
fn described(ends: EndPlaces) -> Option<(Direction, MemKind, Rank)> {
    match ends {
        (None, Some(to)) => Some((Direction::Put, to.kind, to.rank)),
        (Some(from), None) => Some((Direction::Get, from.kind, from.rank)),
        (Some(_), Some(to)) => Some((Direction::Between, to.kind, to.rank)),
        (None, None) => None,
    }
}

struct Opened {
    report: PoolReport,
    /// Counts of earlier pools at the place.
    before: [u64; EACH],
}

fn index(direction: Direction, kind: MemKind) -> usize {
    4 * direction as usize + 2 * kind.index()
}

fn read(place: usize) -> [u64; EACH] {
    std::array::from_fn(|index| COUNTERS.read(place * EACH + index))
}

/// Copies and bytes of a batch, by direction and kind.
#[derive(Default)]
pub(super) struct Tally([u64; EACH]);

impl Tally {
    #[inline(always)]
    pub(super) fn add(&mut self, ends: EndPlaces, bytes: u64) {
        if let Some((direction, kind, _)) = described(ends)
            && let Some([copies, sum]) =
                self.0.get_mut(index(direction, kind)..).and_then(<[u64]>::first_chunk_mut)
        {
            *copies += 1;
            *sum = sum.wrapping_add(bytes);
        }
    }
}

/// Description of an open pool for reports.
pub(super) struct PoolReport {
    pub(super) pool: u32,
    pub(super) rank: Rank,
    pub(super) extents: Extents,
    pub(super) shape: Shape,
}

/// Counters of one pool.
pub(super) struct Counts {
    first: usize,
    route: &'static str,
    places: Places,
    /// Slot numbers of the members, set at the first watched copy of each; 0: no slot.
    slots: Box<[AtomicU8]>,
}

impl Counts {
    /// `route`: the name of watched copies; `places`: the members of the pool.
    pub(super) fn new(report: PoolReport, (route, places): (&'static str, &Places)) -> Self {
        let slots = (0..report.shape.world).map(|_| AtomicU8::new(0)).collect();
        let mut open = lock(&OPEN);
        let place = (1..=APART).find(|place| !open.contains_key(place));
        if let Some(place) = place {
            open.insert(place, Opened { report, before: read(place) });
        }
        Self { first: place.unwrap_or(0) * EACH, route, places: places.clone(), slots }
    }

    /// Counts a copy, also by peer. Returns `None` if it is not timed.
    #[inline(always)]
    pub(super) fn begin(&self, ends: EndPlaces, bytes: u64) -> Option<Copying> {
        let (direction, kind, member) = described(ends)?;
        let cells = self.cells(direction, kind);
        Copying::begin(self.slot(member), direction.operation(), bytes, cells)
    }

    /// Runs a copy that is timed.
    #[cold]
    #[inline(never)]
    pub(super) fn time<T>(
        &self,
        copying: Copying,
        ends: EndPlaces,
        bytes: u64,
        run: impl FnOnce() -> T,
    ) -> T {
        let since = Instant::now();
        let done = run();
        let member = described(ends).map_or(Rank(0), |(.., member)| member);
        copying.end((self.route, self.places.in_job(member).0), bytes, since);
        done
    }

    /// Counts a copy that is one of many, or is done later, and not timed.
    pub(super) fn count_untimed(&self, ends: EndPlaces, bytes: u64) {
        match described(ends) {
            Some((direction, kind, member)) if watch::is_on() => {
                let cells = self.cells(direction, kind);
                self.slot(member).count_with(direction.operation(), bytes, cells);
            }
            _ => self.count(ends, bytes),
        }
    }

    /// Returns the first of two cells of a direction and kind: copies, then bytes.
    #[inline(always)]
    fn cells(&self, direction: Direction, kind: MemKind) -> usize {
        self.first + index(direction, kind)
    }

    #[inline(always)]
    fn slot(&self, member: Rank) -> Slot {
        match self.slots.get(member.index()).map_or(0, |number| number.load(Ordering::Relaxed)) {
            0 => self.new_slot(member),
            number => Slot::from_number(number),
        }
    }

    #[cold]
    fn new_slot(&self, member: Rank) -> Slot {
        let slot = Slot::of(self.route, self.places.in_job(member).0);
        if let Some(number) = self.slots.get(member.index()) {
            number.store(slot.number(), Ordering::Relaxed);
        }
        slot
    }

    /// Returns this thread's cells for such copies and their bytes, once it has counted any.
    pub(super) fn own_cells(&self, cells: Cells, ends: EndPlaces) -> Option<[OwnCell; 2]> {
        let (direction, kind, _) = described(ends)?;
        let first = self.cells(direction, kind);
        Some([COUNTERS.own_cell(cells, first)?, COUNTERS.own_cell(cells, first + 1)?])
    }

    /// Counts a copy between two ends; `None` is an end outside of the pool.
    fn count(&self, ends: EndPlaces, bytes: u64) {
        let section = rcu::read_lock();
        self.count_in(section.section().cells(), ends, bytes);
    }

    /// The same, in the cells of this thread.
    #[inline(always)]
    pub(super) fn count_in(&self, cells: Cells, ends: EndPlaces, bytes: u64) {
        if let Some((direction, kind, _)) = described(ends) {
            let first = self.cells(direction, kind);
            COUNTERS.add_each_in(cells, [(first, 1), (first + 1, bytes)]);
        }
    }

    /// Counts the copies of a batch, in the cells of this thread.
    #[inline]
    pub(super) fn add(&self, cells: Cells, tally: &Tally) {
        for (place, count) in tally.0.iter().enumerate().filter(|(_, count)| **count > 0) {
            COUNTERS.add_each_in(cells, [(self.first + place, *count)]);
        }
    }
}

impl Drop for Counts {
    fn drop(&mut self) {
        lock(&OPEN).remove(&(self.first / EACH));
    }
}

fn rows(count: impl Fn(usize) -> u64) -> impl Iterator<Item = Copied> {
    let rows = MemKind::ALL.into_iter().flat_map(|kind| DIRECTIONS.map(|direction| (direction, kind)));
    rows.map(move |(direction, kind)| {
        let at = index(direction, kind);
        Copied { direction, kind, copies: count(at), bytes: count(at + 1) }
    })
}

/// Returns the sums of copies in this process since it began, over all pools. Copies that are being counted
/// may be missing.
pub fn copied() -> impl Iterator<Item = Copied> {
    rows(|index| (0..=APART).fold(0, |sum, place| sum.wrapping_add(COUNTERS.read(place * EACH + index))))
}

/// Returns the copies of each pool that is open in this process, the first 63 of them.
pub fn copied_by_pools() -> Vec<PoolCopies> {
    let of = |(place, opened): (&usize, &Opened)| {
        let now = read(*place);
        let count = |index: usize| {
            let [now, before] = [now, opened.before].map(|counts| counts.get(index).copied().unwrap_or(0));
            now.wrapping_sub(before)
        };
        PoolCopies { pool: opened.report.pool, rank: opened.report.rank, rows: rows(count).collect() }
    };
    lock(&OPEN).iter().map(of).collect()
}

/// The segments of the pools that are open in this process, the first 63 of them. **Local.**
pub fn segments() -> Vec<PoolSegments> {
    let of = |opened: &Opened| {
        let PoolReport { pool, rank, extents, shape } = &opened.report;
        let members = (0..shape.world).map(Rank).filter_map(|rank| {
            let presence = extents.presence(rank);
            let bytes = MemKind::ALL.map(|kind| extents.readable_bytes(kind, rank));
            (presence != Presence::Absent).then_some((rank, presence, bytes))
        });
        PoolSegments {
            pool: *pool,
            own: *rank,
            world: shape.world,
            most_bytes: shape.max_bytes,
            members: members.collect(),
        }
    };
    lock(&OPEN).values().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pools that no other test has.
    const FIRST: u32 = 4_000_000_000;
    /// One test takes all places, which another needs one of.
    static PLACES: Mutex<()> = Mutex::new(());

    fn counts(pool: u32) -> Counts {
        let (extents, shape) = (Extents::new(4), Shape { world: 4, max_bytes: [1 << 20; 2] });
        Counts::new(PoolReport { pool, rank: Rank(0), extents, shape }, ("test pool", &Places::all()))
    }

    #[test]
    fn watched_copies_count_by_owner() {
        let _places = lock(&PLACES);
        let place = |rank| Some(PoolPlace { kind: MemKind::Host, rank: Rank(rank), offset: 0 });
        let counts = counts(FIRST + 5);
        for ends in [(None, place(2)), (place(2), None), (place(1), place(2)), (None, place(3))] {
            let copying = counts.begin(ends, 100).unwrap();
            assert_eq!(counts.time(copying, ends, 100, || 5), 5);
        }
        assert!(counts.begin((None, None), 100).is_none());
        let rows: Vec<_> = watch::rows().into_iter().filter(|row| row.route == "test pool").collect();
        let found: Vec<_> = rows.iter().map(|row| (row.peer, row.kind, row.operations, row.bytes)).collect();
        let [two, three] = [Some(2), Some(3)];
        let expected = [
            (two, OperationKind::Put, 1, 100),
            (two, OperationKind::Get, 1, 100),
            (two, OperationKind::Copy, 1, 100),
            (three, OperationKind::Put, 1, 100),
        ];
        assert_eq!(found, expected);
        assert!(rows.iter().all(|row| row.took.count() == 1), "the first one of each is timed");
    }

    #[test]
    fn segments_of_open_pools_are_reported() {
        let _places = lock(&PLACES);
        let extents = Extents::new(3);
        let report = PoolReport {
            pool: FIRST + 6,
            rank: Rank(1),
            extents: extents.clone(),
            shape: Shape { world: 3, max_bytes: [0, 4096] },
        };
        let counts = Counts::new(report, ("test pool", &Places::all()));
        extents.admit(MemKind::Host, Rank(2), 4096);
        extents.set_presence(Rank(2), Presence::Joined);
        extents.set_presence(Rank(2), Presence::Dead);
        let own = || segments().into_iter().find(|segments| segments.pool == FIRST + 6);
        assert_eq!(own().unwrap().members, [(Rank(2), Presence::Dead, [0, 4096])]);
        drop(counts);
        assert_eq!(own(), None);
    }

    fn of(pool: u32) -> Option<Vec<Copied>> {
        copied_by_pools().into_iter().find(|copies| copies.pool == pool).map(|copies| copies.rows)
    }

    #[test]
    fn directions_kinds_and_pools_are_counted_apart() {
        let _places = lock(&PLACES);
        let place = |kind| Some(PoolPlace { kind, rank: Rank(1), offset: 0 });
        let (device, host) = (place(MemKind::Device), place(MemKind::Host));
        let find = |rows: &[Copied], direction, kind| {
            let found = rows.iter().find(|row| row.direction == direction && row.kind == kind);
            found.map(|row| (row.copies, row.bytes)).unwrap()
        };
        let cases = [
            (None, host, Direction::Put, MemKind::Host),
            (None, device, Direction::Put, MemKind::Device),
            (host, None, Direction::Get, MemKind::Host),
            (host, device, Direction::Between, MemKind::Device),
        ];
        let (counts, other) = (counts(FIRST), counts(FIRST + 1));
        for (number, (from, to, direction, kind)) in (1_u64..).zip(cases) {
            // Other tests may copy meanwhile, never less.
            let (copies, bytes) = find(&copied().collect::<Vec<_>>(), direction, kind);
            counts.count((from, to), number << 40);
            let now = find(&copied().collect::<Vec<_>>(), direction, kind);
            assert!(now.0 > copies && now.1 >= bytes + (number << 40), "{direction:?} {kind:?}");
            assert_eq!(find(&of(FIRST).unwrap(), direction, kind), (1, number << 40));
        }
        counts.count((None, None), 1);
        assert_eq!(copied().count(), 6);
        assert!(of(FIRST + 1).unwrap().iter().all(|row| row.copies == 0));
        drop((counts, other));
        assert_eq!(of(FIRST), None);
    }

    #[test]
    fn batch_is_counted_as_its_copies() {
        let _places = lock(&PLACES);
        let place = |kind| Some(PoolPlace { kind, rank: Rank(1), offset: 0 });
        let (device, host) = (place(MemKind::Device), place(MemKind::Host));
        let (single, batch) = (counts(FIRST + 2), counts(FIRST + 3));
        let mut tally = Tally::default();
        let batched =
            [((None, host), 8), ((host, None), 0), ((None, host), 5), ((host, device), 3), ((None, None), 9)];
        for (ends, bytes) in batched {
            single.count(ends, bytes);
            tally.add(ends, bytes);
        }
        batch.add(rcu::read_lock().section().cells(), &tally);
        assert_eq!(of(FIRST + 2), of(FIRST + 3));
        drop((single, batch));
    }

    #[test]
    fn counters_restart_per_pool_and_surplus_pools_share_one() {
        let _places = lock(&PLACES);
        let to = (None, Some(PoolPlace { kind: MemKind::Host, rank: Rank(0), offset: 0 }));
        let puts = || copied().find(|row| row.direction == Direction::Put && row.kind == MemKind::Host);
        for round in 0..2 {
            let before = puts().unwrap();
            let many: Vec<Counts> = (FIRST + 10..).take(1 + APART).map(counts).collect();
            many.iter().for_each(|counts| counts.count(to, 1 << 40));
            let first = of(FIRST + 10).unwrap();
            assert!(first.iter().map(|row| row.copies).sum::<u64>() == 1, "round {round}: {first:?}");
            let last = (FIRST + 10..).nth(APART).unwrap();
            assert_eq!(of(last), None);
            assert!(puts().unwrap().bytes >= before.bytes + ((1 + APART as u64) << 40));
        }
    }
}
