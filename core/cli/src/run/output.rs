// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Our own standard output and error, written to without ever blocking for long.
//!
//! The descriptors are shared with others (a shell, a pipe's other writers), so they are not set to
//! non-blocking. Instead at most as much is written as `poll` has promised room for.

use std::collections::VecDeque;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use mf_base::{Error, Result};
use rustix::event::PollFlags;
use rustix::io::Errno;

/// Bytes that a pipe accepts without blocking once it polls writable.
const PROMISED_BYTES: usize = 4096;
/// With more than this waiting, no more is read from the ranks: they have to wait for the reader.
const ENOUGH_BYTES: usize = 1 << 20;

/// A descriptor with the bytes that wait for it.
pub(super) struct Outlet {
    fd: OwnedFd,
    waiting: VecDeque<u8>,
    closed: bool,
}

impl Outlet {
    /// An outlet to `file`, through a descriptor of its own.
    ///
    /// # Errors
    /// `Failed` when there is no descriptor left, or the file is closed.
    pub(super) fn new(file: impl AsFd) -> Result<Self> {
        let fd = file.as_fd().try_clone_to_owned();
        let fd = fd.map_err(|error| Error::new(mf_base::Kind::Failed, super::OPERATION).source(error))?;
        Ok(Self { fd, waiting: VecDeque::new(), closed: false })
    }

    /// Takes bytes to write; drops them when there is no reader any more.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        if !self.closed {
            self.waiting.extend(bytes);
        }
    }

    /// True if more can be read from the ranks.
    pub(super) fn has_room(&self) -> bool {
        self.waiting.len() < ENOUGH_BYTES
    }

    /// True if no output waits.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Events to poll for.
    pub(super) fn interest(&self) -> Option<(BorrowedFd<'_>, PollFlags)> {
        (!self.is_empty()).then_some((self.fd.as_fd(), PollFlags::OUT))
    }

    /// Writes a part of what waits, after `poll` reported room. False when there is no reader any more.
    pub(super) fn write(&mut self) -> bool {
        let (front, _) = self.waiting.as_slices();
        let piece = &front[..front.len().min(PROMISED_BYTES)];
        match rustix::io::write(&self.fd, piece) {
            Ok(count) => {
                self.waiting.drain(..count);
                true
            }
            Err(Errno::AGAIN | Errno::INTR) => true,
            Err(_) => {
                self.closed = true;
                self.waiting.clear();
                false
            }
        }
    }
}
