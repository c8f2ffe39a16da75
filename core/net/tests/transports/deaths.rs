// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Peers that end, come back, or are replaced by others.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use mf_base::Kind;
use mf_transport::{Capabilities, Completion, Operation, Remote, Usage};

use crate::bed::{failed, late, pattern, same, span, until};
use crate::suite::Bench;

pub(crate) fn a_thousand_operations_in_flight_end_with_their_peer(bench: &Bench) {
    const COUNT: usize = 1000;
    let Some(bed) = bench.bed(3, Capabilities::COPY) else { return };
    let (here, doomed, other) = (bed.end(0), bed.end(1), bed.end(2));
    here.works_with(&doomed, 1);
    here.works_with(&other, 1);
    doomed.memory.close_gate_after(20);
    let data = pattern(1, 100_000);
    let mut buffers = vec![vec![0; 3000]; COUNT];
    // One for each operation, so that one that ends twice is seen; and one for all.
    let each: Vec<_> = (0..COUNT).map(|_| Arc::new(Completion::new())).collect();
    let all = Arc::new(Completion::new());
    for (number, (completion, buffer)) in each.iter().zip(&mut buffers).enumerate() {
        let address = doomed.segment.address() + 4000;
        let completion = if number % 3 == 0 { &all } else { completion };
        let bytes = if number % 100 == 0 { 100_000 } else { 3000 };
        if number % 2 == 0 {
            let spans = [span(data.as_ptr().cast_mut(), address, bytes)];
            here.post(doomed.peer, &Operation::Put { key: doomed.key, spans: &spans }, completion);
        } else {
            let spans = [span(buffer.as_mut_ptr(), address, buffer.len())];
            here.post(doomed.peer, &Operation::Get { key: doomed.key, spans: &spans }, completion);
        }
    }
    let beside = Arc::new(Completion::new());
    let spans = [span(data.as_ptr().cast_mut(), other.segment.address(), data.len())];
    here.post(other.peer, &Operation::Put { key: other.key, spans: &spans }, &beside);
    std::thread::scope(|scope| {
        let closing = scope.spawn(|| doomed.transport.close());
        // The end of a process does not wait for its memory; here it may, when a thread of it is at the gate.
        until("the end begins", || {
            closing.is_finished() || doomed.memory.waiting() > 0 || each.iter().all(|one| one.is_done())
        });
        doomed.memory.open_gate();
    });
    let mut ended = [0; 2];
    for completion in each.iter().chain([&all]) {
        match here.transport.wait(completion) {
            Ok(()) => ended[0] += 1,
            Err(error) => {
                assert_eq!(error.kind(), Kind::NotConnected, "{error}");
                assert!(error.to_string().contains("rank 1"), "for whom is not said: {error}");
                ended[1] += 1;
            }
        }
        assert_eq!(completion.pending(), 0, "an operation did not end exactly once");
    }
    here.transport.wait(&beside).unwrap();
    here.transport.flush(None, late()).unwrap();
    for completion in &each {
        assert_eq!(completion.pending(), 0, "an operation ended twice");
        completion.outcome().unwrap();
    }
    here.works_with(&other, 2);
    other.works_with(&here, 3);
    let spans = [span(data.as_ptr().cast_mut(), doomed.segment.address(), 8)];
    let after = here.run(doomed.peer, &Operation::Put { key: doomed.key, spans: &spans });
    failed("an operation to a closed peer", after, &[Kind::NotConnected]);
    let lost = here.memory.lost();
    assert!(lost.iter().all(|(peer, _)| *peer == doomed.peer), "{lost:?}");
}

pub(crate) fn operations_to_a_closed_peer_end_with_not_connected(bench: &Bench) {
    let Some(bed) = bench.bed(3, Capabilities::COPY) else { return };
    let (here, gone, never) = (bed.end(0), bed.end(1), bed.end(2));
    here.works_with(&gone, 1);
    // One that was talked to, and one that closed before it was.
    for end in [&gone, &never] {
        let address = end.transport.address();
        end.transport.close();
        here.transport.introduce(end.peer, &address).unwrap();
        let data = [1; 100];
        let spans = [span(data.as_ptr().cast_mut(), end.segment.address(), 100)];
        for _ in 0..3 {
            let operation = Operation::Put { key: end.key, spans: &spans };
            let error =
                failed("a put to a closed peer", here.run(end.peer, &operation), &[Kind::NotConnected]);
            assert!(error.to_string().contains(&format!("rank {}", end.peer.rank)), "{error}");
        }
        if here.transport.capabilities().contains(Capabilities::MESSAGE) {
            // A message is no proof of arrival.
            if let Err(error) = here.transport.send(end.peer, b"hello", late()) {
                assert_eq!(error.kind(), Kind::NotConnected, "{error}");
            }
        }
    }
    until("the loss is reported", || here.memory.lost().iter().any(|(peer, _)| *peer == gone.peer));
}

pub(crate) fn a_closed_transport_refuses(bench: &Bench) {
    let Some(bed) = bench.bed(2, Capabilities::COPY) else { return };
    let (here, there) = bed.pair();
    here.works_with(&there, 1);
    there.works_with(&here, 1);
    here.transport.close();
    let mut data = [1; 8];
    let spans = [span(data.as_mut_ptr(), there.segment.address(), 8)];
    let operation = Operation::Get { key: there.key, spans: &spans };
    failed("a closed transport", here.run(there.peer, &operation), &[Kind::NotConnected]);
    if here.transport.capabilities().contains(Capabilities::MESSAGE) {
        failed("a closed transport", here.transport.send(there.peer, b"x", late()), &[Kind::NotConnected]);
    }
    here.transport.close();
    here.transport.forget(there.peer);
    here.transport.conceal(here.key);
    here.transport.flush(None, late()).unwrap();
    let Usage { connections, .. } = here.transport.usage();
    if here.transport.name() != "direct" {
        assert_eq!(connections, 0, "a closed transport holds connections");
    }
}

pub(crate) fn a_forgotten_peer_can_be_introduced_again(bench: &Bench) {
    let Some(bed) = bench.bed(2, Capabilities::COPY) else { return };
    let (here, there) = bed.pair();
    for round in 0..5 {
        here.works_with(&there, round);
        here.forget(&there);
        let data = [1; 8];
        let spans = [span(data.as_ptr().cast_mut(), there.segment.address(), 8)];
        let operation = Operation::Put { key: there.key, spans: &spans };
        failed("a forgotten peer", here.run(there.peer, &operation), &[Kind::NotConnected]);
    }
    here.works_with(&there, 9);
    there.works_with(&here, 9);
}

pub(crate) fn forgetting_a_peer_ends_operations_in_flight(bench: &Bench) {
    let Some(bed) = bench.bed(3, Capabilities::COPY) else { return };
    let (here, doomed, other) = (bed.end(0), bed.end(1), bed.end(2));
    here.works_with(&doomed, 1);
    here.works_with(&other, 1);
    doomed.memory.close_gate();
    let completion = Arc::new(Completion::new());
    let mut buffers = vec![vec![0; 5000]; 100];
    for buffer in &mut buffers {
        let spans = [span(buffer.as_mut_ptr(), doomed.segment.address(), 5000)];
        here.post(doomed.peer, &Operation::Get { key: doomed.key, spans: &spans }, &completion);
    }
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| here.transport.wait(&completion));
        until("a get at the gate", || doomed.memory.waiting() > 0 || waits.is_finished());
        here.forget(&doomed);
        if let Err(error) = waits.join().unwrap() {
            assert_eq!(error.kind(), Kind::NotConnected, "{error}");
        } else {
            bench.skip("the peer's processor takes no part, so that nothing was in flight");
        }
    });
    assert_eq!(completion.pending(), 0);
    for buffer in &mut buffers {
        buffer.fill(0x77);
    }
    doomed.memory.open_gate();
    here.works_with(&other, 2);
    here.works_with(&doomed, 3);
    assert!(buffers.iter().flatten().all(|byte| *byte == 0x77), "a get that had ended wrote");
}

pub(crate) fn restarted_peer_is_a_different_peer(bench: &Bench) {
    let Some(mut bed) = bench.bed(3, Capabilities::COPY) else { return };
    let (here, other, old) = (bed.end(0), bed.end(2), bed.end(1));
    here.works_with(&old, 1);
    old.works_with(&here, 1);
    let new = bed.restart(1);
    assert_eq!(new.peer.rank, old.peer.rank);
    new.segment.fill(0x42);
    let data = [1; 64];
    let refused = |key, address, what: &str| {
        let spans = [span(data.as_ptr().cast_mut(), address, 64)];
        failed(what, here.run(old.peer, &Operation::Put { key, spans: &spans }), &[Kind::NotConnected]);
    };
    refused(old.key, old.segment.address(), "the old peer");
    // A peer that takes the new one for the old one is refused, with the old key and with the new one.
    here.transport.forget(old.peer);
    here.transport.introduce(old.peer, &new.transport.address()).unwrap();
    refused(old.key, new.segment.address(), "the old peer at the place of the new one");
    refused(new.key, new.segment.address(), "the old peer with the key of the new one");
    assert_eq!(new.segment.first_other_than(0x42), None, "something was written");
    here.transport.forget(old.peer);
    here.works_with(&new, 2);
    new.works_with(&here, 3);
    new.works_with(&other, 4);
    other.works_with(&new, 5);
    // And in the other direction: both sides have changed.
    let newest = bed.restart(0);
    newest.works_with(&new, 6);
    new.works_with(&newest, 7);
}

pub(crate) fn copy_to_a_departed_third_peer_fails(bench: &Bench) {
    let Some(bed) = bench.bed(4, Capabilities::REMOTE_COPY) else { return };
    let (caller, from, gone, to) = (bed.end(0), bed.end(1), bed.end(2), bed.end(3));
    caller.meet(&from);
    let address = gone.transport.address();
    gone.transport.close();
    let source = Remote { key: from.key, address: from.segment.address() };
    let sink = Remote { key: gone.key, address: gone.segment.address() };
    for bytes in [8, 500_000] {
        let operation =
            Operation::Copy { from: source, to_peer: gone.peer, to_address: &address, to: sink, bytes };
        let error = failed(
            "a copy to a peer that is gone",
            caller.run_until(from.peer, &operation, Instant::now() + Duration::from_secs(20)),
            &[Kind::NotConnected],
        );
        assert!(error.to_string().contains("rank 2"), "the peer is not named: {error}");
    }
    // The process that served it is unharmed.
    caller.works_with(&from, 1);
    let data = pattern(1, 9000);
    from.segment.write(0, &data);
    let address = to.transport.address();
    let sink = Remote { key: to.key, address: to.segment.address() };
    let operation =
        Operation::Copy { from: source, to_peer: to.peer, to_address: &address, to: sink, bytes: 9000 };
    caller.run(from.peer, &operation).unwrap();
    same("a copy", &to.segment.read(0, 9000), &data);
    assert_eq!(gone.segment.word(0).load(Ordering::SeqCst), 0);
}
