// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Instrumentation flags: a word per process that says which observations are on, and the number of faults of
//! the machine. Code paths that nothing observes cost these two loads.

use std::sync::atomic::{AtomicPtr, AtomicU8, AtomicU32, Ordering};

/// The settings were not read yet.
pub(crate) const UNKNOWN: u8 = 1;
/// Calls are traced.
pub(crate) const TRACED: u8 = 2;
/// Faults are injected.
pub(crate) const FAULTY: u8 = 4;
/// Copies take their simulated time.
pub(crate) const COSTLY: u8 = 8;
static ON: AtomicU8 = AtomicU8::new(UNKNOWN);

static NO_DAMAGE: AtomicU32 = AtomicU32::new(0);
/// Number of faults of the machine; other processes change it.
static DAMAGE: AtomicPtr<AtomicU32> = AtomicPtr::new((&raw const NO_DAMAGE).cast_mut());

/// Returns true if one of `bits` is set or the machine is damaged.
#[inline]
pub(crate) fn is_any(bits: u8) -> bool {
    ON.load(Ordering::Relaxed) & bits != 0 || is_damaged()
}

/// Returns true if a device is lost or a link is cut.
#[inline]
pub(crate) fn is_damaged() -> bool {
    let damage = DAMAGE.load(Ordering::Relaxed);
    // SAFETY: it points to a static or into the machine's shared part, which is never unmapped.
    unsafe { (*damage).load(Ordering::Relaxed) != 0 }
}

/// Sets or clears a bit.
pub(crate) fn set(bit: u8, on: bool) {
    match on {
        true => ON.fetch_or(bit, Ordering::Relaxed),
        false => ON.fetch_and(!bit, Ordering::Relaxed),
    };
}

/// From now on, `damage` is the number of faults.
pub(crate) fn follow(damage: &'static AtomicU32) {
    DAMAGE.store(std::ptr::from_ref(damage).cast_mut(), Ordering::Relaxed);
}
