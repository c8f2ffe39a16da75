// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The functions of the extension module for big memory: initialise, create, world.

use std::ffi::{CStr, CString, c_char, c_int};
use std::mem::MaybeUninit;

use mf_abi::smem::{BmConfig, BmCreateOption, BmHandle, MFX_BM_INIT_ORDERED_RANKS, SMEM_INVALID_PARAM};
use pyo3::prelude::*;

use crate::evaluation::Evaluate as _;
use crate::library::{Functions, functions};
use crate::memory::Memory;
use crate::raising::BigMemory;
use crate::{failure, interrupts, number};

/// Initialises big memory with every field of the configuration.
#[pyfunction]
#[pyo3(signature = (store_url, world_size, device_id, config))]
pub(crate) fn bm_initialize(
    py: Python<'_>,
    store_url: &str,
    #[pyo3(from_py_with = number::word)] world_size: u32,
    #[pyo3(from_py_with = number::small)] device_id: u16,
    config: &Bound<'_, PyAny>,
) -> PyResult<i32> {
    let Ok(url) = CString::new(store_url) else { return Ok(SMEM_INVALID_PARAM) };
    // SAFETY: url and configuration live through the call.
    initialize(py, config, |functions, config| unsafe {
        (functions.smem_bm_init)(url.as_ptr(), world_size, device_id, config)
    })
}

/// As `bm_initialize`, with a unique id in the place of the URL.
#[pyfunction]
#[pyo3(signature = (unique_id, world_size, device_id, config))]
pub(crate) fn bm_initialize_unique_id(
    py: Python<'_>,
    unique_id: &[u8],
    #[pyo3(from_py_with = number::word)] world_size: u32,
    #[pyo3(from_py_with = number::small)] device_id: u16,
    config: &Bound<'_, PyAny>,
) -> PyResult<i32> {
    let bytes = unique_id.len() as u64;
    // SAFETY: id and configuration live through the call.
    initialize(py, config, |functions, config| unsafe {
        (functions.mfx_bm_init_unique_id)(unique_id.as_ptr().cast(), bytes, world_size, device_id, config)
    })
}

/// As `bm_initialize`, with rank and world size by MPI.
#[pyfunction]
#[pyo3(signature = (device_id, config))]
pub(crate) fn bm_initialize_mpi(
    py: Python<'_>,
    #[pyo3(from_py_with = number::small)] device_id: u16,
    config: &Bound<'_, PyAny>,
) -> PyResult<i32> {
    // SAFETY: the configuration lives through the call.
    initialize(py, config, |functions, config| unsafe { (functions.mfx_bm_init_mpi)(device_id, config) })
}

/// Calls one of the functions that initialise, with the configuration as C has it.
fn initialize(
    py: Python<'_>,
    config: &Bound<'_, PyAny>,
    init: impl Fn(&Functions, *const BmConfig) -> i32 + Send + Sync,
) -> PyResult<i32> {
    let functions = functions()?;
    let mut native = MaybeUninit::<BmConfig>::uninit();
    // SAFETY: the function fills the whole struct, with the layout fixed by the ABI version.
    let code = unsafe { (functions.smem_bm_config_init)(native.as_mut_ptr()) };
    if code != 0 {
        return Ok(code);
    }
    // SAFETY: filled above.
    let mut native = unsafe { native.assume_init() };
    native.init_timeout = config.needed("init_timeout")?.extract()?;
    native.create_timeout = config.needed("create_timeout")?.extract()?;
    native.control_operation_timeout = config.needed("operation_timeout")?.extract()?;
    native.start_config_store_server = truth(config, "start_store")?;
    native.start_config_store_only = truth(config, "start_store_only")?;
    native.dynamic_world_size = truth(config, "dynamic_world_size")?;
    native.unified_address_space = truth(config, "unified_address_space")?;
    native.auto_ranking = truth(config, "auto_ranking")?;
    native.rank_id = config.needed("rank_id")?.extract()?;
    native.flags = config.needed("flags")?.extract()?;
    if config.needed("_ordered_ranks")?.is_truthy()? {
        native.flags |= MFX_BM_INIT_ORDERED_RANKS;
    }
    if !fill(&mut native.hcom_url, &config.needed("nic")?.extract::<String>()?) {
        return Ok(SMEM_INVALID_PARAM);
    }
    interrupts::code(py, || init(functions, &raw const native))
}

/// A truth value of a configuration, for C.
pub(crate) fn truth(config: &Bound<'_, PyAny>, name: &str) -> PyResult<u8> {
    Ok(u8::from(config.needed(name)?.extract::<bool>()?))
}

/// Ends big memory in this process: leaves and destroys every pool. Views stay.
#[pyfunction]
#[pyo3(signature = (flags=0))]
pub(crate) fn bm_uninitialize(
    py: Python<'_>,
    #[pyo3(from_py_with = number::word)] flags: u32,
) -> PyResult<()> {
    let functions = functions()?;
    // SAFETY: may be called at any time; it waits for callbacks, which may want the GIL.
    py.detach(|| unsafe { (functions.smem_bm_uninit)(flags) });
    Ok(())
}

/// One's own rank; 4294967295 before initialisation.
#[pyfunction]
pub(crate) fn bm_rank_id() -> PyResult<u32> {
    // SAFETY: takes no argument and may be called at any time.
    Ok(unsafe { (functions()?.smem_bm_get_rank_id)() })
}

/// Number of ranks of the world; 0 before initialisation.
#[pyfunction]
pub(crate) fn bm_world_size() -> PyResult<u32> {
    // SAFETY: takes no argument and may be called at any time.
    Ok(unsafe { (functions()?.mfx_bm_world_size)() })
}

/// Backing of device memory: "host" if host memory substitutes it, else the family of the accelerator, for
/// example "ascend"; empty before initialisation.
#[pyfunction]
pub(crate) fn bm_device() -> PyResult<String> {
    // SAFETY: takes no argument and may be called at any time.
    let name = unsafe { (functions()?.mfx_bm_device)() };
    // SAFETY: the function gives a C string that lives until this thread asks again.
    Ok(unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned())
}

/// Waits until `members` ranks (0: the whole world) have come to the barrier of this name.
#[pyfunction]
#[pyo3(signature = (name, members, timeout_s))]
pub(crate) fn bm_barrier(
    py: Python<'_>,
    name: &str,
    #[pyo3(from_py_with = number::word)] members: u32,
    #[pyo3(from_py_with = number::word)] timeout_s: u32,
) -> PyResult<()> {
    let functions = functions()?;
    let name = failure::c_text(py, "bm barrier: the name", name)?;
    // SAFETY: the name lives through the call.
    let code =
        interrupts::code(py, || unsafe { (functions.mfx_bm_barrier)(name.as_ptr(), members, timeout_s) })?;
    failure::check(py, code)
}

/// Moves this process to the store at another URL; returns a code.
#[pyfunction]
#[pyo3(signature = (store_url))]
pub(crate) fn bm_update_store_url(py: Python<'_>, store_url: &str) -> PyResult<i32> {
    let functions = functions()?;
    let Ok(url) = CString::new(store_url) else { return Ok(SMEM_INVALID_PARAM) };
    // SAFETY: the text lives through the call.
    interrupts::code(py, || unsafe { (functions.smem_bm_update_store_url)(url.as_ptr()) })
}

/// Creates a pool with this largest contribution of each member.
#[pyfunction]
#[pyo3(signature = (id, local_dram_size, local_hbm_size, data_op_type, flags))]
pub(crate) fn bm_create(
    py: Python<'_>,
    #[pyo3(from_py_with = number::word)] id: u32,
    #[pyo3(from_py_with = number::size)] local_dram_size: u64,
    #[pyo3(from_py_with = number::size)] local_hbm_size: u64,
    #[pyo3(from_py_with = number::word)] data_op_type: u32,
    #[pyo3(from_py_with = number::word)] flags: u32,
) -> PyResult<BigMemory> {
    let functions = functions()?;
    let handle = interrupts::handle(py, || {
        // SAFETY: the library checks every argument.
        unsafe { (functions.smem_bm_create)(id, 0, data_op_type, local_dram_size, local_hbm_size, flags) }
            .expose_provenance()
    })?;
    created(py, handle)
}

/// Creates a pool with room to grow.
#[pyfunction]
#[pyo3(signature = (id, local_dram_size, max_dram_size, local_hbm_size, max_hbm_size, data_op_type, enable_56bits_gva, flags, shm_fd, tag, tag_op_info))]
#[expect(clippy::too_many_arguments, reason = "the fields of the struct")]
pub(crate) fn bm_create2(
    py: Python<'_>,
    #[pyo3(from_py_with = number::word)] id: u32,
    #[pyo3(from_py_with = number::size)] local_dram_size: u64,
    #[pyo3(from_py_with = number::size)] max_dram_size: u64,
    #[pyo3(from_py_with = number::size)] local_hbm_size: u64,
    #[pyo3(from_py_with = number::size)] max_hbm_size: u64,
    #[pyo3(from_py_with = number::word)] data_op_type: u32,
    enable_56bits_gva: bool,
    #[pyo3(from_py_with = number::word)] flags: u32,
    shm_fd: c_int,
    tag: &str,
    tag_op_info: &str,
) -> PyResult<BigMemory> {
    let functions = functions()?;
    let mut option = BmCreateOption {
        max_dram_size,
        max_hbm_size,
        local_dram_size,
        local_hbm_size,
        data_op_type,
        enable_56_bits_gva: u8::from(enable_56bits_gva),
        flags,
        tag: [0; 32],
        tag_op_info: [0; 256],
        dram_shm_fd: shm_fd,
    };
    if !fill(&mut option.tag, tag) {
        return Err(failure::exception(
            py,
            SMEM_INVALID_PARAM,
            "bm create: the tag is longer than 30 characters",
        ));
    }
    if !fill(&mut option.tag_op_info, tag_op_info) {
        return Err(failure::exception(
            py,
            SMEM_INVALID_PARAM,
            "bm create: tag_op_info is longer than 255 characters",
        ));
    }
    let handle = interrupts::handle(py, || {
        // SAFETY: the option lives through the call; the library checks its fields.
        unsafe { (functions.smem_bm_create2)(id, &raw const option) }.expose_provenance()
    })?;
    created(py, handle)
}

fn created(py: Python<'_>, handle: usize) -> PyResult<BigMemory> {
    let handle: BmHandle = std::ptr::with_exposed_provenance_mut(handle);
    if handle.is_null() {
        return Err(failure::of_last(py));
    }
    Ok(BigMemory { memory: Memory::new(functions()?, handle, true) })
}

/// Writes `text` with its terminator into a C array; false, and nothing written, when it does not fit or has
/// a NUL.
pub(crate) fn fill(array: &mut [c_char], text: &str) -> bool {
    if text.len() >= array.len() || text.contains('\0') {
        return false;
    }
    array.fill(0);
    for (to, from) in array.iter_mut().zip(text.bytes()) {
        *to = c_char::from_ne_bytes([from]);
    }
    true
}
