// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Contents of a case in each rank's part of the memory: before, and after.
//!
//! Source, row numbers and destination lie behind each other, with bytes between them and behind the last
//! that must not be written. The image after the case is the image before it plus the result, so a check of
//! the image also finds stray writes.

use std::ops::Range;

use super::case::{Case, Direction, Work};
use super::content;

/// So many bytes around source and destination must not be written.
const GUARD: usize = 256;
/// Filler bytes.
const UNTOUCHED: u8 = 0xa5;
/// Beginnings that are not skewed are multiples of it.
const PAGE: usize = 512;

/// Offsets in every rank's part, in bytes from its beginning.
#[derive(Clone, Debug)]
pub struct Places {
    /// Of a product: both matrices.
    pub src: Range<usize>,
    /// Of a product: the second matrix. Of numbers that become bytes: scales, then offsets, 4 bytes each.
    /// Else row numbers, 4 bytes each.
    pub second: Range<usize>,
    /// The result.
    pub dst: Range<usize>,
    /// All of it with what must not be written.
    pub total: usize,
}

/// The places of a case in a job of so many ranks.
pub fn places(case: &Case, ranks: usize) -> Places {
    let (src, second, dst, element) = match case.work {
        Work::Copy { bytes, .. } | Work::Shift { bytes, .. } => (bytes, 0, bytes, 1),
        Work::CopyStrided { rows, row_bytes, dst_gap, src_gap, .. } => {
            (rows * (row_bytes + src_gap), 0, rows * (row_bytes + dst_gap), 1)
        }
        Work::Gather { count, row_bytes, table, .. } => (table * row_bytes, count * 4, count * row_bytes, 1),
        Work::Scatter { count, row_bytes, table, .. } => (count * row_bytes, count * 4, table * row_bytes, 1),
        Work::Quantise { count, unit, has_factors, .. } => {
            let factors = if has_factors { content::units(count, unit) * 8 } else { 0 };
            (count * 2, factors, count, 1)
        }
        Work::AllToAll { bytes } => (ranks * bytes, 0, ranks * bytes, 1),
        Work::Allgather { bytes } => (bytes, 0, ranks * bytes, 1),
        Work::ReduceScatter { count, kind, .. } => {
            (ranks * count * kind.bytes(), 0, count * kind.bytes(), kind.bytes())
        }
        Work::OneShot { count, kind, .. } | Work::TwoShot { count, kind, .. } => {
            (count * kind.bytes(), 0, count * kind.bytes(), kind.bytes())
        }
        Work::Matmul { m, k, n } => (m * k * 2, k * n * 2, m * n * 2, 2),
    };
    let after = |end: usize, skew: usize| (end + GUARD).next_multiple_of(PAGE) + skew * element;
    let from = after(0, case.skew.0);
    let second_from = after(from + src, 0);
    let to = after(second_from + second, case.skew.1);
    Places {
        src: from..from + src,
        second: second_from..second_from + second,
        dst: to..to + dst,
        total: to + dst + GUARD,
    }
}

/// The memory of `rank` before the case.
pub fn before(case: &Case, rank: u32, ranks: u32) -> Vec<u8> {
    let places = places(case, count(ranks));
    let mut image = vec![UNTOUCHED; places.total];
    image[places.src.clone()].copy_from_slice(&source(case, rank, places.src.len()));
    image[places.second].copy_from_slice(&second(case, rank));
    image
}

/// The memory of `rank` after it.
pub fn after(case: &Case, rank: u32, ranks: u32) -> Vec<u8> {
    let places = places(case, count(ranks));
    let mut image = before(case, rank, ranks);
    let before = image[places.dst.clone()].to_vec();
    image[places.dst].copy_from_slice(&result(case, rank, ranks, before));
    image
}

/// First difference between the memory of `rank` and the expectation, as text. Returns `None` if they are
/// equal.
pub fn difference(case: &Case, rank: u32, ranks: u32, found: &[u8]) -> Option<String> {
    let expected = after(case, rank, ranks);
    let places = places(case, count(ranks));
    let first = expected.iter().zip(found).position(|(expected, found)| expected != found)?;
    let wrong = expected.iter().zip(found).filter(|(expected, found)| expected != found).count();
    Some(format!("{wrong} bytes are wrong, first {}", describe(&places, first, &expected, found)))
}

fn describe(places: &Places, at: usize, expected: &[u8], found: &[u8]) -> String {
    let part = [("source", &places.src), ("second source", &places.second), ("destination", &places.dst)];
    let within = part.iter().find(|(_, range)| range.contains(&at));
    let place = within.map_or_else(
        || format!("byte {at} of what must not be written (destination: {:?})", places.dst),
        |(name, range)| format!("byte {} of {} of the {name}", at - range.start, range.len()),
    );
    let end = (at + 8).min(expected.len());
    format!("{place}: {:02x?} instead of {:02x?}", &found[at..end], &expected[at..end])
}

/// Expected destination of `rank`, which is `before` at first.
fn result(case: &Case, rank: u32, ranks: u32, before: Vec<u8>) -> Vec<u8> {
    let (next, previous) = ((rank + 1) % ranks, (rank + ranks - 1) % ranks);
    // Source rank of the data.
    let from = |direction: Direction| match direction {
        Direction::Local => rank,
        Direction::Put => previous,
        Direction::Get => next,
    };
    // Rank of the launch that brings it, which also has the row numbers.
    let launcher = |direction: Direction| if direction == Direction::Put { previous } else { rank };
    let places = places(case, count(ranks));
    let of = |rank: u32| source(case, rank, places.src.len());
    let mut dst = before;
    match case.work {
        Work::Copy { direction, .. } => of(from(direction)),
        Work::CopyStrided { rows, row_bytes, dst_gap, src_gap, direction } => {
            let src = of(from(direction));
            for row in 0..rows {
                let (to, from) = (row * (row_bytes + dst_gap), row * (row_bytes + src_gap));
                dst[to..to + row_bytes].copy_from_slice(&src[from..from + row_bytes]);
            }
            dst
        }
        Work::Gather { count, row_bytes, table, direction } => {
            let src = of(from(direction));
            let rows = content::index(case.seed, launcher(direction), count, table, false);
            rows.iter().flat_map(|row| src[row * row_bytes..(row + 1) * row_bytes].to_vec()).collect()
        }
        Work::Scatter { count, row_bytes, table, direction } => {
            let src = of(from(direction));
            let rows = content::index(case.seed, launcher(direction), count, table, true);
            for (row, piece) in rows.iter().zip(src.chunks_exact(row_bytes)) {
                dst[row * row_bytes..(row + 1) * row_bytes].copy_from_slice(piece);
            }
            dst
        }
        Work::Quantise { count, unit, kind, has_factors } => {
            let (scales, offsets) = match has_factors {
                true => content::scales_and_offsets(case.seed, rank, content::units(count, unit)),
                false => (Vec::new(), Vec::new()),
            };
            content::quantise(&content::values(&of(rank), kind), unit, &scales, &offsets)
        }
        Work::Shift { by, .. } => of((rank + ranks - by % ranks) % ranks),
        Work::AllToAll { bytes } => {
            let at = count(rank) * bytes;
            (0..ranks).flat_map(|rank| of(rank)[at..at + bytes].to_vec()).collect()
        }
        Work::Allgather { .. } => (0..ranks).flat_map(of).collect(),
        Work::ReduceScatter { count: elements, kind, op } => {
            let piece = elements * kind.bytes();
            let at = count(rank) * piece;
            let parts: Vec<Vec<u8>> = (0..ranks).map(|rank| of(rank)[at..at + piece].to_vec()).collect();
            content::reduce(&parts, kind, op)
        }
        Work::OneShot { kind, op, .. } | Work::TwoShot { kind, op, .. } => {
            content::reduce(&(0..ranks).map(of).collect::<Vec<_>>(), kind, op)
        }
        Work::Matmul { m, k, n } => content::as_f16(&products(case, ranks, (m, k, n))),
    }
}

/// The source of `rank`.
fn source(case: &Case, rank: u32, length: usize) -> Vec<u8> {
    match case.work {
        Work::ReduceScatter { kind, .. } | Work::OneShot { kind, .. } | Work::TwoShot { kind, .. } => {
            content::numbers(case.seed, rank, length / kind.bytes(), kind)
        }
        Work::Matmul { m, k, .. } => content::as_f16(&content::factors(case.seed, rank, m * k)),
        _ => content::bytes(case.seed, rank, length),
    }
}

/// Second operand beside the source of `rank`: row numbers, the second matrix.
fn second(case: &Case, rank: u32) -> Vec<u8> {
    let row_numbers = |rows: Vec<usize>| {
        rows.into_iter().flat_map(|row| u32::try_from(row).unwrap_or(u32::MAX).to_le_bytes()).collect()
    };
    match case.work {
        Work::Gather { count, table, .. } => {
            row_numbers(content::index(case.seed, rank, count, table, false))
        }
        Work::Scatter { count, table, .. } => {
            row_numbers(content::index(case.seed, rank, count, table, true))
        }
        Work::Matmul { k, n, .. } => content::as_f16(&content::factors(case.seed + 1, rank, k * n)),
        Work::Quantise { count, unit, has_factors: true, .. } => {
            let (scales, offsets) = content::scales_and_offsets(case.seed, rank, content::units(count, unit));
            scales.iter().chain(&offsets).flat_map(|number| number.to_le_bytes()).collect()
        }
        _ => Vec::new(),
    }
}

/// The sum of the products of all ranks' matrices: in the order of k, then of the ranks, with 32 bits.
fn products(case: &Case, ranks: u32, (m, k, n): (usize, usize, usize)) -> Vec<f32> {
    let mut sum = vec![0f32; m * n];
    for rank in 0..ranks {
        let a = content::factors(case.seed, rank, m * k);
        let b = content::factors(case.seed + 1, rank, k * n);
        let mut product = vec![0f32; m * n];
        for (row, out) in a.chunks_exact(k).zip(product.chunks_exact_mut(n)) {
            for (factor, line) in row.iter().zip(b.chunks_exact(n)) {
                // Exact: a product of two numbers of 11 bits.
                out.iter_mut().zip(line).for_each(|(out, b)| *out += factor * b);
            }
        }
        sum.iter_mut().zip(product).for_each(|(sum, product)| *sum += product);
    }
    sum
}

fn count(ranks: u32) -> usize {
    usize::try_from(ranks).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::case::{Op, Type};
    use crate::kernels::number::to_f16;

    fn dst(case: &Case, rank: u32, ranks: u32) -> Vec<u8> {
        after(case, rank, ranks)[places(case, count(ranks)).dst].to_vec()
    }

    fn src(case: &Case, rank: u32, ranks: u32) -> Vec<u8> {
        before(case, rank, ranks)[places(case, count(ranks)).src].to_vec()
    }

    #[test]
    fn expected_images_follow_kernel_semantics() {
        let shift = Case::new(Work::Shift { bytes: 33, by: 2 }, 1).skewed(1, 3);
        assert_eq!(dst(&shift, 0, 3), src(&shift, 1, 3));
        let swap = Case::new(Work::AllToAll { bytes: 5 }, 1);
        assert_eq!(dst(&swap, 1, 2)[..5], src(&swap, 0, 2)[5..]);
        let all = Case::new(Work::Allgather { bytes: 7 }, 1);
        assert_eq!(dst(&all, 0, 3)[7..14], src(&all, 1, 3));
        let put = Case::new(Work::Copy { bytes: 9, direction: Direction::Put }, 1);
        assert_eq!(dst(&put, 0, 3), src(&put, 2, 3));
    }

    #[test]
    fn one_shot_and_reduce_scatter_agree() {
        let (kind, op) = (Type::F16, Op::Sum);
        let whole = Case::new(Work::OneShot { count: 6, kind, op }, 1);
        let pieces = Case::new(Work::ReduceScatter { count: 3, kind, op }, 1);
        assert_eq!(dst(&whole, 0, 2), [dst(&pieces, 0, 2), dst(&pieces, 1, 2)].concat());
    }

    #[test]
    fn wrong_byte_is_found_anywhere() {
        let case = Case::new(Work::Shift { bytes: 33, by: 1 }, 1).skewed(1, 3);
        let right = after(&case, 0, 2);
        assert_eq!(difference(&case, 0, 2, &right), None);
        for at in 0..right.len() {
            let mut wrong = right.clone();
            wrong[at] ^= 1;
            assert!(difference(&case, 0, 2, &wrong).is_some(), "{at}");
        }
    }

    #[test]
    fn matmul_image_matches_a_manual_product() {
        let case = Case::new(Work::Matmul { m: 2, k: 3, n: 2 }, 1);
        let (a, b) = (content::factors(1, 0, 6), content::factors(2, 0, 6));
        let last = a[3] * b[1] + a[4] * b[3] + a[5] * b[5];
        assert_eq!(dst(&case, 0, 1)[6..], to_f16(last).to_le_bytes());
    }
}
