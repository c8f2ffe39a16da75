// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The functions of HCCL.

mod collectives;
mod communicators;
mod messages;

pub use collectives::*;
pub use communicators::*;
pub use messages::*;

use std::ffi::c_void;
use std::sync::Arc;

use super::code;
use super::communicator::Communicator;
use crate::acl::arguments::give;
use crate::context::stream_of;
use crate::fault::{Outcome, ensure};
use crate::stream::Stream;

fn not_null<T>(pointer: *const T, name: &str) -> Outcome {
    ensure(!pointer.is_null(), code::PTR, || format!("{name} is null"))
}

/// Writes a result where the caller wants it.
///
/// # Safety
/// As the caller of the exported function promises, `out` is null or may be written.
unsafe fn answer<T>(out: *mut T, name: &str, value: impl FnOnce() -> Outcome<T>) -> Outcome {
    not_null(out, name)?;
    // SAFETY: checked above.
    unsafe { give(out, value()?) }
}

/// The stream behind a handle, which must be of the communicator's device.
fn stream_for(communicator: &Communicator, handle: *const c_void) -> Outcome<Arc<Stream>> {
    let stream = stream_of(handle).map_err(code::of_acl)?;
    ensure(stream.device.physical == communicator.device.physical, code::PARA, || {
        format!(
            "the stream is of device {}, the communicator of device {}",
            stream.device.user, communicator.device.user
        )
    })?;
    Ok(stream)
}

fn check_rank(communicator: &Communicator, rank: u32, name: &str) -> Outcome {
    let ranks = communicator.shared.ranks();
    ensure(rank < ranks, code::PARA, || format!("{name} is rank {rank} of {ranks}"))
}
