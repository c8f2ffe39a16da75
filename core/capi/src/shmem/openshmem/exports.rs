// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The exported functions: one table for each list of element types, each in a module of its own.

use mf_abi::Symbol;
use mf_base::Error;
use mf_boundary::Family;

use super::errors;

#[macro_use]
#[allow(unused_macros, reason = "by name, further down")]
#[path = "rows.rs"]
mod rows;

/// Types that the rows name.
mod row_types {
    pub(super) use std::ffi::{c_char, c_int, c_long, c_ulong, c_void};

    pub(super) use mf_abi::LongDouble;

    pub(super) use crate::shmem::openshmem::types::*;
}

/// The functions of OpenSHMEM.
pub(crate) struct Codes;

impl Family for Codes {
    fn refuse(operation: &'static str, error: &Error) -> i32 {
        errors::report(operation, error, is_silent(operation))
    }
}

/// Returns true if the result of a function cannot report a failure: it is void, or every value is valid.
fn is_silent(function: &'static str) -> bool {
    let symbol = symbols().find(|symbol| symbol.name.to_string() == function);
    symbol.is_some_and(|symbol| ["", "T", "u64", "c_long"].contains(&symbol.result))
}

/// The tables: their rows, the bodies, and how they are exported.
macro_rules! tables {
    ($($table:ident = $bodies:ident by $reader:ident $(, fast_path $($fast:ident)::+)?;)*) => {
        $(#[allow(non_snake_case, reason = "arguments have the standard's names")]
        mod $table {
            #[allow(unused_imports, reason = "not all tables have all types")]
            use super::row_types::*;

            /// Descriptions.
            pub(super) mod described {
                $table!(mf_abi::describe_typed {});
            }

            $table!(mf_boundary::$reader {
                family = crate::shmem::openshmem::exports::Codes,
                table = super::$table::described,
                bodies = crate::shmem::openshmem::$bodies,
                operations = names
                $(, fast_path = crate::shmem::openshmem::$($fast)::+)?
            });
        })*

        /// Every function.
        fn symbols() -> impl Iterator<Item = &'static Symbol> {
            [$($table::described::SYMBOLS),*].into_iter().flatten()
        }

        /// Returns calls and errors of every function that was called. Fast paths are not counted.
        pub(crate) fn calls() -> impl Iterator<Item = (&'static Symbol, u64, u64)> {
            std::iter::empty()$(.chain($table::CALLS.counts()))*
        }
    };
}

tables! {
    openshmem_0_init = untyped by export_typed;
    openshmem_0_my_pe = untyped by export_typed, fast_path untyped::fast_path;
    openshmem_24_put = typed by export_typed, fast_path typed::fast_path;
    openshmem_23_p = typed by export_typed, fast_path typed::fast_path;
    openshmem_1_p = typed by export_long_double;
    openshmem_5_put = sized by export_typed, fast_path sized::fast_path;
    openshmem_14_atomic_fetch = words by export_typed, fast_path words::fast_path;
    openshmem_12_atomic_compare_swap = words by export_typed, fast_path words::fast_path;
    openshmem_7_atomic_fetch_and = words by export_typed, fast_path words::fast_path;
    openshmem_5_fetch = words by export_typed, fast_path words::fast_path;
    openshmem_3_cswap = words by export_typed, fast_path words::fast_path;
    openshmem_9_fetch = words by export_typed, fast_path words::fast_path;
    openshmem_4_wait = old_integers by export_typed;
    openshmem_2_wait_until = words by export_typed, fast_path words::fast_path;
    openshmem_14_and_reduce = bits by export_typed;
    openshmem_26_sum_reduce = sums by export_typed;
    openshmem_2_broadcast = of_sets by export_typed;
    openshmem_7_max_to_all = reductions_of_sets by export_typed;
    openshmem_9_sum_to_all = reductions_of_sets by export_typed;
}
