// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Kernels: binaries, arguments, launches.

mod ai_cpu;
mod arguments;
mod binaries;
mod launches;

pub use arguments::*;
pub use binaries::*;
pub use launches::*;

use std::ffi::c_void;

use crate::codes::acl;
use crate::fault::{Fault, Outcome};
use crate::memory::transfer::{self, Initiator};

/// A copy of `bytes` bytes of the program's.
fn taken(from: *const c_void, bytes: usize) -> Outcome<Vec<u8>> {
    let mut copy = Vec::new();
    copy.try_reserve_exact(bytes).map_err(|_| {
        Fault::new(acl::MEMORY_ALLOCATION, format_args!("no memory for a copy of {bytes} bytes"))
    })?;
    let address = from.expose_provenance() as u64;
    // SAFETY: there is room for so many bytes.
    unsafe { transfer::read(Initiator::Host, address, copy.as_mut_ptr(), bytes as u64) }?;
    // SAFETY: they were just written.
    unsafe { copy.set_len(bytes) };
    Ok(copy)
}
