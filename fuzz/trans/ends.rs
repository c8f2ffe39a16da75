// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Two endpoints of this process at a store of its own.

use std::ffi::{CStr, CString, c_char, c_int};
use std::sync::OnceLock;

use mf_abi::smem::*;

pub use super::calls::{INVALID, OK, c, check, of_pointer, pointer};

/// The names of the endpoints.
pub const NAMES: [&CStr; 2] = [c"127.0.0.1:5000", c"[::1]:5001_b-2.c"];

/// Singletons of the process.
pub struct Ends {
    pub url: CString,
    /// Handles of the endpoints, as numbers.
    pub handles: [usize; 2],
}

unsafe extern "C-unwind" fn ignore(_: c_int, _: *const c_char) {}

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
