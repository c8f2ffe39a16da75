// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Latency of 8-byte copies through the C library, as a C program would see it.
//!
//! The library is opened in a process of its own, because this program holds the same code once already and
//! one process must not hold two copies of it at work.

use std::ffi::{CStr, CString, c_void};
use std::hint::black_box;
use std::path::{Path, PathBuf};

use mf_base::settings::settings;
use mf_base::{Error, Kind, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::copy::member_arguments;
use super::measure::{Plan, in_turns, median};
use super::member::{Joined, print_value};
use super::memory::plain_copy;
use super::segment_bytes;
use crate::members::Job;
use crate::table::figure;

const OPERATION: &str = "C library";
const LIBRARY: &str = "libmf_smem.so";
const SHORT_BYTES: u64 = 8;

/// What was measured.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Latency {
    library: String,
    put_seconds: f64,
    get_seconds: f64,
    memcpy_seconds: f64,
}

/// Measures, or says why not.
pub(super) fn latency(quick: bool) -> Result<Latency, String> {
    if find_library().is_none() {
        return Err(format!("{LIBRARY} is neither beside the program nor in ../lib"));
    }
    in_processes(quick).map_err(|error| error.to_string())
}

fn in_processes(quick: bool) -> Result<Latency> {
    let job = Job::new()?;
    let bytes = segment_bytes(SHORT_BYTES);
    let mut peer = job.start("peer", &member_arguments("idle", 2, Some(0), bytes), &[])?;
    peer.value::<Joined>()?;
    let mut arguments = member_arguments("capi", 2, Some(1), bytes);
    if quick {
        arguments.push("--quick".to_owned());
    }
    let mut caller = job.start("caller of the C library", &arguments, &[])?;
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
            "\n8-byte copies through the C interface of {}: put {} ns, get {} ns a call; memcpy {} ns\n",
            latency.library,
            nanoseconds(latency.put_seconds),
            nanoseconds(latency.get_seconds),
            nanoseconds(latency.memcpy_seconds)
        ),
        Err(reason) => format!("\n8-byte copies through the C interface: not measured: {reason}\n"),
    }
}

/// For programs.
pub(super) fn to_json(latency: &Result<Latency, String>) -> Value {
    match latency {
        Ok(latency) => json!(latency),
        Err(reason) => json!({ "not_measured": reason }),
    }
}

fn find_library() -> Option<PathBuf> {
    let program = std::fs::read_link("/proc/self/exe").ok()?;
    let folder = program.parent()?;
    [folder.join(LIBRARY), folder.join("../lib").join(LIBRARY)].into_iter().find(|path| path.is_file())
}

/// `smem_copy_params_t`.
#[repr(C)]
struct CopyParams {
    source: *const c_void,
    destination: *mut c_void,
    bytes: usize,
    stream: *mut c_void,
}

/// `smem_bm_config_t` as bytes; only the fields below are set here.
#[repr(C, align(8))]
struct BmConfig([u8; 3680]);

const START_STORE_AT: usize = 12;
const AUTO_RANKING_AT: usize = 16;
const RANK_ID_AT: usize = 20;
const H2G: u32 = 3;
const G2H: u32 = 2;
const HOST: u32 = 3;
const HOST_SHM: u32 = 32;

type Handle = *mut c_void;

macro_rules! functions {
    ($($name:ident: $type:ty;)*) => {
        /// The functions of the library that a short copy needs.
        struct Functions { $($name: $type,)* }

        impl Functions {
            fn open(path: &Path) -> Result<Self> {
                let library = open(path)?;
                Ok(Self { $($name: {
                    let symbol = CString::new(stringify!($name)).map_err(|error| failed("symbol").source(error))?;
                    // SAFETY: `library` is a handle that dlopen has just given; the name ends with a null
                    // byte.
                    let address = unsafe { libc::dlsym(library, symbol.as_ptr()) };
                    if address.is_null() {
                        return Err(failed("the library lacks a function").with("function", stringify!($name)));
                    }
                    // SAFETY: the symbol is the function of that name, whose type is fixed by the published
                    // header.
                    unsafe { std::mem::transmute::<*mut c_void, $type>(address) }
                },)* })
            }
        }
    };
}

functions! {
    smem_init: extern "C" fn(u32) -> i32;
    smem_bm_config_init: extern "C" fn(*mut BmConfig) -> i32;
    smem_bm_init: extern "C" fn(*const libc::c_char, u32, u16, *const BmConfig) -> i32;
    smem_bm_create: extern "C" fn(u32, u32, u32, u64, u64, u32) -> Handle;
    smem_bm_join: extern "C" fn(Handle, u32) -> i32;
    smem_bm_ptr_by_mem_type: extern "C" fn(Handle, u32, u16) -> *mut c_void;
    smem_bm_copy: extern "C" fn(Handle, *mut CopyParams, u32, u32) -> i32;
    smem_bm_destroy: extern "C" fn(Handle);
    smem_bm_uninit: extern "C" fn(u32);
    smem_uninit: extern "C" fn();
    smem_get_last_err_msg: extern "C" fn() -> *const libc::c_char;
}

fn open(path: &Path) -> Result<*mut c_void> {
    use std::os::unix::ffi::OsStrExt;
    let name = CString::new(path.as_os_str().as_bytes()).map_err(|error| failed("path").source(error))?;
    // SAFETY: the name ends with a null byte; the library's initialisers are those of our own library.
    let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    if library.is_null() {
        return Err(failed("the library cannot be opened")
            .with("library", path.display())
            .with("why", dlerror()));
    }
    Ok(library)
}

fn dlerror() -> String {
    // SAFETY: no argument; the text belongs to this thread until its next call of the loader.
    let text = unsafe { libc::dlerror() };
    if text.is_null() {
        return "unknown".to_owned();
    }
    // SAFETY: not null, so a text that ends with a null byte.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

fn failed(what: &str) -> Error {
    Error::new(Kind::Failed, OPERATION).what(what)
}

impl Functions {
    /// Turns a code of the library into an error with the library's text.
    fn check(&self, function: &'static str, code: i32) -> Result<()> {
        if code == 0 {
            return Ok(());
        }
        let text = (self.smem_get_last_err_msg)();
        let text = if text.is_null() {
            String::new()
        } else {
            // SAFETY: not null, so a text of the library that lives until this thread's next call.
            unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
        };
        Err(failed("a call failed").with("function", function).with("code", code).with("text", text))
    }
}

/// In the member: joins through the C interface and measures copies to and from rank 0.
pub(super) fn measure(world: u32, rank: u32, bytes: u64, quick: bool) -> Result<()> {
    let path = find_library().ok_or_else(|| failed("the library is not there"))?;
    let c = Functions::open(&path)?;
    let mut config = BmConfig([0; 3680]);
    c.check("smem_init", (c.smem_init)(0))?;
    c.check("smem_bm_config_init", (c.smem_bm_config_init)(&raw mut config))?;
    config.0[START_STORE_AT] = 0;
    config.0[AUTO_RANKING_AT] = 0;
    config.0[RANK_ID_AT..RANK_ID_AT + 4].copy_from_slice(&rank.to_ne_bytes());
    let url = CString::new(settings()?.store_url.as_str()).map_err(|error| failed("url").source(error))?;
    c.check("smem_bm_init", (c.smem_bm_init)(url.as_ptr(), world, 0, &raw const config))?;
    let handle = (c.smem_bm_create)(0, 0, HOST_SHM, bytes, 0, 0);
    if handle.is_null() {
        c.check("smem_bm_create", Kind::Failed.code())?;
    }
    c.check("smem_bm_join", (c.smem_bm_join)(handle, 0))?;
    let remote = (c.smem_bm_ptr_by_mem_type)(handle, HOST, 0);
    let (mut near, mut other) = ([7u8; 8], [0u8; 8]);
    let near_address = near.as_mut_ptr();
    let copy = |calls: u32, source: *const c_void, destination: *mut c_void, copy_type: u32| -> Result<()> {
        let mut params = CopyParams { source, destination, bytes: 8, stream: std::ptr::null_mut() };
        for _ in 0..calls {
            let code = (c.smem_bm_copy)(handle, black_box(&raw mut params), copy_type, 0);
            if code != 0 {
                c.check("smem_bm_copy", code)?;
            }
        }
        Ok(())
    };
    let mut put = |calls: u32| copy(calls, near_address.cast_const().cast(), remote, H2G);
    let mut get = |calls: u32| copy(calls, remote.cast_const(), near_address.cast(), G2H);
    let mut plain = |calls: u32| {
        for _ in 0..calls {
            // SAFETY: both are arrays of 8 bytes on this stack.
            unsafe { plain_copy(near_address, other.as_mut_ptr(), 8) };
        }
        Ok(())
    };
    let seconds = in_turns(Plan::for_bytes(SHORT_BYTES, quick), &mut [&mut put, &mut get, &mut plain])?;
    (c.smem_bm_destroy)(handle);
    (c.smem_bm_uninit)(0);
    (c.smem_uninit)();
    print_value(&Latency {
        library: path.display().to_string(),
        put_seconds: median(&seconds[0]),
        get_seconds: median(&seconds[1]),
        memcpy_seconds: median(&seconds[2]),
    })
}
