// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A case, from filled memory to checked memory.

use std::time::Duration;

use mf_base::{Gva, Rank};
use mf_smem::kernel::{Arguments, Binary, LaunchOptions};
use mf_smem::shm::ShareMemory;
use mf_tests::Failure;
use mf_tests::kernels::{Case, Direction, TIMEOUT_S, Work, image};

/// Delay of a late rank: longer than the others take to reach their wait.
const LATE: Duration = Duration::from_millis(40);

/// Fills the own part, launches, and compares it.
pub(crate) fn case(object: &ShareMemory, binary: &Binary, case: &Case) -> Result<(), Failure> {
    let (me, ranks) = (object.rank(), object.rank_size());
    let meets = !case.work.begins_with_barrier();
    if !meets {
        be_late(case.late, me);
    }
    let own = object.address(me)?;
    let mut found = image::before(case, me.0, ranks);
    object.pool().put(&found, own)?;
    if meets {
        object.barrier()?;
        be_late(case.late, me);
    }
    let launched = launch(object, binary, case);
    // A rank that failed must not keep the others waiting.
    if case.work.is_local() {
        object.barrier()?;
    }
    launched?;
    object.pool().get(own, &mut found)?;
    if !case.work.is_local() {
        reuse(object, own, case, &mut found)?;
    }
    match image::difference(case, me.0, ranks, &found) {
        None => Ok(()),
        Some(difference) => Err(Failure::wrong(format!("{case:?}: {difference}"))),
    }
}

/// Overwrites the source, which must no longer be read, and takes the received data.
fn reuse(object: &ShareMemory, own: Gva, case: &Case, found: &mut [u8]) -> Result<(), Failure> {
    let places = image::places(case, usize::try_from(object.rank_size()).unwrap());
    for used in [places.src, places.second] {
        if !used.is_empty() {
            object.pool().put(&vec![0x5a; used.len()], Gva(own.0 + wide(used.start)))?;
        }
    }
    let dst = places.dst;
    if !dst.is_empty() {
        object.pool().get(Gva(own.0 + wide(dst.start)), &mut found[dst])?;
    }
    Ok(())
}

/// Runs the barrier kernel `turns` times, and sees each time that all ranks had come.
pub(crate) fn barriers(
    object: &ShareMemory,
    binary: &Binary,
    turns: u32,
    blocks: u32,
    late: Option<u32>,
) -> Result<(), Failure> {
    let (me, ranks) = (object.rank(), object.rank_size());
    object.pool().put(&0u64.to_ne_bytes(), object.address(me)?)?;
    object.barrier()?;
    for turn in 1..=u64::from(turns) {
        be_late(late, me);
        object.pool().put(&turn.to_ne_bytes(), object.address(me)?)?;
        start(object, binary, "mf_barrier", &Arguments::new().u32(object.id()), blocks, TIMEOUT_S)?;
        for rank in 0..ranks {
            let mut noted = [0; 8];
            object.pool().get(object.address(Rank(rank))?, &mut noted)?;
            let noted = u64::from_ne_bytes(noted);
            // It may have gone on to the next turn, but no further without this rank.
            if noted != turn && noted != turn + 1 {
                return Err(Failure::wrong(format!("turn {turn}: rank {rank} is at {noted}")));
            }
        }
    }
    // No rank begins something else on the words that others read.
    Ok(object.barrier()?)
}

fn be_late(late: Option<u32>, me: Rank) {
    if late == Some(me.0) {
        // This is the fault that is tested.
        std::thread::sleep(LATE);
    }
}

fn launch(object: &ShareMemory, binary: &Binary, case: &Case) -> Result<(), Failure> {
    let (me, ranks) = (object.rank(), object.rank_size());
    let places = image::places(case, usize::try_from(ranks).unwrap());
    let (src, second, dst) = (wide(places.src.start), wide(places.second.start), wide(places.dst.start));
    let next = Rank((me.0 + 1) % ranks);
    let at = |rank: Rank, offset: u64| object.address(rank).map(|part| Gva(part.0 + offset));
    // Ends of a copy: destination and source.
    let ends = |direction: Direction| -> Result<Arguments, Failure> {
        let (to, from) = match direction {
            Direction::Local => (me, me),
            Direction::Put => (next, me),
            Direction::Get => (me, next),
        };
        Ok(Arguments::new().address(at(to, dst)?).address(at(from, src)?))
    };
    let own = Arguments::new().u32(object.id()).u64(dst).u64(src);
    let arguments = match case.work {
        Work::Copy { bytes, direction } => ends(direction)?.u64(wide(bytes)),
        Work::CopyStrided { rows, row_bytes, dst_gap, src_gap, direction } => ends(direction)?
            .u32(narrow(rows))
            .u32(narrow(row_bytes))
            .u64(wide(row_bytes + dst_gap))
            .u64(wide(row_bytes + src_gap)),
        Work::Gather { count, row_bytes, direction, .. }
        | Work::Scatter { count, row_bytes, direction, .. } => {
            ends(direction)?.address(at(me, second)?).u32(narrow(count)).u32(narrow(row_bytes))
        }
        Work::Quantise { count, unit, kind, has_factors } => {
            // Scales, and behind them offsets.
            let factors = |offset: usize| match has_factors {
                true => at(me, second + wide(offset)),
                false => Ok(Gva(0)),
            };
            let half = (places.second.end - places.second.start) / 2;
            ends(Direction::Local)?
                .address(factors(0)?)
                .address(factors(half)?)
                .u64(wide(count))
                .u64(wide(unit))
                .u32(kind as u32)
        }
        Work::Shift { bytes, by } => own.u64(wide(bytes)).u32(by),
        Work::AllToAll { bytes } | Work::Allgather { bytes } => own.u64(wide(bytes)),
        Work::ReduceScatter { count, kind, op }
        | Work::OneShot { count, kind, op }
        | Work::TwoShot { count, kind, op } => own.u64(wide(count)).u32(kind as u32).u32(op as u32),
        Work::Matmul { m, k, n } => Arguments::new()
            .u32(object.id())
            .u64(dst)
            .address(at(me, src)?)
            .address(at(me, second)?)
            .u32(narrow(m))
            .u32(narrow(k))
            .u32(narrow(n)),
    };
    start(object, binary, case.work.kernel(), &arguments, case.blocks, case.timeout_s)
}

fn start(
    object: &ShareMemory,
    binary: &Binary,
    kernel: &str,
    arguments: &Arguments,
    blocks: u32,
    timeout_s: u64,
) -> Result<(), Failure> {
    let options = LaunchOptions { blocks, timeout: Some(Duration::from_secs(timeout_s)), stream: None };
    // SAFETY: all addresses lie in the object, and its memory stays until the launch has ended.
    Ok(unsafe { object.launch(binary, kernel, arguments, &options) }?)
}

fn wide(value: usize) -> u64 {
    u64::try_from(value).unwrap()
}

fn narrow(value: usize) -> u32 {
    u32::try_from(value).unwrap()
}
