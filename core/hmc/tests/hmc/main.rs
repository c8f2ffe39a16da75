// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests of communicators: in one process, and in processes that are killed.

#![expect(unsafe_code, reason = "buffers are read and written as raw memory")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "what goes wrong here fails the test")]

#[cfg(test)]
mod acts;
#[cfg(test)]
mod kills;
#[cfg(test)]
mod names;
#[cfg(test)]
mod one_process;
#[cfg(test)]
mod processes;
#[cfg(test)]
mod refused;
#[cfg(test)]
mod side;
#[cfg(test)]
mod stale;
#[cfg(test)]
mod streams;
#[cfg(test)]
mod unreachable;
