// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Leadership of a store: the leading server, and the address of the service that runs beside it.
//!
//! The program with that service publishes its address in the store (`SERVICE`). Without a published address,
//! the address of the leading store stands for it.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, Weak};

use mf_base::Result;
use mf_base::sync::lock;
use mf_store::{Change, Leader, Lifetime, Store, WatchId};

use crate::StoreUrl;

/// Key of the published address of the leader's service.
const SERVICE: &str = ".mf/leader/service";

/// Returns true if another server may become the leader: several tcp addresses, `reg://`, `etcd://`.
pub fn is_elective(url: &StoreUrl) -> bool {
    match url {
        StoreUrl::Tcp { addresses } => addresses.len() > 1,
        StoreUrl::Etcd { .. } | StoreUrl::Backend { .. } => true,
    }
}

/// The leader, as far as known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leadership {
    /// Address of the leader's service.
    pub address: Option<SocketAddr>,
    /// True if the leading store runs in this process.
    pub here: bool,
}

impl Leadership {
    /// Reads the leadership of `store`.
    ///
    /// # Errors
    /// As for [`Store::get`].
    pub fn read(store: &dyn Store) -> Result<Self> {
        Ok(Self::new(&store.leader(), published(store)?))
    }

    fn new(leader: &Leader, published: Option<SocketAddr>) -> Self {
        let listening = leader.place.strip_prefix("tcp://").and_then(|place| place.parse().ok());
        Self { address: published.or(listening), here: leader.here }
    }
}

fn published(store: &dyn Store) -> Result<Option<SocketAddr>> {
    Ok(store.get(SERVICE)?.and_then(|entry| address_of(&entry.value)))
}

fn address_of(value: &[u8]) -> Option<SocketAddr> {
    str::from_utf8(value).ok()?.parse().ok()
}

/// Publishes the address of the leader's service for the session of this member.
///
/// # Errors
/// As for [`Store::set`].
pub fn publish_address(store: &dyn Store, address: SocketAddr) -> Result<()> {
    store.set(SERVICE, address.to_string().as_bytes(), Lifetime::Session).map(drop)
}

/// Moves a member to the store at `url`, where it resumes; see [`Store::relocate`].
///
/// # Errors
/// As for [`Store::relocate`].
pub fn relocate(store: &dyn Store, url: &StoreUrl) -> Result<()> {
    store.relocate(url.connect_addresses()).map_err(|error| error.with("url", url))
}

/// A watch of the leadership. It lasts until [`end`](Self::end) or the end of the store.
#[derive(Debug)]
pub struct LeaderWatch {
    store: Weak<dyn Store>,
    watches: [WatchId; 2],
}

impl LeaderWatch {
    /// Ends the watch. Its function does not run any more on return.
    pub fn end(self) {
        if let Some(store) = self.store.upgrade() {
            for watch in self.watches {
                // It may have ended with the store.
                let _ = store.unwatch(watch);
            }
        }
    }
}

/// Calls `notify` at once if the leader is known, and after each change.
///
/// # Errors
/// As for [`Store::watch_leader`], [`Store::watch_key`] and [`Store::get`].
pub fn watch(
    store: &Arc<dyn Store>,
    notify: impl Fn(&Leadership) + Send + Sync + 'static,
) -> Result<LeaderWatch> {
    struct KnownKey {
        leader: Leader,
        published: Option<SocketAddr>,
        reported: Option<Leadership>,
    }
    let known = Arc::new(Mutex::new(KnownKey { leader: store.leader(), published: None, reported: None }));
    let notify = Arc::new(notify);
    let update = move |change: &dyn Fn(&mut KnownKey)| {
        let news = {
            let mut known = lock(&known);
            change(&mut known);
            let now = Leadership::new(&known.leader, known.published);
            let is_known = known.reported.as_ref() == Some(&now);
            known.reported = Some(now.clone());
            (!is_known).then_some(now)
        };
        if let Some(news) = news {
            notify(&news);
        }
    };
    let update = Arc::new(update);
    let (on_leader, on_key) = (Arc::clone(&update), Arc::clone(&update));
    let leader = store.watch_leader(Arc::new(move |leader| {
        on_leader(&|known| known.leader = leader.clone());
    }))?;
    let key = store.watch_key(
        SERVICE,
        Arc::new(move |change| match change {
            Change::Put(entry) => on_key(&|known| known.published = address_of(&entry.value)),
            Change::Removed { .. } => on_key(&|known| known.published = None),
            Change::StoreLost => {}
        }),
    )?;
    // Read after the watch was set up: the watch reports changes between the two.
    let now = published(&**store)?;
    update(&|known| known.published = known.published.or(now));
    Ok(LeaderWatch { store: Arc::downgrade(store), watches: [leader, key] })
}
