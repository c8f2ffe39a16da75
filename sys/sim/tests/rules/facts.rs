// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Device properties, state callbacks, and faults.

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Mutex;

use ascend_acl_sys::raw::types::{aclrtMemUceInfo, aclrtUuid};
use ascend_sim::acl::devices::*;
use ascend_sim::acl::exceptions::*;
use ascend_sim::acl::streams::*;
use ascend_sim::machine::machine;

use crate::calls::*;
use crate::isolated;

#[test]
fn facts_of_devices() {
    let cases = [("Ascend910B3", 2201, 0), ("Ascend910_9382", 2201, 1), ("Ascend950PR_9579", 3510, 2)];
    for (soc, arch, connect) in cases {
        let fact = |device, number| -> i64 { queried!(aclrtGetDeviceInfo(device, number)) };
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
            assert_eq!(fact(3, 407), if connect == 2 { 0x23 } else { 0 });
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
            let uuid: aclrtUuid = queried!(aclrtDeviceGetUuid(device));
            assert!(!all.chunks(16).any(|other: &[u8]| *other == uuid.bytes));
            all.extend(uuid.bytes);
        }
        board.post(&format!("uuids-{rank}"), &all);
        assert_eq!(board.take(&format!("uuids-{}", 1 - rank)), all);
        assert_eq!(code!(aclrtDeviceGetUuid(4, nowhere())), 107001);
    });
}

#[test]
fn device_attributes_are_queried() {
    isolated::run(&[("DEVICES", "4")], || {
        let (mut least, mut greatest) = (-1, -1);
        ok!(aclrtDeviceGetStreamPriorityRange(&raw mut least, &raw mut greatest));
        assert_eq!((least, greatest), (7, 0));
        assert_eq!(queried!(aclrtDeviceGetBareTgid()), std::process::id().cast_signed());
        for feature in [1, 21] {
            assert_eq!(queried!(aclrtGetDeviceCapability(0, feature)), 0);
        }
        assert_eq!(code!(aclrtGetDeviceCapability(0, 2, nowhere())), 100000);
        assert_eq!(code!(aclrtGetDeviceCapability(9, 1, nowhere())), 107001);
        let link = |one, other| -> u64 { queried!(aclrtGetDevicesTopo(one, other)) };
        assert_eq!((link(0, 1), link(1, 2), link(2, 2)), (0x20, 0x40, 0));
        assert_eq!(code!(aclrtGetDevicesTopo(0, 4, nowhere())), 107001);
        assert_eq!(code!(aclrtGetDevicesTopo(0, 1, null_mut())), 100000);
    });
}

#[test]
fn links_follow_the_settings() {
    isolated::run(&[("DEVICES", "4"), ("TOPOLOGY", "0-1:pix,2-3:phb")], || {
        let link = |one, other| -> u64 { queried!(aclrtGetDevicesTopo(one, other)) };
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
fn callbacks_are_notified_of_devices_being_set_and_reset() {
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
        let status = |device| -> u32 { queried!(aclrtQueryDeviceStatus(device)) };
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
        assert_eq!(queried!(aclrtQueryDeviceStatus(0)), 1);
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
        assert_eq!(queried!(aclrtQueryDeviceStatus(0)), 1);
        ok!(aclrtResetDevice(0));
        assert_eq!(queried!(aclrtQueryDeviceStatus(0)), 0);
        let stream = a_stream();
        ok!(aclrtDestroyStream(stream));
    });
}
