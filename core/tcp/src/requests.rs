// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Requests in the frames of an accepted connection, and their replies.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mf_base::{Error, Kind as ErrorKind, Result};
use mf_device::Access;
use mf_transport::{Peer, SegmentKey, Spot, hole};

use crate::blocks::Shape;
use crate::frames::{Long, Source};
use crate::inbound::{Handler, Place, Touched};
use crate::malformed::Malformed;
use crate::memory::{self, access};
use crate::outbound::Outbound;
use crate::process_core::Command;
use crate::remote::{self, Job};
use crate::shared::Shared;
use crate::validity::Report;
use crate::wire::{CopyOrder, Header, INLINE_MAX, Kind, LENT, MORE, SUMMED};

/// Serves the requests of one connection.
pub(crate) struct Serving {
    pub(crate) shared: Arc<Shared>,
    pub(crate) id: u64,
    peer: Peer,
    pub(crate) out: Outbound,
    /// The last operation that is done and was not acked.
    pub(crate) done: Option<u64>,
    /// The operation with an error already sent.
    failed: Option<u64>,
    greeted: bool,
    /// Its number, and before it the scope, once these were reported.
    pub(crate) number: Option<(u64, u64)>,
    /// The peer has voided it: it is not served any more.
    pub(crate) is_void: bool,
    /// The peer lends this connection, under this number.
    pub(crate) lent: Option<u64>,
    /// The peer has announced that it closes the connection.
    pub(crate) close_announced: bool,
    /// Set at its end: copies that were ordered on it go on no further.
    is_dropped: Arc<AtomicBool>,
    /// For device memory; made when first needed.
    pub(crate) staging: Vec<u8>,
}

impl Serving {
    pub(crate) fn new(shared: &Arc<Shared>, id: u64, peer: Peer) -> Self {
        Self {
            shared: Arc::clone(shared),
            id,
            peer,
            out: Outbound::new(shared.local.summed),
            done: None,
            failed: None,
            greeted: false,
            number: None,
            is_void: false,
            lent: None,
            close_announced: false,
            is_dropped: Arc::default(),
            staging: Vec::new(),
        }
    }

    /// Takes the peer's report of its live connections.
    fn valid(&mut self, header: &Header, payload: &[u8]) -> std::result::Result<(), Malformed> {
        let (scope, number) = (header.address, header.sequence);
        let validities = &self.shared.local.core.validities;
        if self.number.is_none() {
            self.number = Some((scope, number));
            validities.begin(scope);
        }
        if self.number != Some((scope, number)) {
            return Err(Malformed("another number of the connection"));
        }
        validities.take(scope, &Report::decode(header.extra, payload)?);
        self.is_void = !validities.is_valid(scope, number);
        Ok(())
    }

    fn refuse(&mut self, sequence: u64, error: &Error) {
        if self.failed != Some(sequence) {
            self.failed = Some(sequence);
            self.out.error(sequence, false, error);
        }
    }

    /// Ends an operation, or refuses it.
    fn end(&mut self, header: &Header, result: Result<()>) {
        if let Err(error) = result {
            self.refuse(header.sequence, &error);
        }
        if !header.has(MORE) {
            self.done = Some(header.sequence);
        }
    }

    fn with(
        &self,
        header: &Header,
        bytes: u64,
        how: Access,
        touch: &mut dyn FnMut(Spot<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut result = Ok(());
        access(&self.shared.target, SegmentKey(header.key), header.address, bytes, how, &mut |spot| {
            result = touch(spot);
        })?;
        result
    }

    /// Checks that all of a span lies in a segment, although only the first `bytes` arrive now, because it
    /// was cut or still travels: a span that leaves it is refused before the first byte is written.
    fn whole(&self, header: &Header, bytes: usize) -> Result<()> {
        let all = header.extra.max(header.payload() as u64);
        if all > bytes as u64 {
            return self.with(header, all, Access::Write, &mut |_| Ok(()));
        }
        Ok(())
    }

    fn get(&mut self, header: &Header) -> Result<()> {
        let data = Header::new(Kind::Data, header.sequence);
        let key = SegmentKey(header.key);
        match usize::try_from(header.extra) {
            Ok(bytes) if bytes <= INLINE_MAX => {
                let (target, out) = (&self.shared.target, &mut self.out);
                let mut device = false;
                let mut result = Ok(());
                access(target, key, header.address, header.extra, Access::Read, &mut |spot| match spot {
                    // SAFETY: the target vouches for the spot during its call.
                    Spot::Host(from) => unsafe { out.short(data, from, bytes) },
                    Spot::Program(from) => match memory::load(from, None, bytes) {
                        // SAFETY: the bytes are private.
                        Ok(loaded) => unsafe { out.short(data, loaded.as_ptr(), bytes) },
                        Err(error) => result = Err(error),
                    },
                    Spot::Device { .. } => device = true,
                })?;
                result?;
                if !device {
                    return Ok(());
                }
            }
            // Refused as a whole before the first byte is sent.
            _ => self.with(header, header.extra, Access::Read, &mut |_| Ok(()))?,
        }
        self.out.long(Long {
            header: data,
            source: Source::Segment(key, header.address),
            shape: None,
            left: header.extra,
            ends: true,
        });
        Ok(())
    }

    /// Spreads the blocks of one frame.
    fn put_strided(&mut self, header: &Header, payload: &[u8]) -> std::result::Result<Result<()>, Malformed> {
        let (shape, whole, packed) = Shape::decode(header.extra, payload)?;
        let bytes = packed.len() as u64;
        let extent = shape.extent(bytes);
        if !bytes.is_multiple_of(u64::from(shape.block))
            || extent > whole
            || header.address.checked_add(whole).is_none()
        {
            return Err(Malformed("shape of blocks"));
        }
        if self.failed == Some(header.sequence) {
            return Ok(Ok(()));
        }
        if whole > extent
            && let Err(error) = self.with(header, whole, Access::Write, &mut |_| Ok(()))
        {
            return Ok(Err(error));
        }
        Ok(self.with(header, extent, Access::Write, &mut |spot| {
            match spot {
                // SAFETY: the target vouches for the extent during its call.
                Spot::Host(to) => unsafe { shape.spread(packed, to) },
                Spot::Program(to) => memory::spread(packed, shape, to)?,
                Spot::Device { address, mover } => {
                    let from = packed.as_ptr().cast_mut();
                    // SAFETY: as above; the blocks are only read.
                    unsafe { shape.transfer(mover, from, address, packed.len(), true) }?;
                }
            }
            Ok(())
        }))
    }

    fn get_strided(&mut self, header: &Header, payload: &[u8]) -> std::result::Result<Result<()>, Malformed> {
        let (shape, count, _) = Shape::decode(header.extra, payload)?;
        let total = count.checked_mul(u64::from(shape.block)).filter(|total| *total > 0);
        let total = total.ok_or(Malformed("shape of blocks"))?;
        let extent = shape.extent(total);
        if header.address.checked_add(extent).is_none() {
            return Err(Malformed("a range beyond the last address"));
        }
        if let Err(error) = self.with(header, extent, Access::Read, &mut |_| Ok(())) {
            return Ok(Err(error));
        }
        self.out.long(Long {
            header: Header::new(Kind::Data, header.sequence),
            source: Source::Segment(SegmentKey(header.key), header.address),
            shape: Some(shape),
            left: total,
            ends: true,
        });
        Ok(Ok(()))
    }

    fn atomic(&mut self, header: &Header, payload: &[u8]) -> Result<()> {
        let Some(atomic) = header.atomic(payload) else {
            return Err(Error::invalid("tcp serve", "unknown atomic"));
        };
        let mut old = 0;
        self.with(header, atomic.width.bytes(), Access::Write, &mut |spot| {
            // SAFETY: the target vouches for the spot during its call.
            old = unsafe { atomic.change(spot) }?;
            Ok(())
        })?;
        let mut reply = Header::new(Kind::Old, header.sequence);
        reply.extra = old;
        self.out.frame(reply, &[]);
        Ok(())
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.is_dropped.store(true, Ordering::Release);
        if let Some((scope, _)) = self.number {
            self.shared.local.core.validities.end(scope);
        }
    }
}

impl Handler for Serving {
    fn frame(&mut self, header: &Header, payload: &[u8]) -> std::result::Result<(), Malformed> {
        if self.greeted == (header.kind == Kind::Hello) {
            return Err(Malformed("hello is the first frame, and only that"));
        }
        if self.lent.is_some() {
            return Err(Malformed("a request on a connection that is lent"));
        }
        if self.is_void {
            return Ok(());
        }
        if self.number.is_none() && !matches!(header.kind, Kind::Hello | Kind::Valid | Kind::Close) {
            return Err(Malformed("a request before the number of its connection"));
        }
        match header.kind {
            Kind::Hello => {
                self.greeted = true;
                self.lent = (header.detail == LENT).then_some(header.extra);
                if header.has(SUMMED) {
                    self.out.sum();
                }
            }
            Kind::Put => {
                let result = self.whole(header, payload.len()).and_then(|()| {
                    self.with(header, payload.len() as u64, Access::Write, &mut |spot| {
                        memory::store(payload, spot)
                    })
                });
                self.end(header, result);
            }
            Kind::Get => {
                let result = self.get(header);
                self.end(header, result);
            }
            Kind::PutStrided => {
                let result = self.put_strided(header, payload)?;
                self.end(header, result);
            }
            Kind::GetStrided => {
                let result = self.get_strided(header, payload)?;
                self.end(header, result);
            }
            Kind::Atomic => {
                let result = self.atomic(header, payload);
                self.end(header, result);
            }
            Kind::Signal => {
                let result = if self.failed == Some(header.sequence) {
                    // Its data did not arrive, so the signal must not be seen; the reason is queued.
                    Ok(())
                } else {
                    let (kind, width) = header.signal();
                    let change = kind.atomic(width, header.extra);
                    self.with(header, width.bytes(), Access::Write, &mut |spot| {
                        // Sequentially consistent: a reader of the signal sees the data that was stored
                        // before it.
                        // SAFETY: the target vouches for the spot during its call.
                        unsafe { change.change(spot) }.map(|_| ())
                    })
                };
                self.end(header, result);
            }
            Kind::Copy => {
                let order = CopyOrder::decode(self.peer.job, payload)?;
                let job = Job::new(&self.shared, self.id, &self.is_dropped, header, order);
                if let Err(error) = remote::order(job) {
                    self.out.error(header.sequence, true, &error);
                }
            }
            Kind::Message => {
                if let Some(target) = self.shared.target.upgrade() {
                    target.message(self.peer, payload);
                }
            }
            Kind::Lend => {
                let core = &self.shared.local.core;
                core.command(Command::Lend(self.shared.me, self.peer, header.sequence));
            }
            Kind::Valid => self.valid(header, payload)?,
            Kind::Close => self.close_announced = true,
            _ => return Err(Malformed("a reply where a request belongs")),
        }
        Ok(())
    }

    fn corrupt(&mut self, header: &Header) -> std::result::Result<(), Malformed> {
        if !matches!(header.kind, Kind::Put | Kind::PutStrided) {
            return Err(Malformed("checksum"));
        }
        let error = Error::new(ErrorKind::Failed, "tcp serve")
            .what("the checksum of the received bytes is wrong; they were not written")
            .with("bytes", header.length)
            .hint("something on the path changes bytes; check the network card and its offloads");
        self.end(header, Err(error));
        Ok(())
    }

    fn place(
        &mut self,
        header: &Header,
        offset: usize,
        bytes: usize,
        touch: &mut dyn FnMut(Place) -> Touched,
    ) -> std::result::Result<(), Malformed> {
        if header.kind != Kind::Put || self.number.is_none() || self.lent.is_some() {
            return Err(Malformed("a long frame other than a put"));
        }
        if self.is_void {
            touch(Place::Nowhere);
            return Ok(());
        }
        if offset == 0
            && let Err(error) = self.whole(header, bytes)
        {
            self.refuse(header.sequence, &error);
        }
        let mut touched = false;
        let mut result = Ok(());
        let staging = &mut self.staging;
        // The sum was checked with the header.
        let address = header.address.saturating_add(offset as u64);
        let found = if self.failed == Some(header.sequence) {
            // Refused already: the rest is drained.
            touch(Place::Nowhere);
            return Ok(());
        } else {
            let key = SegmentKey(header.key);
            access(&self.shared.target, key, address, bytes as u64, Access::Write, &mut |spot| {
                touched = true;
                let to = match spot {
                    Spot::Host(to) => Place::At(to),
                    Spot::Program(to) => Place::Program(to),
                    Spot::Device { address, mover } => {
                        staging.resize(staging.len().max(bytes), 0);
                        let count = touch(Place::At(staging.as_mut_ptr())).bytes;
                        if count > 0 {
                            result = memory::to_device(mover, staging.as_ptr(), address, count);
                        }
                        return;
                    }
                };
                if touch(to).is_hole {
                    result = Err(hole(Access::Write, address, bytes as u64));
                }
            })
        };
        if let Err(error) = found.and(result) {
            self.refuse(header.sequence, &error);
        }
        if !touched {
            touch(Place::Nowhere);
        }
        Ok(())
    }

    fn placed(&mut self, header: &Header) -> std::result::Result<(), Malformed> {
        self.end(header, Ok(()));
        Ok(())
    }
}
