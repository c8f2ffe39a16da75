// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Who waits for which key to appear.

use std::collections::{BTreeMap, HashMap};

use super::{Caller, Micros, SessionId, seconds, timeout};
use crate::protocol::Failure;

struct Waiter {
    ticket: u64,
    caller: Caller,
    entered: Micros,
    deadline: Micros,
}

/// All waits. `due` mirrors `by_key`: one element (deadline, ticket) for each waiter, with its key.
#[derive(Default)]
pub(super) struct Waits {
    by_key: HashMap<String, Vec<Waiter>>,
    due: BTreeMap<(Micros, u64), String>,
    tickets: u64,
}

impl Waits {
    pub(super) fn enter(&mut self, caller: Caller, key: String, now: Micros, timeout_us: Micros) {
        self.tickets += 1;
        let waiter =
            Waiter { ticket: self.tickets, caller, entered: now, deadline: now.saturating_add(timeout_us) };
        self.due.insert((waiter.deadline, waiter.ticket), key.clone());
        self.by_key.entry(key).or_default().push(waiter);
    }

    /// The waits that end because `key` exists now.
    pub(super) fn satisfy(&mut self, key: &str) -> Vec<Caller> {
        let Some(waiters) = self.by_key.remove(key) else { return Vec::new() };
        waiters
            .into_iter()
            .map(|waiter| {
                self.due.remove(&(waiter.deadline, waiter.ticket));
                waiter.caller
            })
            .collect()
    }

    pub(super) fn end(&mut self, session: SessionId) {
        let due = &mut self.due;
        self.by_key.retain(|_, waiters| {
            waiters.retain(|waiter| {
                let stays = waiter.caller.session != session;
                if !stays {
                    due.remove(&(waiter.deadline, waiter.ticket));
                }
                stays
            });
            !waiters.is_empty()
        });
    }

    pub(super) fn next_deadline(&self) -> Option<Micros> {
        self.due.first_key_value().map(|((deadline, _), _)| *deadline)
    }

    pub(super) fn expire(&mut self, now: Micros) -> Vec<(Caller, Failure)> {
        let mut late = Vec::new();
        while let Some(first) = self.due.first_entry() {
            let (deadline, ticket) = *first.key();
            if deadline > now {
                break;
            }
            let key = first.remove();
            let Some(waiters) = self.by_key.get_mut(&key) else { continue };
            if let Some(at) = waiters.iter().position(|waiter| waiter.ticket == ticket) {
                let waiter = waiters.remove(at);
                let waited = seconds(now.saturating_sub(waiter.entered));
                late.push((waiter.caller, timeout(format!("key \"{key}\" did not appear within {waited}"))));
            }
            if waiters.is_empty() {
                self.by_key.remove(&key);
            }
        }
        late
    }
}
