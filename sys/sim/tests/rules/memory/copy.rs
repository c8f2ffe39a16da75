// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copying and filling at once: S13, S14, S15 in part, S18, S21.

use std::ptr::{null, null_mut};

use ascend_sim::acl::devices::*;
use ascend_sim::acl::memcpy::*;
use ascend_sim::acl::memory::*;
use ascend_sim::acl::peer::*;

use super::*;
use crate::isolated;

#[test]
fn s13_copies_and_fills_of_any_size_arrive() {
    both(&[], || {
        ok!(aclrtSetDevice(0));
        for bytes in [1, 7, 8, 9, 100, 4096, 5000, 70_000, MIB + 1, 3 * MIB + 5] {
            let (one, other) = (device_memory(bytes + 3), device_memory(bytes + 3));
            let sent = data(bytes, 1);
            write(at(one, 3), &sent);
            ok!(aclrtMemcpy(at(other, 1), bytes, at(one, 3), bytes, D2D));
            assert!(read(at(other, 1), bytes) == sent, "{bytes}");
            assert_eq!(read(other, 1), [0xCD], "nothing before it");
            assert_eq!(read(at(other, bytes + 1), 2), [0xCD; 2], "nothing behind it");
            ok!(aclrtMemset(at(one, 3), bytes, 0x105, bytes));
            assert!(read(at(one, 3), bytes).iter().all(|byte| *byte == 5));
            assert_eq!(read(one, 3), [0xCD; 3]);
            ok!(aclrtFree(one));
            ok!(aclrtFree(other));
        }
    });
}

#[test]
fn s13_nothing_is_copied_when_the_count_is_zero() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        let block = device_memory(8);
        ok!(aclrtMemcpy(block, 0, block, 0, D2D));
        ok!(aclrtMemset(block, 0, 1, 0));
        ok!(aclrtMemcpyAsync(block, 0, block, 0, D2D, null_mut()));
        ok!(aclrtMemsetAsync(block, 0, 1, 0, null_mut()));
        assert_eq!(read(block, 8), [0xCD; 8]);
    });
}

#[test]
fn s13_copy_beyond_its_room_is_rejected() {
    both(&[], || {
        ok!(aclrtSetDevice(0));
        let (one, other) = (device_memory(64), device_memory(64));
        assert_eq!(code!(aclrtMemcpy(one, 7, other, 8, D2D)), 107000);
        assert_eq!(code!(aclrtMemset(one, 7, 1, 8)), 107000);
        assert_eq!(code!(aclrtMemcpyAsync(one, 7, other, 8, D2D, null_mut())), 107000);
        // The declared destination size is irrelevant: the allocation limits either end.
        assert_eq!(code!(aclrtMemcpy(one, 100, other, 65, D2D)), 107000);
        assert_eq!(code!(aclrtMemcpy(at(one, 60), 100, other, 5, D2D)), 107000);
        assert_eq!(code!(aclrtMemcpy(one, 100, at(other, 60), 5, D2D)), 107000);
        assert_eq!(code!(aclrtMemset(at(one, 60), 100, 1, 5)), 107000);
        assert_eq!(code!(aclrtMemcpy(one, usize::MAX, other, usize::MAX, D2D)), 107000);
        assert_eq!(read(one, 64), [0xCD; 64]);
    });
}

#[test]
fn s13_null_and_unknown_kinds_are_rejected() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        let block = device_memory(8);
        assert_eq!(code!(aclrtMemcpy(null_mut(), 8, block, 8, D2D)), 100000);
        assert_eq!(code!(aclrtMemcpy(block, 8, null(), 8, D2D)), 100000);
        assert_eq!(code!(aclrtMemset(null_mut(), 8, 0, 8)), 100000);
        for kind in [8, u32::MAX] {
            assert_eq!(code!(aclrtMemcpy(block, 8, block, 8, kind)), 100000);
            assert_eq!(code!(aclrtMemcpyAsync(block, 8, block, 8, kind, null_mut())), 100000);
        }
    });
}

#[test]
fn s13_a_copy_needs_a_device() {
    isolated::run(&[], || {
        let (mut one, other) = (0_u64, 5_u64);
        assert_eq!(code!(aclrtMemcpy((&raw mut one).cast(), 8, (&raw const other).cast(), 8, H2H)), 107002);
        assert_eq!(one, 0);
    });
}

#[test]
fn s14_the_addresses_give_the_direction() {
    both(&[], || {
        ok!(aclrtSetDevice(0));
        let (one, other) = (device_memory(8), device_memory(8));
        let (sent, mut back) = (7_u64, 0_u64);
        ok!(aclrtMemcpy(one, 8, (&raw const sent).cast(), 8, AUTO));
        ok!(aclrtMemcpy(other, 8, one, 8, AUTO));
        ok!(aclrtMemcpy((&raw mut back).cast(), 8, other, 8, AUTO));
        assert_eq!(back, 7);
        let mut third = 0_u64;
        ok!(aclrtMemcpy((&raw mut third).cast(), 8, (&raw const back).cast(), 8, AUTO));
        assert_eq!(third, 7);
        ok!(aclrtMemcpy(one, 8, (&raw const sent).cast(), 8, 5));
        ok!(aclrtMemcpy(one, 8, other, 8, 6));
    });
}

#[test]
fn s14_strict_mode_refuses_a_contradicting_kind() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(1));
        let far = device_memory(8);
        ok!(aclrtSetDevice(0));
        let (one, other) = (device_memory(8), device_memory(8));
        let mut host = 0_u64;
        let host: Handle = (&raw mut host).cast();
        let wrong = [
            (one, other, H2H),
            (one, other, H2D),
            (one, other, D2H),
            (one, host, D2D),
            (one, host, D2H),
            (host, one, H2D),
            (host, one, D2D),
            (one, far, 6),
            (one, other, 7),
        ];
        for (dst, src, kind) in wrong {
            assert_eq!(code!(aclrtMemcpy(dst, 8, src, 8, kind)), 107000, "{dst:p} {src:p} {kind}");
        }
        assert!(last_error_names("does not fit"));
        ok!(aclrtMemcpy(one, 8, far, 8, 7));
    });
}

#[test]
fn s14_kind_is_only_a_hint_without_strict_mode() {
    isolated::run(&[("STRICT", "0")], || {
        ok!(aclrtSetDevice(0));
        let (one, other) = (device_memory(8), device_memory(8));
        let (sent, mut back) = (9_u64, 0_u64);
        ok!(aclrtMemcpy(one, 8, (&raw const sent).cast(), 8, H2H));
        ok!(aclrtMemcpy(other, 8, one, 8, H2H));
        ok!(aclrtMemcpy((&raw mut back).cast(), 8, other, 8, H2H));
        assert_eq!(back, 9);
    });
}

#[test]
fn s11_stray_address_is_an_error() {
    both(&[], || {
        ok!(aclrtSetDevice(0));
        let block = device_memory(3 * MIB);
        let (gone, half) = (own_pages(2), own_pages(2));
        unmap(gone, 2);
        unmap(at(half, 4096), 1);
        for stray in [at(null_mut(), 16), gone, at(half, 4090), at(null_mut(), usize::MAX - 100)] {
            for kind in [H2D, AUTO] {
                assert_eq!(code!(aclrtMemcpy(block, 64, stray, 64, kind)), 107000, "{stray:p}");
            }
            assert_eq!(code!(aclrtMemcpy(stray, 64, block, 64, D2H)), 107000, "{stray:p}");
            assert_eq!(code!(aclrtMemset(stray, 64, 0, 64)), 107000, "{stray:p}");
            assert_eq!(code!(aclrtMemcpyAsync(block, 64, stray, 64, H2D, null_mut())), 107000, "{stray:p}");
        }
        // Memory that is read-only for the program cannot be a destination.
        let text: &'static [u8] = b"a constant of the program";
        assert_eq!(code!(aclrtMemcpy(text.as_ptr().cast_mut().cast(), 8, block, 8, D2H)), 107000);
        // Large ones as well.
        assert_eq!(code!(aclrtMemcpy(block, 3 * MIB, half, 3 * MIB, H2D)), 107000);
    });
}

#[test]
fn s18_devices_of_an_a3_machine_copy_from_each_other() {
    both(&[], || {
        ok!(aclrtSetDevice(1));
        let far = device_memory(5000);
        write(far, &data(5000, 3));
        ok!(aclrtSetDevice(0));
        let near = device_memory(5000);
        ok!(aclrtMemcpy(near, 5000, far, 5000, D2D));
        assert!(read(near, 5000) == data(5000, 3));
    });
}

#[test]
fn s18_other_products_require_peer_access() {
    for soc in ["Ascend910B3", "Ascend950PR"] {
        isolated::run(&[("SOC", soc)], || {
            ok!(aclrtSetDevice(1));
            let far = device_memory(8);
            ok!(aclrtSetDevice(0));
            let near = device_memory(8);
            write(near, &[1; 8]);
            assert_eq!(code!(aclrtMemcpy(near, 8, far, 8, D2D)), 107000);
            assert_eq!(code!(aclrtMemcpy(far, 8, near, 8, D2D)), 107000);
            assert_eq!(code!(aclrtMemcpyAsync(near, 8, far, 8, D2D, null_mut())), 107000);
            ok!(aclrtDeviceEnablePeerAccess(1, 0));
            ok!(aclrtMemcpy(far, 8, near, 8, D2D));
            assert_eq!(read(far, 8), [1; 8]);
            ok!(aclrtMemset(near, 8, 2, 8));
            ok!(aclrtMemcpyAsync(far, 8, near, 8, D2D, null_mut()));
            ok!(aclrtSynchronizeDevice());
            assert_eq!(read(far, 8), [2; 8]);
            // One direction only.
            ok!(aclrtSetDevice(1));
            assert_eq!(code!(aclrtMemcpy(far, 8, near, 8, D2D)), 107000);
            ok!(aclrtSetDevice(0));
            ok!(aclrtDeviceDisablePeerAccess(1));
            assert_eq!(code!(aclrtMemcpy(near, 8, far, 8, D2D)), 107000);
        });
        if isolated::is_member() {
            return;
        }
    }
}

#[test]
fn s21_cpu_can_access_device_memory() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        let block = device_memory(8);
        // SAFETY: 8 bytes that are memory in this mode.
        unsafe { block.cast::<[u8; 8]>().write_volatile([4; 8]) };
        assert_eq!(read(block, 8), [4; 8]);
    });
}

#[test]
fn s21_cpu_access_to_aliases_faults() {
    isolated::dies(libc::SIGSEGV, &[("ADDR", "alias")], || {
        ok!(aclrtSetDevice(0));
        let block = device_memory(8);
        assert_eq!(read(block, 8), [0xCD; 8]);
        // SAFETY: deliberately invalid; the process dies here.
        unsafe { block.cast::<u8>().write_volatile(4) };
    });
}

#[test]
fn s21_cpu_access_to_large_aliases_faults() {
    isolated::dies(libc::SIGSEGV, &[("ADDR", "alias")], || {
        ok!(aclrtSetDevice(0));
        let block = device_memory(3 * MIB);
        write(block, &[1; 8]);
        // SAFETY: as above.
        unsafe { block.cast::<u8>().read_volatile() };
    });
}

#[test]
fn s21_access_to_freed_memory_faults() {
    isolated::dies(libc::SIGSEGV, &[], || {
        ok!(aclrtSetDevice(0));
        let block = device_memory(3 * MIB);
        ok!(aclrtFree(block));
        // SAFETY: as above.
        unsafe { block.cast::<u8>().read_volatile() };
    });
}
