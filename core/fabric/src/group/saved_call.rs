// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Saved state of a call that its program interrupted: the others go on, and the same call, made again,
//! resumes from this state.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use mf_base::sync::lock;
use mf_base::{Error, Result};

/// The call that was left; one thread at a time uses it.
#[derive(Default)]
pub(super) struct InterruptedCall {
    is_set: AtomicBool,
    call: Mutex<Option<Call>>,
}

struct Call {
    operation: &'static str,
    own: Vec<u8>,
    /// The gathered bytes, complete up to `progress` of each member.
    all: Vec<u8>,
    progress: usize,
}

impl InterruptedCall {
    #[inline(always)]
    pub(super) fn is_set(&self) -> bool {
        self.is_set.load(Ordering::Relaxed)
    }

    /// Remembers a call.
    #[cold]
    pub(super) fn keep(&self, operation: &'static str, own: &[u8], all: &[u8], progress: usize) {
        let call = Call { operation, own: own.to_vec(), all: all.to_vec(), progress };
        *lock(&self.call) = Some(call);
        self.is_set.store(true, Ordering::Relaxed);
    }

    /// Goes on with the call that was left, if this is the same; how far it had come.
    #[cold]
    pub(super) fn resume(&self, operation: &'static str, own: &[u8], all: &mut [u8]) -> Result<usize> {
        let mut slot = lock(&self.call);
        let Some(before) = slot.take() else { return Ok(0) };
        if before.operation != operation || before.own != own {
            let error =
                Error::invalid(operation, "this member left another call of the group, which comes first")
                    .with("left", before.operation)
                    .with("own_bytes", before.own.len())
                    .hint("make the call again that was interrupted, with the same bytes");
            *slot = Some(before);
            return Err(error);
        }
        self.is_set.store(false, Ordering::Relaxed);
        all.copy_from_slice(&before.all);
        Ok(before.progress)
    }
}

/// The round in which this member has done its part and left the wait; one thread at a time uses it.
#[derive(Debug, Default)]
pub(super) struct InterruptedRound {
    is_set: AtomicBool,
    round: AtomicU32,
}

impl InterruptedRound {
    pub(super) fn keep(&self, round: u32) {
        self.round.store(round, Ordering::Relaxed);
        self.is_set.store(true, Ordering::Relaxed);
    }

    /// The round to go on with, once.
    #[inline(always)]
    pub(super) fn resume(&self) -> Option<u32> {
        if !self.is_set.load(Ordering::Relaxed) {
            return None;
        }
        self.is_set.store(false, Ordering::Relaxed);
        Some(self.round.load(Ordering::Relaxed))
    }
}
