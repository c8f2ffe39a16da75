// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Handles, enums and callbacks. Enums are numbers here: a caller may pass any. Callbacks are `C-unwind`: one
//! that throws in C++ ends the process where the library calls it, by name.

use std::ffi::{c_char, c_int, c_void};

use super::{AccConnectRequest, AccMessage, AccMessageV2, LeaderInfo, StoreEntry, StorePeer};
use crate::describe::types;

/// Receiver of log lines.
pub type LoggerFn = unsafe extern "C-unwind" fn(level: c_int, text: *const c_char);

/// Receiver of alarms.
pub type AlarmFn = unsafe extern "C-unwind" fn(code: u16, text: *const c_char);

/// Receiver of the ends of alarms.
pub type ResumeFn = unsafe extern "C-unwind" fn(code: u16);

/// Decrypts a password. A reference in C++ is a pointer in the ABI.
pub type DecryptFn = unsafe extern "C-unwind" fn(
    cipher: *const c_char,
    cipher_bytes: usize,
    plain: *mut c_char,
    plain_bytes: *mut usize,
) -> c_int;

/// Receiver of joins and leaves.
pub type GroupEventFn =
    unsafe extern "C-unwind" fn(handle: BmHandle, rank: u32, event: BmGroupEvent, context: *mut c_void);

/// Receiver of changes of a store's leader.
pub type LeaderChangeFn = unsafe extern "C-unwind" fn(user: *mut c_void);

/// Receiver of lost members of a config store server.
pub type BrokenFn = unsafe extern "C-unwind" fn(context: *mut c_void, link: u32, rank: u32) -> i32;

/// Receiver of a config store's leader.
pub type LeaderFn = unsafe extern "C-unwind" fn(context: *mut c_void, leader: *const LeaderInfo);

/// Receiver of the end of all ranks.
pub type ExitFn = unsafe extern "C-unwind" fn(status: c_int);

/// The same, with a context.
pub type ExitContextFn = unsafe extern "C-unwind" fn(status: c_int, context: *mut c_void);

/// Says whether a wait shall be left.
pub type InterruptFn = unsafe extern "C-unwind" fn(context: *mut c_void) -> c_int;

/// Collects entries.
pub type EntryFn = unsafe extern "C-unwind" fn(entry: *const StoreEntry, context: *mut c_void) -> bool;

/// Collects members.
pub type PeerFn = unsafe extern "C-unwind" fn(peer: *const StorePeer, context: *mut c_void) -> bool;

/// Collects parts of an allgather.
pub type PartFn =
    unsafe extern "C-unwind" fn(rank: u32, value: *const c_void, bytes: u64, context: *mut c_void) -> bool;

/// Receiver of changes of keys.
pub type WatchFn =
    unsafe extern "C-unwind" fn(kind: ChangeKind, entry: *const StoreEntry, context: *mut c_void);

/// Receiver of changes of the membership.
pub type MembersFn =
    unsafe extern "C-unwind" fn(kind: ChangeKind, peer: *const StorePeer, epoch: u64, context: *mut c_void);

/// Receiver of changes of a store's leader.
pub type StoreLeaderFn =
    unsafe extern "C-unwind" fn(term: u64, place: *const c_char, here: bool, context: *mut c_void);

/// Collects notifications.
pub type NotificationFn = unsafe extern "C-unwind" fn(
    from: *const c_char,
    message: *const c_void,
    bytes: u64,
    context: *mut c_void,
) -> bool;

/// Receiver of endpoints that are gone.
pub type PeerDownFn = unsafe extern "C-unwind" fn(name: *const c_char, user: *mut c_void);

/// Asked whether a peer may connect.
pub type AccNewLinkFn = unsafe extern "C-unwind" fn(
    context: *mut c_void,
    request: *const AccConnectRequest,
    link: AccLinkHandle,
) -> i32;

/// Receiver of ends of links.
pub type AccBrokenFn = unsafe extern "C-unwind" fn(context: *mut c_void, link: AccLinkHandle) -> i32;

/// Receiver of messages.
pub type AccRequestFn = unsafe extern "C-unwind" fn(
    context: *mut c_void,
    message: *const AccMessage,
    data: *const c_void,
    data_bytes: u32,
    link: AccLinkHandle,
) -> i32;

/// The same with a checksum.
pub type AccRequestV2Fn = unsafe extern "C-unwind" fn(
    context: *mut c_void,
    message: *const AccMessageV2,
    data: *const c_void,
    data_bytes: u32,
    link: AccLinkHandle,
) -> i32;

/// Receiver of what became of messages.
pub type AccSentFn =
    unsafe extern "C-unwind" fn(context: *mut c_void, result: i32, message: *const AccMessage) -> i32;

/// The same with the data of the sender.
pub type AccSentV2Fn = unsafe extern "C-unwind" fn(
    context: *mut c_void,
    result: i32,
    message: *const AccMessageV2,
    callback_data: *const c_void,
    callback_data_bytes: u32,
) -> i32;

/// Receiver of HTTP requests.
pub type AccHttpFn = unsafe extern "C-unwind" fn(context: *mut c_void, request: AccHttpRequestHandle) -> i32;

/// Receiver of parameters of a query.
pub type AccHttpParamFn =
    unsafe extern "C-unwind" fn(context: *mut c_void, name: *const c_char, value: *const c_char);

/// A trace point of the program is entered.
pub type TraceBeginFn = unsafe extern "C" fn(id: u32, name: *const c_char);

/// It was left, after so many nanoseconds, well (0) or not.
pub type TraceEndFn = unsafe extern "C" fn(id: u32, nanoseconds: u64, result: i32);

/// The clock of [`TraceEndFn`].
pub type TraceClockFn = unsafe extern "C" fn() -> u64;

/// Decrypts a password into a C string.
pub type AccDecryptFn = unsafe extern "C-unwind" fn(
    context: *mut c_void,
    cipher: *const c_char,
    cipher_bytes: usize,
    plain: *mut u8,
    plain_bytes: usize,
) -> i32;

types! {
    /// A server, as callers hold it.
    type AccServerHandle = *mut c_void, "smem_acc_server_t";
    /// A link, as callers hold it.
    type AccLinkHandle = *mut c_void, "smem_acc_link_t";
    /// An HTTP request, as its handler holds it.
    type AccHttpRequestHandle = *mut c_void, "smem_acc_http_request_t";
    /// A pool, as callers hold it.
    type BmHandle = *mut c_void, "smem_bm_t";
    /// An object of share memory, as callers hold it.
    type ShmHandle = *mut c_void, "smem_shm_t";
    /// An endpoint of transfers, as callers hold it.
    type TransHandle = *mut c_void, "smem_trans_t";
    /// A transfer that was started, as callers hold it.
    type TransferHandle = *mut c_void, "mfx_transfer_t";
    /// A prepared list of pieces, as callers hold it.
    type PreparedHandle = *mut c_void, "mfx_prepared_t";
    /// A kernel binary, as callers hold it.
    type KernelHandle = *mut c_void, "mfx_kernel_t";
    /// A membership in a store, as callers hold it.
    type StoreHandle = *mut c_void, "mfx_store_t";
    /// Accessibility of the pool of offload.
    type OffloadScene = i32, "offload_scene_t";
    /// A cache, as callers hold it.
    type CacheHandle = *mut c_void, "mfx_cache_t";
    /// A value that is being written to a cache, as callers hold it.
    type CacheWriterHandle = *mut c_void, "mfx_cache_writer_t";
    /// Values that come to memory of this host, as callers hold it.
    type CachePrefetchHandle = *mut c_void, "mfx_cache_prefetch_t";
    /// A buffer of memory that others reach, as callers hold it.
    type HmcBufferHandle = *mut c_void, "mfx_hmc_buffer_t";
    /// A communicator, as callers hold it.
    type HmcCommHandle = *mut c_void, "mfx_hmc_comm_t";
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
    /// `SMEM_TRANS_*`.
    type TransRole = u32, "smem_trans_role_t";
    /// `SMEM_TRANS_OP_*`.
    type TransOpcode = u32, "smem_trans_opcode_t";
    /// `MFX_RANK_*`.
    type RankWish = u32, "mfx_rank_wish_t";
    /// `MFX_PERMANENT` and its like.
    type Lifetime = u32, "mfx_lifetime_t";
    /// `MFX_CHANGE_*`.
    type ChangeKind = u32, "mfx_change_kind_t";
    /// Addresses to read.
    type SourceArray = *const *const c_void, "const void *{}[]";
    /// Addresses to write.
    type PlaceArray = *const *mut c_void, "void *{}[]";
    /// Lengths.
    type SizeArray = *const usize, "size_t {}[]";
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
    /// [`PeerDownFn`] or null.
    type PeerDownCallback = Option<PeerDownFn>, "smem_trans_peer_down_callback_t";
    /// [`NotificationFn`] or null.
    type NotificationCallback = Option<NotificationFn>, "mfx_notification_cb";
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
    /// [`StoreLeaderFn`] or null.
    type StoreLeaderCallback = Option<StoreLeaderFn>, "mfx_store_leader_cb";
    /// [`AccDecryptFn`] or null.
    type AccDecryptCallback = Option<AccDecryptFn>, "smem_decrypt_cb";
    /// [`AccNewLinkFn`] or null.
    type AccNewLinkCallback = Option<AccNewLinkFn>, "smem_acc_new_link_cb";
    /// [`AccBrokenFn`] or null.
    type AccBrokenCallback = Option<AccBrokenFn>, "smem_acc_link_broken_cb";
    /// [`AccRequestFn`] or null.
    type AccRequestCallback = Option<AccRequestFn>, "smem_acc_request_cb";
    /// [`AccRequestV2Fn`] or null.
    type AccRequestV2Callback = Option<AccRequestV2Fn>, "smem_acc_request_cb_v2";
    /// [`AccSentFn`] or null.
    type AccSentCallback = Option<AccSentFn>, "smem_acc_sent_cb";
    /// [`AccSentV2Fn`] or null.
    type AccSentV2Callback = Option<AccSentV2Fn>, "smem_acc_sent_cb_v2";
    /// [`AccHttpFn`] or null.
    type AccHttpCallback = Option<AccHttpFn>, "smem_acc_http_cb";
    /// [`AccHttpParamFn`] or null.
    type AccHttpParamCallback = Option<AccHttpParamFn>, "smem_acc_http_param_cb";
}
