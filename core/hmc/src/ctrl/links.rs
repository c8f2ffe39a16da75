// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Link selection: the link that a new one replaces, and the link that a caller uses, also while another
//! takes its place.

use std::sync::Arc;

use mf_base::{Error, Kind, Result, warn_limited};

use super::accept::Server;
use super::link::Link;
use super::table::Peer;
use super::{Control, Same, simultaneous_connect};

impl Control {
    /// Binds a link that was dialled here.
    pub(super) fn bind(&'static self, link: Link) {
        self.take_over(link, &mut || true);
    }

    /// Binds a link, after `send` has sent the last frames of its handshake.
    pub(super) fn take_over(&'static self, link: Link, send: &mut dyn FnMut() -> bool) {
        let peer = link.peer();
        let link = Arc::new(link);
        let another = self.of_another(&link);
        let mut state = self.state.lock();
        // Under the lock, because callers that find the link may write to it.
        if !send() {
            return;
        }
        if let Err(error) = state.server(self).and_then(|server| server.watch(&link)) {
            warn_limited!("the end of a link is noticed by its next use alone: {error}");
        }
        let Some(Same(former)) = state.links.find(peer).cloned() else {
            let _none = state.links.bind(peer, Same(link));
            return;
        };
        let are_two = another.is_some_and(|Same(another)| Arc::ptr_eq(&another, &former));
        let simultaneous_connect::Outcome { stays, goes, is_read_first } =
            simultaneous_connect::decide(&link, &former, are_two);
        if is_read_first {
            goes.replace_by_link(&stays);
        }
        let _former = state.links.bind(peer, Same(stays));
        drop(state);
        if is_read_first {
            goes.pass_on();
        } else {
            goes.end("another took its place");
        }
    }

    /// Finds the link to `peer`, also if it has just connected.
    pub(super) fn find(&self, peer: Peer) -> Option<Arc<Link>> {
        let waiter = {
            let state = self.state.lock();
            match (state.links.find(peer), &state.server) {
                (Some(Same(link)), _) => return Some(Arc::clone(link)),
                (None, Some(server)) if state.is_listening() => server.waiter(),
                (None, _) => return None,
            }
        };
        waiter.wait_for_pending();
        self.state.lock().links.find(peer).map(|Same(link)| Arc::clone(link))
    }

    pub(super) fn find_or_fail(&self, op: &'static str, peer: Peer) -> Result<Arc<Link>> {
        if let Some(link) = self.find(peer) {
            return Ok(link);
        }
        self.state.lock().server.as_ref().map_or(Ok(()), |server| server.check(op))?;
        Err(Error::new(Kind::NotConnected, op)
            .what("no link to this peer")
            .with(peer.word(), peer)
            .hint("it has not connected, or its link has ended; connectCtrl makes one, and connectTo with a connection that is new"))
    }

    /// Calls `body` with a link; drops it if it has ended meanwhile. If another one has crossed it and stays,
    /// `body` is called with that one.
    pub(super) fn with_link<R>(
        &self,
        link: &Arc<Link>,
        mut body: impl FnMut(&Link) -> Result<R>,
    ) -> Result<R> {
        let mut link = Arc::clone(link);
        loop {
            let outcome = body(&link);
            let Err(error) = &outcome else { return outcome };
            let peer = link.peer();
            if link.has_ended() {
                self.state.lock().links.remove_link(peer, &Same(Arc::clone(&link)));
            }
            if error.kind() != Kind::NotConnected || !link.is_passed() {
                return outcome;
            }
            let Some(next) = self.find(peer) else { return outcome };
            link = next;
        }
    }

    /// Drops a link that no caller has used since its peer closed it.
    pub(super) fn forget(&self, link: &Arc<Link>) {
        link.end("the peer has closed it");
        self.state.lock().links.remove_link(link.peer(), &Same(Arc::clone(link)));
    }

    /// Waits until all links that peers have made are known.
    pub(super) fn wait_for_pending(&self) {
        let waiter = {
            let state = self.state.lock();
            state.server.as_ref().filter(|_| state.is_listening()).map(Server::waiter)
        };
        if let Some(waiter) = waiter {
            waiter.wait_for_pending();
        }
    }

    /// Finds the link to `peer`; drops it if the peer has closed it.
    pub(super) fn find_living(&self, peer: Peer) -> Option<Arc<Link>> {
        let mut link = self.find(peer)?;
        if link.is_over() {
            self.wait_for_pending();
            link = self.find(peer)?;
        }
        if link.is_over() {
            link.end("the peer has closed it");
            self.state.lock().links.remove_link(peer, &Same(link));
            return None;
        }
        Some(link)
    }
}
