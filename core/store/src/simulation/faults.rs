// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Faults injected into members, links and the store.

use mf_models::votes::Kind as VoteStep;

use super::network::{ScheduledEvent, ToClient, ToStore};
use super::world::{MS, SECOND, World, trace};
use crate::protocol::RankRequest;

/// This many members are left alone, so that a job remains.
const FEWEST: usize = 4;
/// After this time of silence both ends of a link are notified that it broke.
const LEASE_US: u64 = 5 * SECOND;

impl World {
    /// Returns a wish for a process that had that rank.
    pub(super) fn wish(&mut self, rank: Option<u32>) -> RankRequest {
        match rank {
            Some(rank) if self.random.percent(50) => RankRequest::Prefer(rank),
            Some(rank) if self.random.percent(20) => RankRequest::Exactly(rank),
            _ => RankRequest::Any,
        }
    }

    /// Something goes wrong.
    pub(super) fn fault(&mut self) {
        let intact: Vec<_> = (0..self.lives.len()).filter(|life| self.lives[*life].is_intact()).collect();
        let Some(victim) = self.random.pick(&intact) else { return };
        let are_enough = intact.len() > FEWEST;
        match self.random.within(0..100) {
            0..35 => self.break_link(victim),
            35..50 if are_enough => self.crash(victim),
            50..60 if are_enough => self.leave(victim),
            60..70 => {
                let silent_us = self.random.within(MS..500 * MS);
                self.cut_off(victim, silent_us);
            }
            70..75 if are_enough => self.cut_off(victim, 6 * SECOND),
            _ => {
                let host = intact.iter().find(|life| self.lives[**life].hosts_store);
                if let Some(host) = host.copied().filter(|_| are_enough) {
                    self.crash(host);
                } else if host.is_none() {
                    self.kill_store();
                }
                self.later(5 * MS..400 * MS, ScheduledEvent::StartStore);
            }
        }
    }

    /// Breaks the connection of a life; messages in flight are lost, and each end is notified at some time.
    fn break_link(&mut self, number: usize) {
        trace!(self, "the link of life {number} breaks");
        if let Some(link) = self.lives[number].link {
            let client_notified_at = self.now + self.random.within(0..20 * MS);
            let store_notified_at = self.now + self.random.within(0..40 * MS);
            self.links.get_mut(&link).unwrap().is_broken = true;
            self.send_client_at(link, client_notified_at, ToClient::Cut);
            self.send_store_at(link, store_notified_at, ToStore::Cut);
        }
    }

    /// Nothing of a life gets through for some time. If that is long, its connection breaks.
    fn cut_off(&mut self, number: usize, silent_us: u64) {
        trace!(self, "life {number} is cut off for {silent_us} us");
        let until = self.now + silent_us;
        if silent_us > LEASE_US
            && let Some(link) = self.lives[number].link
        {
            self.links.get_mut(&link).unwrap().is_broken = true;
            let received = self.now + LEASE_US;
            let client_notified_at = received + self.random.within(0..500 * MS);
            let store_notified_at = received + self.random.within(0..500 * MS);
            self.send_client_at(link, client_notified_at, ToClient::Cut);
            self.send_store_at(link, store_notified_at, ToStore::Cut);
        }
        self.lives[number].cut_off_until = until;
    }

    /// Kills a process. Some of its messages in flight may still arrive.
    pub(super) fn crash(&mut self, number: usize) {
        trace!(self, "life {number} dies");
        self.record(VoteStep::Die, Some(number));
        let life = &mut self.lives[number];
        life.is_alive = false;
        if let Some(link) = life.link.take() {
            self.links.get_mut(&link).unwrap().is_broken |= self.random.percent(50);
            let received = self.now + self.random.within(0..2 * MS);
            self.send_store_at(link, received, ToStore::Cut);
        }
        self.end(number);
    }

    /// A process leaves in order.
    pub(super) fn leave(&mut self, number: usize) {
        trace!(self, "life {number} leaves");
        let life = &mut self.lives[number];
        life.is_alive = false;
        if let Some(link) = life.link.take() {
            let at = self.now + self.random.within(0..MS);
            self.send_store_at(link, at, ToStore::Leave);
        }
        self.end(number);
    }

    fn end(&mut self, number: usize) {
        self.life_ended(number);
        if self.lives[number].hosts_store {
            self.kill_store();
            self.later(5 * MS..400 * MS, ScheduledEvent::StartStore);
        }
        if self.random.percent(80) && self.plan.works {
            let rank = self.lives[number].rank;
            self.later(20 * MS..500 * MS, ScheduledEvent::Start(rank));
        }
    }

    pub(super) fn life_ended(&mut self, number: usize) {
        self.lives[number].calls.clear();
        if !self.lives.iter().any(|life| life.is_intact() && life.granted_by != 0 && !life.is_guest()) {
            self.model.forget_all();
        }
    }
}
