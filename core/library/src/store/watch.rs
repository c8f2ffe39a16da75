// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Watches of a store. Callbacks run on a thread of the library, one after the other; they must not call the
//! store that they watch. A watch lasts as long as the connection, and its callback as long as the process.

use std::ffi::{CStr, c_char, c_void};

use mf_abi::smem::{ChangeKind, StoreEntry, StorePeer};
use mf_base::Result;

use super::{Entry, Store};
use crate::call::call;
use crate::library::text_of;

/// A member of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peer {
    /// Its rank.
    pub rank: u32,
    /// Its session with the store.
    pub session: u64,
    /// Its host.
    pub host: String,
    /// Its process.
    pub pid: u32,
    /// Its device.
    pub device: u32,
}

/// The leader of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leader {
    /// Grows with each store that takes over.
    pub term: u64,
    /// Its address.
    pub place: String,
    /// True if it runs in this process.
    pub here: bool,
}

/// Receiver of changes of keys; no entry: the store is lost.
type OnEntry = Box<dyn Fn(ChangeKind, Option<Entry>) + Send + Sync>;
/// Receiver of changes of the membership; no member: the store is lost.
type OnPeer = Box<dyn Fn(ChangeKind, Option<Peer>) + Send + Sync>;
/// Receiver of changes of the leader.
type OnLeader = Box<dyn Fn(Leader) + Send + Sync>;

/// Makes a context that lives as long as the process, because the library may be calling it at any time.
fn context<T>(callback: T) -> *mut c_void {
    Box::into_raw(Box::new(callback)).cast()
}

unsafe extern "C-unwind" fn on_entry(kind: ChangeKind, entry: *const StoreEntry, context: *mut c_void) {
    // SAFETY: made by `context` with this type, and never freed.
    let callback = unsafe { &*context.cast::<OnEntry>() };
    // SAFETY: null, or an entry that the library lends for this call.
    let entry = unsafe { entry.as_ref() };
    // SAFETY: lent for this call.
    callback(kind, entry.map(|entry| unsafe { Entry::copied(entry) }));
}

unsafe extern "C-unwind" fn on_peer(
    kind: ChangeKind,
    peer: *const StorePeer,
    _epoch: u64,
    context: *mut c_void,
) {
    // SAFETY: made by `context` with this type, and never freed.
    let callback = unsafe { &*context.cast::<OnPeer>() };
    // SAFETY: null, or a member that the library lends for this call.
    let peer = unsafe { peer.as_ref() };
    callback(
        kind,
        peer.map(|peer| Peer {
            rank: peer.rank,
            session: peer.session,
            host: text_of(peer.host),
            pid: peer.pid,
            device: peer.device_id,
        }),
    );
}

unsafe extern "C-unwind" fn on_leader(term: u64, place: *const c_char, here: bool, context: *mut c_void) {
    // SAFETY: made by `context` with this type, and never freed.
    let callback = unsafe { &*context.cast::<OnLeader>() };
    callback(Leader { term, place: text_of(place), here });
}

impl Store {
    /// Calls `callback` for every later change of keys that start with `prefix`, or of that key alone.
    ///
    /// # Errors
    /// Errors of `mfx_store_watch`.
    pub fn watch(
        &self,
        prefix: &CStr,
        exact: bool,
        callback: impl Fn(ChangeKind, Option<Entry>) + Send + Sync + 'static,
    ) -> Result<()> {
        let (context, mut watch) = (context::<OnEntry>(Box::new(callback)), 0);
        let (prefix, exact) = (prefix.as_ptr(), u32::from(exact));
        call!(
            self.library,
            mfx_store_watch(self.handle, prefix, exact, Some(on_entry), context, &raw mut watch)
        )
    }

    /// Calls `callback` for every later change of the membership.
    ///
    /// # Errors
    /// Errors of `mfx_store_watch_members`.
    pub fn watch_members(
        &self,
        callback: impl Fn(ChangeKind, Option<Peer>) + Send + Sync + 'static,
    ) -> Result<()> {
        let (context, mut watch) = (context::<OnPeer>(Box::new(callback)), 0);
        call!(self.library, mfx_store_watch_members(self.handle, Some(on_peer), context, &raw mut watch))
    }

    /// Calls `callback` whenever another server has become the leader of the store.
    ///
    /// # Errors
    /// Errors of `mfx_store_watch_leader`.
    pub fn watch_leader(&self, callback: impl Fn(Leader) + Send + Sync + 'static) -> Result<()> {
        let (context, mut watch) = (context::<OnLeader>(Box::new(callback)), 0);
        call!(self.library, mfx_store_watch_leader(self.handle, Some(on_leader), context, &raw mut watch))
    }
}
