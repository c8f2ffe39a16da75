// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Failed tasks and aborts: S2 and S46.

use std::ptr::null_mut;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use ascend_sim::acl::devices::*;
use ascend_sim::acl::events::*;
use ascend_sim::acl::exceptions::*;
use ascend_sim::acl::stream_options::*;
use ascend_sim::acl::streams::*;
use ascend_sim::stream::failure::ExceptionInfo;

use crate::calls::*;
use crate::isolated;

#[test]
fn s2_a_failure_is_reported_once_at_the_next_sync_of_the_stream() {
    isolated::run(&[], || {
        let stream = a_stream();
        let other = made!(aclrtCreateStream());
        push_failure(stream, 507015);
        assert_eq!(code!(aclrtSynchronizeStream(other)), 0);
        assert_eq!(code!(aclrtSynchronizeStream(stream)), 507015);
        assert!(last_error().contains("on purpose"));
        assert_eq!(code!(aclrtSynchronizeStream(stream)), 0);
    });
}

#[test]
fn s2_a_failure_is_reported_by_the_sync_of_the_device() {
    isolated::run(&[], || {
        let stream = a_stream();
        push_failure(stream, 507015);
        assert_eq!(code!(aclrtSynchronizeDevice()), 507015);
        assert_eq!(code!(aclrtSynchronizeDevice()), 0);
        assert_eq!(code!(aclrtSynchronizeStream(stream)), 0);
    });
}

#[test]
fn s2_a_failure_is_reported_by_the_sync_of_an_event_behind_it() {
    isolated::run(&[], || {
        let stream = a_stream();
        let (before, after) = (made!(aclrtCreateEvent()), made!(aclrtCreateEvent()));
        ok!(aclrtRecordEvent(before, stream));
        push_failure(stream, 507015);
        ok!(aclrtRecordEvent(after, stream));
        ok!(aclrtSynchronizeEvent(before));
        assert_eq!(code!(aclrtSynchronizeEvent(after)), 507015);
        assert_eq!(code!(aclrtSynchronizeEvent(after)), 0);
        assert_eq!(code!(aclrtSynchronizeStream(stream)), 0);
    });
}

#[test]
fn s2_exception_callback_runs_before_the_sync_returns() {
    static SEEN: [AtomicU32; 4] = [const { AtomicU32::new(u32::MAX) }; 4];
    unsafe extern "C" fn notified(info: *mut ExceptionInfo) {
        SEEN[0].store(code!(aclrtGetErrorCodeFromExceptionInfo(info)), Ordering::SeqCst);
        SEEN[1].store(code!(aclrtGetDeviceIdFromExceptionInfo(info)), Ordering::SeqCst);
        SEEN[2].store(code!(aclrtGetStreamIdFromExceptionInfo(info)), Ordering::SeqCst);
        SEEN[3].store(code!(aclrtGetTaskIdFromExceptionInfo(info)), Ordering::SeqCst);
        let own = std::process::id();
        assert_ne!(code!(aclrtGetThreadIdFromExceptionInfo(info)), own, "a thread of the runtime");
    }
    isolated::run(&[("DEVICES", "2")], || {
        ok!(aclrtSetDevice(1));
        let stream = made!(aclrtCreateStream());
        ok!(aclrtSetExceptionInfoCallback(Some(notified)));
        push(stream, || {});
        push_failure(stream, 507034);
        assert_eq!(code!(aclrtSynchronizeStream(stream)), 507034);
        let id: i32 = queried!(aclrtStreamGetId(stream));
        let seen: Vec<u32> = SEEN.iter().map(|seen| seen.load(Ordering::SeqCst)).collect();
        assert_eq!(seen, [507034, 1, id.cast_unsigned(), 2]);
        // Without a callback nothing is called.
        ok!(aclrtSetExceptionInfoCallback(None));
        push_failure(stream, 507035);
        assert_eq!(code!(aclrtSynchronizeStream(stream)), 507035);
        assert_eq!(SEEN[0].load(Ordering::SeqCst), 507034);
        assert_eq!(code!(aclrtGetTaskIdFromExceptionInfo(null_mut())), u32::MAX);
    });
}

#[test]
fn s46_continue_runs_tasks_after_a_failure() {
    isolated::run(&[], || {
        let stream = a_stream();
        let notes = Notes::default();
        push_failure(stream, 507015);
        push_failure(stream, 507035);
        notes.add_in(stream, 1);
        assert_eq!(code!(aclrtSynchronizeStream(stream)), 507015, "the first failure");
        assert_eq!(notes.all(), [1]);
        ok!(aclrtSynchronizeStream(stream));
    });
}

#[test]
fn s46_stop_skips_all_tasks_after_a_failure() {
    isolated::run(&[], || {
        let stream = a_stream();
        assert_eq!(code!(aclrtSetStreamFailureMode(stream, 2)), 100000);
        ok!(aclrtSetStreamFailureMode(stream, 1));
        let gate = Gate::default();
        let notes = Notes::default();
        gate.hold(stream);
        push_failure(stream, 507015);
        notes.add_in(stream, 1);
        gate.open();
        assert_eq!(code!(aclrtSynchronizeStream(stream)), 507015);
        assert_eq!(code!(aclrtSynchronizeStream(stream)), 507015);
        let event = made!(aclrtCreateEventExWithFlag(1));
        assert_eq!(code!(aclrtRecordEvent(event, stream)), 507015);
        ok!(aclrtStreamAbort(stream));
        assert_eq!(code!(aclrtSynchronizeStream(stream)), 507015);
        assert_eq!(notes.count(), 0);
        ok!(aclrtDestroyStream(stream));
    });
}

#[test]
fn s46_abort_drops_all_tasks_and_the_stream_works_again() {
    isolated::run(&[], || {
        let stream = a_stream();
        let gate = Gate::default();
        let notes = Notes::default();
        gate.hold(stream);
        notes.add_in(stream, 1);
        gate.wait_reached();
        let handle = SharedHandle::new(stream);
        let synchronising = Arc::new(AtomicU32::new(0));
        let begun = Arc::clone(&synchronising);
        let waiter = std::thread::spawn(move || {
            ok!(aclrtSetDevice(0));
            begun.store(1, Ordering::SeqCst);
            code!(aclrtSynchronizeStream(handle.get()))
        });
        eventually("one waits", || synchronising.load(Ordering::SeqCst) == 1);
        // It may not have reached the wait yet; then it finds an idle stream.
        ok!(aclrtStreamAbort(stream));
        let code = waiter.join().unwrap();
        assert!([0, 107023].contains(&code), "{code}");
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!(notes.count(), 0);
        notes.add_in(stream, 2);
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!(notes.all(), [2]);
    });
}

#[test]
fn s46_waiters_are_notified_of_the_abort() {
    isolated::run(&[], || {
        let stream = a_stream();
        let gate = Gate::default();
        gate.hold(stream);
        let handle = SharedHandle::new(stream);
        let failed = Arc::new(AtomicBool::new(false));
        let end = Arc::clone(&failed);
        let aborter = std::thread::spawn(move || {
            ok!(aclrtSetDevice(0));
            // Again and again, until it meets the waiter.
            while !end.load(Ordering::SeqCst) {
                gate.hold(handle.get());
                ok!(aclrtStreamAbort(handle.get()));
            }
        });
        eventually("the waiter is notified", || code!(aclrtSynchronizeStream(stream)) == 107023);
        failed.store(true, Ordering::SeqCst);
        aborter.join().unwrap();
        ok!(aclrtSynchronizeStream(stream));
    });
}

#[test]
fn s46_stopping_ends_the_running_task_alone() {
    isolated::run(&[], || {
        let stream = a_stream();
        let gate = Gate::default();
        let notes = Notes::default();
        gate.hold(stream);
        notes.add_in(stream, 1);
        gate.wait_reached();
        ok!(aclrtStreamStop(stream));
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!(notes.all(), [1]);
    });
}

#[test]
fn s46_device_abort_drops_tasks_of_its_streams() {
    isolated::run(&[("DEVICES", "2")], || {
        let (one, two) = (a_stream(), made!(aclrtCreateStream()));
        ok!(aclrtSetDevice(1));
        let elsewhere = made!(aclrtCreateStream());
        let (other_gate, notes) = (Gate::default(), Notes::default());
        other_gate.hold(elsewhere);
        notes.add_in(elsewhere, 3);
        ok!(aclrtSetDevice(0));
        let gate = Gate::default();
        for stream in [one, two] {
            gate.hold(stream);
            notes.add_in(stream, 1);
        }
        assert_eq!(code!(aclrtDeviceTaskAbort(2, 1000)), 107001);
        ok!(aclrtDeviceTaskAbort(0, 30_000));
        ok!(aclrtSynchronizeDevice());
        assert_eq!(notes.count(), 0);
        other_gate.open();
        ok!(aclrtSetDevice(1));
        ok!(aclrtSynchronizeDevice());
        assert_eq!(notes.all(), [3]);
    });
}

#[test]
fn s46_waiters_are_notified_of_an_aborted_device() {
    isolated::run(&[], || {
        let stream = a_stream();
        let gate = Gate::default();
        let handle = SharedHandle::new(stream);
        let failed = Arc::new(AtomicBool::new(false));
        let end = Arc::clone(&failed);
        let aborter = std::thread::spawn(move || {
            ok!(aclrtSetDevice(0));
            while !end.load(Ordering::SeqCst) {
                gate.hold(handle.get());
                ok!(aclrtDeviceTaskAbort(0, 30_000));
            }
        });
        eventually("the waiter is notified", || code!(aclrtSynchronizeStream(stream)) == 107022);
        failed.store(true, Ordering::SeqCst);
        aborter.join().unwrap();
    });
}

#[test]
fn an_injected_fault_fails_a_task() {
    isolated::run(&[("FAULTS", "test@2=507015")], || {
        let stream = a_stream();
        let notes = Notes::default();
        for number in 0..3 {
            notes.add_in(stream, number);
        }
        assert_eq!(code!(aclrtSynchronizeStream(stream)), 507015);
        assert_eq!(notes.all(), [0, 2]);
    });
}
