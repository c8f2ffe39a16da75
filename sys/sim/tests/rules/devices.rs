// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Devices and contexts: S3 to S7, and facts of devices.

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use ascend_acl_sys::raw::types::{aclrtMemUceInfo, aclrtUuid};
use ascend_sim::acl::callback::aclrtLaunchHostFunc;
use ascend_sim::acl::contexts::*;
use ascend_sim::acl::devices::*;
use ascend_sim::acl::events::*;
use ascend_sim::acl::exceptions::*;
use ascend_sim::acl::memcpy::aclrtMemcpyAsync;
use ascend_sim::acl::memory::*;
use ascend_sim::acl::notify::*;
use ascend_sim::acl::streams::*;
use ascend_sim::machine::machine;
use ascend_sim::session::Location;

use crate::calls::*;
use crate::isolated;

/// The device of this thread.
fn device() -> Result<i32, i32> {
    let mut device = -7;
    match code!(aclrtGetDevice(&raw mut device)) {
        0 => Ok(device),
        code => {
            assert_eq!(device, -7, "untouched on failure");
            Err(code)
        }
    }
}

fn on_another_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::spawn(work).join().unwrap()
}

/// Runs with some devices visible.
fn seeing(list: &'static str, body: fn()) {
    isolated::run(&[("DEVICES", "4")], || {
        // SAFETY: no other thread of this process looks at the environment now.
        unsafe { std::env::set_var("ASCEND_RT_VISIBLE_DEVICES", list) };
        body();
    });
}

#[test]
fn s3_without_the_variable_all_numbers_agree() {
    isolated::run(&[("DEVICES", "4")], || {
        let count: u32 = told!(aclrtGetDeviceCount());
        assert_eq!(count, 4);
        for number in 0..4 {
            assert_eq!(told!(aclrtGetLogicDevIdByUserDevId(number)), number);
            assert_eq!(told!(aclrtGetUserDevIdByLogicDevId(number)), number);
            assert_eq!(told!(aclrtGetLogicDevIdByPhyDevId(number)), number);
            assert_eq!(told!(aclrtGetPhyDevIdByLogicDevId(number)), number);
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
        let count: u32 = told!(aclrtGetDeviceCount());
        assert_eq!(count, 3);
        for (user, logical) in [(0, 3), (1, 1), (2, 0)] {
            assert_eq!(told!(aclrtGetLogicDevIdByUserDevId(user)), logical);
            assert_eq!(told!(aclrtGetUserDevIdByLogicDevId(logical)), user);
        }
        assert_eq!(code!(aclrtGetUserDevIdByLogicDevId(2, nowhere())), 107001, "not visible");
        ok!(aclrtSetDevice(0));
        assert_eq!(device(), Ok(0));
        // What it is does not depend on the number by which it is called.
        let chip: i64 = told!(aclrtGetDeviceInfo(0, 402));
        assert_eq!(chip, 3);
        assert_eq!(code!(aclrtSetDevice(3)), 107001);
    });
}

#[test]
fn s3_an_invalid_entry_ends_the_variable() {
    seeing("2,9,1", || {
        let count: u32 = told!(aclrtGetDeviceCount());
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
        let active = || -> i32 { told!(aclrtGetPrimaryCtxState(0, null_mut())) };
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
        // Three references, whoever took them.
        ok!(aclrtResetDevice(0));
        ok!(aclrtResetDevice(0));
        assert_eq!((active(), device()), (1, Ok(0)));
        ok!(aclrtResetDevice(0));
        assert_eq!((active(), device()), (0, Err(107002)));
    });
}

#[test]
fn s5_a_reset_ends_all_that_the_process_has_on_the_device() {
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
            (told!(aclrtGetStreamAvailableNum()), told!(aclrtGetEventAvailNum()));
        assert_eq!((streams, events), (1983, 65_536));
        // The other device is as it was.
        ok!(aclrtSetDevice(1));
        ok!(aclrtSynchronizeStream(elsewhere.0));
        ok!(aclrtFree(elsewhere.1));
    });
}

#[test]
fn s5_a_reset_waits_for_nothing_that_is_queued() {
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

/// Threads that set, use and reset a device while others do: whatever they are told, nothing crashes or hangs.
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
        // Whatever references are left go.
        let _ = code!(aclrtResetDeviceForce(0));
        ok!(aclrtSetDevice(0));
        let streams: u32 = told!(aclrtGetStreamAvailableNum());
        assert_eq!(streams, 1983);
    });
}

#[test]
fn s6_a_context_selects_its_device() {
    isolated::run(&[], || {
        let one = made!(aclrtCreateContext(1));
        assert_eq!(device(), Ok(1), "a new context is the thread's");
        let two = made!(aclrtCreateContext(2));
        assert_eq!((device(), made!(aclrtGetCurrentContext())), (Ok(2), two));
        ok!(aclrtSetCurrentContext(one));
        assert_eq!((device(), made!(aclrtGetCurrentContext())), (Ok(1), one));
        let shared = Shared::new(two);
        let other = on_another_thread(move || {
            ok!(aclrtSetCurrentContext(shared.get()));
            device()
        });
        assert_eq!((device(), other), (Ok(1), Ok(2)));
        // Many, so that none is remembered for long.
        let contexts: Vec<_> = (0..8).map(|device| (device, made!(aclrtCreateContext(device)))).collect();
        for _ in 0..3 {
            for (number, context) in &contexts {
                ok!(aclrtSetCurrentContext(*context));
                assert_eq!(device(), Ok(*number));
            }
        }
    });
}

#[test]
fn s6_destroying_the_current_context_leaves_none() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        let primary = made!(aclrtGetCurrentContext());
        let context = made!(aclrtCreateContext(0));
        let stream = made!(aclrtCreateStream());
        Gate::default().hold(stream);
        ok!(aclrtDestroyContext(context));
        assert_eq!(device(), Err(107002));
        assert_eq!(code!(aclrtGetCurrentContext(nowhere())), 107002);
        assert_eq!(code!(aclrtSynchronizeStream(null_mut())), 107002);
        assert_eq!(code!(aclrtSetCurrentContext(context)), 107000);
        assert_eq!(code!(aclrtDestroyContext(context)), 107000);
        ok!(aclrtSetCurrentContext(primary));
        assert_eq!(code!(aclrtSynchronizeStream(stream)), 107000, "its streams went with it");
        assert_eq!(code!(aclrtDestroyContext(primary)), 107000, "that ends with its device");
        assert_eq!(code!(aclrtDestroyContext(null_mut())), 100000);
        assert_eq!(code!(aclrtSetCurrentContext(null_mut())), 100000);
    });
}

#[test]
fn s6_a_context_destroyed_by_another_thread_is_gone_here() {
    isolated::run(&[], || {
        let context = made!(aclrtCreateContext(0));
        let shared = Shared::new(context);
        on_another_thread(move || ok!(aclrtDestroyContext(shared.get())));
        assert_eq!(device(), Err(107002));
        assert_eq!(code!(aclrtSetCurrentContext(context)), 107000);
    });
}

#[test]
fn s6_streams_are_bound_to_their_context() {
    isolated::run(&[], || {
        let stream = a_stream();
        let primary = made!(aclrtGetCurrentContext());
        made!(aclrtCreateContext(0));
        assert_eq!(code!(aclrtSynchronizeStream(stream)), 107003);
        assert_eq!(code!(aclrtDestroyStream(stream)), 107003);
        let default = made!(aclrtCtxGetCurrentDefaultStream());
        ok!(aclrtSynchronizeStream(default));
        ok!(aclrtSetCurrentContext(primary));
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!(code!(aclrtSynchronizeStream(default)), 107003);
    });
}

#[test]
fn s7_a_process_that_ends_without_finalize_leaves_nothing() {
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
            || -> (u32, u32) { (told!(aclrtGetStreamAvailableNum()), told!(aclrtGetEventAvailNum())) };
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

#[test]
fn facts_of_devices() {
    let cases = [("Ascend910B3", 2201, 0), ("Ascend910_9382", 2201, 1), ("Ascend950PR_9579", 3510, 2)];
    for (soc, arch, connect) in cases {
        let fact = |device, number| -> i64 { told!(aclrtGetDeviceInfo(device, number)) };
        isolated::run(&[("SOC", soc), ("DEVICES", "4"), ("HBM_BYTES", "1G"), ("SERVER", "2")], || {
            if std::env::var("ASCEND_SIM_SOC").unwrap() != soc {
                return;
            }
            let machine = machine().unwrap();
            assert_eq!(fact(0, 101), i64::from(machine.product.cube_cores));
            assert_eq!(fact(0, 102), i64::from(machine.product.cube_cores));
            assert_eq!(fact(0, 201), i64::from(machine.product.vector_cores));
            assert_eq!(fact(0, 204).cast_unsigned(), machine.product.ub_bytes);
            assert_eq!((fact(0, 301), fact(0, 302)), (1 << 30, 192 << 20));
            assert_eq!((fact(3, 402), fact(3, 403)), (3, (2 << 22) | (3 << 16) | 3));
            assert_eq!((fact(3, 404), fact(3, 405)), (2, 0));
            assert_eq!((fact(0, 408), fact(0, 501), fact(0, 601)), (connect, 0, arch));
            assert!(fact(0, 1) > 0 && fact(0, 208) == 65_535);
            for number in [202, 203, 205, 206, 207] {
                let code = code!(aclrtGetDeviceInfo(0, number, nowhere()));
                assert_eq!(code, if arch == 3510 { 0 } else { 207000 }, "attribute {number}");
            }
            assert_eq!(code!(aclrtGetDeviceInfo(0, 2, nowhere())), 100000);
            assert_eq!(code!(aclrtGetDeviceInfo(4, 101, nowhere())), 107001);
            assert_eq!(code!(aclrtGetDeviceInfo(0, 101, null_mut())), 100000);
        });
    }
}

#[test]
fn every_device_has_its_own_stable_uuid() {
    isolated::crew(2, &[("DEVICES", "4")], |rank, board| {
        let mut all = Vec::new();
        for device in 0..4 {
            let uuid: aclrtUuid = told!(aclrtDeviceGetUuid(device));
            assert!(!all.chunks(16).any(|other: &[u8]| *other == uuid.bytes));
            all.extend(uuid.bytes);
        }
        board.post(&format!("uuids-{rank}"), &all);
        assert_eq!(board.take(&format!("uuids-{}", 1 - rank)), all);
        assert_eq!(code!(aclrtDeviceGetUuid(4, nowhere())), 107001);
    });
}

#[test]
fn small_questions() {
    isolated::run(&[("DEVICES", "4")], || {
        let (mut least, mut greatest) = (-1, -1);
        ok!(aclrtDeviceGetStreamPriorityRange(&raw mut least, &raw mut greatest));
        assert_eq!((least, greatest), (7, 0));
        assert_eq!(told!(aclrtDeviceGetBareTgid()), std::process::id().cast_signed());
        for feature in [1, 21] {
            assert_eq!(told!(aclrtGetDeviceCapability(0, feature)), 0);
        }
        assert_eq!(code!(aclrtGetDeviceCapability(0, 2, nowhere())), 100000);
        assert_eq!(code!(aclrtGetDeviceCapability(9, 1, nowhere())), 107001);
        let link = |one, other| -> u64 { told!(aclrtGetDevicesTopo(one, other)) };
        assert_eq!((link(0, 1), link(1, 2), link(2, 2)), (0x20, 0x40, 0));
        assert_eq!(code!(aclrtGetDevicesTopo(0, 4, nowhere())), 107001);
        assert_eq!(code!(aclrtGetDevicesTopo(0, 1, null_mut())), 100000);
    });
}

#[test]
fn links_follow_the_settings() {
    isolated::run(&[("DEVICES", "4"), ("TOPOLOGY", "0-1:pix,2-3:phb")], || {
        let link = |one, other| -> u64 { told!(aclrtGetDevicesTopo(one, other)) };
        assert_eq!((link(0, 1), link(3, 2), link(1, 2)), (2, 8, 0));
    });
}

static CHANGES: Mutex<Vec<(i32, u32, usize)>> = Mutex::new(Vec::new());
unsafe extern "C" fn changed(device: i32, state: u32, argument: *mut c_void) {
    // Calls are allowed: nothing is locked.
    let _ = code!(aclrtGetDeviceCount(nowhere()));
    CHANGES.lock().unwrap().push((device, state, argument.addr()));
}

#[test]
fn callbacks_hear_of_devices_being_set_and_reset() {
    isolated::run(&[], || {
        let argument = std::ptr::without_provenance_mut(77);
        ok!(aclrtRegDeviceStateCallback(c"one".as_ptr(), Some(changed), argument));
        assert_eq!(code!(aclrtRegDeviceStateCallback(c"one".as_ptr(), Some(changed), argument)), 107000);
        assert_eq!(code!(aclrtRegDeviceStateCallback(std::ptr::null(), Some(changed), argument)), 100000);
        ok!(aclrtSetDevice(3));
        ok!(aclrtSetDevice(3));
        ok!(aclrtResetDevice(3));
        assert_eq!(*CHANGES.lock().unwrap(), [(3, 0, 77), (3, 1, 77)]);
        ok!(aclrtResetDevice(3));
        assert_eq!(*CHANGES.lock().unwrap(), [(3, 0, 77), (3, 1, 77), (3, 2, 77), (3, 3, 77)]);
        ok!(aclrtRegDeviceStateCallback(c"one".as_ptr(), None, null_mut()));
        assert_eq!(code!(aclrtRegDeviceStateCallback(c"one".as_ptr(), None, null_mut())), 107000);
        ok!(aclrtSetDevice(3));
        assert_eq!(CHANGES.lock().unwrap().len(), 4);
    });
}

#[test]
fn hardware_errors_show_until_they_are_repaired() {
    isolated::run(&[("DEVICES", "2")], || {
        let stream = a_stream();
        let status = |device| -> u32 { told!(aclrtQueryDeviceStatus(device)) };
        push_failure(stream, 507015);
        assert_eq!(code!(aclrtSynchronizeStream(stream)), 507015);
        assert_eq!(status(0), 0, "a wrong kernel is no broken device");
        push_failure(stream, 507054);
        assert_eq!(code!(aclrtSynchronizeStream(stream)), 507054);
        assert_eq!((status(0), status(1)), (1, 0));
        let mut details = [0_u8; 256];
        let info = details.as_mut_ptr().cast();
        assert_eq!(code!(aclrtGetErrorVerbose(0, info)), 207000);
        assert!(last_error().contains("507054"));
        assert_eq!(code!(aclrtGetErrorVerbose(0, null_mut())), 100000);
        ok!(aclrtRepairError(0, info));
        assert_eq!(status(0), 0);
        // A reset repairs too.
        push_failure(stream, 507054);
        assert_eq!(code!(aclrtSynchronizeStream(stream)), 507054);
        ok!(aclrtResetDevice(0));
        assert_eq!(status(0), 0);
        assert_eq!(code!(aclrtQueryDeviceStatus(2, nowhere())), 107001);
    });
}

#[test]
fn broken_memory_is_listed() {
    isolated::run(&[], || {
        let mut found = [aclrtMemUceInfo::default(); 2];
        let mut count = 7;
        ok!(aclrtGetMemUceInfo(0, found.as_mut_ptr(), 2, &raw mut count));
        assert_eq!(count, 0);
        let health = &machine().unwrap().devices.get(0).unwrap().health;
        for number in 1..4 {
            health.break_memory(number << 20, 4096);
        }
        ok!(aclrtGetMemUceInfo(0, found.as_mut_ptr(), 2, &raw mut count));
        assert_eq!(count, 2);
        assert_eq!((found[1].addr.addr(), found[1].len), (2 << 20, 4096));
        assert_eq!(told!(aclrtQueryDeviceStatus(0)), 1);
        assert_eq!(code!(aclrtGetMemUceInfo(0, found.as_mut_ptr(), 0, &raw mut count)), 100000);
        assert_eq!(code!(aclrtGetMemUceInfo(0, null_mut(), 2, &raw mut count)), 100000);
        assert_eq!(code!(aclrtGetMemUceInfo(9, found.as_mut_ptr(), 2, &raw mut count)), 107001);
    });
}

#[test]
fn a_lost_device_works_again_after_a_reset() {
    isolated::run(&[], || {
        let stream = a_stream();
        machine()
            .unwrap()
            .session
            .set_lost(machine().unwrap().devices.get(0).unwrap().physical, true)
            .unwrap();
        assert_eq!(code!(aclrtSynchronizeStream(stream)), 507899);
        assert_eq!(told!(aclrtQueryDeviceStatus(0)), 1);
        ok!(aclrtResetDevice(0));
        assert_eq!(told!(aclrtQueryDeviceStatus(0)), 0);
        let stream = a_stream();
        ok!(aclrtDestroyStream(stream));
    });
}
