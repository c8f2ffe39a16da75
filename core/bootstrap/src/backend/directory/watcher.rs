// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Liveness check of a record's leader. Pure: takes the record and the time of reading, returns a verdict.
//!
//! Clocks of different machines agree on nothing, so a record holds no time. A reader notes when, by its own
//! clock, the record last changed; a leader that has not changed it for a whole lease is dead. A record that
//! is seen for the first time gets a lease to prove itself.
//!
//! Records of a lower term than one seen before come from a leader that slept through its end. They are no
//! signs of life. Without a better one within the lease, the table was wiped or restored, and the watcher
//! starts again.

use std::time::{Duration, Instant};

use super::record::Record;

/// A reader's verdict on the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// There is no leader and never was one here.
    Vacant,
    /// This one is alive, or has not had the time to show it.
    Alive(Record),
    /// It was on this host and is dead.
    Dead {
        /// The highest term that is known.
        term: u64,
    },
}

/// Watches one record.
#[derive(Debug)]
pub(crate) struct Watcher {
    lease: Duration,
    best: Option<Observation>,
}

#[derive(Clone, Copy, Debug)]
struct Observation {
    record: Record,
    changed: Instant,
}

impl Watcher {
    pub(crate) fn new(lease: Duration) -> Self {
        Self { lease, best: None }
    }

    /// Takes the record read at `now`. `None` if it was missing or malformed.
    pub(crate) fn see(&mut self, now: Instant, read: Option<Record>) -> Verdict {
        let expired = self.best.is_some_and(|best| now.saturating_duration_since(best.changed) >= self.lease);
        match (read, self.best) {
            (Some(record), None) => self.take(now, record),
            // The same as before: alive until the lease is over.
            (Some(record), Some(best)) if record == best.record => self.verdict(expired),
            (Some(record), Some(best)) if record.term >= best.record.term || expired => {
                self.take(now, record)
            }
            // A straggler of a lower term, or a record that was taken away: the one before has its lease.
            (Some(_), Some(_)) => self.verdict(expired),
            (None, Some(best)) if !expired => Verdict::Dead { term: best.record.term },
            (None, _) => {
                // Taken away by a leader that ended in order, long ago or before this watcher began.
                let term = self.best.map(|best| best.record.term);
                term.map_or(Verdict::Vacant, |term| Verdict::Dead { term })
            }
        }
    }

    /// The highest term seen.
    pub(crate) fn term(&self) -> u64 {
        self.best.map_or(0, |best| best.record.term)
    }

    /// Returns the time of the record's last change.
    pub(crate) fn unchanged_since(&self) -> Option<Instant> {
        self.best.map(|best| best.changed)
    }

    fn take(&mut self, now: Instant, record: Record) -> Verdict {
        self.best = Some(Observation { record, changed: now });
        Verdict::Alive(record)
    }

    fn verdict(&self, expired: bool) -> Verdict {
        match self.best {
            Some(best) if expired => Verdict::Dead { term: best.record.term },
            Some(best) => Verdict::Alive(best.record),
            None => Verdict::Vacant,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEASE: Duration = Duration::from_secs(5);

    fn record(term: u64, beat: u64) -> Record {
        Record { term, beat, owner: term, address: "127.0.0.1:5570".parse().unwrap() }
    }

    #[test]
    fn leader_is_dead_when_its_counter_is_unchanged_for_a_lease() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut watcher = Watcher::new(LEASE);
        assert_eq!(watcher.see(at(0), None), Verdict::Vacant);
        assert_eq!(watcher.see(at(1), Some(record(1, 7))), Verdict::Alive(record(1, 7)));
        assert_eq!(watcher.see(at(5), Some(record(1, 7))), Verdict::Alive(record(1, 7)));
        assert_eq!(watcher.see(at(6), Some(record(1, 7))), Verdict::Dead { term: 1 });
        assert_eq!(watcher.see(at(7), Some(record(1, 8))), Verdict::Alive(record(1, 8)), "it only slept");
    }

    #[test]
    fn record_of_a_lower_term_does_not_count_as_heartbeat() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut watcher = Watcher::new(LEASE);
        watcher.see(at(0), Some(record(4, 1)));
        assert_eq!(watcher.see(at(3), Some(record(3, 9))), Verdict::Alive(record(4, 1)));
        assert_eq!(watcher.see(at(4), Some(record(4, 2))), Verdict::Alive(record(4, 2)));
        // The table was turned back for good.
        assert_eq!(watcher.see(at(9), Some(record(3, 10))), Verdict::Alive(record(3, 10)));
    }

    #[test]
    fn removed_record_reports_death_with_its_term() {
        let start = Instant::now();
        let mut watcher = Watcher::new(LEASE);
        watcher.see(start, Some(record(4, 1)));
        assert_eq!(watcher.see(start, None), Verdict::Dead { term: 4 });
        assert_eq!(watcher.see(start + LEASE * 3, None), Verdict::Dead { term: 4 });
    }
}
