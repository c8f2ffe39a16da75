// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Error codes of this interface, and errors that carry them.

use mf_base::{Error, Kind};

/// The operation failed.
pub const ERROR: i32 = -1;
/// Out of memory.
pub const NO_MEMORY: i32 = -3;
/// Invalid argument.
pub const INVALID: i32 = -4;
/// The server is not started.
pub const NOT_STARTED: i32 = -5;
/// A deadline has passed.
pub const TIMEOUT: i32 = -6;
/// The peer cannot be reached.
pub const NOT_READY: i32 = -7;
/// The peer refuses the link.
pub const REFUSED: i32 = -9;
/// The queue of the link is full.
pub const QUEUE_FULL: i32 = -10;
/// The link has ended.
pub const LINK: i32 = -11;
/// The address is in use.
pub const IN_USE: i32 = -17;
/// A required handle is null, in calls that have a separate code for it.
pub const NULL: i32 = -3000;

/// Returns the code of an error: its own, or the one of its kind.
pub fn code_of(error: &Error) -> i32 {
    error.family_code().unwrap_or(match error.kind() {
        Kind::InvalidParam => INVALID,
        Kind::OutOfMemory => NO_MEMORY,
        Kind::NotInit | Kind::NotStarted => NOT_STARTED,
        Kind::Timeout => TIMEOUT,
        Kind::NotConnected => NOT_READY,
        Kind::InUse => IN_USE,
        _ => ERROR,
    })
}

/// Returns the name of a code in the header.
pub fn name(code: i32) -> &'static str {
    match code {
        NO_MEMORY => "MFX_ACC_NO_MEMORY",
        INVALID => "MFX_ACC_INVALID_PARAM",
        NOT_STARTED => "MFX_ACC_NOT_STARTED",
        TIMEOUT => "MFX_ACC_TIMEOUT",
        NOT_READY => "MFX_ACC_NOT_CONNECTED",
        REFUSED => "MFX_ACC_REFUSED",
        QUEUE_FULL => "MFX_ACC_QUEUE_FULL",
        LINK => "MFX_ACC_LINK_BROKEN",
        IN_USE => "MFX_ACC_ADDRESS_IN_USE",
        NULL => "MFX_ACC_NULL",
        _ => "MFX_ACC_ERROR",
    }
}
