// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Objects that several members of a job make together: share memory, symmetric heaps, meetings.
//!
//! 1. [`Agreement`]: the members find each other and agree on equal parameters ([`Offer`]), also on their
//!    number.
//! 2. Each makes its part, a [pool](crate::pool) as a rule; [`vote()`]: all learn whether all succeeded.
//! 3. [`Object`]: state shared besides memory: barriers, also of subsets and again after a failure, unique
//!    numbers, kernels and exit callbacks.
//! 4. [`MetaArea`], [`Control`]: the object's data for kernels, and the exchange between host and kernels.
//!
//! **One gather of offers.** For a common decision each member publishes its offer once, and a pure function
//! decides over the offers of all, so that all get the same result or fail with the same error: [`gather()`]
//! if they know their number (votes, subgroups, [groups](crate::group)), [`Agreement`] if the number is part
//! of the question.

mod agreement;
#[expect(unsafe_code, reason = "a page that members share")]
mod control;
mod exit;
mod gather;
mod id_allocator;
mod launches;
mod liveness_wait;
#[expect(unsafe_code, reason = "memory that members share")]
mod meta;
mod object;
mod recovering_barrier;
mod subgroups;
mod vote;

pub use agreement::{Agreement, Offer, is_for_all};
pub use control::{Control, control_bytes};
pub use gather::{gather, in_order};
pub use id_allocator::VALUES_MAX;
pub use launches::Launch;
pub use liveness_wait::among_living;
pub use meta::{CONTEXT_BYTES_MAX, MetaArea, Record, Shown};
pub use object::Object;
pub use subgroups::KEY_BYTES_MAX;
pub use vote::vote;
