// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The context of libucp and its configuration; statuses as errors.

use std::ffi::{CString, c_void};

use mf_base::os::descriptor;
use mf_base::{Error, Kind, Result};

use super::abi::{self, Status};
use super::library::Library;

pub(super) fn make_context(library: &'static Library, tls: Option<&str>) -> Result<*mut c_void> {
    let mut config = std::ptr::null_mut();
    // SAFETY: no prefix and no file: the environment; and a place for the result.
    let status = unsafe { (library.ucp_config_read)(std::ptr::null(), std::ptr::null(), &raw mut config) };
    check(library, "ucp_config_read", status)?;
    // The registration cache would have to patch `mmap` to be right.
    let settings = [("RCACHE_ENABLE", Some("n")), ("TLS", tls)];
    let mut refused = Ok(());
    for (name, value) in settings {
        let Some(value) = value else { continue };
        let (Ok(c_name), Ok(c_value)) = (CString::new(name), CString::new(value)) else { continue };
        // SAFETY: a configuration that was just read, and two strings.
        let status = unsafe { (library.ucp_config_modify)(config, c_name.as_ptr(), c_value.as_ptr()) };
        // The first does not exist in all versions.
        if status != abi::OK && name == "TLS" {
            refused = check(library, "ucp_config_modify", status).map_err(|e| e.with("tls", value));
        }
    }
    // SAFETY: all fields are integers and pointers, for which zeroes are valid; the mask selects the set
    // ones.
    let mut params: abi::ContextParams = unsafe { std::mem::zeroed() };
    params.field_mask = abi::CONTEXT_FEATURES;
    params.features = abi::FEATURE_RMA | abi::FEATURE_WAKEUP | abi::FEATURE_AM;
    let mut context = std::ptr::null_mut();
    let made = refused.and_then(|()| {
        let (major, minor) = (abi::API_MAJOR, abi::API_MINOR);
        let status = descriptor::reserving(|| {
            // SAFETY: a structure with a mask of its set fields, the configuration, and a place for the
            // result.
            unsafe { (library.ucp_init_version)(major, minor, &raw const params, config, &raw mut context) }
        });
        check(library, "ucp_init", status)
            .map_err(|e| e.with("tls", tls.unwrap_or("as UCX_TLS says")).hint("see: ucx_info -d"))
    });
    // SAFETY: read above and not used after this.
    unsafe { (library.ucp_config_release)(config) };
    made.map(|()| context)
}

pub(super) fn check(library: &Library, call: &'static str, status: Status) -> Result<()> {
    if status == abi::OK {
        return Ok(());
    }
    let kind = match status {
        abi::NO_MEMORY => Kind::OutOfMemory,
        -2 | -21 => Kind::NoResources,
        abi::UNREACHABLE => Kind::NotConnected,
        _ => Kind::Failed,
    };
    Err(Error::new(kind, "ucx").what(format!("{call} failed: {}", library.text(status))))
}
