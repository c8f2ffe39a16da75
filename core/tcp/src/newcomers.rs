// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Newcomers: accepted connections before the peer's proof, on a bounded number of places, for a bounded
//! time.
//!
//! Every new connection gets a place; when all are taken, the oldest is closed. So unauthenticated peers that
//! stay cannot keep a member out, however many they are: they only shorten the time that it has for its
//! handshake, which takes two round trips, and a member that lost its place to them tries again
//! (`connect.rs`). Silent connections and connections that have begun a handshake have separate places: any
//! number of silent ones does not end a handshake that has begun.

use std::collections::BTreeMap;
use std::time::Instant;

use mf_base::MAX_WORLD_SIZE;

use crate::listen::Newcomer;

/// Most places of silent ones: a whole job may connect to one member at once, and no member of it may lose
/// its place.
const MOST_SILENT: usize = MAX_WORLD_SIZE as usize;
/// Most places of speaking ones, which cost the memory of a handshake each. A member that loses its place to
/// the rest of its job tries again for longer than their handshakes take.
const MOST_SPEAKING: usize = 4096;
/// Places are at most this part of the descriptors that this process may have: for silent and for speaking
/// ones.
const PART_SILENT: usize = 4;
const PART_SPEAKING: usize = 8;
/// So many there are in any case.
const FEWEST: usize = 16;

/// See the [module](self). Ids ascend in the order of arrival, so the lowest is the oldest.
pub(crate) struct Newcomers {
    silent: Places,
    speaking: Places,
}

struct Places {
    most: usize,
    all: BTreeMap<u64, Box<Newcomer>>,
}

impl Places {
    fn new(most: usize, descriptors: Option<u64>, part: usize) -> Self {
        let share = descriptors.map_or(most, |limit| usize::try_from(limit).unwrap_or(usize::MAX) / part);
        Self { most: share.clamp(FEWEST, most), all: BTreeMap::new() }
    }
}

impl Newcomers {
    /// Makes an empty set, in a process that may open so many descriptors.
    pub(crate) fn new(descriptors: Option<u64>) -> Self {
        Self {
            silent: Places::new(MOST_SILENT, descriptors, PART_SILENT),
            speaking: Places::new(MOST_SPEAKING, descriptors, PART_SPEAKING),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.silent.all.is_empty() && self.speaking.all.is_empty()
    }

    pub(crate) fn contains(&self, id: u64) -> bool {
        self.silent.all.contains_key(&id) || self.speaking.all.contains_key(&id)
    }

    /// Takes it out, to go on with it.
    pub(crate) fn take(&mut self, id: u64) -> Option<Box<Newcomer>> {
        self.silent.all.remove(&id).or_else(|| self.speaking.all.remove(&id))
    }

    /// Assigns it a place. Returns the connection that loses its place to it, if any.
    pub(crate) fn put(&mut self, id: u64, newcomer: Box<Newcomer>) -> Option<Box<Newcomer>> {
        let places = if newcomer.has_spoken() { &mut self.speaking } else { &mut self.silent };
        places.all.insert(id, newcomer);
        if places.all.len() > places.most { places.all.pop_first().map(|(_, oldest)| oldest) } else { None }
    }

    /// Handles a lack of descriptors: half of them are closed, and the bound is lowered to the rest, because
    /// others in this process need descriptors too. Returns false if there was no newcomer to close.
    pub(crate) fn make_room(&mut self) -> bool {
        let fuller = if self.silent.all.len() >= self.speaking.all.len() {
            &mut self.silent
        } else {
            &mut self.speaking
        };
        let half = fuller.all.len() / 2;
        let removed = fuller.all.pop_first().is_some();
        while fuller.all.len() > half {
            fuller.all.pop_first();
        }
        if removed {
            fuller.most = half.max(FEWEST);
        }
        removed
    }

    /// Returns one that is past its time limit.
    pub(crate) fn late(&mut self, now: Instant) -> Option<Box<Newcomer>> {
        [&mut self.silent, &mut self.speaking].into_iter().find_map(|places| {
            let first = places.all.first_entry().filter(|first| first.get().is_late(now));
            first.map(|first| first.remove())
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::listen::TIMEOUT;

    fn unauthenticated(has_spoken: bool, now: Instant) -> Box<Newcomer> {
        Newcomer::for_test(has_spoken, now)
    }

    #[test]
    fn oldest_newcomer_of_its_kind_is_closed() {
        let (mut newcomers, now) = (Newcomers::new(Some(200)), Instant::now());
        // 50 silent places, 25 for speaking ones.
        for id in 0..50 {
            assert!(newcomers.put(id, unauthenticated(false, now)).is_none(), "{id}");
        }
        for id in 100..125 {
            assert!(newcomers.put(id, unauthenticated(true, now)).is_none(), "{id}");
        }
        for id in 200..1200 {
            assert!(newcomers.put(id, unauthenticated(false, now)).is_some());
        }
        assert!((100..125).all(|id| newcomers.contains(id)), "silent ones push out one that speaks");
        assert!((1150..1200).all(|id| newcomers.contains(id)), "one that is not the oldest is closed");
        assert!(newcomers.put(2000, unauthenticated(true, now)).is_some());
        assert!(!newcomers.contains(100) && newcomers.contains(101));
    }

    #[test]
    fn few_descriptors_leave_a_minimum_of_places() {
        for (limit, most) in
            [(Some(0), FEWEST), (Some(4 * 100), 100), (Some(1 << 20), MOST_SILENT), (None, MOST_SILENT)]
        {
            assert_eq!(Newcomers::new(limit).silent.most, most);
        }
    }

    #[test]
    fn every_newcomer_times_out() {
        let (mut newcomers, now) = (Newcomers::new(None), Instant::now());
        newcomers.put(1, unauthenticated(true, now));
        newcomers.put(3, unauthenticated(false, now + Duration::from_secs(5)));
        assert!(newcomers.late(now).is_none());
        let late = now + TIMEOUT + Duration::from_secs(2);
        assert!(newcomers.late(late).is_some());
        assert!(newcomers.late(late).is_none());
        assert!(newcomers.take(3).is_some() && newcomers.is_empty());
    }

    #[test]
    fn make_room_closes_half_of_the_newcomers() {
        let (mut newcomers, now) = (Newcomers::new(None), Instant::now());
        assert!(!newcomers.make_room());
        for id in 0..100 {
            newcomers.put(id, unauthenticated(false, now));
        }
        newcomers.put(200, unauthenticated(true, now));
        assert!(newcomers.make_room());
        assert!(!newcomers.contains(49) && newcomers.contains(50) && newcomers.contains(200));
        assert!(newcomers.put(300, unauthenticated(false, now)).is_some());
        // Down to the last one, if needed.
        let times = std::iter::repeat_with(|| newcomers.make_room()).take_while(|made| *made).count();
        assert!(newcomers.is_empty() && times < 20, "{times}");
    }
}
