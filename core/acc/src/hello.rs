// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Handshake of a link: the client sends magic, version and its identity; the listener answers whether it
//! accepts the link. Fixed lengths, so that nothing is read beyond them.

/// Bytes of a [`Hello`].
pub const HELLO_BYTES: usize = 24;
/// Bytes of an [`Answer`].
pub const ANSWER_BYTES: usize = 20;

const HELLO: [u8; 7] = *b"mf-acc\x01";
const ANSWER: [u8; 7] = *b"mf-acc\x02";

/// Identity of the connecting client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hello {
    /// Must equal the listener's.
    pub magic: i16,
    /// Must equal the listener's.
    pub version: i16,
    /// Nonzero if the caller claims that it was connected before.
    pub reconnect: u8,
    /// Name of the caller.
    pub rank: u64,
}

/// Verdict of the listener on a hello.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The link is open.
    Taken,
    /// Wrong magic; this is the listener's.
    Magic(i16),
    /// Wrong version; this is the listener's.
    Version(i16),
    /// The listener's program refused it, with this number.
    Refused(i32),
    /// The listener has no room for another link.
    Full,
}

/// The answer to a hello.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer(pub Verdict);

impl Hello {
    /// Encodes it.
    pub fn bytes(&self) -> [u8; HELLO_BYTES] {
        let mut bytes = [0; HELLO_BYTES];
        bytes[..7].copy_from_slice(&HELLO);
        bytes[7] = self.reconnect;
        bytes[8..10].copy_from_slice(&self.magic.to_le_bytes());
        bytes[10..12].copy_from_slice(&self.version.to_le_bytes());
        bytes[16..].copy_from_slice(&self.rank.to_le_bytes());
        bytes
    }

    /// Decodes it. Returns `None` if malformed.
    pub fn read(bytes: &[u8; HELLO_BYTES]) -> Option<Self> {
        let rank = bytes.last_chunk::<8>()?;
        (bytes[..7] == HELLO && bytes[12..16] == [0; 4]).then(|| Self {
            magic: i16::from_le_bytes([bytes[8], bytes[9]]),
            version: i16::from_le_bytes([bytes[10], bytes[11]]),
            reconnect: bytes[7],
            rank: u64::from_le_bytes(*rank),
        })
    }

    /// Returns true if these bytes can be the beginning of a hello.
    pub fn begins(bytes: &[u8]) -> bool {
        bytes.iter().zip(HELLO).all(|(got, wanted)| *got == wanted)
    }

    /// Returns the verdict before the program is asked.
    pub fn check(&self, magic: i16, version: i16) -> Verdict {
        if self.magic != magic {
            Verdict::Magic(magic)
        } else if self.version != version {
            Verdict::Version(version)
        } else {
            Verdict::Taken
        }
    }
}

impl Answer {
    /// Encodes it.
    pub fn bytes(self) -> [u8; ANSWER_BYTES] {
        let (code, detail) = match self.0 {
            Verdict::Taken => (0, 0),
            Verdict::Magic(ours) => (1, i32::from(ours)),
            Verdict::Version(ours) => (2, i32::from(ours)),
            Verdict::Refused(code) => (3, code),
            Verdict::Full => (4, 0),
        };
        let mut bytes = [0; ANSWER_BYTES];
        bytes[..7].copy_from_slice(&ANSWER);
        bytes[7] = code;
        bytes[8..12].copy_from_slice(&detail.to_le_bytes());
        bytes
    }

    /// Decodes it. Returns `None` if malformed.
    pub fn read(bytes: &[u8; ANSWER_BYTES]) -> Option<Self> {
        if bytes[..7] != ANSWER {
            return None;
        }
        let detail = i32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]);
        let short = i16::try_from(detail);
        Some(Self(match bytes[7] {
            0 => Verdict::Taken,
            1 => Verdict::Magic(short.ok()?),
            2 => Verdict::Version(short.ok()?),
            3 => Verdict::Refused(detail),
            4 => Verdict::Full,
            _ => return None,
        }))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn magic_is_compared_before_version() {
        let hello = Hello { magic: 1, version: 2, ..Hello::default() };
        for (magic, version, verdict) in [
            (1, 2, Verdict::Taken),
            (1, 3, Verdict::Version(3)),
            (2, 2, Verdict::Magic(2)),
            (-1, 3, Verdict::Magic(-1)),
        ] {
            assert_eq!(hello.check(magic, version), verdict);
        }
    }

    proptest! {
        #[test]
        fn hellos_round_trip(magic: i16, version: i16, reconnect: u8, rank: u64) {
            let hello = Hello { magic, version, reconnect, rank };
            prop_assert_eq!(Hello::read(&hello.bytes()), Some(hello));
        }

        #[test]
        fn hello_replies_round_trip(short: i16, code: i32) {
            for verdict in [
                Verdict::Taken, Verdict::Magic(short), Verdict::Version(short), Verdict::Refused(code), Verdict::Full,
            ] {
                prop_assert_eq!(Answer::read(&Answer(verdict).bytes()), Some(Answer(verdict)));
            }
        }

        #[test]
        fn any_bytes_are_read_or_refused(hello: [u8; HELLO_BYTES], answer: [u8; ANSWER_BYTES]) {
            prop_assert!(Hello::read(&hello).is_none_or(|read| read.bytes() == hello && Hello::begins(&hello)));
            let mut answer = answer;
            answer[..7].copy_from_slice(&ANSWER);
            let _ = Answer::read(&answer);
        }
    }
}
