// SPDX-License-Identifier: Apache-2.0 OR MIT
//! General functions of `smem.h`: version, init, logging, last error.

use std::ffi::{c_char, c_int};

use mf_abi::smem::{Logger, SMEM_ABI_VERSION};
use mf_base::Result;

use crate::startup::prepare;
use crate::{last_error, logger};

pub(crate) fn smem_get_abi_version(_op: &'static str) -> Result<u32> {
    Ok(SMEM_ABI_VERSION)
}

pub(crate) fn smem_init(_op: &'static str, _flags: u32) -> Result<()> {
    prepare()
}

/// Does nothing: pools end with `smem_bm_uninit`.
pub(crate) fn smem_uninit(_op: &'static str) -> Result<()> {
    Ok(())
}

pub(crate) fn smem_set_extern_logger(op: &'static str, logger: Logger) -> Result<()> {
    logger::set_function(op, logger)
}

pub(crate) fn smem_set_log_level(op: &'static str, level: c_int) -> Result<()> {
    logger::set_level(op, level)
}

pub(crate) fn smem_get_last_err_msg(_op: &'static str) -> Result<*const c_char> {
    Ok(last_error::text())
}

pub(crate) fn smem_get_last_err_code(_op: &'static str) -> Result<i32> {
    Ok(last_error::code())
}

pub(crate) fn mfx_last_error_retry(_op: &'static str) -> Result<u32> {
    Ok(last_error::retry() as u32)
}

pub(crate) fn smem_get_and_clear_last_err_msg(_op: &'static str) -> Result<*const c_char> {
    Ok(last_error::take())
}
