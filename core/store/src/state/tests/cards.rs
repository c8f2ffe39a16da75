// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Names of guests.

use super::*;

fn card(name: &str, lifetime: Lifetime) -> Request {
    Request::Set { key: format!(".mf/meeting/{name}"), value: b"x".to_vec(), lifetime }
}

fn meeting_point() -> Bench {
    Bench::with(Limits { guests_only: true, resume_grace_us: GRACE_US, ..limits(0) })
}

#[test]
fn name_belongs_to_one_session_until_it_ends() {
    let mut bench = meeting_point();
    bench.join_guest(1);
    bench.join_guest(2);
    assert!(bench.answer(1, card("n", Lifetime::Session)).is_ok());
    assert!(bench.answer(1, card("n", Lifetime::Session)).is_ok());
    let key = || ".mf/meeting/n".to_owned();
    let taken = [
        card("n", Lifetime::Session),
        Request::Delete { key: key() },
        Request::CompareAndSwap {
            key: key(),
            expected: Some(b"x".to_vec()),
            new: b"y".to_vec(),
            lifetime: Lifetime::Session,
        },
    ];
    for request in &taken {
        let failure = bench.answer(2, request.clone()).unwrap_err();
        assert_eq!(failure.kind(), Kind::Duplicated);
        assert_eq!(failure.text(), "the name \"n\" is taken by a guest (host a, pid 7)");
    }
    // It may still come back within its grace.
    bench.end(1, Cause::Lost);
    assert_eq!(bench.answer(2, taken[0].clone()).unwrap_err().kind(), Kind::Duplicated);
    bench.pass(GRACE_US);
    assert!(bench.answer(2, taken[0].clone()).is_ok());
    bench.end(2, Cause::Left);
    bench.join_guest(3);
    assert!(bench.answer(3, taken[0].clone()).is_ok());
}

#[test]
fn cards_live_with_their_guests_only() {
    let mut bench = meeting_point();
    bench.join_guest(1);
    let key = || ".mf/meeting/n".to_owned();
    for request in [
        card("n", Lifetime::Permanent),
        Request::Add { key: key(), delta: 1 },
        Request::Append { key: key(), value: b"x".to_vec() },
    ] {
        assert_eq!(bench.answer(1, request).unwrap_err().kind(), Kind::InvalidParam);
    }
    // Other keys of the library are not for guests.
    let other =
        Request::Set { key: ".mf/space/pools".to_owned(), value: vec![], lifetime: Lifetime::Session };
    assert_eq!(bench.answer(1, other).unwrap_err().kind(), Kind::InvalidParam);
    let (_, kind, text) = refused(&bench.arrive(5, arrival(1, Some(0)))).remove(0);
    assert_eq!(kind, Kind::InvalidParam);
    assert!(text.contains("meeting point"), "{text}");
}

#[test]
fn a_guest_writes_the_network_card_of_its_own_session_only() {
    let mut bench = meeting_point();
    let [(1, granted)] = granted(&bench.join_guest(1))[..] else { panic!() };
    let own = crate::network_card(granted.session);
    let set = |key: &str, lifetime| Request::Set { key: key.to_owned(), value: b"x".to_vec(), lifetime };
    assert!(bench.answer(1, set(&own, Lifetime::Session)).is_ok());
    for request in [
        set(&own, Lifetime::Permanent),
        set(&format!("{own}/ask"), Lifetime::Session),
        set(&crate::network_card(granted.session + 1), Lifetime::Session),
        Request::Append { key: own.clone(), value: b"x".to_vec() },
        Request::Delete { key: crate::network_card(granted.session + 1) },
    ] {
        assert_eq!(bench.answer(1, request).unwrap_err().kind(), Kind::InvalidParam);
    }
    bench.join_guest(2);
    assert_eq!(bench.value(2, &own).as_deref(), Some("x"));
    assert_eq!(bench.answer(2, set(&own, Lifetime::Session)).unwrap_err().kind(), Kind::InvalidParam);
    bench.end(1, Cause::Left);
    assert_eq!(bench.value(2, &own), None);
}

#[test]
fn cards_outlive_the_job_of_the_store() {
    let mut bench = Bench::with_grace(1);
    let [(5, granted)] = granted(&bench.join_guest(5))[..] else { panic!() };
    let network = crate::network_card(granted.session);
    assert!(bench.answer(5, card("n", Lifetime::Session)).is_ok());
    let set = Request::Set { key: network.clone(), value: b"y".to_vec(), lifetime: Lifetime::Session };
    assert!(bench.answer(5, set).is_ok());
    bench.put(1, "k", "v");
    bench.end(1, Cause::Left);
    bench.join_guest(6);
    assert_eq!(bench.value(6, "k"), None);
    assert_eq!(bench.value(6, ".mf/meeting/n").as_deref(), Some("x"));
    assert_eq!(bench.value(6, &network).as_deref(), Some("y"));
    bench.end(5, Cause::Left);
    assert_eq!(bench.value(6, ".mf/meeting/n"), None);
    assert_eq!(bench.value(6, &network), None);
}
