// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Leader: three processes that want to run the store of a job, over etcd.
//!
//! etcd takes one transaction at a time. A lease ends at any time after its owner has stopped serving (a
//! process counts its lease from before etcd does), or has died. A leader writes to etcd before it answers.

use stateright::{Model, Property};

use crate::check::{Protocol, Step, Taken};
use crate::code::Guard;
use crate::steps;

const PROCESSES: usize = 3;
const WRITES: u8 = 3;

steps! {
    /// Steps of processes and of etcd.
    Kind {
        /// Sees that there is no leader.
        Find = "core/bootstrap/src/etcd/election.rs", "find";
        /// Reads the record of the job.
        ReadJob = "core/bootstrap/src/etcd/election.rs", "elect";
        /// Creates the key of the leader, if it is not there.
        TakeOffice = "core/bootstrap/src/etcd/election.rs", "take_office";
        /// Reads the keys that an earlier leader wrote.
        ReadBack = "core/bootstrap/src/etcd/election.rs", "read_back";
        /// Sends a write to etcd, as the leader.
        SendWrite = "core/bootstrap/src/etcd/journal.rs", "write_batch";
        /// etcd takes the write, or refuses it.
        Commit = "core/bootstrap/src/etcd/journal.rs", "commit";
        /// Answers a write that etcd has taken.
        AnswerWrite = "core/store/src/server/durability_gate.rs", "release";
        /// Answers a read from memory.
        AnswerRead = "core/bootstrap/src/etcd/journal.rs", "until";
        /// Stops serving: the time of its lease is over.
        Stop = "core/bootstrap/src/etcd/journal.rs", "is_valid";
        /// etcd ends a lease, and removes the key of the leader.
        Expire = "core/bootstrap/src/etcd/journal.rs", "keep_lease";
        /// Another process removes the key of a leader that has died.
        Depose = "core/bootstrap/src/etcd/election.rs", "depose_the_dead";
        /// Dies.
        Die = "core/bootstrap/src/etcd/election.rs", "is_vacant_for_long";
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Stage {
    #[default]
    Idle,
    /// It has seen that there is no leader.
    Candidate,
    /// It has read the record of the job.
    Ready,
    /// It holds the office, and does not serve yet.
    Elected,
    Serving,
    Stopped,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Process {
    stage: Stage,
    /// The record of the job as it was read, or as this leader wrote it last.
    job: (u8, u8),
    created: u8,
    /// The latest value in its memory, and whether it was answered.
    value: u8,
    is_answered: bool,
    /// A write that was sent to etcd and not taken yet; 0 without one.
    sent: u8,
    is_dead: bool,
}

/// State of etcd and of the processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    processes: [Process; PROCESSES],
    /// The process that holds the key of the leader, and the revision at which it was created.
    leader: Option<(u8, u8)>,
    /// Term and number of writes.
    job: (u8, u8),
    value: u8,
    revision: u8,
    /// The latest value that was answered.
    answered: u8,
    writes: u8,
    terms: u8,
    has_stale_read: bool,
    has_same_term: bool,
}

/// Conditions of the real code.
#[derive(Clone, Copy, Debug)]
pub struct Guards {
    one_leader: bool,
    same_job: bool,
    writes_as_leader: bool,
    writes_first: bool,
    reads_back: bool,
    stops_in_time: bool,
    deposes_the_dead: bool,
}

impl Default for Guards {
    fn default() -> Self {
        Self {
            one_leader: true,
            same_job: true,
            writes_as_leader: true,
            writes_first: true,
            reads_back: true,
            stops_in_time: true,
            deposes_the_dead: true,
        }
    }
}

/// Processes of which some die.
pub struct Leader {
    /// Name in tables.
    pub name: &'static str,
    deaths: usize,
    elections: u8,
    guards: Guards,
    taken: Taken,
}

/// Answers of a stale leader.
pub const FRESH: &str = "a read returns the latest value that was answered, or a later one";
/// Answered writes stay.
pub const KEPT: &str = "a value that was answered is in etcd, or a later one";
/// No term twice.
pub const TERMS: &str = "no two leaders have the same term";

impl Leader {
    fn step_of(&self, state: &State, by: usize, mut add: impl FnMut(Kind)) {
        let process = &state.processes[by];
        match process.stage {
            Stage::Idle if state.leader.is_none() && state.terms < self.elections => add(Kind::Find),
            Stage::Candidate => add(Kind::ReadJob),
            Stage::Ready => add(Kind::TakeOffice),
            Stage::Elected => add(Kind::ReadBack),
            Stage::Serving => {
                if !process.is_answered {
                    add(Kind::AnswerWrite);
                } else if state.writes < WRITES && process.sent == 0 {
                    add(Kind::SendWrite);
                }
                add(Kind::AnswerRead);
                add(Kind::Stop);
            }
            Stage::Idle | Stage::Stopped => {}
        }
    }

    fn take_office(&self, state: &mut State, by: usize) {
        let process = &mut state.processes[by];
        let is_free = state.leader.is_none() || !self.guards.one_leader;
        if !is_free || self.guards.same_job && process.job != state.job {
            process.stage = Stage::Idle;
            return;
        }
        state.revision += 1;
        state.leader = Some((by as u8, state.revision));
        let term = process.job.0 + 1;
        let terms = state.processes.iter().filter(|other| other.created > 0 && other.job.0 == term);
        state.has_same_term |= terms.count() > 0 || state.job.0 >= term;
        let process = &mut state.processes[by];
        process.job = (term, process.job.1 + 1);
        process.created = state.revision;
        state.job = process.job;
        state.terms += 1;
        process.stage = Stage::Elected;
    }

    fn commit(&self, state: &mut State, by: usize) {
        let process = &mut state.processes[by];
        let value = std::mem::take(&mut process.sent);
        let is_leader = state.leader.is_some_and(|(_, created)| created == process.created);
        if self.guards.writes_as_leader && !(is_leader && process.job == state.job) {
            process.stage = Stage::Stopped;
            return;
        }
        process.job.1 += 1;
        (state.job, state.value) = (process.job, value);
        (process.value, process.is_answered) = (value, !self.guards.writes_first);
    }
}

impl Model for Leader {
    type State = State;
    type Action = Step<Kind>;

    fn init_states(&self) -> Vec<State> {
        vec![State::default()]
    }

    fn actions(&self, state: &State, steps: &mut Vec<Step<Kind>>) {
        let dead = state.processes.iter().filter(|process| process.is_dead).count();
        for by in 0..PROCESSES {
            let step = |kind| Step { kind, by: by as u8, on: 0 };
            let process = &state.processes[by];
            let leads = state.leader.is_some_and(|(of, _)| usize::from(of) == by);
            let serves = !process.is_dead && matches!(process.stage, Stage::Elected | Stage::Serving);
            if leads && (!serves || !self.guards.stops_in_time) {
                steps.push(step(Kind::Expire));
            }
            if leads && (process.is_dead || !self.guards.deposes_the_dead) {
                steps.push(step(Kind::Depose));
            }
            if process.sent > 0 {
                steps.push(step(Kind::Commit));
            }
            if process.is_dead {
                continue;
            }
            self.step_of(state, by, |kind| steps.push(step(kind)));
            if dead < self.deaths {
                steps.push(step(Kind::Die));
            }
        }
    }

    fn next_state(&self, last: &State, step: Step<Kind>) -> Option<State> {
        self.taken.note(step.kind);
        let mut state = *last;
        let by = usize::from(step.by);
        let job = state.job;
        let process = &mut state.processes[by];
        match step.kind {
            Kind::Find => process.stage = Stage::Candidate,
            Kind::SendWrite => {
                state.writes += 1;
                process.sent = state.writes;
                if !self.guards.writes_first {
                    state.answered = state.writes;
                }
            }
            Kind::ReadJob => (process.stage, process.job) = (Stage::Ready, job),
            Kind::TakeOffice => self.take_office(&mut state, by),
            Kind::ReadBack => {
                process.stage = Stage::Serving;
                process.is_answered = true;
                if self.guards.reads_back {
                    process.value = state.value;
                }
            }
            Kind::Commit => self.commit(&mut state, by),
            Kind::AnswerWrite => {
                process.is_answered = true;
                let value = process.value;
                state.answered = state.answered.max(value);
            }
            Kind::AnswerRead => {
                let value = process.value;
                state.has_stale_read |= value < state.answered;
            }
            Kind::Stop => process.stage = Stage::Stopped,
            Kind::Expire | Kind::Depose => state.leader = None,
            Kind::Die => process.is_dead = true,
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always(FRESH, |_, state: &State| !state.has_stale_read),
            Property::always(KEPT, |_, state: &State| state.value >= state.answered),
            Property::always(TERMS, |_, state: &State| !state.has_same_term),
        ]
    }
}

impl Protocol for Leader {
    type Kind = Kind;

    fn taken(&self) -> &Taken {
        &self.taken
    }
}

/// The models of all scenes, or of one.
pub fn scenes(guards: &Guards, only: Option<&str>) -> Vec<Leader> {
    let model = |(name, deaths, elections)| Leader {
        name,
        deaths,
        elections,
        guards: *guards,
        taken: Taken::default(),
    };
    let scenes = [("elections", 2, 3)];
    scenes.into_iter().filter(|scene| only.is_none_or(|only| only == scene.0)).map(model).collect()
}

const ELECTION: &str = "core/bootstrap/src/etcd/election.rs";
const JOURNAL: &str = "core/bootstrap/src/etcd/journal.rs";

/// The guards, each with the property that fails without it.
pub const GUARDS: &[Guard<Guards>] = &[
    Guard {
        name: "an office is taken if it is vacant",
        file: ELECTION,
        text: "compare: vec![Compare::created(&leader_key, 0), condition],",
        scene: "elections",
        off: |guards| guards.one_leader = false,
        property: FRESH,
    },
    Guard {
        name: "an office is taken if the record of the job is as it was read",
        file: ELECTION,
        text: "Compare::value(&job_key, kv.value)",
        scene: "elections",
        off: |guards| guards.same_job = false,
        property: TERMS,
    },
    Guard {
        name: "etcd takes writes of the present leader only",
        file: JOURNAL,
        text: "compare: vec![Compare::created(&leader_key, self.created), Compare::value(&job_key, before)],",
        scene: "elections",
        off: |guards| guards.writes_as_leader = false,
        property: KEPT,
    },
    Guard {
        name: "a write is in etcd before it is answered",
        file: "core/store/src/server/durability_gate.rs",
        text: "pub(super) fn release(&self) -> Option<Vec<Action>>",
        scene: "elections",
        off: |guards| guards.writes_first = false,
        property: KEPT,
    },
    Guard {
        name: "a new leader reads the keys of the former one",
        file: ELECTION,
        text: "let keys = self.read_back(&journal).await;",
        scene: "elections",
        off: |guards| guards.reads_back = false,
        property: FRESH,
    },
    Guard {
        name: "a leader stops before its lease ends",
        file: JOURNAL,
        text: "Err(Fault::Unknown(text)) if !self.is_valid() => return Err(LeadershipEnd::Silence(text)),",
        scene: "elections",
        off: |guards| guards.stops_in_time = false,
        property: FRESH,
    },
    Guard {
        name: "only a leader that refuses connections is deposed",
        file: ELECTION,
        text: "if !is_here || !refuses() {",
        scene: "elections",
        off: |guards| guards.deposes_the_dead = false,
        property: FRESH,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Explored, assert_guards, explore};

    #[test]
    fn one_leader_serves_what_was_answered() {
        let all = scenes(&Guards::default(), None).into_iter().map(|model| explore(model.name, model));
        all.fold(Explored::default(), Explored::and).assert_bound::<Kind>();
    }

    #[test]
    fn each_guard_of_the_election_is_needed() {
        assert_guards(GUARDS, scenes);
    }
}
