// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies that are done on return, and copies on streams of the caller.
//!
//! Drivers return from a copy between devices before it is done, and from one to a device when the source may
//! be reused. So copies wait for the default stream, on which they are.

use std::ffi::c_void;

use gpu_sys::{GpuError, Stream};
use mf_base::{Error, Gva, Result};

use super::refusal::refused;
use super::{Gpu, OP};
use crate::RawStream;
use crate::engine;

/// Direction of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From memory of the processor to memory of a GPU.
    HostToDevice,
    /// The other direction.
    DeviceToHost,
    /// From memory of a GPU to memory of a GPU of the same vendor.
    DeviceToDevice,
}

/// A copy as the driver does it: which ends it must see as host memory.
#[derive(Clone, Copy)]
pub(super) enum Route {
    Up,
    Down,
    Across,
    /// Both ends are memory of the processor.
    Here,
}

impl Gpu {
    /// Copies `bytes` bytes from address `src` to address `dst`; done on return. **Local.** Blocks until
    /// then. An empty copy is checked for null only.
    ///
    /// # Errors
    /// `InvalidParam` an address is null, or of another kind than the direction requires · `Failed` by the
    /// driver.
    ///
    /// # Safety
    /// The ranges are readable and writable, with the kinds of the direction, during the call.
    pub unsafe fn copy(&self, dst: u64, src: u64, bytes: u64, direction: Direction) -> Result<()> {
        let Some(whole) = checked(dst, src, bytes)? else { return Ok(()) };
        let route = self.route(dst, src, direction);
        if let Route::Here = route {
            // SAFETY: the caller vouches for both ranges; both are memory of the processor here.
            unsafe { engine::copy(Gva(src).as_ptr(), Gva(dst).as_ptr(), whole) };
            return Ok(());
        }
        self.run_selected(|| {
            // SAFETY: the caller vouches for both ranges during the call; the device is selected.
            match unsafe { self.staging.copy(self, dst, src, whole, route) } {
                Some(done) => done,
                // SAFETY: the caller vouches for both ranges during the call; the device is selected.
                None => unsafe { self.copy_now(dst, src, whole, route) },
            }
        })
    }

    /// Puts a copy on a stream of the caller, behind earlier work. **Local.** May block as long as the driver
    /// wants, if host memory is not pinned.
    ///
    /// # Errors
    /// As [`copy`](Self::copy).
    ///
    /// # Safety
    /// As [`copy`](Self::copy), until the stream has done it; the stream is one of this GPU, or null.
    pub unsafe fn copy_on(
        &self,
        stream: RawStream,
        dst: u64,
        src: u64,
        bytes: u64,
        direction: Direction,
    ) -> Result<()> {
        let Some(whole) = checked(dst, src, bytes)? else { return Ok(()) };
        let route = self.route(dst, src, direction);
        if let Route::Here = route {
            let work = move || {
                // SAFETY: the ends are valid until the stream has done this, by the caller's word.
                unsafe { engine::copy(Gva(src).as_ptr(), Gva(dst).as_ptr(), whole) };
            };
            // SAFETY: the caller passes a stream of this GPU, or null.
            return unsafe { self.call_on(Stream(stream.0), Box::new(work)) };
        }
        let _selected = self.select()?;
        // SAFETY: the caller vouches for both ranges until the stream has done it, and for the stream.
        unsafe { self.put(Stream(stream.0), dst, src, whole, route) }.map_err(refused)
    }

    /// Waits until a stream of the caller has done everything; null is the default stream. **Local.**
    ///
    /// # Errors
    /// `Failed` with the driver's reason, also for work on the stream.
    ///
    /// # Safety
    /// The stream is one of this GPU, or null.
    pub unsafe fn synchronize(&self, stream: RawStream) -> Result<()> {
        // SAFETY: the caller passes a stream of this GPU, or null.
        self.run_selected(|| unsafe { self.driver.stream_wait(Stream(stream.0)) })
    }

    /// Puts a function of the host on a stream; if the driver does not support that, waits for the stream and
    /// calls it.
    ///
    /// # Safety
    /// The stream is one of this GPU, or null.
    pub(super) unsafe fn call_on(&self, stream: Stream, work: Box<dyn FnOnce() + Send>) -> Result<()> {
        unsafe extern "C" fn call(work: *mut c_void) {
            // SAFETY: from `into_raw` below, and called once.
            let work = unsafe { Box::from_raw(work.cast::<Box<dyn FnOnce() + Send>>()) };
            let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        }
        let _selected = self.select()?;
        if self.driver.operations().host_function.is_none() {
            // SAFETY: the caller passes a stream of this GPU, or null.
            unsafe { self.driver.stream_wait(stream) }.map_err(refused)?;
            work();
            return Ok(());
        }
        let raw = Box::into_raw(Box::new(work));
        // SAFETY: the stream by the caller's word; the function takes the box back, once.
        let put: Result<(), GpuError> = unsafe { self.driver.host_function(stream, call, raw.cast()) };
        put.map_err(|error| {
            // SAFETY: the driver refused, so the function is never called.
            drop(unsafe { Box::from_raw(raw) });
            refused(error)
        })
    }

    /// Returns the driver's route of a copy: pinned memory that stands for device memory is host memory to
    /// it.
    fn route(&self, dst: u64, src: u64, direction: Direction) -> Route {
        let (to_host, from_host) = match direction {
            Direction::HostToDevice => (self.hosted.has(dst), true),
            Direction::DeviceToHost => (true, self.hosted.has(src)),
            Direction::DeviceToDevice => (self.hosted.has(dst), self.hosted.has(src)),
        };
        match (to_host, from_host) {
            (true, true) => Route::Here,
            (true, false) => Route::Down,
            (false, true) => Route::Up,
            (false, false) => Route::Across,
        }
    }

    /// Copies by the driver's own call, and waits where that returns early.
    ///
    /// # Safety
    /// As [`copy`](Self::copy); the device is selected.
    unsafe fn copy_now(&self, dst: u64, src: u64, bytes: usize, route: Route) -> Result<(), GpuError> {
        let driver = &self.driver;
        match route {
            // SAFETY: the caller vouches for both ranges; the wait below comes before the return.
            Route::Up => unsafe { driver.to_device(dst, host(src), bytes) }?,
            // SAFETY: the caller vouches for both ranges; the copy is done on return.
            Route::Down => return unsafe { driver.to_host(host(dst), src, bytes) },
            // SAFETY: the caller vouches for both ranges; the wait below comes before the return.
            Route::Across | Route::Here => unsafe { driver.between(dst, src, bytes) }?,
        }
        // SAFETY: the default stream always lives.
        unsafe { driver.stream_wait(Stream::DEFAULT) }
    }

    /// Puts a copy on a stream; the device is selected.
    ///
    /// # Safety
    /// As [`copy_on`](Self::copy_on).
    unsafe fn put(
        &self,
        stream: Stream,
        dst: u64,
        src: u64,
        bytes: usize,
        route: Route,
    ) -> Result<(), GpuError> {
        match route {
            // SAFETY: the caller vouches for both ranges until the stream has done it.
            Route::Up => unsafe { self.driver.to_device_on(stream, dst, host(src), bytes) },
            // SAFETY: the caller vouches for both ranges until the stream has done it.
            Route::Down => unsafe { self.driver.to_host_on(stream, host(dst), src, bytes) },
            // SAFETY: the caller vouches for both ranges until the stream has done it.
            Route::Across | Route::Here => unsafe { self.driver.between_on(stream, dst, src, bytes) },
        }
    }
}

/// The address as a driver takes one of host memory.
pub(super) fn host(address: u64) -> *mut c_void {
    Gva(address).as_ptr().cast()
}

/// Validates addresses and returns the length; `None` for an empty copy.
fn checked(dst: u64, src: u64, bytes: u64) -> Result<Option<usize>> {
    if dst == 0 || src == 0 {
        return Err(Error::invalid(OP, "an end of the copy is null").with("bytes", bytes));
    }
    let whole = usize::try_from(bytes);
    let fits = dst.checked_add(bytes).is_some() && src.checked_add(bytes).is_some();
    match whole {
        Ok(whole) if fits => Ok((whole > 0).then_some(whole)),
        _ => Err(Error::invalid(OP, "the copy goes beyond the last address").with("bytes", bytes)),
    }
}
