// SPDX-License-Identifier: Apache-2.0 OR MIT
//! HCCL results, and their effect on a stream.

#![allow(missing_docs, reason = "each name says what its number means")]

use std::ffi::CStr;
use std::fmt::Display;

use crate::codes::acl;
use crate::fault::Fault;

pub const PARA: i32 = 1;
pub const PTR: i32 = 2;
pub const MEMORY: i32 = 3;
pub const INTERNAL: i32 = 4;
pub const NOT_SUPPORT: i32 = 5;
pub const UNAVAILABLE: i32 = 7;
pub const SYSCALL: i32 = 8;
pub const TIMEOUT: i32 = 9;
pub const OPEN_FILE: i32 = 10;
pub const RUNTIME: i32 = 15;
pub const REMOTE: i32 = 21;
pub const SUSPENDING: i32 = 22;
pub const OUT_OF_MEMORY: i32 = 24;

/// Names of all results, by number.
const NAMES: [&CStr; 25] = [
    c"HCCL_SUCCESS",
    c"HCCL_E_PARA: wrong argument",
    c"HCCL_E_PTR: null pointer",
    c"HCCL_E_MEMORY: wrong memory",
    c"HCCL_E_INTERNAL: internal error",
    c"HCCL_E_NOT_SUPPORT: not supported",
    c"HCCL_E_NOT_FOUND: not found",
    c"HCCL_E_UNAVAIL: not available",
    c"HCCL_E_SYSCALL: system call failed",
    c"HCCL_E_TIMEOUT: timeout",
    c"HCCL_E_OPEN_FILE_FAILURE: cannot open file",
    c"HCCL_E_TCP_CONNECT: cannot connect (TCP)",
    c"HCCL_E_ROCE_CONNECT: cannot connect (RoCE)",
    c"HCCL_E_TCP_TRANSFER: transfer failed (TCP)",
    c"HCCL_E_ROCE_TRANSFER: transfer failed (RoCE)",
    c"HCCL_E_RUNTIME: error of the runtime",
    c"HCCL_E_DRV: error of the driver",
    c"HCCL_E_PROFILING: error of profiling",
    c"HCCL_E_CCE: error of a kernel",
    c"HCCL_E_NETWORK: error of the network",
    c"HCCL_E_AGAIN: try again",
    c"HCCL_E_REMOTE: error of another rank",
    c"HCCL_E_SUSPENDING: suspended",
    c"HCCL_E_OPRETRY_FAIL: retry failed",
    c"HCCL_E_OOM: out of memory",
];

/// Returns the meaning of a result.
pub fn describe(code: i32) -> &'static CStr {
    usize::try_from(code).ok().and_then(|code| NAMES.get(code)).copied().unwrap_or(c"unknown result")
}

/// A refusal of HCCL for one of ACL.
pub fn of_acl(fault: Fault) -> Fault {
    let code = match fault.code {
        acl::INVALID_PARAM | acl::RT_PARAM_INVALID | acl::INVALID_DEVICEID => PARA,
        acl::MEMORY_ALLOCATION => OUT_OF_MEMORY,
        _ => RUNTIME,
    };
    Fault { code, ..fault }
}

/// Failure of an operation.
#[derive(Clone, Debug)]
pub struct Trouble {
    /// For HCCL.
    pub code: i32,
    /// For the stream.
    pub acl: i32,
    /// In words.
    pub text: String,
    /// The failure is this rank's own; otherwise it was reported by another rank.
    pub own: bool,
}

/// Result of a part of an operation.
pub type Progress<T = ()> = Result<T, Trouble>;

impl Trouble {
    /// Trouble that all ranks have alike.
    pub fn shared(code: i32, text: impl Display) -> Self {
        Self { code, acl: on_stream(code), text: text.to_string(), own: false }
    }

    /// Trouble of this rank.
    pub fn own(code: i32, text: impl Display) -> Self {
        Self { own: true, ..Self::shared(code, text) }
    }

    /// Memory that this rank's device may not touch.
    pub fn memory(fault: Fault) -> Self {
        let fault = crate::memory::transfer::in_task(fault);
        Self { code: MEMORY, acl: fault.code, text: fault.text, own: true }
    }

    /// As the stream's error.
    pub fn into_fault(self) -> Fault {
        let name = describe(self.code).to_string_lossy();
        let name = name.split(':').next().unwrap_or_default();
        Fault::new(self.acl, format_args!("{} [{name}, {}]", self.text, self.code))
    }
}

/// Assumed: the error that a stream has when an operation of HCCL fails on it; HCCL itself has its own code.
fn on_stream(code: i32) -> i32 {
    match code {
        PARA | PTR => acl::RT_PARAM_INVALID,
        TIMEOUT => acl::TASK_TIMEOUT,
        REMOTE => acl::SUSPECT_REMOTE_ERROR,
        SUSPENDING => acl::STREAM_ABORT,
        _ => acl::INTERNAL_ERROR,
    }
}
