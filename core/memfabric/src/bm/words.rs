// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Atomic operations and signals on words of a pool.

use mf_smem::bm::{AtomicKind, SignalKind, Width};

use crate::Gva;

/// Atomic operation on a word of a pool, for [`Pool::atomic`](super::Pool::atomic). Words have 8 bytes unless
/// [`narrow`](Self::narrow) says 4; their addresses are multiples of that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Atomic(mf_smem::bm::Atomic);

impl Atomic {
    const fn new(kind: AtomicKind, value: u64, compare: u64) -> Self {
        Self(mf_smem::bm::Atomic { kind, width: Width::W64, operand: value, compare })
    }

    /// Adds; wraps.
    pub const fn add(value: u64) -> Self {
        Self::new(AtomicKind::Add, value, 0)
    }

    /// Bitwise and.
    pub const fn and(value: u64) -> Self {
        Self::new(AtomicKind::And, value, 0)
    }

    /// Bitwise or.
    pub const fn or(value: u64) -> Self {
        Self::new(AtomicKind::Or, value, 0)
    }

    /// Bitwise exclusive or.
    pub const fn xor(value: u64) -> Self {
        Self::new(AtomicKind::Xor, value, 0)
    }

    /// Replaces the word.
    pub const fn swap(value: u64) -> Self {
        Self::new(AtomicKind::Swap, value, 0)
    }

    /// Replaces the word by `new` if it equals `expected`.
    pub const fn compare_and_swap(expected: u64, new: u64) -> Self {
        Self::new(AtomicKind::CompareSwap, new, expected)
    }

    /// Reads the word.
    pub const fn fetch() -> Self {
        Self::new(AtomicKind::Fetch, 0, 0)
    }

    /// The same on a word of 4 bytes; the low halves of operands count.
    #[must_use]
    pub const fn narrow(mut self) -> Self {
        self.0.width = Width::W32;
        self
    }

    pub(super) const fn inner(self) -> mf_smem::bm::Atomic {
        self.0
    }
}

/// Update of a word behind the data of [`Pool::put_signal`](super::Pool::put_signal): a reader that sees it
/// sees the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signal(mf_smem::bm::Signal);

impl Signal {
    /// Sets the word of 8 bytes at `address`, a multiple of 8.
    pub const fn set(address: Gva, value: u64) -> Self {
        Self(mf_smem::bm::Signal { address: address.0, kind: SignalKind::Set, value, width: Width::W64 })
    }

    /// Adds to the word of 8 bytes at `address`, a multiple of 8.
    pub const fn add(address: Gva, value: u64) -> Self {
        Self(mf_smem::bm::Signal { address: address.0, kind: SignalKind::Add, value, width: Width::W64 })
    }

    pub(super) const fn inner(self) -> mf_smem::bm::Signal {
        self.0
    }
}
