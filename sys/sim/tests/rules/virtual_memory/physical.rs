// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Physical memory and its handles.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use ascend_sim::acl::devices::*;
use ascend_sim::acl::memory::*;
use ascend_sim::acl::virtual_memory::*;

use super::*;
use crate::isolated;

fn granularity(prop: aclrtPhysicalMemProp, option: u32) -> (i32, usize) {
    let (mut prop, mut step) = (prop, 7);
    (code!(aclrtMemGetAllocationGranularity(&raw mut prop, option, &raw mut step)), step)
}

#[test]
fn s25_granularity_follows_the_pages() {
    isolated::run(&[], || {
        set(0);
        for option in [0, 1] {
            for attribute in [4, 8, 13, 16] {
                assert_eq!(granularity(prop(attribute, place(DEVICE, 0)), option), (0, STEP));
            }
            for attribute in [10, 11, 14, 17] {
                assert_eq!(granularity(prop(attribute, place(DEVICE, 0)), option), (0, GIB));
            }
            for location in [place(HOST, 0), place(NUMA, 0)] {
                assert_eq!(granularity(prop(ANY_NORMAL, location), option), (0, 4096));
                assert_eq!(granularity(prop(ANY_HUGE, location), option), (0, STEP));
                assert_eq!(granularity(prop(ANY_GIANT, location), option), (0, GIB));
            }
        }
    });
}

#[test]
fn s25_granularity_rejects_invalid_properties() {
    isolated::run(&[("DEVICES", "2")], || {
        set(0);
        let good = hbm(0);
        assert_eq!(granularity(good, 2), (100_000, 7));
        assert_eq!(granularity(good, 0xffff), (100_000, 7));
        assert_eq!(granularity(aclrtPhysicalMemProp { memAttr: 18, ..good }, 0), (100_000, 7));
        assert_eq!(granularity(aclrtPhysicalMemProp { memAttr: 1, ..good }, 0), (107_000, 7));
        assert_eq!(granularity(hbm(2), 0), (107_001, 7));
        let (mut prop, mut step) = (good, 7);
        assert_eq!(code!(aclrtMemGetAllocationGranularity(null_mut(), 0, &raw mut step)), 100_000);
        assert_eq!(code!(aclrtMemGetAllocationGranularity(&raw mut prop, 0, null_mut())), 100_000);
    });
}

#[test]
fn s26_physical_memory_checks_its_arguments() {
    isolated::run(&[("DEVICES", "2")], || {
        set(0);
        let good = hbm(0);
        let refused = |bytes, prop| {
            let (code, handle) = try_create(bytes, prop);
            assert_eq!(handle.addr(), 7);
            code
        };
        assert_eq!(refused(0, good), 100_000);
        assert_eq!(refused(STEP + 4096, good), 107_000);
        assert_eq!(refused(STEP, prop(HBM_GIANT, place(DEVICE, 0))), 107_000);
        assert_eq!(refused(4096, prop(HBM_NORMAL, place(DEVICE, 0))), 107_000);
        assert_eq!(refused(STEP, aclrtPhysicalMemProp { handleType: 1, ..good }), 100_000);
        assert_eq!(refused(STEP, aclrtPhysicalMemProp { handleType: 2, ..good }), 107_000);
        assert_eq!(refused(STEP, aclrtPhysicalMemProp { allocationType: 1, ..good }), 100_000);
        assert_eq!(refused(STEP, aclrtPhysicalMemProp { memAttr: 18, ..good }), 100_000);
        assert_eq!(refused(STEP, aclrtPhysicalMemProp { reserve: 1, ..good }), 100_000);
        assert_eq!(refused(STEP, hbm(2)), 107_001);
        assert_eq!(refused(STEP, hbm(u32::MAX)), 107_001);
        assert_eq!(refused(STEP, prop(HBM_HUGE, place(HOST, 0))), 107_000);
        assert_eq!(refused(STEP, prop(HBM_HUGE, place(NUMA, 0))), 107_000);
        assert_eq!(refused(STEP, prop(ANY_HUGE, place(HOST, 1))), 107_000);
        assert_eq!(refused(STEP, prop(ANY_HUGE, place(NUMA, 4000))), 107_000);
        assert_eq!(refused(STEP, prop(ANY_HUGE, place(2, 0))), 107_000);
        assert_eq!(refused(STEP, prop(ANY_HUGE, place(3, 0))), 100_000);
        let mut handle = null_mut();
        assert_eq!(code!(aclrtMallocPhysical(null_mut(), STEP, &raw const good, 0)), 100_000);
        assert_eq!(code!(aclrtMallocPhysical(&raw mut handle, STEP, null(), 0)), 100_000);
        assert_eq!(code!(aclrtMallocPhysical(&raw mut handle, STEP, &raw const good, 1)), 100_000);
    });
}

#[test]
fn s26_physical_memory_counts_at_once() {
    isolated::run(&[("HBM_BYTES", "16777216"), ("HOST_BYTES", "8388608")], || {
        set(0);
        assert_eq!(free_bytes(0), 16 << 20);
        let handle = create(10 * MIB, hbm(0));
        assert_eq!(free_bytes(0), 6 << 20);
        assert_eq!(try_create(8 * MIB, hbm(0)).0, 207_001);
        assert_eq!(try_create(8 * MIB, hbm(1)).0, 0);
        assert_eq!(free(handle), 0);
        assert_eq!(free_bytes(0), 16 << 20);
        // The host's memory has a separate limit, common to all nodes.
        let host = create(6 * MIB, prop(ANY_NORMAL, place(HOST, 0)));
        assert_eq!(try_create(4 * MIB, prop(ANY_HUGE, place(NUMA, 0))).0, 207_001);
        assert_eq!(free(host), 0);
        assert_eq!(try_create(4 * MIB, prop(ANY_HUGE, place(NUMA, 0))).0, 0);
    });
}

#[test]
fn s27_memory_stays_as_long_as_it_is_mapped() {
    both(|| {
        set(0);
        let before = free_bytes(0);
        let (start, handle) = mapped(2 * STEP, 0);
        assert_eq!(write(start, &[1, 2, 3]), 0);
        assert_eq!(free(handle), 0);
        assert_eq!(free_bytes(0), before - 2 * STEP as u64);
        assert_eq!(read(start, 3), Ok(vec![1, 2, 3]));
        assert_eq!(unmap(start), 0);
        assert_eq!(free_bytes(0), before);
    });
}

#[test]
fn s27_a_handle_is_freed_once() {
    isolated::run(&[], || {
        set(0);
        let handle = create(STEP, hbm(0));
        assert_eq!(free(null_mut()), 100_000);
        assert_eq!(free(handle.wrapping_byte_add(8)), 107_000);
        assert_eq!(free(handle), 0);
        assert_eq!(free(handle), 107_000);
        assert_eq!(map(reserve(STEP), STEP, handle), 107_000);
    });
}

#[test]
fn s35_retained_handle_is_separate() {
    both(|| {
        set(0);
        let before = free_bytes(0);
        let (start, handle) = mapped(2 * STEP, 0);
        assert_eq!(write(start, b"kept"), 0);
        let mut retained = 7 as *mut c_void;
        let inside = start.wrapping_byte_add(STEP + 123);
        assert_eq!(code!(aclrtMemRetainAllocationHandle(inside, &raw mut retained)), 0);
        assert_eq!(free(handle), 0);
        assert_eq!(unmap(start), 0);
        assert_eq!(free_bytes(0), before - 2 * STEP as u64);
        let again = reserve(2 * STEP);
        assert_eq!(map(again, 2 * STEP, retained), 0);
        assert_eq!(read(again, 4).unwrap(), b"kept");
        assert_eq!(free(retained), 0);
        assert_eq!(free(retained), 107_000);
        // From a mapping without remaining handles.
        assert_eq!(code!(aclrtMemRetainAllocationHandle(again, &raw mut retained)), 0);
        assert_eq!(unmap(again), 0);
        assert_eq!(free(retained), 0);
        assert_eq!(free_bytes(0), before);
        assert_eq!(code!(aclrtMemRetainAllocationHandle(again, &raw mut retained)), 107_000);
        assert_eq!(code!(aclrtMemRetainAllocationHandle(again, null_mut())), 100_000);
    });
}

#[test]
fn s35_acl_retains_no_allocation() {
    isolated::run(&[], || {
        set(0);
        let mut p = null_mut();
        assert_eq!(code!(aclrtMalloc(&raw mut p, STEP, 0)), 0);
        let mut handle = null_mut();
        assert_eq!(code!(aclrtMemRetainAllocationHandle(p, &raw mut handle)), 107_000);
    });
}

#[test]
fn s26_properties_equal_the_request() {
    isolated::run(&[("DEVICES", "2")], || {
        set(0);
        for asked in [
            hbm(1),
            prop(8, place(DEVICE, 0)),
            prop(HBM_NORMAL, place(DEVICE, 0)),
            prop(ANY_HUGE, place(DEVICE, 0)),
            prop(ANY_NORMAL, place(HOST, 0)),
            prop(15, place(NUMA, 0)),
        ] {
            let mut found = prop(99, place(99, 99));
            let handle = create(STEP, asked);
            assert_eq!(code!(aclrtMemGetAllocationPropertiesFromHandle(handle, &raw mut found)), 0);
            assert_eq!((found.handleType, found.allocationType, found.reserve), (0, 0, 0));
            assert_eq!((found.memAttr, found.location.type_, found.location.id), {
                (asked.memAttr, asked.location.type_, asked.location.id)
            });
        }
        let mut found = hbm(0);
        assert_eq!(code!(aclrtMemGetAllocationPropertiesFromHandle(null_mut(), &raw mut found)), 100_000);
        assert_eq!(
            code!(aclrtMemGetAllocationPropertiesFromHandle(8 as *mut c_void, &raw mut found)),
            107_000
        );
    });
}

#[test]
fn s5_a_reset_frees_physical_memory_and_mappings() {
    both(|| {
        set(1);
        let (other, _) = mapped(STEP, 1);
        assert_eq!(write(other, b"stays"), 0);
        set(0);
        let before = free_bytes(0);
        let (start, handle) = mapped(STEP, 0);
        assert_eq!(code!(aclrtResetDevice(0)), 0);
        assert_eq!(free_bytes(0), before);
        set(1);
        assert_eq!(free(handle), 107_000);
        assert_eq!(unmap(start), 107_000);
        // The addresses are still reserved, and empty.
        assert_eq!(release(start), 0);
        assert_eq!(read(other, 5).unwrap(), b"stays");
    });
}
