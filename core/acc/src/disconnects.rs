// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Disconnect callbacks, on separate threads: a callback may block for a minute, connect, send and wait for
//! the answer, which the workers deliver meanwhile.

use std::sync::Arc;
use std::time::Duration;

use mf_base::error_limited;
use mf_base::ops::WorkQueue;
use mf_base::ops::queue::{Call, Limits, Refusal};
use mf_base::os::service;

use crate::link::Link;
use crate::server_state::Inside;

/// Most threads at a time; more links wait for their turn.
const THREADS: usize = 256;

pub(crate) struct Disconnects(WorkQueue<Call>);

impl Default for Disconnects {
    fn default() -> Self {
        Self(WorkQueue::new(Limits {
            name: "mf-acc-broken",
            threads: THREADS,
            width: THREADS,
            waiting: usize::MAX,
            idle: Duration::ZERO,
            calls_program: true,
        }))
    }
}

impl Disconnects {
    /// Queues the callback of a link.
    pub(crate) fn push(&self, link: &Arc<Link>) {
        let ended = Arc::clone(link);
        if let Err((refusal, _)) = self.0.submit(Box::new(move || call(&ended))) {
            if let Refusal::NoThread(error) = refusal {
                error_limited!("no thread for the callback of a broken link: {error}");
            }
            Link::finished(link);
        }
    }

    /// Waits until no callback runs.
    pub(crate) fn wait(&self) {
        self.0.wait();
    }
}

fn call(link: &Arc<Link>) {
    let server = link.server();
    if let Some(handler) = server.handlers.broken().filter(|_| !server.is_stopping()) {
        let _inside = Inside::enter(&server.handlers);
        // The link is finished nevertheless; a panic was logged.
        let _logged = service::catch(|| handler(link));
    }
    Link::finished(link);
}
