// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Reads of one record: whole pages into an aligned buffer, verified, then the wanted part.

use std::ops::Range;

use rustix::io::Errno;

use crate::buffers::Buffers;
use crate::cipher::SegmentCipher;
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
    fn within(self, length: u64) -> Range<u64> {
        let start = self.offset.min(length);
        start..start.saturating_add(self.bytes).min(length)
    }

    pub(crate) fn of(self, value: &[u8]) -> &[u8] {
        let part = self.within(value.len() as u64);
        value.get(size(part.start)..size(part.end)).unwrap_or_default()
    }
}

/// A record that the index names.
pub(crate) struct Reading<'a> {
    pub(crate) slot: Slot<'a>,
    pub(crate) print: u128,
    pub(crate) found: Found,
    pub(crate) salt: u64,
    /// Cipher of the segment's present use, in a tier with a key.
    pub(crate) cipher: Option<SegmentCipher>,
    pub(crate) buffers: &'a Buffers,
}

/// Pages around a part of the segment.
struct Window<'a> {
    /// Present until the window is dropped.
    buffer: Option<PageBuffer>,
    skip: usize,
    buffers: &'a Buffers,
}

impl Drop for Window<'_> {
    fn drop(&mut self) {
        if let Some(buffer) = self.buffer.take() {
            self.buffers.give(buffer);
        }
    }
}

impl Window<'_> {
    fn bytes(&self) -> &[u8] {
        self.buffer.as_ref().and_then(|buffer| buffer.bytes().get(self.skip..)).unwrap_or_default()
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        let skip = self.skip;
        self.buffer.as_mut().and_then(|buffer| buffer.bytes_mut().get_mut(skip..)).unwrap_or_default()
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
    fn window(&self, at: u64, bytes: u64) -> Result<Window<'_>, Errno> {
        let first = at / PAGE * PAGE;
        let end = at.saturating_add(bytes).min(self.slot.bytes).next_multiple_of(PAGE).min(self.slot.bytes);
        let mut buffer = self.buffers.take(end.saturating_sub(first));
        self.slot.disk.read(Area::Segments, self.slot.start + first, buffer.bytes_mut())?;
        Ok(Window { buffer: Some(buffer), skip: size(at - first), buffers: self.buffers })
    }

    /// A window with head, key and checksums; `None` if the head is not this record's.
    fn body_window(&self) -> Result<Option<Window<'_>>, Errno> {
        let first = self.window(self.at(), FIRST_BYTES)?;
        let Some(needed) = Body::needed(first.bytes(), self.stamp()) else { return Ok(None) };
        if needed <= first.bytes().len() as u64 {
            return Ok(Some(first));
        }
        self.window(self.at(), needed).map(Some)
    }

    fn body(&self, window: &Window<'_>) -> Option<Body> {
        Body::parse(window.bytes(), self.stamp())
    }

    /// Reads the key, and the length of the value.
    pub(crate) fn key(&self) -> Result<Option<(Vec<u8>, u64)>, Errno> {
        let window = self.body_window()?;
        let body = window.and_then(|window| self.body(&window));
        Ok(body.and_then(|body| Some((body.key(self.cipher.as_ref())?, body.head.value_bytes))))
    }

    /// Returns true if the whole record is there and verified. Without the key of an encrypted one, its
    /// checksums are.
    pub(crate) fn is_complete(&self) -> Result<bool, Errno> {
        let whole = Wanted { offset: 0, bytes: u64::MAX };
        let is_right = |body: &Body, window: &mut Window<'_>, place: &Place| {
            let bytes = window.bytes_mut().get_mut(place.bytes.clone()).unwrap_or_default();
            match &self.cipher {
                None => body.has_right_sums(place.first, bytes),
                cipher => {
                    body.key(cipher.as_ref()).is_some() && body.verify(place.first, bytes, cipher.as_ref())
                }
            }
        };
        let loaded = self.load(whole)?;
        Ok(loaded.is_some_and(|(body, mut window, place)| is_right(&body, &mut window, &place)))
    }

    /// Reads the blocks around a part of the value, not verified. Nearly all of a record is read at once.
    fn load(&self, wanted: Wanted) -> Result<Option<(Body, Window<'_>, Place)>, Errno> {
        let is_most = |pages: &u64| wanted.bytes.saturating_add(FIRST_BYTES) >= pages * PAGE;
        let window = match self.found.place.pages().filter(|pages| wanted.offset == 0 && is_most(pages)) {
            Some(pages) => Some(self.window(self.at(), pages * PAGE)?),
            None => self.body_window()?,
        };
        let Some(window) = window else { return Ok(None) };
        let Some(body) = self.body(&window) else { return Ok(None) };
        let part = wanted.within(body.head.value_bytes);
        let blocks = body.blocks_around(part.clone());
        let value_at = body.head.shape().value_at();
        let (from, to) = (value_at + blocks.start, value_at + blocks.end);
        if self.at() + to > self.slot.bytes {
            return Ok(None);
        }
        let first = size(blocks.start) / BLOCK;
        let part = size(part.start - blocks.start)..size(part.end - blocks.start);
        if to <= window.bytes().len() as u64 {
            return Ok(Some((body, window, Place { bytes: size(from)..size(to), first, part })));
        }
        let window = self.window(self.at() + from, to - from)?;
        let is_complete = window.bytes().len() as u64 >= to - from;
        Ok(is_complete.then_some((body, window, Place { bytes: 0..size(to - from), first, part })))
    }

    /// Passes a part of the value to `take`. `None`: the record is not this one, another key's, or damaged.
    pub(crate) fn read<R>(
        &self,
        key: &[u8],
        wanted: Wanted,
        take: impl FnOnce(&[u8]) -> R,
    ) -> Result<Option<R>, Errno> {
        let Some((body, mut window, place)) = self.load(wanted)? else { return Ok(None) };
        let cipher = self.cipher.as_ref();
        if body.key(cipher).as_deref() != Some(key) {
            return Ok(None);
        }
        let bytes = window.bytes_mut().get_mut(place.bytes).unwrap_or_default();
        if !body.verify(place.first, bytes, cipher) {
            return Ok(None);
        }
        Ok(bytes.get(place.part).map(take))
    }
}

/// Position of blocks in a window.
struct Place {
    bytes: Range<usize>,
    /// Number of the first block.
    first: usize,
    /// The wanted part of `bytes`.
    part: Range<usize>,
}
