// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Property test with events in any order: no timer stays due for ever, no rank is given twice, no message
//! goes out without cause.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::api::LeaseId;
use crate::protocol::{Round, Standing};

#[derive(Clone, Debug)]
enum Step {
    Join {
        link: LinkId,
        wish: RankRequest,
        key: u8,
        resume: Option<(SessionId, Option<u32>, bool, u64, u64)>,
    },
    Request {
        link: LinkId,
        sequence: u64,
        below: u64,
        request: Request,
    },
    OneWay {
        link: LinkId,
        one_way: OneWay,
    },
    End {
        link: LinkId,
        in_order: bool,
    },
    Pass(Micros),
}

fn any_link() -> impl Strategy<Value = LinkId> {
    1u64..9
}

fn any_key() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "b", "ab", ""]).prop_map(str::to_owned)
}

fn any_session() -> impl Strategy<Value = SessionId> {
    (0u64..3, 0u64..6).prop_map(|(term, number)| (term << 32) | number)
}

fn any_wish() -> impl Strategy<Value = RankRequest> {
    prop_oneof![
        Just(RankRequest::Any),
        Just(RankRequest::Ordered),
        Just(RankRequest::Guest),
        (0u32..4).prop_map(RankRequest::Prefer),
        (0u32..4).prop_map(RankRequest::Exactly)
    ]
}

fn any_request() -> impl Strategy<Value = Request> {
    let timeout = || 0u64..2 * SECOND_US;
    let lifetime = prop_oneof![
        Just(Lifetime::Permanent),
        Just(Lifetime::Session),
        (0u64..9).prop_map(|lease| Lifetime::Lease(LeaseId(lease)))
    ];
    prop_oneof![
        (any_key(), lifetime).prop_map(|(key, lifetime)| Request::Set {
            key,
            value: b"1".to_vec(),
            lifetime
        }),
        any_key().prop_map(|key| Request::Add { key, delta: 1 }),
        any_key().prop_map(|key| Request::Append { key, value: b"2".to_vec() }),
        any_key().prop_map(|key| Request::Delete { key }),
        (any_key(), timeout()).prop_map(|(key, timeout_us)| Request::Wait { key, timeout_us }),
        (any_key(), 0u64..3, any::<bool>()).prop_map(|(prefix, watch, exact)| Request::Watch {
            watch,
            prefix,
            exact,
            values: true
        }),
        (0u64..3).prop_map(|watch| Request::WatchMembers { watch }),
        (0u64..3).prop_map(|watch| Request::Unwatch { watch }),
        (any_key(), 1u32..4, timeout()).prop_map(|(name, members, timeout_us)| Request::Gather {
            name,
            members,
            value: None,
            timeout_us,
            after_round: None
        }),
        (any_key(), prop::option::of(timeout()))
            .prop_map(|(name, timeout_us)| Request::Lock { name, timeout_us }),
        any_key().prop_map(|name| Request::Unlock { name }),
        (100_000..SECOND_US).prop_map(|ttl_us| Request::Grant { ttl_us }),
        (0u64..9).prop_map(|lease| Request::KeepAlive { lease: LeaseId(lease) }),
        (0u64..9).prop_map(|lease| Request::Revoke { lease: LeaseId(lease) }),
    ]
}

fn any_one_way() -> impl Strategy<Value = OneWay> {
    let what = prop_oneof![
        Just(Memory::Deletion),
        (0u64..4).prop_map(|offset| Memory::Piece { offset, bytes: b"3".to_vec() }),
        Just(Memory::Value { bytes: b"4".to_vec(), lifetime: Lifetime::Permanent }),
        Just(Memory::Value { bytes: b"5".to_vec(), lifetime: Lifetime::Session }),
        (0u64..9)
            .prop_map(|lease| Memory::Value { bytes: Vec::new(), lifetime: Lifetime::Lease(LeaseId(lease)) }),
    ];
    let kept = (any_key(), any::<u64>(), what);
    let round = Round { round: 3, ranks: vec![0, 1], parts: Vec::new() };
    prop_oneof![
        3 => kept.prop_map(|(key, revision, what)| OneWay::Kept(vec![Kept { key, revision, what }])),
        1 => (any_key(), any::<u64>()).prop_map(|held| OneWay::Holding(vec![held])),
        1 => (any::<u64>(), any::<u64>()).prop_map(|(lease, ttl)| OneWay::Leases(vec![(LeaseId(lease), ttl)])),
        1 => any_key().prop_map(move |name| OneWay::Rounds(vec![(name, round.clone())])),
        3 => Just(OneWay::Complete),
        1 => (any_key(), any::<u64>()).prop_map(|forgotten| OneWay::Forgotten(vec![forgotten])),
    ]
}

fn any_step() -> impl Strategy<Value = Step> {
    let resume = (any_session(), prop::option::of(0u32..4), any::<bool>(), 0u64..4, 0u64..5);
    prop_oneof![
        4 => (any_link(), any_wish(), 0u8..3, prop::option::of(resume))
            .prop_map(|(link, wish, key, resume)| Step::Join { link, wish, key, resume }),
        8 => (any_link(), 1u64..40, 0u64..10, any_request())
            .prop_map(|(link, sequence, below, request)| Step::Request { link, sequence, below, request }),
        3 => (any_link(), any_one_way()).prop_map(|(link, one_way)| Step::OneWay { link, one_way }),
        2 => (any_link(), any::<bool>()).prop_map(|(link, in_order)| Step::End { link, in_order }),
        3 => (0u64..2 * SECOND_US).prop_map(Step::Pass),
    ]
}

struct Watched {
    bench: Bench,
    /// Links that stand, and whether they were welcomed.
    open: BTreeMap<LinkId, bool>,
}

impl Watched {
    fn event(&mut self, event: Event) {
        let actions = self.bench.machine.on_event(self.bench.now, event);
        for action in actions {
            match action {
                Action::Welcome { link, .. } => assert_eq!(self.open.insert(link, true), Some(false)),
                Action::Refuse { link, .. } => assert_eq!(self.open.remove(&link), Some(false)),
                Action::Reply { link, .. } | Action::Change { link, .. } | Action::Notice { link, .. } => {
                    assert_eq!(self.open.get(&link), Some(&true));
                }
                Action::Drop { link, .. } => assert!(self.open.remove(&link).is_some()),
                Action::StepDown { .. } => {}
            }
        }
        assert!(self.bench.machine.next_deadline().is_none_or(|deadline| deadline > self.bench.now));
        let status = self.bench.machine.status(self.bench.now);
        let ranks: BTreeSet<_> = status.members.iter().map(|member| member.rank).collect();
        assert_eq!(ranks.len(), status.members.len());
        assert!(status.members.iter().all(|member| self.bench.machine.ranks.is_taken(member.rank.0)));
    }

    fn step(&mut self, step: Step) {
        match step {
            // The edge never reuses a number that is in use, or speaks for a link that is not open.
            Step::Join { link, .. } if self.open.contains_key(&link) => {}
            Step::Request { link, .. } | Step::OneWay { link, .. } | Step::End { link, .. }
                if !self.open.contains_key(&link) => {}
            Step::Join { link, wish, key, resume } => {
                self.open.insert(link, false);
                let mut arrival = arrival(if wish == RankRequest::Guest { 0 } else { 3 }, None);
                arrival.join.wish = wish;
                arrival.join.key = [key; 16];
                arrival.join.resume = resume.map(|(session, rank, same, term, epoch)| Resume {
                    session,
                    rank,
                    store: if same { STORE } else { [9; 16] },
                    term,
                    standing: Standing { epoch, members: 2, host_session: Some(1 << 32) },
                    revision: 50,
                    answered_below: 0,
                });
                self.event(Event::Join { link, arrival: Box::new(arrival) });
            }
            Step::Request { link, sequence, below, request } => {
                let message = RequestMessage { answered_below: below, request };
                self.event(Event::Request { link, sequence, message });
            }
            Step::OneWay { link, one_way } => self.event(Event::OneWay { link, message: one_way }),
            Step::End { link, in_order } => {
                self.open.remove(&link);
                self.event(Event::End { link, in_order });
            }
            Step::Pass(us) => {
                let end = self.bench.now + us;
                while let Some(deadline) = self.bench.machine.next_deadline().filter(|at| *at <= end) {
                    self.bench.now = deadline;
                    self.event(Event::Tick);
                }
                self.bench.now = end;
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_order_is_survived(steps in prop::collection::vec(any_step(), 1..120), quorum in any::<bool>()) {
        let bench = Bench::with(Limits { resume_grace_us: GRACE_US, quorum, ..limits(3) });
        let mut watched = Watched { bench, open: BTreeMap::new() };
        for step in steps {
            watched.step(step);
        }
        for link in 1..9 {
            watched.step(Step::End { link, in_order: false });
        }
        // Longer than any lease.
        watched.step(Step::Pass(100_000 * SECOND_US));
        let machine = &watched.bench.machine;
        prop_assert!(machine.next_deadline().is_none());
        // A store that stepped down keeps the list of its clients.
        if machine.phase != StorePhase::Over {
            prop_assert_eq!(machine.links.len(), 0);
            prop_assert_eq!(machine.members.count(), 0);
        }
    }
}
