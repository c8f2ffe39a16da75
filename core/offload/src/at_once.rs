// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Operations by the calling thread.

use mf_base::Result;

use crate::memory::Memory;
use crate::operation::{Operation, Table};
use crate::plan::plan;

/// Runs an operation; it is done on return. All pieces are checked before the first is copied.
///
/// # Errors
/// `InvalidParam` an array or a piece is not mapped here, nothing is written then · errors of the
/// accelerator's mover, some pieces may be copied then.
///
/// # Safety
/// The caller has given the destinations away to be written. Host memory stays mapped until the call
/// returns; memory of the accelerator is readable and writable as the operation needs it.
pub(crate) unsafe fn run(memory: &Memory<'_>, operation: &Operation, table: Option<&Table>) -> Result<()> {
    operation.check()?;
    let plan = plan(operation, table, memory)?;
    memory.check(&plan.spans)?;
    // SAFETY: host ends were checked just now; the caller vouches for the rest.
    unsafe { memory.copy(&plan.spans) }?;
    match plan.words {
        // SAFETY: the caller has given the result away to be written.
        Some((address, words)) => unsafe { memory.write("packedGroupListPtr", address, &words) },
        None => Ok(()),
    }
}
