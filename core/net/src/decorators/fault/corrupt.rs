// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Operations with one wrong bit in their payload.

use std::sync::Arc;
use std::time::Instant;

use mf_base::Result;
use mf_transport::{Completion, Operation, OwnedOperation, PeerRoute, Span};

use super::rule::mix;
use crate::decorators::layer::post_watched;

/// Changes one bit.
pub(super) fn flip(data: &mut [u8], dice: u64) {
    let bits = data.len().saturating_mul(8).max(1);
    let bit = usize::try_from(dice).unwrap_or(usize::MAX) % bits;
    if let Some(byte) = data.get_mut(bit / 8) {
        *byte ^= 1 << (bit % 8);
    }
}

/// A place that a get fills.
struct Filled(*mut u8, usize);

// SAFETY: the caller that posted the get keeps the place writable until its completion has counted it.
unsafe impl Send for Filled {}

impl Filled {
    fn of(span: &Span) -> Self {
        Self(span.local, usize::try_from(span.bytes).unwrap_or(0))
    }

    fn flip(&self, dice: u64) {
        let bit = usize::try_from(dice).unwrap_or(usize::MAX) % self.1.saturating_mul(8).max(1);
        let place = self.0.wrapping_add(bit / 8);
        // SAFETY: inside the span of a get that has ended and is not counted yet.
        let byte = unsafe { place.read_volatile() };
        // SAFETY: as above.
        unsafe { place.write_volatile(byte ^ (1 << (bit % 8))) };
    }
}

/// Posts the operation with one bit of its payload changed.
///
/// # Safety
/// As [`PeerRoute::post`].
pub(super) unsafe fn post(
    inner: &dyn PeerRoute,
    operation: &Operation<'_>,
    completion: &Arc<Completion>,
    deadline: Instant,
    dice: u64,
) -> Result<()> {
    let submit = |operation: &Operation<'_>, then: Box<dyn FnOnce() + Send>| {
        let then = move |result: Result<()>| {
            if result.is_ok() {
                then();
            }
            result
        };
        // SAFETY: the caller's promise; memory of ours lives in `then`, which is kept until the end is
        // counted.
        unsafe { post_watched(inner, operation, completion, deadline, then) }
    };
    let victim = |count: u64| mix(dice) % count.max(1);
    match *operation {
        Operation::Atomic { at, mut atomic, old } => {
            atomic.operand ^= 1 << (dice % (8 * atomic.width.bytes()));
            submit(&Operation::Atomic { at, atomic, old }, Box::new(|| {}))
        }
        Operation::Signal { key, spans: [], signal, width, kind, value } => {
            let value = value ^ (1 << (dice % (8 * width.bytes())));
            submit(&Operation::Signal { key, spans: &[], signal, width, kind, value }, Box::new(|| {}))
        }
        Operation::Put { .. } | Operation::PutStrided { .. } | Operation::Signal { .. } => {
            // SAFETY: sources are readable, by the caller.
            let mut owned = unsafe { OwnedOperation::of(operation, u64::MAX) };
            flip(owned.bytes_mut(), dice);
            let owned = Arc::new(owned);
            let kept = Arc::clone(&owned);
            submit(&owned.operation(), Box::new(move || drop(kept)))
        }
        Operation::Get { spans, .. } => {
            let index = usize::try_from(victim(spans.len() as u64)).unwrap_or(0);
            let filled = spans.get(index).map(Filled::of);
            submit(operation, Box::new(move || filled.iter().for_each(|filled| filled.flip(dice))))
        }
        Operation::GetStrided { strided, .. } => {
            let filled = Filled::of(&strided.span(victim(strided.count)));
            submit(operation, Box::new(move || filled.flip(dice)))
        }
        Operation::Copy { .. } => submit(operation, Box::new(|| {})),
    }
}
