// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The C interface as data: structs, constants, types, and **one row a symbol**. Nothing here runs.
//!
//! # Contents of a row
//!
//! ```text
//! "smem/host/smem_bm.h" in bm {                                  header that declares it, module of its body
//!     "bm join" fn smem_bm_join(handle: BmHandle, flags: u32) -> i32;
//! }    │              │             │                              └ convention of failure, see below
//!      │              │             └ names as in the header, types of this crate
//!      │              └ the symbol, and the name of the body
//!      └ prefix of the call's errors; its first word is the family
//! ```
//!
//! | reader of the table | its product of a row |
//! |---|---|
//! | `core/capi` (`exports.rs`), by `core/boundary` | the exported wrapper (nulls, panics, last error, counters), which calls the body |
//! | `python`, `core/library`, by [`functions!`] | a typed function pointer, resolved in the loaded library |
//! | this crate ([`smem::SYMBOLS`]) | descriptions: for counters, and for the tests below |
//! | `tests/headers.rs` | a comparison of the headers with the rows |
//! | `examples/abi_c_tests.rs` | the list of symbols and the C tests of functions and layouts, for `tests/c/run.sh` |
//!
//! # Adding a symbol
//!
//! 1. A row, in the table of its family (`src/smem/table.rs`), in the section of its header and module.
//! 2. Its body in `core/capi/src/<module>.rs`: a function of the symbol's name that takes the operation, then
//!    the arguments, and returns a `Result`.
//! 3. Its prototype with documentation in the header. A wrong or missing one fails the test, which prints the
//!    right one.
//!
//! # A row's grammar
//!
//! `"operation" fn name(argument: Type [= "its name in errors"], …) [-> Result [, or value]];`
//!
//! * `= "the option"`: the argument must not be null; the wrapper refuses it with `SMEM_INVALID_PARAM` and
//!   "the option is null", in the order of the arguments. A callback reaches the body as the function itself.
//! * The result type decides how a failure is reported: `i32` the code; a pointer null; nothing the last
//!   error alone; `u32` the code as a number; `, or value` that value. A body of an `i32` returns `()` for 0,
//!   or a number.
//!
//! # Typed families
//!
//! If every operation exists for every element type, rows are type × operation: a list of types and a list
//! of operations with arguments that use `T` ([`describe_typed!`]). One row may have several symbols (twins
//! for profilers), and a name in the header that differs from its symbol (bound by an assembler label), so
//! that two standards that claim one name, or two releases that gave it different arguments, live in one
//! library. Headers of such families are generated from their rows, with the rows' documentation
//! ([`header::generated`]); [`checks`] makes the C test of a symbol, [`header::symbols`] the list of all
//! exports of the library. [`functions_typed!`] gives callers of a loaded library typed pointers, by element
//! and operation. `core/boundary/tests/typed` is a small family.
//!
//! # Why macros
//!
//! Rows are `macro_rules` input (`smem!(reader)` hands all rows to the macro `reader`), not a file with a
//! generator: the compiler checks every row against its body and its callers, a row is found by jumping to
//! its definition, and no step comes before the build. One flat repetition, no recursion: 2,000 rows expand
//! in a fraction of a second. Files for C (lists, tests) are text that a test writes and compares; the
//! headers stay written by hand, because people read their documentation, and the test holds their prototypes
//! to the rows.

mod c;
pub mod checks;
mod describe;
mod functions;
pub mod header;
pub mod smem;
mod typed;

pub use typed::{LongDouble, Rest, count, flat};

pub use describe::{Argument, Field, Layout, Name, Symbol};
