// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The store of a world: its life, and the messages to and from it.

use std::sync::Arc;

use mf_models::votes::Kind as VoteStep;

use super::lives::Life;
use super::network::{ScheduledEvent, ToClient, ToStore};
use super::world::{MS, RunningStore, World, short, trace};
use crate::protocol::{Refusal, Welcome};
use crate::state::{Action, Event, Granted, Limits, LinkId, Machine};

impl World {
    pub(super) fn start_store(&mut self) {
        if self.store.is_some() {
            return;
        }
        let may_host = |life: &Life| life.is_intact() && !life.is_guest();
        let intact: Vec<_> = (0..self.lives.len()).filter(|life| may_host(&self.lives[*life])).collect();
        let host = self.random.pick(&intact).filter(|_| self.plan.is_hosted);
        for (number, life) in self.lives.iter_mut().enumerate() {
            life.hosts_store = Some(number) == host;
        }
        self.generation += 1;
        let store = self.random.bytes();
        let limits = Limits {
            world_size: 0,
            max_world: 1 << 14,
            rank_window_us: self.plan.rank_window_us,
            resume_grace_us: self.plan.resume_grace_us,
            recovery_us: self.plan.recovery_us,
            recovery_quiet_us: self.plan.recovery_quiet_us,
            quorum: false,
            hold_us: if self.plan.young_us > 0 { self.now + self.plan.young_us } else { 0 },
            seems_first: false,
            lasting_token: true,
            guests_only: false,
            skip_recovery: false,
            unread_bytes: self.plan.unread_bytes,
        };
        trace!(self, "store {} starts, hosted by {host:?}", self.generation);
        self.store = Some(RunningStore { machine: Machine::new(store, limits), store, tick_at: None });
        self.model.store_started();
        self.record(VoteStep::Start, None);
        self.schedule_store();
    }

    /// Kills the store. Some of its messages in flight still arrive.
    pub(super) fn kill_store(&mut self) {
        if self.store.take().is_none() {
            return;
        }
        trace!(self, "store {} dies", self.generation);
        self.record(VoteStep::LoseStore, None);
        let generation = self.generation;
        let mut open: Vec<_> = self
            .links
            .iter()
            .filter(|(_, link)| link.generation == generation && !link.store_closed)
            .map(|(number, _)| *number)
            .collect();
        open.sort_unstable();
        for number in open {
            let cut_at = self.now + self.delay();
            let breaks = self.random.percent(50);
            if let Some(link) = self.links.get_mut(&number) {
                link.store_closed = true;
                link.is_broken |= breaks;
            }
            self.send_client_at(number, cut_at, ToClient::Cut);
        }
    }

    pub(super) fn at_store(&mut self, number: LinkId, message: ToStore) {
        let Some(link) = self.links.get_mut(&number) else { return };
        let is_cut = matches!(message, ToStore::Cut);
        let accepts_requests =
            self.store.as_ref().is_none_or(|running| running.machine.accepts_requests(number));
        if !is_cut && (!link.held_back.is_empty() || !accepts_requests) {
            link.held_back.push_back(message);
            return;
        }
        if link.generation != self.generation || link.store_closed || (link.is_broken && !is_cut) {
            return;
        }
        let event = match message {
            ToStore::Join(arrival) => {
                if arrival.join.resume.is_some() {
                    self.lives[link.life].asked_of = self.generation;
                }
                Event::Join { link: number, arrival }
            }
            ToStore::OneWay(one_way) => Event::OneWay { link: number, message: one_way },
            ToStore::Ask { sequence, message } => Event::Request { link: number, sequence, message },
            ToStore::Leave | ToStore::Cut => {
                link.store_closed = true;
                self.model.link_ended(self.now, link.life);
                Event::End { link: number, in_order: !is_cut }
            }
        };
        self.feed(event);
    }

    /// A client has read a message: the edge of the store reports when it has read all, and passes on the
    /// messages it held back.
    pub(super) fn read(&mut self, number: LinkId) {
        let Some(link) = self.links.get_mut(&number) else { return };
        link.unread = link.unread.saturating_sub(1);
        if link.unread > 0
            || link.unreported < self.plan.unread_bytes / 2
            || link.generation != self.generation
        {
            return;
        }
        link.unreported = 0;
        let held_back = std::mem::take(&mut link.held_back);
        self.feed(Event::Drained { link: number });
        for message in held_back {
            self.at_store(number, message);
        }
    }

    fn feed(&mut self, event: Event) {
        let before = self.before_event(&event);
        let Some(running) = &mut self.store else { return };
        trace!(self, "  store < {}", short(&event));
        let actions = running.machine.on_event(self.now, event);
        if let Some((seen, about)) = before {
            self.record_event(&seen, &about, &actions);
        }
        for action in actions {
            if let Action::Reply { link, .. } | Action::Change { link, .. } | Action::Notice { link, .. } =
                &action
                && let Some(link) = self.links.get_mut(link)
            {
                link.unread += 1;
                link.unreported += action.bytes();
            }
            self.act(action);
        }
        if std::mem::take(&mut self.has_stepped_down) {
            self.kill_store();
            self.later(5 * MS..50 * MS, ScheduledEvent::StartStore);
        }
        self.schedule_store();
    }

    pub(super) fn tick_store(&mut self) {
        let Some(running) = &mut self.store else { return };
        running.tick_at = None;
        match running.machine.next_deadline() {
            Some(at) if at <= self.now => self.feed(Event::Tick),
            _ => self.schedule_store(),
        }
    }

    fn schedule_store(&mut self) {
        let Some(running) = &mut self.store else { return };
        let Some(at) = running.machine.next_deadline() else { return };
        if running.tick_at.is_none_or(|tick_at| at < tick_at) {
            let at = at.max(self.now);
            running.tick_at = Some(at);
            self.queue.push(at, ScheduledEvent::StoreTick);
        }
    }

    fn act(&mut self, action: Action) {
        trace!(self, "  store > {}", short(&action));
        match action {
            Action::Welcome { link, granted } => self.welcome(link, granted),
            Action::Refuse { link, refusal } => {
                self.check_refusal(link, &refusal);
                self.send_client(link, ToClient::Refused(Box::new(refusal)));
                self.close(link);
            }
            Action::Reply { link, sequence, result } => {
                self.send_client(link, ToClient::Reply { sequence, result });
            }
            Action::Change { link, watch, change } => {
                self.send_client(link, ToClient::Change { watch, change: Arc::new(change.to_change()) });
            }
            Action::Notice { link, notice } => self.send_client(link, ToClient::Notice(notice)),
            Action::Drop { link, reason } => {
                assert!(reason.contains("resume"), "the store dropped a well-behaved client: {reason}");
                if reason.contains("with its rank") {
                    // It was early, and its session has ended.
                    self.model.link_ended(0, self.links[&link].life);
                }
                self.close(link);
            }
            // It served newcomers before the members of the store before came.
            Action::StepDown { .. } => self.has_stepped_down = true,
        }
    }

    /// A member that resumes at a store in time is admitted.
    fn check_refusal(&self, link: LinkId, refusal: &Refusal) {
        let life = self.links[&link].life;
        // If a process did not receive its membership, it joins as a newcomer, and its rank may still be its
        // earlier self's.
        let is_known = self.lives[life].granted_by == self.generation && self.lives[life].member_of != 0;
        let may = !is_known || self.model.is_late(self.now, life, self.plan.resume_grace_us);
        assert!(refusal.later || may, "life {life} came back in time and was refused: {refusal:?}");
    }

    /// Closes a link of the store after the messages sent over it.
    fn close(&mut self, number: LinkId) {
        self.send_client(number, ToClient::Cut);
        if let Some(link) = self.links.get_mut(&number) {
            link.store_closed = true;
        }
        // The edge reports this once its connection is closed.
        self.feed(Event::End { link: number, in_order: false });
    }

    fn welcome(&mut self, number: LinkId, granted: Granted) {
        let link = &self.links[&number];
        let life = &mut self.lives[link.life];
        let rank = granted.rank.map(|rank| rank.0);
        // A process that never received an earlier grant begins anew.
        let is_resume = life.member_of != 0;
        trace!(self, "life {} becomes rank {rank:?} of store {}", link.life, self.generation);
        if is_resume {
            assert_eq!((life.rank, life.session), (rank, granted.session), "life {} resumed", link.life);
        }
        self.model.granted(link.life, rank, granted.session);
        self.model.resumed(&life.acknowledged, life.granted_by, self.generation);
        life.rank = rank;
        life.session = granted.session;
        life.granted_by = self.generation;
        let store = self.store.as_ref().map_or([0; 16], |running| running.store);
        let welcome = Welcome {
            proof: [0; 32],
            rank,
            world_size: granted.world_size,
            session: granted.session,
            job_token: [0; 32],
            store,
            term: granted.term,
            standing: granted.standing,
            revision: granted.revision,
        };
        self.send_client(number, ToClient::Welcome(Box::new(welcome)));
    }
}
