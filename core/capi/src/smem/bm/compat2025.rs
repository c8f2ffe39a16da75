// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Functions of the 2025 interface, under names of their own where today's symbol has another meaning.

use std::ffi::{c_char, c_void};

use mf_abi::smem::{ASYNC_COPY_FLAG, BmConfigV0, BmHandle};
use mf_base::{Error, Kind, MemKind, Rank, Result};
use mf_smem::bm::{Config, CopyMode, CopyType, Piece, Pool};

use super::state::STATE;
use crate::boundary::text;
use crate::smem::bm::copy::slow_path;
use crate::smem::bm::init::init;
use crate::smem::bm::pools::pool;
use crate::smem::job_config::with_timeouts;

/// The window that calls without a memory type mean: device memory where the pool has any, else host memory.
fn only_window(pool: &Pool) -> MemKind {
    if pool.address(MemKind::Device, Rank(0)).is_ok() { MemKind::Device } else { MemKind::Host }
}

pub(crate) unsafe fn smem_bm_config_init_v0(_op: &'static str, config: *mut BmConfigV0) -> Result<()> {
    let defaults = BmConfigV0 {
        init_timeout: 120,
        create_timeout: 120,
        control_operation_timeout: 120,
        start_config_store: 1,
        start_config_store_only: 0,
        dynamic_world_size: 0,
        unified_address_space: 1,
        auto_ranking: 0,
        rank_id: 65535,
        flags: 0,
    };
    // SAFETY: not null; the caller passes a struct of this size.
    unsafe { config.write(defaults) };
    Ok(())
}

pub(crate) unsafe fn smem_bm_init_v0(
    op: &'static str,
    url: *const c_char,
    world_size: u32,
    device: u16,
    config: *const BmConfigV0,
) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let url = unsafe { text(op, "the store URL", url) }?;
    // SAFETY: not null; the caller passes an initialised struct that nobody changes meanwhile.
    let config = unsafe { &*config };
    let timeouts = [config.init_timeout, config.create_timeout, config.control_operation_timeout];
    let wanted = with_timeouts(Config::new(url, world_size).device(device), timeouts)
        .rank(Rank(u32::from(config.rank_id)))
        .auto_rank(config.auto_ranking != 0)
        // In that era ranks were counted when all had come, by address and device.
        .ordered_ranks(true)
        .start_store(config.start_config_store != 0)
        .start_store_only(config.start_config_store_only != 0)
        .dynamic_world(config.dynamic_world_size != 0);
    init(op, config.unified_address_space != 0, || Ok(wanted))
}

pub(crate) unsafe fn smem_bm_join_v0(
    op: &'static str,
    handle: BmHandle,
    _flags: u32,
    local: *mut *mut c_void,
) -> Result<()> {
    let pool = pool(op, handle, Kind::NotInit)?;
    pool.join()?;
    let address = pool.address(only_window(&pool), pool.rank())?;
    // SAFETY: not null; the caller passes room for a pointer.
    unsafe { local.write(address.as_ptr().cast()) };
    Ok(())
}

pub(crate) unsafe fn smem_bm_copy_v0(
    op: &'static str,
    handle: BmHandle,
    src: *const c_void,
    dest: *mut c_void,
    size: u64,
    copy_type: u32,
    flags: u32,
) -> Result<i32> {
    let piece = Piece { src: src.cast(), dst: dest.cast(), bytes: size };
    // SAFETY: the caller vouches for the local end.
    unsafe { slow_path(op, handle, piece, known_type(copy_type), mode(flags), false) }
}

pub(crate) unsafe fn smem_bm_copy_2d(
    op: &'static str,
    handle: BmHandle,
    src: *const c_void,
    src_pitch: u64,
    dest: *mut c_void,
    dest_pitch: u64,
    width: u64,
    height: u64,
    copy_type: u32,
    flags: u32,
) -> Result<()> {
    let pool = pool(op, handle, Kind::InvalidParam)?;
    let rows = rows(src.cast(), src_pitch, dest.cast(), dest_pitch, width, height)?;
    // SAFETY: the caller vouches for the local ends of all rows.
    unsafe { pool.copy_batch_raw(&rows, CopyType::from_number(known_type(copy_type))?, mode(flags)) }
}

/// The 2025 interface has no streams of the caller; other flags mean nothing to it.
fn mode(flags: u32) -> CopyMode {
    if flags & ASYNC_COPY_FLAG != 0 { CopyMode::Async } else { CopyMode::Sync }
}

/// The 2025 interface has the first four copy types; all other numbers are invalid.
fn known_type(copy_type: u32) -> u32 {
    if copy_type < 4 { copy_type } else { u32::MAX }
}

/// Most rows of one call; a bound on the list, not on the memory.
const ROWS_MAX: u64 = 1 << 24;

fn rows(
    src: *const u8,
    src_pitch: u64,
    dest: *mut u8,
    dest_pitch: u64,
    width: u64,
    height: u64,
) -> Result<Vec<Piece>> {
    const OP: &str = "bm copy 2d";
    let bad = |what: &str| {
        Error::invalid(OP, what)
            .with("width", width)
            .with("height", height)
            .with("spitch", src_pitch)
            .with("dpitch", dest_pitch)
    };
    if src.is_null() || dest.is_null() || width == 0 || height == 0 {
        return Err(bad("source or destination is null, or the area is empty"));
    }
    if src_pitch < width || dest_pitch < width {
        return Err(bad("a pitch is smaller than the width"));
    }
    let last_row = height - 1;
    let overflows = |start: usize, pitch: u64| {
        pitch
            .checked_mul(last_row)
            .and_then(|n| n.checked_add(width))
            .and_then(|n| n.checked_add(start as u64))
            .is_none()
    };
    if height > ROWS_MAX || overflows(src.addr(), src_pitch) || overflows(dest.addr(), dest_pitch) {
        return Err(bad("the area is too large"));
    }
    let offset = |pitch: u64, row: u64| usize::try_from(pitch * row).unwrap_or(0);
    let row = |row| Piece {
        src: src.wrapping_add(offset(src_pitch, row)),
        dst: dest.wrapping_add(offset(dest_pitch, row)),
        bytes: width,
    };
    Ok((0..height).map(row).collect())
}

pub(crate) fn smem_bm_ptr(op: &'static str, handle: BmHandle, peer: u16) -> Result<*mut c_void> {
    let pool = pool(op, handle, Kind::InvalidParam)?;
    Ok(pool.address(only_window(&pool), Rank(u32::from(peer)))?.as_ptr().cast())
}

pub(crate) fn smem_bm_get_local_mem_size(op: &'static str, handle: BmHandle) -> Result<u64> {
    let pool = pool(op, handle, Kind::InvalidParam)?;
    // Before init the handle cannot be known, so the context is there.
    STATE.context(op)?;
    Ok(pool.local_bytes(only_window(&pool)))
}
