// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Objects that several members of a job make together: share memory, symmetric heaps, meeting points.
//!
//! 1. [`Agreement`]: the members find each other and that they want the same ([`Offer`]), also how many they
//!    are.
//! 2. Each makes its part, a [pool](crate::pool) as a rule; [`vote()`]: all learn whether all could.
//! 3. [`Object`]: what they share besides memory: they meet, also some of them and again after a failure,
//!    take numbers that are unique, run kernels and exit callbacks.
//! 4. [`MetaArea`], [`Control`]: what kernels see of it, and what host and kernels exchange.
//!
//! **One gather of offers.** Whatever members decide together, each says once what it has or wants, and a
//! pure judge decides over the offers of all, so that all come to the same result or fail with the same
//! error: [`gather()`] where they know how many they are (votes, subgroups, [groups](crate::group)),
//! [`Agreement`] where that is part of the question.

mod agreement;
#[expect(unsafe_code, reason = "a page that members share")]
mod control;
mod exit;
mod gather;
mod launches;
mod living;
mod meeting;
#[expect(unsafe_code, reason = "memory that members share")]
mod meta;
mod object;
mod subgroups;
mod values;
mod vote;

pub use agreement::{Agreement, Offer, is_for_all};
pub use control::{Control, control_bytes};
pub use gather::{gather, in_order};
pub use launches::Launch;
pub use living::among_living;
pub use meta::{CONTEXT_BYTES_MAX, MetaArea, Record, Shown};
pub use object::Object;
pub use subgroups::KEY_BYTES_MAX;
pub use values::VALUES_MAX;
pub use vote::vote;
