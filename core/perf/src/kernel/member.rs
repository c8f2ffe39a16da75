// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The processes that `mf perf kernel --ranks` starts.

use std::time::Duration;

use mf_base::{Error, Kind as ErrorKind, Result};
use mf_library::accelerator::Kernels;
use mf_library::share_memory::{Job, Share};
use mf_measure::members::{print_value, store_url, wait_for_end};
use mf_measure::turns::{Pair, Plan};
use serde::{Deserialize, Serialize};

use super::super::{Buffer, length, plain_copy, segment_bytes};
use super::collectives::{COLLECTIVES, Collective, Kind};

const OPERATION: &str = "mf perf kernel";
/// Longest wait of members for each other, and longest launch; generous, because the machine is busy.
const TIMEOUT: Duration = Duration::from_secs(300);
/// 1.0 as fp16.
const ONE: u16 = 0x3c00;

/// Work of a rank.
#[derive(Serialize, Deserialize)]
pub(crate) struct Rank {
    /// Ranks of the job.
    pub(super) world: u32,
    /// This rank.
    pub(super) rank: u32,
    /// Sizes to measure.
    pub(super) sizes: Vec<u64>,
    /// Numbers of blocks.
    pub(super) blocks: Vec<u32>,
    pub(super) quick: bool,
}

/// Does it.
pub(super) fn main(args: &Rank) -> Result<()> {
    let device = u16::try_from(args.rank).map_err(|_| Error::invalid(OPERATION, "the rank is too large"))?;
    let job = Job::join(&store_url()?, args.world, args.rank, device, TIMEOUT)?;
    let kernels = Kernels::built_in()?;
    let largest = args.sizes.iter().copied().max().unwrap_or(0);
    let room = segment_bytes(largest);
    let share = job.create(0, room * (1 + u64::from(args.world)))?;
    // Contribution of each rank first, then the results.
    let ones: Vec<u8> = ONE.to_le_bytes().repeat(length(largest)? / 2);
    share.put(&ones, share.own())?;
    share.barrier(TIMEOUT)?;
    let bench = Bench { share: &share, kernels: &kernels, dst: room, quick: args.quick };
    for collective in &COLLECTIVES {
        for &bytes in &args.sizes {
            for &blocks in &args.blocks {
                print_value(&bench.measure(collective, bytes, blocks)?)?;
            }
        }
    }
    wait_for_end();
    drop(share);
    drop(kernels);
    Ok(())
}

struct Bench<'a> {
    share: &'a Share,
    kernels: &'a Kernels,
    /// Offset of the results in each rank's part.
    dst: u64,
    quick: bool,
}

impl Bench<'_> {
    fn measure(&self, collective: &Collective, bytes: u64, blocks: u32) -> Result<Pair> {
        let ranks = u64::from(self.share.world());
        let arguments = collective.arguments(self.share.id(), self.dst, 0, bytes, ranks);
        let (memory, timeout) = (Some(self.share), Some(TIMEOUT));
        let mut own = |calls: u32| {
            (0..calls).try_for_each(|_| {
                // SAFETY: the kernel works within the parts of the object, which has room for inputs and
                // results.
                unsafe { self.kernels.launch(collective.name, memory, blocks, timeout, &arguments) }
            })
        };
        let moved = length((collective.moved)(bytes, ranks))?;
        let (from, mut to) = (Buffer::filled(moved), Buffer::filled(moved));
        let mut plain = |calls: u32| {
            (0..calls).for_each(|_| {
                // SAFETY: both buffers hold so many bytes, and are not the same.
                unsafe { plain_copy(from.bytes().as_ptr(), to.bytes_mut().as_mut_ptr(), moved) };
            });
            // The kernel before it ended on all ranks at once, so all copy at the same time.
            Ok(())
        };
        let plan =
            Plan { turns: if self.quick { 3 } else { 7 }, calls: if bytes >= 1 << 20 { 1 } else { 16 } };
        let pair = Pair::measure(plan, &mut own, &mut plain)?;
        self.check(collective, bytes)?;
        Ok(pair)
    }

    /// The results, and then all ranks together: no rank measures while another still checks.
    fn check(&self, collective: &Collective, bytes: u64) -> Result<()> {
        let ranks = self.share.world();
        let expected = if collective.kind == Kind::Gather { ONE } else { half(ranks) };
        let mut found = vec![0; length((collective.results)(bytes, u64::from(ranks)))?];
        self.share.get(self.share.own().wrapping_add(length(self.dst)?), &mut found)?;
        let wrong = found.chunks(2).position(|element| element != expected.to_le_bytes());
        self.share.barrier(TIMEOUT)?;
        wrong.map_or(Ok(()), |element| {
            Err(Error::new(ErrorKind::Failed, OPERATION)
                .what("a kernel gave a wrong result")
                .with("kernel", collective.name.to_string_lossy())
                .with("element", element))
        })
    }
}

/// A whole number from 1 to 2048 as fp16.
fn half(number: u32) -> u16 {
    let exponent = number.ilog2();
    let fraction = (number - (1 << exponent)) << (10 - exponent);
    u16::try_from((exponent + 15) << 10 | fraction).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    #[test]
    fn integers_convert_to_fp16() {
        assert_eq!([1, 2, 3, 8, 64, 2047].map(super::half), [0x3c00, 0x4000, 0x4200, 0x4800, 0x5400, 0x67ff]);
    }
}
