// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Reserving, making, mapping, rights.

use std::ptr::{null, null_mut};

use ascend_sim::acl::devices::aclrtResetDevice;

use super::*;
use crate::isolated;
use crate::virtual_memory::{A2, A3, A5, MIB, TIB, both, each, free_bytes, read, set, write};

#[test]
fn s61_reserve_checks_its_arguments() {
    isolated::run(&[], || {
        let mut start = 7 as *mut c_void;
        assert_eq!(code!(halMemAddressReserve(null_mut(), STEP, 0, null_mut(), 0)), INVALID_VALUE);
        assert_eq!(code!(halMemAddressReserve(&raw mut start, STEP, STEP, null_mut(), 0)), INVALID_VALUE);
        assert_eq!(try_reserve(0, 0, 0), (INVALID_VALUE, 7));
        assert_eq!(try_reserve(MIB, 0, 0), (INVALID_VALUE, 7));
        assert_eq!(try_reserve(STEP, 0, 3), (INVALID_VALUE, 7));
        assert_eq!(try_reserve(STEP, 0, 0x400), (INVALID_VALUE, 7));
        for page in 0..=2 {
            assert_eq!(try_reserve(STEP, 0, page).0, 0);
        }
    });
}

#[test]
fn s61_shared_and_remote_ranges_need_an_address() {
    isolated::run(&[], || {
        for flag in [SHARE, REMOTE, SHARE | REMOTE, REMOTE | 2] {
            assert_eq!(try_reserve(STEP, 0, flag), (NOT_SUPPORT, 7));
        }
        assert_eq!(try_reserve(STEP, 21 * TIB, SHARE), (0, 21 * TIB));
    });
}

#[test]
fn s61_addresses_lie_in_the_dynamic_window() {
    isolated::run(&[], || {
        for at in [20 * TIB, 24 * TIB - STEP] {
            assert_eq!(try_reserve(STEP, at, 0), (0, at));
        }
        // Upstream's meta space.
        assert_eq!(try_reserve(GIB, 0x17ff_8000_0000, 0), (0, 0x17ff_8000_0000));
        for at in [20 * TIB - STEP, 24 * TIB, STEP, 16 * TIB] {
            assert_eq!(try_reserve(STEP, at, 0), (INVALID_VALUE, 7), "{at:#x}");
        }
    });
}

#[test]
fn s61_remote_ranges_begin_at_24_tib() {
    isolated::run(&[], || {
        for at in [24 * TIB, 0x2a00_4000_0000, 100 * TIB] {
            assert_eq!(try_reserve(GIB, at, REMOTE), (0, at));
            assert_eq!(try_reserve(GIB, at, REMOTE), (OUT_OF_MEMORY, 7));
        }
        assert_eq!(try_reserve(GIB, 24 * TIB - GIB, REMOTE), (INVALID_VALUE, 7));
    });
}

#[test]
fn s61_addresses_are_aligned_to_the_size_up_to_1_gib() {
    isolated::run(&[], || {
        for (bytes, wrong, right) in
            [(STEP, MIB, STEP), (65 * MIB, 64 * MIB, 128 * MIB), (GIB + STEP, 512 * MIB, 3 * GIB)]
        {
            for (base, flag) in [(22 * TIB, 0), (30 * TIB, REMOTE)] {
                assert_eq!(try_reserve(bytes, base + wrong, flag), (INVALID_VALUE, 7));
                assert_eq!(try_reserve(bytes, base + right, flag), (0, base + right));
                assert_eq!(free_address((base + right) as *mut c_void), 0);
            }
        }
    });
}

#[test]
fn s61_addresses_are_freed_once_and_empty() {
    isolated::run(&[], || {
        let (start, handle) = mapped(STEP, hbm(0));
        assert_eq!(free_address(null_mut()), INVALID_VALUE);
        assert_eq!(free_address(start), INVALID_VALUE);
        assert_eq!(unmap(start), 0);
        assert_eq!(free_address(start), 0);
        assert_eq!(free_address(start), INVALID_VALUE);
        assert_eq!(release(handle), 0);
    });
}

#[test]
fn s61_the_950_takes_hints_for_remote_ranges_and_meta_area_only() {
    isolated::run(&[A5], || {
        assert_eq!(try_reserve(STEP, 21 * TIB, 0), (NOT_SUPPORT, 7));
        assert_eq!(try_reserve(GIB, 0x17ff_8000_0000, 0), (0, 0x17ff_8000_0000));
        assert_eq!(try_reserve(STEP, 0x17ff_8000_0000 - STEP, 0), (NOT_SUPPORT, 7));
        assert_eq!(try_reserve(STEP, 30 * TIB, REMOTE).0, 0);
    });
}

#[test]
fn s62_create_checks_its_arguments() {
    isolated::run(&[("DEVICES", "2")], || {
        let mut handle = 7 as Handle;
        let good = hbm(0);
        assert_eq!(code!(halMemCreate(null_mut(), STEP, &raw const good, 0)), INVALID_VALUE);
        assert_eq!(code!(halMemCreate(&raw mut handle, STEP, null(), 0)), INVALID_VALUE);
        assert_eq!(code!(halMemCreate(&raw mut handle, STEP, &raw const good, 1)), INVALID_VALUE);
        let refused = |bytes, prop| {
            let (code, handle) = try_create(bytes, prop);
            assert_eq!(handle.addr(), 7);
            code
        };
        assert_eq!(refused(0, good), INVALID_VALUE);
        assert_eq!(refused(STEP + MIB, good), INVALID_VALUE);
        assert_eq!(refused(STEP, drv_mem_prop { pg_type: 2, ..good }), INVALID_VALUE);
        assert_eq!(refused(STEP, drv_mem_prop { pg_type: 3, ..good }), INVALID_VALUE);
        assert_eq!(refused(STEP, drv_mem_prop { side: 3, ..good }), INVALID_VALUE);
        assert_eq!(refused(STEP, drv_mem_prop { mem_type: 5, ..good }), INVALID_VALUE);
        assert_eq!(refused(STEP, drv_mem_prop { mem_type: 1, ..good }), INVALID_VALUE);
        assert_eq!(refused(GIB, drv_mem_prop { mem_type: 0, ..dram() }), INVALID_VALUE);
        assert_eq!(refused(STEP, drv_mem_prop { reserve: 1, ..good }), INVALID_VALUE);
        assert_eq!(refused(STEP, hbm(2)), INVALID_DEVICE);
        assert_eq!(refused(GIB, drv_mem_prop { devid: 4000, ..dram() }), INVALID_VALUE);
        assert_eq!(try_create(STEP, drv_mem_prop { mem_type: 2, ..good }).0, 0);
        assert_eq!(try_create(GIB, dram()).0, 0);
    });
}

#[test]
fn s62_create_charges_memory_at_once_and_release_returns_it() {
    isolated::run(&[("HBM_BYTES", "8388608")], || {
        let handle = create(6 * MIB, hbm(0));
        assert_eq!(free_bytes(0), 2 << 20);
        assert_eq!(try_create(4 * MIB, hbm(0)), (OUT_OF_MEMORY, 7 as Handle));
        assert_eq!(release(null_mut()), INVALID_VALUE);
        assert_eq!(release(handle), 0);
        assert_eq!(release(handle), INVALID_HANDLE);
        assert_eq!(free_bytes(0), 8 << 20);
    });
}

#[test]
fn s62_handles_of_acl_and_driver_are_not_interchangeable() {
    isolated::run(&[], || {
        set(0);
        let ours = create(STEP, hbm(0));
        let theirs = crate::virtual_memory::create(STEP, crate::virtual_memory::hbm(0));
        assert_eq!(release(theirs.cast()), INVALID_HANDLE);
        assert_eq!(crate::virtual_memory::free(ours.cast()), 107_000);
        // Their addresses are the same process's.
        let start = crate::virtual_memory::reserve(STEP);
        assert_eq!(map(start, STEP, ours), 0);
        assert_eq!(crate::virtual_memory::unmap(start), 0);
    });
}

#[test]
fn s63_map_checks_its_arguments() {
    isolated::run(&[], || {
        let (start, handle) = (reserve(4 * STEP, 0, 1), create(STEP, hbm(0)));
        assert_eq!(map(null_mut(), STEP, handle), INVALID_VALUE);
        assert_eq!(map(start, 0, handle), INVALID_VALUE);
        assert_eq!(map(start, STEP, null_mut()), INVALID_VALUE);
        assert_eq!(map(start, STEP, 8 as Handle), INVALID_HANDLE);
        assert_eq!(map(start, 2 * STEP, handle), INVALID_VALUE);
        assert_eq!(map(start.wrapping_byte_add(MIB), STEP, handle), INVALID_VALUE);
        assert_eq!(code!(halMemMap(start, STEP, STEP, handle, 0)), INVALID_VALUE);
        assert_eq!(code!(halMemMap(start, STEP, 0, handle, 1)), INVALID_VALUE);
        assert_eq!(map(start, STEP, handle), 0);
        assert_eq!(map(start, STEP, handle), INVALID_VALUE);
        assert_eq!(unmap(start.wrapping_byte_add(STEP)), INVALID_VALUE);
        assert_eq!(unmap(null_mut()), INVALID_VALUE);
        assert_eq!(unmap(start), 0);
        assert_eq!(unmap(start), INVALID_VALUE);
        let giant = create(GIB, drv_mem_prop { pg_type: 2, ..hbm(0) });
        let large = reserve(3 * GIB, 0, 2);
        assert_eq!(map(large.wrapping_byte_add(512 * MIB), GIB, giant), INVALID_VALUE);
        assert_eq!(map(large.wrapping_byte_add(GIB), GIB, giant), 0);
    });
}

#[test]
fn s63_host_memory_in_a_remote_range_is_cpu_accessible() {
    both(|| {
        set(0);
        let start = reserve(GIB, 0x2a00_4000_0000, REMOTE);
        assert_eq!(map(start, GIB, create(GIB, dram())), 0);
        assert_eq!(write(start, b"from the device"), 0);
        let characters: *const [u8; 15] = start.cast();
        // SAFETY: mapped above, and no longer written.
        assert_eq!(unsafe { characters.read() }, *b"from the device");
        assert_eq!(unmap(start), 0);
    });
}

#[test]
fn s63_a2_maps_no_host_memory_for_its_devices() {
    isolated::run(&[A2], || {
        let start = reserve(GIB, 0x2a00_4000_0000, REMOTE);
        assert_eq!(map(start, GIB, create(GIB, dram())), NOT_SUPPORT);
        assert_eq!(map(start, STEP, create(STEP, hbm(0))), 0);
    });
}

fn grant(start: *mut c_void, bytes: usize, type_: u32, location: drv_mem_location) -> i32 {
    let mut description = drv_mem_access_desc { type_, location, rsv: [0; 2] };
    code!(halMemSetAccess(start, bytes, &raw mut description, 1))
}

fn rights(start: *mut c_void, location: drv_mem_location) -> (i32, u64) {
    let (mut location, mut flags) = (location, 77);
    (code!(halMemGetAccess(start, &raw mut location, &raw mut flags)), flags)
}

#[test]
fn s65_rights_are_given_once() {
    isolated::run(&[], || {
        let (start, _) = mapped(STEP, hbm(0));
        let device = |id| drv_mem_location { id, side: 1 };
        assert_eq!(rights(start, device(1)), (0, 0x7fff_ffff));
        assert_eq!(grant(start, STEP, 1, device(1)), 0);
        assert_eq!(grant(start, STEP, 1, device(1)), 0);
        assert_eq!(grant(start, STEP, 3, device(1)), BUSY);
        assert_eq!(grant(start, STEP, 0, device(1)), BUSY);
        assert_eq!(rights(start.wrapping_byte_add(MIB), device(1)), (0, 1));
        assert_eq!(rights(start, device(2)), (0, 0x7fff_ffff));
        assert_eq!(grant(start, STEP, 3, device(2)), 0);
        assert_eq!(rights(start, device(2)), (0, 3));
        assert_eq!(grant(start, STEP, 0, device(3)), 0);
        assert_eq!(rights(start, device(3)), (0, 0));
        assert_eq!(grant(start, STEP, 3, drv_mem_location { id: 0, side: 2 }), 0);
    });
}

#[test]
fn s65_rights_check_their_arguments() {
    isolated::run(&[("DEVICES", "2")], || {
        let (start, _) = mapped(2 * STEP, hbm(0));
        let device = drv_mem_location { id: 1, side: 1 };
        assert_eq!(grant(null_mut(), STEP, 3, device), INVALID_VALUE);
        assert_eq!(grant(start, 0, 3, device), INVALID_VALUE);
        assert_eq!(grant(start, STEP, 3, device), INVALID_VALUE);
        assert_eq!(grant(start.wrapping_byte_add(STEP), STEP, 3, device), INVALID_VALUE);
        assert_eq!(grant(start, 2 * STEP, 2, device), INVALID_VALUE);
        assert_eq!(grant(start, 2 * STEP, 3, drv_mem_location { id: 2, side: 1 }), INVALID_DEVICE);
        assert_eq!(grant(start, 2 * STEP, 3, drv_mem_location { id: 0, side: 3 }), INVALID_VALUE);
        assert_eq!(code!(halMemSetAccess(start, 2 * STEP, null_mut(), 1)), INVALID_VALUE);
        let (mut location, mut flags) = (device, 0);
        assert_eq!(code!(halMemGetAccess(null_mut(), &raw mut location, &raw mut flags)), INVALID_VALUE);
        assert_eq!(code!(halMemGetAccess(start, null_mut(), &raw mut flags)), INVALID_VALUE);
        assert_eq!(code!(halMemGetAccess(start, &raw mut location, null_mut())), INVALID_VALUE);
        assert_eq!(unmap(start), 0);
        assert_eq!(rights(start, device), (INVALID_VALUE, 77));
    });
}

fn granularity(prop: drv_mem_prop, option: i32) -> (i32, usize) {
    let mut step = 7;
    (code!(halMemGetAllocationGranularity(&raw const prop, option, &raw mut step)), step)
}

#[test]
fn s66_granularity_follows_the_pages() {
    isolated::run(&[], || {
        for option in [0, 1] {
            assert_eq!(granularity(dram(), option), (0, GIB));
            assert_eq!(granularity(drv_mem_prop { pg_type: 1, ..dram() }, option), (0, STEP));
            assert_eq!(granularity(drv_mem_prop { pg_type: 0, ..dram() }, option), (0, 4096));
            assert_eq!(granularity(hbm(0), option), (0, STEP));
            assert_eq!(granularity(drv_mem_prop { pg_type: 2, ..hbm(0) }, option), (0, GIB));
        }
        for option in [2, -1] {
            assert_eq!(granularity(hbm(0), option), (INVALID_VALUE, 7));
        }
        let mut step = 0;
        assert_eq!(code!(halMemGetAllocationGranularity(null(), 0, &raw mut step)), INVALID_VALUE);
        let prop = dram();
        assert_eq!(code!(halMemGetAllocationGranularity(&raw const prop, 0, null_mut())), INVALID_VALUE);
    });
}

#[test]
fn s66_properties_equal_the_request() {
    isolated::run(&[], || {
        for asked in [
            drv_mem_prop { module_id: 33, ..hbm(3) },
            drv_mem_prop { mem_type: 2, ..hbm(0) },
            drv_mem_prop { devid: 0, ..dram() },
            drv_mem_prop { side: 0, devid: 0, pg_type: 1, mem_type: 1, ..dram() },
        ] {
            let handle = create(GIB, asked);
            let mut found = drv_mem_prop::default();
            ok!(halMemGetAllocationPropertiesFromHandle(&raw mut found, handle));
            let all = |p: drv_mem_prop| (p.side, p.devid, p.module_id, p.pg_type, p.mem_type, p.reserve);
            assert_eq!(all(found), all(asked));
        }
        let mut found = drv_mem_prop::default();
        let unknown = 8 as Handle;
        assert_eq!(code!(halMemGetAllocationPropertiesFromHandle(&raw mut found, unknown)), INVALID_HANDLE);
        assert_eq!(code!(halMemGetAllocationPropertiesFromHandle(null_mut(), unknown)), INVALID_VALUE);
    });
}

#[test]
fn s70_one_call_is_limited_to_128_gib() {
    const MEMORY: (&str, &str) = ("HBM_BYTES", "1099511627776");
    each(1, &[&[A2, MEMORY], &[A3, MEMORY]], |_, _| {
        assert_eq!(try_reserve(128 * GIB + STEP, 0, 0), (INVALID_VALUE, 7));
        assert_eq!(try_reserve(128 * GIB, 0, 0).0, 0);
        assert_eq!(try_reserve(256 * GIB, 30 * TIB, REMOTE), (0, 30 * TIB));
        assert_eq!(try_create(128 * GIB + STEP, hbm(0)), (INVALID_VALUE, 7 as Handle));
    });
}

#[test]
fn s35_the_driver_retains_mappings() {
    both(|| {
        set(0);
        let (start, handle) = mapped(STEP, hbm(0));
        assert_eq!(write(start, b"held"), 0);
        let mut retained = null_mut();
        ok!(halMemRetainAllocationHandle(&raw mut retained, start.wrapping_byte_add(77)));
        assert_eq!((release(handle), unmap(start)), (0, 0));
        assert_eq!(map(start, STEP, retained), 0);
        assert_eq!(read(start, 4).unwrap(), b"held");
        assert_eq!((unmap(start), release(retained), release(retained)), (0, 0, INVALID_HANDLE));
        assert_eq!(code!(halMemRetainAllocationHandle(&raw mut retained, start)), INVALID_VALUE);
        assert_eq!(code!(halMemRetainAllocationHandle(null_mut(), start)), INVALID_VALUE);
        assert_eq!(code!(halMemRetainAllocationHandle(&raw mut retained, null_mut())), INVALID_VALUE);
    });
}

#[test]
fn s5_a_reset_ends_the_drivers_handles_too() {
    isolated::run(&[], || {
        set(0);
        let before = free_bytes(0);
        let (start, handle) = mapped(STEP, hbm(0));
        ok!(aclrtResetDevice(0));
        assert_eq!((unmap(start), release(handle)), (INVALID_VALUE, INVALID_HANDLE));
        assert_eq!(free_bytes(0), before);
    });
}
