// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Slab of items with numbers that are never reused, at addresses that do not change, and without an
//! allocation in the long run.

/// Number of a thing: its place and how often the place was taken. Never 0.
pub(super) type Id = u64;

pub(super) struct Slab<T> {
    entries: Vec<Entry<T>>,
    free: Vec<u32>,
}

struct Entry<T> {
    generation: u32,
    used: bool,
    value: Box<T>,
}

impl<T> Slab<T> {
    pub(super) const fn new() -> Self {
        Self { entries: Vec::new(), free: Vec::new() }
    }

    pub(super) fn insert(&mut self, value: T) -> Id {
        if let Some(index) = self.free.pop()
            && let Some(entry) = self.entries.get_mut(index as usize)
        {
            *entry.value = value;
            entry.used = true;
            return id_of(index, entry.generation);
        }
        // So many operations do not fit into memory.
        let index = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
        self.entries.push(Entry { generation: 1, used: true, value: Box::new(value) });
        id_of(index, 1)
    }

    pub(super) fn get_mut(&mut self, id: Id) -> Option<&mut T> {
        let (index, generation) = parts_of(id);
        let entry = self.entries.get_mut(index as usize)?;
        (entry.used && entry.generation == generation).then_some(&mut *entry.value)
    }

    /// Frees the number; the entry can be read once more.
    pub(super) fn remove(&mut self, id: Id) -> Option<&mut T> {
        let (index, generation) = parts_of(id);
        let entry = self.entries.get_mut(index as usize)?;
        if !entry.used || entry.generation != generation {
            return None;
        }
        entry.used = false;
        entry.generation = entry.generation.wrapping_add(1).max(1);
        self.free.push(index);
        Some(&mut *entry.value)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Id, &T)> {
        (0_u32..)
            .zip(&self.entries)
            .filter(|(_, entry)| entry.used)
            .map(|(index, entry)| (id_of(index, entry.generation), &*entry.value))
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len() - self.free.len()
    }

    /// Memory that it holds.
    pub(super) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry<T>>() + self.entries.len() * (size_of::<T>() + 4)
    }
}

fn id_of(index: u32, generation: u32) -> Id {
    u64::from(generation) << 32 | u64::from(index)
}

#[expect(clippy::cast_possible_truncation, reason = "takes the two halves apart")]
fn parts_of(id: Id) -> (u32, u32) {
    (id as u32, (id >> 32) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stale_slab_number_finds_nothing_and_slots_are_reused() {
        let mut slab = Slab::new();
        let first = slab.insert('a');
        let second = slab.insert('b');
        assert_eq!(slab.remove(first).copied(), Some('a'));
        assert!(slab.remove(first).is_none());
        let third = slab.insert('c');
        assert!(slab.get_mut(first).is_none());
        assert_eq!(slab.get_mut(third).copied(), Some('c'));
        assert_eq!(slab.iter().map(|(_, c)| *c).collect::<String>(), "cb");
        assert_ne!(second, third);
        assert_eq!(slab.len(), 2);
    }
}
