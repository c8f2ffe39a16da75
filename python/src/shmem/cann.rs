// SPDX-License-Identifier: Apache-2.0 OR MIT
//! CANN SHMEM for the package `shmem`: its functions by name, and functions with callbacks.

use std::ffi::c_char;

use mf_abi::smem::DecryptFn;
use pyo3::prelude::*;

use super::function::{Function, FunctionEntry};
use crate::{callbacks, library};

#[macro_use]
#[allow(unused_macros, reason = "by name, further down")]
#[path = "../../../core/capi/src/shmem/cann/rows.rs"]
mod rows;

/// Types named in rows, with their form in calls.
mod types {
    pub(super) use std::ffi::{c_char, c_int, c_void};

    use crate::shmem::values::{Argument, Passed};

    pub(super) type Attr = c_void;
    pub(super) type Bootstrap = usize;
    pub(super) type BufferDesc = c_void;
    pub(super) type DataOpEngineType = c_int;
    pub(super) type DecryptHandler = *mut c_void;
    pub(super) type ExceptionInfoCallback = *mut c_void;
    pub(super) type ExceptionReportLevel = c_int;
    pub(super) type InitAttr = c_void;
    pub(super) type InstanceCtx = c_void;
    pub(super) type Logger = *mut c_void;
    pub(super) type MemType = c_int;
    pub(super) type ProfPe = c_void;
    pub(super) type Team = c_int;
    pub(super) type TeamConfig = c_void;
    pub(super) type Uniqueid = c_void;
    pub(super) type Watcher = *mut c_void;

    /// A stream: a number, and never `None`.
    #[repr(transparent)]
    #[derive(Clone, Copy)]
    pub(super) struct Stream(*mut c_void);

    impl Passed for Stream {
        type As = Self;
    }

    impl Argument for Stream {
        fn of(value: &pyo3::Bound<'_, pyo3::PyAny>) -> pyo3::PyResult<Self> {
            let number: Result<usize, _> = pyo3::types::PyAnyMethods::extract(value);
            number.map(|number| Self(std::ptr::with_exposed_provenance_mut(number))).map_err(|_| {
                pyo3::exceptions::PyTypeError::new_err("a stream is an int, 0 for the default one")
            })
        }
    }

    /// Wait handle of a team; in Python the team's number.
    #[repr(C)]
    #[derive(Clone, Copy)]
    pub(super) struct Handle {
        team_id: Team,
    }

    impl Passed for Handle {
        type As = Self;
    }

    impl Argument for Handle {
        fn of(value: &pyo3::Bound<'_, pyo3::PyAny>) -> pyo3::PyResult<Self> {
            Ok(Self { team_id: Argument::of(value)? })
        }
    }
}

macro_rules! tables {
    ($($table:ident;)*) => {
        $(mod $table {
            #[allow(unused_imports, reason = "not all tables have all types")]
            use super::types::*;

            $table!(functions { codes });
        })*

        fn all() -> impl Iterator<Item = &'static FunctionEntry> {
            std::iter::empty()$(.chain($table::ALL.iter().copied().flatten()))*
        }
    };
}

tables! {
    cann_0_aclshmemx_init_status;
    cann_0_aclshmem_my_pe;
    cann_11_aclshmem_put;
    cann_5_aclshmem_put;
    cann_10_aclshmem_wait_until;
}

/// The function of CANN SHMEM that C knows by `name`, with arguments called as in C, or by these names.
#[pyfunction]
#[pyo3(signature = (name, parameters=None))]
pub(crate) fn shmem_function(name: &str, parameters: Option<Vec<String>>) -> PyResult<Function> {
    Function::find(all(), "CANN SHMEM", name)?.checked(parameters)
}

/// The names of all functions of CANN SHMEM.
#[pyfunction]
pub(crate) fn shmem_function_names() -> Vec<&'static str> {
    all().map(|entry| entry.name).collect()
}

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
    // SAFETY: the type equals the function's row.
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
    type Of = unsafe extern "C" fn(Option<unsafe extern "C-unwind" fn(i32, *const c_char)>) -> i32;
    // SAFETY: the type equals the function's row.
    let function = unsafe {
        std::mem::transmute::<*const std::ffi::c_void, Of>(library::symbol("aclshmemx_set_extern_logger")?)
    };
    let before = callbacks::set_logger(Some(func));
    // SAFETY: the callback is a function of ours that any thread may call at any time.
    let code = py.detach(|| unsafe { function(Some(callbacks::log_line)) });
    drop(if code == 0 { before } else { callbacks::set_logger(before) });
    Ok(code)
}
