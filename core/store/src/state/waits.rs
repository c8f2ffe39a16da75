// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Waits for keys to appear.

use std::collections::{BTreeMap, HashMap};

use super::format::{seconds, timeout};
use super::timers::Timers;
use super::{Caller, Micros};
use crate::protocol::Failure;

#[derive(Clone, Copy)]
struct Waiter {
    entered: Micros,
    deadline: Micros,
}

/// All waits. `due` mirrors `by_key`: one element for each waiter, with its deadline.
#[derive(Default)]
pub(super) struct Waits {
    by_key: HashMap<String, BTreeMap<Caller, Waiter>>,
    due: Timers<(Caller, String)>,
}

impl Waits {
    pub(super) fn enter(&mut self, caller: Caller, key: String, now: Micros, timeout_us: Micros) {
        let waiter = Waiter { entered: now, deadline: now.saturating_add(timeout_us) };
        self.due.insert(waiter.deadline, (caller, key.clone()));
        self.by_key.entry(key).or_default().insert(caller, waiter);
    }

    /// Returns true if there are no waits.
    pub(super) fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }

    /// The waits that end because `key` exists now, with their deadlines.
    pub(super) fn satisfy(&mut self, key: &str) -> Vec<(Caller, Micros)> {
        let Some((key, waiters)) = self.by_key.remove_entry(key) else { return Vec::new() };
        for (caller, waiter) in &waiters {
            self.due.remove(waiter.deadline, (*caller, key.clone()));
        }
        waiters.into_iter().map(|(caller, waiter)| (caller, waiter.deadline)).collect()
    }

    /// The session of a caller has ended.
    pub(super) fn leave(&mut self, key: &str, caller: Caller) {
        let Some(waiters) = self.by_key.get_mut(key) else { return };
        if let Some(waiter) = waiters.remove(&caller) {
            self.due.remove(waiter.deadline, (caller, key.to_owned()));
        }
        if waiters.is_empty() {
            self.by_key.remove(key);
        }
    }

    pub(super) fn next_deadline(&self) -> Option<Micros> {
        self.due.next()
    }

    pub(super) fn expire(&mut self, now: Micros) -> Vec<(Caller, Failure)> {
        let mut late = Vec::new();
        while let Some((caller, key)) = self.due.pop(now) {
            let Some(waiters) = self.by_key.get_mut(&key) else { continue };
            if let Some(waiter) = waiters.remove(&caller) {
                let waited = seconds(now.saturating_sub(waiter.entered));
                late.push((caller, timeout(format!("key \"{key}\" did not appear within {waited}"))));
            }
            if waiters.is_empty() {
                self.by_key.remove(&key);
            }
        }
        late
    }
}
