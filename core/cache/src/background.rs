// SPDX-License-Identifier: Apache-2.0 OR MIT
//! State of a member's background work: membership changes, replicas, pages.

use std::collections::HashMap;
use std::sync::Arc;

use crate::atomic_fields::Holder;
use crate::view::{Homes, View};

/// Progress of this member with the latest view.
#[derive(Default)]
pub(crate) struct Progress {
    /// The homes at which blocks of this process may be published: one, once it has settled.
    pub(crate) homes: Vec<Arc<Homes>>,
    /// Views that operations may still work with.
    pub(crate) former: Vec<Arc<View>>,
    pub(crate) refreshes: u32,
    /// The first walk has been done.
    pub(crate) is_walked: bool,
}

/// The view for which the values of this process have all their replicas.
#[derive(Default)]
pub(crate) struct Restored {
    /// Number of the view.
    pub(crate) view: u64,
    /// Blocks are left to examine.
    pub(crate) is_walking: bool,
}

/// Progress of this process in mapping each zone; the number behind the last zone stands for the part before
/// the zones.
#[derive(Default)]
pub(crate) struct Mapped(pub(crate) HashMap<(Holder, u64), u64>);
