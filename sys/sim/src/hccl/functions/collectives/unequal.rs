// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Collectives with parts of different sizes, given by lists of counts and offsets of elements.

use std::ffi::c_void;

use super::{Call, CollectiveKind, address, check_alike, check_apart, not_null, places};
use crate::fault::{Fault, Outcome, ensure};
use crate::hccl::code;
use crate::hccl::format::Reduction;
use crate::memory::Access;

/// Address and bytes.
type RankPart = (u64, u64);

fn not_nulls<const N: usize>(pointers: [(*const c_void, &str); N]) -> Outcome {
    pointers.into_iter().try_for_each(|(pointer, name)| not_null(pointer, name))
}

/// Checks that the entry of this rank in a list agrees with the arguments of the call.
fn check_own(call: &Call, places: &[RankPart], bytes: u64, what: &str) -> Outcome {
    let own = places.get(call.communicator.rank as usize).map(|(_, bytes)| *bytes);
    ensure(own == Some(bytes), code::PARA, || {
        format!("{what} is {bytes} bytes, the list says {} for this rank", own.unwrap_or_default())
    })
}

#[expect(clippy::too_many_arguments, reason = "as HCCL has it")]
pub(super) unsafe fn all_gather(
    send: *mut c_void,
    count: u64,
    receive: *mut c_void,
    counts: *const c_void,
    offsets: *const c_void,
    format: u32,
    comm: *mut c_void,
    stream: *mut c_void,
) -> Outcome {
    not_null(comm, "comm")?;
    not_nulls([(send, "sendBuf"), (receive, "recvBuf"), (counts, "recvCounts"), (offsets, "recvDispls")])?;
    let call = Call::new(comm, stream, format)?;
    // SAFETY: checked for null above; the caller passes an entry for each rank.
    let receives = unsafe { places(&call, receive, counts, offsets) }?;
    let (bytes, send) = (call.format.total(count)?, address(send));
    check_own(&call, &receives, bytes, "sendCount")?;
    receives.iter().try_for_each(|(at, part)| check_apart(send, bytes, *at, *part))?;
    let sends = vec![(send, bytes); receives.len()];
    let agreement = call.agree(CollectiveKind::AllGatherV, 0, None, None);
    call.issue(agreement, move |run| {
        run.check(send, bytes, Access::Read)?;
        receives.iter().try_for_each(|(at, bytes)| run.check(*at, *bytes, Access::ReadWrite))?;
        run.all_to_all(&sends, &receives)
    })
}

#[expect(clippy::too_many_arguments, reason = "as HCCL has it")]
pub(super) unsafe fn reduce_scatter(
    send: *mut c_void,
    counts: *const c_void,
    offsets: *const c_void,
    receive: *mut c_void,
    count: u64,
    format: u32,
    op: u32,
    comm: *mut c_void,
    stream: *mut c_void,
) -> Outcome {
    not_null(comm, "comm")?;
    not_nulls([(send, "sendBuf"), (counts, "sendCounts"), (offsets, "sendDispls"), (receive, "recvBuf")])?;
    let call = Call::new(comm, stream, format)?;
    let reduction = Reduction::read(op, call.format)?;
    // SAFETY: checked for null above; the caller passes an entry for each rank.
    let sends = unsafe { places(&call, send, counts, offsets) }?;
    let (bytes, receive) = (call.format.total(count)?, address(receive));
    check_own(&call, &sends, bytes, "recvCount")?;
    sends.iter().try_for_each(|(at, part)| check_apart(*at, *part, receive, bytes))?;
    let agreement = call.agree(CollectiveKind::ReduceScatterV, 0, Some(reduction), None);
    call.issue(agreement, move |run| {
        sends.iter().try_for_each(|(at, bytes)| run.check(*at, *bytes, Access::Read))?;
        run.check(receive, bytes, Access::ReadWrite)?;
        run.reduce_parts(&sends, receive, reduction)
    })
}

pub(super) unsafe fn all_to_all_by_matrix(
    send: *const c_void,
    matrix: *const c_void,
    send_format: u32,
    receive: *const c_void,
    receive_format: u32,
    comm: *mut c_void,
    stream: *mut c_void,
) -> Outcome {
    not_null(comm, "comm")?;
    not_nulls([(send, "sendBuf"), (matrix, "sendCountMatrix"), (receive, "recvBuf")])?;
    check_alike(send_format, receive_format)?;
    let call = Call::new(comm, stream, send_format)?;
    let (ranks, own) = (call.communicator.shared.ranks() as usize, call.communicator.rank as usize);
    let count = |from: usize, to: usize| {
        let word = matrix.cast::<u64>().wrapping_add(from * ranks + to);
        // SAFETY: checked for null above; the caller passes a row of an entry for each rank for each.
        unsafe { word.read_unaligned() }
    };
    let sends = one_behind_the_other(&call, send, (0..ranks).map(|to| count(own, to)))?;
    let receives = one_behind_the_other(&call, receive, (0..ranks).map(|from| count(from, own)))?;
    let agreement = call.agree(CollectiveKind::AlltoAllVC, 0, None, None);
    call.issue(agreement, move |run| {
        sends.iter().try_for_each(|(at, bytes)| run.check(*at, *bytes, Access::Read))?;
        receives.iter().try_for_each(|(at, bytes)| run.check(*at, *bytes, Access::ReadWrite))?;
        run.all_to_all(&sends, &receives)
    })
}

fn one_behind_the_other(
    call: &Call,
    base: *const c_void,
    counts: impl Iterator<Item = u64>,
) -> Outcome<Vec<RankPart>> {
    let mut at = address(base);
    let place = |count| {
        let (start, bytes) = (at, call.format.total(count)?);
        at = start
            .checked_add(bytes)
            .ok_or_else(|| Fault::new(code::PARA, format_args!("{count} elements are too many")))?;
        Ok((start, bytes))
    };
    counts.map(place).collect()
}
