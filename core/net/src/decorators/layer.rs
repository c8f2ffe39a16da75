// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Common part of the decorators of transports: observation of the ends of operations, and forwarding.

use std::sync::Arc;
use std::time::Instant;

use mf_base::Result;
use mf_transport::{Completion, Operation, PeerRoute};

/// Posts an operation as one part of `completion`. `then` gets its result before the completion counts it,
/// and returns the result to count; it is not called when an error is returned.
///
/// # Errors
/// As [`PeerRoute::post`].
///
/// # Safety
/// As [`PeerRoute::post`].
pub(super) unsafe fn post_watched(
    inner: &dyn PeerRoute,
    operation: &Operation<'_>,
    completion: &Arc<Completion>,
    deadline: Instant,
    then: impl FnOnce(Result<()>) -> Result<()> + Send + 'static,
) -> Result<()> {
    completion.begin(1);
    let outer = Arc::clone(completion);
    let own = Arc::new(Completion::relaying_to(completion, move |outcome| outer.end(then(outcome))));
    // Parts may end, and others begin, while it is being posted.
    own.begin(1);
    // SAFETY: the caller's promise holds until `completion` counts the end, which comes after the end of
    // `own`.
    match unsafe { inner.post(operation, &own, deadline) } {
        Ok(()) => {
            own.end(Ok(()));
            Ok(())
        }
        Err(error) => {
            own.abandon();
            completion.withdraw(1);
            Err(error)
        }
    }
}

/// The methods of a [`Transport`](mf_transport::Transport) or [`PeerRoute`] that a decorator passes on to its
/// field `inner`.
macro_rules! hand_through {
    ($($method:ident)*) => {
        $(hand_through!(@ $method);)*
    };
    (@ name) => {
        fn name(&self) -> &'static str {
            self.inner.name()
        }
    };
    (@ capabilities) => {
        fn capabilities(&self) -> mf_transport::Capabilities {
            self.inner.capabilities()
        }
    };
    (@ address) => {
        fn address(&self) -> Vec<u8> {
            self.inner.address()
        }
    };
    (@ introduce) => {
        fn introduce(&self, peer: mf_transport::Peer, address: &[u8]) -> mf_base::Result<()> {
            self.inner.introduce(peer, address)
        }
    };
    (@ reach) => {
        fn reach(&self, peer: mf_transport::Peer) -> mf_base::Result<mf_transport::Reach> {
            self.inner.reach(peer)
        }
    };
    (@ forget) => {
        fn forget(&self, peer: mf_transport::Peer) {
            self.inner.forget(peer);
        }
    };
    (@ lend) => {
        fn lend(&self, peer: mf_transport::Peer) -> mf_base::Result<()> {
            self.inner.lend(peer)
        }

        fn borrow(&self, peer: mf_transport::Peer) -> mf_base::Result<()> {
            self.inner.borrow(peer)
        }
    };
    (@ expose) => {
        unsafe fn expose(
            &self,
            key: mf_transport::SegmentKey,
            regions: &[mf_transport::Region],
        ) -> mf_base::Result<Vec<u8>> {
            // SAFETY: the caller's promise, handed on.
            unsafe { self.inner.expose(key, regions) }
        }
    };
    (@ conceal) => {
        fn conceal(&self, key: mf_transport::SegmentKey) {
            self.inner.conceal(key);
        }
    };
    (@ revoke) => {
        fn revoke(
            &self,
            key: mf_transport::SegmentKey,
            deadline: std::time::Instant,
        ) -> mf_base::Result<()> {
            self.inner.revoke(key, deadline)
        }
    };
    (@ file_gone) => {
        fn file_gone(&self, id: u64) {
            self.inner.file_gone(id);
        }
    };
    (@ attach) => {
        fn attach(
            &self,
            peer: mf_transport::Peer,
            key: mf_transport::SegmentKey,
            description: &[u8],
        ) -> mf_base::Result<()> {
            self.inner.attach(peer, key, description)
        }
    };
    (@ detach) => {
        fn detach(&self, peer: mf_transport::Peer, key: mf_transport::SegmentKey) {
            self.inner.detach(peer, key);
        }
    };
    (@ eager_bytes) => {
        fn finds_holes(&self, reach: &mf_transport::Reach) -> bool {
            self.inner.finds_holes(reach)
        }
        fn eager_bytes(&self) -> u64 {
            self.inner.eager_bytes()
        }
    };
    (@ push) => {
        fn push(&self) {
            self.inner.push();
        }
    };
    (@ peer) => {
        fn peer(&self) -> mf_transport::Peer {
            self.inner.peer()
        }
    };
    (@ wait) => {
        fn wait(&self, completion: &mf_transport::Completion) -> mf_base::Result<()> {
            self.inner.wait(completion)
        }

        fn wait_interruptible(
            &self,
            completion: &mf_transport::Completion,
            left: mf_transport::Left,
        ) -> mf_base::Result<()> {
            self.inner.wait_interruptible(completion, left)
        }
    };
    (@ flush) => {
        fn flush(
            &self,
            peer: Option<mf_transport::Peer>,
            deadline: std::time::Instant,
        ) -> mf_base::Result<()> {
            self.inner.flush(peer, deadline)
        }
    };
    (@ close) => {
        fn close(&self) {
            self.inner.close();
        }
    };
    (@ usage) => {
        fn usage(&self) -> mf_transport::Usage {
            self.inner.usage()
        }
    };
}
pub(super) use hand_through;
