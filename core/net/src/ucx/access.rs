// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Execution of a request on the memory of this process: at the moment of the access the owner checks that
//! there is such memory, and only then it is touched.

use mf_base::os::guarded;
use mf_base::{Error, Kind, Result};
use mf_device::Access;
use mf_transport::{Atomic, SegmentKey, Spot, Target, hole};

use super::inbox::Incoming;
use super::jobs::Chunk;
use super::wire::{CHUNK_BYTES, Head, Verb, next_piece};

/// Result of a request, the old value of a word, and the bytes read; `None`: no answer.
pub(super) type Served = Option<(Result<()>, u64, Vec<u8>)>;

/// Executes a request. `buffer` takes the bytes that are read.
pub(super) fn execute(target: Option<&dyn Target>, request: &Incoming, mut buffer: Vec<u8>) -> Served {
    let head = &request.head;
    // SAFETY: the data of a request is released after it was served.
    let data = unsafe { request.data.as_slice() };
    let mut old = 0;
    let outcome = match head.verb {
        Verb::Hello | Verb::Copy | Verb::Answer | Verb::Close => return None,
        Verb::Message => {
            if let Some(target) = target {
                target.message(head.from, data);
            }
            return None;
        }
        Verb::Ping => Ok(()),
        Verb::Put => whole(target, head.key, (head.compare, head.second), data.len() as u64, Access::Write)
            .and_then(|()| write(target, head.key, head.address, data)),
        Verb::Pieces => pieces(target, head, data),
        Verb::Get if head.operand > CHUNK_BYTES => {
            Err(Error::invalid("ucx get", "more is wanted than one message holds")
                .with("bytes", head.operand))
        }
        Verb::Get => whole(target, head.key, (head.compare, head.second), head.operand, Access::Read)
            .and_then(|()| read(target, head.key, head.address, head.operand, &mut buffer)),
        Verb::Atomic => match head.atomic() {
            Some(atomic) => change(target, head.key, head.address, atomic).map(|value| old = value),
            None => Err(Error::invalid("ucx atomic", "an atomic of an unknown kind")),
        },
    };
    Some((outcome, old, buffer))
}

/// Reads a chunk of a job into `buffer`.
pub(super) fn read_chunk(target: Option<&dyn Target>, chunk: &Chunk, buffer: &mut Vec<u8>) -> Result<()> {
    whole(target, chunk.key, chunk.whole, chunk.bytes, Access::Read)?;
    read(target, chunk.key, chunk.address, chunk.bytes, buffer)
}

/// Returns the error of a request to a process that is gone.
pub(super) fn not_me() -> Error {
    Error::new(Kind::NotConnected, "ucx")
        .what("the process that was meant is gone, and another one is in its place")
}

/// Checks, before a part is touched, that all of its span is in one segment.
fn whole(
    target: Option<&dyn Target>,
    key: SegmentKey,
    (start, bytes): (u64, u64),
    part: u64,
    access: Access,
) -> Result<()> {
    if bytes <= part { Ok(()) } else { host(target, (key, start, bytes), access, &mut |_| {}) }
}

fn reached(target: Option<&dyn Target>) -> Result<&dyn Target> {
    target.ok_or_else(|| {
        Error::new(Kind::NotConnected, "ucx").what("the process that was asked takes part in nothing")
    })
}

/// Lets `touch` use host memory of this process.
fn host(
    target: Option<&dyn Target>,
    (key, address, bytes): (SegmentKey, u64, u64),
    access: Access,
    touch: &mut dyn FnMut(*mut u8),
) -> Result<()> {
    let (mut is_device, mut is_hole) = (false, false);
    reached(target)?.access(key, address, bytes, access, &mut |spot| match spot {
        Spot::Host(start) => touch(start),
        Spot::Program(start) => {
            let (at, length) = (start.expose_provenance(), usize::try_from(bytes).unwrap_or(usize::MAX));
            is_hole = match access {
                Access::Read => !guarded::is_readable(at, length),
                Access::Write => !guarded::is_writable(at, length),
            };
            if !is_hole {
                touch(start);
            }
        }
        Spot::Device { .. } => is_device = true,
    })?;
    if is_hole {
        return Err(hole(access, address, bytes));
    }
    if is_device {
        return Err(Error::invalid("ucx", "memory of an accelerator is not reached by ucx")
            .with("address", format_args!("{address:#x}"))
            .hint("use tcp"));
    }
    Ok(())
}

fn write(target: Option<&dyn Target>, key: SegmentKey, address: u64, data: &[u8]) -> Result<()> {
    host(target, (key, address, data.len() as u64), Access::Write, &mut |start| {
        // SAFETY: the owner guarantees that so many bytes are mapped at `start` during the call; the data is
        // private memory.
        unsafe { mf_device::engine::copy(data.as_ptr(), start, data.len()) };
    })
}

fn read(
    target: Option<&dyn Target>,
    key: SegmentKey,
    address: u64,
    bytes: u64,
    buffer: &mut Vec<u8>,
) -> Result<()> {
    let length = usize::try_from(bytes).unwrap_or(usize::MAX);
    buffer.clear();
    if buffer.capacity() < length {
        buffer.reserve(length);
    }
    host(target, (key, address, bytes), Access::Read, &mut |start| {
        // SAFETY: the owner guarantees that so many bytes are mapped at `start` during the call; the buffer
        // has room for them.
        unsafe { mf_device::engine::copy(start, buffer.as_mut_ptr(), length) };
        // SAFETY: they were just written.
        unsafe { buffer.set_len(length) };
    })
}

fn pieces(target: Option<&dyn Target>, head: &Head, mut rest: &[u8]) -> Result<()> {
    while let Some(piece) = next_piece(&mut rest) {
        let (address, bytes) = piece?;
        write(target, head.key, address, bytes)?;
    }
    match head.signal()? {
        Some(atomic) => change(target, head.key, head.second, atomic).map(|_| ()),
        None => Ok(()),
    }
}

/// Changes a word; its old value.
fn change(target: Option<&dyn Target>, key: SegmentKey, address: u64, atomic: Atomic) -> Result<u64> {
    let (bytes, mut old) = (atomic.width.bytes(), Ok(0));
    reached(target)?.access(key, address, bytes, Access::Write, &mut |spot| {
        // SAFETY: the owner vouches for the spot during its call.
        old = unsafe { atomic.change(spot) };
    })?;
    old
}
