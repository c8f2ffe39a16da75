// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The functions of the extension module that belong to no pool: library, logging, TLS, config store.

use std::ffi::{CString, c_char, c_int};
use std::path::PathBuf;
use std::sync::OnceLock;

use mf_abi::smem::{
    DecryptFn, MFX_UNIQUE_ID_BYTES, SMEM_BUFFER_TOO_SMALL, SMEM_INVALID_PARAM, SMEM_NOT_EXIST, StoreHandle,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCFunction};

use crate::evaluation::{self, Evaluate as _};
use crate::library::{self, functions};
use crate::{callbacks, failure, fork, gate, interrupts, number};

/// Room for a value in the first try of `store_get`.
const USUAL_VALUE_BYTES: usize = 4096;

/// Stands for the store of the world that big memory takes part in.
const OF_BIG_MEMORY: StoreHandle = std::ptr::null_mut();

/// Opens the library at the absolute `path`, once in a process.
#[pyfunction]
#[pyo3(signature = (path))]
#[expect(clippy::needless_pass_by_value, reason = "the conversion from Python gives an owned path")]
pub(crate) fn load(py: Python<'_>, path: PathBuf) -> PyResult<()> {
    library::open(&path)?;
    fork::watch();
    failure::check(py, interrupts::install(functions()?))?;
    let shut = PyCFunction::new_closure(py, None, None, |arguments, _| gate::shut(arguments.py()))?;
    evaluation::module(py, c"atexit")?.needed("register")?.evaluate((shut,))?;
    Ok(())
}

/// Version of the loaded library.
#[pyfunction]
pub(crate) fn version() -> PyResult<String> {
    // SAFETY: takes no argument and may be called at any time.
    Ok(failure::owned(unsafe { (functions()?.mfx_version)() }))
}

/// The number of bytes that a text such as "64MiB" stands for; none: it stands for no number.
#[pyfunction]
#[pyo3(signature = (text))]
pub(crate) fn bytes_parse(text: &str) -> PyResult<Option<u64>> {
    let Ok(text) = CString::new(text) else { return Ok(None) };
    let mut bytes = 0;
    // SAFETY: text and result live through the call.
    let code = unsafe { (functions()?.mfx_bytes_parse)(text.as_ptr(), &raw mut bytes) };
    Ok((code == 0).then_some(bytes))
}

/// The settings in force, with their origin, as JSON.
#[pyfunction]
pub(crate) fn settings_json(py: Python<'_>) -> PyResult<String> {
    // SAFETY: takes no argument and may be called at any time.
    let text = unsafe { (functions()?.mfx_settings_json)() };
    failure::text(py, text)
}

/// The metrics of this process as OpenMetrics writes them.
#[pyfunction]
pub(crate) fn metrics_text(py: Python<'_>) -> PyResult<String> {
    counted(py, functions()?.mfx_metrics_text)
}

/// The same as JSON.
#[pyfunction]
pub(crate) fn stats_json(py: Python<'_>) -> PyResult<String> {
    counted(py, functions()?.mfx_stats_json)
}

/// A store in this process may be asked for its part: without the GIL.
fn counted(py: Python<'_>, text: unsafe extern "C" fn() -> *const c_char) -> PyResult<String> {
    // SAFETY: takes no argument and may be called at any time. The text is this thread's, which asks nothing
    // else before it is read.
    let text = py.detach(|| unsafe { text() }.expose_provenance());
    failure::text(py, std::ptr::with_exposed_provenance(text))
}

/// The place of this process by variables of launchers, both as JSON. Without variables it is this process's
/// own place; it may wait for rank 0 to publish the rest, without the GIL.
#[pyfunction]
#[pyo3(signature = (variables=None))]
pub(crate) fn launcher_json(py: Python<'_>, variables: Option<&str>) -> PyResult<String> {
    let functions = functions()?;
    let variables = variables.map(|text| failure::c_text(py, "launcher: a variable", text)).transpose()?;
    let text = interrupts::handle(py, || {
        let variables = variables.as_ref().map_or(std::ptr::null(), |text| text.as_ptr());
        // SAFETY: the text lives through the call.
        unsafe { (functions.mfx_launcher_json)(variables) }.expose_provenance()
    })?;
    failure::text(py, std::ptr::with_exposed_provenance(text))
}

/// Starts the store of a new job, and makes the unique id that leads to it.
#[pyfunction]
#[pyo3(signature = (ip=None))]
pub(crate) fn create_unique_id<'py>(py: Python<'py>, ip: Option<&str>) -> PyResult<Bound<'py, PyBytes>> {
    let functions = functions()?;
    let ip = ip.map(|ip| failure::c_text(py, "unique id: the address", ip)).transpose()?;
    let ip = ip.as_ref().map_or(std::ptr::null(), |ip| ip.as_ptr());
    let mut id = [0u8; MFX_UNIQUE_ID_BYTES as usize];
    // SAFETY: the text lives through the call, and the room is as large as it is said to be.
    let code = unsafe { (functions.mfx_unique_id_create)(ip, id.as_mut_ptr().cast(), id.len() as u64) };
    failure::check(py, code)?;
    Ok(PyBytes::new(py, &id))
}

/// Initialises the library.
#[pyfunction]
#[pyo3(signature = (flags=0))]
pub(crate) fn initialize(#[pyo3(from_py_with = number::word)] flags: u32) -> PyResult<i32> {
    // SAFETY: may be called at any time.
    Ok(unsafe { (functions()?.smem_init)(flags) })
}

/// Ends what `initialize` began.
#[pyfunction]
pub(crate) fn uninitialize(py: Python<'_>) -> PyResult<()> {
    let functions = functions()?;
    // SAFETY: may be called at any time.
    py.detach(|| unsafe { (functions.smem_uninit)() });
    Ok(())
}

/// Sets the lowest level that is logged: 0 debug, 1 info, 2 warn, 3 error, 4 trace.
#[pyfunction]
#[pyo3(signature = (level))]
pub(crate) fn set_log_level(#[pyo3(from_py_with = level_or_refused)] level: c_int) -> PyResult<i32> {
    // SAFETY: the library checks the level.
    Ok(unsafe { (functions()?.smem_set_log_level)(level) })
}

/// A level; a non-`int` becomes one that the library refuses.
fn level_or_refused(value: &Bound<'_, PyAny>) -> PyResult<c_int> {
    match value.extract::<c_int>() {
        Err(error) if error.is_instance_of::<pyo3::exceptions::PyOverflowError>(value.py()) => Ok(c_int::MAX),
        result => result,
    }
}

/// Has `log_fn(level, text)` called for every line, from any thread; None takes the function away.
#[pyfunction]
#[pyo3(signature = (log_fn))]
pub(crate) fn set_extern_logger(py: Python<'_>, log_fn: Option<Py<PyAny>>) -> PyResult<i32> {
    let functions = functions()?;
    let Some(log_fn) = log_fn else {
        // SAFETY: NULL takes the logger away; with none there it is refused with a code.
        let code = unsafe { (functions.smem_set_extern_logger)(None) };
        drop(callbacks::set_logger(None));
        return Ok(code);
    };
    let before = callbacks::set_logger(Some(log_fn));
    // SAFETY: the callback is a function of ours that any thread may call at any time.
    let code = py.detach(|| unsafe { (functions.smem_set_extern_logger)(Some(callbacks::log_line)) });
    drop(if code == 0 { before } else { callbacks::set_logger(before) });
    Ok(code)
}

/// Text of this thread's last failed call; "" without one.
#[pyfunction]
pub(crate) fn get_last_err_msg() -> PyResult<String> {
    // SAFETY: takes no argument and may be called at any time.
    let text = failure::owned(unsafe { (functions()?.smem_get_last_err_msg)() });
    Ok(if text.is_empty() { failure::refused_text() } else { text })
}

/// As `get_last_err_msg`, and forgets it.
#[pyfunction]
pub(crate) fn get_and_clear_last_err_msg() -> PyResult<String> {
    // SAFETY: takes no argument and may be called at any time.
    let text = failure::owned(unsafe { (functions()?.smem_get_and_clear_last_err_msg)() });
    let refused = failure::take_refused_text();
    Ok(if text.is_empty() { refused } else { text })
}

/// Set once the program has configured TLS.
static TLS_CHOSEN: OnceLock<()> = OnceLock::new();

/// True if the program has configured TLS of the config store.
#[pyfunction]
pub(crate) fn tls_is_chosen() -> bool {
    TLS_CHOSEN.get().is_some()
}

/// Sets the TLS of the config store.
#[pyfunction]
#[pyo3(signature = (enable, tls_info))]
pub(crate) fn set_conf_store_tls(
    #[pyo3(from_py_with = number::truth)] enable: bool,
    tls_info: &str,
) -> PyResult<i32> {
    let functions = functions()?;
    let (Ok(text), Ok(length)) = (CString::new(tls_info), u32::try_from(tls_info.len())) else {
        return Ok(SMEM_INVALID_PARAM);
    };
    let _ = TLS_CHOSEN.set(());
    // SAFETY: the text has `length` bytes and lives through the call.
    Ok(unsafe { (functions.smem_set_conf_store_tls)(enable, text.as_ptr(), length) })
}

/// Gives the private key, its password and what decrypts it to the TLS of the config store. Empty texts: as
/// the files say.
#[pyfunction]
#[pyo3(signature = (tls_pk, tls_pk_pw, py_decrypt_func))]
pub(crate) fn set_conf_store_tls_key(
    py: Python<'_>,
    tls_pk: &str,
    tls_pk_pw: &str,
    py_decrypt_func: Option<Py<PyAny>>,
) -> PyResult<i32> {
    let functions = functions()?;
    let (Ok(key_bytes), Ok(word_bytes)) = (u32::try_from(tls_pk.len()), u32::try_from(tls_pk_pw.len()))
    else {
        return Ok(SMEM_INVALID_PARAM);
    };
    let handler = py_decrypt_func.is_some().then_some(callbacks::decrypt as DecryptFn);
    drop(callbacks::set_decrypter(py_decrypt_func));
    // SAFETY: the texts have those lengths and live through the call; the callback is a function of ours that
    // any thread may call at any time.
    Ok(py.detach(|| unsafe {
        (functions.smem_set_config_store_tls_key)(
            tls_pk.as_ptr().cast(),
            key_bytes,
            tls_pk_pw.as_ptr().cast(),
            word_bytes,
            handler,
        )
    }))
}

/// Has `alarm(code, text)` called when a fault begins that lasts, and `resume(code)` when it is over.
#[pyfunction]
#[pyo3(signature = (alarm, resume))]
pub(crate) fn set_extern_alarm(py: Python<'_>, alarm: Py<PyAny>, resume: Py<PyAny>) -> PyResult<i32> {
    let functions = functions()?;
    let before = callbacks::set_alarms(Some((alarm, resume)));
    // SAFETY: the callbacks are functions of ours that any thread may call at any time.
    let code = py.detach(|| unsafe {
        (functions.smem_set_extern_alarm)(Some(callbacks::alarm), Some(callbacks::resume))
    });
    drop(if code == 0 { before } else { callbacks::set_alarms(before) });
    Ok(code)
}

/// State of the config store servers of this process, as JSON.
#[pyfunction]
pub(crate) fn cluster_status_json(py: Python<'_>) -> PyResult<String> {
    let functions = functions()?;
    let mut room = vec![0u8; USUAL_VALUE_BYTES];
    loop {
        let (code, length) = py.detach(|| {
            let mut length = 0u32;
            let capacity = u32::try_from(room.len()).unwrap_or(u32::MAX);
            // SAFETY: the room lives through the call, which writes at most its length.
            let code = unsafe {
                (functions.smem_config_store_get_cluster_status)(
                    room.as_mut_ptr().cast(),
                    capacity,
                    &raw mut length,
                )
            };
            (code, usize::try_from(length).unwrap_or(usize::MAX))
        });
        match code {
            0 | SMEM_NOT_EXIST => {
                return Ok(String::from_utf8_lossy(room.get(..length).unwrap_or_default()).into_owned());
            }
            // It may grow between two tries, so this may come more than once.
            SMEM_BUFFER_TOO_SMALL if length > room.len() => room.resize(length, 0),
            _ => return Err(failure::last(py, code)),
        }
    }
}

/// Starts a config store at `store_url` in this process.
#[pyfunction]
#[pyo3(signature = (store_url))]
pub(crate) fn create_config_store(py: Python<'_>, store_url: &str) -> PyResult<i32> {
    let functions = functions()?;
    let Ok(url) = CString::new(store_url) else { return Ok(SMEM_INVALID_PARAM) };
    // SAFETY: the text lives through the call.
    interrupts::code(py, || unsafe { (functions.smem_create_config_store)(url.as_ptr(), 0) })
}

/// Ends the config store that this process started at `store_url`.
#[pyfunction]
#[pyo3(signature = (store_url))]
pub(crate) fn destroy_config_store(py: Python<'_>, store_url: &str) -> PyResult<()> {
    let functions = functions()?;
    if let Ok(url) = CString::new(store_url) {
        // SAFETY: the text lives through the call.
        py.detach(|| unsafe { (functions.smem_destroy_config_store)(url.as_ptr()) });
    }
    Ok(())
}

fn key_text(py: Python<'_>, key: &str) -> PyResult<CString> {
    failure::c_text(py, "store: the key", key)
}

/// Writes a small value that all members can read.
#[pyfunction]
#[pyo3(signature = (key, value))]
pub(crate) fn store_set(py: Python<'_>, key: &str, value: &[u8]) -> PyResult<()> {
    let functions = functions()?;
    let key = key_text(py, key)?;
    let code = interrupts::code(py, || {
        // SAFETY: key and value live through the call; the length is the value's.
        unsafe {
            (functions.mfx_store_set)(OF_BIG_MEMORY, key.as_ptr(), value.as_ptr().cast(), value.len() as u64)
        }
    })?;
    failure::check(py, code)
}

/// Reads a value, waiting up to `timeout_ms` for it to appear.
#[pyfunction]
#[pyo3(signature = (key, timeout_ms))]
pub(crate) fn store_get<'py>(
    py: Python<'py>,
    key: &str,
    #[pyo3(from_py_with = number::word)] timeout_ms: u32,
) -> PyResult<Bound<'py, PyBytes>> {
    let functions = functions()?;
    let key = key_text(py, key)?;
    let mut room = vec![0u8; USUAL_VALUE_BYTES];
    loop {
        let mut bytes = 0u64;
        let code = interrupts::code(py, || {
            // SAFETY: key and room live through the call, which writes at most the room's length.
            unsafe {
                (functions.mfx_store_get)(
                    OF_BIG_MEMORY,
                    key.as_ptr(),
                    timeout_ms,
                    room.as_mut_ptr().cast(),
                    room.len() as u64,
                    &raw mut bytes,
                )
            }
        })?;
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        match code {
            0 => return Ok(PyBytes::new(py, &room[..bytes.min(room.len())])),
            // The value may grow between two tries, so this may come more than once.
            SMEM_BUFFER_TOO_SMALL if bytes > room.len() => room.resize(bytes, 0),
            _ => return Err(failure::last(py, code)),
        }
    }
}

/// Adds `delta` to the number under `key`, 0 when missing, and returns the sum.
#[pyfunction]
#[pyo3(signature = (key, delta))]
pub(crate) fn store_add(py: Python<'_>, key: &str, delta: i64) -> PyResult<i64> {
    let functions = functions()?;
    let key = key_text(py, key)?;
    let mut value = 0i64;
    let code = interrupts::code(py, || {
        // SAFETY: the key lives through the call, which writes one number.
        unsafe { (functions.mfx_store_add)(OF_BIG_MEMORY, key.as_ptr(), delta, &raw mut value) }
    })?;
    failure::check(py, code).map(|()| value)
}
