// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What was copied between memory that is mapped in this process, counted where it costs an addition: copies
//! and bytes, by direction and kind. What goes over a transport is counted there (`MF_NET_METRICS`).

use mf_base::MemKind;
use mf_base::sync::counters::Counters;

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

const DIRECTIONS: [Direction; 3] = [Direction::Put, Direction::Get, Direction::Between];

/// For each direction and kind the number of copies, then that of bytes.
static COUNTERS: Counters<12> = Counters::new();

fn index(direction: Direction, kind: MemKind) -> usize {
    4 * direction as usize + 2 * kind.index()
}

/// Counts a copy between two ends; none is the place of an end outside of the pool.
#[inline(always)]
pub(super) fn count((from, to): (Option<Place>, Option<Place>), bytes: u64) {
    let index = match (from, to) {
        (None, Some(to)) => index(Direction::Put, to.kind),
        (Some(from), None) => index(Direction::Get, from.kind),
        (_, Some(to)) => index(Direction::Between, to.kind),
        (None, None) => return,
    };
    COUNTERS.add_each([(index, 1), (index + 1, bytes)]);
}

/// What was copied in this process since it began, by all pools. Of copies that are being counted some may be
/// missing.
pub fn copied() -> impl Iterator<Item = Copied> {
    let rows = MemKind::ALL.into_iter().flat_map(|kind| DIRECTIONS.map(|direction| (direction, kind)));
    rows.map(|(direction, kind)| {
        let at = index(direction, kind);
        Copied { direction, kind, copies: COUNTERS.read(at), bytes: COUNTERS.read(at + 1) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use mf_base::Rank;

    #[test]
    fn directions_and_kinds_are_counted_apart() {
        let place = |kind| Some(Place { kind, rank: Rank(1), offset: 0 });
        let (device, host) = (place(MemKind::Device), place(MemKind::Host));
        let read = |direction, kind| {
            let found = copied().find(|row| row.direction == direction && row.kind == kind);
            found.map(|row| (row.copies, row.bytes)).unwrap()
        };
        let cases = [
            (None, host, Direction::Put, MemKind::Host),
            (None, device, Direction::Put, MemKind::Device),
            (host, None, Direction::Get, MemKind::Host),
            (host, device, Direction::Between, MemKind::Device),
        ];
        for (number, (from, to, direction, kind)) in (1_u64..).zip(cases) {
            // Other tests may copy meanwhile, never less.
            let (copies, bytes) = read(direction, kind);
            count((from, to), number << 40);
            let now = read(direction, kind);
            assert!(now.0 > copies && now.1 >= bytes + (number << 40), "{direction:?} {kind:?}");
        }
        count((None, None), 1);
        assert_eq!(copied().count(), 6);
    }
}
