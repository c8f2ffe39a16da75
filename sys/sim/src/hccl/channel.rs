// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A channel from one rank to another: messages in order, each in pieces.
//!
//! Two pieces are in flight at most. Each carries the description of the whole message, so that the receiver
//! detects a mismatch at once. A message without bytes is one empty piece.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of a piece.
pub const PIECE: usize = 64 << 10;

/// A channel, in shared memory.
#[repr(C)]
pub struct Line {
    /// Pieces published, and pieces taken; each written by one side alone.
    sent: AtomicU64,
    taken: AtomicU64,
    pieces: [Piece; 2],
}

#[repr(C)]
struct Piece {
    head: [AtomicU64; 4],
    bytes: UnsafeCell<[u8; PIECE]>,
}

/// Description of the whole message of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// Bytes of the whole.
    pub total: u64,
    /// Type of its elements, by number.
    pub format: u32,
    /// Offset of the piece in the message.
    pub offset: u64,
    /// Bytes of the piece.
    pub bytes: u64,
}

impl Line {
    /// Returns the buffer for the next piece; `None` while the receiver is behind.
    pub fn room(&self) -> Option<*mut u8> {
        let sent = self.sent.load(Ordering::Relaxed);
        // Pairs with `take`: the receiver has read the earlier contents.
        (sent.wrapping_sub(self.taken.load(Ordering::Acquire)) < 2)
            .then(|| self.piece(sent).bytes.get().cast())
    }

    /// Hands over the piece that was written there.
    pub fn publish(&self, message: Message) {
        let sent = self.sent.load(Ordering::Relaxed);
        let words = [message.total, message.format.into(), message.offset, message.bytes];
        for (to, word) in self.piece(sent).head.iter().zip(words) {
            to.store(word, Ordering::Relaxed);
        }
        // Pairs with `front`.
        self.sent.store(sent.wrapping_add(1), Ordering::Release);
    }

    /// The next piece that has come.
    pub fn front(&self) -> Option<(Message, *const u8)> {
        let taken = self.taken.load(Ordering::Relaxed);
        if self.sent.load(Ordering::Acquire) == taken {
            return None;
        }
        let piece = self.piece(taken);
        let [total, format, offset, bytes] =
            [0, 1, 2, 3].map(|word| piece.head[word].load(Ordering::Relaxed));
        let message = Message { total, format: u32::try_from(format).unwrap_or(u32::MAX), offset, bytes };
        Some((message, piece.bytes.get().cast_const().cast()))
    }

    /// That piece has been read.
    pub fn take(&self) {
        let taken = self.taken.load(Ordering::Relaxed);
        self.taken.store(taken.wrapping_add(1), Ordering::Release);
    }

    fn piece(&self, number: u64) -> &Piece {
        &self.pieces[usize::from(number % 2 == 1)]
    }
}
