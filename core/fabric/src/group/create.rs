// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Collective creation of a group: the members exchange the lists of their mapped pages, through the store
//! or, in a group that they share, by an allgather there, and decide.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use mf_base::os::process::usable_cores;
use mf_base::os::random;
use mf_base::sync::fences::{self, Fences};
use mf_base::{Error, Kind, Rank, Result};
use mf_store::Store;

use super::exchange_machine::Host;
use super::inter_host::{InterHost, Leader};
use super::intra_host::{IntraHost, MemberSlot, Neighbour};
use super::origin::Origin;
use super::registry::Registry;
use super::saved_call::InterruptedCall;
use super::store::ByStore;
use super::topology::{self, Offer, Route, Seating, Topology, VERSION};
use super::wait_report::Reporter;
use super::wire::{Mailbox, Wire};
use super::{ControlPage, Group, Routes};
use crate::objects::{gather, in_order};
use crate::space::Places;

const OP: &str = "group create";

/// Inputs of a new group.
pub struct Parts<'a> {
    /// The store through which the members find each other.
    pub store: &'a Arc<dyn Store>,
    /// This member.
    pub own: Rank,
    /// Maps the members' ranks to ranks of the job, as in the store.
    pub places: &'a Places,
    /// In front of the group's name in the store; the same on all members.
    pub prefix: &'a str,
    /// The members, this one among them, in the same order on all.
    pub members: &'a [Rank],
    /// The control pages that are mapped here, the own one included, and where messages of other hosts
    /// arrive.
    pub registry: &'a Arc<Registry>,
    /// The wire to other hosts; `None`: the store carries groups over several hosts.
    pub wire: Option<Arc<dyn Wire>>,
}

impl Group {
    /// Makes a group. **Collective** over `members`; at most until `deadline`. Calls for the same members are
    /// matched in their order.
    ///
    /// # Errors
    /// `InvalidParam` a rank is named twice, or this one not at all; on all members alike, when their lists
    /// differ in order · `Timeout` names the members that did not come · `NotConnected` of the store ·
    /// `RepeatInvoke` another thread makes a group of these members at this moment.
    pub fn create(parts: &Parts<'_>, deadline: Instant) -> Result<Arc<Self>> {
        let members = parts.members;
        let own = topology::check_members(members, parts.own)?;
        let origin = Arc::new(Origin {
            store: Arc::clone(parts.store),
            places: parts.places.clone(),
            prefix: parts.prefix.to_owned(),
            own: parts.own,
            registry: Arc::clone(parts.registry),
            wire: parts.wire.clone(),
            is_registered: fences::register(),
            nonces: u64::from_ne_bytes(random(OP)?).into(),
        });
        // Before the members offer anything: a member that is lost from then on is reported to the group.
        let losses = parts.registry.losses();
        let pages = parts.registry.pages();
        let own_page = pages.get(&parts.own);
        let candidacy = Candidacy::new(&origin, own_page, true);
        let mut cores = usable_cores();
        if cores.len() >= members.len() {
            cores.clear();
        }
        let sees = (0..).zip(members).filter_map(|(place, rank)| Some((place, pages.get(rank)?.id())));
        let offer = Offer {
            version: VERSION,
            order: topology::order_of(members),
            seating: candidacy.seating,
            page: own_page.map_or(0, |page| page.id()),
            sees: sees.collect(),
            cores,
        };
        let name = topology::name_of(parts.prefix, members);
        let offers = exchange(parts, &name, &offer, deadline)?;
        let topology = topology::decide(members, &offers)?;
        let neighbour = |place: usize| {
            let page = Arc::clone(pages.get(members.get(place)?)?);
            Some(Neighbour { page, cores: offers.get(place)?.cores.as_slice().into() })
        };
        let seatings: Vec<Seating> = offers.iter().map(|offer| offer.seating).collect();
        Assembly { origin: &origin, members, own, topology, seatings: &seatings, losses }
            .group(candidacy, neighbour)
    }
}

/// Resources of this member for a group that is being made; given back if the creation fails.
pub(super) struct Candidacy {
    pub(super) seating: Seating,
    page: Option<Arc<ControlPage>>,
    slot: Option<(u16, u16)>,
    mailbox: Option<OpenMailbox>,
}

impl Candidacy {
    /// Takes a slot in the own page, and opens a mailbox before others know it, so that no message arrives
    /// too early; with a slot the mailbox is opened only if `has_other_hosts`.
    pub(super) fn new(origin: &Origin, page: Option<&Arc<ControlPage>>, has_other_hosts: bool) -> Self {
        let nonce = origin.nonce();
        let slot = page.and_then(|page| page.take_slot());
        let slot = slot.and_then(|(slot, generation)| Some((u16::try_from(slot).ok()?, generation)));
        let needs_one = has_other_hosts || page.is_some() && slot.is_none();
        let wire = origin.wire.as_ref().filter(|_| needs_one);
        let mailbox = wire.map(|wire| OpenMailbox::open(wire, &origin.registry, nonce | 1));
        let number = mailbox.as_ref().map_or(0, |mailbox| mailbox.number);
        let seating = Seating { nonce, slot, is_registered: origin.is_registered, mailbox: number };
        Self { seating, page: page.cloned(), slot, mailbox }
    }
}

impl Drop for Candidacy {
    fn drop(&mut self) {
        if let (Some(page), Some((slot, _))) = (&self.page, self.slot) {
            page.give_slot(usize::from(slot), Box::new(|| true));
        }
    }
}

/// A mailbox, closed when no group takes it over.
struct OpenMailbox {
    wire: Arc<dyn Wire>,
    registry: Arc<Registry>,
    mailbox: Arc<Mailbox>,
    number: u64,
    is_taken: bool,
}

impl OpenMailbox {
    fn open(wire: &Arc<dyn Wire>, registry: &Arc<Registry>, number: u64) -> Self {
        let mailbox = registry.inbox().open(number);
        Self { wire: Arc::clone(wire), registry: Arc::clone(registry), mailbox, number, is_taken: false }
    }
}

impl Drop for OpenMailbox {
    fn drop(&mut self) {
        if !self.is_taken {
            self.registry.inbox().close(self.number);
        }
    }
}

/// The common decision of all members.
pub(super) struct Assembly<'a> {
    pub(super) origin: &'a Arc<Origin>,
    pub(super) members: &'a [Rank],
    /// The place of this member.
    pub(super) own: usize,
    pub(super) topology: Topology,
    pub(super) seatings: &'a [Seating],
    /// Number of losses when all members were known to be present.
    pub(super) losses: usize,
}

impl Assembly<'_> {
    /// The group, which is notified from now on of members that die. `neighbour`: a member that is mapped
    /// here, by its place in the list.
    pub(super) fn group(
        self,
        mut candidacy: Candidacy,
        neighbour: impl Fn(usize) -> Option<Neighbour>,
    ) -> Result<Arc<Group>> {
        let unseated = || Error::new(Kind::Failed, OP).what("the members could not be seated");
        let (topology, members) = (&self.topology, self.members);
        let me = topology.hosts.iter().position(|host| host.contains(&self.own)).ok_or_else(unseated)?;
        let host = topology.hosts.get(me).ok_or_else(unseated)?;
        let reporter = Reporter::new(self.origin, members);
        let needs_room = match topology.route {
            Route::IntraHost => true,
            Route::Wire => host.len() > 1,
            Route::Store => false,
        };
        let room =
            if needs_room { Some(self.room(host, &reporter, neighbour).ok_or_else(unseated)?) } else { None };
        if needs_room {
            // The room gives the slot back.
            candidacy.slot = None;
        }
        let route = match (topology.route, room) {
            (Route::IntraHost, Some(room)) => Routes::IntraHost(room),
            (Route::IntraHost, None) => return Err(unseated()),
            (Route::Wire, room) => {
                let is_leader = host.first() == Some(&self.own);
                let mailbox = candidacy.mailbox.take().filter(|_| is_leader);
                let leader = mailbox.map(|mailbox| self.leader(mailbox, me)).transpose()?;
                Routes::InterHost(Box::new(InterHost::new(
                    topology.hosts.clone(),
                    me,
                    members.len(),
                    room,
                    leader,
                    Arc::clone(&reporter),
                )))
            }
            (Route::Store, _) => {
                let Origin { store, places, prefix, .. } = &**self.origin;
                let name = format!("{}/{:016x}", topology::name_of(prefix, members), topology.key);
                Routes::Store(ByStore::new(Arc::clone(store), name, members, places))
            }
        };
        tracing::debug!(
            "group made members {} hosts {} route {:?}",
            members.len(),
            topology.hosts.len(),
            topology.route
        );
        let group = Arc::new(Group {
            members: members.to_vec(),
            own: self.own,
            route,
            origin: Arc::clone(self.origin),
            reporter,
            is_busy: false.into(),
            failure: OnceLock::new(),
            interrupted: InterruptedCall::default(),
            losses: self.losses,
        });
        self.origin.registry.register(&group, self.losses);
        Ok(group)
    }

    /// The members of this host.
    fn room(
        &self,
        host: &[usize],
        reporter: &Arc<Reporter>,
        neighbour: impl Fn(usize) -> Option<Neighbour>,
    ) -> Option<IntraHost> {
        let seat = |member: &usize| {
            Some(MemberSlot::new(neighbour(*member)?, self.seatings.get(*member)?.slot?, *member))
        };
        let seats = host.iter().map(seat).collect::<Option<Vec<_>>>()?;
        let place = host.iter().position(|member| *member == self.own)?;
        let fences = if self.topology.is_asymmetric { Fences::ASYMMETRIC } else { Fences::FULL };
        Some(IntraHost::new(seats, place, self.topology.hosts.len() > 1, fences, Arc::clone(reporter)))
    }

    fn leader(&self, mut mailbox: OpenMailbox, me: usize) -> Result<Leader> {
        let unknown = || Error::new(Kind::Failed, OP).what("a host without a leader");
        let mut hosts = Vec::new();
        let mut leaders = Vec::new();
        for host in &self.topology.hosts {
            let leader = *host.first().ok_or_else(unknown)?;
            let seating = self.seatings.get(leader).ok_or_else(unknown)?;
            leaders.push(*self.members.get(leader).ok_or_else(unknown)?);
            hosts.push(Host { mailbox: seating.mailbox, leader, members: host.len() });
        }
        mailbox.is_taken = true;
        Ok(Leader {
            wire: Arc::clone(&mailbox.wire),
            inbox: Arc::clone(mailbox.registry.inbox()),
            number: mailbox.number,
            mailbox: Arc::clone(&mailbox.mailbox),
            leaders,
            exchanger: Leader::exchanger(hosts, me),
        })
    }
}

/// Exchanges the offers of all members, in the order of the list.
fn exchange(parts: &Parts<'_>, name: &str, offer: &Offer, deadline: Instant) -> Result<Vec<Offer>> {
    let in_job: Vec<Rank> = parts.members.iter().map(|rank| parts.places.in_job(*rank)).collect();
    let count = u32::try_from(in_job.len()).unwrap_or(u32::MAX);
    in_order(OP, &in_job, gather(&**parts.store, OP, name, count, offer, deadline)?)
}
