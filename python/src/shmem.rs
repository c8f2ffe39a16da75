// SPDX-License-Identifier: Apache-2.0 OR MIT
//! CANN SHMEM for the package `shmem`: its functions by name, and those that take functions.

mod function;
mod values;

use std::ffi::c_char;

use mf_abi::smem::DecryptFn;
use pyo3::prelude::*;

use crate::{callbacks, library};

pub(crate) use function::{Function, shmem_function, shmem_function_names};

/// The private key for encrypted connections, and its password, which a function of the program may decrypt.
#[pyfunction]
#[pyo3(signature = (tls_pk, tls_pk_pw, py_decrypt_func=None))]
pub(crate) fn shmem_set_tls_key(
    py: Python<'_>,
    tls_pk: &str,
    tls_pk_pw: &str,
    py_decrypt_func: Option<Py<PyAny>>,
) -> PyResult<i32> {
    type Of = unsafe extern "C" fn(*const c_char, u32, *const c_char, u32, Option<DecryptFn>) -> i32;
    // SAFETY: the type is that of the function's row.
    let function = unsafe {
        std::mem::transmute::<*const std::ffi::c_void, Of>(library::symbol(
            "aclshmemx_set_config_store_tls_key",
        )?)
    };
    let handler = py_decrypt_func.is_some().then_some(callbacks::decrypt as DecryptFn);
    drop(callbacks::set_decrypter(py_decrypt_func));
    let lengths = [tls_pk, tls_pk_pw].map(|text| u32::try_from(text.len()).unwrap_or(u32::MAX));
    // SAFETY: the texts have those lengths and live through the call; any thread may call the callback.
    Ok(py.detach(|| unsafe {
        function(tls_pk.as_ptr().cast(), lengths[0], tls_pk_pw.as_ptr().cast(), lengths[1], handler)
    }))
}

/// Gives log lines to `func(level, text)`. The first one stays.
#[pyfunction]
#[pyo3(signature = (func))]
pub(crate) fn shmem_set_extern_logger(py: Python<'_>, func: Py<PyAny>) -> PyResult<i32> {
    type Of = unsafe extern "C" fn(Option<unsafe extern "C" fn(i32, *const c_char)>) -> i32;
    // SAFETY: the type is that of the function's row.
    let function = unsafe {
        std::mem::transmute::<*const std::ffi::c_void, Of>(library::symbol("aclshmemx_set_extern_logger")?)
    };
    let before = callbacks::set_logger(Some(func));
    // SAFETY: the callback is a function of ours that any thread may call at any time.
    let code = py.detach(|| unsafe { function(Some(callbacks::log_line)) });
    drop(if code == 0 { before } else { callbacks::set_logger(before) });
    Ok(code)
}
