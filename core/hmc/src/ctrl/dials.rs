// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Dials in progress, which a receiver waits for before the first message of an accepted link.
//!
//! The peer may have accepted such a dial, and have sent messages on it before its own link was complete. The
//! thread that dials may not have bound the link here yet, while another thread has found the accepted one:
//! without the wait that one would receive the later messages first.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Instant;

use mf_base::Result;
use mf_base::sync::{lock, wait_notified_for};

use super::GREETING_TIMEOUT;
use super::table::Peer;
use crate::fair_mutex::Wait;

/// The dials in progress of this process.
#[derive(Default)]
pub(super) struct Dials {
    state: Mutex<DialState>,
    ended: Condvar,
}

#[derive(Default)]
struct DialState {
    last: u64,
    running: Vec<(Peer, u64)>,
}

/// A dial in progress, until it is dropped: then its link is bound, or it failed.
pub(super) struct Dialing {
    dials: Arc<Dials>,
    number: u64,
}

impl Drop for Dialing {
    fn drop(&mut self) {
        lock(&self.dials.state).running.retain(|(_, number)| *number != self.number);
        self.dials.ended.notify_all();
    }
}

impl Dials {
    /// Begins a dial to `peer`.
    pub(super) fn begin(self: &Arc<Self>, peer: Peer) -> Dialing {
        let mut state = lock(&self.state);
        state.last += 1;
        let number = state.last;
        state.running.push((peer, number));
        Dialing { dials: Arc::clone(self), number }
    }

    /// Waits until the dials to `peer` that run now have ended, at most as long as links may cross.
    ///
    /// # Errors
    /// `Timeout` · `Interrupted` of the call that waits.
    pub(super) fn wait(&self, peer: Peer, wait: &mut Wait) -> Result<()> {
        let (mut state, end) = (lock(&self.state), Instant::now() + GREETING_TIMEOUT);
        let last = state.last;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let runs = state.running.iter().any(|(to, number)| *to == peer && *number <= last);
            if !runs || left.is_zero() {
                return Ok(());
            }
            state = wait_notified_for(&self.ended, state, wait.pause().min(left));
            // The program's check is called without a lock.
            drop(state);
            wait.check()?;
            state = lock(&self.state);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use mf_base::Kind;

    use super::super::link::RECV;
    use super::*;

    #[test]
    fn receiver_waits_for_the_dials_of_its_peer() {
        let dials = Arc::new(Dials::default());
        let wait = |peer, limit| dials.wait(Peer::Rank(peer), &mut Wait::new(RECV, limit));
        let (one, two) = (dials.begin(Peer::Rank(1)), dials.begin(Peer::Rank(1)));
        assert!(wait(2, Some(Duration::ZERO)).is_ok());
        drop(one);
        assert_eq!(wait(1, Some(Duration::ZERO)).unwrap_err().kind(), Kind::Timeout);
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| wait(1, None));
            drop(two);
            waits.join().unwrap().unwrap();
        });
        assert!(lock(&dials.state).running.is_empty());
    }
}
