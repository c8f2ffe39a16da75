// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Timers: a queue of items ordered by due time.

use std::collections::BTreeSet;

use super::Micros;

/// Things with their deadlines, the earliest first. Looking at it costs nothing when nothing is due.
#[derive(Debug)]
pub(super) struct Timers<T>(BTreeSet<(Micros, T)>);

impl<T: Ord> Default for Timers<T> {
    fn default() -> Self {
        Self(BTreeSet::new())
    }
}

impl<T: Ord> Timers<T> {
    pub(super) fn insert(&mut self, at: Micros, what: T) {
        self.0.insert((at, what));
    }

    pub(super) fn remove(&mut self, at: Micros, what: T) {
        self.0.remove(&(at, what));
    }

    pub(super) fn next(&self) -> Option<Micros> {
        self.0.first().map(|(at, _)| *at)
    }

    /// Removes and returns the first item due at `now`.
    pub(super) fn pop(&mut self, now: Micros) -> Option<T> {
        if self.next()? > now {
            return None;
        }
        self.0.pop_first().map(|(_, what)| what)
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}
