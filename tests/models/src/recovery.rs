// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Recovery: a store without etcd dies, and its members bring their replicas to the next one.
//!
//! Three members, one key, three stores. A member keeps its writes until the store asks it to forget them.
//! Every write is a value of its own, named by its revision.

use stateright::{Model, Property};

use crate::check::{Protocol, Step, Taken};
use crate::code::Guard;
use crate::steps;

const MEMBERS: usize = 3;

steps! {
    /// Steps of the store and its members.
    Kind {
        /// The store takes a write.
        Write = "core/store/src/state/keys.rs", "set";
        /// The reply arrives: the member keeps the value.
        Receive = "core/store/src/client/machine/kept.rs", "acknowledged";
        /// The store learns that the reply has arrived.
        Confirm = "core/store/src/state/keepers.rs", "forgot";
        /// A member forgets a replica that is old.
        Forget = "core/store/src/state/keepers.rs", "supersede";
        /// The store gives a value to another member after its keeper has died.
        HandOver = "core/store/src/state/handover.rs", "hand_over";
        /// The store dies.
        LoseStore = "core/store/src/client/resume.rs", "resume_limit";
        /// Another store starts.
        Start = "core/store/src/state/recovery.rs", "new";
        /// A member claims its place at the new store.
        Claim = "core/store/src/state/recovery.rs", "claim";
        /// A member has sent its replicas.
        Complete = "core/store/src/state/recovery.rs", "one_way";
        /// The store begins to serve: all have come, or the limit has passed.
        TakeOver = "core/store/src/state/takeover.rs", "take_over";
        /// A member that came too late begins anew.
        BeginAnew = "core/store/src/state/takeover.rs", "refuse_late";
        /// Dies.
        Die = "core/store/src/state/recovery.rs", "end";
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Member {
    is_dead: bool,
    /// The store that it belongs to; 0: none.
    of: u8,
    term: u8,
    /// Members of that store when it was granted.
    standing: u8,
    /// Revision of its replica; 0: none.
    kept: u8,
    /// A reply that has not arrived yet; 0 without one.
    reply: u8,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Keeper {
    revision: u8,
    is_confirmed: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Store {
    number: u8,
    is_serving: bool,
    term: u8,
    value: u8,
    keepers: [Keeper; MEMBERS],
    claimed: [bool; MEMBERS],
    complete: [bool; MEMBERS],
}

/// State of the store and its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    members: [Member; MEMBERS],
    store: Option<Store>,
    stores: u8,
    revision: u8,
    /// The latest write that was answered, with its writer; certain while the stores must have it.
    answered: u8,
    writer: u8,
    is_certain: bool,
    /// Writes that a store has begun to serve without.
    gone: u8,
}

/// Conditions of the real code.
#[derive(Clone, Copy, Debug)]
pub struct Guards {
    confirms_first: bool,
    waits_for_all: bool,
    waits_for_claims: bool,
    highest_term: bool,
    latest_wins: bool,
    hands_over: bool,
    needs_majority: bool,
}

impl Default for Guards {
    fn default() -> Self {
        Self {
            confirms_first: true,
            waits_for_all: true,
            waits_for_claims: true,
            highest_term: true,
            latest_wins: true,
            hands_over: true,
            needs_majority: true,
        }
    }
}

/// A job with a store that dies twice.
pub struct Recovery {
    /// Name in tables.
    pub name: &'static str,
    deaths: usize,
    writes: u8,
    /// Living members may miss the limit; the store needs a majority then.
    is_slow: bool,
    guards: Guards,
    taken: Taken,
}

/// Writes survive.
pub const KEPT: &str = "a store that serves has the latest write of a member that came with it";
/// Given up is given up.
pub const GONE: &str = "a value that a store began to serve without does not come back";
/// Recovery ends.
pub const ENDS: &str = "a store with members begins to serve";

impl Recovery {
    fn has_live_keeper(state: &State, store: &Store) -> bool {
        (0..MEMBERS).any(|at| store.keepers[at].revision == store.value && !state.members[at].is_dead)
    }

    fn serving_steps(&self, state: &State, store: &Store, by: usize, mut add: impl FnMut(Kind)) {
        let member = &state.members[by];
        if member.of != store.number {
            return add(Kind::BeginAnew);
        }
        let keeper = store.keepers[by];
        if member.reply > 0 {
            add(Kind::Receive);
        } else if state.revision < self.writes {
            add(Kind::Write);
        }
        let holds = keeper.revision > 0 && keeper.revision == store.value;
        if holds && !keeper.is_confirmed && member.kept == keeper.revision {
            add(Kind::Confirm);
        }
        let is_held = store.keepers.iter().any(|other| other.is_confirmed && other.revision == store.value);
        if keeper.revision > 0 && keeper.revision < store.value && (is_held || !self.guards.confirms_first) {
            add(Kind::Forget);
        }
        let is_orphan = store.value > 0 && !Self::has_live_keeper(state, store);
        // Links keep their order: replies arrive first.
        if is_orphan && member.reply == 0 && self.guards.hands_over {
            add(Kind::HandOver);
        }
    }

    /// The highest term, and the members that are expected.
    fn expected(state: &State, store: &Store) -> (u8, u8) {
        let claims = (0..MEMBERS).filter(|at| store.claimed[*at]).map(|at| &state.members[at]);
        let latest = claims.max_by_key(|member| (member.term, member.standing));
        latest.map_or((0, 0), |member| (member.term, member.standing))
    }

    fn may_take_over(&self, state: &State, store: &Store) -> bool {
        let (term, expected) = Self::expected(state, store);
        let of_term = |at: &usize| state.members[*at].term == term;
        let complete = (0..MEMBERS).filter(|at| store.complete[*at]).filter(of_term).count();
        let has_incomplete = (0..MEMBERS).any(|at| store.claimed[at] && !store.complete[at]);
        let is_missed = |at: &usize| state.members[*at].is_dead || self.is_slow;
        let missing = (0..MEMBERS).filter(|at| !store.claimed[*at]).filter(|at| {
            // A member of an earlier term is not expected.
            state.members[*at].of > 0 || state.members[*at].is_dead
        });
        let limit_passes = missing.clone().next().is_some() && missing.clone().all(|at| is_missed(&at));
        let all_are_there = complete >= usize::from(expected);
        // A majority must come: the others may be with another store.
        let are_enough = !self.is_slow || 2 * complete > usize::from(expected) || !self.guards.needs_majority;
        complete > 0
            && are_enough
            && (!has_incomplete || !self.guards.waits_for_claims)
            && (all_are_there || limit_passes || !self.guards.waits_for_all)
    }

    fn take_over(&self, state: &mut State, store: &mut Store) {
        let (term, _) = Self::expected(state, store);
        let is_good =
            |at: usize| store.complete[at] && (state.members[at].term == term || !self.guards.highest_term);
        let good: Vec<usize> = (0..MEMBERS).filter(|at| is_good(*at)).collect();
        let kept = good.iter().map(|at| state.members[*at].kept);
        let kept = kept.filter(|revision| *revision > 0);
        store.value = if self.guards.latest_wins { kept.max() } else { kept.min() }.unwrap_or(0);
        store.term = term + 1;
        store.is_serving = true;
        (store.claimed, store.complete) = Default::default();
        for at in &good {
            let member = &mut state.members[*at];
            (member.of, member.term, member.standing) = (store.number, store.term, good.len() as u8);
            let revision = member.kept;
            store.keepers[*at] = Keeper { revision, is_confirmed: revision > 0 };
        }
        let has_writer = good.contains(&usize::from(state.writer));
        let writer = &state.members[usize::from(state.writer)];
        state.is_certain &= if self.is_slow { has_writer } else { !writer.is_dead };
        for revision in (1..=state.answered).filter(|revision| *revision > store.value) {
            state.gone |= 1 << revision;
        }
    }
}

impl Model for Recovery {
    type State = State;
    type Action = Step<Kind>;

    fn init_states(&self) -> Vec<State> {
        let member = Member { of: 1, term: 1, standing: MEMBERS as u8, ..Member::default() };
        let store = Store { number: 1, is_serving: true, term: 1, ..Store::default() };
        vec![State {
            members: [member; MEMBERS],
            store: Some(store),
            stores: 1,
            revision: 0,
            answered: 0,
            writer: 0,
            is_certain: false,
            gone: 0,
        }]
    }

    fn actions(&self, state: &State, steps: &mut Vec<Step<Kind>>) {
        let step = |kind, by: usize| Step { kind, by: by as u8, on: 0 };
        let dead = state.members.iter().filter(|member| member.is_dead).count();
        match &state.store {
            None => steps.push(step(Kind::Start, 0)),
            Some(store) => {
                if store.is_serving && state.stores < 3 {
                    steps.push(step(Kind::LoseStore, 0));
                }
                if !store.is_serving && self.may_take_over(state, store) {
                    steps.push(step(Kind::TakeOver, 0));
                }
                for by in (0..MEMBERS).filter(|by| !state.members[*by].is_dead) {
                    if store.is_serving {
                        self.serving_steps(state, store, by, |kind| steps.push(step(kind, by)));
                    } else if store.claimed[by] {
                        steps.extend((!store.complete[by]).then(|| step(Kind::Complete, by)));
                    } else if state.members[by].of > 0 {
                        steps.push(step(Kind::Claim, by));
                    }
                }
            }
        }
        for by in (0..MEMBERS).filter(|by| !state.members[*by].is_dead && dead < self.deaths) {
            steps.push(step(Kind::Die, by));
        }
    }

    fn next_state(&self, last: &State, step: Step<Kind>) -> Option<State> {
        self.taken.note(step.kind);
        let mut state = *last;
        let by = usize::from(step.by);
        let mut store = state.store.unwrap_or_default();
        match step.kind {
            Kind::Start => {
                state.stores += 1;
                store = Store { number: state.stores, ..Store::default() };
            }
            Kind::LoseStore => {
                state.members.iter_mut().for_each(|member| member.reply = 0);
                state.store = None;
                return Some(state);
            }
            Kind::Write => {
                state.revision += 1;
                store.value = state.revision;
                store.keepers[by] = Keeper { revision: state.revision, is_confirmed: false };
                state.members[by].reply = state.revision;
            }
            Kind::Receive => {
                let member = &mut state.members[by];
                member.kept = std::mem::take(&mut member.reply);
                if member.kept > state.answered {
                    (state.answered, state.writer, state.is_certain) = (member.kept, step.by, true);
                }
            }
            Kind::Confirm => store.keepers[by].is_confirmed = true,
            Kind::Forget => {
                store.keepers[by] = Keeper::default();
                let is_new = |keeper: &Keeper| keeper.is_confirmed && keeper.revision == store.value;
                if step.by == state.writer
                    && state.members[by].kept == state.answered
                    && let Some(heir) = store.keepers.iter().position(is_new)
                {
                    // From now on the later value must stay, as long as its keeper lives.
                    (state.answered, state.writer) = (store.value, heir as u8);
                }
                let member = &mut state.members[by];
                member.kept = if member.kept < store.value { 0 } else { member.kept };
            }
            Kind::HandOver => {
                state.members[by].kept = store.value;
                store.keepers[by] = Keeper { revision: store.value, is_confirmed: true };
            }
            Kind::Claim => store.claimed[by] = true,
            Kind::Complete => store.complete[by] = true,
            Kind::TakeOver => self.take_over(&mut state, &mut store),
            Kind::BeginAnew => {
                let standing = 1 + state.members.iter().filter(|other| other.of == store.number).count();
                state.members[by] = Member { of: store.number, term: store.term, ..Member::default() };
                for member in state.members.iter_mut().filter(|member| member.of == store.number) {
                    member.standing = standing as u8;
                }
            }
            Kind::Die => {
                state.members[by] = Member { is_dead: true, ..Member::default() };
                (store.claimed[by], store.complete[by]) = (false, false);
                store.keepers[by] = Keeper::default();
                let standing = state.members.iter().filter(|other| other.of == store.number).count();
                for member in
                    state.members.iter_mut().filter(|member| store.is_serving && member.of == store.number)
                {
                    member.standing = standing as u8;
                }
                if state.store.is_none() {
                    return Some(state);
                }
            }
        }
        state.store = Some(store);
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always(KEPT, |_, state: &State| {
                let serving = state.store.filter(|store| store.is_serving);
                serving.is_none_or(|store| !state.is_certain || store.value >= state.answered)
            }),
            Property::always(GONE, |_, state: &State| {
                let serving = state.store.filter(|store| store.is_serving);
                serving.is_none_or(|store| state.gone & 1 << store.value == 0)
            }),
            Property::always(ENDS, |model: &Self, state: &State| {
                let mut steps = Vec::new();
                model.actions(state, &mut steps);
                let is_over = state.store.is_some_and(|store| store.is_serving);
                // With too few members, a store that needs a majority steps down.
                is_over
                    || model.is_slow
                    || steps.iter().any(|step| step.kind != Kind::Die)
                    || state.members.iter().all(|member| member.is_dead)
            }),
        ]
    }
}

impl Protocol for Recovery {
    type Kind = Kind;

    fn taken(&self) -> &Taken {
        &self.taken
    }
}

/// The models of all scenes, or of one.
pub fn scenes(guards: &Guards, only: Option<&str>) -> Vec<Recovery> {
    let model = |(name, deaths, writes, is_slow)| Recovery {
        name,
        deaths,
        writes,
        is_slow,
        guards: *guards,
        taken: Taken::default(),
    };
    let scenes = [("members come in time", 2, 3, false), ("members are late", 1, 2, true)];
    scenes.into_iter().filter(|scene| only.is_none_or(|only| only == scene.0)).map(model).collect()
}

const RECOVERY: &str = "core/store/src/state/recovery.rs";

/// The guards, each with the property that fails without it.
pub const GUARDS: &[Guard<Guards>] = &[
    Guard {
        name: "an old replica is dropped after a new one is confirmed",
        file: "core/store/src/state/keepers.rs",
        text: "keeping.keepers.iter().any(|keeper| keeper.confirmed && keeper.holds(base))",
        scene: "members come in time",
        off: |guards| guards.confirms_first = false,
        property: KEPT,
    },
    Guard {
        name: "a recovery waits for all members of the latest standing",
        file: RECOVERY,
        text: "if incomplete == 0 && report >= expected && !self.resumers.is_empty() {",
        scene: "members come in time",
        off: |guards| guards.waits_for_all = false,
        property: KEPT,
    },
    Guard {
        name: "a recovery waits for members that still send",
        file: RECOVERY,
        text: "limit.max(self.last_word.saturating_add(self.limit_us).min(most))",
        scene: "members come in time",
        off: |guards| guards.waits_for_claims = false,
        property: KEPT,
    },
    Guard {
        name: "only members of the highest term count",
        file: RECOVERY,
        text: "resumer.complete && resumer.resume.term == term",
        scene: "members are late",
        off: |guards| guards.highest_term = false,
        property: GONE,
    },
    Guard {
        name: "a majority of the members comes",
        file: "core/store/src/state/takeover.rs",
        text: "if self.limits.quorum && expected > 0 && u64::from(came) * 2 <= u64::from(expected) {",
        scene: "members are late",
        off: |guards| guards.needs_majority = false,
        property: GONE,
    },
    Guard {
        name: "the latest revision of a key wins",
        file: "core/store/src/state/learning.rs",
        text: "reports.sort_by_key(|reports| (reports.revision, weight(&reports.what)));",
        scene: "members come in time",
        off: |guards| guards.latest_wins = false,
        property: KEPT,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Explored, assert_guards, explore};

    #[test]
    fn writes_survive_the_deaths_of_the_store() {
        let all = scenes(&Guards::default(), None).into_iter().map(|model| explore(model.name, model));
        all.fold(Explored::default(), Explored::and).assert_bound::<Kind>();
    }

    #[test]
    fn each_guard_of_the_recovery_is_needed() {
        assert_guards(GUARDS, scenes);
    }
}
