// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Replies on a connection that this process opened.

use std::sync::Mutex;

use mf_base::os::guarded;
use mf_base::sync::lock;
use mf_base::{Error, Kind as ErrorKind, Retry};
use mf_transport::{Peer, Width};

use crate::blocks::Shape;
use crate::inbound::{Handler, Place, Touched};
use crate::malformed::Malformed;
use crate::table::{Table, What};
use crate::wire::{Header, Kind};

/// Knowledge about the end of a connection, which saves a connect to find it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Farewell {
    /// The peer does not want this connection any more.
    Connection,
    /// The peer has ended: it announced that, or others answer at all of its addresses.
    Peer,
}

/// Takes replies to the operations of a table.
pub(crate) struct Replies<'a> {
    table: Table<'a>,
    peer: Peer,
    farewell: &'a Mutex<Option<Farewell>>,
}

impl<'a> Replies<'a> {
    pub(crate) fn new(table: Table<'a>, peer: Peer, farewell: &'a Mutex<Option<Farewell>>) -> Self {
        Self { table, peer, farewell }
    }

    /// Returns the place of a piece of a get, the layout of the bytes there, and true if there may be holes;
    /// null if the get has ended or failed.
    fn spot(
        &mut self,
        header: &Header,
        offset: usize,
        bytes: usize,
    ) -> Result<(*mut u8, Option<Shape>, bool), Malformed> {
        let entry = self.table.entry(header.sequence);
        let entry = entry.ok_or(Malformed("data of an operation that was not asked for"))?;
        let at = header.address.checked_add(offset as u64).ok_or(Malformed("offset of data"))?;
        let end = at.checked_add(bytes as u64).ok_or(Malformed("offset of data"))?;
        if entry.what != What::Get || header.address != entry.received || end > entry.bytes {
            return Err(Malformed("data that was not asked for"));
        }
        let at = match entry.shape {
            None => at,
            // Blocks come whole, and not in long frames.
            Some(shape) if offset == 0 && (bytes as u64).is_multiple_of(u64::from(shape.block)) => {
                shape.skip(at)
            }
            Some(_) => return Err(Malformed("data of blocks that are cut")),
        };
        if entry.local.is_null() || entry.error.is_some() {
            return Ok((std::ptr::null_mut(), None, false));
        }
        let at = usize::try_from(at).map_err(|_| Malformed("offset of data"))?;
        // Blocks were probed as a whole.
        let is_guarded = entry.shape.is_none()
            && entry.completion.as_ref().is_some_and(|completion| completion.is_guarded());
        Ok((entry.local.wrapping_add(at), entry.shape, is_guarded))
    }

    /// Handles a piece of a get without memory: the get fails, and its rest is drained.
    #[cold]
    fn found_hole(&mut self, sequence: u64, to: *mut u8, bytes: usize) -> Result<(), Malformed> {
        self.table.fail(sequence, |what| {
            Error::invalid(what.name(), "the destination is not writable here")
                .with("address", format_args!("{to:p}"))
                .with("bytes", bytes)
        })
    }

    fn received(&mut self, header: &Header, bytes: usize) {
        if let Some(entry) = self.table.entry(header.sequence) {
            entry.received += bytes as u64;
        }
    }

    fn failure(&self, header: &Header, text: &[u8]) -> Error {
        let code = u32::try_from(header.extra).unwrap_or(0).cast_signed();
        let kind = ErrorKind::from_code(code).unwrap_or(ErrorKind::Failed);
        Error::new(kind, "tcp")
            .what(format!("refused by {}: {}", self.peer.name(), String::from_utf8_lossy(text)))
            .with("rank", self.peer.rank_fact())
            // It may join again; the operation had no effect.
            .retry(if kind == ErrorKind::NotConnected { Retry::Later } else { Retry::Never })
    }
}

impl Handler for Replies<'_> {
    fn frame(&mut self, header: &Header, payload: &[u8]) -> Result<(), Malformed> {
        match header.kind {
            Kind::Ack => self.table.ack(header.sequence),
            Kind::Data => {
                let (to, shape, is_guarded) = self.spot(header, 0, payload.len())?;
                if is_guarded && !guarded::is_writable(to.expose_provenance(), payload.len()) {
                    self.found_hole(header.sequence, to, payload.len())?;
                } else if !to.is_null() {
                    let one = Shape { block: header.length, stride: 0 };
                    // SAFETY: `spot` checked that the piece lies in the memory of a get that has not ended;
                    // the lock of this end of the connection, held by our caller, keeps it from ending.
                    unsafe { shape.unwrap_or(one).spread(payload, to) };
                }
                self.received(header, payload.len());
                Ok(())
            }
            Kind::Old => {
                let entry = self.table.entry(header.sequence);
                let entry = entry.ok_or(Malformed("old value that was not asked for"))?;
                if entry.what != What::Atomic {
                    return Err(Malformed("old value that was not asked for"));
                }
                if !entry.local.is_null() {
                    let width = if entry.bytes == 4 { Width::W32 } else { Width::W64 };
                    // SAFETY: the caller of the atomic vouches for as many bytes as the word has until it has
                    // ended, which the lock prevents.
                    unsafe { width.write(header.extra, entry.local) };
                }
                Ok(())
            }
            Kind::Error => {
                let error = self.failure(header, payload);
                if header.detail == 1 {
                    self.table.flight.end_copy(header.sequence, Err(error));
                    Ok(())
                } else {
                    self.table.fail(header.sequence, |_| error)
                }
            }
            Kind::Copied => {
                self.table.flight.end_copy(header.sequence, Ok(()));
                Ok(())
            }
            Kind::Close => {
                let farewell = if header.leaves() { Farewell::Peer } else { Farewell::Connection };
                *lock(self.farewell) = Some(farewell);
                Ok(())
            }
            _ => Err(Malformed("a request where a reply belongs")),
        }
    }

    fn corrupt(&mut self, header: &Header) -> Result<(), Malformed> {
        self.spot(header, 0, header.payload())?;
        self.received(header, header.payload());
        let rank = self.peer.rank;
        self.table.fail(header.sequence, |what| {
            Error::new(ErrorKind::Failed, what.name())
                .what(format!("the checksum of bytes from rank {rank} is wrong"))
                .with("rank", rank)
                .with("bytes", header.length)
                .hint("something on the path changes bytes; check the network card and its offloads")
        })
    }

    fn place(
        &mut self,
        header: &Header,
        offset: usize,
        bytes: usize,
        touch: &mut dyn FnMut(Place) -> Touched,
    ) -> Result<(), Malformed> {
        if header.kind != Kind::Data {
            return Err(Malformed("a request where a reply belongs"));
        }
        let (to, shape, is_guarded) = self.spot(header, offset, bytes)?;
        if shape.is_some() {
            return Err(Malformed("long data of blocks"));
        }
        // The lock of this end of the connection, held by our caller, keeps the get from ending meanwhile.
        // `received` grows by the whole frame, in `placed`. The caller's memory: the kernel reports where it
        // is not there, unless the bytes are decrypted first.
        let place = match is_guarded {
            _ if to.is_null() => Place::Nowhere,
            true => Place::Caller(to),
            false => Place::At(to),
        };
        if touch(place).is_hole {
            self.found_hole(header.sequence, to, bytes)?;
        }
        Ok(())
    }

    fn placed(&mut self, header: &Header) -> Result<(), Malformed> {
        self.received(header, header.payload());
        Ok(())
    }
}
