// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Blocks at equal distances.

use std::sync::Arc;

use mf_base::Kind;
use mf_transport::{Capabilities, Completion, Operation, Strided};

use crate::bed::{BYTES, End, failed, pattern, same};
use crate::suite::Bench;

/// Block, count, stride here, stride there: words and odd lengths, neighbours and gaps, one that needs many
/// frames, one with blocks longer than those.
const SHAPES: [(usize, usize, usize, usize); 11] = [
    (8, 1, 8, 8),
    (8, 64, 8, 16),
    (8, 300, 24, 8),
    (1, 777, 3, 2),
    (13, 500, 13, 29),
    (4, 9000, 8, 12),
    (100, 1000, 100, 1000),
    (4096, 20, 5000, 8192),
    (6000, 7, 6001, 6000),
    (40_000, 5, 40_000, 65_536),
    (200_000, 2, 300_000, 200_001),
];
/// Start of the blocks there.
const AT: usize = 72;

fn shape(there: &End, buffer: &mut [u8], (block, count, here, far): (usize, usize, usize, usize)) -> Strided {
    assert!((count - 1) * here + block <= buffer.len());
    Strided {
        local: buffer.as_mut_ptr(),
        address: there.segment.address() + AT as u64,
        block_bytes: block as u64,
        count: count as u64,
        local_stride: here as u64,
        remote_stride: far as u64,
    }
}

fn buffer(seed: u64, (block, count, here, _): (usize, usize, usize, usize)) -> Vec<u8> {
    pattern(seed, (count - 1) * here + block)
}

/// Copies blocks of `from` into `to`, as the model of a strided copy.
fn copied(from: &[u8], to: &mut [u8], count: usize, block: usize, strides: (usize, usize)) {
    for index in 0..count {
        let (source, sink) = (index * strides.0, index * strides.1);
        to[sink..sink + block].copy_from_slice(&from[source..source + block]);
    }
}

pub(crate) fn strided_puts_write_blocks_and_leave_gaps_unchanged(bench: &Bench) {
    let Some(bed) = bench.bed(2, Capabilities::COPY) else { return };
    let (here, there) = bed.pair();
    here.meet(&there);
    for (seed, what) in (1..).zip(SHAPES) {
        let (block, count, near, far) = what;
        there.segment.fill(0x5b);
        let mut source = buffer(seed, what);
        let strided = shape(&there, &mut source, what);
        here.run(there.peer, &Operation::PutStrided { key: there.key, strided })
            .unwrap_or_else(|error| panic!("{what:?}: {error}"));
        let mut expected = vec![0x5b; BYTES];
        copied(&source, &mut expected[AT..], count, block, (near, far));
        same(&format!("{what:?}"), &there.segment.read(0, BYTES), &expected);
    }
}

pub(crate) fn strided_gets_read_every_shape(bench: &Bench) {
    let Some(bed) = bench.bed(2, Capabilities::COPY) else { return };
    let (here, there) = bed.pair();
    here.meet(&there);
    let content = pattern(99, BYTES);
    there.segment.write(0, &content);
    for what in SHAPES {
        let (block, count, near, far) = what;
        let mut sink = vec![0x5b; (count - 1) * near + block + 64];
        let mut expected = sink.clone();
        let strided = shape(&there, &mut sink, what);
        here.run(there.peer, &Operation::GetStrided { key: there.key, strided })
            .unwrap_or_else(|error| panic!("{what:?}: {error}"));
        copied(&content[AT..], &mut expected, count, block, (far, near));
        same(&format!("{what:?}"), &sink, &expected);
    }
}

pub(crate) fn many_strided_operations_in_flight_all_end(bench: &Bench) {
    const EACH: usize = 60;
    let what = (16, 50, 32, 48);
    let Some(bed) = bench.bed(2, Capabilities::COPY) else { return };
    let (here, there) = bed.pair();
    here.meet(&there);
    let completion = Arc::new(Completion::new());
    let mut sources: Vec<Vec<u8>> = (0..EACH as u64).map(|seed| buffer(seed, what)).collect();
    let part = BYTES / EACH / 8 * 8;
    for (number, source) in sources.iter_mut().enumerate() {
        let strided = shape(&there, source, what);
        let strided = Strided { address: strided.address + (number * part) as u64, ..strided };
        here.post(there.peer, &Operation::PutStrided { key: there.key, strided }, &completion);
    }
    here.transport.wait(&completion).unwrap();
    let mut sinks = vec![vec![0; sources[0].len()]; EACH];
    for (number, sink) in sinks.iter_mut().enumerate() {
        let strided = shape(&there, sink, what);
        let strided = Strided { address: strided.address + (number * part) as u64, ..strided };
        here.post(there.peer, &Operation::GetStrided { key: there.key, strided }, &completion);
    }
    here.transport.wait(&completion).unwrap();
    for (source, sink) in sources.iter().zip(&sinks) {
        let mut expected = vec![0; sink.len()];
        copied(source, &mut expected, what.1, what.0, (what.2, what.2));
        same("a strided round trip", sink, &expected);
    }
}

pub(crate) fn invalid_shapes_are_refused(bench: &Bench) {
    let Some(bed) = bench.bed(2, Capabilities::COPY) else { return };
    let (here, there) = bed.pair();
    here.meet(&there);
    there.segment.fill(0);
    let mut source = vec![1; 4096];
    let good = shape(&there, &mut source, (8, 4, 16, 16));
    for strided in [
        Strided { block_bytes: 0, ..good },
        Strided { count: 0, ..good },
        Strided { local_stride: 7, ..good },
        Strided { remote_stride: 7, ..good },
        Strided { local: std::ptr::null_mut(), ..good },
        Strided { count: u64::MAX / 8, ..good },
        Strided { address: u64::MAX - 8, ..good },
    ] {
        let key = there.key;
        let invalid = &[Kind::InvalidParam];
        failed("a put", here.run(there.peer, &Operation::PutStrided { key, strided }), invalid);
        failed("a get", here.run(there.peer, &Operation::GetStrided { key, strided }), invalid);
    }
    assert_eq!(there.segment.first_other_than(0), None);
    here.works_with(&there, 1);
}

pub(crate) fn blocks_outside_the_segment_are_refused(bench: &Bench) {
    let Some(bed) = bench.bed(2, Capabilities::COPY) else { return };
    let (here, there) = bed.pair();
    here.meet(&there);
    let native = here.transport.capabilities().contains(Capabilities::STRIDED);
    let (key, end) = (there.key, there.segment.address() + BYTES as u64);
    for (block, count, far, back) in [(8, 3, 16, 24), (8, 20_000, 16, 319_984), (64, 2, 4096, 64)] {
        there.segment.fill(0x11);
        let mut buffer = vec![2; count * block];
        let strided = shape(&there, &mut buffer, (block, count, block, far));
        // The last block leaves the segment.
        let strided = Strided { address: end - back, ..strided };
        let invalid = &[Kind::InvalidParam];
        failed("a put", here.run(there.peer, &Operation::PutStrided { key, strided }), invalid);
        failed("a get", here.run(there.peer, &Operation::GetStrided { key, strided }), invalid);
        if native {
            assert_eq!(there.segment.first_other_than(0x11), None, "written although a part is outside");
        }
    }
    here.works_with(&there, 1);
}
