// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Wire format of the control channel: frames with a head of 8 bytes and a payload.
//!
//! | bytes | field | |
//! |---|---|---|
//! | 0..2 | type | [`INTEGER`] or [`STRUCT`]; others pass |
//! | 2..4 | flags | the program's, but [`RESERVED`] |
//! | 4..8 | length | bytes of the payload, at most [`PAYLOAD_BYTES_MAX`] |
//!
//! All little-endian. An [`Inbox`] splits received bytes into frames. It is given all bytes that the socket
//! had, so that a tag of 8 bytes costs one system call; bytes behind a frame are kept. A payload that does
//! not fit is received in place, into memory that is allocated after its length was checked.

/// Bytes of a head.
pub const HEAD_BYTES: usize = 8;
/// Most bytes of a payload: a larger length is forged, and ends the link.
pub const PAYLOAD_BYTES_MAX: usize = 1 << 20;
/// Type of an integer: of 4 bytes an `int32_t`, of 8 bytes a `uint64_t`.
pub const INTEGER: u16 = 1;
/// Type of a struct, in its memory representation.
pub const STRUCT: u16 = 2;
/// Reserved flag: marks frames of the handshake, which the library itself exchanges.
pub const RESERVED: u16 = 0x8000;
/// Bytes that an inbox receives ahead.
const AHEAD_BYTES: usize = 4 << 10;

/// Head of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// Type of the message.
    pub kind: u16,
    /// Its flags.
    pub flags: u16,
    /// Bytes of its payload.
    pub length: u32,
}

/// A length beyond [`PAYLOAD_BYTES_MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong(pub u32);

impl Head {
    /// Parses a head; all byte patterns are valid.
    pub fn read(bytes: &[u8; HEAD_BYTES]) -> Self {
        let [k0, k1, f0, f1, l0, l1, l2, l3] = *bytes;
        Self {
            kind: u16::from_le_bytes([k0, k1]),
            flags: u16::from_le_bytes([f0, f1]),
            length: u32::from_le_bytes([l0, l1, l2, l3]),
        }
    }

    /// Encodes the head.
    pub fn bytes(self) -> [u8; HEAD_BYTES] {
        let ([k0, k1], [f0, f1]) = (self.kind.to_le_bytes(), self.flags.to_le_bytes());
        let [l0, l1, l2, l3] = self.length.to_le_bytes();
        [k0, k1, f0, f1, l0, l1, l2, l3]
    }

    fn payload_bytes(self) -> usize {
        usize::try_from(self.length).unwrap_or(usize::MAX)
    }
}

/// A payload that does not fit into `ahead`.
struct Long {
    head: Head,
    /// Received bytes, and the room for the next ones.
    payload: Vec<u8>,
    filled: usize,
}

/// Received bytes, and the frames in them.
pub struct Inbox {
    ahead: Box<[u8; AHEAD_BYTES]>,
    /// Range of `ahead` that was received and not consumed.
    from: usize,
    to: usize,
    long: Option<Long>,
    /// Bytes after `ahead`, pushed by users that cannot receive in place ([`push`](Self::push)).
    queued: Vec<u8>,
    taken: usize,
}

impl Default for Inbox {
    fn default() -> Self {
        Self { ahead: Box::new([0; AHEAD_BYTES]), from: 0, to: 0, long: None, queued: Vec::new(), taken: 0 }
    }
}

impl Inbox {
    /// Returns the head of the first frame, if complete. Allocates no memory for the frame.
    pub fn head(&mut self) -> Option<Head> {
        if self.first().is_none() {
            self.pull();
        }
        self.first()
    }

    fn first(&self) -> Option<Head> {
        match &self.long {
            Some(long) => Some(long.head),
            None => self.waiting().first_chunk().map(Head::read),
        }
    }

    /// Returns the head of the first frame, if the frame is complete.
    ///
    /// # Errors
    /// The length is too large; no memory was allocated for it.
    pub fn ready(&mut self) -> Result<Option<Head>, TooLong> {
        loop {
            let found = self.ready_now()?;
            if found.is_some() || self.taken == self.queued.len() {
                return Ok(found);
            }
            self.pull();
        }
    }

    /// Moves pushed bytes to the buffer that frames are read from.
    fn pull(&mut self) {
        let queued = std::mem::take(&mut self.queued);
        let rest = queued.get(self.taken..).unwrap_or_default();
        let space = self.space(false);
        let fits = rest.len().min(space.len());
        for (to, from) in space.iter_mut().zip(rest) {
            *to = *from;
        }
        self.filled(fits);
        self.queued = queued;
        self.taken += fits;
        if self.taken == self.queued.len() {
            self.queued.clear();
            self.taken = 0;
        }
    }

    fn ready_now(&mut self) -> Result<Option<Head>, TooLong> {
        if let Some(long) = &self.long {
            return Ok((long.filled == long.head.payload_bytes()).then_some(long.head));
        }
        let Some(head) = self.first() else { return Ok(None) };
        let bytes = head.payload_bytes();
        if bytes > PAYLOAD_BYTES_MAX {
            return Err(TooLong(head.length));
        }
        if HEAD_BYTES + bytes > AHEAD_BYTES {
            // The frame is longer than `ahead`, so all bytes in there belong to it.
            let payload = self.waiting().get(HEAD_BYTES..).unwrap_or_default().to_vec();
            let filled = payload.len();
            self.long = Some(Long { head, payload, filled });
            (self.from, self.to) = (0, 0);
            return Ok(None);
        }
        Ok((self.to - self.from >= HEAD_BYTES + bytes).then_some(head))
    }

    /// Returns the room to receive into, never empty while [`ready`](Self::ready) returns `None`; `exact`: no
    /// more than the first frame.
    pub fn space(&mut self, exact: bool) -> &mut [u8] {
        let needed = match &self.long {
            Some(_) => 0,
            None => HEAD_BYTES + self.first().map_or(0, Head::payload_bytes),
        };
        if let Some(long) = &mut self.long {
            if long.filled == long.payload.len() {
                // At most doubled: an announced length alone allocates no memory.
                let more = long.payload.len().max(AHEAD_BYTES);
                long.payload.resize((long.filled + more).min(long.head.payload_bytes()), 0);
            }
            return long.payload.get_mut(long.filled..).unwrap_or_default();
        }
        if self.from == self.to {
            (self.from, self.to) = (0, 0);
        } else if self.from + needed > AHEAD_BYTES {
            self.ahead.copy_within(self.from..self.to, 0);
            (self.from, self.to) = (0, self.to - self.from);
        }
        let end = if exact { (self.from + needed).min(AHEAD_BYTES) } else { AHEAD_BYTES };
        self.ahead.get_mut(self.to..end).unwrap_or_default()
    }

    /// Records that `bytes` of [`space`](Self::space) were received.
    pub fn filled(&mut self, bytes: usize) {
        match &mut self.long {
            Some(long) => long.filled = (long.filled + bytes).min(long.payload.len()),
            None => self.to = (self.to + bytes).min(AHEAD_BYTES),
        }
    }

    /// Appends bytes that were received elsewhere.
    pub fn push(&mut self, bytes: &[u8]) {
        self.queued.extend_from_slice(bytes);
    }

    /// Returns the payload of the first frame, which must be [`ready`](Self::ready).
    pub fn payload(&self) -> &[u8] {
        match &self.long {
            Some(long) => &long.payload,
            None => {
                let bytes = self.first().map_or(0, Head::payload_bytes);
                self.waiting().get(HEAD_BYTES..HEAD_BYTES + bytes).unwrap_or_default()
            }
        }
    }

    /// Drops the first frame, which must be [`ready`](Self::ready).
    pub fn consume(&mut self) {
        if self.long.take().is_none() {
            let bytes = self.first().map_or(0, |head| HEAD_BYTES + head.payload_bytes());
            self.from = (self.from + bytes).min(self.to);
        }
    }

    /// Takes the payload of the first frame, which must be [`ready`](Self::ready), and drops the frame.
    pub fn take(&mut self) -> Vec<u8> {
        if let Some(long) = self.long.take() {
            return long.payload;
        }
        let payload = self.payload().to_vec();
        self.consume();
        payload
    }

    /// Returns the number of bytes received and not consumed.
    pub fn unread_bytes(&self) -> usize {
        self.to - self.from + self.queued.len() - self.taken
            + self.long.as_ref().map_or(0, |long| long.filled)
    }

    /// Returns true if all received bytes were consumed.
    pub fn is_empty(&self) -> bool {
        self.long.is_none() && self.from == self.to && self.queued.is_empty()
    }

    fn waiting(&self) -> &[u8] {
        self.ahead.get(self.from..self.to).unwrap_or_default()
    }
}

#[cfg(test)]
#[allow(clippy::cast_possible_truncation, reason = "patterns of bytes, short lengths")]
mod tests {
    use super::*;

    fn frame(kind: u16, payload: &[u8]) -> Vec<u8> {
        let head = Head { kind, flags: 7, length: u32::try_from(payload.len()).unwrap() };
        [&head.bytes()[..], payload].concat()
    }

    #[test]
    fn the_head_has_the_layout_of_the_interface() {
        let head = Head { kind: STRUCT, flags: RESERVED, length: 4 };
        assert_eq!(head.bytes(), [2, 0, 0, 0x80, 4, 0, 0, 0]);
        assert_eq!(Head::read(&head.bytes()), head);
    }

    /// Splits bytes, received in pieces of at most `piece`, into frames.
    fn all(mut bytes: &[u8], piece: usize, exact: bool, pushes: bool) -> Vec<(u16, Vec<u8>)> {
        let (mut inbox, mut found) = (Inbox::default(), Vec::new());
        loop {
            while let Some(head) = inbox.ready().unwrap() {
                assert_eq!(inbox.payload().len(), head.length as usize);
                found.push((head.kind, inbox.take()));
            }
            if bytes.is_empty() {
                assert!(inbox.is_empty());
                return found;
            }
            let space = inbox.space(exact);
            assert!(!space.is_empty());
            let most = if pushes { piece } else { piece.min(space.len()) };
            let (now, later) = bytes.split_at(most.min(bytes.len()));
            if pushes {
                inbox.push(now);
            } else {
                space[..now.len()].copy_from_slice(now);
                inbox.filled(now.len());
            }
            bytes = later;
        }
    }

    #[test]
    fn frames_are_the_same_in_any_pieces() {
        let sizes = [0, 8, 1, 4080, 4088, 4089, 4, 100_000, 0, PAYLOAD_BYTES_MAX, 3000, 3000, 8];
        let payloads: Vec<Vec<u8>> =
            sizes.iter().enumerate().map(|(i, n)| (0..*n).map(|b| (b * 31 + i) as u8).collect()).collect();
        let bytes = payloads.iter().flat_map(|payload| frame(INTEGER, payload)).collect::<Vec<u8>>();
        let wanted: Vec<(u16, Vec<u8>)> = payloads.into_iter().map(|payload| (INTEGER, payload)).collect();
        for piece in [17, 4096, 70_000, usize::MAX] {
            for (exact, pushes) in [(false, false), (true, false), (false, true)] {
                assert!(all(&bytes, piece, exact, pushes) == wanted, "{piece} {exact} {pushes}");
            }
        }
        let short = frame(STRUCT, b"some bytes");
        assert_eq!(all(&short, 1, false, false), [(STRUCT, b"some bytes".to_vec())]);
    }

    #[test]
    fn a_forged_length_makes_no_memory() {
        let mut inbox = Inbox::default();
        let head = Head { kind: INTEGER, flags: 0, length: u32::MAX };
        inbox.push(&head.bytes());
        assert_eq!(inbox.ready(), Err(TooLong(u32::MAX)));
        assert!(inbox.long.is_none());
    }

    #[test]
    fn inbox_grows_with_the_received_part_of_a_long_frame() {
        let mut inbox = Inbox::default();
        let head = Head { kind: STRUCT, flags: 0, length: u32::try_from(PAYLOAD_BYTES_MAX).unwrap() };
        inbox.push(&[&head.bytes()[..], &[7; 5000]].concat());
        assert_eq!(inbox.ready(), Ok(None));
        assert_eq!(inbox.unread_bytes(), 5000);
        let held = inbox.long.as_ref().unwrap().payload.len();
        assert!(held <= 4 * AHEAD_BYTES, "{held} bytes for 5000 that have come");
    }

    #[test]
    fn exact_receive_does_not_read_into_the_next_frame() {
        let mut inbox = Inbox::default();
        assert_eq!(inbox.space(true).len(), HEAD_BYTES);
        inbox.space(true).copy_from_slice(&frame(INTEGER, b"12345678")[..HEAD_BYTES]);
        inbox.filled(HEAD_BYTES);
        assert_eq!(inbox.space(true).len(), 8);
    }
}
