// SPDX-License-Identifier: Apache-2.0 OR MIT
//! S79: refusals at the call.

use std::ffi::CStr;
use std::ptr::{null, null_mut};

use ascend_sim::hccl::*;

use super::*;
use crate::program::Words;

#[test]
fn s79_null_pointers() {
    ranks(1, &[], |rank| {
        let words = Words::new(&[0; 4]);
        let (at, comm, stream, null) = (words.at, rank.comm, rank.stream, null_mut());
        for (send, receive) in [(null, at), (at, null)] {
            assert_eq!(call!(HcclAllReduce(send, receive, 1, INT64, SUM, comm, stream)), PTR);
            assert_eq!(call!(HcclAllGather(send, receive, 1, INT64, comm, stream)), PTR);
            assert_eq!(call!(HcclReduceScatter(send, receive, 1, INT64, SUM, comm, stream)), PTR);
            assert_eq!(call!(HcclReduce(send, receive, 1, INT64, SUM, 0, comm, stream)), PTR);
            assert_eq!(call!(HcclScatter(send, receive, 1, INT64, 0, comm, stream)), PTR);
            assert_eq!(call!(HcclAlltoAll(send, 1, INT64, receive, 1, INT64, comm, stream)), PTR);
        }
        assert_eq!(call!(HcclBroadcast(null, 1, INT64, 0, comm, stream)), PTR);
        assert_eq!(call!(HcclBarrier(null, stream)), PTR);
        assert_eq!(call!(HcclAllReduce(at, at, 1, INT64, SUM, null, stream)), PTR);
        assert_eq!(call!(HcclCommDestroy(null)), PTR);
        assert_eq!(call!(HcclGetRankSize(null, &raw mut *Box::new(0))), PTR);
        assert_eq!(call!(HcclGetRankSize(comm, null_mut())), PTR);
        assert_eq!(call!(HcclGetRankId(comm, null_mut())), PTR);
        assert_eq!(call!(HcclGetCommName(comm, null_mut())), PTR);
        assert_eq!(call!(HcclGetCommAsyncError(comm, null_mut())), PTR);
        assert!(last_error().contains("asyncError"));
    });
}

#[test]
fn s79_ranks_roots_and_counts() {
    ranks(2, &[], |rank| {
        let words = Words::new(&[0; 8]);
        let (at, comm, stream) = (words.at, rank.comm, rank.stream);
        assert_eq!(call!(HcclBroadcast(at, 1, INT64, 2, comm, stream)), PARA);
        assert!(last_error().contains("root is rank 2 of 2"));
        assert_eq!(call!(HcclReduce(at, at, 1, INT64, SUM, u32::MAX, comm, stream)), PARA);
        assert_eq!(call!(HcclScatter(at, at, 1, INT64, 2, comm, stream)), PARA);
        for count in [u64::MAX, u64::MAX / 8, 1 << 60] {
            assert_eq!(call!(HcclAllReduce(at, at, count, INT64, SUM, comm, stream)), PARA);
            assert_eq!(call!(HcclBroadcast(at, count, INT64, 0, comm, stream)), PARA);
        }
        assert_eq!(call!(HcclAlltoAll(at, 2, INT64, at, 3, INT64, comm, stream)), PARA);
        assert_eq!(call!(HcclAlltoAll(at, 2, INT64, at, 2, FP32, comm, stream)), PARA);
        assert_eq!(call!(HcclBroadcast(at, 1, 13, 0, comm, stream)), PARA);
        assert_eq!(call!(HcclBarrier(at, stream)), PARA, "no communicator");
        let other = {
            set_device(7);
            crate::program::stream()
        };
        assert_eq!(call!(HcclBarrier(comm, other)), PARA, "a stream of another device");
        set_device(i32::try_from(rank.own).unwrap());
        assert_eq!(call!(HcclBarrier(comm, null_mut())), 0, "the default stream");
        assert_eq!(wait(null_mut()), 0);
    });
}

#[test]
fn s79_every_result_code_has_a_name() {
    isolated::run(&[], || {
        let name = |code| {
            // SAFETY: the strings are static.
            unsafe { CStr::from_ptr(HcclGetErrorString(code)) }.to_str().unwrap().to_owned()
        };
        assert!(name(1).contains("HCCL_E_PARA"));
        assert!(name(24).contains("HCCL_E_OOM"));
        assert_eq!(name(25), name(-1));
        assert_ne!(null(), HcclGetErrorString(i32::MIN));
    });
}
