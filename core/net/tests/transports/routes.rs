// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Routes: resolved once, kept, and ended with their peer; guarantees on sources and on order.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use mf_base::Kind;
use mf_transport::{
    Atomic, AtomicKind, Capabilities, Completion, Operation, PeerRoute, Remote, SignalKind, Width,
};

use crate::bed::{End, failed, late, pattern, same, span};
use crate::suite::Bench;

fn route(here: &End, there: &End) -> Arc<dyn PeerRoute> {
    here.meet(there);
    here.transport.route(there.peer).unwrap()
}

fn post(
    route: &dyn PeerRoute,
    operation: &Operation<'_>,
    completion: &Arc<Completion>,
) -> mf_base::Result<()> {
    // SAFETY: each case keeps its buffers until it has waited, or as long as the transport asks for.
    unsafe { route.post(operation, completion, late()) }
}

pub(crate) fn a_route_is_kept_over_many_operations(bench: &Bench) {
    let Some(bed) = bench.bed(3, Capabilities::COPY) else { return };
    let (here, there, other) = (bed.end(0), bed.end(1), bed.end(2));
    let routes = [route(&here, &there), route(&here, &other)];
    assert_eq!(routes.each_ref().map(|route| route.peer()), [there.peer, other.peer]);
    for round in 0..50 {
        for (route, end) in routes.iter().zip([&there, &other]) {
            let data = pattern(round, 500);
            let spans = [span(data.as_ptr().cast_mut(), end.segment.address(), data.len())];
            let completion = Arc::new(Completion::new());
            post(&**route, &Operation::Put { key: end.key, spans: &spans }, &completion).unwrap();
            here.transport.wait(&completion).unwrap();
            same("what was put", &end.segment.read(0, 500), &data);
        }
    }
}

pub(crate) fn route_of_a_forgotten_peer_is_refused_and_a_new_one_works(bench: &Bench) {
    let Some(bed) = bench.bed(2, Capabilities::COPY) else { return };
    let (here, there) = bed.pair();
    failed(
        "no route to an unknown peer",
        here.transport.route(there.peer).map(|_| ()),
        &[Kind::NotConnected],
    );
    let old = route(&here, &there);
    let data = [3_u8; 16];
    let spans = [span(data.as_ptr().cast_mut(), there.segment.address(), data.len())];
    let put = Operation::Put { key: there.key, spans: &spans };
    let completion = Arc::new(Completion::new());
    let ends = |route: &dyn PeerRoute| {
        post(route, &put, &completion).and_then(|()| here.transport.wait(&completion))
    };
    ends(&*old).unwrap();
    here.forget(&there);
    failed("a route of a forgotten peer", ends(&*old), &[Kind::NotConnected]);
    ends(&*route(&here, &there)).unwrap();
    let last = route(&here, &there);
    here.transport.close();
    failed("a route of a closed transport", post(&*last, &put, &completion), &[Kind::NotConnected]);
}

pub(crate) fn completion_is_reusable(bench: &Bench) {
    let Some(bed) = bench.bed(2, Capabilities::COPY) else { return };
    let (here, there) = bed.pair();
    let (route, completion) = (route(&here, &there), Arc::new(Completion::new()));
    for round in 0..200_u64 {
        let data = round.to_le_bytes();
        // Each third time a wrong one; its error is returned once and leaves no trace.
        let address = if round % 3 == 2 { there.segment.address() - 4096 } else { there.segment.address() };
        let spans = [span(data.as_ptr().cast_mut(), address, 8)];
        post(&*route, &Operation::Put { key: there.key, spans: &spans }, &completion).unwrap();
        assert_eq!(here.transport.wait(&completion).is_err(), round % 3 == 2, "round {round}");
        completion.outcome().unwrap();
        if round % 3 != 2 {
            assert_eq!(there.segment.read(0, 8), data);
        }
    }
}

pub(crate) fn the_source_of_a_short_put_may_be_reused_at_once(bench: &Bench) {
    const ROUNDS: usize = 400;
    let Some(bed) = bench.bed(2, Capabilities::COPY) else { return };
    let (here, there) = bed.pair();
    let bytes = usize::try_from(here.transport.eager_bytes().min(1000)).unwrap();
    if bytes == 0 {
        return bench.skip("it keeps every source until the end");
    }
    let (route, completion) = (route(&here, &there), Arc::new(Completion::new()));
    // Two halves, so that the sum counts.
    let (half, mut source) = (bytes / 2, vec![0_u8; bytes]);
    for round in 0..ROUNDS {
        source.copy_from_slice(&pattern(round as u64, bytes));
        let at = there.segment.address() + (round * bytes) as u64;
        let spans = [
            span(source.as_mut_ptr(), at, half),
            span(source.as_mut_ptr().wrapping_add(half), at + half as u64, bytes - half),
        ];
        post(&*route, &Operation::Put { key: there.key, spans: &spans }, &completion).unwrap();
        source.fill(0xee);
    }
    here.transport.wait(&completion).unwrap();
    for round in 0..ROUNDS {
        same("a reused source", &there.segment.read(round * bytes, bytes), &pattern(round as u64, bytes));
    }
}

/// Puts, signals and atomics of one thread that all change the same word: the last one counts, and no atomic
/// sees a later post.
pub(crate) fn short_operations_to_one_peer_keep_their_order(bench: &Bench) {
    let needs = Capabilities::COPY.with(Capabilities::ORDERED).with(Capabilities::ATOMIC_64);
    let Some(bed) = bench.bed(2, needs.with(Capabilities::SIGNAL)) else { return };
    let (here, there) = bed.pair();
    let (route, completion) = (route(&here, &there), Arc::new(Completion::new()));
    let (key, address) = (there.key, there.segment.address());
    for start in (0..3000_u64).step_by(300) {
        let values: Vec<u64> = (start..start + 300).collect();
        let mut seen = vec![u64::MAX; values.len()];
        std::thread::scope(|scope| {
            // Others post at the same time, elsewhere: they must not mix up the order of this thread.
            let noise = scope.spawn(|| {
                let (data, own) = ([1_u8; 64], Arc::new(Completion::new()));
                let spans = [span(data.as_ptr().cast_mut(), address + 4096, 64)];
                for _ in 0..100 {
                    post(&*route, &Operation::Put { key, spans: &spans }, &own).unwrap();
                }
                here.transport.wait(&own).unwrap();
            });
            for (value, old) in values.iter().zip(&mut seen) {
                let spans = [span(std::ptr::from_ref(value).cast_mut().cast(), address, 8)];
                let put = Operation::Put { key, spans: &spans };
                let (width, kind) = (Width::W64, SignalKind::Set);
                let signal =
                    Operation::Signal { key, spans: &[], signal: address, width, kind, value: *value };
                post(&*route, if value % 2 == 0 { &put } else { &signal }, &completion).unwrap();
                let atomic = Atomic { kind: AtomicKind::Fetch, width, operand: 0, compare: 0 };
                let fetch = Operation::Atomic {
                    at: Remote { key, address },
                    atomic,
                    old: std::ptr::from_mut(old).cast(),
                };
                post(&*route, &fetch, &completion).unwrap();
            }
            here.transport.wait(&completion).unwrap();
            noise.join().unwrap();
        });
        assert_eq!(seen, values);
        assert_eq!(there.segment.word(0).load(Ordering::SeqCst), start + 299);
    }
}
