// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The library's own part of a store, and the view of a store without it.
//!
//! Pools, networks and share memory find each other through keys, barriers and locks of the same store that
//! programs use for their own. All of theirs begin with [`RESERVED`], and nothing of a program does: programs
//! get a [`UserStore`], which refuses such names and does not show such keys. A guest, which is no member, is
//! refused by the store itself when it writes there, but for its own cards (at a meeting point, and of its
//! network) and for messages of `mf explain`.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::{Error, Result};

use crate::api::{
    Attendance, Awaited, Contact, Entry, Leader, LeaderFn, LeaseId, Lifetime, Listing, Member, MembersFn,
    Page, Part, Store, Swap, View, WatchFn, WatchId,
};

/// Prefix of the library's own keys, barriers and locks.
pub const RESERVED: &str = ".mf/";
/// Prefix of the keys of guests at meeting points; their names follow.
pub const GUEST_CARDS: &str = ".mf/meeting/";
/// Prefix of the keys of [`network_card`]s.
const NETWORK_CARDS: &str = ".mf/net/";
/// Sorts after every key of the library.
const BEHIND: &str = ".mf/\u{10ffff}";

/// Returns true if a name is the library's.
pub fn is_reserved(name: &str) -> bool {
    name.starts_with(RESERVED)
}

/// The key of the card that says how the process with this session is reached over the network; it lives
/// with the session.
pub fn network_card(session: u64) -> String {
    format!("{NETWORK_CARDS}{session}")
}

/// Returns true if a key is a guest's card: under the guest's name, or for the network of one of these
/// sessions.
pub(crate) fn is_guest_card(key: &str, guests: &[u64]) -> bool {
    let session = || key.strip_prefix(NETWORK_CARDS)?.parse().ok();
    key.starts_with(GUEST_CARDS) || session().is_some_and(|session| guests.contains(&session))
}

/// View of a store for programs: hides the library's own keys. Cheap to clone.
#[derive(Clone)]
pub struct UserStore(Arc<dyn Store>);

impl UserStore {
    /// The view of a store.
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self(store)
    }

    /// The same, as any store.
    pub fn shared(store: &Arc<dyn Store>) -> Arc<dyn Store> {
        Arc::new(Self::new(Arc::clone(store)))
    }
}

fn check(operation: &'static str, name: &str) -> Result<()> {
    if !is_reserved(name) {
        return Ok(());
    }
    Err(Error::invalid(operation, "names that begin so are the library's own")
        .with("name", name.escape_debug())
        .with("reserved", RESERVED)
        .hint("choose another name; mf store ls --all shows the library's keys"))
}

/// Returns true if keys of the library can have this prefix.
fn may_hold(prefix: &str) -> bool {
    RESERVED.starts_with(prefix)
}

/// A callback that sees no keys of the library.
fn filtered(prefix: &str, callback: WatchFn) -> WatchFn {
    if !may_hold(prefix) {
        return callback;
    }
    Arc::new(move |change| {
        if !change.key().is_some_and(is_reserved) {
            callback(change);
        }
    })
}

/// Calls of the store that are refused when their first argument is a name of the library.
macro_rules! checked {
    ($($operation:literal: fn $call:ident($name:ident $(, $argument:ident: $type:ty)*) -> $result:ty;)*) => { $(
        fn $call(&self, $name: &str $(, $argument: $type)*) -> Result<$result> {
            check($operation, $name)?;
            self.0.$call($name $(, $argument)*)
        }
    )* };
}

/// Calls of the store that concern no name.
macro_rules! unchecked {
    ($(fn $call:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => { $(
        fn $call(&self $(, $argument: $type)*) -> $result {
            self.0.$call($($argument),*)
        }
    )* };
}

impl Store for UserStore {
    checked! {
        "store set": fn set(key, value: &[u8], lifetime: Lifetime) -> u64;
        "store get": fn get(key) -> Option<Entry>;
        "store get": fn get_by(key, deadline: Instant) -> Option<Entry>;
        "store wait": fn wait(key, deadline: Instant) -> Entry;
        "store add": fn add(key, delta: i64) -> i64;
        "store append": fn append(key, value: &[u8]) -> u64;
        "store compare and swap":
            fn compare_and_swap(key, expected: Option<&[u8]>, new: &[u8], lifetime: Lifetime) -> Swap;
        "store delete": fn delete(key) -> bool;
        "store delete": fn discard(key) -> ();
        "store lock": fn lock(name, deadline: Instant) -> u64;
        "store try lock": fn try_lock(name) -> Option<u64>;
        "store unlock": fn unlock(name) -> ();
        "store watch": fn watch_key(key, callback: WatchFn) -> WatchId;
        "store barrier": fn barrier(name, members: u32, deadline: Instant) -> ();
        "store allgather": fn allgather(name, members: u32, value: &[u8], deadline: Instant) -> Vec<Part>;
    }

    unchecked! {
        fn member() -> &Member;
        fn grant_lease(ttl: Duration) -> Result<LeaseId>;
        fn keep_alive(lease: LeaseId) -> Result<()>;
        fn revoke_lease(lease: LeaseId) -> Result<bool>;
        fn view() -> Result<View>;
        fn contacts() -> Result<Option<Vec<Contact>>>;
        fn awaited() -> Result<Option<Vec<Awaited>>>;
        fn attendance() -> Attendance;
        fn watch_members(callback: MembersFn) -> Result<WatchId>;
        fn watch_leader(callback: LeaderFn) -> Result<WatchId>;
        fn leader() -> Leader;
        fn relocate(addresses: Vec<SocketAddr>) -> Result<()>;
        fn unwatch(id: WatchId) -> Result<()>;
        fn close() -> ();
        fn is_connected() -> bool;
        fn round_trips() -> u64;
        fn has_ended() -> bool;
    }

    fn list(&self, prefix: &str) -> Result<Listing> {
        check("store list", prefix)?;
        let mut listing = self.0.list(prefix)?;
        listing.entries.retain(|entry| !is_reserved(&entry.key));
        Ok(listing)
    }

    fn list_page(&self, prefix: &str, after: Option<&str>, limit: u32) -> Result<Page> {
        check("store list", prefix)?;
        let mut page = self.0.list_page(prefix, after, limit)?;
        if !may_hold(prefix) || !page.entries.iter().any(|entry| is_reserved(&entry.key)) {
            return Ok(page);
        }
        // The keys are in order, so the library's are in one piece.
        let ends_inside = page.entries.last().is_some_and(|entry| is_reserved(&entry.key));
        page.entries.retain(|entry| !is_reserved(&entry.key));
        let left = limit.saturating_sub(u32::try_from(page.entries.len()).unwrap_or(u32::MAX));
        if ends_inside && page.more && left > 0 {
            let rest = self.0.list_page(prefix, Some(BEHIND), left)?;
            page.entries.extend(rest.entries);
            (page.revision, page.more) = (rest.revision, rest.more);
        }
        Ok(page)
    }

    fn watch(&self, prefix: &str, callback: WatchFn) -> Result<WatchId> {
        check("store watch", prefix)?;
        self.0.watch(prefix, filtered(prefix, callback))
    }

    fn watch_in_place(&self, prefix: &str, callback: WatchFn) -> Result<WatchId> {
        check("store watch", prefix)?;
        self.0.watch_in_place(prefix, filtered(prefix, callback))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use mf_base::Kind;

    use super::*;
    use crate::{MemoryStore, RankWish};

    const OWN: &str = ".mf/space/pools";

    fn both() -> (Arc<dyn Store>, UserStore) {
        let whole: Arc<dyn Store> = Arc::new(MemoryStore::new(2).unwrap().join(None).unwrap());
        (Arc::clone(&whole), UserStore::new(whole))
    }

    #[test]
    fn library_names_are_refused_in_every_call() {
        let (whole, store) = both();
        whole.set(OWN, b"1", Lifetime::Permanent).unwrap();
        let soon = || Instant::now() + Duration::from_secs(5);
        let nothing: WatchFn = Arc::new(|_| {});
        for error in [
            store.set(OWN, b"", Lifetime::Permanent).err(),
            store.get(OWN).err(),
            store.wait(OWN, soon()).err(),
            store.add(OWN, 1).err(),
            store.append(OWN, b"").err(),
            store.compare_and_swap(OWN, None, b"", Lifetime::Permanent).err(),
            store.delete(OWN).err(),
            store.discard(OWN).err(),
            store.list(OWN).err(),
            store.list_page(RESERVED, None, 9).err(),
            store.lock(OWN, soon()).err(),
            store.try_lock(OWN).err(),
            store.unlock(OWN).err(),
            store.watch_key(OWN, Arc::clone(&nothing)).err(),
            store.watch(OWN, nothing).err(),
            store.barrier(OWN, 1, soon()).err(),
            store.allgather(OWN, 1, b"", soon()).err(),
        ] {
            let error = error.expect("refused");
            assert_eq!(
                (error.kind(), error.fact("reserved")),
                (Kind::InvalidParam, Some(RESERVED)),
                "{error}"
            );
        }
        assert_eq!(whole.get(OWN).unwrap().unwrap().value, b"1");
    }

    #[test]
    fn library_keys_are_hidden_from_listings_and_watches() {
        let (whole, store) = both();
        let received = Arc::new(Mutex::new(Vec::new()));
        let filtered = Arc::clone(&received);
        store
            .watch(
                "",
                Arc::new(move |change| filtered.lock().unwrap().push(change.key().unwrap().to_owned())),
            )
            .unwrap();
        // Programs' keys around them, also some that are nearly theirs.
        let theirs = ["!", ".", ".mf", ".mf.", ".mf0", "a", "b"];
        for (at, key) in theirs.iter().enumerate() {
            store.set(key, b"", Lifetime::Permanent).unwrap();
            whole.set(&format!("{RESERVED}{at}"), b"", Lifetime::Permanent).unwrap();
        }
        for prefix in ["", ".", ".mf", "a"] {
            let expected: Vec<&str> = theirs.iter().copied().filter(|key| key.starts_with(prefix)).collect();
            let listed = store.list(prefix).unwrap().entries;
            assert_eq!(listed.iter().map(|entry| &*entry.key).collect::<Vec<_>>(), expected);
            for limit in 1..10 {
                let (mut keys, mut after) = (Vec::new(), None);
                loop {
                    let page = store.list_page(prefix, after.as_deref(), limit).unwrap();
                    assert!(page.entries.len() <= limit as usize && (!page.more || !page.entries.is_empty()));
                    keys.extend(page.entries.into_iter().map(|entry| entry.key));
                    after = keys.last().cloned();
                    if !page.more {
                        break;
                    }
                }
                assert_eq!(keys, expected, "prefix {prefix}, {limit} at a time");
            }
        }
        assert_eq!(*received.lock().unwrap(), theirs);
    }

    #[test]
    fn store_refuses_guest_writes_to_library_keys() {
        let world = MemoryStore::new(2).unwrap();
        let (member, guest) = (world.join(None).unwrap(), world.join_as(RankWish::Guest).unwrap());
        member.set(OWN, b"1", Lifetime::Permanent).unwrap();
        let soon = || Instant::now() + Duration::from_secs(5);
        for error in [
            guest.set(OWN, b"2", Lifetime::Permanent).err(),
            guest.delete(OWN).err(),
            guest.add(OWN, 1).err(),
            guest.append(OWN, b"2").err(),
            guest.compare_and_swap(OWN, Some(b"1"), b"2", Lifetime::Permanent).err(),
            guest.set(".mf/pool/0/member/0", b"2", Lifetime::Permanent).err(),
        ] {
            let error = error.expect("refused");
            assert!(error.kind() == Kind::InvalidParam && error.to_string().contains(OWN_TEXT), "{error}");
        }
        drop(guest.lock(OWN, soon()));
        assert_eq!(guest.get(OWN).unwrap().unwrap().value, b"1");
        // Questions of `mf explain`.
        guest.set(".mf/pool/0/member/0/ask/7", b"?", Lifetime::Permanent).unwrap();
    }

    const OWN_TEXT: &str = "the library's own";
}
