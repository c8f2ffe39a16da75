// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Peer access: S38.

use std::ptr::null_mut;

use ascend_sim::acl::contexts::*;
use ascend_sim::acl::devices::*;
use ascend_sim::acl::memcpy::*;
use ascend_sim::acl::peer::*;

use super::*;
use crate::isolated;

const A2: [(&str, &str); 1] = [("SOC", "Ascend910B3")];

fn status(device: i32, peer: i32) -> i32 {
    queried!(aclrtDevicePeerAccessStatus(device, peer))
}

#[test]
fn s38_devices_reach_each_other_and_not_themselves() {
    isolated::run(&[("DEVICES", "2")], || {
        let can = |device, peer| {
            let mut can = 7;
            (code!(aclrtDeviceCanAccessPeer(&raw mut can, device, peer)), can)
        };
        assert_eq!(can(0, 1), (0, 1));
        assert_eq!(can(1, 0), (0, 1));
        assert_eq!(can(1, 1), (0, 0));
        assert_eq!(can(0, 2), (107001, 7));
        assert_eq!(can(-1, 1), (107001, 7));
        assert_eq!(code!(aclrtDeviceCanAccessPeer(null_mut(), 0, 1)), 100000);
    });
}

#[test]
fn s38_missing_links_cannot_be_enabled() {
    isolated::run(&[("DEVICES", "4"), ("TOPOLOGY", "0-1:hccs,2-3:hccs")], || {
        let mut can = 7;
        ok!(aclrtDeviceCanAccessPeer(&raw mut can, 0, 2));
        assert_eq!(can, 0);
        ok!(aclrtDeviceCanAccessPeer(&raw mut can, 2, 3));
        assert_eq!(can, 1);
        ok!(aclrtSetDevice(2));
        let far = device_memory(8);
        ok!(aclrtSetDevice(0));
        assert_eq!(code!(aclrtDeviceEnablePeerAccess(2, 0)), 107000);
        ok!(aclrtDeviceEnablePeerAccess(1, 0));
        let near = device_memory(8);
        assert_eq!(code!(aclrtMemcpy(near, 8, far, 8, D2D)), 107000);
    });
}

#[test]
fn s38_access_is_enabled_for_one_way_and_may_be_twice() {
    isolated::run(&A2, || {
        assert_eq!(code!(aclrtDeviceEnablePeerAccess(1, 0)), 107002);
        ok!(aclrtSetDevice(0));
        assert_eq!((status(0, 1), status(1, 0)), (0, 0));
        assert_eq!(code!(aclrtDeviceEnablePeerAccess(1, 1)), 100000);
        assert_eq!(code!(aclrtDeviceEnablePeerAccess(0, 0)), 107000);
        assert_eq!(code!(aclrtDeviceEnablePeerAccess(8, 0)), 107001);
        assert_eq!(code!(aclrtDeviceEnablePeerAccess(-1, 0)), 107001);
        ok!(aclrtDeviceEnablePeerAccess(1, 0));
        ok!(aclrtDeviceEnablePeerAccess(1, 0));
        assert_eq!((status(0, 1), status(1, 0)), (1, 0));
        ok!(aclrtDeviceDisablePeerAccess(1));
        assert_eq!(status(0, 1), 0);
        assert_eq!(code!(aclrtDeviceDisablePeerAccess(1)), 107000);
        assert_eq!(code!(aclrtDevicePeerAccessStatus(0, 8, crate::calls::nowhere())), 107001);
        assert_eq!(code!(aclrtDevicePeerAccessStatus(0, 1, null_mut())), 100000);
    });
}

#[test]
fn s38_access_belongs_to_the_context_and_ends_with_it() {
    isolated::run(&A2, || {
        ok!(aclrtSetDevice(0));
        let context = made!(aclrtCreateContext(0));
        ok!(aclrtDeviceEnablePeerAccess(1, 0));
        ok!(aclrtSetDevice(0));
        assert_eq!(code!(aclrtDeviceDisablePeerAccess(1)), 107000, "another context's");
        assert_eq!(status(0, 1), 1);
        ok!(aclrtDestroyContext(context));
        assert_eq!(status(0, 1), 0);
        ok!(aclrtDeviceEnablePeerAccess(1, 0));
        ok!(aclrtResetDeviceForce(0));
        assert_eq!(status(0, 1), 0);
    });
}
