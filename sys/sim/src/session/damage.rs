// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Faults of the machine, for all its processes: lost devices and cut links. Read without the lock.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::device_ids::MOST_DEVICES;

const DEVICES: usize = MOST_DEVICES as usize;

/// Part of the shared file.
#[repr(C)]
pub(super) struct Damage {
    /// Number of faults; briefly too high rather than too low, so that no fault is missed.
    pub(super) count: AtomicU32,
    lost: [AtomicU32; DEVICES],
    /// A bit for each pair of devices, in both directions.
    cut: [[AtomicU64; DEVICES / 64]; DEVICES],
}

impl Damage {
    pub(super) fn is_lost(&self, device: usize) -> bool {
        self.lost[device].load(Ordering::Acquire) != 0
    }

    pub(super) fn set_lost(&self, device: usize, lost: bool) {
        self.count.fetch_add(1, Ordering::AcqRel);
        let before = self.lost[device].swap(lost.into(), Ordering::AcqRel);
        self.count.fetch_sub(1 + before - u32::from(lost), Ordering::AcqRel);
    }

    pub(super) fn is_cut(&self, one: usize, other: usize) -> bool {
        self.cut[one][other / 64].load(Ordering::Acquire) & (1 << (other % 64)) != 0
    }

    pub(super) fn set_cut(&self, one: usize, other: usize, cut: bool) {
        for (one, other) in [(one, other), (other, one)] {
            let (word, bit) = (&self.cut[one][other / 64], 1 << (other % 64));
            self.count.fetch_add(1, Ordering::AcqRel);
            let before = match cut {
                true => word.fetch_or(bit, Ordering::AcqRel),
                false => word.fetch_and(!bit, Ordering::AcqRel),
            };
            self.count.fetch_sub(1 + u32::from(before & bit != 0) - u32::from(cut), Ordering::AcqRel);
        }
    }
}
