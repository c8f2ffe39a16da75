// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The functions of the extension module for share memory: initialise, create, world.

use std::ffi::CString;
use std::mem::MaybeUninit;
use std::ptr;

use mf_abi::smem::{SMEM_INVALID_PARAM, ShmConfig};
use pyo3::prelude::*;

use crate::big_memory::truth;
use crate::evaluation::Evaluate as _;
use crate::library::{Functions, functions};
use crate::share::ShareMemory;
use crate::{failure, interrupts, number};

/// Initialises share memory with every field of the configuration.
#[pyfunction]
#[pyo3(signature = (store_url, world_size, rank_id, device_id, config))]
pub(crate) fn shm_initialize(
    py: Python<'_>,
    store_url: &str,
    #[pyo3(from_py_with = number::word)] world_size: u32,
    #[pyo3(from_py_with = number::word)] rank_id: u32,
    #[pyo3(from_py_with = number::small)] device_id: u16,
    config: &Bound<'_, PyAny>,
) -> PyResult<i32> {
    let Ok(url) = CString::new(store_url) else { return Ok(SMEM_INVALID_PARAM) };
    // SAFETY: url and configuration live through the call.
    initialize(py, config, |functions, config| unsafe {
        (functions.smem_shm_init)(url.as_ptr(), world_size, rank_id, device_id, config)
    })
}

/// As `shm_initialize`, with a unique id in the place of the URL.
#[pyfunction]
#[pyo3(signature = (unique_id, world_size, rank_id, device_id, config))]
pub(crate) fn shm_initialize_unique_id(
    py: Python<'_>,
    unique_id: &[u8],
    #[pyo3(from_py_with = number::word)] world_size: u32,
    #[pyo3(from_py_with = number::word)] rank_id: u32,
    #[pyo3(from_py_with = number::small)] device_id: u16,
    config: &Bound<'_, PyAny>,
) -> PyResult<i32> {
    let (id, bytes) = (unique_id, unique_id.len() as u64);
    // SAFETY: id and configuration live through the call.
    initialize(py, config, |functions, config| unsafe {
        (functions.mfx_shm_init_unique_id)(id.as_ptr().cast(), bytes, world_size, rank_id, device_id, config)
    })
}

/// As `shm_initialize`, with rank and world size by MPI.
#[pyfunction]
#[pyo3(signature = (device_id, config))]
pub(crate) fn shm_initialize_mpi(
    py: Python<'_>,
    #[pyo3(from_py_with = number::small)] device_id: u16,
    config: &Bound<'_, PyAny>,
) -> PyResult<i32> {
    // SAFETY: the configuration lives through the call.
    initialize(py, config, |functions, config| unsafe { (functions.mfx_shm_init_mpi)(device_id, config) })
}

/// Calls one of the functions that initialise, with the configuration as C has it.
fn initialize(
    py: Python<'_>,
    config: &Bound<'_, PyAny>,
    init: impl Fn(&Functions, *mut ShmConfig) -> i32 + Send + Sync,
) -> PyResult<i32> {
    let functions = functions()?;
    let mut native = MaybeUninit::<ShmConfig>::uninit();
    // SAFETY: the function fills the whole struct, with the layout fixed by the ABI version.
    let code = unsafe { (functions.smem_shm_config_init)(native.as_mut_ptr()) };
    if code != 0 {
        return Ok(code);
    }
    // SAFETY: filled above.
    let mut native = unsafe { native.assume_init() };
    native.init_timeout = config.needed("init_timeout")?.extract()?;
    native.create_timeout = config.needed("create_timeout")?.extract()?;
    native.control_operation_timeout = config.needed("operation_timeout")?.extract()?;
    native.start_config_store_server = truth(config, "start_store")?;
    native.flags = config.needed("flags")?.extract()?;
    interrupts::code(py, || init(functions, (&raw const native).cast_mut()))
}

/// Ends share memory in this process: destroys every object. Views stay.
#[pyfunction]
#[pyo3(signature = (flags=0))]
pub(crate) fn shm_uninitialize(
    py: Python<'_>,
    #[pyo3(from_py_with = number::word)] flags: u32,
) -> PyResult<()> {
    let functions = functions()?;
    // SAFETY: may be called at any time; it waits for callbacks, which may want the GIL.
    py.detach(|| unsafe { (functions.smem_shm_uninit)(flags) });
    Ok(())
}

/// One's own rank in the world; 4294967295 before initialisation.
#[pyfunction]
pub(crate) fn shm_rank_id() -> PyResult<u32> {
    // SAFETY: takes no argument and may be called at any time.
    Ok(unsafe { (functions()?.mfx_shm_rank)() })
}

/// Number of ranks of the world; 0 before initialisation.
#[pyfunction]
pub(crate) fn shm_world_size() -> PyResult<u32> {
    // SAFETY: takes no argument and may be called at any time.
    Ok(unsafe { (functions()?.mfx_shm_world_size)() })
}

/// Backing of the memory: "host", or the family of the accelerator; empty before initialisation.
#[pyfunction]
pub(crate) fn shm_device() -> PyResult<String> {
    // SAFETY: takes no argument and may be called at any time.
    Ok(failure::owned(unsafe { (functions()?.mfx_shm_device)() }))
}

/// Creates an object together with its other ranks.
#[pyfunction]
#[pyo3(signature = (id, rank_size, rank_id, local_mem_size, data_op_type, flags))]
pub(crate) fn shm_create(
    py: Python<'_>,
    #[pyo3(from_py_with = number::word)] id: u32,
    #[pyo3(from_py_with = number::word)] rank_size: u32,
    #[pyo3(from_py_with = number::word)] rank_id: u32,
    #[pyo3(from_py_with = number::size)] local_mem_size: u64,
    #[pyo3(from_py_with = number::word)] data_op_type: u32,
    #[pyo3(from_py_with = number::word)] flags: u32,
) -> PyResult<ShareMemory> {
    let functions = functions()?;
    let mut gva = 0;
    let handle = interrupts::handle(py, || {
        let mut first = ptr::null_mut();
        // SAFETY: the library checks every argument and writes one address.
        let handle = unsafe {
            (functions.smem_shm_create)(
                id,
                rank_size,
                rank_id,
                local_mem_size,
                data_op_type,
                flags,
                &raw mut first,
            )
        };
        gva = first.expose_provenance();
        handle.expose_provenance()
    })?;
    if handle == 0 {
        return Err(failure::of_last(py));
    }
    Ok(ShareMemory::new(functions, ptr::with_exposed_provenance_mut(handle), gva))
}
