// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Kernels: binaries, launches, and device memory for their operands.

use std::ffi::{CString, c_char, c_void};
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use mf_abi::smem::{KernelBuild, KernelHandle, LaunchOptions, SMEM_INVALID_PARAM};
use pyo3::prelude::*;

use crate::failure::Family;
use crate::fork::Generation;
use crate::library::{Functions, functions};
use crate::share::ShareMemory;
use crate::{failure, interrupts, number};

const FAMILY: Family = Family { name: "kernels", remedy: "load the binary" };

/// A loaded kernel binary.
#[pyclass(frozen, module = "mf_smem._mf_smem")]
pub(crate) struct KernelBinary {
    functions: &'static Functions,
    /// NULL once unloaded.
    handle: AtomicPtr<c_void>,
    made: Generation,
}

impl KernelBinary {
    fn is_inherited(&self) -> bool {
        self.made.is_inherited()
    }

    fn native(&self) -> KernelHandle {
        if self.is_inherited() { ptr::null_mut() } else { self.handle.load(Ordering::Relaxed) }
    }

    fn loaded(
        py: Python<'_>,
        load: impl FnOnce(&'static Functions, *mut KernelHandle) -> i32 + Send,
    ) -> PyResult<Self> {
        let functions = functions()?;
        let (code, handle) = py.detach(|| {
            let mut handle = ptr::null_mut();
            let code = load(functions, &raw mut handle);
            (code, handle.expose_provenance())
        });
        failure::check(py, code)?;
        let handle = AtomicPtr::new(ptr::with_exposed_provenance_mut(handle));
        Ok(Self { functions, handle, made: Generation::now() })
    }

    fn check(&self, py: Python<'_>, code: i32) -> PyResult<()> {
        FAMILY.check(py, self.made, code)
    }

    fn end(&self, py: Python<'_>) -> i32 {
        if self.is_inherited() {
            return 0;
        }
        let handle = self.handle.swap(ptr::null_mut(), Ordering::Relaxed).expose_provenance();
        let functions = self.functions;
        // SAFETY: the library checks handles itself; this one is ours and unloaded once.
        let unload = || unsafe { (functions.mfx_kernel_unload)(ptr::with_exposed_provenance_mut(handle)) };
        if handle == 0 { 0 } else { py.detach(unload) }
    }
}

impl Drop for KernelBinary {
    fn drop(&mut self) {
        // When the interpreter is gone there is nothing left to raise.
        let _ = Python::try_attach(|py| self.end(py));
    }
}

#[pymethods]
impl KernelBinary {
    /// Loads the binary in a file; None: the kernels that come with the library.
    #[staticmethod]
    #[pyo3(signature = (path))]
    fn from_path(py: Python<'_>, path: Option<PathBuf>) -> PyResult<Self> {
        let path = path
            .map(|path| failure::c_text(py, "kernel load: the path", path.into_os_string().into_vec()))
            .transpose()?;
        // SAFETY: the path, or null, lives through the call, which writes one handle.
        Self::loaded(py, |f, handle| unsafe {
            (f.mfx_kernel_load)(path.as_ref().map_or(ptr::null(), |path| path.as_ptr()), handle)
        })
    }

    /// Loads the binary in `data`.
    #[staticmethod]
    #[pyo3(signature = (data))]
    fn from_data(py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        // SAFETY: the bytes live through the call, which writes one handle.
        Self::loaded(py, |f, handle| unsafe {
            (f.mfx_kernel_load_data)(data.as_ptr().cast(), data.len() as u64, handle)
        })
    }

    /// The `mfx_kernel_t` as an integer; 0 once unloaded.
    #[getter]
    fn handle(&self) -> usize {
        self.native().expose_provenance()
    }

    /// Launches a kernel with arguments as it takes them: each in its size rounded up to 8 bytes. Waits for
    /// its end unless `stream` is given.
    #[pyo3(signature = (name, blocks, arguments, memory, timeout_ms, stream))]
    #[expect(clippy::too_many_arguments, reason = "what a launch consists of")]
    fn launch(
        &self,
        py: Python<'_>,
        name: &str,
        #[pyo3(from_py_with = number::word)] blocks: u32,
        arguments: &[u8],
        memory: Option<&ShareMemory>,
        #[pyo3(from_py_with = number::word)] timeout_ms: u32,
        #[pyo3(from_py_with = number::address)] stream: usize,
    ) -> PyResult<()> {
        let name = failure::c_text(py, "kernel launch: the name", name)?;
        let memory_handle = match memory.map(ShareMemory::native) {
            // A null handle would mean "no share memory".
            Some(handle) if handle.is_null() => {
                let text = "kernel launch: the share memory is closed, or was made before a fork";
                return Err(failure::exception(py, SMEM_INVALID_PARAM, text));
            }
            Some(handle) => handle.expose_provenance(),
            None => 0,
        };
        let (functions, handle) = (self.functions, self.native().expose_provenance());
        let code = interrupts::code(py, || {
            let options =
                LaunchOptions { blocks, timeout_ms, stream: ptr::with_exposed_provenance_mut(stream) };
            // SAFETY: everything lives through the call; the library checks handles and sizes, and addresses
            // among the arguments are the caller's to vouch for.
            unsafe {
                (functions.mfx_kernel_launch)(
                    ptr::with_exposed_provenance_mut(handle),
                    name.as_ptr(),
                    ptr::with_exposed_provenance_mut(memory_handle),
                    &raw const options,
                    arguments.as_ptr().cast(),
                    arguments.len() as u64,
                )
            }
        })?;
        self.check(py, code)
    }

    /// Unloads the binary, once launches in progress have ended. Idempotent.
    fn unload(&self, py: Python<'_>) -> PyResult<()> {
        let code = self.end(py);
        self.check(py, code)
    }
}

/// Memory of the accelerator for this process alone; given back by `free` or when collected.
#[pyclass(frozen, module = "mf_smem._mf_smem")]
pub(crate) struct DeviceBlock {
    functions: &'static Functions,
    address: AtomicUsize,
    nbytes: u64,
    made: Generation,
}

#[pymethods]
impl DeviceBlock {
    /// Allocates `nbytes`, not 0, of any content.
    #[new]
    #[pyo3(signature = (nbytes))]
    fn new(py: Python<'_>, #[pyo3(from_py_with = number::size)] nbytes: u64) -> PyResult<Self> {
        let functions = functions()?;
        let (code, address) = py.detach(|| {
            let mut address = ptr::null_mut();
            // SAFETY: the library writes one address.
            let code = unsafe { (functions.mfx_device_malloc)(nbytes, &raw mut address) };
            (code, address.expose_provenance())
        });
        failure::check(py, code)?;
        Ok(Self { functions, address: AtomicUsize::new(address), nbytes, made: Generation::now() })
    }

    /// Address of the first byte; 0 once freed.
    #[getter]
    fn address(&self) -> usize {
        self.address.load(Ordering::Relaxed)
    }

    /// Length in bytes.
    #[getter]
    fn nbytes(&self) -> u64 {
        self.nbytes
    }

    /// Gives it back. Idempotent.
    fn free(&self, py: Python<'_>) -> PyResult<()> {
        let address = self.address.swap(0, Ordering::Relaxed);
        if address == 0 || self.made.is_inherited() {
            return Ok(());
        }
        let functions = self.functions;
        // SAFETY: the library checks the address; this one is ours and freed once.
        let free = || unsafe { (functions.mfx_device_free)(ptr::with_exposed_provenance_mut(address)) };
        failure::check(py, py.detach(free))
    }
}

impl Drop for DeviceBlock {
    fn drop(&mut self) {
        // When the interpreter is gone the process ends, and its memory with it.
        let _ = Python::try_attach(|py| self.free(py));
    }
}

/// Copies `size` bytes between memory of this process and of its accelerator.
#[pyfunction]
#[pyo3(signature = (src_ptr, dst_ptr, size))]
pub(crate) fn device_copy(
    py: Python<'_>,
    #[pyo3(from_py_with = number::address)] src_ptr: usize,
    #[pyo3(from_py_with = number::address)] dst_ptr: usize,
    #[pyo3(from_py_with = number::size)] size: u64,
) -> PyResult<()> {
    let functions = functions()?;
    let code = py.detach(|| {
        let destination = ptr::with_exposed_provenance_mut(dst_ptr);
        // SAFETY: the ends are the caller's to vouch for.
        unsafe { (functions.mfx_device_copy)(destination, ptr::with_exposed_provenance(src_ptr), size) }
    });
    failure::check(py, code)
}

/// Copies pieces between memory of this process and of its accelerator: lists of 64-bit numbers by their
/// addresses.
#[pyfunction]
#[pyo3(signature = (sources, destinations, sizes, count))]
pub(crate) fn device_copy_batch(
    py: Python<'_>,
    #[pyo3(from_py_with = number::address)] sources: usize,
    #[pyo3(from_py_with = number::address)] destinations: usize,
    #[pyo3(from_py_with = number::address)] sizes: usize,
    #[pyo3(from_py_with = number::size)] count: u64,
) -> PyResult<()> {
    let functions = functions()?;
    let code = py.detach(|| {
        let (sources, sizes) = (ptr::with_exposed_provenance(sources), ptr::with_exposed_provenance(sizes));
        let destinations = ptr::with_exposed_provenance(destinations);
        // SAFETY: the caller vouches for three lists of `count` elements and their contents.
        unsafe { (functions.mfx_device_copy_batch)(destinations, sources, sizes, count) }
    });
    failure::check(py, code)
}

/// Gives this process the accelerator of this number, without a pool.
#[pyfunction]
#[pyo3(signature = (device))]
pub(crate) fn device_open(py: Python<'_>, #[pyo3(from_py_with = number::word)] device: u32) -> PyResult<()> {
    let functions = functions()?;
    // SAFETY: takes a number alone.
    let code = py.detach(|| unsafe { (functions.mfx_device_open)(device) });
    failure::check(py, code)
}

/// Undoes `device_open`.
#[pyfunction]
#[pyo3(signature = ())]
pub(crate) fn device_close(py: Python<'_>) -> PyResult<()> {
    let functions = functions()?;
    // SAFETY: takes nothing.
    let code = py.detach(|| unsafe { (functions.mfx_device_close)() });
    failure::check(py, code)
}

/// Makes whole pages of host memory known to the accelerator.
#[pyfunction]
#[pyo3(signature = (address, nbytes))]
pub(crate) fn device_map_host(
    py: Python<'_>,
    #[pyo3(from_py_with = number::address)] address: usize,
    #[pyo3(from_py_with = number::size)] nbytes: u64,
) -> PyResult<()> {
    let functions = functions()?;
    let code = py.detach(|| {
        // SAFETY: that the range stays mapped is the caller's to vouch for.
        unsafe { (functions.mfx_device_map_host)(ptr::with_exposed_provenance_mut(address), nbytes) }
    });
    failure::check(py, code)
}

/// Undoes `device_map_host`.
#[pyfunction]
#[pyo3(signature = (address))]
pub(crate) fn device_unmap_host(
    py: Python<'_>,
    #[pyo3(from_py_with = number::address)] address: usize,
) -> PyResult<()> {
    let functions = functions()?;
    let code = py.detach(|| {
        // SAFETY: the address is compared, and nothing there is touched.
        unsafe { (functions.mfx_device_unmap_host)(ptr::with_exposed_provenance_mut(address)) }
    });
    failure::check(py, code)
}

/// True if `address` lies in memory of the accelerator.
#[pyfunction]
#[pyo3(signature = (address))]
pub(crate) fn is_device_memory(
    py: Python<'_>,
    #[pyo3(from_py_with = number::address)] address: usize,
) -> PyResult<bool> {
    let mut is_memory = false;
    // SAFETY: the library only asks about the address, and writes one truth value.
    let code = unsafe {
        (functions()?.mfx_device_is_memory)(ptr::with_exposed_provenance(address), &raw mut is_memory)
    };
    failure::check(py, code).map(|()| is_memory)
}

/// The kernels that come with the library, as JSON.
#[pyfunction]
pub(crate) fn kernel_table_json(py: Python<'_>) -> PyResult<String> {
    // SAFETY: takes no argument and may be called at any time.
    let text = unsafe { (functions()?.mfx_kernel_table_json)() };
    failure::text(py, text)
}

/// Compiles kernels for the simulator; every path is absolute.
#[pyfunction]
#[pyo3(signature = (sources, flags, home, scratch, output, compiler))]
pub(crate) fn kernel_build(
    py: Python<'_>,
    sources: Vec<PathBuf>,
    flags: Vec<String>,
    home: PathBuf,
    scratch: PathBuf,
    output: PathBuf,
    compiler: Option<String>,
) -> PyResult<()> {
    let functions = functions()?;
    let text = |bytes: Vec<u8>| failure::c_text(py, "kernel build: a text", bytes);
    let path = |path: PathBuf| text(path.into_os_string().into_vec());
    let sources = sources.into_iter().map(path).collect::<PyResult<Vec<_>>>()?;
    let flags = flags.into_iter().map(|flag| text(flag.into_bytes())).collect::<PyResult<Vec<_>>>()?;
    let (home, scratch, output) = (path(home)?, path(scratch)?, path(output)?);
    let compiler = compiler.map(|named| text(named.into_bytes())).transpose()?;
    let code = py.detach(|| {
        let (sources, flags) = (pointers(&sources), pointers(&flags));
        let build = KernelBuild {
            sources: sources.as_ptr(),
            flags: flags.as_ptr(),
            source_count: u32::try_from(sources.len()).unwrap_or(u32::MAX),
            flag_count: u32::try_from(flags.len()).unwrap_or(u32::MAX),
            home: home.as_ptr(),
            scratch: scratch.as_ptr(),
            output: output.as_ptr(),
            compiler: compiler.as_ref().map_or(ptr::null(), |named| named.as_ptr()),
        };
        // SAFETY: the texts live through the call, and the counts match the lists.
        unsafe { (functions.mfx_kernel_build)(&raw const build) }
    });
    failure::check(py, code)
}

fn pointers(texts: &[CString]) -> Vec<*const c_char> {
    texts.iter().map(|text| text.as_ptr()).collect()
}
