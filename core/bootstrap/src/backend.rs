// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A table that a user's program provides: `reg://` stores find their leader through it.
//!
//! The user registers functions that put, get, list and lock ([`register`]); their implementation (a
//! database, a service of the site) is up to the user. We keep one small record there: the leader of the
//! store and a counter as its sign of life ([`directory`]); keys and values of the job stay in the store.
//!
//! | file | what |
//! |---|---|
//! | `directory/record.rs` | the record as text |
//! | `directory/watcher.rs` | whether a leader lives, by one's own clock; pure |
//! | `directory.rs` | finding a leader and becoming one |
//! | `directory/keeper.rs` | staying one: the heartbeat, and the report when it is over |

pub mod directory;
#[cfg(test)]
pub(crate) mod table;

use std::fmt;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};

/// Common prefix of all names of a job without an instance.
const DEFAULT_INSTANCE: &str = "memfabric";

/// Why a backend operation failed: the codes that its functions return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// -3000: it failed for a reason that no other code names.
    Internal,
    /// -3001: an argument is not acceptable.
    Invalid,
    /// -3002: the buffer is too small; never returned by [`Backend`], which reads whole values.
    TooSmall,
    /// -3003: it is not permitted.
    Permission,
    /// -3004: a resource is used up.
    NoResources,
    /// -3005: the entry does not exist.
    NoEntry,
    /// -3006: the lock is held.
    Locked,
    /// -3007: the lock is not held.
    Unlocked,
    /// Any other code.
    Other(i32),
}

impl Fault {
    const KNOWN: [Self; 8] = [
        Self::Internal,
        Self::Invalid,
        Self::TooSmall,
        Self::Permission,
        Self::NoResources,
        Self::NoEntry,
        Self::Locked,
        Self::Unlocked,
    ];

    /// The fault of a code that is not 0.
    pub fn from_code(code: i32) -> Self {
        Self::KNOWN.into_iter().find(|fault| fault.code() == code).unwrap_or(Self::Other(code))
    }

    /// Its code.
    pub const fn code(self) -> i32 {
        match self {
            Self::Internal => -3000,
            Self::Invalid => -3001,
            Self::TooSmall => -3002,
            Self::Permission => -3003,
            Self::NoResources => -3004,
            Self::NoEntry => -3005,
            Self::Locked => -3006,
            Self::Unlocked => -3007,
            Self::Other(code) => code,
        }
    }

    /// Its meaning, as a clause.
    const fn text(self) -> &'static str {
        match self {
            Self::Internal => "it failed internally",
            Self::Invalid => "it refused an argument",
            Self::TooSmall => "it has values that grow while they are read",
            Self::Permission => "it does not permit that",
            Self::NoResources => "it is out of resources",
            Self::NoEntry => "it has no such entry",
            Self::Locked => "the lock is held",
            Self::Unlocked => "the lock is not held",
            Self::Other(_) => "it gave a code that is not in the interface",
        }
    }

    /// The fault as the error of `operation`, which called `step` of the backend with `name`.
    pub fn into_error(self, operation: &'static str, step: &str, name: &str) -> Error {
        let kind = match self {
            Self::Invalid => Kind::InvalidParam,
            Self::NoResources => Kind::NoResources,
            Self::NoEntry => Kind::NotExist,
            Self::Locked => Kind::InUse,
            _ => Kind::Failed,
        };
        Error::new(kind, operation)
            .what(format!("the registered store backend failed to {step}: {}", self.text()))
            .with("name", format!("\"{name}\""))
            .with("backend_code", self.code())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (backend code {})", self.text(), self.code())
    }
}

/// Called by [`Backend::prefix_get`] with each key and value; `false` ends the walk.
pub type Fill<'a> = &'a mut dyn FnMut(&str, &[u8]) -> bool;

/// An open table. Every call may block, and may be made from any thread.
///
/// Names and keys are relative to the prefix that the table was opened with.
pub trait Backend: Send + Sync {
    /// True if other processes see the same table. If not, it only serves a store with all members in one
    /// process.
    fn distributed(&self) -> bool;

    /// Sets a key.
    fn put(&self, key: &str, value: &[u8]) -> Result<(), Fault>;

    /// Reads the value of a key. [`Fault::NoEntry`] if it does not exist.
    fn get(&self, key: &str) -> Result<Vec<u8>, Fault>;

    /// Calls `fill` in lexicographic order with the keys that begin with `prefix` and are greater than
    /// `marker`, until it returns false.
    fn prefix_get(&self, prefix: &str, marker: &str, fill: Fill<'_>) -> Result<(), Fault>;

    /// Removes a key. [`Fault::NoEntry`] if it does not exist.
    fn remove(&self, key: &str) -> Result<(), Fault>;

    /// Blocks until this process holds the lock `name`.
    fn lock(&self, name: &str) -> Result<(), Fault>;

    /// Takes the lock, or gives [`Fault::Locked`] at once.
    fn try_lock(&self, name: &str) -> Result<(), Fault>;

    /// Releases the lock; [`Fault::Unlocked`] when it is not held.
    fn unlock(&self, name: &str) -> Result<(), Fault>;
}

/// Opens tables.
pub trait Provider: Send + Sync {
    /// Opens the table `name`; its keys and locks are under `prefix`.
    fn open(&self, name: &str, prefix: &str) -> Result<Arc<dyn Backend>, Fault>;
}

static PROVIDER: Mutex<Option<Arc<dyn Provider>>> = Mutex::new(None);

/// Registers the provider of tables for `reg://` stores; replaces an earlier one. Tables that are open stay
/// as they are.
pub fn register(provider: Arc<dyn Provider>) {
    let before = lock(&PROVIDER).replace(provider);
    // Its end may run a user's code, which the lock must not see.
    drop(before);
}

/// Opens the table of the job `instance` in the backend at `address`.
///
/// # Errors
/// `InvalidParam` no backend is registered · as [`Fault::into_error`] when it does not open.
pub fn open(address: SocketAddr, instance: &str) -> Result<Arc<dyn Backend>> {
    const OP: &str = "store backend";
    let provider = lock(&PROVIDER).clone();
    let Some(provider) = provider else {
        return Err(Error::invalid(OP, "reg:// stores need backend operations, and none are registered")
            .with("address", address)
            .hint("register the operations of the backend first, in every process"));
    };
    let name = address.to_string();
    let instance = if instance.is_empty() { DEFAULT_INSTANCE } else { instance };
    provider.open(&name, &format!("{instance}/")).map_err(|fault| fault.into_error(OP, "open a table", &name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fault_codes_convert_both_ways() {
        for fault in Fault::KNOWN {
            assert_eq!(Fault::from_code(fault.code()), fault);
        }
        assert_eq!(Fault::from_code(-7), Fault::Other(-7));
        let error = Fault::Permission.into_error("store backend", "write", "LEADER").to_string();
        for part in ["failed to write", "does not permit", "\"LEADER\"", "-3003"] {
            assert!(error.contains(part), "{error}");
        }
    }
}
