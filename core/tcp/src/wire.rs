// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Frames: a header of fixed length, then a payload of bounded length, then a checksum if one was agreed on.
//!
//! All numbers are little-endian. Header: kind 1, flags 1, detail 2, payload length 4, sequence 8, key 8,
//! address 8, extra 8.
//!
//! | frame | sequence | key, address | extra | detail | payload |
//! |---|---|---|---|---|---|
//! | hello | version | magic | number of a [loan](crate::loans) | 1: a loan | |
//! | put | operation | destination | length of all that must lie in one segment, 0: of the payload | | the bytes |
//! | get | operation | source | length | | |
//! | put strided | operation | the first block | stride | | length of a block 4, from here to the end of all that must lie in one segment 8, whole blocks |
//! | get strided | operation | the first block | stride | | length of a block 4, number of blocks 8 |
//! | atomic | operation | the word | operand | kind, width | value to compare with, 8 bytes |
//! | signal | operation | the word | value | 1: add, else set; 2: 32 bits, else 64 | |
//! | copy | copy | source | length | | [`CopyOrder`] |
//! | message | | | | | the message |
//! | close, from either end | | | | 1: the sending member ends, too | |
//! | lend | number of the loan | | | | |
//! | valid | own number of the connection | address: scope of the numbers | first number not yet issued | | [live numbers](crate::validity), 8 each |
//! | ack | last operation that is done | | | | |
//! | data | operation | address: offset in the get | | | the bytes |
//! | old | operation | | value | | |
//! | error | operation or copy | | code | 1: a copy | text |
//! | copied | copy | | | | |
//!
//! Put, get, their strided forms, atomic and signal count in one sequence for each connection, and are served
//! in it. Every one of them ends by an ack that names it or a later one; its error, data or old value comes
//! before. Copies take longer and have a sequence of their own.

mod operations;

use crate::malformed::Malformed;
use crate::validity::MOST as NUMBERS_MAX;

use mf_transport::{Atomic, MESSAGE_BYTES_MAX, SignalKind, Width};
use operations::{COPY_FIXED, atomic_of, number};
pub(crate) use operations::{CopyOrder, atomic_detail, signal_detail};

/// Bytes of a header.
pub(crate) const HEADER: usize = 40;
/// Longest payload that is handled inside the receive buffer; longer ones go straight to their place.
pub(crate) const INLINE_MAX: usize = 16 << 10;
/// Longest payload of one frame.
pub(crate) const CHUNK_MAX: usize = 4 << 20;
/// Bytes of a checksum.
pub(crate) const CHECKSUM: usize = 4;
/// Length of the layout in a frame of blocks.
pub(crate) const SHAPE: usize = 12;
/// Longest text of an error.
pub(crate) const TEXT_MAX: usize = 2 << 10;
/// Longest address of the third process of a copy.
pub(crate) const ADDRESS_MAX: usize = 8 << 10;
const VERSION: u64 = 2;
const MAGIC: u64 = u64::from_le_bytes(*b"mf-tcp\r\n");

/// Of a hello: its sender serves this connection, and the other end asks on it.
pub(crate) const LENT: u16 = 1;
/// In `detail` of a close: the sending member ends.
const LEAVES: u16 = 1;
/// More frames of the same operation follow.
pub(crate) const MORE: u8 = 1;
/// A CRC-32C follows the payload.
pub(crate) const SUMMED: u8 = 2;

const _: () = assert!(MESSAGE_BYTES_MAX <= INLINE_MAX && ADDRESS_MAX + COPY_FIXED <= INLINE_MAX);
const _: () = assert!(8 * NUMBERS_MAX <= INLINE_MAX);

/// Kind of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Hello = 1,
    Put,
    Get,
    Atomic,
    Signal,
    Copy,
    Message,
    Close,
    PutStrided,
    GetStrided,
    Lend,
    Valid,
    Ack = 16,
    Data,
    Old,
    Error,
    Copied,
}

impl Kind {
    const ALL: [Self; 17] = [
        Self::Hello,
        Self::Put,
        Self::Get,
        Self::Atomic,
        Self::Signal,
        Self::Copy,
        Self::Message,
        Self::Close,
        Self::PutStrided,
        Self::GetStrided,
        Self::Lend,
        Self::Valid,
        Self::Ack,
        Self::Data,
        Self::Old,
        Self::Error,
        Self::Copied,
    ];

    fn of(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as u8 == code)
    }

    /// Shortest and longest payload.
    const fn payload(self) -> (usize, usize) {
        match self {
            Self::Put | Self::Data => (1, CHUNK_MAX),
            Self::PutStrided => (SHAPE + 1, INLINE_MAX),
            Self::GetStrided => (SHAPE, SHAPE),
            Self::Atomic => (8, 8),
            Self::Copy => (COPY_FIXED, COPY_FIXED + ADDRESS_MAX),
            Self::Message => (1, MESSAGE_BYTES_MAX),
            Self::Error => (0, TEXT_MAX),
            Self::Valid => (8, 8 * NUMBERS_MAX),
            Self::Hello
            | Self::Get
            | Self::Signal
            | Self::Close
            | Self::Lend
            | Self::Ack
            | Self::Old
            | Self::Copied => (0, 0),
        }
    }

    /// Returns the flags that are allowed in this frame.
    const fn flags(self) -> u8 {
        match self {
            Self::Put | Self::PutStrided | Self::Data => MORE | SUMMED,
            Self::Hello => SUMMED,
            _ => 0,
        }
    }
}

/// Header of every frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) kind: Kind,
    pub(crate) flags: u8,
    pub(crate) detail: u16,
    pub(crate) length: u32,
    pub(crate) sequence: u64,
    pub(crate) key: u64,
    pub(crate) address: u64,
    pub(crate) extra: u64,
}

/// A number of bytes that was checked to fit a frame.
pub(crate) fn length_u32(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

impl Header {
    /// Makes a frame with empty fields.
    pub(crate) const fn new(kind: Kind, sequence: u64) -> Self {
        Self { kind, flags: 0, detail: 0, length: 0, sequence, key: 0, address: 0, extra: 0 }
    }

    /// The first frame of a connection.
    pub(crate) const fn hello(summed: bool) -> Self {
        let mut header = Self::new(Kind::Hello, VERSION);
        header.key = MAGIC;
        header.flags = if summed { SUMMED } else { 0 };
        header
    }

    /// The first frame of a connection that is lent: the other end asks on it.
    pub(crate) const fn lent(loan: u64) -> Self {
        let mut header = Self::hello(false);
        (header.detail, header.extra) = (LENT, loan);
        header
    }

    /// Makes the frame that ends the connection without a replacement; `leaves`: the sending member ends,
    /// too.
    pub(crate) const fn close(leaves: bool) -> Self {
        let mut header = Self::new(Kind::Close, 0);
        header.detail = if leaves { LEAVES } else { 0 };
        header
    }

    /// Makes the report of the scope's live connections; `number`: the number of this one.
    pub(crate) const fn valid(scope: u64, number: u64, issued: u64) -> Self {
        let mut header = Self::new(Kind::Valid, number);
        (header.address, header.extra) = (scope, issued);
        header
    }

    /// Returns true if the sending member ends.
    pub(crate) const fn leaves(&self) -> bool {
        self.detail == LEAVES
    }

    /// Returns true if it belongs to a copy, or to another operation that counts in the sequence of its
    /// connection.
    pub(crate) const fn is_request(&self, is_copy: bool) -> bool {
        match self.kind {
            Kind::Copy => is_copy,
            Kind::Put | Kind::Get | Kind::Atomic | Kind::Signal | Kind::PutStrided | Kind::GetStrided => {
                !is_copy
            }
            _ => false,
        }
    }

    /// Length of the payload.
    pub(crate) const fn payload(&self) -> usize {
        self.length as usize
    }

    /// Length of payload and checksum.
    pub(crate) const fn rest(&self) -> usize {
        self.payload() + if self.has(SUMMED) && self.length > 0 { CHECKSUM } else { 0 }
    }

    /// Returns true if a flag is set.
    pub(crate) const fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Returns true if all of it is handled inside the receive buffer.
    pub(crate) const fn is_inline(&self) -> bool {
        self.payload() <= INLINE_MAX
    }

    pub(crate) fn encode(&self) -> [u8; HEADER] {
        let mut bytes = [0u8; HEADER];
        bytes[0] = self.kind as u8;
        bytes[1] = self.flags;
        bytes[2..4].copy_from_slice(&self.detail.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.length.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.sequence.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.key.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.address.to_le_bytes());
        bytes[32..40].copy_from_slice(&self.extra.to_le_bytes());
        bytes
    }

    /// Decodes and validates a header. The error names the fault.
    pub(crate) fn decode(bytes: &[u8; HEADER]) -> Result<Self, Malformed> {
        let kind = Kind::of(bytes[0]).ok_or(Malformed("unknown kind of frame"))?;
        let header = Self {
            kind,
            flags: bytes[1],
            detail: u16::from_le_bytes([bytes[2], bytes[3]]),
            length: u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]),
            sequence: number(bytes, 8),
            key: number(bytes, 16),
            address: number(bytes, 24),
            extra: number(bytes, 32),
        };
        header.check()?;
        Ok(header)
    }

    fn check(&self) -> Result<(), Malformed> {
        let (least, most) = self.kind.payload();
        if self.payload() < least || self.payload() > most {
            return Err(Malformed("length of the payload"));
        }
        if self.flags & !self.kind.flags() != 0 {
            return Err(Malformed("flags"));
        }
        if self.has(SUMMED) && !self.is_inline() {
            return Err(Malformed("length of a payload with a checksum"));
        }
        match self.kind {
            Kind::Hello if self.key != MAGIC => Err(Malformed("not this protocol")),
            Kind::Hello if self.sequence != VERSION => Err(Malformed("another version of the protocol")),
            Kind::Hello if self.detail > LENT => Err(Malformed("kind of connection")),
            Kind::Lend if self.sequence == 0 => Err(Malformed("number of a loan")),
            Kind::Get | Kind::Copy if self.extra == 0 => Err(Malformed("an operation of 0 bytes")),
            Kind::Get | Kind::Copy if self.address.checked_add(self.extra).is_none() => {
                Err(Malformed("a range beyond the last address"))
            }
            Kind::Put if self.address.checked_add(self.extra.max(u64::from(self.length))).is_none() => {
                Err(Malformed("a range beyond the last address"))
            }
            Kind::Signal if self.detail > 3 => Err(Malformed("kind of signal")),
            Kind::Signal if !self.address.is_multiple_of(self.signal().1.bytes()) => {
                Err(Malformed("a signal that is not aligned"))
            }
            Kind::Error if self.detail > 1 => Err(Malformed("kind of error")),
            Kind::Atomic => {
                let (_, width) = atomic_of(self.detail).ok_or(Malformed("kind of atomic"))?;
                if self.address.is_multiple_of(width.bytes()) {
                    Ok(())
                } else {
                    Err(Malformed("an atomic that is not aligned"))
                }
            }
            _ => Ok(()),
        }
    }

    /// The atomic that this frame asks for.
    pub(crate) fn atomic(&self, payload: &[u8]) -> Option<Atomic> {
        let (kind, width) = atomic_of(self.detail)?;
        let compare = u64::from_le_bytes(payload.try_into().ok()?);
        Some(Atomic { kind, width, operand: self.extra, compare })
    }

    /// Returns operation and width of this frame's signal.
    pub(crate) const fn signal(&self) -> (SignalKind, Width) {
        let kind = if self.detail & 1 == 0 { SignalKind::Set } else { SignalKind::Add };
        (kind, if self.detail & 2 == 0 { Width::W64 } else { Width::W32 })
    }
}

#[cfg(test)]
mod tests;
