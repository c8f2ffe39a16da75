// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests of slow readers: the messages that they receive in the end, and their cost until then.

use super::*;

const FULL: usize = 1000;

/// A bench that sends a client at most 1000 bytes before it reads; links 1.. have the ranks 0...
fn narrow(world_size: u32) -> Bench {
    Bench::filled(Limits { unread_bytes: FULL, resume_grace_us: GRACE_US, ..limits(world_size) })
}

fn watch(bench: &mut Bench, link: LinkId) {
    let request = Request::Watch { watch: 1, prefix: String::new(), exact: false, values: false };
    assert!(matches!(bench.answer(link, request), Ok(Answer::Watching { .. })));
    read(bench, link);
}

fn delete(bench: &mut Bench, link: LinkId, key: &str) -> Vec<Action> {
    bench.ask(link, Request::Delete { key: key.to_owned() })
}

fn get(key: &str) -> Request {
    Request::Get { key: key.to_owned() }
}

/// Lets the client read all earlier messages. Returns the next ones.
fn read(bench: &mut Bench, link: LinkId) -> Vec<Action> {
    bench.event(Event::Drained { link })
}

/// Reads until there is nothing more.
fn read_all(bench: &mut Bench, link: LinkId) -> Vec<Action> {
    let mut received = Vec::new();
    loop {
        let more = read(bench, link);
        let bytes: usize = more.iter().map(Action::bytes).sum();
        assert!(bytes < 2 * FULL, "{bytes} bytes at once");
        if more.is_empty() {
            return received;
        }
        received.extend(more);
    }
}

#[test]
fn slow_watcher_receives_the_last_state_of_each_key() {
    let mut bench = narrow(2);
    for key in ["was", "stays"] {
        bench.put(1, key, "0");
    }
    watch(&mut bench, 2);
    let mut sent = 0;
    for round in 0..100 {
        for key in ["a", "b", "c"] {
            let actions = bench.set(1, key, &format!("{round:0300}"), Lifetime::Permanent);
            sent += changes(&actions).len();
            read(&mut bench, 1);
        }
    }
    assert!(sent < 5, "{sent} changes were sent to a client that does not read");
    for n in 0..1000 {
        let key = format!("between/{n}");
        bench.put(1, &key, "x");
        delete(&mut bench, 1, &key);
        read(&mut bench, 1);
    }
    delete(&mut bench, 1, "was");
    delete(&mut bench, 1, "b");
    read(&mut bench, 1);
    let received = read_all(&mut bench, 2);
    let mut reported = changes(&received);
    reported.sort();
    let of = |text: &str| (2, text.to_owned());
    assert_eq!(reported, [of("Deleted b of None"), of("Deleted was of None"), of("put a"), of("put c")]);
    for action in &received {
        if let Action::Change { change, .. } = action
            && let Changed::Put(entry) = &**change
        {
            assert_eq!(entry.value, format!("{:0300}", 99).as_bytes());
        }
    }
    // A client that has caught up is notified at once.
    assert_eq!(changes(&bench.set(1, "a", "", Lifetime::Permanent)), [of("put a")]);
}

#[test]
fn reads_wait_until_their_reply_has_room() {
    let mut bench = narrow(2);
    bench.put(1, "k", &"v".repeat(600));
    let mut answered = 0;
    for _ in 0..60 {
        answered += replies(&bench.ask(2, get("k"))).len();
    }
    assert_eq!(answered, 2);
    assert!(bench.machine.accepts_requests(2));
    for _ in 0..60 {
        answered += replies(&bench.ask(2, get("k"))).len();
    }
    assert!(!bench.machine.accepts_requests(2) && bench.machine.accepts_requests(1));
    // The client reads the state at the time of sending.
    bench.put(1, "k", "new");
    let received = replies(&read(&mut bench, 2));
    assert!(
        matches!(&received[0], (2, Ok(Answer::Entry(Some(entry)))) if entry.value == b"new"),
        "{received:?}"
    );
    answered += received.len() + replies(&read_all(&mut bench, 2)).len();
    assert_eq!(answered, 120);
    assert!(bench.machine.accepts_requests(2));
}

#[test]
fn replies_follow_the_earlier_changes() {
    let mut bench = narrow(2);
    watch(&mut bench, 2);
    for key in ["a", "b", "c"] {
        bench.set(1, key, &"v".repeat(600), Lifetime::Permanent);
        read(&mut bench, 1);
    }
    let actions = bench.set(2, "own", "x", Lifetime::Permanent);
    assert!(replies(&actions).is_empty() && changes(&actions).iter().all(|(link, _)| *link != 2));
    let received = read_all(&mut bench, 2);
    let reported: Vec<_> = received
        .iter()
        .filter_map(|action| match action {
            Action::Change { change, .. } => Some(change.key().to_owned()),
            Action::Reply { .. } => Some("reply".to_owned()),
            _ => None,
        })
        .collect();
    assert_eq!(reported, ["c", "own", "reply"]);
}

#[test]
fn wait_continues_if_its_key_is_removed_before_the_reply() {
    let mut bench = narrow(2);
    let wait = |key: &str| Request::Wait { key: key.to_owned(), timeout_us: SECOND_US };
    bench.put(1, "k", &"v".repeat(1200));
    bench.ask(2, wait("one"));
    bench.ask(2, wait("two"));
    assert_eq!(replies(&bench.ask(2, get("k"))).len(), 1);
    bench.put(1, "one", "1");
    bench.put(1, "two", "2");
    delete(&mut bench, 1, "two");
    let received = replies(&read_all(&mut bench, 2));
    assert!(
        matches!(&received[..], [(2, Ok(Answer::Entry(Some(entry))))] if entry.key == "one"),
        "{received:?}"
    );
    let received = replies(&bench.set(1, "two", "3", Lifetime::Permanent));
    assert!(
        matches!(&received[0], (2, Ok(Answer::Entry(Some(entry)))) if entry.value == b"3"),
        "{received:?}"
    );
    bench.ask(2, wait("three"));
    let late = replies(&bench.pass(2 * SECOND_US));
    assert_eq!(late.len(), 1);
}

#[test]
fn a_withdrawn_queued_request_is_answered_before_its_withdrawal() {
    let mut bench = narrow(2);
    bench.put(1, "k", &"v".repeat(1200));
    bench.send(2, 900, Request::Wait { key: "late".to_owned(), timeout_us: SECOND_US });
    bench.send(2, 901, get("k"));
    bench.send(2, 902, Request::Wait { key: "held".to_owned(), timeout_us: SECOND_US });
    bench.put(1, "late", "x");
    for (sequence, of) in [(903, 900), (904, 902)] {
        bench.send(2, sequence, Request::Withdraw { of });
    }
    let reported: Vec<_> = read_all(&mut bench, 2)
        .iter()
        .filter_map(|action| match action {
            Action::Reply { sequence, result, .. } => Some((*sequence, result.is_ok())),
            _ => None,
        })
        .collect();
    assert_eq!(reported, [(900, false), (903, true), (902, false), (904, true)]);
    assert!(replies(&bench.set(1, "held", "y", Lifetime::Permanent)).iter().all(|(link, _)| *link == 1));
}

#[test]
fn requests_held_by_a_broken_link_can_be_resent() {
    let mut bench = narrow(2);
    bench.put(1, "k", &"v".repeat(1200));
    bench.send(2, 900, Request::Wait { key: "late".to_owned(), timeout_us: SECOND_US });
    bench.send(2, 901, get("k"));
    bench.send(2, 902, get("k"));
    bench.put(1, "late", "x");
    bench.send(2, 903, set("own", "y"));
    bench.relink(2, 9);
    for (sequence, request) in [
        (900, Request::Wait { key: "late".to_owned(), timeout_us: SECOND_US }),
        (902, get("k")),
        (903, set("own", "y")),
    ] {
        let reported = replies(&bench.send(9, sequence, request));
        assert!(matches!(&reported[..], [(9, Ok(_))]), "{sequence}: {reported:?}");
        read(&mut bench, 9);
    }
}

#[test]
fn replicas_are_handed_over_as_room_permits() {
    let mut bench = narrow(3);
    for n in 0..50 {
        bench.put(3, &format!("k{n}"), &"v".repeat(400));
        read(&mut bench, 3);
    }
    bench.end(3, Cause::Left);
    let mut received = bench.pass(SECOND_US);
    let of = |actions: &[Action]| {
        let kept = actions.iter().map(|action| match action {
            Action::Notice { notice, .. } => match &**notice {
                Notice::Keep(kept) => kept.len(),
                _ => 0,
            },
            _ => 0,
        });
        kept.sum::<usize>()
    };
    let mut kept: usize = bench.kept().iter().map(|(_, kept)| kept.len()).sum::<usize>() + of(&received);
    for _ in 0..1000 {
        received = read(&mut bench, 1);
        received.extend(read(&mut bench, 2));
        received.extend(bench.pass(10_000));
        kept += bench.kept().iter().map(|(_, kept)| kept.len()).sum::<usize>() + of(&received);
    }
    assert_eq!(kept, 50);
}
