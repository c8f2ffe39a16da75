// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The orders that move bytes.

use mf_base::{Gva, Rank};
use mf_smem::bm::{CopyMode, CopyType, Piece, Pool};
use mf_tests::{Answer, End, Failure, Spot, pattern};

use crate::buffer::{Buffer, Local};

pub(crate) fn address(pool: &Pool, spot: Spot) -> Result<Gva, Failure> {
    match spot {
        Spot::In(mem, rank, offset) => Ok(pool.address(mem.into(), Rank(rank))?.add(offset)),
        Spot::At(address) => Ok(Gva(address)),
    }
}

pub(crate) fn put(pool: &Pool, there: Spot, bytes: u64, seed: u64) -> Result<Answer, Failure> {
    pool.put(&pattern::stream(seed, size(bytes)), address(pool, there)?)?;
    Ok(Answer::Done)
}

pub(crate) fn put_zeroes(pool: &Pool, there: Spot, bytes: u64) -> Result<Answer, Failure> {
    pool.put(&vec![0; size(bytes)], address(pool, there)?)?;
    Ok(Answer::Done)
}

pub(crate) fn get(pool: &Pool, there: Spot, bytes: u64) -> Result<Vec<u8>, Failure> {
    // Not zero, so that a get that does nothing is noticed.
    let mut found = vec![0xa5; size(bytes)];
    pool.get(address(pool, there)?, &mut found)?;
    Ok(found)
}

pub(crate) fn check(pool: &Pool, there: Spot, bytes: u64, seed: u64) -> Result<Answer, Failure> {
    compare(seed, &get(pool, there, bytes)?)
}

pub(crate) fn check_zeroes(pool: &Pool, there: Spot, bytes: u64) -> Result<Answer, Failure> {
    match get(pool, there, bytes)?.iter().position(|byte| *byte != 0) {
        None => Ok(Answer::Done),
        Some(at) => Err(Failure::wrong(format!("byte {at} is not zero"))),
    }
}

pub(crate) fn compare(seed: u64, found: &[u8]) -> Result<Answer, Failure> {
    match pattern::mismatch(seed, found) {
        None => Ok(Answer::Done),
        Some(at) => Err(Failure::wrong(format!(
            "byte {at} of {} is {:#x}, which is not that of stream {seed}",
            found.len(),
            found[at]
        ))),
    }
}

pub(crate) fn copy(pool: &Pool, from: Spot, to: Spot, bytes: u64) -> Result<Answer, Failure> {
    pool.copy(address(pool, from)?, address(pool, to)?, bytes)?;
    Ok(Answer::Done)
}

pub(crate) fn raw(
    pool: &Pool,
    buffer: &mut Buffer,
    piece: (End, End, u64),
    copy_type: u32,
    asynchronous: bool,
) -> Result<Answer, Failure> {
    let copy_type = CopyType::from_number(copy_type)?;
    let piece = resolve(pool, buffer, piece, copy_type)?;
    // SAFETY: the buffer outlives every pool of this process and is never moved; tests order copies to and
    // from parts of it that exist, or such that are refused.
    unsafe { pool.copy_raw(piece.src, piece.dst, piece.bytes, copy_type, mode(asynchronous)) }?;
    Ok(Answer::Done)
}

pub(crate) fn batch(
    pool: &Pool,
    buffer: &mut Buffer,
    pieces: &[(End, End, u64)],
    copy_type: u32,
    asynchronous: bool,
) -> Result<Answer, Failure> {
    let copy_type = CopyType::from_number(copy_type)?;
    let pieces =
        pieces.iter().map(|piece| resolve(pool, buffer, *piece, copy_type)).collect::<Result<Vec<_>, _>>()?;
    // SAFETY: as in `raw`.
    unsafe { pool.copy_batch_raw(&pieces, copy_type, mode(asynchronous)) }?;
    Ok(Answer::Done)
}

fn resolve(
    pool: &Pool,
    buffer: &mut Buffer,
    (from, to, bytes): (End, End, u64),
    copy_type: CopyType,
) -> Result<Piece, Failure> {
    let local = match copy_type {
        CopyType::L2G | CopyType::G2L | CopyType::L2GH | CopyType::GH2L => Local::Device,
        _ => Local::Host,
    };
    if let End::Buffer(_) = to {
        buffer.is_written(local);
    }
    let mut pointer = |end| match end {
        End::Pool(spot) => address(pool, spot).map(Gva::as_ptr),
        End::Buffer(offset) => Ok(buffer.start(local)?.wrapping_add(size(offset))),
    };
    Ok(Piece { src: pointer(from)?, dst: pointer(to)?, bytes })
}

fn mode(asynchronous: bool) -> CopyMode {
    if asynchronous { CopyMode::Async } else { CopyMode::Sync }
}

fn size(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap()
}
