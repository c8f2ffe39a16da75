// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Results of the library's walks, collected without the GIL.

use std::ffi::c_void;

use mf_abi::smem::{StoreEntry, StorePeer};

use crate::failure;

/// A key with its value.
pub(super) struct FoundEntry {
    pub(super) key: String,
    pub(super) value: Vec<u8>,
    pub(super) revision: u64,
    /// -1 for none.
    pub(super) owner: i64,
}

/// Contribution of a member to an allgather.
pub(super) type Part = (u32, Vec<u8>);

/// A member.
pub(super) struct Peer {
    pub(super) rank: u32,
    pub(super) host: String,
    pub(super) pid: u32,
    pub(super) device_id: u32,
    pub(super) session: u64,
}

/// A copy of bytes that the library lent.
///
/// # Safety
/// `bytes` points to `len` readable bytes, or `len` is 0.
pub(crate) unsafe fn copied(bytes: *const c_void, len: u64) -> Vec<u8> {
    match usize::try_from(len) {
        Ok(len) if len > 0 && !bytes.is_null() => {
            // SAFETY: not null, and the caller vouches for the length.
            unsafe { std::slice::from_raw_parts(bytes.cast::<u8>(), len) }.to_vec()
        }
        _ => Vec::new(),
    }
}

/// Appends an entry to the `Vec<FoundEntry>` behind `context`.
pub(super) unsafe extern "C-unwind" fn take_entry(entry: *const StoreEntry, context: *mut c_void) -> bool {
    // SAFETY: the library passes a valid entry for the duration of the call.
    let Some(entry) = (unsafe { entry.as_ref() }) else { return false };
    // SAFETY: `context` is the calling method's vector, not used elsewhere meanwhile.
    let found = unsafe { &mut *context.cast::<Vec<FoundEntry>>() };
    // SAFETY: the library says how long the value is.
    let value = unsafe { copied(entry.value, entry.bytes) };
    found.push(FoundEntry {
        key: failure::owned(entry.key),
        value,
        revision: entry.revision,
        owner: entry.owner,
    });
    true
}

/// Appends a part to the `Vec<Part>` behind `context`.
pub(super) unsafe extern "C-unwind" fn take_part(
    rank: u32,
    value: *const c_void,
    len: u64,
    context: *mut c_void,
) -> bool {
    // SAFETY: `context` is the calling method's vector, not used elsewhere meanwhile.
    let found = unsafe { &mut *context.cast::<Vec<Part>>() };
    // SAFETY: the library says how long the value is.
    found.push((rank, unsafe { copied(value, len) }));
    true
}

/// Appends a member to the `Vec<Peer>` behind `context`.
pub(super) unsafe extern "C-unwind" fn take_peer(peer: *const StorePeer, context: *mut c_void) -> bool {
    // SAFETY: the library passes a valid member for the duration of the call.
    let Some(peer) = (unsafe { peer.as_ref() }) else { return false };
    // SAFETY: `context` is the calling method's vector, not used elsewhere meanwhile.
    let found = unsafe { &mut *context.cast::<Vec<Peer>>() };
    let host = failure::owned(peer.host);
    found.push(Peer {
        rank: peer.rank,
        host,
        pid: peer.pid,
        device_id: peer.device_id,
        session: peer.session,
    });
    true
}
