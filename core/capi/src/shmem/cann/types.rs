// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Types of C that the rows of the tables name.

use std::ffi::{c_char, c_int, c_void};

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

/// Description of a buffer, 64 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct BufferDesc {
    first: u64,
}

/// Level of an exception report: 0 info, 1 debug.
pub(crate) type ExceptionReportLevel = c_int;
/// Receives the runtime's description of an exception.
pub(crate) type ExceptionInfoCallback = Option<unsafe extern "C-unwind" fn(info: *mut c_void)>;
/// Decrypts the password of a key.
pub(crate) type DecryptHandler = mf_abi::smem::Decrypter;
/// Takes log lines.
pub(crate) type Logger = Option<unsafe extern "C-unwind" fn(level: c_int, text: *const c_char)>;
/// Receives the state record after a change; null without a record.
pub(crate) type Watcher = Option<unsafe extern "C-unwind" fn(record: *const c_void, bytes: usize)>;

const _: () = {
    assert!(size_of::<InstanceCtx>() == 16);
    assert!(size_of::<ProfPe>() == 1_048_584);
    assert!(size_of::<Attr>() == 112);
};
