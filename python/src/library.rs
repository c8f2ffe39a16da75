// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The one `libmf_smem.so` of this process and the table of its functions.
//!
//! The library is opened once, by the absolute path that the package passes, with its symbols visible to everybody, so
//! that a C++ operator that needs `libmf_smem.so` gets this very copy and thereby this very state. It is never closed:
//! its threads, and the operators that use it, live as long as the process.

use std::ffi::{c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;

use crate::abi::{
    ABI_MAJOR, ABI_MINOR, BatchCopyParams, BmConfig, CopyParams, CreateOption, Handle, KernelBuild,
    LaunchOptions, ShmConfig, StoreEntry, StoreMember, StoreOptions, StorePeer,
};
use crate::copies;

/// Receiver of log lines.
pub(crate) type Logger = extern "C" fn(level: c_int, text: *const c_char);
/// Receiver of joins and leaves.
pub(crate) type GroupEvent = extern "C" fn(handle: Handle, rank: u32, event: u32, context: *mut c_void);

/// Decrypts a password.
pub(crate) type Decrypt = extern "C" fn(
    cipher: *const c_char,
    cipher_len: usize,
    plain: *mut c_char,
    plain_len: *mut usize,
) -> c_int;
/// Receiver of alarms.
pub(crate) type Alarm = extern "C" fn(code: u16, text: *const c_char);
/// Receiver of their ends.
pub(crate) type Resume = extern "C" fn(code: u16);
/// Collects entries.
pub(crate) type EntryFill = unsafe extern "C" fn(entry: *const StoreEntry, context: *mut c_void) -> bool;
/// Collects members.
pub(crate) type PeerFill = unsafe extern "C" fn(peer: *const StorePeer, context: *mut c_void) -> bool;
/// Collects parts.
pub(crate) type PartFill =
    unsafe extern "C" fn(rank: u32, value: *const c_void, bytes: u64, context: *mut c_void) -> bool;
/// Receiver of changes of keys.
pub(crate) type StoreChange = extern "C" fn(kind: u32, entry: *const StoreEntry, context: *mut c_void);
/// Receiver of changes of the membership.
pub(crate) type MembersChange =
    extern "C" fn(kind: u32, peer: *const StorePeer, epoch: u64, context: *mut c_void);

/// Says whether a wait shall be left.
pub(crate) type InterruptCheck = extern "C" fn(context: *mut c_void) -> c_int;
/// Receiver of the end of all ranks.
pub(crate) type ShareExit = extern "C" fn(status: c_int, context: *mut c_void);

macro_rules! functions {
    ($(fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        /// The functions of the C interface, resolved once; each field has the C name.
        pub(crate) struct Functions {
            $(pub(crate) $name: unsafe extern "C" fn($($argument: $type),*) $(-> $result)?,)*
        }

        impl Functions {
            /// Resolves every function, or returns the names that are missing.
            fn resolve(library: &Library) -> Result<Self, Vec<&'static str>> {
                let mut missing = Vec::new();
                $(
                    // SAFETY: the type is the prototype of this name in the C interface, whose version `open` checks
                    // before any of these functions is called.
                    let found = unsafe {
                        library.get::<unsafe extern "C" fn($($type),*) $(-> $result)?>(stringify!($name))
                    };
                    let $name = found.map(|symbol| *symbol).map_err(|_| missing.push(stringify!($name)));
                )*
                match ($($name,)*) {
                    ($(Ok($name),)*) => Ok(Self { $($name,)* }),
                    _ => Err(missing),
                }
            }
        }
    };
}

functions! {
    fn smem_get_abi_version() -> u32;
    fn smem_init(flags: u32) -> i32;
    fn smem_uninit();
    fn smem_create_config_store(url: *const c_char, flags: u64) -> i32;
    fn smem_destroy_config_store(url: *const c_char);
    fn smem_set_extern_logger(logger: Option<Logger>) -> i32;
    fn smem_set_log_level(level: c_int) -> i32;
    fn smem_set_conf_store_tls(enable: bool, info: *const c_char, length: u32) -> i32;
    fn smem_set_config_store_tls_key(key: *const c_char, key_length: u32, password: *const c_char, password_length: u32, handler: Option<Decrypt>) -> i32;
    fn smem_set_extern_alarm(alarm: Option<Alarm>, resume: Option<Resume>) -> i32;
    fn smem_config_store_get_cluster_status(json: *mut c_char, room: u32, length: *mut u32) -> i32;
    fn smem_get_last_err_msg() -> *const c_char;
    fn smem_get_last_err_code() -> i32;
    fn smem_get_and_clear_last_err_msg() -> *const c_char;
    fn smem_bm_config_init(config: *mut BmConfig) -> i32;
    fn smem_bm_init(url: *const c_char, world_size: u32, device_id: u16, config: *const BmConfig) -> i32;
    fn smem_bm_uninit(flags: u32);
    fn smem_bm_get_rank_id() -> u32;
    fn smem_bm_update_store_url(url: *const c_char) -> i32;
    fn smem_bm_create(id: u32, member_size: u32, data_op: u32, dram: u64, hbm: u64, flags: u32) -> Handle;
    fn smem_bm_create2(id: u32, option: *const CreateOption) -> Handle;
    fn smem_bm_destroy(handle: Handle);
    fn smem_bm_join(handle: Handle, flags: u32) -> i32;
    fn smem_bm_leave(handle: Handle, flags: u32) -> i32;
    fn smem_bm_extend_local_mem(handle: Handle, kind: u32, bytes: u64) -> i32;
    fn smem_bm_get_local_mem_size_by_mem_type(handle: Handle, kind: u32) -> u64;
    fn smem_bm_ptr_by_mem_type(handle: Handle, kind: u32, rank: u16) -> *mut c_void;
    fn smem_bm_gva_to_va(handle: Handle, gva: *mut c_void, kind: u32, va: *mut *mut c_void) -> i32;
    fn smem_bm_copy(handle: Handle, params: *mut CopyParams, kind: u32, flags: u32) -> i32;
    fn smem_bm_copy_batch(handle: Handle, params: *mut BatchCopyParams, kind: u32, flags: u32) -> i32;
    fn smem_bm_wait(handle: Handle) -> i32;
    fn smem_bm_register_user_mem(handle: Handle, address: u64, bytes: u64) -> i32;
    fn smem_bm_unregister_user_mem(handle: Handle, address: u64) -> i32;
    fn smem_bm_get_rank_id_by_gva(handle: Handle, gva: *mut c_void) -> u32;
    fn smem_bm_set_group_event_handler(handle: Handle, callback: Option<GroupEvent>, context: *mut c_void) -> i32;
    fn smem_shm_config_init(config: *mut ShmConfig) -> i32;
    fn smem_shm_init(url: *const c_char, world_size: u32, rank: u32, device_id: u16, config: *mut ShmConfig) -> i32;
    fn smem_shm_uninit(flags: u32);
    fn smem_shm_query_support_data_operation() -> u32;
    fn smem_shm_create(id: u32, rank_size: u32, rank: u32, bytes: u64, data_op: u32, flags: u32, gva: *mut *mut c_void) -> Handle;
    fn smem_shm_get_symmetric_size(share: Handle) -> u64;
    fn smem_shm_destroy(share: Handle, flags: u32) -> i32;
    fn smem_shm_set_extra_context(share: Handle, context: *const c_void, bytes: u32) -> i32;
    fn smem_shm_get_global_rank(share: Handle) -> u32;
    fn smem_shm_get_global_rank_size(share: Handle) -> u32;
    fn smem_shm_control_barrier(share: Handle) -> i32;
    fn smem_shm_control_allgather(share: Handle, send: *const c_char, send_bytes: u32, receive: *mut c_char, receive_bytes: u32) -> i32;
    fn smem_shm_subgroup_barrier(share: Handle, key: *const c_char, rank_size: u32, rank: u32) -> i32;
    fn smem_shm_subgroup_allgather(share: Handle, key: *const c_char, rank_size: u32, rank: u32, send: *const c_char, send_bytes: u32, receive: *mut c_char, receive_bytes: u32) -> i32;
    fn smem_shm_topology_can_reach(share: Handle, rank: u32, info: *mut u32) -> i32;
    fn smem_shm_atomic_alloc_value(share: Handle, limit: u32, value: *mut i32) -> i32;
    fn smem_shm_atomic_release_value(share: Handle, value: i32) -> i32;
    fn smem_shm_global_exit(share: Handle, status: c_int);
    fn mfx_shm_rank() -> u32;
    fn mfx_shm_world_size() -> u32;
    fn mfx_shm_device() -> *const c_char;
    fn mfx_shm_local_bytes(share: Handle) -> u64;
    fn mfx_shm_copy(share: Handle, destination: *mut c_void, source: *const c_void, bytes: u64) -> i32;
    fn mfx_shm_map(share: Handle, rank: u32, address: *mut *mut c_void, bytes: *mut u64) -> i32;
    fn mfx_shm_unmap(address: *mut c_void, bytes: u64) -> i32;
    fn mfx_shm_on_exit(share: Handle, callback: ShareExit, context: *mut c_void) -> i32;
    fn mfx_device_malloc(bytes: u64, address: *mut *mut c_void) -> i32;
    fn mfx_device_free(address: *mut c_void) -> i32;
    fn mfx_device_copy(destination: *mut c_void, source: *const c_void, bytes: u64) -> i32;
    fn mfx_device_is_memory(address: *const c_void, is_memory: *mut bool) -> i32;
    fn mfx_kernel_load(path: *const c_char, kernel: *mut Handle) -> i32;
    fn mfx_kernel_load_data(data: *const c_void, bytes: u64, kernel: *mut Handle) -> i32;
    fn mfx_kernel_unload(kernel: Handle) -> i32;
    fn mfx_kernel_launch(kernel: Handle, name: *const c_char, share: Handle, options: *const LaunchOptions, arguments: *const c_void, bytes: u64) -> i32;
    fn mfx_kernel_table_json() -> *const c_char;
    fn mfx_kernel_build(build: *const KernelBuild) -> i32;
    fn mfx_version() -> *const c_char;
    fn mfx_launcher_json(variables: *const c_char) -> *const c_char;
    fn mfx_set_interrupt_check(check: Option<InterruptCheck>, context: *mut c_void) -> i32;
    fn mfx_settings_json() -> *const c_char;
    fn mfx_bm_extend(handle: Handle, kind: u32, bytes: u64) -> i32;
    fn mfx_bm_world_size() -> u32;
    fn mfx_bm_device() -> *const c_char;
    fn mfx_bm_map(handle: Handle, kind: u32, address: *mut *mut c_void, bytes: *mut u64) -> i32;
    fn mfx_bm_members(handle: Handle, ranks: *mut u32, capacity: u32, count: *mut u32) -> i32;
    fn mfx_bm_barrier(name: *const c_char, members: u32, timeout_s: u32) -> i32;
    fn mfx_store_options_init(options: *mut StoreOptions) -> i32;
    fn mfx_store_connect(url: *const c_char, options: *const StoreOptions) -> Handle;
    fn mfx_store_close(store: Handle) -> i32;
    fn mfx_store_member(store: Handle, member: *mut StoreMember) -> i32;
    fn mfx_store_leader(store: Handle, term: *mut u64, place: *mut c_char, capacity: u64) -> i32;
    fn mfx_store_set(store: Handle, key: *const c_char, value: *const c_void, bytes: u64) -> i32;
    fn mfx_store_set_with(store: Handle, key: *const c_char, value: *const c_void, bytes: u64, lifetime: u32, lease: u64, revision: *mut u64) -> i32;
    fn mfx_store_get(store: Handle, key: *const c_char, timeout_ms: u32, value: *mut c_void, capacity: u64, bytes: *mut u64) -> i32;
    fn mfx_store_get_entry(store: Handle, key: *const c_char, timeout_ms: u32, fill: EntryFill, context: *mut c_void) -> i32;
    fn mfx_store_wait(store: Handle, keys: *const *const c_char, count: u64, timeout_ms: u32) -> i32;
    fn mfx_store_add(store: Handle, key: *const c_char, delta: i64, value: *mut i64) -> i32;
    fn mfx_store_append(store: Handle, key: *const c_char, value: *const c_void, bytes: u64, length: *mut u64) -> i32;
    fn mfx_store_compare_and_swap(store: Handle, key: *const c_char, expected: *const c_void, expected_bytes: u64, value: *const c_void, bytes: u64, lifetime: u32, lease: u64, swapped: *mut bool, fill: Option<EntryFill>, context: *mut c_void) -> i32;
    fn mfx_store_delete(store: Handle, key: *const c_char, existed: *mut bool) -> i32;
    fn mfx_store_list(store: Handle, prefix: *const c_char, after: *const c_char, limit: u32, fill: EntryFill, context: *mut c_void) -> i32;
    fn mfx_store_watch(store: Handle, prefix: *const c_char, exact: u32, callback: StoreChange, context: *mut c_void, watch: *mut u64) -> i32;
    fn mfx_store_watch_members(store: Handle, callback: MembersChange, context: *mut c_void, watch: *mut u64) -> i32;
    fn mfx_store_unwatch(store: Handle, watch: u64) -> i32;
    fn mfx_store_lock(store: Handle, name: *const c_char, timeout_ms: u32, fencing: *mut u64) -> i32;
    fn mfx_store_unlock(store: Handle, name: *const c_char) -> i32;
    fn mfx_store_lease_grant(store: Handle, ttl_ms: u64, lease: *mut u64) -> i32;
    fn mfx_store_lease_renew(store: Handle, lease: u64) -> i32;
    fn mfx_store_lease_revoke(store: Handle, lease: u64) -> i32;
    fn mfx_store_barrier(store: Handle, name: *const c_char, members: u32, timeout_ms: u32) -> i32;
    fn mfx_store_allgather(store: Handle, name: *const c_char, members: u32, value: *const c_void, bytes: u64, timeout_ms: u32, fill: PartFill, context: *mut c_void) -> i32;
    fn mfx_store_members(store: Handle, fill: PeerFill, context: *mut c_void, epoch: *mut u64) -> i32;
}

struct Loaded {
    path: PathBuf,
    functions: Functions,
}

static LOADED: OnceLock<Loaded> = OnceLock::new();

/// The functions of the library.
pub(crate) fn functions() -> PyResult<&'static Functions> {
    match LOADED.get() {
        Some(loaded) => Ok(&loaded.functions),
        None => {
            Err(PyImportError::new_err("libmf_smem.so is not loaded: import mf_smem, not mf_smem._mf_smem"))
        }
    }
}

/// The functions of the library, where there is none to report an error to.
pub(crate) fn try_functions() -> Option<&'static Functions> {
    LOADED.get().map(|loaded| &loaded.functions)
}

/// Opens `path` once; a second call with the same file changes nothing.
pub(crate) fn open(path: &Path) -> PyResult<()> {
    let real = path.canonicalize().map_err(|error| {
        PyImportError::new_err(format!("the library {} cannot be opened: {error}", path.display()))
    })?;
    if let Some(loaded) = LOADED.get() {
        return if loaded.path == real { Ok(()) } else { Err(second_copy(&loaded.path, &real)) };
    }
    if let Some(other) = copies::other_than(&real) {
        return Err(second_copy(&other, &real));
    }
    // SAFETY: the file is the library that the package ships or that the user named; its initialisers run here, as they
    // do for every import of an extension.
    let library = unsafe { Library::open(Some(&real), RTLD_NOW | RTLD_GLOBAL) };
    let library = library.map_err(|error| {
        PyImportError::new_err(format!("the library {} cannot be opened: {error}", real.display()))
    })?;
    let functions = Functions::resolve(&library).map_err(|missing| {
        PyImportError::new_err(format!(
            "the library {} is too old or not libmf_smem.so: it lacks {}",
            real.display(),
            missing.join(", ")
        ))
    })?;
    // SAFETY: takes no argument and may be called at any time.
    let version = unsafe { (functions.smem_get_abi_version)() };
    if version >> 16 != ABI_MAJOR || (version & 0xffff) < ABI_MINOR {
        return Err(PyImportError::new_err(format!(
            "the library {} has the ABI version {}.{}, this package needs {ABI_MAJOR}.{ABI_MINOR} or a later {ABI_MAJOR}.x",
            real.display(),
            version >> 16,
            version & 0xffff,
        )));
    }
    // Never closed, see the head of this file. A lost race leaves the same library open twice, which is one copy.
    std::mem::forget(library);
    let _ = LOADED.set(Loaded { path: real, functions });
    Ok(())
}

fn second_copy(present: &Path, wanted: &Path) -> PyErr {
    PyImportError::new_err(format!(
        "two copies of libmf_smem.so in one process would have two states: {} is loaded and {} was about to be; set \
         MF_SMEM_LIBRARY={} to use the first, or link your operator to the one in mf_smem.get_lib_path()",
        present.display(),
        wanted.display(),
        present.display()
    ))
}
