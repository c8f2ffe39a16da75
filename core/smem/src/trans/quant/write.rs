// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Quantised writes of an endpoint.

use mf_base::{Error, Result, error_limited};
use mf_device::RawStream;

use super::{Half, OP, QuantPiece};
use crate::trans::Endpoint;

impl Endpoint {
    /// Writes numbers of 16 bits as bytes: x × scale + offset, rounded to the nearest, halves to even, and
    /// saturated to −128…127. Scale and offset are of each unit of `unit` numbers; 0: of all of a piece.
    /// Numbers of an accelerator become bytes there, by a kernel of the library
    /// ([`Options::kernels`](crate::trans::Options::kernels)), numbers of the host on the processor; the
    /// bytes are the same.
    ///
    /// # Errors
    /// As [`transfer`](Self::transfer) · `NotExist` with `MF_STRICT_ENGINE=1`, where the accelerator has no
    /// such kernel · `OutOfMemory` it has no room for the bytes.
    ///
    /// # Safety
    /// Numbers, scales and offsets are readable until this returns.
    pub unsafe fn quant_write(&self, to: &str, pieces: &[QuantPiece], unit: usize, half: Half) -> Result<()> {
        self.check()?;
        check(pieces)?;
        // Nothing is computed for an endpoint that is not there.
        self.0.found(to)?;
        // SAFETY: the caller keeps numbers, scales and offsets readable until this returns.
        let quantised = unsafe { self.0.quantiser.quantise(pieces, unit, half) }?;
        // SAFETY: the bytes live until it returns, and are only read.
        unsafe { self.transfer(to, &quantised.spans(pieces), true) }
    }

    /// As [`quant_write`](Self::quant_write), when a stream of the accelerator gets there; without an
    /// accelerator on return.
    ///
    /// # Errors
    /// As [`submit`](Self::submit).
    ///
    /// # Safety
    /// As [`quant_write`](Self::quant_write), until the stream has done it; the stream is the runtime's.
    pub unsafe fn quant_submit(
        &self,
        to: &str,
        pieces: Vec<QuantPiece>,
        unit: usize,
        half: Half,
        stream: RawStream,
    ) -> Result<()> {
        self.check()?;
        check(&pieces)?;
        if !self.0.memory.has_streams() {
            // SAFETY: the caller keeps numbers, scales and offsets readable beyond this call.
            return unsafe { self.quant_write(to, &pieces, unit, half) };
        }
        let (endpoint, to, pieces) = (self.clone(), to.to_owned(), Later(pieces));
        let work = move || {
            let pieces = &pieces;
            // SAFETY: the caller vouches for numbers, scales and offsets until the stream has done it.
            if let Err(error) = unsafe { endpoint.quant_write(&to, &pieces.0, unit, half) } {
                error_limited!("a quantised write on a stream failed: {error}");
            }
        };
        // SAFETY: the caller vouches for the stream.
        unsafe { self.0.memory.run_on(stream, Box::new(work)) }
    }
}

/// Refuses invalid pieces, before anything is read.
fn check(pieces: &[QuantPiece]) -> Result<()> {
    let is_bad = |piece: &QuantPiece| {
        let (count, source) = (piece.count as u64, piece.source.addr() as u64);
        let is_over =
            |start: u64, bytes: Option<u64>| bytes.and_then(|bytes| start.checked_add(bytes)).is_none();
        let is_empty = count == 0 || piece.source.is_null() || piece.address == 0;
        is_empty || is_over(source, count.checked_mul(2)) || is_over(piece.address, Some(count))
    };
    let Some(number) = pieces.iter().position(is_bad) else { return Ok(()) };
    let error = Error::invalid(OP, "a range of 0 numbers, at null or beyond the last address");
    Err(error.with("piece", number))
}

/// Pieces that are used later, on another thread.
struct Later(Vec<QuantPiece>);

// SAFETY: addresses only; the caller of the write vouches for what lies there.
unsafe impl Send for Later {}
