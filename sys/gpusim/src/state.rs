// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Objects of the machine, with the operations on one object alone.

pub(crate) mod block;
pub(crate) mod event;
pub(crate) mod life;
pub(crate) mod physical;
pub(crate) mod pinned;
pub(crate) mod queue;
