// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The functions of the C interface as targets call them, and what must hold of every call.

use std::ffi::{CStr, c_char, c_int, c_void};

use mf_abi::smem::*;

macro_rules! declare {
    ($($header:literal in $($module:ident)::+ {
        $($operation:literal fn $name:ident($($argument:ident: $type:ty $(= $required:literal)?),* $(,)?)
            $(-> $result:ty $(, or $or:expr)?)?;)*
    })*) => {
        #[allow(non_snake_case, clashing_extern_declarations, dead_code, reason = "as they are in C")]
        pub mod c {
            use super::*;
            // Targets pass what any program may: that the library bears it is the point.
            unsafe extern "C" {
                $($(pub safe fn $name($($argument: $type),*) $(-> $result)?;)*)*
            }
        }
    };
}

mf_abi::smem!(declare);

pub const OK: i32 = 0;
pub const INVALID: i32 = SMEM_INVALID_PARAM;

/// The code of a call that returns a pointer.
pub fn of_pointer<T>(pointer: *mut T) -> i32 {
    if !pointer.is_null() {
        return OK;
    }
    let code = c::smem_get_last_err_code();
    assert_ne!(code, OK, "null, without an error");
    code
}

/// Checks that a call returned one of these, and that a failure has left the same code, and a text with a
/// cause.
pub fn check(got: i32, allowed: &[i32]) {
    let code = c::smem_get_last_err_code();
    // SAFETY: the text of this thread's last error stays until the next call.
    let text = unsafe { CStr::from_ptr(c::smem_get_and_clear_last_err_msg()) }.to_string_lossy().into_owned();
    assert!(allowed.contains(&got), "{got} is none of {allowed:?}: {text}");
    if got != OK {
        assert_eq!(code, got, "{text}");
        assert!(!text.is_empty() && !text.contains("a defect of the library"), "{text}");
    }
}

/// A number as a pointer, dereferenced only if the model has memory there.
pub fn pointer(number: u64) -> *mut c_void {
    std::ptr::with_exposed_provenance_mut(number as usize)
}
