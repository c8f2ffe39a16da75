// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Wire format between the processes: a head of fixed size in every active message, the address of a process,
//! and small pieces packed into one message.

use mf_base::{Error, Result};
use mf_transport::{Atomic, AtomicKind, JobId, Peer, SegmentKey, SignalKind, Width};

/// Random secret of a process, known to its permitted writers; drawn when it starts.
pub(super) type Secret = [u8; 16];

/// Bytes of a [`Head`] on the wire.
pub(super) const HEAD_BYTES: usize = 96;
/// First bytes of an address.
const MAGIC: [u8; 4] = *b"MFU3";
const ADDRESS_HEAD_BYTES: usize = 4 + 16 + 4;

/// Verb of a message: a request or its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    /// First on every connection: the sender's address, so that it can be answered. `second` is the
    /// receiver's last connection that the sender knows.
    Hello = 1,
    /// The data goes to `address`; it is a part of `second` bytes from `compare`, all of which must be there.
    Put = 2,
    /// The data is pieces; then, when `flags` say so, the word of `width` at `second` changes.
    Pieces = 3,
    /// `operand` bytes from `address` are wanted; the rest as for `Put`.
    Get = 4,
    /// The word at `address` changes.
    Atomic = 5,
    /// The data names the peer that gets `operand` bytes from `address`, and where.
    Copy = 6,
    /// For the owner of the transport.
    Message = 7,
    /// Requests an answer, to probe the peer.
    Ping = 8,
    /// The answer to `id`: `flags` 0 and the result, or 1, the code in `operand`, and a text.
    Answer = 9,
    /// The sender closes; only where libucp would not notice.
    Close = 10,
}

impl Verb {
    /// Returns true if it is answered.
    pub(super) fn wants_answer(self) -> bool {
        !matches!(self, Self::Hello | Self::Message | Self::Answer | Self::Close)
    }

    const ALL: [Self; 10] = [
        Self::Hello,
        Self::Put,
        Self::Pieces,
        Self::Get,
        Self::Atomic,
        Self::Copy,
        Self::Message,
        Self::Ping,
        Self::Answer,
        Self::Close,
    ];
}

/// The head of a message; the meaning of the fields depends on the verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) from: Peer,
    /// The session that it is meant for.
    pub(super) to: u64,
    /// Number of the connection that carries it; those after it have greater ones.
    pub(super) connection: u64,
    pub(super) verb: Verb,
    pub(super) flags: u8,
    /// Bytes of a word: 4 or 8.
    pub(super) width: u8,
    pub(super) id: u64,
    pub(super) key: SegmentKey,
    pub(super) address: u64,
    pub(super) operand: u64,
    pub(super) compare: u64,
    pub(super) second: u64,
}

/// [`Verb::Pieces`] changes no word, sets it, adds to it.
pub(super) const NO_SIGNAL: u8 = 0;
const SIGNAL_SET: u8 = 1;
const SIGNAL_ADD: u8 = 2;

impl Head {
    /// Makes a head. Sender, receiver and connection are filled in when it is sent.
    pub(super) fn new(verb: Verb) -> Self {
        Self {
            from: Peer { job: JobId(0), rank: 0, session: 0 },
            to: 0,
            connection: 0,
            verb,
            flags: 0,
            width: 0,
            id: 0,
            key: SegmentKey(0),
            address: 0,
            operand: 0,
            compare: 0,
            second: 0,
        }
    }

    /// Sets the whole span that it is a part of.
    pub(super) fn within(mut self, start: u64, bytes: u64) -> Self {
        (self.compare, self.second) = (start, bytes);
        self
    }

    /// As it travels to the process that has drawn `secret`.
    pub(super) fn encode(&self, secret: &Secret) -> [u8; HEAD_BYTES] {
        let mut bytes = [0; HEAD_BYTES];
        let mut at = 0;
        let mut put = |piece: &[u8]| {
            if let Some(place) = bytes.get_mut(at..at + piece.len()) {
                place.copy_from_slice(piece);
            }
            at += piece.len();
        };
        put(secret);
        put(&self.from.session.to_le_bytes());
        put(&self.from.rank.to_le_bytes());
        put(&[self.verb as u8, self.flags, self.width, 0]);
        let words = [
            self.to,
            self.connection,
            self.id,
            self.key.0,
            self.address,
            self.operand,
            self.compare,
            self.second,
        ];
        for word in words {
            put(&word.to_le_bytes());
        }
        bytes
    }

    /// Decodes a head; the sender is assumed to be of this job. Returns `None` if it is malformed or not for
    /// this process.
    pub(super) fn decode(bytes: &[u8; HEAD_BYTES], secret: &Secret, job: JobId) -> Option<Self> {
        let mut rest: &[u8] = bytes;
        let theirs: Secret = take(&mut rest)?;
        // All bytes are compared, so that the time does not reveal the number of equal ones.
        if theirs.iter().zip(secret).fold(0, |different, (a, b)| different | (a ^ b)) != 0 {
            return None;
        }
        let session = u64::from_le_bytes(take(&mut rest)?);
        let rank = u32::from_le_bytes(take(&mut rest)?);
        let [verb, flags, width, _] = take(&mut rest)?;
        let verb = *Verb::ALL.iter().find(|known| **known as u8 == verb)?;
        let mut word = || Some(u64::from_le_bytes(take(&mut rest)?));
        Some(Self {
            from: Peer { job, rank, session },
            to: word()?,
            connection: word()?,
            verb,
            flags,
            width,
            id: word()?,
            key: SegmentKey(word()?),
            address: word()?,
            operand: word()?,
            compare: word()?,
            second: word()?,
        })
    }

    /// Asks for an atomic.
    pub(super) fn with_atomic(mut self, atomic: Atomic) -> Self {
        self.flags = match atomic.kind {
            AtomicKind::Add => 0,
            AtomicKind::And => 1,
            AtomicKind::Or => 2,
            AtomicKind::Xor => 3,
            AtomicKind::Swap => 4,
            AtomicKind::CompareSwap => 5,
            AtomicKind::Fetch => 6,
        };
        self.width = width_code(atomic.width);
        self.operand = atomic.operand;
        self.compare = atomic.compare;
        self
    }

    /// Asks for a signal behind the pieces.
    pub(super) fn with_signal(mut self, width: Width, kind: SignalKind, value: u64) -> Self {
        self.flags = match kind {
            SignalKind::Set => SIGNAL_SET,
            SignalKind::Add => SIGNAL_ADD,
        };
        (self.width, self.operand) = (width_code(width), value);
        self
    }

    /// The change of the signal behind the pieces; an error when it is of an unknown kind.
    pub(super) fn signal(&self) -> Result<Option<Atomic>> {
        let kind = match self.flags {
            NO_SIGNAL => return Ok(None),
            SIGNAL_SET => Some(SignalKind::Set),
            SIGNAL_ADD => Some(SignalKind::Add),
            _ => None,
        };
        match (kind, width_of(self.width)) {
            (Some(kind), Some(width)) => Ok(Some(kind.atomic(width, self.operand))),
            _ => Err(Error::invalid("ucx signal", "a signal of an unknown kind")),
        }
    }

    /// The atomic that is asked for.
    pub(super) fn atomic(&self) -> Option<Atomic> {
        let kind = match self.flags {
            0 => AtomicKind::Add,
            1 => AtomicKind::And,
            2 => AtomicKind::Or,
            3 => AtomicKind::Xor,
            4 => AtomicKind::Swap,
            5 => AtomicKind::CompareSwap,
            6 => AtomicKind::Fetch,
            _ => return None,
        };
        let width = width_of(self.width)?;
        Some(Atomic { kind, width, operand: self.operand, compare: self.compare })
    }
}

const fn width_code(width: Width) -> u8 {
    match width {
        Width::W32 => 4,
        Width::W64 => 8,
    }
}

const fn width_of(code: u8) -> Option<Width> {
    match code {
        4 => Some(Width::W32),
        8 => Some(Width::W64),
        _ => None,
    }
}

/// Splits the first bytes off `rest`.
pub(super) fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (first, others) = rest.split_first_chunk::<N>()?;
    *rest = others;
    Some(*first)
}

/// Encodes the address of a process: its secret and its worker's address.
pub(super) fn encode_address(secret: &Secret, worker: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(ADDRESS_HEAD_BYTES + worker.len());
    bytes.extend(MAGIC);
    bytes.extend(secret);
    bytes.extend(u32::try_from(worker.len()).unwrap_or(u32::MAX).to_le_bytes());
    bytes.extend(worker);
    bytes
}

/// Decodes an address.
///
/// # Errors
/// `InvalidParam` if malformed.
pub(super) fn decode_address(bytes: &[u8]) -> Result<(Secret, &[u8])> {
    let mut rest = bytes;
    let parts = (|| Some((take::<4>(&mut rest)?, take(&mut rest)?, u32::from_le_bytes(take(&mut rest)?))))();
    match parts {
        Some((MAGIC, secret, length)) if usize::try_from(length) == Ok(rest.len()) && length > 0 => {
            Ok((secret, rest))
        }
        Some(([b'M', b'F', b'U', version], ..)) if version != MAGIC[3] => {
            Err(Error::invalid("ucx", "the address of a process of another release")
                .with("its_version", char::from(version))
                .with("our_version", char::from(MAGIC[3]))
                .hint("run the same release on every host"))
        }
        _ => Err(Error::invalid("ucx", "this is not the address of a process").with("bytes", bytes.len())),
    }
}

/// Appends a piece for `address` to the data of [`Verb::Pieces`].
pub(super) fn push_piece(data: &mut Vec<u8>, address: u64, bytes: &mut dyn FnMut(&mut Vec<u8>), length: u32) {
    data.extend(address.to_le_bytes());
    data.extend(length.to_le_bytes());
    bytes(data);
}

/// Longest data of one message.
pub(super) const CHUNK_BYTES: u64 = 256 << 10;

/// Bytes that a piece takes beside its own.
pub(super) const PIECE_HEAD_BYTES: u64 = 12;

/// Returns destination and bytes of the next piece; `None` at the end, an error when it is cut short.
pub(super) fn next_piece<'a>(rest: &mut &'a [u8]) -> Option<Result<(u64, &'a [u8])>> {
    if rest.is_empty() {
        return None;
    }
    let piece = (|| {
        let address = u64::from_le_bytes(take(rest)?);
        let length = usize::try_from(u32::from_le_bytes(take(rest)?)).ok()?;
        let (bytes, others) = rest.split_at_checked(length)?;
        *rest = others;
        (length > 0).then_some((address, bytes))
    })();
    Some(piece.ok_or_else(|| Error::invalid("ucx", "a message with pieces is cut short")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_round_trip_and_foreign_secrets_are_refused() {
        let atomic =
            Atomic { kind: AtomicKind::CompareSwap, width: Width::W32, operand: 7, compare: u64::MAX };
        let mut head = Head::new(Verb::Atomic).with_atomic(atomic);
        head.from = Peer { job: JobId(2), rank: 3, session: 1 << 40 };
        (head.id, head.to, head.connection, head.key, head.address, head.second) =
            (9, 4, 6, SegmentKey(u64::MAX), 0x2800_0000_0000, 5);
        let bytes = head.encode(&[1; 16]);
        assert_eq!(Head::decode(&bytes, &[1; 16], JobId(2)), Some(head));
        assert_eq!(head.atomic(), Some(atomic));
        assert_eq!(Head::decode(&bytes, &[2; 16], JobId(2)), None);
    }

    #[test]
    fn truncated_or_foreign_addresses_are_refused() {
        let address = encode_address(&[5; 16], &[1, 2, 3]);
        assert_eq!(decode_address(&address).unwrap(), ([5; 16], &[1, 2, 3][..]));
        for end in 0..address.len() {
            decode_address(&address[..end]).unwrap_err();
        }
        decode_address(b"tcp:127.0.0.1:1234/something").unwrap_err();
    }

    #[test]
    fn pieces_round_trip_and_truncated_ones_are_refused() {
        let mut data = Vec::new();
        push_piece(&mut data, 64, &mut |to| to.extend(b"ab"), 2);
        push_piece(&mut data, 128, &mut |to| to.extend(b"c"), 1);
        let mut rest = &data[..];
        assert_eq!(next_piece(&mut rest).unwrap().unwrap(), (64, &b"ab"[..]));
        assert_eq!(next_piece(&mut rest).unwrap().unwrap(), (128, &b"c"[..]));
        assert!(next_piece(&mut rest).is_none());
        let mut rest = &data[..data.len() - 1];
        next_piece(&mut rest).unwrap().unwrap();
        next_piece(&mut rest).unwrap().unwrap_err();
    }
}
