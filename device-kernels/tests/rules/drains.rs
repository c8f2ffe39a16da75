// SPDX-License-Identifier: Apache-2.0 OR MIT
//! K17: sums that a cube core of the 950 stores to the unified buffers of its vector cores, ordered by flags
//! of mode 4; limits (K6).

use crate::elements::{half_bits, packed, unpacked};
use crate::launch;
use crate::program::Words;

const M: usize = 32;
const K: usize = 64;
const N: usize = 64;

/// Whole numbers from -3 to 3, the same each time.
fn number(seed: usize, index: usize) -> i32 {
    ((index * 7919 + seed * 131 + index / 5) % 7) as i32 - 3
}

fn sum(row: usize, column: usize) -> i32 {
    (0..K).map(|k| number(1, row * K + k) * number(2, column * K + k)).sum()
}

fn halves(seed: usize, count: usize) -> Words {
    Words::new(&packed(16, (0..count).map(|index| half_bits(number(seed, index)))))
}

#[test]
fn k17_sums_go_to_the_vector_cores_of_the_950() {
    launch::with_schedules("drains_950.cpp", |kernels| {
        let (a, b) = (halves(1, M * K), halves(2, N * K));
        // Half of the rows, half of the columns, or all of it.
        for (which, rows, columns) in [(0, M / 2, N), (1, M, N / 2), (2, M, N)] {
            let out = Words::new(&[0; 2 * M * N]);
            kernels.run("drains", 1, &[out.address(), a.address(), b.address(), which]);
            let found = unpacked(32, &out.get());
            for (part, found) in found.chunks(rows * columns).take(4).enumerate() {
                let (round, vector) = (part / 2, part % 2);
                let row_0 = if which == 0 { vector * rows } else { 0 };
                let column_0 = if which == 1 { vector * columns } else { 0 };
                for (place, bits) in found.iter().enumerate() {
                    let expected = sum(row_0 + place / columns, column_0 + place % columns);
                    let expected = expected * (round as i32 + 1);
                    assert_eq!(f32::from_bits(*bits as u32), expected as f32, "{which}: {part}, {place}");
                }
            }
        }
    });
}

#[test]
fn k06_the_destination_is_one_that_fixpipe_reaches() {
    launch::with("drains_950.cpp", &[], |kernels| {
        let memory = Words::new(&[0; 2 * M * N]);
        let at = memory.address();
        for (which, text) in [
            (3, "the FixpipeConfig lacks isToUB"),
            (4, "mSize is 31, and dualDstCtl halves it: it must be a multiple of 2"),
            (5, "dualDstCtl is 3, must be 0 to 2"),
            (6, "dst is in L1, must be in the unified buffer"),
        ] {
            let fault = kernels.fault("drains", 1, &[at, at, at, which]);
            assert!(fault.contains("K6") && fault.contains(text), "{which}: {fault}");
        }
        let fault = kernels.fault("alone", 1, &[at, at]);
        assert!(fault.contains("K17") && fault.contains("has no vector cores"), "{fault}");
    });
}
