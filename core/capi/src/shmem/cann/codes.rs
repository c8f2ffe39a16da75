// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Refusals of the functions of CANN SHMEM.

use mf_base::Error;
use mf_boundary::{Family, last_error, repeats};
use mf_shmem::cann::codes::{code_of, name};

/// The functions of CANN SHMEM.
pub(crate) struct Codes;

impl Family for Codes {
    fn refuse(operation: &'static str, error: &Error) -> i32 {
        let code = code_of(error);
        last_error::set_coded(operation, error, name(code), code);
        if !repeats::is_known_end(operation, error) {
            tracing::error!("{}", last_error::described(operation, error, name(code), code));
        }
        code
    }
}
