// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies for the floors above.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, mpsc};

use gpu_sys::{Class, Stream};
use mf_base::sync::lock;
use mf_base::{Error, Gva, Kind, Result};

use super::copies::{Direction, Route};
use super::lane::{GpuLane, ends};
use super::refusal::refused;
use super::{AddressKind, Gpu, OP};
use crate::engine;
use crate::vmm::timeout_for;
use crate::{Exported, Imported, Lane, Locality, Mover, RawStream, StreamEnd, Transfer, Word};

/// Ranges of the program that are pinned, with how many users each has.
#[derive(Default)]
pub(super) struct Registered(Mutex<BTreeMap<(u64, u64), Pinned>>);

struct Pinned {
    users: usize,
    /// True if it was pinned by this call, and not before.
    ours: bool,
}

/// A range that is pinned until this is dropped.
struct Registration {
    gpu: Arc<Gpu>,
    address: u64,
    bytes: u64,
}

impl Drop for Registration {
    fn drop(&mut self) {
        self.gpu.unregister(self.address, self.bytes);
    }
}

/// Returns the driver's route of a transfer.
fn route(transfer: &Transfer) -> Route {
    match (transfer.to, transfer.from) {
        (Locality::Device, Locality::Device) => Route::Across,
        (Locality::Device, Locality::Host) => Route::Up,
        (Locality::Host, Locality::Device) => Route::Down,
        (Locality::Host, Locality::Host) => Route::Here,
    }
}

fn direction(route: Route) -> Option<Direction> {
    match route {
        Route::Up => Some(Direction::HostToDevice),
        Route::Down => Some(Direction::DeviceToHost),
        Route::Across => Some(Direction::DeviceToDevice),
        Route::Here => None,
    }
}

impl Gpu {
    /// Puts the writing of a word on a stream.
    ///
    /// # Safety
    /// As [`Mover::write_word_on`].
    pub(super) unsafe fn word_on(&self, stream: Stream, address: u64, word: Word) -> Result<()> {
        if self.hosted.has(address) {
            let kept = Box::new(word.padded());
            let work = move || {
                let (from, to) = ((&raw const *kept).cast::<u8>(), Gva(address).as_ptr());
                // SAFETY: the word is alive until the stream has done this, by the caller's word.
                unsafe { engine::copy(from, to, usize::from(word.bytes() == 8) * 4 + 4) };
            };
            // SAFETY: the caller vouches that the stream is one of this GPU, or null.
            return unsafe { self.call_on(stream, Box::new(work)) };
        }
        // The source outlives the copy: a function behind it drops it.
        let kept = Box::new(word.padded());
        let from = (&raw const *kept).expose_provenance() as u64;
        let like = word.written(address, |transfer| Ok(transfer.piece.bytes))?;
        // SAFETY: the caller vouches for the word; the source lives until the stream is behind the copy.
        unsafe { self.copy_on(RawStream(stream.0), address, from, like, Direction::HostToDevice) }?;
        // SAFETY: the caller vouches that the stream is one of this GPU, or null.
        let behind = unsafe { self.call_on(stream, Box::new(move || drop(kept))) };
        if behind.is_err() {
            // The function and the source were dropped: the copy must not read it any more.
            // SAFETY: the caller vouches that the stream is one of this GPU, or null.
            unsafe { self.synchronize(RawStream(stream.0)) }?;
        }
        behind
    }
}

impl Mover for Gpu {
    fn locality(&self, address: u64) -> Locality {
        match self.kind_of(address) {
            AddressKind::Device { .. } => Locality::Device,
            _ => Locality::Host,
        }
    }

    unsafe fn copy(&self, transfers: &[Transfer]) -> Result<()> {
        for transfer in transfers {
            let (dst, src, bytes) = ends(transfer)?;
            match direction(route(transfer)) {
                // SAFETY: the caller vouches for both ends until this returns.
                Some(direction) => unsafe { Gpu::copy(self, dst, src, bytes as u64, direction) }?,
                // SAFETY: the caller vouches for both ends until this returns; the processor reaches both.
                None => unsafe { engine::copy(transfer.piece.src, transfer.piece.dst, bytes) },
            }
        }
        Ok(())
    }

    fn words(&self) -> &Mutex<()> {
        &self.words
    }

    fn lane(&self) -> Result<Box<dyn Lane>> {
        GpuLane::boxed(self)
    }

    unsafe fn copy_on(&self, stream: RawStream, transfers: &[Transfer]) -> Result<()> {
        for transfer in transfers {
            let (dst, src, bytes) = ends(transfer)?;
            match direction(route(transfer)) {
                // SAFETY: the caller vouches for both ends until the stream has done it, and for the stream.
                Some(direction) => unsafe { Gpu::copy_on(self, stream, dst, src, bytes as u64, direction) }?,
                None => {
                    let work = move || {
                        // SAFETY: the ends are valid until the stream has done this, by the caller's word.
                        unsafe { engine::copy(Gva(src).as_ptr(), Gva(dst).as_ptr(), bytes) };
                    };
                    // SAFETY: the caller vouches that the stream is one of this GPU, or null.
                    unsafe { self.call_on(Stream(stream.0), Box::new(work)) }?;
                }
            }
        }
        Ok(())
    }

    fn end_at(&self, address: u64) -> StreamEnd {
        match self.kind_of(address) {
            AddressKind::Device { .. } => StreamEnd::Device,
            AddressKind::Pinned(_) => StreamEnd::Pinned,
            AddressKind::Unknown => StreamEnd::Pageable,
        }
    }

    unsafe fn write_word_on(&self, stream: RawStream, address: u64, word: Word) -> Result<()> {
        // SAFETY: the caller vouches for the word until the stream has done it, and for the stream.
        unsafe { self.word_on(Stream(stream.0), address, word) }
    }

    unsafe fn run_on(&self, stream: RawStream, work: Box<dyn FnOnce() + Send>) -> Result<()> {
        // SAFETY: the caller vouches that the stream is one of this GPU, or null.
        unsafe { self.call_on(Stream(stream.0), work) }
    }

    unsafe fn run_waiting_on(&self, _: RawStream, work: Box<dyn FnOnce() + Send>) -> Result<()> {
        // A function of the host blocks functions of other streams, and copies by the default stream, which
        // may be the stream that it waits for.
        drop(work);
        Err(Error::new(Kind::NotExist, OP)
            .what("streams of this GPU do not wait for work that may call it")
            .with("driver", self.vendor())
            .hint("do it without a stream, when the stream is done"))
    }

    fn quiesce(&self) -> Result<()> {
        // The driver's call has no deadline, and a kernel of the program may never end.
        let (gpu, timeout) = (self.upgrade()?, timeout_for(0));
        let (done, wait) = mpsc::sync_channel(1);
        let work = move || {
            let rest = gpu.select().and_then(|_selected| gpu.driver.device_wait().map_err(refused));
            // The waiter may have gone.
            let _ = done.try_send(rest);
        };
        std::thread::Builder::new().name("mf-gpu-rest".to_owned()).spawn(work).map_err(|error| {
            Error::new(Kind::NoResources, OP).what("no thread could wait for the GPU").source(error)
        })?;
        wait.recv_timeout(timeout).unwrap_or_else(|_| {
            Err(Error::new(Kind::Timeout, OP)
                .what("the GPU has not finished its queued work")
                .with("device", self.number)
                .with("waited_ms", timeout.as_millis())
                .hint("a kernel of the program that never ends, or the GPU is not healthy"))
        })
    }

    fn register(&self, address: u64, bytes: u64) -> Result<bool> {
        let mut ranges = lock(&self.registered.0);
        if let Some(pinned) = ranges.get_mut(&(address, bytes)) {
            pinned.users += 1;
            return Ok(true);
        }
        let Ok(whole) = usize::try_from(bytes) else { return Ok(false) };
        let _selected = self.select()?;
        // SAFETY: mapped until `unregister`, by the contract of this function.
        let ours = match unsafe { self.driver.register(Gva(address).as_ptr().cast(), whole) } {
            Ok(()) => true,
            Err(error) if error.class() == Class::AlreadyRegistered => false,
            Err(error) => {
                tracing::debug!(bytes, "host memory is not pinned, copies with it are staged: {error}");
                return Ok(false);
            }
        };
        ranges.insert((address, bytes), Pinned { users: 1, ours });
        Ok(true)
    }

    fn unregister(&self, address: u64, bytes: u64) {
        let mut ranges = lock(&self.registered.0);
        let Some(pinned) = ranges.get_mut(&(address, bytes)) else { return };
        pinned.users -= 1;
        if pinned.users > 0 {
            return;
        }
        let ours = pinned.ours;
        ranges.remove(&(address, bytes));
        let Ok(_selected) = self.select() else { return };
        if ours {
            // SAFETY: pinned by `register`; no copy uses it, by the contract of this function.
            let ended = unsafe { self.driver.unregister(Gva(address).as_ptr().cast()) };
            if let Err(error) = ended {
                tracing::debug!(bytes, "host memory stays pinned: {error}");
            }
        }
    }

    fn registered(&self, address: u64, bytes: u64) -> Option<Box<dyn Any + Send + Sync>> {
        let gpu = self.upgrade().ok()?;
        let is_pinned = self.register(address, bytes).ok()?;
        is_pinned.then(|| Box::new(Registration { gpu, address, bytes }) as Box<dyn Any + Send + Sync>)
    }

    fn export(&self, address: u64, bytes: u64) -> Result<Arc<Exported>> {
        Gpu::export(self, address, bytes)
    }

    fn import(&self, key: &[u8]) -> Result<Arc<Imported>> {
        Gpu::import(self, key)
    }
}
