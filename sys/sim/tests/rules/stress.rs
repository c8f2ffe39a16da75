// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Many threads and streams at once; resets and the end of the process amid work: S5 and S7.

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use ascend_sim::acl::callback::aclrtLaunchHostFunc;
use ascend_sim::acl::devices::*;
use ascend_sim::acl::events::*;
use ascend_sim::acl::memcpy::aclrtMemcpyAsync;
use ascend_sim::acl::memory::*;
use ascend_sim::acl::streams::*;
use ascend_sim::machine::machine;
use ascend_sim::session::Location;

use crate::calls::*;
use crate::isolated;

/// Threads make, use and destroy streams while others do the same.
fn threads_make_and_destroy_streams() {
    let notes = Notes::default();
    let threads: Vec<_> = (0..6)
        .map(|thread| {
            let notes = notes.clone();
            std::thread::spawn(move || {
                ok!(aclrtSetDevice(0));
                for round in 0..20 {
                    let streams: Vec<_> = (0..4).map(|_| made!(aclrtCreateStream())).collect();
                    let event = made!(aclrtCreateEvent());
                    notes.add_in(streams[0], thread);
                    ok!(aclrtRecordEvent(event, streams[0]));
                    for stream in &streams[1..] {
                        ok!(aclrtStreamWaitEvent(*stream, event));
                        notes.add_in(*stream, thread);
                    }
                    ok!(aclrtDestroyEvent(event));
                    for stream in streams {
                        match round % 3 {
                            0 => ok!(aclrtDestroyStreamForce(stream)),
                            1 => ok!(aclrtDestroyStream(stream)),
                            _ => {
                                // A stream destroyed by force before may have lost the record.
                                ok!(aclrtSynchronizeStream(stream));
                                ok!(aclrtDestroyStream(stream));
                            }
                        }
                    }
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    assert!(notes.count() >= 6 * 13 * 4);
    let free: u32 = reported_with_device();
    assert_eq!(free, 1983);
}

fn reported_with_device() -> u32 {
    ok!(aclrtSetDevice(0));
    queried!(aclrtGetStreamAvailableNum())
}

under_random_schedules! { threads_make_and_destroy_streams:
    stress_under_schedule_1 1
    stress_under_schedule_2 2
}

#[test]
fn stress_without_pauses() {
    isolated::run(&[], threads_make_and_destroy_streams);
}

#[test]
fn s5_resets_amid_copies() {
    isolated::run(&[("SCHEDULE", "random(5)")], || {
        for _ in 0..15 {
            ok!(aclrtSetDevice(0));
            let bytes = 4 << 20;
            let (one, two) = (made!(aclrtMalloc(bytes, 0)), made!(aclrtMalloc(bytes, 0)));
            for _ in 0..3 {
                let stream = made!(aclrtCreateStream());
                for _ in 0..20 {
                    ok!(aclrtMemcpyAsync(one, bytes, two, bytes, 3, stream));
                }
            }
            ok!(aclrtResetDevice(0));
        }
    });
}

/// Threads set, use and reset a device concurrently: any results are allowed, but no crash or hang.
#[test]
fn s5_resets_amid_other_threads() {
    isolated::run(&[], || {
        let end = std::sync::Arc::new(AtomicBool::new(false));
        let users: Vec<_> = (0..4)
            .map(|_| {
                let end = end.clone();
                std::thread::spawn(move || {
                    let allowed = [0, 107000, 107002, 107003, 107023, 507000];
                    while !end.load(Ordering::SeqCst) {
                        ok!(aclrtSetDevice(0));
                        let mut stream = null_mut();
                        let made = code!(aclrtCreateStream(&raw mut stream));
                        let mut event = null_mut();
                        let codes = [
                            made,
                            code!(aclrtCreateEvent(&raw mut event)),
                            code!(aclrtRecordEvent(event, stream)),
                            code!(aclrtStreamWaitEvent(null_mut(), event)),
                            code!(aclrtSynchronizeStream(stream)),
                            code!(aclrtSynchronizeDevice()),
                            code!(aclrtDestroyStream(stream)),
                            code!(aclrtResetDevice(0)),
                        ];
                        // A handle that could not be made is null.
                        assert!(
                            codes.iter().all(|code| allowed.contains(code) || *code == 100000),
                            "{codes:?}"
                        );
                    }
                })
            })
            .collect();
        for _ in 0..200 {
            ok!(aclrtSetDevice(0));
            // Another thread may have been faster.
            let code = code!(aclrtResetDeviceForce(0));
            assert!([0, 107002].contains(&code), "{code}");
        }
        end.store(true, Ordering::SeqCst);
        users.into_iter().for_each(|user| user.join().unwrap());
        // Remaining references are released.
        let _ = code!(aclrtResetDeviceForce(0));
        ok!(aclrtSetDevice(0));
        let streams: u32 = queried!(aclrtGetStreamAvailableNum());
        assert_eq!(streams, 1983);
    });
}

#[test]
fn s7_process_ending_without_finalize_leaves_nothing() {
    isolated::crew(2, &[], |rank, board| {
        if rank == 0 {
            let stream = a_stream();
            made!(aclrtMalloc(8 << 20, 0));
            made!(aclrtCreateEvent());
            Gate::default().hold(stream);
            board.post("used", b"");
            board.take("seen");
            std::process::exit(0);
        }
        ok!(aclrtSetDevice(0));
        let place = Location::Device(0);
        board.take("used");
        let numbers =
            || -> (u32, u32) { (queried!(aclrtGetStreamAvailableNum()), queried!(aclrtGetEventAvailNum())) };
        assert_eq!(numbers(), (1981, 65_535));
        let (free, all) = machine().unwrap().session.budget(place).unwrap();
        assert!(free < all);
        board.post("seen", b"");
        eventually("everything is given back", || numbers() == (1983, 65_536));
        // All of the memory can be had; an allocation takes a little more than it is asked for.
        made!(aclrtMalloc(usize::try_from(all).unwrap() - (2 << 20), 0));
    });
}

/// Ends the process in the middle of work, with handlers that still call.
fn end_amid_work(end: fn()) {
    extern "C" fn at_exit() {
        // As destructors of a program's static objects do, also twice and too late.
        let _ = code!(aclrtSynchronizeStreamWithTimeout(null_mut(), 1));
        let _ = code!(aclrtDestroyStream(AT_EXIT.load(Ordering::SeqCst) as *mut c_void));
        let _ = code!(aclrtResetDevice(0));
    }
    static AT_EXIT: AtomicUsize = AtomicUsize::new(0);
    unsafe extern "C" fn sleep(_: *mut c_void) {
        // Work that takes time: the process ends in the middle of it.
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    ok!(aclrtSetDevice(0));
    // SAFETY: the handler is a function of this program.
    unsafe { libc::atexit(at_exit) };
    let bytes = 1 << 20;
    let (one, two) = (made!(aclrtMalloc(bytes, 0)), made!(aclrtMalloc(bytes, 0)));
    for number in 0..8 {
        let stream = made!(aclrtCreateStream());
        for _ in 0..500 {
            ok!(aclrtMemcpyAsync(one, bytes, two, bytes, 3, stream));
        }
        ok!(aclrtLaunchHostFunc(stream, Some(sleep), null_mut()));
        if number == 0 {
            AT_EXIT.store(stream.addr(), Ordering::SeqCst);
        }
    }
    let held = made!(aclrtCreateStream());
    Gate::default().hold(held);
    end();
}

#[test]
fn s7_returning_from_main_amid_work() {
    isolated::run(&[], || end_amid_work(|| {}));
}

#[test]
fn s7_exit_amid_work() {
    isolated::run(&[], || end_amid_work(|| std::process::exit(0)));
}

#[test]
fn s7_exit_on_another_thread_amid_work() {
    isolated::run(&[], || {
        end_amid_work(|| drop(std::thread::spawn(|| std::process::exit(0)).join()));
    });
}

#[test]
fn s7_quick_exit_amid_work() {
    // SAFETY: has no preconditions.
    isolated::run(&[], || end_amid_work(|| unsafe { libc::_exit(0) }));
}
