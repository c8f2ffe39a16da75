// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Messages between ranks and to the store: latency, delays, losses, cuts, and the order that fences ask for.
//!
//! Messages of one link have no order, but for fences: a fence raises the epoch of the caller's lanes, and a
//! write that arrives waits until all operations of earlier epochs of its lane are done.

use std::collections::BTreeMap;

use super::{Engine, Event, OpId};
use crate::choice::{Kind, STORE, Site, Spread, end};
use crate::error::{Error, ErrorKind};
use crate::op::{Atomic, Comparison, Outcome, shown};
use crate::world::Nanos;

pub(super) type MessageId = u64;

pub(super) struct Message {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) op: OpId,
    pub(super) body: Body,
}

pub(super) enum Body {
    Write {
        offset: u64,
        bytes: Vec<u8>,
    },
    Signal {
        offset: u64,
        atomic: Atomic,
    },
    Atomic {
        offset: u64,
        atomic: Atomic,
    },
    Read {
        offset: u64,
        at: usize,
        bytes: usize,
    },
    Watch {
        offset: u64,
        comparison: Comparison,
        value: u64,
    },
    /// A request that the operation has.
    Request,
}

/// Order of the writes of one rank to another.
#[derive(Default)]
pub(super) struct Lane {
    epoch: u32,
    /// Operations that are not done, by epoch.
    open: BTreeMap<u32, u32>,
    held: Vec<MessageId>,
}

/// A rank without connection for a while.
pub(super) struct Cut {
    pub(super) rank: u32,
    pub(super) from: Nanos,
    pub(super) until: Nanos,
}

impl Engine {
    /// Time of a message from one end to another, with its faults.
    pub(super) fn transit(&mut self, from: u32, to: u32) -> Nanos {
        let (shortest, longest) = self.world.latency;
        let (delays, losses) = (self.world.delays, self.world.losses);
        let mut time =
            shortest + self.level(Site::link(Kind::Latency, from, to), Spread::Levels, longest - shortest);
        let delay = self.rare(Site::link(Kind::Delay, from, to), delays.millionths, delays.longest);
        if delay > 0 {
            self.say_of_all(|| {
                format!("a message from {} to {} is delayed by {}", end(from), end(to), shown(delay))
            });
            time += delay;
        }
        if losses.millionths > 0 {
            let spread = Spread::Rare(losses.millionths);
            let lost = self.choices.draw(Site::link(Kind::Loss, from, to), 5, spread);
            if lost > 0 {
                self.say_of_all(|| {
                    format!("a message from {} to {} is lost {lost} times", end(from), end(to))
                });
                time += losses.longest.saturating_mul(u64::from(lost));
            }
        }
        time
    }

    pub(super) fn send(&mut self, from: u32, to: u32, op: OpId, body: Body) {
        let id = self.next_message;
        self.next_message += 1;
        self.messages.insert(id, Message { from, to, op, body });
        let time = self.now + self.transit(from, to);
        self.at(time, Event::Arrive { message: id });
    }

    /// The end of a cut between two ends at this moment.
    fn cut_until(&self, from: u32, to: u32) -> Option<Nanos> {
        let concerns = |cut: &&Cut| from != to && (cut.rank == from || cut.rank == to);
        let now = |cut: &&Cut| cut.from <= self.now && self.now < cut.until;
        self.cuts.iter().filter(concerns).filter(now).map(|cut| cut.until).max()
    }

    pub(super) fn arrive(&mut self, id: MessageId) {
        let Some(message) = self.messages.get(&id) else { return };
        let (from, to, op) = (message.from, message.to, message.op);
        // Of an operation that has failed.
        if self.ops.get(&op).is_none_or(|state| state.outcome.is_some()) {
            self.messages.remove(&id);
            return;
        }
        if let Some(until) = self.cut_until(from, to) {
            let time = until + self.transit(from, to);
            self.at(time, Event::Arrive { message: id });
            return;
        }
        if to != STORE && self.is_dead(to) {
            self.messages.remove(&id);
            self.unreachable(op, to);
            return;
        }
        if self.is_before_its_turn(id, op) {
            return;
        }
        if let Some(message) = self.messages.remove(&id) {
            self.deliver(message);
        }
    }

    /// Holds a write that arrives before the operations in front of a fence are done.
    fn is_before_its_turn(&mut self, id: MessageId, op: OpId) -> bool {
        let Some((rank, Some((to, epoch)))) = self.ops.get(&op).map(|state| (state.rank, state.lane)) else {
            return false;
        };
        let Some(lane) = self.lanes.get_mut(&(rank, to)) else { return false };
        let is_early = lane.open.range(..epoch).next().is_some();
        if is_early {
            lane.held.push(id);
        }
        is_early
    }

    /// Enters the writes of an operation into the order of fences.
    pub(super) fn open_lane(&mut self, op: OpId, to: u32) {
        let Some(state) = self.ops.get_mut(&op) else { return };
        let lane = self.lanes.entry((state.rank, to)).or_default();
        *lane.open.entry(lane.epoch).or_default() += 1;
        state.lane = Some((to, lane.epoch));
    }

    /// Notes that all writes of an operation are done or discarded.
    pub(super) fn close_lane(&mut self, op: OpId) {
        let Some(state) = self.ops.get_mut(&op) else { return };
        let Some((to, epoch)) = state.lane.take() else { return };
        let Some(lane) = self.lanes.get_mut(&(state.rank, to)) else { return };
        if let Some(count) = lane.open.get_mut(&epoch) {
            *count -= 1;
            if *count == 0 {
                lane.open.remove(&epoch);
                for message in std::mem::take(&mut lane.held) {
                    self.at(self.now, Event::Arrive { message });
                }
            }
        }
    }

    /// Orders the later writes of `rank` behind its earlier ones, per target.
    pub(super) fn fence(&mut self, rank: u32) {
        for (_, lane) in self.lanes.range_mut((rank, 0)..=(rank, u32::MAX)) {
            lane.epoch += 1;
        }
    }

    /// Sends the outcome of an operation from `from` back to its rank.
    pub(super) fn reply(&mut self, op: OpId, from: u32, outcome: Outcome) {
        let Some(state) = self.ops.get_mut(&op) else { return };
        state.answered = true;
        let rank = state.rank;
        let time = if rank == from { 0 } else { self.transit(from, rank) };
        self.at(self.now + time, Event::Reply { op, from, outcome });
    }

    pub(super) fn reply_arrives(&mut self, op: OpId, from: u32, outcome: Outcome) {
        let Some(state) = self.ops.get(&op) else { return };
        let rank = state.rank;
        if let Some(until) = self.cut_until(from, rank) {
            let time = until + self.transit(from, rank);
            self.at(time, Event::Reply { op, from, outcome });
        } else {
            self.finish(op, outcome);
        }
    }

    /// Fails an operation on a dead target: at once if the connection was closed, else when the target's
    /// session ends.
    pub(super) fn unreachable(&mut self, op: OpId, to: u32) {
        let waits = self.ranks.get(to as usize).is_some_and(|state| state.silent && state.has_session);
        if waits {
            if let Some(state) = self.rank(to) {
                state.suspects.push(op);
            }
        } else {
            self.reply(
                op,
                to,
                Err(Error::of_rank(ErrorKind::NotConnected, to, format!("rank {to} has died"))),
            );
        }
    }
}
