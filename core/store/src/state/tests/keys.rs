// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Key operations against a plain map.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::protocol::limits::{MAX_KEY_BYTES, MAX_VALUE_BYTES};

fn kind(result: Result<Answer, Failure>) -> Kind {
    result.unwrap_err().kind()
}

#[test]
fn limits_are_checked_by_the_store_too() {
    let mut bench = Bench::with_members(1);
    let long = "k".repeat(MAX_KEY_BYTES + 1);
    for request in [
        Request::Get { key: String::new() },
        Request::Get { key: long.clone() },
        Request::Delete { key: long.clone() },
        Request::List { prefix: long.clone() },
        Request::Watch { watch: 1, prefix: long.clone(), exact: false, values: false },
        Request::Gather { name: long, members: 1, value: None, timeout_us: 0, after_round: None },
        Request::Set {
            key: "k".to_owned(),
            value: vec![0; MAX_VALUE_BYTES + 1],
            lifetime: Lifetime::Permanent,
        },
    ] {
        assert_eq!(kind(bench.answer(1, request)), Kind::InvalidParam);
    }
}

#[test]
fn append_is_bounded_by_the_length_it_would_reach() {
    let mut bench = Bench::with_members(1);
    let append = |bytes| Request::Append { key: "k".to_owned(), value: vec![0; bytes] };
    assert_eq!(bench.answer(1, append(MAX_VALUE_BYTES)), Ok(Answer::Appended { offset: 0, revision: 1 }));
    assert_eq!(kind(bench.answer(1, append(1))), Kind::InvalidParam);
}

#[test]
fn listing_is_bounded() {
    let mut bench = Bench::with_members(1);
    for n in 0..3 {
        bench.set(1, &format!("k{n}"), &"v".repeat(6 << 20), Lifetime::Permanent);
    }
    assert_eq!(kind(bench.answer(1, Request::List { prefix: "k".to_owned() })), Kind::BufferTooSmall);
    assert!(bench.answer(1, Request::List { prefix: "k1".to_owned() }).is_ok());
}

#[test]
fn add_refuses_text_and_overflow() {
    let mut bench = Bench::with_members(1);
    bench.set(1, "text", "seven", Lifetime::Permanent);
    bench.set(1, "large", &i64::MAX.to_string(), Lifetime::Permanent);
    for key in ["text", "large"] {
        assert_eq!(kind(bench.answer(1, Request::Add { key: key.to_owned(), delta: 1 })), Kind::InvalidParam);
    }
}

fn any_key() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "a/", "a/b", "a/c", "b", "\u{e9}"]).prop_map(str::to_owned)
}

fn any_value() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        prop::sample::select(vec!["1", "-5", "", "x"]).prop_map(|text| text.as_bytes().to_vec()),
        prop::collection::vec(any::<u8>(), 0..4)
    ]
}

fn any_request() -> impl Strategy<Value = Request> {
    let lifetime = prop::sample::select(vec![Lifetime::Permanent, Lifetime::Session]);
    prop_oneof![
        (any_key(), any_value(), lifetime.clone()).prop_map(|(key, value, lifetime)| Request::Set {
            key,
            value,
            lifetime
        }),
        any_key().prop_map(|key| Request::Get { key }),
        (any_key(), -9i64..9).prop_map(|(key, delta)| Request::Add { key, delta }),
        (any_key(), any_value()).prop_map(|(key, value)| Request::Append { key, value }),
        (any_key(), prop::option::of(any_value()), any_value(), lifetime).prop_map(
            |(key, expected, new, lifetime)| Request::CompareAndSwap { key, expected, new, lifetime }
        ),
        any_key().prop_map(|key| Request::Delete { key }),
        any_key().prop_map(|prefix| Request::List { prefix }),
    ]
}

type Model = BTreeMap<String, Vec<u8>>;

fn number(model: &Model, key: &str) -> Option<i64> {
    match model.get(key) {
        None => Some(0),
        Some(value) => std::str::from_utf8(value).ok()?.parse().ok(),
    }
}

/// Applies a request to the model. Returns the expected answer.
fn expected(model: &mut Model, request: Request) -> Option<String> {
    Some(match request {
        Request::Set { key, value, .. } => {
            model.insert(key, value);
            "set".to_owned()
        }
        Request::Get { key } => format!("{:?}", model.get(&key)),
        Request::Add { key, delta } => {
            let sum = number(model, &key)? + delta;
            model.insert(key, sum.to_string().into_bytes());
            sum.to_string()
        }
        Request::Append { key, value } => {
            let whole = model.entry(key).or_default();
            let offset = whole.len();
            whole.extend(value);
            offset.to_string()
        }
        Request::CompareAndSwap { key, expected, new, .. } => {
            let swapped = model.get(&key) == expected.as_ref();
            if swapped {
                model.insert(key.clone(), new);
            }
            format!("{swapped} {:?}", model.get(&key))
        }
        Request::Delete { key } => model.remove(&key).is_some().to_string(),
        Request::List { prefix } => {
            let under: Vec<_> = model.iter().filter(|(key, _)| key.starts_with(&prefix)).collect();
            format!("{under:?}")
        }
        other => panic!("{other:?}"),
    })
}

fn shown(answer: Answer) -> String {
    match answer {
        Answer::Revision(_) => "set".to_owned(),
        Answer::Entry(entry) => format!("{:?}", entry.map(|entry| entry.value.clone())),
        Answer::Sum { sum, .. } => sum.to_string(),
        Answer::Appended { offset, .. } => offset.to_string(),
        Answer::Swap(swap) => format!("{} {:?}", swap.swapped, swap.current.map(|entry| entry.value.clone())),
        Answer::Deleted { revision, .. } => revision.is_some().to_string(),
        Answer::Listing(listing) => {
            let pairs: Vec<_> =
                listing.entries.into_iter().map(|entry| (entry.key.clone(), entry.value.clone())).collect();
            format!("{pairs:?}")
        }
        other => panic!("{other:?}"),
    }
}

proptest! {
    #[test]
    fn operations_agree_with_a_plain_map(requests in prop::collection::vec((1u64..3, any_request()), 1..60)) {
        let mut bench = Bench::with_members(3);
        bench.ask(3, Request::Watch { watch: 1, prefix: String::new(), exact: false, values: false });
        let mut model = Model::new();
        let mut copy = Model::new();
        let mut last = 0;
        for (session, request) in requests {
            let wanted = expected(&mut model, request.clone());
            let actions = bench.ask(session, request);
            let result = replies(&actions).remove(0).1;
            prop_assert_eq!(result.ok().map(shown), wanted);
            // A copy kept by a watch is the same map, and revisions only grow.
            for action in actions {
                let Action::Change { change, .. } = action else { continue };
                let revision = match &*change {
                    Changed::Put(entry) => {
                        copy.insert(entry.key.clone(), entry.value.clone());
                        entry.revision
                    }
                    Changed::Removed { key, revision, .. } => {
                        copy.remove(key);
                        *revision
                    }
                };
                prop_assert!(revision > last);
                last = revision;
            }
            prop_assert_eq!(&copy, &model);
        }
        // Both setters go: only permanent keys stay, and nothing is left that names the setters.
        bench.end(1, Cause::Lost);
        bench.end(2, Cause::Left);
        bench.pass(SECOND_US);
        keepers::check_consistent(&bench.machine.keys, &[1, 2, 3].map(|n| (1 << 32) | n));
        let rest = bench.answer(3, Request::List { prefix: String::new() });
        let Ok(Answer::Listing(rest)) = rest else { panic!("{rest:?}") };
        prop_assert!(rest.entries.iter().all(|entry| entry.owner.is_none()));
    }
}
