// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Who is which rank.
//!
//! A member that names its rank gets it or is refused, at once. Members that leave the choice to the store are ranked
//! in two phases. *Forming*: they wait until as many have come as there are free ranks, or until nobody new came for the
//! rank window; then they are ordered by (address, device, whether the store runs in their process, arrival) and take
//! the free ranks in ascending order. A complete world therefore forms with its last member, without any timer. *Formed*: each later one gets the next
//! free rank, counted in a circle, at once; when there is none it waits, first come first served, until a rank is
//! freed or its own deadline passes. The number of a session that ends is free again.

use std::net::IpAddr;

use mf_base::{Kind, Rank};

use super::{Micros, SessionId, seconds, timeout};
use crate::protocol::Failure;
use crate::protocol::limits::check_world_size;

/// A connection that asks for membership.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    pub(crate) world_size: u32,
    /// None: the store picks.
    pub(crate) rank: Option<u32>,
    pub(crate) device: u16,
    pub(crate) hosts_store: bool,
    pub(crate) address: IpAddr,
    pub(crate) timeout_us: Micros,
}

/// A rank that was handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Given {
    pub(super) session: SessionId,
    pub(super) rank: Rank,
}

struct Waiting {
    session: SessionId,
    address: IpAddr,
    device: u16,
    hosts_store: bool,
    arrived: Micros,
    deadline: Micros,
}

/// The table of ranks.
pub(super) struct Ranks {
    /// What the server was told; 0: the first member decides.
    configured_world: u32,
    window_us: Micros,
    /// One place for each rank of the world; empty until the world size is known.
    taken: Vec<Option<SessionId>>,
    /// Where the circular search for a free rank begins.
    next: usize,
    formed: bool,
    /// In the order of arrival.
    waiting: Vec<Waiting>,
    last_arrival: Micros,
}

impl Ranks {
    pub(super) fn new(configured_world: u32, window_us: Micros) -> Self {
        Self {
            configured_world,
            window_us,
            taken: vec![None; Rank(configured_world).index()],
            next: 0,
            formed: false,
            waiting: Vec::new(),
            last_arrival: 0,
        }
    }

    /// Back to the state before the first member.
    pub(super) fn reset(&mut self) {
        *self = Self::new(self.configured_world, self.window_us);
    }

    pub(super) fn world_size(&self) -> u32 {
        u32::try_from(self.taken.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn is_waiting(&self, session: SessionId) -> bool {
        self.waiting.iter().any(|waiting| waiting.session == session)
    }

    pub(super) fn anyone_waits(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Takes a newcomer in; returns who gets a rank now.
    pub(super) fn arrive(
        &mut self,
        now: Micros,
        session: SessionId,
        arrival: Arrival,
    ) -> Result<Vec<Given>, Failure> {
        self.check(&arrival)?;
        if self.taken.is_empty() {
            self.taken = vec![None; Rank(arrival.world_size).index()];
        }
        if let Some(rank) = arrival.rank {
            let mut given = vec![self.give(session, Rank(rank).index())];
            given.extend(self.form_if_complete());
            return Ok(given);
        }
        self.waiting.push(Waiting {
            session,
            address: arrival.address.to_canonical(),
            device: arrival.device,
            hosts_store: arrival.hosts_store,
            arrived: now,
            deadline: now.saturating_add(arrival.timeout_us),
        });
        self.last_arrival = now;
        Ok(if self.formed { self.serve() } else { self.form_if_complete() })
    }

    /// Frees the rank of a session, or forgets that it waits; returns who gets a rank now.
    pub(super) fn leave(&mut self, session: SessionId) -> Vec<Given> {
        self.waiting.retain(|waiting| waiting.session != session);
        let place = self.taken.iter_mut().find(|place| **place == Some(session));
        match place {
            Some(place) => {
                *place = None;
                if self.formed { self.serve() } else { Vec::new() }
            }
            None => Vec::new(),
        }
    }

    pub(super) fn next_deadline(&self) -> Option<Micros> {
        let earliest = self.waiting.iter().map(|waiting| waiting.deadline).min()?;
        Some(if self.formed { earliest } else { earliest.min(self.window_end()) })
    }

    /// Forms the world when its window has passed; returns who gets a rank, and whose wait for one is over.
    pub(super) fn expire(&mut self, now: Micros) -> (Vec<Given>, Vec<(SessionId, Failure)>) {
        let due = self.next_deadline().is_some_and(|deadline| deadline <= now);
        // A wait that would end within the window ends with a rank instead of a failure.
        let given = if due && !self.formed { self.form() } else { Vec::new() };
        let world_size = self.taken.len();
        let late = self.waiting.extract_if(.., |waiting| waiting.deadline <= now).map(|waiting| {
            let waited = seconds(now.saturating_sub(waiting.arrived));
            let what = format!("all {world_size} ranks are taken, none became free within {waited}");
            (waiting.session, timeout(what).hint("end a member, raise the world size or the timeout"))
        });
        (given, late.collect())
    }

    fn check(&self, arrival: &Arrival) -> Result<(), Failure> {
        let world_size = arrival.world_size;
        check_world_size(world_size)?;
        if !self.taken.is_empty() && self.world_size() != world_size {
            return Err(Failure::invalid(format!(
                "the world size is {world_size} here and {} in the store",
                self.world_size()
            ))
            .hint("give all members of the job the same world size"));
        }
        let Some(rank) = arrival.rank else { return Ok(()) };
        if rank >= world_size {
            return Err(Failure::invalid(format!("rank {rank} is outside the world of {world_size} ranks")));
        }
        match self.taken.get(Rank(rank).index()) {
            Some(Some(holder)) => {
                Err(Failure::new(Kind::Duplicated, format!("rank {rank} is taken by session {holder}"))
                    .hint("give every member its own rank, or end the present holder"))
            }
            _ => Ok(()),
        }
    }

    fn window_end(&self) -> Micros {
        self.last_arrival.saturating_add(self.window_us)
    }

    fn form_if_complete(&mut self) -> Vec<Given> {
        let free = self.taken.iter().filter(|place| place.is_none()).count();
        let complete = !self.formed && !self.waiting.is_empty() && self.waiting.len() >= free;
        if complete { self.form() } else { Vec::new() }
    }

    /// Ends the forming phase: hands the free ranks out by (address, device, arrival).
    fn form(&mut self) -> Vec<Given> {
        self.formed = true;
        // A stable sort keeps the order of arrival among equals.
        // Among equals the process that runs the store comes first, so that as a rule it is rank 0.
        self.waiting.sort_by_key(|waiting| (waiting.address, waiting.device, !waiting.hosts_store));
        self.next = 0;
        let given = self.serve();
        self.waiting.sort_by_key(|waiting| waiting.arrived);
        given
    }

    /// Hands out free ranks in a circle to those that wait, in their order.
    fn serve(&mut self) -> Vec<Given> {
        let mut given = Vec::new();
        while let (false, Some(place)) = (self.waiting.is_empty(), self.next_free()) {
            let session = self.waiting.remove(0).session;
            given.push(self.give(session, place));
            self.next = (place + 1) % self.taken.len();
        }
        given
    }

    fn next_free(&self) -> Option<usize> {
        let (before, after) = self.taken.split_at(self.next.min(self.taken.len()));
        let free = |place: &Option<SessionId>| place.is_none();
        after.iter().position(free).map(|at| at + before.len()).or_else(|| before.iter().position(free))
    }

    fn give(&mut self, session: SessionId, place: usize) -> Given {
        self.taken[place] = Some(session);
        Given { session, rank: Rank(u32::try_from(place).unwrap_or(u32::MAX)) }
    }
}
