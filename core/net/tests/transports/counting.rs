// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Counting of operations to their end.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::Kind;
use mf_transport::{Capabilities, Completion, Operation};

use crate::bed::{End, failed, late, pattern, same, span, until};
use crate::suite::Bench;

/// Posts a put into the first segment.
fn post_put(here: &End, there: &End, offset: usize, data: &[u8], completion: &Arc<Completion>) {
    let spans = [span(data.as_ptr().cast_mut(), there.segment.address() + offset as u64, data.len())];
    here.post(there.peer, &Operation::Put { key: there.key, spans: &spans }, completion);
}

pub(crate) fn one_completion_counts_a_thousand_operations(bench: &Bench) {
    let Some(bed) = bench.large_bed(3, Capabilities::COPY, 3 << 20) else { return };
    let here = bed.end(0);
    let data = pattern(1, 2 << 20);
    let mut back = vec![0; 100];
    for _ in 0..3 {
        let completion = Arc::new(Completion::new());
        for there in &bed.ends()[1..] {
            here.meet(there);
            there.segment.fill(0);
            post_put(&here, there, 1 << 20, &data, &completion);
            for number in 0..1000 {
                post_put(&here, there, 64 * number, &data[64 * number..64 * number + 64], &completion);
            }
        }
        // A get among them, of bytes that are not written.
        let other = bed.end(1);
        other.second.write(0, &[7; 100]);
        let spans = [span(back.as_mut_ptr(), other.second.address(), 100)];
        here.post(other.peer, &Operation::Get { key: other.key, spans: &spans }, &completion);
        here.transport.wait(&completion).unwrap();
        assert_eq!(completion.pending(), 0);
        assert_eq!(back, [7; 100]);
        for there in &bed.ends()[1..] {
            same("small ones", &there.segment.read(0, 64_000), &data[..64_000]);
            same("the large one", &there.segment.read(1 << 20, 2 << 20), &data);
        }
    }
}

pub(crate) fn errors_do_not_lose_counts(bench: &Bench) {
    let Some(bed) = bench.bed(2, Capabilities::COPY) else { return };
    let (here, there) = bed.pair();
    here.meet(&there);
    let data = pattern(3, 300 * 100);
    let completion = Arc::new(Completion::new());
    for round in 0..3 {
        there.segment.fill(0);
        let mut refused = 0;
        for number in 0..300 {
            let bad = number % 7 == 3;
            let offset = if bad { there.segment.bytes - 50 } else { 100 * number };
            let address = there.segment.address() + offset as u64;
            let spans = [span(data[100 * number..].as_ptr().cast_mut(), address, 100)];
            let operation = Operation::Put { key: there.key, spans: &spans };
            // A transport that knows the ranges may refuse at once.
            match here.post_until(there.peer, &operation, &completion, late()) {
                Ok(()) => {}
                Err(error) if bad && error.kind() == Kind::InvalidParam => refused += 1,
                Err(error) => panic!("{error}"),
            }
        }
        let outcome = here.transport.wait(&completion);
        if refused == 0 {
            failed("a round with bad puts", outcome, &[Kind::InvalidParam]);
        }
        assert_eq!(completion.pending(), 0, "round {round}");
        // Returned once.
        here.transport.wait(&completion).unwrap();
        for number in (0..300).filter(|number| number % 7 != 3) {
            let good = 100 * number..100 * number + 100;
            same("a good one beside bad ones", &there.segment.read(good.start, 100), &data[good.clone()]);
        }
        assert_eq!(there.segment.read(there.segment.bytes - 50, 50), [0; 50]);
    }
}

pub(crate) fn flush_waits_for_posted_operations(bench: &Bench) {
    let Some(bed) = bench.bed(4, Capabilities::COPY) else { return };
    let here = bed.end(0);
    // Nothing to flush.
    here.transport.flush(None, late()).unwrap();
    let data = pattern(4, 200_000);
    for round in 0..20 {
        let completions: Vec<_> = bed.ends()[1..]
            .iter()
            .map(|there| {
                here.meet(there);
                let completion = Arc::new(Completion::new());
                for number in 0..10 {
                    post_put(&here, there, 1000 * number, &data[number..number + 500], &completion);
                }
                post_put(&here, there, 500_000, &data, &completion);
                completion
            })
            .collect();
        if round % 2 == 0 {
            here.transport.flush(None, late()).unwrap();
        } else {
            for there in &bed.ends()[1..] {
                here.transport.flush(Some(there.peer), late()).unwrap();
            }
        }
        for (there, completion) in bed.ends()[1..].iter().zip(&completions) {
            assert!(
                completion.is_done(),
                "flush returned while {} parts are in flight",
                completion.pending()
            );
            completion.outcome().unwrap();
            same("flushed", &there.segment.read(500_000, data.len()), &data);
        }
    }
    // Errors stay with their completions.
    let there = bed.end(1);
    let completion = Arc::new(Completion::new());
    post_put(&here, &there, there.segment.bytes - 1, &data[..2], &completion);
    here.transport.flush(Some(there.peer), late()).unwrap();
    failed("the bad one", here.transport.wait(&completion), &[Kind::InvalidParam]);
}

pub(crate) fn flush_of_one_peer_does_not_wait_for_another(bench: &Bench) {
    let Some(bed) = bench.bed(3, Capabilities::COPY) else { return };
    let (here, hanging, quick) = (bed.end(0), bed.end(1), bed.end(2));
    here.meet(&hanging);
    hanging.memory.close_gate();
    let (held, done) = (Arc::new(Completion::new()), Arc::new(Completion::new()));
    let data = [1; 64];
    post_put(&here, &hanging, 0, &data, &held);
    until("the put at the gate", || {
        // This thread must drive the connection, where no other does in the background.
        let _ = here.transport.flush(Some(hanging.peer), Instant::now() + Duration::from_millis(5));
        // Over hardware it may end without the processor there.
        hanging.memory.waiting() > 0 || held.is_done()
    });
    if held.is_done() {
        bench.skip("the peer's processor takes no part in a put");
        hanging.memory.open_gate();
        return;
    }
    here.meet(&quick);
    post_put(&here, &quick, 0, &data, &done);
    here.transport.flush(Some(quick.peer), late()).unwrap();
    assert!(done.is_done() && !held.is_done());
    let hung = here.transport.flush(Some(hanging.peer), Instant::now() + Duration::from_millis(50));
    let error = failed("a flush of who hangs", hung, &[Kind::Timeout]);
    assert!(error.to_string().contains("rank 1"), "the peer is not named: {error}");
    let hung = here.transport.flush(None, Instant::now() + Duration::from_millis(50));
    failed("a flush of all", hung, &[Kind::Timeout]);
    hanging.memory.open_gate();
    here.transport.flush(None, late()).unwrap();
    assert!(held.is_done());
    here.transport.wait(&held).unwrap();
}

pub(crate) fn many_threads_wait_for_one_completion(bench: &Bench) {
    let Some(bed) = bench.bed(2, Capabilities::COPY) else { return };
    let (here, there) = bed.pair();
    here.meet(&there);
    let data = pattern(8, 300_000);
    for _ in 0..30 {
        let completion = Arc::new(Completion::new());
        for number in 0..20 {
            post_put(&here, &there, 100 * number, &data[..100], &completion);
        }
        post_put(&here, &there, 500_000, &data, &completion);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| here.transport.wait(&completion).unwrap());
            }
        });
        assert!(completion.is_done());
    }
}

pub(crate) fn wait_without_operations_returns_at_once(bench: &Bench) {
    let Some(bed) = bench.bed(2, Capabilities::COPY) else { return };
    let (here, there) = bed.pair();
    let completion = Completion::new();
    here.transport.wait(&completion).unwrap();
    here.works_with(&there, 1);
    here.transport.wait(&completion).unwrap();
}
