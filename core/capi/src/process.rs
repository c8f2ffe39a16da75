// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The state of the process: its membership, its pools, and what happens once before anything else.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};

use mf_abi::smem::BmHandle;
use mf_base::settings::loaded;
use mf_base::sync::slots::{Handle, SlotTable};
use mf_base::{Error, Kind, Result, log};
use mf_fabric::device::Devices;
use mf_smem::bm::{Context, Pool};

use crate::boundary::null;
use crate::{copies_loaded, shm_init};

/// All pools of the process, by handle.
pub(crate) static POOLS: SlotTable<Pool, 64> = SlotTable::new();

/// Whether the program chose a log level, which then beats the environment.
pub(crate) static LEVEL_WAS_SET: AtomicBool = AtomicBool::new(false);

static CONTEXT: Mutex<Option<Arc<Context>>> = Mutex::new(None);

/// The membership, locked for a change.
pub(crate) fn lock_context() -> MutexGuard<'static, Option<Arc<Context>>> {
    CONTEXT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The membership.
///
/// # Errors
/// `NotInit` before `smem_bm_init`, and in a forked child that has not called it.
pub(crate) fn context(operation: &'static str) -> Result<Arc<Context>> {
    let context = lock_context().clone().ok_or_else(|| not_init(operation))?;
    context.check_process(operation)?;
    Ok(context)
}

/// Forgets the membership of the process that a forked child comes from: it is not the child's to end.
pub(crate) fn forget_inherited(slot: &mut Option<Arc<Context>>) {
    if let Some(inherited) = slot.take_if(|context| context.check_process("bm init").is_err()) {
        std::mem::forget(inherited);
    }
}

/// The devices of this process, whichever interface opened them.
///
/// # Errors
/// `NotInit` before `smem_bm_init` and `smem_shm_init`.
pub(crate) fn devices(operation: &'static str) -> Result<Devices> {
    if let Ok(context) = shm_init::context(operation) {
        return Ok(context.devices().clone());
    }
    match context(operation) {
        Ok(context) => Ok(context.devices().clone()),
        Err(error) => Err(error.hint("call smem_shm_init or smem_bm_init first")),
    }
}

#[cold]
pub(crate) fn not_init(operation: &'static str) -> Error {
    Error::new(Kind::NotInit, operation).hint("call smem_bm_init first")
}

/// The number behind a handle.
#[inline(always)]
pub(crate) fn number(handle: BmHandle) -> Handle {
    Handle(handle.addr() as u64)
}

/// The pool of a handle, for calls that take long.
///
/// # Errors
/// Null: `InvalidParam`; not initialised, or made by the parent of this process: `NotInit`; stale or made up:
/// `unknown`.
pub(crate) fn pool(operation: &'static str, handle: BmHandle, unknown: Kind) -> Result<Arc<Pool>> {
    let pool = POOLS.get(number(handle)).ok_or_else(|| no_pool(operation, handle, unknown))?;
    pool.check_process(operation)?;
    Ok(pool)
}

/// Why a handle names no pool.
#[cold]
pub(crate) fn no_pool(operation: &'static str, handle: BmHandle, unknown: Kind) -> Error {
    if handle.is_null() {
        return null(operation, "the handle");
    }
    if lock_context().is_none() {
        return not_init(operation);
    }
    Error::new(unknown, operation)
        .what("the handle names no pool of this process")
        .with("handle", format!("{handle:p}"))
        .hint("it was destroyed, or never came from smem_bm_create")
}

/// Sets up logging and checks the surroundings, once; every entry that starts something calls it.
///
/// # Errors
/// `InvalidParam` for an unusable setting.
pub(crate) fn prepare() -> Result<()> {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        log::install();
        if let Ok(loaded) = loaded() {
            if !LEVEL_WAS_SET.load(Ordering::Relaxed) {
                log::set_level(i32::from(loaded.settings.log_level.0));
            }
            for warning in &loaded.warnings {
                tracing::warn!("{warning}");
            }
        }
        copies_loaded::report();
    });
    loaded().map(drop)
}
