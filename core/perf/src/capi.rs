// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Latency of 8-byte copies through the C library, as a C program would see it.
//!
//! Calls the library that contains this program. The calls are made in a separate process, through symbols
//! resolved like a C program's.

use std::ffi::{CStr, CString, c_void};
use std::hint::black_box;
use std::mem::MaybeUninit;
use std::path::{Path, PathBuf};

use mf_abi::smem::{
    BmConfig, BmHandle, CopyParams, SMEM_MEM_TYPE_HOST, SMEMB_COPY_G2H, SMEMB_COPY_H2G,
    SMEMB_DATA_OP_HOST_SHM,
};
use mf_base::loader::{Candidate, LibrarySpec, LoadError, Loaded, Report, file_of_address};
use mf_base::settings::settings;
use mf_base::{Error, Kind, Result};
use mf_program::table::figure;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::measure::{Plan, in_turns, median};
use super::memory::plain_copy;
use super::pool_member::{self, Joined, MemberMode};
use super::segment_bytes;
use super::task::Work;
use crate::members::{Job, print_value};

const OPERATION: &str = "C library";
const LIBRARY: &str = "libmf_smem.so";
const SHORT_BYTES: usize = 8;

/// Figures of the C library.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Latency {
    library: String,
    put_seconds: f64,
    get_seconds: f64,
    memcpy_seconds: f64,
}

/// Measures, or says why not.
pub(super) fn latency(quick: bool) -> Result<Latency, String> {
    in_processes(quick).map_err(|error| error.to_string())
}

fn in_processes(quick: bool) -> Result<Latency> {
    let job = Job::new()?;
    let bytes = segment_bytes(SHORT_BYTES as u64);
    let task =
        |rank| pool_member::Task { quick, ..pool_member::Task::new(MemberMode::Idle, 2, Some(rank), bytes) };
    let mut peer = job.start("peer", &Work::Pool.with(&task(0))?, &[])?;
    peer.value::<Joined>()?;
    let mut caller = job.start("caller of the C library", &Work::CLibrary.with(&task(1))?, &[])?;
    let latency = caller.value()?;
    caller.end()?;
    peer.end()?;
    Ok(latency)
}

/// In words.
pub(super) fn text(latency: &Result<Latency, String>) -> String {
    let nanoseconds = |seconds: f64| figure(seconds * 1e9);
    match latency {
        Ok(latency) => format!(
            "8-byte copies through the C interface of {}: put {} ns, get {} ns a call; memcpy {} ns\n",
            latency.library,
            nanoseconds(latency.put_seconds),
            nanoseconds(latency.get_seconds),
            nanoseconds(latency.memcpy_seconds)
        ),
        Err(reason) => format!("8-byte copies through the C interface: not measured: {reason}\n"),
    }
}

/// For programs.
pub(super) fn to_json(latency: &Result<Latency, String>) -> Value {
    match latency {
        Ok(latency) => json!(latency),
        Err(reason) => json!({ "not_measured": reason }),
    }
}

/// The file of the library that this code is part of.
fn own_library() -> Option<PathBuf> {
    file_of_address((own_library as *const c_void).addr())
}

mf_base::functions! {
    /// The functions of the library that a short copy needs.
    struct Functions {
        required {
            smem_init: fn(u32) -> i32;
            smem_bm_config_init: fn(*mut BmConfig) -> i32;
            smem_bm_init: fn(*const libc::c_char, u32, u16, *const BmConfig) -> i32;
            smem_bm_create: fn(u32, u32, u32, u64, u64, u32) -> BmHandle;
            smem_bm_join: fn(BmHandle, u32) -> i32;
            smem_bm_ptr_by_mem_type: fn(BmHandle, u32, u16) -> *mut c_void;
            smem_bm_copy: fn(BmHandle, *mut CopyParams, u32, u32) -> i32;
            smem_bm_destroy: fn(BmHandle);
            smem_bm_uninit: fn(u32);
            smem_uninit: fn();
            smem_get_last_err_msg: fn() -> *const libc::c_char;
        }
    }
}

/// Opens the library that this program runs in.
///
/// # Errors
/// `Failed` it is not there.
pub(super) fn open() -> Result<(PathBuf, Loaded)> {
    let path = own_library().ok_or_else(|| failed("this program does not run in a library with a path"))?;
    let wanted = LibrarySpec {
        candidates: vec![Candidate::file("that of this program", &path)],
        ..LibrarySpec::new(LIBRARY, "memfabric-rs")
    };
    let loaded = wanted.open(&mut Report::default()).map_err(|error| unusable(&path, error))?;
    Ok((path, loaded))
}

/// Why the library cannot be used.
pub(super) fn unusable(path: &Path, error: LoadError) -> Error {
    failed("the library cannot be opened").with("library", path.display()).source(error)
}

fn failed(what: &str) -> Error {
    Error::new(Kind::Failed, OPERATION).what(what)
}

/// The library's function for the text of the last failure.
pub(super) type LastError = unsafe extern "C" fn() -> *const libc::c_char;

/// Turns a code of the library into an error with the library's text.
///
/// # Errors
/// `Failed` the code is not 0.
pub(super) fn checked(last_error: LastError, function: &'static str, code: i32) -> Result<()> {
    if code == 0 {
        return Ok(());
    }
    // SAFETY: takes no argument and may be called at any time.
    let text = unsafe { last_error() };
    let text = if text.is_null() {
        String::new()
    } else {
        // SAFETY: not null, so a text of the library that lives until this thread's next call.
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    };
    Err(failed("a call failed").with("function", function).with("code", code).with("text", text))
}

impl Functions {
    fn check(&self, function: &'static str, code: i32) -> Result<()> {
        checked(self.smem_get_last_err_msg, function, code)
    }
}

/// A pool of the C library that this process has joined.
pub(super) struct CPool {
    functions: Functions,
    /// File of the library.
    library: PathBuf,
    handle: BmHandle,
    /// The memory that the other end contributes.
    remote: *mut c_void,
}

impl CPool {
    /// Joins a pool of `world` ranks that have `bytes` each, over the job's store, to copy to and from
    /// `peer`.
    ///
    /// # Errors
    /// `Failed` names the function that failed.
    pub(super) fn join(world: u32, rank: u32, peer: u16, bytes: u64) -> Result<Self> {
        let (path, loaded) = open()?;
        let c = Functions::resolve(&loaded).map_err(|error| unusable(&path, error))?;
        // SAFETY: here and below each function is called as its header says, with memory that lives through
        // the call.
        c.check("smem_init", unsafe { (c.smem_init)(0) })?;
        let mut config = MaybeUninit::<BmConfig>::uninit();
        // SAFETY: see above; the function fills the whole struct.
        c.check("smem_bm_config_init", unsafe { (c.smem_bm_config_init)(config.as_mut_ptr()) })?;
        // SAFETY: filled by the call before, which did not fail.
        let mut config = unsafe { config.assume_init() };
        (config.start_config_store_server, config.auto_ranking, config.rank_id) = (0, 0, rank);
        let url =
            CString::new(settings()?.store_url.as_str()).map_err(|error| failed("url").source(error))?;
        // SAFETY: see above.
        c.check("smem_bm_init", unsafe { (c.smem_bm_init)(url.as_ptr(), world, 0, &raw const config) })?;
        // SAFETY: see above.
        let handle = unsafe { (c.smem_bm_create)(0, 0, SMEMB_DATA_OP_HOST_SHM, bytes, 0, 0) };
        if handle.is_null() {
            c.check("smem_bm_create", Kind::Failed.code())?;
        }
        // SAFETY: see above.
        c.check("smem_bm_join", unsafe { (c.smem_bm_join)(handle, 0) })?;
        // SAFETY: see above.
        let remote = unsafe { (c.smem_bm_ptr_by_mem_type)(handle, SMEM_MEM_TYPE_HOST, peer) };
        Ok(Self { functions: c, library: path, handle, remote })
    }

    /// Copies so many times from this process to the peer.
    ///
    /// # Errors
    /// `Failed` a copy failed.
    ///
    /// # Safety
    /// The source is readable for `bytes`, and the pool has as many for each rank.
    pub(super) unsafe fn put(&self, calls: u32, source: *const u8, bytes: usize) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.copy(calls, source.cast(), self.remote, bytes, SMEMB_COPY_H2G) }
    }

    /// Copies so many times from the peer to this process.
    ///
    /// # Errors
    /// `Failed` a copy failed.
    ///
    /// # Safety
    /// The destination is writable for `bytes`, and the pool has as many for each rank.
    pub(super) unsafe fn get(&self, calls: u32, dest: *mut u8, bytes: usize) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.copy(calls, self.remote, dest.cast(), bytes, SMEMB_COPY_G2H) }
    }

    /// # Safety
    /// Both ends have so many bytes.
    unsafe fn copy(
        &self,
        calls: u32,
        src: *const c_void,
        dest: *mut c_void,
        bytes: usize,
        direction: u32,
    ) -> Result<()> {
        let c = &self.functions;
        let mut params = CopyParams { src, dest, data_size: bytes, stream: std::ptr::null_mut() };
        for _ in 0..calls {
            // SAFETY: passed on to the caller.
            let code = unsafe { (c.smem_bm_copy)(self.handle, black_box(&raw mut params), direction, 0) };
            if code != 0 {
                c.check("smem_bm_copy", code)?;
            }
        }
        Ok(())
    }
}

impl Drop for CPool {
    fn drop(&mut self) {
        let c = &self.functions;
        // SAFETY: the handle is not used again.
        unsafe { (c.smem_bm_destroy)(self.handle) };
        // SAFETY: ends what `join` has begun.
        unsafe { (c.smem_bm_uninit)(0) };
        // SAFETY: as above.
        unsafe { (c.smem_uninit)() };
    }
}

/// In the member: joins through the C interface and measures copies to and from rank 0.
pub(super) fn measure(args: &pool_member::Task) -> Result<()> {
    let pool = CPool::join(args.world, args.rank.unwrap_or(0), 0, args.bytes)?;
    let (mut near, mut other) = ([7u8; 8], [0u8; 8]);
    let near = near.as_mut_ptr();
    // SAFETY: an array of 8 bytes that lives through the calls.
    let mut put = |calls: u32| unsafe { pool.put(calls, near, SHORT_BYTES) };
    // SAFETY: as above.
    let mut get = |calls: u32| unsafe { pool.get(calls, near, SHORT_BYTES) };
    let mut plain = |calls: u32| {
        for _ in 0..calls {
            // SAFETY: both are arrays of 8 bytes on this stack.
            unsafe { plain_copy(near, other.as_mut_ptr(), 8) };
        }
        Ok(())
    };
    let seconds =
        in_turns(Plan::for_bytes(SHORT_BYTES as u64, args.quick), &mut [&mut put, &mut get, &mut plain])?;
    let library = pool.library.display().to_string();
    drop(pool);
    print_value(&Latency {
        library,
        put_seconds: median(&seconds[0]),
        get_seconds: median(&seconds[1]),
        memcpy_seconds: median(&seconds[2]),
    })
}
