// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Options of a server.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use mf_tls::Security;

use crate::protocol::limits;
use crate::state::{Limits, Micros};
use crate::timing::Timing;

/// Wait of a store that takes over for its last missing member, if that is the member that ran the former
/// store and died with it.
const RECOVERY_QUIET: Duration = Duration::from_millis(250);
/// Within this time after the start of the server the members of a store that died at its address reconnect:
/// their retries are more frequent.
const HOLD: Duration = Duration::from_millis(300);

/// A connection that has not authenticated by then is dropped. The store does not know its client's timeout:
/// a client on a slow machine needs many seconds. Places are bounded (`unauthenticated.rs`).
const HELLO_LIMIT: Duration = Duration::from_secs(60);

/// Options to start a server.
#[derive(Clone)]
pub struct ServerOptions {
    /// Listen address; port 0 picks a free one.
    pub listen: SocketAddr,
    /// Ranks of the job; 0: the first member decides.
    pub world_size: u32,
    /// Admission and encryption.
    pub security: Arc<Security>,
    /// Timeouts: silence of a host before its connections are cut, wait of a store that takes over for
    /// missing members, time for members to resume, and for ranks to be assigned.
    pub timing: Timing,
    /// This store takes over from no other: members of an earlier one are refused.
    pub skip_recovery: bool,
    /// Name of the job; empty: any.
    pub job: String,
    /// Take over only when more than half of the members of the store before resume.
    pub quorum: bool,
    /// There are no ranks: all clients are guests, as at a meeting point.
    pub guests_only: bool,
    /// Longest time for a connection to authenticate.
    pub hello_limit: Duration,
}

impl ServerOptions {
    /// A store at `listen` with the defaults of all settings.
    pub fn new(listen: SocketAddr, world_size: u32, security: Arc<Security>) -> Self {
        Self {
            listen,
            world_size,
            security,
            timing: Timing::default(),
            skip_recovery: false,
            job: String::new(),
            quorum: false,
            guests_only: false,
            hello_limit: HELLO_LIMIT,
        }
    }

    /// `has_predecessor`: the kernel remembers a listener at the address, or the directory that the store was
    /// elected in an earlier leader.
    pub(super) fn limits(&self, has_predecessor: bool) -> Limits {
        // A store on loopback has members on this host only, where the kernel remembers the store before.
        let is_first = self.listen.ip().is_loopback() && !has_predecessor;
        // With several fixed addresses, this one says nothing of a store that died at another.
        let is_fixed = self.listen.port() != 0 && !self.quorum;
        Limits {
            world_size: self.world_size,
            max_world: mf_base::MAX_WORLD_SIZE,
            rank_window_us: micros(self.timing.rank_window),
            resume_grace_us: micros(self.timing.resume_grace),
            recovery_us: micros(self.timing.lease),
            hold_us: if is_first { 0 } else { micros(HOLD) },
            seems_first: is_fixed && !has_predecessor,
            // The token of the job is derived from it.
            lasting_token: !self.security.secret().is_empty(),
            recovery_quiet_us: micros(RECOVERY_QUIET),
            quorum: self.quorum,
            skip_recovery: self.skip_recovery,
            guests_only: self.guests_only,
            unread_bytes: limits::UNREAD_BYTES,
        }
    }
}

impl fmt::Debug for ServerOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerOptions")
            .field("listen", &self.listen)
            .field("world_size", &self.world_size)
            .field("timing", &self.timing)
            .field("job", &self.job)
            .finish_non_exhaustive()
    }
}

fn micros(time: Duration) -> Micros {
    Micros::try_from(time.as_micros()).unwrap_or(Micros::MAX)
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    #[test]
    fn newcomers_wait_only_if_a_store_may_have_died() {
        let waits = |address: [u8; 4], quorum: bool, has_predecessor: bool| {
            let listen = SocketAddr::from((Ipv4Addr::from(address), 5000));
            let options = ServerOptions { quorum, ..ServerOptions::new(listen, 2, Security::plain()) };
            let limits = options.limits(has_predecessor);
            limits.hold_us > 0 && !limits.seems_first
        };
        let (here, away) = ([127, 0, 0, 1], [192, 0, 2, 1]);
        assert!(!waits(here, false, false) && !waits(away, false, false), "one address, and no record");
        assert!(waits(here, false, true) && waits(away, false, true), "a record of a store before");
        // Several addresses: on one host the kernel knows; on several, the store before may have been at
        // another.
        assert!(!waits(here, true, false) && waits(away, true, false));
    }
}
