// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests of the pure state machine: one thread, made-up time.

mod keys;
mod meeting;
mod ranks;
mod sessions;

use std::net::{IpAddr, Ipv4Addr};

use super::*;
use crate::api::Lifetime;

const WINDOW_US: Micros = 100_000;
const SECOND_US: Micros = 1_000_000;

/// A machine with a clock that the test turns.
struct Bench {
    machine: Machine,
    now: Micros,
    sequence: u64,
}

impl Bench {
    fn new(world_size: u32) -> Self {
        Self { machine: Machine::new(world_size, WINDOW_US), now: 5, sequence: 0 }
    }

    /// A bench whose sessions 1.. have the ranks 0...
    fn with_members(world_size: u32) -> Self {
        let mut bench = Self::new(world_size);
        for rank in 0..world_size {
            bench.join(u64::from(rank) + 1, Some(rank));
        }
        bench
    }

    fn event(&mut self, event: Event) -> Vec<Action> {
        self.machine.on_event(self.now, event)
    }

    fn arrive(&mut self, session: SessionId, arrival: Arrival) -> Vec<Action> {
        self.event(Event::Join { session, arrival })
    }

    fn join(&mut self, session: SessionId, rank: Option<u32>) -> Vec<Action> {
        let world_size = self.machine.ranks.world_size();
        self.arrive(session, arrival(world_size, rank))
    }

    fn ask(&mut self, session: SessionId, request: Request) -> Vec<Action> {
        self.sequence += 1;
        let sequence = self.sequence;
        self.event(Event::Request { session, sequence, request })
    }

    /// Asks for what is answered at once, and returns the answer.
    fn answer(&mut self, session: SessionId, request: Request) -> Result<Answer, Failure> {
        let sequence = self.sequence + 1;
        let actions = self.ask(session, request);
        let reply = actions.into_iter().find_map(|action| match action {
            Action::Reply { session: to, sequence: of, result } if (to, of) == (session, sequence) => {
                Some(result)
            }
            _ => None,
        });
        reply.expect("the request was not answered at once")
    }

    fn set(&mut self, session: SessionId, key: &str, value: &str, lifetime: Lifetime) -> Vec<Action> {
        self.ask(session, Request::Set { key: key.to_owned(), value: value.into(), lifetime })
    }

    fn end(&mut self, session: SessionId, cause: Cause) -> Vec<Action> {
        self.event(Event::End { session, cause })
    }

    /// Turns the clock to the next deadline and ticks.
    fn tick(&mut self) -> Vec<Action> {
        self.now = self.machine.next_deadline().expect("nothing is due");
        self.event(Event::Tick)
    }
}

fn arrival(world_size: u32, rank: Option<u32>) -> Arrival {
    let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
    Arrival { world_size, rank, device: 0, hosts_store: false, address, timeout_us: 10 * SECOND_US }
}

/// Who was welcomed as which rank.
fn welcomed(actions: &[Action]) -> Vec<(SessionId, u32)> {
    actions
        .iter()
        .filter_map(|action| match action {
            Action::Welcome { session, rank, .. } => Some((*session, rank.0)),
            _ => None,
        })
        .collect()
}

fn refused(actions: &[Action]) -> Vec<(SessionId, Kind, String)> {
    actions
        .iter()
        .filter_map(|action| match action {
            Action::Refuse { session, failure } => {
                Some((*session, failure.kind(), failure.text().to_owned()))
            }
            _ => None,
        })
        .collect()
}

/// Results of replies, by session.
fn replies(actions: &[Action]) -> Vec<(SessionId, Result<Answer, Failure>)> {
    actions
        .iter()
        .filter_map(|action| match action {
            Action::Reply { session, result, .. } => Some((*session, result.clone())),
            _ => None,
        })
        .collect()
}

/// Changes as short text, by session.
fn changes(actions: &[Action]) -> Vec<(SessionId, String)> {
    actions
        .iter()
        .filter_map(|action| match action {
            Action::Change { session, change, .. } => Some((
                *session,
                match &**change {
                    Change::Put(entry) => format!("put {}", entry.key),
                    Change::Removed { key, cause, owner, .. } => {
                        format!("{cause:?} {key} of {:?}", owner.map(|rank| rank.0))
                    }
                    Change::StoreLost => "store lost".to_owned(),
                },
            )),
            _ => None,
        })
        .collect()
}
