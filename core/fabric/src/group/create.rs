// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Making a group: the members tell each other through the store what they have mapped, and decide.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use mf_base::sync::fences::{self, Fences};
use mf_base::{Error, Kind, Rank, Result};
use mf_store::Store;

use super::between::{Between, Leader};
use super::exchange::Host;
use super::interrupted::InterruptedCall;
use super::page::random;
use super::room::{Room, Seat};
use super::store::ByStore;
use super::topology::{self, Offer, Route, Topology, VERSION};
use super::wire::{Inbox, Mailbox, Wire};
use super::{ControlPage, Group, Routes};
use crate::space::Places;

const OP: &str = "group create";

/// What a group is made of.
pub struct Parts<'a> {
    /// Through which the members find each other.
    pub store: &'a Arc<dyn Store>,
    /// This member.
    pub own: Rank,
    /// Which ranks of the job, as the store knows them, the ranks of the members are.
    pub places: &'a Places,
    /// In front of the group's name in the store; the same on all members.
    pub prefix: &'a str,
    /// The members, this one among them, in the same order on all.
    pub members: &'a [Rank],
    /// The control pages that are mapped here, the own one included.
    pub pages: &'a BTreeMap<Rank, Arc<ControlPage>>,
    /// The wire to other hosts, and where messages from there arrive; none: the store carries groups over several hosts.
    pub wire: Option<(Arc<dyn Wire>, Arc<Inbox>)>,
}

impl Group {
    /// Makes a group. **Collective** over `members`; at most until `deadline`. Calls for the same members are matched in
    /// their order.
    ///
    /// # Errors
    /// `InvalidParam` a rank is named twice, or this one not at all; on all members alike, when their lists differ in order ·
    /// `Timeout` names the members that did not come · `NotConnected` of the store · `RepeatInvoke` another thread makes a group
    /// of these members at this moment.
    pub fn create(parts: &Parts<'_>, deadline: Instant) -> Result<Arc<Self>> {
        let own_rank = parts.own;
        let own = topology::check_members(parts.members, own_rank)?;
        let taken = Taken::new(parts, own_rank);
        let page_of = |rank: &Rank| parts.pages.get(rank).map_or(0, |page| page.id());
        let nonce = u64::from_ne_bytes(random()?);
        // Open before others know it, so that no message comes too early.
        let own_box = parts.wire.as_ref().map(|(wire, inbox)| OpenMailbox::open(wire, inbox, nonce | 1));
        let offer = Offer {
            version: VERSION,
            order: topology::order_of(parts.members),
            nonce,
            page: page_of(&own_rank),
            slot: taken.slot.and_then(|(slot, generation)| Some((u16::try_from(slot).ok()?, generation))),
            sees: parts.members.iter().map(page_of).collect(),
            is_registered: fences::register(),
            mailbox: own_box.as_ref().map_or(0, |own_box| own_box.number),
        };
        let name = topology::name_of(parts.prefix, parts.members);
        let offers = exchange(parts, &name, &offer, deadline)?;
        let topology = topology::decide(parts.members, &offers)?;
        let route = match topology.route {
            Route::Room => match taken.into_room(parts, &topology, &offers, own) {
                Some(room) => Routes::Room(room),
                None => return Err(Error::new(Kind::Failed, OP).what("the members could not be seated")),
            },
            Route::Wire => {
                Routes::Between(Box::new(between(parts, &topology, &offers, own, taken, own_box)?))
            }
            Route::Store => {
                let name = format!("{name}/{:016x}", topology.key);
                Routes::Store(ByStore::new(Arc::clone(parts.store), name, parts.members, parts.places))
            }
        };
        tracing::debug!(
            "group made members {} hosts {} route {:?}",
            parts.members.len(),
            topology.hosts.len(),
            topology.route
        );
        Ok(Arc::new(Self {
            members: parts.members.to_vec(),
            own,
            route,
            is_busy: AtomicBool::new(false),
            failure: OnceLock::new(),
            interrupted: InterruptedCall::default(),
        }))
    }
}

/// A mailbox, closed when no group takes it over.
struct OpenMailbox {
    wire: Arc<dyn Wire>,
    inbox: Arc<Inbox>,
    mailbox: Arc<Mailbox>,
    number: u64,
    is_taken: bool,
}

impl OpenMailbox {
    fn open(wire: &Arc<dyn Wire>, inbox: &Arc<Inbox>, number: u64) -> Self {
        let mailbox = inbox.open(number);
        Self { wire: Arc::clone(wire), inbox: Arc::clone(inbox), mailbox, number, is_taken: false }
    }
}

impl Drop for OpenMailbox {
    fn drop(&mut self) {
        if !self.is_taken {
            self.inbox.close(self.number);
        }
    }
}

fn between(
    parts: &Parts<'_>,
    topology: &Topology,
    offers: &[Offer],
    own: usize,
    taken: Taken<'_>,
    own_box: Option<OpenMailbox>,
) -> Result<Between> {
    let unseated = || Error::new(Kind::Failed, OP).what("the members could not be seated");
    let me = topology.hosts.iter().position(|host| host.contains(&own)).ok_or_else(unseated)?;
    let is_alone = topology.hosts[me].len() == 1;
    let room = if is_alone {
        None
    } else {
        Some(taken.into_room(parts, topology, offers, own).ok_or_else(unseated)?)
    };
    let is_leader = topology.hosts[me].first() == Some(&own);
    let leader = own_box.filter(|_| is_leader).map(|mut own_box| {
        own_box.is_taken = true;
        let hosts = topology.hosts.iter().map(|host| Host {
            mailbox: offers[host[0]].mailbox,
            leader: host[0],
            members: host.len(),
        });
        Leader {
            wire: Arc::clone(&own_box.wire),
            inbox: Arc::clone(&own_box.inbox),
            number: own_box.number,
            mailbox: Arc::clone(&own_box.mailbox),
            leaders: topology.hosts.iter().map(|host| parts.members[host[0]]).collect(),
            exchanger: Leader::exchanger(hosts.collect(), me),
        }
    });
    Ok(Between::new(topology.hosts.clone(), me, parts.members.len(), room, leader))
}

/// A slot of the own page, given back when no room takes it over.
struct Taken<'a> {
    page: Option<&'a Arc<ControlPage>>,
    slot: Option<(usize, u16)>,
}

impl<'a> Taken<'a> {
    fn new(parts: &Parts<'a>, own: Rank) -> Self {
        let page = parts.pages.get(&own);
        Self { page, slot: page.and_then(|page| page.take_slot()) }
    }

    fn into_room(
        mut self,
        parts: &Parts<'_>,
        topology: &Topology,
        offers: &[Offer],
        own: usize,
    ) -> Option<Room> {
        let host = topology.hosts.iter().find(|host| host.contains(&own))?;
        let seat = |member: usize| {
            let page = parts.pages.get(parts.members.get(member)?)?;
            let (slot, generation) = offers.get(member)?.slot?;
            Some(Seat::new(Arc::clone(page), usize::from(slot), generation, member))
        };
        let seats = host.iter().map(|member| seat(*member)).collect::<Option<Vec<_>>>()?;
        let place = host.iter().position(|member| *member == own)?;
        let fences = if topology.is_asymmetric { Fences::ASYMMETRIC } else { Fences::FULL };
        self.slot = None;
        Some(Room::new(seats, place, topology.hosts.len() > 1, fences))
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        if let (Some(page), Some((slot, _))) = (self.page, self.slot) {
            page.give_slot(slot, Box::new(|| true));
        }
    }
}

/// What all members offer, in the order of the list.
fn exchange(parts: &Parts<'_>, name: &str, offer: &Offer, deadline: Instant) -> Result<Vec<Offer>> {
    let value = postcard::to_allocvec(offer)
        .map_err(|error| Error::new(Kind::Failed, OP).source(error.to_string()))?;
    let count = u32::try_from(parts.members.len()).unwrap_or(u32::MAX);
    let answers = parts.store.allgather(name, count, &value, deadline)?;
    let offer_of = |rank: &Rank| {
        let in_job = parts.places.in_job(*rank);
        let part = answers.iter().find(|part| part.rank == in_job);
        let offer = part.and_then(|part| postcard::from_bytes(&part.value).ok());
        offer.ok_or_else(|| {
            Error::invalid(OP, "a member did not say what it offers, or in another version")
                .with("rank", rank)
        })
    };
    parts.members.iter().map(offer_of).collect()
}
