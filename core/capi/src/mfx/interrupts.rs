// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The program's function that interrupts waits.

use std::ffi::c_void;
use std::sync::atomic::{AtomicPtr, Ordering};

use mf_abi::smem::{InterruptCheck, InterruptFn};
use mf_base::{Result, interrupt};

use crate::boundary::call_program;

/// The check that the program set last.
struct Set {
    check: InterruptFn,
    context: *mut c_void,
}

/// Points to a [`Set`] that is never freed, because a wait of any thread may be calling it; null: none.
static SET: AtomicPtr<Set> = AtomicPtr::new(std::ptr::null_mut());

pub(crate) fn mfx_set_interrupt_check(
    _op: &'static str,
    check: InterruptCheck,
    context: *mut c_void,
) -> Result<()> {
    let set = check.map_or(std::ptr::null_mut(), |check| Box::into_raw(Box::new(Set { check, context })));
    // Release pairs with the acquire in `is_asked`.
    SET.store(set, Ordering::Release);
    if !set.is_null() {
        // From the second time on it is there already.
        interrupt::set_check(is_asked);
    }
    Ok(())
}

pub(crate) fn mfx_interrupt_may_run(_op: &'static str) -> Result<i32> {
    Ok(i32::from(interrupt::may_run_code()))
}

fn is_asked() -> bool {
    // SAFETY: null, or a `Set` that lives as long as the process and never changes.
    let Some(set) = (unsafe { SET.load(Ordering::Acquire).as_ref() }) else { return false };
    // SAFETY: the program vouches for its function and the context, from any of its threads.
    call_program("mfx_interrupt_check_cb", || unsafe { (set.check)(set.context) != 0 })
}
