// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Attempt to connect: the state of a connection that is not ready yet.

use std::net::SocketAddr;
use std::os::fd::OwnedFd;
use std::time::Instant;

use rustix::event::epoll;

use super::process_core::Core;
use super::secure::Handshake;

/// A connection that is not ready yet.
pub(super) struct Connecting {
    /// Addresses that were not tried.
    pub(super) addresses: std::vec::IntoIter<SocketAddr>,
    pub(super) address: SocketAddr,
    /// `None` while no try is in progress.
    pub(super) socket: Option<OwnedFd>,
    pub(super) handshake: Option<Handshake>,
    /// Tries of this address until now.
    pub(super) tries: u32,
    /// Time of the next try, while none is in progress.
    pub(super) again: Option<Instant>,
    pub(super) since: Instant,
    /// Why the earlier addresses failed.
    pub(super) failures: Vec<String>,
    /// True if another peer has answered at every tried address.
    pub(super) only_others: bool,
    /// Time until which the peer may still lend a connection; `None`: it lends none.
    pub(super) loan_until: Option<Instant>,
}

impl Connecting {
    /// Ends the try in progress.
    pub(super) fn hang_up(&mut self, core: &Core) {
        if let Some(socket) = self.socket.take() {
            let _ = epoll::delete(&core.epoll, &socket);
        }
    }
}
