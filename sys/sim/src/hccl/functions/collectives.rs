// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Collectives: checks at the call, and queueing.

mod unequal;

use std::ffi::c_void;
use std::sync::Arc;

use super::{check_rank, not_null, stream_for};
use crate::exports;
use crate::fault::{Fault, Outcome, ensure};
use crate::hccl::code::{self, Progress};
use crate::hccl::collective::{Getter, Run};
use crate::hccl::communicator::Communicator;
use crate::hccl::format::{Format, Reduction};
use crate::hccl::group::issue;
use crate::hccl::meeting::{Agreement, CollectiveKind};
use crate::hccl::order::Route;
use crate::memory::Access;
use crate::stream::Stream;

exports! {
    /// All get the reduced whole.
    fn HcclAllReduce(
        sendBuf: *mut c_void, recvBuf: *mut c_void, count: u64, dataType: u32, op: u32, comm: *mut c_void,
        stream: *mut c_void,
    ) => all_reduce(Asked::new(sendBuf, recvBuf, count, dataType, comm, stream)?, op);
    /// One has, all get.
    fn HcclBroadcast(
        buf: *mut c_void, count: u64, dataType: u32, root: u32, comm: *mut c_void, stream: *mut c_void,
    ) = broadcast;
    /// All get a part of the reduced whole.
    fn HcclReduceScatter(
        sendBuf: *mut c_void, recvBuf: *mut c_void, recvCount: u64, dataType: u32, op: u32, comm: *mut c_void,
        stream: *mut c_void,
    ) => reduce_scatter(Asked::new(sendBuf, recvBuf, recvCount, dataType, comm, stream)?, op);
    /// All have a part, all get all.
    fn HcclAllGather(
        sendBuf: *mut c_void, recvBuf: *mut c_void, sendCount: u64, dataType: u32, comm: *mut c_void,
        stream: *mut c_void,
    ) => all_gather(Asked::new(sendBuf, recvBuf, sendCount, dataType, comm, stream)?);
    /// One gets the reduced whole.
    fn HcclReduce(
        sendBuf: *mut c_void, recvBuf: *mut c_void, count: u64, dataType: u32, op: u32, root: u32,
        comm: *mut c_void, stream: *mut c_void,
    ) => reduce(Asked::new(sendBuf, recvBuf, count, dataType, comm, stream)?, op, root);
    /// One has a part for each.
    fn HcclScatter(
        sendBuf: *mut c_void, recvBuf: *mut c_void, recvCount: u64, dataType: u32, root: u32, comm: *mut c_void,
        stream: *mut c_void,
    ) => scatter(Asked::new(sendBuf, recvBuf, recvCount, dataType, comm, stream)?, root);
    /// All have a part for each.
    fn HcclAlltoAll(
        sendBuf: *const c_void, sendCount: u64, sendType: u32, recvBuf: *const c_void, recvCount: u64, recvType: u32,
        comm: *mut c_void, stream: *mut c_void,
    ) => all_to_all(Asked::new(sendBuf, recvBuf, sendCount, sendType, comm, stream)?, recvCount, recvType);
    /// All-to-all with a separate size for each part.
    fn HcclAlltoAllV(
        sendBuf: *const c_void, sendCounts: *const c_void, sdispls: *const c_void, sendType: u32,
        recvBuf: *const c_void, recvCounts: *const c_void, rdispls: *const c_void, recvType: u32,
        comm: *mut c_void, stream: *mut c_void,
    ) = all_to_all_v;
    /// As [`HcclAlltoAllV`], with the matrix of all sizes.
    fn HcclAlltoAllVC(
        sendBuf: *const c_void, sendCountMatrix: *const c_void, sendType: u32, recvBuf: *const c_void,
        recvType: u32, comm: *mut c_void, stream: *mut c_void,
    ) = unequal::all_to_all_by_matrix;
    /// All-gather with a separate size for each part.
    fn HcclAllGatherV(
        sendBuf: *mut c_void, sendCount: u64, recvBuf: *mut c_void, recvCounts: *const c_void,
        recvDispls: *const c_void, dataType: u32, comm: *mut c_void, stream: *mut c_void,
    ) = unequal::all_gather;
    /// Reduce-scatter with a separate size for each part.
    fn HcclReduceScatterV(
        sendBuf: *mut c_void, sendCounts: *const c_void, sendDispls: *const c_void, recvBuf: *mut c_void,
        recvCount: u64, dataType: u32, op: u32, comm: *mut c_void, stream: *mut c_void,
    ) = unequal::reduce_scatter;
    /// No rank passes before all have come.
    fn HcclBarrier(comm: *mut c_void, stream: *mut c_void) = barrier;
}

/// A collective as it was asked for.
#[derive(Clone, Copy)]
struct Asked {
    send: *const c_void,
    receive: *const c_void,
    count: u64,
    format: u32,
    comm: *mut c_void,
    stream: *mut c_void,
}

impl Asked {
    fn new(
        send: *const c_void,
        receive: *const c_void,
        count: u64,
        format: u32,
        comm: *mut c_void,
        stream: *mut c_void,
    ) -> Outcome<Self> {
        not_null(comm, "comm")?;
        Ok(Self { send, receive, count, format, comm, stream })
    }

    /// The call, once all else that can be refused by the arguments alone was checked.
    fn call(&self) -> Outcome<Call> {
        Call::new(self.comm, self.stream, self.format)
    }

    /// The address to send from, which is not null.
    fn send_at(&self) -> Outcome<u64> {
        not_null(self.send, "sendBuf")?;
        Ok(address(self.send))
    }

    /// The address to receive at, which is not null.
    fn receive_at(&self) -> Outcome<u64> {
        not_null(self.receive, "recvBuf")?;
        Ok(address(self.receive))
    }
}

/// A collective that was checked and can be queued.
struct Call {
    communicator: Arc<Communicator>,
    stream: Arc<Stream>,
    format: Format,
}

impl Call {
    fn new(comm: *mut c_void, stream: *mut c_void, format: u32) -> Outcome<Self> {
        let communicator = Communicator::from_handle(comm)?;
        let format = Format::read(format)?;
        let stream = stream_for(&communicator, stream)?;
        Ok(Self { communicator, stream, format })
    }

    fn ranks(&self) -> u64 {
        self.communicator.shared.ranks().into()
    }

    fn is_root(&self, root: u32) -> Outcome<bool> {
        check_rank(&self.communicator, root, "root")?;
        Ok(self.communicator.rank == root)
    }

    fn agree(
        &self,
        kind: CollectiveKind,
        count: u64,
        reduction: Option<Reduction>,
        root: Option<u32>,
    ) -> Agreement {
        let reduction = reduction.map(|reduction| reduction.code);
        Agreement { kind, count, format: self.format.number(), reduction, root }
    }

    /// Bytes of `count` elements, and of as many for each rank.
    fn bytes(&self, count: u64) -> Outcome<(u64, u64)> {
        let all = count.checked_mul(self.ranks()).ok_or_else(|| {
            Fault::new(code::PARA, format_args!("{count} elements for each of {} ranks", self.ranks()))
        })?;
        Ok((self.format.total(count)?, self.format.total(all)?))
    }

    fn issue(
        self,
        agreement: Agreement,
        body: impl FnOnce(&Run<'_>) -> Progress + Send + 'static,
    ) -> Outcome {
        let format = self.format;
        let what = move || agreement.describe();
        issue(
            &self.communicator,
            &self.stream,
            &[Route::Collectives],
            what,
            move |communicator, number, wait| {
                let run = Run { communicator, number, wait, format };
                run.meet(&agreement)?;
                body(&run)
            },
        )
    }
}

fn address<T>(pointer: *const T) -> u64 {
    pointer.addr() as u64
}

/// Refuses buffers that overlap: only reductions for all, and broadcasts, work in place.
fn check_apart(send: u64, send_bytes: u64, receive: u64, receive_bytes: u64) -> Outcome {
    let overlap = send < receive.saturating_add(receive_bytes) && receive < send.saturating_add(send_bytes);
    ensure(!overlap, code::PARA, || {
        format!(
            "{send_bytes} bytes at {send:#x} to send overlap {receive_bytes} bytes at {receive:#x} to receive"
        )
    })
}

fn all_reduce(asked: Asked, op: u32) -> Outcome {
    let count = asked.count;
    let (send, receive) = (asked.send_at()?, asked.receive_at()?);
    let call = asked.call()?;
    let reduction = Reduction::read(op, call.format)?;
    let (bytes, _) = call.bytes(count)?;
    if send != receive {
        check_apart(send, bytes, receive, bytes)?;
    }
    let agreement = call.agree(CollectiveKind::AllReduce, count, Some(reduction), None);
    call.issue(agreement, move |run| {
        run.check(send, bytes, Access::Read)?;
        run.check(receive, bytes, Access::ReadWrite)?;
        run.reduce(send, receive, count, reduction, Getter::All)
    })
}

unsafe fn broadcast(
    buffer: *mut c_void,
    count: u64,
    format: u32,
    root: u32,
    comm: *mut c_void,
    stream: *mut c_void,
) -> Outcome {
    not_null(comm, "comm")?;
    not_null(buffer, "buf")?;
    let call = Call::new(comm, stream, format)?;
    let want = if call.is_root(root)? { Access::Read } else { Access::ReadWrite };
    let (bytes, _) = call.bytes(count)?;
    let buffer = address(buffer);
    let agreement = call.agree(CollectiveKind::Broadcast, count, None, Some(root));
    call.issue(agreement, move |run| {
        run.check(buffer, bytes, want)?;
        run.broadcast(buffer, bytes, root)
    })
}

fn reduce_scatter(asked: Asked, op: u32) -> Outcome {
    let count = asked.count;
    let (send, receive) = (asked.send_at()?, asked.receive_at()?);
    let call = asked.call()?;
    let reduction = Reduction::read(op, call.format)?;
    let (part, all) = call.bytes(count)?;
    check_apart(send, all, receive, part)?;
    let agreement = call.agree(CollectiveKind::ReduceScatter, count, Some(reduction), None);
    call.issue(agreement, move |run| {
        run.check(send, all, Access::Read)?;
        run.check(receive, part, Access::ReadWrite)?;
        run.reduce_scatter(send, receive, count, reduction)
    })
}

fn all_gather(asked: Asked) -> Outcome {
    let count = asked.count;
    let (send, receive) = (asked.send_at()?, asked.receive_at()?);
    let call = asked.call()?;
    let (part, all) = call.bytes(count)?;
    check_apart(send, part, receive, all)?;
    let agreement = call.agree(CollectiveKind::AllGather, count, None, None);
    call.issue(agreement, move |run| {
        run.check(send, part, Access::Read)?;
        run.check(receive, all, Access::ReadWrite)?;
        run.all_gather(send, receive, part)
    })
}

fn reduce(asked: Asked, op: u32, root: u32) -> Outcome {
    let count = asked.count;
    let (send, receive) = (asked.send_at()?, address(asked.receive));
    let call = asked.call()?;
    let is_root = call.is_root(root)?;
    let reduction = Reduction::read(op, call.format)?;
    let (bytes, _) = call.bytes(count)?;
    if is_root {
        asked.receive_at()?;
        check_apart(send, bytes, receive, bytes)?;
    }
    let agreement = call.agree(CollectiveKind::Reduce, count, Some(reduction), Some(root));
    call.issue(agreement, move |run| {
        run.check(send, bytes, Access::Read)?;
        if is_root {
            run.check(receive, bytes, Access::ReadWrite)?;
        }
        run.reduce(send, receive, count, reduction, Getter::One(root))
    })
}

fn scatter(asked: Asked, root: u32) -> Outcome {
    let count = asked.count;
    let (send, receive) = (address(asked.send), asked.receive_at()?);
    let call = asked.call()?;
    let is_root = call.is_root(root)?;
    let (part, all) = call.bytes(count)?;
    if is_root {
        asked.send_at()?;
        check_apart(send, all, receive, part)?;
    }
    let agreement = call.agree(CollectiveKind::Scatter, count, None, Some(root));
    call.issue(agreement, move |run| {
        if is_root {
            run.check(send, all, Access::Read)?;
        }
        run.check(receive, part, Access::ReadWrite)?;
        run.scatter(send, receive, part, root)
    })
}

fn all_to_all(asked: Asked, receive_count: u64, receive_format: u32) -> Outcome {
    let count = asked.count;
    let (send, receive) = (asked.send_at()?, asked.receive_at()?);
    check_alike(asked.format, receive_format)?;
    ensure(count == receive_count, code::PARA, || {
        format!("{count} elements to send to each rank, {receive_count} to receive from each")
    })?;
    let call = asked.call()?;
    let (part, all) = call.bytes(count)?;
    check_apart(send, all, receive, all)?;
    let agreement = call.agree(CollectiveKind::AlltoAll, count, None, None);
    let ranks = call.ranks();
    let places = move |base: u64| (0..ranks).map(|rank| (base + rank * part, part)).collect::<Vec<_>>();
    call.issue(agreement, move |run| {
        run.check(send, all, Access::Read)?;
        run.check(receive, all, Access::ReadWrite)?;
        run.all_to_all(&places(send), &places(receive))
    })
}

fn check_alike(send_format: u32, receive_format: u32) -> Outcome {
    ensure(send_format == receive_format, code::PARA, || {
        format!("type {send_format} to send, type {receive_format} to receive")
    })
}

#[expect(clippy::too_many_arguments, reason = "as HCCL has it")]
unsafe fn all_to_all_v(
    send: *const c_void,
    send_counts: *const c_void,
    send_offsets: *const c_void,
    send_format: u32,
    receive: *const c_void,
    receive_counts: *const c_void,
    receive_offsets: *const c_void,
    receive_format: u32,
    comm: *mut c_void,
    stream: *mut c_void,
) -> Outcome {
    not_null(comm, "comm")?;
    let pointers = [
        (send, "sendBuf"),
        (send_counts, "sendCounts"),
        (send_offsets, "sdispls"),
        (receive, "recvBuf"),
        (receive_counts, "recvCounts"),
        (receive_offsets, "rdispls"),
    ];
    pointers.into_iter().try_for_each(|(pointer, name)| not_null(pointer, name))?;
    check_alike(send_format, receive_format)?;
    let call = Call::new(comm, stream, send_format)?;
    // SAFETY: checked for null above; the caller passes an entry for each rank.
    let sends = unsafe { places(&call, send, send_counts, send_offsets) }?;
    // SAFETY: checked for null above; the program passes an entry for each rank.
    let receives = unsafe { places(&call, receive, receive_counts, receive_offsets) }?;
    let own = call.communicator.rank as usize;
    let (own_send, own_receive) = (sends.get(own).copied(), receives.get(own).copied());
    ensure(own_send.map(|(_, bytes)| bytes) == own_receive.map(|(_, bytes)| bytes), code::PARA, || {
        "this rank sends itself another number of elements than it receives from itself".to_owned()
    })?;
    let agreement = call.agree(CollectiveKind::AlltoAllV, 0, None, None);
    call.issue(agreement, move |run| {
        sends.iter().try_for_each(|(at, bytes)| run.check(*at, *bytes, Access::Read))?;
        receives.iter().try_for_each(|(at, bytes)| run.check(*at, *bytes, Access::ReadWrite))?;
        run.all_to_all(&sends, &receives)
    })
}

/// Address and bytes for each rank, from numbers and offsets of elements.
unsafe fn places(
    call: &Call,
    base: *const c_void,
    counts: *const c_void,
    offsets: *const c_void,
) -> Outcome<Vec<(u64, u64)>> {
    let word = |list: *const c_void, index: usize| {
        // SAFETY: the program passes an entry for each rank, and `index` is a rank.
        unsafe { list.cast::<u64>().wrapping_add(index).read_unaligned() }
    };
    (0..call.communicator.shared.ranks() as usize)
        .map(|rank| {
            let (offset, bytes) =
                (call.format.total(word(offsets, rank))?, call.format.total(word(counts, rank))?);
            let at = address(base).checked_add(offset).ok_or_else(|| {
                Fault::new(code::PARA, format_args!("the offset {offset} for rank {rank} is too large"))
            })?;
            Ok((at, bytes))
        })
        .collect()
}

unsafe fn barrier(comm: *mut c_void, stream: *mut c_void) -> Outcome {
    not_null(comm, "comm")?;
    Call::new(comm, stream, 0)?.issue(Agreement::BARRIER, |_| Ok(()))
}
