// SPDX-License-Identifier: Apache-2.0 OR MIT
//! S78: operations that fail, ranks that go.

use ascend_sim::acl::memory::*;
use ascend_sim::acl::streams::*;
use ascend_sim::hccl::*;

use super::*;
use crate::program::Words;

#[test]
fn s78_an_operation_has_a_time_limit() {
    isolated::crew(3, &[("=HCCL_EXEC_TIMEOUT", "1")], |own, board| {
        set_device(i32::try_from(own).unwrap());
        let info = carried(own, board, "root");
        let comm = init(3, &info, number(own));
        let rank = Rank { own, size: 3, board, comm, stream: stream() };
        if own != 1 {
            let words = Words::new(&[1]);
            assert_eq!(call!(HcclAllReduce(words.at, words.at, 1, INT64, SUM, comm, rank.stream)), 0);
            assert_eq!(rank.error(), 0, "not yet");
            assert_eq!(rank.wait(), 107_020);
            let text = last_error();
            assert!(text.contains("AllReduce") && text.contains("rank 1 (process"), "{text}");
        }
        rank.meet("late");
        assert_eq!(rank.error(), TIMEOUT);
        assert_eq!(call!(HcclBarrier(comm, rank.stream)), 0);
        assert_eq!(rank.wait(), 107_020, "a rank that is too late is notified");
        rank.meet("end");
    });
}

#[test]
fn s78_unreceived_message_times_out() {
    isolated::crew(2, &[("=HCCL_EXEC_TIMEOUT", "1")], |own, board| {
        set_device(i32::try_from(own).unwrap());
        let info = carried(own, board, "root");
        let comm = init(2, &info, number(own));
        if own == 0 {
            let (words, stream) = (Words::new(&[0]), stream());
            assert_eq!(call!(HcclRecv(words.at, 1, INT64, 1, comm, stream)), 0);
            assert_eq!(wait(stream), 107_020);
            assert!(last_error().contains("Recv of 1 × INT64 from rank 1"), "{}", last_error());
        }
        board.meet("end", own, 2);
    });
}

#[test]
fn s78_killed_rank_is_named() {
    ranks(4, &[], |rank| {
        let words = Words::new(&vec![1; 100_000]);
        let reduce = || call!(HcclAllReduce(words.at, words.at, 100_000, INT64, SUM, rank.comm, rank.stream));
        assert_eq!(reduce(), 0);
        assert_eq!(rank.wait(), 0, "{}", last_error());
        if rank.own == 2 {
            die();
        }
        let mut code = 0;
        while code == 0 {
            assert_eq!(reduce(), 0);
            code = rank.wait();
        }
        assert_eq!(code, 507_057);
        let text = last_error();
        assert!(text.contains("rank 2 (process") && text.contains("died"), "{text}");
        assert_eq!(rank.error(), REMOTE);
        std::process::exit(0);
    });
}

#[test]
fn s78_killed_rank_with_a_child_is_named() {
    ranks(2, &[], |rank| {
        if rank.own == 1 {
            // SAFETY: the child does nothing but sleep and exit.
            let child = unsafe { libc::fork() };
            if child == 0 {
                // Nothing waits for its end: it only outlives its parent.
                // SAFETY: both are allowed in a forked child.
                unsafe { libc::sleep(2) };
                // SAFETY: as above.
                unsafe { libc::_exit(0) };
            }
            // The child lives on with copies of the descriptors.
            die();
        }
        assert_eq!(call!(HcclBarrier(rank.comm, rank.stream)), 0);
        assert_eq!(rank.wait(), 507_057);
        assert!(last_error().contains("rank 1"));
        std::process::exit(0);
    });
}

#[test]
fn s78_departed_rank_is_named() {
    ranks(2, &[], |rank| {
        if rank.own == 1 {
            assert_eq!(call!(HcclCommDestroy(rank.comm)), 0);
            assert_eq!(call!(HcclCommDestroy(rank.comm)), PARA, "once only");
            assert_eq!(call!(HcclBarrier(rank.comm, rank.stream)), PARA);
        } else {
            assert_eq!(call!(HcclBarrier(rank.comm, rank.stream)), 0);
            assert_eq!(rank.wait(), 507_057);
            let text = last_error();
            assert!(text.contains("rank 1") && text.contains("left"), "{text}");
        }
    });
}

#[test]
fn s78_destroy_returns_at_once_and_queued_operations_complete() {
    ranks(2, &[("SCHEDULE", "slow(2000)")], |rank| {
        let words = Words::new(&[1]);
        for _ in 0..10 {
            assert_eq!(call!(HcclAllReduce(words.at, words.at, 1, INT64, SUM, rank.comm, rank.stream)), 0);
        }
        assert_eq!(call!(HcclCommDestroy(rank.comm)), 0);
        assert_eq!(rank.wait(), 0, "{}", last_error());
        assert_eq!(words.get(), [1024]);
    });
}

#[test]
fn s78_aborted_stream_breaks_its_communicator() {
    ranks(3, &[], |rank| {
        let words = Words::new(&[1]);
        if rank.own == 0 {
            // Waits for the others, which do not come before it is aborted.
            assert_eq!(call!(HcclAllReduce(words.at, words.at, 1, INT64, SUM, rank.comm, rank.stream)), 0);
            assert_eq!(call!(aclrtDestroyStreamForce(rank.stream)), 0, "{}", last_error());
            rank.board.post("aborted", b"");
        } else {
            rank.board.take("aborted");
            assert_eq!(call!(HcclAllReduce(words.at, words.at, 1, INT64, SUM, rank.comm, rank.stream)), 0);
            assert_eq!(rank.wait(), 507_057);
            let text = last_error();
            assert!(text.contains("rank 0 failed"), "{text}");
            assert_eq!(rank.error(), REMOTE);
        }
    });
}

#[test]
fn s78_dropped_operations_are_not_waited_for() {
    ranks(2, &[], |rank| {
        let words = Words::new(&[1]);
        let reduce = || call!(HcclAllReduce(words.at, words.at, 1, INT64, SUM, rank.comm, rank.stream));
        if rank.own == 0 {
            assert_eq!((reduce(), reduce(), reduce()), (0, 0, 0));
            assert_eq!(call!(aclrtDestroyStreamForce(rank.stream)), 0);
            rank.board.post("dropped", b"");
        } else {
            rank.board.take("dropped");
            assert_eq!(reduce(), 0);
            assert_eq!(rank.wait(), 507_057);
        }
    });
}

#[test]
fn s78_call_rejected_by_its_stream_has_no_effect() {
    ranks(2, &[], |rank| {
        let words = Words::new(&[1]);
        if rank.own == 0 {
            let gone = stream();
            assert_eq!(call!(aclrtDestroyStream(gone)), 0);
            assert_eq!(call!(HcclAllReduce(words.at, words.at, 1, INT64, SUM, rank.comm, gone)), PARA);
        }
        assert_eq!(call!(HcclAllReduce(words.at, words.at, 1, INT64, SUM, rank.comm, rank.stream)), 0);
        assert_eq!(rank.wait(), 0, "{}", last_error());
        assert_eq!(words.get(), [2]);
    });
}

#[test]
fn s78_buffers_must_be_device_memory() {
    for (knob, value) in [("ADDR", "same"), ("ADDR", "alias"), ("SOC", "Ascend910B2")] {
        ranks(2, &[(knob, value)], |rank| {
            let words = Words::new(&[1; 8]);
            let host = [0_u64; 8];
            let buffer = if rank.own == 0 { host.as_ptr().cast_mut().cast() } else { words.at };
            assert_eq!(call!(HcclAllReduce(buffer, buffer, 8, INT64, SUM, rank.comm, rank.stream)), 0);
            let code = rank.wait();
            if rank.own == 0 {
                assert_eq!(code, 507_053, "{}", last_error());
                assert_eq!(rank.error(), MEMORY);
                assert_eq!(host, [0; 8], "nothing was written");
            } else {
                assert_eq!(code, 507_057);
                assert!(last_error().contains("rank 0 failed"));
                assert_eq!(words.get(), [1; 8]);
            }
        });
    }
}

#[test]
fn s78_buffer_freed_during_an_operation_is_an_error() {
    ranks(2, &[], |rank| {
        let words = Words::new(&[1; 8]);
        if rank.own == 0 {
            assert_eq!(call!(HcclBroadcast(words.at, 8, INT64, 1, rank.comm, rank.stream)), 0);
            assert_eq!(call!(aclrtFree(words.at)), 0);
            rank.board.post("freed", b"");
        } else {
            rank.board.take("freed");
            assert_eq!(call!(HcclBroadcast(words.at, 8, INT64, 1, rank.comm, rank.stream)), 0);
        }
        // The sender may be done before the receiver fails.
        assert_eq!(call!(HcclBarrier(rank.comm, rank.stream)), 0);
        assert_ne!(rank.wait(), 0);
    });
}

#[test]
fn s78_a_broken_link_is_an_error_of_both_ends() {
    ranks(2, &[("FAULTS", "link@20")], |rank| {
        let words = Words::new(&[1]);
        let mut code = 0;
        for _ in 0..100 {
            assert_eq!(call!(HcclAllReduce(words.at, words.at, 1, INT64, SUM, rank.comm, rank.stream)), 0);
            code = rank.wait();
            if code != 0 {
                break;
            }
        }
        assert!([507_056, 507_057].contains(&code), "{code}");
        let text = last_error();
        assert!(text.contains("the route to rank"), "{text}");
        assert_eq!(rank.error(), REMOTE);
    });
}
