// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Parts that a group and the groups derived from it have in common.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use mf_base::Rank;
use mf_store::Store;

use super::registry::Registry;
use super::wire::Wire;
use crate::space::Places;

/// State common to a group and the groups that are derived from it.
pub(super) struct Origin {
    pub(super) store: Arc<dyn Store>,
    pub(super) places: Places,
    pub(super) prefix: String,
    pub(super) own: Rank,
    pub(super) registry: Arc<Registry>,
    pub(super) wire: Option<Arc<dyn Wire>>,
    /// True if this process is registered for one-sided fences.
    pub(super) is_registered: bool,
    /// The last number that [`nonce`](Self::nonce) made one of; the first is random.
    pub(super) nonces: AtomicU64,
}

impl Origin {
    /// Returns a number unique among groups, without a system call, since groups are derived often.
    pub(super) fn nonce(&self) -> u64 {
        // SplitMix64: a counter with a bijective mix of its values.
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut mixed = self.nonces.fetch_add(STEP, Ordering::Relaxed).wrapping_add(STEP);
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }
}
