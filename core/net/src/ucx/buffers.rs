// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Pool of idle buffers, so that messages allocate nothing in the long run.

/// Most idle buffers.
const BUFFERS_MAX: usize = 32;

/// Idle buffers.
#[derive(Default)]
pub(super) struct BufferPool(Vec<Vec<u8>>);

impl BufferPool {
    /// Takes a buffer of at least `bytes`, empty.
    pub(super) fn take(&mut self, bytes: usize) -> Vec<u8> {
        let mut buffer = self.0.pop().unwrap_or_default();
        buffer.clear();
        buffer.reserve(bytes);
        buffer
    }

    /// Keeps a buffer for the next user.
    pub(super) fn give_back(&mut self, buffer: Vec<u8>) {
        if buffer.capacity() > 0 && self.0.len() < BUFFERS_MAX {
            self.0.push(buffer);
        }
    }

    /// Leaks the idle buffers, because libucp may still read them.
    pub(super) fn leak(&mut self) {
        self.0.drain(..).for_each(std::mem::forget);
    }

    /// Memory of the buffers.
    pub(super) fn bytes(&self) -> usize {
        self.0.iter().map(Vec::capacity).sum()
    }
}
