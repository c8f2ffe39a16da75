// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Order and completion, and what is kept until then.

use pyo3::prelude::*;

use super::Handle;
use super::pending::Pending;
use super::rma::{Context, DEFAULT_CONTEXT};
use super::rows::{find, frequent, plain};
use crate::shmem::function::made;

/// Makes a call that completes a context; what was kept for it is dropped then.
fn completed(py: Python<'_>, context: usize, call: impl FnMut() + Send) -> PyResult<()> {
    let pending = Pending::take(context);
    match made(py, false, false, call) {
        Ok(()) => {
            drop(pending);
            Ok(())
        }
        Err(error) => {
            pending.put_back();
            Err(error)
        }
    }
}

/// Completes what was started on a context; without one on the default context.
#[pyfunction]
#[pyo3(signature = (ctx=None))]
pub(super) fn quiet(py: Python<'_>, ctx: Option<&Bound<'_, Handle>>) -> PyResult<()> {
    let (context, quiet) = (Context::of(ctx), find::<_, ()>(frequent::ctx_quiet)?);
    // SAFETY: a handle of any value may be passed.
    completed(py, context.0, move || unsafe { quiet(context.handle()) })
}

/// Orders what was put on a context before what will be put on it, for each PE.
#[pyfunction]
#[pyo3(signature = (ctx=None))]
pub(super) fn fence(py: Python<'_>, ctx: Option<&Bound<'_, Handle>>) -> PyResult<()> {
    let (context, fence) = (Context::of(ctx), find::<_, ()>(frequent::ctx_fence)?);
    // SAFETY: as above.
    made(py, false, false, move || unsafe { fence(context.handle()) })
}

/// Completes what was started on the default context, and waits until all PEs have come here.
#[pyfunction]
pub(super) fn barrier_all(py: Python<'_>) -> PyResult<()> {
    let barrier = find::<_, ()>(plain::barrier_all)?;
    // SAFETY: takes no argument.
    completed(py, DEFAULT_CONTEXT, move || unsafe { barrier() })
}
