// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Two endpoints of this process at a store of its own, and the functions of the C interface.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::sync::OnceLock;

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

/// The names of the endpoints.
pub const NAMES: [&CStr; 2] = [c"127.0.0.1:5000", c"[::1]:5001_b-2.c"];

/// What the process has one of.
pub struct Ends {
    pub url: CString,
    /// Handles of the endpoints, as numbers.
    pub handles: [usize; 2],
}

unsafe extern "C" fn ignore(_: c_int, _: *const c_char) {}

/// The endpoints, made for the first input.
pub fn ends() -> &'static Ends {
    static ENDS: OnceLock<Ends> = OnceLock::new();
    ENDS.get_or_init(|| {
        check(c::smem_set_extern_logger(Some(ignore)), &[OK]);
        let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let port = free.local_addr().expect("it has one").port();
        drop(free);
        let url = CString::new(format!("tcp://127.0.0.1:{port}")).expect("no zero is in it");
        check(c::smem_create_config_store(url.as_ptr(), 0), &[OK]);
        let config = config();
        check(c::smem_trans_init(&raw const config), &[OK]);
        let make = |name: &CStr| {
            let handle = c::smem_trans_create(url.as_ptr(), name.as_ptr(), &raw const config);
            check(of_pointer(handle), &[OK]);
            handle.expose_provenance()
        };
        Ends { handles: NAMES.map(make), url }
    })
}

/// A configuration that endpoints can be made with.
pub fn config() -> TransConfig {
    let mut config = std::mem::MaybeUninit::uninit();
    check(c::smem_trans_config_init(config.as_mut_ptr()), &[OK]);
    // SAFETY: the call has written it.
    unsafe { config.assume_init() }
}

/// The code of a call that returns a pointer.
pub fn of_pointer<T>(pointer: *mut T) -> i32 {
    if !pointer.is_null() {
        return OK;
    }
    let code = c::smem_get_last_err_code();
    assert_ne!(code, OK, "null, without an error");
    code
}

/// What a call returned is one of these, and where it failed it has left the same code, and a text that is
/// no excuse.
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

/// A number as a pointer, which nobody follows unless the model says that memory is there.
pub fn pointer(number: u64) -> *mut c_void {
    std::ptr::with_exposed_provenance_mut(number as usize)
}
