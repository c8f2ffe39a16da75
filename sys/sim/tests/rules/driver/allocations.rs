// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Allocations of the driver, and its queries of addresses and devices.

use std::ptr::null_mut;

use ascend_sim::acl::memory::*;
use ascend_sim::acl::register::*;
use ascend_sim::hal::devices::*;
use ascend_sim::hal::memory::*;
use ascend_sim::hal::share::*;

use super::*;
use crate::isolated;

use crate::virtual_memory::{A2, A3, A5, MIB, TIB, both, both_crews, each, free_bytes, read, set, write};

const DEVICE: u64 = 1 << 10;
const HOST: u64 = 2 << 10;
const HBM: u64 = 1 << 14;
const HUGE: u64 = 1 << 17;
const GIANT: u64 = 1 << 31;

fn try_alloc(bytes: u64, flag: u64) -> (i32, *mut c_void) {
    let mut start = 7 as *mut c_void;
    (code!(halMemAlloc(&raw mut start, bytes, flag)), start)
}

fn alloc(bytes: u64, flag: u64) -> *mut c_void {
    let (code, start) = try_alloc(bytes, flag);
    assert_eq!(code, 0);
    start
}

fn attribute(address: u64) -> (i32, DVattribute) {
    let mut found = DVattribute { memType: 7, ..DVattribute::default() };
    (code!(drvMemGetAttribute(address, &raw mut found)), found)
}

/// The kind of memory at an address, its device and its pages.
fn kind(start: *const c_void) -> (u32, u32, u32) {
    let (code, found) = attribute(start.addr() as u64);
    assert_eq!(code, 0);
    (found.memType, found.devId, found.pageSize)
}

#[test]
fn s69_flag_selects_the_memory() {
    both(|| {
        set(3);
        let before = free_bytes(3);
        for (flag, page) in
            [(DEVICE | HBM | 3, 4096), (DEVICE | HBM | HUGE | 3, 2 << 20), (HUGE | 3, 2 << 20)]
        {
            let start = alloc(STEP as u64, flag | 33 << 56 | 1 << 25);
            assert_eq!(kind(start), (0x10, 3, page));
            assert_eq!(free_bytes(3), before - STEP as u64);
            assert_eq!(write(start, b"device"), 0);
            assert_eq!(read(start, 6).unwrap(), b"device");
            ok!(halMemFree(start));
            assert_eq!(free_bytes(3), before);
        }
        assert_eq!(kind(alloc(5, DEVICE | HBM | GIANT | 3)), (0x10, 3, 1 << 30));
        assert_eq!(free_bytes(3), before - (1 << 30));
        let host = alloc(8192, HOST);
        assert_eq!(kind(host), (0x8, 0, 4096));
        // SAFETY: fresh memory of the host.
        unsafe { host.cast::<u64>().write(9) };
        ok!(halMemFree(host));
    });
}

#[test]
fn s69_wrong_flags_and_sizes() {
    isolated::run(&[("DEVICES", "2"), ("HBM_BYTES", "8388608")], || {
        let nothing = 7 as *mut c_void;
        assert_eq!(code!(halMemAlloc(null_mut(), 1, DEVICE)), INVALID_VALUE);
        assert_eq!(try_alloc(0, DEVICE), (INVALID_VALUE, nothing));
        assert_eq!(try_alloc(1, DEVICE | 2), (INVALID_DEVICE, nothing));
        assert_eq!(try_alloc(1, 3 << 10), (INVALID_MALLOC_TYPE, nothing));
        assert_eq!(try_alloc(16 << 20, DEVICE | HUGE), (OUT_OF_MEMORY, nothing));
        assert_eq!(try_alloc(u64::MAX, DEVICE | HUGE), (OUT_OF_MEMORY, nothing));
        let start = alloc(100, DEVICE);
        assert_eq!(code!(halMemFree(null_mut())), INVALID_VALUE);
        assert_eq!(code!(halMemFree(start.wrapping_byte_add(32))), INVALID_VALUE);
        ok!(halMemFree(start));
        assert_eq!(code!(halMemFree(start)), INVALID_VALUE);
    });
}

#[test]
fn s67_attributes_describe_an_address() {
    both(|| {
        set(1);
        let mut allocation = null_mut();
        ok!(aclrtMalloc(&raw mut allocation, 3 * MIB, 0));
        assert_eq!(kind(allocation.wrapping_byte_add(2 * MIB)), (0x10, 1, 2 << 20));
        let (start, _) = mapped(2 * STEP, hbm(2));
        assert_eq!(kind(start.wrapping_byte_add(STEP + 3)), (0x10, 2, 2 << 20));
        let mut host = null_mut();
        ok!(aclrtMallocHost(&raw mut host, 100));
        assert_eq!(kind(host), (0x8, 0, 4096));
        let numa = reserve(GIB, 0, 2);
        assert_eq!(map(numa, GIB, create(GIB, dram())), 0);
        assert_eq!(kind(numa), (0x8, 0, 1 << 30));
        let plain = [0_u8; 8];
        assert_eq!(kind(plain.as_ptr().cast()), (0x80, 0, 4096));
        let pages = pages();
        let mut on_device = null_mut();
        ok!(aclrtHostRegister(pages, 8192, 0, &raw mut on_device));
        assert_eq!(kind(pages), (0x100, 0, 4096));
    });
}

/// Two pages of the process.
fn pages() -> *mut c_void {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: takes free addresses only.
    unsafe { libc::mmap(null_mut(), 8192, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0) }
}

#[test]
fn s67_unmapped_window_addresses_do_not_exist() {
    isolated::run(&[], || {
        for address in [16 * TIB, 19 * TIB, 24 * TIB - 1] {
            assert_eq!(attribute(address as u64).0, NOT_EXIST, "{address:#x}");
        }
        let reserved = reserve(GIB, 30 * TIB, REMOTE);
        assert_eq!(attribute(reserved.addr() as u64).0, NOT_EXIST);
        assert_eq!(attribute(u64::MAX).1.memType, 0x80);
        assert_eq!(attribute(0).0, INVALID_VALUE);
        assert_eq!(attribute(0).1.memType, 7);
        assert_eq!(code!(drvMemGetAttribute(8, null_mut())), INVALID_VALUE);
    });
}

#[test]
fn s68_allocation_can_be_retained_as_a_shareable_handle() {
    both_crews(2, |rank, board| {
        set(0);
        let bytes = 4 * MIB;
        if rank == 0 {
            let mut start = null_mut();
            ok!(aclrtMalloc(&raw mut start, bytes, 0));
            assert_eq!(write(start, b"allocated"), 0);
            let mut handle = null_mut();
            ok!(halMemRetainAllocationHandle(&raw mut handle, start.wrapping_byte_add(MIB)));
            let mut share = MemShareHandle { share_info: [0; 128] };
            ok!(halMemExportToShareableHandleV2(handle, FABRIC, 1, &raw mut share));
            // It is one memory, so it has one export.
            let mut again = null_mut();
            ok!(halMemRetainAllocationHandle(&raw mut again, start));
            assert_eq!(
                code!(halMemExportToShareableHandleV2(again, FABRIC, 1, &raw mut share)),
                INVALID_VALUE
            );
            board.post("handle", &share.share_info);
            board.take("written");
            assert_eq!(read(start, 9).unwrap(), b"changed it"[..9]);
            ok!(aclrtFree(start));
            board.post("freed", b"");
            board.take("done");
        } else {
            let mut share = MemShareHandle { share_info: board.take("handle").try_into().unwrap() };
            let mut handle = null_mut();
            ok!(halMemImportFromShareableHandleV2(FABRIC, &raw mut share, 0, &raw mut handle));
            let start = reserve(bytes, 0x2a00_4000_0000, REMOTE);
            assert_eq!(map(start, bytes, handle), 0);
            assert_eq!(read(start, 9).unwrap(), b"allocated");
            assert_eq!(write(start, b"changed it"), 0);
            board.post("written", b"");
            board.take("freed");
            assert_eq!(read(start, 10).unwrap(), b"changed it");
            board.post("done", b"");
        }
    });
}

#[test]
fn s68_allocations_with_shared_pages_cannot_be_retained() {
    isolated::run(&[], || {
        set(0);
        let mut start = null_mut();
        ok!(aclrtMalloc(&raw mut start, 1000, 0));
        let mut handle = 7 as Handle;
        assert_eq!(code!(halMemRetainAllocationHandle(&raw mut handle, start)), INVALID_VALUE);
        assert_eq!(handle.addr(), 7);
    });
}

#[test]
fn s68_address_ranges_are_those_of_allocations_and_mappings() {
    isolated::run(&[], || {
        set(0);
        let (start, _) = mapped(2 * STEP, hbm(0));
        let range = |address: u64| {
            let (mut base, mut size) = (7, 7);
            (code!(halMemGetAddressRange(address, &raw mut base, &raw mut size)), base, size)
        };
        let at = start.addr() as u64;
        assert_eq!(range(at + STEP as u64 + 5), (0, at, 2 * STEP));
        assert_eq!(range(at + 2 * STEP as u64), (INVALID_VALUE, 7, 7));
        let mut allocation = null_mut();
        ok!(aclrtMalloc(&raw mut allocation, 64, 0));
        let at = allocation.addr() as u64;
        assert_eq!(range(at + 63), (0, at, 64));
        assert_eq!(range(0), (INVALID_VALUE, 7, 7));
        let mut size = 0;
        ok!(halMemGetAddressRange(at, null_mut(), &raw mut size));
        assert_eq!(size, 64);
        assert_eq!(code!(halMemGetAddressRange(at, null_mut(), null_mut())), INVALID_VALUE);
    });
}

#[test]
fn s3_the_driver_counts_devices_of_the_server() {
    isolated::run(&[("DEVICES", "4")], || {
        // SAFETY: no other thread of this test reads the environment.
        unsafe { std::env::set_var("ASCEND_RT_VISIBLE_DEVICES", "3,1") };
        assert_eq!(found::<u32>(|count| code!(drvGetDevNum(count))), 4);
        assert_eq!(code!(drvGetDevNum(null_mut())), INVALID_VALUE);
        // The program's device 0 is the server's device 3.
        set(0);
        let before = free_bytes(3);
        let mut start = null_mut();
        ok!(aclrtMalloc(&raw mut start, STEP, 1));
        assert_eq!(kind(start).1, 3);
        create(STEP, hbm(3));
        assert_eq!(before - free_bytes(3), 3 * STEP as u64);
    });
}

fn found<T: Default>(call: impl FnOnce(*mut T) -> i32) -> T {
    let mut value = T::default();
    assert_eq!(call(&raw mut value), 0);
    value
}

#[test]
fn s3_facts_of_devices() {
    isolated::run(&[A3, ("DEVICES", "4"), ("SERVER", "2")], || {
        let fact =
            |device, module, info| found::<i64>(|value| code!(halGetDeviceInfo(device, module, info, value)));
        assert_eq!(fact(3, 0, 26), 2 << 22 | 3 << 16 | 3);
        assert_eq!(fact(3, 0, 27), 2);
        assert_eq!((fact(3, 0, 18), fact(3, 0, 19)), (1, 1));
        assert_eq!((fact(0, 4, 3), fact(0, 7, 3)), (24, 48));
        let mut value = 7;
        assert_eq!(code!(halGetDeviceInfo(4, 0, 26, &raw mut value)), INVALID_DEVICE);
        assert_eq!(code!(halGetDeviceInfo(0, 0, 999, &raw mut value)), INVALID_VALUE);
        assert_eq!(code!(halGetDeviceInfo(0, 99, 3, &raw mut value)), INVALID_VALUE);
        assert_eq!(code!(halGetDeviceInfo(0, 0, 26, null_mut())), INVALID_VALUE);
        assert_eq!(value, 7);
    });
}

#[test]
fn s3_host_device_link_type_follows_the_product() {
    each(1, &[&[A2], &[A3], &[A5]], |_, _| {
        let found = found::<i64>(|value| code!(halGetDeviceInfo(0, 0, 40, value)));
        let expected = match std::env::var("ASCEND_SIM_SOC").unwrap().as_str() {
            soc if soc == A2.1 => 0,
            soc if soc == A3.1 => 1,
            _ => 2,
        };
        assert_eq!(found, expected);
    });
}

#[test]
fn s38_devices_of_a_server_reach_each_other() {
    isolated::run(&[("DEVICES", "2")], || {
        let can = |one, other| {
            let mut can = 7;
            (code!(halDeviceCanAccessPeer(&raw mut can, one, other)), can)
        };
        assert_eq!(can(0, 1), (0, 1));
        assert_eq!(can(1, 1), (0, 0));
        assert_eq!(can(0, 2), (INVALID_DEVICE, 7));
        assert_eq!(code!(halDeviceCanAccessPeer(null_mut(), 0, 1)), INVALID_VALUE);
    });
}
