// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Members that come and go, told to a callback on a thread of its own, so that the callback may call the pool.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use mf_base::Rank;

/// What happened to a member.
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
pub(super) struct Events(Mutex<Option<Sender<(Rank, GroupEvent)>>>);

impl Events {
    pub(super) fn set(&self, callback: Option<EventFn>) {
        let sender = callback.and_then(|callback| {
            let (sender, receiver) = channel();
            // The thread ends when the sender is replaced or dropped with the pool.
            let deliver = move || receiver.into_iter().for_each(|(rank, event)| callback(rank, event));
            match std::thread::Builder::new().name("mf-events".to_owned()).spawn(deliver) {
                Ok(_) => Some(sender),
                Err(error) => {
                    tracing::error!("no thread for group events, none will be told: {error}");
                    None
                }
            }
        });
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = sender;
    }

    pub(super) fn tell(&self, rank: Rank, event: GroupEvent) {
        if let Some(sender) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            // The receiver is gone only when its callback panicked, which was reported then.
            let _ = sender.send((rank, event));
        }
    }
}
