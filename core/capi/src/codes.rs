// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Error codes of the functions `smem_*` and `mfx_*`: `acc` and `hmc` have their own, all others the codes of
//! error kinds.

use mf_base::Error;
use mf_boundary::{Family, last_error};

use crate::hmc;

pub(crate) struct Codes;

impl Family for Codes {
    fn refuse(operation: &'static str, error: &Error) -> i32 {
        if operation.starts_with("hmc ") {
            return hmc::codes::refuse(operation, error);
        }
        if !operation.starts_with("acc ") {
            return last_error::set(operation, error);
        }
        let code = mf_acc::code::code_of(error);
        last_error::set_coded(operation, error, mf_acc::code::name(code), code)
    }
}
