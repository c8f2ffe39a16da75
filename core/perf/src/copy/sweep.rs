// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Measuring side of `mf perf copy`: one rank's copies, and plain copies beside them.

use std::hint::black_box;

use mf_base::{MemKind, Result};
use mf_library::abi::SMEMB_COPY_AUTO;
use mf_library::big_memory::{Pieces, Pool};
use mf_measure::memory::{Buffer, plain_copy};
use mf_measure::turns::{Candidate, Plan, in_turns, mean, median, speed_ratio};

use super::Row;

/// Largest sum of the pieces of a mixed batch.
pub(super) const MIXED_BATCH_BYTES: u64 = 64 << 20;
/// Numbers of pieces of the mixed batches, and their sizes: what key-value caches move.
const MIXED_PIECES: [u32; 3] = [61, 200, 600];

/// One rank's view of a measurement.
pub(crate) struct Sweep<'a> {
    /// The pool, joined.
    pub(crate) pool: &'a Pool,
    /// Ranks in the pool.
    pub(crate) ranks: u32,
    /// Ranks that copy at the same time.
    pub(crate) busy: u32,
    /// This rank.
    pub(crate) own: u32,
    /// Fewer turns.
    pub(crate) quick: bool,
}

impl Sweep<'_> {
    /// Measures every size and the batches. `begin` is called before each row, `report` after it.
    pub(crate) fn run(
        &self,
        sizes: &[u64],
        batches: bool,
        begin: &mut dyn FnMut(&str) -> Result<()>,
        report: &mut dyn FnMut(Row) -> Result<()>,
    ) -> Result<()> {
        let largest =
            sizes.iter().copied().max().unwrap_or(0).max(if batches { MIXED_BATCH_BYTES } else { 0 });
        let largest = crate::length(largest)?;
        let (mut source, mut destination) = (Buffer::filled(largest), Buffer::filled(largest));
        let (source, destination) = (source.bytes_mut(), destination.bytes_mut());
        for &bytes in sizes {
            for operation in ["put", "get", "g2g"] {
                begin(&format!("{operation}/{bytes}"))?;
                report(self.single(operation, bytes, source, destination)?)?;
            }
        }
        if batches {
            let mut sets = vec![("64 x 4 KiB".to_owned(), vec![4096u64; 64])];
            sets.extend(MIXED_PIECES.map(|count| (format!("{count} x 1-128 KiB"), mixed_sizes(count))));
            for (name, pieces) in sets {
                for put in [true, false] {
                    begin(&format!("{name}/{put}"))?;
                    report(self.batch(&name, &pieces, put, source)?)?;
                }
            }
        }
        Ok(())
    }

    /// Peer of copies, and the source of a copy between two other ranks.
    fn partners(&self) -> (u32, u32) {
        ((self.own + 1) % self.ranks, (self.own + 2) % self.ranks)
    }

    fn single(&self, operation: &str, bytes: u64, source: &mut [u8], destination: &mut [u8]) -> Result<Row> {
        let length = crate::length(bytes)?;
        let (near, far) = self.partners();
        let remote = self.pool.address(MemKind::Host, near)?;
        // Copies between two ranks go from first halves to second ones, so that concurrent ranks never read a
        // range that another rank writes.
        let half = crate::length(self.pool.local_bytes(MemKind::Host) / 2)?;
        let other = self.pool.address(MemKind::Host, far)?.wrapping_add(half);
        let (from, to) = (source.as_ptr(), destination.as_mut_ptr());
        let (own_source, own_destination) = (&source[..length], &mut destination[..length]);
        let mut pool_copy = |calls: u32| -> Result<()> {
            for _ in 0..calls {
                match operation {
                    "put" => self.pool.put(black_box(own_source), remote)?,
                    "get" => self.pool.get(remote, black_box(&mut *own_destination))?,
                    _ => self.pool.copy(remote, other, length)?,
                }
            }
            Ok(())
        };
        let (same_from, same_to) = match operation {
            "put" => (from, remote),
            "get" => (remote.cast_const(), to),
            _ => (remote.cast_const(), other),
        };
        let mut same = |calls: u32| -> Result<()> {
            for _ in 0..calls {
                // SAFETY: both addresses are a private buffer or a segment that the pool has just copied
                // `length` bytes to or from, so they are mapped and that long; their contents are not used.
                unsafe { plain_copy(same_from, same_to, length) };
            }
            Ok(())
        };
        let mut private = |calls: u32| -> Result<()> {
            for _ in 0..calls {
                // SAFETY: both are private buffers of at least `length` bytes that nothing else uses
                // meanwhile.
                unsafe { plain_copy(from, to, length) };
            }
            Ok(())
        };
        let plan = Plan::for_bytes(bytes, self.quick);
        self.row(operation.to_owned(), bytes, 1, plan, [&mut pool_copy, &mut same, &mut private])
    }

    fn batch(&self, name: &str, sizes: &[u64], put: bool, source: &mut [u8]) -> Result<Row> {
        let (near, _) = self.partners();
        let remote = self.pool.address(MemKind::Host, near)?;
        let pieces = pieces(sizes, source.as_mut_ptr(), remote, put);
        let bytes: u64 = sizes.iter().sum();
        let mut pool_copy = |calls: u32| -> Result<()> {
            for _ in 0..calls {
                // SAFETY: the private side of every piece lies in `source`, which this function holds alone.
                unsafe { self.pool.copy_batch(black_box(&pieces), SMEMB_COPY_AUTO) }?;
            }
            Ok(())
        };
        let mut same = |calls: u32| -> Result<()> {
            for _ in 0..calls {
                for (from, to, bytes) in pieces.iter() {
                    let length = crate::length(bytes)?;
                    // SAFETY: as for the batch, which has just copied the very same pieces without an error.
                    unsafe { plain_copy(from, to, length) };
                }
            }
            Ok(())
        };
        let mut again = |_: u32| Ok(());
        let plan = Plan::for_bytes(bytes, self.quick);
        let direction = if put { "put" } else { "get" };
        let count = u32::try_from(pieces.len()).unwrap_or(u32::MAX);
        let operation = format!("{direction} batch {name}");
        let mut row = self.row(operation, bytes, count, plan, [&mut pool_copy, &mut same, &mut again])?;
        (row.private_seconds, row.private_ratio) = (row.same_seconds, row.same_ratio);
        Ok(row)
    }

    fn row(
        &self,
        operation: String,
        bytes: u64,
        pieces: u32,
        plan: Plan,
        mut candidates: [&mut dyn Candidate<()>; 3],
    ) -> Result<Row> {
        let plan = if self.busy > 1 { plan.with_waiting(bytes) } else { plan };
        let seconds = in_turns(plan, &mut candidates)?;
        let (own, same, private) = (&seconds[0], &seconds[1], &seconds[2]);
        // Alone, the median leaves disturbances out; together, the other ranks' load is part of the
        // measurement.
        let together = self.busy > 1;
        let typical = |turns: &[f64]| if together { mean(turns) } else { median(turns) };
        let ratio = |own: &[f64], baseline: &[f64]| {
            if together { mean(baseline) / mean(own) } else { speed_ratio(own, baseline) }
        };
        Ok(Row {
            operation,
            ranks: self.ranks,
            busy: self.busy,
            bytes,
            pieces,
            seconds: typical(own),
            same_seconds: typical(same),
            private_seconds: typical(private),
            same_ratio: ratio(own, same),
            private_ratio: ratio(own, private),
        })
    }
}

/// Lays pieces out one after the other, with a gap on the private side so that no two calls are one long
/// copy.
fn pieces(sizes: &[u64], private: *mut u8, remote: *mut u8, put: bool) -> Pieces {
    let (mut pieces, mut offset) = (Pieces::default(), 0usize);
    for &bytes in sizes {
        let (near, far) = (private.wrapping_add(offset), remote.wrapping_add(offset));
        offset += usize::try_from(bytes.next_multiple_of(64)).unwrap_or(0);
        let (from, to) = if put { (near, far) } else { (far, near) };
        pieces.push(from.cast_const(), to, bytes);
    }
    pieces
}

/// `count` sizes from 1 to 128 KiB, the same in every run.
fn mixed_sizes(count: u32) -> Vec<u64> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    (0..count)
        .map(|_| {
            // Numbers of a linear congruential generator; only the upper bits are any good.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (1 << 10) + (state >> 33) % (127 << 10)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixed_batches_fit_their_memory_and_repeat() {
        for count in MIXED_PIECES {
            let sizes = mixed_sizes(count);
            assert_eq!(sizes, mixed_sizes(count));
            assert!(sizes.iter().all(|bytes| (1 << 10..=128 << 10).contains(bytes)));
            assert!(sizes.iter().map(|bytes| bytes.next_multiple_of(64)).sum::<u64>() <= MIXED_BATCH_BYTES);
        }
    }

    #[test]
    fn pieces_do_not_overlap() {
        let (near, far) = (1usize << 20, 1usize << 30);
        let [near, far] = [near, far].map(std::ptr::without_provenance_mut);
        let laid: Vec<_> = pieces(&[10, 100, 64], near, far, true).iter().collect();
        for pair in laid.windows(2) {
            let [(first_from, first_to, bytes), (from, to, _)] = [pair[0], pair[1]];
            assert!(first_to.addr() as u64 + bytes <= to.addr() as u64);
            assert!(first_from.addr() as u64 + bytes <= from.addr() as u64);
        }
    }
}
