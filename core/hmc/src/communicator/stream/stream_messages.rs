// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Messages between the ends of a stream, as bytes: type, number of the stream, two numbers.

use super::flow::Slots;

/// Bytes of a message.
const BYTES: usize = 25;

/// Reason for ending a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The receiver has less room.
    NoRoom = 1,
    /// The other end failed, or was interrupted.
    Ended = 2,
}

/// A message, which belongs to one stream of the sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// The sender has `total` bytes, and makes chunks of at most `most`.
    Offer { total: u64, most: u64 },
    /// The sender has put this number of chunks in all.
    Put { chunks: u64 },
    /// The sender gives up.
    Withdrawn,
    /// The receiver is ready, with these slots.
    Granted(Slots),
    /// The receiver has copied out this number of chunks in all.
    Copied { chunks: u64 },
    /// The receiver does not accept the stream, or gives up; `room` is its room in bytes.
    Refused { why: Refusal, room: u64 },
}

impl Word {
    /// Returns true if it is a sender's message.
    pub(super) fn is_of_sender(self) -> bool {
        matches!(self, Self::Offer { .. } | Self::Put { .. } | Self::Withdrawn)
    }

    pub(super) fn write(self, stream: u64) -> [u8; BYTES] {
        let (kind, first, second) = match self {
            Self::Offer { total, most } => (1, total, most),
            Self::Put { chunks } => (2, chunks, 0),
            Self::Withdrawn => (3, 0, 0),
            Self::Granted(slots) => (4, slots.bytes, slots.count),
            Self::Copied { chunks } => (5, chunks, 0),
            Self::Refused { why, room } => (6, why as u64, room),
        };
        let mut bytes = [kind; BYTES];
        let numbers = [stream, first, second].map(u64::to_le_bytes);
        for (to, from) in bytes.iter_mut().skip(1).zip(numbers.as_flattened()) {
            *to = *from;
        }
        bytes
    }

    /// Parses the number of the stream and the message.
    pub(super) fn read(bytes: &[u8]) -> Option<(u64, Self)> {
        let (kind, mut rest) = bytes.split_first()?;
        let mut number = || {
            let (number, behind) = rest.split_first_chunk()?;
            rest = behind;
            Some(u64::from_le_bytes(*number))
        };
        let (stream, first, second) = (number()?, number()?, number()?);
        if !rest.is_empty() {
            return None;
        }
        let word = match (kind, first) {
            (1, total) => Self::Offer { total, most: second },
            (2, chunks) => Self::Put { chunks },
            (3, _) => Self::Withdrawn,
            (4, bytes) => Self::Granted(Slots { bytes, count: second }),
            (5, chunks) => Self::Copied { chunks },
            (6, 1) => Self::Refused { why: Refusal::NoRoom, room: second },
            (6, 2) => Self::Refused { why: Refusal::Ended, room: second },
            _ => return None,
        };
        Some((stream, word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_round_trip_and_malformed_ones_are_rejected() {
        for word in [
            Word::Offer { total: u64::MAX, most: 7 },
            Word::Put { chunks: 1 << 40 },
            Word::Withdrawn,
            Word::Granted(Slots { bytes: 5, count: 2 }),
            Word::Copied { chunks: 3 },
            Word::Refused { why: Refusal::NoRoom, room: 9 },
            Word::Refused { why: Refusal::Ended, room: 0 },
        ] {
            let bytes = word.write(77);
            assert_eq!(Word::read(&bytes), Some((77, word)));
            assert!((0..BYTES).all(|cut| Word::read(&bytes[..cut]).is_none()));
            assert!(Word::read(&[&bytes[..], &[0]].concat()).is_none());
        }
        for (kind, why) in [(0, 0), (7, 0), (6, 0), (6, 3)] {
            let mut bytes = Word::Put { chunks: why }.write(1);
            bytes[0] = kind;
            assert!(Word::read(&bytes).is_none());
        }
    }
}
