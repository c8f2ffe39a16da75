// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Remote copies: others order copies from memory of this process to a third one. Read here in chunks, put
//! there.
//!
//! The threads of `copiers.rs` use the transport as any caller does. The memory may be withdrawn at any time,
//! so each chunk is copied to a buffer first; two are in flight at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mf_base::os::service;
use mf_base::{Error, Kind, Result};
use mf_device::Access;
use mf_transport::{Completion, Operation, PeerRoute, SegmentKey, Span, Spot};

use crate::memory::access;
use crate::process_core::Command;
use crate::shared::Shared;
use crate::wire::{CopyOrder, Header};
use crate::{memory, waiting};

const OP: &str = "tcp remote copy";
/// Bytes of each of the two buffers of a copy.
const CHUNK: usize = 1 << 20;
/// No copy waits longer.
const LONGEST: Duration = Duration::from_secs(3600);

/// A copy that was ordered.
pub(crate) struct Job {
    shared: Arc<Shared>,
    guest: u64,
    /// The connection that it came in on has ended.
    is_over: Arc<AtomicBool>,
    number: u64,
    key: SegmentKey,
    address: u64,
    bytes: u64,
    order: CopyOrder,
    deadline: Instant,
}

impl Job {
    pub(crate) fn new(
        shared: &Arc<Shared>,
        guest: u64,
        is_over: &Arc<AtomicBool>,
        header: &Header,
        order: CopyOrder,
    ) -> Self {
        let deadline = Instant::now() + Duration::from_micros(order.microseconds).min(LONGEST);
        Self {
            shared: Arc::clone(shared),
            guest,
            is_over: Arc::clone(is_over),
            number: header.sequence,
            key: SegmentKey(header.key),
            address: header.address,
            bytes: header.extra,
            order,
            deadline,
        }
    }
}

/// Takes a copy that the peer of a connection orders; the progress thread is notified of its end.
///
/// # Errors
/// `NoResources` too many copies wait, or no thread can be started.
pub(crate) fn order(job: Job) -> Result<()> {
    let core = Arc::clone(&job.shared.local.core);
    let copiers = Arc::clone(&core.copiers);
    copiers.submit(Box::new(move || {
        let result = copy(&job.shared, &job);
        core.command(Command::Copied(job.guest, job.number, result));
    }))
}

fn copy(shared: &Arc<Shared>, job: &Job) -> Result<()> {
    let here = job.order.to_peer == shared.me;
    if !here {
        shared.introduce_if_new(job.order.to_peer, &job.order.transport_address)?;
    }
    let chunk = usize::try_from(job.bytes).unwrap_or(usize::MAX).min(CHUNK);
    let mut buffers =
        [(vec![0u8; chunk], Arc::new(Completion::new())), (vec![0u8; chunk], Arc::new(Completion::new()))];
    let mut done = 0;
    let mut turn = 0;
    let mut result = Ok(());
    while done < job.bytes && result.is_ok() {
        let count = (job.bytes - done).min(chunk as u64);
        if let Some((buffer, completion)) = buffers.get_mut(turn % 2) {
            // Caught here, so that the other buffer stays until its put has ended.
            result = service::catch(|| one(shared, job, done, count, buffer, completion, here))
                .unwrap_or_else(|panicked| Err(panicked.error(OP)));
        }
        done += count;
        turn += 1;
    }
    // The buffers stay until nothing is in flight.
    for (_, completion) in &buffers {
        let ended = waiting::wait(shared, completion);
        result = result.and(ended);
    }
    result
}

fn one(
    shared: &Shared,
    job: &Job,
    done: u64,
    count: u64,
    buffer: &mut [u8],
    completion: &Arc<Completion>,
    here: bool,
) -> Result<()> {
    waiting::wait(shared, completion)?;
    if shared.local.closing.load(Ordering::Acquire) {
        return Err(Error::new(Kind::NotConnected, OP).what("the transport is closed"));
    }
    if job.is_over.load(Ordering::Acquire) {
        return Err(Error::new(Kind::NotConnected, OP).what("the connection that ordered the copy has ended"));
    }
    let piece = usize::try_from(count).unwrap_or(0).min(buffer.len());
    let to = buffer.as_mut_ptr();
    let mut result = Ok(());
    access(&shared.target, job.key, job.address + done, count, Access::Read, &mut |spot| match spot {
        // SAFETY: the target vouches for the spot during its call; the buffer is private and no shorter.
        Spot::Host(from) => unsafe { mf_device::engine::copy(from, to, piece) },
        Spot::Program(from) => match memory::load(from, None, piece) {
            // SAFETY: the buffer is private and no shorter.
            Ok(bytes) => unsafe { mf_device::engine::copy(bytes.as_ptr(), to, bytes.len()) },
            Err(error) => result = Err(error),
        },
        Spot::Device { address, mover } => result = memory::from_device(mover, address, to, piece),
    })?;
    result?;
    let address = job.order.to_address + done;
    let key = SegmentKey(job.order.to_key);
    if here {
        let mut result = Ok(());
        let bytes = buffer.get(..piece).unwrap_or(&[]);
        access(&shared.target, key, address, count, Access::Write, &mut |spot| {
            result = memory::store(bytes, spot);
        })?;
        return result;
    }
    let spans = [Span { local: to, address, bytes: count }];
    let operation = Operation::Put { key, spans: &spans };
    // SAFETY: the buffer is not touched again before its completion was waited for.
    unsafe { shared.peered(job.order.to_peer)?.post(&operation, completion, job.deadline) }
}
