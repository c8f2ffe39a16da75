// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Order and completion, and objects kept until then.

use pyo3::prelude::*;

use super::Handle;
use super::pending::Pending;
use super::rma::{Context, DEFAULT_CONTEXT};
use super::rows::{find, frequent, plain};
use crate::shmem::function::made;

/// Makes a call that completes a context, then drops the objects kept for it.
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

/// Completes operations of a context; without one, of the default context.
#[pyfunction]
#[pyo3(signature = (ctx=None))]
pub(super) fn quiet(py: Python<'_>, ctx: Option<&Bound<'_, Handle>>) -> PyResult<()> {
    let (context, quiet) = (Context::of(ctx), find::<_, ()>(frequent::ctx_quiet)?);
    // SAFETY: a handle of any value may be passed.
    completed(py, context.0, move || unsafe { quiet(context.handle()) })
}

/// Orders earlier puts on a context before later ones, for each PE.
#[pyfunction]
#[pyo3(signature = (ctx=None))]
pub(super) fn fence(py: Python<'_>, ctx: Option<&Bound<'_, Handle>>) -> PyResult<()> {
    let (context, fence) = (Context::of(ctx), find::<_, ()>(frequent::ctx_fence)?);
    // SAFETY: a handle of any value may be passed; the library checks it.
    made(py, false, false, move || unsafe { fence(context.handle()) })
}

/// Completes operations of the default context, and waits for all PEs.
#[pyfunction]
pub(super) fn barrier_all(py: Python<'_>) -> PyResult<()> {
    let barrier = find::<_, ()>(plain::barrier_all)?;
    // SAFETY: takes no argument.
    completed(py, DEFAULT_CONTEXT, move || unsafe { barrier() })
}
