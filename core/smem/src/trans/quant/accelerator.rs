// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Numbers in memory of an accelerator become bytes there, by the kernel `mf_quantise` of the library.
//!
//! The bytes go into a buffer of the accelerator, which is kept until they are sent. Scales and offsets
//! are read where they are, if the kernel can, or else from copies in that buffer. Where there is no kernel
//! for the accelerator the numbers are copied to the host, and the processor does it: with one warning, or,
//! with `MF_STRICT_ENGINE=1`, not at all.

use std::sync::{Arc, Mutex, Once};

use mf_base::settings::settings;
use mf_base::sync::lock;
use mf_base::{Error, Gva, Kind, Result};
use mf_fabric::device::kernels::LaunchOptions;
use mf_fabric::device::{Devices, Locality, Transfer};
use mf_fabric::engine::Piece;
use mf_fabric::transport::Span;

use super::buffers::{Buffers, Lent};
use super::{Half, OP, QuantPiece, quantise, units_of};
use crate::kernel::{Arguments, Binary, Code};

/// The kernel.
const KERNEL: &str = "mf_quantise";
/// What parts of the buffer begin at multiples of.
const LINE: u64 = 64;
/// Numbers that are worth a block of their own, and how many blocks every product has.
const NUMBERS_OF_A_BLOCK: usize = 16 << 10;
const MOST_BLOCKS: usize = 8;

/// The kernels of the library for the accelerator of a process; the error says why there are none.
pub type BuiltInKernels = fn(&Devices) -> Result<&'static [u8]>;

/// What makes bytes of numbers, wherever they lie. The binary is loaded for the first of an accelerator.
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

    /// The bytes of all pieces, whose units have `unit` numbers each; 0: all of a piece is one. Waits for the
    /// accelerator.
    ///
    /// # Errors
    /// `NotExist` with `MF_STRICT_ENGINE=1`, where the accelerator has no kernel for it · `OutOfMemory` ·
    /// `Failed` what the accelerator says.
    ///
    /// # Safety
    /// Numbers, scales and offsets are readable, as the memory that they are, until this returns.
    pub(in crate::trans) unsafe fn quantise(
        &self,
        pieces: &[QuantPiece],
        unit: usize,
        half: Half,
    ) -> Result<Quantised> {
        let is_there = |piece: &QuantPiece| self.locality(piece.source) == Locality::Device;
        let kernel = if pieces.iter().any(is_there) { self.kernel()? } else { None };
        let mut job = kernel.map(|binary| Job::new(self, binary, unit, half));
        let mut host = Vec::new();
        let mut places = Vec::with_capacity(pieces.len());
        for piece in pieces {
            match &mut job {
                Some(job) if is_there(piece) => places.push((Locality::Device, job.plan(piece))),
                _ => {
                    places.push((Locality::Host, host.len()));
                    // SAFETY: passed on to the caller.
                    unsafe { self.by_processor(piece, unit, half, &mut host) }?;
                }
            }
        }
        // SAFETY: passed on to the caller.
        let device = job.map(|job| unsafe { job.run() }).transpose()?;
        Ok(Quantised { host, device, places })
    }

    fn locality<T>(&self, address: *const T) -> Locality {
        self.devices.mover().map_or(Locality::Host, |mover| mover.locality(address.addr() as u64))
    }

    /// The kernels; none: the processor does it.
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

    /// Appends the bytes of a piece. What the processor must not touch is copied before.
    ///
    /// # Safety
    /// As [`quantise`](Self::quantise).
    unsafe fn by_processor(
        &self,
        piece: &QuantPiece,
        unit: usize,
        half: Half,
        into: &mut Vec<u8>,
    ) -> Result<()> {
        let units = units_of(piece.count, unit);
        let mut copies = (Vec::new(), Vec::new(), Vec::new());
        let here = QuantPiece {
            // SAFETY: passed on to the caller.
            source: unsafe { self.here(piece.source, piece.count * 2, &mut copies.0) }?,
            // SAFETY: as above.
            scales: unsafe { self.here(piece.scales, units * 4, &mut copies.1) }?,
            // SAFETY: as above.
            offsets: unsafe { self.here(piece.offsets, units * 4, &mut copies.2) }?,
            ..*piece
        };
        // SAFETY: the numbers are the caller's, or copies that live until here.
        unsafe { quantise(&here, unit, half, into) };
        Ok(())
    }

    /// Where the processor finds what lies at `address`, which may be null.
    ///
    /// # Safety
    /// So many bytes there are readable.
    unsafe fn here<T>(&self, address: *const T, bytes: usize, copy: &mut Vec<u8>) -> Result<*const T> {
        let mover = self.devices.mover().filter(|_| !address.is_null() && bytes > 0);
        let Some(mover) = mover.filter(|_| self.locality(address) == Locality::Device) else {
            return Ok(address);
        };
        copy.resize(bytes, 0);
        let piece = Piece { src: address.cast(), dst: copy.as_mut_ptr(), bytes: bytes as u64 };
        let transfer = Transfer { piece, from: Locality::Device, to: Locality::Host };
        // SAFETY: the source is the caller's, the destination has as many bytes.
        unsafe { mover.copy(&[transfer]) }?;
        Ok(copy.as_ptr().cast())
    }
}

/// Scales or offsets of a piece, for the kernel.
#[derive(Clone, Copy)]
enum Factors {
    /// At this address; null for none.
    There(u64),
    /// Copied into the buffer, from there on.
    Copied(u64),
}

/// One launch.
struct Launch {
    piece: QuantPiece,
    bytes: u64,
    scales: Factors,
    offsets: Factors,
}

/// What one call has for the accelerator.
struct Job<'q> {
    quantiser: &'q Quantiser,
    binary: Binary,
    unit: usize,
    half: Half,
    launches: Vec<Launch>,
    /// Bytes of the buffer.
    length: u64,
}

impl<'q> Job<'q> {
    fn new(quantiser: &'q Quantiser, binary: Binary, unit: usize, half: Half) -> Self {
        Self { quantiser, binary, unit, half, launches: Vec::new(), length: 0 }
    }

    /// A part of the buffer.
    fn room(&mut self, bytes: u64) -> u64 {
        let start = self.length;
        self.length = (start + bytes).next_multiple_of(LINE);
        start
    }

    /// Notes a piece; where in the buffer its bytes will be.
    fn plan(&mut self, piece: &QuantPiece) -> usize {
        let bytes = self.room(piece.count as u64);
        let units = units_of(piece.count, self.unit) as u64;
        let [scales, offsets] = [piece.scales, piece.offsets].map(|first| {
            // The kernel reads whole words.
            let is_readable = first.is_aligned() && self.quantiser.locality(first) == Locality::Device;
            match first.is_null() || is_readable {
                true => Factors::There(first.addr() as u64),
                false => Factors::Copied(self.room(units * 4)),
            }
        });
        self.launches.push(Launch { piece: *piece, bytes, scales, offsets });
        // No more than the buffer, which is one of this process.
        usize::try_from(bytes).unwrap_or(usize::MAX)
    }

    /// Copies what must be copied, launches, and waits.
    ///
    /// # Safety
    /// As [`Quantiser::quantise`].
    unsafe fn run(self) -> Result<Lent> {
        let devices = &self.quantiser.devices;
        let gone = || Error::new(Kind::NotExist, OP).what("there is no accelerator");
        let mover = devices.mover().ok_or_else(gone)?;
        let buffer = self.quantiser.buffers.lend(devices, self.length)?;
        let place = |factors: Factors| match factors {
            Factors::There(address) => Gva(address),
            Factors::Copied(start) => Gva(buffer.address() + start),
        };
        let mut copies = Vec::new();
        for launch in &self.launches {
            for (first, factors) in
                [(launch.piece.scales, launch.scales), (launch.piece.offsets, launch.offsets)]
            {
                if let Factors::Copied(_) = factors {
                    let bytes = units_of(launch.piece.count, self.unit) as u64 * 4;
                    let piece = Piece { src: first.cast(), dst: place(factors).as_ptr(), bytes };
                    let from = self.quantiser.locality(first);
                    copies.push(Transfer { piece, from, to: Locality::Device });
                }
            }
        }
        if !copies.is_empty() {
            // SAFETY: sources are the caller's, destinations parts of the buffer.
            unsafe { mover.copy(&copies) }?;
        }
        for launch in &self.launches {
            let QuantPiece { source, count, .. } = launch.piece;
            let arguments = Arguments::new()
                .address(Gva(buffer.address() + launch.bytes))
                .address(Gva(source.addr() as u64))
                .address(place(launch.scales))
                .address(place(launch.offsets))
                .u64(count as u64)
                .u64(self.unit as u64)
                .u32(self.half.for_kernels());
            let blocks = count.div_ceil(NUMBERS_OF_A_BLOCK).clamp(1, MOST_BLOCKS);
            let options = LaunchOptions { blocks: u32::try_from(blocks).unwrap_or(1), ..Default::default() };
            // SAFETY: the numbers are the caller's, and what is written lies in the buffer; both stay until
            // the launch has ended, which this waits for.
            unsafe { self.binary.launch(KERNEL, &arguments, &options) }?;
        }
        Ok(buffer)
    }
}
