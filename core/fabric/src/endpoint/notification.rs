// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Notifications: messages behind the data.
//!
//! **Problem.** A process that has written to another one wants to notify it; the message must not arrive
//! before the data, and must not get lost silently.
//!
//! **How.** A notification is a put to an address outside of all memory ([`NOTIFICATIONS`]). Its owner, which
//! checks each access, takes the bytes as a message instead, or refuses them. So a notification is
//! acknowledged, refused with a reason and protected as any put is; one that is posted after the
//! acknowledgement of earlier puts comes behind them. It goes over the network also between processes of one
//! host; without a network, the owner is asked over [`link`](mf_net::link), since its grants are for memory,
//! and this is not memory.
//!
//! **Engines.** A notification is a message of the processor. Requested engines apply to data: an accelerator
//! carries no messages, and in-place copies on this host must be announced nevertheless. So a notification
//! takes the transport of copies that are not in place, for any requested engine; nothing warns, and
//! `MF_STRICT_ENGINE=1` refuses no notification. Refused data takes its notification with it.
//!
//! **Rejected.** [`send`](mf_net::Network::send): such a message has no reply, so a sender would
//! not learn that the receiver has no room. A ring in memory of the owner: its writers would need atomics on
//! every route, and a dead writer leaves a hole.

use std::sync::Arc;

use mf_base::sync::rcu;
use mf_base::{Error, Gva, Result};
use mf_device::Locality;
use mf_device::engine::Piece;

use super::peer_resolver::PeerResolver;
use super::{Endpoint, OP, PeerAccess};
use crate::transfer::Until;

/// Address of notifications: beyond all addresses of programs.
pub(super) const NOTIFICATIONS: u64 = 0xffff_f000_0000_0000;
/// Longest notification, in bytes: every transport passes as many on at once.
pub const NOTIFICATION_BYTES_MAX: usize = 8 << 10;

/// Takes notifications of others. Called by threads of transports.
pub trait Receiver: Send + Sync {
    /// A notification; `take` gives its bytes, and is called once or, where they are refused, not at all.
    /// Must not block.
    ///
    /// # Errors
    /// Why it is refused; the sender gets this error.
    fn receive(&self, take: &mut dyn FnMut() -> Vec<u8>) -> Result<()>;
}

impl Endpoint {
    /// Delivers `message` to the receiver of another process; it has it on return. It comes behind earlier
    /// copies of this process to there, for readers that wait for it.
    ///
    /// # Errors
    /// Errors of the receiver · `InvalidParam` 0 bytes, or too many · `NotConnected` the process has ended,
    /// or cannot be reached · `Timeout`. In the last two it may have arrived.
    pub fn notify(&self, to: &PeerAccess, message: &[u8]) -> Result<()> {
        if message.is_empty() || message.len() > NOTIFICATION_BYTES_MAX {
            return Err(Error::invalid(OP, "a notification of 0 bytes, or a long one")
                .with("bytes", message.len())
                .with("most", NOTIFICATION_BYTES_MAX));
        }
        let deadline = self.network.deadlines().after(message.len() as u64);
        if to.remote.is_none()
            && let Some(near) = &to.near
            && let Some(done) = near.put_by_owner(to.key, NOTIFICATIONS, message, deadline)
        {
            return done;
        }
        let member = Arc::clone(to.remote()?.messenger());
        let (devices, local) = (self.devices.clone(), Some(Locality::Host));
        let resolver = PeerResolver { member, is_put: true, devices, local };
        let there = Gva(NOTIFICATIONS).as_ptr();
        let piece = Piece { src: message.as_ptr(), dst: there, bytes: message.len() as u64 };
        // SAFETY: the message lives during the call, which waits, and is only read.
        unsafe { self.lane.copy(&resolver, &rcu::read_lock(), &piece, Until::Done) }
    }
}
