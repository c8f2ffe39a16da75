// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The structs of the C interface that the extension fills, with their layouts checked at compile time.

use std::ffi::{c_char, c_int, c_void};
use std::mem::offset_of;

/// A `smem_bm_t`.
pub(crate) type Handle = *mut c_void;

/// Major part of the ABI version that this file describes; the library must have the same.
pub(crate) const ABI_MAJOR: u32 = 1;
/// Lowest minor part of the ABI version that has every function of [`crate::library::Functions`].
pub(crate) const ABI_MINOR: u32 = 3;

/// Flag bit of a copy that may only be queued.
pub(crate) const ASYNC_COPY_FLAG: u32 = 1;
/// Copy type "decide by the addresses".
pub(crate) const COPY_AUTO: u32 = 9;

/// Memory kind: the window of device memory.
pub(crate) const MEM_DEVICE: u32 = 2;
/// Memory kind: the window of host memory.
pub(crate) const MEM_HOST: u32 = 3;

/// `SMEM_ERROR`.
pub(crate) const ERROR: i32 = -1;
/// `SMEM_INVALID_PARAM`.
pub(crate) const INVALID_PARAM: i32 = -2000;
/// `SMEM_NOT_EXIST`.
pub(crate) const NOT_EXIST: i32 = -2007;
/// `SMEM_NOT_INIT`.
pub(crate) const NOT_INIT: i32 = -2008;
/// `MFX_INTERRUPTED`.
pub(crate) const INTERRUPTED: i32 = -2099;
/// `SMEM_BUFFER_TOO_SMALL`.
pub(crate) const BUFFER_TOO_SMALL: i32 = -2015;
/// What the rank functions answer for "no rank".
pub(crate) const NO_RANK: u32 = u32::MAX;

/// `smem_tls_config_t`; the extension leaves it as `smem_bm_config_init` sets it.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct TlsConfig {
    enable: bool,
    paths: [[c_char; 256]; 7],
}

/// `smem_bm_config_t`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct BmConfig {
    pub(crate) init_timeout: u32,
    pub(crate) create_timeout: u32,
    pub(crate) control_operation_timeout: u32,
    pub(crate) start_store: bool,
    pub(crate) start_store_only: bool,
    pub(crate) dynamic_world_size: bool,
    pub(crate) unified_address_space: bool,
    pub(crate) auto_ranking: bool,
    pub(crate) rank_id: u32,
    pub(crate) flags: u32,
    pub(crate) hcom_url: [c_char; 64],
    hcom_tls: TlsConfig,
    store_tls: TlsConfig,
}

/// `smem_shm_config_t`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct ShmConfig {
    pub(crate) init_timeout: u32,
    pub(crate) create_timeout: u32,
    pub(crate) control_operation_timeout: u32,
    pub(crate) start_store: bool,
    pub(crate) flags: u32,
}

/// `mfx_launch_options_t`.
#[repr(C)]
pub(crate) struct LaunchOptions {
    pub(crate) blocks: u32,
    pub(crate) timeout_ms: u32,
    pub(crate) stream: *mut c_void,
}

/// `mfx_kernel_build_t`.
#[repr(C)]
pub(crate) struct KernelBuild {
    pub(crate) sources: *const *const c_char,
    pub(crate) flags: *const *const c_char,
    pub(crate) source_count: u32,
    pub(crate) flag_count: u32,
    pub(crate) home: *const c_char,
    pub(crate) scratch: *const c_char,
    pub(crate) output: *const c_char,
    pub(crate) compiler: *const c_char,
}

/// `smem_bm_create_option_t`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct CreateOption {
    pub(crate) max_dram_size: u64,
    pub(crate) max_hbm_size: u64,
    pub(crate) local_dram_size: u64,
    pub(crate) local_hbm_size: u64,
    pub(crate) data_op_type: u32,
    pub(crate) enable_56bits_gva: bool,
    pub(crate) flags: u32,
    pub(crate) tag: [c_char; 32],
    pub(crate) tag_op_info: [c_char; 256],
    pub(crate) dram_shm_fd: c_int,
}

/// `smem_copy_params_t`.
#[repr(C)]
pub(crate) struct CopyParams {
    pub(crate) src: *const c_void,
    pub(crate) dest: *mut c_void,
    pub(crate) data_size: usize,
    pub(crate) stream: *mut c_void,
}

/// `smem_batch_copy_params_t`.
#[repr(C)]
pub(crate) struct BatchCopyParams {
    pub(crate) sources: *mut *mut c_void,
    pub(crate) destinations: *mut *mut c_void,
    pub(crate) data_sizes: *const u64,
    pub(crate) batch_size: u32,
    pub(crate) stream: *mut c_void,
}

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

impl Default for StoreOptions {
    fn default() -> Self {
        Self {
            struct_bytes: 0,
            world_size: 0,
            wish: 0,
            rank: 0,
            device_id: 0,
            flags: 0,
            connect_timeout_ms: 0,
            request_timeout_ms: 0,
            secret: std::ptr::null(),
            secret_bytes: 0,
            tls_info: std::ptr::null(),
            plaintext: 0,
            reserved: 0,
        }
    }
}

/// `mfx_store_member_t`.
#[repr(C)]
#[derive(Clone, Copy, Default)]
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
    assert!(size_of::<TlsConfig>() == 1793);
    assert!(size_of::<BmConfig>() == 3680 && align_of::<BmConfig>() == 4);
    assert!(offset_of!(BmConfig, start_store) == 12 && offset_of!(BmConfig, auto_ranking) == 16);
    assert!(offset_of!(BmConfig, rank_id) == 20 && offset_of!(BmConfig, hcom_url) == 28);
    assert!(offset_of!(BmConfig, hcom_tls) == 92 && offset_of!(BmConfig, store_tls) == 1885);
    assert!(size_of::<ShmConfig>() == 20 && offset_of!(ShmConfig, flags) == 16);
    assert!(size_of::<LaunchOptions>() == 16 && offset_of!(LaunchOptions, stream) == 8);
    assert!(size_of::<KernelBuild>() == 56 && offset_of!(KernelBuild, compiler) == 48);
    assert!(size_of::<CreateOption>() == 336 && align_of::<CreateOption>() == 8);
    assert!(offset_of!(CreateOption, flags) == 40 && offset_of!(CreateOption, dram_shm_fd) == 332);
    assert!(size_of::<StoreOptions>() == 64 && size_of::<StoreMember>() == 32);
    assert!(size_of::<StoreEntry>() == 40 && size_of::<StorePeer>() == 32);
    assert!(size_of::<CopyParams>() == 32 && size_of::<BatchCopyParams>() == 40);
};
