// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What was copied between memory that is mapped in this process, counted where it costs an addition: copies
//! and bytes, by pool, direction and kind. What goes over a transport is counted there (`MF_NET_METRICS`).
//!
//! An open pool has a place among the counters; what a pool before it counted there is subtracted. Sums of
//! the process are those of all places, so that a copy is counted once.

use std::collections::BTreeMap;
use std::sync::Mutex;

use mf_base::sync::counters::Counters;
use mf_base::sync::lock;
use mf_base::{MemKind, Rank};

use crate::space::Place;

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
    /// Where from and where to.
    pub direction: Direction,
    /// The memory in the pool; of two, that of the destination.
    pub kind: MemKind,
    /// How many.
    pub copies: u64,
    /// How much.
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

const DIRECTIONS: [Direction; 3] = [Direction::Put, Direction::Get, Direction::Between];

/// Counters of a pool: for each direction and kind the number of copies, then that of bytes.
const EACH: usize = 12;
/// Pools that are counted apart at the same time; further ones count together, in place 0.
const APART: usize = 63;

static COUNTERS: Counters<{ EACH * (1 + APART) }> = Counters::new();
/// Who has which place.
static OPEN: Mutex<BTreeMap<usize, Opened>> = Mutex::new(BTreeMap::new());

struct Opened {
    pool: u32,
    rank: Rank,
    /// What was counted at the place before.
    before: [u64; EACH],
}

fn index(direction: Direction, kind: MemKind) -> usize {
    4 * direction as usize + 2 * kind.index()
}

fn read(place: usize) -> [u64; EACH] {
    std::array::from_fn(|index| COUNTERS.read(place * EACH + index))
}

/// Where one pool counts.
pub(super) struct Counts {
    first: usize,
}

impl Counts {
    pub(super) fn new(pool: u32, rank: Rank) -> Self {
        let mut open = lock(&OPEN);
        let place = (1..=APART).find(|place| !open.contains_key(place));
        if let Some(place) = place {
            open.insert(place, Opened { pool, rank, before: read(place) });
        }
        Self { first: place.unwrap_or(0) * EACH }
    }

    /// Counts a copy between two ends; none is the place of an end outside of the pool.
    #[inline(always)]
    pub(super) fn count(&self, (from, to): (Option<Place>, Option<Place>), bytes: u64) {
        let index = match (from, to) {
            (None, Some(to)) => index(Direction::Put, to.kind),
            (Some(from), None) => index(Direction::Get, from.kind),
            (_, Some(to)) => index(Direction::Between, to.kind),
            (None, None) => return,
        };
        COUNTERS.add_each([(self.first + index, 1), (self.first + index + 1, bytes)]);
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

/// What was copied in this process since it began, by all pools. Of copies that are being counted some may be
/// missing.
pub fn copied() -> impl Iterator<Item = Copied> {
    rows(|index| (0..=APART).fold(0, |sum, place| sum.wrapping_add(COUNTERS.read(place * EACH + index))))
}

/// What was copied by each pool that is open in this process, the first 63 of them.
pub fn copied_by_pools() -> Vec<PoolCopies> {
    let of = |(place, opened): (&usize, &Opened)| {
        let now = read(*place);
        let count = |index: usize| {
            let [now, before] = [now, opened.before].map(|counts| counts.get(index).copied().unwrap_or(0));
            now.wrapping_sub(before)
        };
        PoolCopies { pool: opened.pool, rank: opened.rank, rows: rows(count).collect() }
    };
    lock(&OPEN).iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pools that no other test has.
    const FIRST: u32 = 4_000_000_000;
    /// One test takes all places, which another needs one of.
    static PLACES: Mutex<()> = Mutex::new(());

    fn of(pool: u32) -> Option<Vec<Copied>> {
        copied_by_pools().into_iter().find(|copies| copies.pool == pool).map(|copies| copies.rows)
    }

    #[test]
    fn directions_kinds_and_pools_are_counted_apart() {
        let _places = lock(&PLACES);
        let place = |kind| Some(Place { kind, rank: Rank(1), offset: 0 });
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
        let (counts, other) = (Counts::new(FIRST, Rank(3)), Counts::new(FIRST + 1, Rank(0)));
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
    fn a_place_begins_at_0_for_its_next_pool_and_pools_beyond_the_places_are_counted_together() {
        let _places = lock(&PLACES);
        let to = (None, Some(Place { kind: MemKind::Host, rank: Rank(0), offset: 0 }));
        let puts = || copied().find(|row| row.direction == Direction::Put && row.kind == MemKind::Host);
        for round in 0..2 {
            let before = puts().unwrap();
            let many: Vec<Counts> =
                (FIRST + 10..).take(1 + APART).map(|pool| Counts::new(pool, Rank(0))).collect();
            many.iter().for_each(|counts| counts.count(to, 1 << 40));
            let first = of(FIRST + 10).unwrap();
            assert!(first.iter().map(|row| row.copies).sum::<u64>() == 1, "round {round}: {first:?}");
            let last = (FIRST + 10..).nth(APART).unwrap();
            assert_eq!(of(last), None);
            assert!(puts().unwrap().bytes >= before.bytes + ((1 + APART as u64) << 40));
        }
    }
}
