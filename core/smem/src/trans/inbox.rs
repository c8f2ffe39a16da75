// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Inbox of notifications: small messages that arrive after the data, and wait here until the program takes
//! them.
//!
//! The endpoints of one name in a process share one inbox, at any stores. It is bounded, for back-pressure: a
//! notification that finds it full is refused, and its sender gets the error.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};
use std::time::Instant;

use mf_base::ops::mailbox::Bounds;
use mf_base::ops::{EventDescriptor, Mailbox};
use mf_base::os::per_process::PerProcess;
use mf_base::{Error, Kind, Result};
use mf_fabric::endpoint::{NOTIFICATION_BYTES_MAX, Receiver};
use serde::{Deserialize, Serialize};

use super::name::check_name;

const OP: &str = "notification";
/// Longest message of a notification, in bytes.
pub const MESSAGE_BYTES_MAX: usize = 4096;
/// Most notifications that wait to be taken.
pub const NOTIFICATIONS_MAX: usize = 8192;
/// Changes when envelopes change.
const VERSION: u8 = 1;

/// A small message of another endpoint. What that one had written before is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notification {
    /// The name of the endpoint that sent it, in its own words.
    pub from: String,
    /// The message.
    pub message: Vec<u8>,
}

/// A notification on the wire.
#[derive(Serialize, Deserialize)]
struct Envelope<'a> {
    version: u8,
    from: &'a str,
    message: &'a [u8],
}

/// Refuses the length of a message that is too long.
///
/// # Errors
/// `InvalidParam` more than [`MESSAGE_BYTES_MAX`].
pub fn check_message_bytes(bytes: u64) -> Result<()> {
    if bytes <= MESSAGE_BYTES_MAX as u64 {
        return Ok(());
    }
    let error = Error::invalid(OP, "the message is too long").with("bytes", bytes);
    Err(error.with("most", MESSAGE_BYTES_MAX))
}

/// A message to keep, unless it is too long.
pub(super) fn checked_copy(message: Option<&[u8]>) -> Result<Option<Vec<u8>>> {
    let Some(message) = message else { return Ok(None) };
    check_message_bytes(message.len() as u64)?;
    Ok(Some(message.to_vec()))
}

/// A message of the endpoint `from` for the wire.
///
/// # Errors
/// `InvalidParam` too long.
pub(super) fn encode(from: &str, message: &[u8]) -> Result<Vec<u8>> {
    check_message_bytes(message.len() as u64)?;
    let envelope = Envelope { version: VERSION, from, message };
    let bytes = postcard::to_allocvec(&envelope)
        .map_err(|error| Error::new(Kind::Failed, OP).source(error.to_string()))?;
    debug_assert!(bytes.len() <= NOTIFICATION_BYTES_MAX);
    Ok(bytes)
}

fn decode(bytes: &[u8]) -> Result<Notification> {
    let unreadable = || Error::invalid(OP, "cannot decode a notification");
    let (envelope, rest) = postcard::take_from_bytes::<Envelope<'_>>(bytes)
        .map_err(|error| unreadable().source(error.to_string()))?;
    if envelope.version != VERSION || !rest.is_empty() || envelope.message.len() > MESSAGE_BYTES_MAX {
        return Err(unreadable());
    }
    check_name(OP, envelope.from)?;
    Ok(Notification { from: envelope.from.to_owned(), message: envelope.message.to_vec() })
}

/// Inbox of a name.
pub(super) struct Inbox {
    name: String,
    /// All senders share its bound.
    mailbox: Mailbox<(), (), Notification>,
    /// Signalled for notifications, and for transfers of the endpoints.
    pub(super) event: Arc<EventDescriptor>,
}

static INBOXES: PerProcess<BTreeMap<String, Weak<Inbox>>> = PerProcess::new(BTreeMap::new());

impl Inbox {
    /// Returns the inbox of a name; the first call makes it.
    pub(super) fn get_or_create(name: &str) -> Arc<Self> {
        let mut inboxes = INBOXES.lock();
        if let Some(inbox) = inboxes.get(name).and_then(Weak::upgrade) {
            return inbox;
        }
        inboxes.retain(|_, inbox| inbox.strong_count() > 0);
        let inbox = Arc::new(Self {
            name: name.to_owned(),
            mailbox: Mailbox::new(Bounds { messages: NOTIFICATIONS_MAX, bytes: usize::MAX, queues: 1 }),
            event: Arc::default(),
        });
        inboxes.insert(name.to_owned(), Arc::downgrade(&inbox));
        inbox
    }

    /// The oldest one; `None`: none came until the deadline, or before `is_over` said so.
    ///
    /// # Errors
    /// `Interrupted`.
    pub(super) fn take(&self, deadline: Instant, is_over: impl Fn() -> bool) -> Result<Option<Notification>> {
        self.mailbox.take(OP, ((), ()), Some(deadline), is_over)
    }

    /// Wakes waiting threads after an end.
    pub(super) fn wake(&self) {
        self.mailbox.wake();
        self.event.signal();
    }

    /// All that are there.
    pub(super) fn take_all(&self) -> Vec<Notification> {
        self.mailbox.take_all((), ())
    }
}

impl Receiver for Inbox {
    fn receive(&self, take: &mut dyn FnMut() -> Vec<u8>) -> Result<()> {
        let full = |_| {
            Error::new(Kind::NoResources, OP)
                .what("the receiver has no room before its program takes notifications")
                .with("receiver", &self.name)
                .with("most", NOTIFICATIONS_MAX)
        };
        self.mailbox.put(((), ()), 0, || decode(&take()), full)?;
        self.event.signal();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(inbox: &Inbox, bytes: &[u8]) -> Result<()> {
        inbox.receive(&mut || bytes.to_vec())
    }

    #[test]
    fn messages_stay_in_order_and_losses_are_reported() {
        let inbox = Inbox::get_or_create("127.0.0.1:1_order");
        assert!(Arc::ptr_eq(&inbox, &Inbox::get_or_create("127.0.0.1:1_order")));
        for number in 0..NOTIFICATIONS_MAX {
            put(&inbox, &encode("127.0.0.1:2", &number.to_le_bytes()).unwrap()).unwrap();
        }
        let mut was_taken = false;
        let full = inbox.receive(&mut || {
            was_taken = true;
            Vec::new()
        });
        assert!(!was_taken && full.unwrap_err().kind() == Kind::NoResources);
        let first = inbox.take(Instant::now(), || false).unwrap().unwrap();
        assert_eq!((first.from.as_str(), &*first.message), ("127.0.0.1:2", &0_usize.to_le_bytes()[..]));
        put(&inbox, &encode("127.0.0.1:2", b"").unwrap()).unwrap();
        let rest = inbox.take_all();
        assert_eq!((rest.len(), rest.last().unwrap().message.len()), (NOTIFICATIONS_MAX, 0));
        assert!(rest.windows(2).take(NOTIFICATIONS_MAX - 2).all(|pair| pair[0].message != pair[1].message));
        assert_eq!(inbox.take(Instant::now(), || false).unwrap(), None);
    }

    #[test]
    fn malformed_notifications_are_refused() {
        let inbox = Inbox::get_or_create("127.0.0.1:1_refused");
        let good = encode("127.0.0.1:2", &[7; MESSAGE_BYTES_MAX]).unwrap();
        assert!(encode("127.0.0.1:2", &[7; MESSAGE_BYTES_MAX + 1]).is_err());
        let longer = [&good[..], b"x"].concat();
        let shorter = &good[..good.len() - 1];
        let other_version = [&[9], &good[1..]].concat();
        let no_name = encode("nobody", b"x").unwrap();
        for bad in [&longer[..], shorter, &other_version, &no_name, &[0; 100], b""] {
            assert_eq!(put(&inbox, bad).unwrap_err().kind(), Kind::InvalidParam);
        }
        // Nor do other bytes do any harm.
        let (mut dice, mut any) = (1_u64, good[..200].to_vec());
        for _ in 0..20_000 {
            dice = dice.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            let [place, byte, length, ..] = dice.to_be_bytes();
            any[usize::from(place) % 200] = byte;
            let _ = put(&inbox, &any[..usize::from(length) % 200]);
        }
        inbox.take_all();
        put(&inbox, &good).unwrap();
        assert_eq!(inbox.take_all().len(), 1);
    }
}
