// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Data movement of each collective, after its meeting.
//!
//! Collectives without reduction move data from device memory through the channels to device memory.
//! Reductions use buffers of the simulator and run in rounds: every rank receives all contributions to its
//! slice of the round, reduces them in rank order, and passes the result on. All inputs of a round are read
//! before the first result is written, so results may overwrite inputs.

use super::code::{Progress, Trouble};
use super::communicator::Communicator;
use super::exchange::{self, Memory, Part, exchange};
use super::format::{Format, Reduction};
use super::meeting::{Agreement, meet};
use super::peers::Wait;
use crate::memory::transfer::{self, Initiator};
use crate::memory::{Access, native};

/// Bytes of a slice of a round, about.
const SLICE: u64 = 128 << 10;

/// A collective that runs.
pub struct Run<'a> {
    /// The rank that runs it.
    pub communicator: &'a Communicator,
    /// Its number.
    pub number: u64,
    /// Wait parameters.
    pub wait: &'a Wait<'a>,
    /// Type of the elements.
    pub format: Format,
}

/// Receiver of the result of a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Getter {
    /// All ranks, all of it.
    All,
    /// One rank, all of it.
    One(u32),
}

impl Run<'_> {
    /// Meets the others.
    ///
    /// # Errors
    /// As [`meet`].
    pub fn meet(&self, agreement: &Agreement) -> Progress {
        meet(self.communicator, self.number, agreement, self.wait)
    }

    /// Refuses memory that the device may not touch so, before anything moves.
    ///
    /// # Errors
    /// `HCCL_E_MEMORY`.
    pub fn check(&self, address: u64, bytes: u64, want: Access) -> Progress {
        check(self.communicator, address, bytes, want)
    }

    fn own(&self) -> u32 {
        self.communicator.rank
    }

    fn ranks(&self) -> u32 {
        self.communicator.shared.ranks()
    }

    fn others(&self) -> impl Iterator<Item = u32> + use<> {
        let own = self.own();
        (0..self.ranks()).filter(move |rank| *rank != own)
    }

    fn exchange(&self, mut parts: Vec<Part>) -> Progress {
        exchange(self.communicator, true, &mut parts, self.wait)
    }

    /// One has, all get.
    ///
    /// # Errors
    /// Errors of the exchange.
    pub fn broadcast(&self, buffer: u64, bytes: u64, root: u32) -> Progress {
        let memory = Memory::Device(buffer);
        self.exchange(match self.own() == root {
            true => self.others().map(|rank| Part::send(rank, memory, bytes, self.format)).collect(),
            false => vec![Part::receive(root, memory, bytes, self.format)],
        })
    }

    /// All have a part, all get all of them.
    ///
    /// # Errors
    /// Errors of the exchange.
    pub fn all_gather(&self, send: u64, receive: u64, bytes: u64) -> Progress {
        let place = |rank: u32| receive + u64::from(rank) * bytes;
        self.copy(place(self.own()), send, bytes)?;
        let sends = self.others().map(|rank| Part::send(rank, Memory::Device(send), bytes, self.format));
        let receives =
            self.others().map(|rank| Part::receive(rank, Memory::Device(place(rank)), bytes, self.format));
        self.exchange(sends.chain(receives).collect())
    }

    /// One has a part for each.
    ///
    /// # Errors
    /// Errors of the exchange.
    pub fn scatter(&self, send: u64, receive: u64, bytes: u64, root: u32) -> Progress {
        if self.own() != root {
            return self.exchange(vec![Part::receive(root, Memory::Device(receive), bytes, self.format)]);
        }
        let place = |rank: u32| send + u64::from(rank) * bytes;
        self.copy(receive, place(root), bytes)?;
        self.exchange(
            self.others()
                .map(|rank| Part::send(rank, Memory::Device(place(rank)), bytes, self.format))
                .collect(),
        )
    }

    /// Exchanges one part per pair of ranks: address and bytes of the part sent to, and received from, each
    /// rank.
    ///
    /// # Errors
    /// Errors of the exchange.
    pub fn all_to_all(&self, sends: &[(u64, u64)], receives: &[(u64, u64)]) -> Progress {
        let own = self.own() as usize;
        if let (Some((from, bytes)), Some((to, _))) = (sends.get(own), receives.get(own)) {
            self.copy(*to, *from, *bytes)?;
        }
        let parts_of = |list: &[(u64, u64)], make: fn(u32, Memory, u64, Format) -> Part| -> Vec<Part> {
            let ranks = (0..).zip(list).filter(|(rank, _)| *rank != self.own());
            ranks
                .map(|(rank, (address, bytes))| make(rank, Memory::Device(*address), *bytes, self.format))
                .collect()
        };
        let mut parts = parts_of(sends, Part::send);
        parts.extend(parts_of(receives, Part::receive));
        self.exchange(parts)
    }

    /// Reduces `count` elements of every rank.
    ///
    /// # Errors
    /// Errors of the exchange.
    pub fn reduce(
        &self,
        send: u64,
        receive: u64,
        count: u64,
        reduction: Reduction,
        getter: Getter,
    ) -> Progress {
        let element = self.format.bytes();
        let slice = (SLICE / element).min(count.div_ceil(u64::from(self.ranks())).max(1));
        let round = slice * u64::from(self.ranks());
        let mut scratch = Scratch::new(self.ranks(), native(slice * element));
        let mut done = 0;
        while done < count {
            // Offset and bytes of a rank's slice in the buffers; the last ones may be short or empty.
            let place = |rank: u32| {
                let start = (done + u64::from(rank) * slice).min(count);
                (start * element, (start + slice).min(count) * element - start * element)
            };
            let (own_at, own_bytes) = place(self.own());
            let sends = self.others().map(|rank| {
                let (at, bytes) = place(rank);
                Part::send(rank, Memory::Device(send + at), bytes, self.format)
            });
            self.gather(&mut scratch, send + own_at, own_bytes, sends.collect(), reduction)?;
            self.pass_on(&mut scratch, receive, &place, getter)?;
            done += round;
        }
        Ok(())
    }

    /// Reduces the part of every rank for this one.
    ///
    /// # Errors
    /// Errors of the exchange.
    pub fn reduce_scatter(&self, send: u64, receive: u64, count: u64, reduction: Reduction) -> Progress {
        let bytes = count * self.format.bytes();
        let parts: Vec<_> = (0..self.ranks()).map(|rank| (send + u64::from(rank) * bytes, bytes)).collect();
        self.reduce_parts(&parts, receive, reduction)
    }

    /// The same with parts of their own sizes: address and bytes of each.
    ///
    /// # Errors
    /// Errors of the exchange.
    pub fn reduce_parts(&self, parts: &[(u64, u64)], receive: u64, reduction: Reduction) -> Progress {
        let most = parts.iter().map(|(_, bytes)| *bytes).max().unwrap_or_default();
        let element = self.format.bytes();
        let slice = (SLICE / element * element).min(most.max(element));
        let mut scratch = Scratch::new(self.ranks(), native(slice));
        let mut done = 0;
        while done < most {
            // Short parts have nothing left in the last rounds.
            let part = |rank: u32| {
                let (at, bytes) = parts.get(rank as usize).copied().unwrap_or_default();
                (at + done.min(bytes), slice.min(bytes.saturating_sub(done)))
            };
            let sends = self.others().map(|rank| {
                let (at, bytes) = part(rank);
                Part::send(rank, Memory::Device(at), bytes, self.format)
            });
            let (own_at, own_bytes) = part(self.own());
            self.gather(&mut scratch, own_at, own_bytes, sends.collect(), reduction)?;
            let to = Memory::Device(receive + if own_bytes == 0 { 0 } else { done });
            // SAFETY: the scratch memory of a slice has room for a whole one.
            unsafe { exchange::write(self.communicator, to, 0, scratch.slice_of(0), own_bytes) }?;
            done += slice;
        }
        Ok(())
    }

    /// Gets all ranks' numbers for this rank's slice and reduces them, into the scratch memory of rank 0.
    fn gather(
        &self,
        scratch: &mut Scratch,
        own_at: u64,
        bytes: u64,
        sends: Vec<Part>,
        reduction: Reduction,
    ) -> Progress {
        // SAFETY: the scratch memory of a slice has room for a whole one.
        unsafe {
            exchange::read(self.communicator, Memory::Device(own_at), 0, scratch.slice_of(self.own()), bytes)
        }?;
        let mut parts = sends;
        parts.extend(
            self.others()
                .map(|rank| Part::receive(rank, Memory::Own(scratch.slice_of(rank)), bytes, self.format)),
        );
        self.exchange(parts)?;
        scratch.reduce(native(bytes), reduction);
        Ok(())
    }

    /// Sends this rank's reduced slice to its receivers, and receives the others' slices.
    fn pass_on(
        &self,
        scratch: &mut Scratch,
        receive: u64,
        place: &dyn Fn(u32) -> (u64, u64),
        getter: Getter,
    ) -> Progress {
        let (own_at, own_bytes) = place(self.own());
        let gets = |rank: u32| getter == Getter::All || getter == Getter::One(rank);
        let mut parts: Vec<Part> = self
            .others()
            .filter(|rank| gets(*rank))
            .map(|rank| Part::send(rank, Memory::Own(scratch.slice_of(0)), own_bytes, self.format))
            .collect();
        if gets(self.own()) {
            // SAFETY: the scratch memory of a slice has room for a whole one.
            unsafe {
                exchange::write(
                    self.communicator,
                    Memory::Device(receive + own_at),
                    0,
                    scratch.slice_of(0),
                    own_bytes,
                )
            }?;
            parts.extend(self.others().map(|rank| {
                let (at, bytes) = place(rank);
                Part::receive(rank, Memory::Device(receive + at), bytes, self.format)
            }));
        }
        self.exchange(parts)
    }

    fn copy(&self, to: u64, from: u64, bytes: u64) -> Progress {
        let by = Initiator::Core(self.communicator.device.physical);
        transfer::copy(by, to, from, bytes).map_err(Trouble::memory)
    }
}

/// Refuses memory that a rank's device may not touch so.
///
/// # Errors
/// `HCCL_E_MEMORY`.
pub fn check(communicator: &Communicator, address: u64, bytes: u64, want: Access) -> Progress {
    let by = Initiator::Core(communicator.device.physical);
    transfer::check(by, address, bytes, want).map_err(Trouble::memory)
}

/// A slice for each rank.
struct Scratch {
    bytes: Vec<u8>,
    slice: usize,
}

impl Scratch {
    fn new(ranks: u32, slice: usize) -> Self {
        Self { bytes: vec![0; ranks as usize * slice], slice }
    }

    /// The slice of a rank.
    fn slice_of(&mut self, rank: u32) -> *mut u8 {
        self.bytes.as_mut_ptr().wrapping_add(rank as usize * self.slice)
    }

    /// Reduces the first `bytes` of all slices into the first slice.
    fn reduce(&mut self, bytes: usize, reduction: Reduction) {
        let (first, others) = self.bytes.split_at_mut(self.slice);
        let Some(first) = first.get_mut(..bytes) else { return };
        for other in others.chunks(self.slice) {
            reduction.combine(first, other.get(..bytes).unwrap_or_default());
        }
    }
}
