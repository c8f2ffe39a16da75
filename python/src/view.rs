// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The hold on one's own segment that every view of it has, and what waits for the last hold to go.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;

use crate::memory::Object;
use crate::{fork, library};

// Both are only used with the GIL held, so the count and the flag below it change together.
static HOLDS: AtomicUsize = AtomicUsize::new(0);
static UNINIT_LATER: Mutex<Option<Later>> = Mutex::new(None);

/// An `uninitialize` that waits for the last view.
struct Later {
    flags: u32,
    generation: u32,
}

/// Keeps the memory of a segment mapped. The object that exports the bytes holds one of these.
#[pyclass(frozen, module = "mf_smem._mf_smem")]
pub(crate) struct SegmentHold {
    object: Option<Arc<Object>>,
    /// Address of the first byte in this process.
    #[pyo3(get)]
    address: usize,
    /// Length of the segment in bytes.
    #[pyo3(get)]
    nbytes: u64,
}

impl SegmentHold {
    pub(crate) fn new(object: Arc<Object>, address: usize, nbytes: u64) -> Self {
        HOLDS.fetch_add(1, Ordering::Relaxed);
        Self { object: Some(object), address, nbytes }
    }
}

impl Drop for SegmentHold {
    fn drop(&mut self) {
        drop(self.object.take());
        if HOLDS.fetch_sub(1, Ordering::Relaxed) == 1
            && let Some(flags) = take_later()
        {
            Python::attach(|py| uninit_now(py, flags));
        }
    }
}

fn later() -> MutexGuard<'static, Option<Later>> {
    UNINIT_LATER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is to be done by this process; a child does not end its parent's part in the world.
fn take_later() -> Option<u32> {
    later().take().filter(|later| later.generation == fork::generation()).map(|later| later.flags)
}

/// Whether the library is only kept initialised by views that outlived `uninitialize`.
pub(crate) fn is_ending() -> bool {
    later().is_some()
}

/// Calls off an `uninitialize` that waits for views; true when there was one.
pub(crate) fn resume() -> bool {
    later().take().is_some()
}

/// Uninitialises big memory: now, or with the last view.
pub(crate) fn uninit(py: Python<'_>, flags: u32) {
    if HOLDS.load(Ordering::Relaxed) > 0 {
        *later() = Some(Later { flags, generation: fork::generation() });
    } else {
        uninit_now(py, flags);
    }
}

fn uninit_now(py: Python<'_>, flags: u32) {
    if let Some(functions) = library::try_functions() {
        // SAFETY: may be called at any time; it waits for callbacks, which may want the GIL.
        py.detach(|| unsafe { (functions.smem_bm_uninit)(flags) });
    }
}
