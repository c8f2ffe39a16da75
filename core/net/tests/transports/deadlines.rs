// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Late operations end at their deadline, and leave the caller's memory alone from then on.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::Kind;
use mf_transport::{Atomic, AtomicKind, Capabilities, Completion, Operation, Remote, Width};

use crate::bed::{End, failed, late, pattern, same, span, until};
use crate::suite::Bench;

const POISON: u8 = 0xd3;

fn soon(milliseconds: u64) -> Instant {
    Instant::now() + Duration::from_millis(milliseconds)
}

/// Returns true if the peer's processor takes part, so that a closed gate holds operations up.
fn gate_holds(bench: &Bench, here: &End, there: &End) -> bool {
    here.works_with(there, 1);
    there.memory.close_gate();
    let mut byte = 0;
    let spans = [span(&raw mut byte, there.segment.address(), 1)];
    let held = here.run_until(there.peer, &Operation::Get { key: there.key, spans: &spans }, soon(200));
    if held.is_ok() {
        bench.skip("the peer's processor takes no part, so that nothing can be held up");
        there.memory.open_gate();
        return false;
    }
    let error = failed("a get at a closed gate", held, &[Kind::Timeout]);
    assert!(error.to_string().contains("rank 1"), "the peer is not named: {error}");
    true
}

pub(crate) fn nothing_touches_local_memory_after_the_deadline(bench: &Bench) {
    const BYTES: usize = 3 << 20;
    let Some(bed) = bench.large_bed(2, Capabilities::COPY, BYTES) else { return };
    let (here, there) = bed.pair();
    if !gate_holds(bench, &here, &there) {
        return;
    }
    let has = here.transport.capabilities();
    for pause in [0, 1] {
        there.memory.open_gate();
        until("the peer is back", || here.get(&there, 0, 1).is_ok());
        there.segment.write(0, &pattern(pause, BYTES));
        // Some pass, the rest hang.
        there.memory.close_gate_after(pause * 2);
        let mut buffers: Vec<Vec<u8>> = [1, 8, 5000, BYTES].into_iter().map(|bytes| vec![0; bytes]).collect();
        let completion = Arc::new(Completion::new());
        let deadline = soon(150);
        for buffer in &mut buffers {
            let spans = [span(buffer.as_mut_ptr(), there.segment.address(), buffer.len())];
            here.post_until(
                there.peer,
                &Operation::Get { key: there.key, spans: &spans },
                &completion,
                deadline,
            )
            .unwrap();
        }
        let mut old = 0_u64;
        if has.contains(Capabilities::ATOMIC_64) {
            let at = Remote { key: there.key, address: there.second.address() };
            let atomic = Atomic { kind: AtomicKind::Fetch, width: Width::W64, operand: 0, compare: 0 };
            let operation = Operation::Atomic { at, atomic, old: (&raw mut old).cast() };
            here.post_until(there.peer, &operation, &completion, deadline).unwrap();
        }
        failed("gets at a closed gate", here.transport.wait(&completion), &[Kind::Timeout]);
        assert_eq!(completion.pending(), 0);
        for buffer in &mut buffers {
            buffer.fill(POISON);
        }
        old = 0xd3d3;
        there.memory.open_gate();
        // A held-up operation has happened by now, or never will.
        until("the peer is back", || here.get(&there, 0, 1).is_ok());
        here.works_with(&there, 7);
        for buffer in &buffers {
            let touched = buffer.iter().position(|byte| *byte != POISON);
            assert_eq!(touched, None, "a get of {} bytes wrote after its deadline", buffer.len());
        }
        assert_eq!(std::hint::black_box(old), 0xd3d3, "an atomic wrote after its deadline");
    }

    // A put that was given up does not read any more: its replacement arrives whole.
    there.memory.close_gate();
    let mut source = vec![1; BYTES];
    let spans = [span(source.as_mut_ptr(), there.segment.address(), BYTES)];
    let given_up = here.run_until(there.peer, &Operation::Put { key: there.key, spans: &spans }, soon(150));
    failed("a put at a closed gate", given_up, &[Kind::Timeout]);
    drop(source);
    there.memory.open_gate();
    until("the peer is back", || here.get(&there, 0, 1).is_ok());
    let whole = pattern(11, BYTES);
    here.put(&there, 0, &whole).unwrap();
    same("a put behind one that was given up", &there.segment.read(0, BYTES), &whole);
}

pub(crate) fn expired_large_get_stops_writing_its_buffer(bench: &Bench) {
    const BYTES: usize = 12 << 20;
    let Some(bed) = bench.large_bed(2, Capabilities::COPY, BYTES) else { return };
    let (here, there) = bed.pair();
    here.works_with(&there, 1);
    there.segment.fill(0x21);
    let mut late_ones = 0;
    let mut buffers: Vec<Vec<u8>> = (0..2).map(|_| vec![0; BYTES]).collect();
    for round in 0..24_u64 {
        let buffer = &mut buffers[(round % 2) as usize];
        let spans = [span(buffer.as_mut_ptr(), there.segment.address(), BYTES)];
        let deadline = Instant::now() + Duration::from_micros(100 + round * round * 40);
        let done = here.run_until(there.peer, &Operation::Get { key: there.key, spans: &spans }, deadline);
        match done {
            Ok(()) => assert!(buffer.iter().all(|byte| *byte == 0x21), "a get that ended well is not whole"),
            Err(error) => {
                assert_eq!(error.kind(), Kind::Timeout, "{error}");
                late_ones += 1;
            }
        }
        buffer.fill(POISON);
        here.works_with(&there, 1);
        there.segment.write(0, &vec![0x21; 1000]);
        assert!(buffer.iter().all(|byte| *byte == POISON), "round {round}: a get wrote after it had ended");
    }
    if late_ones == 0 {
        bench.skip("every get was quicker than its deadline");
    }
    for buffer in &buffers {
        assert!(buffer.iter().all(|byte| *byte == POISON), "a get wrote after it had ended");
    }
}

pub(crate) fn expired_deadline_fails_at_once(bench: &Bench) {
    let Some(bed) = bench.bed(2, Capabilities::COPY) else { return };
    let (here, there) = bed.pair();
    let data = [1; 100];
    let spans = [span(data.as_ptr().cast_mut(), there.segment.address(), 100)];
    let operation = Operation::Put { key: there.key, spans: &spans };
    here.meet(&there);
    // Before the first connection, and on a good one.
    for _ in 0..3 {
        let passed = Instant::now();
        if let Err(error) = here.run_until(there.peer, &operation, passed) {
            assert_eq!(error.kind(), Kind::Timeout, "{error}");
        }
        here.works_with(&there, 1);
    }
}

pub(crate) fn hanging_peer_does_not_delay_another(bench: &Bench) {
    let Some(bed) = bench.bed(3, Capabilities::COPY) else { return };
    let (here, hanging, quick) = (bed.end(0), bed.end(1), bed.end(2));
    if !gate_holds(bench, &here, &hanging) {
        return;
    }
    let data = pattern(4, 300_000);
    let held = Arc::new(Completion::new());
    for number in 0..50 {
        let bytes = if number % 10 == 0 { 300_000 } else { 100 };
        let spans = [span(data.as_ptr().cast_mut(), hanging.segment.address() + 500_000, bytes)];
        let operation = Operation::Put { key: hanging.key, spans: &spans };
        let posted = here.post_until(hanging.peer, &operation, &held, late());
        posted.unwrap_or_else(|error| panic!("the queue to who hangs is full after {number}: {error}"));
    }
    for round in 0..100 {
        here.works_with(&quick, round);
    }
    here.put(&quick, 1000, &data).unwrap();
    quick.works_with(&here, 5);
    assert!(!held.is_done());
    hanging.memory.open_gate();
    here.transport.wait(&held).unwrap();
    same("what was held up", &hanging.segment.read(500_000, 100), &data[..100]);
}
