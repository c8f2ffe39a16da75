// SPDX-License-Identifier: Apache-2.0 OR MIT
//! S76: every collective moves the expected data.

use std::ptr::null_mut;

use ascend_sim::acl::streams::*;
use ascend_sim::hccl::*;

use super::*;
use crate::program::Words;

/// Lengths around the sizes in which data go: pieces of 64 KiB, slices of 128 KiB.
const COUNTS: [u64; 6] = [1, 3, 100, 8192, 16_385, 70_001];

/// A word that contains rank, place and round.
fn word(rank: usize, index: u64, round: u64) -> u64 {
    (rank as u64) << 48 | round << 32 | index
}

fn words(rank: usize, count: u64, round: u64) -> Vec<u64> {
    (0..count).map(|index| word(rank, index, round)).collect()
}

fn empty(count: u64) -> Words {
    Words::new(&vec![u64::MAX; usize::try_from(count).unwrap()])
}

/// Runs `collective` for every count, and compares the result with the expectation.
fn check(
    rank: &Rank<'_>,
    receive: impl Fn(u64) -> u64,
    send: impl Fn(u64) -> u64,
    collective: impl Fn(&Words, &Words, u64) -> i32,
    expected: impl Fn(u64, u64) -> Vec<u64>,
) {
    for (round, count) in (0..).zip(COUNTS) {
        let from = Words::new(&words(rank.own, send(count), round));
        let to = empty(receive(count));
        assert_eq!(collective(&from, &to, count), 0, "{}", last_error());
        assert_eq!(rank.wait(), 0, "{}", last_error());
        assert!(to.get() == expected(count, round), "rank {} count {count}", rank.own);
    }
}

#[test]
fn s76_all_gather() {
    for (size, addressing) in [(2, "same"), (5, "alias")] {
        ranks(size, &[("ADDR", addressing)], |rank| {
            check(
                rank,
                |count| count * rank.size as u64,
                |count| count,
                |from, to, count| call!(HcclAllGather(from.at, to.at, count, INT64, rank.comm, rank.stream)),
                |count, round| (0..rank.size).flat_map(|other| words(other, count, round)).collect(),
            );
        });
    }
}

#[test]
fn s76_broadcast_in_place() {
    ranks(4, &[], |rank| {
        for (round, count) in (0..).zip(COUNTS) {
            let root = usize::try_from(round).unwrap() % rank.size;
            let buffer = Words::new(&words(rank.own, count, round));
            let code = call!(HcclBroadcast(buffer.at, count, INT64, number(root), rank.comm, rank.stream));
            assert_eq!(code, 0, "{}", last_error());
            assert_eq!(rank.wait(), 0, "{}", last_error());
            assert!(buffer.get() == words(root, count, round));
        }
    });
}

#[test]
fn s76_scatter() {
    ranks(3, &[], |rank| {
        check(
            rank,
            |count| count,
            |count| count * 3,
            |from, to, count| {
                let from = if rank.own == 1 { from.at } else { null_mut() };
                call!(HcclScatter(from, to.at, count, INT64, 1, rank.comm, rank.stream))
            },
            |count, round| {
                let start = count * rank.own as u64;
                (start..start + count).map(|index| word(1, index, round)).collect()
            },
        );
    });
}

#[test]
fn s76_all_to_all() {
    ranks(4, &[], |rank| {
        check(
            rank,
            |count| count * 4,
            |count| count * 4,
            |from, to, count| {
                call!(HcclAlltoAll(from.at, count, INT64, to.at, count, INT64, rank.comm, rank.stream))
            },
            |count, round| {
                let start = count * rank.own as u64;
                (0..4)
                    .flat_map(|other| (start..start + count).map(move |index| word(other, index, round)))
                    .collect()
            },
        );
    });
}

#[test]
fn s76_all_to_all_with_sizes() {
    ranks(4, &[], |rank| {
        // Rank r sends r × d × 5000 elements to rank d, each behind a gap.
        let count = |from: usize, to: usize| from as u64 * to as u64 * 5000;
        let sends: Vec<u64> = (0..4).map(|to| count(rank.own, to)).collect();
        let receives: Vec<u64> = (0..4).map(|from| count(from, rank.own)).collect();
        let offsets = |counts: &[u64]| -> Vec<u64> {
            counts
                .iter()
                .scan(0, |sum, count| {
                    let start = *sum + 3;
                    *sum = start + count;
                    Some(start)
                })
                .collect()
        };
        let (from_at, to_at) = (offsets(&sends), offsets(&receives));
        let total = |counts: &[u64]| counts.iter().sum::<u64>() + 12;
        let from = Words::new(&words(rank.own, total(&sends), 1));
        let to = empty(total(&receives));
        let list = |words: &[u64]| words.as_ptr().cast::<c_void>();
        let code = call!(HcclAlltoAllV(
            from.at,
            list(&sends),
            list(&from_at),
            INT64,
            to.at,
            list(&receives),
            list(&to_at),
            INT64,
            rank.comm,
            rank.stream
        ));
        assert_eq!(code, 0, "{}", last_error());
        assert_eq!(rank.wait(), 0, "{}", last_error());
        let mut expected = vec![u64::MAX; usize::try_from(total(&receives)).unwrap()];
        for other in 0..4 {
            let theirs: Vec<u64> = (0..4).map(|to| count(other, to)).collect();
            let start = offsets(&theirs)[rank.own];
            for index in 0..receives[other] {
                expected[usize::try_from(to_at[other] + index).unwrap()] = word(other, start + index, 1);
            }
        }
        assert!(to.get() == expected);
    });
}

/// The sum over all ranks at a place.
fn sum(size: usize, index: u64, round: u64) -> u64 {
    (0..size).map(|rank| word(rank, index, round)).fold(0, u64::wrapping_add)
}

#[test]
fn s76_all_reduce() {
    for (size, knobs) in [(2, [("ADDR", "same")]), (3, [("ADDR", "alias")]), (8, [("SCHEDULE", "random(4)")])]
    {
        ranks(size, &knobs, |rank| {
            check(
                rank,
                |count| count,
                |count| count,
                |from, to, count| {
                    call!(HcclAllReduce(from.at, to.at, count, INT64, SUM, rank.comm, rank.stream))
                },
                |count, round| (0..count).map(|index| sum(rank.size, index, round)).collect(),
            );
        });
    }
}

#[test]
fn s76_all_reduce_in_place() {
    ranks(3, &[], |rank| {
        for (round, count) in (0..).zip(COUNTS) {
            let buffer = Words::new(&words(rank.own, count, round));
            let code = call!(HcclAllReduce(buffer.at, buffer.at, count, INT64, SUM, rank.comm, rank.stream));
            assert_eq!(code, 0, "{}", last_error());
            assert_eq!(rank.wait(), 0, "{}", last_error());
            let expected: Vec<u64> = (0..count).map(|index| sum(3, index, round)).collect();
            assert!(buffer.get() == expected);
        }
    });
}

#[test]
fn s76_reduce_scatter() {
    ranks(4, &[], |rank| {
        check(
            rank,
            |count| count,
            |count| count * 4,
            |from, to, count| {
                call!(HcclReduceScatter(from.at, to.at, count, INT64, SUM, rank.comm, rank.stream))
            },
            |count, round| {
                let start = count * rank.own as u64;
                (start..start + count).map(|index| sum(4, index, round)).collect()
            },
        );
    });
}

#[test]
fn s76_reduce() {
    ranks(3, &[], |rank| {
        check(
            rank,
            |count| count,
            |count| count,
            |from, to, count| {
                let to = if rank.own == 2 { to.at } else { null_mut() };
                call!(HcclReduce(from.at, to, count, INT64, SUM, 2, rank.comm, rank.stream))
            },
            |count, round| {
                let result = |index| if rank.own == 2 { sum(3, index, round) } else { u64::MAX };
                (0..count).map(result).collect()
            },
        );
    });
}

#[test]
fn s76_barrier_holds_until_the_last_rank_arrives() {
    ranks(3, &[], |rank| {
        if rank.own == 2 {
            rank.board.take("the others wait");
            rank.board.post("last", b"");
        }
        assert_eq!(call!(HcclBarrier(rank.comm, rank.stream)), 0);
        if rank.own == 0 {
            let mut status = 9;
            assert_eq!(call!(aclrtStreamQuery(rank.stream, &raw mut status)), 0);
            assert_eq!(status, 1);
            rank.board.post("the others wait", b"");
        }
        assert_eq!(rank.wait(), 0);
        assert!(!rank.board.take("last").iter().any(|_| true));
    });
}

#[test]
fn s76_in_place_is_for_all_reduce_and_broadcast_only() {
    ranks(2, &[], |rank| {
        let (words, comm, stream) = (Words::new(&[0; 8]), rank.comm, rank.stream);
        let at = words.at;
        let inside = at.wrapping_byte_add(8);
        assert_eq!(call!(HcclAllGather(at, at, 2, INT64, comm, stream)), PARA);
        assert_eq!(call!(HcclAllReduce(at, inside, 2, INT64, SUM, comm, stream)), PARA, "in part");
        assert_eq!(call!(HcclReduceScatter(at, inside, 2, INT64, SUM, comm, stream)), PARA);
        assert_eq!(call!(HcclAlltoAll(at, 1, INT64, at, 1, INT64, comm, stream)), PARA);
        assert_eq!(call!(HcclReduce(at, at, 1, INT64, SUM, number(rank.own), comm, stream)), PARA);
        assert_eq!(call!(HcclScatter(at, at, 1, INT64, number(rank.own), comm, stream)), PARA);
        assert_eq!(call!(HcclAllReduce(at, at, 8, INT64, SUM, comm, stream)), 0);
        assert_eq!(rank.wait(), 0, "what was refused was not begun");
    });
}

#[test]
fn s76_collectives_follow_call_order_across_streams() {
    ranks(3, &[("SCHEDULE", "random(9)")], |rank| {
        let streams = [rank.stream, stream(), stream()];
        let buffers: Vec<Words> = (0..60).map(|round| Words::new(&[word(rank.own, 0, round)])).collect();
        for (round, buffer) in buffers.iter().enumerate() {
            // Every rank has its own idea of which streams to use.
            let stream = streams[(round * (rank.own + 1)) % 3];
            assert_eq!(call!(HcclAllReduce(buffer.at, buffer.at, 1, INT64, SUM, rank.comm, stream)), 0);
        }
        for stream in streams {
            assert_eq!(wait(stream), 0, "{}", last_error());
        }
        for (round, buffer) in (0..).zip(&buffers) {
            assert_eq!(buffer.get(), [sum(3, 0, round)]);
        }
    });
}

#[test]
fn s76_zero_length_collectives_succeed() {
    ranks(2, &[], |rank| {
        let words = Words::new(&[5, 6]);
        assert_eq!(call!(HcclAllReduce(words.at, words.at, 0, INT64, SUM, rank.comm, rank.stream)), 0);
        assert_eq!(call!(HcclBroadcast(words.at, 0, INT64, 1, rank.comm, rank.stream)), 0);
        assert_eq!(rank.wait(), 0, "{}", last_error());
        assert_eq!(words.get(), [5, 6]);
    });
}

/// Runs something else on each of two ranks and expects both to be notified.
fn mismatch(first: impl Fn(&Rank<'_>) -> i32, second: impl Fn(&Rank<'_>) -> i32, stated: [&str; 2]) {
    ranks(2, &[], |rank| {
        assert_eq!(call!(HcclBarrier(rank.comm, rank.stream)), 0);
        let code = if rank.own == 0 { first(rank) } else { second(rank) };
        assert_eq!(code, 0, "{}", last_error());
        assert_eq!(rank.wait(), 107_000);
        let text = last_error();
        assert!(text.contains("HCCL_E_PARA") && stated.iter().all(|stated| text.contains(stated)), "{text}");
        assert_eq!(rank.error(), PARA);
        // It stays so.
        assert_eq!(call!(HcclBarrier(rank.comm, rank.stream)), 0);
        assert_eq!(rank.wait(), 107_000);
    });
}

fn all_reduce(rank: &Rank<'_>, count: u64, format: u32, op: u32) -> i32 {
    let words = Words::new(&[0; 16]);
    call!(HcclAllReduce(words.at, words.at, count, format, op, rank.comm, rank.stream))
}

#[test]
fn s76_mismatched_counts_are_rejected() {
    let (ten, twelve) = (
        |rank: &Rank<'_>| all_reduce(rank, 10, FP32, SUM),
        |rank: &Rank<'_>| all_reduce(rank, 12, FP32, SUM),
    );
    mismatch(ten, twelve, ["rank 0 calls AllReduce of 10 × FP32 by SUM", "rank 1 calls AllReduce of 12"]);
}

#[test]
fn s76_mismatched_types_are_rejected() {
    mismatch(
        |rank| all_reduce(rank, 8, FP32, SUM),
        |rank| all_reduce(rank, 8, INT32, SUM),
        ["FP32", "INT32"],
    );
}

#[test]
fn s76_mismatched_reductions_are_rejected() {
    mismatch(|rank| all_reduce(rank, 8, FP32, MAX), |rank| all_reduce(rank, 8, FP32, MIN), ["MAX", "MIN"]);
}

#[test]
fn s76_mismatched_roots_are_rejected() {
    let broadcast = |rank: &Rank<'_>, root: u32| {
        let words = Words::new(&[0; 4]);
        call!(HcclBroadcast(words.at, 4, INT64, root, rank.comm, rank.stream))
    };
    mismatch(|rank| broadcast(rank, 0), |rank| broadcast(rank, 1), ["root 0", "root 1"]);
}

#[test]
fn s76_mismatched_call_order_is_rejected() {
    mismatch(
        |rank| all_reduce(rank, 8, FP32, SUM) | call!(HcclBarrier(rank.comm, rank.stream)),
        |rank| call!(HcclBarrier(rank.comm, rank.stream)) | all_reduce(rank, 8, FP32, SUM),
        ["AllReduce", "Barrier"],
    );
}

#[test]
fn s76_mismatched_sizes_are_rejected() {
    ranks(2, &[], |rank| {
        let words = Words::new(&[0; 64]);
        let counts = if rank.own == 0 { [0_u64, 10] } else { [9, 0] };
        let back = if rank.own == 0 { [0_u64, 9] } else { [11, 0] };
        let offsets = [0_u64, 0];
        let list = |words: &[u64]| words.as_ptr().cast::<c_void>();
        let code = call!(HcclAlltoAllV(
            words.at,
            list(&counts),
            list(&offsets),
            INT64,
            words.at.wrapping_byte_add(256),
            list(&back),
            list(&offsets),
            INT64,
            rank.comm,
            rank.stream
        ));
        assert_eq!(code, 0, "{}", last_error());
        // A rank whose part succeeded is notified at its next operation.
        assert_eq!(call!(HcclBarrier(rank.comm, rank.stream)), 0);
        assert_eq!(rank.wait(), 107_000);
        let text = last_error();
        assert!(text.contains("sends 80 bytes") && text.contains("expects 88"), "{text}");
    });
}
