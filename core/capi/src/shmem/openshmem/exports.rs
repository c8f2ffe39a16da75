// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The exported functions: one table for each list of element types, each in a module of its own.

use std::ffi::{c_int, c_void};

use mf_abi::Symbol;

#[macro_use]
#[allow(unused_macros, reason = "by name, further down")]
#[path = "rows.rs"]
mod rows;

/// A context, as programs have it: opaque.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ctx(pub(crate) *mut c_void);

/// A team, as programs have it: opaque.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Team(pub(crate) *mut c_void);

/// Configuration of a team.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TeamConfig {
    pub(crate) num_contexts: c_int,
}

/// Usage of the heap of a PE.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HeapUsage {
    pub(crate) heap_bytes: u64,
    pub(crate) most_heap_bytes: u64,
    pub(crate) used: u64,
    pub(crate) peak: u64,
    pub(crate) free: u64,
    pub(crate) largest_free: u64,
    pub(crate) quarantined: u64,
    pub(crate) blocks: u64,
}

/// The hints of a session.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CtxSessionConfig {
    pub(crate) total_ops: usize,
}

/// Types that the rows name.
mod types {
    pub(super) use std::ffi::{c_char, c_int, c_long, c_ulong, c_void};

    pub(super) use mf_abi::LongDouble;

    pub(super) use super::{Ctx, CtxSessionConfig, HeapUsage, Team, TeamConfig};
}

/// The tables: their rows, the bodies, and how they are exported.
macro_rules! tables {
    ($($table:ident = $bodies:ident by $reader:ident $(, direct $($direct:ident)::+)?;)*) => {
        $(#[allow(non_snake_case, reason = "arguments have the standard's names")]
        mod $table {
            #[allow(unused_imports, reason = "not all tables have all types")]
            use super::types::*;

            /// Descriptions.
            pub(super) mod described {
                $table!(mf_abi::describe_typed {});
            }

            $table!(mf_boundary::$reader {
                family = crate::shmem::openshmem::errors::Codes,
                table = super::$table::described,
                bodies = crate::shmem::openshmem::$bodies,
                operations = names
                $(, direct = crate::shmem::openshmem::$($direct)::+)?
            });
        })*

        /// Every function.
        pub(super) fn symbols() -> impl Iterator<Item = &'static Symbol> {
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
    openshmem_0_my_pe = untyped by export_typed, direct untyped::fast_path;
    openshmem_24_put = typed by export_typed, direct typed::fast_path;
    openshmem_23_p = typed by export_typed, direct typed::fast_path;
    openshmem_1_p = typed by export_long_double;
    openshmem_5_put = sized by export_typed, direct sized::fast_path;
    openshmem_14_atomic_fetch = words by export_typed, direct words::fast_path;
    openshmem_12_atomic_compare_swap = words by export_typed, direct words::fast_path;
    openshmem_7_atomic_fetch_and = words by export_typed, direct words::fast_path;
    openshmem_5_fetch = words by export_typed, direct words::fast_path;
    openshmem_3_cswap = words by export_typed, direct words::fast_path;
    openshmem_9_fetch = words by export_typed, direct words::fast_path;
    openshmem_4_wait = old_integers by export_typed;
    openshmem_2_wait_until = words by export_typed, direct words::fast_path;
    openshmem_14_and_reduce = bits by export_typed;
    openshmem_26_sum_reduce = sums by export_typed;
    openshmem_2_broadcast = of_sets by export_typed;
    openshmem_7_max_to_all = reductions_of_sets by export_typed;
    openshmem_9_sum_to_all = reductions_of_sets by export_typed;
}
