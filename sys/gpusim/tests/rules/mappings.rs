// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory at chosen addresses: rules 19 to 21.

use std::ptr::null_mut;

use gpu_sim::*;
use gpu_sys::{Access, AllocationProperties, MemoryPlace};

use super::{cuda, get, isolated, put};

const UNIT: usize = 2 << 20;
const WISH: u64 = 0x1200_0000_0000;

/// Addresses for so many units.
fn reserved(wish: u64, units: usize) -> u64 {
    let mut first = 0;
    assert_eq!(call!(cuMemAddressReserve(&raw mut first, units * UNIT, 0, wish, 0)), 0);
    first
}

/// Memory of a device that can be shared.
fn sort(device: i32) -> AllocationProperties {
    AllocationProperties {
        kind: 1,
        shared: 1,
        place: MemoryPlace { kind: 1, number: device },
        security: null_mut(),
        wishes: 0,
    }
}

/// Memory of device 0.
fn made(units: usize) -> u64 {
    let (mut handle, sort) = (0, sort(0));
    assert_eq!(call!(cuMemCreate(&raw mut handle, units * UNIT, &raw const sort, 0)), 0);
    handle
}

fn open_to(address: u64, bytes: usize, device: i32) -> i32 {
    let access = Access { who: MemoryPlace { kind: 1, number: device }, rights: 3 };
    call!(cuMemSetAccess(address, bytes, &raw const access, 1))
}

#[test]
fn rule_19_addresses_are_reserved_at_hints() {
    isolated::run(&[], || {
        cuda(0);
        let mut bytes = 0;
        let sort = sort(0);
        assert_eq!(call!(cuMemGetAllocationGranularity(&raw mut bytes, &raw const sort, 0)), 0);
        assert_eq!((bytes, reserved(WISH, 16)), (UNIT, WISH));
        let other = reserved(WISH, 16);
        assert!(other != WISH && other.is_multiple_of(UNIT as u64));
        // In pieces of 32 MiB, from a multiple of that on.
        let (far, piece) = (WISH << 1, 16 * UNIT as u64);
        assert!(reserved(far, 15) != far && reserved(far + UNIT as u64, 16) != far + UNIT as u64);
        assert!(reserved(far, 17) == far && reserved(far + piece, 16) != far + piece);
        assert_eq!(reserved(far + 2 * piece, 16), far + 2 * piece);
        let mut first = 0;
        assert_eq!(call!(cuMemAddressReserve(&raw mut first, UNIT + 4096, 0, 0, 0)), 1);
        assert_eq!(call!(cuMemAddressFree(WISH, UNIT)), 1);
        assert_eq!(call!(cuMemMap(WISH + UNIT as u64, UNIT, 0, made(1), 0)), 0);
        assert_eq!(call!(cuMemAddressFree(WISH, 16 * UNIT)), 1);
        assert_eq!(call!(cuMemUnmap(WISH + UNIT as u64, UNIT)), 0);
        assert_eq!(call!(cuMemAddressFree(WISH, 16 * UNIT)), 0);
        assert_eq!((call!(cuMemAddressFree(WISH, 16 * UNIT)), reserved(WISH, 16)), (1, WISH));
    });
}

#[test]
fn rule_20_memory_has_a_granularity_and_needs_access_rights() {
    let knobs = [("=GPUSIM_GPUS", "2:cuda"), ("=GPUSIM_MEMORY_BYTES", "6291456")];
    isolated::run(&knobs, || {
        cuda(0);
        let (at, sort, mut handle) = (reserved(WISH, 4), sort(0), 0);
        let unit = UNIT as u64;
        assert_eq!(call!(cuMemCreate(&raw mut handle, UNIT / 2, &raw const sort, 0)), 1);
        let two = made(2);
        assert_eq!(call!(cuMemCreate(&raw mut handle, 2 * UNIT, &raw const sort, 0)), 2);
        // As a whole, in reserved addresses, where nothing is.
        for (place, length, offset) in [(at, UNIT, 0), (at, UNIT, UNIT), (at + 3 * unit, 2 * UNIT, 0)] {
            assert_eq!(call!(cuMemMap(place, length, offset, two, 0)), 1);
        }
        assert_eq!(call!(cuMemMap(at, 2 * UNIT, 0, two, 0)), 0);
        assert_eq!(call!(cuMemMap(at + unit, 2 * UNIT, 0, two, 0)), 1);
        let value = 5_u64;
        let put_there = || call!(cuMemcpyHtoD_v2(at + 8, (&raw const value).cast(), 8));
        assert_eq!((put_there(), open_to(at, UNIT, 0), open_to(at, 2 * UNIT, 0)), (1, 1, 0));
        // Independent of earlier contents.
        assert_eq!((get(at), put_there(), get(at + 8)), (0xd7d7_d7d7_d7d7_d7d7, 0, 5));
        cuda(1);
        assert_eq!((put_there(), open_to(at, 2 * UNIT, 1), put_there()), (1, 0, 0));
        // Mapped, it lives on without its handle, and takes its room.
        assert_eq!((call!(cuMemRelease(two)), call!(cuMemRelease(two)), get(at + 8)), (0, 1, 5));
        assert_eq!(call!(cuMemCreate(&raw mut handle, 2 * UNIT, &raw const sort, 0)), 2);
        assert_eq!((call!(cuMemFree_v2(at)), call!(cuMemUnmap(at, UNIT))), (1, 1));
        assert_eq!((call!(cuMemUnmap(at, 2 * UNIT)), put_there()), (0, 1));
        // A copy may span adjacent mappings of one reservation, and no more.
        for part in [0, unit, 2 * unit] {
            assert_eq!(
                (call!(cuMemMap(at + part, UNIT, 0, made(1), 0)), open_to(at + part, UNIT, 1)),
                (0, 0)
            );
        }
        put(at + unit - 4, 0x0102_0304_0506_0708);
        assert_eq!((get(at + unit - 4), get(at + unit) & 0xffff_ffff), (0x0102_0304_0506_0708, 0x0102_0304));
        let far = at + 3 * unit - 4;
        assert_eq!(call!(cuMemcpyHtoD_v2(far, (&raw const value).cast(), 8)), 1);
    });
}

#[test]
fn rule_21_a_descriptor_names_memory_for_any_process() {
    isolated::crew(2, &[], |rank, board| {
        cuda(0);
        let (at, unit) = (reserved(WISH, 16), UNIT as u64);
        assert_eq!(at, WISH);
        let mut handle = 0;
        if rank == 0 {
            handle = made(1);
            let mut descriptor = -1;
            assert_eq!(call!(cuMemMap(at, UNIT, 0, handle, 0)), 0);
            assert_eq!(open_to(at, UNIT, 0), 0);
            put(at + unit - 8, 42);
            assert_eq!(call!(cuMemExportToShareableHandle((&raw mut descriptor).cast(), handle, 2, 0)), 1);
            assert_eq!(call!(cuMemExportToShareableHandle((&raw mut descriptor).cast(), handle, 1, 0)), 0);
            board.post("file", format!("/proc/{}/fd/{descriptor}", std::process::id()).as_bytes());
            board.take("seen");
            assert_eq!(get(at), 43);
        } else {
            let file = String::from_utf8(board.take("file")).unwrap();
            let file = std::fs::File::options().read(true).write(true).open(file).unwrap();
            let given = |file: &std::fs::File| {
                let number = usize::try_from(std::os::fd::AsRawFd::as_raw_fd(file)).unwrap();
                std::ptr::without_provenance_mut(number)
            };
            let none = std::fs::File::open("/dev/null").unwrap();
            assert_eq!(call!(cuMemImportFromShareableHandle(&raw mut handle, given(&none), 1)), 1);
            assert_eq!(call!(cuMemImportFromShareableHandle(&raw mut handle, given(&file), 1)), 0);
            drop(file);
            let mut again = -1;
            assert_eq!(call!(cuMemExportToShareableHandle((&raw mut again).cast(), handle, 1, 0)), 1);
            assert_eq!((call!(cuMemMap(at, UNIT, 0, handle, 0)), open_to(at, UNIT, 0)), (0, 0));
            assert_eq!(get(at + unit - 8), 42);
            put(at, 43);
            board.post("seen", b"");
            assert_eq!(gpusim_leaks(), 3);
            assert_eq!((call!(cuMemUnmap(at, UNIT)), call!(cuMemRelease(handle))), (0, 0));
            assert_eq!((call!(cuMemAddressFree(at, 16 * UNIT)), gpusim_leaks()), (0, 0));
        }
    });
}
