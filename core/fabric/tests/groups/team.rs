// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Members as threads of one process: each with a session, a control page and mappings of its own.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use mf_base::{Error, Kind, Rank, Result};
use mf_fabric::group::{ControlPage, Group, Inbox, Parts, Wire};
use mf_fabric::space::Places;
use mf_store::{MemoryStore, Store};

/// Longest wait for something that must happen.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn soon() -> Instant {
    Instant::now() + PATIENCE
}

pub(crate) fn ranks(numbers: impl IntoIterator<Item = u32>) -> Vec<Rank> {
    numbers.into_iter().map(Rank).collect()
}

/// One member.
pub(crate) struct Seat {
    pub(crate) rank: Rank,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) pages: BTreeMap<Rank, Arc<ControlPage>>,
    pub(crate) wire: Option<(Arc<dyn Wire>, Arc<Inbox>)>,
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
            pages: &self.pages,
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
    inboxes: OnceLock<Vec<Arc<Inbox>>>,
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
        self.net.inboxes.get().unwrap()[to.index()].deliver(self.from, message);
        Ok(())
    }
}

/// All members of a job; `host_of` says who maps whose pages.
pub(crate) struct Team {
    pub(crate) seats: Vec<Arc<Seat>>,
    pub(crate) net: Arc<Net>,
    _store: MemoryStore,
}

impl Team {
    pub(crate) fn on_hosts(host_of: &[u32], has_wire: bool) -> Self {
        let world = u32::try_from(host_of.len()).unwrap();
        let store = MemoryStore::new(world).unwrap();
        let own: Vec<_> = (0..world).map(|_| Arc::new(ControlPage::create().unwrap())).collect();
        let net = Arc::<Net>::default();
        let inboxes: Vec<_> = (0..world).map(|_| Inbox::new()).collect();
        assert!(net.inboxes.set(inboxes.clone()).is_ok());
        let seat = |rank: usize| {
            let page = |other: usize| match other == rank {
                true => Arc::clone(&own[rank]),
                false => ControlPage::adopt(own[other].descriptor().unwrap().try_clone_to_owned().unwrap())
                    .unwrap(),
            };
            let number = |rank: usize| Rank(u32::try_from(rank).unwrap());
            let near = (0..host_of.len()).filter(|other| host_of[*other] == host_of[rank]);
            let line: Arc<dyn Wire> = Arc::new(Line { from: number(rank), net: Arc::clone(&net) });
            Arc::new(Seat {
                rank: number(rank),
                store: Arc::new(store.join(Some(number(rank))).unwrap()),
                pages: near.map(|other| (number(other), page(other))).collect(),
                wire: has_wire.then(|| (line, Arc::clone(&inboxes[rank]))),
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
