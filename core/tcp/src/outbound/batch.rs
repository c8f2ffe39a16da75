// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The frames at the front of the send queue that one call of the kernel takes.

use std::collections::VecDeque;
use std::io;

use mf_base::Error;
use mf_device::Access;
use mf_transport::{RANGES_MAX, Range, SegmentKey, Spot, hole};

use super::item::{Frame, Item};
use crate::channel::{Channel, Part};
use crate::frames::{Reader, Source};
use crate::memory;

/// Bound of the buffer of short frames; then the next begins.
pub(super) const GATHER: usize = 64 << 10;

/// Most frames of one call.
pub(super) const FRAMES: usize = RANGES_MAX;
/// Payload after which no further frame joins the call.
pub(super) const BYTES: u64 = 1 << 20;
/// The same where the processor encrypts: so much is encrypted at a time.
const SEALED_BYTES: u64 = 64 << 10;

/// Frames to send in one call. Payloads in segments all have the same key, so that the target is asked once.
#[derive(Debug, Default)]
pub(super) struct Batch {
    frames: Vec<Frame>,
    ranges: Vec<Range>,
    key: Option<SegmentKey>,
    /// The only frame has no payload any more.
    failed: Option<Error>,
}

impl Batch {
    /// Collects from the front of the queue.
    pub(super) fn fill(&mut self, queue: &VecDeque<Item>, summed: bool, is_sealed: bool) {
        let most = if is_sealed { SEALED_BYTES } else { BYTES };
        let mut bytes = 0;
        for item in queue.iter().take(FRAMES) {
            let Some(frame) = item.frame(summed) else { break };
            if let Some((key, range)) = frame.range() {
                if *self.key.get_or_insert(key) != key {
                    break;
                }
                self.ranges.push(range);
            }
            bytes += frame.bytes() as u64;
            self.frames.push(frame);
            if bytes >= most {
                break;
            }
        }
    }

    pub(super) fn is_several(&self) -> bool {
        self.frames.len() > 1
    }

    /// Leaves all but the first frame for later calls.
    pub(super) fn keep_first(&mut self) {
        self.frames.truncate(1);
        self.ranges.clear();
        self.ranges.extend(self.frames.iter().filter_map(|frame| frame.range().map(|(_, range)| range)));
    }

    /// Empties it. Returns the reason if the payload of its only frame is gone.
    pub(super) fn clear(&mut self) -> Option<Error> {
        self.frames.clear();
        self.ranges.clear();
        self.key = None;
        self.failed.take()
    }

    /// Memory that it holds.
    pub(super) fn capacity_bytes(&self) -> usize {
        self.frames.capacity() * size_of::<Frame>() + self.ranges.capacity() * size_of::<Range>()
    }

    /// Sends what the socket takes, of `waiting` pieces that wait. None: some payload cannot be sent in
    /// place.
    pub(super) fn send(
        &mut self,
        channel: &Channel,
        reader: &dyn Reader,
        waiting: usize,
    ) -> io::Result<Option<usize>> {
        let more = waiting > self.frames.len();
        match (self.key, self.ranges.as_slice()) {
            (_, []) | (None, _) => self.send_parts(channel, &[], more).map(Some),
            (Some(key), [(address, bytes)]) if !self.is_several() => {
                self.send_only(channel, reader, key, (*address, *bytes), more)
            }
            (Some(key), ranges) => {
                let mut sent = Ok(None);
                let asked = reader.read_all(key, ranges, &mut |spots| {
                    let can_send = |spot: &Spot<'_>| match spot {
                        Spot::Host(_) => true,
                        Spot::Program(_) => !channel.is_sealed(),
                        Spot::Device { .. } => false,
                    };
                    if spots.iter().all(can_send) {
                        sent = self.send_parts(channel, spots, more).map(Some);
                    }
                });
                // The reason is found when its frame is sent alone.
                asked.map_or(Ok(None), |()| sent)
            }
        }
    }

    /// Sends the frames; `spots` has the payloads that lie in segments, in order.
    fn send_parts(&self, channel: &Channel, spots: &[Spot<'_>], more: bool) -> io::Result<usize> {
        let mut list: [Part; 2 * FRAMES] = [(std::ptr::null(), 0); 2 * FRAMES];
        let (mut count, mut spots) = (0, spots.iter());
        for frame in &self.frames {
            let (source, left) = frame.payload();
            let from = match source {
                Source::Local(from) => from,
                Source::Segment(..) => match spots.next() {
                    Some(Spot::Host(from) | Spot::Program(from)) => from.cast_const(),
                    Some(Spot::Device { .. }) | None => break,
                },
            };
            let parts = [frame.head(), (from, left)].into_iter().filter(|part| part.1 > 0);
            for (slot, part) in list.iter_mut().skip(count).zip(parts) {
                *slot = part;
                count += 1;
            }
        }
        // SAFETY: headers lie in the frames, and gathered frames in items of the queue, which nothing changes
        // meanwhile. The caller of an operation vouches for its memory until the operation has ended, the
        // target for segments during this call; the kernel reports holes in both.
        unsafe { channel.send(list.get(..count).unwrap_or(&[]), more) }
    }

    /// Sends the only frame, whose payload lies in a segment.
    fn send_only(
        &mut self,
        channel: &Channel,
        reader: &dyn Reader,
        key: SegmentKey,
        (address, bytes): Range,
        more: bool,
    ) -> io::Result<Option<usize>> {
        let (mut sent, mut failed) = (Ok(None), None);
        let read = reader.read(key, address, bytes, &mut |spot| match spot {
            Spot::Program(from) if channel.is_sealed() => {
                let most = usize::try_from(bytes).unwrap_or(usize::MAX).min(GATHER);
                match memory::load(from, None, most) {
                    Ok(bytes) => {
                        let head = self.frames.first().map_or((std::ptr::null(), 0), Frame::head);
                        let parts = [head, (bytes.as_ptr(), bytes.len())];
                        let parts = if head.1 == 0 { &parts[1..] } else { &parts[..] };
                        // SAFETY: the header lies in the frame, the copy of the payload is private.
                        sent = unsafe { channel.send(parts, more) }.map(Some);
                    }
                    Err(error) => failed = Some(error),
                }
            }
            Spot::Host(_) | Spot::Program(_) => {
                sent = self.send_parts(channel, &[spot], more).map(Some);
                if sent.as_ref().is_err_and(Channel::is_hole) {
                    failed = Some(hole(Access::Read, address, bytes));
                }
            }
            Spot::Device { .. } => failed = Some(hole(Access::Read, address, bytes)),
        });
        self.failed = read.err().or(failed);
        if self.failed.is_some() { Ok(None) } else { sent }
    }
}
