// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Frames of the control channel as bytes: a head of 8 bytes, then the payload.
//!
//! | bytes | field | |
//! |---|---|---|
//! | 0..2 | type | [`INTEGER`] or [`STRUCT`]; others pass |
//! | 2..4 | flags | the program's, but [`RESERVED`] |
//! | 4..8 | length | bytes of the payload, at most [`PAYLOAD_BYTES_MAX`] |
//!
//! All little end first. An [`Inbox`] makes frames of received bytes. It is given whatever the socket had, so
//! that a tag of 8 bytes costs one call of the kernel; what lies behind a frame waits in it. A payload that
//! does not fit beside it is received in place, in memory that is made after its length was checked.

/// Bytes of a head.
pub const HEAD_BYTES: usize = 8;
/// Most bytes of a payload: more is a forged length, and ends the link.
pub const PAYLOAD_BYTES_MAX: usize = 1 << 20;
/// Type of an integer: of 4 bytes an `int32_t`, of 8 bytes a `uint64_t`.
pub const INTEGER: u16 = 1;
/// Type of a struct, as it lies in memory.
pub const STRUCT: u16 = 2;
/// The flag of frames that the library itself exchanges at the beginning of a link.
pub const RESERVED: u16 = 0x8000;
/// Bytes that an inbox receives ahead.
const AHEAD_BYTES: usize = 4 << 10;

/// What stands before a payload.
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
    /// What the bytes say; all of them say something.
    pub fn read(bytes: &[u8; HEAD_BYTES]) -> Self {
        let [k0, k1, f0, f1, l0, l1, l2, l3] = *bytes;
        Self {
            kind: u16::from_le_bytes([k0, k1]),
            flags: u16::from_le_bytes([f0, f1]),
            length: u32::from_le_bytes([l0, l1, l2, l3]),
        }
    }

    /// Its bytes.
    pub fn bytes(self) -> [u8; HEAD_BYTES] {
        let ([k0, k1], [f0, f1]) = (self.kind.to_le_bytes(), self.flags.to_le_bytes());
        let [l0, l1, l2, l3] = self.length.to_le_bytes();
        [k0, k1, f0, f1, l0, l1, l2, l3]
    }

    fn payload_bytes(self) -> usize {
        usize::try_from(self.length).unwrap_or(usize::MAX)
    }
}

/// A payload that does not fit beside the others.
struct Long {
    head: Head,
    /// What has come, and the room for what comes next.
    payload: Vec<u8>,
    filled: usize,
}

/// Received bytes, and the frames in them.
pub struct Inbox {
    ahead: Box<[u8; AHEAD_BYTES]>,
    /// The bytes of `ahead` that were received and not consumed.
    from: usize,
    to: usize,
    long: Option<Long>,
    /// Bytes behind those, of who cannot receive in place ([`push`](Self::push)).
    queued: Vec<u8>,
    taken: usize,
}

impl Default for Inbox {
    fn default() -> Self {
        Self { ahead: Box::new([0; AHEAD_BYTES]), from: 0, to: 0, long: None, queued: Vec::new(), taken: 0 }
    }
}

impl Inbox {
    /// The head of the first frame, once it is there. Makes no memory for the frame.
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

    /// The head of the first frame, once all of the frame is there.
    ///
    /// # Errors
    /// Its length is forged; no memory was made for it.
    pub fn ready(&mut self) -> Result<Option<Head>, TooLong> {
        loop {
            let found = self.ready_now()?;
            if found.is_some() || self.taken == self.queued.len() {
                return Ok(found);
            }
            self.pull();
        }
    }

    /// Moves bytes that were pushed to where frames are read.
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
            // The frame is longer than `ahead`, so all that waits there belongs to it.
            let payload = self.waiting().get(HEAD_BYTES..).unwrap_or_default().to_vec();
            let filled = payload.len();
            self.long = Some(Long { head, payload, filled });
            (self.from, self.to) = (0, 0);
            return Ok(None);
        }
        Ok((self.to - self.from >= HEAD_BYTES + bytes).then_some(head))
    }

    /// Where to receive next, never empty while [`ready`](Self::ready) finds nothing; `exact`: no more than
    /// the first frame.
    pub fn space(&mut self, exact: bool) -> &mut [u8] {
        let needed = match &self.long {
            Some(_) => 0,
            None => HEAD_BYTES + self.first().map_or(0, Head::payload_bytes),
        };
        if let Some(long) = &mut self.long {
            if long.filled == long.payload.len() {
                // As much again as has come: an announcement alone makes no memory.
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

    /// So many bytes of [`space`](Self::space) were received.
    pub fn filled(&mut self, bytes: usize) {
        match &mut self.long {
            Some(long) => long.filled = (long.filled + bytes).min(long.payload.len()),
            None => self.to = (self.to + bytes).min(AHEAD_BYTES),
        }
    }

    /// Takes bytes that were received elsewhere.
    pub fn push(&mut self, bytes: &[u8]) {
        self.queued.extend_from_slice(bytes);
    }

    /// The payload of the first frame, which is [`ready`](Self::ready).
    pub fn payload(&self) -> &[u8] {
        match &self.long {
            Some(long) => &long.payload,
            None => {
                let bytes = self.first().map_or(0, Head::payload_bytes);
                self.waiting().get(HEAD_BYTES..HEAD_BYTES + bytes).unwrap_or_default()
            }
        }
    }

    /// Drops the first frame, which is [`ready`](Self::ready).
    pub fn consume(&mut self) {
        if self.long.take().is_none() {
            let bytes = self.first().map_or(0, |head| HEAD_BYTES + head.payload_bytes());
            self.from = (self.from + bytes).min(self.to);
        }
    }

    /// Takes the payload of the first frame, which is [`ready`](Self::ready), and drops the frame.
    pub fn take(&mut self) -> Vec<u8> {
        if let Some(long) = self.long.take() {
            return long.payload;
        }
        let payload = self.payload().to_vec();
        self.consume();
        payload
    }

    /// Bytes that were received and not consumed.
    pub fn unread_bytes(&self) -> usize {
        self.to - self.from + self.queued.len() - self.taken
            + self.long.as_ref().map_or(0, |long| long.filled)
    }

    /// Whether nothing was received that was not consumed.
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

    /// All frames, received in pieces of at most `piece` bytes.
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
    fn inbox_grows_with_what_has_come_of_a_long_frame() {
        let mut inbox = Inbox::default();
        let head = Head { kind: STRUCT, flags: 0, length: u32::try_from(PAYLOAD_BYTES_MAX).unwrap() };
        inbox.push(&[&head.bytes()[..], &[7; 5000]].concat());
        assert_eq!(inbox.ready(), Ok(None));
        assert_eq!(inbox.unread_bytes(), 5000);
        let held = inbox.long.as_ref().unwrap().payload.len();
        assert!(held <= 4 * AHEAD_BYTES, "{held} bytes for 5000 that have come");
    }

    #[test]
    fn who_receives_exactly_takes_nothing_of_the_next_frame() {
        let mut inbox = Inbox::default();
        assert_eq!(inbox.space(true).len(), HEAD_BYTES);
        inbox.space(true).copy_from_slice(&frame(INTEGER, b"12345678")[..HEAD_BYTES]);
        inbox.filled(HEAD_BYTES);
        assert_eq!(inbox.space(true).len(), 8);
    }
}
