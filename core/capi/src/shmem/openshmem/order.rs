// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Order, completion, and meetings of all PEs.

use std::ffi::{c_int, c_void};

use mf_base::{Error, Result};

use super::types::Ctx;
use super::world;

pub(crate) fn fence(op: &'static str) -> Result<()> {
    world::get(op)?.fence();
    Ok(())
}

pub(crate) fn ctx_fence(op: &'static str, ctx: Ctx) -> Result<()> {
    if ctx.is_invalid() {
        return Ok(());
    }
    ctx.with(op, |access| {
        access.fence();
        Ok(())
    })
}

/// Functions for caches that are not coherent, of machines of the time before 1.3.
macro_rules! nothing {
    ($($name:ident($($line:ident)?);)*) => { $(
        pub(crate) fn $name(_: &'static str $(, $line: *mut c_void)?) -> Result<()> {
            $(let _ = $line;)?
            Ok(())
        }
    )* };
}
nothing! {
    set_cache_inv();
    set_cache_line_inv(dest);
    clear_cache_inv();
    clear_cache_line_inv(dest);
    udcflush();
    udcflush_line(dest);
}

pub(crate) fn quiet(op: &'static str) -> Result<()> {
    world::get(op)?.quiet()
}

pub(crate) fn ctx_quiet(op: &'static str, ctx: Ctx) -> Result<()> {
    if ctx.is_invalid() { Ok(()) } else { ctx.with(op, |access| access.quiet()) }
}

pub(crate) unsafe fn pe_quiet(op: &'static str, target_pes: *const c_int, npes: usize) -> Result<()> {
    // SAFETY: the caller passes so many readable numbers.
    unsafe { ctx_pe_quiet(op, Ctx::DEFAULT, target_pes, npes) }
}

pub(crate) unsafe fn ctx_pe_quiet(
    op: &'static str,
    ctx: Ctx,
    target_pes: *const c_int,
    npes: usize,
) -> Result<()> {
    if ctx.is_invalid() {
        return Ok(());
    }
    ctx.with(op, |access| {
        if npes > 0 && target_pes.is_null() {
            return Err(Error::invalid(op, "the list of PEs is null").with("npes", npes));
        }
        // SAFETY: the caller passes so many numbers, one after the other.
        let pe = |index| unsafe { target_pes.wrapping_add(index).read() };
        access.quiet_pes(&(0..npes).map(pe).collect::<Vec<_>>())
    })
}

pub(crate) fn barrier_all(op: &'static str) -> Result<()> {
    world::get(op)?.barrier_all()
}

pub(crate) fn sync_all(op: &'static str) -> Result<()> {
    world::get(op)?.sync_all()
}
