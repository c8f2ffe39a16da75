// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Bad input and withdrawn memory: an error code for it, and not one byte written.

use std::sync::Arc;

use mf_base::{Error, Kind};
use mf_transport::{
    Atomic, AtomicKind, Capabilities, Completion, JobId, Operation, Peer, Remote, SegmentKey, SignalKind,
    Width,
};

use crate::bed::{End, SECOND_BYTES, failed, fresh_key, late, pattern, span, until};
use crate::suite::Bench;

const POISON: u8 = 0x5c;

fn poison(end: &End) {
    end.segment.fill(POISON);
    end.second.fill(POISON);
}

#[track_caller]
fn untouched(what: &str, end: &End) {
    for segment in [&end.segment, &end.second] {
        assert_eq!(segment.first_other_than(POISON), None, "{what}: something was written");
    }
}

/// A put, a get and, where there are any, a signal and an atomic at this place: all fail, with one of these
/// kinds.
#[track_caller]
fn all_refused(
    what: &str,
    here: &End,
    there: &End,
    key: SegmentKey,
    address: u64,
    bytes: u64,
    kinds: &[Kind],
) {
    let mut local = vec![0x99; bytes as usize];
    let spans = [mf_transport::Span { local: local.as_mut_ptr(), address, bytes }];
    let has = here.transport.capabilities();
    let mut old = 0x99_u64;
    failed(what, here.run(there.peer, &Operation::Put { key, spans: &spans }), kinds);
    failed(what, here.run(there.peer, &Operation::Get { key, spans: &spans }), kinds);
    if has.contains(Capabilities::SIGNAL) && address.is_multiple_of(8) && bytes >= 8 {
        let (kind, value) = (SignalKind::Set, 1);
        let signal = Operation::Signal { key, spans: &[], signal: address, width: Width::W64, kind, value };
        if bytes == 8 {
            failed(what, here.run(there.peer, &signal), kinds);
        }
    }
    if has.contains(Capabilities::ATOMIC_64) && address.is_multiple_of(8) && bytes == 8 {
        let atomic = Atomic { kind: AtomicKind::Swap, width: Width::W64, operand: 1, compare: 0 };
        let operation = Operation::Atomic { at: Remote { key, address }, atomic, old: (&raw mut old).cast() };
        failed(what, here.run(there.peer, &operation), kinds);
    }
    assert_eq!(old, 0x99, "{what}: an old value came");
    assert!(local.iter().all(|byte| *byte == 0x99), "{what}: something was got");
    untouched(what, there);
}

pub(crate) fn ranges_outside_the_segments_are_refused_and_nothing_is_written(bench: &Bench) {
    let Some(bed) = bench.bed(2, Capabilities::COPY) else { return };
    let (here, there) = bed.pair();
    here.meet(&there);
    poison(&there);
    let (start, bytes) = (there.segment.address(), there.segment.bytes as u64);
    let second = there.second.address();
    for (what, address, length) in [
        ("one byte beyond", start + bytes, 1),
        ("the last byte beyond", start + bytes - 99, 100),
        ("all and one byte", start, bytes + 1),
        ("one byte before", start - 1, 1),
        ("the first byte before", start - 1, 100),
        ("a word behind", start + bytes, 8),
        ("a word before", start - 8, 8),
        ("one byte beyond the second", second + SECOND_BYTES as u64, 1),
        ("from one segment to the other", start, second + 1 - start),
        ("from one segment to the other, a little", start + bytes - 1, second + 2 - start - bytes),
        ("the end of the address space", u64::MAX - 7, 8),
        ("over the end of the address space", u64::MAX - 3, 8),
        ("the beginning of the address space", 0, 8),
        ("over the end of the address space, far", u64::MAX - 3, 100_000),
        ("memory of the caller", here.segment.address(), 64),
    ] {
        all_refused(what, &here, &there, there.key, address, length, &[Kind::InvalidParam]);
    }
    // The very ends are inside.
    here.put(&there, 0, &[1]).unwrap();
    here.put(&there, there.segment.bytes - 1, &[1]).unwrap();
    let all = pattern(1, there.segment.bytes);
    here.put(&there, 0, &all).unwrap();
    assert!(here.get(&there, 0, all.len()).unwrap() == all);
    let spans = [span(all.as_ptr().cast_mut(), second, SECOND_BYTES)];
    here.run(there.peer, &Operation::Put { key: there.key, spans: &spans }).unwrap();
    assert!(there.second.read(0, SECOND_BYTES) == all[..SECOND_BYTES]);
}

pub(crate) fn invalid_operations_are_refused(bench: &Bench) {
    let Some(bed) = bench.bed(2, Capabilities::COPY) else { return };
    let (here, there) = bed.pair();
    here.meet(&there);
    poison(&there);
    let (key, start) = (there.key, there.segment.address());
    let mut byte = 1;
    let empty = span(&raw mut byte, start, 0);
    let good = span(&raw mut byte, start, 1);
    let invalid = &[Kind::InvalidParam];
    for spans in [&[][..], &[empty], &[good, empty], &[empty, good]] {
        failed("a put of nothing", here.run(there.peer, &Operation::Put { key, spans }), invalid);
        failed("a get of nothing", here.run(there.peer, &Operation::Get { key, spans }), invalid);
    }
    let has = here.transport.capabilities();
    for (width, needs) in [(Width::W32, Capabilities::ATOMIC_32), (Width::W64, Capabilities::ATOMIC_64)] {
        let atomic = Atomic { kind: AtomicKind::Swap, width, operand: 0, compare: 0 };
        for shift in 1..width.bytes() {
            let at = Remote { key, address: start + shift };
            let operation = Operation::Atomic { at, atomic, old: std::ptr::null_mut() };
            // Refused as misaligned, or as unsupported.
            failed("a misaligned atomic", here.run(there.peer, &operation), invalid);
        }
        let at = Remote { key, address: start };
        let operation = Operation::Atomic { at, atomic, old: std::ptr::null_mut() };
        if !has.contains(needs) {
            failed("an atomic that it lacks", here.run(there.peer, &operation), invalid);
        }
    }
    for shift in [1, 2, 4] {
        let (signal, kind) = (start + shift, SignalKind::Set);
        let operation = Operation::Signal { key, spans: &[], signal, width: Width::W64, kind, value: 0 };
        failed("a misaligned signal", here.run(there.peer, &operation), invalid);
    }
    let first = there.segment.read(0, 1)[0];
    assert!(first == POISON || first == 1, "what is beside an empty span");
    there.segment.write(0, &[POISON]);
    untouched("no sense", &there);
    here.works_with(&there, 3);
}

pub(crate) fn unknown_keys_are_refused(bench: &Bench) {
    let Some(bed) = bench.bed(3, Capabilities::COPY) else { return };
    let (here, there, other) = (bed.end(0), bed.end(1), bed.end(2));
    here.meet(&there);
    here.meet(&other);
    poison(&there);
    poison(&other);
    let start = there.segment.address();
    let kinds = &[Kind::NotConnected, Kind::InvalidParam];
    for bytes in [1, 8, 100_000] {
        all_refused("an unknown key", &here, &there, fresh_key(), start, bytes, kinds);
        all_refused("the key 0", &here, &there, SegmentKey(0), start, bytes, kinds);
        all_refused("the key of another", &here, &there, other.key, start, bytes, kinds);
    }
    untouched("the key of another", &other);
    here.works_with(&there, 2);
}

pub(crate) fn withdrawn_key_reaches_nothing(bench: &Bench) {
    let Some(bed) = bench.bed(2, Capabilities::COPY) else { return };
    let (here, there) = bed.pair();
    here.works_with(&there, 1);
    there.withdraw(there.key);
    poison(&there);
    for bytes in [1, 8, 200_000] {
        let start = there.segment.address();
        all_refused("a withdrawn key", &here, &there, there.key, start, bytes, &[Kind::NotConnected]);
    }
    // The connection is sound.
    let key = fresh_key();
    let description = there.expose(key);
    here.transport.attach(there.peer, key, &description).unwrap();
    let data = pattern(5, 1000);
    let spans = [span(data.as_ptr().cast_mut(), there.segment.address(), 1000)];
    here.run(there.peer, &Operation::Put { key, spans: &spans }).unwrap();
    assert!(there.segment.read(0, 1000) == data);
    // The second time, and a key that was never there.
    there.transport.conceal(there.key);
    there.transport.conceal(fresh_key());
    here.transport.detach(there.peer, there.key);
    here.transport.detach(there.peer, fresh_key());
}

pub(crate) fn no_put_writes_after_a_withdrawal(bench: &Bench) {
    const BYTES: usize = 8 << 20;
    let Some(bed) = bench.large_bed(2, Capabilities::COPY, BYTES) else { return };
    let (here, there) = bed.pair();
    here.works_with(&there, 1);
    let data = vec![0xee; BYTES];
    let mut cut = 0;
    for round in 0..12_u64 {
        let key = fresh_key();
        let description = there.expose(key);
        here.transport.attach(there.peer, key, &description).unwrap();
        let completion = Arc::new(Completion::new());
        let outcome = std::thread::scope(|scope| {
            let puts = scope.spawn(|| {
                let (local, start) = (data.as_ptr().cast_mut(), there.segment.address());
                let (spans, small) = ([span(local, start, BYTES)], [span(local, start + 4096 * round, 100)]);
                for number in 0..4 {
                    here.post(there.peer, &Operation::Put { key, spans: &spans }, &completion);
                    if number % 2 == 0 {
                        here.post(there.peer, &Operation::Put { key, spans: &small }, &completion);
                    }
                }
                here.transport.wait(&completion)
            });
            let before = there.memory.touches();
            // If the processor there takes no part, the bytes themselves show it.
            let far = there.segment.byte(BYTES / 24 * (round as usize + 1));
            until("the first touches", || {
                let is_here = far.load(std::sync::atomic::Ordering::Relaxed) == 0xee;
                there.memory.touches() > before + round || is_here || puts.is_finished()
            });
            there.withdraw(key);
            poison(&there);
            puts.join().unwrap()
        });
        untouched("behind a withdrawal", &there);
        if let Err(error) = outcome {
            assert_eq!(error.kind(), Kind::NotConnected, "{error}");
            cut += 1;
        }
        assert_eq!(completion.pending(), 0);
    }
    assert!(cut > 0, "no withdrawal came in the middle");
    let key = fresh_key();
    let description = there.expose(key);
    here.transport.attach(there.peer, key, &description).unwrap();
    let spans = [span(data.as_ptr().cast_mut(), there.segment.address(), 5000)];
    here.run(there.peer, &Operation::Put { key, spans: &spans }).unwrap();
}

pub(crate) fn old_key_does_not_reach_reregistered_memory(bench: &Bench) {
    let Some(bed) = bench.bed(2, Capabilities::COPY) else { return };
    let (here, there) = bed.pair();
    here.works_with(&there, 1);
    there.withdraw(there.key);
    // The same memory belongs to another pool now.
    let key = fresh_key();
    let description = there.expose(key);
    poison(&there);
    let start = there.segment.address();
    all_refused("the old key", &here, &there, there.key, start, 8, &[Kind::NotConnected]);
    all_refused("the old key", &here, &there, there.key, start, 65_537, &[Kind::NotConnected]);
    here.transport.attach(there.peer, key, &description).unwrap();
    let spans = [span([1_u8; 8].as_ptr().cast_mut(), start, 8)];
    here.run(there.peer, &Operation::Put { key, spans: &spans }).unwrap();
}

pub(crate) fn unknown_peers_are_refused(bench: &Bench) {
    let Some(bed) = bench.bed(2, Capabilities::COPY) else { return };
    let (here, there) = bed.pair();
    let data = [1; 8];
    let spans = [span(data.as_ptr().cast_mut(), there.segment.address(), 8)];
    let operation = Operation::Put { key: there.key, spans: &spans };
    let completion = Arc::new(Completion::new());
    for peer in
        [there.peer, Peer { job: JobId(1), rank: 77, session: 1 }, Peer { session: u64::MAX, ..there.peer }]
    {
        let posted = here.post_until(peer, &operation, &completion, late());
        failed("an unknown peer", posted, &[Kind::NotConnected]);
        assert_eq!(completion.pending(), 0);
        if here.transport.capabilities().contains(Capabilities::MESSAGE) {
            failed("an unknown peer", here.transport.send(peer, b"x", late()), &[Kind::NotConnected]);
        }
        failed("an unknown peer", here.transport.reach(peer).map(|_| ()), &[Kind::NotConnected]);
        // No need to be known.
        here.transport.forget(peer);
        here.transport.flush(Some(peer), late()).unwrap();
    }
    here.meet(&there);
    let reach = here.transport.reach(there.peer).unwrap();
    assert!(!reach.path.is_empty());
    here.works_with(&there, 1);
}

pub(crate) fn garbage_address_is_refused(bench: &Bench) {
    let Some(bed) = bench.bed(2, Capabilities::COPY) else { return };
    let (here, there) = bed.pair();
    let address = there.transport.address();
    assert!(!address.is_empty() && address.len() <= 8 << 10, "{} bytes of address", address.len());
    let unknown_peer = Peer { job: JobId(1), rank: 5, session: 5 };
    let refused = |what: &str, result: Result<(), Error>| {
        // Errors that an address does not reveal show at its use.
        if let Err(error) = result {
            assert!([Kind::InvalidParam, Kind::NotConnected].contains(&error.kind()), "{what}: {error}");
        }
    };
    failed(
        "no address",
        here.transport.introduce(unknown_peer, &[]),
        &[Kind::InvalidParam, Kind::NotConnected],
    );
    for bytes in 1..100 {
        refused("garbage", here.transport.introduce(unknown_peer, &pattern(bytes, bytes as usize)));
        refused("garbage", here.transport.introduce(unknown_peer, &vec![0xff; bytes as usize]));
    }
    for bytes in 1..address.len() {
        refused("half an address", here.transport.introduce(unknown_peer, &address[..bytes]));
    }
    refused("much garbage", here.transport.introduce(unknown_peer, &vec![0x80; 1 << 20]));
    here.transport.forget(unknown_peer);
    here.meet(&there);
    for bytes in 1..100 {
        refused("garbage", here.transport.attach(there.peer, fresh_key(), &pattern(bytes, bytes as usize)));
    }
    here.works_with(&there, 1);
}
