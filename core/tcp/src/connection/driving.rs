// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Driving of a connection: claimed by a waiting caller, or by the progress thread.

use super::Connection;
use crate::local_end::LocalEnd;

impl Connection {
    /// Claims it for a caller that waits.
    pub(crate) fn claim(&self, local: &LocalEnd) -> bool {
        if !self.claim.take() {
            return false;
        }
        if self.claim.is_armed() {
            self.ask(local, false, false);
        }
        true
    }

    /// Gives the claim up.
    pub(crate) fn release(&self, local: &LocalEnd) {
        self.receive_all(local, 0, || true);
        self.claim.release();
        if self.is_busy() {
            self.ask(local, true, self.has_unsent());
        }
    }

    /// Sets the events that epoll reports to the progress thread.
    pub(crate) fn ask(&self, local: &LocalEnd, read: bool, write: bool) {
        let Some(channel) = self.channel() else { return };
        self.claim.ask(&local.core, (channel, self.id), (read, write), || self.is_dead());
    }
}
