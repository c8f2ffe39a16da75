// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Wire format of messages, and the pure state machine that splits a stream of bytes into frames.
//!
//! ```text
//! 0 mark (u16)  2 flags (u16)  4 body_bytes (u32)  8 type (i16)  10 result (i16)  12 sequence (u32)  16
//! crc (u32)
//! ```
//! All little-endian; `body_bytes` bytes of body follow. Bit 0 of the flags says that `crc` is the CRC-32C of
//! the body; otherwise it is 0. A frame with another mark, another flag or a body longer than
//! [`BODY_BYTES_MAX`] is invalid: the stream is out of step, and nothing more can be read from it.

use std::borrow::Cow;
use std::fmt;

/// Bytes in front of a body.
pub const HEAD_BYTES: usize = 20;
/// Most bytes of a body.
pub const BODY_BYTES_MAX: usize = 64 << 20;

const MARK: u16 = 0x4d61;
const HAS_CRC: u16 = 1;
/// Bodies up to this length are collected together with their head.
pub(crate) const SMALL: usize = 16 << 10;
/// Head of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// Selects the handler.
    pub kind: i16,
    /// Free for the caller.
    pub result: i16,
    /// Free for the caller.
    pub sequence: u32,
    /// Length of the body.
    pub body_bytes: u32,
    /// CRC-32C of the body, if the sender requested it.
    pub crc: Option<u32>,
}

/// A message with its body.
pub type Frame<'a> = (Message, Cow<'a, [u8]>);

/// A large message that was read in place.
#[derive(Debug, PartialEq, Eq)]
pub struct Filled {
    /// The message.
    pub message: Message,
    /// Its body.
    pub body: Vec<u8>,
    /// Bytes read beyond its end.
    pub beyond: Vec<u8>,
}

/// Reason for which a stream cannot be read any further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Wrong mark: not the beginning of a frame.
    Mark(u16),
    /// A flag that this release does not support.
    Flags(u16),
    /// A body beyond the limit.
    Large(u32),
    /// Checksum mismatch.
    Crc,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Mark(mark) => write!(f, "no message begins where one must, but {mark:#06x}"),
            Fault::Flags(flags) => write!(f, "a message has the unknown flags {flags:#06x}"),
            Fault::Large(bytes) => {
                write!(f, "a message announces {bytes} bytes, more than {BODY_BYTES_MAX}")
            }
            Fault::Crc => f.write_str("the body of a message differs from its checksum"),
        }
    }
}

impl Message {
    /// Encodes the head.
    pub fn head(&self) -> [u8; HEAD_BYTES] {
        let mut head = [0; HEAD_BYTES];
        let flags = if self.crc.is_some() { HAS_CRC } else { 0 };
        head[..2].copy_from_slice(&MARK.to_le_bytes());
        head[2..4].copy_from_slice(&flags.to_le_bytes());
        head[4..8].copy_from_slice(&self.body_bytes.to_le_bytes());
        head[8..10].copy_from_slice(&self.kind.to_le_bytes());
        head[10..12].copy_from_slice(&self.result.to_le_bytes());
        head[12..16].copy_from_slice(&self.sequence.to_le_bytes());
        head[16..].copy_from_slice(&self.crc.unwrap_or(0).to_le_bytes());
        head
    }

    fn from_head(head: &[u8; HEAD_BYTES]) -> Result<Self, Fault> {
        let two = |at: usize| [head[at], head[at + 1]];
        let four = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let (mark, flags) = (u16::from_le_bytes(two(0)), u16::from_le_bytes(two(2)));
        if mark != MARK {
            return Err(Fault::Mark(mark));
        }
        if flags & !HAS_CRC != 0 {
            return Err(Fault::Flags(flags));
        }
        let body_bytes = four(4);
        if body_bytes as usize > BODY_BYTES_MAX {
            return Err(Fault::Large(body_bytes));
        }
        Ok(Self {
            kind: i16::from_le_bytes(two(8)),
            result: i16::from_le_bytes(two(10)),
            sequence: four(12),
            body_bytes,
            crc: (flags & HAS_CRC != 0).then(|| four(16)),
        })
    }
}

/// Splits a stream into frames. Between frames it owns no memory, so that idle links cost none.
#[derive(Debug, Default)]
pub struct Frames {
    /// A head, or a small frame, received in part.
    partial: Vec<u8>,
    large: Option<Large>,
}

#[derive(Debug)]
struct Large {
    message: Message,
    body: Vec<u8>,
}

impl Large {
    fn missing(&self) -> usize {
        (self.message.body_bytes as usize).saturating_sub(self.body.len())
    }
}

impl Frames {
    /// Returns the next frame of `input`, which advances past the bytes read; `None` if more bytes are
    /// needed.
    ///
    /// # Errors
    /// The stream is out of step; the machine cannot be used any more.
    pub fn take<'a>(&mut self, input: &mut &'a [u8]) -> Result<Option<Frame<'a>>, Fault> {
        if let Some(large) = &mut self.large {
            let missing = large.missing();
            large.body.extend_from_slice(split(input, missing));
            return self.complete();
        }
        if !self.partial.is_empty() {
            return self.continued(input);
        }
        let Some(head) = input.first_chunk::<HEAD_BYTES>() else {
            check_mark(input)?;
            self.partial.extend_from_slice(std::mem::take(input));
            return Ok(None);
        };
        let message = Message::from_head(head)?;
        let body_bytes = message.body_bytes as usize;
        if let Some(body) = input.get(HEAD_BYTES..HEAD_BYTES + body_bytes) {
            *input = input.get(HEAD_BYTES + body_bytes..).unwrap_or_default();
            return checked(message, Cow::Borrowed(body)).map(Some);
        }
        if body_bytes <= SMALL {
            self.partial.extend_from_slice(std::mem::take(input));
            return Ok(None);
        }
        let begun = std::mem::take(input).get(HEAD_BYTES..).unwrap_or_default();
        self.begin(message, begun);
        Ok(None)
    }

    /// Continues a frame that was received in part.
    fn continued<'a>(&mut self, input: &mut &'a [u8]) -> Result<Option<Frame<'a>>, Fault> {
        let missing = HEAD_BYTES.saturating_sub(self.partial.len());
        self.partial.extend_from_slice(split(input, missing));
        let Some(head) = self.partial.first_chunk::<HEAD_BYTES>() else {
            return check_mark(&self.partial).map(|()| None);
        };
        let message = Message::from_head(head)?;
        let body_bytes = message.body_bytes as usize;
        if body_bytes > SMALL {
            let partial = std::mem::take(&mut self.partial);
            self.begin(message, partial.get(HEAD_BYTES..).unwrap_or_default());
            return self.take(input);
        }
        let missing = (HEAD_BYTES + body_bytes).saturating_sub(self.partial.len());
        self.partial.extend_from_slice(split(input, missing));
        if self.partial.len() < HEAD_BYTES + body_bytes {
            return Ok(None);
        }
        let body = std::mem::take(&mut self.partial).split_off(HEAD_BYTES);
        checked(message, Cow::Owned(body)).map(Some)
    }

    fn begin(&mut self, message: Message, begun: &[u8]) {
        self.large = Some(Large { message, body: begun.to_vec() });
    }

    /// Returns the bytes allocated for the partly received frame.
    pub fn held_bytes(&self) -> usize {
        self.partial.capacity() + self.large.as_ref().map_or(0, |large| large.body.capacity())
    }

    /// Returns the vector into which the rest of a large body can be read directly, with spare room at its
    /// end: as much as has arrived, so that an announced length alone costs nothing.
    pub fn room(&mut self) -> Option<&mut Vec<u8>> {
        let large = self.large.as_mut()?;
        let missing = large.missing();
        if large.body.capacity() - large.body.len() < missing.min(SMALL) {
            large.body.reserve_exact(missing.min(SMALL.max(large.body.len())));
        }
        Some(&mut large.body)
    }

    /// Returns the large frame, once [`room`](Self::room) was filled, and the bytes read beyond its end.
    ///
    /// # Errors
    /// As [`take`](Self::take).
    pub fn filled(&mut self) -> Result<Option<Filled>, Fault> {
        let Some(large) = &mut self.large else { return Ok(None) };
        let wanted = large.message.body_bytes as usize;
        let beyond = if large.body.len() > wanted { large.body.split_off(wanted) } else { Vec::new() };
        Ok(self.complete()?.map(|(message, body)| Filled { message, body: body.into_owned(), beyond }))
    }

    fn complete<'a>(&mut self) -> Result<Option<Frame<'a>>, Fault> {
        match self.large.take_if(|large| large.missing() == 0) {
            Some(large) => checked(large.message, Cow::Owned(large.body)).map(Some),
            None => Ok(None),
        }
    }
}

/// Checks the mark before the whole head has arrived.
fn check_mark(begun: &[u8]) -> Result<(), Fault> {
    match begun.first_chunk::<2>().map(|mark| u16::from_le_bytes(*mark)) {
        Some(mark) if mark != MARK => Err(Fault::Mark(mark)),
        _ => Ok(()),
    }
}

/// Splits up to `most` bytes off the front of `input`.
fn split<'a>(input: &mut &'a [u8], most: usize) -> &'a [u8] {
    let (front, rest) = input.split_at(most.min(input.len()));
    *input = rest;
    front
}

fn checked(message: Message, body: Cow<'_, [u8]>) -> Result<Frame<'_>, Fault> {
    match message.crc {
        Some(crc) if crc != crc32c::crc32c(&body) => Err(Fault::Crc),
        _ => Ok((message, body)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BEYOND: u32 = (64 << 20) + 1;

    fn message(sequence: u32, body: &[u8], has_crc: bool) -> Message {
        Message {
            kind: -3,
            result: 7,
            sequence,
            body_bytes: u32::try_from(body.len()).unwrap(),
            crc: has_crc.then(|| crc32c::crc32c(body)),
        }
    }

    fn wire(message: &Message, body: &[u8]) -> Vec<u8> {
        [&message.head()[..], body].concat()
    }

    /// Feeds pieces of these lengths in turn; large bodies are read in place if `is_direct`.
    fn feed(stream: &[u8], pieces: &[usize], is_direct: bool) -> Result<Vec<(Message, Vec<u8>)>, Fault> {
        let (mut frames, mut found, mut rest) = (Frames::default(), Vec::new(), stream);
        for piece in pieces.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let mut input = split(&mut rest, (*piece).max(1));
            let mut beyond;
            if is_direct && let Some(room) = frames.room() {
                room.extend_from_slice(input);
                match frames.filled()? {
                    Some(filled) => {
                        found.push((filled.message, filled.body));
                        beyond = filled.beyond;
                        input = &beyond;
                    }
                    None => continue,
                }
            } else {
                beyond = Vec::new();
            }
            while let Some((message, body)) = frames.take(&mut input)? {
                found.push((message, body.into_owned()));
            }
            assert!(input.is_empty());
            beyond.clear();
        }
        Ok(found)
    }

    proptest! {
        #[test]
        fn frames_do_not_depend_on_chunk_boundaries(
            sizes in prop::collection::vec(prop_oneof![0..200_usize, SMALL - 3..SMALL + 3, 50_000..70_000_usize], 1..6),
            pieces in prop::collection::vec(prop_oneof![1..40_usize, 1000..100_000_usize], 1..8),
            has_crc: bool,
            is_direct: bool,
        ) {
            let bodies: Vec<Vec<u8>> = sizes.iter().map(|size| (0..=250).cycle().take(*size).collect()).collect();
            let messages: Vec<Message> =
                bodies.iter().zip(0..).map(|(body, sequence)| message(sequence, body, has_crc)).collect();
            let stream: Vec<u8> = messages.iter().zip(&bodies).flat_map(|(one, body)| wire(one, body)).collect();
            let expected: Vec<(Message, Vec<u8>)> = messages.into_iter().zip(bodies).collect();
            prop_assert_eq!(feed(&stream, &pieces, is_direct).unwrap(), expected);
        }

        #[test]
        fn any_bytes_are_read_or_refused(
            stream in prop::collection::vec(any::<u8>(), 0..300), pieces in prop::collection::vec(1..50_usize, 1..4), is_marked: bool
        ) {
            let mut stream = stream;
            if is_marked && stream.len() > 4 {
                stream[..4].copy_from_slice(&message(0, &[], false).head()[..4]);
            }
            let _ = feed(&stream, &pieces, false);
            let _ = feed(&stream, &pieces, true);
        }
    }

    #[test]
    fn malformed_frames_are_rejected_with_the_fault() {
        let head = |change: &dyn Fn(&mut Message)| {
            let mut one = message(u32::MAX, b"x", true);
            change(&mut one);
            one.head().to_vec()
        };
        let table = [
            (b"GET / HTTP/1.1\r\n\r\n..".to_vec(), Fault::Mark(u16::from_le_bytes(*b"GE"))),
            (head(&|one| one.body_bytes = BEYOND), Fault::Large(BEYOND)),
            (head(&|one| one.body_bytes = u32::MAX), Fault::Large(u32::MAX)),
            ([&head(&|_| {})[..2], &[2, 0], &[0; 16][..]].concat(), Fault::Flags(2)),
            (wire(&message(0, b"x", true), b"y"), Fault::Crc),
        ];
        for (stream, fault) in table {
            assert_eq!(feed(&stream, &[usize::MAX], false), Err(fault), "{fault}");
            assert_eq!(feed(&stream, &[1], false), Err(fault), "{fault}");
        }
    }

    #[test]
    fn body_takes_memory_as_it_arrives() {
        let long = Message { body_bytes: BEYOND - 1, ..Message::default() };
        let mut frames = Frames::default();
        assert_eq!(frames.take(&mut long.head().as_slice()), Ok(None));
        let mut arrived = 0;
        while arrived < 3 << 20 {
            let room = frames.room().unwrap();
            assert_eq!(room.len(), arrived);
            assert!(room.capacity() <= 2 * arrived + SMALL, "{} bytes for {arrived}", room.capacity());
            arrived += 5000.min(room.capacity() - arrived);
            room.resize(arrived, 0);
            assert_eq!(frames.filled(), Ok(None));
        }
    }

    #[test]
    fn all_field_values_round_trip() {
        for (kind, result, sequence) in
            [(i16::MIN, i16::MAX, 0), (i16::MAX, i16::MIN, u32::MAX), (0, -1, 1 << 31)]
        {
            let one = Message { kind, result, sequence, body_bytes: 0, crc: None };
            assert_eq!(feed(&one.head(), &[7], false).unwrap(), [(one, Vec::new())]);
        }
    }
}
