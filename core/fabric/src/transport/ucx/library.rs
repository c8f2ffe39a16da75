// SPDX-License-Identifier: Apache-2.0 OR MIT
//! libucp, opened when it is first needed.
//!
//! When libucs, below it, is loaded, its initialiser installs signal handlers and patches the code of `mmap` and its
//! relatives, unless its environment says otherwise. Both are the host process's own business. Its settings are read by
//! `getenv`, and `setenv` is not safe while other threads read, so during the one call to the loader `environ` points to
//! another array: the process's own strings, followed by ours. Both arrays stay valid forever, readers see one or the
//! other, and where the user has said something himself, his string comes first and counts. If somebody sets a variable
//! meanwhile, theirs stays, ours too.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use libloading::os::unix::{Library as Handle, RTLD_LOCAL, RTLD_NOW};
use mf_base::{Error, Kind, Result};

use super::abi::{
    self, ContextParams, EndpointParams, HandlerParams, MapParams, RequestParams, Status, WorkerParams,
};

/// Where it may be.
const NAMES: [&str; 2] = ["libucp.so.0", "libucp.so"];
/// What the initialisers read: no signal handlers, no patched code, no threads and prints that nobody asked for.
const QUIET: [&CStr; 6] = [
    c"UCX_HANDLE_ERRORS=none",
    c"UCX_DEBUG_SIGNO=0",
    c"UCX_MEM_EVENTS=n",
    c"UCX_VFS_ENABLE=n",
    c"UCX_WARN_UNUSED_ENV_VARS=n",
    c"UCX_LOG_LEVEL=fatal",
];

type Handed = *mut c_void;

macro_rules! library {
    ($($name:ident: fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// The functions, and the version that they have.
        pub(super) struct Library {
            /// `1.13.1`
            pub(super) version: String,
            _handle: Handle,
            $(pub(super) $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl Library {
            fn resolve(handle: Handle, version: String) -> Result<Self, String> {
                Ok(Self {
                    $($name: {
                        // SAFETY: the type is that of the function's declaration in the public header.
                        let symbol = unsafe {
                            handle.get::<unsafe extern "C" fn($($argument),*) $(-> $result)?>(stringify!($name).as_bytes())
                        };
                        *symbol.map_err(|_| concat!("it has no ", stringify!($name)).to_owned())?
                    },)*
                    version,
                    _handle: handle,
                })
            }
        }
    };
}

library! {
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

impl Library {
    /// The library, or why there is none; found out once.
    ///
    /// # Errors
    /// `NotExist` with what was tried.
    pub(super) fn get() -> Result<&'static Self> {
        static LIBRARY: OnceLock<Result<Library, String>> = OnceLock::new();
        LIBRARY.get_or_init(open).as_ref().map_err(|reason| {
            Error::new(Kind::NotExist, "ucx")
                .what(format!("libucp cannot be used: {reason}"))
                .hint("install UCX 1.10 or newer (Debian: libucx0)")
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

fn open() -> Result<Library, String> {
    let mut reasons = Vec::new();
    for name in NAMES {
        match open_quietly(name) {
            Ok(handle) => {
                let version = version_of(&handle)?;
                if version < (abi::API_MAJOR, abi::API_MINOR, 0) || version.0 > abi::API_MAJOR {
                    return Err(format!(
                        "{name} is version {}.{}.{}, and 1.{} or newer of the same interface is needed",
                        version.0,
                        version.1,
                        version.2,
                        abi::API_MINOR
                    ));
                }
                let text = format!("{}.{}.{}", version.0, version.1, version.2);
                return Library::resolve(handle, text).map_err(|lack| format!("{name}: {lack}"));
            }
            Err(error) => reasons.push(error.to_string()),
        }
    }
    Err(reasons.join("; "))
}

fn version_of(handle: &Handle) -> Result<(c_uint, c_uint, c_uint), String> {
    type Ask = unsafe extern "C" fn(*mut c_uint, *mut c_uint, *mut c_uint);
    // SAFETY: the type is that of the function's declaration in the public header.
    let ask = unsafe { handle.get::<Ask>(b"ucp_get_version") };
    let ask = ask.map_err(|_| "it has no ucp_get_version".to_owned())?;
    let mut version = (0, 0, 0);
    // SAFETY: three places for numbers.
    unsafe { ask(&raw mut version.0, &raw mut version.1, &raw mut version.2) };
    Ok(version)
}

/// Opens the library without its side effects; see the essay.
fn open_quietly(name: &str) -> Result<Handle, String> {
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
    // Whoever read the pointer may use the array at any later time.
    let ours = strings.leak().as_mut_ptr();
    place.store(ours, Ordering::Release);
    // Never unloaded: its threads would lose their code. Local: it exports a `sigaction` of its own.
    let flags = RTLD_NOW | RTLD_LOCAL | libc::RTLD_NODELETE;
    // SAFETY: runs the initialisers of the library that the system's loader finds under this name; whoever set its paths
    // answers for what lies there.
    let opened = unsafe { Handle::open(Some(name), flags) };
    let _ = place.compare_exchange(ours, before, Ordering::AcqRel, Ordering::Relaxed);
    opened.map_err(|error| match error {
        libloading::Error::DlOpen { source } => source.to_string(),
        other => other.to_string(),
    })
}
