// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What client and server say to each other: frames ([`frame`]), messages, and the proof of the job secret ([`auth`]).
//!
//! ```text
//! client                          server
//!   │ connect ───────────────────▶ accept
//!   │ Hello{nonce} ─────────────▶   │        both are sent at once, nobody waits for the other
//!   │ ◀───────────── Challenge{nonce}│
//!   │ Join{proof, world, rank} ──▶  │        proof of the client over both nonces
//!   │ ◀──── Welcome{proof, rank, …} │        proof of the server, or Refused
//!   │ Request(n) ───────────────▶   │
//!   │ ◀──────────── Reply(n), Change │
//!   │ Goodbye ──────────────────▶   │        the server closes
//! ```

pub(crate) mod auth;
pub(crate) mod fields;
pub(crate) mod frame;
pub(crate) mod limits;

use mf_base::{Error, Kind, Retry};
use serde::{Deserialize, Serialize};

use crate::api::{Entry, Lifetime, Listing, Swap};

/// First word of a client.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Hello {
    pub(crate) nonce: [u8; 32],
}

/// First word of a server.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Challenge {
    pub(crate) nonce: [u8; 32],
}

/// Asks for membership.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Join {
    pub(crate) proof: [u8; 32],
    pub(crate) world_size: u32,
    /// None: the server picks.
    pub(crate) rank: Option<u32>,
    pub(crate) device: u16,
    /// Whether the store runs in the client's process.
    pub(crate) hosts_store: bool,
    /// How long the client will wait for a rank.
    pub(crate) timeout_us: u64,
}

/// Grants membership.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Welcome {
    pub(crate) proof: [u8; 32],
    pub(crate) rank: u32,
    pub(crate) world_size: u32,
    pub(crate) session: u64,
    pub(crate) job_token: [u8; 32],
}

/// An operation of a member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Request {
    /// See [`Store::set`](crate::Store::set).
    #[allow(missing_docs)]
    Set {
        key: String,
        #[serde(with = "fields::raw_bytes")]
        value: Vec<u8>,
        lifetime: Lifetime,
    },
    /// See [`Store::get`](crate::Store::get).
    #[allow(missing_docs)]
    Get { key: String },
    /// See [`Store::wait`](crate::Store::wait).
    #[allow(missing_docs)]
    Wait { key: String, timeout_us: u64 },
    /// See [`Store::add`](crate::Store::add).
    #[allow(missing_docs)]
    Add { key: String, delta: i64 },
    /// See [`Store::append`](crate::Store::append).
    #[allow(missing_docs)]
    Append {
        key: String,
        #[serde(with = "fields::raw_bytes")]
        value: Vec<u8>,
    },
    /// See [`Store::compare_and_swap`](crate::Store::compare_and_swap).
    #[allow(missing_docs)]
    CompareAndSwap {
        key: String,
        #[serde(with = "fields::optional_raw_bytes")]
        expected: Option<Vec<u8>>,
        #[serde(with = "fields::raw_bytes")]
        new: Vec<u8>,
        lifetime: Lifetime,
    },
    /// See [`Store::delete`](crate::Store::delete).
    #[allow(missing_docs)]
    Delete { key: String },
    /// See [`Store::list`](crate::Store::list).
    #[allow(missing_docs)]
    List { prefix: String },
    /// See [`Store::watch`](crate::Store::watch); the client picks the number.
    #[allow(missing_docs)]
    Watch { watch: u64, prefix: String },
    /// See [`Store::unwatch`](crate::Store::unwatch).
    #[allow(missing_docs)]
    Unwatch { watch: u64 },
    /// See [`Store::barrier`](crate::Store::barrier).
    #[allow(missing_docs)]
    Barrier { name: String, members: u32, timeout_us: u64 },
}

/// The good outcome of a [`Request`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Answer {
    Done,
    Revision(u64),
    Entry(Option<Entry>),
    Number(i64),
    Length(u64),
    Swap(Swap),
    Deleted(bool),
    Listing(Listing),
}

/// The bad outcome of a [`Request`] or a [`Join`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Failure {
    code: i32,
    what: String,
    hint: String,
}

impl Failure {
    pub(crate) fn new(kind: Kind, what: impl Into<String>) -> Self {
        Self { code: kind.code(), what: what.into(), hint: String::new() }
    }

    pub(crate) fn invalid(what: impl Into<String>) -> Self {
        Self::new(Kind::InvalidParam, what)
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }

    pub(crate) fn kind(&self) -> Kind {
        Kind::ALL.iter().copied().find(|kind| kind.code() == self.code).unwrap_or(Kind::Failed)
    }

    #[cfg(test)]
    pub(crate) fn text(&self) -> &str {
        &self.what
    }

    /// The failure as the error of `operation`.
    pub(crate) fn into_error(self, operation: &'static str) -> Error {
        let kind = self.kind();
        let mut error = Error::new(kind, operation).what(self.what);
        if !self.hint.is_empty() {
            error = error.hint(self.hint);
        }
        match kind {
            Kind::Timeout => error.retry(Retry::Later),
            Kind::NotConnected => error.retry(Retry::AfterReconnect),
            _ => error,
        }
    }
}

/// What a client hears, or finds out, when the two sides have different secrets.
pub(crate) fn secret_differs() -> Failure {
    Failure::invalid("the job secret differs from that of the store")
        .hint("set the same MF_JOB_SECRET or MF_JOB_SECRET_FILE for all members of the job")
}
