// SPDX-License-Identifier: Apache-2.0 OR MIT
//! State machine of one exchange between the leaders of all hosts: packets in, packets out. It opens nothing
//! and never sleeps.
//!
//! Packets of one sender come in order; packets of different senders in any. A leader may be one exchange
//! ahead of another, and in it at any step, because all had arrived for the earlier exchange before it went
//! on. Those packets are kept. So is the report of a failure in the next exchange: its reporter has completed
//! this one, which therefore completes everywhere.

use std::collections::VecDeque;

use super::failure::{Cause, Failure};
use super::packet::{Body, Head, PAYLOAD_BYTES_MAX};
use super::schedule::{self, Step};

/// A host, as seen by the others.
#[derive(Clone, Debug)]
pub(super) struct Host {
    /// Mailbox for messages to its leader.
    pub(super) mailbox: u64,
    /// Its leader's place in the list of members.
    pub(super) leader: usize,
    /// Number of members on this host.
    pub(super) members: usize,
}

/// A packet for the leader of a host.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Outgoing {
    pub(super) host: usize,
    pub(super) packet: Vec<u8>,
}

/// State common to all exchanges of a group.
#[derive(Debug)]
pub(super) struct Exchanger {
    hosts: Vec<Host>,
    me: usize,
    operation: u32,
    current: Option<Current>,
    /// Packets that are not due yet, with their senders.
    early: VecDeque<(usize, Vec<u8>)>,
    early_bytes: usize,
    /// Most bytes to keep.
    early_bytes_max: usize,
    /// Hosts that have left.
    left: Vec<bool>,
}

/// The running exchange.
#[derive(Debug)]
struct Current {
    tag: u16,
    length: u64,
    /// The blocks of all hosts, in their order.
    buffer: Vec<u8>,
    /// Offset of each block; one more for the end.
    starts: Vec<usize>,
    number: u32,
    step: Step,
    received: usize,
    expected: usize,
}

impl Exchanger {
    /// `bytes_max`: most bytes of one exchange.
    pub(super) fn new(hosts: Vec<Host>, me: usize, bytes_max: usize) -> Self {
        let left = vec![false; hosts.len()];
        // Two exchanges, and a packet's head for each packet and step.
        let early_bytes_max = 4 * bytes_max + (hosts.len() + 64) * PAYLOAD_BYTES_MAX;
        Self {
            hosts,
            me,
            operation: 0,
            current: None,
            early: VecDeque::new(),
            early_bytes: 0,
            early_bytes_max,
            left,
        }
    }

    pub(super) fn hosts(&self) -> &[Host] {
        &self.hosts
    }

    /// Begins an exchange: every host contributes `piece` bytes of each of its members, this one `own`, of
    /// `length` in all.
    pub(super) fn begin(
        &mut self,
        tag: u16,
        length: u64,
        piece: usize,
        own: &[u8],
        out: &mut Vec<Outgoing>,
    ) -> Result<(), Failure> {
        self.operation = self.operation.wrapping_add(1);
        let mut starts = vec![0];
        for host in &self.hosts {
            starts.push(starts.last().unwrap_or(&0) + host.members * piece);
        }
        let mut buffer = vec![0; starts.last().copied().unwrap_or(0)];
        if let Some(to) = starts.get(self.me).and_then(|start| buffer.get_mut(*start..start + own.len())) {
            to.copy_from_slice(own);
        }
        let none = Step { to: self.me, from: self.me, blocks: 0 };
        self.current =
            Some(Current { tag, length, buffer, starts, number: 0, step: none, received: 0, expected: 0 });
        self.enter(0, out);
        self.use_due_packets(out)
    }

    /// Returns true if the exchange is over; then [`take`](Self::take) returns the bytes of all.
    pub(super) fn is_done(&self) -> bool {
        self.current.as_ref().is_none_or(|current| current.step.blocks == 0)
    }

    /// The blocks of all hosts, in the order of the hosts.
    pub(super) fn take(&mut self) -> Vec<u8> {
        self.current.take().map(|current| current.buffer).unwrap_or_default()
    }

    /// The leader that it waits for, by its place in the list of members.
    pub(super) fn awaited(&self) -> usize {
        let from = self.current.as_ref().map_or(self.me, |current| current.step.from);
        self.hosts.get(from).map_or(usize::MAX, |host| host.leader)
    }

    /// Describes the progress for error texts.
    pub(super) fn describe(&self) -> String {
        let step = self.current.as_ref().map_or(0, |current| current.number + 1);
        format!("@{} silent in step {step} between {} hosts", self.awaited(), self.hosts.len())
    }

    /// A packet of the leader of host `from`.
    pub(super) fn receive(
        &mut self,
        from: usize,
        packet: Vec<u8>,
        out: &mut Vec<Outgoing>,
    ) -> Result<(), Failure> {
        self.store_packet(from, packet)?;
        self.use_due_packets(out)
    }

    /// Returns the notices of a failure of the group here. Only for hosts that wait for this one at some
    /// step: the receiver passes it on, and no connection is opened for it.
    pub(super) fn failed(&self, cause: u16) -> Vec<Outgoing> {
        self.to_partners(Body::Failed { cause })
    }

    /// Returns the notices that this member leaves, for hosts that wait for this one at some step.
    pub(super) fn leaving(&self) -> Vec<Outgoing> {
        self.to_partners(Body::Left)
    }

    fn to_partners(&self, body: Body) -> Vec<Outgoing> {
        // The exchange that runs, or the next one: a completed one is not failed afterwards.
        let operation = self.operation.wrapping_add(u32::from(self.current.is_none()));
        let partners = (0..).map_while(|number| schedule::step(self.hosts.len(), self.me, number));
        let present = partners.map(|step| step.to).filter(|host| !self.left[*host]);
        present
            .map(|host| Outgoing {
                host,
                packet: Head { mailbox: self.hosts[host].mailbox, operation, body }.write(&[]),
            })
            .collect()
    }

    /// Enters a step: sends its packets.
    fn enter(&mut self, number: u32, out: &mut Vec<Outgoing>) {
        let Some(current) = &mut self.current else { return };
        let hosts = self.hosts.len();
        current.number = number;
        current.received = 0;
        let Some(step) = schedule::step(hosts, self.me, number) else {
            current.step.blocks = 0;
            return;
        };
        current.step = step;
        let range = |block: usize| current.starts[block]..current.starts[block + 1];
        current.expected = schedule::blocks(hosts, step.from, step).map(|block| range(block).len()).sum();
        let mut payload = Vec::new();
        for block in schedule::blocks(hosts, self.me, step) {
            payload.extend_from_slice(&current.buffer[range(block)]);
        }
        let mut offset = 0;
        loop {
            let part = &payload[offset..payload.len().min(offset + PAYLOAD_BYTES_MAX)];
            let body = Body::Blocks {
                step: u8::try_from(number).unwrap_or(u8::MAX),
                tag: current.tag,
                length: current.length,
                offset: u32::try_from(offset).unwrap_or(u32::MAX),
            };
            let head = Head { mailbox: self.hosts[step.to].mailbox, operation: self.operation, body };
            out.push(Outgoing { host: step.to, packet: head.write(part) });
            offset += part.len();
            if offset >= payload.len() {
                return;
            }
        }
    }

    /// The first failure that a packet reports which was not used.
    pub(super) fn reported(&self) -> Option<Failure> {
        self.early.iter().find_map(|(from, packet)| match Head::read(packet)?.0.body {
            Body::Failed { cause } => Some(self.failure(*from, cause)),
            _ => None,
        })
    }

    fn failure(&self, from: usize, cause: u16) -> Failure {
        let leader = self.hosts.get(from).map_or(usize::MAX, |host| host.leader);
        let (cause, member) = Cause::unpack(cause);
        Failure::new(cause, member, format!("reported by @{leader}"))
    }

    /// Takes a packet, which may not be due yet.
    pub(super) fn store_packet(&mut self, from: usize, packet: Vec<u8>) -> Result<(), Failure> {
        let leader = self.hosts.get(from).map_or(usize::MAX, |host| host.leader);
        let Some((head, _)) = Head::read(&packet) else {
            return Err(Failure::new(Cause::Mismatch, leader, "cannot decode its message"));
        };
        if head.body == Body::Left {
            if let Some(left) = self.left.get_mut(from) {
                *left = true;
            }
            return Ok(());
        }
        self.early_bytes += packet.len();
        if self.early_bytes > self.early_bytes_max {
            return Err(Failure::new(Cause::Mismatch, leader, "it sends more than this group can give"));
        }
        self.early.push_back((from, packet));
        Ok(())
    }

    /// Uses all packets that are due.
    fn use_due_packets(&mut self, out: &mut Vec<Outgoing>) -> Result<(), Failure> {
        loop {
            let mut progress = false;
            for _ in 0..self.early.len() {
                let Some((from, packet)) = self.early.pop_front() else { break };
                if self.use_now(from, &packet)? {
                    self.early_bytes -= packet.len();
                    progress = true;
                } else {
                    self.early.push_back((from, packet));
                }
            }
            let Some(current) = &self.current else { return Ok(()) };
            if current.step.blocks == 0 {
                return Ok(());
            }
            // Empty blocks are announced by a packet too, so a complete step counts one byte more than
            // expected.
            if current.received > current.expected {
                self.enter(current.number + 1, out);
                progress = true;
            }
            if !progress {
                return self.check_left();
            }
        }
    }

    fn check_left(&self) -> Result<(), Failure> {
        let awaited = self.current.as_ref().map_or(self.me, |current| current.step.from);
        if awaited != self.me && self.left.get(awaited).copied().unwrap_or(false) {
            return Err(Failure::new(Cause::Lost, self.awaited(), "it has left the group"));
        }
        Ok(())
    }

    /// Returns true if the packet was consumed; else it is kept for later.
    fn use_now(&mut self, from: usize, packet: &[u8]) -> Result<bool, Failure> {
        let leader = self.hosts.get(from).map_or(usize::MAX, |host| host.leader);
        let wrong = |what: String| Err(Failure::new(Cause::Mismatch, leader, what));
        let Some((Head { operation, body, .. }, payload)) = Head::read(packet) else { return Ok(true) };
        let Some(current) = &mut self.current else { return Ok(false) };
        let ahead = operation.wrapping_sub(self.operation).cast_signed();
        let (step, tag, length, offset) = match body {
            Body::Blocks { step, tag, length, offset } => (step, tag, length, offset),
            Body::Failed { .. } if ahead == 1 => return Ok(false),
            Body::Failed { cause } => return Err(self.failure(from, cause)),
            Body::Left => return Ok(true),
        };
        match ahead {
            0 => {}
            1 => return Ok(false),
            _ => return wrong(format!("it is {ahead} exchanges ahead")),
        }
        if tag != current.tag {
            return wrong("it is in another call".to_owned());
        }
        if length != current.length {
            return wrong(format!("it gives {length} bytes, this member {}", current.length));
        }
        if current.step.blocks == 0 || u32::from(step) > current.number {
            return Ok(false);
        }
        let due = u32::from(step) == current.number && from == current.step.from;
        if !due || offset as usize != current.received || offset as usize + payload.len() > current.expected {
            return wrong(format!("it sent step {step}, offset {offset} out of turn"));
        }
        place_payload(current, self.hosts.len(), payload);
        Ok(true)
    }
}

/// Puts a part of a step's bytes where it belongs.
fn place_payload(current: &mut Current, hosts: usize, payload: &[u8]) {
    let (begin, end) = (current.received, current.received + payload.len());
    let mut at = 0;
    for block in schedule::blocks(hosts, current.step.from, current.step) {
        let (start, length) = (current.starts[block], current.starts[block + 1] - current.starts[block]);
        let (from, to) = (begin.max(at), end.min(at + length));
        if from < to {
            current.buffer[start + from - at..start + to - at]
                .copy_from_slice(&payload[from - begin..to - begin]);
        }
        at += length;
    }
    // The last part counts one more, so that a step of empty blocks has an end too.
    current.received = if end == current.expected { end + 1 } else { end };
}

#[cfg(test)]
mod tests;
