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

use crate::channel::Channel;
use crate::process_core::Core;

/// State of the driver, and the readiness requested from epoll: to read, to write.
#[derive(Default)]
pub(crate) struct Claim {
    driven: AtomicBool,
    armed: AtomicBool,
    interest: Mutex<(bool, bool)>,
}

impl Claim {
    /// Returns true if a caller drives it.
    pub(crate) fn is_driven(&self) -> bool {
        self.driven.load(Ordering::SeqCst)
    }

    /// Returns true if arriving bytes wake the progress thread.
    pub(crate) fn is_armed(&self) -> bool {
        self.armed.load(Ordering::SeqCst)
    }

    /// Takes the claim. Returns false if another caller has it.
    pub(crate) fn take(&self) -> bool {
        !self.driven.swap(true, Ordering::SeqCst)
    }

    /// Gives the claim up.
    pub(crate) fn release(&self) {
        self.driven.store(false, Ordering::SeqCst);
    }

    /// Sets the events of the connection `id` that epoll reports, unless `is_dead`: to read, to write.
    pub(crate) fn ask(
        &self,
        core: &Core,
        (channel, id): (&Channel, u64),
        (read, write): (bool, bool),
        is_dead: impl FnOnce() -> bool,
    ) {
        let mut interest = lock(&self.interest);
        if is_dead() || *interest == (read, write) {
            return;
        }
        let mut flags = EventFlags::RDHUP;
        flags.set(EventFlags::IN, read);
        flags.set(EventFlags::OUT, write);
        if epoll::modify(&core.epoll, channel.socket(), EventData::new_u64(id), flags).is_ok() {
            *interest = (read, write);
            self.armed.store(read || write, Ordering::SeqCst);
        }
    }
}
