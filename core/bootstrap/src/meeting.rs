// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Meeting points: small stores of guests with names, for processes that are no members of a job together.
//!
//! A process opens a [`MeetingPoint`] at an address of its own and keeps it as long as it likes. Others
//! connect as [`Guest`]s: each has a unique name, and a *card* of bytes under it, which the others read, wait
//! for and watch. A name is bound to the session of its guest: it is free again when the guest closes, ends,
//! or does not resume a broken connection in time.
//!
//! Guests meet at the store of a job just as well, without a rank, and independent of the job: its keys are
//! not theirs, and its end is not theirs. At a meeting point there are guests only; a request for a rank is
//! refused.
//!
//! Admission and encryption are decided as for the store of a job: by the secret, the certificates, and where
//! there is neither by the user (`MF_ALLOW_USERS`); see [`mf_tls`].
//!
//! That a name is unique and a card its guest's alone is decided in the store's state machine
//! (`state/cards.rs` of `mf_store`).

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::{Error, Kind, Result};
use mf_store::{Cause, Change, Entry, GUEST_CARDS, Lifetime, Server, ServerOptions, Store, Timing, WatchId};
use mf_tls::Access;

use crate::rendezvous;
use crate::url::StoreUrl;

const OPERATION: &str = "meeting point";
/// Longest name of a guest, in bytes.
const MAX_NAME_BYTES: usize = 255;

/// A store of guests in this process. Dropping it ends it, also with guests connected.
#[derive(Debug)]
pub struct MeetingPoint(Server);

impl MeetingPoint {
    /// Opens a meeting point at `listen`; port 0 picks a free one. **Local.** Does not block.
    ///
    /// # Errors
    /// As for [`Server::start`].
    pub fn open(listen: SocketAddr, access: &Access) -> Result<Self> {
        Server::start(options(listen, access)?).map(Self)
    }

    /// Returns its address, with the real port. **Local.**
    pub fn address(&self) -> SocketAddr {
        self.0.address()
    }

    /// Returns the number of guests. Waits for the server's thread, at most 5 s.
    ///
    /// # Errors
    /// As for [`Server::status`].
    pub fn guests(&self) -> Result<u32> {
        self.0.status().map(|status| status.guests)
    }
}

impl Drop for MeetingPoint {
    fn drop(&mut self) {
        self.0.end_on_purpose();
    }
}

fn options(listen: SocketAddr, access: &Access) -> Result<ServerOptions> {
    Ok(ServerOptions {
        timing: Timing::of_settings()?,
        job: access.job.clone(),
        // Guests of one that ended at this address connect again.
        skip_recovery: true,
        guests_only: true,
        ..ServerOptions::new(listen, 0, access.security()?)
    })
}

/// Published description of a guest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// Its name.
    pub name: String,
    /// The card that it published last.
    pub bytes: Vec<u8>,
}

impl Card {
    fn of(entry: Entry) -> Option<Self> {
        Some(Self { name: entry.key.strip_prefix(GUEST_CARDS)?.to_owned(), bytes: entry.value })
    }
}

/// A change among the guests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// A guest connected, or published another card.
    Published(Card),
    /// A guest has left; its name is free.
    Gone {
        /// Its name.
        name: String,
        /// Why.
        cause: Cause,
    },
    /// The meeting point is lost, or has given this guest up; no notification follows.
    Lost,
}

/// Called with each of the [`News`], one after the other, on a thread of the library; it may call the guest.
pub type NewsFn = Arc<dyn Fn(&News) + Send + Sync>;

/// A stay at a meeting point under a name. Dropping it ends the stay.
pub struct Guest {
    store: Arc<dyn Store>,
    name: String,
}

impl Guest {
    /// Connects to the meeting point or store at `place` under `name` (1 to 255 bytes) and publishes `card`.
    /// Blocks until the name is its own, at most for `timeout`, which also bounds each later request.
    ///
    /// # Errors
    /// `Duplicated` another guest has the name; the text identifies it · `InvalidParam` the name is empty or
    /// too long · else as for [`rendezvous::join`].
    pub fn join(
        place: &StoreUrl,
        name: &str,
        card: &[u8],
        access: &Access,
        timeout: Duration,
    ) -> Result<Self> {
        if name.is_empty() || name.len() > MAX_NAME_BYTES {
            return Err(Error::invalid(OPERATION, "the name of a guest has 1 to 255 bytes")
                .with("name", format!("\"{}\"", name.escape_debug()))
                .with("bytes", name.len()));
        }
        let store = rendezvous::visit(place.clone(), access.clone(), timeout)?;
        let guest = Self { store, name: name.to_owned() };
        guest.publish(card).map_err(|error| error.with("meeting_point", place))?;
        Ok(guest)
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The store at the meeting point, to be reached there by the network of this process under the session
    /// of the stay. Keys of programs may be in it, too.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// Returns true while the session is up; after its end the name is free for others.
    pub fn is_connected(&self) -> bool {
        self.store.is_connected()
    }

    /// Shows another card. One round trip.
    ///
    /// # Errors
    /// `NotConnected` the meeting point is lost, or has given this guest up · `Timeout`.
    pub fn publish(&self, card: &[u8]) -> Result<()> {
        self.store.set(&key(&self.name), card, Lifetime::Session).map(drop)
    }

    /// Reads the card of another guest. Returns `None` if it is not there. One round trip.
    ///
    /// # Errors
    /// `Timeout` the store does not answer by `deadline` · as [`publish`](Self::publish).
    pub fn lookup_by(&self, name: &str, deadline: Instant) -> Result<Option<Card>> {
        Ok(self.store.get_by(&key(name), deadline)?.and_then(Card::of))
    }

    /// The card of another guest, which may not have connected yet. Blocks at most until `deadline`.
    ///
    /// # Errors
    /// `Timeout` it did not connect · as [`publish`](Self::publish).
    pub fn wait(&self, name: &str, deadline: Instant) -> Result<Card> {
        let entry = self.store.wait(&key(name), deadline)?;
        Card::of(entry).ok_or_else(|| Error::new(Kind::Failed, OPERATION).what("invalid key of a card"))
    }

    /// The cards of all guests, by name. One round trip.
    ///
    /// # Errors
    /// As [`publish`](Self::publish).
    pub fn cards(&self) -> Result<Vec<Card>> {
        Ok(cards_of(self.store.list(GUEST_CARDS)?.entries))
    }

    /// Calls `callback` for all later changes, changes of this guest included. One round trip.
    /// [`cards`](Self::cards), called after it, returns the state before them.
    ///
    /// # Errors
    /// As [`publish`](Self::publish), and `NoResources` too many watches.
    pub fn watch(&self, callback: NewsFn) -> Result<WatchId> {
        self.store.watch(
            GUEST_CARDS,
            Arc::new(move |change| {
                let news = match change.clone() {
                    Change::Put(entry) => Card::of(entry).map(News::Published),
                    Change::Removed { key, cause, .. } => {
                        key.strip_prefix(GUEST_CARDS).map(|name| News::Gone { name: name.to_owned(), cause })
                    }
                    Change::StoreLost => Some(News::Lost),
                };
                if let Some(news) = news {
                    callback(&news);
                }
            }),
        )
    }

    /// Ends a watch.
    ///
    /// # Errors
    /// `NotExist` the watch does not exist · as [`publish`](Self::publish).
    pub fn unwatch(&self, watch: WatchId) -> Result<()> {
        self.store.unwatch(watch)
    }
}

/// Returns the cards of guests, by name, from the entries of a store under [`GUEST_CARDS`].
pub fn cards_of(entries: Vec<Entry>) -> Vec<Card> {
    entries.into_iter().filter_map(Card::of).collect()
}

fn key(name: &str) -> String {
    format!("{GUEST_CARDS}{name}")
}

impl Drop for Guest {
    fn drop(&mut self) {
        self.store.close();
    }
}

impl fmt::Debug for Guest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guest").field("name", &self.name).field("at", &self.store.leader().place).finish()
    }
}
