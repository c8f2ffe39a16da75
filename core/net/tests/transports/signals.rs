// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Signals: a reader that sees one sees the data.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use mf_base::Kind;
use mf_transport::{Capabilities, Completion, Operation, SignalKind, Span, Width};

use crate::bed::{failed, span, until};
use crate::suite::Bench;

const MIB: usize = 1 << 20;
/// Start of the data; the signal is at 0.
const DATA: usize = 4096;

pub(crate) fn data_is_visible_before_its_signal(bench: &Bench) {
    let Some(bed) = bench.large_bed(2, Capabilities::SIGNAL, 6 * MIB) else { return };
    let (here, there) = bed.pair();
    here.meet(&there);
    for (kind, rounds, sizes) in [
        (SignalKind::Set, 150, &[8][..]),
        (SignalKind::Add, 100, &[1000, 3, 70]),
        (SignalKind::Set, 40, &[100_000]),
        (SignalKind::Add, 15, &[MIB]),
        (SignalKind::Set, 6, &[2 * MIB, 100, 3 * MIB - 5]),
    ] {
        let total: usize = sizes.iter().sum();
        there.segment.word(0).store(0, Ordering::SeqCst);
        there.segment.write(DATA, &vec![0; total]);
        for round in 1..=rounds {
            let data = vec![round as u8; total];
            let (mut spans, mut at) = (Vec::<Span>::new(), 0);
            for bytes in sizes {
                let address = there.segment.address() + (DATA + at) as u64;
                spans.push(span(data[at..].as_ptr().cast_mut(), address, *bytes));
                at += bytes;
            }
            let completion = Arc::new(Completion::new());
            let value = if kind == SignalKind::Set { round } else { 1 };
            let signal = there.segment.address();
            let operation =
                Operation::Signal { key: there.key, spans: &spans, signal, width: Width::W64, kind, value };
            std::thread::scope(|scope| {
                // The thread that waits for the signal reads the data at once, before the sender knows that
                // it has ended.
                let reader = scope.spawn(|| {
                    until("the signal", || there.segment.word(0).load(Ordering::Acquire) == round);
                    let found = there.segment.read(DATA, total);
                    found.iter().position(|byte| *byte != round as u8)
                });
                here.post(there.peer, &operation, &completion);
                here.transport.wait(&completion).unwrap();
                assert_eq!(
                    reader.join().unwrap(),
                    None,
                    "{total} bytes, round {round}: data behind its signal"
                );
            });
        }
    }
}

pub(crate) fn signal_without_data_arrives(bench: &Bench) {
    let Some(bed) = bench.bed(2, Capabilities::SIGNAL) else { return };
    let (here, there) = bed.pair();
    here.meet(&there);
    let signal = there.segment.address() + 16;
    let raise = |kind, value| {
        here.run(
            there.peer,
            &Operation::Signal { key: there.key, spans: &[], signal, width: Width::W64, kind, value },
        )
        .unwrap();
        there.segment.word(16).load(Ordering::SeqCst)
    };
    assert_eq!(raise(SignalKind::Set, u64::MAX - 1), u64::MAX - 1);
    assert_eq!(raise(SignalKind::Add, 3), 1);
    assert_eq!(raise(SignalKind::Set, 0), 0);
}

pub(crate) fn concurrent_signal_adds_are_all_counted(bench: &Bench) {
    const EACH: u64 = 200;
    let Some(bed) = bench.bed(3, Capabilities::SIGNAL) else { return };
    let there = bed.end(0);
    let threads: Vec<_> = [1, 1, 2]
        .into_iter()
        .enumerate()
        .map(|(number, rank)| {
            let (me, there) = (bed.end(rank), Arc::clone(&there));
            std::thread::spawn(move || {
                me.meet(&there);
                let data = [number as u8 + 1; 300];
                let at = there.segment.address() + (1000 + 1000 * number) as u64;
                let spans = [span(data.as_ptr().cast_mut(), at, data.len())];
                let completion = Arc::new(Completion::new());
                for _ in 0..EACH {
                    let (key, signal) = (there.key, there.segment.address());
                    let operation = Operation::Signal {
                        key,
                        spans: &spans,
                        signal,
                        width: Width::W64,
                        kind: SignalKind::Add,
                        value: 1,
                    };
                    me.post(there.peer, &operation, &completion);
                }
                me.transport.wait(&completion).unwrap();
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(there.segment.word(0).load(Ordering::SeqCst), 3 * EACH);
}

pub(crate) fn refused_data_suppresses_its_signal(bench: &Bench) {
    let Some(bed) = bench.bed(2, Capabilities::SIGNAL) else { return };
    let (here, there) = bed.pair();
    here.meet(&there);
    let data = vec![1; 200_000];
    let (start, bytes) = (there.segment.address(), there.segment.bytes as u64);
    let good = span(data.as_ptr().cast_mut(), start + 4096, data.len());
    let bad = span(data.as_ptr().cast_mut(), start + bytes - 99, 100);
    for spans in [&[bad][..], &[good, bad], &[bad, good], &[good, bad, good]] {
        let (key, signal) = (there.key, start);
        let operation =
            Operation::Signal { key, spans, signal, width: Width::W64, kind: SignalKind::Add, value: 1 };
        failed("a signal with data outside", here.run(there.peer, &operation), &[Kind::InvalidParam]);
        assert_eq!(there.segment.word(0).load(Ordering::SeqCst), 0, "the signal came without its data");
    }
    for signal in [start + bytes, start + 4, start.wrapping_sub(8)] {
        let (key, spans) = (there.key, &[good][..]);
        let operation =
            Operation::Signal { key, spans, signal, width: Width::W64, kind: SignalKind::Set, value: 7 };
        failed("a signal outside", here.run(there.peer, &operation), &[Kind::InvalidParam]);
    }
    here.works_with(&there, 4);
}

pub(crate) fn signals_of_32_bits_leave_adjacent_words_unchanged(bench: &Bench) {
    let Some(bed) = bench.bed(2, Capabilities::SIGNAL) else { return };
    let (here, there) = bed.pair();
    here.meet(&there);
    there.segment.word(16).store(u64::MAX, Ordering::SeqCst);
    let data = [7_u8; 24];
    let spans = [span(data.as_ptr().cast_mut(), there.segment.address() + 64, data.len())];
    // The low half, then the high half, with and without data; of the value the low half counts.
    for (offset, kind, value, spans, expected) in [
        (16, SignalKind::Set, (9 << 32) | 5, &[][..], (u64::from(u32::MAX) << 32) | 5),
        (20, SignalKind::Add, 3, &spans[..], (2 << 32) | 5),
        (16, SignalKind::Add, u64::MAX, &[][..], (2 << 32) | 4),
    ] {
        let signal = there.segment.address() + offset;
        let operation = Operation::Signal { key: there.key, spans, signal, width: Width::W32, kind, value };
        here.run(there.peer, &operation).unwrap();
        assert_eq!(there.segment.word(16).load(Ordering::SeqCst), expected, "{kind:?} at {offset}");
    }
    assert_eq!(there.segment.read(64, 24), data);
}
