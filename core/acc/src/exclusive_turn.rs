// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Exclusive work on a link: one thread at a time. A thread that comes meanwhile leaves a mark, and the
//! present one goes round again.

use std::sync::atomic::{AtomicU8, Ordering};

const FREE: u8 = 0;
const TAKEN: u8 = 1;
const AGAIN: u8 = 2;

#[derive(Debug, Default)]
pub(crate) struct Turn(AtomicU8);

impl Turn {
    /// Takes the turn. Returns false if another thread has it, which will handle the event.
    pub(crate) fn take(&self) -> bool {
        // Acquire and release on both sides: the next holder sees all writes of the former one.
        let next = |state| Some(if state == FREE { TAKEN } else { AGAIN });
        self.0.fetch_update(Ordering::AcqRel, Ordering::Acquire, next) == Ok(FREE)
    }

    /// Gives the turn back. Returns false if a thread came meanwhile: the caller goes round again.
    pub(crate) fn release(&self) -> bool {
        match self.0.compare_exchange(TAKEN, FREE, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => true,
            Err(_) => {
                self.0.store(TAKEN, Ordering::Release);
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callers_during_a_turn_trigger_one_more_round() {
        let turn = Turn::default();
        assert!(turn.take());
        assert!(!turn.take() && !turn.take());
        assert!(!turn.release());
        assert!(turn.release());
        assert!(turn.take() && turn.release());
    }
}
