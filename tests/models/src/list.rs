// SPDX-License-Identifier: Apache-2.0 OR MIT
//! List of a few entries, in place, so that states are copied fast.

use std::ops::{Deref, DerefMut};

/// At most `N` entries. Free places hold the default, so that equal lists are equal states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct List<T, const N: usize> {
    entries: [T; N],
    count: u8,
}

impl<T: Copy + Default, const N: usize> Default for List<T, N> {
    fn default() -> Self {
        Self { entries: [T::default(); N], count: 0 }
    }
}

impl<T: Copy + Default, const N: usize> List<T, N> {
    /// Adds an entry. Panics if the list is full: the bounds of the model are wrong.
    pub fn push(&mut self, entry: T) {
        self.entries[usize::from(self.count)] = entry;
        self.count += 1;
    }

    /// Keeps the entries that `keeps` accepts.
    pub fn retain(&mut self, keeps: impl Fn(&T) -> bool) {
        let before = *self;
        *self = before.iter().copied().filter(|entry| keeps(entry)).collect();
    }

    /// Removes the first entry.
    pub fn take_first(&mut self) -> Option<T> {
        let first = self.first().copied()?;
        *self = self.iter().skip(1).copied().collect();
        Some(first)
    }
}

impl<T: Copy + Default, const N: usize> FromIterator<T> for List<T, N> {
    fn from_iter<I: IntoIterator<Item = T>>(entries: I) -> Self {
        let mut list = Self::default();
        entries.into_iter().for_each(|entry| list.push(entry));
        list
    }
}

impl<T, const N: usize> Deref for List<T, N> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.entries[..usize::from(self.count)]
    }
}

impl<T, const N: usize> DerefMut for List<T, N> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.entries[..usize::from(self.count)]
    }
}
