// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Error codes of the functions `mfx_hmc_*`.

use mf_base::{Error, Kind};
use mf_boundary::last_error;
use mf_hmc::Status;

/// Records the thread's last error. Returns its code in this family, or the code of an interrupted wait.
pub(crate) fn refuse(operation: &'static str, error: &Error) -> i32 {
    if error.kind() == Kind::Interrupted {
        return last_error::set(operation, error);
    }
    let status = Status::from_error(error);
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
