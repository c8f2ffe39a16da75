// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Large copies in chunks with a sliding window of chunks in flight.

use std::collections::VecDeque;
use std::sync::Arc;

use mf_base::Result;
use mf_transport::Span;

use super::started::Pending;
use super::{At, Communicator, Ranges};

/// Default chunk size.
const CHUNK: u64 = 4 << 20;

impl Communicator {
    /// Copies like [`put`](Communicator::put) or [`get`](Communicator::get), in chunks of `chunk` bytes (0: 4
    /// MiB), of which at most `inflight` (0: 1) are in flight, and at most one per channel.
    ///
    /// # Errors
    /// As put and get, and some chunks may have been copied.
    pub fn pipeline(
        &self,
        op: &'static str,
        at: At<'_>,
        ranges: Ranges,
        (chunk, inflight): (u64, u64),
        is_put: bool,
    ) -> Result<()> {
        self.0.check(op)?;
        let connection = self.0.find(op, at)?;
        let whole = connection.span(op, &self.0.buffer, ranges.local, ranges.remote, ranges.bytes)?;
        let chunk = if chunk == 0 { CHUNK } else { chunk };
        let window = usize::try_from(inflight.clamp(1, connection.channels())).unwrap_or(1);
        let mut chunks = (0..whole.bytes.div_ceil(chunk)).map(|number| part(&whole, number * chunk, chunk));
        if window == 1 || connection.is_mapped() {
            return chunks.try_for_each(|span| {
                // SAFETY: a part of the range that was checked, in the buffer.
                let done = unsafe { connection.copy(&span, is_put) };
                self.0.ended(op, &connection, done)
            });
        }
        let mut under_way: VecDeque<Arc<Pending>> = VecDeque::new();
        let mut all = Ok(());
        loop {
            while under_way.len() < window && all.is_ok() {
                let Some(span) = chunks.next() else { break };
                match self.0.submit(op, Arc::clone(&connection), span, is_put) {
                    Ok(pending) => under_way.push_back(pending),
                    Err(error) => all = Err(error),
                }
            }
            // Chunks in flight are waited for, also after an error: they use the buffer.
            let Some(oldest) = under_way.pop_front() else { return all };
            let outcome = match all.is_ok() {
                true => oldest.operation.wait(op, None),
                false => mf_base::interrupt::without(|| oldest.operation.wait(op, None)),
            };
            all = all.and(outcome.and_then(|outcome| outcome.unwrap_or(Ok(()))));
        }
    }
}

/// Returns one chunk of a span.
fn part(whole: &Span, begin: u64, most: u64) -> Span {
    let step = usize::try_from(begin).unwrap_or(0);
    Span {
        local: whole.local.wrapping_add(step),
        address: whole.address + begin,
        bytes: most.min(whole.bytes - begin),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_cover_a_range_without_overlap() {
        let mut bytes = [0_u8; 10];
        let whole = Span { local: bytes.as_mut_ptr(), address: 100, bytes: 10 };
        let parts: Vec<Span> =
            (0..whole.bytes.div_ceil(4)).map(|number| part(&whole, number * 4, 4)).collect();
        let ranges: Vec<_> = parts.iter().map(|part| (part.address, part.bytes)).collect();
        assert_eq!(ranges, [(100, 4), (104, 4), (108, 2)]);
        assert_eq!(parts[2].local.addr() - whole.local.addr(), 8);
    }
}
