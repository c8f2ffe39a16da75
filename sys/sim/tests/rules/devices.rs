// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Devices: S3 to S5.

use std::ptr::null_mut;

use ascend_sim::acl::contexts::*;
use ascend_sim::acl::devices::*;
use ascend_sim::acl::events::*;
use ascend_sim::acl::memory::*;
use ascend_sim::acl::notify::*;
use ascend_sim::acl::streams::*;
use ascend_sim::machine::machine;
use ascend_sim::session::Location;

use crate::calls::*;
use crate::isolated;

/// The device of this thread.
pub(crate) fn device() -> Result<i32, i32> {
    let mut device = -7;
    match code!(aclrtGetDevice(&raw mut device)) {
        0 => Ok(device),
        code => {
            assert_eq!(device, -7, "untouched on failure");
            Err(code)
        }
    }
}

pub(crate) fn on_another_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::spawn(work).join().unwrap()
}

/// Runs with some devices visible.
fn seeing(list: &'static str, body: fn()) {
    isolated::run(&[("DEVICES", "4")], || {
        // SAFETY: no other thread of this process reads the environment now.
        unsafe { std::env::set_var("ASCEND_RT_VISIBLE_DEVICES", list) };
        body();
    });
}

#[test]
fn s3_without_the_variable_all_numbers_agree() {
    isolated::run(&[("DEVICES", "4")], || {
        let count: u32 = queried!(aclrtGetDeviceCount());
        assert_eq!(count, 4);
        for number in 0..4 {
            assert_eq!(queried!(aclrtGetLogicDevIdByUserDevId(number)), number);
            assert_eq!(queried!(aclrtGetUserDevIdByLogicDevId(number)), number);
            assert_eq!(queried!(aclrtGetLogicDevIdByPhyDevId(number)), number);
            assert_eq!(queried!(aclrtGetPhyDevIdByLogicDevId(number)), number);
        }
        for number in [-1, 4] {
            assert_eq!(code!(aclrtSetDevice(number)), 107001);
            assert!(last_error().contains(&number.to_string()));
            assert_eq!(code!(aclrtGetLogicDevIdByUserDevId(number, nowhere())), 107001);
            assert_eq!(code!(aclrtGetUserDevIdByLogicDevId(number, nowhere())), 107001);
            assert_eq!(code!(aclrtGetLogicDevIdByPhyDevId(number, nowhere())), 107001);
            assert_eq!(code!(aclrtGetPhyDevIdByLogicDevId(number, nowhere())), 107001);
        }
    });
}

#[test]
fn s3_user_numbers_are_positions_in_the_variable() {
    seeing("3, 1,0", || {
        let count: u32 = queried!(aclrtGetDeviceCount());
        assert_eq!(count, 3);
        for (user, logical) in [(0, 3), (1, 1), (2, 0)] {
            assert_eq!(queried!(aclrtGetLogicDevIdByUserDevId(user)), logical);
            assert_eq!(queried!(aclrtGetUserDevIdByLogicDevId(logical)), user);
        }
        assert_eq!(code!(aclrtGetUserDevIdByLogicDevId(2, nowhere())), 107001, "not visible");
        ok!(aclrtSetDevice(0));
        assert_eq!(device(), Ok(0));
        // The chip does not depend on the device number.
        let chip: i64 = queried!(aclrtGetDeviceInfo(0, 402));
        assert_eq!(chip, 3);
        assert_eq!(code!(aclrtSetDevice(3)), 107001);
    });
}

#[test]
fn s3_an_invalid_entry_ends_the_variable() {
    seeing("2,9,1", || {
        let count: u32 = queried!(aclrtGetDeviceCount());
        assert_eq!(count, 1);
        assert_eq!(code!(aclrtSetDevice(1)), 107001);
    });
}

#[test]
fn s3_no_device_may_be_visible() {
    seeing("none", || {
        assert_eq!(code!(aclrtGetDeviceCount(nowhere())), 207004);
        assert_eq!(code!(aclrtSetDevice(0)), 107001);
    });
}

#[test]
fn s4_a_thread_starts_without_device() {
    isolated::run(&[], || {
        assert_eq!(device(), Err(107002));
        assert_eq!(code!(aclrtGetDevice(null_mut())), 100000);
        ok!(aclrtSetDevice(1));
        assert_eq!(device(), Ok(1));
        assert_eq!(on_another_thread(device), Err(107002));
        let other = on_another_thread(|| {
            ok!(aclrtSetDevice(0));
            device()
        });
        assert_eq!((device(), other), (Ok(1), Ok(0)));
    });
}

#[test]
fn s4_threads_share_the_primary_context_and_its_references() {
    isolated::run(&[], || {
        let active = || -> i32 { queried!(aclrtGetPrimaryCtxState(0, null_mut())) };
        assert_eq!(active(), 0);
        ok!(aclrtSetDevice(0));
        assert_eq!(active(), 1);
        let own = made!(aclrtGetCurrentContext());
        let others = on_another_thread(|| {
            ok!(aclrtSetDevice(0));
            ok!(aclrtSetDevice(0));
            made!(aclrtGetCurrentContext()).addr()
        });
        assert_eq!(own.addr(), others);
        // Three references, by any thread.
        ok!(aclrtResetDevice(0));
        ok!(aclrtResetDevice(0));
        assert_eq!((active(), device()), (1, Ok(0)));
        ok!(aclrtResetDevice(0));
        assert_eq!((active(), device()), (0, Err(107002)));
    });
}

#[test]
fn s5_reset_ends_all_objects_of_the_process_on_the_device() {
    isolated::run(&[("DEVICES", "2")], || {
        ok!(aclrtSetDevice(1));
        let elsewhere = (made!(aclrtCreateStream()), made!(aclrtMalloc(4096, 0)));
        let stream = a_stream();
        let place = Location::Device(0);
        let free = || machine().unwrap().session.budget(place).unwrap().0;
        let before = free();
        let (event, notify) = (made!(aclrtCreateEvent()), made!(aclrtCreateNotify(0)));
        let memory = made!(aclrtMalloc(8 << 20, 0));
        assert!(free() < before);
        ok!(aclrtResetDevice(0));
        assert_eq!(device(), Err(107002));
        assert_eq!(free(), before);
        for code in [code!(aclrtResetDevice(0)), code!(aclrtResetDeviceForce(0))] {
            assert!([107001, 107002].contains(&code), "{code}");
        }
        ok!(aclrtSetDevice(0));
        assert_eq!(code!(aclrtSynchronizeStream(stream)), 107000);
        assert_eq!(code!(aclrtRecordEvent(event, null_mut())), 107000);
        assert_eq!(code!(aclrtRecordNotify(notify, null_mut())), 107000);
        assert_eq!(code!(aclrtFree(memory)), 107000);
        let (streams, events): (u32, u32) =
            (queried!(aclrtGetStreamAvailableNum()), queried!(aclrtGetEventAvailNum()));
        assert_eq!((streams, events), (1983, 65_536));
        // The other device is as it was.
        ok!(aclrtSetDevice(1));
        ok!(aclrtSynchronizeStream(elsewhere.0));
        ok!(aclrtFree(elsewhere.1));
    });
}

#[test]
fn s5_reset_does_not_wait_for_queued_tasks() {
    isolated::run(&[], || {
        let stream = a_stream();
        let notes = Notes::default();
        let notify = made_notify();
        ok!(aclrtWaitAndResetNotify(notify, stream, 0));
        notes.add_in(stream, 1);
        Gate::default().hold(null_mut());
        ok!(aclrtResetDevice(0));
        ok!(aclrtSetDevice(0));
        ok!(aclrtSynchronizeDevice());
        assert_eq!(notes.count(), 0);
    });
}

fn made_notify() -> Handle {
    made!(aclrtCreateNotify(0))
}

#[test]
fn s5_force_drops_all_references() {
    isolated::run(&[], || {
        for _ in 0..3 {
            ok!(aclrtSetDevice(0));
        }
        ok!(aclrtResetDeviceForce(0));
        assert_eq!(device(), Err(107002));
        assert_eq!(code!(aclrtResetDeviceForce(2)), 107002, "never set");
        assert_eq!(code!(aclrtResetDeviceForce(99)), 107001);
    });
}
