// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Pool: members of one host that join, leave, grow and die, over links and their records in the store.
//!
//! Three members. Each link delivers in order, every message at any time. A member that dies closes its links
//! behind its messages; the store removes its record at any time after that.

use stateright::{Model, Property};

use crate::check::{Protocol, Step, Taken};
use crate::code::Guard;
use crate::list::List;
use crate::steps;

use Operation::{Grow, Join, Leave};

const MEMBERS: usize = 3;

steps! {
    /// Steps of members.
    Kind {
        /// Publishes the own record.
        Publish = "core/fabric/src/pool/membership.rs", "publish";
        /// Lists the older records.
        ListOlder = "core/fabric/src/pool/membership.rs", "older_members";
        /// Sends the own contribution to an older member.
        Announce = "core/fabric/src/pool/membership.rs", "announce_join";
        /// Handles a request: an announcement, a growth, a farewell.
        Handle = "core/fabric/src/pool/local_service.rs", "answer";
        /// Replies with the own contribution.
        Reply = "core/fabric/src/pool/local_service.rs", "contribution";
        /// Handles a reply.
        HandleReply = "core/fabric/src/pool/local_service.rs", "reply";
        /// Sees that an older member's record has gone or is newer.
        ReadAgain = "core/fabric/src/pool/membership.rs", "announce_join";
        /// Returns from joining.
        EndJoin = "core/fabric/src/pool/membership.rs", "join";
        /// Leaves: removes the own record.
        Withdraw = "core/fabric/src/pool/membership.rs", "withdraw_record";
        /// Says farewell to all.
        SayFarewell = "core/fabric/src/pool/membership.rs", "announce_leave";
        /// Grows the own contribution.
        Grow = "core/fabric/src/pool/growth.rs", "extend";
        /// Sends the growth to all.
        SendGrowth = "core/fabric/src/pool/local_peers.rs", "request_all";
        /// Sees that a link has ended.
        HandleEnd = "core/fabric/src/pool/local_service.rs", "on_lost";
        /// Dies.
        Die = "core/fabric/src/pool/local_peers.rs", "closed";
        /// The store removes the record of a dead member.
        Expire = "core/fabric/src/pool/member_record.rs", "key";
    }
}

/// Operation of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Operation {
    Join,
    Leave,
    Grow,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Stage {
    #[default]
    Created,
    Joining,
    Joined,
    Left,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Presence {
    #[default]
    Absent,
    Joined,
    Left,
    Dead,
}

/// A message, with a size of a contribution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Message {
    #[default]
    None,
    Announce(u8),
    Done(u8),
    Refused,
    Leave,
    Extend(u8),
    End,
}

/// Knowledge of another member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Peer {
    presence: Presence,
    size: u8,
    is_linked: bool,
    has_departed: bool,
    /// Revision of its record, while a join waits for its reply; 0: it does not.
    waits_for: u8,
    is_asked: bool,
    /// The size to reply with, plus 1; 0: no reply is due.
    reply: u8,
    /// Messages of this peer that were not handled yet.
    inbox: List<Message, 6>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Member {
    stage: Stage,
    done: u8,
    /// Steps of the present operation that were taken.
    at: u8,
    revision: u8,
    size: u8,
    peers: [Peer; MEMBERS],
}

/// State of all members and of the store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    members: [Member; MEMBERS],
    is_dead: [bool; MEMBERS],
    records: [u8; MEMBERS],
    revision: u8,
}

/// Conditions of the real code.
#[derive(Clone, Copy, Debug)]
pub struct Guards {
    publishes_first: bool,
    takes_part: bool,
    links_before_reply: bool,
    waits_for_all: bool,
    reads_again: bool,
    reply_ends_farewell: bool,
    announcement_ends_farewell: bool,
    end_is_death: bool,
}

impl Default for Guards {
    fn default() -> Self {
        Self {
            publishes_first: true,
            takes_part: true,
            links_before_reply: true,
            waits_for_all: true,
            reads_again: true,
            reply_ends_farewell: true,
            announcement_ends_farewell: true,
            end_is_death: true,
        }
    }
}

/// Programs of the members, and the number of deaths.
pub struct Pool {
    /// Name in tables.
    pub name: &'static str,
    programs: [&'static [Operation]; MEMBERS],
    deaths: usize,
    guards: Guards,
    taken: Taken,
}

/// Members that have joined see each other.
pub const MUTUAL: &str = "members that have joined can copy to each other";
/// Growth reaches all.
pub const SIZES: &str = "at rest members know the sizes of all others";
/// Departures reach all.
pub const GONE: &str = "at rest no member that left or died is taken for joined";
/// Nothing waits for ever.
pub const ENDS: &str = "joins of living members end";

fn others(of: usize) -> impl Iterator<Item = usize> {
    (0..MEMBERS).filter(move |other| *other != of)
}

impl Pool {
    fn operation(&self, state: &State, by: usize) -> Option<Operation> {
        self.programs[by].get(usize::from(state.members[by].done)).copied()
    }

    fn program_step(&self, state: &State, by: usize) -> Option<Kind> {
        let member = &state.members[by];
        match (self.operation(state, by)?, member.at) {
            (Join, 0 | 1) => Some(if (member.at == 0) == self.guards.publishes_first {
                Kind::Publish
            } else {
                Kind::ListOlder
            }),
            (Join, _) => {
                let waits = member.peers.iter().any(|peer| peer.waits_for > 0);
                (!waits || !self.guards.waits_for_all).then_some(Kind::EndJoin)
            }
            (Leave, 0) => Some(Kind::Withdraw),
            (Leave, _) => Some(Kind::SayFarewell),
            (Grow, 0) => Some(Kind::Grow),
            (Grow, _) => Some(Kind::SendGrowth),
        }
    }

    fn steps_towards(&self, state: &State, by: usize, peer: usize, mut add: impl FnMut(Kind)) {
        let known = &state.members[by].peers[peer];
        if known.waits_for > 0 && !known.is_asked {
            if state.records[peer] != known.waits_for {
                if self.guards.reads_again {
                    add(Kind::ReadAgain);
                }
            } else if !state.is_dead[peer] {
                add(Kind::Announce);
            }
        }
        // A reply is written before the next message of that peer is read.
        if known.reply > 0 {
            return add(Kind::Reply);
        }
        match known.inbox.first() {
            None => {}
            Some(Message::Done(_) | Message::Refused) => add(Kind::HandleReply),
            Some(Message::End) => add(Kind::HandleEnd),
            Some(_) => add(Kind::Handle),
        }
    }

    fn take_program_step(&self, state: &mut State, by: usize, kind: Kind) {
        let member = &mut state.members[by];
        member.at += 1;
        match kind {
            Kind::Publish => {
                state.revision += 1;
                member.stage = Stage::Joining;
                member.revision = state.revision;
                state.records[by] = state.revision;
            }
            Kind::ListOlder => {
                // All that are there are older.
                for peer in others(by) {
                    member.peers[peer].waits_for = state.records[peer];
                }
            }
            Kind::EndJoin => member.stage = Stage::Joined,
            Kind::Withdraw => {
                member.stage = Stage::Left;
                state.records[by] = 0;
            }
            Kind::Grow => member.size += 1,
            Kind::SayFarewell => Self::send_to_all(state, by, Message::Leave),
            _ => {
                let size = member.size;
                Self::send_to_all(state, by, Message::Extend(size));
            }
        }
        if matches!(kind, Kind::EndJoin | Kind::SayFarewell | Kind::SendGrowth) {
            let member = &mut state.members[by];
            (member.done, member.at) = (member.done + 1, 0);
        }
    }

    fn send(state: &mut State, by: usize, to: usize, message: Message) {
        if !state.is_dead[to] {
            state.members[to].peers[by].inbox.push(message);
        }
    }

    fn send_to_all(state: &mut State, by: usize, message: Message) {
        let peers = state.members[by].peers;
        for peer in others(by).filter(|peer| peers[*peer].is_linked) {
            Self::send(state, by, peer, message);
        }
    }

    fn handle(&self, state: &mut State, by: usize, from: usize) {
        let takes_part =
            matches!(state.members[by].stage, Stage::Joining | Stage::Joined) || !self.guards.takes_part;
        let size = state.members[by].size;
        let peer = &mut state.members[by].peers[from];
        match peer.inbox.take_first() {
            Some(Message::Announce(_)) if !takes_part => Self::send(state, by, from, Message::Refused),
            Some(Message::Announce(its)) => {
                (peer.presence, peer.size) = (Presence::Joined, its);
                if self.guards.announcement_ends_farewell {
                    peer.has_departed = false;
                }
                peer.is_linked |= self.guards.links_before_reply;
                peer.reply = if self.guards.links_before_reply { u8::MAX } else { size + 1 };
            }
            Some(Message::Leave) => {
                (peer.presence, peer.has_departed) = (Presence::Left, true);
            }
            Some(Message::Extend(its)) if peer.presence == Presence::Joined => peer.size = its,
            Some(Message::Done(its)) => {
                (peer.presence, peer.size) = (Presence::Joined, its);
                (peer.waits_for, peer.is_asked) = (0, false);
                if self.guards.reply_ends_farewell {
                    peer.has_departed = false;
                }
            }
            Some(Message::Refused) => peer.is_asked = false,
            Some(Message::End) => {
                peer.is_asked = false;
                let is_death = peer.is_linked && !peer.has_departed && peer.presence == Presence::Joined;
                if is_death && self.guards.end_is_death {
                    peer.presence = Presence::Dead;
                }
                peer.is_linked = false;
            }
            _ => {}
        }
    }

    fn die(state: &mut State, by: usize) {
        state.is_dead[by] = true;
        for peer in others(by) {
            if state.members[peer].peers[by].is_linked || state.members[by].peers[peer].is_linked {
                Self::send(state, by, peer, Message::End);
            }
        }
        state.members[by] = Member { done: state.members[by].done, ..Member::default() };
    }

    fn is_at_rest(&self, state: &State) -> bool {
        (0..MEMBERS).filter(|member| !state.is_dead[*member]).all(|member| {
            self.operation(state, member).is_none()
                && others(member).all(|peer| {
                    let known = &state.members[member].peers[peer];
                    known.inbox.is_empty() && known.reply == 0
                })
        }) && (0..MEMBERS).all(|member| !state.is_dead[member] || state.records[member] == 0)
    }

    /// Pairs of different members that live and of which the first has joined.
    fn pairs(state: &State) -> impl Iterator<Item = (&Peer, &Member, bool)> {
        let pairs = (0..MEMBERS).flat_map(|member| others(member).map(move |peer| (member, peer)));
        let pairs = pairs
            .filter(|(member, _)| !state.is_dead[*member] && state.members[*member].stage == Stage::Joined);
        pairs.map(|(member, peer)| {
            (&state.members[member].peers[peer], &state.members[peer], state.is_dead[peer])
        })
    }
}

impl Model for Pool {
    type State = State;
    type Action = Step<Kind>;

    fn init_states(&self) -> Vec<State> {
        vec![State::default()]
    }

    fn actions(&self, state: &State, steps: &mut Vec<Step<Kind>>) {
        let dead = state.is_dead.iter().filter(|is_dead| **is_dead).count();
        for by in 0..MEMBERS {
            let step = |kind, on: usize| Step { kind, by: by as u8, on: on as u8 };
            if state.is_dead[by] {
                steps.extend((state.records[by] > 0).then(|| step(Kind::Expire, 0)));
                continue;
            }
            steps.extend(self.program_step(state, by).map(|kind| step(kind, 0)));
            for peer in others(by) {
                self.steps_towards(state, by, peer, |kind| steps.push(step(kind, peer)));
            }
            if dead < self.deaths {
                steps.push(step(Kind::Die, 0));
            }
        }
    }

    fn next_state(&self, last: &State, step: Step<Kind>) -> Option<State> {
        self.taken.note(step.kind);
        let mut state = *last;
        let (by, on) = (usize::from(step.by), usize::from(step.on));
        match step.kind {
            Kind::Announce => {
                let size = state.members[by].size;
                let peer = &mut state.members[by].peers[on];
                (peer.is_linked, peer.is_asked) = (true, true);
                Self::send(&mut state, by, on, Message::Announce(size));
            }
            Kind::ReadAgain => state.members[by].peers[on].waits_for = 0,
            Kind::Handle | Kind::HandleReply | Kind::HandleEnd => self.handle(&mut state, by, on),
            Kind::Reply => {
                let size = state.members[by].size;
                let peer = &mut state.members[by].peers[on];
                let reply = std::mem::take(&mut peer.reply);
                peer.is_linked = true;
                // Checked again when the contribution is read.
                let takes_part = matches!(state.members[by].stage, Stage::Joining | Stage::Joined);
                let message = match reply {
                    _ if !takes_part && self.guards.takes_part => Message::Refused,
                    u8::MAX => Message::Done(size),
                    reply => Message::Done(reply - 1),
                };
                Self::send(&mut state, by, on, message);
            }
            Kind::Die => Self::die(&mut state, by),
            Kind::Expire => state.records[by] = 0,
            kind => self.take_program_step(&mut state, by, kind),
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always(MUTUAL, |_, state: &State| {
                Self::pairs(state).all(|(known, peer, is_dead)| {
                    is_dead || peer.stage != Stage::Joined || known.presence == Presence::Joined
                })
            }),
            Property::always(SIZES, |model: &Self, state: &State| {
                !model.is_at_rest(state)
                    || Self::pairs(state).all(|(known, peer, is_dead)| {
                        is_dead || peer.stage != Stage::Joined || known.size == peer.size
                    })
            }),
            Property::always(GONE, |model: &Self, state: &State| {
                !model.is_at_rest(state)
                    || Self::pairs(state).all(|(known, peer, is_dead)| {
                        known.presence != Presence::Joined || !is_dead && peer.stage == Stage::Joined
                    })
            }),
            Property::always(ENDS, |model: &Self, state: &State| {
                let mut steps = Vec::new();
                model.actions(state, &mut steps);
                steps.iter().any(|step| step.kind != Kind::Die) || model.is_at_rest(state)
            }),
        ]
    }
}

impl Protocol for Pool {
    type Kind = Kind;

    fn taken(&self) -> &Taken {
        &self.taken
    }
}

/// Name, programs, deaths.
type Scene = (&'static str, [&'static [Operation]; MEMBERS], usize);

const SCENES: &[Scene] = &[
    ("three join", [&[Join], &[Join], &[Join]], 2),
    ("growth", [&[Join, Grow], &[Join, Grow], &[]], 1),
    ("a member comes again", [&[Join, Leave, Join], &[Join], &[]], 2),
    ("growth and a farewell", [&[Join, Grow], &[Join, Leave], &[Join]], 0),
];

/// The models of all scenes, or of one.
pub fn scenes(guards: &Guards, only: Option<&str>) -> Vec<Pool> {
    let model = |(name, programs, deaths): &Scene| Pool {
        name,
        programs: *programs,
        deaths: *deaths,
        guards: *guards,
        taken: Taken::default(),
    };
    SCENES.iter().filter(|scene| only.is_none_or(|only| only == scene.0)).map(model).collect()
}

const MEMBERSHIP: &str = "core/fabric/src/pool/membership.rs";
const SERVICE: &str = "core/fabric/src/pool/local_service.rs";

/// The guards, each with the property that fails without it.
pub const GUARDS: &[Guard<Guards>] = &[
    Guard {
        name: "a member publishes its record before it lists the others",
        file: MEMBERSHIP,
        text: "let published = self.publish(endpoint);",
        scene: "three join",
        off: |guards| guards.publishes_first = false,
        property: MUTUAL,
    },
    Guard {
        name: "a member that does not take part refuses announcements",
        file: SERVICE,
        text: "self.stage.check_part(self.me().rank)?;",
        scene: "growth and a farewell",
        off: |guards| guards.takes_part = false,
        property: GONE,
    },
    Guard {
        name: "a link counts before the contribution for its reply is read",
        file: SERVICE,
        text: "let order = self.local_peers.order();",
        scene: "growth",
        off: |guards| guards.links_before_reply = false,
        property: SIZES,
    },
    Guard {
        name: "a join waits for all older members",
        file: MEMBERSHIP,
        text: "while !waiting.is_empty() {",
        scene: "three join",
        off: |guards| guards.waits_for_all = false,
        property: MUTUAL,
    },
    Guard {
        name: "a join reads the records of silent members again",
        file: MEMBERSHIP,
        text: "is_some_and(|entry| entry.revision == member.revision)",
        scene: "three join",
        off: |guards| guards.reads_again = false,
        property: ENDS,
    },
    Guard {
        name: "a reply ends an earlier farewell",
        file: SERVICE,
        text: "self.local_peers.set_departed(from, false);",
        scene: "a member comes again",
        off: |guards| guards.reply_ends_farewell = false,
        property: GONE,
    },
    Guard {
        name: "an announcement ends an earlier farewell",
        file: "core/fabric/src/pool/local_peers.rs",
        text: "table.members.insert(connection, Connected { rank, departed: false });",
        scene: "a member comes again",
        off: |guards| guards.announcement_ends_farewell = false,
        property: GONE,
    },
    Guard {
        name: "the end of a link without a farewell is a death",
        file: SERVICE,
        text: "self.segments.extents.set_presence(rank, Presence::Dead);",
        scene: "three join",
        off: |guards| guards.end_is_death = false,
        property: GONE,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Explored, assert_guards, explore};

    #[test]
    fn members_see_each_other_as_they_are() {
        let all = scenes(&Guards::default(), None).into_iter().map(|model| explore(model.name, model));
        all.fold(Explored::default(), Explored::and).assert_bound::<Kind>();
    }

    #[test]
    fn each_guard_of_the_pool_is_needed() {
        assert_guards(GUARDS, scenes);
    }
}
