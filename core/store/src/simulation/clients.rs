// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The processes of a world: how they reach the store, what arrives at them, and what their machines want.

use std::collections::VecDeque;
use std::net::{IpAddr, Ipv4Addr};

use mf_models::votes::Kind as VoteStep;

use super::lives::Life;
use super::network::{Link, ScheduledEvent, ToClient, ToStore};
use super::world::{KEYS_WATCH, MEMBERS_WATCH, MS, SECOND, World, short, trace};
use crate::client::machine::Effect;
use crate::protocol::{Join, RankRequest, Request};
use crate::state::{Arrival, LinkId, Micros};

/// After this time without a link a client gives its session up.
const RECONNECT_US: Micros = 30 * SECOND;

impl World {
    pub(super) fn start_life(&mut self, wish: RankRequest) -> usize {
        let key = self.random.bytes();
        self.lives.push(Life::new(self.now, key, wish));
        let life = self.lives.len() - 1;
        trace!(self, "life {life} starts and wishes for {wish:?}");
        self.connect(life);
        if self.plan.works {
            self.later(10 * MS..200 * MS, ScheduledEvent::Work(life));
        }
        life
    }

    pub(super) fn connect(&mut self, number: usize) {
        let life = &self.lives[number];
        if !life.is_intact() || life.link.is_some() {
            return;
        }
        if self.now > life.away_since + RECONNECT_US {
            return self.give_up(number, "it was away too long");
        }
        let may = life.cut_off_until <= self.now && (life.member_of != 0 || !self.awaits_members());
        let Some(store) = self.store.as_ref().filter(|_| may).map(|it| it.store) else {
            return self.later(5 * MS..20 * MS, ScheduledEvent::Connect(number));
        };
        self.last_link += 1;
        let link = Link {
            life: number,
            generation: self.generation,
            is_broken: false,
            store_closed: false,
            last_at_store: 0,
            last_at_client: 0,
            unread: 0,
            unreported: 0,
            held_back: VecDeque::new(),
        };
        self.links.insert(self.last_link, link);
        self.lives[number].link = Some(self.last_link);
        self.send_client(self.last_link, ToClient::Challenge(store));
    }

    /// Returns true if there are members of an earlier store, and none of them has come yet.
    ///
    /// After the death of a job's store, the next store cannot distinguish the first newcomer of a new job
    /// from one that is faster than the members of the old job: it would begin a new job without them.
    /// Newcomers are therefore not let loose on it before the first member has come back.
    fn awaits_members(&self) -> bool {
        let mut members = self.lives.iter().filter(|life| life.is_intact() && life.member_of != 0);
        let is_known = self.lives.iter().any(|life| life.asked_of == self.generation);
        !is_known && members.any(|life| life.member_of < self.generation)
    }

    pub(super) fn at_client(&mut self, number: LinkId, message: ToClient) {
        let Some(link) = self.links.get(&number) else { return };
        let (who, is_cut) = (link.life, matches!(message, ToClient::Cut));
        if self.lives[who].link != Some(number) || !self.lives[who].is_intact() || (link.is_broken && !is_cut)
        {
            return;
        }
        trace!(self, "  life {who} < {}", short(&message));
        let generation = link.generation;
        let now = self.now;
        let life = &mut self.lives[who];
        let effects = match message {
            ToClient::Challenge(store) => return self.join(who, number, store),
            ToClient::Welcome(welcome) => {
                let is_first = life.member_of == 0;
                life.member_of = generation;
                self.record(VoteStep::Welcome, Some(who));
                let life = &mut self.lives[who];
                let effects = life.machine.on_welcome(now, &welcome);
                self.carry_out(who, effects);
                if is_first {
                    self.set_up_watches(who);
                }
                return;
            }
            ToClient::Refused(refusal) if refusal.later => Vec::new(),
            ToClient::Refused(refusal) => {
                return self.give_up(who, &refusal.failure.clone().into_error("join").to_string());
            }
            ToClient::Reply { sequence, result } => {
                self.replied(who, sequence, &result);
                self.lives[who].machine.on_reply(now, sequence, result)
            }
            ToClient::Change { watch, change } => life.machine.on_change(now, watch, change),
            ToClient::Notice(notice) => life.machine.on_notice(now, (*notice).clone()),
            ToClient::Cut => {
                self.record(VoteStep::Cut, Some(who));
                let life = &mut self.lives[who];
                life.link = None;
                if life.machine.is_linked() {
                    life.away_since = now;
                }
                let effects = life.machine.on_link_lost(now);
                self.later(MS..10 * MS, ScheduledEvent::Connect(who));
                effects
            }
        };
        self.carry_out(who, effects);
        self.read(number);
    }

    fn join(&mut self, number: usize, link: LinkId, store: [u8; 16]) {
        let life = &self.lives[number];
        let resume = life.machine.join_resume();
        let messages = life.machine.memories(store);
        let join = Join {
            proof: [0; 32],
            world_size: if life.is_guest() { 0 } else { self.plan.world_size },
            wish: life.wish,
            device: 0,
            hosts_store: life.hosts_store,
            timeout_us: 20 * SECOND,
            host: format!("host{}", number % 3),
            pid: u32::try_from(number).unwrap(),
            key: life.machine.key(),
            resume,
            job_token: None,
        };
        let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
        self.send_store(link, ToStore::Join(Box::new(Arrival { join, address })));
        for one_way in messages {
            self.send_store(link, ToStore::OneWay(one_way));
        }
    }

    fn set_up_watches(&mut self, number: usize) {
        if self.plan.works {
            let keys =
                Request::Watch { watch: KEYS_WATCH, prefix: String::new(), exact: false, values: true };
            self.begin(number, keys, 60 * SECOND);
            self.begin(number, Request::WatchMembers { watch: MEMBERS_WATCH }, 60 * SECOND);
        }
    }

    /// Its session is over. The process starts anew, as another life.
    pub(super) fn give_up(&mut self, number: usize, why: &str) {
        trace!(self, "life {number} is over: {why}");
        self.record(VoteStep::Refuse, Some(number));
        let life = &mut self.lives[number];
        let failure = crate::protocol::Failure::new(mf_base::Kind::NotConnected, why);
        let effects = life.machine.on_given_up(failure);
        self.carry_out(number, effects);
        let life = &mut self.lives[number];
        life.is_over = true;
        life.link = None;
        assert!(life.calls.is_empty(), "life {number} is over with calls that have not ended");
        assert!(!life.keys.is_watching, "life {number} is over and its watch was not notified");
        self.life_ended(number);
        if !life_is_new(&self.lives[number]) && self.plan.works {
            let rank = self.lives[number].rank;
            self.later(20 * MS..200 * MS, ScheduledEvent::Start(rank));
        }
    }

    pub(super) fn tick_life(&mut self, number: usize) {
        let life = &mut self.lives[number];
        life.tick_at = None;
        if !life.is_intact() {
            return;
        }
        let effects = match life.machine.next_deadline() {
            Some(at) if at <= self.now => life.machine.on_tick(self.now),
            _ => Vec::new(),
        };
        self.carry_out(number, effects);
    }

    pub(super) fn carry_out(&mut self, number: usize, effects: Vec<Effect>) {
        for effect in effects {
            trace!(self, "  life {number} > {}", short(&effect));
            let life = &mut self.lives[number];
            let seen = match effect {
                Effect::Send { sequence, message } => {
                    if let Some(link) = life.link {
                        self.send_store(link, ToStore::Ask { sequence, message });
                    }
                    Ok(())
                }
                Effect::OneWay(one_way) => {
                    if let Some(link) = life.link {
                        self.send_store(link, ToStore::OneWay(one_way));
                    }
                    Ok(())
                }
                Effect::Complete { sequence, result } => {
                    self.complete(number, sequence, result);
                    Ok(())
                }
                Effect::Deliver { change, .. } => life.keys.change(&change),
                Effect::DeliverView { change, .. } => life.members.change(&change),
                Effect::DeliverLeader { .. } => Ok(()),
            };
            if let Err(what) = seen {
                panic!("life {number}: {what}");
            }
        }
        let life = &mut self.lives[number];
        if let Some(at) = life.machine.next_deadline()
            && life.tick_at.is_none_or(|tick_at| at < tick_at)
        {
            let at = at.max(self.now);
            life.tick_at = Some(at);
            self.queue.push(at, ScheduledEvent::LifeTick(number));
        }
    }
}

/// It was refused before it was ever a member.
fn life_is_new(life: &Life) -> bool {
    life.member_of == 0
}
