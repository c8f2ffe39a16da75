// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The functions of OpenSHMEM and of CANN SHMEM as one table: rows of types × operations × releases. No
//! part of a typed function is written by hand anywhere else; this crate has no code that runs in a job.
//!
//! # A row
//!
//! ```text
//! "RMA typed" {                            its group
//!     /// Copies `nelems` elements to or from `pe`.        documentation in the header
//!     "void shmem_[ctx_]NAME_{put,get}[_nbi](T *dest, const T *source, size_t nelems, int pe)" of RMA;
//! }
//! ```
//!
//! is 192 functions: `{a,b}` and `[a]` (a or nothing) are choices in the name, `NAME` and `T` are name and
//! type of each element of the list behind `of` ([`elements`]), and `[ctx_]` makes a second form with a
//! context as its first argument. After the list follow attributes: `added` by 1.6, `deprecated`, `noreturn`,
//! `outside` of the standard (and of its counts), or the releases of CANN SHMEM that declare the function.
//!
//! # Generated texts
//!
//! | text | by |
//! |---|---|
//! | prototypes of `shmem.h`, `pshmem.h` and `shmemx.h`, bound to symbols by assembler labels | [`header`] |
//! | selection by type for C11, overloads for C++ | [`generic`] |
//! | prototypes of the CANN headers, by release | [`header::of_release`] |
//! | macros for the former names of CANN functions | [`aliases`] |
//! | plain names of `liboshmem.so`, each a jump to the symbol | [`entries`] |
//! | rows for the exported functions in Rust, in the grammar of `mf_abi` | [`exports`] |
//! | lists of symbols, and the table in the documentation | [`lists`] |
//! | the C test that takes the address of every function and calls it | [`checks`] |
//!
//! `tests/generated.rs` compares headers, rows and pages with newly generated ones (`scripts/regen_shmem`
//! writes them); for CANN SHMEM these are the functions that the library has ([`cann::in_library`]: a header
//! must not promise functions that cannot be called). `examples/shmem_c_tests.rs` writes the C tests for
//! `tests/c/run.sh`. `tests/c.rs` compiles and links the texts of the whole table.
//!
//! # Names and symbols
//!
//! Functions of OpenSHMEM have symbols of their own (`shmem_malloc` is `shmem15_malloc`, its twin for
//! profilers `pshmem15_malloc`), as the first generations of CANN SHMEM exported 46 of the same names with
//! other arguments or another meaning, and both worlds live in one library.

pub mod aliases;
pub mod cann;
pub mod checks;
pub mod elements;
pub mod entries;
pub mod exports;
pub mod generic;
pub mod header;
pub mod lists;
pub mod openshmem;
mod row;

pub use row::{Argument, CANN_RELEASES, Function, Release, Row};
