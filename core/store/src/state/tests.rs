// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests of the pure state machine: one thread, made-up time.

mod backlog;
mod cards;
mod collectives;
mod disorder;
mod durable;
mod keepers;
mod keys;
mod leases;
mod many;
mod meeting;
mod provisional_members;
mod ranks;
mod recovery;
mod replicas;
mod resume;
mod sessions;
mod views;

use std::net::{IpAddr, Ipv4Addr};

use mf_base::Kind;

use super::*;
use crate::api::{Lifetime, ViewChange};
use crate::protocol::{Join, Kept, Memory, RankRequest, Request, Resume};

const WINDOW_US: Micros = 100_000;
const SECOND_US: Micros = 1_000_000;
const GRACE_US: Micros = 50_000;
const STORE: [u8; 16] = [1; 16];

fn limits(world_size: u32) -> Limits {
    Limits {
        world_size,
        max_world: 1024,
        rank_window_us: WINDOW_US,
        resume_grace_us: 0,
        recovery_us: 5 * SECOND_US,
        recovery_quiet_us: 250_000,
        quorum: false,
        hold_us: 0,
        seems_first: false,
        lasting_token: false,
        guests_only: false,
        skip_recovery: false,
        unread_bytes: usize::MAX,
    }
}

/// A machine with a clock that the test turns. Notices are put aside.
struct Bench {
    machine: Machine,
    now: Micros,
    sequence: u64,
    notices: Vec<(LinkId, Notice)>,
}

impl Bench {
    fn new(world_size: u32) -> Self {
        Self::with(limits(world_size))
    }

    fn with(limits: Limits) -> Self {
        Self { machine: Machine::new(STORE, limits), now: 5, sequence: 0, notices: Vec::new() }
    }

    /// A bench with ranks 0... on links 1...
    fn with_members(world_size: u32) -> Self {
        Self::filled(limits(world_size))
    }

    /// The same, where a lost link leaves its session a while.
    fn with_grace(world_size: u32) -> Self {
        Self::filled(Limits { resume_grace_us: GRACE_US, ..limits(world_size) })
    }

    fn filled(limits: Limits) -> Self {
        let mut bench = Self::with(limits);
        for rank in 0..limits.world_size {
            bench.join(u64::from(rank) + 1, Some(rank));
        }
        bench.pass(SECOND_US);
        bench.notices.clear();
        bench
    }

    fn event(&mut self, event: Event) -> Vec<Action> {
        let mut actions = self.machine.on_event(self.now, event);
        for action in actions.extract_if(.., |action| matches!(action, Action::Notice { .. })) {
            if let Action::Notice { link, notice } = action {
                self.notices.push((link, (*notice).clone()));
            }
        }
        actions
    }

    fn arrive(&mut self, link: LinkId, mut arrival: Arrival) -> Vec<Action> {
        if arrival.join.resume.is_none() {
            arrival.join.key = key_of(link);
        }
        self.event(Event::Join { link, arrival: Box::new(arrival) })
    }

    fn join(&mut self, link: LinkId, rank: Option<u32>) -> Vec<Action> {
        let world_size = self.machine.ranks.world_size();
        self.arrive(link, arrival(world_size, rank))
    }

    fn join_guest(&mut self, link: LinkId) -> Vec<Action> {
        let mut guest = arrival(0, None);
        guest.join.wish = RankRequest::Guest;
        self.arrive(link, guest)
    }

    fn send(&mut self, link: LinkId, sequence: u64, request: Request) -> Vec<Action> {
        self.event(Event::Request { link, sequence, message: RequestMessage { answered_below: 0, request } })
    }

    fn ask(&mut self, link: LinkId, request: Request) -> Vec<Action> {
        self.sequence += 1;
        self.send(link, self.sequence, request)
    }

    /// Sends a request that is answered at once, and returns the answer.
    fn answer(&mut self, link: LinkId, request: Request) -> Result<Answer, Failure> {
        let sequence = self.sequence + 1;
        let actions = self.ask(link, request);
        let reply = actions.into_iter().find_map(|action| match action {
            Action::Reply { link: to, sequence: of, result } if (to, of) == (link, sequence) => Some(result),
            _ => None,
        });
        reply.expect("the request was not answered at once")
    }

    fn set(&mut self, link: LinkId, key: &str, value: &str, lifetime: Lifetime) -> Vec<Action> {
        self.ask(link, Request::Set { key: key.to_owned(), value: value.into(), lifetime })
    }

    /// Sets a permanent key; returns the revision.
    fn put(&mut self, link: LinkId, key: &str, value: &str) -> u64 {
        match self.answer(link, set(key, value)) {
            Ok(Answer::Revision(revision)) => revision,
            other => panic!("{other:?}"),
        }
    }

    fn value(&mut self, link: LinkId, key: &str) -> Option<String> {
        match self.answer(link, Request::Get { key: key.to_owned() }) {
            Ok(Answer::Entry(entry)) => entry.map(|entry| String::from_utf8(entry.value.clone()).unwrap()),
            other => panic!("{other:?}"),
        }
    }

    fn one_way(&mut self, link: LinkId, one_way: OneWay) -> Vec<Action> {
        self.event(Event::OneWay { link, message: one_way })
    }

    fn end(&mut self, link: LinkId, cause: Cause) -> Vec<Action> {
        self.event(Event::End { link, in_order: cause == Cause::Left })
    }

    /// Turns the clock to the next deadline and ticks.
    fn tick(&mut self) -> Vec<Action> {
        self.now = self.now.max(self.machine.next_deadline().expect("nothing is due"));
        self.event(Event::Tick)
    }

    /// Advances the clock, ticking at each deadline in between.
    fn pass(&mut self, us: Micros) -> Vec<Action> {
        let end = self.now + us;
        let mut actions = Vec::new();
        while self.machine.next_deadline().is_some_and(|deadline| deadline <= end) {
            actions.extend(self.tick());
        }
        self.now = end;
        actions
    }

    fn take_notices(&mut self) -> Vec<(LinkId, Notice)> {
        std::mem::take(&mut self.notices)
    }

    /// Advances the clock until all is sent, and returns the superseded keys by link. The keeper of the newer
    /// value is asked first whether it has it, and answers.
    fn superseded(&mut self) -> Vec<(LinkId, Vec<(String, u64)>)> {
        let mut reported = Vec::new();
        loop {
            self.pass(SECOND_US);
            let mut answers = Vec::new();
            for (link, notice) in self.take_notices() {
                let Notice::Superseded(keys) = notice else { continue };
                let session = self.session_of(link);
                let (holds, stale): (Vec<_>, Vec<_>) =
                    keys.into_iter().partition(|(key, revision)| self.holds(session, key, *revision));
                if !holds.is_empty() {
                    answers.push((link, OneWay::Forgotten(holds)));
                }
                if !stale.is_empty() {
                    reported.push((link, stale));
                }
            }
            if answers.is_empty() {
                return reported;
            }
            for (link, answer) in answers {
                self.one_way(link, answer);
            }
        }
    }

    fn holds(&self, session: SessionId, key: &str, revision: u64) -> bool {
        let keys = &self.machine.keys;
        let keeping =
            keys.records.get(key).map(|record| &record.keeping).or_else(|| keys.tombstones.get(key));
        let keeper = keeping.and_then(|keeping| keeping.of(session));
        keeper.is_some_and(|keeper| keeper.newest >= revision)
    }

    fn kept(&mut self) -> Vec<(LinkId, Vec<Kept>)> {
        let notices = self.take_notices().into_iter();
        notices
            .filter_map(|(link, notice)| match notice {
                Notice::Keep(entries) => Some((link, entries)),
                _ => None,
            })
            .collect()
    }

    fn session_of(&self, link: LinkId) -> SessionId {
        match self.machine.links.get(&link) {
            Some(LinkState::Of(session)) => *session,
            other => panic!("{other:?}"),
        }
    }

    /// The resume of a link's client, on a new link.
    fn resume_of(&self, link: LinkId) -> Resume {
        let session = self.session_of(link);
        Resume {
            session,
            rank: self.machine.members.get(session).unwrap().rank.map(|rank| rank.0),
            store: STORE,
            term: self.machine.term,
            standing: self.machine.reports.standing(&self.machine.members),
            revision: self.machine.keys.revision,
            answered_below: 0,
        }
    }

    /// Loses a link and resumes over another one.
    fn relink(&mut self, before: LinkId, after: LinkId) -> Vec<Action> {
        let resume = self.resume_of(before);
        self.end(before, Cause::Lost);
        self.resume(after, key_of(before), resume)
    }

    fn resume(&mut self, link: LinkId, key: [u8; 16], resume: Resume) -> Vec<Action> {
        let world_size = if resume.rank.is_some() { self.machine.ranks.world_size().max(1) } else { 0 };
        let mut arrival = arrival(world_size, None);
        arrival.join.key = key;
        arrival.join.resume = Some(resume);
        self.arrive(link, arrival)
    }
}

/// The random number of the client of `link`.
fn key_of(link: LinkId) -> [u8; 16] {
    u128::from(link).to_le_bytes()
}

fn arrival(world_size: u32, rank: Option<u32>) -> Arrival {
    let join = Join {
        proof: [0; 32],
        world_size,
        wish: rank.map_or(RankRequest::Any, RankRequest::Exactly),
        device: 0,
        hosts_store: false,
        timeout_us: 10 * SECOND_US,
        host: "a".to_owned(),
        pid: 7,
        key: [0; 16],
        resume: None,
        job_token: None,
    };
    Arrival { join, address: IpAddr::V4(Ipv4Addr::LOCALHOST) }
}

fn set(key: &str, value: &str) -> Request {
    Request::Set { key: key.to_owned(), value: value.into(), lifetime: Lifetime::Permanent }
}

/// Links that were welcomed, with their ranks.
fn welcomed(actions: &[Action]) -> Vec<(LinkId, u32)> {
    granted(actions).into_iter().map(|(link, granted)| (link, granted.rank.unwrap().0)).collect()
}

fn granted(actions: &[Action]) -> Vec<(LinkId, Granted)> {
    actions
        .iter()
        .filter_map(|action| match action {
            Action::Welcome { link, granted } => Some((*link, *granted)),
            _ => None,
        })
        .collect()
}

fn refused(actions: &[Action]) -> Vec<(LinkId, Kind, String)> {
    actions
        .iter()
        .filter_map(|action| match action {
            Action::Refuse { link, refusal } => {
                Some((*link, refusal.failure.kind(), refusal.failure.text().to_owned()))
            }
            _ => None,
        })
        .collect()
}

/// Results of replies, by link.
fn replies(actions: &[Action]) -> Vec<(LinkId, Result<Answer, Failure>)> {
    actions
        .iter()
        .filter_map(|action| match action {
            Action::Reply { link, result, .. } => Some((*link, result.clone())),
            _ => None,
        })
        .collect()
}

fn dropped(actions: &[Action]) -> Vec<LinkId> {
    actions
        .iter()
        .filter_map(|action| match action {
            Action::Drop { link, .. } => Some(*link),
            _ => None,
        })
        .collect()
}

/// Changes as short text, by link.
fn changes(actions: &[Action]) -> Vec<(LinkId, String)> {
    actions
        .iter()
        .filter_map(|action| match action {
            Action::Change { link, change, .. } => Some((
                *link,
                match &**change {
                    Changed::Put(entry) => format!("put {}", entry.key),
                    Changed::Removed { key, cause, owner, .. } => {
                        format!("{cause:?} {key} of {:?}", owner.map(|rank| rank.0))
                    }
                },
            )),
            _ => None,
        })
        .collect()
}

fn value(revision: u64, key: &str, text: &str) -> Kept {
    let what = Memory::Value { bytes: text.into(), lifetime: Lifetime::Permanent };
    Kept { key: key.to_owned(), revision, what }
}

fn piece(revision: u64, key: &str, offset: u64, text: &str) -> Kept {
    Kept { key: key.to_owned(), revision, what: Memory::Piece { offset, bytes: text.into() } }
}

fn deletion(revision: u64, key: &str) -> Kept {
    Kept { key: key.to_owned(), revision, what: Memory::Deletion }
}
