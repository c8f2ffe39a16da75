// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `smem_shm.h`: configuration, init and uninit, and the state of the process that they begin and end.

use std::ffi::c_char;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mf_abi::smem::{ShmConfig, ShmHandle};
use mf_base::sync::slots::{Handle, SlotTable};
use mf_base::{Error, Kind, Rank, Result};
use mf_smem::shm::{Config, Context, ShareMemory};

use crate::boundary::{null, text};
use crate::process::prepare;

/// All objects of the process, by handle.
pub(crate) static SHARES: SlotTable<ShareMemory, 64> = SlotTable::new();

static CONTEXT: Mutex<Option<Arc<Context>>> = Mutex::new(None);
/// Held by who joins or leaves the job, which takes its time; the membership itself can be asked for
/// meanwhile.
static CHANGING: Mutex<()> = Mutex::new(());

/// The membership, locked for a change.
fn lock_context() -> MutexGuard<'static, Option<Arc<Context>>> {
    CONTEXT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The membership.
///
/// # Errors
/// `NotInit` before `smem_shm_init`, and in a forked child that has not called it.
pub(crate) fn context(operation: &'static str) -> Result<Arc<Context>> {
    let context = lock_context().clone().ok_or_else(|| not_init(operation))?;
    context.check_process(operation)?;
    Ok(context)
}

/// Forgets the membership of the process that a forked child comes from: it is not the child's to end.
fn forget_inherited(slot: &mut Option<Arc<Context>>) {
    if let Some(inherited) = slot.take_if(|context| context.check_process("shm init").is_err()) {
        std::mem::forget(inherited);
    }
}

#[cold]
fn not_init(operation: &'static str) -> Error {
    Error::new(Kind::NotInit, operation).hint("call smem_shm_init first")
}

/// The object of a handle.
///
/// # Errors
/// Null: `InvalidParam`; not initialised, or made by the parent of this process: `NotInit`; stale or made up:
/// `InvalidParam`.
pub(crate) fn share(operation: &'static str, handle: ShmHandle) -> Result<Arc<ShareMemory>> {
    let share = SHARES.get(number(handle)).ok_or_else(|| no_share(operation, handle, Kind::InvalidParam))?;
    share.check_process(operation)?;
    Ok(share)
}

/// The number behind a handle.
pub(crate) fn number(handle: ShmHandle) -> Handle {
    Handle(handle.addr() as u64)
}

/// Why a handle names no object.
#[cold]
pub(crate) fn no_share(operation: &'static str, handle: ShmHandle, unknown: Kind) -> Error {
    if handle.is_null() {
        return null(operation, "the handle");
    }
    if lock_context().is_none() {
        return not_init(operation);
    }
    Error::new(unknown, operation)
        .what("the handle names no share memory of this process")
        .with("handle", format!("{handle:p}"))
        .hint("it was destroyed, or never came from smem_shm_create")
}

pub(crate) unsafe fn smem_shm_config_init(_op: &'static str, config: *mut ShmConfig) -> Result<()> {
    let defaults = ShmConfig {
        init_timeout: 120,
        create_timeout: 120,
        control_operation_timeout: 120,
        start_config_store_server: 1,
        flags: 0,
    };
    // SAFETY: not null; the caller passes a struct of this size.
    unsafe { config.write(defaults) };
    Ok(())
}

pub(crate) unsafe fn smem_shm_init(
    op: &'static str,
    url: *const c_char,
    world_size: u32,
    rank: u32,
    device: u16,
    config: *const ShmConfig,
) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let url = unsafe { text(op, "the store URL", url) }?;
    // SAFETY: not null; the caller passes an initialised struct that nobody changes meanwhile.
    let config = unsafe { &*config };
    prepare()?;
    let _changing = CHANGING.lock().unwrap_or_else(PoisonError::into_inner);
    forget_inherited(&mut lock_context());
    if lock_context().is_some() {
        return Ok(());
    }
    let seconds = |seconds: u32| Duration::from_secs(u64::from(seconds));
    let config = Config::new(url, world_size)
        .rank(Rank(rank))
        .device(device)
        .start_store(config.start_config_store_server != 0)
        .init_timeout(seconds(config.init_timeout))
        .create_timeout(seconds(config.create_timeout))
        .control_timeout(seconds(config.control_operation_timeout));
    let context = Context::init(&config)?;
    *lock_context() = Some(Arc::new(context));
    Ok(())
}

pub(crate) fn smem_shm_uninit(op: &'static str, _flags: u32) -> Result<()> {
    let context = {
        let _changing = CHANGING.lock().unwrap_or_else(PoisonError::into_inner);
        forget_inherited(&mut lock_context());
        lock_context().take()
    };
    for handle in SHARES.handles() {
        // A forked child leaves alone what is its parent's.
        let is_own = SHARES.get(handle).is_some_and(|share| share.check_process(op).is_ok());
        if let Some(share) = is_own.then(|| SHARES.remove(handle)).flatten() {
            share.destroy();
        }
    }
    if let Some(context) = context {
        context.shutdown();
    }
    Ok(())
}
