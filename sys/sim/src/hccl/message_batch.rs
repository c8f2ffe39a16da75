// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Messages of a rank that go concurrently.

use std::sync::Arc;

use super::collective::check;
use super::communicator::Communicator;
use super::exchange::{Memory, Part, exchange};
use super::format::Format;
use super::order::{Route, queue};
use crate::fault::Outcome;
use crate::memory::Access;
use crate::stream::Stream;

/// A message to or from a rank, checked.
pub struct Message {
    /// True to send it, false to receive it.
    pub is_send: bool,
    /// Address of its memory.
    pub address: u64,
    /// Length in bytes.
    pub bytes: u64,
    /// Type of its elements.
    pub format: Format,
    /// The other rank.
    pub peer: u32,
}

/// Messages of one communicator and stream that go concurrently.
pub struct Batch {
    /// Its communicator.
    pub communicator: Arc<Communicator>,
    /// Its stream.
    pub stream: Arc<Stream>,
    /// Its messages.
    pub messages: Vec<Message>,
    /// Routes of the messages, each once.
    pub routes: Vec<Route>,
    /// Its name in reports.
    pub what: String,
}

impl Batch {
    /// Returns true if the other belongs to the same communicator and stream.
    pub fn goes_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.communicator, &other.communicator) && Arc::ptr_eq(&self.stream, &other.stream)
    }

    /// Takes the messages of the other, behind its own.
    pub fn join(&mut self, other: Self) {
        self.messages.extend(other.messages);
        for route in other.routes {
            if !self.routes.contains(&route) {
                self.routes.push(route);
            }
        }
        self.what = format!("a group of {} messages", self.messages.len());
    }

    /// Queues them.
    ///
    /// # Errors
    /// As [`queue`].
    pub fn issue(self) -> Outcome {
        let Self { communicator, stream, messages, routes, what } = self;
        queue(
            &communicator,
            &stream,
            &routes,
            move || what.clone(),
            move |communicator, _, wait| {
                for message in &messages {
                    let want = if message.is_send { Access::Read } else { Access::ReadWrite };
                    check(communicator, message.address, message.bytes, want)?;
                }
                let mut parts: Vec<Part> = messages
                    .iter()
                    .map(|message| {
                        let make = if message.is_send { Part::send } else { Part::receive };
                        make(message.peer, Memory::Device(message.address), message.bytes, message.format)
                    })
                    .collect();
                exchange(communicator, false, &mut parts, wait)
            },
        )
    }
}
