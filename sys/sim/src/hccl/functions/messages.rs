// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Messages between two ranks.

use std::ffi::c_void;
use std::mem::offset_of;

use ascend_acl_sys::raw::types::HcclSendRecvItem;

use super::{check_rank, not_null, stream_for};
use crate::acl::arguments::array;
use crate::exports;
use crate::fault::{Fault, Outcome, ensure};
use crate::hccl::code;
use crate::hccl::communicator::Communicator;
use crate::hccl::format::{self, Format};
use crate::hccl::group;
use crate::hccl::message_batch::{Batch, Message};
use crate::hccl::order::Route;

exports! {
    /// Sends to a rank.
    fn HcclSend(
        sendBuf: *mut c_void, count: u64, dataType: u32, destRank: u32, comm: *mut c_void, stream: *mut c_void,
    ) => run(&[MessageItem::new(0, sendBuf, count, dataType, destRank)], "destRank", comm, stream);
    /// Receives from a rank.
    fn HcclRecv(
        recvBuf: *mut c_void, count: u64, dataType: u32, srcRank: u32, comm: *mut c_void, stream: *mut c_void,
    ) => run(&[MessageItem::new(1, recvBuf, count, dataType, srcRank)], "srcRank", comm, stream);
    /// Sends and receives concurrently, in any order.
    fn HcclBatchSendRecv(
        sendRecvInfo: *mut HcclSendRecvItem, itemNum: u32, comm: *mut c_void, stream: *mut c_void,
    ) = batch;
}

/// Messages of one batch, at most.
const MOST_ITEMS: usize = 1 << 16;

/// As `HcclSendRecvItem`, with enumerations as raw numbers that are still to be checked.
#[derive(Clone, Copy)]
#[repr(C)]
struct MessageItem {
    /// 0 send, 1 receive.
    direction: u32,
    buffer: *mut c_void,
    count: u64,
    format: u32,
    peer: u32,
}

impl MessageItem {
    fn new(direction: u32, buffer: *mut c_void, count: u64, format: u32, peer: u32) -> Self {
        Self { direction, buffer, count, format, peer }
    }
}

const _: () = assert!(
    size_of::<MessageItem>() == size_of::<HcclSendRecvItem>()
        && offset_of!(MessageItem, buffer) == offset_of!(HcclSendRecvItem, buf)
        && offset_of!(MessageItem, count) == offset_of!(HcclSendRecvItem, count)
        && offset_of!(MessageItem, format) == offset_of!(HcclSendRecvItem, dataType)
        && offset_of!(MessageItem, peer) == offset_of!(HcclSendRecvItem, remoteRank)
);

unsafe fn batch(items: *mut HcclSendRecvItem, count: u32, comm: *mut c_void, stream: *mut c_void) -> Outcome {
    not_null(comm, "comm")?;
    not_null(items, "sendRecvInfo")?;
    ensure(count > 0, code::PARA, || "itemNum is 0".to_owned())?;
    // SAFETY: checked for null above; the caller passes `itemNum` of them, in which any bytes are numbers and
    // pointers.
    let items = unsafe { array(items.cast::<MessageItem>(), count as usize, MOST_ITEMS, "sendRecvInfo") };
    let items = items.map_err(code::of_acl)?;
    run(&items, "remoteRank", comm, stream)
}

fn run(items: &[MessageItem], peer_name: &str, comm: *mut c_void, stream: *mut c_void) -> Outcome {
    not_null(comm, "comm")?;
    items.iter().try_for_each(|item| not_null(item.buffer, "the buffer"))?;
    let communicator = Communicator::from_handle(comm)?;
    let mut messages = Vec::new();
    let mut routes = Vec::new();
    for item in items {
        let format = Format::read(item.format)?;
        let bytes = format.total(item.count)?;
        check_rank(&communicator, item.peer, peer_name)?;
        ensure(item.peer != communicator.rank, code::PARA, || {
            format!("{peer_name} is rank {}, which is this one", item.peer)
        })?;
        let (is_send, route) = match item.direction {
            0 => (true, Route::To(item.peer)),
            1 => (false, Route::From(item.peer)),
            other => {
                return Err(Fault::new(code::PARA, format_args!("sendRecvType {other} is neither 0 nor 1")));
            }
        };
        let address = item.buffer.addr() as u64;
        messages.push(Message { is_send, address, bytes, format, peer: item.peer });
        if !routes.contains(&route) {
            routes.push(route);
        }
    }
    let stream = stream_for(&communicator, stream)?;
    let batch = Batch { communicator, stream, messages, routes, what: describe(items) };
    group::issue_messages(batch)
}

fn describe(items: &[MessageItem]) -> String {
    match items {
        [item] => {
            let (verb, route) = if item.direction == 0 { ("Send", "to") } else { ("Recv", "from") };
            format!("{verb} of {} × {} {route} rank {}", item.count, format::name(item.format), item.peer)
        }
        items => format!("BatchSendRecv of {} messages", items.len()),
    }
}
