// SPDX-License-Identifier: Apache-2.0 OR MIT
//! libucp, opened when it is first needed.
//!
//! When libucs, below it, is loaded, its initialiser installs signal handlers and patches the code of `mmap`
//! and its relatives, unless its environment says otherwise. Both are the host process's own business. Its
//! settings are read by `getenv`, and `setenv` is not safe while other threads read, so during the one call
//! to the loader `environ` points to another array: the process's own strings, followed by ours. Both arrays
//! stay valid forever, readers see one or the other, and where the user has set a variable, the user's
//! string comes first and counts. If another thread sets a variable meanwhile, its string stays, and so do
//! ours.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ops::Deref;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use mf_base::loader::{Candidate, Handle, LibraryFacts, LibrarySpec, LoadError, Report, Version};
use mf_base::{Error, Kind, Result};

use super::abi::{
    self, ContextParams, EndpointParams, HandlerParams, MapParams, RequestParams, Status, WorkerParams,
};

/// File names of the library.
const NAMES: [&str; 2] = ["libucp.so.0", "libucp.so"];
/// Settings for the initialisers: no signal handlers, no patched code, no threads and no prints unless the
/// user asked for them.
const QUIET: [&CStr; 6] = [
    c"UCX_HANDLE_ERRORS=none",
    c"UCX_DEBUG_SIGNO=0",
    c"UCX_MEM_EVENTS=n",
    c"UCX_VFS_ENABLE=n",
    c"UCX_WARN_UNUSED_ENV_VARS=n",
    c"UCX_LOG_LEVEL=fatal",
];

type Handed = *mut c_void;

mf_base::functions! {
    /// The functions that are used of it.
    pub(super) struct Functions {
        required {
            ucp_config_read: fn(*const c_char, *const c_char, *mut Handed) -> Status;
            ucp_config_modify: fn(Handed, *const c_char, *const c_char) -> Status;
            ucp_config_release: fn(Handed);
            ucp_init_version: fn(c_uint, c_uint, *const ContextParams, Handed, *mut Handed) -> Status;
            ucp_cleanup: fn(Handed);
            ucp_context_print_info: fn(Handed, *mut libc::FILE);
            ucp_worker_create: fn(Handed, *const WorkerParams, *mut Handed) -> Status;
            ucp_worker_destroy: fn(Handed);
            ucp_worker_get_address: fn(Handed, *mut Handed, *mut usize) -> Status;
            ucp_worker_release_address: fn(Handed, Handed);
            ucp_worker_progress: fn(Handed) -> c_uint;
            ucp_worker_get_efd: fn(Handed, *mut c_int) -> Status;
            ucp_worker_flush_nbx: fn(Handed, *const RequestParams) -> Handed;
            ucp_worker_arm: fn(Handed) -> Status;
            ucp_worker_set_am_recv_handler: fn(Handed, *const HandlerParams) -> Status;
            ucp_ep_create: fn(Handed, *const EndpointParams, *mut Handed) -> Status;
            ucp_ep_close_nbx: fn(Handed, *const RequestParams) -> Handed;
            ucp_ep_flush_nbx: fn(Handed, *const RequestParams) -> Handed;
            ucp_ep_print_info: fn(Handed, *mut libc::FILE);
            ucp_mem_map: fn(Handed, *const MapParams, *mut Handed) -> Status;
            ucp_mem_unmap: fn(Handed, Handed) -> Status;
            ucp_rkey_pack: fn(Handed, Handed, *mut Handed, *mut usize) -> Status;
            ucp_rkey_buffer_release: fn(Handed);
            ucp_ep_rkey_unpack: fn(Handed, *const c_void, *mut Handed) -> Status;
            ucp_rkey_destroy: fn(Handed);
            ucp_am_send_nbx: fn(Handed, c_uint, *const c_void, usize, *const c_void, usize, *const RequestParams) -> Handed;
            ucp_am_data_release: fn(Handed, Handed);
            ucp_put_nbx: fn(Handed, *const c_void, usize, u64, Handed, *const RequestParams) -> Handed;
            ucp_get_nbx: fn(Handed, *mut c_void, usize, u64, Handed, *const RequestParams) -> Handed;
            ucp_request_check_status: fn(Handed) -> Status;
            ucp_request_free: fn(Handed);
            ucs_status_string: fn(Status) -> *const c_char;
        }
    }
}

/// The library: its functions, and the version that they have.
pub(super) struct Library {
    /// `1.13.1`
    pub(super) version: String,
    functions: Functions,
}

impl Deref for Library {
    type Target = Functions;

    fn deref(&self) -> &Functions {
        &self.functions
    }
}

impl Library {
    /// Returns the library, opened once.
    ///
    /// # Errors
    /// `NotExist` with the list of attempts.
    pub(super) fn get() -> Result<&'static Self> {
        static LIBRARY: OnceLock<Result<Library, LoadError>> = OnceLock::new();
        LIBRARY.get_or_init(open).as_ref().map_err(|error| {
            Error::new(Kind::NotExist, "ucx").what("libucp cannot be used").source(error.clone())
        })
    }

    /// A status in words: the library's text, and its number.
    pub(super) fn text(&self, status: Status) -> String {
        // SAFETY: takes any value, and returns a string that is static or null.
        let text = unsafe { (self.ucs_status_string)(status) };
        if text.is_null() {
            return format!("UCX status {status}");
        }
        // SAFETY: not null, so a C string of the library, which is never unloaded.
        let text = unsafe { CStr::from_ptr(text) };
        format!("{} (UCX status {status})", text.to_string_lossy())
    }
}

fn open() -> Result<Library, LoadError> {
    let wanted = LibrarySpec {
        interface: "UCP",
        candidates: NAMES.map(Candidate::system).to_vec(),
        required: Functions::REQUIRED.iter().copied().map(Into::into).collect(),
        oldest: Some(Version::new(abi::API_MAJOR, abi::API_MINOR)),
        below: Some(Version::new(abi::API_MAJOR + 1, 0)),
        ask: |library| LibraryFacts { version: version_of(library), note: None },
        ..LibrarySpec::new("libucp", "UCX 1.10 or newer (Debian: libucx0)")
    };
    let loaded = quietly(|| wanted.open(&mut Report::default()))?;
    let version = loaded.version().map(|version| version.to_string()).unwrap_or_default();
    Ok(Library { version, functions: Functions::resolve(&loaded)? })
}

fn version_of(library: &Handle) -> Option<Version> {
    type Ask = unsafe extern "C" fn(*mut c_uint, *mut c_uint, *mut c_uint);
    // SAFETY: the type is the function's declaration in the public header.
    let ask = unsafe { library.get::<Ask>(b"ucp_get_version") }.ok()?;
    let mut version = Version::new(0, 0);
    // SAFETY: three places for numbers.
    unsafe { ask(&raw mut version.major, &raw mut version.minor, &raw mut version.patch) };
    Some(version)
}

/// Does `work`, which loads the library, without the side effects of its initialisers; see the essay.
fn quietly<R>(work: impl FnOnce() -> R) -> R {
    unsafe extern "C" {
        static mut environ: *mut *mut c_char;
    }
    let place = &raw mut environ;
    // SAFETY: the C library keeps one aligned pointer there as long as the process lives.
    let place = unsafe { AtomicPtr::from_ptr(place) };
    let before = place.load(Ordering::Acquire);
    let mut strings = Vec::new();
    let mut at = before;
    while !at.is_null() {
        // SAFETY: `at` has not passed the null that ends the array.
        let string = unsafe { at.read() };
        if string.is_null() {
            break;
        }
        strings.push(string);
        at = at.wrapping_add(1);
    }
    strings.extend(QUIET.iter().map(|setting| setting.as_ptr().cast_mut()));
    strings.push(std::ptr::null_mut());
    // A thread that has read the pointer may use the array at any later time.
    let ours = strings.leak().as_mut_ptr();
    place.store(ours, Ordering::Release);
    let done = work();
    let _ = place.compare_exchange(ours, before, Ordering::AcqRel, Ordering::Relaxed);
    done
}
