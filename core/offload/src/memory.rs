// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Access to memory at any address, by the calling thread: arrays of arguments, and checks of pieces.
//!
//! Host memory that is not mapped is an error, found before anything is copied. Memory of the accelerator is
//! the caller's to vouch for, and goes through the mover.

use std::ops::Range;

use mf_base::os::access_map::AccessMap;
use mf_base::os::guarded::{self, Depth};
use mf_base::os::process::page_bytes;
use mf_base::{Error, Gva, Result};
use mf_device::engine::Piece;
use mf_device::{Locality, Mover, Transfer};

use crate::plan::{Arrays, Span};

/// Pages that are cheaper to probe one by one than to find in a snapshot of all mappings.
const FEW_PAGES: u64 = 256;

/// Memory as one operation sees it.
pub(crate) struct Memory<'a> {
    /// Name of the operation in errors.
    pub(crate) operation: &'static str,
    /// The accelerator's mover.
    pub(crate) mover: Option<&'a dyn Mover>,
    /// Backed addresses of the pool: host memory in any case.
    pub(crate) pool: Range<u64>,
}

impl Memory<'_> {
    pub(crate) fn locality(&self, address: u64) -> Locality {
        match self.mover {
            Some(mover) if !self.pool.contains(&address) => mover.locality(address),
            _ => Locality::Host,
        }
    }

    /// Refuses pieces with a host end that is not mapped.
    ///
    /// # Errors
    /// `InvalidParam` names the piece and its end.
    pub(crate) fn check(&self, spans: &[Span]) -> Result<()> {
        let page = page_bytes();
        let pages = |span: &Span| span.bytes / page + 2;
        let are_few = spans
            .iter()
            .try_fold(0_u64, |sum, span| sum.checked_add(pages(span)).filter(|sum| *sum <= FEW_PAGES));
        let snapshot = if are_few.is_some() { None } else { AccessMap::read().ok() };
        for (is_write, end, verb) in [(false, "source", "readable"), (true, "destination", "writable")] {
            let address = |span: &Span| if is_write { span.to } else { span.from };
            let is_host = |span: &&Span| self.locality(address(span)) == Locality::Host;
            let hole = match &snapshot {
                Some(map) => spans.iter().filter(is_host).position(|span| {
                    let (address, bytes) = (address(span), span.bytes);
                    !if is_write { map.is_writable(address, bytes) } else { map.is_readable(address, bytes) }
                }),
                None => {
                    let range = |span: &Span| (to_usize(address(span)), to_usize(span.bytes), Depth::All);
                    guarded::first_hole(spans.iter().filter(is_host).map(range), is_write)
                }
            };
            let bad = hole
                .and_then(|number| spans.iter().enumerate().filter(|(_, span)| is_host(span)).nth(number));
            if let Some((number, span)) = bad {
                return Err(Error::invalid(
                    self.operation,
                    format!("the {end} of a piece is not {verb} here"),
                )
                .with("piece", number)
                .with("address", format!("{:#x}", address(span)))
                .with("bytes", span.bytes));
            }
        }
        Ok(())
    }

    /// Copies checked pieces.
    ///
    /// # Errors
    /// Errors of the accelerator's mover.
    ///
    /// # Safety
    /// Host ends were checked, and stay mapped until the call returns; the caller vouches for ends in memory
    /// of the accelerator.
    pub(crate) unsafe fn copy(&self, spans: &[Span]) -> Result<()> {
        let (mut here, mut moved) = (Vec::with_capacity(spans.len()), Vec::new());
        for span in spans {
            let piece = piece(span);
            let (from, to) = (self.locality(span.from), self.locality(span.to));
            if (from, to) == (Locality::Host, Locality::Host) {
                here.push(piece);
            } else {
                moved.push(Transfer { piece, from, to });
            }
        }
        // SAFETY: host memory that the caller has checked, and keeps until this returns.
        unsafe { mf_device::engine::copy_batch(&here) };
        match self.mover {
            // SAFETY: the mover classified both ends; the caller vouches for them until this returns.
            Some(mover) if !moved.is_empty() => unsafe { mover.copy(&moved) },
            _ => Ok(()),
        }
    }

    /// Writes words of a result.
    ///
    /// # Errors
    /// `InvalidParam` they are not writable; errors of the mover.
    ///
    /// # Safety
    /// The caller has given the range away to be written.
    pub(crate) unsafe fn write(&self, name: &'static str, address: u64, bytes: &[u8]) -> Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        if self.locality(address) == Locality::Device {
            let from = bytes.as_ptr().expose_provenance() as u64;
            // SAFETY: the source is the slice, of this length; the caller vouches for the destination.
            return unsafe { self.copy(&[Span { from, to: address, bytes: bytes.len() as u64 }]) };
        }
        // SAFETY: the caller has given the range away to be written.
        let written = unsafe { guarded::write(bytes, to_usize(address)) };
        if written == bytes.len() { Ok(()) } else { Err(self.hole(name, "writable", address, bytes.len())) }
    }

    fn hole(&self, name: &str, verb: &str, address: u64, bytes: usize) -> Error {
        Error::invalid(self.operation, format!("{name} is not {verb} here"))
            .with("address", format!("{address:#x}"))
            .with("bytes", bytes)
    }
}

impl Arrays for Memory<'_> {
    fn read(&self, name: &'static str, address: u64, bytes: u64) -> Result<Vec<u8>> {
        if bytes == 0 {
            return Ok(Vec::new());
        }
        let mut into = vec![0; to_usize(bytes)];
        if self.locality(address) == Locality::Device {
            let to = into.as_mut_ptr().expose_provenance() as u64;
            // SAFETY: the destination is the vector, of this length; the caller of the operation vouches for
            // arrays in memory of the accelerator.
            unsafe { self.copy(&[Span { from: address, to, bytes }]) }?;
            return Ok(into);
        }
        let read = guarded::read(to_usize(address), &mut into);
        if read == into.len() { Ok(into) } else { Err(self.hole(name, "readable", address, into.len())) }
    }
}

fn piece(span: &Span) -> Piece {
    Piece { src: Gva(span.from).as_ptr(), dst: Gva(span.to).as_ptr(), bytes: span.bytes }
}

fn to_usize(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
