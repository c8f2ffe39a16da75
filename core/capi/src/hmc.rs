// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfx_hmc_*`: buffers, and transfers between them by address and port: [`memory`], [`buffer`], [`comm`],
//! [`copies`], [`stream`]; the control channel: [`ctrl`]. Codes are those of this family.

pub(crate) mod buffer;
pub(crate) mod comm;
pub(crate) mod copies;
pub(crate) mod ctrl;
pub(crate) mod memory;
pub(crate) mod stream;

use mf_base::{Error, Kind};
use mf_boundary::last_error;
use mf_hmc::Status;

/// Makes an error the last one of this thread; its code in this family, or that of a wait that was left.
pub(crate) fn refuse(operation: &'static str, error: &Error) -> i32 {
    if error.kind() == Kind::Interrupted {
        return last_error::set(operation, error);
    }
    let status = Status::of(error);
    last_error::set_coded(operation, error, name(status), status as i32)
}

/// The name of a code in the header.
fn name(status: Status) -> &'static str {
    match status {
        Status::Success => "MFX_HMC_SUCCESS",
        Status::Error => "MFX_HMC_ERROR",
        Status::Unsupported => "MFX_HMC_UNSUPPORT",
        Status::InvalidConfig => "MFX_HMC_INVALID_CONFIG",
        Status::Timeout => "MFX_HMC_TIMEOUT",
        Status::NotFound => "MFX_HMC_NOT_FOUND",
    }
}
