// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Message and HTTP servers in C: [`server`], [`handlers`], [`links`], [`requests`]. Callbacks of the
//! program become closures of `mf_acc`; handles are found by index and generation.

pub(crate) mod handlers;
pub(crate) mod links;
pub(crate) mod requests;
pub(crate) mod server;

use std::ffi::c_void;

use mf_base::Error;
use mf_boundary::{Family, last_error};

/// Codes of the tables' functions: those of `acc` and `hmc` have their own, all others those of their kinds.
pub(crate) struct Codes;

impl Family for Codes {
    fn refuse(operation: &'static str, error: &Error) -> i32 {
        if operation.starts_with("hmc ") {
            return crate::hmc::refuse(operation, error);
        }
        if !operation.starts_with("acc ") {
            return last_error::set(operation, error);
        }
        let code = mf_acc::code::of(error);
        last_error::set_coded(operation, error, mf_acc::code::name(code), code)
    }
}

/// A pointer of the program as a number: it is passed back, never followed.
#[derive(Clone, Copy)]
struct Context(usize);

impl Context {
    fn new(pointer: *mut c_void) -> Self {
        Self(pointer.expose_provenance())
    }

    fn pointer(self) -> *mut c_void {
        std::ptr::with_exposed_provenance_mut(self.0)
    }
}
