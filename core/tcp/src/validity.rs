// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Validity of connections: the receiver discards all bytes that a failed operation left in flight.
//!
//! **Problem.** An operation that was sent and then failed may still lie in the network, and neither the
//! sender nor its kernel can take it back. If the path delivers it after a later operation of the same peer
//! that came by another connection, old bytes replace new ones.
//!
//! **Rule.** Connections are numbered per pair of processes, by the end that sends requests. When one fails
//! its number is void. Before the next request on any other connection that end reports the live numbers
//! ([`Report`]), and as a connection is served in order, the serving end voids the rest before it does and
//! acknowledges that request: it closes void connections, including half received frames, and refuses a void
//! number that arrives afterwards ([`Validities`]).
//!
//! A number once void stays void: reports that overtake each other are intersected. So a report that is late
//! voids too little, never too much, and each connection begins with one.
//!
//! A process may reach another by several of its members, and by members that come and go.
//! [`Numbers::towards`] gives all of them the same numbers, found by the listening addresses of the other
//! process; at the serving end a random scope identifies the numbers that belong together.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use mf_base::Result;
use mf_base::os::per_process::PerProcess;
use mf_base::os::random;
use mf_base::sync::lock;

use crate::malformed::Malformed;

/// Most numbers in a report: a multiple of the connections that a pair may have.
pub(crate) const MOST: usize = 512;
/// Bound of remembered void numbers of scopes without connections, and of numbers by address.
const REMEMBERED: usize = 4096;

/// Which connections of its sender are live.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Report {
    /// Numbers from here on were not issued when it was made: they are valid.
    pub(crate) issued: u64,
    /// Live numbers below that, ascending.
    pub(crate) live: Vec<u64>,
}

impl Report {
    pub(crate) fn encode(&self) -> Vec<u8> {
        self.live.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    pub(crate) fn decode(issued: u64, payload: &[u8]) -> std::result::Result<Self, Malformed> {
        let (numbers, rest) = payload.as_chunks::<8>();
        let live: Vec<u64> = numbers.iter().map(|number| u64::from_le_bytes(*number)).collect();
        let is_ascending = live.is_sorted_by(|one, next| one < next);
        if !rest.is_empty() || !is_ascending || live.last().is_some_and(|last| *last >= issued) {
            return Err(Malformed("numbers of live connections"));
        }
        Ok(Self { issued, live })
    }
}

/// The numbers of this process's connections to another.
pub(crate) struct Numbers {
    /// Names them to the other process; random, so that no third one can void them.
    pub(crate) scope: u64,
    /// Counts numbers that became void.
    voided: AtomicU64,
    issued: Mutex<Report>,
}

/// Numbers by the addresses where the other process listens.
#[derive(Default)]
struct Known {
    numbers: BTreeMap<SocketAddr, Arc<Numbers>>,
    /// The oldest first.
    order: VecDeque<SocketAddr>,
}

static KNOWN: PerProcess<Known> = PerProcess::new(Known { numbers: BTreeMap::new(), order: VecDeque::new() });

impl Numbers {
    fn new(scope: u64) -> Self {
        Self { scope, voided: AtomicU64::new(0), issued: Mutex::default() }
    }

    /// Returns the numbers of connections to the process that listens at these addresses. Processes with the
    /// same address, on different hosts, share numbers; that voids nothing of the other.
    ///
    /// # Errors
    /// `Failed` when the kernel gives no random numbers.
    pub(crate) fn towards(addresses: &[SocketAddr]) -> Result<Arc<Self>> {
        let mut known = KNOWN.lock();
        let numbers = match addresses.iter().find_map(|address| known.numbers.get(address)) {
            Some(numbers) => Arc::clone(numbers),
            None => Arc::new(Self::new(u64::from_le_bytes(random("tcp introduce")?))),
        };
        for address in addresses {
            if known.numbers.insert(*address, Arc::clone(&numbers)).is_none() {
                known.order.push_back(*address);
            }
        }
        while known.order.len() > REMEMBERED {
            let oldest = known.order.pop_front();
            oldest.and_then(|oldest| known.numbers.remove(&oldest));
        }
        Ok(numbers)
    }

    /// Issues the number that `make` returns, which grows from call to call.
    pub(crate) fn issue(&self, make: impl FnOnce() -> u64) -> u64 {
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
    pub(crate) fn void(&self, number: u64) {
        let mut issued = lock(&self.issued);
        issued.live.retain(|live| *live != number);
        // Pairs with the load in `voided`.
        self.voided.fetch_add(1, Ordering::Release);
    }

    /// Returns the number of void ones: a report made before this changed is stale.
    pub(crate) fn voided(&self) -> u64 {
        self.voided.load(Ordering::Acquire)
    }

    /// The report of this moment, and the count that it belongs to.
    pub(crate) fn report(&self) -> (u64, Report) {
        let issued = lock(&self.issued);
        (self.voided(), issued.clone())
    }
}

/// Reports of one scope, and its number of served connections.
#[derive(Default)]
struct Reported {
    served: usize,
    report: Report,
}

impl Report {
    fn is_valid(&self, number: u64) -> bool {
        number >= self.issued || self.live.binary_search(&number).is_ok()
    }

    /// Voids the numbers that either of both voids. Returns true if that is more than before.
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
struct Scopes {
    reported: HashMap<u64, Reported>,
    /// Scopes in the order in which their last connection ended; some are served again.
    ended: VecDeque<u64>,
}

/// The serving end: which connections to this process are valid.
#[derive(Default)]
pub(crate) struct Validities {
    scopes: Mutex<Scopes>,
    /// Counts reports that changed something.
    changes: AtomicU64,
}

impl Validities {
    /// A connection of the scope is served from now on.
    pub(crate) fn begin(&self, scope: u64) {
        self.scopes().reported.entry(scope).or_default().served += 1;
    }

    /// A connection of the scope is not served any more.
    pub(crate) fn end(&self, scope: u64) {
        let mut scopes = self.scopes();
        let Some(reported) = scopes.reported.get_mut(&scope) else { return };
        reported.served = reported.served.saturating_sub(1);
        if reported.served > 0 {
            return;
        }
        scopes.ended.push_back(scope);
        if scopes.ended.len() > REMEMBERED
            && let Some(oldest) = scopes.ended.pop_front()
            && scopes.reported.get(&oldest).is_some_and(|reported| reported.served == 0)
            && !scopes.ended.contains(&oldest)
        {
            scopes.reported.remove(&oldest);
        }
    }

    /// Takes a report of the scope.
    pub(crate) fn take(&self, scope: u64, report: &Report) {
        if self.scopes().reported.entry(scope).or_default().report.intersect(report) {
            self.changes.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Returns true if a connection of the scope may be served.
    pub(crate) fn is_valid(&self, scope: u64, number: u64) -> bool {
        self.scopes().reported.get(&scope).is_none_or(|reported| reported.report.is_valid(number))
    }

    /// Changes with every report that voids a number. Only the progress thread takes reports and reads this.
    pub(crate) fn changes(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }

    fn scopes(&self) -> MutexGuard<'_, Scopes> {
        lock(&self.scopes)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Connections open and fail, and their reports arrive late, twice and in any order.
        #[test]
        fn void_numbers_stay_void_and_live_ones_stay_valid(steps in proptest::collection::vec((any::<bool>(), 0usize..8), 1..60), order in proptest::collection::vec(0usize..1000, 1..120)) {
            let numbers = Numbers::new(1);
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
                served.take(1, &report);
                void.extend((0..next).step_by(3).filter(|number| !report.is_valid(*number)));
                for number in (0..next).step_by(3) {
                    prop_assert_eq!(served.is_valid(1, number), !void.contains(&number), "number {}", number);
                }
                prop_assert!(live.iter().all(|number| served.is_valid(1, *number)));
            }
        }
    }

    #[test]
    fn reports_void_only_their_own_scope() {
        let served = Validities::default();
        served.take(1, &Report { issued: 9, live: vec![8] });
        assert!(!served.is_valid(1, 7) && served.is_valid(1, 8) && served.is_valid(1, 9));
        assert!(served.is_valid(2, 7));
    }

    #[test]
    fn ended_scopes_are_forgotten_beyond_the_bound() {
        let served = Validities::default();
        for scope in 0..2 * REMEMBERED as u64 {
            served.begin(scope);
            served.take(scope, &Report { issued: 2, live: vec![1] });
            served.end(scope);
        }
        assert_eq!(served.scopes().reported.len(), REMEMBERED);
        assert!(served.is_valid(0, 0) && !served.is_valid(2 * REMEMBERED as u64 - 1, 0));
    }

    #[test]
    fn processes_sharing_an_address_share_numbers() {
        let towards = |hosts: &[u8]| {
            let addresses: Vec<SocketAddr> =
                hosts.iter().map(|host| ([198, 51, 100, *host], 9).into()).collect();
            Numbers::towards(&addresses).unwrap().scope
        };
        let first = towards(&[1, 2]);
        assert_eq!([towards(&[2, 3]), towards(&[3]), towards(&[1])], [first; 3]);
        assert_ne!(towards(&[4]), first);
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
