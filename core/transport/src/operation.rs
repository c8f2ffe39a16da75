// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Operations of a transport.

use mf_base::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::Peer;
use crate::operation_kind::OperationKind;
use crate::span::{Span, bad_range};
use crate::strided::Strided;
use crate::target::SegmentKey;

/// A range in the memory of another member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remote {
    /// The segments that it must lie in.
    pub key: SegmentKey,
    /// Its address, the same in every process.
    pub address: u64,
}

/// Width of an atomic; its address is a multiple of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Width {
    /// 4 bytes.
    W32,
    /// 8 bytes.
    W64,
}

impl Width {
    /// In bytes.
    #[inline]
    pub const fn bytes(self) -> u64 {
        match self {
            Self::W32 => 4,
            Self::W64 => 8,
        }
    }

    /// The part of a value that counts.
    #[inline]
    pub const fn low(self, value: u64) -> u64 {
        match self {
            Self::W32 => value & 0xffff_ffff,
            Self::W64 => value,
        }
    }

    /// Writes the low bytes of a value, as many as the word has.
    ///
    /// # Safety
    /// `to` is valid for writing that many, at any alignment.
    #[inline]
    pub unsafe fn write(self, value: u64, to: *mut u8) {
        match self {
            Self::W32 => {
                let [a, b, c, d, ..] = value.to_le_bytes();
                // SAFETY: passed on to the caller.
                unsafe { to.cast::<[u8; 4]>().write([a, b, c, d]) };
            }
            // SAFETY: passed on to the caller.
            Self::W64 => unsafe { to.cast::<[u8; 8]>().write(value.to_le_bytes()) },
        }
    }
}

/// Operation of an atomic on the old value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// One atomic on an aligned word. Sequentially consistent, also towards other members' atomics on the word,
/// by any route. A word of device memory is read and written by the process that owns it, one change after
/// the other: concurrent accesses by kernels are outside of that order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Atomic {
    /// The operation.
    pub kind: AtomicKind,
    /// Of how many bits.
    pub width: Width,
    /// The operand; of 32 bits the low half counts.
    pub operand: u64,
    /// The value to compare with; only for `CompareSwap`.
    pub compare: u64,
}

/// Operation of a signal on its word.
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
    /// Copies blocks there, as [`Put`](Self::Put) does with spans.
    PutStrided {
        /// The peer's segments.
        key: SegmentKey,
        /// The blocks.
        strided: Strided,
    },
    /// Copies blocks here.
    GetStrided {
        /// The peer's segments.
        key: SegmentKey,
        /// The blocks.
        strided: Strided,
    },
    /// Changes a word there and brings its old value.
    Atomic {
        /// The word.
        at: Remote,
        /// The change.
        atomic: Atomic,
        /// Destination of the old value, as many bytes as the word has, at any alignment; null: not wanted.
        old: *mut u8,
    },
    /// Copies the spans (possibly none) there, then changes the signal: a reader that sees the signal sees
    /// the data.
    Signal {
        /// The peer's segments.
        key: SegmentKey,
        /// May be empty.
        spans: &'a [Span],
        /// The word's address, a multiple of its width, in segments of the same key.
        signal: u64,
        /// The word's width; of 32 bits the low half of the value counts.
        width: Width,
        /// The operation.
        kind: SignalKind,
        /// The operand.
        value: u64,
    },
    /// Copies from the peer's memory to another peer's, without passing through this process.
    Copy {
        /// The source.
        from: Remote,
        /// The receiver; may be this process or the same peer.
        to_peer: Peer,
        /// Its [`address`](crate::Transport::address).
        to_address: &'a [u8],
        /// The destination.
        to: Remote,
        /// Length, at least 1.
        bytes: u64,
    },
}

impl SignalKind {
    /// The atomic that changes the word so.
    #[inline]
    pub const fn atomic(self, width: Width, value: u64) -> Atomic {
        let kind = match self {
            Self::Set => AtomicKind::Swap,
            Self::Add => AtomicKind::Add,
        };
        Atomic { kind, width, operand: value, compare: 0 }
    }
}

impl Operation<'_> {
    /// Returns its kind.
    #[inline]
    pub const fn kind(&self) -> OperationKind {
        match self {
            Self::Put { .. } | Self::PutStrided { .. } => OperationKind::Put,
            Self::Get { .. } | Self::GetStrided { .. } => OperationKind::Get,
            Self::Atomic { .. } => OperationKind::Atomic,
            Self::Signal { .. } => OperationKind::Signal,
            Self::Copy { .. } => OperationKind::Copy,
        }
    }

    /// Returns the number of bytes that it moves.
    #[inline]
    pub fn bytes(&self) -> u64 {
        let sum = |spans: &[Span]| spans.iter().fold(0_u64, |sum, span| sum.saturating_add(span.bytes));
        match *self {
            Self::Put { spans, .. } | Self::Get { spans, .. } => sum(spans),
            Self::PutStrided { strided, .. } | Self::GetStrided { strided, .. } => strided.bytes(),
            Self::Signal { spans, width, .. } => sum(spans).saturating_add(width.bytes()),
            Self::Atomic { atomic, .. } => atomic.width.bytes(),
            Self::Copy { bytes, .. } => bytes,
        }
    }

    /// Returns true if it changes nothing at the peer, and may therefore be repeated.
    #[inline]
    pub const fn is_read(&self) -> bool {
        match self {
            Self::Get { .. } | Self::GetStrided { .. } => true,
            Self::Atomic { atomic, .. } => matches!(atomic.kind, AtomicKind::Fetch),
            _ => false,
        }
    }

    /// Validates the common requirements of an operation that goes to `peer`.
    ///
    /// # Errors
    /// `InvalidParam` an empty list, a range of 0 bytes, at null or beyond the last address, a word that is
    /// not aligned, a copy to a member of another job: the peer that serves it knows only members of its own.
    #[inline]
    pub fn check(&self, peer: Peer) -> Result<()> {
        match self {
            Self::Put { spans: [], .. } | Self::Get { spans: [], .. } => {
                Err(Error::invalid("transport post", "the list of spans is empty"))
            }
            Self::Put { spans, .. } | Self::Get { spans, .. } => spans.iter().try_for_each(Span::check),
            Self::PutStrided { strided, .. } | Self::GetStrided { strided, .. } => strided.check(),
            Self::Signal { spans, signal, width, .. } => {
                aligned(*signal, *width)?;
                spans.iter().try_for_each(Span::check)
            }
            Self::Atomic { at, atomic, .. } => aligned(at.address, atomic.width),
            Self::Copy { to_peer, .. } if to_peer.job != peer.job => Err(two_jobs(peer, *to_peer)),
            Self::Copy { from, to, bytes, .. } => {
                let fits = |at: &Remote| at.address.checked_add(*bytes).is_some();
                if *bytes > 0 && fits(from) && fits(to) {
                    Ok(())
                } else {
                    Err(bad_range(from.address, *bytes))
                }
            }
        }
    }
}

#[inline]
fn aligned(address: u64, width: Width) -> Result<()> {
    if address.is_multiple_of(width.bytes()) { Ok(()) } else { Err(misaligned(address, width)) }
}

#[cold]
fn misaligned(address: u64, width: Width) -> Error {
    Error::invalid("transport post", "the word is not aligned")
        .with("address", format_args!("{address:#x}"))
        .with("bytes", width.bytes())
}

#[cold]
fn two_jobs(from: Peer, to: Peer) -> Error {
    Error::invalid("transport post", "a copy between members of two jobs")
        .with("from_job", from.job)
        .with("to_job", to.job)
        .hint("copy to memory of this process first")
}
