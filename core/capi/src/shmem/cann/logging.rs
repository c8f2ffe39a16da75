// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Log lines, and counters of kernels.
//!
//! Lines go where the library's other lines go: to the program's function, or else to standard error.
//! Counters are the numbers that kernels wrote into the table of the chosen PE; without kernels they are 0.

use std::ffi::c_int;
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use mf_base::settings::{Origin, loaded};
use mf_base::{Error, Result};
use mf_shmem::cann::codes::bad_value;
use mf_shmem::cann::environment::variable;
use mf_smem::kernel::Binary as Kernel;

use super::instances;
use super::types::{Logger, ProfPe};
use crate::logger;
use crate::startup::prepare;

/// The highest level of this family, fatal errors. The library logs none.
const FATAL: c_int = 4;
/// The level at which the library logs nothing.
const NOTHING: c_int = 5;

pub(crate) fn aclshmemx_set_extern_logger(op: &'static str, func: Logger) -> Result<c_int> {
    static IS_SET: AtomicBool = AtomicBool::new(false);
    if func.is_none() {
        return Err(Error::invalid(op, "the function is null"));
    }
    if !IS_SET.swap(true, Ordering::AcqRel) {
        logger::set_function(op, func)?;
    }
    Ok(0)
}

pub(crate) fn aclshmemx_set_log_level(op: &'static str, level: c_int) -> Result<c_int> {
    prepare()?;
    let of_environment =
        loaded()?.shown.iter().any(|row| row.key.name == "MF_LOG_LEVEL" && row.origin != Origin::Default);
    // The variable overrides the argument, which is not even checked then.
    if of_environment {
        return Ok(0);
    }
    if !(0..=FATAL).contains(&level) {
        return Err(bad_value(op, "unknown level")
            .with("level", level)
            .hint("0 debug, 1 info, 2 warn, 3 error, 4 fatal"));
    }
    logger::set_level(op, if level == FATAL { NOTHING } else { level })?;
    Ok(0)
}

/// Returns true if the kernels of this PE are counted.
fn is_counted() -> bool {
    let chosen = variable("SHMEM_CYCLE_PROF_PE").and_then(|text| text.trim().parse::<u32>().ok());
    instances::current().is_some_and(|instance| chosen == Some(instance.world.my_pe()))
}

/// Returns the counters of this PE's kernels, in memory of the library that the program may read and write
/// until the next call.
///
/// # Errors
/// Errors of the device.
fn counts() -> Result<*mut ProfPe> {
    static COUNTS: OnceLock<usize> = OnceLock::new();
    let address = *COUNTS.get_or_init(|| {
        let empty: Box<[u64]> = vec![0; size_of::<ProfPe>().div_ceil(8)].into_boxed_slice();
        Box::leak(empty).as_mut_ptr().expose_provenance()
    });
    let counts = std::ptr::with_exposed_provenance_mut::<ProfPe>(address);
    let Some(instance) = instances::current() else { return Ok(counts) };
    if instance.world.is_shown_to_kernels() {
        let found = instance.world.kernel_cycles()?;
        let bytes = found.len().min(size_of::<ProfPe>());
        // SAFETY: the block has room for all of it, and is never freed; the bytes are a copy of this process.
        unsafe { std::ptr::copy_nonoverlapping(found.as_ptr(), counts.cast(), bytes) };
    }
    // SAFETY: inside of the block, which is never freed.
    unsafe { (*counts).pe_id = instance.world.my_pe().cast_signed() };
    Ok(counts)
}

/// Prints the frames that were used.
fn show(counts: *const ProfPe) {
    /// Cycles without an accelerator, where nothing is counted.
    const USUAL: u32 = 50;
    let per_us = instances::current().map(|instance| Kernel::cycles_per_us(instance.world.devices()));
    let per_us = f64::from(per_us.and_then(Result::ok).unwrap_or(USUAL));
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "BlockID FrameID Cycles Count AvgTime(us)");
    // SAFETY: inside of the block that `counts` made, which is never freed.
    let blocks = unsafe { &raw const (*counts).blocks }.cast::<[[i64; ProfPe::FRAMES]; 2]>();
    for (block, frame) in
        (0..ProfPe::BLOCKS).flat_map(|block| (0..ProfPe::FRAMES).map(move |frame| (block, frame)))
    {
        let word = |kind: usize| {
            let at = (block * 2 + kind) * ProfPe::FRAMES + frame;
            // SAFETY: as above; the program may change the number meanwhile, which then is any.
            unsafe { blocks.cast::<i64>().wrapping_add(at).read_volatile() }
        };
        let (count, cycles) = (word(0), word(1));
        if count != 0 {
            let average = cycles as f64 / count as f64 / per_us;
            let _ = writeln!(out, "{block} {frame} {cycles} {count} {average:.3}");
        }
    }
}

pub(crate) fn aclshmemx_show_prof(_op: &'static str) -> Result<()> {
    if is_counted() {
        show(counts()?);
    }
    Ok(())
}

pub(crate) unsafe fn aclshmemx_get_prof(
    _op: &'static str,
    out_profs: *mut *mut ProfPe,
    verbose: bool,
) -> Result<()> {
    if !is_counted() {
        return Ok(());
    }
    let counts = counts()?;
    if !out_profs.is_null() {
        // SAFETY: not null; the caller passes room for a pointer.
        unsafe { out_profs.write(counts) };
    }
    if verbose {
        show(counts);
    }
    Ok(())
}

pub(crate) use {
    aclshmemx_set_extern_logger as shmem_set_extern_logger, aclshmemx_set_log_level as shmem_set_log_level,
};
