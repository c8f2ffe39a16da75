// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The largest world, of 16,384 members: what each change of the membership costs, and whether all are
//! notified.

use std::collections::BTreeSet;

use super::network::ScheduledEvent;
use super::world::{MEMBERS_WATCH, MS, SECOND, World, WorldPlan};
use crate::protocol::{RankRequest, Request};

const MEMBERS: usize = 16_384;
/// Members that watch all others; every member receives the epoch and the number of members.
const WATCHERS: usize = 20;
/// Messages for each member and report: the standing, and the member's answers to it.
const MESSAGES_EACH: u64 = 4;

impl World {
    fn intact(&self) -> Vec<usize> {
        (0..self.lives.len()).filter(|life| self.lives[*life].is_intact()).collect()
    }

    /// All members are linked and agree; returns the epoch.
    fn agreed(&self, members: usize) -> u64 {
        let intact = self.intact();
        assert_eq!(intact.len(), members);
        let ranks: BTreeSet<_> = intact.iter().filter_map(|life| self.lives[*life].rank).collect();
        assert_eq!(ranks.len(), members, "two members have the same rank");
        let standing = self.lives[intact[0]].machine.standing();
        assert_eq!(standing.members as usize, members, "{standing:?}");
        for life in &intact {
            assert!(self.lives[*life].machine.is_linked(), "life {life} is not linked");
            assert_eq!(self.lives[*life].machine.standing(), standing, "life {life}");
        }
        let sessions: BTreeSet<_> = intact.iter().map(|life| self.lives[*life].session).collect();
        for life in intact.iter().filter(|life| self.lives[**life].members.is_watching) {
            let seen = &self.lives[*life].members;
            assert_eq!(seen.epoch, standing.epoch, "life {life}");
            assert!(seen.by_session.keys().eq(&sessions), "life {life} sees other members");
        }
        standing.epoch
    }

    /// Lets `gone` members go, one after the other within `within_us`, and counts the cost.
    fn go(&mut self, gone: usize, within_us: u64, how: fn(&mut World, usize)) {
        let members = self.intact();
        let (before, messages) = (self.agreed(members.len()), self.messages);
        // The watchers stay: they count the reports.
        let watcher = members[0];
        let reported = self.lives[watcher].members.reports;
        let step_us = within_us / gone as u64;
        for life in members.iter().skip(WATCHERS).step_by((members.len() - WATCHERS) / gone).take(gone) {
            how(self, *life);
            self.run_until(self.now + step_us);
        }
        self.run_until(self.now + 10 * SECOND);
        let after = self.agreed(members.len() - gone);
        let reports = self.lives[watcher].members.reports - reported;
        let sent = self.messages - messages;
        let bound = MESSAGES_EACH * members.len() as u64 * (reports + 1);
        assert!(after > before && reports > 0);
        assert!(sent <= bound, "{sent} messages for {gone} that went and {reports} reports");
    }
}

#[test]
fn largest_world_survives_joins_deaths_and_store_failures() {
    let plan = WorldPlan {
        world_size: u32::try_from(MEMBERS).unwrap(),
        rank_window_us: 100 * MS,
        resume_grace_us: 50 * MS,
        recovery_us: 5 * SECOND,
        recovery_quiet_us: 250 * MS,
        young_us: 0,
        delay_us: 50..500,
        is_hosted: false,
        works: false,
        unread_bytes: 1 << 18,
        is_traced: false,
    };
    let mut world = World::with(1, plan);
    world.start_store();
    for _ in 0..MEMBERS {
        world.later(0..300 * MS, ScheduledEvent::Start(None));
    }
    world.run_until(3 * SECOND);
    world.agreed(MEMBERS);
    let bound = MESSAGES_EACH * 2 * MEMBERS as u64;
    assert!(world.messages <= bound, "{} messages to join", world.messages);
    for life in 0..WATCHERS {
        world.begin(life, Request::WatchMembers { watch: MEMBERS_WATCH }, SECOND);
    }
    world.run_until(4 * SECOND);

    let percent = MEMBERS / 100;
    world.go(percent, SECOND, World::crash);
    world.go(percent, 100 * MS, World::leave);

    let (epoch, messages) = (world.agreed(MEMBERS - 2 * percent), world.messages);
    world.kill_store();
    world.later(100 * MS..200 * MS, ScheduledEvent::StartStore);
    world.run_until(world.now + 20 * SECOND);
    assert!(world.agreed(MEMBERS - 2 * percent) >= epoch);
    let sent = world.messages - messages;
    assert!(sent <= 2 * MESSAGES_EACH * MEMBERS as u64, "{sent} messages to resume");

    // And again, with members that do not live to see the next store.
    world.kill_store();
    for life in
        (WATCHERS..MEMBERS).filter(|life| world.lives[*life].is_intact()).take(percent).collect::<Vec<_>>()
    {
        world.crash(life);
    }
    world.later(100 * MS..200 * MS, ScheduledEvent::StartStore);
    world.run_until(world.now + 20 * SECOND);
    assert!(world.agreed(MEMBERS - 3 * percent) > epoch);

    // A newcomer finds a place now.
    for _ in 0..percent {
        world.start_life(RankRequest::Any);
    }
    world.run_until(world.now + SECOND);
    world.agreed(MEMBERS - 2 * percent);
}
