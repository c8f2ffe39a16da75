// SPDX-License-Identifier: Apache-2.0 OR MIT
//! S59: kernels that hang, fail or are aborted.

use std::sync::atomic::{AtomicU32, Ordering};

use ascend_sim::acl::exceptions::*;
use ascend_sim::acl::op_timeouts::*;

use super::*;

/// A timeout as a launch attribute, in microseconds.
fn timeout(micros: u32) -> aclrtLaunchKernelAttr {
    attribute(8, [micros, 0, 0, 0])
}

#[test]
fn s59_meeting_with_more_blocks_than_cores_times_out() {
    with_binary("attached.c", &[], |binary, stream| {
        assert_eq!(call!(aclrtSetStreamResLimit(stream, 1, 4)), 0);
        let place = Words::new(&[0; 5]);
        let ring = function(binary, "ring");
        let arguments = [place.address(), 1];
        assert_eq!(launch_as(ring, 5, stream, &mut [timeout(200_000)], &arguments), 0);
        assert_eq!(wait(stream), 507_034);
        let text = last_error();
        assert!(
            text.contains("ring") && text.contains("4 of 5 blocks") && text.contains("4 cores"),
            "{text}"
        );
        // The cores are free again.
        assert_eq!(launch_as(ring, 4, stream, &mut [timeout(60_000_000)], &arguments), 0);
        assert_eq!(wait(stream), 0, "{}", last_error());
    });
}

#[test]
fn s59_hanging_kernel_times_out_on_its_engine() {
    with_binary("attached.c", &[], |binary, stream| {
        let spin = function(binary, "spin");
        for (engine, code) in [(1, 507_034), (0, 507_014)] {
            let mut attributes = [attribute(3, [engine, 0, 0, 0]), timeout(100_000)];
            assert_eq!(launch_as(spin, 3, stream, &mut attributes, &[0]), 0);
            assert_eq!(wait(stream), code);
            assert!(last_error().contains("spin"));
        }
        // A kernel that gets on may not run for ever either, when the launch says so.
        assert_eq!(launch_as(spin, 3, stream, &mut [timeout(100_000)], &[0, 1]), 0);
        assert_eq!(wait(stream), 507_034);
        assert!(last_error().contains("ran longer"));
        assert_eq!(ascend_sim::kernel::launch::given_up(), 0, "all of them returned");
    });
}

#[test]
fn s59_threads_that_never_return_are_abandoned() {
    with_binary("plain.c", &[], |binary, stream| {
        let word = Words::new(&[0]);
        let deaf = function(binary, "deaf");
        assert_eq!(launch_as(deaf, 3, stream, &mut [timeout(100_000)], &[word.address()]), 0);
        assert_eq!(wait(stream), 507_034);
        assert_eq!(ascend_sim::kernel::launch::given_up(), 3);
        // All cores are free for the next launch, and the code stays although it is unloaded.
        let counter = Words::new(&[0]);
        assert_eq!(launch(function(binary, "count"), 48, stream, &[counter.address()]), 0);
        assert_eq!(wait(stream), 0, "{}", last_error());
        assert_eq!(counter.get(), [48]);
        assert_eq!(call!(aclrtBinaryUnLoad(binary)), 0);
        // Two of the three stay until the process exits, which they do not prevent; see them end first in the
        // next test.
    });
}

#[test]
fn s59_abandoned_threads_may_return_later() {
    with_binary("plain.c", &[], |binary, stream| {
        let word = Words::new(&[0]);
        let deaf = function(binary, "deaf");
        assert_eq!(launch_as(deaf, 2, stream, &mut [timeout(50_000)], &[word.address()]), 0);
        assert_eq!(wait(stream), 507_034);
        word.set(&[1]);
        let end = std::time::Instant::now() + std::time::Duration::from_secs(30);
        while ascend_sim::kernel::launch::given_up() > 0 {
            assert!(std::time::Instant::now() < end, "they return");
            std::thread::yield_now();
        }
    });
}

#[test]
fn s59_aborting_the_stream_ends_the_kernel() {
    with_binary("attached.c", &[], |binary, stream| {
        assert_eq!(launch(function(binary, "spin"), 5, stream, &[0, 1]), 0);
        assert_eq!(call!(aclrtDestroyStreamForce(stream)), 0, "{}", last_error());
        assert_eq!(ascend_sim::kernel::launch::given_up(), 0);
    });
}

#[test]
fn s59_a_fault_of_a_kernel_is_the_streams_error() {
    with_binary("attached.c", &[], |binary, first| {
        let second = stream();
        let faulty = function(binary, "faulty");
        assert_eq!(launch(faulty, 8, first, &[3, 0]), 0);
        let place = Words::new(&[0; 8]);
        assert_eq!(launch(function(binary, "ring"), 8, second, &[place.address(), 5]), 0);
        assert_eq!(wait(first), 507_035);
        let text = last_error();
        assert!(text.contains("faulty") && text.contains("block 3 of 8") && text.contains("0x40"), "{text}");
        assert_eq!(wait(first), 0, "reported once");
        assert_eq!(wait(second), 0, "other streams go on");
        assert_eq!(launch(faulty, 1, first, &[0, 507_053]), 0);
        assert_eq!(wait(first), 507_053, "the kernel's own code");
        let mut attributes = [attribute(3, [0; 4])];
        assert_eq!(launch_as(faulty, 1, first, &mut attributes, &[0, 0]), 0);
        assert_eq!(wait(first), 507_015, "on cube cores");
    });
}

#[test]
fn s59_kernel_accesses_only_memory_of_its_device() {
    for addressing in ["same", "alias"] {
        with_binary("attached.c", &[("ADDR", addressing)], |binary, stream| {
            let store = function(binary, "store");
            let own = Words::new(&[0, 0]);
            assert_eq!(launch(store, 1, stream, &[own.address() + 8, 5]), 0);
            assert_eq!(wait(stream), 0, "{}", last_error());
            assert_eq!(own.get(), [0, 5]);
            let host = 0_u64;
            let outside = std::ptr::from_ref(&host).addr() as u64;
            for address in [0, 64, outside, own.address() + (64 << 20)] {
                assert_eq!(launch(store, 1, stream, &[address, 5]), 0);
                assert_eq!(wait(stream), 507_035, "{address:#x}");
                assert!(last_error().contains(&format!("{address:#x}")));
            }
            assert_eq!(call!(aclrtFree(own.at)), 0);
            assert_eq!(launch(store, 1, stream, &[own.address(), 5]), 0);
            assert_eq!(wait(stream), 507_035, "freed");
        });
    }
}

#[test]
fn s59_the_exception_callback_receives_a_fault() {
    static CODE: AtomicU32 = AtomicU32::new(0);
    unsafe extern "C" fn note(info: *mut ascend_sim::stream::failure::ExceptionInfo) {
        CODE.store(call!(aclrtGetErrorCodeFromExceptionInfo(info)), Ordering::SeqCst);
    }
    with_binary("attached.c", &[], |binary, stream| {
        assert_eq!(call!(aclrtSetExceptionInfoCallback(Some(note))), 0);
        assert_eq!(launch(function(binary, "faulty"), 4, stream, &[2, 0]), 0);
        assert_eq!(wait(stream), 507_035);
        assert_eq!(CODE.load(Ordering::SeqCst), 507_035);
    });
}

#[test]
fn s59_the_time_limit_of_the_process() {
    with_binary("attached.c", &[], |binary, stream| {
        assert_eq!(call!(aclrtSetOpExecuteTimeOutWithMs(100)), 0);
        assert_eq!(launch(function(binary, "spin"), 2, stream, &[0]), 0);
        assert_eq!(wait(stream), 507_034);
        let text = last_error();
        assert!(text.contains("did not get on for 100ms") && text.contains("2 of 2 blocks"), "{text}");
    });
}

#[test]
fn s59_the_time_limit_of_the_machine() {
    with_binary("attached.c", &[("OP_TIMEOUT", "1")], |binary, stream| {
        assert_eq!(launch(function(binary, "spin"), 2, stream, &[0]), 0);
        assert_eq!(wait(stream), 507_034);
        assert!(last_error().contains("did not get on for 1s"));
    });
}

#[test]
fn timeout_reports_the_waits_of_blocks() {
    with_binary("attached.c", &[], |binary, stream| {
        let waits = function(binary, "waits");
        assert_eq!(launch_as(waits, 12, stream, &mut [timeout(300_000)], &[0]), 0);
        assert_eq!(wait(stream), 507_034);
        let text = last_error();
        assert!(text.contains("block 7 waits for better times; and 2 more"), "{text}");
        assert!(!text.contains("block 8") && !text.contains("for nothing"), "{text}");
    });
}
