// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Queries of memory: S19, S20.

use std::ffi::CStr;
use std::ptr::{null, null_mut};

use ascend_acl_sys::raw::types as raw;
use ascend_sim::acl::devices::*;
use ascend_sim::acl::memory::*;
use ascend_sim::acl::register::*;
use ascend_sim::acl::virtual_memory::addresses::*;

use super::*;
use crate::calls::nowhere;
use crate::isolated;

#[test]
fn s19_memory_info_needs_a_device_and_a_kind() {
    isolated::run(&[], || {
        let (mut free, mut total) = (0, 0);
        assert_eq!(code!(aclrtGetMemInfo(1, &raw mut free, &raw mut total)), 107002);
        ok!(aclrtSetDevice(0));
        assert_eq!(code!(aclrtGetMemInfo(1, null_mut(), &raw mut total)), 100000);
        assert_eq!(code!(aclrtGetMemInfo(1, &raw mut free, null_mut())), 100000);
        assert_eq!(code!(aclrtGetMemInfo(18, &raw mut free, &raw mut total)), 100000);
        assert_eq!((free, total), (0, 0));
    });
}

#[test]
fn s19_kinds_of_hbm_share_one_pool_without_ddr() {
    isolated::run(&[("HBM_BYTES", "64M")], || {
        ok!(aclrtSetDevice(0));
        device_memory(3 * MIB);
        for kind in 0..18 {
            let (mut free, mut total) = (1, 1);
            ok!(aclrtGetMemInfo(kind, &raw mut free, &raw mut total));
            let ddr = [0, 2, 3, 6, 7].contains(&kind);
            assert_eq!((free, total), if ddr { (0, 0) } else { (61 * MIB - 4096, 64 * MIB) }, "{kind}");
        }
    });
}

#[test]
fn s19_free_memory_counts_all_processes_and_no_addresses() {
    isolated::crew(2, &[("HBM_BYTES", "64M")], |rank, board| {
        ok!(aclrtSetDevice(0));
        board.meet("start", rank, 2);
        if rank == 0 {
            let block = made!(aclrtMallocAlign32(10 * MIB, NORMAL_ONLY));
            board.post("taken", b"");
            board.take("seen");
            ok!(aclrtFree(block));
            board.post("freed", b"");
        } else {
            board.take("taken");
            assert_eq!(budget(), (54 * MIB, 64 * MIB));
            let range = made!(aclrtReserveMemAddress(1 << 30, 0, null_mut(), 0));
            assert_eq!(budget().0, 54 * MIB);
            ok!(aclrtReleaseMemAddress(range));
            board.post("seen", b"");
            board.take("freed");
            assert_eq!(budget().0, 64 * MIB);
            ok!(aclrtSetDevice(1));
            assert_eq!(budget().0, 64 * MIB);
        }
    });
}

#[test]
fn s19_usage_names_this_process_and_the_others() {
    isolated::crew(2, &[("HBM_BYTES", "64M")], |rank, board| {
        ok!(aclrtSetDevice(0));
        let mib = MIB as u64;
        if rank == 0 {
            made!(aclrtMallocAlign32(4 * MIB, NORMAL_ONLY));
            let passing = made!(aclrtMallocAlign32(MIB, NORMAL_ONLY));
            ok!(aclrtFree(passing));
            board.post("taken", b"");
            board.take("seen");
        } else {
            board.take("taken");
            made!(aclrtMallocAlign32(2 * MIB, NORMAL_ONLY));
            let passing = made!(aclrtMallocAlign32(MIB, NORMAL_ONLY));
            ok!(aclrtFree(passing));
            let mut components = [raw::aclrtMemUsageInfo::default(); 5];
            let mut count = 0;
            ok!(aclrtGetMemUsageInfo(0, components.as_mut_ptr(), 5, &raw mut count));
            let found: Vec<_> = components[..count]
                .iter()
                .map(|component| {
                    // SAFETY: a name ends inside its 32 bytes.
                    let name = unsafe { CStr::from_ptr(component.name.as_ptr()) };
                    (name.to_str().unwrap().to_owned(), component.curMemSize, component.memPeakSize)
                })
                .collect();
            assert_eq!(
                found,
                [("OTHERS".to_owned(), 4 * mib, 4 * mib), ("APP".to_owned(), 2 * mib, 3 * mib)]
            );
            ok!(aclrtGetMemUsageInfo(0, components.as_mut_ptr(), 1, &raw mut count));
            assert_eq!(count, 1);
            assert_eq!(code!(aclrtGetMemUsageInfo(8, components.as_mut_ptr(), 1, &raw mut count)), 107001);
            assert_eq!(code!(aclrtGetMemUsageInfo(0, null_mut(), 1, &raw mut count)), 100000);
            assert_eq!(code!(aclrtGetMemUsageInfo(0, components.as_mut_ptr(), 0, &raw mut count)), 100000);
            assert_eq!(code!(aclrtGetMemUsageInfo(0, components.as_mut_ptr(), 1, null_mut())), 100000);
            board.post("seen", b"");
        }
    });
}

#[test]
fn s20_address_query_returns_the_memory_location() {
    both(&[], || {
        let (host, device) = (raw::ACL_MEM_LOCATION_TYPE_HOST, raw::ACL_MEM_LOCATION_TYPE_DEVICE);
        for id in [3, 0] {
            ok!(aclrtSetDevice(id.try_into().unwrap()));
            let normal = device_memory(100);
            let huge = made!(aclrtMalloc(3 * MIB, HUGE_ONLY));
            let giant = made!(aclrtMalloc(100, 6));
            for inside in [0, 1, 99] {
                assert_eq!(place(at(normal, inside)), (device, id, 4096));
                assert_eq!(place(at(huge, inside)), (device, id, 2 << 20));
                assert_eq!(place(at(giant, inside)), (device, id, 1 << 30));
            }
            assert_eq!(place(at(huge, 3 * MIB - 1)).0, device);
        }
        let pinned = host_memory(100);
        assert_eq!(place(at(pinned, 50)), (host, 0, 4096));
        let own = own_pages(1);
        assert_eq!(place(own), (raw::ACL_MEM_LOCATION_TYPE_UNREGISTERED, 0, 4096));
        ok!(aclrtHostRegisterV2(own, 4096, 0x1000_0000));
        assert_eq!(place(at(own, 77)), (host, 0, 4096));
        ok!(aclrtHostUnregister(own));
        assert_eq!(place(own).0, raw::ACL_MEM_LOCATION_TYPE_UNREGISTERED);
    });
}

#[test]
fn s20_device_numbers_are_user_numbers() {
    isolated::run(&[("=ASCEND_RT_VISIBLE_DEVICES", "5,2")], || {
        ok!(aclrtSetDevice(1));
        assert_eq!(place(device_memory(8)).1, 1);
    });
}

#[test]
fn s20_null_is_rejected() {
    isolated::run(&[], || {
        assert_eq!(code!(aclrtPointerGetAttributes(null(), nowhere())), 100000);
        assert_eq!(code!(aclrtPointerGetAttributes(at(null_mut(), 64), null_mut())), 100000);
        assert_eq!(place(at(null_mut(), 64)), (raw::ACL_MEM_LOCATION_TYPE_UNREGISTERED, 0, 4096));
    });
}

#[test]
fn s20_address_query_returns_its_allocation() {
    both(&[], || {
        ok!(aclrtSetDevice(0));
        for block in [device_memory(3200), device_memory(5 * MIB), host_memory(6400)] {
            let bytes = if place(block).0 == 0 { 6400 } else { 3200 };
            let (mut start, mut length) = (null_mut(), 0);
            ok!(aclrtMemGetAddressRange(at(block, 99), &raw mut start, &raw mut length));
            assert_eq!(start, block);
            assert!(length == bytes || length == 5 * MIB, "{length}");
            assert_eq!(code!(aclrtMemGetAddressRange(block, null_mut(), &raw mut length)), 100000);
            assert_eq!(code!(aclrtMemGetAddressRange(block, &raw mut start, null_mut())), 100000);
        }
        assert_eq!(code!(aclrtMemGetAddressRange(null_mut(), nowhere(), nowhere())), 100000);
        assert_eq!(code!(aclrtMemGetAddressRange(own_pages(1), nowhere(), nowhere())), 107000);
    });
}
