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

use super::copiers::Copiers;
use super::validity::Validities;

/// Ids below belong to the listeners and the eventfd.
pub(super) const FIRST_ID: u64 = 1 << 16;

/// Command to the progress thread.
pub(super) enum Command {
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
pub(super) struct Core {
    pub(super) epoll: OwnedFd,
    wake: OwnedFd,
    commands: Mutex<Vec<Command>>,
    /// The progress thread checks the connections once a tick.
    attentive: AtomicBool,
    pub(super) closing: AtomicBool,
    pub(super) copiers: Arc<Copiers>,
    /// Valid connections of other processes.
    pub(super) validities: Validities,
    /// State of the progress thread.
    pub(super) health: Health,
}

impl Core {
    /// Makes a core without a thread.
    ///
    /// # Errors
    /// `NoResources` no descriptors left.
    pub(super) fn new(op: &'static str) -> Result<Self> {
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
    pub(super) fn new_id(&self) -> u64 {
        static NEXT: AtomicU64 = AtomicU64::new(FIRST_ID);
        NEXT.fetch_add(1, Ordering::Relaxed)
    }

    /// Wakes the progress thread.
    pub(super) fn wake(&self) {
        let _ = rustix::io::write(&self.wake, &1u64.to_ne_bytes());
    }

    /// The progress thread was woken: clears the notification.
    pub(super) fn woken(&self) {
        let _ = rustix::io::read(&self.wake, &mut [0; 8]);
    }

    /// Sends a command to the progress thread.
    pub(super) fn command(&self, command: Command) {
        lock(&self.commands).push(command);
        self.wake();
    }

    /// Takes all commands.
    pub(super) fn commands(&self) -> Vec<Command> {
        std::mem::take(&mut *lock(&self.commands))
    }

    /// Makes sure that the progress thread checks the connections once a tick; operations are in flight.
    pub(super) fn attend(&self) {
        // In one order with `unattend`: either it sees the posted operation, or we see that it went to sleep.
        fence(Ordering::SeqCst);
        if !self.attentive.load(Ordering::Relaxed) && !self.attentive.swap(true, Ordering::SeqCst) {
            self.wake();
        }
    }

    /// Returns true if the progress thread checks the connections once a tick.
    pub(super) fn is_attentive(&self) -> bool {
        self.attentive.load(Ordering::SeqCst)
    }

    /// Lets the progress thread sleep unless `is_busy`: operations are in flight.
    pub(super) fn unattend(&self, is_busy: impl FnOnce() -> bool) {
        self.attentive.store(false, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        if is_busy() {
            self.attentive.store(true, Ordering::SeqCst);
        }
    }
}
