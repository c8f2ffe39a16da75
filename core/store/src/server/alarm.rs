// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Notifies a callback of lost members, on a thread of its own: the event loop must not wait for it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};

use mf_base::os::thread;
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};

use super::OPERATION;

/// Called with the number of the connection and the rank of the member.
pub type LostFn = Arc<dyn Fn(u64, u32) + Send + Sync>;

/// Number of the connection, and rank.
type Broken = (u64, u32);

/// Reporter of broken connections; clones share the callback.
#[derive(Clone, Default)]
pub(super) struct Alarm(Arc<Mutex<Option<Sender<Broken>>>>);

impl Alarm {
    /// Sets the callback in place of an earlier one.
    pub(super) fn set(&self, callback: LostFn) -> Result<()> {
        let (sender, broken) = channel::<Broken>();
        thread::spawn("mf-store-alarm", move || {
            for (link, rank) in broken {
                if catch_unwind(AssertUnwindSafe(|| callback(link, rank))).is_err() {
                    tracing::error!(rank, "the callback for lost members panicked");
                }
            }
        })
        .map_err(|error| {
            Error::new(Kind::NoResources, OPERATION)
                .what("the thread of the callback for lost members could not be started")
                .source(error)
        })?;
        *lock(&self.0) = Some(sender);
        Ok(())
    }

    /// Ends the thread after the last report.
    pub(super) fn end(&self) {
        *lock(&self.0) = None;
    }

    pub(super) fn link_broke(&self, link: u64, rank: u32) {
        if let Some(sender) = &*lock(&self.0) {
            // The thread runs as long as the sender exists.
            let _ = sender.send((link, rank));
        }
    }
}
