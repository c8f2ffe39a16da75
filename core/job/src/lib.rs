// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Membership of this process in its jobs, as all families of interfaces need it before they make objects of
//! their own.
//!
//! * [`Config`]: how the process takes part, once for all families; the options of the store and the carrier
//!   are derived from it.
//! * [`Tenant`]: a participant on behalf of the process. Big memory and share memory are two; a symmetric
//!   heap is one for each of its instances. The list is open: every family declares its own.
//! * [`Membership`]: the part of one tenant in one job: rank, store, network, devices. Tenants that name the
//!   same store are one member of the job.
//! * [`process`]: the state of a process with one state for all its callers: contexts and handles of its
//!   tenants, and the order in which they end.
//! * [`metrics`]: counters of this process, and their server.
//! * `live_stats`: live figures that the process publishes while the job is viewed.
//! * [`id_ranges`]: id ranges of pools and of records for kernels.
//!
//! Nothing here knows a tenant by more than its name.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod config;
pub mod id_ranges;
mod kernel_barriers;
mod live_stats;
mod membership;
pub mod metrics;
pub mod process;
mod registry;
mod tenant;

pub use config::Config;
pub use membership::Membership;
pub use tenant::Tenant;
