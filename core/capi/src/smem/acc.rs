// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Message and HTTP servers in C: [`server`], [`handlers`], [`links`], [`requests`]. Callbacks of the
//! program become closures of `mf_acc`; handles are found by index and generation.

pub(crate) mod handlers;
pub(crate) mod links;
pub(crate) mod requests;
pub(crate) mod server;

use std::ffi::c_void;

use crate::part::Part;

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

/// The part of message and HTTP servers.
pub(crate) struct Acc;

impl Part for Acc {
    fn name(&self) -> &'static str {
        "message servers"
    }
}
