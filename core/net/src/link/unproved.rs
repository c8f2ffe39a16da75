// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Bound on connections without proof that their process belongs to a job of this one.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Time that an accepted link may go without the token: a slow machine needs many seconds, and places are
/// bounded.
pub(super) const PROOF_TIMEOUT: Duration = Duration::from_secs(60);
/// Most links without the token at a time; one more takes the place of the oldest. A member shows the token
/// in its first message, at once after it connected.
const MOST_UNPROVED: usize = 256;
/// The same where descriptors are few.
const FEWEST_UNPROVED: usize = 32;
/// No connection loses its place before so long, enough for the first message; one that comes meanwhile waits
/// in the kernel.
const FIRST_WORD: Duration = Duration::from_millis(20);

/// Links that were accepted and have not shown the token, oldest first.
pub(super) struct Unproved {
    most: usize,
    all: VecDeque<(u64, Instant)>,
}

impl Default for Unproved {
    fn default() -> Self {
        Self { most: MOST_UNPROVED, all: VecDeque::new() }
    }
}

impl Unproved {
    /// Adds a link until `deadline`. Returns the link that loses its place for it.
    pub(super) fn enter(&mut self, id: u64, deadline: Instant) -> Option<u64> {
        self.all.push_back((id, deadline));
        if self.all.len() > self.most { self.oldest() } else { None }
    }

    /// Returns true if one more would take the place of a link that has only just come.
    pub(super) fn must_wait(&self, now: Instant) -> bool {
        let has_time = |deadline: Instant| deadline > now + PROOF_TIMEOUT.saturating_sub(FIRST_WORD);
        self.all.len() >= self.most && self.next_deadline().is_some_and(has_time)
    }

    /// Removes a link that has proved itself, or has ended.
    pub(super) fn leave(&mut self, id: u64) {
        self.all.retain(|(other, _)| *other != id);
    }

    /// Handles a lack of descriptors: half of the links lose their places, and the bound is lowered to the
    /// rest, because members that prove themselves bring descriptors along.
    pub(super) fn make_room(&mut self) -> Vec<u64> {
        let all = self.all.len();
        if all > 0 {
            self.most = (all / 2).max(FEWEST_UNPROVED);
        }
        (all / 2..all).filter_map(|_| self.oldest()).collect()
    }

    /// Returns a link that is past its deadline; it loses its place.
    pub(super) fn late(&mut self, now: Instant) -> Option<u64> {
        if self.next_deadline()? <= now { self.oldest() } else { None }
    }

    pub(super) fn next_deadline(&self) -> Option<Instant> {
        self.all.front().map(|(_, deadline)| *deadline)
    }

    fn oldest(&mut self) -> Option<u64> {
        self.all.pop_front().map(|(id, _)| id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oldest_unproved_connection_is_replaced() {
        let (mut unproved, now) = (Unproved::default(), Instant::now());
        let most = u64::try_from(MOST_UNPROVED).unwrap();
        assert!((0..most).all(|id| unproved.enter(id, now + PROOF_TIMEOUT).is_none()));
        assert!(unproved.must_wait(now) && !unproved.must_wait(now + FIRST_WORD));
        // An authenticated connection takes no place here.
        unproved.leave(0);
        assert!(!unproved.must_wait(now));
        assert_eq!(unproved.enter(most, now + PROOF_TIMEOUT), None);
        assert_eq!(unproved.enter(most + 1, now + PROOF_TIMEOUT), Some(1));
        assert_eq!(unproved.late(now), None);
        let late: Vec<u64> = std::iter::from_fn(|| unproved.late(now + PROOF_TIMEOUT)).collect();
        assert_eq!(late, (2..most + 2).collect::<Vec<_>>());
        assert_eq!(unproved.next_deadline(), None);
    }

    #[test]
    fn make_room_closes_half_of_the_unproved_connections() {
        let (mut unproved, deadline) = (Unproved::default(), Instant::now() + PROOF_TIMEOUT);
        assert!(unproved.make_room().is_empty());
        assert!((0..100).all(|id| unproved.enter(id, deadline).is_none()));
        assert_eq!(unproved.make_room(), (0..50).collect::<Vec<_>>());
        assert_eq!(unproved.enter(100, deadline), Some(50));
        let gone: Vec<u64> = std::iter::from_fn(|| Some(unproved.make_room()).filter(|ids| !ids.is_empty()))
            .flatten()
            .collect();
        assert_eq!(gone, (51..101).collect::<Vec<_>>());
    }
}
