// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests of the rows for exports: readers of typed tables accept them, they name every symbol once, and have
//! types.

#![allow(
    non_snake_case,
    dead_code,
    unused_imports,
    clippy::too_many_arguments,
    reason = "the rows are read, not called"
)]

use std::collections::BTreeSet;

use mf_abi::Symbol;
use mf_shmem_table::{exports, lists};

include!("../../capi/src/shmem/openshmem/rows.rs");
include!("../../capi/src/shmem/cann/rows.rs");

/// A reader: the signature of each operation, for all elements.
macro_rules! signatures {
    ({ } $header:literal, types $types:tt rows { $($before:literal T $after:literal as $($first:literal T $last:literal)|+
        = { $operation:literal fn $body:ident $(<$generic:ident>)?
            ($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty $(, or $or:expr)?)? };)*
    }) => {
        trait Signatures { $(fn $body $(<$generic>)? ($($argument: $type),*) $(-> $result)?;)* }
    };
}

/// A module for each table: descriptions, and signatures.
macro_rules! tables {
    ($($table:ident)*) => {
        $(mod $table {
            pub(super) mod described {
                use super::super::types::*;
                $table!(mf_abi::describe_typed {});
            }
            mod signatures {
                use super::super::types::*;
                $table!(signatures {});
            }
        })*
        const TABLES: &[(&str, &[Symbol])] = &[$((stringify!($table), $table::described::SYMBOLS)),*];
    };
}

/// The types that rows name: numbers of C, and structs, here without content.
mod types {
    pub(super) use std::ffi::{c_char, c_int, c_long, c_ulong, c_void};

    macro_rules! opaque {
        ($($name:ident)*) => {
            $(#[repr(C)] pub(crate) struct $name { _content: [u8; 8] })*
            pub(crate) const OPAQUE: &[&str] = &[$(stringify!($name)),*];
        };
    }
    opaque! {
        Ctx CtxSessionConfig DataOpEngineType DecryptHandler Handle HeapUsage InitAttr InstanceCtx Logger MemType ProfPe
        Stream Team TeamConfig Uniqueid Watcher Bootstrap LongDouble Attr BufferDesc ExceptionInfoCallback
        ExceptionReportLevel
    }
}

tables! {
    openshmem_0_init openshmem_0_my_pe openshmem_24_put openshmem_23_p openshmem_1_p openshmem_5_put openshmem_14_atomic_fetch
    openshmem_12_atomic_compare_swap openshmem_7_atomic_fetch_and openshmem_5_fetch openshmem_3_cswap openshmem_9_fetch
    openshmem_4_wait openshmem_2_wait_until openshmem_14_and_reduce openshmem_26_sum_reduce openshmem_2_broadcast
    openshmem_7_max_to_all openshmem_9_sum_to_all
    cann_0_aclshmemx_init_status cann_0_aclshmem_my_pe cann_11_aclshmem_put cann_5_aclshmem_put cann_10_aclshmem_wait_until
}

/// The symbols of the tables of one world.
fn symbols(world: &str) -> Vec<String> {
    let tables = TABLES.iter().filter(|(name, _)| name.starts_with(world));
    let rows = tables.flat_map(|(_, symbols)| *symbols);
    rows.flat_map(|symbol| symbol.symbols).map(ToString::to_string).collect()
}

#[test]
fn rows_have_every_symbol_once() {
    let cann = symbols("cann");
    let expected = lists::cann_library_symbols();
    assert_eq!((cann.len(), cann.into_iter().collect::<BTreeSet<_>>()), (expected.len(), expected));
    let openshmem = symbols("openshmem");
    let expected = lists::openshmem_symbols();
    assert_eq!((openshmem.len(), openshmem.into_iter().collect::<BTreeSet<_>>()), (expected.len(), expected));
}

#[test]
fn rows_name_no_other_types() {
    let declared: BTreeSet<String> = types::OPAQUE.iter().map(|name| (*name).to_owned()).collect();
    assert!(exports::types().is_subset(&declared), "{:?}", exports::types().difference(&declared));
}
