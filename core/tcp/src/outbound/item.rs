// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One piece of the send queue, and the frame that is sent next of it.

use mf_transport::{Range, SegmentKey};

use crate::channel::Part;
use crate::frames::{Long, Source};
use crate::wire::{CHUNK_MAX, HEADER, Header};

/// One piece of the send queue.
#[derive(Debug)]
pub(super) enum Item {
    /// Frames, and the number of bytes sent.
    Bytes(Vec<u8>, usize),
    /// A payload that is not cut into frames yet.
    Long(Long),
    /// One frame with its payload in place: header, bytes of it sent, the unsent payload.
    Chunk { header: [u8; HEADER], sent: usize, source: Source, left: usize },
    /// The rest of a frame whose payload became unreadable: zeros.
    Padding(usize),
}

impl Item {
    /// Bytes not sent yet; of a long payload without its headers.
    pub(super) fn unsent(&self) -> u64 {
        let bytes = match self {
            Self::Bytes(bytes, sent) => bytes.len() - sent,
            Self::Long(long) => return long.left,
            Self::Chunk { sent, left, .. } => HEADER - sent + left,
            Self::Padding(left) => *left,
        };
        bytes as u64
    }

    /// Accounts for `count` sent bytes. Not for long payloads.
    pub(super) fn advance(&mut self, count: usize) {
        match self {
            Self::Bytes(_, sent) => *sent += count,
            Self::Padding(left) => *left -= count,
            Self::Chunk { sent, source, left, .. } => {
                let of_header = count.min(HEADER - *sent);
                *sent += of_header;
                *source = source.behind(count - of_header);
                *left -= count - of_header;
            }
            Self::Long(_) => {}
        }
    }

    /// The frame that is sent next of this piece. None: it is made with a copy, or it is padding.
    pub(super) fn frame(&self, summed: bool) -> Option<Frame> {
        match self {
            Self::Bytes(bytes, sent) => {
                let rest = bytes.get(*sent..).unwrap_or(&[]);
                let source = Source::Local(rest.as_ptr());
                Some(Frame { header: [0; HEADER], sent: HEADER, source, left: rest.len() })
            }
            Self::Chunk { header, sent, source, left } => {
                Some(Frame { header: *header, sent: *sent, source: *source, left: *left })
            }
            Self::Long(long) if long.shape.is_none() && !summed => {
                let left = usize::try_from(long.left).ok().filter(|left| *left <= CHUNK_MAX)?;
                let (header, _) = long.next(left, false);
                Some(Frame { header: header.encode(), sent: 0, source: long.source, left })
            }
            Self::Long(_) | Self::Padding(_) => None,
        }
    }

    /// Turns a payload into the frame of [`frame`](Self::frame), because some of it was sent.
    pub(super) fn cut(&mut self) {
        if let Self::Long(_) = self
            && let Some(Frame { header, sent, source, left }) = self.frame(false)
        {
            *self = Self::Chunk { header, sent, source, left };
        }
    }

    /// The operation whose payload this is.
    pub(super) fn sequence(&self) -> Option<u64> {
        match self {
            Self::Long(long) => Some(long.header.sequence),
            Self::Chunk { header, .. } => Header::decode(header).ok().map(|header| header.sequence),
            Self::Bytes(..) | Self::Padding(_) => None,
        }
    }
}

/// A frame to send: header, bytes of it sent, the unsent payload.
#[derive(Debug)]
pub(super) struct Frame {
    header: [u8; HEADER],
    sent: usize,
    source: Source,
    left: usize,
}

impl Frame {
    pub(super) fn bytes(&self) -> usize {
        HEADER - self.sent + self.left
    }

    /// The unsent part of the header.
    pub(super) fn head(&self) -> Part {
        let rest = self.header.get(self.sent..).unwrap_or(&[]);
        (rest.as_ptr(), rest.len())
    }

    pub(super) fn payload(&self) -> (Source, usize) {
        (self.source, self.left)
    }

    /// The range of its payload, if that lies in a segment.
    pub(super) fn range(&self) -> Option<(SegmentKey, Range)> {
        match self.source {
            Source::Segment(key, address) => Some((key, (address, self.left as u64))),
            Source::Local(_) => None,
        }
    }
}
