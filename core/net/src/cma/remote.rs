// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Another process of this host: its grants, and copies from and to its memory.
//!
//! Copies go visit by visit ([`copy_loop`]), by calls of the kernel ([`vm_copy`]) or of the
//! engine. Missing grants are requested outside of a visit ([`grant_requests`], [`backings`]).

mod backings;
mod copy_loop;
mod grant_requests;
mod pieces;
mod vm_copy;

use std::collections::HashMap;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;

use mf_base::sync::published::Published;
use mf_base::sync::{lock, rcu};
use mf_base::{Error, Kind, Result, Retry};
use mf_device::Imported;
use mf_transport::{OnDevice, Peer, SegmentKey, Span};

use super::grants::{File, Grants, Held};
use super::page::Page;
use super::wire::Card;
use crate::link::{Asker, ConnectionId};

const OP: &str = "cma";

/// Why a copy ended.
pub(super) enum Stop {
    /// It is to be done by another transport.
    Elsewhere,
    /// It failed.
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// Connection to it, with the shared page.
struct Link {
    connection: ConnectionId,
    page: Page,
    process: Option<OwnedFd>,
}

/// State of its memory.
#[derive(Default)]
struct Known {
    grants: Grants,
    files: HashMap<u64, Arc<File>>,
    /// `None`: this process cannot import it.
    devices: HashMap<u64, Option<Arc<Imported>>>,
}

/// Another process.
pub(super) struct Remote {
    pub(super) peer: Peer,
    pub(super) card: Card,
    /// The reason that its private memory is out of reach; `None` if it is reachable.
    pub(super) refused: Option<String>,
    asker: Asker,
    link: OnceLock<Link>,
    connecting: Mutex<()>,
    /// A copy of the grants of `known`.
    grants: Published<Grants>,
    known: Mutex<Known>,
    is_gone: AtomicBool,
    is_reported: AtomicBool,
    /// When it was seen alive, in microseconds of `begun`.
    seen: AtomicU64,
    begun: Instant,
}

/// A copy.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub(super) key: SegmentKey,
    pub(super) spans: &'a [Span],
    pub(super) is_put: bool,
    /// The mover for an end in device memory.
    pub(super) device: Option<OnDevice<'a>>,
}

impl Remote {
    pub(super) fn new(peer: Peer, card: Card, refused: Option<String>, asker: Asker) -> Self {
        Self {
            peer,
            card,
            refused,
            asker,
            link: OnceLock::new(),
            connecting: Mutex::new(()),
            grants: Published::new(1),
            known: Mutex::default(),
            is_gone: AtomicBool::new(false),
            is_reported: AtomicBool::new(false),
            seen: AtomicU64::new(0),
            begun: Instant::now(),
        }
    }

    /// Its connection, once there is one.
    pub(super) fn connection(&self) -> Option<ConnectionId> {
        self.link.get().map(|link| link.connection)
    }

    /// Ends all copies to it from now on.
    pub(super) fn end(&self) {
        self.is_gone.store(true, Ordering::Release);
        // Invalidates threads' caches of it, too.
        rcu::outdate();
    }

    /// Returns true if its end was not reported before.
    pub(super) fn is_first_report(&self) -> bool {
        !self.is_reported.swap(true, Ordering::AcqRel)
    }

    #[cold]
    fn gone(&self, why: &str) -> Error {
        Error::new(Kind::NotConnected, OP)
            .what(why.to_owned())
            .with("rank", self.peer.rank_fact())
            .with("pid", self.card.pid)
            .retry(Retry::AfterReconnect)
    }

    #[cold]
    fn late(&self) -> Error {
        Error::new(Kind::Timeout, OP)
            .what("the other process does not answer in time")
            .with("rank", self.peer.rank_fact())
            .with("pid", self.card.pid)
    }

    fn check(&self) -> Result<()> {
        if self.is_gone.load(Ordering::Acquire) {
            Err(self.gone("the other process is gone"))
        } else {
            Ok(())
        }
    }

    /// Bytes that it holds.
    pub(super) fn bytes(&self) -> usize {
        let page = if self.link.get().is_some() { usize::try_from(Page::bytes()).unwrap_or(0) } else { 0 };
        size_of::<Self>() + page + lock(&self.known).grants.len() * 2 * size_of::<Held>()
    }
}

/// A length of memory of this process, which fits its addresses.
#[inline(always)]
fn in_memory(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}
