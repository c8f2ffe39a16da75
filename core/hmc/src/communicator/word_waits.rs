// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Waits for words that peers write into the own buffer.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use mf_base::sync::lock;
use mf_base::sync::pace::Pace;
use mf_base::sync::wait::WaitFailure;
use mf_base::{Result, interrupt};
use mf_transport::AtomicKind;

use super::Communicator;
use crate::numbers::Status;
use crate::status_errors::fault;

const WORD: u64 = 8;

impl Communicator {
    /// Waits until one of the words at these offsets of the own buffer, which is in host memory, has at least
    /// this value. Returns false if none has by the deadline. **Local.** Data that a peer put before the word
    /// is visible, too. It sleeps meanwhile: words that come over the network wake it, words written by
    /// processes that map the buffer are seen within 1 ms.
    ///
    /// # Errors
    /// `Unsupported` the buffer is not in host memory · `Error` an offset is not a multiple of 8 or not
    /// inside, or no peer can be connected: it neither listens nor has dialled · `Interrupted`.
    pub fn await_word(
        &self,
        op: &'static str,
        offsets: &[u64],
        value: u64,
        deadline: Instant,
    ) -> Result<bool> {
        self.0.check(op)?;
        if self.0.buffer.allocation().is_none() {
            return Err(fault(op, Status::Unsupported, "the buffer is not in host memory"));
        }
        let word = |offset: &u64| {
            let address = self.0.buffer.at(op, *offset, WORD)?;
            if !offset.is_multiple_of(WORD) {
                return Err(
                    fault(op, Status::Error, "a word begins at a multiple of 8").with("offset", offset)
                );
            }
            Ok(address.cast::<u64>())
        };
        let words = offsets.iter().map(word).collect::<Result<Vec<_>>>()?;
        // SAFETY: the word lies in the buffer, at a multiple of 8 behind its start, which is page-aligned;
        // others write it while this runs, so it is read as an atomic.
        let value_of = |word: &*mut u64| unsafe { AtomicKind::Fetch.apply_64(*word, 0, 0) };
        let net = lock(&self.0.net).as_ref().map(Arc::clone);
        let net =
            net.ok_or_else(|| fault(op, Status::Error, "the communicator neither listens nor has dialled"))?;
        let has_come = || words.iter().any(|word| value_of(word) >= value);
        let poll = || (has_come() || self.0.is_ended.load(Ordering::Acquire)).then_some(());
        let waited = match self.0.peers.has_mapped() {
            true => net.endpoint().wait_for_writes(deadline, Pace::shared(&self.0.taken), poll),
            false => net.endpoint().wait_for_carried(deadline, poll),
        };
        match waited {
            Ok(()) if has_come() => Ok(true),
            Ok(()) => self.0.check(op).map(|()| false),
            Err(WaitFailure::Late) => Ok(false),
            Err(WaitFailure::Interrupted) => Err(interrupt::error(op)),
        }
    }
}
