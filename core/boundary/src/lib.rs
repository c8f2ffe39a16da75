// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Boundary between C and the bodies of exported functions.
//!
//! An exported function is a row of a table in [`mf_abi`] and a body: a Rust function that takes the
//! operation (the prefix of errors), then the arguments, and returns a [`Result`](mf_base::Result). The code
//! around the body is the same for all families and made from the row:
//!
//! ```text
//! C calls the symbol
//!   counted                 Calls: one static a table, a number a row
//!   arguments not null      present, in the order of the row
//!   body                    inside of a panic guard
//!   a value                 returned; () is 0
//!   an error                Family::refuse: the thread's last error, a code; then the row's value after `or`
//!   logged                  at the level trace, target mf_smem::calls
//! ```
//!
//! Tables without types are read by a macro of the crate that has the bodies, with [`function!`] for each
//! row. Tables of type × operation are read by [`export_typed!`]:
//!
//! ```text
//! pub(crate) mod rma {                 // the bodies: fn put<T>(op, dest: *mut T, …) -> Result<()>
//!     mf_abi::openshmem::rma!(mf_boundary::export_typed {
//!         family = crate::openshmem::Codes, table = mf_abi::openshmem::rma, bodies = crate::openshmem::bodies
//!     });
//! }                                    // gives rma::CALLS, for the counts
//! ```
//!
//! A value of C's `long double` has no type in Rust. Functions with such a value (of 1,788 of OpenSHMEM four,
//! and their twins) are a table of their own, read by [`export_long_double!`]: an entry of a few instructions
//! for each processor passes a pointer.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

#[expect(unsafe_code, reason = "pointers and lengths from C")]
mod arguments;
mod callbacks;
mod calls;
mod exports;
pub mod last_error;
mod long_double;
pub mod repeats;
mod traced;

pub use arguments::{Nullable, array_text, bytes, null, present, text};
pub use callbacks::call_program;
pub use calls::{Calls, CodesOfKinds, Done, Failed, Family};
pub use traced::{is_traced, may_be_traced};

#[doc(hidden)]
pub use mf_abi;
