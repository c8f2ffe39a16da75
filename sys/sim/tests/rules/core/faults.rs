// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Injected faults: of calls, tasks and transfers; lost devices and cut links, for all processes.

use std::ptr::null_mut;

use ascend_sim::acl::devices::*;
use ascend_sim::acl::memcpy::*;
use ascend_sim::acl::memory::*;
use ascend_sim::acl::notify::*;
use ascend_sim::acl::streams::*;
use ascend_sim::control::*;

use crate::calls::*;
use crate::isolated;

const D2D: u32 = 3;

/// The result of each of four calls.
fn four(mut call: impl FnMut() -> i32) -> [i32; 4] {
    [(); 4].map(|()| call())
}

fn malloc() -> Handle {
    made!(aclrtMalloc(4096, 0))
}

#[test]
fn the_nth_call_of_a_function_fails() {
    isolated::run(&[("FAULTS", "aclrtGetDevice@2=4711, aclrtResetDevice@3+=oom")], || {
        ok!(aclrtSetDevice(0));
        let mut device = 0;
        assert_eq!(four(|| code!(aclrtGetDevice(&raw mut device))), [0, 4711, 0, 0]);
        assert!(last_error().contains("aclrtGetDevice(deviceId="));
        (0..4).for_each(|_| ok!(aclrtSetDevice(0)));
        assert_eq!(four(|| code!(aclrtResetDevice(0))), [0, 0, 207001, 207001]);
    });
}

#[test]
fn the_first_call_of_the_process_counts() {
    isolated::run(&[("FAULTS", "aclrtSetDevice@1=107001")], || {
        assert_eq!(code!(aclrtSetDevice(0)), 107001);
        assert_eq!(code!(aclrtSetDevice(0)), 0);
    });
}

#[test]
fn out_of_memory_leaves_the_result_untouched() {
    isolated::run(&[("FAULTS", "oom@2")], || {
        ok!(aclrtSetDevice(0));
        malloc();
        let mut untouched = null_mut();
        assert_eq!(code!(aclrtMalloc(&raw mut untouched, 64, 0)), 207001);
        assert!(untouched.is_null());
        malloc();
    });
}

#[test]
fn the_nth_task_fails_at_the_sync_of_its_stream() {
    isolated::run(&[("FAULTS", "test@2=aicore")], || {
        let stream = a_stream();
        let notes = Notes::default();
        (0..3).for_each(|note| notes.add_in(stream, note));
        assert_eq!(code!(aclrtSynchronizeStream(stream)), 507015);
        assert!(last_error().contains("injected"));
        assert_eq!(notes.all(), [0, 2]);
    });
}

#[test]
fn hung_task_ends_by_abort_or_timeout() {
    isolated::run(&[("FAULTS", "test@1=hang,test@3=hang")], || {
        let stream = a_stream();
        push(stream, || panic!("it hangs"));
        assert_eq!(code!(aclrtSynchronizeStreamWithTimeout(stream, 5)), 507046);
        assert_eq!(code!(ascsim_advance_clock(11_000_000_000)), 0);
        assert_eq!(code!(aclrtSynchronizeStream(stream)), 507014);
        push(stream, || ());
        ok!(aclrtSynchronizeStream(stream));
        push(stream, || panic!("it hangs"));
        ok!(aclrtDestroyStreamForce(stream));
    });
}

#[test]
fn a_dropped_notify_never_arrives() {
    isolated::run(&[("FAULTS", "drop-notify@1")], || {
        let stream = a_stream();
        let notify = made!(aclrtCreateNotify(0));
        ok!(aclrtRecordNotify(notify, stream));
        ok!(aclrtWaitAndResetNotify(notify, stream, 5));
        assert_eq!(code!(aclrtSynchronizeStreamWithTimeout(stream, 5)), 507046);
        let other = made!(aclrtCreateStream());
        ok!(aclrtRecordNotify(notify, other));
        ok!(aclrtSynchronizeStream(stream));
    });
}

#[test]
fn transfers_fail_by_kind() {
    isolated::run(&[("DEVICES", "2")], || {
        ok!(aclrtSetDevice(1));
        let far = malloc();
        ok!(aclrtSetDevice(0));
        let (near, other) = (malloc(), malloc());
        let within = || code!(aclrtMemcpy(other, 64, near, 64, D2D));
        let across = || code!(aclrtMemcpy(far, 64, near, 64, D2D));
        ok!(ascsim_add_faults(c"link@2".as_ptr()));
        assert_eq!(four(within), [0; 4]);
        assert_eq!(four(across), [0, 507056, 0, 0]);
        ok!(ascsim_clear_faults());
        ok!(ascsim_add_faults(c"ecc@1, slow(1)".as_ptr()));
        assert_eq!(four(within), [507054, 0, 0, 0]);
        assert_eq!(four(across), [0; 4]);
        ok!(ascsim_clear_faults());
        assert_eq!(four(within), [0; 4]);
        assert_eq!(code!(ascsim_add_faults(c"nonsense".as_ptr())), 100000);
    });
}

#[test]
fn a_lost_device_fails_until_a_reset_in_all_processes() {
    isolated::crew(2, &[("DEVICES", "2")], |rank, board| {
        let stream = a_stream();
        let (near, other) = (malloc(), malloc());
        board.meet("ready", rank, 2);
        if rank == 0 {
            ok!(ascsim_lose_device(0));
            board.post("lost", b"");
        }
        board.take("lost");
        assert_eq!(code!(aclrtMemcpy(near, 64, other, 64, D2D)), 507899);
        assert!(last_error().contains("device 0 is lost"));
        assert_eq!(code!(aclrtSynchronizeStream(stream)), 507899);
        assert_eq!(queried!(aclrtQueryDeviceStatus(0)), 1);
        ok!(aclrtSetDevice(1));
        let sound = malloc();
        assert_eq!(code!(aclrtMemcpy(sound, 64, near, 64, D2D)), 507899, "nor does another device reach it");
        ok!(aclrtFree(sound));
        board.meet("seen", rank, 2);
        if rank == 0 {
            ok!(aclrtResetDeviceForce(0));
            board.post("reset", b"");
        }
        board.take("reset");
        ok!(aclrtSetDevice(0));
        malloc();
        assert_eq!(queried!(aclrtQueryDeviceStatus(0)), 0);
        board.meet("done", rank, 2);
    });
}

#[test]
fn a_task_on_a_lost_device_fails() {
    isolated::run(&[("FAULTS", "test@1=lost")], || {
        let stream = a_stream();
        push(stream, || panic!("the device is lost"));
        push(stream, || panic!("and stays so"));
        eventually("it is lost", || queried!(aclrtQueryDeviceStatus(0)) == 1);
        assert_eq!(code!(aclrtSynchronizeStream(stream)), 507899);
        ok!(ascsim_heal_device(0));
        push(stream, || ());
        // The first failure, or nothing when it was reported: the call's failure belonged to the device.
        assert_eq!(code!(aclrtSynchronizeStream(stream)), 507899);
        ok!(aclrtSynchronizeStream(stream));
    });
}

#[test]
fn a_device_may_be_lost_from_the_start() {
    isolated::run(&[("FAULTS", "lost(1)")], || {
        ok!(aclrtSetDevice(1));
        assert_eq!(code!(aclrtMalloc(nowhere(), 64, 0)), 507899);
        ok!(aclrtSetDevice(0));
        malloc();
    });
}

#[test]
fn a_cut_link_stops_transfers_in_all_processes() {
    isolated::crew(2, &[("DEVICES", "3")], |rank, board| {
        let memory = [0, 1, 2].map(|device| {
            ok!(aclrtSetDevice(device));
            malloc()
        });
        ok!(aclrtSetDevice(0));
        let copy = |to: usize, from: usize| code!(aclrtMemcpy(memory[to], 64, memory[from], 64, D2D));
        if rank == 0 {
            ok!(ascsim_cut_link(0, 1));
            board.post("cut", b"");
        }
        board.take("cut");
        assert_eq!([copy(1, 0), copy(0, 1), copy(2, 0), copy(0, 2), copy(0, 0)], [507056, 507056, 0, 0, 0]);
        board.meet("seen", rank, 2);
        if rank == 1 {
            ok!(ascsim_mend_link(1, 0));
            board.post("mended", b"");
        }
        board.take("mended");
        assert_eq!([copy(1, 0), copy(0, 1)], [0, 0]);
        assert_eq!(code!(ascsim_cut_link(0, 9)), 107001);
    });
}

#[test]
fn transfers_take_their_simulated_cost() {
    isolated::run(&[("LATENCY_US", "1,host=20000"), ("GBPS", "1000")], || {
        ok!(aclrtSetDevice(0));
        let memory = malloc();
        let start = std::time::Instant::now();
        let host = [0_u8; 64];
        ok!(aclrtMemcpy(memory, 64, host.as_ptr().cast(), 64, 1));
        assert!(start.elapsed() >= std::time::Duration::from_millis(20), "a pause is never shorter");
    });
}
