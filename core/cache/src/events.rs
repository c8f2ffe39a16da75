// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Watch of the values that this process removes and evicts: bounded queues of keys.
//!
//! Without a watch, a change costs a load of one flag. A full queue counts lost events: the changes of a
//! process never wait for a reader.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};

use mf_base::Result;
use mf_base::sync::lock;

use crate::atomic_fields::Spot;
use crate::block::{self, Head};
use crate::index::{Index, unless_gone};
use crate::key::KEY_BYTES_MAX;
use crate::memory::Memory;

/// End of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// A program removed it.
    Removed,
    /// It was evicted to make room, in memory or in the index.
    Evicted,
}

/// A value that is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Kind of end.
    pub change: Change,
    /// Its key.
    pub key: Vec<u8>,
}

/// Bounded queue of the values that this process removes and evicts, from [`Cache::watch`]. Ends when
/// dropped.
///
/// [`Cache::watch`]: crate::Cache::watch
#[derive(Debug)]
pub struct Watch(Arc<Mutex<Queue>>);

#[derive(Debug, Default)]
struct Queue {
    events: VecDeque<Event>,
    most: usize,
    lost: u64,
}

impl Watch {
    /// Takes at most `most` events with keys of together at most `most_bytes`, the oldest first; one key has
    /// at most 4096 bytes. Also returns the number of later events that did not fit, counted once the queue
    /// has become empty. **Local**, and does not block.
    pub fn take(&self, most: usize, most_bytes: usize) -> (Vec<Event>, u64) {
        let mut queue = lock(&self.0);
        let fits = |sum: &mut usize, event: &Event| {
            *sum = sum.saturating_add(event.key.len());
            (*sum <= most_bytes).then_some(())
        };
        let count = queue.events.iter().take(most).scan(0, fits).count();
        let events = queue.events.drain(..count).collect();
        let lost = if queue.events.is_empty() { std::mem::take(&mut queue.lost) } else { 0 };
        (events, lost)
    }
}

/// The watches of a member.
#[derive(Default)]
pub(crate) struct Events {
    is_watched: AtomicBool,
    queues: Mutex<Vec<Weak<Mutex<Queue>>>>,
}

impl Events {
    /// Begins a watch with room for `most` events.
    pub(crate) fn watch(&self, most: usize) -> Watch {
        let queue = Queue { most, ..Queue::default() };
        let watch = Watch(Arc::new(Mutex::new(queue)));
        let mut queues = lock(&self.queues);
        queues.push(Arc::downgrade(&watch.0));
        self.is_watched.store(true, Ordering::Relaxed);
        watch
    }

    #[cold]
    fn push(&self, change: Change, mut key: Vec<u8>) {
        let mut queues = lock(&self.queues);
        queues.retain(|queue| queue.strong_count() > 0);
        self.is_watched.store(!queues.is_empty(), Ordering::Relaxed);
        let last = queues.len().saturating_sub(1);
        for (number, queue) in queues.iter().enumerate() {
            let key = if number == last { std::mem::take(&mut key) } else { key.clone() };
            // Its watch may end now.
            let Some(queue) = queue.upgrade() else { continue };
            let mut queue = lock(&queue);
            // After a lost event, later ones are lost, too: the reader learns the place of the gap.
            if queue.lost > 0 || queue.events.len() >= queue.most {
                queue.lost += 1;
            } else {
                queue.events.push_back(Event { change, key });
            }
        }
    }
}

/// The key of a value that is about to go, if there is a watch.
#[must_use]
pub(crate) struct Ending(Option<Vec<u8>>);

impl<M: Memory> Index<'_, M> {
    /// Reads the key of a value that is about to go, if there is a watch.
    ///
    /// # Errors
    /// Errors of the pool.
    #[inline]
    pub(crate) fn ending(&self, block: Spot, head: &Head) -> Result<Ending> {
        if !self.events.is_watched.load(Ordering::Relaxed) {
            return Ok(Ending(None));
        }
        read_key(self.memory, block, head).map(Ending)
    }

    /// Reports that this value has gone.
    #[inline]
    pub(crate) fn ended(&self, change: Change, ending: Ending) {
        if let Some(key) = ending.0 {
            self.events.push(change, key);
        }
    }
}

/// Reads the key of a block. Returns `None` if the block has been reused or is gone.
///
/// # Errors
/// Errors of the pool.
pub(crate) fn read_key<M: Memory>(memory: &M, block: Spot, head: &Head) -> Result<Option<Vec<u8>>> {
    let bytes = usize::try_from(head.holds.key_bytes).unwrap_or(0).min(KEY_BYTES_MAX);
    let mut key = vec![0; bytes];
    let read = unless_gone(memory.read(block::key(block, head.holds), &mut key))?.is_some();
    Ok((read && unless_gone(head.is_intact(memory, block))?.unwrap_or(false)).then_some(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_queue_counts_lost_events_and_goes_on_when_read() {
        let events = Events::default();
        let watch = events.watch(2);
        for number in 0..5 {
            events.push(Change::Evicted, vec![number]);
        }
        let (first, lost) = watch.take(1, 99);
        assert_eq!((first, lost), (vec![Event { change: Change::Evicted, key: vec![0] }], 0));
        events.push(Change::Evicted, vec![5]);
        let (second, lost) = watch.take(9, 99);
        assert_eq!((second[0].key.as_slice(), second.len(), lost), (&[1][..], 1, 4));
        events.push(Change::Removed, vec![6]);
        assert_eq!(watch.take(9, 0), (vec![], 0));
        assert_eq!(watch.take(9, 1), (vec![Event { change: Change::Removed, key: vec![6] }], 0));
        drop(watch);
        events.push(Change::Removed, vec![7]);
        assert!(!events.is_watched.load(Ordering::Relaxed));
    }
}
