// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Large copies between a GPU and unpinned memory of the program: by several threads, each with pinned
//! pieces, which the processor fills while the GPU reads others ([`crew`]).
//!
//! A driver's own call does similar work by one thread. The first large copies in each direction measure both
//! in turn, and the faster one does later copies. Memory that is pinned already is left to the driver, which
//! copies it at once, and does not count in the measurement.

mod crew;

use std::sync::{Mutex, TryLockError};
use std::time::Instant;

use gpu_sys::{AddressKind, GpuError, Stream};

use super::Gpu;
use super::copies::{Route, host};
use crew::{Crew, Whole};

/// Copies of so many bytes and more may go through pinned pieces.
pub(super) const LEAST_BYTES: usize = 8 << 20;

/// The crew of one GPU and its measurements. One copy at a time goes through it; others take the driver's
/// call.
#[derive(Default)]
pub(super) struct Staging(Mutex<StagingState>);

#[derive(Default)]
struct StagingState {
    crew: Option<Crew>,
    refused: bool,
    up: Rates,
    down: Rates,
}

/// The best of so many copies counts: the first ones to a place are slower.
const MEASURED: usize = 3;

/// Measured rates of the driver's call and of the crew.
#[derive(Default)]
struct Rates {
    own: Rate,
    staged: Rate,
}

/// Copies, and the least nanoseconds for a MiB that one of them took.
#[derive(Default)]
struct Rate {
    copies: usize,
    least: Option<u128>,
}

impl Rates {
    /// Returns whether the crew does the next copy, and whether it is measured; `None`: the driver does it,
    /// unmeasured.
    fn next(&self) -> Option<(bool, bool)> {
        if self.own.copies < MEASURED || self.staged.copies < MEASURED {
            return Some((self.staged.copies < self.own.copies, true));
        }
        (self.staged.least < self.own.least).then_some((true, false))
    }
}

impl Staging {
    /// Does a large copy by the crew, or by the driver's call while that is measured. Returns `None` if
    /// nothing was done, since the copy is of another kind. In place on return.
    ///
    /// # Safety
    /// As [`Gpu::copy`](super::Gpu::copy); the device is selected.
    pub(super) unsafe fn copy(
        &self,
        gpu: &Gpu,
        dst: u64,
        src: u64,
        bytes: usize,
        route: Route,
    ) -> Option<Result<(), GpuError>> {
        let up = match route {
            Route::Up => true,
            Route::Down => false,
            Route::Across | Route::Here => return None,
        };
        if bytes < LEAST_BYTES {
            return None;
        }
        let kind = gpu.driver.kind_of(&gpu.primary, if up { src } else { dst });
        if kind != AddressKind::Unknown {
            return None;
        }
        let mut state = match self.0.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(state)) => state.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        let rates = if up { &state.up } else { &state.down };
        let (staged, is_measured) = rates.next()?;
        let whole = Whole { dst, src, bytes, up };
        let start = Instant::now();
        let done = if staged {
            // Without pinned memory the driver's call does all.
            let crew = state.crew_or_start(gpu).filter(|crew| crew.is_here())?;
            // SAFETY: the caller vouches for both ranges; the device is selected.
            unsafe { crew.copy(gpu, whole) }
        } else {
            // SAFETY: the caller vouches for both ranges; the device is selected.
            unsafe { by_driver(gpu, whole) }
        };
        let pace = start.elapsed().as_nanos() / (bytes >> 20) as u128;
        let rates = if up { &mut state.up } else { &mut state.down };
        let rate = if staged { &mut rates.staged } else { &mut rates.own };
        if done.is_ok() && is_measured {
            rate.copies += 1;
            rate.least = Some(rate.least.map_or(pace, |least| least.min(pace)));
        }
        Some(done)
    }
}

impl StagingState {
    fn crew_or_start(&mut self, gpu: &Gpu) -> Option<&mut Crew> {
        if self.crew.is_none() && !self.refused {
            match Crew::new(&gpu.driver) {
                Ok(crew) => self.crew = Some(crew),
                Err(error) => {
                    self.refused = true;
                    tracing::debug!("large copies are left to the driver: {error}");
                }
            }
        }
        self.crew.as_mut()
    }
}

/// # Safety
/// As [`Staging::copy`].
unsafe fn by_driver(gpu: &Gpu, whole: Whole) -> Result<(), GpuError> {
    let Whole { dst, src, bytes, up } = whole;
    if up {
        // SAFETY: the caller vouches for both ranges; the wait below comes before the return.
        unsafe { gpu.driver.to_device(dst, host(src), bytes) }?;
        // SAFETY: the default stream always lives.
        unsafe { gpu.driver.stream_wait(Stream::DEFAULT) }
    } else {
        // SAFETY: the caller vouches for both ranges; the copy is done on return.
        unsafe { gpu.driver.to_host(host(dst), src, bytes) }
    }
}
