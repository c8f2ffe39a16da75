// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Messages between ranks: several at once, each going on as far as it can, so that no order of theirs
//! blocks.

use std::sync::atomic::Ordering;

use super::channel::{Line, Message, PIECE};
use super::code::{self, Progress, Trouble};
use super::communicator::Communicator;
use super::format::{self, Format};
use super::peers::Wait;
use crate::memory::transfer::{self, Initiator};
use crate::session::Location;
use crate::watch;

/// Memory of a message.
#[derive(Clone, Copy, Debug)]
pub enum Memory {
    /// Of the device.
    Device(u64),
    /// Of the simulator's own: the address, valid during the whole exchange.
    Own(*mut u8),
}

// SAFETY: only the rank that made it uses the address, during an exchange, on one thread.
unsafe impl Send for Memory {}

/// A message to or from another rank.
#[derive(Clone, Debug)]
pub struct Part {
    peer: u32,
    is_send: bool,
    memory: Memory,
    bytes: u64,
    format: u32,
    done: u64,
    ended: bool,
}

impl Part {
    /// A message to `peer`, of elements of `format`.
    pub fn send(peer: u32, memory: Memory, bytes: u64, format: Format) -> Self {
        Self { peer, is_send: true, memory, bytes, format: format.number(), done: 0, ended: false }
    }

    /// A message from `peer`.
    pub fn receive(peer: u32, memory: Memory, bytes: u64, format: Format) -> Self {
        Self { is_send: false, ..Self::send(peer, memory, bytes, format) }
    }
}

/// Sends and receives all of `parts`, those between the same two ranks in order. `collective` says by which
/// channels.
///
/// # Errors
/// `HCCL_E_PARA` for an unexpected message · `HCCL_E_MEMORY` · errors of the wait.
pub fn exchange(
    communicator: &Communicator,
    collective: bool,
    parts: &mut [Part],
    wait: &Wait<'_>,
) -> Progress {
    let shared = &communicator.shared;
    let own = communicator.rank;
    shared.wait(wait, || {
        let mut missing: Vec<u32> = Vec::new();
        let mut moved = false;
        for index in 0..parts.len() {
            let (before, rest) = parts.split_at_mut(index);
            let Some(part) = rest.first_mut().filter(|part| !part.ended) else { continue };
            let is_first = !before
                .iter()
                .any(|other| !other.ended && other.peer == part.peer && other.is_send == part.is_send);
            if is_first {
                let (from, to) = if part.is_send { (own, part.peer) } else { (part.peer, own) };
                let line = shared.line(collective, from, to);
                moved |= advance(communicator, part, line)?;
            }
            if !part.ended {
                missing.push(part.peer);
            }
        }
        if moved {
            shared.ring();
        }
        missing.sort_unstable();
        missing.dedup();
        Ok(missing)
    })
}

/// Moves as many pieces as go now; whether there were any.
fn advance(communicator: &Communicator, part: &mut Part, line: &Line) -> Progress<bool> {
    let mut moved = false;
    while !part.ended {
        let gone_on =
            if part.is_send { send(communicator, part, line)? } else { receive(communicator, part, line)? };
        if !gone_on {
            break;
        }
        moved = true;
        part.ended = part.done == part.bytes;
    }
    Ok(moved)
}

fn send(communicator: &Communicator, part: &mut Part, line: &Line) -> Progress<bool> {
    let Some(room) = line.room() else { return Ok(false) };
    let bytes = (part.bytes - part.done).min(PIECE as u64);
    cross(communicator, part.peer, bytes)?;
    // SAFETY: the room has the bytes of a piece, and nothing else uses it until it is published.
    unsafe { read(communicator, part.memory, part.done, room, bytes) }?;
    line.publish(Message { total: part.bytes, format: part.format, offset: part.done, bytes });
    part.done += bytes;
    Ok(true)
}

/// Checks the route between two devices and waits for the cost of a copy.
fn cross(communicator: &Communicator, peer: u32, bytes: u64) -> Progress {
    if !watch::watches_transfers() {
        return Ok(());
    }
    let own = communicator.device.physical;
    let other = communicator.shared.slot(peer).device.load(Ordering::Relaxed);
    let [from, to] = [own, other].map(|device| Some(Location::Device(device)));
    watch::before_transfer(Some(own), from, to, bytes).map_err(|fault| Trouble {
        acl: fault.code,
        ..Trouble::own(code::REMOTE, format_args!("the route to rank {peer}: {}", fault.text))
    })
}

fn receive(communicator: &Communicator, part: &mut Part, line: &Line) -> Progress<bool> {
    let Some((message, from)) = line.front() else { return Ok(false) };
    let expected = Message {
        total: part.bytes,
        format: part.format,
        offset: part.done,
        bytes: (part.bytes - part.done).min(PIECE as u64),
    };
    if message != expected {
        return Err(Trouble::shared(
            code::PARA,
            format_args!(
                "rank {} sends {} bytes of {} to rank {}, which expects {} bytes of {}",
                part.peer,
                message.total,
                format::name(message.format),
                communicator.rank,
                expected.total,
                format::name(expected.format)
            ),
        ));
    }
    // SAFETY: a piece has room for the expected message, and the sender does not touch it until it is taken.
    unsafe { write(communicator, part.memory, part.done, from, message.bytes) }?;
    line.take();
    part.done += message.bytes;
    Ok(true)
}

/// Copies from a message's memory.
///
/// # Safety
/// `into` has room for `bytes`, and own memory has so many behind `offset`.
pub unsafe fn read(
    communicator: &Communicator,
    memory: Memory,
    offset: u64,
    into: *mut u8,
    bytes: u64,
) -> Progress {
    match memory {
        Memory::Device(address) => {
            let by = Initiator::Core(communicator.device.physical);
            // SAFETY: `into` has room for `bytes` by contract; the device address is checked.
            unsafe { transfer::read(by, address.saturating_add(offset), into, bytes) }
                .map_err(Trouble::memory)
        }
        Memory::Own(from) => {
            let from = from.wrapping_add(crate::memory::native(offset));
            // SAFETY: both sides hold `bytes` by contract; shared memory and own memory never overlap.
            unsafe { std::ptr::copy_nonoverlapping(from, into, crate::memory::native(bytes)) };
            Ok(())
        }
    }
}

/// Copies to a message's memory.
///
/// # Safety
/// `from` has `bytes`, and own memory has room for so many behind `offset`.
pub unsafe fn write(
    communicator: &Communicator,
    memory: Memory,
    offset: u64,
    from: *const u8,
    bytes: u64,
) -> Progress {
    match memory {
        Memory::Device(address) => {
            let by = Initiator::Core(communicator.device.physical);
            // SAFETY: `from` holds `bytes` by contract; the device address is checked.
            unsafe { transfer::write(by, address.saturating_add(offset), from, bytes) }
                .map_err(Trouble::memory)
        }
        Memory::Own(to) => {
            let to = to.wrapping_add(crate::memory::native(offset));
            // SAFETY: both sides hold `bytes` by contract; shared memory and own memory never overlap.
            unsafe { std::ptr::copy_nonoverlapping(from, to, crate::memory::native(bytes)) };
            Ok(())
        }
    }
}
