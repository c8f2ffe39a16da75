// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Collectives with parts of different sizes.

use ascend_sim::hccl::*;

use super::*;
use crate::program::Words;

const SIZE: usize = 4;

fn list(words: &[u64]) -> *const c_void {
    words.as_ptr().cast()
}

/// One part is empty, one goes over several slices.
const COUNTS: [u64; SIZE] = [40_000, 0, 3, 1000];
/// Each part behind a gap, in another order than the ranks.
const OFFSETS: [u64; SIZE] = [2000, 7, 1990, 10];
const TOTAL: usize = 42_000;

fn word(rank: usize, index: u64) -> u64 {
    (rank as u64) << 32 | index
}

#[test]
fn all_gather_with_sizes() {
    for addressing in ["same", "alias"] {
        ranks(SIZE, &[("ADDR", addressing)], |rank| {
            let own: Vec<u64> = (0..COUNTS[rank.own].max(1)).map(|index| word(rank.own, index)).collect();
            let (from, to) = (Words::new(&own), Words::new(&vec![u64::MAX; TOTAL]));
            let code = call!(HcclAllGatherV(
                from.at,
                COUNTS[rank.own],
                to.at,
                list(&COUNTS),
                list(&OFFSETS),
                INT64,
                rank.comm,
                rank.stream
            ));
            assert_eq!(code, 0, "{}", last_error());
            assert_eq!(rank.wait(), 0, "{}", last_error());
            let mut expected = vec![u64::MAX; TOTAL];
            for other in 0..SIZE {
                for index in 0..COUNTS[other] {
                    expected[usize::try_from(OFFSETS[other] + index).unwrap()] = word(other, index);
                }
            }
            assert!(to.get() == expected, "rank {}", rank.own);
        });
    }
}

#[test]
fn reduce_scatter_with_sizes() {
    ranks(SIZE, &[], |rank| {
        let own: Vec<u64> = (0..TOTAL as u64).map(|index| word(rank.own, index)).collect();
        let count = COUNTS[rank.own];
        let room = usize::try_from(count).unwrap() + 1;
        let (from, to) = (Words::new(&own), Words::new(&vec![u64::MAX; room]));
        let code = call!(HcclReduceScatterV(
            from.at,
            list(&COUNTS),
            list(&OFFSETS),
            to.at,
            count,
            INT64,
            SUM,
            rank.comm,
            rank.stream
        ));
        assert_eq!(code, 0, "{}", last_error());
        assert_eq!(rank.wait(), 0, "{}", last_error());
        let sum = |index: u64| (0..SIZE).map(|other| word(other, OFFSETS[rank.own] + index)).sum();
        let expected: Vec<u64> = (0..count).map(sum).chain([u64::MAX]).collect();
        assert!(to.get() == expected, "rank {}", rank.own);
    });
}

#[test]
fn all_to_all_by_matrix() {
    ranks(SIZE, &[], |rank| {
        let count = |from: usize, to: usize| (from * 3 + to) as u64 * 1000;
        let matrix: Vec<u64> = (0..SIZE * SIZE).map(|at| count(at / SIZE, at % SIZE)).collect();
        let before = |from: usize, to: usize| (0..to).map(|other| count(from, other)).sum::<u64>();
        let own: Vec<u64> = (0..before(rank.own, SIZE)).map(|index| word(rank.own, index)).collect();
        let expected: Vec<u64> = (0..SIZE)
            .flat_map(|other| {
                let start = before(other, rank.own);
                (start..start + count(other, rank.own)).map(move |index| word(other, index))
            })
            .collect();
        let (from, to) = (Words::new(&own), Words::new(&vec![u64::MAX; expected.len()]));
        let code = call!(HcclAlltoAllVC(from.at, list(&matrix), INT64, to.at, INT64, rank.comm, rank.stream));
        assert_eq!(code, 0, "{}", last_error());
        assert_eq!(rank.wait(), 0, "{}", last_error());
        assert!(to.get() == expected, "rank {}", rank.own);
    });
}

#[test]
fn mismatched_size_lists_are_refused() {
    ranks(2, &[], |rank| {
        let (from, to) = (Words::new(&[1; 8]), Words::new(&[0; 8]));
        let (counts, offsets) = ([2, 2], [0, 2]);
        let gather = |count, counts, to| {
            call!(HcclAllGatherV(from.at, count, to, counts, list(&offsets), INT64, rank.comm, rank.stream))
        };
        assert_eq!(gather(3, list(&counts), to.at), PARA);
        assert!(last_error().contains("24 bytes"));
        assert_eq!(gather(2, std::ptr::null(), to.at), PTR);
        assert_eq!(gather(2, list(&counts), from.at), PARA, "they overlap");
        assert_eq!(
            call!(HcclReduceScatterV(
                from.at,
                list(&counts),
                list(&offsets),
                to.at,
                2,
                INT64,
                99,
                rank.comm,
                rank.stream
            )),
            PARA
        );
        let code = call!(HcclAlltoAllVC(from.at, list(&counts), INT64, to.at, INT32, rank.comm, rank.stream));
        assert_eq!(code, PARA);
    });
}
