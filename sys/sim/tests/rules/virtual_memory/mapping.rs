// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Mapping, unmapping, rights.

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, Ordering};

use ascend_sim::acl::memcpy::*;
use ascend_sim::acl::memory::*;
use ascend_sim::acl::streams::*;
use ascend_sim::acl::virtual_memory::*;

use super::*;
use crate::calls::{Gate, SharedHandle};
use crate::isolated;

#[test]
fn s28_map_checks_its_arguments() {
    isolated::run(&[], || {
        set(0);
        let bytes = 2 * STEP;
        let (start, handle) = (reserve(4 * STEP), create(bytes, hbm(0)));
        assert_eq!(map(null_mut(), bytes, handle), 100_000);
        assert_eq!(map(start, 0, handle), 100_000);
        assert_eq!(map(start, bytes, null_mut()), 100_000);
        assert_eq!(code!(aclrtMapMem(start, bytes, STEP, handle, 0)), 100_000);
        assert_eq!(code!(aclrtMapMem(start, bytes, 0, handle, 1)), 100_000);
        assert_eq!(map(start, STEP, handle), 107_000);
        assert_eq!(map(start, 4 * STEP, handle), 107_000);
        assert_eq!(map(start.wrapping_byte_add(MIB), bytes, handle), 107_000);
        assert_eq!(map(start.wrapping_byte_add(3 * STEP), bytes, handle), 107_000);
        assert_eq!(map(start.wrapping_byte_add(4 * STEP), bytes, handle), 107_000);
        assert_eq!(map((30 * TIB) as *mut c_void, bytes, handle), 107_000);
        assert_eq!(map(start.wrapping_byte_add(STEP), bytes, handle), 0);
        for taken in [0, STEP, 2 * STEP] {
            assert_eq!(map(start.wrapping_byte_add(taken), bytes, handle), 107_000, "{taken}");
        }
        let giant = create(GIB, prop(HBM_GIANT, place(DEVICE, 0)));
        let large = reserve(3 * GIB);
        assert_eq!(map(large.wrapping_byte_add(512 * MIB), GIB, giant), 107_000);
        assert_eq!(map(large.wrapping_byte_add(GIB), GIB, giant), 0);
    });
}

#[test]
fn s28_adjacent_mappings_form_one_range() {
    both(|| {
        set(0);
        let start = reserve(3 * STEP);
        let handles = [(); 3].map(|()| create(STEP, hbm(0)));
        for (index, handle) in handles.iter().enumerate() {
            assert_eq!(map(start.wrapping_byte_add(index * STEP), STEP, *handle), 0);
        }
        // One copy over all of them.
        let data = pattern(0..3 * STEP);
        assert_eq!(write(start, &data), 0);
        assert!(read(start, 3 * STEP).unwrap() == data);
        assert_eq!(unmap(start.wrapping_byte_add(STEP)), 0);
        assert_eq!(read(start.wrapping_byte_add(STEP - 1), 2), Err(107_000));
        assert_eq!(read(start.wrapping_byte_add(2 * STEP), 4).unwrap(), data[2 * STEP..2 * STEP + 4]);
    });
}

#[test]
fn s28_reservation_maps_memory_of_one_device() {
    isolated::run(&[], || {
        set(0);
        let start = reserve(3 * STEP);
        assert_eq!(map(start, STEP, create(STEP, hbm(0))), 0);
        assert_eq!(map(start.wrapping_byte_add(STEP), STEP, create(STEP, hbm(1))), 107_000);
        assert_eq!(
            map(start.wrapping_byte_add(STEP), STEP, create(STEP, prop(ANY_HUGE, place(HOST, 0)))),
            107_000
        );
        assert_eq!(unmap(start), 0);
        assert_eq!(map(start.wrapping_byte_add(STEP), STEP, create(STEP, hbm(1))), 0);
    });
}

#[test]
fn s28_aliases_see_each_other() {
    both(|| {
        set(0);
        let (one, handle) = mapped(STEP, 0);
        let two = reserve(STEP);
        assert_eq!(map(two, STEP, handle), 0);
        assert_eq!(write(one.wrapping_byte_add(100), b"alias"), 0);
        assert_eq!(read(two.wrapping_byte_add(100), 5).unwrap(), b"alias");
        assert_eq!(unmap(one), 0);
        assert_eq!(read(two.wrapping_byte_add(100), 5).unwrap(), b"alias");
        assert_eq!(read(one, 1), Err(107_000));
    });
}

#[test]
fn s29_unmap_takes_exactly_a_start() {
    isolated::run(&[], || {
        set(0);
        let (start, _) = mapped(2 * STEP, 0);
        assert_eq!(unmap(null_mut()), 100_000);
        assert_eq!(unmap(start.wrapping_byte_add(STEP)), 107_000);
        assert_eq!(unmap(start.wrapping_byte_add(1)), 107_000);
        assert_eq!(unmap(start), 0);
        assert_eq!(unmap(start), 107_000);
        let mut p = null_mut();
        assert_eq!(code!(aclrtMalloc(&raw mut p, STEP, 0)), 0);
        assert_eq!(unmap(p), 107_000);
    });
}

#[test]
fn s29_access_after_unmap_is_a_fault() {
    both(|| {
        set(0);
        let (start, _) = mapped(STEP, 0);
        let (other, _) = mapped(STEP, 0);
        assert_eq!(copy_on_stream(other, start, 64), 0);
        // A copy that is queued when its memory goes.
        let (stream, gate) = (made!(aclrtCreateStream()), Gate::default());
        gate.hold(stream);
        ok!(aclrtMemcpyAsync(other, 64, start, 64, 3, stream));
        assert_eq!(unmap(start), 0);
        gate.open();
        assert_ne!(code!(aclrtSynchronizeStream(stream)), 0);
        assert_ne!(copy_on_stream(other, start, 64), 0);
        assert_eq!(write(start, &[1]), 107_000);
    });
}

#[test]
fn s30_another_device_needs_rights() {
    both(|| {
        set(0);
        let (theirs, _) = mapped(STEP, 0);
        assert_eq!(write(theirs, &[9; 64]), 0);
        set(1);
        let (ours, _) = mapped(STEP, 1);
        assert_ne!(copy_on_stream(ours, theirs, 64), 0);
        assert_eq!(grant(theirs, STEP, 1, 1), 0);
        assert_eq!(copy_on_stream(ours, theirs, 64), 0);
        assert_eq!(read(ours, 64), Ok(vec![9; 64]));
        // Reading is not writing.
        assert_ne!(copy_on_stream(theirs, ours, 64), 0);
        assert_eq!(unmap(theirs), 0);
    });
}

#[test]
fn s30_rights_are_set_on_exactly_a_mapping() {
    isolated::run(&[], || {
        set(0);
        let (start, _) = mapped(2 * STEP, 0);
        assert_eq!(grant(null_mut(), 2 * STEP, 1, 3), 100_000);
        assert_eq!(grant(start, 0, 1, 3), 100_000);
        assert_eq!(grant(start, 2 * STEP, 1, 2), 100_000);
        assert_eq!(grant(start, STEP, 1, 3), 107_000);
        assert_eq!(grant(start, 4 * STEP, 1, 3), 107_000);
        assert_eq!(grant(start.wrapping_byte_add(STEP), STEP, 1, 3), 107_000);
        assert_eq!(grant(start, 2 * STEP, 99, 3), 107_001);
        assert_eq!(code!(aclrtMemSetAccess(start, 2 * STEP, null_mut(), 1)), 100_000);
        let mut description = aclrtMemAccessDesc { flags: 3, location: place(DEVICE, 1), rsv: [0; 12] };
        assert_eq!(code!(aclrtMemSetAccess(start, 2 * STEP, &raw mut description, 0)), 100_000);
        assert_eq!(rights(start, 1), (0, 0));
        assert_eq!(grant(start, 2 * STEP, 1, 3), 0);
        assert_eq!(rights(start.wrapping_byte_add(STEP + 5), 1), (0, 3));
        assert_eq!(rights(start, 2), (0, 0));
        assert_eq!(rights(start.wrapping_byte_add(2 * STEP), 1), (107_000, 77));
        // The same once more is nothing new; other rights take a new mapping.
        assert_eq!(grant(start, 2 * STEP, 1, 3), 0);
        assert_eq!(grant(start, 2 * STEP, 1, 1), 507_899);
        assert_eq!(rights(start, 1), (0, 3));
    });
}

#[test]
fn s30_rights_end_with_the_mapping() {
    both(|| {
        set(0);
        let (start, handle) = mapped(STEP, 0);
        assert_eq!(grant(start, STEP, 1, 3), 0);
        assert_eq!(unmap(start), 0);
        assert_eq!(map(start, STEP, handle), 0);
        assert_eq!(rights(start, 1), (0, 0));
        set(1);
        let (ours, _) = mapped(STEP, 1);
        assert_ne!(copy_on_stream(ours, start, 64), 0);
    });
}

#[test]
fn s30_rights_are_set_for_several_devices_at_once() {
    isolated::run(&[], || {
        set(0);
        let (start, _) = mapped(STEP, 0);
        let one = |flags, device| aclrtMemAccessDesc { flags, location: place(DEVICE, device), rsv: [0; 12] };
        let mut descriptions = [one(1, 1), one(3, 2)];
        assert_eq!(code!(aclrtMemSetAccess(start, STEP, descriptions.as_mut_ptr(), 2)), 0);
        assert_eq!((rights(start, 1).1, rights(start, 2).1), (1, 3));
        // All or nothing.
        let mut descriptions = [one(3, 3), one(1, 2)];
        assert_eq!(code!(aclrtMemSetAccess(start, STEP, descriptions.as_mut_ptr(), 2)), 507_899);
        assert_eq!(rights(start, 3), (0, 0));
    });
}

#[test]
fn s36_p2p_map_lets_one_device_reach_one_allocation() {
    isolated::run(&[A2], || {
        set(0);
        let mut theirs = null_mut();
        assert_eq!(code!(aclrtMalloc(&raw mut theirs, STEP, 0)), 0);
        assert_eq!(code!(aclrtMemP2PMap(null_mut(), STEP, 1, 0)), 100_000);
        assert_eq!(code!(aclrtMemP2PMap(theirs, 0, 1, 0)), 100_000);
        assert_eq!(code!(aclrtMemP2PMap(theirs, STEP, 1, 1)), 100_000);
        assert_eq!(code!(aclrtMemP2PMap(theirs, STEP, 99, 0)), 107_001);
        assert_eq!(code!(aclrtMemP2PMap(theirs, STEP + 4096, 1, 0)), 107_000);
        set(1);
        let (ours, _) = mapped(STEP, 1);
        assert_ne!(copy_on_stream(ours, theirs, 64), 0);
        assert_eq!(code!(aclrtMemP2PMap(theirs, STEP, 1, 0)), 0);
        assert_eq!(copy_on_stream(ours, theirs, 64), 0);
    });
}

#[test]
fn s21_alias_mode_denies_cpu_access_to_device_memory() {
    isolated::run(&[("ADDR", "alias")], || {
        set(0);
        let (start, _) = mapped(STEP, 0);
        // The kernel returns EFAULT for memory that the processor cannot read.
        let mut pipe = [0; 2];
        // SAFETY: two places for descriptors.
        assert_eq!(unsafe { libc::pipe(pipe.as_mut_ptr()) }, 0);
        // SAFETY: the kernel checks the address.
        let from_processor = |address| unsafe { libc::write(pipe[1], address, 1) };
        assert_eq!(from_processor(start), -1);
        assert_eq!(std::io::Error::last_os_error().raw_os_error(), Some(libc::EFAULT));
        let host = reserve(STEP);
        assert_eq!(map(host, STEP, create(STEP, prop(ANY_HUGE, place(HOST, 0)))), 0);
        assert_eq!(from_processor(host), 1);
    });
}

#[test]
fn s29_mappings_change_safely_during_copies() {
    both(|| {
        set(0);
        let bytes = 4 * STEP;
        let (target, _) = mapped(bytes, 0);
        let (source, handle) = (reserve(bytes), create(bytes, hbm(0)));
        let [from, to, memory] = [source, target, handle].map(SharedHandle::new);
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                set(0);
                while !stop.load(Ordering::Relaxed) {
                    let code = code!(aclrtMemcpy(to.get(), bytes, from.get(), bytes, 3));
                    assert!(code == 0 || code == 107_000, "{code}");
                }
            });
            for _ in 0..200 {
                assert_eq!(map(from.get(), bytes, memory.get()), 0);
                std::thread::yield_now();
                assert_eq!(unmap(from.get()), 0);
            }
            stop.store(true, Ordering::Relaxed);
        });
    });
}
