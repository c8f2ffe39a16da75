// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Streams: S40 to S45.

use std::ptr::null_mut;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use ascend_sim::acl::devices::*;
use ascend_sim::acl::events::*;
use ascend_sim::acl::notify::*;
use ascend_sim::acl::op_timeouts::*;
use ascend_sim::acl::stream_options::*;
use ascend_sim::acl::streams::*;

use crate::calls::*;
use crate::isolated;

fn many_streams_keep_their_order() {
    ok!(aclrtSetDevice(0));
    let streams: Vec<_> = (0..6).map(|_| made!(aclrtCreateStream())).collect();
    let notes: Vec<_> = streams.iter().map(|_| Notes::default()).collect();
    let running: Vec<_> = streams.iter().map(|_| Arc::new(AtomicU32::new(0))).collect();
    for number in 0..200 {
        for ((stream, notes), running) in streams.iter().zip(&notes).zip(&running) {
            let (notes, running) = (notes.clone(), Arc::clone(running));
            push(*stream, move || {
                assert_eq!(running.fetch_add(1, Ordering::SeqCst), 0, "one task at a time");
                notes.add(number);
                running.fetch_sub(1, Ordering::SeqCst);
            });
        }
    }
    ok!(aclrtSynchronizeDevice());
    for notes in notes {
        assert_eq!(notes.all(), (0..200).collect::<Vec<_>>());
    }
}

under_random_schedules! { many_streams_keep_their_order:
    s40_order_under_schedule_1 1
    s40_order_under_schedule_2 2
    s40_order_under_schedule_3 3
}

#[test]
fn s40_order_under_a_slow_schedule() {
    isolated::run(&[("SCHEDULE", "slow(20)")], many_streams_keep_their_order);
}

#[test]
fn s40_null_is_the_default_stream() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        let notes = Notes::default();
        notes.add_in(null_mut(), 1);
        ok!(aclrtSynchronizeStream(null_mut()));
        assert_eq!(notes.all(), [1]);
    });
}

#[test]
fn s40_streams_do_not_wait_for_each_other() {
    isolated::run(&[], || {
        let held = a_stream();
        let free = made!(aclrtCreateStream());
        let gate = Gate::default();
        gate.hold(held);
        let notes = Notes::default();
        notes.add_in(held, 1);
        notes.add_in(free, 2);
        ok!(aclrtSynchronizeStream(free));
        assert_eq!(notes.all(), [2]);
        gate.open();
        ok!(aclrtSynchronizeStream(held));
        assert_eq!(notes.all(), [2, 1]);
    });
}

/// Two streams that nothing orders: with some seed the second must be seen to finish tasks before the first.
#[test]
fn s41_the_random_schedule_shuffles_streams() {
    isolated::run(&[("SCHEDULE", "random"), ("SEED", "7")], || {
        let (one, two) = (a_stream(), made!(aclrtCreateStream()));
        let notes = Notes::default();
        for _ in 0..100 {
            notes.add_in(one, 1);
            notes.add_in(two, 2);
        }
        ok!(aclrtSynchronizeDevice());
        let alternating: Vec<u32> = (0..200).map(|index| 1 + index % 2).collect();
        assert_ne!(notes.all(), alternating);
    });
}

#[test]
fn s41_issuing_blocks_only_while_the_queue_is_full() {
    isolated::run(&[], || {
        let stream = a_stream();
        let gate = Gate::default();
        gate.hold(stream);
        gate.wait_reached();
        let issued = Arc::new(AtomicU32::new(0));
        let (counter, handle) = (Arc::clone(&issued), SharedHandle::new(stream));
        let issuer = std::thread::spawn(move || {
            ok!(aclrtSetDevice(0));
            for _ in 0..1100 {
                push(handle.get(), || {});
                counter.fetch_add(1, Ordering::SeqCst);
            }
        });
        eventually("the queue is full", || issued.load(Ordering::SeqCst) == 1024);
        for _ in 0..50 {
            std::thread::yield_now();
            assert_eq!(issued.load(Ordering::SeqCst), 1024);
        }
        gate.open();
        issuer.join().unwrap();
        ok!(aclrtSynchronizeStream(stream));
    });
}

#[test]
fn s42_a_device_has_1984_streams_over_all_processes() {
    isolated::crew(2, &[("DEVICES", "2")], |rank, board| {
        ok!(aclrtSetDevice(0));
        board.meet("set", rank, 2);
        if rank == 0 {
            // Two default streams are taken.
            let free: u32 = queried!(aclrtGetStreamAvailableNum());
            assert_eq!(free, 1982);
            for _ in 0..1981 {
                made!(aclrtCreateStream());
            }
            let last = made!(aclrtCreateStream());
            assert_eq!(code!(aclrtCreateStream(nowhere())), 207008);
            board.post("full", b"");
            board.take("refused");
            ok!(aclrtDestroyStream(last));
            board.post("room", b"");
            board.take("end");
        } else {
            board.take("full");
            let mut stream = null_mut();
            assert_eq!(code!(aclrtCreateStream(&raw mut stream)), 207008);
            assert!(stream.is_null(), "untouched on failure");
            let free: u32 = queried!(aclrtGetStreamAvailableNum());
            assert_eq!(free, 0);
            board.post("refused", b"");
            board.take("room");
            made!(aclrtCreateStream());
            // Another device has its own.
            ok!(aclrtSetDevice(1));
            made!(aclrtCreateStream());
            board.post("end", b"");
        }
    });
}

#[test]
fn s42_a_device_has_65536_events() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        let free: u32 = queried!(aclrtGetEventAvailNum());
        assert_eq!(free, 65_536);
        let events: Vec<_> = (0..65_536).map(|_| made!(aclrtCreateEvent())).collect();
        assert_eq!(code!(aclrtCreateEvent(nowhere())), 207007);
        ok!(aclrtDestroyEvent(events[77]));
        let free: u32 = queried!(aclrtGetEventAvailNum());
        assert_eq!(free, 1);
        let event = made!(aclrtCreateEvent());
        let id: u32 = queried!(aclrtGetEventId(event));
        assert!(id < 65_536);
    });
}

#[test]
fn s42_a_device_has_8192_notifies() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        let notifies: Vec<_> = (0..8192).map(|_| made!(aclrtCreateNotify(0))).collect();
        assert_eq!(code!(aclrtCreateNotify(nowhere(), 0)), 207009);
        ok!(aclrtDestroyNotify(notifies[5]));
        made!(aclrtCreateNotify(0));
    });
}

#[test]
fn s43_flags_and_priorities() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        let mut stream = null_mut();
        assert_eq!(code!(aclrtCreateStreamWithConfig(null_mut(), 0, 0)), 100000);
        assert_eq!(code!(aclrtCreateStreamWithConfig(&raw mut stream, 0, 0x40)), 100000);
        assert!(last_error().contains("0x40"));
        assert_eq!(code!(aclrtCreateStreamWithConfig(&raw mut stream, 8, 0)), 107000);
        assert!(stream.is_null(), "untouched on failure");
        for flags in 0..0x40 {
            let stream = made!(aclrtCreateStreamWithConfig(flags % 8, flags));
            assert_eq!(queried!(aclrtStreamGetFlags(stream)), flags);
            assert_eq!(queried!(aclrtStreamGetPriority(stream)), flags % 8);
            let notes = Notes::default();
            notes.add_in(stream, flags);
            eventually("the task ran", || notes.all() == [flags]);
            ok!(aclrtDestroyStream(stream));
        }
    });
}

#[test]
fn s43_a_stream_from_a_configuration() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        let wishes = aclrtCreateStreamConfigHandle();
        let (flags, priority) = (3_usize, 5_u32);
        ok!(aclrtSetStreamConfigOpt(wishes, 2, (&raw const flags).cast(), 8));
        ok!(aclrtSetStreamConfigOpt(wishes, 3, (&raw const priority).cast(), 4));
        assert_eq!(code!(aclrtSetStreamConfigOpt(wishes, 3, (&raw const priority).cast(), 8)), 100000);
        assert_eq!(code!(aclrtSetStreamConfigOpt(wishes, 4, (&raw const priority).cast(), 4)), 100000);
        let stream = made!(aclrtCreateStreamV2(wishes));
        assert_eq!((queried!(aclrtStreamGetFlags(stream)), queried!(aclrtStreamGetPriority(stream))), (3, 5));
        ok!(aclrtDestroyStreamConfigHandle(wishes));
        assert_eq!(code!(aclrtDestroyStreamConfigHandle(wishes)), 107000);
        assert_eq!(code!(aclrtCreateStreamV2(nowhere(), wishes)), 107000);
    });
}

#[test]
fn s43_attributes_are_kept() {
    use ascend_acl_sys::raw::types::aclrtStreamAttrValue;
    isolated::run(&[], || {
        let stream = a_stream();
        for (attribute, value) in [(1, 1), (2, 1), (3, 77), (4, 1), (5, 4)] {
            let mut given = aclrtStreamAttrValue { failureMode: value };
            ok!(aclrtSetStreamAttribute(stream, attribute, &raw mut given));
            let found: aclrtStreamAttrValue = queried!(aclrtGetStreamAttribute(stream, attribute));
            // SAFETY: all fields are numbers, and the answer fills the largest.
            assert_eq!(unsafe { found.failureMode }, value, "attribute {attribute}");
        }
        let mut given = aclrtStreamAttrValue { failureMode: 8 };
        assert_eq!(code!(aclrtSetStreamAttribute(stream, 5, &raw mut given)), 107000);
        assert_eq!(code!(aclrtSetStreamAttribute(stream, 1, &raw mut given)), 100000);
        assert_eq!(code!(aclrtSetStreamAttribute(stream, 6, &raw mut given)), 100000);
        assert_eq!(code!(aclrtSetStreamAttribute(stream, 1, null_mut())), 100000);
    });
}

#[test]
fn s44_destroy_waits_for_queued_tasks() {
    isolated::run(&[("SCHEDULE", "slow(300)")], || {
        let stream = a_stream();
        let notes = Notes::default();
        for number in 0..20 {
            notes.add_in(stream, number);
        }
        ok!(aclrtDestroyStream(stream));
        assert_eq!(notes.count(), 20);
        assert_eq!(code!(aclrtDestroyStream(stream)), 107000);
        assert_eq!(code!(aclrtSynchronizeStream(stream)), 107000);
        assert_eq!(code!(aclrtStreamQuery(stream, nowhere())), 107000);
    });
}

#[test]
fn s44_forced_destroy_drops_queued_tasks() {
    isolated::run(&[], || {
        let stream = a_stream();
        let gate = Gate::default();
        gate.hold(stream);
        gate.wait_reached();
        let notes = Notes::default();
        notes.add_in(stream, 1);
        ok!(aclrtDestroyStreamForce(stream));
        assert_eq!(code!(aclrtDestroyStreamForce(stream)), 107000);
        gate.open();
        ok!(aclrtSynchronizeDevice());
        assert_eq!(notes.count(), 0);
    });
}

#[test]
fn s44_waiters_for_a_stream_destroyed_by_force_are_notified() {
    isolated::run(&[], || {
        let stream = a_stream();
        let gate = Gate::default();
        gate.hold(stream);
        let handle = SharedHandle::new(stream);
        let waiter = std::thread::spawn(move || {
            ok!(aclrtSetDevice(0));
            code!(aclrtSynchronizeStream(handle.get()))
        });
        gate.wait_reached();
        ok!(aclrtDestroyStreamForce(stream));
        // It waited for the stream, or came too late and found none.
        let code = waiter.join().unwrap();
        assert!([107000, 107023].contains(&code), "{code}");
    });
}

#[test]
fn s44_the_default_stream_is_not_destroyed() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        let default = {
            use ascend_sim::acl::contexts::aclrtCtxGetCurrentDefaultStream;
            made!(aclrtCtxGetCurrentDefaultStream())
        };
        assert_eq!(code!(aclrtDestroyStream(default)), 107003);
        assert_eq!(code!(aclrtDestroyStreamForce(default)), 107003);
        assert_eq!(code!(aclrtDestroyStream(null_mut())), 100000);
        ok!(aclrtSynchronizeStream(default));
    });
}

#[test]
fn s45_timed_waits() {
    isolated::run(&[], || {
        let stream = a_stream();
        assert_eq!(code!(aclrtSynchronizeStreamWithTimeout(stream, -2)), 107000);
        assert_eq!(code!(aclrtSynchronizeDeviceWithTimeout(-2)), 107000);
        ok!(aclrtSynchronizeStreamWithTimeout(stream, 0));
        let gate = Gate::default();
        gate.hold(stream);
        assert_eq!(code!(aclrtSynchronizeStreamWithTimeout(stream, 0)), 507046);
        assert_eq!(code!(aclrtSynchronizeStreamWithTimeout(stream, 5)), 507046);
        assert!(last_error().contains("unfinished"));
        assert_eq!(code!(aclrtSynchronizeDeviceWithTimeout(5)), 507046);
        assert_eq!(queried!(aclrtStreamQuery(stream)), 1);
        // The stream continues.
        gate.open();
        ok!(aclrtSynchronizeStreamWithTimeout(stream, -1));
        assert_eq!(queried!(aclrtStreamQuery(stream)), 0);
        ok!(aclrtSynchronizeDeviceWithTimeout(-1));
    });
}

#[test]
fn s45_host_does_not_synchronise_with_some_streams() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        for flag in [4, 0x10, 0x20] {
            let stream = made!(aclrtCreateStreamWithConfig(0, flag));
            let gate = Gate::default();
            gate.hold(stream);
            ok!(aclrtSynchronizeStream(stream));
            ok!(aclrtSynchronizeStreamWithTimeout(stream, 1));
            ok!(aclrtSynchronizeDevice());
            assert_eq!(queried!(aclrtStreamQuery(stream)), 1);
            gate.open();
        }
    });
}

#[test]
fn streams_are_bound_to_their_context() {
    isolated::run(&[("DEVICES", "2")], || {
        let stream = a_stream();
        ok!(aclrtSetDevice(1));
        assert_eq!(code!(aclrtSynchronizeStream(stream)), 107003);
        assert_eq!(code!(aclrtDestroyStream(stream)), 107003);
        let event = made!(aclrtCreateEvent());
        assert_eq!(code!(aclrtRecordEvent(event, stream)), 107003);
    });
}

#[test]
fn a_paused_device_starts_no_tasks() {
    isolated::run(&[], || {
        let stream = a_stream();
        let device = ascend_sim::context::current().unwrap().device.clone();
        device.pause();
        let notes = Notes::default();
        notes.add_in(stream, 1);
        assert_eq!(code!(aclrtSynchronizeStreamWithTimeout(stream, 20)), 507046);
        assert_eq!(notes.count(), 0);
        device.resume();
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!(notes.all(), [1]);
    });
}

#[test]
fn operation_timeouts_are_kept() {
    isolated::run(&[("OP_TIMEOUT", "7")], || {
        assert_eq!(queried!(aclrtGetOpExecuteTimeout()), 7000);
        ok!(aclrtSetOpExecuteTimeOut(3));
        assert_eq!(queried!(aclrtGetOpExecuteTimeout()), 3000);
        ok!(aclrtSetOpExecuteTimeOutWithMs(20));
        assert_eq!(queried!(aclrtGetOpExecuteTimeout()), 20);
        let actual: u64 = queried!(aclrtSetOpExecuteTimeOutV2(5000));
        assert_eq!((actual, queried!(aclrtGetOpExecuteTimeout())), (5000, 5));
    });
}

#[test]
fn null_results_are_refused() {
    isolated::run(&[], || {
        // Also without a device: the arguments are checked first.
        assert_eq!(code!(aclrtCreateStream(null_mut())), 100000);
        assert_eq!(code!(aclrtStreamQuery(null_mut(), null_mut())), 100000);
        assert_eq!(code!(aclrtStreamGetId(null_mut(), null_mut())), 100000);
        assert_eq!(code!(aclrtGetStreamAvailableNum(null_mut())), 100000);
        assert_eq!(code!(aclrtStreamGetFlags(null_mut(), null_mut())), 100000);
        assert_eq!(code!(aclrtStreamGetPriority(null_mut(), null_mut())), 100000);
        assert_eq!(code!(aclrtGetStreamAttribute(null_mut(), 1, null_mut())), 100000);
        assert_eq!(code!(aclrtCreateStreamV2(null_mut(), null_mut())), 100000);
        // And then the device.
        assert_eq!(code!(aclrtCreateStream(nowhere())), 107002);
        assert_eq!(code!(aclrtSynchronizeStream(null_mut())), 107002);
        assert_eq!(code!(aclrtSynchronizeDevice()), 107002);
    });
}
