// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Cards: the keys by which the guests of a meeting point have names ([`GUEST_CARDS`]), and those by which
//! they are reached over the network ([`crate::network_card`]).
//!
//! A card lives with the session that set it, and no other session may write it until that ends: so a name
//! belongs to one guest at a time, and is free again when that guest has left. Cards are no part of a job:
//! they stay when its last member leaves.

use std::sync::Arc;

use mf_base::Kind;

use super::keys::{Holder, Keys, Writer};
use super::{Machine, Micros, SessionId};
use crate::api::Lifetime;
use crate::protocol::{Failure, Request};
use crate::reserved::{GUEST_CARDS, is_guest_card};

impl Machine {
    /// Checks that a request writes no card of another session, and no card that would outlive its session.
    pub(super) fn check_card(&self, writer: Writer, request: &Request) -> Result<(), Failure> {
        let (key, lives_with_guest) = match request {
            Request::Set { key, lifetime, .. } | Request::CompareAndSwap { key, lifetime, .. } => {
                (key, *lifetime == Lifetime::Session)
            }
            Request::Add { key, .. } | Request::Append { key, .. } => (key, false),
            Request::Delete { key } => (key, true),
            _ => return Ok(()),
        };
        let Some(name) = key.strip_prefix(GUEST_CARDS) else { return Ok(()) };
        if !lives_with_guest {
            return Err(Failure::invalid(format!("the card \"{name}\" would not live with its guest")));
        }
        match self.keys.session_of(key) {
            Some(holder) if holder != writer.session => {
                let holder = self.members.get(holder);
                let holder = holder.map_or_else(|| "another guest".to_owned(), |holder| holder.name());
                Err(Failure::new(Kind::Duplicated, format!("the name \"{name}\" is taken by {holder}"))
                    .hint("give every guest a name of its own, or end the present holder"))
            }
            _ => Ok(()),
        }
    }
}

/// A card that stays when a job ends.
pub(super) struct Card {
    name: Arc<str>,
    value: Vec<u8>,
    session: SessionId,
}

impl Keys {
    /// The session to which a key is bound.
    fn session_of(&self, key: &str) -> Option<SessionId> {
        match self.records.get(key)?.hold?.holder {
            Holder::Session(session) => Some(session),
            Holder::Lease(_) => None,
        }
    }

    /// The cards of all guests, which have these sessions.
    pub(super) fn cards(&self, guests: &[SessionId]) -> Vec<Card> {
        let cards = self.records.iter().filter(|(name, _)| is_guest_card(name, guests));
        cards
            .filter_map(|(name, record)| {
                let session = self.session_of(name)?;
                Some(Card { name: Arc::clone(name), value: record.entry.value.clone(), session })
            })
            .collect()
    }

    /// Puts cards back.
    pub(super) fn keep_cards(&mut self, now: Micros, cards: Vec<Card>) {
        for Card { name, value, session } in cards {
            let writer = Writer { session, rank: None };
            // There is more room than before.
            let _ = self.set(now, writer, &name, value, writer.hold(Lifetime::Session));
        }
    }
}
