// SPDX-License-Identifier: Apache-2.0 OR MIT
//! HCOMM: resources of communication below HCCL, in `libhcomm.so`.
//!
//! An endpoint stands for an address of a device. A process registers memory with it and exports a
//! description, which the program hands to its peers; they import it. A channel joins two endpoints: each end
//! creates its own, and both are connected as soon as both exist. Copies then name a channel, an address of
//! this process and one that the peer behind the channel has registered and exported.
//!
//! Every copy is made by the calling thread and is complete when the call returns, so that fences have
//! nothing to wait for. The kernel of the host moves the bytes between the two processes, and reports an end
//! that is gone. Each exporter permits that for processes of its user ([`memory`]).
//!
//! * [`endpoints`], [`memory`], [`channels`], [`threads`]: the objects. [`transfers`]: copies and batches.

pub mod channels;
pub mod endpoints;
pub mod memory;
pub mod threads;
pub mod transfers;

use crate::fault::{Fault, Outcome, ensure};
use crate::hccl::code;

/// Refuses a null pointer with HCCL's number.
fn not_null<T>(pointer: *const T, name: &str) -> Outcome {
    ensure(!pointer.is_null(), code::PTR, || format!("{name} is null"))
}

/// Refuses a wrong argument with HCCL's number.
fn expect(condition: bool, text: impl FnOnce() -> String) -> Outcome {
    ensure(condition, code::PARA, text)
}

/// HCCL's number for a refusal of the insides.
fn translate<T>(outcome: Outcome<T>) -> Outcome<T> {
    outcome.map_err(code::of_acl)
}

/// Most entries of an array argument.
const MOST: u32 = 1 << 16;

/// Copies an array of the program.
///
/// # Safety
/// Any bytes are a `T`; the program passes `count` of them.
unsafe fn entries<T: Copy>(from: *const T, count: u32, name: &str) -> Outcome<Vec<T>> {
    not_null(from, name)?;
    expect(count > 0 && count <= MOST, || format!("{count} entries in {name}: must be 1 to {MOST}"))?;
    // SAFETY: not null; the program passes `count` of them.
    translate(unsafe { crate::acl::arguments::array(from, count as usize, MOST as usize, name) })
}

/// A refusal for an operation that the peer cannot take part in any more.
fn peer_gone(text: impl std::fmt::Display) -> Fault {
    Fault::new(code::REMOTE, text)
}
