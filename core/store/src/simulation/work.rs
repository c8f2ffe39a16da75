// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Work of members, its outcomes, and the course of a random world.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mf_base::Kind;

use super::lives::Call;
use super::model::WriteEffect;
use super::network::ScheduledEvent;
use super::world::{KEYS_WATCH, MEMBERS_WATCH, MS, SECOND, World, WorldPlan, trace};
use crate::api::{Entry, Lifetime, View};
use crate::protocol::{Answer, Failure, RankRequest, Request};
use crate::state::Micros;

/// Duration of the members' work.
const BUSY_US: Micros = 3 * SECOND;
/// Time until a world is quiet afterwards: longer than every deadline, lease and recovery.
const QUIET_US: Micros = 40 * SECOND;
/// Most time beyond its deadline at which a call may end, if the store ends it.
const MARGIN_US: Micros = 2 * SECOND + MS;
const MOST_CALLS: usize = 3;

impl World {
    /// The random world of a seed.
    pub(super) fn new(seed: u64, is_traced: bool) -> Self {
        let mut random = super::random::Random::new(!seed);
        let slowest = random.pick(&[200, 2 * MS, 10 * MS]).unwrap();
        let plan = WorldPlan {
            world_size: 48,
            rank_window_us: 20 * MS,
            resume_grace_us: random.pick(&[50 * MS, 500 * MS]).unwrap(),
            recovery_us: random.pick(&[500 * MS, 5 * SECOND]).unwrap(),
            recovery_quiet_us: random.pick(&[50 * MS, 250 * MS]).unwrap(),
            young_us: random.pick(&[0, 300 * MS]).unwrap(),
            delay_us: 20..slowest,
            is_hosted: random.percent(40),
            works: true,
            unread_bytes: random.pick(&[200, 2000, 1 << 18]).unwrap(),
            is_traced,
        };
        Self::with(seed, plan)
    }

    /// Runs a random world to its end, and checks it.
    pub(super) fn run(&mut self) {
        let members = self.random.within(8..17);
        self.start_life(RankRequest::Any);
        for _ in 1..members {
            self.later(0..60 * MS, ScheduledEvent::Start(None));
        }
        if self.random.percent(30) {
            self.start_life(RankRequest::Guest);
        }
        self.start_store();
        let faults = self.random.pick(&[0, 2, 4, 8, 12]).unwrap();
        for _ in 0..faults {
            self.later(100 * MS..BUSY_US, ScheduledEvent::Fault);
        }
        self.run_until(BUSY_US);
        if self.store.is_none() {
            self.start_store();
        }
        self.run_until(BUSY_US + QUIET_US);
        self.judge();
    }

    /// A life does something, and will again.
    pub(super) fn work(&mut self, number: usize) {
        if self.now >= BUSY_US || !self.lives[number].is_intact() {
            return;
        }
        self.later(20 * MS..180 * MS, ScheduledEvent::Work(number));
        if self.lives[number].calls.len() < MOST_CALLS + 2 {
            let request = self.choose(number);
            let deadline = match self.random.percent(30) {
                true => self.random.within(20 * MS..200 * MS),
                false => self.random.within(SECOND..8 * SECOND),
            };
            if let Some(request) = request {
                self.begin(number, request, deadline);
            }
        }
    }

    fn choose(&mut self, number: usize) -> Option<Request> {
        let what = self.random.within(0..100);
        let key = format!("k/{}", self.random.within(0..8));
        let value = format!("{number}.{:06}", self.random.next() % 1_000_000).into_bytes();
        let life = &self.lives[number];
        let permanent = Lifetime::Permanent;
        Some(match what {
            0..20 => Request::Set { key, value, lifetime: permanent },
            20..32 => Request::Get { key },
            32..38 => Request::Delete { key },
            38..48 => {
                Request::Add { key: format!("n/{}", what % 2), delta: 1 + i64::try_from(what % 3).unwrap() }
            }
            48..56 => {
                let piece = format!("{number:04}{:08}", self.random.next() % 100_000_000).into_bytes();
                Request::Append { key: format!("log/{}", what % 2), value: piece }
            }
            56..62 => {
                let expected = life.keys.entries.get(&key).map(|entry| entry.value.clone());
                Request::CompareAndSwap { key, expected, new: value, lifetime: permanent }
            }
            62..68 => Request::Set { key: format!("s/{number}"), value, lifetime: Lifetime::Session },
            68..76 => {
                let name = format!("l/{}", what % 2);
                if life.holds.contains_key(&name) {
                    Request::Unlock { name }
                } else {
                    Request::Lock { name, timeout_us: self.random.percent(70).then_some(0) }
                }
            }
            76..88 => {
                life.rank.filter(|_| !life.is_guest())?;
                let members = 2 + u32::try_from(what % 3).unwrap();
                let value = (what < 82).then_some(value);
                let name = format!("b/{members}{}", if value.is_some() { "v" } else { "" });
                let is_same = |request: &Request| match request {
                    Request::Gather { name: other, .. } => *other == name,
                    _ => false,
                };
                if life.calls.values().any(|call| is_same(&call.request)) {
                    return None;
                }
                Request::Gather { name, members, value, timeout_us: 0, after_round: None }
            }
            88..91 => Request::Wait { key, timeout_us: 0 },
            91..97 => match life.lease {
                None => Request::Grant { ttl_us: 300 * MS },
                Some(lease) if what.is_multiple_of(2) => Request::KeepAlive { lease },
                Some(lease) => {
                    Request::Set { key: format!("t/{number}"), value, lifetime: Lifetime::Lease(lease) }
                }
            },
            97..99 => Request::List { prefix: "k/".into() },
            _ => Request::View,
        })
    }

    pub(super) fn begin(&mut self, number: usize, request: Request, limit: Micros) {
        let deadline = self.now + limit;
        let place = match &request {
            Request::Set { key, value, .. } | Request::CompareAndSwap { key, new: value, .. } => {
                self.model.write_began(key, WriteEffect::Value(value.clone()))
            }
            Request::Delete { key } => self.model.write_began(key, WriteEffect::Deletion),
            Request::Add { key, .. } => self.model.write_began(key, WriteEffect::Sum(0)),
            Request::Append { key, value } => self.model.write_began(key, WriteEffect::Piece(value.clone())),
            Request::Gather { name, value, .. } => {
                let rank = self.lives[number].rank.unwrap();
                self.model.entered(number, rank, name, value.as_ref())
            }
            Request::Unlock { name } => {
                self.lives[number].holds.remove(name);
                self.model.gives_back(name, number);
                0
            }
            _ => 0,
        };
        trace!(self, "life {number} begins {}", super::world::short(&request));
        let life = &mut self.lives[number];
        let (sequence, effects) = life.machine.begin(self.now, request.clone(), deadline).unwrap();
        self.history.begin(number, sequence, &request, self.now);
        life.calls.insert(sequence, Call { request, began: self.now, deadline, place });
        self.carry_out(number, effects);
    }

    pub(super) fn complete(&mut self, number: usize, sequence: u64, result: Result<Answer, Failure>) {
        let life = &mut self.lives[number];
        let call = life.calls.remove(&sequence).expect("a call ends once");
        assert!(self.now <= call.deadline + MARGIN_US, "life {number}: {call:?} ended late");
        self.record_outcome(number, &call.request, &result);
        match result {
            Ok(answer) => {
                self.history.end(number, sequence, &answer, self.now);
                self.succeeded(number, call, answer);
            }
            Err(failure) => {
                self.failed(number, &call, &failure);
                if failure.kind() == Kind::Timeout && writes(&call.request) {
                    self.lives[number].left.insert(sequence, call);
                }
            }
        }
    }

    /// A reply arrived; its caller may have left.
    pub(super) fn replied(&mut self, number: usize, sequence: u64, result: &Result<Answer, Failure>) {
        if let (Some(call), Ok(answer)) = (self.lives[number].left.remove(&sequence), result) {
            self.succeeded(number, call, answer.clone());
        }
    }

    fn failed(&mut self, number: usize, call: &Call, failure: &Failure) {
        let is_expected = match (failure.kind(), &call.request) {
            (Kind::Timeout | Kind::NotConnected, _)
            // An earlier call may still be in progress after its caller has left.
            | (Kind::RepeatInvoke, Request::Lock { .. } | Request::Gather { .. }) => true,
            (
                Kind::NotExist,
                Request::KeepAlive { .. } | Request::Set { lifetime: Lifetime::Lease(_), .. },
            ) => {
                self.lives[number].lease = None;
                true
            }
            _ => false,
        };
        assert!(is_expected, "life {number}: {call:?} failed: {failure:?}");
    }

    fn succeeded(&mut self, number: usize, call: Call, answer: Answer) {
        let life = &mut self.lives[number];
        let (store, now) = (life.member_of, self.now);
        let mut acknowledged = true;
        match (call.request, answer) {
            (Request::Set { .. }, Answer::Revision(revision)) => {
                self.model.write_acknowledged(call.place, now, store, revision);
            }
            (Request::Append { .. }, Answer::Appended { revision, .. }) => {
                self.model.write_acknowledged(call.place, now, store, revision);
            }
            (Request::Delete { .. }, Answer::Deleted { revision: Some(revision), .. }) => {
                self.model.write_acknowledged(call.place, now, store, revision);
            }
            (Request::CompareAndSwap { .. }, Answer::Swap(swap)) => match swap.current {
                Some(current) if swap.swapped => {
                    self.model.write_acknowledged(call.place, now, store, current.revision);
                }
                _ => {
                    self.model.write_was_nothing(call.place);
                    acknowledged = false;
                }
            },
            (Request::Add { .. }, Answer::Sum { sum, revision }) => {
                self.model.sum_acknowledged(call.place, now, store, revision, sum);
            }
            (request, answer) => {
                acknowledged = false;
                self.answered(number, call.place, call.began, request, answer);
            }
        }
        if acknowledged {
            self.lives[number].acknowledged.push(call.place);
        }
    }

    fn answered(&mut self, number: usize, place: usize, began: Micros, request: Request, answer: Answer) {
        let life = &mut self.lives[number];
        let store = life.member_of;
        match (request, answer) {
            (Request::Delete { .. }, Answer::Deleted { revision: None, .. }) => {}
            (Request::Get { key }, Answer::Entry(entry)) => {
                if let Err(what) = self.model.judge(&key, entry.as_deref(), store, began) {
                    panic!("life {number} read: {what}");
                }
            }
            (Request::Watch { watch: KEYS_WATCH, .. }, Answer::Watching { entries, .. }) => {
                life.keys.begin(entries.into_iter().map(Arc::unwrap_or_clone).collect());
            }
            (Request::WatchMembers { watch: MEMBERS_WATCH }, Answer::View(view)) => life.members.begin(view),
            (Request::Gather { members, .. }, Answer::Gathered(round)) => {
                let lives = &self.lives;
                self.model.left(place, members, &round, |life| lives[life].is_intact());
            }
            (Request::Lock { name, .. }, Answer::Locked(Some(fence))) => {
                life.holds.insert(name.clone(), fence);
                let lives: Vec<_> =
                    self.lives.iter().map(|life| (life.is_intact(), life.granted_by)).collect();
                self.model.locked(&name, number, fence, store, &lives);
            }
            (Request::Grant { .. }, Answer::Lease(lease)) => life.lease = Some(lease),
            (Request::Wait { key, .. }, Answer::Entry(Some(entry))) => assert_eq!(entry.key, key),
            (Request::Lock { timeout_us: None, .. }, Answer::Locked(None))
            | (Request::Unlock { .. } | Request::KeepAlive { .. } | Request::Unwatch { .. }, Answer::Done)
            | (Request::List { .. }, Answer::Listing(_))
            | (Request::View, Answer::View(_)) => {}
            (request, answer) => panic!("life {number}: {request:?} was answered by {answer:?}"),
        }
    }

    /// Judges a world that has become quiet.
    fn judge(&mut self) {
        let intact: Vec<_> = (0..self.lives.len()).filter(|life| self.lives[*life].is_intact()).collect();
        let status = self.store.as_ref().map(|running| running.machine.status(self.now));
        let mut view: Option<View> = None;
        for life in &intact {
            let seen = &self.lives[*life];
            assert!(seen.machine.is_linked(), "life {life} is not linked: {status:?}");
            assert!(seen.calls.is_empty(), "life {life} waits for {:?}", seen.calls);
            assert_eq!(seen.member_of, self.generation, "life {life}");
            let members = View {
                epoch: seen.members.epoch,
                members: BTreeMap::from_iter(
                    seen.members.by_session.values().map(|peer| (peer.rank, peer.clone())),
                )
                .into_values()
                .collect(),
                dead: Vec::new(),
            };
            let agreed = view.get_or_insert_with(|| members.clone());
            assert_eq!(*agreed, members, "lives {} and {life} see other members", intact[0]);
            // Guests are not notified of changes.
            let standing = seen.machine.standing();
            let counts = standing.members as usize == members.members.len();
            assert!(counts || seen.is_guest(), "life {life}: {standing:?}");
        }
        let ranks: BTreeMap<_, _> = intact
            .iter()
            .filter_map(|life| self.lives[*life].rank.map(|rank| (rank, self.lives[*life].session)))
            .collect();
        let members = view.unwrap_or_default().members;
        let listed: BTreeMap<_, _> = members.iter().map(|peer| (peer.rank.0, peer.session)).collect();
        assert_eq!(ranks, listed, "the members are not who they should be: {status:?}");
        let lives = &self.lives;
        self.model.judge_locks(|life| lives[life].is_intact());
        self.judge_keys(&intact);
    }

    fn judge_keys(&mut self, intact: &[usize]) {
        let Some(first) = intact.first() else { return };
        let shown = self.lives[*first].keys.entries.clone();
        for life in intact {
            let other = difference(&self.lives[*life].keys.entries, &shown);
            assert!(other.is_empty(), "life {life} sees other keys than {first}: {other:#?}");
        }
        // Content of the store now, as a new member reads it.
        let reader = self.start_life(RankRequest::Guest);
        self.run_until(self.now + 5 * SECOND);
        let other = difference(&self.lives[reader].keys.entries, &shown);
        assert!(other.is_empty(), "the store holds something else than watches show: {other:#?}");
        let lives = &self.lives;
        let ends = |key: &str| match key.strip_prefix("s/") {
            Some(owner) => !lives[owner.parse::<usize>().unwrap()].is_intact(),
            None => key.starts_with("t/"),
        };
        self.model.judge_all(&shown, self.generation, self.now, ends);
        let (model, generation) = (&self.model, self.generation);
        self.history.judge(generation > 1, |key, writers| {
            model.has_all(key, generation) && writers.iter().all(|life| lives[*life].is_intact())
        });
        assert!(self.history.judged > 0 || generation > 1, "no call was judged");
        for key in shown.keys() {
            assert!(!key.starts_with("t/"), "{key} outlived its lease");
            if let Some(owner) = key.strip_prefix("s/") {
                let owner: usize = owner.parse().unwrap();
                assert!(self.lives[owner].is_intact(), "{key} outlived the session of its owner");
            }
        }
    }
}

fn writes(request: &Request) -> bool {
    matches!(
        request,
        Request::Set { .. }
            | Request::Add { .. }
            | Request::Append { .. }
            | Request::CompareAndSwap { .. }
            | Request::Delete { .. }
    )
}

/// Lists the differences of two copies of the keys.
fn difference(one: &BTreeMap<String, Entry>, other: &BTreeMap<String, Entry>) -> Vec<String> {
    let keys: BTreeSet<_> = one.keys().chain(other.keys()).collect();
    let different = keys.into_iter().filter(|key| one.get(*key) != other.get(*key));
    let sent = |entry: Option<&Entry>| {
        entry
            .map(|entry| format!("{} at {} of {:?}", entry.value.escape_ascii(), entry.revision, entry.owner))
    };
    different.map(|key| format!("{key}: {:?} and {:?}", sent(one.get(key)), sent(other.get(key)))).collect()
}
