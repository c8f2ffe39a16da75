// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Votes of an object's members: each makes its part, and all learn whether all succeeded.
//!
//! A vote is an allgather of the store. Three or four members, of which two die, vote once or twice under one
//! name; the store dies, and the next one learns from the members how votes have ended. Messages that are in
//! flight when a process dies arrive or are lost.

mod guards;

use stateright::{Model, Property};

use crate::check::{Protocol, Step, Taken};
use crate::steps;

pub use guards::{GUARDS, Guards, scenes, votes_of};

/// Most members.
const MEMBERS: usize = 4;
/// Most votes of a member.
const VOTES: usize = 2;

/// Set of members or votes, by bits.
type Set = u8;

const fn bit(number: usize) -> Set {
    1 << number
}

steps! {
    /// Steps of the members and the store.
    Kind {
        /// A member has made its part, or failed, and votes.
        Begin = "core/store/src/client/machine.rs", "begin";
        /// The store takes a ballot; the last one ends the vote.
        Enter = "core/store/src/state/gathers.rs", "enter";
        /// The store has learned how the vote ended at the store before it.
        Missed = "core/store/src/state/gathers.rs", "missed";
        /// The first deadline of the members inside passes.
        Expire = "core/store/src/state/gathers.rs", "expire";
        /// The store removes the ballot of a member that has died.
        Leave = "core/store/src/state/gathers.rs", "leave";
        /// The outcome (`on`) arrives at a member.
        Receive = "core/fabric/src/objects/vote.rs", "vote";
        /// The store dies.
        LoseStore = "core/store/src/client/resume.rs", "resume_limit";
        /// A member notices that; replies in flight are lost.
        Cut = "core/store/src/client/machine.rs", "on_link_lost";
        /// Another store starts.
        Start = "core/store/src/state/recovery.rs", "new";
        /// A member claims its place at the new store.
        Claim = "core/store/src/state/recovery.rs", "claim";
        /// A member has sent how its votes ended.
        Report = "core/store/src/state/recovery.rs", "one_way";
        /// The store begins to serve.
        TakeOver = "core/store/src/state/takeover.rs", "take_over";
        /// A member learns that the store has taken it over.
        Welcome = "core/store/src/client/machine.rs", "on_welcome";
        /// A member learns that stores went on without it; its votes end with its membership.
        Refuse = "core/store/src/state/takeover.rs", "refuse_late";
        /// Dies.
        Die = "core/store/src/state/recovery.rs", "end";
    }
}

/// Outcome of a vote; the number of a step that receives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// All have made their parts.
    Made = 1,
    /// One has not, and all know which.
    Failed,
    /// Not all came in time.
    Late,
}

/// The ballots of a vote that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Round {
    number: u8,
    /// The vote that each member voted in, plus 1; 0 without a ballot.
    ballots: [u8; MEMBERS],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Reply {
    Ended(Round),
    Late,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Member {
    is_dead: bool,
    /// Its present or next vote.
    vote: u8,
    is_voting: bool,
    /// The last round that it knows, and knew when it began to vote.
    revision: u8,
    after: u8,
    kept: Option<Round>,
    /// In flight to the member.
    reply: Option<Reply>,
    /// The store at the other end of its link; 0: none.
    link: u8,
    /// The last store that took it over, as far as it knows; a welcome is in flight.
    term: u8,
    is_welcomed: bool,
    /// A later store went on without it.
    is_given_up: bool,
    outcomes: [Option<Outcome>; VOTES],
    /// Votes for which it has its part.
    parts: Set,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Store {
    number: u8,
    is_serving: bool,
    /// The vote of each member inside, plus 1.
    inside: [u8; MEMBERS],
    ended: Option<Round>,
    claimed: Set,
    reported: Set,
    /// Members that are dead to it.
    ends: Set,
}

/// State of the members and the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    members: [Member; MEMBERS],
    store: Option<Store>,
    stores: u8,
    rounds: u8,
    deaths: u8,
    /// A member received the end of another vote.
    has_mixed: bool,
    /// A vote ended with the ballot of a member that was dead to the store.
    has_counted_dead: bool,
}

/// A job with members that vote.
pub struct Votes {
    /// Name in tables.
    pub name: &'static str,
    members: usize,
    /// Members that cannot make their part, of each vote.
    failing: &'static [Set],
    deaths: usize,
    stores: u8,
    guards: Guards,
    taken: Taken,
}

/// All or none.
pub const ALIKE: &str = "members that stay end a vote alike";
/// Success means that all parts are there.
pub const ALL: &str = "a vote succeeds only if all have made their parts";
/// Votes are not mixed up.
pub const OWN: &str = "a member receives the outcome of its own vote";
/// Ballots of the dead do not count.
pub const LIVING: &str = "no vote counts a member that is dead to the store";
/// Nothing is left behind.
pub const PARTS: &str = "a member keeps its part if the vote succeeded, and only then";
/// Nothing waits for ever.
pub const ENDS: &str = "votes of living members end";

impl Votes {
    fn fails(&self, member: usize, vote: u8) -> bool {
        self.failing.get(usize::from(vote)).is_some_and(|failing| failing & bit(member) != 0)
    }

    /// The pure decision over the ballots of all.
    fn decide(&self, round: &Round) -> Outcome {
        let mut ballots = round.ballots.iter().take(self.members).enumerate();
        let has_failed = ballots.any(|(member, ballot)| match ballot.checked_sub(1) {
            Some(vote) => self.fails(member, vote) && self.guards.failure_counts,
            None => true,
        });
        if has_failed { Outcome::Failed } else { Outcome::Made }
    }

    fn outcome(&self, reply: &Reply) -> Outcome {
        match reply {
            Reply::Ended(round) => self.decide(round),
            Reply::Late => Outcome::Late,
        }
    }

    fn is_missed(&self, member: usize, state: &State, store: &Store) -> bool {
        let after = state.members[member].after;
        store.ended.is_some_and(|round| {
            round.ballots[member] > 0 && (round.number > after || !self.guards.later_rounds_only)
        })
    }

    fn is_done(&self, member: &Member) -> bool {
        member.is_dead || usize::from(member.vote) >= self.failing.len() && !member.is_voting
    }

    fn serving_step(&self, state: &State, store: &Store, by: usize) -> Option<Kind> {
        let member = &state.members[by];
        let is_here = member.link == store.number;
        if !member.is_dead && store.claimed > 0 && member.link == 0 {
            return Some(Kind::Refuse);
        }
        if member.is_dead && is_here && store.inside[by] > 0 && store.ends & bit(by) == 0 {
            return Some(Kind::Leave);
        }
        // A ballot that was in flight when its member died may still arrive.
        let is_member = is_here && member.term == store.number;
        let may_enter = member.is_voting && is_member && store.inside[by] == 0 && member.reply.is_none();
        if !may_enter {
            return None;
        }
        Some(if self.is_missed(by, state, store) { Kind::Missed } else { Kind::Enter })
    }

    /// Sends a reply to all inside, and lets them out.
    fn reply_all(state: &mut State, store: &mut Store, reply: Reply) {
        for (member, inside) in state.members.iter_mut().zip(&mut store.inside) {
            if std::mem::take(inside) > 0 && !member.is_dead {
                member.reply = Some(reply);
            }
        }
    }

    fn enter(&self, state: &mut State, store: &mut Store, by: usize) {
        store.inside[by] = state.members[by].vote + 1;
        if state.members[by].is_dead {
            state.members[by].is_voting = false;
        }
        let enough = if self.guards.waits_for_all { self.members } else { self.members - 1 };
        if store.inside.iter().filter(|inside| **inside > 0).count() < enough {
            return;
        }
        state.rounds += 1;
        let is_inside = |member: &usize| store.inside[*member] > 0 && store.ends & bit(*member) != 0;
        state.has_counted_dead |= (0..self.members).any(|member| is_inside(&member));
        let round = Round { number: state.rounds, ballots: store.inside };
        Self::reply_all(state, store, Reply::Ended(round));
    }

    fn receive(&self, state: &mut State, by: usize) {
        let member = &mut state.members[by];
        let Some(reply) = member.reply.take() else { return };
        let outcome = self.outcome(&reply);
        let vote = usize::from(member.vote);
        if let Reply::Ended(round) = reply {
            state.has_mixed |= round.ballots[by] != member.vote + 1;
            member.revision = member.revision.max(round.number);
            member.kept = Some(round);
        }
        member.outcomes[vote] = Some(outcome);
        member.is_voting = false;
        if outcome != Outcome::Made && self.guards.destroys_parts {
            member.parts &= !bit(vote);
        }
        // A member that came too late does not vote again.
        member.vote = if outcome == Outcome::Late { VOTES as u8 } else { member.vote + 1 };
    }

    /// The store takes over the members of the highest term, and learns from them how votes ended.
    fn take_over(&self, state: &mut State, store: &mut Store) {
        let has_reported = |number: usize| store.reported & bit(number) != 0;
        let reported = (0..self.members).filter(|number| has_reported(*number));
        let term = reported.map(|number| state.members[number].term).max();
        for (number, member) in state.members.iter_mut().enumerate() {
            if !has_reported(number) || Some(member.term) != term {
                member.link = 0;
                member.is_given_up = !member.is_dead;
                continue;
            }
            member.is_welcomed = !member.is_dead;
            let Some(round) = member.kept.filter(|_| self.guards.reports_rounds) else { continue };
            let is_later = store.ended.is_none_or(|known| known.number < round.number);
            if is_later || !self.guards.later_report_counts {
                store.ended = Some(round);
            }
        }
        store.is_serving = true;
    }
}

impl Model for Votes {
    type State = State;
    type Action = Step<Kind>;

    fn init_states(&self) -> Vec<State> {
        let mut members = [Member { link: 1, term: 1, ..Member::default() }; MEMBERS];
        for member in members.iter_mut().skip(self.members) {
            *member = Member { is_dead: true, ..Member::default() };
        }
        let store = Store { number: 1, is_serving: true, ..Store::default() };
        vec![State {
            members,
            store: Some(store),
            stores: 1,
            rounds: 0,
            deaths: 0,
            has_mixed: false,
            has_counted_dead: false,
        }]
    }

    fn actions(&self, state: &State, steps: &mut Vec<Step<Kind>>) {
        let step = |kind, by: usize| Step { kind, by: by as u8, on: 0 };
        let all = 0..self.members;
        let living = || all.clone().filter(|member| !state.members[*member].is_dead);
        match &state.store {
            None if state.stores < self.stores && living().next().is_some() => {
                steps.push(step(Kind::Start, 0));
            }
            None => {}
            Some(store) if store.is_serving => {
                steps.extend(
                    all.clone().filter_map(|by| Some(step(self.serving_step(state, store, by)?, by))),
                );
                if store.inside.iter().any(|inside| *inside > 0) && self.guards.ends_in_time {
                    steps.push(step(Kind::Expire, 0));
                }
                if state.stores < self.stores {
                    steps.push(step(Kind::LoseStore, 0));
                }
            }
            Some(store) => {
                if state.stores < self.stores {
                    steps.push(step(Kind::LoseStore, 0));
                }
                for by in all.clone() {
                    let (member, is_in) = (&state.members[by], |set: Set| set & bit(by) != 0);
                    if !is_in(store.claimed) && member.link == 0 {
                        steps.push(step(Kind::Claim, by));
                    } else if is_in(store.claimed) && !is_in(store.reported) {
                        steps.push(step(Kind::Report, by));
                    }
                }
                // Members of an earlier term are not waited for.
                let term = living().map(|by| state.members[by].term).max();
                let mut latest = living().filter(|by| Some(state.members[*by].term) == term);
                if term.is_some() && latest.all(|by| store.reported & bit(by) != 0) {
                    steps.push(step(Kind::TakeOver, 0));
                }
            }
        }
        for by in living() {
            let member = &state.members[by];
            if let Some(reply) = &member.reply {
                steps.push(Step { on: self.outcome(reply) as u8, ..step(Kind::Receive, by) });
            }
            if member.link > 0 && state.store.is_none_or(|store| store.number != member.link) {
                steps.push(step(Kind::Cut, by));
            }
            if member.is_welcomed {
                steps.push(step(Kind::Welcome, by));
            }
            if !member.is_voting && usize::from(member.vote) < self.failing.len() {
                steps.push(step(Kind::Begin, by));
            }
            if usize::from(state.deaths) < self.deaths {
                steps.push(step(Kind::Die, by));
            }
        }
    }

    fn next_state(&self, last: &State, step: Step<Kind>) -> Option<State> {
        self.taken.note(step.kind);
        let mut state = *last;
        let by = usize::from(step.by);
        let mut store = state.store.unwrap_or_default();
        match step.kind {
            Kind::Begin => {
                let fails = self.fails(by, state.members[by].vote);
                let member = &mut state.members[by];
                (member.is_voting, member.after) = (true, member.revision);
                member.parts |= if fails { 0 } else { bit(usize::from(member.vote)) };
            }
            Kind::Enter => self.enter(&mut state, &mut store, by),
            Kind::Missed => {
                let member = &mut state.members[by];
                match member.is_dead {
                    true => member.is_voting = false,
                    false => member.reply = store.ended.map(Reply::Ended),
                }
            }
            Kind::Expire => Self::reply_all(&mut state, &mut store, Reply::Late),
            Kind::Leave => {
                store.ends |= bit(by);
                state.members[by].link = 0;
                if self.guards.dead_leave {
                    store.inside[by] = 0;
                }
            }
            Kind::Receive => self.receive(&mut state, by),
            Kind::Cut => {
                let member = &mut state.members[by];
                (member.reply, member.link, member.is_welcomed) = (None, 0, false);
            }
            Kind::Welcome => {
                let member = &mut state.members[by];
                (member.term, member.is_welcomed) = (member.link, false);
            }
            Kind::LoseStore => {
                let dead = state.members.iter_mut().filter(|member| member.is_dead);
                dead.for_each(|member| member.link = 0);
                state.store = None;
                return Some(state);
            }
            Kind::Start => {
                state.stores += 1;
                store = Store { number: state.stores, ..Store::default() };
            }
            Kind::Claim => {
                state.members[by].link = store.number;
                store.claimed |= bit(by);
            }
            Kind::Report => store.reported |= bit(by),
            Kind::TakeOver => self.take_over(&mut state, &mut store),
            Kind::Die | Kind::Refuse => {
                state.members[by].is_given_up = false;
                state.deaths += u8::from(step.kind == Kind::Die);
                let has_store = state.store.is_some_and(|store| store.number == state.members[by].link);
                let member = &mut state.members[by];
                (member.is_dead, member.reply, member.parts, member.is_welcomed) = (true, None, 0, false);
                member.link = if has_store { member.link } else { 0 };
            }
        }
        state.store =
            state.store.map_or_else(|| (step.kind == Kind::Start).then_some(store), |_| Some(store));
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always(ALIKE, |_, state: &State| {
                (0..VOTES).all(|vote| {
                    let is_member = |member: &&Member| !member.is_dead && !member.is_given_up;
                    let members = state.members.iter().filter(is_member);
                    let mut outcomes = members.filter_map(|member| member.outcomes[vote]);
                    let first = outcomes.next();
                    outcomes.all(|outcome| Some(outcome) == first)
                })
            }),
            Property::always(ALL, |model: &Self, state: &State| {
                let made = |vote: &usize| {
                    state.members.iter().any(|member| member.outcomes[*vote] == Some(Outcome::Made))
                };
                (0..model.failing.len()).filter(made).all(|vote| model.failing[vote] == 0)
            }),
            Property::always(OWN, |_, state: &State| !state.has_mixed),
            Property::always(LIVING, |_, state: &State| !state.has_counted_dead),
            Property::always(PARTS, |_, state: &State| {
                let living = state.members.iter().filter(|member| !member.is_dead);
                living.clone().all(|member| {
                    (0..VOTES).all(|vote| {
                        let has_part = member.parts & bit(vote) != 0;
                        member.outcomes[vote].is_none_or(|outcome| has_part == (outcome == Outcome::Made))
                    })
                })
            }),
            Property::always(ENDS, |model: &Self, state: &State| {
                let mut steps = Vec::new();
                model.actions(state, &mut steps);
                steps.iter().any(|step| !matches!(step.kind, Kind::Die | Kind::LoseStore))
                    || state.members.iter().all(|member| model.is_done(member))
            }),
        ]
    }
}

impl Protocol for Votes {
    type Kind = Kind;

    fn taken(&self) -> &Taken {
        &self.taken
    }
}
