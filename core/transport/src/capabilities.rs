// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Capabilities of transports.

/// Capabilities of a transport; a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities(u32);

impl Capabilities {
    /// Puts and gets of host memory.
    pub const COPY: Self = Self(1);
    /// Atomics of 32 bits.
    pub const ATOMIC_32: Self = Self(1 << 1);
    /// Atomics of 64 bits.
    pub const ATOMIC_64: Self = Self(1 << 2);
    /// Signals of 32 and 64 bits, and a put followed by one in one operation.
    pub const SIGNAL: Self = Self(1 << 3);
    /// Copies between two other members that do not pass through the caller.
    pub const REMOTE_COPY: Self = Self(1 << 4);
    /// Messages.
    pub const MESSAGE: Self = Self(1 << 5);
    /// Puts and gets with a remote end in device memory.
    pub const DEVICE: Self = Self(1 << 6);
    /// An operation can be given up at its deadline without giving up the connection.
    pub const CANCEL: Self = Self(1 << 7);
    /// Puts of at most [`Transport::eager_bytes`](crate::Transport::eager_bytes), atomics and signals that
    /// are posted to one peer become visible there in the order of the posts. Gets, longer puts and remote
    /// copies have no such order.
    pub const ORDERED: Self = Self(1 << 8);
    /// Blocks at equal distances travel as one operation. Without this they are posted as spans, by the
    /// transport itself: the caller need not care.
    pub const STRIDED: Self = Self(1 << 9);
    /// All of them, with their names.
    pub const ALL: [(Self, &str); 10] = [
        (Self::COPY, "copy"),
        (Self::ATOMIC_32, "atomic-32"),
        (Self::ATOMIC_64, "atomic-64"),
        (Self::SIGNAL, "signal"),
        (Self::REMOTE_COPY, "remote-copy"),
        (Self::MESSAGE, "message"),
        (Self::DEVICE, "device"),
        (Self::CANCEL, "cancel"),
        (Self::ORDERED, "ordered"),
        (Self::STRIDED, "strided"),
    ];

    /// Both sets together.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns true if all of `other` is in this set.
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}
