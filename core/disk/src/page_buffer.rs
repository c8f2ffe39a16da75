// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Buffer that begins at a page, as direct I/O wants it: a longer vector, used from its first aligned byte.

use crate::disk::PAGE;
use crate::fields::size;

/// Bytes in memory, aligned to a page.
pub(crate) struct PageBuffer {
    memory: Vec<u8>,
    start: usize,
    length: usize,
}

impl PageBuffer {
    /// A buffer of zeros.
    pub(crate) fn zeroed(bytes: u64) -> Self {
        let (length, page) = (size(bytes), size(PAGE));
        let memory = vec![0; length + page];
        let start = memory.as_ptr().align_offset(page).min(page);
        Self { memory, start, length }
    }

    /// Most bytes without a new allocation.
    pub(crate) fn room(&self) -> usize {
        self.memory.len().saturating_sub(size(PAGE))
    }

    /// Changes the length, up to [`room`](Self::room); the bytes stay.
    pub(crate) fn resize(&mut self, bytes: usize) {
        self.length = bytes.min(self.room());
    }

    /// A copy of `bytes`, filled with zeros to a whole page.
    pub(crate) fn copied(bytes: &[u8]) -> Self {
        let mut buffer = Self::zeroed((bytes.len() as u64).next_multiple_of(PAGE));
        if let Some(target) = buffer.bytes_mut().get_mut(..bytes.len()) {
            target.copy_from_slice(bytes);
        }
        buffer
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.memory.get(self.start..self.start + self.length).unwrap_or_default()
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        self.memory.get_mut(self.start..self.start + self.length).unwrap_or_default()
    }
}
