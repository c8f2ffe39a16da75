// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Core of a process: its epoll, the commands to its progress thread, and its attention to operations in
//! flight. Members and their connections use it; it knows none of them.

use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering, fence};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex};

use mf_base::os::descriptor;
use mf_base::os::service::Health;
use mf_base::sync::lock;
use mf_base::{Error, Result};
use mf_transport::Peer;
use rustix::event::EventfdFlags;
use rustix::event::epoll::{self, EventData, EventFlags};

use crate::copiers::Copiers;
use crate::validity::Validities;

/// Ids below belong to the listeners and the eventfd.
pub(crate) const FIRST_ID: u64 = 1 << 16;

/// Command to the progress thread.
pub(crate) enum Command {
    /// A connection that a member opened has ended; whether it was ready.
    Ended(u64, bool),
    /// The peer of this member has ended, and the connections that it opened.
    Forget(Peer, Peer),
    /// A copy that came in on this accepted connection has ended.
    Copied(u64, u64, Result<()>),
    /// A loan to the peer of this member, of this number (`loans.rs`).
    Lend(Peer, Peer, u64),
    /// A loan for the connection of this id, which waits for one.
    Borrow(u64),
    /// This member leaves: all work for it has ended once this is answered.
    Leave(Peer, SyncSender<()>),
}

/// The parts of a process that all its members and their callers use.
pub(crate) struct Core {
    pub(crate) epoll: OwnedFd,
    wake: OwnedFd,
    commands: Mutex<Vec<Command>>,
    /// The progress thread checks the connections once a tick.
    attentive: AtomicBool,
    pub(crate) closing: AtomicBool,
    pub(crate) copiers: Arc<Copiers>,
    /// Valid connections of other processes.
    pub(crate) validities: Validities,
    /// State of the progress thread.
    pub(crate) health: Health,
}

impl Core {
    /// Makes a core without a thread.
    ///
    /// # Errors
    /// `NoResources` no descriptors left.
    pub(crate) fn new(op: &'static str) -> Result<Self> {
        let failed = |errno| Error::os(op, errno);
        let epoll = descriptor::epoll().map_err(failed)?;
        let wake = descriptor::eventfd(EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).map_err(failed)?;
        epoll::add(&epoll, &wake, EventData::new_u64(0), EventFlags::IN).map_err(failed)?;
        Ok(Self {
            epoll,
            wake,
            commands: Mutex::default(),
            attentive: AtomicBool::new(false),
            closing: AtomicBool::new(false),
            copiers: Arc::default(),
            validities: Validities::default(),
            health: Health::new(),
        })
    }

    /// Issues an id greater than all earlier ones, also of earlier engines.
    pub(crate) fn new_id(&self) -> u64 {
        static NEXT: AtomicU64 = AtomicU64::new(FIRST_ID);
        NEXT.fetch_add(1, Ordering::Relaxed)
    }

    /// Wakes the progress thread.
    pub(crate) fn wake(&self) {
        let _ = rustix::io::write(&self.wake, &1u64.to_ne_bytes());
    }

    /// The progress thread was woken: clears the notification.
    pub(crate) fn woken(&self) {
        let _ = rustix::io::read(&self.wake, &mut [0; 8]);
    }

    /// Sends a command to the progress thread.
    pub(crate) fn command(&self, command: Command) {
        lock(&self.commands).push(command);
        self.wake();
    }

    /// Takes all commands.
    pub(crate) fn commands(&self) -> Vec<Command> {
        std::mem::take(&mut *lock(&self.commands))
    }

    /// Makes sure that the progress thread checks the connections once a tick; operations are in flight.
    pub(crate) fn attend(&self) {
        // In one order with `unattend`: either it sees the posted operation, or we see that it went to sleep.
        fence(Ordering::SeqCst);
        if !self.attentive.load(Ordering::Relaxed) && !self.attentive.swap(true, Ordering::SeqCst) {
            self.wake();
        }
    }

    /// Returns true if the progress thread checks the connections once a tick.
    pub(crate) fn is_attentive(&self) -> bool {
        self.attentive.load(Ordering::SeqCst)
    }

    /// Lets the progress thread sleep unless `is_busy`: operations are in flight.
    pub(crate) fn unattend(&self, is_busy: impl FnOnce() -> bool) {
        self.attentive.store(false, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        if is_busy() {
            self.attentive.store(true, Ordering::SeqCst);
        }
    }
}
