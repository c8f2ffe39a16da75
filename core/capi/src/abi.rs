// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Layouts and constants of the C interface, release 1.3 of the ABI. Sizes are asserted below.

use std::ffi::{c_char, c_int, c_void};
use std::mem::offset_of;

/// Flag of copies: the call may only queue.
pub(crate) const ASYNC_COPY_FLAG: u32 = 1;
/// Flag of copies: they are done on the caller's stream. Only with it is the field `stream` there.
pub(crate) const EXTERNAL_STREAM_FLAG: u32 = 4;

/// Flag of create2: host memory comes from the given descriptor.
pub(crate) const CREATE_WITH_SHM: u32 = 1 << 8;

/// Flag of create: the NUMA field in the low seven bits counts.
pub(crate) const PERFORMANCE_MODE: u32 = 1 << 7;
/// The NUMA field.
pub(crate) const NUMA_MASK: u32 = 0x7f;
/// Value of the NUMA field: the node that is nearest, which without a device is that of the first touch.
pub(crate) const NUMA_AUTO: u32 = 127;

/// A pool as callers hold it.
pub(crate) type BmHandle = *mut c_void;
/// An object of shared memory as callers hold it.
pub(crate) type ShmHandle = *mut c_void;
/// A kernel binary as callers hold it.
pub(crate) type KernelHandle = *mut c_void;

/// `smem_tls_config`.
#[repr(C)]
#[derive(Clone)]
pub(crate) struct TlsConfig {
    pub(crate) enable: u8,
    pub(crate) paths: [[c_char; 256]; 7],
}

/// `smem_bm_config_t`.
#[repr(C)]
#[derive(Clone)]
pub(crate) struct BmConfig {
    pub(crate) init_timeout: u32,
    pub(crate) create_timeout: u32,
    pub(crate) control_operation_timeout: u32,
    pub(crate) start_config_store_server: u8,
    pub(crate) start_config_store_only: u8,
    pub(crate) dynamic_world_size: u8,
    pub(crate) unified_address_space: u8,
    pub(crate) auto_ranking: u8,
    pub(crate) rank_id: u32,
    pub(crate) flags: u32,
    pub(crate) hcom_url: [c_char; 64],
    pub(crate) hcom_tls_config: TlsConfig,
    pub(crate) store_tls_config: TlsConfig,
}

/// `smem_bm_config_t` of the 2025 interface.
#[repr(C)]
pub(crate) struct BmConfigV0 {
    pub(crate) init_timeout: u32,
    pub(crate) create_timeout: u32,
    pub(crate) control_operation_timeout: u32,
    pub(crate) start_config_store: u8,
    pub(crate) start_config_store_only: u8,
    pub(crate) dynamic_world_size: u8,
    pub(crate) unified_address_space: u8,
    pub(crate) auto_ranking: u8,
    pub(crate) rank_id: u16,
    pub(crate) flags: u32,
}

/// `smem_bm_create_option_t`.
#[repr(C)]
pub(crate) struct BmCreateOption {
    pub(crate) max_dram_size: u64,
    pub(crate) max_hbm_size: u64,
    pub(crate) local_dram_size: u64,
    pub(crate) local_hbm_size: u64,
    pub(crate) data_op_type: u32,
    pub(crate) enable_56_bits_gva: u8,
    pub(crate) flags: u32,
    pub(crate) tag: [c_char; 32],
    pub(crate) tag_op_info: [c_char; 256],
    pub(crate) dram_shm_fd: c_int,
}

/// `smem_shm_config_t`.
#[repr(C)]
pub(crate) struct ShmConfig {
    pub(crate) init_timeout: u32,
    pub(crate) create_timeout: u32,
    pub(crate) control_operation_timeout: u32,
    pub(crate) start_config_store_server: u8,
    pub(crate) flags: u32,
}

/// `mfx_launch_options_t`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct MfxLaunchOptions {
    pub(crate) blocks: u32,
    pub(crate) timeout_ms: u32,
    pub(crate) stream: *mut c_void,
}

impl MfxLaunchOptions {
    /// The default stream of the thread's context, which has no name of its own. Null is no stream.
    pub(crate) const DEFAULT_STREAM: usize = usize::MAX;
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

/// `smem_copy_params`. Older callers pass only the first 24 bytes: `stream` is never read as a part of the whole.
#[repr(C)]
pub(crate) struct CopyParams {
    pub(crate) src: *const c_void,
    pub(crate) dest: *mut c_void,
    pub(crate) data_size: usize,
    pub(crate) stream: *mut c_void,
}

/// `smem_batch_copy_params`. Older callers pass only the first 32 bytes.
#[repr(C)]
pub(crate) struct BatchCopyParams {
    pub(crate) sources: *const *mut c_void,
    pub(crate) destinations: *const *mut c_void,
    pub(crate) data_sizes: *const u64,
    pub(crate) batch_size: u32,
    pub(crate) stream: *mut c_void,
}

const _: () = {
    assert!(size_of::<TlsConfig>() == 1793);
    assert!(size_of::<BmConfig>() == 3680);
    assert!(offset_of!(BmConfig, rank_id) == 20);
    assert!(offset_of!(BmConfig, hcom_url) == 28);
    assert!(offset_of!(BmConfig, hcom_tls_config) == 92);
    assert!(offset_of!(BmConfig, store_tls_config) == 1885);
    assert!(size_of::<BmConfigV0>() == 24);
    assert!(offset_of!(BmConfigV0, rank_id) == 18);
    assert!(size_of::<BmCreateOption>() == 336);
    assert!(offset_of!(BmCreateOption, flags) == 40);
    assert!(offset_of!(BmCreateOption, tag) == 44);
    assert!(offset_of!(BmCreateOption, tag_op_info) == 76);
    assert!(offset_of!(BmCreateOption, dram_shm_fd) == 332);
    assert!(size_of::<ShmConfig>() == 20 && offset_of!(ShmConfig, flags) == 16);
    assert!(size_of::<MfxLaunchOptions>() == 16 && offset_of!(MfxLaunchOptions, stream) == 8);
    assert!(size_of::<KernelBuild>() == 56 && offset_of!(KernelBuild, compiler) == 48);
    assert!(size_of::<CopyParams>() == 32 && offset_of!(CopyParams, stream) == 24);
    assert!(size_of::<BatchCopyParams>() == 40 && offset_of!(BatchCopyParams, stream) == 32);
};
