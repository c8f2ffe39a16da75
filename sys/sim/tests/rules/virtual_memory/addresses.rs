// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Reserving addresses.

use std::ffi::c_void;
use std::ptr::null_mut;

use ascend_sim::acl::memory::*;
use ascend_sim::acl::virtual_memory::*;

use super::*;
use crate::isolated;

#[test]
fn s22_reserve_checks_its_arguments() {
    isolated::run(&[], || {
        set(0);
        assert_eq!(code!(aclrtReserveMemAddress(null_mut(), STEP, 0, null_mut(), 0)), 100_000);
        assert_eq!(try_reserve(0, 0, 0, 0), (100_000, 7));
        assert_eq!(try_reserve(STEP, 4096, 0, 0), (107_000, 7));
        assert_eq!(try_reserve(STEP, 0, 0, 2), (100_000, 7));
        assert_eq!(try_reserve(STEP, STEP, 0, 0).0, 0);
        assert_eq!(try_reserve(STEP, 0, 0, 1).0, 0);
    });
}

#[test]
fn s22_sizes_are_rounded_up_to_2_mib() {
    isolated::run(&[], || {
        set(0);
        let at = 20 * TIB;
        assert_eq!(try_reserve(1, 0, at, 0), (0, at));
        // The rest of the step belongs to the reservation, and later addresses do not.
        let handle = create(STEP, hbm(0));
        assert_eq!(map(at as *mut c_void, STEP, handle), 0);
        assert_eq!(try_reserve(1, 0, at + STEP, 0), (0, at + STEP));
    });
}

#[test]
fn s22_hints_lie_between_16_and_24_tib() {
    isolated::run(&[], || {
        set(0);
        for (at, bytes) in [(16 * TIB, STEP), (24 * TIB - STEP, STEP), (20 * TIB, 3 * GIB)] {
            assert_eq!(try_reserve(bytes, 0, at, 0), (0, at), "{at:#x}");
        }
        for (at, bytes) in
            [(16 * TIB - STEP, STEP), (24 * TIB, STEP), (24 * TIB - GIB, 2 * GIB), (STEP, STEP)]
        {
            assert_eq!(try_reserve(bytes, 0, at, 0), (107_000, 7), "{at:#x}");
        }
    });
}

#[test]
fn s22_hints_are_aligned_to_the_size_up_to_1_gib() {
    isolated::run(&[], || {
        set(0);
        let base = 21 * TIB;
        for (bytes, wrong, right) in [
            (STEP, MIB, STEP),
            (3 * MIB, STEP, 4 * MIB),
            (65 * MIB, 64 * MIB, 128 * MIB),
            (GIB, 512 * MIB, GIB),
            (GIB + STEP, 512 * MIB, 3 * GIB),
            (5 * GIB, 4 * GIB + 512 * MIB, 7 * GIB),
        ] {
            assert_eq!(try_reserve(bytes, 0, base + wrong, 0), (107_000, 7), "{bytes}");
            assert_eq!(try_reserve(bytes, 0, base + right, 0), (0, base + right), "{bytes}");
            assert_eq!(release((base + right) as *mut c_void), 0);
        }
    });
}

#[test]
fn s22_chosen_addresses_are_aligned_like_hints() {
    isolated::run(&[], || {
        set(0);
        for bytes in [STEP, 3 * MIB, 65 * MIB, GIB, 5 * GIB] {
            let align = bytes.next_power_of_two().min(GIB);
            assert_eq!(reserve(bytes).addr() % align, 0, "{bytes}");
        }
    });
}

#[test]
fn s22_a_hint_is_never_moved() {
    isolated::run(&[], || {
        set(0);
        let at = 22 * TIB;
        assert_eq!(try_reserve(4 * STEP, 0, at, 0), (0, at));
        for (at, bytes) in [(at, STEP), (at + 3 * STEP, STEP), (at, GIB)] {
            assert_eq!(try_reserve(bytes, 0, at, 0), (207_001, 7), "{at:#x}");
        }
        assert_eq!(release(at as *mut c_void), 0);
        assert_eq!(try_reserve(STEP, 0, at + 3 * STEP, 0), (0, at + 3 * STEP));
    });
}

#[test]
fn s22_foreign_mappings_block_hints() {
    isolated::run(&[], || {
        set(0);
        let at = 23 * TIB;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED_NOREPLACE;
        // SAFETY: takes free addresses only.
        let got = unsafe { libc::mmap(at as *mut c_void, 4096, libc::PROT_NONE, flags, -1, 0) };
        assert_eq!(got.addr(), at);
        assert_eq!(try_reserve(STEP, 0, at, 0), (207_001, 7));
    });
}

#[test]
fn s22_the_950_takes_no_hints() {
    isolated::run(&[A5], || {
        set(0);
        assert_eq!(try_reserve(STEP, 0, 20 * TIB, 0), (207_000, 7));
        assert_eq!(try_reserve(STEP, 0, 0, 0).0, 0);
    });
}

#[test]
fn s22_reserving_needs_a_device() {
    isolated::run(&[], || {
        assert_eq!(try_reserve(STEP, 0, 0, 0), (107_002, 7));
    });
}

fn try_reserve_no_uc(bytes: usize, at: usize) -> (i32, usize) {
    let mut start = 7 as *mut c_void;
    let code = code!(aclrtReserveMemAddressNoUCMemory(&raw mut start, bytes, 0, at as *mut c_void, 0));
    (code, start.addr())
}

#[test]
fn s23_no_uc_reserve_needs_a_hint_on_a3() {
    isolated::run(&[A3], || {
        set(0);
        assert_eq!(try_reserve_no_uc(GIB, 0), (107_000, 7));
        assert_eq!(try_reserve_no_uc(GIB + STEP, 41 * TIB), (107_000, 7));
        assert_eq!(try_reserve_no_uc(0, 41 * TIB), (100_000, 7));
        assert_eq!(try_reserve_no_uc(GIB, 39 * TIB), (107_000, 7));
        assert_eq!(try_reserve_no_uc(GIB, 224 * TIB), (107_000, 7));
        assert_eq!(try_reserve_no_uc(GIB, 41 * TIB + STEP), (107_000, 7));
        let (code, at) = try_reserve_no_uc(GIB, 41 * TIB);
        assert_eq!((code, at), (0, 41 * TIB));
        assert_eq!(try_reserve_no_uc(GIB, 41 * TIB), (207_001, 7));
        // The limit of one call does not count here.
        assert_eq!(try_reserve_no_uc(256 * GIB, 42 * TIB), (0, 42 * TIB));
        assert_eq!(release(at as *mut c_void), 0);
    });
}

#[test]
fn s23_no_uc_reserve_exists_on_a3_only() {
    each(1, &[&[A2], &[A5]], |_, _| {
        set(0);
        assert_eq!(try_reserve_no_uc(GIB, 41 * TIB), (207_000, 7));
    });
}

#[test]
fn s24_release_takes_the_start_of_an_empty_reservation() {
    isolated::run(&[], || {
        set(0);
        let bytes = 4 * STEP;
        let start = reserve(bytes);
        assert_eq!(release(null_mut()), 100_000);
        assert_eq!(release(start.wrapping_byte_add(STEP)), 107_000);
        let handle = create(STEP, hbm(0));
        assert_eq!(map(start.wrapping_byte_add(STEP), STEP, handle), 0);
        assert_eq!(release(start), 107_000);
        assert_eq!(unmap(start.wrapping_byte_add(STEP)), 0);
        assert_eq!(release(start), 0);
        assert_eq!(release(start), 107_000);
        // Nor is memory a reservation.
        let mut p = null_mut();
        assert_eq!(code!(aclrtMalloc(&raw mut p, STEP, 0)), 0);
        assert_eq!(release(p), 107_000);
    });
}

#[test]
fn s36_one_call_is_limited_to_128_gib() {
    const HBM: (&str, &str) = ("HBM_BYTES", "1099511627776");
    each(1, &[&[A2, HBM], &[A3, HBM]], |_, _| {
        set(0);
        assert_eq!(try_reserve(128 * GIB + STEP, 0, 0, 0), (107_000, 7));
        assert_eq!(try_reserve(128 * GIB, 0, 0, 0).0, 0);
        assert_eq!(try_create(128 * GIB + STEP, hbm(0)).0, 107_000);
        assert_eq!(try_create(128 * GIB, hbm(0)).0, 0);
    });
}

#[test]
fn s36_the_950_has_no_such_limit() {
    isolated::run(&[A5], || {
        set(0);
        assert_eq!(try_reserve(256 * GIB, 0, 0, 0).0, 0);
    });
}
