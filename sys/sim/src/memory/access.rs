// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Access checks: lookup of the memory, and permission. Also accesses in place: words, and views.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, RwLockReadGuard};

use mf_base::sync::read;

use super::native::native;
use super::region::{Access, REGIONS, Region, RegionTable};
use super::rights::{self, Initiator};
use super::space::space;
use crate::codes::acl;
use crate::fault::{Fault, Outcome, ensure};
use crate::machine::{Machine, machine};
use crate::watch;

/// Checks that `by` may access the whole range now.
///
/// # Errors
/// As [`copy`](super::transfer::copy).
pub fn check(by: Initiator, address: u64, bytes: u64, want: Access) -> Outcome {
    let machine = machine()?;
    check_in(machine, &REGIONS.table(), by, address, bytes, want)
}

/// Reads the aligned 8-byte word at `address`, with acquire order.
///
/// # Errors
/// As [`copy`](super::transfer::copy); 107008 for an address that is not a multiple of 8.
pub fn load_word(by: Initiator, address: u64) -> Outcome<u64> {
    with_word(by, address, Access::Read, |word| word.load(Ordering::Acquire))
}

/// Writes the aligned 8-byte word at `address`, with release order.
///
/// # Errors
/// As [`load_word`].
pub fn store_word(by: Initiator, address: u64, value: u64) -> Outcome {
    with_word(by, address, Access::ReadWrite, |word| word.store(value, Ordering::Release))
}

/// Runs `with` on the aligned 8-byte word at `address`, which must be in a region.
///
/// # Errors
/// As [`load_word`].
pub fn with_word<T>(
    by: Initiator,
    address: u64,
    want: Access,
    with: impl FnOnce(&AtomicU64) -> T,
) -> Outcome<T> {
    ensure(address.is_multiple_of(8), acl::ADDR_UNALIGNED, || {
        format!("{address:#x} is not a multiple of 8")
    })?;
    with_view(by, address, 8, want, |view| {
        // SAFETY: the word is aligned (a view begins where its region does, modulo a page), mapped as long as
        // `with_view` holds the region, and touched by others as a word too or torn by their own doing.
        with(unsafe { AtomicU64::from_ptr(view.cast()) })
    })
}

/// Runs `with` on the simulator's address of a range within one region. The region stays mapped meanwhile,
/// and a free of it blocks; so `with` must be quick, and must access no memory by device address. Fails for
/// memory that the program registered and has unmapped since.
///
/// # Errors
/// As [`copy`](super::transfer::copy).
pub fn with_view<T>(
    by: Initiator,
    address: u64,
    bytes: u64,
    want: Access,
    with: impl FnOnce(*mut u8) -> T,
) -> Outcome<T> {
    let machine = machine()?;
    let region = {
        let table = REGIONS.table();
        let region = table.find(address).ok_or_else(|| nothing_there(by, address))?;
        allow(machine, by, region, address, want)?;
        ensure(bytes <= region.range.end - address, acl::RT_PARAM_INVALID, || {
            format!("{address:#x}+{bytes} runs over the end of its memory, {:#x}", region.range.end)
        })?;
        Arc::clone(region)
    };
    let _held = hold(&region)?;
    Ok(with(std::ptr::with_exposed_provenance_mut(view_of(&region, address))))
}

/// As [`check`], with the table at hand.
pub(super) fn check_in(
    machine: &Machine,
    table: &RegionTable<'_>,
    by: Initiator,
    address: u64,
    bytes: u64,
    want: Access,
) -> Outcome {
    let end = address.checked_add(bytes).ok_or_else(|| {
        Fault::new(
            acl::RT_PARAM_INVALID,
            format_args!("{address:#x}+{bytes} runs over the end of all addresses"),
        )
    })?;
    let mut at = address;
    while at < end {
        at = match table.find(at) {
            Some(region) => {
                allow(machine, by, region, at, want)?;
                region.range.end
            }
            None => {
                let next = table.next_after(at).unwrap_or(u64::MAX).min(end);
                if matches!(by, Initiator::Core(_)) || space()?.overlaps(&(at..next)) {
                    return Err(nothing_there(by, at));
                }
                next
            }
        };
    }
    Ok(())
}

/// Refuses what `by` may not do in a region.
pub(super) fn allow(
    machine: &Machine,
    by: Initiator,
    region: &Region,
    address: u64,
    want: Access,
) -> Outcome {
    watch::before_access(by.device(), region.location)?;
    let may = rights::access(machine, by, region);
    ensure(may >= want, acl::RT_PARAM_INVALID, || {
        let verb = if want == Access::Read { "read" } else { "write" };
        format!("{by:?} may not {verb} {address:#x}, memory of {:?} ({:?})", region.location, region.kind)
    })
}

#[cold]
fn nothing_there(by: Initiator, address: u64) -> Fault {
    let range = address..address.saturating_add(1);
    let why = if space().is_ok_and(|space| space.overlaps(&range)) {
        "reserved, but nothing is mapped there (any more)"
    } else {
        "not memory that a device knows"
    };
    Fault::new(acl::RT_PARAM_INVALID, format_args!("{address:#x} is {why}; access by {by:?}"))
}

/// Keeps a region mapped.
pub(super) fn hold(region: &Region) -> Outcome<RwLockReadGuard<'_, bool>> {
    let gone = read(&region.gone);
    ensure(!*gone, acl::RT_PARAM_INVALID, || {
        format!("{:#x} was freed or unmapped during the access", region.range.start)
    })?;
    Ok(gone)
}

/// Returns the simulator's address for an address of a region.
#[inline]
pub(super) fn view_of(region: &Region, address: u64) -> usize {
    region.view + native(address - region.range.start)
}
