// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Deaths, cuts and clocks: planned when a run begins, executed when their time has come.

use super::network::Cut;
use super::{Death, Engine, Event, scaled};
use crate::choice::{Kind, LEVELS, Site, Spread};
use crate::op::shown;

impl Engine {
    pub(super) fn plan_faults(&mut self) {
        let mortal: Vec<u32> = if self.world.mortal.is_empty() {
            (0..self.world.ranks).collect()
        } else {
            self.world.mortal.clone()
        };
        let bound = u32::try_from(mortal.len()).unwrap_or(u32::MAX - 1) + 1;
        for number in 0..self.world.deaths {
            self.plan_death(number, &mortal, bound);
        }
        for number in 0..self.world.cuts {
            self.plan_cut(number, &mortal, bound);
        }
        if self.world.clock_skew > 0 {
            for rank in 0..self.world.ranks {
                let skew = self.level(Site::one(Kind::Skew, rank), Spread::Levels, self.world.clock_skew);
                if let Some(state) = self.rank(rank) {
                    state.skew = skew;
                }
            }
        }
    }

    fn plan_death(&mut self, number: u32, mortal: &[u32], bound: u32) {
        let victim = self.choices.draw(Site::one(Kind::Death, number), bound, Spread::Even);
        let steps = self.world.death_steps;
        let step = self.choices.draw(Site::one(Kind::DeathStep, number), steps, Spread::Magnitude);
        let longest = self.world.latency.1.saturating_mul(2);
        let delay = self.level(Site::one(Kind::DeathDelay, number), Spread::Levels, longest);
        let silent = self.choices.draw(Site::one(Kind::DeathSilent, number), 2, Spread::Even) == 1;
        if let Some(rank) = victim.checked_sub(1).and_then(|index| mortal.get(index as usize).copied())
            && let Some(state) = self.rank(rank)
        {
            state.death = Some(Death { step: u64::from(step).max(1), delay, silent });
        }
    }

    fn plan_cut(&mut self, number: u32, mortal: &[u32], bound: u32) {
        let longest = self.world.cut_longest;
        let victim = self.choices.draw(Site::one(Kind::Cut, number), bound, Spread::Even);
        let start = self.choices.draw(Site::one(Kind::CutStart, number), LEVELS * LEVELS, Spread::Magnitude);
        let length = self.choices.draw(Site::one(Kind::CutLength, number), LEVELS, Spread::Even);
        let Some(rank) = victim.checked_sub(1).and_then(|index| mortal.get(index as usize).copied()) else {
            return;
        };
        let from = scaled(longest, start) / u64::from(LEVELS / 2);
        let until = from + scaled(longest, length).max(1);
        let cut = self.cuts.len();
        self.cuts.push(Cut { rank, from, until });
        self.at(from, Event::CutChange { cut, begins: true });
        self.at(until, Event::CutChange { cut, begins: false });
    }

    pub(super) fn cut_changes(&mut self, cut: usize, begins: bool) {
        let Some(Cut { rank, until, .. }) = self.cuts.get(cut) else { return };
        let (rank, length) = (*rank, until - self.now);
        if begins {
            self.say_of_all(|| format!("rank {rank} is cut off for {}", shown(length)));
            let lease = self.world.session_lease;
            self.at(self.now + lease, Event::SessionCheck { rank });
        } else {
            self.say_of_all(|| format!("rank {rank} is connected again"));
        }
    }

    /// Ends the session of a rank that is still cut off after a lease.
    pub(super) fn check_session(&mut self, rank: u32) {
        let lease = self.world.session_lease;
        let is_cut = |cut: &Cut| cut.rank == rank && cut.from + lease <= self.now && self.now < cut.until;
        if self.cuts.iter().any(is_cut) {
            self.end_session(rank);
        }
    }

    /// Counts an operation of a rank; it may be the last one.
    pub(super) fn count_operation(&mut self, rank: u32) {
        let Some(state) = self.rank(rank) else { return };
        state.operations += 1;
        if let Some(Death { step, delay, silent }) = &state.death
            && state.operations >= *step
        {
            let (delay, silent) = (*delay, *silent);
            state.death = None;
            state.silent = silent;
            self.at(self.now + delay, Event::Die { rank });
        }
    }

    pub(super) fn die(&mut self, rank: u32) {
        let lease = self.world.session_lease;
        let running = self.tasks.iter().filter(|task| task.rank == rank && !task.ended).count();
        let Some(state) = self.rank(rank) else { return };
        // A program that has returned does not die; its memory stays for the others.
        if state.dead || running == 0 {
            return;
        }
        state.dead = true;
        state.segment = None;
        let silent = state.silent;
        let watchers = std::mem::take(&mut state.watchers);
        self.running -= running;
        let mode = if silent { "silently" } else { "and its connections close" };
        self.say(rank, || format!("dies {mode}"));
        // Its messages in flight arrive or are lost.
        let sent: Vec<_> =
            self.messages.iter().filter(|(_, message)| message.from == rank).map(|(id, _)| *id).collect();
        for id in sent {
            if self.choices.draw(Site::one(Kind::Remains, rank), 2, Spread::Even) == 1 {
                self.messages.remove(&id);
                self.say(rank, || "one of its messages is lost with it".into());
            }
        }
        for state in self.ops.values_mut().filter(|state| state.rank == rank) {
            state.task = None;
        }
        for watcher in watchers {
            self.unreachable(watcher.op, rank);
        }
        self.cache_forgets(rank);
        let wait = if silent { lease } else { self.world.latency.0 };
        self.at(self.now + wait, Event::EndSession { rank });
    }
}
