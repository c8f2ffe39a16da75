// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Interruption of the library's waits by a check of this program.

use std::ffi::{c_int, c_void};
use std::sync::OnceLock;

use mf_base::Result;
use mf_base::interrupt::Check;

use crate::call::call;
use crate::library::library;

static CHECK: OnceLock<Check> = OnceLock::new();

/// From now on waits of the library end with `Interrupted` when `check` returns true. Of several calls the
/// first check counts.
///
/// # Errors
/// `Failed` there is no library.
pub fn set_check(check: Check) -> Result<()> {
    let library = library()?;
    CHECK.get_or_init(|| check);
    call!(library, mfx_set_interrupt_check(Some(is_asked), std::ptr::null_mut()))
}

unsafe extern "C-unwind" fn is_asked(_context: *mut c_void) -> c_int {
    c_int::from(CHECK.get().is_some_and(|check| check()))
}
