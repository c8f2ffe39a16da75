// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Decorators of transports.
//!
//! [`watched`] is around every transport of a process: it counts and records while `MF_METRICS`,
//! `MF_TRACE_FILE` or a viewer of the job asks for it, and with `MF_NET_METRICS` fills a table of
//! [`metrics`]. By settings [`trace`] (`MF_NET_TRACE`) logs each operation, and [`fault`] (`MF_NET_FAULTS`)
//! injects faults, for tests. `layer` is their common part.

pub mod fault;
mod layer;
pub mod metrics;
pub mod trace;
pub mod watched;
