// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Host registration and memory by name.

use std::ffi::c_char;
use std::ptr::{null, null_mut};

use ascend_sim::acl::memory::*;
use ascend_sim::hal::host::*;
use ascend_sim::hal::names::*;

use super::*;
use crate::isolated;
use crate::sharing::{introduce, pid_of};
use crate::virtual_memory::{both, both_crews, copy_on_stream, read, set, write};

fn pages(bytes: usize) -> *mut c_void {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: takes free addresses only.
    unsafe { libc::mmap(null_mut(), bytes, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0) }
}

fn register(source: *mut c_void, bytes: u64, flag: u32) -> (i32, *mut c_void) {
    let mut target = 7 as *mut c_void;
    (code!(halHostRegister(source, bytes, flag, 0, &raw mut target)), target)
}

#[test]
fn s39_the_driver_registers_host_memory() {
    both(|| {
        set(0);
        for flag in [0, 3] {
            let source = pages(8192);
            // SAFETY: fresh pages of our own.
            unsafe { source.cast::<[u8; 4]>().write(*b"host") };
            let (code, target) = register(source, 8192, flag);
            assert_eq!(code, 0);
            let (device, _) = mapped(STEP, hbm(0));
            assert_eq!(copy_on_stream(device, target, 4), 0);
            assert_eq!(read(device, 4).unwrap(), b"host");
            assert_eq!(register(source, 4096, flag), (BUSY, 7 as *mut c_void));
            assert_eq!(register(source.wrapping_byte_add(4096), 4096, flag), (BUSY, 7 as *mut c_void));
            assert_eq!(code!(halHostUnregister(source.wrapping_byte_add(4096), 0)), NOT_EXIST);
            if flag == 0 {
                ok!(halHostUnregister(source, 0));
            } else {
                ok!(halHostUnregisterEx(source, 0, flag));
            }
            assert_eq!(code!(halHostUnregister(source, 0)), NOT_EXIST);
            assert_eq!(code!(halHostUnregisterEx(source, 0, flag)), NOT_EXIST);
        }
    });
}

#[test]
fn s39_registration_checks_its_arguments() {
    isolated::run(&[("DEVICES", "1")], || {
        let source = pages(8192);
        let nothing = 7 as *mut c_void;
        assert_eq!(register(null_mut(), 4096, 0), (INVALID_VALUE, nothing));
        assert_eq!(register(source, 0, 0), (INVALID_VALUE, nothing));
        assert_eq!(register(source.wrapping_byte_add(64), 4096, 0), (INVALID_VALUE, nothing));
        for flag in [2, 6, 255] {
            assert_eq!(register(source, 4096, flag), (INVALID_VALUE, nothing));
        }
        assert_eq!(code!(halHostRegister(source, 4096, 0, 0, null_mut())), INVALID_VALUE);
        let mut target = nothing;
        assert_eq!(code!(halHostRegister(source, 4096, 0, 1, &raw mut target)), INVALID_DEVICE);
        assert_eq!(code!(halHostUnregister(null_mut(), 0)), INVALID_VALUE);
        assert_eq!(code!(halHostUnregister(source, 1)), INVALID_DEVICE);
        assert_eq!(code!(halHostUnregisterEx(source, 0, 2)), INVALID_VALUE);
        assert_eq!(register(source, 4096, 5), (0, source));
        ok!(halHostUnregisterEx(source, 0, 5));
    });
}

#[test]
fn s39_device_memory_is_shown_to_the_host() {
    both(|| {
        set(0);
        let (start, _) = mapped(STEP, hbm(0));
        assert_eq!(write(start, b"shown"), 0);
        let (code, target) = register(start, STEP as u64, 4);
        assert_eq!(code, 0);
        let characters: *mut [u8; 5] = target.cast();
        // SAFETY: the whole mapping is registered, and no other code uses it.
        assert_eq!(unsafe { characters.read() }, *b"shown");
        // SAFETY: as above.
        unsafe { characters.write(*b"wrote") };
        assert_eq!(read(start, 5).unwrap(), b"wrote");
        assert_eq!(register(start, 4096, 4).0, BUSY);
        assert_eq!(register(start, 2 * STEP as u64, 4).0, INVALID_VALUE);
        // The other direction is another registration.
        assert_eq!(register(start, 4096, 1), (0, start));
        ok!(halHostUnregisterEx(start, 0, 4));
        assert_eq!(code!(halHostUnregisterEx(start, 0, 4)), NOT_EXIST);
        ok!(halHostUnregisterEx(start, 0, 1));
        assert_eq!(register(pages(4096), 4096, 4).0, INVALID_VALUE);
        // The registration ends with its memory.
        assert_eq!(register(start, 4096, 4).0, 0);
        assert_eq!(unmap(start), 0);
        assert_eq!(code!(halHostUnregister(start, 0)), NOT_EXIST);
    });
}

fn name_of(start: *mut c_void, bytes: usize) -> [u8; 65] {
    let mut name = [7_u8; 65];
    ok!(halShmemCreateHandle(start.addr() as u64, bytes, name.as_mut_ptr().cast(), 65));
    name
}

fn open(name: &[u8]) -> (i32, u64) {
    let mut address = 7;
    (code!(halShmemOpenHandle(name.as_ptr().cast(), &raw mut address)), address)
}

#[test]
fn s37_driver_names_are_memory_keys() {
    both_crews(3, |rank, board| {
        set(0);
        introduce(board, rank);
        if rank == 0 {
            let mut start = null_mut();
            ok!(aclrtMalloc(&raw mut start, STEP, 0));
            assert_eq!(write(start, b"named"), 0);
            let name = name_of(start, STEP);
            let mut list = [pid_of(board, 1)];
            let place: *const c_char = name.as_ptr().cast();
            assert_eq!(code!(halShmemSetPidHandle(place, list.as_mut_ptr(), 0)), INVALID_VALUE);
            assert_eq!(code!(halShmemSetPidHandle(place, list.as_mut_ptr(), -1)), INVALID_VALUE);
            ok!(halShmemSetPidHandle(place, list.as_mut_ptr(), 1));
            board.post("name", &name);
            board.meet("used", rank, 3);
            assert_eq!(read(start, 5).unwrap(), b"taken");
            ok!(halShmemDestroyHandle(place));
            assert_eq!(code!(halShmemDestroyHandle(place)), NOT_EXIST);
        } else {
            let name = board.take("name");
            if rank == 1 {
                let (code, address) = open(&name);
                assert_eq!(code, 0);
                let start = address as *mut c_void;
                assert_eq!(read(start, 5).unwrap(), b"named");
                assert_eq!(write(start, b"taken"), 0);
                assert_eq!(open(&name), (NOT_EXIST, 7));
                // Only its own process ends a name.
                assert_eq!(code!(halShmemDestroyHandle(name.as_ptr().cast())), NOT_EXIST);
                ok!(halShmemCloseHandle(address));
                assert_eq!(code!(halShmemCloseHandle(address)), INVALID_VALUE);
            } else {
                assert_eq!(open(&name), (NOT_PERMITTED, 7));
            }
            board.meet("used", rank, 3);
        }
    });
}

#[test]
fn s37_names_check_their_arguments() {
    isolated::run(&[], || {
        let mut name = [0_u8; 65];
        let place: *mut c_char = name.as_mut_ptr().cast();
        // Without a device nothing is opened.
        assert_eq!(
            open(b"ascend-sim-ipc-memory-key-0000000000000001-0000000000000001\0"),
            (INVALID_DEVICE, 7)
        );
        set(0);
        let mut start = null_mut();
        ok!(aclrtMalloc(&raw mut start, STEP, 0));
        let at = start.addr() as u64;
        assert_eq!(code!(halShmemCreateHandle(0, STEP, place, 65)), INVALID_VALUE);
        assert_eq!(code!(halShmemCreateHandle(at, 0, place, 65)), INVALID_VALUE);
        assert_eq!(code!(halShmemCreateHandle(at, STEP, null_mut(), 65)), INVALID_VALUE);
        assert_eq!(code!(halShmemCreateHandle(at, STEP, place, 64)), INVALID_VALUE);
        assert_eq!(code!(halShmemCreateHandle(at, 2 * STEP, place, 65)), INVALID_VALUE);
        let mut address = 0;
        assert_eq!(code!(halShmemOpenHandle(null(), &raw mut address)), INVALID_VALUE);
        assert_eq!(code!(halShmemOpenHandle(place, null_mut())), INVALID_VALUE);
        assert_eq!(open(b"nobody\0"), (NOT_EXIST, 7));
        assert_eq!(code!(halShmemDestroyHandle(null())), INVALID_VALUE);
    });
}
