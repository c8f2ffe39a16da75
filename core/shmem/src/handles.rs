// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Handles: objects that programs name by numbers, `generation << 16 | place + 1`.
//!
//! The lowest free place is reused first, with a new generation. So the number of a destroyed object, an
//! invented one, and one of another PE or another list (generations begin at random) are invalid.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::{Arc, Mutex};

use mf_base::Result;
use mf_base::os::random;
use mf_base::sync::lock;

/// Returns the place of a number; `None` for 0.
#[inline(always)]
pub(crate) fn place_of(number: u64) -> Option<usize> {
    ((number & 0xffff) as usize).checked_sub(1)
}

/// A list of objects. Thread-safe.
pub(crate) struct Handles<T> {
    state: Mutex<HandleList<T>>,
    /// The first place, and the end of all places.
    places: std::ops::Range<usize>,
}

struct HandleList<T> {
    generation: u64,
    /// By place, from the first one: the number, and the object (`None` while it is being made).
    entries: Vec<Option<(u64, Option<Arc<T>>)>>,
    free: BinaryHeap<Reverse<usize>>,
}

impl<T> Handles<T> {
    /// Creates an empty list with at most `limit` places, from `first` on.
    ///
    /// # Errors
    /// `Failed` the kernel has no random numbers.
    pub(crate) fn new(operation: &'static str, first: usize, limit: usize) -> Result<Self> {
        let generation = u64::from(u32::from_ne_bytes(random(operation)?)) + 1;
        let state = HandleList { generation, entries: Vec::new(), free: BinaryHeap::new() };
        Ok(Self { state: Mutex::new(state), places: first..(first + limit).min(0xffff) })
    }

    /// Reserves a place for an object that is being made. Returns its number; `None` if all are taken.
    pub(crate) fn take(&self) -> Option<u64> {
        let mut state = lock(&self.state);
        let place = match state.free.pop() {
            Some(Reverse(place)) => place,
            None => {
                let place = self.places.start + state.entries.len();
                if place >= self.places.end {
                    return None;
                }
                state.entries.push(None);
                place
            }
        };
        state.generation += 1;
        let number = state.generation << 16 | (place as u64 + 1);
        if let Some(entry) = state.entries.get_mut(place - self.places.start) {
            *entry = Some((number, None));
        }
        Some(number)
    }

    /// Stores an object in its reserved place.
    pub(crate) fn put(&self, number: u64, object: Arc<T>) {
        if let Some((_, entry)) = self.entry(&mut lock(&self.state), number) {
            *entry = Some(object);
        }
    }

    /// Returns the object with this number.
    pub(crate) fn get(&self, number: u64) -> Option<Arc<T>> {
        self.entry(&mut lock(&self.state), number)?.1.clone()
    }

    /// Returns the object at a place, with any number.
    pub(crate) fn get_at(&self, place: usize) -> Option<Arc<T>> {
        let state = lock(&self.state);
        state.entries.get(place.checked_sub(self.places.start)?)?.as_ref()?.1.clone()
    }

    /// Frees the place of this number. Returns its object.
    pub(crate) fn remove(&self, number: u64) -> Option<Arc<T>> {
        let mut state = lock(&self.state);
        let object = self.entry(&mut state, number)?.1.take();
        let place = place_of(number)?;
        *state.entries.get_mut(place.checked_sub(self.places.start)?)? = None;
        state.free.push(Reverse(place));
        object
    }

    /// Returns all objects.
    pub(crate) fn all(&self) -> Vec<Arc<T>> {
        let state = lock(&self.state);
        state.entries.iter().flatten().filter_map(|(_, object)| object.clone()).collect()
    }

    /// Removes all objects; their numbers become invalid.
    pub(crate) fn clear(&self) -> Vec<Arc<T>> {
        let mut state = lock(&self.state);
        state.free.clear();
        let gone = std::mem::take(&mut state.entries);
        drop(state);
        gone.into_iter().flatten().filter_map(|(_, object)| object).collect()
    }

    fn entry<'s>(&self, state: &'s mut HandleList<T>, number: u64) -> Option<&'s mut (u64, Option<Arc<T>>)> {
        let place = place_of(number)?.checked_sub(self.places.start)?;
        state.entries.get_mut(place)?.as_mut().filter(|(known, _)| *known == number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_resolve_only_to_live_objects() {
        let list = Handles::new("test", 2, 3).unwrap();
        let numbers: Vec<u64> = std::iter::from_fn(|| list.take()).collect();
        assert_eq!(numbers.iter().map(|number| place_of(*number).unwrap()).collect::<Vec<_>>(), [2, 3, 4]);
        assert!(list.get(numbers[0]).is_none(), "it is being made");
        numbers.iter().for_each(|number| list.put(*number, Arc::new(*number)));
        assert!(numbers.iter().all(|number| list.get(*number).is_some_and(|object| *object == *number)));
        assert_eq!(list.get_at(3).map(|object| *object), Some(numbers[1]));
        for number in [0, 1, 2, 3, numbers[0] ^ 1 << 16, numbers[0] + 7, u64::MAX, numbers[1] & 0xffff] {
            assert!(list.get(number).is_none() && list.remove(number).is_none(), "{number:#x}");
        }
        assert_eq!(list.remove(numbers[1]).map(|object| *object), Some(numbers[1]));
        assert!(list.remove(numbers[1]).is_none() && list.get_at(3).is_none());
        assert_eq!(list.all().len(), 2);
        let reused = list.take().unwrap();
        assert_eq!(place_of(reused), Some(3));
        list.put(reused, Arc::new(0));
        assert!(list.get(numbers[1]).is_none() && list.take().is_none());
        let other = Handles::<u64>::new("test", 2, 3).unwrap();
        let number = other.take().unwrap();
        other.put(number, Arc::new(1));
        assert!(list.get(number).is_none(), "it is of another list");
        assert_eq!(list.clear().len(), 3);
        assert!(list.get(reused).is_none() && list.take().is_some_and(|number| place_of(number) == Some(2)));
    }
}
