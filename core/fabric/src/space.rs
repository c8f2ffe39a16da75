// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The global address space of a pool.
//!
//! * [`layout`]: pure arithmetic between addresses and (kind, rank, offset).
//! * [`extents`]: how much of each segment may be read and written now; the copy path's only check.
//! * [`places`]: members that are only some ranks of the job, or in another order.
//! * [`agree`]: how the members of a job agree on one base that is free in all of them.

pub mod agree;
pub mod extents;
pub mod layout;
pub mod places;

pub(crate) use extents::Limit;
pub use extents::{Extents, Presence};
pub use layout::{Layout, PoolPlace, Shape};
pub use places::Places;
