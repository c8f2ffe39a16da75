// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Assignment of ranks.
//!
//! A member that names its rank gets it or is refused, at once; one that prefers a rank gets it if it is
//! free. Members that leave the choice to the store are ranked in two phases, and there are two kinds of
//! them.
//!
//! *Forming*: they wait until there are as many as free ranks; then they are ordered by (address, host,
//! device, whether the store runs in their process, arrival) and take the free ranks in ascending order. A
//! complete world therefore forms with its last member, without any timer, and the ranks of a host are
//! neighbours. [`RankRequest::Any`] does not insist on a complete world: when no newcomer arrived for the
//! rank window, the present ones get ranks. [`RankRequest::Ordered`] waits for the complete world until its
//! deadline, and its error gives the number of missing members.
//!
//! *Formed*: each later one gets a free rank at once, one next to the ranks of its host if there is one, else
//! the next one counted in a circle; when there is none it waits in a queue until a rank is freed or its own
//! deadline passes. For [`RankRequest::Ordered`] this phase begins when the world was complete once: it takes
//! the rank of a member that has left. The rank of a member that leaves is free again.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::IpAddr;

use mf_base::Rank;

use super::format::{seconds, timeout};
use super::timers::Timers;
use super::{LinkId, Micros};
use crate::protocol::{Failure, Join, RankRequest};

/// Number of ranks tried next to the ranks of the own host.
const NEIGHBOURS: usize = 64;
/// Number of hosts named in the text about an incomplete world.
const HOSTS_NAMED: usize = 16;

/// A connection that asks for membership.
#[derive(Clone, Debug)]
pub(crate) struct Arrival {
    pub(crate) join: Join,
    pub(crate) address: IpAddr,
}

impl Arrival {
    fn host(&self) -> Host {
        (self.address.to_canonical(), self.join.host.clone())
    }
}

type Host = (IpAddr, String);

/// A rank that was assigned.
#[derive(Debug)]
pub(super) struct GrantedRank {
    pub(super) link: LinkId,
    pub(super) rank: Rank,
    pub(super) arrival: Box<Arrival>,
}

struct Waiting {
    link: LinkId,
    arrival: Box<Arrival>,
    arrived: Micros,
    deadline: Micros,
}

impl Waiting {
    /// Returns true if it waits for the complete world.
    fn insists(&self) -> bool {
        self.arrival.join.wish == RankRequest::Ordered
    }
}

/// The table of ranks. `free`, `taken` and `of_host` mirror each other.
pub(super) struct Ranks {
    /// The server's setting; 0: the first member decides.
    configured_world: u32,
    max_world: u32,
    window_us: Micros,
    /// 0: not known yet.
    world: u32,
    free: BTreeSet<u32>,
    taken: BTreeMap<u32, Host>,
    of_host: HashMap<Host, BTreeSet<u32>>,
    /// Start of the circular search for a free rank.
    next: u32,
    /// Newcomers that do not insist on the complete world get free ranks.
    formed: bool,
    /// All ranks were taken at some time.
    was_complete: bool,
    /// In the order of arrival. `tickets`, `due` and `easy` mirror it.
    waiting: BTreeMap<u64, Waiting>,
    /// Number of waiting newcomers that do not insist on the complete world.
    easy: usize,
    tickets: HashMap<LinkId, u64>,
    due: Timers<u64>,
    arrivals: u64,
    last_arrival: Micros,
}

impl Ranks {
    pub(super) fn new(configured_world: u32, max_world: u32, window_us: Micros) -> Self {
        let mut ranks = Self {
            configured_world,
            max_world,
            window_us,
            world: 0,
            free: BTreeSet::new(),
            taken: BTreeMap::new(),
            of_host: HashMap::new(),
            next: 0,
            formed: false,
            was_complete: false,
            waiting: BTreeMap::new(),
            easy: 0,
            tickets: HashMap::new(),
            due: Timers::default(),
            arrivals: 0,
            last_arrival: 0,
        };
        ranks.set_world(configured_world);
        ranks
    }

    /// Back to the state before the first member.
    pub(super) fn reset(&mut self) {
        *self = Self::new(self.configured_world, self.max_world, self.window_us);
    }

    pub(super) fn world_size(&self) -> u32 {
        self.world
    }

    pub(super) fn is_full(&self) -> bool {
        self.free.is_empty()
    }

    pub(super) fn is_taken(&self, rank: u32) -> bool {
        self.taken.contains_key(&rank)
    }

    pub(super) fn anyone_waits(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Checks a newcomer's claims about the job.
    pub(super) fn check(&self, world_size: u32, wish: RankRequest) -> Result<(), Failure> {
        if world_size == 0 || world_size > self.max_world {
            return Err(Failure::invalid(format!(
                "the world size {world_size} is outside 1 to {}",
                self.max_world
            )));
        }
        if self.world != 0 && self.world != world_size {
            return Err(Failure::invalid(format!(
                "the world size is {world_size} here and {} in the store",
                self.world
            ))
            .hint("give all members of the job the same world size"));
        }
        match wish {
            RankRequest::Exactly(rank) | RankRequest::Prefer(rank) if rank >= world_size => {
                Err(Failure::invalid(format!("rank {rank} is outside the world of {world_size} ranks")))
            }
            _ => Ok(()),
        }
    }

    /// Adds a newcomer that was [checked](Self::check), with a free exact rank, if it names one. Returns the
    /// ranks assigned now.
    pub(super) fn arrive(
        &mut self,
        now: Micros,
        arrived: Micros,
        link: LinkId,
        arrival: Box<Arrival>,
    ) -> Vec<GrantedRank> {
        self.set_world(arrival.join.world_size);
        if let RankRequest::Exactly(rank) | RankRequest::Prefer(rank) = arrival.join.wish
            && self.free.contains(&rank)
        {
            let mut given = vec![self.give(link, rank, arrival)];
            given.extend(self.settle());
            return given;
        }
        self.arrivals += 1;
        let deadline = arrived.saturating_add(arrival.join.timeout_us);
        self.due.insert(deadline, self.arrivals);
        self.tickets.insert(link, self.arrivals);
        let waiting = Waiting { link, arrival, arrived, deadline };
        if !waiting.insists() {
            self.easy += 1;
            self.last_arrival = now;
        }
        self.waiting.insert(self.arrivals, waiting);
        self.settle()
    }

    /// Forgets that a connection waits.
    pub(super) fn withdraw(&mut self, link: LinkId) {
        if let Some(ticket) = self.tickets.get(&link).copied() {
            self.take_waiting(ticket);
        }
    }

    /// Takes out all that wait, in the order of their arrival.
    pub(super) fn take_all_waiting(&mut self) -> Vec<(LinkId, Box<Arrival>, Micros)> {
        self.tickets.clear();
        self.due.clear();
        self.easy = 0;
        let waiting = std::mem::take(&mut self.waiting).into_values();
        waiting.map(|waiting| (waiting.link, waiting.arrival, waiting.arrived)).collect()
    }

    /// Frees a rank; [`serve_waiting`](Self::serve_waiting) assigns it again.
    pub(super) fn free(&mut self, rank: Rank) {
        if let Some(host) = self.taken.remove(&rank.0) {
            self.free.insert(rank.0);
            if let Some(own) = self.of_host.get_mut(&host) {
                own.remove(&rank.0);
                if own.is_empty() {
                    self.of_host.remove(&host);
                }
            }
        }
    }

    /// Assigns free ranks to newcomers that wait.
    pub(super) fn serve_waiting(&mut self) -> Vec<GrantedRank> {
        self.settle()
    }

    /// Gives a member of the store before this one its rank back.
    pub(super) fn restore(&mut self, rank: Rank, arrival: &Arrival) {
        self.set_world(arrival.join.world_size);
        self.formed = true;
        // The store before this one had given it.
        self.was_complete = true;
        self.mark(rank.0, arrival.host());
    }

    pub(super) fn next_deadline(&self) -> Option<Micros> {
        let earliest = self.due.next()?;
        let window = (!self.formed && self.easy > 0).then(|| self.window_end());
        Some(window.map_or(earliest, |window| earliest.min(window)))
    }

    /// Forms the world when its window has passed. Returns the assigned ranks, and the newcomers past their
    /// deadlines.
    pub(super) fn expire(&mut self, now: Micros) -> (Vec<GrantedRank>, Vec<(LinkId, Failure)>) {
        if self.next_deadline().is_none_or(|deadline| deadline > now) {
            return (Vec::new(), Vec::new());
        }
        // A wait that would end within the window ends with a rank instead of a failure.
        let ends = |waiting: &Waiting| !waiting.insists() && waiting.deadline <= now;
        let is_over = self.easy > 0 && (self.window_end() <= now || self.waiting.values().any(ends));
        let given = if !self.formed && is_over { self.form(false) } else { Vec::new() };
        let mut late = Vec::new();
        let incomplete = self.incomplete();
        while let Some(ticket) = self.due.pop(now) {
            let Some(waiting) = self.take_waiting(ticket) else { continue };
            let (world, waited) = (self.world, seconds(now.saturating_sub(waiting.arrived)));
            let failure = match &incomplete {
                Some((missing, there)) if waiting.insists() => timeout(format!(
                    "{missing} of {world} ranks did not join within {waited}; there are, by host: {there}"
                ))
                .hint("start the others, or raise the init timeout"),
                _ => timeout(format!("all {world} ranks are taken, none became free within {waited}"))
                    .hint("end a member, raise the world size or the timeout"),
            };
            late.push((waiting.link, failure));
        }
        (given, late)
    }

    /// The error for a newcomer that insists on a complete world when its deadline passes: how many are
    /// missing, and how many there are of each host.
    fn incomplete(&self) -> Option<(usize, String)> {
        if self.was_complete {
            return None;
        }
        let mut hosts: BTreeMap<&str, usize> = BTreeMap::new();
        let waiting = self.waiting.values().map(|waiting| &waiting.arrival.join.host);
        for host in self.taken.values().map(|(_, host)| host).chain(waiting) {
            *hosts.entry(host).or_default() += 1;
        }
        let named = hosts.iter().take(HOSTS_NAMED).map(|(host, count)| format!("{host} {count}"));
        let mut there = named.collect::<Vec<_>>().join(", ");
        if hosts.len() > HOSTS_NAMED {
            there.push_str(", …");
        }
        Some((self.free.len().saturating_sub(self.waiting.len()), there))
    }

    fn set_world(&mut self, world: u32) {
        if self.world == 0 && world > 0 {
            self.world = world;
            self.free = (0..world).collect();
        }
    }

    fn take_waiting(&mut self, ticket: u64) -> Option<Waiting> {
        let waiting = self.waiting.remove(&ticket)?;
        self.tickets.remove(&waiting.link);
        self.due.remove(waiting.deadline, ticket);
        if !waiting.insists() {
            self.easy -= 1;
        }
        Some(waiting)
    }

    fn window_end(&self) -> Micros {
        self.last_arrival.saturating_add(self.window_us)
    }

    /// Assigns the ranks that can be assigned now.
    fn settle(&mut self) -> Vec<GrantedRank> {
        if !self.was_complete && !self.waiting.is_empty() && self.waiting.len() >= self.free.len() {
            self.form(true)
        } else if self.formed {
            self.serve()
        } else {
            Vec::new()
        }
    }

    /// Ends the forming phase: assigns the free ranks by (address, host, device, arrival), to all waiting
    /// newcomers when the world is complete, else only to the ones that do not insist on that.
    fn form(&mut self, complete: bool) -> Vec<GrantedRank> {
        self.formed = true;
        let mut order: Vec<_> = self
            .waiting
            .iter()
            .filter(|(_, waiting)| complete || !waiting.insists())
            .map(|(ticket, waiting)| {
                let join = &waiting.arrival.join;
                // Among equals the process that runs the store comes first, so that as a rule it is rank 0.
                (waiting.arrival.host(), join.device, !join.hosts_store, *ticket)
            })
            .collect();
        order.sort();
        let places: Vec<u32> = self.free.iter().copied().take(order.len()).collect();
        let mut given = Vec::with_capacity(places.len());
        for ((.., ticket), place) in order.into_iter().zip(places) {
            if let Some(waiting) = self.take_waiting(ticket) {
                given.push(self.give(waiting.link, place, waiting.arrival));
                self.next = (place + 1) % self.world;
            }
        }
        given
    }

    /// Assigns free ranks to newcomers that wait, in their order.
    fn serve(&mut self) -> Vec<GrantedRank> {
        let mut given = Vec::new();
        while !self.free.is_empty() && !self.waiting.is_empty() {
            let mut open = self.waiting.iter().filter(|(_, waiting)| self.was_complete || !waiting.insists());
            let Some(ticket) = open.next().map(|(ticket, _)| *ticket) else { break };
            let Some(waiting) = self.take_waiting(ticket) else { break };
            let host = waiting.arrival.host();
            let Some(place) = self.beside(&host).or_else(|| self.next_free()) else { break };
            given.push(self.give(waiting.link, place, waiting.arrival));
            self.next = (place + 1) % self.world.max(1);
        }
        given
    }

    fn next_free(&self) -> Option<u32> {
        self.free.range(self.next..).next().or_else(|| self.free.first()).copied()
    }

    /// Returns a free rank right after or before a rank of a host. Walks from one run of the host's ranks to
    /// the next.
    fn beside(&self, host: &Host) -> Option<u32> {
        let own = self.of_host.get(host)?;
        let is_own = |rank: Option<u32>| rank.is_some_and(|rank| own.contains(&rank));
        let mut from = own.first().copied()?;
        for _ in 0..NEIGHBOURS {
            let Some(free) = self.free.range(from..).next().copied() else { break };
            if is_own(free.checked_sub(1)) {
                return Some(free);
            }
            let Some(run) = own.range(free..).next().copied() else { break };
            if let Some(before) = run.checked_sub(1).filter(|before| self.free.contains(before)) {
                return Some(before);
            }
            from = run;
        }
        let before = own.first().and_then(|first| first.checked_sub(1));
        before.filter(|before| self.free.contains(before))
    }

    fn give(&mut self, link: LinkId, place: u32, arrival: Box<Arrival>) -> GrantedRank {
        self.mark(place, arrival.host());
        GrantedRank { link, rank: Rank(place), arrival }
    }

    fn mark(&mut self, place: u32, host: Host) {
        self.free.remove(&place);
        self.of_host.entry(host.clone()).or_default().insert(place);
        self.taken.insert(place, host);
        if self.free.is_empty() {
            (self.formed, self.was_complete) = (true, true);
        }
    }
}
