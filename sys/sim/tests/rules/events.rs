// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Events: S47 to S51, and between processes.

use std::ffi::c_char;
use std::ptr::null_mut;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use ascend_acl_sys::raw::types::aclrtIpcEventHandle;
use ascend_sim::acl::devices::*;
use ascend_sim::acl::events::*;
use ascend_sim::acl::op_timeouts::*;
use ascend_sim::acl::stream_options::*;
use ascend_sim::acl::streams::*;

use crate::calls::*;
use crate::isolated;

const TIME_LINE: u32 = 8;
const IPC: u32 = 0x40;

fn is_reached(event: Handle) -> bool {
    let (status, older): (u32, u32) =
        (queried!(aclrtQueryEventStatus(event)), queried!(aclrtQueryEvent(event)));
    assert_eq!(status, 1 - older, "the older call has the opposite numbers");
    status == 1
}

/// After its wait, a stream sees the writes of another before the record, round after round.
fn waits_order_streams() {
    let (one, two) = (a_stream(), made!(aclrtCreateStream()));
    let value = Arc::new(AtomicU32::new(0));
    let wrong = Arc::new(AtomicU32::new(0));
    for round in 1..=60 {
        let (there, back) = (made!(aclrtCreateEvent()), made!(aclrtCreateEvent()));
        let written = Arc::clone(&value);
        push(one, move || written.store(round, Ordering::Relaxed));
        ok!(aclrtRecordEvent(there, one));
        ok!(aclrtStreamWaitEvent(two, there));
        let (read, wrong) = (Arc::clone(&value), Arc::clone(&wrong));
        push(two, move || {
            if read.load(Ordering::Relaxed) != round {
                wrong.fetch_add(1, Ordering::Relaxed);
            }
        });
        ok!(aclrtRecordEvent(back, two));
        ok!(aclrtStreamWaitEvent(one, back));
        ok!(aclrtDestroyEvent(there));
        ok!(aclrtDestroyEvent(back));
    }
    ok!(aclrtSynchronizeDevice());
    assert_eq!(wrong.load(Ordering::Relaxed), 0);
}

under_random_schedules! { waits_order_streams:
    s47_waits_order_streams_1 11
    s47_waits_order_streams_2 12
    s47_waits_order_streams_3 13
}

#[test]
fn s47_record_captures_earlier_tasks() {
    isolated::run(&[], || {
        let stream = a_stream();
        let event = made!(aclrtCreateEvent());
        let (before, after) = (Gate::default(), Gate::default());
        before.hold(stream);
        ok!(aclrtRecordEvent(event, stream));
        after.hold(stream);
        assert!(!is_reached(event));
        before.open();
        ok!(aclrtSynchronizeEvent(event));
        assert!(is_reached(event));
        assert_eq!(queried!(aclrtStreamQuery(stream)), 1, "what was issued after it is not part of it");
        after.open();
        ok!(aclrtSynchronizeStream(stream));
    });
}

#[test]
fn s47_recording_again_does_not_move_an_issued_wait() {
    isolated::run(&[], || {
        let (one, two) = (a_stream(), made!(aclrtCreateStream()));
        let event = made!(aclrtCreateEventExWithFlag(1));
        let notes = Notes::default();
        ok!(aclrtRecordEvent(event, one));
        ok!(aclrtStreamWaitEvent(two, event));
        notes.add_in(two, 1);
        let gate = Gate::default();
        gate.hold(one);
        ok!(aclrtRecordEvent(event, one));
        // The first wait passes though the second record is not reached.
        ok!(aclrtSynchronizeStream(two));
        assert_eq!(notes.all(), [1]);
        // A wait that is issued now is for the second.
        ok!(aclrtStreamWaitEvent(two, event));
        notes.add_in(two, 2);
        assert_eq!(code!(aclrtSynchronizeStreamWithTimeout(two, 20)), 507046);
        assert!(!is_reached(event));
        gate.open();
        ok!(aclrtSynchronizeStream(two));
        assert_eq!(notes.all(), [1, 2]);
    });
}

#[test]
fn s47_unrecorded_event_blocks_no_stream() {
    isolated::run(&[], || {
        let stream = a_stream();
        let event = made!(aclrtCreateEvent());
        assert!(is_reached(event));
        ok!(aclrtStreamWaitEvent(stream, event));
        ok!(aclrtSynchronizeStream(stream));
        ok!(aclrtSynchronizeEvent(event));
    });
}

#[test]
fn s47_wait_for_a_dropped_record_fails_instead_of_hanging() {
    isolated::run(&[], || {
        let (one, two) = (a_stream(), made!(aclrtCreateStream()));
        let event = made!(aclrtCreateEvent());
        Gate::default().hold(one);
        ok!(aclrtRecordEvent(event, one));
        ok!(aclrtStreamWaitEvent(two, event));
        ok!(aclrtStreamAbort(one));
        assert_eq!(code!(aclrtSynchronizeEvent(event)), 107023);
        assert_eq!(code!(aclrtSynchronizeStream(two)), 107023);
    });
}

#[test]
fn s47_a_wait_for_a_stopped_stream_gets_its_error() {
    isolated::run(&[], || {
        let (one, two) = (a_stream(), made!(aclrtCreateStream()));
        ok!(aclrtSetStreamFailureMode(one, 1));
        let (gate, event) = (Gate::default(), made!(aclrtCreateEvent()));
        gate.hold(one);
        push_failure(one, 507015);
        ok!(aclrtRecordEvent(event, one));
        ok!(aclrtStreamWaitEvent(two, event));
        gate.open();
        assert_eq!(code!(aclrtSynchronizeStream(two)), 507015);
    });
}

#[test]
fn s48_a_plain_event_is_recorded_once_until_it_is_reset() {
    isolated::run(&[], || {
        let (one, two) = (a_stream(), made!(aclrtCreateStream()));
        for event in [made!(aclrtCreateEvent()), made!(aclrtCreateEventWithFlag(1))] {
            ok!(aclrtRecordEvent(event, one));
            assert_eq!(code!(aclrtRecordEvent(event, one)), 107000);
            ok!(aclrtStreamWaitEvent(two, event));
            ok!(aclrtResetEvent(event, two));
            let gate = Gate::default();
            gate.hold(one);
            ok!(aclrtRecordEvent(event, one));
            ok!(aclrtSynchronizeStream(two));
            assert!(!is_reached(event));
            gate.open();
            ok!(aclrtSynchronizeEvent(event));
        }
    });
}

#[test]
fn s48_reset_takes_effect_in_stream_order() {
    isolated::run(&[], || {
        let (one, two) = (a_stream(), made!(aclrtCreateStream()));
        let event = made!(aclrtCreateEvent());
        let (record, reset) = (Gate::default(), Gate::default());
        record.hold(one);
        ok!(aclrtRecordEvent(event, one));
        reset.hold(two);
        ok!(aclrtResetEvent(event, two));
        assert!(!is_reached(event), "the reset has not run");
        reset.open();
        ok!(aclrtSynchronizeStream(two));
        assert!(is_reached(event), "as if never recorded");
        record.open();
        ok!(aclrtSynchronizeStream(one));
    });
}

#[test]
fn s48_plain_event_can_be_rerecorded_without_strict_mode() {
    isolated::run(&[("STRICT", "0")], || {
        let stream = a_stream();
        let event = made!(aclrtCreateEvent());
        ok!(aclrtRecordEvent(event, stream));
        ok!(aclrtRecordEvent(event, stream));
    });
}

#[test]
fn s48_an_ex_event_is_recorded_again_and_cannot_be_reset() {
    isolated::run(&[], || {
        let stream = a_stream();
        let event = made!(aclrtCreateEventExWithFlag(1));
        for _ in 0..5 {
            ok!(aclrtRecordEvent(event, stream));
        }
        assert_eq!(code!(aclrtResetEvent(event, stream)), 107000);
    });
}

#[test]
fn s48_flags() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        for flag in [1, 2, 8, 0x10, 0x20, 0x40, 0x7b] {
            made!(aclrtCreateEventWithFlag(flag));
            made!(aclrtCreateEventExWithFlag(flag));
        }
        for flag in [4, 0x80, 0x8000_0000] {
            assert_eq!(code!(aclrtCreateEventWithFlag(nowhere(), flag)), 100000);
            assert_eq!(code!(aclrtCreateEventExWithFlag(nowhere(), flag)), 100000);
        }
    });
}

#[test]
fn s49_times() {
    isolated::run(&[], || {
        let stream = a_stream();
        let (start, end) =
            (made!(aclrtCreateEventWithFlag(TIME_LINE)), made!(aclrtCreateEventExWithFlag(TIME_LINE)));
        let without = made!(aclrtCreateEventWithFlag(1));
        assert_eq!(code!(aclrtEventElapsedTime(nowhere(), start, end)), 107006, "not recorded");
        ok!(aclrtRecordEvent(start, stream));
        // Real time, as measured by the events.
        push(stream, || std::thread::sleep(std::time::Duration::from_millis(12)));
        let gate = Gate::default();
        gate.hold(stream);
        ok!(aclrtRecordEvent(end, stream));
        ok!(aclrtRecordEvent(without, stream));
        assert_eq!(code!(aclrtEventElapsedTime(nowhere(), start, end)), 107006, "not reached");
        gate.open();
        ok!(aclrtSynchronizeStream(stream));
        let mut milliseconds = -1.0;
        ok!(aclrtEventElapsedTime(&raw mut milliseconds, start, end));
        assert!(milliseconds >= 12.0, "{milliseconds}");
        let (first, last): (u64, u64) =
            (queried!(aclrtEventGetTimestamp(start)), queried!(aclrtEventGetTimestamp(end)));
        assert!(last - first >= 12_000, "{first} to {last}");
        assert_eq!(code!(aclrtEventElapsedTime(nowhere(), end, start)), 107007);
        assert_eq!(code!(aclrtEventElapsedTime(nowhere(), start, without)), 107006);
        assert_eq!(code!(aclrtEventGetTimestamp(without, nowhere())), 107006);
    });
}

#[test]
fn s50_destroying_an_event_disturbs_no_wait() {
    isolated::run(&[], || {
        let (one, two) = (a_stream(), made!(aclrtCreateStream()));
        let (gate, notes) = (Gate::default(), Notes::default());
        let event = made!(aclrtCreateEvent());
        let id: u32 = queried!(aclrtGetEventId(event));
        gate.hold(one);
        notes.add_in(one, 1);
        ok!(aclrtRecordEvent(event, one));
        ok!(aclrtStreamWaitEvent(two, event));
        notes.add_in(two, 2);
        ok!(aclrtDestroyEvent(event));
        assert_eq!(code!(aclrtDestroyEvent(event)), 107000);
        assert_eq!(code!(aclrtQueryEventStatus(event, nowhere())), 107000);
        // The number stays taken as long as a task needs it.
        let other = made!(aclrtCreateEvent());
        assert_ne!(queried!(aclrtGetEventId(other)), id);
        gate.open();
        ok!(aclrtSynchronizeStream(two));
        assert_eq!(notes.all(), [1, 2]);
        let again = made!(aclrtCreateEvent());
        assert_eq!(queried!(aclrtGetEventId(again)), id);
    });
}

#[test]
fn s50_event_wait_status_can_be_queried() {
    isolated::run(&[], || {
        let (one, two) = (a_stream(), made!(aclrtCreateStream()));
        let (gate, event) = (Gate::default(), made!(aclrtCreateEvent()));
        gate.hold(one);
        ok!(aclrtRecordEvent(event, one));
        assert_eq!(queried!(aclrtQueryEventWaitStatus(event)), 0);
        ok!(aclrtStreamWaitEvent(two, event));
        assert_eq!(queried!(aclrtQueryEventWaitStatus(event)), 1);
        gate.open();
        ok!(aclrtSynchronizeStream(two));
        assert_eq!(queried!(aclrtQueryEventWaitStatus(event)), 0);
    });
}

#[test]
fn s51_timed_waits_of_the_host() {
    isolated::run(&[], || {
        let stream = a_stream();
        let (gate, event) = (Gate::default(), made!(aclrtCreateEvent()));
        gate.hold(stream);
        ok!(aclrtRecordEvent(event, stream));
        assert_eq!(code!(aclrtSynchronizeEventWithTimeout(event, 0)), 107000);
        assert_eq!(code!(aclrtSynchronizeEventWithTimeout(event, -2)), 107000);
        assert_eq!(code!(aclrtSynchronizeEventWithTimeout(event, 5)), 507047);
        gate.open();
        ok!(aclrtSynchronizeEventWithTimeout(event, -1));
    });
}

#[test]
fn s51_timed_waits_of_streams() {
    isolated::run(&[], || {
        let (one, two) = (a_stream(), made!(aclrtCreateStream()));
        let (gate, event) = (Gate::default(), made!(aclrtCreateEvent()));
        gate.hold(one);
        ok!(aclrtRecordEvent(event, one));
        ok!(aclrtStreamWaitEventWithTimeout(two, event, 5));
        assert_eq!(code!(aclrtSynchronizeStream(two)), 107019);
        assert_eq!(code!(aclrtStreamWaitEventWithTimeout(two, event, 0)), 107000);
        // The limit for all waits; time is set forward.
        ok!(aclrtSetOpWaitTimeout(100));
        ok!(aclrtStreamWaitEvent(two, event));
        eventually("the wait began and ended", || {
            ascend_sim::clock::advance(std::time::Duration::from_secs(60));
            queried!(aclrtStreamQuery(two)) == 0
        });
        assert_eq!(code!(aclrtSynchronizeStream(two)), 107019);
        gate.open();
        ok!(aclrtSynchronizeStream(one));
    });
}

fn share(board: &isolated::Board, event: Handle) {
    let handle: aclrtIpcEventHandle = queried!(aclrtIpcGetEventHandle(event));
    let bytes: Vec<u8> = handle.reserved.iter().map(|byte| byte.to_ne_bytes()[0]).collect();
    board.post("event", &bytes);
}

fn shared(board: &isolated::Board) -> aclrtIpcEventHandle {
    let mut handle = aclrtIpcEventHandle::default();
    for (place, byte) in handle.reserved.iter_mut().zip(board.take("event")) {
        *place = c_char::from_ne_bytes([byte]);
    }
    handle
}

#[test]
fn s47_events_between_processes() {
    isolated::crew(2, &[("DEVICES", "2")], |rank, board| {
        if rank == 0 {
            let stream = a_stream();
            let event = made!(aclrtCreateEventWithFlag(IPC));
            share(board, event);
            board.take("asked");
            let gate = Gate::default();
            gate.hold(stream);
            ok!(aclrtRecordEvent(event, stream));
            board.post("recorded", b"");
            board.take("waiting");
            gate.open();
            // Destroyed here, it still works there.
            ok!(aclrtSynchronizeEvent(event));
            board.take("waited");
            ok!(aclrtRecordEvent(event, stream));
            ok!(aclrtDestroyEvent(event));
            ok!(aclrtSynchronizeStream(stream));
            board.post("again", b"");
            board.take("end");
        } else {
            ok!(aclrtSetDevice(1));
            let stream = made!(aclrtCreateStream());
            let mut event = null_mut();
            ok!(aclrtIpcOpenEventHandle(shared(board), &raw mut event));
            assert!(is_reached(event), "never recorded");
            board.post("asked", b"");
            board.take("recorded");
            assert!(!is_reached(event));
            assert_eq!(code!(aclrtSynchronizeEventWithTimeout(event, 5)), 507047);
            ok!(aclrtStreamWaitEvent(stream, event));
            let notes = Notes::default();
            notes.add_in(stream, 1);
            assert_eq!(code!(aclrtSynchronizeStreamWithTimeout(stream, 5)), 507046);
            assert_eq!(notes.count(), 0);
            board.post("waiting", b"");
            ok!(aclrtSynchronizeStream(stream));
            ok!(aclrtSynchronizeEvent(event));
            assert_eq!(notes.all(), [1]);
            board.post("waited", b"");
            board.take("again");
            ok!(aclrtSynchronizeEvent(event));
            assert_eq!(code!(aclrtResetEvent(event, stream)), 107000);
            ok!(aclrtDestroyEvent(event));
            board.post("end", b"");
        }
    });
}

#[test]
fn s47_cross_process_wait_ends_when_the_record_is_dropped() {
    isolated::crew(2, &[], |rank, board| {
        let stream = a_stream();
        if rank == 0 {
            let event = made!(aclrtCreateEventWithFlag(IPC));
            Gate::default().hold(stream);
            ok!(aclrtRecordEvent(event, stream));
            share(board, event);
            board.take("waiting");
            ok!(aclrtDestroyStreamForce(stream));
            board.take("end");
        } else {
            let mut event = null_mut();
            ok!(aclrtIpcOpenEventHandle(shared(board), &raw mut event));
            ok!(aclrtStreamWaitEvent(stream, event));
            board.post("waiting", b"");
            assert_eq!(code!(aclrtSynchronizeStream(stream)), 107023);
            board.post("end", b"");
        }
    });
}

#[test]
fn s47_plain_events_cannot_be_shared() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        let event = made!(aclrtCreateEvent());
        assert_eq!(code!(aclrtIpcGetEventHandle(event, nowhere())), 107000);
        assert_eq!(code!(aclrtIpcGetEventHandle(event, null_mut())), 100000);
        let nothing = aclrtIpcEventHandle::default();
        assert_eq!(code!(aclrtIpcOpenEventHandle(nothing, nowhere())), 507022);
        let shared = made!(aclrtCreateEventExWithFlag(IPC));
        let mut handle: aclrtIpcEventHandle = queried!(aclrtIpcGetEventHandle(shared));
        handle.reserved[20] ^= 1;
        assert_eq!(code!(aclrtIpcOpenEventHandle(handle, nowhere())), 507022);
    });
}

#[test]
fn events_reject_invalid_handles_and_flags() {
    isolated::run(&[], || {
        let stream = a_stream();
        assert_eq!(code!(aclrtRecordEvent(null_mut(), stream)), 100000);
        assert_eq!(code!(aclrtRecordEvent(stream, stream)), 107000, "a stream is no event");
        assert_eq!(code!(aclrtStreamWaitEvent(stream, stream)), 107000);
        assert_eq!(code!(aclrtCreateEvent(null_mut())), 100000);
        assert_eq!(code!(aclrtQueryEventStatus(null_mut(), nowhere())), 100000);
        assert_eq!(code!(aclrtEventElapsedTime(null_mut(), null_mut(), null_mut())), 100000);
        assert_eq!(code!(aclrtGetEventAvailNum(null_mut())), 100000);
    });
}
