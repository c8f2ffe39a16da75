// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Watches of keys and of the membership.

use std::ffi::{c_char, c_void};
use std::sync::Arc;

use mf_base::Result;
use mf_store::{Cause, Change, Entry, Peer};

use super::keys::with_entry;
use super::meet::with_peer;
use super::{StoreHandle, Target, target_and_text};
use crate::abi_store::{StoreEntry, StorePeer};
use crate::boundary::{code, not_null, null};

type WatchCallback = extern "C" fn(kind: u32, entry: *const StoreEntry, context: *mut c_void);
type MembersCallback = extern "C" fn(kind: u32, peer: *const StorePeer, epoch: u64, context: *mut c_void);

const PUT: u32 = 0;
const DELETED: u32 = 1;
const LEFT: u32 = 2;
const LOST: u32 = 3;
const EXPIRED: u32 = 4;
const JOINED: u32 = 5;
const STORE_LOST: u32 = 6;

#[unsafe(no_mangle)]
unsafe extern "C" fn mfx_store_watch(
    handle: StoreHandle,
    prefix: *const c_char,
    exact: u32,
    callback: Option<WatchCallback>,
    context: *mut c_void,
    watch: *mut u64,
) -> i32 {
    const OP: &str = "store watch";
    code(OP, || {
        // SAFETY: the caller passes a C string.
        let (target, prefix) = unsafe { target_and_text(OP, handle, "the key", prefix) }?;
        let callback = callback.ok_or_else(|| null(OP, "the callback"))?;
        not_null(OP, "the watch", watch)?;
        let context = context.expose_provenance();
        let told: mf_store::WatchFn = Arc::new(move |change| {
            let context = std::ptr::with_exposed_provenance_mut(context);
            tell(change, |kind, entry| callback(kind, entry, context));
        });
        let id = if exact == 0 {
            target.store.watch(prefix, told)?
        } else {
            target.store.watch_key(prefix, told)?
        };
        // SAFETY: not null; the caller passes room for a number.
        unsafe { watch.write(target.watches().add(id)) };
        Ok(())
    })
}

/// Shows a change to C.
fn tell(change: &Change, callback: impl Fn(u32, *const StoreEntry)) {
    let show = |kind, entry: &Entry| {
        with_entry(&entry.key, entry, |entry| callback(kind, entry));
    };
    match change {
        Change::Put(entry) => show(PUT, entry),
        Change::Removed { key, revision, owner, cause } => {
            let kind = match cause {
                Cause::Deleted => DELETED,
                Cause::Left => LEFT,
                Cause::Lost => LOST,
                Cause::Expired => EXPIRED,
            };
            show(kind, &Entry { key: key.clone(), value: Vec::new(), revision: *revision, owner: *owner });
        }
        Change::StoreLost => callback(STORE_LOST, std::ptr::null()),
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mfx_store_watch_members(
    handle: StoreHandle,
    callback: Option<MembersCallback>,
    context: *mut c_void,
    watch: *mut u64,
) -> i32 {
    const OP: &str = "store watch members";
    code(OP, || {
        let callback = callback.ok_or_else(|| null(OP, "the callback"))?;
        not_null(OP, "the watch", watch)?;
        let target = Target::of(OP, handle)?;
        let context = context.expose_provenance();
        let told: mf_store::MembersFn = Arc::new(move |change| {
            let lists: [(u32, &[Peer]); 3] =
                [(LEFT, &change.left), (LOST, &change.dead), (JOINED, &change.joined)];
            for (kind, peer) in
                lists.iter().flat_map(|(kind, peers)| peers.iter().map(move |peer| (*kind, peer)))
            {
                let context = std::ptr::with_exposed_provenance_mut(context);
                with_peer(peer, |peer| callback(kind, peer, change.epoch, context));
            }
        });
        let id = target.store.watch_members(told)?;
        // SAFETY: not null; the caller passes room for a number.
        unsafe { watch.write(target.watches().add(id)) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn mfx_store_unwatch(handle: StoreHandle, watch: u64) -> i32 {
    const OP: &str = "store unwatch";
    code(OP, || unwatch(OP, handle, watch))
}

fn unwatch(operation: &'static str, handle: StoreHandle, watch: u64) -> Result<()> {
    let target = Target::of(operation, handle)?;
    let id = target.watches().take(operation, watch)?;
    target.store.unwatch(id)
}
