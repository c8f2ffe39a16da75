// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The one function that moves bytes: by addresses, through the table of regions, with the rights of the
//! mover.
//!
//! An access is checked as a whole first; if any part of it is not allowed, no bytes are copied. A small
//! transfer then runs under the lock of the table; a large one is copied in pieces, each under the lock of
//! its regions, and fails at the first piece whose memory was freed. An access may span adjacent regions.

use std::sync::Arc;

pub use super::access::{check, load_word, store_word, with_view, with_word};
pub use super::rights::Initiator;

use super::access::{allow, check_in, hold, view_of};
use super::native::native;
use super::region::{Access, REGIONS, Region, RegionKind, RegionTable};
use super::{process, rights};
use crate::codes::acl;
use crate::fault::{Fault, Outcome};
use crate::machine::{Machine, machine};
use crate::watch;

/// Up to so many bytes move under the lock of the table.
const SMALL: u64 = 4 << 10;
/// A free waits for so many bytes at most.
const PIECE: u64 = 1 << 20;
/// The largest pages of a host that are discarded.
const PAGE: u64 = 64 << 10;

/// One side of an access.
#[derive(Clone, Copy)]
enum Side {
    /// An address of the program's.
    Address(u64),
    /// Memory of the simulator's own, valid for the whole access.
    Own(usize),
}

impl Side {
    #[inline]
    fn region<'a>(self, table: &'a RegionTable<'_>) -> Option<&'a Region> {
        match self {
            Self::Address(address) => table.find(address).map(|region| &**region),
            Self::Own(_) => None,
        }
    }

    fn after(self, bytes: u64) -> Self {
        match self {
            Self::Address(address) => Self::Address(address + bytes),
            Self::Own(address) => Self::Own(address + native(bytes)),
        }
    }
}

/// Resolved location of one side of a piece.
enum PieceEnd {
    /// In a region; where the simulator reaches it.
    Region(Arc<Region>, usize),
    /// Memory of the program that no device knows.
    Process(usize),
    /// The simulator's own.
    Own(usize),
}

/// Copies. Both ranges must be allowed to `by`; memory of the process that is in no region is host memory.
///
/// # Errors
/// 107000 outside regions or rights. Never a crash.
#[inline]
pub fn copy(by: Initiator, dst: u64, src: u64, bytes: u64) -> Outcome {
    copy_if(by, dst, src, bytes, |_, _| Ok(()))
}

/// As [`copy`], if `validate` agrees to the regions where source and destination begin.
///
/// # Errors
/// As [`copy`], and errors of `validate`, which must be quick and look nothing up.
#[inline]
pub fn copy_if(
    by: Initiator,
    dst: u64,
    src: u64,
    bytes: u64,
    validate: impl FnOnce(Option<&Region>, Option<&Region>) -> Outcome,
) -> Outcome {
    announce(by, Some(dst), Some(src), bytes)?;
    run(by, Side::Address(dst), Side::Address(src), bytes, validate)
}

/// Copies a part of a transfer that was announced.
///
/// # Errors
/// As [`copy`].
pub fn copy_part(by: Initiator, dst: u64, src: u64, bytes: u64) -> Outcome {
    run(by, Side::Address(dst), Side::Address(src), bytes, |_, _| Ok(()))
}

/// Begins a transfer: waits for its simulated cost and applies injected faults. An end without address is
/// memory of the process.
///
/// # Errors
/// Injected ones.
#[inline]
pub fn announce(by: Initiator, dst: Option<u64>, src: Option<u64>, bytes: u64) -> Outcome {
    if watch::watches_transfers() { announce_watched(by, dst, src, bytes) } else { Ok(()) }
}

#[cold]
fn announce_watched(by: Initiator, dst: Option<u64>, src: Option<u64>, bytes: u64) -> Outcome {
    machine()?;
    let location = |address: Option<u64>| Some(REGIONS.find(address?)?.location);
    watch::before_transfer(by.device(), location(src), location(dst), bytes)
}

/// Copies from `src` to memory of the simulator's own, as a part of something larger.
///
/// # Errors
/// As [`copy`].
///
/// # Safety
/// `into` is valid for writes of `bytes`.
pub unsafe fn read(by: Initiator, src: u64, into: *mut u8, bytes: u64) -> Outcome {
    run(by, Side::Own(into.expose_provenance()), Side::Address(src), bytes, |_, _| Ok(()))
}

/// Copies from memory of the simulator's own to `dst`, as a part of something larger.
///
/// # Errors
/// As [`copy`].
///
/// # Safety
/// `from` is valid for reads of `bytes`.
pub unsafe fn write(by: Initiator, dst: u64, from: *const u8, bytes: u64) -> Outcome {
    run(by, Side::Address(dst), Side::Own(from.expose_provenance()), bytes, |_, _| Ok(()))
}

/// Sets every byte. Whole pages of zeroes take no memory of the host.
///
/// # Errors
/// As [`copy`].
pub fn fill(by: Initiator, dst: u64, value: u8, bytes: u64) -> Outcome {
    let pattern = vec![value; native(bytes.min(PIECE))];
    let pattern = Side::Own(pattern.as_ptr().expose_provenance());
    check(by, dst, bytes, Access::ReadWrite)?;
    announce(by, Some(dst), None, bytes)?;
    let mut done = 0;
    while done < bytes {
        let at = dst + done;
        let step = if value == 0 { (PAGE - at % PAGE) % PAGE } else { 0 };
        let step = if step > 0 { step } else { PIECE }.min(bytes - done);
        let discarded = if value == 0 { discard(by, at, step)? } else { 0 };
        if discarded == 0 {
            run(by, Side::Address(at), pattern, step, |_, _| Ok(()))?;
        }
        done += if discarded > 0 { discarded } else { step };
    }
    Ok(())
}

/// Sets the whole pages at the beginning of a range to zero by taking them from the file behind them; how
/// many bytes that were.
fn discard(by: Initiator, at: u64, most: u64) -> Outcome<u64> {
    let machine = machine()?;
    let (place, most) = {
        let table = REGIONS.table();
        place(machine, &table, by, Side::Address(at), most, Access::ReadWrite)?
    };
    let PieceEnd::Region(region, view) = place else { return Ok(0) };
    let bytes = most / PAGE * PAGE;
    if bytes == 0 || !(view as u64).is_multiple_of(PAGE) {
        return Ok(0);
    }
    let _held = hold(&region)?;
    // SAFETY: a part of a region of the simulator's own, which is held.
    Ok(if unsafe { process::discard(view, native(bytes)) } { bytes } else { 0 })
}

/// The same refusal as a task of a stream reports it.
///
/// Assumed: an access that finds nothing, or may not, is the device's memory error once a stream runs it.
pub fn in_task(fault: Fault) -> Fault {
    if fault.code == acl::RT_PARAM_INVALID { Fault { code: acl::DEVICE_MEM_ERROR, ..fault } } else { fault }
}

#[inline]
fn run(
    by: Initiator,
    dst: Side,
    src: Side,
    bytes: u64,
    validate: impl FnOnce(Option<&Region>, Option<&Region>) -> Outcome,
) -> Outcome {
    let machine = machine()?;
    if bytes == 0 {
        return Ok(());
    }
    {
        let table = REGIONS.table();
        let (from, to) = (src.region(&table), dst.region(&table));
        validate(from, to)?;
        if bytes <= SMALL
            && let Some(from) = direct(machine, by, src, from, bytes, Access::Read)
            && let Some(to) = direct(machine, by, dst, to, bytes, Access::ReadWrite)
        {
            // SAFETY: each side lies in a region, which cannot go while the table is held, or is valid by
            // contract.
            unsafe { process::move_bytes(to, from, native(bytes)) };
            return Ok(());
        }
    }
    run_in_pieces(machine, by, dst, src, bytes)
}

fn run_in_pieces(machine: &Machine, by: Initiator, dst: Side, src: Side, bytes: u64) -> Outcome {
    {
        let table = REGIONS.table();
        if let Side::Address(src) = src {
            check_in(machine, &table, by, src, bytes, Access::Read)?;
        }
        if let Side::Address(dst) = dst {
            check_in(machine, &table, by, dst, bytes, Access::ReadWrite)?;
        }
    }
    let mut done = 0;
    while done < bytes {
        let (from, to, step) = {
            let table = REGIONS.table();
            let most = (bytes - done).min(PIECE);
            let (from, most) = place(machine, &table, by, src.after(done), most, Access::Read)?;
            let (to, most) = place(machine, &table, by, dst.after(done), most, Access::ReadWrite)?;
            (from, to, most)
        };
        move_piece(machine, &to, &from, native(step))?;
        done += step;
    }
    Ok(())
}

/// Returns the simulator's address of a range that is in one region and allowed; `None` leaves it to the
/// general case.
#[inline]
fn direct(
    machine: &Machine,
    by: Initiator,
    side: Side,
    region: Option<&Region>,
    bytes: u64,
    want: Access,
) -> Option<usize> {
    match side {
        Side::Own(address) => Some(address),
        Side::Address(address) => {
            let region = region?;
            let fits = region.kind != RegionKind::Registered && bytes <= region.range.end - address;
            let may = fits
                && rights::access(machine, by, region) >= want
                && watch::before_access(by.device(), region.location).is_ok();
            may.then(|| view_of(region, address))
        }
    }
}

fn place(
    machine: &Machine,
    table: &RegionTable<'_>,
    by: Initiator,
    side: Side,
    most: u64,
    want: Access,
) -> Outcome<(PieceEnd, u64)> {
    let address = match side {
        Side::Own(address) => return Ok((PieceEnd::Own(address), most)),
        Side::Address(address) => address,
    };
    match table.find(address) {
        Some(region) => {
            allow(machine, by, region, address, want)?;
            let view = view_of(region, address);
            let most = most.min(region.range.end - address);
            if region.kind == RegionKind::Registered {
                // The program may have unmapped its registered memory.
                return Ok((PieceEnd::Process(view), most));
            }
            Ok((PieceEnd::Region(Arc::clone(region), view), most))
        }
        None => {
            let most = most.min(table.next_after(address).unwrap_or(u64::MAX) - address);
            check_in(machine, table, by, address, most, want)?;
            Ok((PieceEnd::Process(native(address)), most))
        }
    }
}

fn move_piece(machine: &Machine, to: &PieceEnd, from: &PieceEnd, bytes: usize) -> Outcome {
    let _held = match (to, from) {
        (PieceEnd::Region(to, _), PieceEnd::Region(from, _)) if !Arc::ptr_eq(to, from) => {
            // In the order of their addresses, so that two copies and two frees cannot wait for each other in
            // a ring.
            let (first, second) = if to.range.start < from.range.start { (to, from) } else { (from, to) };
            (Some(hold(first)?), Some(hold(second)?))
        }
        (PieceEnd::Region(region, _), _) | (_, PieceEnd::Region(region, _)) => (Some(hold(region)?), None),
        _ => (None, None),
    };
    let known = |place: &PieceEnd| match place {
        PieceEnd::Region(_, at) | PieceEnd::Own(at) => (*at, true),
        PieceEnd::Process(at) => (*at, false),
    };
    let ((to, to_known), (from, from_known)) = (known(to), known(from));
    if to_known && from_known {
        // SAFETY: regions are held, and the simulator's own memory is valid by contract.
        unsafe { process::move_bytes(to, from, bytes) };
        return Ok(());
    }
    // SAFETY: the known side is a held region or the simulator's own memory, valid for `bytes`.
    unsafe { process::copy(to, from, bytes, machine.config.strict) }.map_err(|done| {
        let side = if to_known { from } else { to };
        Fault::new(
            acl::RT_PARAM_INVALID,
            format_args!("process memory at {:#x} or behind is not accessible", side + done),
        )
    })
}
