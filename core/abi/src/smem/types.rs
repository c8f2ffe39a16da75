// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Handles, enums and callbacks. Enums are numbers here: a caller may pass any.

use std::ffi::{c_char, c_int, c_void};

use super::{LeaderInfo, StoreEntry, StorePeer};
use crate::describe::types;

/// Receiver of log lines.
pub type LoggerFn = unsafe extern "C" fn(level: c_int, text: *const c_char);

/// Receiver of alarms.
pub type AlarmFn = unsafe extern "C" fn(code: u16, text: *const c_char);

/// Receiver of the ends of alarms.
pub type ResumeFn = unsafe extern "C" fn(code: u16);

/// Decrypts a password. A reference in C++ is a pointer in the ABI.
pub type DecryptFn = unsafe extern "C" fn(
    cipher: *const c_char,
    cipher_bytes: usize,
    plain: *mut c_char,
    plain_bytes: *mut usize,
) -> c_int;

/// Receiver of joins and leaves.
pub type GroupEventFn =
    unsafe extern "C" fn(handle: BmHandle, rank: u32, event: BmGroupEvent, context: *mut c_void);

/// Receiver of changes of who leads a store.
pub type LeaderChangeFn = unsafe extern "C" fn(user: *mut c_void);

/// Receiver of lost members of a config store server.
pub type BrokenFn = unsafe extern "C" fn(context: *mut c_void, link: u32, rank: u32) -> i32;

/// Receiver of who leads a config store.
pub type LeaderFn = unsafe extern "C" fn(context: *mut c_void, leader: *const LeaderInfo);

/// Receiver of the end of all ranks.
pub type ExitFn = unsafe extern "C" fn(status: c_int);

/// The same, with a context.
pub type ExitContextFn = unsafe extern "C" fn(status: c_int, context: *mut c_void);

/// Says whether a wait shall be left.
pub type InterruptFn = unsafe extern "C" fn(context: *mut c_void) -> c_int;

/// Collects entries.
pub type EntryFn = unsafe extern "C" fn(entry: *const StoreEntry, context: *mut c_void) -> bool;

/// Collects members.
pub type PeerFn = unsafe extern "C" fn(peer: *const StorePeer, context: *mut c_void) -> bool;

/// Collects parts of an allgather.
pub type PartFn =
    unsafe extern "C" fn(rank: u32, value: *const c_void, bytes: u64, context: *mut c_void) -> bool;

/// Receiver of changes of keys.
pub type WatchFn = unsafe extern "C" fn(kind: ChangeKind, entry: *const StoreEntry, context: *mut c_void);

/// Receiver of changes of the membership.
pub type MembersFn =
    unsafe extern "C" fn(kind: ChangeKind, peer: *const StorePeer, epoch: u64, context: *mut c_void);

types! {
    /// A pool, as callers hold it.
    type BmHandle = *mut c_void, "smem_bm_t";
    /// An object of share memory, as callers hold it.
    type ShmHandle = *mut c_void, "smem_shm_t";
    /// A kernel binary, as callers hold it.
    type KernelHandle = *mut c_void, "mfx_kernel_t";
    /// A membership in a store, as callers hold it.
    type StoreHandle = *mut c_void, "mfx_store_t";
    /// A config store server, as callers hold it.
    type ConfigStoreHandle = *mut c_void, "smem_config_store_t";

    /// `SMEM_MEM_TYPE_*`.
    type BmMemType = u32, "smem_bm_mem_type_t" | "smem_bm_mem_type";
    /// `SMEMB_DATA_OP_*`, a set of bits.
    type BmDataOpType = u32, "smem_bm_data_op_type_t" | "smem_bm_data_op_type";
    /// `SMEMB_COPY_*`.
    type BmCopyType = u32, "smem_bm_copy_type_t" | "smem_bm_copy_type";
    /// `SMEM_GROUP_EVENT_*`.
    type BmGroupEvent = u32, "smem_bm_group_event_t";
    /// `SMEMS_DATA_OP_*`, a set of bits.
    type ShmDataOpType = u32, "smem_shm_data_op_type" | "smem_shm_data_op_type_t";
    /// `MFX_RANK_*`.
    type RankWish = u32, "mfx_rank_wish_t";
    /// `MFX_PERMANENT` and its like.
    type Lifetime = u32, "mfx_lifetime_t";
    /// `MFX_CHANGE_*`.
    type ChangeKind = u32, "mfx_change_kind_t";
    /// A number that the header declares constant.
    type ConstU32 = u32, "const uint32_t";

    /// [`LoggerFn`] or null.
    type Logger = Option<LoggerFn>, "void (*{})(int level, const char *msg)";
    /// [`AlarmFn`] or null.
    type Alarm = Option<AlarmFn>, "void (*{})(uint16_t code, const char *msg)";
    /// [`ResumeFn`] or null.
    type Resume = Option<ResumeFn>, "void (*{})(uint16_t code)";
    /// [`DecryptFn`] or null.
    type Decrypter = Option<DecryptFn>, "const smem_decrypt_handler";
    /// [`GroupEventFn`] or null.
    type GroupEventCallback = Option<GroupEventFn>, "smem_bm_group_event_cb";
    /// [`LeaderChangeFn`] or null.
    type LeaderChangeCallback = Option<LeaderChangeFn>, "smem_bm_leader_change_cb";
    /// [`BrokenFn`] or null.
    type BrokenCallback = Option<BrokenFn>, "smem_config_store_broken_cb";
    /// [`LeaderFn`] or null.
    type LeaderCallback = Option<LeaderFn>, "smem_config_store_leader_change_cb";
    /// [`ExitFn`] or null.
    type ExitCallback = Option<ExitFn>, "void (*{})(int)";
    /// [`ExitContextFn`] or null.
    type ExitContextCallback = Option<ExitContextFn>, "void (*{})(int status, void *context)";
    /// [`InterruptFn`] or null.
    type InterruptCheck = Option<InterruptFn>, "mfx_interrupt_check_cb";
    /// [`EntryFn`] or null.
    type EntryCallback = Option<EntryFn>, "mfx_store_entry_cb";
    /// [`PeerFn`] or null.
    type PeerCallback = Option<PeerFn>, "mfx_store_peer_cb";
    /// [`PartFn`] or null.
    type PartCallback = Option<PartFn>, "mfx_store_part_cb";
    /// [`WatchFn`] or null.
    type WatchCallback = Option<WatchFn>, "mfx_store_watch_cb";
    /// [`MembersFn`] or null.
    type MembersCallback = Option<MembersFn>, "mfx_store_members_cb";
}
