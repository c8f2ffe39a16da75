// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Which numbers collectives combine. A communicator of one rank is enough to ask.

use std::time::Duration;

use ascend_acl_sys::hccl::{Comm, DataType, ReduceOp};
use ascend_acl_sys::{AclError, Hccl};

use crate::cann::Cann;
use crate::rule::{Answer, Expected, Rule, Stop};

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "S77.int64-sum",
        "Does HcclAllReduce add 64-bit integers?",
        Expected::Always("success"),
        "hccl/format.rs supports",
        |cann| reduce(cann, DataType::I64, ReduceOp::Sum),
    ),
    Rule::new(
        "S77.int64-max",
        "Does it find the largest 64-bit integer?",
        Expected::Always("hccl 5"),
        "hccl/format.rs supports",
        |cann| reduce(cann, DataType::I64, ReduceOp::Max),
    ),
    Rule::new(
        "S77.fp16-product",
        "Does it multiply 16-bit floating-point numbers?",
        Expected::Always("hccl 5"),
        "hccl/format.rs supports",
        |cann| reduce(cann, DataType::F16, ReduceOp::Product),
    ),
    Rule::new(
        "S77.unsigned",
        "Does it add unsigned 32-bit integers?",
        Expected::Always("hccl 5"),
        "hccl/format.rs supported",
        |cann| reduce(cann, DataType::U32, ReduceOp::Sum),
    ),
    Rule::new(
        "S77.double",
        "Does it add 64-bit floating-point numbers?",
        Expected::Always("hccl 5"),
        "hccl/format.rs supported",
        |cann| reduce(cann, DataType::F64, ReduceOp::Sum),
    ),
];

/// A communicator of this process alone.
struct Alone<'a> {
    hccl: &'a Hccl,
    comm: Comm,
}

impl Drop for Alone<'_> {
    fn drop(&mut self) {
        // SAFETY: its only collective was waited for.
        let _ = unsafe { self.hccl.destroy(self.comm) };
    }
}

fn reduce(cann: &Cann, kind: DataType, op: ReduceOp) -> Result<Answer, Stop> {
    const ELEMENTS: u64 = 16;
    const ROOM: usize = 16 * 8;
    let (acl, hccl) = (cann.acl(), cann.hccl()?);
    let (send, receive, stream) = (cann.memory(ROOM)?, cann.memory(ROOM)?, cann.stream()?);
    // SAFETY: the memory is ours and that long.
    unsafe { acl.memset(send.it, ROOM, 0, ROOM) }?;
    let root = hccl.root_info()?;
    let alone = Alone { hccl, comm: hccl.init(1, &root, 0)? };
    // SAFETY: both have room for that many of any kind, and the stream is waited for.
    let issued = unsafe { hccl.all_reduce(send.it, receive.it, ELEMENTS, kind, op, alone.comm, stream.it) };
    let done: Result<(), AclError> =
        issued.and_then(|()| acl.synchronize_stream(stream.it, Some(Duration::from_secs(30))));
    Answer::from_outcome(&done)
}
