// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Claim: the right to drive a connection that this process opened, held by a waiting caller or the progress
//! thread.
//!
//! A caller that waits claims it and takes it from the progress thread by asking epoll only for the end of
//! the connection. It stays so after the wait: between two operations of one caller no bytes arrive. The
//! progress thread checks once a tick whether an operation is in flight that no thread drives, and asks for
//! readiness again. A driver that leaves with operations in flight asks for it itself, after it has released
//! its claim; the progress thread that meets a claimed connection does not ask, and reads the claim again
//! after that. So one of them always sees the other.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use mf_base::sync::lock;
use rustix::event::epoll::{self, EventData, EventFlags};

use super::connection::Connection;
use super::shared::Shared;

/// State of the driver, and the readiness requested from epoll: to read, to write.
#[derive(Default)]
pub(super) struct Claim {
    driven: AtomicBool,
    armed: AtomicBool,
    interest: Mutex<(bool, bool)>,
}

impl Claim {
    /// Returns true if a caller drives it.
    pub(super) fn is_driven(&self) -> bool {
        self.driven.load(Ordering::SeqCst)
    }

    /// Returns true if arriving bytes wake the progress thread.
    pub(super) fn is_armed(&self) -> bool {
        self.armed.load(Ordering::SeqCst)
    }
}

impl Connection {
    /// Claims it for a caller that waits.
    pub(super) fn claim(&self, shared: &Shared) -> bool {
        if self.claim.driven.swap(true, Ordering::SeqCst) {
            return false;
        }
        if self.claim.is_armed() {
            self.ask(shared, false, false);
        }
        true
    }

    /// Gives the claim up.
    pub(super) fn release(&self, shared: &Shared) {
        self.receive_all(shared, 0, || true);
        self.claim.driven.store(false, Ordering::SeqCst);
        if self.is_busy() {
            self.ask(shared, true, self.has_unsent());
        }
    }

    /// Sets the events that epoll reports to the progress thread.
    pub(super) fn ask(&self, shared: &Shared, read: bool, write: bool) {
        let Some(channel) = self.channel() else { return };
        let mut interest = lock(&self.claim.interest);
        if self.is_dead() || *interest == (read, write) {
            return;
        }
        let mut flags = EventFlags::RDHUP;
        flags.set(EventFlags::IN, read);
        flags.set(EventFlags::OUT, write);
        if epoll::modify(&shared.core.epoll, channel.socket(), EventData::new_u64(self.id), flags).is_ok() {
            *interest = (read, write);
            self.claim.armed.store(read || write, Ordering::SeqCst);
        }
    }
}
