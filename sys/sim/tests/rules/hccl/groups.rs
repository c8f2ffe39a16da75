// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Groups: operations of a thread that are issued together.

use ascend_sim::hccl::group::*;
use ascend_sim::hccl::*;

use super::*;
use crate::program::Words;

/// Larger than the capacity of a channel, so that a send waits for its receive.
const COUNT: usize = 200_000;

fn pattern(from: usize) -> Vec<u64> {
    (0..COUNT as u64).map(|index| (from as u64) << 32 | index).collect()
}

#[test]
fn grouped_sends_before_receives_do_not_deadlock() {
    ranks(3, &[], |rank| {
        let from = Words::new(&pattern(rank.own));
        let to: Vec<Words> = (0..3).map(|_| Words::new(&vec![0; COUNT])).collect();
        let others: Vec<usize> = (0..3).filter(|other| *other != rank.own).collect();
        assert_eq!(call!(HcclGroupStart()), 0);
        for other in &others {
            let code = call!(HcclSend(from.at, COUNT as u64, INT64, number(*other), rank.comm, rank.stream));
            assert_eq!(code, 0, "{}", last_error());
        }
        for other in &others {
            let at = to[*other].at;
            let code = call!(HcclRecv(at, COUNT as u64, INT64, number(*other), rank.comm, rank.stream));
            assert_eq!(code, 0, "{}", last_error());
        }
        assert_eq!(call!(HcclGroupEnd()), 0, "{}", last_error());
        assert_eq!(rank.wait(), 0, "{}", last_error());
        for other in others {
            assert!(to[other].get() == pattern(other), "rank {} from {other}", rank.own);
        }
    });
}

#[test]
fn grouped_calls_are_issued_in_order_at_the_outermost_end() {
    ranks(2, &[], |rank| {
        let (sum, message) = (Words::new(&[rank.own as u64 + 1]), Words::new(&[0]));
        let all = Words::new(&[0]);
        assert_eq!((call!(HcclGroupStart()), call!(HcclGroupStart())), (0, 0));
        assert_eq!(call!(HcclAllReduce(sum.at, all.at, 1, INT64, SUM, rank.comm, rank.stream)), 0);
        let code = match rank.own {
            0 => call!(HcclSend(all.at, 1, INT64, 1, rank.comm, rank.stream)),
            _ => call!(HcclRecv(message.at, 1, INT64, 0, rank.comm, rank.stream)),
        };
        assert_eq!((code, call!(HcclGroupEnd())), (0, 0));
        assert_eq!((rank.wait(), all.get()), (0, vec![0]), "nothing was issued yet");
        assert_eq!(call!(HcclGroupEnd()), 0, "{}", last_error());
        assert_eq!(rank.wait(), 0, "{}", last_error());
        assert_eq!((all.get(), message.get()), (vec![3], vec![3 * rank.own as u64]));
    });
}

#[test]
fn invalid_group_calls_are_refused_at_once() {
    ranks(2, &[], |rank| {
        assert_eq!(call!(HcclGroupEnd()), PARA);
        assert!(last_error().contains("no group"));
        let word = Words::new(&[0]);
        assert_eq!(call!(HcclGroupStart()), 0);
        assert_eq!(call!(HcclSend(word.at, 1, INT64, 9, rank.comm, rank.stream)), PARA);
        assert_eq!(call!(HcclBroadcast(null_mut(), 1, INT64, 0, rank.comm, rank.stream)), PTR);
        assert_eq!(call!(HcclGroupEnd()), 0);
        assert_eq!((rank.wait(), rank.error()), (0, 0));
    });
}
