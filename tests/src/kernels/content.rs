// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Contents of sources: the same for the same seed and rank.

use super::case::{Op, Type};
use super::number::{from_bf16, from_f16, to_bf16, to_f16};
use crate::pattern;

/// Bytes of a rank.
pub fn bytes(seed: u64, rank: u32, length: usize) -> Vec<u8> {
    pattern::stream(stream_of(seed, rank), length)
}

/// Finite numbers of a rank, over the whole range of the type, as bytes. Excludes −0, since its maximum
/// with 0 is ambiguous, and infinity; sums may well overflow.
pub fn numbers(seed: u64, rank: u32, count: usize, kind: Type) -> Vec<u8> {
    let mut content = bytes(seed, rank, count * kind.bytes());
    for element in content.chunks_exact_mut(kind.bytes()) {
        // All ones in the exponent would be infinity or no number: its highest bit goes. Then large numbers
        // are rare, so one in four gets the bit back, and loses the lowest.
        let top = element.len() - 1;
        let lowest_exponent = match kind {
            Type::F16 => (top, 0x04),
            Type::Bf16 | Type::F32 => (top - 1, 0x80),
        };
        if element[0] & 3 == 0 {
            element[top] |= 0x40;
            element[lowest_exponent.0] &= !lowest_exponent.1;
        } else {
            element[top] &= !0x40;
        }
        if element[..top].iter().all(|byte| *byte == 0) && element[top] == 0x80 {
            element[top] = 0;
        }
    }
    content
}

/// Numbers for a product of matrices: fp16 between −1 and 1.
pub fn factors(seed: u64, rank: u32, count: usize) -> Vec<f32> {
    let dice = bytes(seed, rank, count * 2);
    let numbers = dice.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
    numbers.map(|number| from_f16(to_f16(f32::from(number) / 32768.0))).collect()
}

/// fp16 bytes of numbers.
pub fn as_f16(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| to_f16(*number).to_le_bytes()).collect()
}

/// Reduces the parts, in order, with a sum of 32 bits that is rounded once at the end.
pub fn reduce(parts: &[Vec<u8>], kind: Type, op: Op) -> Vec<u8> {
    let Some((first, rest)) = parts.split_first() else { return Vec::new() };
    let mut total = values(first, kind);
    for part in rest {
        for (total, value) in total.iter_mut().zip(values(part, kind)) {
            *total = match op {
                Op::Sum => *total + value,
                Op::Max => total.max(value),
            };
        }
    }
    match kind {
        Type::F16 => total.iter().flat_map(|value| to_f16(*value).to_le_bytes()).collect(),
        Type::Bf16 => total.iter().flat_map(|value| to_bf16(*value).to_le_bytes()).collect(),
        Type::F32 => total.iter().flat_map(|value| value.to_le_bytes()).collect(),
    }
}

/// Number of units in `count` numbers; a unit of 0 numbers means all of them.
pub fn units(count: usize, unit: usize) -> usize {
    if unit == 0 { count.min(1) } else { count.div_ceil(unit) }
}

/// A scale and an offset for each unit.
pub fn scales_and_offsets(seed: u64, rank: u32, units: usize) -> (Vec<f32>, Vec<f32>) {
    let dice = bytes(seed ^ 0x5ca1e, rank, units * 4);
    let dice: Vec<i16> = dice.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect();
    let (scales, offsets) = dice.split_at(units);
    let as_scale = |number: &i16| f32::from(*number) / 1000.0;
    (scales.iter().map(as_scale).collect(), offsets.iter().map(|number| f32::from(*number) / 256.0).collect())
}

/// Numbers as bytes: times the scale of their unit, plus its offset; none: 1 and 0.
pub fn quantise(numbers: &[f32], unit: usize, scales: &[f32], offsets: &[f32]) -> Vec<u8> {
    let unit = if unit == 0 { numbers.len().max(1) } else { unit };
    let quantised = numbers.iter().enumerate().map(|(at, number)| {
        let (scale, offset) = (scales.get(at / unit).unwrap_or(&1.0), offsets.get(at / unit).unwrap_or(&0.0));
        #[expect(clippy::cast_possible_truncation, reason = "it saturates, and no number is 0")]
        let byte = (number * scale + offset).round_ties_even() as i8;
        byte.to_le_bytes()[0]
    });
    quantised.collect()
}

/// The elements as f32.
pub fn values(bytes: &[u8], kind: Type) -> Vec<f32> {
    let short = |pair: &[u8]| u16::from_le_bytes([pair[0], pair[1]]);
    match kind {
        Type::F16 => bytes.chunks_exact(2).map(|pair| from_f16(short(pair))).collect(),
        Type::Bf16 => bytes.chunks_exact(2).map(|pair| from_bf16(short(pair))).collect(),
        Type::F32 => bytes
            .chunks_exact(4)
            .map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]))
            .collect(),
    }
}

/// `count` row numbers below `table` in random order, as 32 bits each; all different where `unique` says so.
pub fn index(seed: u64, rank: u32, count: usize, table: usize, unique: bool) -> Vec<usize> {
    let dice = bytes(seed ^ 0x1dec, rank, (count.max(table)) * 8);
    let mut dice = dice.chunks_exact(8).map(|chunk| usize::from_le_bytes(chunk.try_into().unwrap_or([0; 8])));
    let mut roll = |sides: usize| dice.next().unwrap_or(0) % sides;
    if !unique {
        return (0..count).map(|_| roll(table)).collect();
    }
    let mut rows: Vec<usize> = (0..table).collect();
    for at in (1..table).rev() {
        rows.swap(at, roll(at + 1));
    }
    rows.truncate(count);
    rows
}

fn stream_of(seed: u64, rank: u32) -> u64 {
    seed.wrapping_mul(1_000_003).wrapping_add(u64::from(rank) << 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_numbers_are_finite_and_span_magnitudes() {
        for kind in Type::ALL {
            let values = values(&numbers(1, 0, 10_000, kind), kind);
            assert!(
                values.iter().all(|value| value.is_finite() && !(*value == 0.0 && value.is_sign_negative()))
            );
            let limit = if kind == Type::F16 { 40_000.0 } else { 1e37 };
            assert!(values.iter().any(|value| value.abs() > limit), "{kind:?}");
            assert!(values.iter().any(|value| value.abs() < 1e-4), "{kind:?}");
        }
    }

    #[test]
    fn sums_are_rounded_once_and_in_order() {
        let halves = |values: &[f32]| as_f16(values);
        // 2048 + 1 + 1 is 2050, although 2048 + 1 is no fp16 number.
        let parts =
            [halves(&[2048.0, 60000.0, 1.0]), halves(&[1.0, 60000.0, -3.0]), halves(&[1.0, 0.0, 2.0])];
        assert_eq!(reduce(&parts, Type::F16, Op::Sum), halves(&[2050.0, f32::INFINITY, 0.0]));
        assert_eq!(reduce(&parts, Type::F16, Op::Max), halves(&[2048.0, 60000.0, 2.0]));
        // In 32 bits the order counts.
        let singles = |value: f32| value.to_le_bytes().to_vec();
        let parts = [singles(1e8), singles(-1e8), singles(1.0)];
        assert_eq!(reduce(&parts, Type::F32, Op::Sum), singles(1.0));
        let parts = [singles(1.0), singles(1e8), singles(-1e8)];
        assert_eq!(reduce(&parts, Type::F32, Op::Sum), singles(0.0));
    }

    #[test]
    fn row_indices_are_in_range_and_distinct_on_request() {
        let mut rows = index(3, 1, 50, 60, true);
        rows.sort_unstable();
        rows.dedup();
        assert!(rows.len() == 50 && rows.iter().all(|row| *row < 60));
        assert!(index(3, 1, 100, 7, false).iter().all(|row| *row < 7));
    }
}
