// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The extension module `mf_smem._mf_smem`.
//!
//! There is one copy of the core in a process: `libmf_smem.so`. This module opens it and turns its C
//! interface into Python objects; it has no state of its own but the Python objects that the library must not
//! outlive: buffers of queued copies, callbacks.
//!
//! The path of a copy: `raising` or `codes` (arguments, results) → `memory` (the GIL is released for 64 KiB
//! and more) → `library` (a function pointer) → `smem_bm_copy`.

#![expect(unsafe_code, reason = "every call goes through pointers of C")]
#![deny(clippy::disallowed_methods)]

mod big_memory;
mod buffer;
mod cache;
mod callbacks;
mod codes;
mod duplicate_library;
mod evaluation;
mod failure;
mod fork;
mod gate;
mod general;
mod hmc;
mod interrupts;
mod kernels;
mod library;
mod lock;
mod logging;
mod mapped;
mod memory;
mod number;
mod offload;
mod pinned;
mod raising;
mod share;
mod shm;
mod shmem;
mod sim;
mod started;
mod store;
mod transfer;

use pyo3::prelude::*;

/// The C interface of libmf_smem.so as Python objects. Import mf_smem instead.
#[pymodule]
mod _mf_smem {
    #[pymodule_export]
    use crate::big_memory::{
        bm_barrier, bm_create, bm_create2, bm_device, bm_initialize, bm_initialize_mpi,
        bm_initialize_unique_id, bm_rank_id, bm_uninitialize, bm_update_store_url, bm_world_size,
    };
    #[pymodule_export]
    use crate::cache::CacheSession;
    #[pymodule_export]
    use crate::cache::addresses::{cache_get_at, cache_put_at};
    #[pymodule_export]
    use crate::cache::batch::{
        cache_count_prefix, cache_exists_many, cache_get_many, cache_get_many_into, cache_put_many,
    };
    #[pymodule_export]
    use crate::cache::members::{cache_events, cache_find_member, cache_locate, cache_members, cache_watch};
    #[pymodule_export]
    use crate::cache::pieces::{cache_get_pieces, cache_put_pieces};
    #[pymodule_export]
    use crate::cache::prefetch::CachePrefetch;
    #[pymodule_export]
    use crate::cache::writer::CacheWriter;
    #[pymodule_export]
    use crate::failure::{last_error_code, leave_error};
    #[pymodule_export]
    use crate::general::{
        bytes_parse, cluster_status_json, create_config_store, create_unique_id, destroy_config_store,
        get_and_clear_last_err_msg, get_last_err_msg, initialize, launcher_json, load, metrics_text,
        set_conf_store_tls, set_conf_store_tls_key, set_extern_alarm, set_extern_logger, set_log_level,
        settings_json, stats_json, store_add, store_get, store_set, tls_is_chosen, uninitialize, version,
    };
    #[pymodule_export]
    use crate::kernels::{
        DeviceBlock, KernelBinary, device_close, device_copy, device_copy_batch, device_map_host,
        device_open, device_unmap_host, is_device_memory, kernel_build, kernel_table_json,
    };
    #[pymodule_export]
    use crate::logging::{log_open, log_take};
    #[pymodule_export]
    use crate::mapped::MappedPart;
    #[pymodule_export]
    use crate::offload::{
        offload_entry_gather, offload_free, offload_get_dva, offload_group_pack_copy, offload_initialize,
        offload_kv_exchange_copy, offload_malloc, offload_register_entry_table, offload_sparse_copy,
        offload_uninitialize,
    };
    #[pymodule_export]
    use crate::pinned::Buffer;
    #[pymodule_export]
    use crate::raising::BigMemory;
    #[pymodule_export]
    use crate::share::ShareMemory;
    #[pymodule_export]
    use crate::shm::{
        shm_create, shm_device, shm_initialize, shm_initialize_mpi, shm_initialize_unique_id, shm_rank_id,
        shm_uninitialize, shm_world_size,
    };
    #[pymodule_export]
    use crate::shmem::Function;
    #[pymodule_export]
    use crate::shmem::blocks::shmem_check_addresses;
    #[pymodule_export]
    use crate::shmem::cann::{
        shmem_function, shmem_function_names, shmem_set_extern_logger, shmem_set_tls_key,
    };
    #[pymodule_export]
    use crate::sim::{SimEngine, SimWorld, sim_address, sim_shrink};
    #[pymodule_export]
    use crate::started::{
        PreparedTransfer, StartedTransfer, transfer_event_fd, transfer_find, transfer_notifications,
        transfer_notify,
    };
    #[pymodule_export]
    use crate::store::StoreSession;
    #[pymodule_export]
    use crate::transfer::TransferEndpoint;

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // Both classes are called BigMemory where people meet them, so here the second has another name.
        module.add("CodedBigMemory", module.py().get_type::<codes::CodedBigMemory>())?;
        // Their functions share names with others here.
        module.add("openshmem", shmem::openshmem::module(module.py())?)?;
        module.add("hmc", hmc::module(module.py())?)
    }
}
