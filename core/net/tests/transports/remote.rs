// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies between two others.

use mf_base::{Kind, Result};
use mf_transport::{Capabilities, JobId, Operation, Peer, Remote, SegmentKey};

use crate::bed::{End, failed, fresh_key, pattern, same};
use crate::suite::Bench;

const MIB: usize = 1 << 20;

/// Makes `from` copy to `to`.
fn copy(caller: &End, from: &End, from_at: usize, to: &End, to_at: usize, bytes: usize) -> Result<()> {
    let source = Remote { key: from.key, address: from.segment.address() + from_at as u64 };
    let sink = Remote { key: to.key, address: to.segment.address() + to_at as u64 };
    copy_raw(caller, from, source, to, sink, bytes as u64)
}

fn copy_raw(caller: &End, from: &End, source: Remote, to: &End, sink: Remote, bytes: u64) -> Result<()> {
    caller.meet(from);
    let to_address = to.transport.address();
    let operation =
        Operation::Copy { from: source, to_peer: to.peer, to_address: &to_address, to: sink, bytes };
    caller.run(from.peer, &operation)
}

fn all_sizes(caller: &End, from: &End, to: &End, shift: usize) {
    for (number, bytes) in [1, 7, 8, 4097, 100_000, MIB, 3 * MIB + 5].into_iter().enumerate() {
        let data = pattern(number as u64 + 50, bytes);
        from.segment.write(number, &data);
        to.segment.write(shift, &vec![0x33; bytes + 20]);
        copy(caller, from, number, to, shift + 10, bytes).unwrap();
        let found = to.segment.read(shift, bytes + 20);
        same("a copy between others", &found[10..10 + bytes], &data);
        assert!(found[..10].iter().chain(&found[10 + bytes..]).all(|byte| *byte == 0x33), "beside the copy");
    }
}

pub(crate) fn copy_to_a_third_peer_arrives(bench: &Bench) {
    let Some(bed) = bench.large_bed(3, Capabilities::REMOTE_COPY, 5 * MIB) else { return };
    // The caller has never met the receiver, nor the two each other.
    all_sizes(&bed.end(0), &bed.end(1), &bed.end(2), 0);
    all_sizes(&bed.end(2), &bed.end(0), &bed.end(1), 0);
    let (caller, from, to) = (bed.end(0), bed.end(1), bed.end(2));
    std::thread::scope(|scope| {
        // In a circle, all at once.
        for (caller, from, to) in [(&caller, &from, &to), (&from, &to, &caller), (&to, &caller, &from)] {
            scope.spawn(move || {
                for round in 0..30 {
                    copy(caller, from, 0, to, 4 * MIB + 2000 * round, 2000).unwrap();
                }
            });
        }
    });
}

pub(crate) fn copy_to_the_caller_arrives(bench: &Bench) {
    let Some(bed) = bench.large_bed(2, Capabilities::REMOTE_COPY, 5 * MIB) else { return };
    let (caller, from) = bed.pair();
    all_sizes(&caller, &from, &caller, 0);
}

pub(crate) fn copies_within_one_peer(bench: &Bench) {
    let Some(bed) = bench.large_bed(2, Capabilities::REMOTE_COPY, 10 * MIB) else { return };
    let (caller, from) = bed.pair();
    all_sizes(&caller, &from, &from, 5 * MIB);
}

pub(crate) fn copies_with_a_wrong_end_are_refused(bench: &Bench) {
    let Some(bed) = bench.bed(3, Capabilities::REMOTE_COPY) else { return };
    let (caller, from, to) = (bed.end(0), bed.end(1), bed.end(2));
    from.segment.fill(0x44);
    to.segment.fill(0x55);
    let source = |key: SegmentKey, at: u64| Remote { key, address: from.segment.address().wrapping_add(at) };
    let sink = |key: SegmentKey, at: u64| Remote { key, address: to.segment.address().wrapping_add(at) };
    let length = from.segment.bytes as u64;
    let both = &[Kind::InvalidParam, Kind::NotConnected];
    for (what, source, sink, bytes, kinds) in [
        ("an unknown source", source(fresh_key(), 0), sink(to.key, 0), 100, &[Kind::NotConnected][..]),
        ("an unknown sink", source(from.key, 0), sink(fresh_key(), 0), 100, &[Kind::NotConnected]),
        ("the key of another", source(to.key, 0), sink(to.key, 0), 100, both),
        (
            "a source behind its segment",
            source(from.key, length - 99),
            sink(to.key, 0),
            100,
            &[Kind::InvalidParam],
        ),
        (
            "a sink behind its segment",
            source(from.key, 0),
            sink(to.key, length - 99),
            100,
            &[Kind::InvalidParam],
        ),
        (
            "a sink before its segment",
            source(from.key, 0),
            sink(to.key, 0_u64.wrapping_sub(1)),
            8,
            &[Kind::InvalidParam],
        ),
        ("no byte", source(from.key, 0), sink(to.key, 0), 0, &[Kind::InvalidParam]),
        ("more than there is", source(from.key, 0), sink(to.key, 0), u64::MAX, &[Kind::InvalidParam]),
    ] {
        failed(what, copy_raw(&caller, &from, source, &to, sink, bytes), kinds);
        assert_eq!(to.segment.first_other_than(0x55), None, "{what}: something was written");
    }
    let (address, elsewhere) = (to.transport.address(), Peer { job: JobId(2), ..to.peer });
    let (from_it, to_it) = (source(from.key, 0), sink(to.key, 0));
    let across =
        Operation::Copy { from: from_it, to_peer: elsewhere, to_address: &address, to: to_it, bytes: 8 };
    failed("a member of another job", caller.run(from.peer, &across), both);
    assert_eq!(to.segment.first_other_than(0x55), None, "another job: something was written");
    // A large one is copied in pieces, of which those may arrive that are inside.
    let refused = copy_raw(&caller, &from, source(from.key, 0), &to, sink(to.key, 1), length);
    failed("a large sink behind its segment", refused, &[Kind::InvalidParam]);
    to.segment.fill(0x55);
    copy(&caller, &from, 0, &to, 0, 100).unwrap();
    assert_eq!(to.segment.read(0, 101)[99..], [0x44, 0x55]);
}
