// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A store that does not know yet whether another one preceded it.

use super::meeting::{barrier, wait};
use super::recovery::{OLD, old_member};
use super::sessions::watch;
use super::*;
use crate::protocol::Standing;
use crate::state::status::StorePhase;

const HOLD_US: Micros = 300_000;

fn young(world_size: u32) -> Bench {
    Bench::with(Limits {
        hold_us: HOLD_US,
        lasting_token: true,
        resume_grace_us: GRACE_US,
        ..limits(world_size)
    })
}

fn set_own(bench: &mut Bench, link: LinkId, key: &str, value: &str) -> Result<Answer, Failure> {
    bench.answer(link, Request::Set { key: key.to_owned(), value: value.into(), lifetime: Lifetime::Session })
}

/// The members 1.. of a job of `world` resume over the links 11.., rank 0 died with the store.
fn survivors_resume(bench: &mut Bench, world: u32) -> Vec<Action> {
    let mut actions = Vec::new();
    for rank in 1..world {
        let link = u64::from(rank) + 10;
        let standing = Standing { epoch: 20, members: world, host_session: Some((1 << 32) | 1) };
        actions.extend(bench.resume(link, key_of(link), Resume { standing, ..old_member(1, rank, world) }));
        actions.extend(
            bench.one_way(link, OneWay::Kept(vec![value(40 + u64::from(rank), "n", &rank.to_string())])),
        );
        actions.extend(bench.one_way(link, OneWay::Complete));
    }
    actions
}

#[test]
fn rank_0_is_a_member_before_any_time_has_passed() {
    let mut bench = young(2);
    let now = bench.now;
    assert_eq!(welcomed(&bench.join(1, Some(0))), [(1, 0)]);
    assert!(matches!(set_own(&mut bench, 1, "card/0", "x"), Ok(Answer::Revision(_))));
    watch(&mut bench, 1, 1, "card/");
    assert_eq!(bench.ask(1, wait("card/1", SECOND_US)), []);
    assert_eq!(bench.ask(1, barrier(2, SECOND_US)), []);
    assert_eq!(bench.machine.status(now).phase, StorePhase::Fresh);
    // The last one of the world ends the uncertainty: no tick, no clock.
    assert_eq!(welcomed(&bench.join(2, Some(1))), [(2, 1)]);
    assert_eq!(bench.machine.status(now).phase, StorePhase::Serving);
    assert_eq!(bench.value(2, "card/0").as_deref(), Some("x"));
    assert_eq!(replies(&bench.ask(2, barrier(2, SECOND_US))).len(), 2);
    assert_eq!(bench.now, now);
}

#[test]
fn replies_depending_on_a_former_store_are_delayed() {
    let mut bench = young(2);
    bench.join(1, Some(0));
    bench.join_guest(5);
    let get = || Request::Get { key: "k".to_owned() };
    let lock = Request::Lock { name: "l".to_owned(), timeout_us: None };
    for request in [get(), lock, Request::View, set("k", "1"), get()] {
        assert_eq!(bench.ask(1, request), []);
    }
    assert_eq!(bench.ask(5, get()), []);
    assert_eq!(bench.pass(HOLD_US - bench.now - 1), []);
    let answered = replies(&bench.tick());
    assert_eq!(answered.iter().map(|(link, _)| *link).collect::<Vec<_>>(), [1, 1, 1, 1, 1, 5]);
    assert!(matches!(&answered[0].1, Ok(Answer::Entry(None))), "{answered:?}");
    assert!(matches!(&answered[4].1, Ok(Answer::Entry(Some(entry))) if entry.value == b"1"), "{answered:?}");
    assert_eq!(bench.machine.status(0).phase, StorePhase::Serving);
    // A member of another store comes too late for this one.
    let (_, kind, text) = refused(&bench.resume(9, key_of(9), old_member(1, 1, 2))).remove(0);
    assert_eq!(kind, Kind::NotConnected);
    assert!(text.contains("given session"), "{text}");
}

#[test]
fn automatic_ranks_and_underived_tokens_wait_for_survivors() {
    let mut bench = young(3);
    assert_eq!(bench.join(1, None), []);
    assert_eq!(welcomed(&bench.join(2, Some(2))), [(2, 2)]);
    assert_eq!(bench.pass(HOLD_US - bench.now - 1), []);
    assert_eq!(welcomed(&bench.join(3, Some(0))), [(3, 0), (1, 1)]);

    let mut bench = Bench::with(Limits { hold_us: HOLD_US, ..limits(2) });
    assert_eq!(bench.join(1, Some(0)), []);
    assert_eq!(welcomed(&bench.tick()), [(1, 0)]);
    assert_eq!(bench.now, HOLD_US);
}

#[test]
fn fresh_store_makes_no_member_wait() {
    for lasting_token in [false, true] {
        let window = Limits { seems_first: true, lasting_token, hold_us: HOLD_US, ..limits(3) };
        let mut bench = Bench::with(window);
        let now = bench.now;
        assert_eq!(welcomed(&bench.join(1, Some(0))), [(1, 0)]);
        // An automatic rank waits for the others only as long as in any incomplete world.
        let actions = bench.join(2, None);
        let given = if welcomed(&actions).is_empty() { bench.pass(window.rank_window_us) } else { actions };
        assert_eq!(welcomed(&given), [(2, 1)]);
        assert!(bench.now <= now + window.rank_window_us && bench.machine.is_fresh());
        assert_eq!(welcomed(&bench.join(3, Some(2))), [(3, 2)]);
        assert!(!bench.machine.is_fresh());
    }
}

#[test]
fn early_members_lose_sessions_to_foreign_survivors() {
    let mut bench = Bench::with(Limits { seems_first: true, hold_us: HOLD_US, ..limits(3) });
    bench.join(1, Some(0));
    assert!(set_own(&mut bench, 1, "card/0", "early").is_ok());
    let resume = bench.resume_of(1);
    survivors_resume(&mut bench, 3);
    let actions = bench.pass(SECOND_US);
    assert_eq!((welcomed(&actions), dropped(&actions)), (vec![(11, 1), (12, 2)], vec![1]));
    let (_, kind, text) = refused(&bench.resume(21, key_of(1), resume)).remove(0);
    assert_eq!(kind, Kind::NotConnected, "{text}");
    assert_eq!(bench.value(11, "card/0"), None);
    // Its rank is free for the next newcomer.
    assert_eq!(welcomed(&bench.join(31, Some(0))), [(31, 0)]);
}

#[test]
fn rank_0_rejoining_before_the_survivors_joins_them() {
    let mut bench = young(3);
    let [(1, before)] = granted(&bench.join(1, Some(0)))[..] else { panic!() };
    assert!(set_own(&mut bench, 1, "card/0", "new").is_ok());
    assert_eq!(bench.ask(1, barrier(3, 10 * SECOND_US)), []);
    assert_eq!(bench.ask(1, Request::Get { key: "n".to_owned() }), []);
    assert_eq!(survivors_resume(&mut bench, 3), []);
    assert_eq!(bench.machine.status(0).phase, StorePhase::Recovering);
    // Only the member that ran the former store is missing.
    let resume = bench.resume_of(1);
    let actions = bench.pass(SECOND_US);
    assert_eq!(welcomed(&actions), [(11, 1), (12, 2)]);
    assert_eq!(dropped(&actions), [1]);
    let actions = bench.resume(21, key_of(1), resume);
    let [(21, after)] = granted(&actions)[..] else { panic!("{actions:?}") };
    assert_eq!((after.session, after.rank, after.term), (before.session, Some(Rank(0)), before.term + 1));
    assert_eq!(after.standing.members, 3);
    assert!(after.revision >= 2 << 32);
    // Both the old keys and the new ones are there, and the barrier of the early member is still open.
    for link in [11, 21] {
        assert_eq!(bench.value(link, "n").as_deref(), Some("2"));
        assert_eq!(bench.value(link, "card/0").as_deref(), Some("new"));
    }
    bench.ask(11, barrier(3, SECOND_US));
    assert_eq!(replies(&bench.ask(12, barrier(3, SECOND_US))).len(), 3);
}

#[test]
fn early_member_with_a_survivors_rank_loses_its_session() {
    let mut bench = young(3);
    bench.join(1, Some(0));
    bench.join(2, Some(1));
    assert!(set_own(&mut bench, 2, "card/1", "early").is_ok());
    let resume = bench.resume_of(2);
    survivors_resume(&mut bench, 3);
    let actions = bench.pass(SECOND_US);
    assert_eq!(welcomed(&actions), [(11, 1), (12, 2)]);
    assert_eq!(dropped(&actions), [2, 1]);
    let (_, kind, _) = refused(&bench.resume(22, key_of(2), resume)).remove(0);
    assert_eq!(kind, Kind::NotConnected);
    assert_eq!(bench.value(11, "card/1"), None);
}

#[test]
fn early_leaver_leaves_no_data() {
    let mut bench = young(2);
    bench.join(1, Some(0));
    assert!(set_own(&mut bench, 1, "card/0", "x").is_ok());
    bench.end(1, Cause::Left);
    assert_eq!(welcomed(&bench.join(2, Some(0))), [(2, 0)]);
    survivors_resume(&mut bench, 2);
    assert_eq!(welcomed(&bench.pass(SECOND_US)), [(11, 1)]);
    assert_eq!(bench.value(11, "card/0"), None);
}

#[test]
fn sessions_of_two_fresh_stores_have_different_numbers() {
    let number = |store: [u8; 16]| {
        let limits = Limits { hold_us: HOLD_US, lasting_token: true, ..limits(2) };
        let mut machine = Machine::new(store, limits);
        granted(&machine.on_event(5, Event::Join { link: 1, arrival: Box::new(arrival(2, Some(0))) }))[0]
            .1
            .session
    };
    assert_ne!(number(STORE), number(OLD));
}
