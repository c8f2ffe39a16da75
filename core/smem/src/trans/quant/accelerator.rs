// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Numbers in memory of an accelerator become bytes there, by a kernel of the library.
//!
//! The bytes go into a buffer of the accelerator, which is kept until they are sent. All pieces of a call are
//! one launch (`launch`). Where there is no kernel for the accelerator the numbers are copied to the host, by
//! one call (`host_copies`), and the processor does it: with one warning, or, with `MF_STRICT_ENGINE=1`, not
//! at all.

use std::sync::{Arc, Mutex, Once};

use mf_base::settings::settings;
use mf_base::sync::lock;
use mf_base::{Error, Gva, Kind, Result};
use mf_device::{Devices, Locality};
use mf_transport::Span;

use super::buffers::{Buffers, Lent};
use super::host_copies::Fetched;
use super::launch::Job;
use super::{Half, OP, QuantPiece, quantise};
use crate::kernel::{Binary, Code};

/// Returns the library's kernels for the accelerator of a process; the error says why there are none.
pub type BuiltInKernels = fn(&Devices) -> Result<&'static [u8]>;

/// Quantiser of numbers in any memory. The binary is loaded for the first ones of an accelerator.
pub(in crate::trans) struct Quantiser {
    devices: Devices,
    kernels: Option<BuiltInKernels>,
    binary: Mutex<Option<Binary>>,
    buffers: Arc<Buffers>,
}

/// Bytes that numbers have become.
pub(in crate::trans) struct Quantised {
    host: Vec<u8>,
    device: Option<Lent>,
    /// Of each piece: in which of the two, and from where on.
    places: Vec<(Locality, usize)>,
}

impl Quantised {
    /// As spans to their places in the other process. They hold as long as this.
    pub(in crate::trans) fn spans(&self, pieces: &[QuantPiece]) -> Vec<Span> {
        let device = self.device.as_ref().map_or(0, Lent::address);
        let span = |(piece, (locality, start)): (&QuantPiece, &(Locality, usize))| {
            let local = match locality {
                Locality::Host => self.host.as_ptr().wrapping_add(*start).cast_mut(),
                Locality::Device => Gva(device).as_ptr().wrapping_add(*start),
            };
            Span { local, address: piece.address, bytes: piece.count as u64 }
        };
        pieces.iter().zip(&self.places).map(span).collect()
    }
}

impl Quantiser {
    pub(in crate::trans) fn new(devices: Devices, kernels: Option<BuiltInKernels>) -> Self {
        Self { devices, kernels, binary: Mutex::default(), buffers: Arc::default() }
    }

    /// Quantises all pieces with units of `unit` numbers each; 0: all of a piece is one unit. Waits for the
    /// accelerator.
    ///
    /// # Errors
    /// `NotExist` with `MF_STRICT_ENGINE=1`, if the accelerator has no kernel for it · `OutOfMemory` ·
    /// `Failed` errors of the accelerator.
    ///
    /// # Safety
    /// Numbers, scales and offsets are readable, as the memory that they are, until this returns.
    pub(in crate::trans) unsafe fn quantise(
        &self,
        pieces: &[QuantPiece],
        unit: usize,
        half: Half,
    ) -> Result<Quantised> {
        let are_there: Vec<bool> =
            pieces.iter().map(|piece| locality(&self.devices, piece.source) == Locality::Device).collect();
        let kernel = if are_there.contains(&true) { self.kernel()? } else { None };
        let mut job = kernel.map(|binary| Job::new(&self.devices, binary, unit, half));
        let mut places = Vec::with_capacity(pieces.len());
        let (mut rest, mut host_bytes) = (Vec::new(), 0);
        for (piece, is_there) in pieces.iter().zip(are_there) {
            match &mut job {
                Some(job) if is_there => places.push((Locality::Device, job.plan(piece))),
                _ => {
                    places.push((Locality::Host, host_bytes));
                    host_bytes = usize::saturating_add(host_bytes, piece.count);
                    rest.push(*piece);
                }
            }
        }
        // SAFETY: the caller keeps numbers, scales and offsets readable until this returns.
        let device = job.map(|job| unsafe { job.run(&self.buffers) }).transpose()?;
        // SAFETY: the caller keeps numbers, scales and offsets readable until this returns.
        let host = unsafe { self.by_processor(&rest, unit, half) }?;
        Ok(Quantised { host, device, places })
    }

    /// Returns the kernels. `None`: the processor does it.
    fn kernel(&self) -> Result<Option<Binary>> {
        let mut binary = lock(&self.binary);
        if let Some(binary) = &*binary {
            return Ok(Some(binary.clone()));
        }
        let none = || Error::new(Kind::NotExist, OP).what("the program brings no kernels");
        let code = self.kernels.ok_or_else(none).and_then(|kernels| kernels(&self.devices));
        let loaded = code.and_then(|code| Binary::load(&self.devices, Code::Bytes(code)));
        match loaded {
            Ok(loaded) => Ok(Some(binary.insert(loaded).clone())),
            Err(error) if settings()?.strict_engine => {
                Err(error.hint("allow the processor to do it: MF_STRICT_ENGINE=0"))
            }
            Err(error) => {
                static SAID: Once = Once::new();
                SAID.call_once(|| {
                    tracing::warn!("numbers of the accelerator become bytes on the processor: {error}");
                });
                Ok(None)
            }
        }
    }

    /// Quantises pieces by the processor, one after the other. Memory that the processor must not touch is
    /// copied before.
    ///
    /// # Safety
    /// As [`quantise`](Self::quantise).
    unsafe fn by_processor(&self, pieces: &[QuantPiece], unit: usize, half: Half) -> Result<Vec<u8>> {
        // SAFETY: the caller keeps numbers, scales and offsets readable until this returns.
        let fetched = unsafe { Fetched::fetch(&self.devices, pieces, unit) }?;
        let mut bytes = Vec::new();
        for piece in fetched.pieces() {
            // SAFETY: the numbers are the caller's, or copies that live until here.
            unsafe { quantise(piece, unit, half, &mut bytes) };
        }
        Ok(bytes)
    }
}

/// Returns the kind of memory at an address.
pub(super) fn locality<T>(devices: &Devices, address: *const T) -> Locality {
    devices.mover().map_or(Locality::Host, |mover| mover.locality(address.addr() as u64))
}
