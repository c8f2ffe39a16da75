// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests of allgathers, guests, and bounds.

use super::meeting::{barrier, only_failure, wait};
use super::*;

fn allgather(members: u32, value: &[u8]) -> Request {
    let name = "g".to_owned();
    Request::Gather { name, members, value: Some(value.to_vec()), timeout_us: SECOND_US, after_round: None }
}

#[test]
fn allgather_shares_one_copy_of_all_values() {
    let mut bench = Bench::with_members(3);
    let before = bench.machine.revision();
    bench.ask(3, allgather(3, b"c"));
    bench.ask(1, allgather(3, b"a"));
    let answered = replies(&bench.ask(2, allgather(3, b"")));
    let mut first: Option<Arc<crate::protocol::Round>> = None;
    for (_, result) in &answered {
        let Ok(Answer::Gathered(round)) = result else { panic!("{result:?}") };
        let parts: Vec<_> = round.parts.iter().map(|part| (part.rank.0, &part.value[..])).collect();
        assert_eq!(parts, [(0, &b"a"[..]), (1, b""), (2, b"c")]);
        assert_eq!(round.round, before + 1);
        assert!(Arc::ptr_eq(first.get_or_insert_with(|| Arc::clone(round)), round));
    }
    assert_eq!(answered.len(), 3);
}

#[test]
fn barrier_and_allgather_of_one_name_do_not_mix() {
    let mut bench = Bench::with_members(2);
    bench.ask(1, allgather(2, b"a"));
    let mixed = Request::Gather {
        name: "g".to_owned(),
        members: 2,
        value: None,
        timeout_us: SECOND_US,
        after_round: None,
    };
    assert_eq!(only_failure(&bench.ask(2, mixed)).1, Kind::InvalidParam);
    assert_eq!(replies(&bench.ask(2, allgather(2, b"b"))).len(), 2);
}

#[test]
fn too_large_allgather_fails_all_its_members() {
    let mut bench = Bench::with_members(300);
    let value = vec![0; 64 << 10];
    let mut answered = Vec::new();
    let mut entered = 0;
    while answered.is_empty() {
        entered += 1;
        answered = replies(&bench.ask(entered, allgather(300, &value)));
    }
    assert_eq!(answered.len() as u64, entered);
    assert!(answered.iter().all(|(_, result)| result == &answered[0].1));
    assert_eq!(answered[0].1.clone().unwrap_err().kind(), Kind::InvalidParam);
}

#[test]
fn guest_reads_and_writes_without_membership() {
    let mut bench = Bench::with_members(2);
    let [(9, granted)] = granted(&bench.join_guest(9))[..] else { panic!() };
    assert_eq!((granted.rank, granted.world_size, granted.standing.members), (None, 2, 2));
    bench.put(9, "k", "v");
    assert_eq!(bench.value(1, "k").as_deref(), Some("v"));
    assert_eq!(only_failure(&bench.ask(9, barrier(1, SECOND_US))).1, Kind::InvalidParam);
    bench.set(9, "s", "", Lifetime::Session);
    let entry = bench.answer(1, Request::Get { key: "s".to_owned() });
    assert!(matches!(entry, Ok(Answer::Entry(Some(entry))) if entry.owner.is_none()));
    bench.end(9, Cause::Left);
    assert_eq!(bench.value(1, "s"), None);
    assert_eq!(bench.machine.status(bench.now).members.len(), 2);
}

#[test]
fn guest_data_lasts_until_a_job_ends() {
    let mut bench = Bench::new(1);
    bench.join_guest(8);
    bench.put(8, "k", "v");
    bench.end(8, Cause::Left);
    bench.join_guest(9);
    assert_eq!(bench.value(9, "k").as_deref(), Some("v"));
    sessions::watch(&mut bench, 9, 1, "");
    bench.join(1, Some(0));
    bench.put(9, "mine", "");
    let actions = bench.end(1, Cause::Left);
    assert_eq!(
        changes(&actions),
        [(9, "Deleted k of None".to_owned()), (9, "Deleted mine of None".to_owned())]
    );
    // The guest's replicas belong to the job that is over.
    let superseded = bench.superseded();
    assert_eq!(superseded.len(), 1);
    assert_eq!((superseded[0].0, &superseded[0].1[0].0[..]), (9, "mine"));
}

#[test]
fn waiting_requests_of_one_client_are_bounded() {
    let mut bench = Bench::with_members(2);
    for n in 0..4096 {
        assert_eq!(bench.ask(1, wait(&format!("k{n}"), SECOND_US)), []);
    }
    assert_eq!(only_failure(&bench.ask(1, wait("k", SECOND_US))).1, Kind::NoResources);
    assert_eq!(only_failure(&bench.ask(1, barrier(2, SECOND_US))).1, Kind::NoResources);
    let lock = Request::Lock { name: "l".to_owned(), timeout_us: Some(0) };
    assert_eq!(only_failure(&bench.ask(1, lock)).1, Kind::NoResources);
    assert!(bench.answer(1, Request::Get { key: "k".to_owned() }).is_ok());
    assert_eq!(bench.ask(2, barrier(2, SECOND_US)), []);
    assert_eq!(replies(&bench.pass(SECOND_US)).len(), 4097);
}

#[test]
fn locks_of_one_client_are_bounded() {
    let mut bench = Bench::with_members(1);
    let lock = |n: u32| Request::Lock { name: format!("l{n}"), timeout_us: None };
    for n in 0..4096 {
        assert!(bench.answer(1, lock(n)).is_ok());
    }
    assert_eq!(bench.answer(1, lock(5000)).unwrap_err().kind(), Kind::NoResources);
}

#[test]
fn pages_continue_after_the_last_key() {
    let mut bench = Bench::with_members(1);
    for n in 0..5 {
        bench.put(1, &format!("k{n}"), "");
    }
    bench.put(1, "z", "");
    let mut page = |after: Option<&str>, limit| {
        let request = Request::ListPage { prefix: "k".to_owned(), after: after.map(str::to_owned), limit };
        let Ok(Answer::Page(page)) = bench.answer(1, request) else { panic!() };
        let keys: Vec<_> = page.entries.into_iter().map(|entry| entry.key.clone()).collect();
        (keys.join(" "), page.more)
    };
    assert_eq!(page(None, 2), ("k0 k1".to_owned(), true));
    assert_eq!(page(Some("k1"), 3), ("k2 k3 k4".to_owned(), false));
    assert_eq!(page(Some("k2x"), 1), ("k3".to_owned(), true));
    assert_eq!(page(Some("a"), 9).0, "k0 k1 k2 k3 k4");
    assert_eq!(page(Some("k4"), 9), (String::new(), false));
    assert_eq!(page(None, 0), (String::new(), true));
}
