// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Wire format of a frame, the envelope of every message.
//!
//! | bytes | content |
//! |---|---|
//! | 0..4 | magic `MFST` |
//! | 4..6 | protocol version, little endian; until both sides know each other the oldest that the sender speaks |
//! | 6 | kind of the message |
//! | 7 | flags, 0 |
//! | 8..12 | length of the body in bytes, little endian |
//! | 12..20 | sequence number, little endian: a reply repeats its request's number |
//! | 20.. | body, the message in postcard form |
//!
//! The first six bytes stay where they are in every later version, so that each side recognises the version
//! of the other. A header is validated as soon as it is complete: an unauthenticated peer costs 20 bytes, not
//! its announced length.

use std::fmt;

use postcard::ser_flavors::Flavor;
use serde::Serialize;
use serde::de::DeserializeOwned;

pub(crate) const MAGIC: [u8; 4] = *b"MFST";
/// The oldest version of the protocol that this library supports.
pub(crate) const OLDEST_VERSION: u16 = 2;
/// The newest version of the protocol that this library supports.
pub const VERSION: u16 = 2;
pub(crate) const HEADER_BYTES: usize = 20;
/// Largest body between members: two values of a compare-and-swap, or a listing, and the fields around them.
pub(crate) const MAX_BODY_BYTES: usize = (16 << 20) + (64 << 10);
/// Largest body before the other side has proved itself.
pub(crate) const MAX_HELLO_BYTES: usize = 4096;

/// Bytes read at once before a header is known.
const READ_BYTES: usize = 8 << 10;
/// Most bytes read at once.
const LARGE_READ_BYTES: usize = 1 << 20;
/// The buffer that is kept for an idle connection.
const KEPT_BYTES: usize = 72 << 10;

/// Content of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum FrameKind {
    Hello = 1,
    Challenge = 2,
    Join = 3,
    Welcome = 4,
    Refused = 5,
    Request = 6,
    Reply = 7,
    Change = 8,
    Leave = 9,
    OneWay = 10,
    Notice = 11,
    Proved = 12,
}

impl FrameKind {
    const ALL: [FrameKind; 12] = [
        FrameKind::Hello,
        FrameKind::Challenge,
        FrameKind::Join,
        FrameKind::Welcome,
        FrameKind::Refused,
        FrameKind::Request,
        FrameKind::Reply,
        FrameKind::Change,
        FrameKind::Leave,
        FrameKind::OneWay,
        FrameKind::Notice,
        FrameKind::Proved,
    ];
}

/// Why bytes are not a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FrameError {
    /// Not our protocol at all.
    Magic([u8; 4]),
    /// Our protocol in another version.
    Version(u16),
    /// A kind or flag that this version does not have.
    Kind(u8, u8),
    /// A body above the limit.
    TooLarge { bytes: usize, limit: usize },
    /// A body that is not the message of its kind.
    Body(FrameKind),
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FrameError::Magic(found) => {
                write!(
                    f,
                    "it does not use the protocol of the store (it began with \"{}\")",
                    found.escape_ascii()
                )
            }
            FrameError::Version(found) => {
                write!(
                    f,
                    "it uses version {found} of the store protocol, this library ({}) {}",
                    super::about::BUILD,
                    super::about::versions(OLDEST_VERSION, VERSION)
                )
            }
            FrameError::Kind(kind, flags) => {
                write!(f, "it sent a message of unknown kind {kind} with flags {flags}")
            }
            FrameError::TooLarge { bytes, limit } => {
                write!(f, "it sent a message of {bytes} bytes where at most {limit} are allowed")
            }
            FrameError::Body(kind) => write!(f, "it sent a malformed {kind:?} message"),
        }
    }
}

/// Appends to a vector in blocks.
struct Append<'a>(&'a mut Vec<u8>);

impl Flavor for Append<'_> {
    type Output = ();

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.0.push(byte);
        Ok(())
    }

    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<()> {
        Ok(())
    }
}

/// Returns the header of a frame with a body of `body_bytes`.
pub(crate) fn header_of(
    kind: FrameKind,
    sequence: u64,
    body_bytes: usize,
) -> Result<[u8; HEADER_BYTES], FrameError> {
    let too_large = FrameError::TooLarge { bytes: body_bytes, limit: MAX_BODY_BYTES };
    let length = match u32::try_from(body_bytes) {
        Ok(length) if body_bytes <= MAX_BODY_BYTES => length.to_le_bytes(),
        _ => return Err(too_large),
    };
    let [v0, v1] = VERSION.to_le_bytes();
    let [l0, l1, l2, l3] = length;
    let [s0, s1, s2, s3, s4, s5, s6, s7] = sequence.to_le_bytes();
    let [m0, m1, m2, m3] = MAGIC;
    Ok([m0, m1, m2, m3, v0, v1, kind as u8, 0, l0, l1, l2, l3, s0, s1, s2, s3, s4, s5, s6, s7])
}

/// Appends a body without its header to `out`; on an error `out` is as before.
pub(crate) fn encode_body<T: Serialize + ?Sized>(
    kind: FrameKind,
    body: &T,
    out: &mut Vec<u8>,
) -> Result<(), FrameError> {
    let start = out.len();
    postcard::serialize_with_flavor(body, Append(out)).map_err(|_| {
        out.truncate(start);
        FrameError::Body(kind)
    })
}

/// Appends a frame to `out`; on an error `out` is as before.
pub(crate) fn encode<T: Serialize + ?Sized>(
    kind: FrameKind,
    sequence: u64,
    body: &T,
    out: &mut Vec<u8>,
) -> Result<(), FrameError> {
    let start = out.len();
    out.extend_from_slice(&[0; HEADER_BYTES]);
    let framed = encode_body(kind, body, out)
        .and_then(|()| header_of(kind, sequence, out.len() - start - HEADER_BYTES));
    match framed {
        Ok(header) => {
            out[start..start + HEADER_BYTES].copy_from_slice(&header);
            Ok(())
        }
        Err(error) => {
            out.truncate(start);
            Err(error)
        }
    }
}

/// A frame that arrived.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Frame<'a> {
    pub(crate) kind: FrameKind,
    pub(crate) sequence: u64,
    body: &'a [u8],
}

impl Frame<'_> {
    /// Its size, with the header.
    pub(crate) fn bytes(&self) -> usize {
        HEADER_BYTES + self.body.len()
    }

    /// The message in the body; all of the body must belong to it.
    pub(crate) fn message<T: DeserializeOwned>(&self) -> Result<T, FrameError> {
        match postcard::take_from_bytes(self.body) {
            Ok((message, [])) => Ok(message),
            _ => Err(FrameError::Body(self.kind)),
        }
    }
}

struct Header {
    kind: FrameKind,
    body_bytes: usize,
    sequence: u64,
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at + N)?.try_into().ok()
}

/// Reads the header at the start of `bytes`; `None` when more bytes are needed to judge it.
fn header(bytes: &[u8], limit: usize) -> Result<Option<Header>, FrameError> {
    // Checking the first bytes alone recognises foreign programs that send less than a header.
    let known = bytes.len().min(MAGIC.len());
    if bytes[..known] != MAGIC[..known] {
        let mut found = [0; 4];
        found[..known].copy_from_slice(&bytes[..known]);
        return Err(FrameError::Magic(found));
    }
    let Some(version) = array(bytes, 4).map(u16::from_le_bytes) else { return Ok(None) };
    if !(OLDEST_VERSION..=VERSION).contains(&version) {
        return Err(FrameError::Version(version));
    }
    let (Some([kind, flags]), Some(length), Some(sequence)) =
        (array(bytes, 6), array(bytes, 8), array(bytes, 12))
    else {
        return Ok(None);
    };
    let known_kind = FrameKind::ALL.into_iter().find(|known| *known as u8 == kind && flags == 0);
    let kind = known_kind.ok_or(FrameError::Kind(kind, flags))?;
    let body_bytes = usize::try_from(u32::from_le_bytes(length)).unwrap_or(usize::MAX);
    if body_bytes > limit {
        return Err(FrameError::TooLarge { bytes: body_bytes, limit });
    }
    Ok(Some(Header { kind, body_bytes, sequence: u64::from_le_bytes(sequence) }))
}

/// Bytes that arrived, cut into frames.
pub(crate) struct FrameBuffer {
    bytes: Vec<u8>,
    start: usize,
    end: usize,
    limit: usize,
}

impl FrameBuffer {
    /// A buffer for the time before the other side has proved itself.
    pub(crate) fn new() -> Self {
        Self { bytes: Vec::new(), start: 0, end: 0, limit: MAX_HELLO_BYTES }
    }

    /// Lets frames of members in.
    pub(crate) fn trust(&mut self) {
        self.limit = MAX_BODY_BYTES;
    }

    /// Returns the number of bytes that have arrived and are not taken yet.
    pub(crate) fn bytes(&self) -> usize {
        self.end - self.start
    }

    /// Returns the missing bytes of the frame that has begun to arrive; 0 between frames.
    pub(crate) fn missing(&self) -> usize {
        let have = self.end - self.start;
        match header(&self.bytes[self.start..self.end], self.limit) {
            Ok(Some(header)) => (HEADER_BYTES + header.body_bytes).saturating_sub(have),
            _ => 0,
        }
    }

    /// Frees the memory of a large message when no bytes follow it.
    pub(crate) fn trim(&mut self) {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
            if self.bytes.len() > KEPT_BYTES {
                self.bytes = Vec::new();
            }
        }
    }

    /// Takes bytes that were read elsewhere.
    pub(crate) fn extend(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let space = self.space();
            let taken = space.len().min(bytes.len());
            let (now, later) = bytes.split_at(taken);
            space[..taken].copy_from_slice(now);
            self.filled(taken);
            bytes = later;
        }
    }

    /// Returns the room for the next read, never empty. It grows with the received bytes, not with the
    /// announced length.
    pub(crate) fn space(&mut self) -> &mut [u8] {
        self.trim();
        let have = self.end - self.start;
        let want = self.missing().clamp(READ_BYTES, LARGE_READ_BYTES);
        if self.bytes.len() - self.end < want {
            self.bytes.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, have);
            if self.bytes.len() < have + want {
                self.bytes.resize(have + want, 0);
            }
        }
        &mut self.bytes[self.end..]
    }

    /// Reports how many bytes were read into [`space`](Self::space).
    pub(crate) fn filled(&mut self, bytes: usize) {
        self.end = (self.end + bytes).min(self.bytes.len());
    }

    /// The next whole frame, if it has arrived.
    pub(crate) fn next_frame(&mut self) -> Result<Option<Frame<'_>>, FrameError> {
        let Some(header) = header(&self.bytes[self.start..self.end], self.limit)? else { return Ok(None) };
        let body_start = self.start + HEADER_BYTES;
        if self.end - body_start < header.body_bytes {
            return Ok(None);
        }
        self.start = body_start + header.body_bytes;
        Ok(Some(Frame {
            kind: header.kind,
            sequence: header.sequence,
            body: &self.bytes[body_start..self.start],
        }))
    }
}

#[cfg(test)]
mod tests;
