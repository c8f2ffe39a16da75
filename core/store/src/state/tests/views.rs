// SPDX-License-Identifier: Apache-2.0 OR MIT
//! News of the membership, watches of keys, and the status.

use super::*;
use crate::api::{Awaited, AwaitedKind, View, Waiter};
use crate::state::status::StorePhase;

fn watch_members(bench: &mut Bench, link: LinkId) -> View {
    match bench.answer(link, Request::WatchMembers { watch: 3 }) {
        Ok(Answer::View(view)) => view,
        other => panic!("{other:?}"),
    }
}

fn views(bench: &mut Bench) -> Vec<(LinkId, ViewChange)> {
    let notices = bench.take_notices().into_iter();
    notices
        .filter_map(|(link, notice)| match notice {
            Notice::View { watch: 3, change } => Some((link, change)),
            _ => None,
        })
        .collect()
}

fn standings(bench: &mut Bench) -> Vec<(LinkId, u64, u32)> {
    let notices = bench.take_notices().into_iter();
    notices
        .filter_map(|(link, notice)| match notice {
            Notice::Standing(standing) => Some((link, standing.epoch, standing.members)),
            _ => None,
        })
        .collect()
}

fn ranks(peers: &[crate::api::Peer]) -> Vec<u32> {
    peers.iter().map(|peer| peer.rank.0).collect()
}

#[test]
fn first_change_is_reported_at_once_and_the_next_are_gathered() {
    let mut bench = Bench::with_members(5);
    let view = watch_members(&mut bench, 1);
    assert_eq!((view.epoch, ranks(&view.members)), (5, vec![0, 1, 2, 3, 4]));
    bench.end(5, Cause::Lost);
    let reported = views(&mut bench);
    assert_eq!((reported.len(), reported[0].1.epoch, ranks(&reported[0].1.dead)), (1, 6, vec![4]));
    bench.end(4, Cause::Left);
    bench.join(6, Some(4));
    bench.end(6, Cause::Lost);
    bench.join(7, Some(3));
    assert_eq!(views(&mut bench), []);
    // Its rank is taken again, the other is not.
    let Ok(Answer::View(view)) = bench.answer(1, Request::View) else { panic!("no view") };
    let dead: Vec<_> = view.dead.iter().map(|lost| (lost.peer.rank.0, lost.epoch)).collect();
    assert_eq!((dead, ranks(&view.members)), (vec![(4, 8)], vec![0, 1, 2, 3]));
    bench.tick();
    let reported = views(&mut bench);
    let [(1, change)] = &reported[..] else { panic!("{reported:?}") };
    // A member that came and went between two reports is in neither list.
    assert_eq!((change.epoch, ranks(&change.left), ranks(&change.joined)), (10, vec![3], vec![3]));
    assert!(change.dead.is_empty());
}

#[test]
fn contacts_describe_the_phase_of_each_member() {
    let mut bench = Bench::with_grace(2);
    bench.ask(1, Request::Wait { key: "k".into(), timeout_us: 9_000_000 });
    bench.pass(2_000_000);
    bench.end(2, Cause::Lost);
    bench.pass(GRACE_US / 2);
    let Ok(Answer::Contacts(contacts)) = bench.answer(1, Request::Contacts) else { panic!("no contacts") };
    let [first, second] = &contacts[..] else { panic!("{contacts:?}") };
    assert_eq!((first.rank.0, first.silent_us, first.is_connected), (0, 0, true));
    assert!(first.phase.contains("key \"k\"") && first.phase.contains("since 2.0"), "{first:?}");
    assert_eq!((second.rank.0, second.is_connected), (1, false));
    assert!(second.silent_us >= 2_000_000 && second.phase == "has sent no request yet", "{second:?}");
}

#[test]
fn awaited_names_the_pending_operation_of_each_member() {
    let mut bench = Bench::with_members(3);
    let gather = |name: &str, members| Request::Gather {
        name: name.into(),
        members,
        value: None,
        timeout_us: 90_000_000,
        after_round: None,
    };
    bench.answer(1, Request::Lock { name: "l".into(), timeout_us: None }).unwrap();
    bench.ask(1, gather("b", 3));
    bench.pass(2_000_000);
    bench.ask(2, gather("b", 3));
    bench.ask(3, Request::Lock { name: "l".into(), timeout_us: Some(90_000_000) });
    bench.ask(3, Request::Wait { key: "k".into(), timeout_us: 90_000_000 });
    bench.pass(1_000_000);
    let Ok(Answer::Awaited(awaited)) = bench.answer(1, Request::Awaited) else { panic!("nothing awaited") };
    let sessions = [1, 2, 3].map(|link| bench.session_of(link));
    let waiter = |rank: u32, waited_us| Waiter { rank, session: sessions[rank as usize], waited_us };
    let of = |kind, name: &str, waiting| Awaited { kind, name: name.into(), waiting };
    assert_eq!(
        awaited,
        [
            of(AwaitedKind::Key, "k", vec![waiter(2, 1_000_000)]),
            of(AwaitedKind::Barrier { members: 3 }, "b", vec![waiter(0, 3_000_000), waiter(1, 1_000_000)]),
            of(AwaitedKind::Lock { holder: Some(0) }, "l", vec![waiter(2, 1_000_000)]),
        ]
    );
}

#[test]
fn rejoined_member_does_not_see_earlier_deaths() {
    let mut bench = Bench::with_grace(2);
    bench.end(2, Cause::Lost);
    bench.end(1, Cause::Left);
    bench.join(3, Some(0));
    bench.pass(GRACE_US);
    let Ok(Answer::View(view)) = bench.answer(3, Request::View) else { panic!("no view") };
    let dead: Vec<_> = view.dead.iter().map(|lost| (lost.peer.rank.0, lost.epoch)).collect();
    // It joined in epoch 4.
    assert_eq!((dead, view.epoch), (vec![(1, 2)], 5));
}

#[test]
fn watcher_is_not_notified_of_changes_in_its_answer() {
    let mut bench = Bench::with_members(4);
    watch_members(&mut bench, 1);
    bench.end(4, Cause::Lost);
    bench.end(3, Cause::Lost);
    bench.take_notices();
    let view = watch_members(&mut bench, 2);
    assert_eq!((view.epoch, ranks(&view.members)), (6, vec![0, 1]));
    bench.pass(SECOND_US);
    let reported = views(&mut bench);
    assert_eq!(reported.iter().map(|(link, _)| *link).collect::<Vec<_>>(), [1]);
    assert_eq!(bench.answer(1, Request::Unwatch { watch: 3 }), Ok(Answer::Done));
    bench.join(5, None);
    bench.pass(SECOND_US);
    let reported = views(&mut bench);
    assert_eq!(reported.iter().map(|(link, _)| *link).collect::<Vec<_>>(), [2]);
}

#[test]
fn standing_is_gathered_while_the_world_fills_up() {
    let mut bench = Bench::new(100);
    let mut reported = 0;
    for rank in 0..99 {
        let actions = bench.join(u64::from(rank) + 1, Some(rank));
        assert_eq!(granted(&actions)[0].1.standing.members, rank + 1);
        bench.now += 1_000;
        bench.event(Event::Tick);
        reported += standings(&mut bench).len();
    }
    assert_eq!(reported, 0);
    bench.join(100, Some(99));
    // All but the last one, which has received it with its welcome.
    let reported = standings(&mut bench);
    assert_eq!(reported.len(), 99);
    assert!(reported.iter().all(|(_, epoch, members)| (*epoch, *members) == (100, 100)));
    bench.end(1, Cause::Lost);
    bench.pass(SECOND_US);
    assert_eq!(standings(&mut bench).len(), 99);
}

#[test]
fn watch_begins_with_the_existing_keys() {
    let mut bench = Bench::with_members(2);
    bench.put(1, "p/a", "1");
    bench.set(1, "p/b", "2", Lifetime::Session);
    bench.put(1, "q", "3");
    let watch = |watch, prefix: &str, exact, values| Request::Watch {
        watch,
        prefix: prefix.to_owned(),
        exact,
        values,
    };
    let Ok(Answer::Watching { revision: 3, known, entries }) = bench.answer(2, watch(1, "p/", false, false))
    else {
        panic!()
    };
    let known: Vec<_> = known.iter().map(|known| (&known.key[..], known.revision, known.owner)).collect();
    assert_eq!((known, entries.len()), (vec![("p/a", 1, None), ("p/b", 2, Some(0))], 0));
    let Ok(Answer::Watching { known, entries, .. }) = bench.answer(2, watch(1, "p/", false, true)) else {
        panic!()
    };
    assert_eq!((known.len(), entries.len(), &entries[1].value[..]), (0, 2, &b"2"[..]));
    // The same number again is the same watch.
    assert_eq!(changes(&bench.set(1, "p/a", "", Lifetime::Permanent)).len(), 1);
    assert_eq!(bench.answer(2, watch(1, "q", false, true)).unwrap_err().kind(), Kind::Duplicated);
}

#[test]
fn exact_watch_ignores_longer_keys() {
    let mut bench = Bench::with_members(2);
    bench.put(1, "k", "1");
    bench.put(1, "k2", "1");
    let exact =
        |watch, prefix: &str| Request::Watch { watch, prefix: prefix.to_owned(), exact: true, values: true };
    let Ok(Answer::Watching { entries, .. }) = bench.answer(2, exact(1, "k")) else { panic!() };
    assert_eq!(entries.len(), 1);
    assert_eq!(bench.answer(2, exact(2, "")).unwrap_err().kind(), Kind::InvalidParam);
    assert_eq!(changes(&bench.set(1, "k2", "", Lifetime::Permanent)), []);
    assert_eq!(changes(&bench.set(1, "k", "", Lifetime::Permanent)), [(2, "put k".to_owned())]);
    assert_eq!(bench.answer(2, Request::Unwatch { watch: 1 }), Ok(Answer::Done));
    assert_eq!(changes(&bench.set(1, "k", "", Lifetime::Permanent)), []);
}

#[test]
fn values_exceeding_the_reply_follow_as_changes() {
    let mut bench = Bench::with_members(2);
    for n in 0..4 {
        bench.put(1, &format!("k{n}"), &"v".repeat(3 << 20));
    }
    let request = Request::Watch { watch: 1, prefix: "k".to_owned(), exact: false, values: true };
    let actions = bench.ask(2, request);
    assert_eq!(changes(&actions), [(2, "put k2".to_owned()), (2, "put k3".to_owned())]);
    let [(2, Ok(Answer::Watching { known, entries, .. }))] = &replies(&actions)[..] else { panic!() };
    assert_eq!((known.len(), entries.len()), (2, 2));
    assert!(matches!(actions.first(), Some(Action::Reply { .. })));
}

#[test]
fn status_shows_the_phase_of_each_member() {
    let mut bench = Bench::with_grace(2);
    bench.join_guest(9);
    bench.put(1, "k", "abc");
    bench.pass(SECOND_US);
    bench.ask(2, Request::Wait { key: "x".to_owned(), timeout_us: 9 * SECOND_US });
    bench.end(1, Cause::Lost);
    let status = bench.machine.status(bench.now);
    assert_eq!((status.phase, status.term, status.epoch, status.revision), (StorePhase::Serving, 1, 2, 1));
    assert_eq!((status.guests, status.keys, status.world_size), (1, 1, 2));
    let [first, second] = &status.members[..] else { panic!() };
    assert_eq!((first.is_connected, second.is_connected), (false, true));
    assert_eq!(first.phase, "last request set, 1.000 s ago");
    assert_eq!(first.last_contact_ago, std::time::Duration::from_secs(1));
    assert_eq!(second.phase, "waits for key \"x\" since 0.000 s");
}
