// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The exported functions: one table for each list of element types, each in a module of its own.

use std::ffi::{c_char, c_int, c_void};

use mf_abi::Symbol;

#[macro_use]
#[allow(unused_macros, reason = "by name, further down")]
#[path = "rows.rs"]
mod rows;

/// The first argument of an init function: flags, in 32 bits, or in the first generation the address of the
/// attributes.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bootstrap(pub(crate) usize);

/// Attributes of any generation: 104, 112 or 120 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct InitAttr {
    first: u8,
}

/// A unique id of any generation: 64, 128 or 136 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Uniqueid {
    first: u8,
}

/// The instance that calls act on, as the library shows it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct InstanceCtx {
    pub(crate) id: u64,
    pub(crate) instance: *mut c_void,
}

/// Counters of the kernels of a PE, by block: counts, then cycles, of each frame.
#[repr(C)]
#[derive(Clone, Debug)]
pub(crate) struct ProfPe {
    pub(crate) pe_id: i32,
    pub(crate) blocks: [[[i64; Self::FRAMES]; 2]; Self::BLOCKS],
}

impl ProfPe {
    pub(super) const BLOCKS: usize = 64;
    pub(super) const FRAMES: usize = 1024;
}

/// Attributes that only our own init takes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attr {
    pub(crate) mem_size: u64,
    pub(crate) my_pe: i32,
    pub(crate) n_pes: i32,
    pub(crate) ip_port: [u8; 64],
    pub(crate) flags: u32,
    pub(crate) reserved: [u32; 7],
}

/// Kind of a heap's memory: 0 host, 1 device.
pub(crate) type MemType = c_int;
/// Which engines move data, as bits.
pub(crate) type DataOpEngineType = c_int;
/// The number of a team.
pub(crate) type Team = c_int;

/// Handle of operations that a program waits for by a team.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handle {
    pub(crate) team_id: Team,
}

/// A stream of ACL, or without an accelerator one of ours.
pub(crate) type Stream = *mut c_void;

/// The configuration of a team: 4 or 64 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct TeamConfig {
    first: u8,
}

/// Decrypts the password of a key.
pub(crate) type DecryptHandler = mf_abi::smem::Decrypter;
/// Takes log lines.
pub(crate) type Logger = Option<unsafe extern "C-unwind" fn(level: c_int, text: *const c_char)>;
/// Receives the state record after a change; null without a record.
pub(crate) type Watcher = Option<unsafe extern "C-unwind" fn(record: *const c_void, bytes: usize)>;

/// Types that the rows name.
mod types {
    pub(super) use std::ffi::{c_char, c_int, c_void};

    pub(super) use super::{
        Attr, Bootstrap, DataOpEngineType, DecryptHandler, Handle, InitAttr, InstanceCtx, Logger, MemType,
        ProfPe, Stream, Team, TeamConfig, Uniqueid, Watcher,
    };
}

/// The tables: their rows, bodies and fast paths.
macro_rules! tables {
    ($($table:ident = $bodies:ident $(, direct $($direct:ident)::+)?;)*) => {
        $(mod $table {
            #[allow(unused_imports, reason = "not all tables have all types")]
            use super::types::*;

            /// Descriptions.
            pub(super) mod described {
                $table!(mf_abi::describe_typed {});
            }

            $table!(mf_boundary::export_typed {
                family = crate::shmem::cann::codes::Codes,
                table = super::$table::described,
                bodies = crate::shmem::cann::$bodies,
                operations = names
                $(, direct = crate::shmem::cann::$($direct)::+)?
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
    cann_0_aclshmem_my_pe = untyped, direct fast_path::untyped;
    cann_11_aclshmem_put = typed, direct fast_path::typed;
    cann_5_aclshmem_put = sized, direct fast_path::sized;
    cann_10_aclshmem_wait_until = wait, direct wait::fast_path;
}

const _: () = {
    assert!(size_of::<InstanceCtx>() == 16);
    assert!(size_of::<ProfPe>() == 1_048_584);
    assert!(size_of::<Attr>() == 112);
};
