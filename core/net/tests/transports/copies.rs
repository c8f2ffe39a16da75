// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Puts and gets.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mf_transport::{Capabilities, Completion, Operation, Span};

use crate::bed::{End, pattern, same, span};
use crate::memory::Segment;
use crate::suite::Bench;

const MIB: usize = 1 << 20;
const POISON: u8 = 0xb7;

/// Puts and gets `bytes`, at these offsets of each end; bytes beside them stay.
fn there_and_back(here: &End, there: &End, bytes: usize, local: usize, remote: usize) {
    let what = format!("{bytes} bytes from {local} to {remote}");
    let data = pattern((bytes + 31 * local + 977 * remote) as u64, bytes);
    let mut source = vec![0x11; local];
    source.extend_from_slice(&data);
    let (before, length) = (64 + remote, bytes + 128 + remote);
    there.segment.write(0, &vec![POISON; length]);
    here.put(there, before, &source[local..]).unwrap();
    let found = there.segment.read(0, length);
    same(&what, &found[before..before + bytes], &data);
    let beside = found[..before].iter().chain(&found[before + bytes..]);
    assert!(beside.copied().all(|byte| byte == POISON), "{what}: something beside it was written");

    let mut back = vec![POISON; local + bytes + 64];
    let spans = [span(back[local..].as_mut_ptr(), there.segment.address() + before as u64, bytes)];
    here.run(there.peer, &Operation::Get { key: there.key, spans: &spans }).unwrap();
    same(&what, &back[local..local + bytes], &data);
    let beside = back[..local].iter().chain(&back[local + bytes..]);
    assert!(beside.copied().all(|byte| byte == POISON), "{what}: something beside the local end was written");
}

pub(crate) fn every_size_and_alignment_arrives(bench: &Bench) {
    let Some(bed) = bench.large_bed(2, Capabilities::COPY, 16 * MIB + 4096) else { return };
    let (here, there) = bed.pair();
    for bytes in [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 63, 64, 65, 255, 1000, 4095, 4096, 4097] {
        for (local, remote) in [(0, 0), (1, 0), (0, 1), (3, 5), (7, 7), (8, 4)] {
            there_and_back(&here, &there, bytes, local, remote);
        }
    }
    for (local, bytes) in
        [8191, 16384, 32769, 65535, 65536, 65537, 131_071, 262_145, MIB - 1].into_iter().enumerate()
    {
        there_and_back(&here, &there, bytes, local, 2 * local);
    }
    for (bytes, local, remote) in
        [(MIB, 0, 0), (MIB + 13, 1, 0), (4 * MIB + 1, 0, 3), (16 * MIB, 0, 0), (16 * MIB - 5, 5, 2)]
    {
        there_and_back(&here, &there, bytes, local, remote);
    }
}

/// Spans of odd sizes side by side in the remote segment, a gap behind each.
fn mixed(seed: u64, count: usize, room: usize) -> Vec<(usize, usize)> {
    let (mut places, mut at) = (Vec::new(), 3);
    for (number, byte) in pattern(seed, count * 2).chunks(2).enumerate() {
        let bytes = match number % 50 {
            49 => 150_000,
            25 => 70_001,
            _ => 1 + (byte[0] as usize * byte[1] as usize) / 13,
        };
        if at + bytes + 5 > room {
            break;
        }
        places.push((at, bytes));
        at += bytes + 5;
    }
    places
}

pub(crate) fn mixed_size_batches_are_scattered_and_gathered(bench: &Bench) {
    let Some(bed) = bench.large_bed(2, Capabilities::COPY, 4 * MIB) else { return };
    let (here, there) = bed.pair();
    here.meet(&there);
    for seed in 1..4 {
        there.segment.fill(POISON);
        let places = mixed(seed, 400, there.segment.bytes);
        // All sources overlap.
        let source = pattern(100 + seed, 200_000);
        let from = |number: usize| number * 7 % 1000;
        let spans: Vec<Span> = places
            .iter()
            .enumerate()
            .map(|(number, (at, bytes))| {
                span(source[from(number)..].as_ptr().cast_mut(), there.segment.address() + *at as u64, *bytes)
            })
            .collect();
        here.run(there.peer, &Operation::Put { key: there.key, spans: &spans }).unwrap();
        let mut expected = vec![POISON; there.segment.bytes];
        for (number, (at, bytes)) in places.iter().enumerate() {
            expected[*at..at + bytes].copy_from_slice(&source[from(number)..from(number) + bytes]);
        }
        same("scattered", &there.segment.read(0, expected.len()), &expected);

        // Back to front, each to a different place; one source is read by all of another batch.
        let total: usize = places.iter().map(|(_, bytes)| bytes).sum();
        let mut back = vec![0; total];
        let (mut spans, mut at) = (Vec::new(), 0);
        for (place, bytes) in places.iter().rev() {
            spans.push(span(back[at..].as_mut_ptr(), there.segment.address() + *place as u64, *bytes));
            at += bytes;
        }
        here.run(there.peer, &Operation::Get { key: there.key, spans: &spans }).unwrap();
        let gathered: Vec<u8> =
            places.iter().rev().flat_map(|(place, bytes)| expected[*place..place + bytes].to_vec()).collect();
        same("gathered", &back, &gathered);

        let mut copies = vec![0; 64 * 999];
        let spans: Vec<Span> = copies
            .chunks_mut(999)
            .enumerate()
            .map(|(number, chunk)| span(chunk.as_mut_ptr(), there.segment.address() + number as u64, 999))
            .collect();
        here.run(there.peer, &Operation::Get { key: there.key, spans: &spans }).unwrap();
        for (number, chunk) in copies.chunks(999).enumerate() {
            same("gathered from overlapping places", chunk, &expected[number..number + 999]);
        }
    }
}

pub(crate) fn completed_put_is_visible_to_the_peer(bench: &Bench) {
    let Some(bed) = bench.bed(2, Capabilities::COPY) else { return };
    let (here, there) = bed.pair();
    // The source is another one each time: it may be used again when the put has ended.
    let mut source = 0_u64;
    for round in 1..1500_u64 {
        source = round * 0x0101_0101;
        here.put(&there, 64, &source.to_ne_bytes()).unwrap();
        source = !source;
        assert_eq!(there.segment.word(64).load(Ordering::Acquire), round * 0x0101_0101);
    }
    std::hint::black_box(source);
    for round in 0..20_u8 {
        here.put(&there, 1, &vec![round; 300_000]).unwrap();
        for offset in [1, 2, 4097, 131_072, 299_999, 300_000] {
            assert_eq!(there.segment.byte(offset).load(Ordering::Relaxed), round, "at {offset}");
        }
    }
}

pub(crate) fn read_only_source_can_be_put(bench: &Bench) {
    static CONSTANT: [u8; 100_000] = [0x5a; 100_000];
    let Some(bed) = bench.bed(2, Capabilities::COPY) else { return };
    let (here, there) = bed.pair();
    for bytes in [1, 8, 100, 5000, 100_000] {
        here.put(&there, 8, &CONSTANT[..bytes]).unwrap();
        same("a constant", &there.segment.read(8, bytes), &CONSTANT[..bytes]);
    }
}

pub(crate) fn words_are_never_torn(bench: &Bench) {
    const PATTERNS: [u64; 2] = [0x1122_3344_5566_7788, 0xeedd_ccbb_aa99_8877];
    const WORDS: usize = 16;
    let Some(bed) = bench.bed(3, Capabilities::COPY) else { return };
    let (here, there) = bed.pair();
    for word in 0..WORDS {
        there.segment.word(8 * word).store(PATTERNS[0], Ordering::Relaxed);
    }
    let stop = Arc::new(AtomicBool::new(false));
    let readers: Vec<_> = [true, false]
        .into_iter()
        .map(|is_there| {
            let (stop, there, third) = (Arc::clone(&stop), Arc::clone(&there), bed.end(2));
            std::thread::spawn(move || {
                let mut changes = 0_u64;
                let mut last = 0;
                while !stop.load(Ordering::Relaxed) {
                    for word in 0..WORDS {
                        let found = if is_there {
                            there.segment.word(8 * word).load(Ordering::Relaxed)
                        } else {
                            u64::from_ne_bytes(third.get(&there, 8 * word, 8).unwrap().try_into().unwrap())
                        };
                        assert!(PATTERNS.contains(&found), "a word was torn: {found:#x}");
                        changes += u64::from(found != last);
                        last = found;
                    }
                    if is_there {
                        std::thread::yield_now();
                    }
                }
                changes
            })
        })
        .collect();
    here.meet(&there);
    for round in 0..1200 {
        let source = [PATTERNS[round % 2]; WORDS];
        if round % 3 == 0 {
            // One operation with a span for each word.
            let spans: Vec<Span> = source
                .iter()
                .enumerate()
                .map(|(word, value)| {
                    let local = std::ptr::from_ref(value).cast_mut().cast();
                    span(local, there.segment.address() + 8 * word as u64, 8)
                })
                .collect();
            here.run(there.peer, &Operation::Put { key: there.key, spans: &spans }).unwrap();
        } else {
            here.put(&there, 8 * (round % WORDS), &source[0].to_ne_bytes()).unwrap();
        }
    }
    stop.store(true, Ordering::Relaxed);
    for reader in readers {
        reader.join().unwrap();
    }
}

/// Many large operations at once from one to the other, a completion for all.
fn flood(here: &End, there: &End, operations: usize, bytes: usize, gets: bool) {
    here.meet(there);
    let completion = Arc::new(Completion::new());
    let seed = u64::from(here.peer.rank);
    let mut buffers: Vec<Vec<u8>> = (0..operations)
        .map(|number| if gets { vec![0; bytes] } else { pattern(seed * 100 + number as u64, bytes) })
        .collect();
    for (number, buffer) in buffers.iter_mut().enumerate() {
        let place = there.segment.address() + (number * bytes) as u64;
        let spans = [span(buffer.as_mut_ptr(), place, bytes)];
        let operation = if gets {
            Operation::Get { key: there.key, spans: &spans }
        } else {
            Operation::Put { key: there.key, spans: &spans }
        };
        here.post(there.peer, &operation, &completion);
    }
    here.transport.wait(&completion).unwrap();
    for (number, buffer) in buffers.iter().enumerate() {
        same("a flood", &there.segment.read(number * bytes, bytes), buffer);
    }
}

pub(crate) fn simultaneous_puts_in_both_directions_do_not_deadlock(bench: &Bench) {
    let Some(bed) = bench.large_bed(2, Capabilities::COPY, 24 * MIB) else { return };
    let (here, there) = bed.pair();
    std::thread::scope(|scope| {
        scope.spawn(|| flood(&here, &there, 24, MIB, false));
        scope.spawn(|| flood(&there, &here, 24, MIB, false));
    });
    std::thread::scope(|scope| {
        scope.spawn(|| flood(&here, &there, 3000, 1000, false));
        scope.spawn(|| flood(&there, &here, 3000, 1000, false));
    });
}

pub(crate) fn gets_and_puts_in_both_directions_at_once(bench: &Bench) {
    let Some(bed) = bench.large_bed(2, Capabilities::COPY, 16 * MIB) else { return };
    let (here, there) = bed.pair();
    let fill = |segment: &Segment, seed| segment.write(0, &pattern(seed, segment.bytes));
    fill(&here.segment, 5);
    fill(&there.segment, 6);
    std::thread::scope(|scope| {
        scope.spawn(|| flood(&here, &there, 16, MIB, true));
        scope.spawn(|| flood(&there, &here, 16, MIB, true));
    });
    std::thread::scope(|scope| {
        scope.spawn(|| flood(&here, &there, 8, MIB, false));
        scope.spawn(|| flood(&there, &here, 8, MIB, true));
        scope.spawn(|| {
            for _ in 0..200 {
                let found = here.get(&there, 9 * MIB, 5000).unwrap();
                same("small gets beside large ones", &found, &there.segment.read(9 * MIB, 5000));
            }
        });
    });
}

pub(crate) fn a_batch_of_ten_thousand_spans_arrives(bench: &Bench) {
    let Some(bed) = bench.bed(2, Capabilities::COPY) else { return };
    let (here, there) = bed.pair();
    here.meet(&there);
    let source = pattern(9, 10_000 * 24);
    let spans: Vec<Span> = source
        .chunks(24)
        .enumerate()
        .map(|(number, chunk)| {
            span(chunk.as_ptr().cast_mut(), there.segment.address() + 48 * number as u64, 24)
        })
        .collect();
    here.run(there.peer, &Operation::Put { key: there.key, spans: &spans }).unwrap();
    let mut back = vec![0; source.len()];
    let spans: Vec<Span> = back
        .chunks_mut(24)
        .enumerate()
        .map(|(number, chunk)| span(chunk.as_mut_ptr(), there.segment.address() + 48 * number as u64, 24))
        .collect();
    here.run(there.peer, &Operation::Get { key: there.key, spans: &spans }).unwrap();
    same("ten thousand spans", &back, &source);
}
