// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Frames with payload: location of the payload, cutting of a long one, and frames that are made in a buffer.

use mf_base::Error;
use mf_device::Mover;
use mf_transport::{Range, SegmentKey, Spot};

use crate::blocks::Shape;
use crate::wire::{self, HEADER, Header, Kind, MORE, SHAPE, SUMMED, TEXT_MAX};

/// Location of a long payload.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    /// Memory of the caller, valid until the operation has ended.
    Local(*const u8),
    /// Memory of this process behind a key; resolved for every piece.
    Segment(SegmentKey, u64),
}

// SAFETY: only the description of a range; the reader vouches for the memory then.
unsafe impl Send for Source {}

/// Lets a piece of memory behind a key be read.
pub(crate) trait Reader {
    /// Calls `touch` once while the memory stays.
    fn read(
        &self,
        key: SegmentKey,
        address: u64,
        bytes: u64,
        touch: &mut dyn FnMut(Spot<'_>),
    ) -> mf_base::Result<()>;

    /// Calls `touch` once with several pieces behind one key while they stay.
    fn read_all(
        &self,
        key: SegmentKey,
        ranges: &[Range],
        touch: &mut dyn FnMut(&[Spot<'_>]),
    ) -> mf_base::Result<()>;
}

/// A long payload: put or data.
#[derive(Debug)]
pub(crate) struct Long {
    /// Of the next frame; its length is filled in.
    pub(crate) header: Header,
    pub(crate) source: Source,
    /// Its layout there; `None`: contiguous.
    pub(crate) shape: Option<Shape>,
    pub(crate) left: u64,
    /// True if the last frame ends the operation.
    pub(crate) ends: bool,
}

impl Long {
    /// Returns the header of the frame with the next `count` bytes, and the layout that precedes blocks.
    pub(crate) fn next(&self, count: usize, summed: bool) -> (Header, Option<[u8; SHAPE]>) {
        let is_last = count as u64 == self.left;
        let mut header = self.header;
        header.length = wire::length_u32(count);
        header.flags = if is_last && self.ends { 0 } else { MORE } | if summed { SUMMED } else { 0 };
        let mut head = None;
        match (header.kind, self.shape) {
            (Kind::Put, _) => header.extra = header.extra.saturating_add(self.left),
            (Kind::PutStrided, Some(shape)) => {
                header.length += wire::length_u32(SHAPE);
                // There the blocks lie at the stride of the header.
                let there = Shape { stride: header.extra, ..shape };
                head = Some(shape.encode(there.extent(self.left)));
            }
            _ => {}
        }
        (header, head)
    }

    /// Goes on behind those.
    pub(crate) fn advance(&mut self, count: usize) {
        let packed = count as u64;
        let (near, far) = match self.shape {
            None => (packed, packed),
            Some(shape) if self.header.kind == Kind::PutStrided => {
                (shape.skip(packed), Shape { stride: self.header.extra, ..shape }.skip(packed))
            }
            Some(shape) => (shape.skip(packed), packed),
        };
        self.source = self.source.behind(usize::try_from(near).unwrap_or(usize::MAX));
        // Wraps: behind the last one there is no memory, so the sum may overflow.
        self.header.address = self.header.address.wrapping_add(far);
        self.left -= packed;
    }
}

impl Source {
    pub(crate) fn behind(self, bytes: usize) -> Self {
        match self {
            Self::Local(from) => Self::Local(from.wrapping_add(bytes)),
            Self::Segment(key, address) => Self::Segment(key, address.wrapping_add(bytes as u64)),
        }
    }
}

/// Makes the frame that reports the failure of an operation here.
pub(crate) fn error_frame(sequence: u64, is_copy: bool, error: &Error) -> (Header, String) {
    let mut text = error.to_string();
    let mut end = text.len().min(TEXT_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    let mut header = Header::new(Kind::Error, sequence);
    header.detail = u16::from(is_copy);
    header.extra = u64::from(error.code().cast_unsigned());
    header.length = wire::length_u32(text.len());
    (header, text)
}

/// Appends a frame with a payload of this process's memory.
///
/// # Safety
/// `from` is readable for `bytes` bytes in the layout `shape`.
pub(crate) unsafe fn append_frame(
    buffer: &mut Vec<u8>,
    header: &Header,
    head: Option<&[u8; SHAPE]>,
    shape: Option<Shape>,
    from: *const u8,
    bytes: usize,
) {
    buffer.reserve(HEADER + header.rest());
    buffer.extend_from_slice(&header.encode());
    let at = buffer.len();
    if let Some(head) = head {
        buffer.extend_from_slice(head);
    }
    let shape = shape.unwrap_or(Shape { block: wire::length_u32(bytes), stride: 0 });
    // SAFETY: passed on to the caller.
    unsafe { shape.pack(from, bytes, buffer) };
    append_sum(buffer, header, at);
}

fn append_sum(buffer: &mut Vec<u8>, header: &Header, at: usize) {
    if header.has(SUMMED) {
        let sum = crc32c::crc32c(buffer.get(at..).unwrap_or(&[]));
        buffer.extend_from_slice(&sum.to_le_bytes());
    }
}

/// Makes a frame with a payload of a device's memory.
pub(crate) fn append_device(
    buffer: &mut Vec<u8>,
    header: &Header,
    shape: Option<Shape>,
    address: u64,
    bytes: usize,
    mover: &dyn Mover,
) -> mf_base::Result<()> {
    buffer.extend_from_slice(&header.encode());
    let at = buffer.len();
    buffer.resize(at + bytes, 0);
    let to = buffer.as_mut_ptr().wrapping_add(at);
    match shape {
        // SAFETY: the target vouches for the device's memory during its call; the buffer has room for the
        // bytes.
        Some(shape) => unsafe { shape.transfer(mover, to, address, bytes, false) }?,
        None => crate::memory::from_device(mover, address, to, bytes)?,
    }
    append_sum(buffer, header, at);
    Ok(())
}
