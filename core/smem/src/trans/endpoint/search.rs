// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Look-up of other endpoints by name: they are found, found again when they have come back, and lost.

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use mf_bootstrap::meeting::News;
use mf_fabric::endpoint::PeerAccess;

use super::EndpointInner;
use crate::trans::card::{Card, endpoint_name, guest_name};

/// Longest wait for the store's answer about an endpoint. A store that dies with its endpoint delays no
/// transfer longer.
const STORE_ANSWERS: Duration = Duration::from_secs(3);
/// The same after a transfer has failed because the process is gone, most often with its store: longest time
/// until the caller is notified.
const STORE_ANSWERS_AGAIN: Duration = Duration::from_secs(1);

impl EndpointInner {
    /// Returns the peer of a name. Asks the store if it is unknown.
    pub(in crate::trans) fn found(&self, name: &str) -> Result<Arc<PeerAccess>> {
        self.peers.get(name).map_or_else(|| self.find(name, STORE_ANSWERS), Ok)
    }

    /// Runs `body` with the peer of a name; retries once if that process is gone and another one has the name
    /// now. Returns the peer that `body` succeeded with. `meant`: only this peer.
    pub(in crate::trans) fn with_peer(
        &self,
        name: &str,
        meant: Option<&Arc<PeerAccess>>,
        body: impl Fn(&PeerAccess) -> Result<()>,
    ) -> Result<Arc<PeerAccess>> {
        let known = meant.cloned().or_else(|| self.peers.get(name));
        let (mut reached, mut is_last) = match known {
            Some(reached) => (reached, meant.is_some()),
            None => (self.find(name, STORE_ANSWERS)?, true),
        };
        loop {
            let Err(error) = body(&reached) else { return Ok(reached) };
            let is_gone = error.kind() == Kind::NotConnected;
            if is_gone {
                self.forget_peer(name, &reached);
            }
            if !is_gone || is_last {
                return Err(error_of(error, name));
            }
            // It may have come back under its name.
            let session = reached.peer().session;
            (reached, is_last) = (self.find(name, STORE_ANSWERS_AGAIN)?, true);
            if reached.peer().session == session {
                self.forget_peer(name, &reached);
                return Err(error_of(error, name));
            }
        }
    }

    /// Asks the store for an endpoint; waits at most `longest`. The store may be gone with it.
    #[cold]
    fn find(&self, name: &str, longest: Duration) -> Result<Arc<PeerAccess>> {
        let card = self.guest.lookup_by(&guest_name(name), Instant::now() + longest);
        let found = card
            .map_err(|error| error.with("endpoint", name.escape_debug()))
            .and_then(|card| self.peers.find(name, card, &self.memory, self.network.job(), &self.down));
        found.map_err(|error| match error.kind() {
            Kind::Timeout => error.as_kind(Kind::NotConnected),
            _ => error,
        })
    }

    /// The endpoint is not reached so any more.
    fn forget_peer(&self, name: &str, reached: &Arc<PeerAccess>) {
        if self.peers.remove(name, reached) {
            self.memory.forget(reached);
            self.down.on_gone(name, Some(reached.peer().session));
        }
    }

    pub(super) fn published(&self, guest: &str, card: &[u8]) {
        let Some(name) = endpoint_name(guest).filter(|name| *name != self.name) else { return };
        if let Ok(Some(card)) = Card::decode(card) {
            lock(&self.announced).insert(name.to_owned(), card.session);
            self.down.seen(name, card.session);
        }
    }

    pub(super) fn notified(inner: &Weak<Self>, news: &News) {
        let Some(inner) = inner.upgrade() else { return };
        match news {
            News::Published(card) => inner.published(&card.name, &card.bytes),
            News::Gone { name, .. } => {
                let Some(name) = endpoint_name(name).filter(|name| *name != inner.name) else { return };
                // Transfers may have found the successor before the news of this end came.
                let session = lock(&inner.announced).remove(name);
                if let Some(reached) = inner.peers.get(name)
                    && session.is_none_or(|session| session == reached.peer().session)
                {
                    inner.forget_peer(name, &reached);
                }
                inner.down.on_gone(name, session);
            }
            News::Lost => {}
        }
    }
}

/// Maps the error of a transfer for callers: a peer that does not answer in time is not connected.
pub(super) fn error_of(error: Error, name: &str) -> Error {
    let error = error.with("endpoint", name.escape_debug());
    if error.kind() == Kind::Timeout { error.as_kind(Kind::NotConnected) } else { error }
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, SocketAddr};

    use mf_bootstrap::meeting::{Card as GuestCard, MeetingPoint};
    use mf_store::Cause;
    use mf_tls::Access;
    use mf_transport::SegmentKey;

    use super::*;
    use crate::trans::{Endpoint, Options};

    #[test]
    fn late_news_of_an_end_leave_the_successor_connected() {
        let anywhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let point = MeetingPoint::open(anywhere, &Access::default()).unwrap();
        let url = format!("tcp://{}", point.address());
        let (one, other) = ("127.0.0.1:5001", "127.0.0.1:5002");
        let [here, there] = [one, other].map(|name| Endpoint::create(Options::new(&url, name)).unwrap());
        let mut word = 0_u64;
        let address = (&raw mut word).expose_provenance() as u64;
        there.register(address, 8).unwrap();
        here.write(&7_u64.to_ne_bytes(), other, address).unwrap();
        let known = here.0.peers.get(other).unwrap();
        // The former owner of the name; its end is reported now.
        let former = Card::new(known.peer().session ^ 1, SegmentKey(1)).encode();
        let inner = Arc::downgrade(&here.0);
        let name = guest_name(other);
        EndpointInner::notified(&inner, &News::Published(GuestCard { name: name.clone(), bytes: former }));
        EndpointInner::notified(&inner, &News::Gone { name: name.clone(), cause: Cause::Left });
        assert!(here.0.peers.get(other).is_some_and(|still| Arc::ptr_eq(&still, &known)));
        let own = Card::new(known.peer().session, SegmentKey(1)).encode();
        EndpointInner::notified(&inner, &News::Published(GuestCard { name: name.clone(), bytes: own }));
        EndpointInner::notified(&inner, &News::Gone { name, cause: Cause::Left });
        assert!(here.0.peers.get(other).is_none());
        there.destroy();
    }
}
