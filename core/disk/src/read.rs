// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Reads of one record: whole pages into an aligned buffer, verified, then the wanted part.

use rustix::io::Errno;

use crate::disk::{Area, PAGE};
use crate::fields::size;
use crate::index::Found;
use crate::page_buffer::PageBuffer;
use crate::record::{BLOCK, Body, Stamp, UNIT};
use crate::segment::Slot;

/// Bytes that are read to learn the lengths of a record.
const FIRST_BYTES: u64 = 2 * PAGE;

/// Part of a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) offset: u64,
    pub(crate) bytes: u64,
}

impl Wanted {
    /// The part of a value of this length, as a range.
    fn within(self, length: u64) -> std::ops::Range<u64> {
        let start = self.offset.min(length);
        start..start.saturating_add(self.bytes).min(length)
    }

    pub(crate) fn of(self, value: &[u8]) -> Vec<u8> {
        let part = self.within(value.len() as u64);
        value.get(size(part.start)..size(part.end)).unwrap_or_default().to_vec()
    }
}

/// A record that the index names.
pub(crate) struct Reading<'a> {
    pub(crate) slot: Slot<'a>,
    pub(crate) print: u128,
    pub(crate) found: Found,
    pub(crate) salt: u64,
}

/// Pages around a part of the segment.
struct Window {
    buffer: PageBuffer,
    skip: usize,
}

impl Window {
    fn bytes(&self) -> &[u8] {
        self.buffer.bytes().get(self.skip..).unwrap_or_default()
    }
}

impl Reading<'_> {
    fn at(&self) -> u64 {
        u64::from(self.found.place.unit()) * UNIT
    }

    fn stamp(&self) -> Stamp {
        Stamp {
            print: self.print,
            generation: self.found.generation,
            salt: self.salt,
            unit: self.found.place.unit(),
        }
    }

    /// Reads from position `at` of the segment, at least `bytes` unless the segment ends.
    fn window(&self, at: u64, bytes: u64) -> Result<Window, Errno> {
        let first = at / PAGE * PAGE;
        let end = at.saturating_add(bytes).min(self.slot.bytes).next_multiple_of(PAGE).min(self.slot.bytes);
        let mut buffer = PageBuffer::zeroed(end.saturating_sub(first));
        self.slot.disk.read(Area::Segments, self.slot.start + first, buffer.bytes_mut())?;
        Ok(Window { buffer, skip: size(at - first) })
    }

    /// A window with head, key and checksums; `None` if the head is not this record's.
    fn body_window(&self) -> Result<Option<Window>, Errno> {
        let first = self.window(self.at(), FIRST_BYTES)?;
        let Some(needed) = Body::needed(first.bytes(), self.stamp()) else { return Ok(None) };
        if needed <= first.bytes().len() as u64 {
            return Ok(Some(first));
        }
        self.window(self.at(), needed).map(Some)
    }

    /// Reads the key, and the length of the value.
    pub(crate) fn key(&self) -> Result<Option<(Vec<u8>, u64)>, Errno> {
        let window = self.body_window()?;
        let body = window.as_ref().and_then(|window| Body::parse(window.bytes(), self.stamp()));
        Ok(body.map(|body| (body.key.to_vec(), body.head.value_bytes)))
    }

    /// Returns true if the whole record is there and verified.
    pub(crate) fn is_complete(&self) -> bool {
        let whole = Wanted { offset: 0, bytes: u64::MAX };
        matches!(self.key(), Ok(Some((key, _))) if matches!(self.read(&key, whole), Ok(Some(_))))
    }

    /// Reads a part of the value. `None`: the record is not this one, another key's, or damaged.
    pub(crate) fn read(&self, key: &[u8], wanted: Wanted) -> Result<Option<Vec<u8>>, Errno> {
        let is_whole = wanted.offset == 0 && wanted.bytes == u64::MAX;
        let window = match self.found.place.pages().filter(|_| is_whole) {
            Some(pages) => Some(self.window(self.at(), pages * PAGE)?),
            None => self.body_window()?,
        };
        let Some(window) = window else { return Ok(None) };
        let Some(body) = Body::parse(window.bytes(), self.stamp()).filter(|body| body.key == key) else {
            return Ok(None);
        };
        let part = wanted.within(body.head.value_bytes);
        let blocks = body.blocks_around(part.clone());
        let value_at = body.head.shape().value_at();
        let (from, to) = (value_at + blocks.start, value_at + blocks.end);
        let later;
        let bytes = match window.bytes().get(size(from)..size(to)) {
            Some(bytes) => bytes,
            None if self.at() + to > self.slot.bytes => return Ok(None),
            None => {
                later = self.window(self.at() + from, to - from)?;
                later.bytes().get(..size(to - from)).unwrap_or_default()
            }
        };
        let is_complete = bytes.len() as u64 == to - from;
        if !is_complete || !body.is_right(size(blocks.start) / BLOCK, bytes) {
            return Ok(None);
        }
        let wanted = bytes.get(size(part.start - blocks.start)..size(part.end - blocks.start));
        Ok(wanted.map(<[u8]>::to_vec))
    }
}
