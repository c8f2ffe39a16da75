// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Buffers of reads that are used again: a fresh one costs a page fault for each 4 KiB.

use std::sync::Mutex;

use mf_base::sync::lock;

use crate::fields::size;
use crate::page_buffer::PageBuffer;

/// Most bytes that are kept between reads.
const KEPT_BYTES_MAX: usize = 32 << 20;

/// See the module documentation.
#[derive(Default)]
pub(crate) struct Buffers(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    buffers: Vec<PageBuffer>,
    bytes: usize,
}

impl Buffers {
    /// A buffer of this length, with any bytes.
    pub(crate) fn take(&self, bytes: u64) -> PageBuffer {
        let mut kept = lock(&self.0);
        let at = kept.buffers.iter().rposition(|buffer| buffer.room() >= size(bytes));
        let buffer = at.map(|at| kept.buffers.swap_remove(at));
        kept.bytes -= buffer.as_ref().map_or(0, PageBuffer::room);
        drop(kept);
        match buffer {
            Some(mut buffer) => {
                buffer.resize(size(bytes));
                buffer
            }
            None => PageBuffer::zeroed(bytes),
        }
    }

    /// Keeps a buffer for later reads, if there is room.
    pub(crate) fn give(&self, buffer: PageBuffer) {
        let mut kept = lock(&self.0);
        // A smaller one than is needed now makes room.
        while kept.bytes + buffer.room() > KEPT_BYTES_MAX {
            let smaller = kept.buffers.iter().position(|other| other.room() < buffer.room());
            let Some(smaller) = smaller else { return };
            let gone = kept.buffers.swap_remove(smaller);
            kept.bytes -= gone.room();
        }
        kept.bytes += buffer.room();
        kept.buffers.push(buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffer_is_used_again_if_it_is_long_enough() {
        let buffers = Buffers::default();
        let mut buffer = buffers.take(8192);
        buffer.bytes_mut().fill(7);
        buffers.give(buffer);
        let short = buffers.take(4096);
        assert_eq!((short.bytes().len(), short.bytes()[0]), (4096, 7));
        assert_eq!(buffers.take(4096).bytes()[0], 0);
        buffers.give(short);
        assert_eq!(buffers.take(12288).bytes(), vec![0; 12288]);
        assert_eq!(buffers.take(8192).bytes().len(), 8192);
    }

    #[test]
    fn kept_bytes_have_a_bound() {
        let buffers = Buffers::default();
        (0..3).for_each(|_| buffers.give(PageBuffer::zeroed(12 << 20)));
        assert_eq!(lock(&buffers.0).buffers.len(), 2);
        buffers.give(PageBuffer::zeroed(64 << 20));
        buffers.give(PageBuffer::zeroed(16 << 20));
        assert!(lock(&buffers.0).bytes <= KEPT_BYTES_MAX);
        assert_eq!(buffers.take(16 << 20).bytes().len(), 16 << 20);
    }
}
