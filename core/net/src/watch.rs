// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Measurements of operations while a consumer asks for them (`MF_METRICS`, `MF_TRACE_FILE`, `mf top`):
//! counts, bytes and latencies by route and peer ([`Slot`]), calls that wait for other members
//! ([`wait_metrics`]), and a file of operations over time ([`timeline`]).
//!
//! **Cost.** While watching is off, an operation pays one load and a jump that is not taken. Else it adds to
//! counters of its own thread, and every 256th copy of a thread between mapped memory is timed, so that
//! copies of 8 bytes read no clock. Operations of a transport are timed each time.

mod meter;
mod slots;
pub mod timeline;
pub mod wait_metrics;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, Ordering};

use mf_base::sync::lock;

pub use meter::{BOUNDS, Measured};
pub use slots::{COUNTERS, Copying, POOL_CELLS, Row, Slot, rows};

/// One copy in so many is timed, of each thread, where it is between mapped memory.
pub const SAMPLED_ONE_IN: u64 = 256;

const METRICS: u8 = 1;
const TIMELINE: u8 = 2;
const VIEW: u8 = 4;

static ASKED: AtomicU8 = AtomicU8::new(0);

/// Returns true while watching is on.
#[inline(always)]
pub fn is_on() -> bool {
    ASKED.load(Ordering::Relaxed) != 0
}

/// Begins or ends to measure by route and peer. **Local.**
pub fn set_metrics(is_wanted: bool) {
    set(METRICS, is_wanted);
}

static VIEWS: Mutex<u32> = Mutex::new(0);

/// Measures by route and peer, as long as it lives, since the job is viewed.
pub struct Viewed(());

impl Viewed {
    /// Begins to. **Local.**
    pub fn begin() -> Self {
        let mut views = lock(&VIEWS);
        *views += 1;
        set(VIEW, true);
        Self(())
    }
}

impl Drop for Viewed {
    fn drop(&mut self) {
        let mut views = lock(&VIEWS);
        *views -= 1;
        set(VIEW, *views > 0);
    }
}

fn set(what: u8, is_wanted: bool) {
    if is_wanted {
        ASKED.fetch_or(what, Ordering::Relaxed);
    } else {
        ASKED.fetch_and(!what, Ordering::Relaxed);
    }
}

#[inline]
fn has_timeline() -> bool {
    ASKED.load(Ordering::Relaxed) & TIMELINE != 0
}
