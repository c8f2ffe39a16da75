// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Segment: a slot of fixed size in one folder, filled once, from a head page to a footer.
//!
//! A slot is used again and again. Each use has a new epoch (its position in the order of all segments) and a
//! new random salt, which all its records and its footer repeat. Erasing the head page ends a use: nothing in
//! the slot is readable any more, at any later time.

use rustix::io::Errno;

use crate::disk::{Area, Disk, PAGE};
use crate::fields::{self, size, u64_at};
use crate::footer::{self, Entry};
use crate::page_buffer::PageBuffer;
use crate::record::{Head, UNIT};

const MAGIC: u64 = 0x5347_4553_4644_464d;
const HEAD_BYTES: usize = 64;

/// One use of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Use {
    pub(crate) epoch: u64,
    pub(crate) salt: u64,
}

impl Use {
    /// The head page of a segment. `set` is the random number of the tier.
    pub(crate) fn encode(&self, set: u64) -> [u8; HEAD_BYTES] {
        let mut bytes = [0; HEAD_BYTES];
        fields::put(&mut bytes, 0, &MAGIC.to_le_bytes());
        fields::put(&mut bytes, 8, &set.to_le_bytes());
        fields::put(&mut bytes, 16, &self.epoch.to_le_bytes());
        fields::put(&mut bytes, 24, &self.salt.to_le_bytes());
        fields::seal(&mut bytes);
        bytes
    }

    /// Decodes a head page; `None` for a slot without a segment of this tier.
    pub(crate) fn decode(page: &[u8], set: u64) -> Option<Self> {
        let bytes = page.get(..HEAD_BYTES)?;
        let is_ours = fields::is_sealed(bytes) && u64_at(bytes, 0) == MAGIC && u64_at(bytes, 8) == set;
        is_ours.then(|| Self { epoch: u64_at(bytes, 16), salt: u64_at(bytes, 24) })
    }
}

/// A slot on its disk.
#[derive(Clone, Copy)]
pub(crate) struct Slot<'a> {
    pub(crate) disk: &'a dyn Disk,
    pub(crate) start: u64,
    pub(crate) bytes: u64,
}

impl Slot<'_> {
    /// Writes the head page of a new use.
    pub(crate) fn begin(&self, used: Use, set: u64) -> Result<(), Errno> {
        self.disk.allocate(self.start, self.bytes)?;
        let mut page = PageBuffer::zeroed(PAGE);
        fields::put(page.bytes_mut(), 0, &used.encode(set));
        self.disk.write(Area::Segments, self.start, page.bytes())
    }

    /// Erases the head page, for good.
    pub(crate) fn erase(&self) -> Result<(), Errno> {
        self.disk.write(Area::Segments, self.start, PageBuffer::zeroed(PAGE).bytes())?;
        self.disk.sync(Area::Segments)
    }

    /// Reads the head page.
    pub(crate) fn used(&self, set: u64) -> Result<Option<Use>, Errno> {
        let mut page = PageBuffer::zeroed(PAGE);
        self.disk.read(Area::Segments, self.start, page.bytes_mut())?;
        Ok(Use::decode(page.bytes(), set))
    }

    /// Writes the footer at the end of the segment, and makes the segment survive a power failure.
    pub(crate) fn seal(&self, entries: &[Entry], salt: u64) -> Result<(), Errno> {
        let footer = PageBuffer::copied(&footer::encode(entries, salt));
        let at = self.start + self.bytes - footer.bytes().len() as u64;
        self.disk.write(Area::Segments, at, footer.bytes())?;
        self.disk.sync(Area::Segments)
    }

    /// Lists the records: by the footer, or else by their heads. True beside them: there was a footer.
    pub(crate) fn entries(&self, salt: u64) -> Result<(Vec<Entry>, bool), Errno> {
        let listed = self.footer(salt)?;
        let has_footer = listed.is_some();
        let mut entries = match listed {
            Some(entries) => entries,
            None => self.scan(salt)?,
        };
        let room = self.bytes;
        entries.retain(|entry| {
            let at = u64::from(entry.unit) * UNIT;
            at >= PAGE && at.checked_add(entry.bytes).is_some_and(|end| end <= room)
        });
        Ok((entries, has_footer))
    }

    fn footer(&self, salt: u64) -> Result<Option<Vec<Entry>>, Errno> {
        let mut page = PageBuffer::zeroed(PAGE);
        self.disk.read(Area::Segments, self.start + self.bytes - PAGE, page.bytes_mut())?;
        let Some(count) = footer::count(page.bytes(), salt, self.bytes) else { return Ok(None) };
        let bytes = footer::footer_bytes(count);
        if bytes == PAGE {
            return Ok(footer::entries(page.bytes(), count, salt));
        }
        if bytes > self.bytes {
            return Ok(None);
        }
        let mut pages = PageBuffer::zeroed(bytes);
        self.disk.read(Area::Segments, self.start + self.bytes - bytes, pages.bytes_mut())?;
        Ok(footer::entries(pages.bytes(), count, salt))
    }

    /// Follows the heads of records, up to the first bytes that are no record of this use.
    fn scan(&self, salt: u64) -> Result<Vec<Entry>, Errno> {
        let mut entries = Vec::new();
        let mut window = PageBuffer::zeroed(PAGE);
        let (mut at, mut loaded) = (PAGE, 0);
        while at + UNIT <= self.bytes {
            let page = at / PAGE * PAGE;
            if loaded != page {
                self.disk.read(Area::Segments, self.start + page, window.bytes_mut())?;
                loaded = page;
            }
            let head = window.bytes().get(size(at - page)..).and_then(Head::decode);
            let Some(head) = head.filter(|head| head.salt == salt && u64::from(head.unit) * UNIT == at)
            else {
                break;
            };
            let bytes = head.record_bytes();
            let end = at.checked_add(bytes).filter(|end| *end <= self.bytes);
            let Some(end) = end else { break };
            if !head.is_pad {
                entries.push(Entry {
                    print: head.print,
                    generation: head.generation,
                    unit: head.unit,
                    bytes,
                });
            }
            at = end;
        }
        Ok(entries)
    }
}
