// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Attempt to connect: the state of a connection that is not ready yet.

use std::net::SocketAddr;
use std::os::fd::OwnedFd;
use std::time::Instant;

use rustix::event::epoll;

use crate::process_core::Core;
use crate::secure::Handshake;

/// A connection that is not ready yet.
pub(crate) struct Connecting {
    /// Addresses that were not tried.
    pub(crate) addresses: std::vec::IntoIter<SocketAddr>,
    pub(crate) address: SocketAddr,
    /// `None` while no try is in progress.
    pub(crate) socket: Option<OwnedFd>,
    pub(crate) handshake: Option<Handshake>,
    /// Tries of this address until now.
    pub(crate) tries: u32,
    /// Time of the next try, while none is in progress.
    pub(crate) again: Option<Instant>,
    pub(crate) since: Instant,
    /// Why the earlier addresses failed.
    pub(crate) failures: Vec<String>,
    /// True if another peer has answered at every tried address.
    pub(crate) only_others: bool,
    /// Time until which the peer may still lend a connection; `None`: it lends none.
    pub(crate) loan_until: Option<Instant>,
}

impl Connecting {
    /// Ends the try in progress.
    pub(crate) fn hang_up(&mut self, core: &Core) {
        if let Some(socket) = self.socket.take() {
            let _ = epoll::delete(&core.epoll, &socket);
        }
    }
}
