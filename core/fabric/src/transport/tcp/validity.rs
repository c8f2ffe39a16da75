// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Validity of connections: the receiver discards all that a failed operation left on its way.
//!
//! **Problem.** An operation that was sent and then failed may still lie in the network, and neither the sender
//! nor its kernel can take it back. If the path delivers it after a later operation of the same peer that came
//! by another connection, old bytes replace new ones.
//!
//! **Rule.** Connections are numbered per pair of members, by the end that asks. When one fails its number is
//! void. Before the next request on any other connection the asking end reports which numbers are live
//! ([`Report`]), and as a connection is served in order, the serving end voids the rest before it does and
//! acknowledges that request: it closes void connections, those with a half received frame, too, and refuses a
//! void number that arrives afterwards ([`Validities`]).
//!
//! A number once void stays void: reports that overtake each other are intersected. So a report that is late
//! voids too little, never too much, and each connection begins with one.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

use mf_base::sync::lock;

use super::wire::Malformed;
use crate::transport::Peer;

/// Most numbers in a report: a multiple of the connections that a pair may have.
pub(super) const MOST: usize = 512;
/// Peers without a connection whose void numbers are remembered.
const REMEMBERED: usize = 4096;

/// Which connections of its sender are live.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Report {
    /// Numbers from here on were not issued when it was made: they are valid.
    pub(super) issued: u64,
    /// Of the smaller ones, those that are live; ascending.
    pub(super) live: Vec<u64>,
}

impl Report {
    pub(super) fn encode(&self) -> Vec<u8> {
        self.live.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    pub(super) fn decode(issued: u64, payload: &[u8]) -> Result<Self, Malformed> {
        let (numbers, rest) = payload.as_chunks::<8>();
        let live: Vec<u64> = numbers.iter().map(|number| u64::from_le_bytes(*number)).collect();
        let is_ascending = live.is_sorted_by(|one, next| one < next);
        if !rest.is_empty() || !is_ascending || live.last().is_some_and(|last| *last >= issued) {
            return Err(Malformed("numbers of live connections"));
        }
        Ok(Self { issued, live })
    }
}

/// The numbers of this end's connections to one peer.
#[derive(Default)]
pub(super) struct Numbers {
    /// Counts numbers that became void.
    voided: AtomicU64,
    issued: Mutex<Report>,
}

impl Numbers {
    /// Issues the number that `make` returns, which grows from call to call.
    pub(super) fn issue(&self, make: impl FnOnce() -> u64) -> u64 {
        let mut issued = lock(&self.issued);
        let number = make();
        issued.issued = number + 1;
        // Beyond the bound the oldest connection counts as void, and the peer closes it.
        if issued.live.len() >= MOST {
            issued.live.remove(0);
        }
        issued.live.push(number);
        number
    }

    /// Voids a number. Requests that are posted after this returned follow a report without it.
    pub(super) fn void(&self, number: u64) {
        let mut issued = lock(&self.issued);
        issued.live.retain(|live| *live != number);
        // Pairs with the load in `voided`.
        self.voided.fetch_add(1, Ordering::Release);
    }

    /// How many became void: a report made before this changed is stale.
    pub(super) fn voided(&self) -> u64 {
        self.voided.load(Ordering::Acquire)
    }

    /// The report of this moment, and the count that it belongs to.
    pub(super) fn report(&self) -> (u64, Report) {
        let issued = lock(&self.issued);
        (self.voided(), issued.clone())
    }
}

/// What one peer has reported, and how many connections of it are served.
#[derive(Default)]
struct Reported {
    served: usize,
    report: Report,
}

impl Report {
    fn is_valid(&self, number: u64) -> bool {
        number >= self.issued || self.live.binary_search(&number).is_ok()
    }

    /// Voids what either of both voids; whether that is more than before.
    fn intersect(&mut self, other: &Self) -> bool {
        let before = (self.issued, self.live.len());
        let theirs = other.live.iter().copied().filter(|number| *number >= self.issued);
        let new: Vec<u64> = theirs.collect();
        self.live.retain(|number| other.is_valid(*number));
        self.live.extend(new);
        self.issued = self.issued.max(other.issued);
        before != (self.issued, self.live.len())
    }
}

#[derive(Default)]
struct Peers {
    reported: HashMap<Peer, Reported>,
    /// Peers in the order in which their last connection ended; some are served again.
    ended: VecDeque<Peer>,
}

/// The serving end: which connections of its peers are valid.
#[derive(Default)]
pub(super) struct Validities {
    peers: Mutex<Peers>,
    /// Counts reports that changed something.
    changes: AtomicU64,
}

impl Validities {
    /// A connection of the peer is served from now on.
    pub(super) fn begin(&self, peer: Peer) {
        self.peers().reported.entry(peer).or_default().served += 1;
    }

    /// A connection of the peer is not served any more.
    pub(super) fn end(&self, peer: Peer) {
        let mut peers = self.peers();
        let Some(reported) = peers.reported.get_mut(&peer) else { return };
        reported.served = reported.served.saturating_sub(1);
        if reported.served > 0 {
            return;
        }
        peers.ended.push_back(peer);
        if peers.ended.len() > REMEMBERED
            && let Some(oldest) = peers.ended.pop_front()
            && peers.reported.get(&oldest).is_some_and(|reported| reported.served == 0)
            && !peers.ended.contains(&oldest)
        {
            peers.reported.remove(&oldest);
        }
    }

    /// Takes a report of the peer.
    pub(super) fn take(&self, peer: Peer, report: &Report) {
        if self.peers().reported.entry(peer).or_default().report.intersect(report) {
            self.changes.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Whether a connection of the peer may be served.
    pub(super) fn is_valid(&self, peer: Peer, number: u64) -> bool {
        self.peers().reported.get(&peer).is_none_or(|reported| reported.report.is_valid(number))
    }

    /// Changes with every report that voids something. Only the progress thread takes reports and asks.
    pub(super) fn changes(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }

    fn peers(&self) -> MutexGuard<'_, Peers> {
        lock(&self.peers)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::transport::JobId;

    fn peer(session: u64) -> Peer {
        Peer { job: JobId(1), rank: 0, session }
    }

    proptest! {
        /// Connections open and fail, and their reports arrive late, twice and in any order.
        #[test]
        fn void_numbers_stay_void_and_live_ones_stay_valid(steps in proptest::collection::vec((any::<bool>(), 0usize..8), 1..60), order in proptest::collection::vec(0usize..1000, 1..120)) {
            let numbers = Numbers::default();
            let (mut next, mut live, mut reports) = (0, Vec::new(), Vec::new());
            for (opens, which) in steps {
                if opens || live.is_empty() {
                    live.push(numbers.issue(|| next));
                    next += 3;
                } else {
                    numbers.void(live.remove(which % live.len()));
                }
                reports.push(numbers.report().1);
            }
            let served = Validities::default();
            let mut void = BTreeSet::new();
            for at in order {
                let report = &reports[at % reports.len()];
                let report = Report::decode(report.issued, &report.encode()).unwrap();
                served.take(peer(1), &report);
                void.extend((0..next).step_by(3).filter(|number| !report.is_valid(*number)));
                for number in (0..next).step_by(3) {
                    prop_assert_eq!(served.is_valid(peer(1), number), !void.contains(&number), "number {}", number);
                }
                prop_assert!(live.iter().all(|number| served.is_valid(peer(1), *number)));
            }
        }
    }

    #[test]
    fn reports_of_one_peer_void_nothing_of_another() {
        let served = Validities::default();
        served.take(peer(1), &Report { issued: 9, live: vec![8] });
        assert!(!served.is_valid(peer(1), 7) && served.is_valid(peer(1), 8) && served.is_valid(peer(1), 9));
        assert!(served.is_valid(peer(2), 7));
    }

    #[test]
    fn ended_peers_are_forgotten_beyond_the_bound() {
        let served = Validities::default();
        for session in 0..2 * REMEMBERED as u64 {
            served.begin(peer(session));
            served.take(peer(session), &Report { issued: 2, live: vec![1] });
            served.end(peer(session));
        }
        assert_eq!(served.peers().reported.len(), REMEMBERED);
        assert!(served.is_valid(peer(0), 0) && !served.is_valid(peer(2 * REMEMBERED as u64 - 1), 0));
    }

    #[test]
    fn malformed_reports_are_rejected() {
        let payload = |numbers: &[u64]| Report { issued: 0, live: numbers.to_vec() }.encode();
        assert!(Report::decode(9, &payload(&[1, 8])).is_ok());
        for (issued, payload) in
            [(9, payload(&[8, 1])), (9, payload(&[1, 1])), (8, payload(&[8])), (9, vec![1; 9])]
        {
            assert!(Report::decode(issued, &payload).is_err());
        }
    }
}
