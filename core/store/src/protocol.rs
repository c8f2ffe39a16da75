// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The protocol of client and server: frames ([`frame`]), messages, and the proof of the job secret
//! ([`auth`]).
//!
//! ```text
//! client                                server
//!   │ connect (and TLS) ───────────────▶ accept
//!   │ Hello{nonce, about} ─────────────▶ │
//!   │ ◀──── Challenge{nonce, about, term} │
//!   │ Join{proof, wish, resume} ───────▶ │   proof of the client over both nonces and the TLS connection
//!   │ ◀─────────────────── Proved{proof} │   only when it resumes at another store than before,
//!   │ OneWay … OneWay::Complete ───────▶ │   which receives nothing before it has proved itself
//!   │ ◀────────── Welcome{proof, rank, …} │   proof of the server, or Refused
//!   │ Request(n) ──────────────────────▶ │
//!   │ ◀───────── Reply(n), Change, Notice │
//!   │ OneWay ──────────────────────────▶ │
//!   │ Leave ───────────────────────────▶ │   the server closes
//! ```
//!
//! # Ends and beginnings
//! A *session* is a membership; a *link* is one connection of it. A session that loses its link resumes over
//! the next one: at the same store its pending requests are sent again and answered once, at another store (a
//! higher *term*) it first sends its replicas. A member keeps each of its writes until the store reports that
//! another write replaced it: the writer is the replica of its own acknowledged writes. So a store that
//! starts empty recovers from its members every acknowledged write, as long as each writer is alive.

pub(crate) mod about;
pub(crate) mod auth;
pub(crate) mod frame;
pub(crate) mod limits;

use std::fmt;
use std::sync::Arc;

use mf_base::log::escaped;
use mf_base::{Error, Kind, Rank, Retry};
use mf_tls::HandshakeError;
use serde::{Deserialize, Serialize};

use crate::api::{Awaited, Cause, Change, Contact, Entry, LeaseId, Lifetime, Part, View, ViewChange};
use crate::fields;

/// First message of each side: its versions and identity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct About {
    /// Oldest protocol version it supports.
    pub(crate) oldest: u16,
    /// Newest protocol version it supports.
    pub(crate) newest: u16,
    /// Capabilities beyond that version, one bit each; unknown bits are ignored.
    pub(crate) features: u64,
    /// Its build, for texts.
    pub(crate) build: String,
    /// Its job; empty: any.
    pub(crate) job: String,
}

/// First message of a client.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Hello {
    pub(crate) nonce: [u8; 32],
    pub(crate) about: About,
}

/// First message of a server.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Challenge {
    pub(crate) nonce: [u8; 32],
    pub(crate) about: About,
    /// Random number of this run of this server: a client that was a member of it resumes without sending
    /// replicas.
    pub(crate) store: [u8; 16],
}

/// The rank that a client asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum RankRequest {
    /// The store picks.
    Any,
    /// This one if it is free, else the store picks.
    Prefer(u32),
    /// This one or none.
    Exactly(u32),
    /// No rank: it reads and writes, but is not a member.
    Guest,
    /// The store picks, by address and device, once all members of the world are there.
    Ordered,
}

/// Asks for membership.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Join {
    pub(crate) proof: [u8; 32],
    /// Ranks of the job; 0 from guests.
    pub(crate) world_size: u32,
    pub(crate) wish: RankRequest,
    pub(crate) device: u16,
    /// True if the store runs in the client's process.
    pub(crate) hosts_store: bool,
    /// Longest wait of the client for a rank.
    pub(crate) timeout_us: u64,
    /// Name of the client's host, at most 64 bytes.
    pub(crate) host: String,
    pub(crate) pid: u32,
    /// A random number that only this client and its store know: it is needed to resume this session.
    pub(crate) key: [u8; 16],
    pub(crate) resume: Option<Resume>,
    /// The job token that this client was given before by a store of a job without secret, so that it
    /// survives the store. (With a secret every store derives it.)
    pub(crate) job_token: Option<[u8; 32]>,
}

/// The server's proof, ahead of the [`Welcome`].
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Proved {
    pub(crate) proof: [u8; 32],
}

/// The earlier session of a client that resumes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Resume {
    pub(crate) session: u64,
    /// Its rank. `None`: it was a guest.
    pub(crate) rank: Option<u32>,
    /// The store of that session.
    pub(crate) store: [u8; 16],
    pub(crate) term: u64,
    /// The last standing it received.
    pub(crate) standing: Standing,
    /// The highest revision it has seen.
    pub(crate) revision: u64,
    /// All replies to requests below this sequence number have arrived.
    pub(crate) answered_below: u64,
}

/// Size of the membership, so that a store that takes over knows how many members to wait for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Standing {
    pub(crate) epoch: u64,
    pub(crate) members: u32,
    /// The session of the member that runs the store in its process.
    pub(crate) host_session: Option<u64>,
}

/// Grants membership.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Welcome {
    pub(crate) proof: [u8; 32],
    /// None for guests.
    pub(crate) rank: Option<u32>,
    pub(crate) world_size: u32,
    pub(crate) session: u64,
    pub(crate) job_token: [u8; 32],
    /// The run of the server, as in its challenge.
    pub(crate) store: [u8; 16],
    /// Increases with each store that takes over.
    pub(crate) term: u64,
    pub(crate) standing: Standing,
    /// The store's revision at this moment.
    pub(crate) revision: u64,
}

/// An operation of a member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Request {
    /// See [`Store::set`](crate::Store::set).
    Set {
        key: String,
        #[serde(with = "fields::raw_bytes")]
        value: Vec<u8>,
        lifetime: Lifetime,
    },
    /// See [`Store::get`](crate::Store::get).
    Get { key: String },
    /// See [`Store::wait`](crate::Store::wait).
    Wait { key: String, timeout_us: u64 },
    /// See [`Store::add`](crate::Store::add).
    Add { key: String, delta: i64 },
    /// See [`Store::append`](crate::Store::append).
    Append {
        key: String,
        #[serde(with = "fields::raw_bytes")]
        value: Vec<u8>,
    },
    /// See [`Store::compare_and_swap`](crate::Store::compare_and_swap).
    CompareAndSwap {
        key: String,
        #[serde(with = "fields::optional_raw_bytes")]
        expected: Option<Vec<u8>>,
        #[serde(with = "fields::raw_bytes")]
        new: Vec<u8>,
        lifetime: Lifetime,
    },
    /// See [`Store::delete`](crate::Store::delete).
    Delete { key: String },
    /// See [`Store::list`](crate::Store::list).
    List { prefix: String },
    /// See [`Store::list_page`](crate::Store::list_page).
    ListPage { prefix: String, after: Option<String>, limit: u32 },
    /// See [`Store::watch`](crate::Store::watch) and [`Store::watch_key`](crate::Store::watch_key) (`exact`);
    /// the client picks the number. With `values` the answer holds the entries, for a client that compares
    /// them with its earlier state.
    Watch { watch: u64, prefix: String, exact: bool, values: bool },
    /// See [`Store::watch_members`](crate::Store::watch_members).
    WatchMembers { watch: u64 },
    /// See [`Store::unwatch`](crate::Store::unwatch).
    Unwatch { watch: u64 },
    /// See [`Store::barrier`](crate::Store::barrier), and with a value
    /// [`Store::allgather`](crate::Store::allgather). `after_round` is the last round of that name that
    /// this member has seen the end of.
    Gather {
        name: String,
        members: u32,
        #[serde(with = "fields::optional_raw_bytes")]
        value: Option<Vec<u8>>,
        timeout_us: u64,
        after_round: Option<u64>,
    },
    /// See [`Store::lock`](crate::Store::lock); no timeout: [`Store::try_lock`](crate::Store::try_lock).
    Lock { name: String, timeout_us: Option<u64> },
    /// See [`Store::unlock`](crate::Store::unlock).
    Unlock { name: String },
    /// See [`Store::grant_lease`](crate::Store::grant_lease).
    Grant { ttl_us: u64 },
    /// See [`Store::keep_alive`](crate::Store::keep_alive).
    KeepAlive { lease: LeaseId },
    /// See [`Store::revoke_lease`](crate::Store::revoke_lease).
    Revoke { lease: LeaseId },
    /// See [`Store::view`](crate::Store::view).
    View,
    /// The caller of the earlier request `of` has stopped waiting: unless it has been answered, it is
    /// answered now, and nothing of it is left.
    Withdraw { of: u64 },
    /// See [`Store::contacts`](crate::Store::contacts). Only for stores that [answer it](about::CONTACTS).
    Contacts,
    /// See [`Store::awaited`](crate::Store::awaited). Only for stores that [answer it](about::AWAITED).
    Awaited,
}

impl Request {
    /// Bytes of its contents.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Request::Set { key, value, .. } | Request::Append { key, value } => key.len() + value.len(),
            Request::CompareAndSwap { key, expected, new, .. } => {
                key.len() + expected.as_ref().map_or(0, Vec::len) + new.len()
            }
            Request::Get { key }
            | Request::Wait { key, .. }
            | Request::Add { key, .. }
            | Request::Delete { key } => key.len(),
            Request::List { prefix } | Request::Watch { prefix, .. } => prefix.len(),
            Request::ListPage { prefix, after, .. } => prefix.len() + after.as_ref().map_or(0, String::len),
            Request::Gather { name, value, .. } => name.len() + value.as_ref().map_or(0, Vec::len),
            Request::Lock { name, .. } | Request::Unlock { name } => name.len(),
            Request::WatchMembers { .. }
            | Request::Unwatch { .. }
            | Request::Grant { .. }
            | Request::KeepAlive { .. }
            | Request::Revoke { .. }
            | Request::View
            | Request::Contacts
            | Request::Awaited
            | Request::Withdraw { .. } => 0,
        }
    }
}

/// A request as it travels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RequestMessage {
    /// All replies to requests below this sequence number have arrived: the store may drop them.
    pub(crate) answered_below: u64,
    pub(crate) request: Request,
}

/// A key without its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KnownKey {
    pub(crate) key: String,
    pub(crate) revision: u64,
    pub(crate) owner: Option<u32>,
}

/// The good outcome of a [`Request`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Answer {
    Done,
    Revision(u64),
    Entry(Option<Arc<Entry>>),
    Sum {
        sum: i64,
        revision: u64,
    },
    Appended {
        /// Offset of the piece in the value.
        offset: u64,
        revision: u64,
    },
    Swap(Swapped),
    /// `revision` is `None` if the key did not exist. `remember`: the deleter keeps the deletion until the
    /// store releases it, because others may still hold replicas of values.
    Deleted {
        revision: Option<u64>,
        remember: bool,
    },
    Listing(Listed),
    Page(Paged),
    /// The keys when the watch begins: keys, and entries where the request asked for values.
    Watching {
        revision: u64,
        known: Vec<KnownKey>,
        entries: Vec<Arc<Entry>>,
    },
    /// `parts` is empty after a barrier.
    Gathered(Arc<Round>),
    /// The fencing token. `None`: another member holds it.
    Locked(Option<u64>),
    Lease(LeaseId),
    Revoked(bool),
    View(View),
    Contacts(Vec<Contact>),
    Awaited(Vec<Awaited>),
}

/// A [`Swap`](crate::Swap) as sent: its entries are shared with the store, not copied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Swapped {
    pub(crate) swapped: bool,
    pub(crate) current: Option<Arc<Entry>>,
}

/// A [`Listing`](crate::Listing) as it travels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Listed {
    pub(crate) revision: u64,
    pub(crate) entries: Vec<Arc<Entry>>,
}

/// A [`Page`](crate::Page) as it travels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Paged {
    pub(crate) revision: u64,
    pub(crate) entries: Vec<Arc<Entry>>,
    pub(crate) more: bool,
}

/// A [`Change`] as the store sends it, in the same form on the wire.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) enum Changed {
    Put(Arc<Entry>),
    Removed {
        key: String,
        revision: u64,
        #[serde(with = "fields::optional_rank")]
        owner: Option<Rank>,
        cause: Cause,
    },
}

impl Changed {
    pub(crate) fn key(&self) -> &str {
        match self {
            Changed::Put(entry) => &entry.key,
            Changed::Removed { key, .. } => key,
        }
    }

    /// In the client's form.
    pub(crate) fn to_change(&self) -> Change {
        match self {
            Changed::Put(entry) => Change::Put(Entry::clone(entry)),
            Changed::Removed { key, revision, owner, cause } => {
                Change::Removed { key: key.clone(), revision: *revision, owner: *owner, cause: *cause }
            }
        }
    }
}

/// The end of a barrier or allgather.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Round {
    /// The store's revision at the end of the round, which grew for it.
    pub(crate) round: u64,
    /// Ranks that took part, ordered.
    pub(crate) ranks: Vec<u32>,
    /// Their values in the same order, for an allgather.
    pub(crate) parts: Vec<Part>,
}

/// A member's replica of a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Kept {
    pub(crate) key: String,
    /// The store's revision of this change. Of several replicas the highest revision is right.
    pub(crate) revision: u64,
    pub(crate) what: Memory,
}

/// See [`Kept`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Memory {
    /// The whole value. `Lifetime::Session` means the session of the member that keeps the replica.
    Value {
        #[serde(with = "fields::raw_bytes")]
        bytes: Vec<u8>,
        lifetime: Lifetime,
    },
    /// A part that was appended to the value of a lower revision.
    Piece {
        offset: u64,
        #[serde(with = "fields::raw_bytes")]
        bytes: Vec<u8>,
    },
    /// It was deleted.
    Deletion,
}

/// A message of a client that needs no reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum OneWay {
    /// Part of resuming at another store: replicas, as many messages as needed, each at most 1 MiB or one
    /// key.
    Kept(Vec<Kept>),
    /// Part of resuming: locks I hold, with their fencing numbers.
    Holding(Vec<(String, u64)>),
    /// Part of resuming: leases I was granted, with their times to live in microseconds.
    Leases(Vec<(LeaseId, u64)>),
    /// Part of resuming: the ends of the last rounds I took part in, by name.
    Rounds(Vec<(String, Round)>),
    /// All replicas have been sent.
    Complete,
    /// The answer to [`Notice::Superseded`]: I remember nothing of these keys up to these revisions any more.
    Forgotten(Vec<(String, u64)>),
}

/// A message of the store that answers no request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Notice {
    Standing(Standing),
    /// Others have written these keys since, at these revisions: forget everything older.
    Superseded(Vec<(String, u64)>),
    /// Keep these for a member that has left.
    Keep(Vec<Kept>),
    /// For a watch of the membership.
    View {
        watch: u64,
        change: ViewChange,
    },
    /// The member that runs this store has left the job, so the store ends with its process: when the
    /// connection breaks, that was on purpose. Only for clients that [understand it](about::ENDING).
    Ending,
}

/// Why a client does not become a member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Refusal {
    pub(crate) failure: Failure,
    /// True if a retry may help.
    pub(crate) later: bool,
    /// Address of the leading store, `address:port`, when this one does not lead.
    pub(crate) leader: Option<String>,
}

/// The bad outcome of a request or of joining, as it is sent to the client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    code: i32,
    what: String,
    hint: String,
}

impl Failure {
    /// A failure of this kind, with its text.
    pub fn new(kind: Kind, what: impl Into<String>) -> Self {
        Self { code: kind.code(), what: what.into(), hint: String::new() }
    }

    pub(crate) fn invalid(what: impl Into<String>) -> Self {
        Self::new(Kind::InvalidParam, what)
    }

    /// The failure with its remedy.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }

    pub(crate) fn kind(&self) -> Kind {
        Kind::from_code(self.code).unwrap_or(Kind::Failed)
    }

    pub(crate) fn text(&self) -> &str {
        &self.what
    }

    /// The failure as the error of `operation`.
    pub fn into_error(self, operation: &'static str) -> Error {
        let kind = self.kind();
        // It may be the text of the other side.
        let mut error = Error::new(kind, operation).what(escaped(&self.what));
        if !self.hint.is_empty() {
            error = error.hint(escaped(&self.hint));
        }
        match kind {
            Kind::NotConnected => error.retry(Retry::AfterReconnect),
            _ => error,
        }
    }
}

impl From<HandshakeError> for Failure {
    fn from(error: HandshakeError) -> Self {
        Self::new(error.kind, error.what).hint(error.hint)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&escaped(&self.what))?;
        if self.hint.is_empty() { Ok(()) } else { write!(f, "; {}", escaped(&self.hint)) }
    }
}

/// The error when the two sides have different secrets.
pub(crate) fn secret_differs() -> Failure {
    Failure::invalid("the job secret differs from that of the store")
        .hint("set the same MF_JOB_SECRET or MF_JOB_SECRET_FILE for all members of the job")
}
