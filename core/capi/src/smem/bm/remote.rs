// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfx_bm_*`: views of other ranks' memory, atomics and signals of a pool.

use std::ffi::c_void;

use mf_abi::smem::{
    BmHandle, MFX_ATOMIC_ADD, MFX_ATOMIC_AND, MFX_ATOMIC_COMPARE_SWAP, MFX_ATOMIC_FETCH, MFX_ATOMIC_OR,
    MFX_ATOMIC_SWAP, MFX_ATOMIC_XOR, MFX_SIGNAL_ADD, MFX_SIGNAL_SET,
};
use mf_base::{Error, Gva, Kind, Rank, Result};
use mf_smem::bm::{Atomic, AtomicKind, Piece, Signal, SignalKind, Width};

use crate::smem::bm::pools::{pool, window};
use crate::smem::second_mapping::map_again;

pub(crate) unsafe fn mfx_bm_map_member(
    op: &'static str,
    handle: BmHandle,
    rank: u32,
    mem_type: u32,
    address: *mut *mut c_void,
    bytes: *mut u64,
) -> Result<()> {
    let (pool, kind, rank) = (pool(op, handle, Kind::InvalidParam)?, window(op, mem_type)?, Rank(rank));
    let (base, length) = if rank == pool.rank() {
        let (base, length) = pool.map_own(kind)?.into_raw();
        (base.cast(), length)
    } else {
        pool.with_mapped(kind, rank, |place, bytes| map_again(op, rank, place, bytes))?
    };
    // SAFETY: not null; the caller passes room for a pointer.
    unsafe { address.write(base) };
    // SAFETY: not null; the caller passes room for a number.
    unsafe { bytes.write(length as u64) };
    Ok(())
}

pub(crate) unsafe fn mfx_bm_atomic(
    op: &'static str,
    handle: BmHandle,
    address: *mut c_void,
    width: u32,
    kind: u32,
    operand: u64,
    compare: u64,
    old: *mut u64,
) -> Result<()> {
    let pool = pool(op, handle, Kind::InvalidParam)?;
    let width = word(op, width)?;
    let atomic =
        Atomic { kind: atomic(op, kind)?, width, operand: width.low(operand), compare: width.low(compare) };
    let before = pool.atomic(gva(address), atomic)?;
    if !old.is_null() {
        // SAFETY: not null; the caller passes room for a number.
        unsafe { old.write(before) };
    }
    Ok(())
}

pub(crate) unsafe fn mfx_bm_put_signal(
    op: &'static str,
    handle: BmHandle,
    dest: *mut c_void,
    src: *const c_void,
    bytes: u64,
    signal_address: *mut c_void,
    width: u32,
    kind: u32,
    value: u64,
) -> Result<()> {
    let pool = pool(op, handle, Kind::InvalidParam)?;
    let width = word(op, width)?;
    let kind = match kind {
        MFX_SIGNAL_SET => SignalKind::Set,
        MFX_SIGNAL_ADD => SignalKind::Add,
        _ => return Err(Error::invalid(op, "no such kind of signal").with("kind", kind)),
    };
    let signal = Signal { address: gva(signal_address).0, kind, value: width.low(value), width };
    if bytes > 0 && src.is_null() {
        return Err(Error::invalid(op, "the source is null").with("bytes", bytes));
    }
    let piece = Piece { src: src.cast(), dst: dest.cast(), bytes };
    // SAFETY: the caller vouches for the source until this returns; the other end lies in the pool, which is
    // checked.
    unsafe { pool.put_signal_raw(piece, signal) }
}

fn gva(address: *mut c_void) -> Gva {
    Gva(address.expose_provenance() as u64)
}

fn word(op: &'static str, bytes: u32) -> Result<Width> {
    match bytes {
        4 => Ok(Width::W32),
        8 => Ok(Width::W64),
        _ => Err(Error::invalid(op, "a word has 4 or 8 bytes").with("width", bytes)),
    }
}

fn atomic(op: &'static str, kind: u32) -> Result<AtomicKind> {
    Ok(match kind {
        MFX_ATOMIC_ADD => AtomicKind::Add,
        MFX_ATOMIC_AND => AtomicKind::And,
        MFX_ATOMIC_OR => AtomicKind::Or,
        MFX_ATOMIC_XOR => AtomicKind::Xor,
        MFX_ATOMIC_SWAP => AtomicKind::Swap,
        MFX_ATOMIC_COMPARE_SWAP => AtomicKind::CompareSwap,
        MFX_ATOMIC_FETCH => AtomicKind::Fetch,
        _ => return Err(Error::invalid(op, "no such atomic").with("kind", kind)),
    })
}
