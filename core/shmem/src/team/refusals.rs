// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Rounds of calls that this PE has refused: it completes them before its next call of the team's group, so
//! that all PEs are in step again. `crate::collective` describes the protocol.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use mf_base::sync::lock;
use mf_base::{Kind, Result};

use super::Team;
use crate::gather_buffer::GatherBuffer;

/// Bytes of a head.
pub(crate) const HEAD_BYTES: usize = 8;
/// Bytes after a head that all give between hosts: for teams of few PEs, and of many.
const BEHIND: [usize; 2] = [120, 8];
/// Most PEs of a small team.
const FEW_PES: usize = 32;

/// Calls that this PE has refused, in order, while their rounds are not over.
#[derive(Debug, Default)]
pub(super) struct Refusals {
    count: AtomicUsize,
    heads: Mutex<VecDeque<u64>>,
}

impl Refusals {
    fn add(&self, head: u64) {
        let mut heads = lock(&self.heads);
        heads.push_back(head);
        self.count.store(heads.len(), Ordering::Relaxed);
    }

    fn first(&self) -> Option<u64> {
        lock(&self.heads).front().copied()
    }

    fn remove_first(&self) {
        let mut heads = lock(&self.heads);
        heads.pop_front();
        self.count.store(heads.len(), Ordering::Relaxed);
    }
}

impl Team {
    /// Completes the rounds of calls that this PE has refused, before another call of the team's group.
    ///
    /// # Errors
    /// Errors of a meeting.
    #[inline]
    pub(crate) fn settle(&self) -> Result<()> {
        if self.refused.count.load(Ordering::Relaxed) == 0 { Ok(()) } else { self.settle_now() }
    }

    #[cold]
    fn settle_now(&self) -> Result<()> {
        while let Some(head) = self.refused.first() {
            let said = self.meet_with_head(head);
            if !said.as_ref().is_err_and(|error| error.kind() == Kind::Interrupted) {
                self.refused.remove_first();
            }
            said?;
        }
        Ok(())
    }

    /// Adds a call that this PE has refused, by its head.
    pub(crate) fn add_refusal(&self, head: u64) {
        self.refused.add(head);
    }

    /// Takes part in a round with a head only.
    fn meet_with_head(&self, head: u64) -> Result<()> {
        let (mut given, mut gathered) = (GatherBuffer::new(), GatherBuffer::new());
        let given = given.bytes(HEAD_BYTES + self.payload_bytes().unwrap_or(0));
        given[..HEAD_BYTES].copy_from_slice(&head.to_ne_bytes());
        let all = gathered.bytes(given.len() * self.members().len());
        self.group().allgather_any_length(given, all, self.deadline()).map(|_| ())
    }

    /// Returns the number of bytes that all give after a head; `None`: lengths may differ.
    pub(crate) fn payload_bytes(&self) -> Option<usize> {
        let is_large = self.members().len() > FEW_PES;
        (!self.group().takes_any_length()).then_some(BEHIND[usize::from(is_large)])
    }
}
