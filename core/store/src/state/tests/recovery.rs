// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A store that takes over from one that died.

use super::leases::{fence, lock, unlock};
use super::meeting::{barrier, only_failure};
use super::*;
use crate::api::LeaseId;
use crate::protocol::{Round, Standing};
use crate::state::status::StorePhase;

pub(super) const OLD: [u8; 16] = [9; 16];

/// Returns the membership that the member with `rank` of a job of `members` remembers at a store of `term`.
pub(super) fn old_member(term: u64, rank: u32, members: u32) -> Resume {
    Resume {
        session: (1 << 32) | u64::from(rank + 1),
        rank: Some(rank),
        store: OLD,
        term,
        standing: Standing { epoch: 20, members, host_session: None },
        revision: 100,
        answered_below: 0,
    }
}

/// A fresh store with a world of `members`; the client with rank r will come over link r + 1.
struct Job {
    bench: Bench,
    members: u32,
}

impl Job {
    fn new(members: u32) -> Self {
        Self::with(members, |_| {})
    }

    fn with(members: u32, change: impl Fn(&mut Limits)) -> Self {
        let mut limits = Limits { resume_grace_us: GRACE_US, ..limits(members) };
        change(&mut limits);
        Self { bench: Bench::with(limits), members }
    }

    fn claim(&mut self, rank: u32) -> Vec<Action> {
        self.come(rank, old_member(1, rank, self.members))
    }

    fn come(&mut self, rank: u32, resume: Resume) -> Vec<Action> {
        let link = u64::from(rank) + 1;
        self.bench.resume(link, key_of(link), resume)
    }

    /// A member resumes and sends its replicas.
    fn messages(&mut self, rank: u32, kept: Vec<Kept>) -> Vec<Action> {
        let mut actions = self.claim(rank);
        actions.extend(self.bench.one_way(u64::from(rank) + 1, OneWay::Kept(kept)));
        actions.extend(self.complete(rank));
        actions
    }

    fn complete(&mut self, rank: u32) -> Vec<Action> {
        self.bench.one_way(u64::from(rank) + 1, OneWay::Complete)
    }
}

#[test]
fn counters_continue_and_the_latest_write_wins() {
    let mut job = Job::new(2);
    assert_eq!(job.messages(0, vec![value(7, "n", "41"), value(9, "k", "old")]), []);
    assert_eq!(job.bench.machine.status(0).phase, StorePhase::Recovering);
    let actions = job.messages(1, vec![value(30, "k", "new")]);
    let welcomes = granted(&actions);
    assert_eq!(welcomes.iter().map(|(link, _)| *link).collect::<Vec<_>>(), [1, 2]);
    let first = welcomes[0].1;
    assert_eq!((first.term, first.rank, first.session), (2, Some(Rank(0)), (1 << 32) | 1));
    assert_eq!((first.standing.members, first.standing.epoch), (2, 21));
    assert!(first.revision > 100);
    let bench = &mut job.bench;
    let sum = bench.answer(2, Request::Add { key: "n".to_owned(), delta: 1 });
    assert!(matches!(sum, Ok(Answer::Sum { sum: 42, revision }) if revision > first.revision));
    assert_eq!(bench.value(1, "k").as_deref(), Some("new"));
    // Members with old replicas are notified.
    let superseded = bench.superseded();
    let mut reported: Vec<_> = superseded
        .into_iter()
        .flat_map(|(link, keys)| keys.into_iter().map(move |(key, _)| (link, key)))
        .collect();
    reported.sort();
    assert_eq!(reported, [(1, "k".to_owned()), (1, "n".to_owned())]);
}

#[test]
fn revisions_and_fencing_numbers_pass_those_of_a_twin() {
    let mut job = Job::new(1);
    let actions = job.messages(0, Vec::new());
    // Anything the former store acknowledges now, to any client, is lower.
    assert!(granted(&actions)[0].1.revision >= 2 << 32);
    assert!(fence(job.bench.answer(1, lock("l", 0))) > 2 << 32);
}

#[test]
fn deleted_keys_stay_deleted() {
    let mut job = Job::new(2);
    job.messages(0, vec![value(7, "k", "x"), value(8, "other", "y")]);
    job.messages(1, vec![deletion(12, "k"), deletion(5, "other")]);
    assert_eq!(job.bench.value(1, "k"), None);
    assert_eq!(job.bench.value(1, "other").as_deref(), Some("y"));
    assert_eq!(job.bench.machine.keys.tombstones.len(), 1);
    let mut superseded = job.bench.superseded();
    superseded.sort();
    let expected = [(1, vec![("k".to_owned(), 12)]), (2, vec![("other".to_owned(), 8)])];
    assert_eq!(superseded, expected);
    job.bench.one_way(1, OneWay::Forgotten(vec![("k".to_owned(), 12)]));
    assert_eq!(job.bench.superseded(), [(2, vec![("k".to_owned(), 13)])]);
    assert_eq!(job.bench.machine.keys.tombstones.len(), 0);
}

#[test]
fn appended_pieces_are_merged() {
    let mut job = Job::new(3);
    job.messages(0, vec![value(5, "k", "ab"), piece(8, "k", 5, "fg"), piece(2, "free", 0, "x")]);
    job.messages(1, vec![piece(6, "k", 2, "cd"), piece(9, "gone", 3, "z"), piece(9, "free", 1, "yz")]);
    job.messages(2, vec![piece(7, "k", 4, "e"), piece(3, "k", 0, "old"), deletion(8, "gone")]);
    assert_eq!(job.bench.value(1, "k").as_deref(), Some("abcdefg"));
    assert_eq!(job.bench.value(1, "free").as_deref(), Some("xyz"));
    assert_eq!(job.bench.value(1, "gone").as_deref(), Some("z"));
    let appended = job.bench.answer(1, Request::Append { key: "k".to_owned(), value: b"h".to_vec() });
    assert!(matches!(appended, Ok(Answer::Appended { offset: 7, .. })));
}

#[test]
fn pieces_behind_a_lost_piece_move_up() {
    let mut job = Job::new(2);
    job.messages(0, vec![value(5, "k", "ab")]);
    job.messages(1, vec![piece(7, "k", 4, "ef")]);
    assert_eq!(job.bench.value(1, "k").as_deref(), Some("abef"));
}

#[test]
fn inherited_value_covers_the_pieces_it_contains() {
    let mut job = Job::new(2);
    job.messages(0, vec![piece(5, "k", 0, "ab"), piece(8, "k", 4, "e")]);
    job.messages(1, vec![value(7, "k", "abcd"), piece(6, "k", 2, "cd")]);
    assert_eq!(job.bench.value(1, "k").as_deref(), Some("abcde"));
}

#[test]
fn session_keys_live_and_end_with_their_session() {
    let session_key = |revision, key: &str| Kept {
        key: key.to_owned(),
        revision,
        what: Memory::Value { bytes: Vec::new(), lifetime: Lifetime::Session },
    };
    let mut job = Job::new(2);
    job.messages(0, vec![session_key(5, "a")]);
    job.messages(1, vec![session_key(6, "b")]);
    sessions::watch(&mut job.bench, 1, 1, "");
    job.bench.end(2, Cause::Lost);
    assert_eq!(changes(&job.bench.tick()), [(1, "Lost b of Some(1)".to_owned())]);
    assert_eq!(job.bench.value(1, "a").as_deref(), Some(""));
}

#[test]
fn missing_host_of_the_store_before_is_waited_for_only_shortly() {
    let mut job = Job::new(3);
    for rank in [1, 2] {
        let mut resume = old_member(1, rank, 3);
        resume.standing.host_session = Some((1 << 32) | 1);
        job.come(rank, resume);
        assert_eq!(job.complete(rank), []);
    }
    assert_eq!(job.bench.machine.next_deadline(), Some(job.bench.now + 250_000));
    let actions = job.bench.tick();
    assert_eq!(welcomed(&actions), [(2, 1), (3, 2)]);
    assert_eq!(granted(&actions)[0].1.standing.members, 2);
    // Its rank is free.
    assert_eq!(welcomed(&job.bench.join(9, Some(0))), [(9, 0)]);
}

#[test]
fn recovery_waits_for_missing_members_until_the_limit() {
    let mut job = Job::new(3);
    let start = job.bench.now;
    job.messages(0, Vec::new());
    job.messages(2, Vec::new());
    assert_eq!(job.bench.machine.next_deadline(), Some(start + 5 * SECOND_US));
    let status = job.bench.machine.status(start);
    assert_eq!((status.expected_members, status.resumed_members), (3, 2));
    assert_eq!(welcomed(&job.bench.tick()), [(1, 0), (3, 2)]);
    // The late one is given up.
    let actions = job.claim(1);
    let Some(Action::Refuse { refusal, .. }) = actions.first() else { panic!("{actions:?}") };
    assert_eq!((refusal.failure.kind(), refusal.later), (Kind::NotConnected, false));
}

#[test]
fn member_sending_at_the_limit_may_finish() {
    let mut job = Job::new(2);
    job.messages(0, Vec::new());
    job.claim(1);
    for n in 0..6 {
        job.bench.pass(SECOND_US * 9 / 10);
        job.bench.one_way(2, OneWay::Kept(vec![value(50 + n, &format!("k{n}"), "")]));
    }
    assert_eq!(job.bench.machine.status(0).phase, StorePhase::Recovering);
    assert_eq!(welcomed(&job.complete(1)).len(), 2);
    assert_eq!(job.bench.machine.status(0).keys, 6);
    // But one that has stopped talking is not waited for.
    let mut job = Job::new(2);
    job.claim(1);
    job.messages(0, Vec::new());
    let actions = job.bench.pass(6 * SECOND_US);
    assert_eq!((welcomed(&actions), refused(&actions)[0].0), (vec![(1, 0)], 2));
}

#[test]
fn newcomers_wait_until_the_recovery_has_ended() {
    let mut job = Job::new(2);
    job.claim(0);
    assert_eq!(job.bench.join(8, None), []);
    assert_eq!(job.bench.join(9, Some(0)), []);
    assert_eq!(job.bench.join_guest(10), []);
    job.bench.end(8, Cause::Lost);
    assert_eq!(job.complete(0), []);
    let actions = job.bench.tick();
    let links: Vec<_> = granted(&actions).iter().map(|(link, _)| *link).collect();
    assert_eq!((links, refused(&actions)[0].0), (vec![1, 10], 9));
    // Sessions of the new term cannot be mistaken for old ones.
    assert_eq!(granted(&actions)[1].1.session >> 32, 2);
    assert_eq!(welcomed(&job.bench.join(11, None)), [(11, 1)]);
}

#[test]
fn newcomers_waiting_for_a_rank_step_back() {
    let mut job = Job::new(2);
    job.bench.join(8, None);
    job.messages(0, Vec::new());
    let actions = job.messages(1, Vec::new());
    assert_eq!(welcomed(&actions), [(1, 0), (2, 1)]);
    assert_eq!(welcomed(&job.bench.end(1, Cause::Left)), [(8, 0)]);
}

#[test]
fn rank_claim_with_the_later_epoch_wins() {
    let mut job = Job::new(2);
    job.claim(0);
    let mut younger = old_member(1, 0, 2);
    younger.session = (1 << 32) | 77;
    younger.standing.epoch = 21;
    let actions = job.bench.resume(8, key_of(8), younger);
    let text = format!("rank 0 is claimed by session {} as well", (1u64 << 32) | 77);
    assert_eq!(refused(&actions), [(1, Kind::Duplicated, text)]);
    let actions = job.bench.resume(9, key_of(9), old_member(1, 0, 2));
    assert_eq!(refused(&actions)[0].0, 9);
    job.bench.one_way(8, OneWay::Complete);
    assert_eq!(welcomed(&job.messages(1, Vec::new())), [(2, 1), (8, 0)]);
}

#[test]
fn session_is_claimed_by_a_single_client() {
    let mut job = Job::new(2);
    job.messages(0, Vec::new());
    let actions = job.bench.resume(8, key_of(8), old_member(1, 0, 2));
    assert!(refused(&actions)[0].2.contains("claims the session of another"));
    // The same client over another link begins again.
    let actions = job.bench.resume(9, key_of(1), old_member(1, 0, 2));
    assert_eq!((dropped(&actions), refused(&actions)), (vec![1], vec![]));
    job.messages(1, Vec::new());
    assert_eq!(welcomed(&job.bench.one_way(9, OneWay::Complete)), [(9, 0), (2, 1)]);
}

#[test]
fn only_the_highest_term_is_recovered() {
    let mut job = Job::new(2);
    job.come(0, old_member(3, 0, 2));
    job.bench.one_way(1, OneWay::Kept(vec![value(5, "k", "new")]));
    job.complete(0);
    job.come(1, old_member(2, 1, 2));
    job.bench.one_way(2, OneWay::Kept(vec![value(50, "k", "old"), value(51, "other", "old")]));
    job.complete(1);
    let actions = job.bench.tick();
    assert_eq!((welcomed(&actions), refused(&actions)[0].0), (vec![(1, 0)], 2));
    assert_eq!(granted(&actions)[0].1.term, 4);
    assert_eq!(job.bench.value(1, "k").as_deref(), Some("new"));
    assert_eq!(job.bench.value(1, "other"), None);
}

#[test]
fn store_steps_down_on_a_higher_term() {
    let mut bench = Bench::with_members(1);
    let actions = bench.resume(8, key_of(8), old_member(1, 0, 1));
    assert_eq!(refused(&actions).len(), 1);
    assert!(!actions.contains(&Action::StepDown { term: 1 }));
    let actions = bench.resume(9, key_of(9), old_member(2, 0, 1));
    assert!(actions.contains(&Action::StepDown { term: 2 }));
    assert!(matches!(&actions[0], Action::Refuse { link: 9, refusal } if refusal.later));
    // It acknowledges nothing any more.
    assert_eq!(bench.ask(1, set("k", "v")), []);
    let actions = bench.join(10, None);
    assert!(matches!(&actions[0], Action::Refuse { refusal, .. } if refusal.later));
    assert_eq!(bench.machine.next_deadline(), None);
}

#[test]
fn without_a_majority_no_member_is_served() {
    for (came, serves) in [(2, false), (3, true)] {
        let mut job = Job::with(4, |limits| limits.quorum = true);
        for rank in 0..came {
            job.messages(rank, Vec::new());
        }
        job.bench.join(9, None);
        let actions = job.bench.tick();
        assert_eq!(welcomed(&actions).len() >= 3, serves);
        assert_eq!(actions.contains(&Action::StepDown { term: 1 }), !serves);
        let later =
            actions.iter().filter(|action| matches!(action, Action::Refuse { refusal, .. } if refusal.later));
        assert_eq!(later.count(), if serves { 0 } else { 3 });
    }
}

#[test]
fn store_without_recovery_refuses_old_members() {
    let mut job = Job::with(1, |limits| limits.skip_recovery = true);
    assert_eq!(refused(&job.claim(0)).len(), 1);
    assert_eq!(welcomed(&job.bench.join(9, None)), [(9, 0)]);
}

#[test]
fn recovery_does_not_wait_for_a_departed_member() {
    let mut job = Job::new(3);
    job.messages(0, Vec::new());
    job.messages(1, Vec::new());
    job.bench.end(1, Cause::Left);
    let actions = job.messages(2, Vec::new());
    assert_eq!(welcomed(&actions), [(2, 1), (3, 2)]);
    // When all leave, the store is as fresh as before.
    let mut job = Job::new(1);
    job.claim(0);
    job.bench.end(1, Cause::Left);
    assert_eq!(job.bench.machine.status(0).phase, StorePhase::Fresh);
    assert_eq!(welcomed(&job.bench.join(9, None)), [(9, 0)]);
}

#[test]
fn member_may_resume_after_sending_all_its_replicas() {
    let mut job = Job::new(2);
    job.messages(0, vec![value(5, "k", "v")]);
    job.bench.end(1, Cause::Lost);
    let actions = job.messages(1, Vec::new());
    assert_eq!(welcomed(&actions), [(2, 1)]);
    assert_eq!(granted(&actions)[0].1.standing.members, 2);
    // It has not received its welcome, and sends its replicas again to a store that has them all.
    let actions = job.bench.resume(7, key_of(9), old_member(1, 0, 2));
    assert_eq!(refused(&actions)[0].0, 7);
    let actions = job.bench.resume(8, key_of(1), old_member(1, 0, 2));
    assert_eq!(welcomed(&actions), [(8, 0)]);
    job.bench.one_way(8, OneWay::Kept(vec![value(5, "k", "v")]));
    assert_eq!(job.bench.one_way(8, OneWay::Complete), []);
    assert_eq!(job.bench.value(8, "k").as_deref(), Some("v"));
}

#[test]
fn straggler_of_a_finished_round_is_released() {
    let round = Round { round: 60, ranks: vec![0, 1, 2], parts: Vec::new() };
    let mut job = Job::new(3);
    job.claim(0);
    job.bench.one_way(1, OneWay::Rounds(vec![("b".to_owned(), Round { round: 50, ..round.clone() })]));
    job.bench.one_way(1, OneWay::Rounds(vec![("b".to_owned(), round.clone())]));
    job.complete(0);
    job.messages(1, Vec::new());
    job.messages(2, Vec::new());
    let enter = |after_round| match barrier(3, SECOND_US) {
        Request::Gather { name, members, value, timeout_us, .. } => {
            Request::Gather { name, members, value, timeout_us, after_round: Some(after_round) }
        }
        other => other,
    };
    // The member that saw the end is in the next round; the others are released from the last one.
    assert_eq!(job.bench.ask(1, enter(60)), []);
    for link in [2, 3] {
        let answered = replies(&job.bench.ask(link, enter(55)));
        assert!(matches!(&answered[..], [(_, Ok(Answer::Gathered(end)))] if **end == round), "{answered:?}");
    }
    assert_eq!(job.bench.ask(2, enter(60)), []);
    assert_eq!(replies(&job.bench.ask(3, enter(60))).len(), 3);
    // A newcomer that happens to have the rank of one that was there is not mistaken for it.
    job.bench.end(3, Cause::Left);
    job.bench.join(9, Some(2));
    let now = job.bench.machine.revision();
    assert_eq!(job.bench.ask(9, enter(now)), []);
}

#[test]
fn locks_leases_and_their_keys_survive() {
    let lease = LeaseId(40);
    let leased = |revision, key: &str, lease| Kept {
        key: key.to_owned(),
        revision,
        what: Memory::Value { bytes: b"v".to_vec(), lifetime: Lifetime::Lease(lease) },
    };
    let mut job = Job::new(2);
    job.claim(0);
    job.bench.one_way(1, OneWay::Holding(vec![("l".to_owned(), 30), ("m".to_owned(), 31)]));
    job.bench.one_way(1, OneWay::Leases(vec![(lease, SECOND_US)]));
    job.complete(0);
    job.claim(1);
    job.bench.one_way(2, OneWay::Holding(vec![("l".to_owned(), 33)]));
    job.bench.one_way(2, OneWay::Kept(vec![leased(5, "k", lease), leased(6, "o", LeaseId(41))]));
    job.complete(1);
    let bench = &mut job.bench;
    assert_eq!(bench.answer(1, unlock("l")).unwrap_err().kind(), Kind::NotExist);
    assert_eq!(bench.ask(1, lock("l", SECOND_US)), []);
    assert!(replies(&bench.ask(2, unlock("l"))).iter().any(|(link, _)| *link == 1));
    assert_eq!(bench.answer(1, unlock("m")), Ok(Answer::Done));
    bench.pass(SECOND_US / 2);
    assert_eq!(bench.answer(2, Request::KeepAlive { lease }), Ok(Answer::Done));
    bench.pass(SECOND_US / 2);
    assert_eq!(bench.value(1, "k").as_deref(), Some("v"));
    bench.pass(SECOND_US / 2);
    assert_eq!(bench.value(1, "k"), None);
    // The granter of the other lease is dead; the key has some time to be renewed by any member that knows
    // it.
    assert_eq!(bench.value(1, "o").as_deref(), Some("v"));
    bench.pass(30 * SECOND_US);
    assert_eq!(bench.value(1, "o"), None);
}

#[test]
fn early_guests_stay_and_are_notified_of_recovered_keys() {
    let mut job = Job::new(1);
    job.bench.join_guest(8);
    job.bench.put(8, "guest", "g");
    sessions::watch(&mut job.bench, 8, 1, "");
    job.claim(0);
    // Its requests in between are answered afterwards.
    assert_eq!(job.bench.ask(8, Request::Get { key: "k".to_owned() }), []);
    job.bench.one_way(1, OneWay::Kept(vec![value(5, "k", "v")]));
    let actions = job.complete(0);
    assert_eq!(changes(&actions), [(8, "put guest".to_owned()), (8, "put k".to_owned())]);
    assert!(matches!(&replies(&actions)[..], [(8, Ok(Answer::Entry(Some(_))))]));
    assert_eq!(welcomed(&actions), [(1, 0)]);
    assert_eq!(job.bench.value(1, "guest").as_deref(), Some("g"));
}

#[test]
fn guests_resume_at_a_store_without_members() {
    let mut bench = Bench::new(0);
    let mut resume = old_member(1, 0, 0);
    resume.rank = None;
    bench.resume(8, key_of(8), resume);
    bench.one_way(8, OneWay::Kept(vec![value(5, "k", "v")]));
    assert_eq!(granted(&bench.one_way(8, OneWay::Complete)).len(), 1);
    assert_eq!(bench.value(8, "k").as_deref(), Some("v"));
}

#[test]
fn impossible_claims_are_refused() {
    let mut job = Job::new(2);
    for change in [
        |resume: &mut Resume| resume.term = 1 << 40,
        |resume: &mut Resume| resume.revision = u64::MAX,
        |resume: &mut Resume| resume.session = 5 << 32,
        |resume: &mut Resume| resume.session = 0,
        |resume: &mut Resume| resume.rank = Some(2),
    ] {
        let mut resume = old_member(1, 0, 2);
        change(&mut resume);
        assert_eq!(refused(&job.bench.resume(9, key_of(9), resume))[0].1, Kind::InvalidParam);
    }
    assert_eq!(job.bench.machine.status(0).phase, StorePhase::Fresh);
    job.claim(0);
    assert_eq!(only_failure_of_join(&mut job), Kind::InvalidParam);
}

fn only_failure_of_join(job: &mut Job) -> Kind {
    let mut arrival = arrival(3, None);
    arrival.join.resume = Some(old_member(1, 1, 2));
    refused(&job.bench.arrive(9, arrival))[0].1
}

#[test]
fn client_sending_requests_before_its_welcome_is_dropped() {
    let mut job = Job::new(2);
    job.claim(0);
    assert_eq!(dropped(&job.bench.ask(1, set("k", "v"))), [1]);
    assert_eq!(job.bench.machine.links.len(), 0);
    job.bench.join(5, None);
    assert_eq!(dropped(&job.bench.one_way(5, OneWay::Complete)), [5]);
}

#[test]
fn store_may_die_again_and_again() {
    let mut job = Job::new(2);
    job.messages(0, vec![value(5, "k", "v")]);
    job.messages(1, Vec::new());
    let revision = job.bench.put(2, "j", "w");
    let mut resumes: Vec<_> = [1, 2].map(|link| job.bench.resume_of(link)).to_vec();
    let mut next = Bench::with(Limits { resume_grace_us: GRACE_US, ..limits(2) });
    for (resume, link) in resumes.iter_mut().zip([1, 2]) {
        resume.store = OLD;
        next.resume(link, key_of(link), resume.clone());
    }
    next.one_way(1, OneWay::Kept(vec![value(5, "k", "v")]));
    next.one_way(1, OneWay::Complete);
    next.one_way(2, OneWay::Kept(vec![value(revision, "j", "w")]));
    let actions = next.one_way(2, OneWay::Complete);
    assert_eq!(granted(&actions)[0].1.term, 3);
    assert_eq!((next.value(1, "k").as_deref(), next.value(1, "j").as_deref()), (Some("v"), Some("w")));
    assert!(next.put(1, "x", "") > revision);
    let (_, kind, _) = only_failure(&next.ask(1, barrier(3, 0)));
    assert_eq!(kind, Kind::InvalidParam);
}
