// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What can be asked of a transport.

use mf_base::{Error, Result};

use super::Peer;
use super::target::SegmentKey;

/// A range in the memory of another member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remote {
    /// The segments that it must lie in.
    pub key: SegmentKey,
    /// Its address, the same in every process.
    pub address: u64,
}

/// One piece of a put or get: host memory of this process, and an address in the segments of the peer.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// Host memory here; a put only reads it. Never null.
    pub local: *mut u8,
    /// Address there.
    pub address: u64,
    /// Length, at least 1.
    pub bytes: u64,
}

/// Width of an atomic; its address is a multiple of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// 4 bytes.
    W32,
    /// 8 bytes.
    W64,
}

impl Width {
    /// In bytes.
    pub const fn bytes(self) -> u64 {
        match self {
            Self::W32 => 4,
            Self::W64 => 8,
        }
    }
}

/// What an atomic does with the old value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicKind {
    /// Adds the operand; wraps.
    Add,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Replaces it by the operand.
    Swap,
    /// Replaces it by the operand if it equals `compare`.
    CompareSwap,
    /// Reads it.
    Fetch,
}

/// One atomic on an aligned word of host memory. Sequentially consistent, also towards other members' atomics on the word,
/// whichever way they take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Atomic {
    /// What it does.
    pub kind: AtomicKind,
    /// Of how many bits.
    pub width: Width,
    /// The operand; of 32 bits the low half counts.
    pub operand: u64,
    /// What the old value is compared with; only for `CompareSwap`.
    pub compare: u64,
}

/// How a signal changes its word of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignalKind {
    /// Becomes the value.
    Set,
    /// Grows by the value.
    Add,
}

/// An operation on the memory of one peer.
#[derive(Clone, Copy, Debug)]
pub enum Operation<'a> {
    /// Copies every span there, in any order; `spans` is not kept.
    Put {
        /// The peer's segments.
        key: SegmentKey,
        /// At least one.
        spans: &'a [Span],
    },
    /// Copies every span here, in any order.
    Get {
        /// The peer's segments.
        key: SegmentKey,
        /// At least one.
        spans: &'a [Span],
    },
    /// Changes a word there and brings its old value.
    Atomic {
        /// The word.
        at: Remote,
        /// The change.
        atomic: Atomic,
        /// Where the old value goes, zero-extended; null: nobody wants it.
        old: *mut u64,
    },
    /// Copies the spans (possibly none) there, then changes the signal: who sees the signal sees the data.
    Signal {
        /// The peer's segments.
        key: SegmentKey,
        /// May be empty.
        spans: &'a [Span],
        /// The word's address, a multiple of 8, in segments of the same key.
        signal: u64,
        /// How it changes.
        kind: SignalKind,
        /// By what.
        value: u64,
    },
    /// Copies from the peer's memory to another peer's, without passing through this process.
    Copy {
        /// Where it is.
        from: Remote,
        /// Who gets it; may be this process or the same peer.
        to_peer: Peer,
        /// Its [`address`](super::Transport::address).
        to_address: &'a [u8],
        /// Where it goes.
        to: Remote,
        /// Length, at least 1.
        bytes: u64,
    },
}

impl Operation<'_> {
    /// Refuses a copy from `peer` to a member of another job: whoever serves it knows only those of its own.
    pub(super) fn check_job(&self, peer: Peer) -> Result<()> {
        match self {
            Self::Copy { to_peer, .. } if to_peer.job != peer.job => {
                Err(Error::invalid("transport post", "a copy between members of two jobs")
                    .with("from_job", peer.job)
                    .with("to_job", to_peer.job)
                    .hint("copy to memory of this process first"))
            }
            _ => Ok(()),
        }
    }
}
