// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Links: two processes that dial each other at the same time, of which one may start again.
//!
//! A link has two directions, each in order, which end at what their writer has sent. Process 0 has the lower
//! rank. A process that starts again has closed the ends of its links, and dials anew. One thread of a
//! process may receive while another one still dials.

use stateright::{Model, Property};

use crate::check::{Protocol, Step, Taken};
use crate::code::Guard;
use crate::list::List;
use crate::steps;

const LINKS: usize = 4;
steps! {
    /// Steps of processes.
    Kind {
        /// Dials the other process.
        Dial = "core/hmc/src/ctrl/simultaneous_connect.rs", "dialled";
        /// Takes a link that is complete at this end, and decides which one stays.
        Keep = "core/hmc/src/ctrl/simultaneous_connect.rs", "decide";
        /// Sends no more on a link that goes.
        PassOn = "core/hmc/src/ctrl/link.rs", "pass_on";
        /// Sends a message.
        Send = "core/hmc/src/ctrl/links.rs", "find";
        /// Receives a message, of a link that goes before one that stays.
        Receive = "core/hmc/src/ctrl/simultaneous_connect.rs", "receive_before";
        /// Sees the end of a link.
        SeeEnd = "core/hmc/src/ctrl/simultaneous_connect.rs", "is_read";
        /// Ends, and starts again as another process.
        Restart = "core/hmc/src/ctrl/simultaneous_connect.rs", "is_closed";
    }
}

/// One direction of a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Direction {
    messages: List<u8, 4>,
    is_closed: bool,
}

/// State of one end of a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum End {
    /// Not complete yet.
    #[default]
    Coming,
    Kept,
    /// It goes; the own direction is not closed yet.
    Going,
    /// It is read to its end.
    Passed,
    Ended,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Link {
    dialler: u8,
    /// The two ends and the two directions, by process and by sender.
    ends: [End; 2],
    directions: [Direction; 2],
    /// A process has received from it: all links with earlier messages are known there.
    is_settled: [bool; 2],
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Process {
    has_dialled: bool,
    current: Option<u8>,
    /// Links that are read before that one.
    before: List<u8, 4>,
    sent: u8,
    received: u8,
}

/// State of both processes and their links, in the order in which they were dialled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    processes: [Process; 2],
    links: List<Link, LINKS>,
    restarts: u8,
    is_out_of_order: bool,
}

/// Conditions of the real code.
#[derive(Clone, Copy, Debug)]
pub struct Guards {
    lower_stays: bool,
    closed_never_stays: bool,
    reads_before: bool,
    passes_on: bool,
    orders_accepted: bool,
    settles: bool,
    waits_for_dials: bool,
}

impl Default for Guards {
    fn default() -> Self {
        Self {
            lower_stays: true,
            closed_never_stays: true,
            reads_before: true,
            passes_on: true,
            orders_accepted: true,
            settles: true,
            waits_for_dials: true,
        }
    }
}

/// Two processes, and how often one of them starts again.
pub struct Links {
    /// Name in tables.
    pub name: &'static str,
    restarts: u8,
    /// Messages that each process sends to one process.
    messages: u8,
    guards: Guards,
    taken: Taken,
}

/// No message is lost or overtaken.
pub const ORDER: &str = "messages arrive in order";
/// Nothing is lost.
pub const ALL: &str = "at rest all messages have arrived, unless a process started again";
/// Both agree.
pub const SAME: &str = "at rest both processes have the same link, open at both ends";

impl Links {
    fn is_closed(state: &State, link: u8, by: usize) -> bool {
        state.links[usize::from(link)].directions[1 - by].is_closed
    }

    /// Returns the link to keep, the link to give up, and true if the latter is read first.
    fn decide(&self, state: &State, new: u8, former: u8, by: usize) -> (u8, u8, bool) {
        let is_dialled = |link: u8| usize::from(state.links[usize::from(link)].dialler) == by;
        let is_older = !is_dialled(new) && !is_dialled(former) && new < former && self.guards.orders_accepted;
        let (later, earlier) = if is_older { (former, new) } else { (new, former) };
        let is_closed = |link| Self::is_closed(state, link, by) && self.guards.closed_never_stays;
        let has_ended = |link: u8| state.links[usize::from(link)].ends[by] == End::Ended;
        if is_closed(earlier) && !has_ended(earlier) {
            return (later, earlier, true);
        }
        if is_dialled(later) == is_dialled(earlier) || !self.guards.lower_stays {
            return (later, earlier, false);
        }
        let (dialled, accepted) = if is_dialled(later) { (later, earlier) } else { (earlier, later) };
        let (stays, goes) = if by == 0 { (dialled, accepted) } else { (accepted, dialled) };
        if has_ended(stays) {
            return (later, earlier, false);
        }
        if is_closed(stays) { (goes, stays, true) } else { (stays, goes, true) }
    }

    fn keep(&self, state: &mut State, by: usize, new: u8) {
        state.links[usize::from(new)].ends[by] = End::Kept;
        let Some(former) = state.processes[by].current else {
            state.processes[by].current = Some(new);
            return;
        };
        let (stays, goes, is_read_first) = self.decide(state, new, former, by);
        state.processes[by].current = Some(stays);
        if is_read_first {
            let process = &mut state.processes[by];
            if self.guards.reads_before {
                process.before.push(goes);
            }
            state.links[usize::from(goes)].ends[by] = End::Going;
        } else {
            Self::end(state, by, goes);
        }
    }

    /// Closes an end in both directions.
    fn end(state: &mut State, by: usize, link: u8) {
        let link_state = &mut state.links[usize::from(link)];
        link_state.ends[by] = End::Ended;
        link_state.is_settled[by] = false;
        link_state.directions[by].is_closed = true;
        link_state.directions[1 - by].messages = List::default();
        state.processes[by].before.retain(|before| *before != link);
    }

    fn restart(state: &mut State, by: usize) {
        for link in 0..state.links.len() as u8 {
            Self::end(state, by, link);
        }
        state.processes[by] = Process::default();
        // The streams begin again.
        (state.processes[1 - by].sent, state.processes[1 - by].received) = (0, 0);
        state.restarts += 1;
    }

    /// The link that a process reads now.
    fn source(state: &State, by: usize) -> Option<u8> {
        state.processes[by].before.first().copied().or(state.processes[by].current)
    }

    /// Returns false while a link is not known yet on which the peer may have sent earlier messages.
    fn may_receive(&self, state: &State, source: u8, by: usize) -> bool {
        let source = &state.links[usize::from(source)];
        let is_dialled = |link: &Link| usize::from(link.dialler) == by;
        let waits = if is_dialled(source) { self.guards.settles } else { self.guards.waits_for_dials };
        let may_cross = |link: &Link| is_dialled(link) != is_dialled(source) && link.ends[by] == End::Coming;
        source.is_settled[by] || !waits || !state.links.iter().any(may_cross)
    }

    fn is_open(state: &State, link: u8) -> bool {
        state.links[usize::from(link)].ends == [End::Kept; 2]
    }
}

impl Model for Links {
    type State = State;
    type Action = Step<Kind>;

    fn init_states(&self) -> Vec<State> {
        vec![State::default()]
    }

    fn actions(&self, state: &State, steps: &mut Vec<Step<Kind>>) {
        for by in 0..2 {
            let process = &state.processes[by];
            let step = |kind, on: u8| Step { kind, by: by as u8, on };
            let is_broken = process.current.is_none_or(|link| Self::is_closed(state, link, by));
            if !process.has_dialled && is_broken && state.links.len() < LINKS {
                steps.push(step(Kind::Dial, 0));
            }
            for (number, link) in (0u8..).zip(state.links.iter()) {
                match link.ends[by] {
                    End::Coming => steps.push(step(Kind::Keep, number)),
                    End::Going if self.guards.passes_on => steps.push(step(Kind::PassOn, number)),
                    _ => {}
                }
            }
            if let Some(current) = process.current.filter(|_| process.sent < self.messages)
                && state.links[usize::from(current)].ends[by] == End::Kept
            {
                steps.push(step(Kind::Send, current));
            }
            if let Some(source) =
                Self::source(state, by).filter(|source| self.may_receive(state, *source, by))
            {
                let incoming = &state.links[usize::from(source)].directions[1 - by];
                if !incoming.messages.is_empty() {
                    steps.push(step(Kind::Receive, source));
                } else if incoming.is_closed && process.before.contains(&source) {
                    steps.push(step(Kind::SeeEnd, source));
                }
            }
            if state.restarts < self.restarts {
                steps.push(step(Kind::Restart, 0));
            }
        }
    }

    fn next_state(&self, last: &State, step: Step<Kind>) -> Option<State> {
        self.taken.note(step.kind);
        let mut state = *last;
        let (by, on) = (usize::from(step.by), usize::from(step.on));
        match step.kind {
            Kind::Dial => {
                state.processes[by].has_dialled = true;
                state.links.push(Link { dialler: step.by, ..Link::default() });
            }
            Kind::Keep => self.keep(&mut state, by, step.on),
            Kind::PassOn => {
                state.links[on].ends[by] = End::Passed;
                state.links[on].directions[by].is_closed = true;
            }
            Kind::Send => {
                state.processes[by].sent += 1;
                // The other end may be closed: then nothing arrives.
                if state.links[on].ends[1 - by] != End::Ended {
                    let number = state.processes[by].sent;
                    state.links[on].directions[by].messages.push(number);
                }
            }
            Kind::Receive => {
                state.links[on].is_settled[by] = true;
                let number = state.links[on].directions[1 - by].messages.take_first();
                let process = &mut state.processes[by];
                let is_next = number == Some(process.received + 1);
                state.is_out_of_order |= !is_next && state.restarts == 0;
                process.received = number.unwrap_or(0);
            }
            Kind::SeeEnd => state.processes[by].before.retain(|before| *before != step.on),
            Kind::Restart => Self::restart(&mut state, by),
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        fn is_at_rest(model: &Links, state: &State) -> bool {
            let mut steps = Vec::new();
            model.actions(state, &mut steps);
            steps.iter().all(|step| step.kind == Kind::Restart)
        }
        vec![
            Property::always(ORDER, |_, state: &State| !state.is_out_of_order),
            Property::always(ALL, |model: &Self, state: &State| {
                state.restarts > 0
                    || !is_at_rest(model, state)
                    || state.processes.iter().all(|process| process.received == model.messages)
            }),
            Property::always(SAME, |model: &Self, state: &State| {
                let [one, two] = state.processes.map(|process| process.current);
                !is_at_rest(model, state) || one == two && one.is_some_and(|link| Self::is_open(state, link))
            }),
        ]
    }
}

impl Protocol for Links {
    type Kind = Kind;

    fn taken(&self) -> &Taken {
        &self.taken
    }
}

/// The models of all scenes, or of one.
pub fn scenes(guards: &Guards, only: Option<&str>) -> Vec<Links> {
    let scenes = [("both dial", 0, 3), ("one starts again", 1, 2), ("two start again", 2, 1)];
    let model = |(name, restarts, messages)| Links {
        name,
        restarts,
        messages,
        guards: *guards,
        taken: Taken::default(),
    };
    scenes.into_iter().filter(|scene| only.is_none_or(|only| only == scene.0)).map(model).collect()
}

const CONNECT: &str = "core/hmc/src/ctrl/simultaneous_connect.rs";

/// The guards, each with the property that fails without it.
pub const GUARDS: &[Guard<Guards>] = &[
    Guard {
        name: "of two links that cross, the link of the lower rank stays",
        file: CONNECT,
        text: "let (stays, goes) = match is_own_lower(dialled)? {",
        scene: "both dial",
        off: |guards| guards.lower_stays = false,
        property: ALL,
    },
    Guard {
        name: "a link that the peer has closed does not stay",
        file: CONNECT,
        text: "let comes_anew = is_closed(earlier)",
        scene: "one starts again",
        off: |guards| guards.closed_never_stays = false,
        property: SAME,
    },
    Guard {
        name: "a link that goes is read before the one that stays",
        file: CONNECT,
        text: "let (before, until) = self.origin().first()?;",
        scene: "both dial",
        off: |guards| guards.reads_before = false,
        property: ALL,
    },
    Guard {
        name: "a process closes its direction of a link that goes",
        file: "core/hmc/src/ctrl/links.rs",
        text: "goes.pass_on();",
        scene: "both dial",
        off: |guards| guards.passes_on = false,
        property: ALL,
    },
    Guard {
        name: "the first message of a dialled link waits for accepted ones",
        file: "core/hmc/src/ctrl/link.rs",
        text: "true => others.wait_for_pending(),",
        scene: "both dial",
        off: |guards| guards.settles = false,
        property: ORDER,
    },
    Guard {
        name: "the first message of an accepted link waits for own dials",
        file: "core/hmc/src/ctrl/link.rs",
        text: "false => others.wait_for_dials(self.peer, wait)?,",
        scene: "both dial",
        off: |guards| guards.waits_for_dials = false,
        property: ORDER,
    },
    Guard {
        name: "of two accepted links the order of acceptance counts",
        file: CONNECT,
        text: "if new.origin().is_older(former.origin())",
        scene: "two start again",
        off: |guards| guards.orders_accepted = false,
        property: SAME,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Explored, assert_guards, explore};

    #[test]
    fn processes_that_dial_each_other_keep_one_link() {
        let all = scenes(&Guards::default(), None).into_iter().map(|model| explore(model.name, model));
        all.fold(Explored::default(), Explored::and).assert_bound::<Kind>();
    }

    #[test]
    fn each_guard_of_links_is_needed() {
        assert_guards(GUARDS, scenes);
    }
}
