// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Membership events for a callback, on a dedicated thread, so that it may call the pool.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use mf_base::Rank;
use mf_base::sync::lock;

/// A change of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupEvent {
    /// It has joined: copies to and from it work.
    Join,
    /// It has left or died.
    Leave,
}

/// A callback for events.
pub type EventFn = Arc<dyn Fn(Rank, GroupEvent) + Send + Sync>;

/// Hands events to the callback, if there is one.
#[derive(Default)]
pub(super) struct Events(Mutex<Option<Listener>>);

struct Listener {
    sender: Sender<(Rank, GroupEvent)>,
    thread: JoinHandle<()>,
}

impl Events {
    /// Replaces the callback. When this returns the old one does not run any more and never will, unless it
    /// is the caller.
    pub(super) fn set(&self, callback: Option<EventFn>) {
        let listener = callback.and_then(|callback| {
            let (sender, receiver) = channel();
            // The thread ends when the sender is dropped.
            let deliver = move || receiver.into_iter().for_each(|(rank, event)| callback(rank, event));
            match std::thread::Builder::new().name("mf-events".to_owned()).spawn(deliver) {
                Ok(thread) => Some(Listener { sender, thread }),
                Err(error) => {
                    tracing::error!("no thread for group events, there will be none: {error}");
                    None
                }
            }
        });
        let old = std::mem::replace(&mut *lock(&self.0), listener);
        if let Some(Listener { sender, thread }) = old {
            drop(sender);
            if thread.thread().id() != std::thread::current().id() {
                // A panic of the callback was reported when it happened.
                let _ = thread.join();
            }
        }
    }

    pub(super) fn notify(&self, rank: Rank, event: GroupEvent) {
        if let Some(listener) = &*lock(&self.0) {
            // The receiver is dropped only if its callback panicked, which was reported then.
            let _ = listener.sender.send((rank, event));
        }
    }
}
