// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Registered host memory: S39.

use std::ptr::null_mut;

use ascend_sim::acl::devices::*;
use ascend_sim::acl::memcpy::*;
use ascend_sim::acl::register::*;
use ascend_sim::acl::streams::*;
use ascend_sim::memory::transfer::{self, Initiator};

use super::*;
use crate::calls::{Gate, a_stream, nowhere};
use crate::isolated;

const PINNED: u32 = 0x1000_0000;

fn word(address: Handle) -> u64 {
    // SAFETY: every caller passes a word of its pages.
    unsafe { address.cast::<u64>().read_volatile() }
}

/// Returns the result of a kernel on device 0 that writes there.
fn kernel_writes(address: Handle, value: u64) -> Result<(), i32> {
    transfer::store_word(Initiator::Core(0), address.addr() as u64, value).map_err(|fault| fault.code)
}

#[test]
fn s39_registered_memory_is_visible_to_kernels() {
    both(&[], || {
        ok!(aclrtSetDevice(0));
        for kind in [0, 4] {
            let own = own_pages(4);
            assert_eq!(kernel_writes(own, 1), Err(107000));
            let mut device = null_mut();
            ok!(aclrtHostRegister(own, 4 * 4096, kind, &raw mut device));
            assert_eq!(device == own, std::env::var("ASCEND_SIM_ADDR").unwrap() == "same");
            assert_eq!(kernel_writes(at(device, 4096 + 8), 5), Ok(()));
            assert_eq!(word(at(own, 4096 + 8)), 5);
            assert_eq!(made!(of_host(at(own, 4096 + 8))), at(device, 4096 + 8));
            ok!(aclrtHostUnregister(own));
            assert_eq!(kernel_writes(device, 1), Err(107000));
            unmap(own, 4);
        }
    });
}

/// The two pointers in reverse, for [`made!`].
unsafe fn of_host(out: *mut Handle, host: Handle) -> i32 {
    // SAFETY: passed on.
    unsafe { aclrtHostGetDevicePointer(host, out, 0) }
}

#[test]
fn s39_device_address_of_registered_memory_is_not_cpu_accessible() {
    isolated::dies(libc::SIGSEGV, &[("ADDR", "alias")], || {
        ok!(aclrtSetDevice(0));
        let mut device = null_mut();
        ok!(aclrtHostRegister(own_pages(1), 4096, 0, &raw mut device));
        assert_eq!(kernel_writes(device, 1), Ok(()));
        word(device);
    });
}

#[test]
fn s39_read_only_memory_is_only_read() {
    both(&[], || {
        ok!(aclrtSetDevice(0));
        let block = device_memory(64);
        for form in 0..2 {
            let own = own_pages(1);
            if form == 0 {
                ok!(aclrtHostRegister(own, 4096, 8, nowhere()));
            } else {
                ok!(aclrtHostRegisterV2(own, 4096, 8));
            }
            let device = made!(of_host(own));
            assert_eq!(kernel_writes(device, 1), Err(107000));
            assert_eq!(transfer::load_word(Initiator::Core(0), device.addr() as u64).unwrap(), 0);
            ok!(aclrtMemcpy(block, 64, own, 64, H2D));
            assert_eq!(code!(aclrtMemcpy(own, 64, block, 64, D2H)), 107000);
            ok!(aclrtHostUnregister(own));
            ok!(aclrtMemcpy(own, 64, block, 64, D2H));
        }
    });
}

#[test]
fn s39_pinned_memory_allows_asynchronous_copies() {
    both(&[], || {
        let stream = a_stream();
        let block = device_memory(64);
        let own = own_pages(1);
        ok!(aclrtHostRegisterV2(own, 4096, PINNED));
        assert_eq!(kernel_writes(own, 1), Err(107000));
        assert_eq!(code!(aclrtHostGetDevicePointer(own, nowhere(), 0)), 107000);
        let gate = Gate::default();
        gate.hold(stream);
        ok!(aclrtMemcpyAsync(block, 64, own, 64, H2D, stream));
        // SAFETY: the test's own page; the copy has not begun.
        unsafe { own.cast::<u64>().write_volatile(7) };
        gate.open();
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!(read(block, 8), 7_u64.to_ne_bytes());
        ok!(aclrtMemset(block, 64, 1, 64));
        ok!(aclrtMemcpyAsync(own, 64, block, 64, D2H, stream));
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!(word(own), 0x0101_0101_0101_0101);
    });
}

#[test]
fn s39_registrations_do_not_overlap() {
    both(&[], || {
        ok!(aclrtSetDevice(0));
        let own = own_pages(8);
        ok!(aclrtHostRegister(at(own, 2 * 4096), 4 * 4096, 0, nowhere()));
        for (first, pages) in [(2, 4), (2, 1), (5, 1), (5, 3), (0, 3), (0, 8), (3, 1)] {
            let start = at(own, first * 4096);
            assert_eq!(
                code!(aclrtHostRegister(start, pages * 4096, 0, nowhere())),
                507910,
                "{first} {pages}"
            );
            assert_eq!(code!(aclrtHostRegisterV2(start, pages * 4096, 2)), 507910);
        }
        ok!(aclrtHostRegister(own, 2 * 4096, 0, nowhere()));
        ok!(aclrtHostRegisterV2(at(own, 6 * 4096), 2 * 4096, PINNED | 2));
        for wrong in [at(own, 4096), at(own, 3 * 4096), at(own, 8 * 4096)] {
            assert_eq!(code!(aclrtHostUnregister(wrong)), 507911);
        }
        for first in [2, 0, 6] {
            ok!(aclrtHostUnregister(at(own, first * 4096)));
            assert_eq!(code!(aclrtHostUnregister(at(own, first * 4096))), 507911);
        }
        assert_eq!(code!(aclrtHostGetDevicePointer(own, nowhere(), 0)), 507911);
        ok!(aclrtHostRegister(own, 8 * 4096, 0, nowhere()));
    });
}

#[test]
fn s39_only_whole_pages_of_the_program_are_registered() {
    both(&[], || {
        ok!(aclrtSetDevice(0));
        let own = own_pages(2);
        assert_eq!(code!(aclrtHostRegister(null_mut(), 4096, 0, nowhere())), 100000);
        assert_eq!(code!(aclrtHostRegister(own, 0, 0, nowhere())), 100000);
        assert_eq!(code!(aclrtHostRegister(own, 4096, 0, null_mut())), 100000);
        for kind in [1, 2, 12, u32::MAX] {
            assert_eq!(code!(aclrtHostRegister(own, 4096, kind, nowhere())), 100000, "{kind}");
        }
        for flags in [0, 1, 0x10, 0x2000_0000, 0x1000_0001] {
            assert_eq!(code!(aclrtHostRegisterV2(own, 4096, flags)), 100000, "{flags:#x}");
        }
        assert_eq!(code!(aclrtHostRegister(at(own, 64), 4096, 0, nowhere())), 107000);
        unmap(at(own, 4096), 1);
        assert_eq!(code!(aclrtHostRegister(own, 2 * 4096, 0, nowhere())), 107000, "a hole");
        assert_eq!(code!(aclrtHostRegister(host_memory(4096), 4096, 0, nowhere())), 107000);
        assert_eq!(code!(aclrtHostRegister(device_memory(2 * MIB), 4096, 0, nowhere())), 107000);
        assert_eq!(code!(aclrtHostUnregister(null_mut())), 100000);
        assert_eq!(code!(aclrtHostUnregister(own)), 507911);
        assert_eq!(code!(aclrtHostGetDevicePointer(null_mut(), nowhere(), 0)), 100000);
        ok!(aclrtHostRegister(own, 100, 0, nowhere()));
        assert_eq!(code!(aclrtHostGetDevicePointer(own, nowhere(), 1)), 100000);
        assert_eq!(code!(aclrtHostGetDevicePointer(own, null_mut(), 0)), 100000);
        assert_eq!(code!(aclrtHostGetDevicePointer(at(own, 100), nowhere(), 0)), 507911);
    });
}

#[test]
fn s39_memory_unmapped_while_registered_is_an_error() {
    both(&[], || {
        ok!(aclrtSetDevice(0));
        let (own, block) = (own_pages(2), device_memory(8192));
        ok!(aclrtHostRegister(own, 8192, 0, nowhere()));
        unmap(at(own, 4096), 1);
        assert_eq!(code!(aclrtMemcpy(block, 8192, own, 8192, H2D)), 107000);
        assert_eq!(code!(aclrtMemcpy(at(own, 4096), 8, block, 8, D2H)), 107000);
        ok!(aclrtMemcpy(block, 4096, own, 4096, H2D));
        ok!(aclrtHostUnregister(own));
    });
}

#[test]
fn s39_host_memory_is_only_pinned_if_devices_cannot_reach_it() {
    isolated::run(&[("SOC", "Ascend910B3")], || {
        ok!(aclrtSetDevice(0));
        let (own, block) = (own_pages(1), device_memory(64));
        assert_eq!(code!(aclrtHostRegister(own, 4096, 0, nowhere())), 207000);
        assert_eq!(code!(aclrtHostRegisterV2(own, 4096, 2)), 207000);
        ok!(aclrtHostRegisterV2(own, 4096, PINNED));
        ok!(aclrtMemcpy(block, 64, own, 64, H2D));
        for engine in 0..10 {
            let can: u32 = queried!(aclrtHostMemMapCapabilities(0, engine));
            assert_eq!(can, 0);
        }
    });
}

#[test]
fn s39_engines_report_host_reachability() {
    isolated::run(&[], || {
        let cores: u32 = queried!(aclrtHostMemMapCapabilities(0, 3));
        let media: u32 = queried!(aclrtHostMemMapCapabilities(0, 7));
        let ub: u32 = queried!(aclrtHostMemMapCapabilities(0, 8));
        assert_eq!((cores, media, ub), (1, 0, 0));
        assert_eq!(code!(aclrtHostMemMapCapabilities(8, 3, nowhere())), 107001);
        assert_eq!(code!(aclrtHostMemMapCapabilities(0, 10, nowhere())), 100000);
        assert_eq!(code!(aclrtHostMemMapCapabilities(0, 3, null_mut())), 100000);
    });
}
