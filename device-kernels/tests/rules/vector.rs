// SPDX-License-Identifier: Apache-2.0 OR MIT
//! K17 and the limits of the vector calls (K4, K5, K6), hazards among them (K8), and their inputs (K18).

use crate::elements::{floats, from_floats, half, unpacked};
use crate::launch;
use crate::program::Words;

/// Elements of a part of the memory; parts 0 and 1 are operands.
const PART: usize = 1024;

/// Two operands of whole numbers, and place for results.
fn operands(parts: usize) -> (Vec<f32>, Vec<f32>, Words) {
    let a: Vec<f32> = (0..PART).map(|index| index as f32 - 20.0).collect();
    let b: Vec<f32> = (0..PART).map(|index| (index * 7 % 50) as f32 - 9.0).collect();
    let mut all = [a.clone(), b.clone()].concat();
    all.resize(parts * PART, 0.0);
    (a, b, Words::new(&from_floats(&all)))
}

/// Runs in every order, and in the quick mode.
fn in_every_mode(body: impl Fn(&launch::Kernels)) {
    launch::with_schedules("vector.cpp", &body);
    launch::with("vector.cpp", &[("KERNELS", "eager")], body);
}

#[test]
fn k17_calls_by_count_compute_the_first_elements() {
    in_every_mode(|kernels| {
        for count in [1, 7, 64, 777, PART] {
            let (a, b, memory) = operands(17);
            kernels.run("by_count", 1, &[memory.address(), count as u64]);
            let words = memory.get();
            let all = floats(&words);
            let check = |part: usize, what: &dyn Fn(f32, f32) -> f32| {
                for index in 0..PART {
                    let expected = if index < count { what(a[index], b[index]) } else { -1.0 };
                    let found = all[part * PART + index];
                    assert_eq!(
                        found.to_bits(),
                        expected.to_bits(),
                        "part {part}, element {index} of {count}"
                    );
                }
            };
            check(2, &|a, b| a + b);
            check(3, &|a, b| a - b);
            check(4, &|a, b| a * b);
            check(5, &f32::max);
            check(6, &f32::min);
            check(7, &|a, _| a + 3.0);
            check(8, &|a, _| a * -2.0);
            check(9, &|_, _| 7.0);
            check(10, &|a, _| a);
            check(11, &|a, _| f32::from_bits((a as i32).cast_unsigned()));
            let halves = unpacked(16, &words[6 * PART..][..PART / 2]);
            for index in 0..count {
                assert_eq!(half(halves[index]), a[index], "half {index} of {count}");
            }
            assert_eq!(all[13 * PART], a[..count].iter().sum::<f32>(), "sum of {count}");
            assert_eq!(all[14 * PART], a[count - 1], "maximum of {count}");
            assert_eq!(all[14 * PART + 1].to_bits(), count as u32 - 1, "place of the maximum of {count}");
            let bits = |part: usize| unpacked(16, &words[part * PART / 2..][..PART / 2]);
            let (a, b, and, or) = (bits(0), bits(1), bits(15), bits(16));
            for index in 0..count {
                let expected = (a[index] & b[index], a[index] | b[index]);
                assert_eq!((and[index], or[index]), expected, "bits {index} of {count}");
            }
        }
    });
}

#[test]
fn k17_masks_and_strides_choose_elements() {
    in_every_mode(|kernels| {
        let (a, b, memory) = operands(8);
        kernels.run("by_mask", 1, &[memory.address()]);
        let words = memory.get();
        let all = floats(&words);
        let part = |part: usize| &all[part * PART..][..PART];
        for index in 0..PART {
            let (repeat, lane) = (index / 64, index % 64);
            let sum = if repeat < 4 && lane < 40 { a[index] + b[lane] } else { -1.0 };
            assert_eq!(part(2)[index], sum, "sum {index}");
            // Sixteen blocks of 8 a repeat, of which every other is written: 4 of them, with 32 elements.
            let (repeat, block, lane) = (index / 128, index % 128 / 8, index % 8);
            let is_written = repeat < 3 && block % 2 == 0 && block < 8;
            let double = if is_written { 2.0 * a[repeat * 64 + block / 2 * 8 + lane] } else { -1.0 };
            assert_eq!(part(3)[index], double, "double {index}");
            let is_copied = index < 128 && [1, 2, 63].contains(&(index % 64));
            assert_eq!(part(4)[index], if is_copied { a[index] } else { -1.0 }, "copy {index}");
            let grown = if index < 8 {
                3.0
            } else if index < 64 {
                1.0
            } else {
                -1.0
            };
            assert_eq!(part(7)[index], grown, "in place {index}");
        }
        let halves = |part: usize| unpacked(16, &words[part * PART / 2..][..PART / 2]);
        let (cast, filled) = (halves(5), halves(6));
        for index in 0..128 {
            assert_eq!(half(cast[index]), a[index], "half {index}");
        }
        // A half that was not written is half of the -1 of float that was there.
        let untouched = |index: usize| [0, 0xbf80][index % 2];
        for (index, found) in filled.into_iter().enumerate().take(300) {
            let expected = if index < 256 && index % 128 < 100 { 0x4500 } else { untouched(index) };
            assert_eq!(found, expected, "five {index}");
        }
    });
}

#[test]
fn k06_sizes_of_0_do_nothing() {
    in_every_mode(|kernels| {
        let (_, _, memory) = operands(3);
        let before = memory.get();
        kernels.run("nothing", 1, &[memory.address()]);
        assert_eq!(memory.get(), before);
    });
}

#[test]
fn k06_results_may_be_narrower_than_their_source_in_place() {
    in_every_mode(|kernels| {
        let (a, _, memory) = operands(3);
        kernels.run("narrowed", 1, &[memory.address(), PART as u64]);
        let halves = unpacked(16, &memory.get()[PART..][..PART / 4]);
        assert_eq!(halves.iter().map(|&bits| half(bits)).collect::<Vec<_>>(), a);
    });
}

#[test]
fn k06_invalid_vector_calls_are_faults() {
    let expected = [
        ("K6", "Add: count is -1, must be 0 or more"),
        ("K6", "mask is 0 elements, must be 1 to 64"),
        ("K6", "mask is 65 elements, must be 1 to 64 for types of 4 bytes"),
        ("K6", "mask is 0x1, 0x1"),
        ("K6", "mask is 0x0, 0x0"),
        ("K6", "dst (bytes 32 to 288 of the unified buffer) overlaps src0 (bytes 0 to 256)"),
        ("K6", "Cast: dst (bytes 0 to 256 of the unified buffer) overlaps src"),
        ("K6", "no CAST_NONE"),
        ("K4", "multiple of 32"),
        ("K5", "Add: src1"),
        ("K6", "sharedTmpBuffer (32 bytes) overlaps src"),
        ("K8", "PipeBarrier<PIPE_V> is missing"),
        ("K6", "an index of a half is at most 65535"),
        ("K18", "Add reads byte 16384"),
        ("K8", "which Pieces (pipe V) at"),
    ];
    launch::with("vector.cpp", &[], |kernels| {
        let (_, _, memory) = operands(2);
        for (mistake, (rule, text)) in (0..).zip(expected) {
            let fault = kernels.fault("wrong", 1, &[memory.address(), mistake]);
            for part in [rule, text, "vector.cpp:"] {
                assert!(fault.contains(part), "{mistake}: no {part} in: {fault}");
            }
        }
        kernels.run("wrong", 1, &[memory.address(), expected.len() as u64]);
    });
}
