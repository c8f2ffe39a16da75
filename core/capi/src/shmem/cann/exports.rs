// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The exported functions: one table for each list of element types, each in a module of its own.

use mf_abi::Symbol;

#[macro_use]
#[allow(unused_macros, reason = "by name, further down")]
#[path = "rows.rs"]
mod rows;

/// Types that the rows name.
mod row_types {
    pub(super) use std::ffi::{c_char, c_int, c_void};

    pub(super) use crate::shmem::cann::types::*;
}

/// The tables: their rows, bodies and fast paths.
macro_rules! tables {
    ($($table:ident = $bodies:ident $(, fast_path $($fast:ident)::+)?;)*) => {
        $(mod $table {
            #[allow(unused_imports, reason = "not all tables have all types")]
            use super::row_types::*;

            /// Descriptions.
            pub(super) mod described {
                $table!(mf_abi::describe_typed {});
            }

            $table!(mf_boundary::export_typed {
                family = crate::shmem::cann::codes::Codes,
                table = super::$table::described,
                bodies = crate::shmem::cann::$bodies,
                operations = names
                $(, fast_path = crate::shmem::cann::$($fast)::+)?
            });
        })*

        /// Returns calls and errors of every function that was called. Fast paths are not counted.
        pub(crate) fn calls() -> impl Iterator<Item = (&'static Symbol, u64, u64)> {
            std::iter::empty()$(.chain($table::CALLS.counts()))*
        }
    };
}

tables! {
    cann_0_aclshmemx_init_status = untyped;
    cann_0_aclshmem_my_pe = untyped, fast_path fast_path::untyped;
    cann_11_aclshmem_put = typed, fast_path fast_path::typed;
    cann_5_aclshmem_put = sized, fast_path fast_path::sized;
    cann_10_aclshmem_wait_until = wait, fast_path wait::fast_path;
}
