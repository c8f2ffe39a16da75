// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Objects that several members of a job make together: how they agree, and what they share afterwards.

mod gather;

pub use gather::{gather, in_order};
