// SPDX-License-Identifier: Apache-2.0 OR MIT
//! S76: messages between two ranks.

use ascend_sim::hccl::*;

use super::*;
use crate::program::Words;

/// As `HcclSendRecvItem` is laid out.
#[repr(C)]
struct Item {
    direction: u32,
    buffer: *mut c_void,
    count: u64,
    format: u32,
    peer: u32,
}

const SEND: u32 = 0;
const RECEIVE: u32 = 1;

fn send(rank: &Rank<'_>, words: &Words, count: u64, to: usize, stream: *mut c_void) -> i32 {
    call!(HcclSend(words.at, count, INT64, number(to), rank.comm, stream))
}

fn receive(rank: &Rank<'_>, words: &Words, count: u64, from: usize, stream: *mut c_void) -> i32 {
    call!(HcclRecv(words.at, count, INT64, number(from), rank.comm, stream))
}

fn batch(rank: &Rank<'_>, items: &mut [Item]) -> i32 {
    call!(HcclBatchSendRecv(items.as_mut_ptr().cast(), number(items.len()), rank.comm, rank.stream))
}

fn pattern(from: usize, count: usize) -> Vec<u64> {
    (0..count as u64).map(|index| (from as u64) << 32 | index).collect()
}

#[test]
fn s76_a_ring_on_two_streams() {
    ranks(4, &[("SCHEDULE", "random(1)")], |rank| {
        let other = stream();
        let (next, before) = ((rank.own + 1) % 4, (rank.own + 3) % 4);
        for count in [1, 8192, 100_000] {
            let from = Words::new(&pattern(rank.own, count));
            let to = Words::new(&vec![0; count]);
            assert_eq!(send(rank, &from, count as u64, next, rank.stream), 0, "{}", last_error());
            assert_eq!(receive(rank, &to, count as u64, before, other), 0, "{}", last_error());
            assert_eq!((rank.wait(), wait(other)), (0, 0), "{}", last_error());
            assert!(to.get() == pattern(before, count));
        }
    });
}

#[test]
fn s76_messages_of_a_pair_stay_in_order() {
    ranks(2, &[], |rank| {
        let buffers: Vec<Words> =
            (0..50).map(|number| Words::new(&[number * (1 - rank.own as u64)])).collect();
        for buffer in &buffers {
            let code = match rank.own {
                0 => send(rank, buffer, 1, 1, rank.stream),
                _ => receive(rank, buffer, 1, 0, rank.stream),
            };
            assert_eq!(code, 0);
        }
        assert_eq!(rank.wait(), 0, "{}", last_error());
        assert!(buffers.iter().zip(0..).all(|(buffer, number)| buffer.get() == [number]));
    });
}

#[test]
fn s76_batch_items_progress_in_any_order() {
    ranks(3, &[("ADDR", "alias")], |rank| {
        let count = 40_000;
        let from = Words::new(&pattern(rank.own, count));
        let to: Vec<Words> = (0..3).map(|_| Words::new(&vec![0; count])).collect();
        let others: Vec<usize> = (0..3).filter(|other| *other != rank.own).collect();
        // Everybody sends first; one after the other that would never end.
        let item = |direction, words: &Words, peer: usize| Item {
            direction,
            buffer: words.at,
            count: count as u64,
            format: INT64,
            peer: number(peer),
        };
        let mut items: Vec<Item> = others.iter().map(|peer| item(SEND, &from, *peer)).collect();
        items.extend(others.iter().map(|peer| item(RECEIVE, &to[*peer], *peer)));
        assert_eq!(batch(rank, &mut items), 0, "{}", last_error());
        assert_eq!(rank.wait(), 0, "{}", last_error());
        for other in others {
            assert!(to[other].get() == pattern(other, count));
        }
    });
}

#[test]
fn s76_messages_and_collectives_do_not_mix() {
    ranks(2, &[], |rank| {
        let other = stream();
        let (message, shared) = (Words::new(&[rank.own as u64 + 1]), Words::new(&[10]));
        let code = match rank.own {
            0 => send(rank, &message, 1, 1, other),
            _ => receive(rank, &message, 1, 0, other),
        };
        assert_eq!(code, 0);
        assert_eq!(call!(HcclAllReduce(shared.at, shared.at, 1, INT64, SUM, rank.comm, rank.stream)), 0);
        assert_eq!((rank.wait(), wait(other)), (0, 0), "{}", last_error());
        assert_eq!((message.get(), shared.get()), (vec![1], vec![20]));
    });
}

#[test]
fn s76_message_size_mismatch_is_an_error() {
    ranks(2, &[], |rank| {
        let words = Words::new(&[0; 8]);
        let code = match rank.own {
            0 => send(rank, &words, 8, 1, rank.stream),
            _ => receive(rank, &words, 7, 0, rank.stream),
        };
        assert_eq!(code, 0);
        // The sender may have been done before; then it is notified at its next operation.
        assert_eq!(call!(HcclBarrier(rank.comm, rank.stream)), 0);
        assert_eq!(rank.wait(), 107_000);
        let text = last_error();
        assert!(text.contains("sends 64 bytes of INT64") && text.contains("expects 56"), "{text}");
        assert_eq!(rank.error(), PARA);
    });
}

#[test]
fn s79_messages_are_checked() {
    ranks(2, &[], |rank| {
        let words = Words::new(&[0]);
        assert_eq!(send(rank, &words, 1, 2, rank.stream), PARA, "no such rank");
        assert_eq!(send(rank, &words, 1, rank.own, rank.stream), PARA, "itself");
        assert_eq!(receive(rank, &words, 1, 9, rank.stream), PARA);
        assert_eq!(send(rank, &words, u64::MAX, 1 - rank.own, rank.stream), PARA);
        assert_eq!(batch(rank, &mut []), PARA);
        let mut odd =
            [Item { direction: 2, buffer: words.at, count: 1, format: INT64, peer: number(1 - rank.own) }];
        assert_eq!(batch(rank, &mut odd), PARA);
        odd[0].buffer = null_mut();
        assert_eq!(batch(rank, &mut odd), PTR);
        assert_eq!(call!(HcclBatchSendRecv(null_mut(), 1, rank.comm, rank.stream)), PTR);
        assert_eq!(call!(HcclSend(null_mut(), 1, INT64, 0, rank.comm, rank.stream)), PTR);
        assert_eq!(call!(HcclBarrier(rank.comm, rank.stream)), 0);
        assert_eq!(rank.wait(), 0, "what was refused was not begun");
    });
}
