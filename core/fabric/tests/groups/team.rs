// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Members as threads of one process: each with a session, a control page and mappings of its own.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use mf_base::{Error, Kind, Rank, Result};
use mf_fabric::group::{Group, Parts, Registry, Wire};
use mf_fabric::space::Places;
use mf_store::{MemoryStore, Store};

/// Longest wait for something that must happen.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);

pub(crate) fn soon() -> Instant {
    Instant::now() + TIMEOUT
}

pub(crate) fn ranks(numbers: impl IntoIterator<Item = u32>) -> Vec<Rank> {
    numbers.into_iter().map(Rank).collect()
}

/// One member.
pub(crate) struct Seat {
    pub(crate) rank: Rank,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) registry: Arc<Registry>,
    pub(crate) wire: Option<Arc<dyn Wire>>,
}

impl Seat {
    pub(crate) fn try_group(&self, members: &[Rank], deadline: Instant) -> Result<Arc<Group>> {
        let places = Places::all();
        let parts = Parts {
            store: &self.store,
            own: self.rank,
            places: &places,
            prefix: "test",
            members,
            registry: &self.registry,
            wire: self.wire.clone(),
        };
        Group::create(&parts, deadline)
    }

    pub(crate) fn group(&self, members: &[Rank]) -> Arc<Group> {
        self.try_group(members, soon()).unwrap()
    }
}

/// Delivers in the same process, at once; cut pairs get nothing.
#[derive(Default)]
pub(crate) struct Net {
    registries: OnceLock<Vec<Arc<Registry>>>,
    cut: Mutex<Vec<Rank>>,
}

impl Net {
    pub(crate) fn cut(&self, rank: Rank) {
        self.cut.lock().unwrap_or_else(PoisonError::into_inner).push(rank);
    }
}

struct Line {
    from: Rank,
    net: Arc<Net>,
}

impl Wire for Line {
    fn send(&self, to: Rank, message: &[u8], _deadline: Instant) -> Result<()> {
        let cut = self.net.cut.lock().unwrap_or_else(PoisonError::into_inner).contains(&to);
        if cut {
            return Err(Error::new(Kind::NotConnected, "test wire").with("rank", to));
        }
        self.net.registries.get().unwrap()[to.index()].inbox().deliver(self.from, message);
        Ok(())
    }
}

/// All members of a job; `host_of` decides which members map each other's pages.
pub(crate) struct Team {
    pub(crate) seats: Vec<Arc<Seat>>,
    pub(crate) net: Arc<Net>,
    _store: MemoryStore,
}

impl Team {
    pub(crate) fn on_hosts(host_of: &[u32], has_wire: bool) -> Self {
        let world = u32::try_from(host_of.len()).unwrap();
        let store = MemoryStore::new(world).unwrap();
        let net = Arc::<Net>::default();
        let registries: Vec<_> = (0..world).map(|_| Registry::new()).collect();
        for (own, registry) in (0..).map(Rank).zip(&registries) {
            registry.own_page(own).unwrap();
            for (other, host) in (0..).map(Rank).zip(host_of).filter(|(other, _)| *other != own) {
                if *host == host_of[own.index()] {
                    registry.adopt_page(other, registries[other.index()].share_page(other).unwrap()).unwrap();
                }
            }
        }
        assert!(net.registries.set(registries.clone()).is_ok());
        let seat = |rank: usize| {
            let registry = Arc::clone(&registries[rank]);
            let rank = Rank(u32::try_from(rank).unwrap());
            let line: Arc<dyn Wire> = Arc::new(Line { from: rank, net: Arc::clone(&net) });
            Arc::new(Seat {
                rank,
                store: Arc::new(store.join(Some(rank)).unwrap()),
                registry,
                wire: has_wire.then_some(line),
            })
        };
        Self { seats: (0..host_of.len()).map(seat).collect(), net, _store: store }
    }

    pub(crate) fn on_one_host(world: u32) -> Self {
        Self::on_hosts(&vec![0; world as usize], false)
    }

    /// Every member does `work` on a thread of its own; the results by rank.
    pub(crate) fn each<T: Send>(&self, work: impl Fn(&Seat) -> T + Sync) -> Vec<T> {
        std::thread::scope(|scope| {
            let threads: Vec<_> = self.seats.iter().map(|seat| scope.spawn(|| work(seat))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        })
    }

    /// A group of all.
    pub(crate) fn groups(&self) -> Vec<Arc<Group>> {
        let members = ranks(0..u32::try_from(self.seats.len()).unwrap());
        self.each(|seat| seat.group(&members))
    }
}

/// The bytes that a member gives in a round.
pub(crate) fn given(member: usize, round: usize, bytes: usize) -> Vec<u8> {
    (0..bytes).map(|at| u8::try_from((member * 31 + round * 7 + at / 3) % 251).unwrap()).collect()
}

/// One allgather, checked.
pub(crate) fn gather(group: &Group, round: usize, bytes: usize) {
    gather_by(group, round, bytes, |own, all| group.allgather(own, all, soon()).unwrap());
}

/// The same, made by `call`.
pub(crate) fn gather_by(group: &Group, round: usize, bytes: usize, call: impl FnOnce(&[u8], &mut [u8])) {
    let own = given(group.place(), round, bytes);
    let mut all = vec![0xff; bytes * group.members().len()];
    call(&own, &mut all);
    let expected: Vec<u8> =
        (0..group.members().len()).flat_map(|member| given(member, round, bytes)).collect();
    assert!(all == expected, "round {round}, {bytes} bytes");
}
