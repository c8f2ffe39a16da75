// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Scenes of votes, and the guards.

use super::{ALIKE, ALL, ENDS, LIVING, OWN, PARTS, Set, Votes};
use crate::check::Taken;
use crate::code::Guard;

/// Conditions of the real code.
#[derive(Clone, Copy, Debug)]
pub struct Guards {
    pub(super) failure_counts: bool,
    pub(super) destroys_parts: bool,
    pub(super) waits_for_all: bool,
    pub(super) dead_leave: bool,
    pub(super) ends_in_time: bool,
    pub(super) later_rounds_only: bool,
    pub(super) reports_rounds: bool,
    pub(super) later_report_counts: bool,
}

impl Default for Guards {
    fn default() -> Self {
        Self {
            failure_counts: true,
            destroys_parts: true,
            waits_for_all: true,
            dead_leave: true,
            ends_in_time: true,
            later_rounds_only: true,
            reports_rounds: true,
            later_report_counts: true,
        }
    }
}

/// Name, members, failing members of each vote, deaths, stores.
type Scene = (&'static str, usize, &'static [Set], usize, u8);

const SCENES: &[Scene] = &[
    ("one vote of four", 4, &[0], 2, 2),
    ("two votes, and one fails", 3, &[0b010, 0], 2, 2),
    ("two votes over three stores", 3, &[0, 0], 1, 3),
];

/// The models of all scenes, or of one.
pub fn scenes(guards: &Guards, only: Option<&str>) -> Vec<Votes> {
    let model = |(name, members, failing, deaths, stores): &Scene| Votes {
        name,
        members: *members,
        failing,
        deaths: *deaths,
        stores: *stores,
        guards: *guards,
        taken: Taken::default(),
    };
    SCENES.iter().filter(|scene| only.is_none_or(|only| only == scene.0)).map(model).collect()
}

/// The model of a recorded job: its members, the members that fail of each vote, the members that die, the
/// stores.
pub fn votes_of(members: usize, failing: &'static [Set], deaths: usize, stores: u8) -> Votes {
    let guards = Guards::default();
    Votes { name: "recorded votes", members, failing, deaths, stores, guards, taken: Taken::default() }
}

const VOTE: &str = "core/fabric/src/objects/vote.rs";
const GATHERS: &str = "core/store/src/state/gathers.rs";

/// The guards, each with the property that fails without it.
pub const GUARDS: &[Guard<Guards>] = &[
    Guard {
        name: "one member that fails decides for all",
        file: VOTE,
        text: "Some(Ballot::Failed(code, text)) => {",
        scene: "two votes, and one fails",
        off: |guards| guards.failure_counts = false,
        property: ALL,
    },
    Guard {
        name: "a member destroys its part if the vote fails",
        file: "core/smem/src/shm/create.rs",
        text: "(Ok(part), Err(error)) => {",
        scene: "two votes, and one fails",
        off: |guards| guards.destroys_parts = false,
        property: PARTS,
    },
    Guard {
        name: "a vote ends when all are inside",
        file: GATHERS,
        text: "open.inside.len() as u64 >= u64::from(members);",
        scene: "one vote of four",
        off: |guards| guards.waits_for_all = false,
        property: ALIKE,
    },
    Guard {
        name: "a member is no longer inside when its session has ended",
        file: GATHERS,
        text: "inside.filter(|inside| inside.caller.session == session)",
        scene: "one vote of four",
        off: |guards| guards.dead_leave = false,
        property: LIVING,
    },
    Guard {
        name: "a vote ends at the first deadline",
        file: GATHERS,
        text: "while let Some(name) = self.due.pop(now) {",
        scene: "one vote of four",
        off: |guards| guards.ends_in_time = false,
        property: ENDS,
    },
    Guard {
        name: "the end of an earlier vote does not answer a later one",
        file: GATHERS,
        text: "round.round > after_round.unwrap_or(0)",
        scene: "two votes, and one fails",
        off: |guards| guards.later_rounds_only = false,
        property: OWN,
    },
    Guard {
        name: "members report to the next store how votes ended",
        file: "core/store/src/client/machine/kept.rs",
        text: "if !self.rounds.is_empty() {",
        scene: "one vote of four",
        off: |guards| guards.reports_rounds = false,
        property: ALIKE,
    },
    Guard {
        name: "of two reported ends the later one counts",
        file: GATHERS,
        text: "known.round < round.round",
        scene: "two votes, and one fails",
        off: |guards| guards.later_report_counts = false,
        property: ALIKE,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Explored, assert_guards, explore};
    use crate::votes::Kind;

    #[test]
    fn members_end_votes_alike() {
        let all = scenes(&Guards::default(), None).into_iter().map(|model| explore(model.name, model));
        all.fold(Explored::default(), Explored::and).assert_bound::<Kind>();
    }

    #[test]
    fn each_guard_of_the_votes_is_needed() {
        assert_guards(GUARDS, scenes);
    }
}
