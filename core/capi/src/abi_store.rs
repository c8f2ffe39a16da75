// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Layouts of the store part of the C interface. Sizes are asserted below.

use std::ffi::{c_char, c_void};
use std::mem::offset_of;

/// Flag of `smem_create_config_store`: do not wait for members of an earlier server.
pub(crate) const SKIP_RECOVER: u64 = 1;

/// `smem_tls_options_t`.
#[repr(C)]
pub(crate) struct TlsOptions {
    pub(crate) enable_tls: u8,
    pub(crate) tls_top_path: *const c_char,
    pub(crate) tls_cert: *const c_char,
    pub(crate) tls_crl_path: *const c_char,
    pub(crate) tls_ca_path: *const c_char,
    pub(crate) tls_ca_file: *const c_char,
    pub(crate) tls_crl_file: *const c_char,
    pub(crate) tls_private_key: *const c_char,
    pub(crate) tls_private_key_password: *const c_char,
}

/// `smem_config_store_leader_info_t`.
#[repr(C)]
pub(crate) struct LeaderInfo {
    pub(crate) is_leader: u8,
    pub(crate) bindable_leader_address: *const c_char,
}

/// `smem_store_prefix_get_ctx_t`.
#[repr(C)]
pub(crate) struct PrefixGetContext {
    pub(crate) prefix: *const c_char,
    pub(crate) marker: *const c_char,
    pub(crate) context: *mut c_void,
    pub(crate) fill: unsafe extern "C" fn(*const c_char, *const c_void, u64, *mut c_void) -> bool,
}

/// `smem_conf_store_backend_op_t`. Entries are optional, so that null ones can be seen.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct BackendOps {
    pub(crate) distributed: Option<unsafe extern "C" fn(u32) -> bool>,
    pub(crate) create:
        Option<unsafe extern "C" fn(*const c_char, *const c_char, u32, *mut *mut c_void) -> i32>,
    pub(crate) destroy: Option<unsafe extern "C" fn(*mut c_void)>,
    pub(crate) put: Option<unsafe extern "C" fn(*mut c_void, *const c_char, *const c_void, u64, u32) -> i32>,
    pub(crate) get:
        Option<unsafe extern "C" fn(*mut c_void, *const c_char, *mut c_void, u64, u32, *mut u64) -> i32>,
    pub(crate) prefix_get: Option<unsafe extern "C" fn(*mut c_void, *const PrefixGetContext, u32) -> i32>,
    pub(crate) remove: Option<NameOperation>,
    pub(crate) lock: Option<NameOperation>,
    pub(crate) try_lock: Option<NameOperation>,
    pub(crate) unlock: Option<NameOperation>,
}

/// An operation of a backend on a key or a lock.
pub(crate) type NameOperation = unsafe extern "C" fn(*mut c_void, *const c_char, u32) -> i32;

/// `mfx_store_options_t`.
#[repr(C)]
pub(crate) struct StoreOptions {
    pub(crate) struct_bytes: u32,
    pub(crate) world_size: u32,
    pub(crate) wish: u32,
    pub(crate) rank: u32,
    pub(crate) device_id: u32,
    pub(crate) flags: u32,
    pub(crate) connect_timeout_ms: u32,
    pub(crate) request_timeout_ms: u32,
    pub(crate) secret: *const c_void,
    pub(crate) secret_bytes: u64,
    pub(crate) tls_info: *const c_char,
    pub(crate) plaintext: u32,
    pub(crate) reserved: u32,
}

/// `mfx_store_member_t`.
#[repr(C)]
pub(crate) struct StoreMember {
    pub(crate) session: u64,
    pub(crate) term: u64,
    pub(crate) rank: u32,
    pub(crate) world_size: u32,
    pub(crate) connected: u32,
    pub(crate) is_leader: u32,
}

/// `mfx_store_entry_t`.
#[repr(C)]
pub(crate) struct StoreEntry {
    pub(crate) key: *const c_char,
    pub(crate) value: *const c_void,
    pub(crate) bytes: u64,
    pub(crate) revision: u64,
    pub(crate) owner: i64,
}

/// `mfx_store_peer_t`.
#[repr(C)]
pub(crate) struct StorePeer {
    pub(crate) session: u64,
    pub(crate) host: *const c_char,
    pub(crate) rank: u32,
    pub(crate) pid: u32,
    pub(crate) device_id: u32,
    pub(crate) reserved: u32,
}

const _: () = {
    assert!(size_of::<TlsOptions>() == 72 && offset_of!(TlsOptions, tls_private_key_password) == 64);
    assert!(size_of::<LeaderInfo>() == 16 && offset_of!(LeaderInfo, bindable_leader_address) == 8);
    assert!(size_of::<PrefixGetContext>() == 32 && offset_of!(PrefixGetContext, fill) == 24);
    assert!(size_of::<BackendOps>() == 80 && offset_of!(BackendOps, unlock) == 72);
    assert!(size_of::<StoreOptions>() == 64 && offset_of!(StoreOptions, tls_info) == 48);
    assert!(size_of::<StoreMember>() == 32 && size_of::<StoreEntry>() == 40 && size_of::<StorePeer>() == 32);
};
