// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Watches of keys, of the membership and of the leader.

use std::ffi::{c_char, c_void};
use std::sync::Arc;

use mf_abi::smem::{
    MFX_CHANGE_DELETED, MFX_CHANGE_EXPIRED, MFX_CHANGE_JOINED, MFX_CHANGE_LEFT, MFX_CHANGE_LOST,
    MFX_CHANGE_PUT, MFX_CHANGE_STORE_LOST, MembersFn, StoreEntry, StoreHandle, StoreLeaderFn, WatchFn,
};
use mf_base::Result;
use mf_store::{Cause, Change, Entry, Peer};

use super::collective::with_peer;
use super::keys::with_entry;
use super::session::{Target, target_and_text};
use crate::boundary::call_program;
use crate::last_error::c_text;

pub(crate) unsafe fn mfx_store_watch(
    op: &'static str,
    handle: StoreHandle,
    prefix: *const c_char,
    exact: u32,
    callback: WatchFn,
    context: *mut c_void,
    watch: *mut u64,
) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let (target, prefix) = unsafe { target_and_text(op, handle, "the key", prefix) }?;
    let context = context.expose_provenance();
    let notify: mf_store::WatchFn = Arc::new(move |change| {
        let context = std::ptr::with_exposed_provenance_mut(context);
        report(change, |kind, entry| {
            // SAFETY: the entry lives through the call; the caller vouches for callback and context until the
            // watch ends.
            call_program("mfx_store_watch_cb", || unsafe { callback(kind, entry, context) });
        });
    });
    let id = if exact == 0 {
        target.store.watch(prefix, notify)?
    } else {
        target.store.watch_key(prefix, notify)?
    };
    // SAFETY: not null; the caller passes room for a number.
    unsafe { watch.write(target.watches().add(id)) };
    Ok(())
}

/// Reports a change to C.
fn report(change: &Change, callback: impl Fn(u32, *const StoreEntry)) {
    let show = |kind, entry: &Entry| {
        with_entry(&entry.key, entry, |entry| callback(kind, entry));
    };
    match change {
        Change::Put(entry) => show(MFX_CHANGE_PUT, entry),
        Change::Removed { key, revision, owner, cause } => {
            let kind = match cause {
                Cause::Deleted => MFX_CHANGE_DELETED,
                Cause::Left => MFX_CHANGE_LEFT,
                Cause::Lost => MFX_CHANGE_LOST,
                Cause::Expired => MFX_CHANGE_EXPIRED,
            };
            show(kind, &Entry { key: key.clone(), value: Vec::new(), revision: *revision, owner: *owner });
        }
        Change::StoreLost => callback(MFX_CHANGE_STORE_LOST, std::ptr::null()),
    }
}

pub(crate) unsafe fn mfx_store_watch_members(
    op: &'static str,
    handle: StoreHandle,
    callback: MembersFn,
    context: *mut c_void,
    watch: *mut u64,
) -> Result<()> {
    let target = Target::from_handle(op, handle)?;
    let context = context.expose_provenance();
    let notify: mf_store::MembersFn = Arc::new(move |change| {
        let lists: [(u32, &[Peer]); 3] = [
            (MFX_CHANGE_LEFT, &change.left),
            (MFX_CHANGE_LOST, &change.dead),
            (MFX_CHANGE_JOINED, &change.joined),
        ];
        for (kind, peer) in lists.iter().flat_map(|(kind, peers)| peers.iter().map(move |peer| (*kind, peer)))
        {
            let context = std::ptr::with_exposed_provenance_mut(context);
            with_peer(peer, |peer| {
                // SAFETY: the member lives through the call; the caller vouches for callback and context
                // until the watch ends.
                call_program("mfx_store_members_cb", || unsafe {
                    callback(kind, peer, change.epoch, context);
                });
            });
        }
    });
    let id = target.store.watch_members(notify)?;
    // SAFETY: not null; the caller passes room for a number.
    unsafe { watch.write(target.watches().add(id)) };
    Ok(())
}

pub(crate) unsafe fn mfx_store_watch_leader(
    op: &'static str,
    handle: StoreHandle,
    callback: StoreLeaderFn,
    context: *mut c_void,
    watch: *mut u64,
) -> Result<()> {
    let target = Target::from_handle(op, handle)?;
    let context = context.expose_provenance();
    let id = target.store.watch_leader(Arc::new(move |leader| {
        let place = c_text(&leader.place);
        let context = std::ptr::with_exposed_provenance_mut(context);
        // SAFETY: the text lives through the call; the caller vouches for callback and context until the
        // watch ends.
        call_program("mfx_store_leader_cb", || unsafe {
            callback(leader.term, place.as_ptr(), leader.here, context);
        });
    }))?;
    // SAFETY: not null; the caller passes room for a number.
    unsafe { watch.write(target.watches().add(id)) };
    Ok(())
}

pub(crate) fn mfx_store_unwatch(op: &'static str, handle: StoreHandle, watch: u64) -> Result<()> {
    let target = Target::from_handle(op, handle)?;
    let id = target.watches().take(op, watch)?;
    target.store.unwatch(id)
}
