// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Handle table: maps opaque numbers of C interfaces to objects.
//!
//! A handle holds an index and a generation, so a stale, made-up or repeated handle is distinguished from a
//! live one without touching its memory. Look-up is a load and a comparison inside a read section
//! ([`super::rcu`]); removal waits for running sections, so an object is never freed under its user.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use super::rcu;
use crate::sync::lock;

/// An opaque number that names an object of a [`SlotTable`]; never 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Handle(pub u64);

/// Marks handles of this library, so that small made-up numbers never match.
const TAG: u64 = 0x4d66 << 48;

struct Node<T> {
    handle: Handle,
    object: Arc<T>,
}

/// A table of at most `N` objects (`N` ≤ 65536). Threads share it when they may share the objects:
///
/// ```compile_fail,E0277
/// # use std::cell::Cell;
/// # use mf_base::sync::slots::SlotTable;
/// fn share(_: impl Sync) {}
/// share(SlotTable::<Cell<u32>, 4>::new());
/// ```
pub struct SlotTable<T, const N: usize> {
    nodes: [AtomicPtr<Node<T>>; N],
    generation: AtomicU32,
    change: Mutex<()>,
    objects: PhantomData<Arc<T>>,
}

impl<T, const N: usize> SlotTable<T, N> {
    /// An empty table.
    pub const fn new() -> Self {
        Self {
            nodes: [const { AtomicPtr::new(std::ptr::null_mut()) }; N],
            generation: AtomicU32::new(0),
            change: Mutex::new(()),
            objects: PhantomData,
        }
    }

    /// Adds an object; `None` when the table is full.
    pub fn insert(&self, object: Arc<T>) -> Option<Handle> {
        let _change = lock(&self.change);
        let index = self.nodes.iter().position(|node| node.load(Ordering::Relaxed).is_null())?;
        let generation = self.generation.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        let handle = Handle(TAG | u64::from(generation) << 16 | index as u64);
        // Release pairs with the acquire in `with`: the object is complete when its handle is found.
        self.nodes[index].store(Box::into_raw(Box::new(Node { handle, object })), Ordering::Release);
        Some(handle)
    }

    /// Runs `f` on the object inside a read section; `None` when the handle names none. `f` should be short
    /// or a copy: removal waits for it. What may have to wait takes a share by [`get`](Self::get).
    #[inline(always)]
    pub fn with<R>(&self, handle: Handle, f: impl FnOnce(&T, rcu::ReadSection<'_>) -> R) -> Option<R> {
        let section = rcu::read_lock();
        let node = self.nodes.get((handle.0 & 0xffff) as usize)?.load(Ordering::Acquire);
        // SAFETY: nodes are freed only after `synchronize`, which waits for this section.
        let node = unsafe { node.as_ref() }?;
        (node.handle == handle).then(|| f(&node.object, section.section()))
    }

    /// A share in the object, for calls that take long or call back.
    pub fn get(&self, handle: Handle) -> Option<Arc<T>> {
        let _section = rcu::read_lock();
        let node = self.nodes.get((handle.0 & 0xffff) as usize)?.load(Ordering::Acquire);
        // SAFETY: nodes are freed only after `synchronize`, which waits for this section.
        let node = unsafe { node.as_ref() }?;
        (node.handle == handle).then(|| Arc::clone(&node.object))
    }

    /// Takes the object out; returns when no `with` runs on it any more. `None` when the handle names none.
    pub fn remove(&self, handle: Handle) -> Option<Arc<T>> {
        let node = {
            let _change = lock(&self.change);
            let slot = self.nodes.get((handle.0 & 0xffff) as usize)?;
            let node = slot.load(Ordering::Acquire);
            // SAFETY: only `remove` frees nodes, and it holds the lock while it takes one out.
            if unsafe { node.as_ref() }?.handle != handle {
                return None;
            }
            slot.store(std::ptr::null_mut(), Ordering::Release);
            node
        };
        rcu::synchronize();
        // SAFETY: the node was made by `insert`, taken out once under the lock, and no section uses it any
        // more.
        let node = unsafe { Box::from_raw(node) };
        Some(node.object)
    }

    /// The handles of all objects, in the order of their slots.
    pub fn handles(&self) -> Vec<Handle> {
        let _section = rcu::read_lock();
        let nodes = self.nodes.iter().map(|node| node.load(Ordering::Acquire));
        // SAFETY: nodes are freed only after `synchronize`, which waits for this section.
        nodes.filter_map(|node| unsafe { node.as_ref() }).map(|node| node.handle).collect()
    }
}

impl<T, const N: usize> Drop for SlotTable<T, N> {
    fn drop(&mut self) {
        for node in &mut self.nodes {
            let node = std::mem::replace(node.get_mut(), std::ptr::null_mut());
            if !node.is_null() {
                // SAFETY: the node was made by `insert` and is still in the table, which has no other user
                // any more.
                drop(unsafe { Box::from_raw(node) });
            }
        }
    }
}

impl<T, const N: usize> Default for SlotTable<T, N> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stale_and_made_up_handles_name_nothing() {
        let table: SlotTable<u32, 4> = SlotTable::new();
        let first = table.insert(Arc::new(1)).unwrap();
        assert_eq!(table.with(first, |n, _| *n), Some(1));
        assert_eq!(table.remove(first).as_deref(), Some(&1));
        let second = table.insert(Arc::new(2)).unwrap();
        for handle in [first, Handle(0), Handle(1), Handle(u64::MAX), Handle(second.0 ^ 1)] {
            assert!(table.with(handle, |_, _| ()).is_none(), "{handle:?}");
            assert!(table.get(handle).is_none());
            assert!(table.remove(handle).is_none());
        }
        assert_eq!(table.handles(), [second]);
    }

    #[test]
    fn a_full_table_refuses() {
        let table: SlotTable<u32, 2> = SlotTable::new();
        assert!(table.insert(Arc::new(1)).is_some());
        assert!(table.insert(Arc::new(2)).is_some());
        assert!(table.insert(Arc::new(3)).is_none());
    }
}
