// SPDX-License-Identifier: Apache-2.0 OR MIT
use proptest::prelude::*;

use super::*;

fn reach(score: u32) -> Result<Reach> {
    Ok(Reach { path: format!("route {score}"), encrypted: false, score })
}

fn closed(what: &str) -> Result<Reach> {
    Err(Error::new(Kind::NotConnected, "test").what(what))
}

fn set(names: &[EngineName]) -> EngineSet {
    names.iter().copied().collect()
}

fn asks(engines: EngineSet) -> Request {
    Request { engines, ..Request::default() }
}

/// Another host, tcp and ucx without RDMA.
fn remote() -> Vec<Candidate> {
    vec![
        Candidate::mapped(Engine::Cpu, closed("on another host")),
        Candidate::mapped(Engine::Device, closed("on another host")),
        Candidate::ucx(reach(40), false),
        Candidate::tcp(reach(50)),
    ]
}

fn remote_with_rdma() -> Vec<Candidate> {
    vec![Candidate::tcp(reach(50)), Candidate::ucx(reach(90), true)]
}

fn chosen(request: &Request, candidates: &[Candidate]) -> Decision {
    decide(request, &Tag::default(), candidates, false).unwrap()
}

#[test]
fn mapped_memory_is_copied_for_any_requested_engine() {
    for names in EngineName::ALL {
        let mut candidates = remote_with_rdma();
        candidates.push(Candidate::mapped(Engine::Cpu, reach(1)));
        let decision = decide(&asks(EngineSet::one(names)), &Tag::default(), &candidates, true).unwrap();
        assert_eq!((decision.engine, decision.index, &decision.instead_of), (Engine::Cpu, 2, &None));
        assert!(decision.why[0].text.contains("mapped"), "{decision:?}");
    }
}

#[test]
fn preferred_reachable_engine_is_used_without_a_warning() {
    use EngineName::{DeviceRdma, DeviceSdma, HostRdma, HostTcp, HostUrma};
    for (asked, candidates, engine) in [
        (set(&[HostTcp, HostRdma]), remote_with_rdma(), Engine::Ucx),
        (set(&[HostTcp, HostRdma, DeviceSdma, DeviceRdma]), remote_with_rdma(), Engine::Ucx),
        (set(&[HostTcp]), remote_with_rdma(), Engine::Tcp),
        (set(&[HostTcp, HostRdma]), remote(), Engine::Tcp),
        (set(&[HostTcp, HostUrma, DeviceSdma]), remote(), Engine::Tcp),
    ] {
        let decision = decide(&asks(asked), &Tag::default(), &candidates, true).unwrap();
        assert_eq!((decision.engine, decision.instead_of), (engine, None), "{asked}");
    }
}

#[test]
fn highest_score_wins_without_a_preference() {
    assert_eq!(chosen(&asks(EngineSet::AUTO), &remote()).engine, Engine::Tcp);
    assert_eq!(chosen(&asks(EngineSet::AUTO), &remote_with_rdma()).engine, Engine::Ucx);
    let even = [Candidate::tcp(reach(5)), Candidate::ucx(reach(5), false)];
    assert_eq!(chosen(&asks(EngineSet::AUTO), &even).engine, Engine::Ucx);
}

#[test]
fn missing_engine_is_replaced_with_a_text_naming_both() {
    let decision = chosen(&asks(set(&[EngineName::HostRdma])), &remote());
    let other = decision.instead_of.unwrap();
    assert_eq!(decision.engine, Engine::Tcp);
    let text = other.text(decision.engine, Rank(3));
    for part in ["HOST_RDMA was asked for", "no RDMA device", "tcp is used to rank 3"] {
        assert!(text.contains(part), "{text}");
    }
    for name in EngineName::ALL.into_iter().filter(|name| *name != EngineName::HostTcp) {
        let other = chosen(&asks(EngineSet::one(name)), &remote()).instead_of.unwrap();
        assert!(other.reason.contains(name.as_str()), "{other:?}");
    }
}

#[test]
fn unmapped_memory_is_reported_as_such() {
    let text = |name| {
        let decision = chosen(&asks(EngineSet::one(name)), &remote_with_rdma());
        decision.instead_of.unwrap().text(decision.engine, Rank(1))
    };
    assert_eq!(
        text(EngineName::HostShm),
        "HOST_SHM was asked for and is not available here (that memory is not mapped here); ucx is used to rank 1"
    );
    assert!(text(EngineName::DeviceSdma).contains("not mapped here"));
}

#[test]
fn strict_refuses_with_both_names() {
    let error = decide(&asks(set(&[EngineName::HostRdma])), &Tag::default(), &remote(), true).unwrap_err();
    assert_eq!(error.kind(), Kind::NotExist);
    for part in ["asked HOST_RDMA", "no RDMA device", "would_reach tcp", "MF_STRICT_ENGINE"] {
        assert!(error.to_string().contains(part), "{error}");
    }
}

#[test]
fn tag_rules_precede_the_engines_of_the_pool() {
    let tag = |text| Tag::parse("test", text).unwrap();
    let request = Request {
        engines: set(&[EngineName::HostTcp]),
        tag: tag("train"),
        rules: TagRules::parse("test", "cache:HOST_RDMA:train,train:HOST_TCP:train").unwrap(),
    };
    for (theirs, engine) in
        [("cache", Engine::Ucx), ("train", Engine::Tcp), ("other", Engine::Tcp), ("", Engine::Tcp)]
    {
        assert_eq!(
            decide(&request, &tag(theirs), &remote_with_rdma(), true).unwrap().engine,
            engine,
            "{theirs}"
        );
    }
}

#[test]
fn error_lists_every_reason_if_no_engine_reaches() {
    let candidates =
        [Candidate::tcp(closed("no route")), Candidate::ucx(closed("libucp.so.0 is not there"), false)];
    let error = decide(&asks(EngineSet::AUTO), &Tag::default(), &candidates, false).unwrap_err();
    assert_eq!(error.kind(), Kind::NotConnected);
    for part in ["tcp: test: no route", "libucp.so.0 is not there"] {
        assert!(error.to_string().contains(part), "{error}");
    }
    assert_eq!(
        decide(&asks(EngineSet::AUTO), &Tag::default(), &[], true).unwrap_err().kind(),
        Kind::NotConnected
    );
}

fn candidates() -> impl Strategy<Value = Vec<(u8, bool, Option<u32>)>> {
    prop::collection::vec((0_u8..4, any::<bool>(), prop::option::of(0_u32..8)), 0..6)
}

fn build(parts: &[(u8, bool, Option<u32>)]) -> Vec<Candidate> {
    let route = |score: Option<u32>| score.map_or_else(|| closed("no"), reach);
    let one = |&(engine, has_rdma, score): &(u8, bool, Option<u32>)| match engine {
        0 => Candidate::mapped(Engine::Cpu, route(score)),
        1 => Candidate::mapped(Engine::Device, route(score)),
        2 => Candidate::ucx(route(score), has_rdma),
        _ => Candidate::tcp(route(score)),
    };
    parts.iter().map(one).collect()
}

proptest! {
    #[test]
    fn decisions_are_reachable_strict_and_deterministic(
        parts in candidates(), bits in 0_u32..512, strict: bool,
    ) {
        let list = build(&parts);
        let asked: EngineSet = EngineName::ALL.into_iter().filter(|name| bits & EngineSet::one(*name).bits() != 0).collect();
        let first = decide(&asks(asked), &Tag::default(), &list, strict);
        let again = decide(&asks(asked), &Tag::default(), &build(&parts), strict);
        prop_assert_eq!(first.as_ref().ok(), again.as_ref().ok());
        match first {
            Ok(decision) => {
                let candidate = &list[decision.index];
                prop_assert!(candidate.reach.is_ok());
                prop_assert_eq!(candidate.engine, decision.engine);
                prop_assert_eq!(decision.why.iter().filter(|verdict| verdict.is_chosen).count(), 1);
                prop_assert!(decision.why[decision.index].is_chosen && decision.why.len() == list.len());
                let serves = asked.names().any(|name| candidate.serves.has(name));
                prop_assert!(decision.engine.is_mapped() || asked.is_auto() || serves == decision.instead_of.is_none());
                prop_assert!(!strict || decision.instead_of.is_none());
            }
            Err(error) if error.kind() == Kind::NotExist => prop_assert!(strict && !asked.is_auto()),
            Err(_) => prop_assert!(list.iter().all(|candidate| candidate.reach.is_err())),
        }
    }

    #[test]
    fn rules_never_panic_and_print_as_they_are_read(text in "[abAB_:,HOST_TCP]{0,60}|(([ab]{0,2}):(HOST_TCP|DEVICE_MTE):([ab]{0,2}),){0,4}b:HOST_RDMA:c") {
        if let Ok(rules) = TagRules::parse("test", &text) {
            prop_assert_eq!(rules.to_string(), text);
        }
    }
}
