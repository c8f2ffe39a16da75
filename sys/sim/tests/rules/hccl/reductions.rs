// SPDX-License-Identifier: Apache-2.0 OR MIT
//! S77: reductions.

use ascend_sim::hccl::*;

use super::*;
use crate::program::Words;

/// Packs the bytes of numbers into words.
fn packed(bytes: &[u8]) -> Vec<u64> {
    let mut bytes = bytes.to_vec();
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes.as_chunks().0.iter().map(|bytes| u64::from_ne_bytes(*bytes)).collect()
}

/// Reduces `bytes` of this rank with the other ranks'.
fn reduce(rank: &Rank<'_>, bytes: &[u8], format: u32, size: usize, op: u32) -> Vec<u8> {
    let words = Words::new(&packed(bytes));
    let count = (bytes.len() / size) as u64;
    let code = call!(HcclAllReduce(words.at, words.at, count, format, op, rank.comm, rank.stream));
    assert_eq!(code, 0, "{}", last_error());
    assert_eq!(rank.wait(), 0, "{}", last_error());
    let result: Vec<u8> = words.get().into_iter().flat_map(u64::to_ne_bytes).collect();
    result[..bytes.len()].to_vec()
}

macro_rules! reduced {
    ($rank:expr, $format:expr, $op:expr, $type:ty, $numbers:expr) => {{
        let numbers: Vec<$type> = $numbers;
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
        let result = reduce($rank, &bytes, $format, size_of::<$type>(), $op);
        result
            .chunks_exact(size_of::<$type>())
            .map(|bytes| <$type>::from_ne_bytes(bytes.try_into().unwrap()))
            .collect::<Vec<$type>>()
    }};
}

#[test]
fn s77_integers() {
    ranks(3, &[], |rank| {
        let own = i32::try_from(rank.own).unwrap();
        assert_eq!(
            reduced!(rank, INT32, SUM, i32, vec![own, -7, i32::MAX]),
            [3, -21, i32::MAX.wrapping_mul(3)]
        );
        assert_eq!(reduced!(rank, INT32, PROD, i32, vec![own + 1, -2]), [6, -8]);
        assert_eq!(reduced!(rank, INT32, MAX, i32, vec![own, -own]), [2, 0]);
        assert_eq!(reduced!(rank, INT32, MIN, i32, vec![own, -own]), [0, -2]);
        let small = i8::try_from(rank.own).unwrap();
        assert_eq!(reduced!(rank, INT8, SUM, i8, vec![100, small]), [44, 3], "it wraps");
        assert_eq!(reduced!(rank, INT8, MIN, i8, vec![-small; 9]), [-2; 9]);
        assert_eq!(reduced!(rank, 1, SUM, i16, vec![30_000, 1]), [24_464, 3]);
        assert_eq!(reduced!(rank, INT64, SUM, i64, vec![i64::from(own) << 40]), [3 << 40]);
    });
}

#[test]
fn s77_floating_point() {
    ranks(3, &[], |rank| {
        let own = f32::from(u8::try_from(rank.own).unwrap());
        assert_eq!(reduced!(rank, FP32, SUM, f32, vec![own, 0.5]), [3.0, 1.5]);
        assert_eq!(reduced!(rank, FP32, PROD, f32, vec![own + 1.0]), [6.0]);
        assert_eq!(reduced!(rank, FP32, MAX, f32, vec![own, -own]), [2.0, 0.0]);
        assert_eq!(reduced!(rank, FP32, MIN, f32, vec![own, -own]), [0.0, -2.0]);
    });
}

#[test]
fn s77_reduction_order_follows_ranks() {
    ranks(4, &[("SCHEDULE", "random(2)")], |rank| {
        // In any other order the result is another one.
        let wide = [1e8_f32, 1.0, -1e8, 1.0][rank.own];
        for _ in 0..5 {
            assert_eq!(reduced!(rank, FP32, SUM, f32, vec![wide; 3]), [1.0; 3]);
        }
        // 2048 + 1 is a tie and goes to 2048, each time; 1 + 1 + 1 first would give 2051, and that 2052.
        let half = [0x6800_u16, 0x3c00, 0x3c00, 0x3c00][rank.own];
        assert_eq!(reduced!(rank, FP16, SUM, u16, vec![half; 5]), [0x6800; 5]);
        // 256 + 1 with 8 bits: the same.
        let brain = [0x4380_u16, 0x3f80, 0x3f80, 0x3f80][rank.own];
        assert_eq!(reduced!(rank, BFP16, SUM, u16, vec![brain; 5]), [0x4380; 5]);
    });
}

#[test]
fn s77_halves_are_rounded_to_the_nearest() {
    ranks(2, &[], |rank| {
        let pick = |pair: [u16; 2]| pair[rank.own];
        // 2049.5 is no half and goes to 2050; 2050 + 1 is a tie and goes to 2052; the largest overflows.
        let halves = vec![
            pick([0x6801, 0x0001]),
            pick([0x6801, 0x3c00]),
            pick([0x7bff, 0x7bff]),
            pick([0x0001, 0x0001]),
        ];
        assert_eq!(reduced!(rank, FP16, SUM, u16, halves), [0x6801, 0x6802, 0x7c00, 0x0002]);
        assert_eq!(reduced!(rank, FP16, MIN, u16, vec![pick([0xc000, 0x3c00])]), [0xc000]);
        assert_eq!(reduced!(rank, FP16, MAX, u16, vec![pick([0xc000, 0x3c00])]), [0x3c00]);
        let brains = vec![pick([0x3f80, 0x3f81]), pick([0x4381, 0x3f80])];
        assert_eq!(reduced!(rank, BFP16, SUM, u16, brains), [0x4000, 0x4382]);
    });
}

#[test]
fn s77_unsupported_reductions_are_rejected() {
    ranks(1, &[], |rank| {
        let words = Words::new(&[0; 4]);
        let code =
            |format, op| call!(HcclAllReduce(words.at, words.at, 1, format, op, rank.comm, rank.stream));
        for format in [FP16, BFP16] {
            assert_eq!(code(format, PROD), NOT_SUPPORT);
        }
        for op in [PROD, MAX, MIN] {
            assert_eq!(code(INT64, op), NOT_SUPPORT);
        }
        for format in [6, 7, 8, 9, 10, 12, 14, 15, 16, 17] {
            assert_eq!(code(format, SUM), NOT_SUPPORT);
        }
        assert_eq!(code(13, SUM), PARA);
        assert_eq!(code(18, SUM), PARA);
        assert_eq!(code(FP32, 4), PARA);
        // Collectives without reduction accept any type.
        for format in [6, 7, 8, 9, 10, 12, 14, 15, 16, 17] {
            assert_eq!(call!(HcclBroadcast(words.at, 1, format, 0, rank.comm, rank.stream)), 0);
        }
        assert_eq!(rank.wait(), 0);
    });
}
