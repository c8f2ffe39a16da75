// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Effects of operations: at once on things of the caller, else by messages.

use super::layout::{MAX_SEGMENT, Target};
use super::memory::Segment;
use super::network::Body;
use super::{Engine, Event, OpId};
use crate::choice::{Kind, LEVELS, STORE, Site, Spread};
use crate::error::{Error, ErrorKind};
use crate::op::{Op, Outcome, Signal, Value};

/// Bytes that a copy moves in one piece: the width of a word.
const WHOLE: usize = 8;

impl Engine {
    /// Has the effect of an operation, once its pause and duration are over.
    pub(super) fn issue(&mut self, id: OpId) {
        let Some(state) = self.ops.get(&id) else { return };
        let rank = state.rank;
        if self.is_dead(rank) {
            self.ops.remove(&id);
            return;
        }
        let op = state.op.clone();
        let outcome = match op {
            Op::Pause => Some(Ok(Value::None)),
            Op::Sleep { time } => {
                self.at(self.now + time, Event::Finish { op: id, outcome: Ok(Value::None) });
                None
            }
            Op::OpenPool { bytes } => Some(self.open_pool(rank, bytes)),
            Op::ClosePool => Some(self.close_pool(rank)),
            Op::Put { source, address, signal, wait } => {
                self.issue_put(id, rank, &source, address, signal, wait)
            }
            Op::Get { address, bytes } => self.issue_get(id, rank, address, bytes),
            Op::Atomic { address, atomic } => match self.word_target(rank, address) {
                Err(error) => Some(Err(error)),
                Ok(target) if target.rank == rank => {
                    Some(Ok(Value::Word(self.change_word(target, rank, atomic))))
                }
                Ok(target) => {
                    self.limit(id);
                    self.open_lane(id, target.rank);
                    self.send(rank, target.rank, id, Body::Atomic { offset: target.offset, atomic });
                    None
                }
            },
            Op::WaitWord { address, comparison, value } => match self.word_target(rank, address) {
                Err(error) => Some(Err(error)),
                Ok(target) => {
                    self.limit(id);
                    let body = Body::Watch { offset: target.offset, comparison, value };
                    if target.rank == rank {
                        self.watch(id, rank, target.offset, comparison, value);
                    } else {
                        self.send(rank, target.rank, id, body);
                    }
                    None
                }
            },
            Op::Fence => {
                self.fence(rank);
                Some(Ok(Value::None))
            }
            Op::Quiet => self.issue_quiet(id, rank),
            Op::Store(_) => {
                self.limit(id);
                self.ask_store(id, rank)
            }
            Op::Cache(_) => {
                self.limit(id);
                self.send(rank, STORE, id, Body::Request);
                None
            }
            Op::ReadLeased { block } => Some(self.read_leased(rank, block)),
            Op::Notify { to, .. } if to >= self.world.ranks => Some(Err(self.unknown_rank(to))),
            Op::Notify { to, .. } => {
                self.limit(id);
                self.send(rank, to, id, Body::Request);
                None
            }
            Op::Receive => {
                self.limit(id);
                self.receive(id, rank)
            }
            Op::Join { task } => match self.tasks.get_mut(task) {
                Some(state) if !state.ended => {
                    state.joiners.push(id);
                    None
                }
                _ => Some(Ok(Value::None)),
            },
        };
        if let Some(outcome) = outcome {
            self.finish(id, outcome);
        }
    }

    fn ask_store(&mut self, op: OpId, rank: u32) -> Option<Outcome> {
        if let Err(error) = self.check_membership(rank) {
            return Some(Err(error));
        }
        self.send(rank, STORE, op, Body::Request);
        None
    }

    fn unknown_rank(&self, rank: u32) -> Error {
        let ranks = self.world.ranks;
        Error::new(ErrorKind::InvalidParam, format!("invalid rank {rank}: must be below {ranks}"))
    }

    fn open_pool(&mut self, rank: u32, bytes: u64) -> Outcome {
        if bytes == 0 || bytes > MAX_SEGMENT {
            let text = format!("invalid contribution of {bytes} bytes: must be 1 to {MAX_SEGMENT}");
            return Err(Error::new(ErrorKind::InvalidParam, text));
        }
        match self.rank(rank) {
            Some(state) if state.segment.is_none() => {
                state.segment = Some(Segment::new(bytes));
                Ok(Value::None)
            }
            _ => Err(Error::new(ErrorKind::RepeatInvoke, "this rank is in the pool already")),
        }
    }

    fn close_pool(&mut self, rank: u32) -> Outcome {
        let Some(state) = self.rank(rank) else { return Ok(Value::None) };
        state.segment = None;
        for watcher in std::mem::take(&mut state.watchers) {
            let error =
                Error::of_rank(ErrorKind::NotConnected, rank, format!("rank {rank} has left the pool"));
            self.reply(watcher.op, rank, Err(error));
        }
        Ok(Value::None)
    }

    /// Resolves a range. The caller must be in the pool, and the range inside of its owner's segment.
    pub(super) fn target(&self, rank: u32, address: u64, bytes: usize) -> Result<Target, Error> {
        let segment = |rank: u32| self.ranks.get(rank as usize).and_then(|state| state.segment.as_ref());
        if segment(rank).is_none() {
            return Err(Error::new(
                ErrorKind::NotStarted,
                format!("rank {rank} is not in the pool: open it first"),
            ));
        }
        let target = Target::of(address).filter(|target| target.rank < self.world.ranks);
        let Some(target) = target else {
            return Err(Error::new(
                ErrorKind::InvalidParam,
                format!("invalid address {address:#x}: not in the pool"),
            ));
        };
        let end = target.offset.saturating_add(bytes as u64);
        // A peer learns by a message that the owner is absent.
        let length = segment(target.rank).map_or(MAX_SEGMENT, |segment| segment.bytes.len() as u64);
        if end > length {
            let Target { rank, offset } = target;
            let text = format!(
                "invalid range of {bytes} bytes at {offset:#x}: the segment of rank {rank} has {length}"
            );
            return Err(Error::new(ErrorKind::InvalidParam, text));
        }
        Ok(target)
    }

    pub(super) fn word_target(&self, rank: u32, address: u64) -> Result<Target, Error> {
        if !address.is_multiple_of(8) {
            let text = format!("invalid address {address:#x} of a word: must be a multiple of 8");
            return Err(Error::new(ErrorKind::InvalidParam, text));
        }
        self.target(rank, address, WHOLE)
    }

    fn issue_put(
        &mut self,
        op: OpId,
        rank: u32,
        source: &[u8],
        address: u64,
        signal: Option<Signal>,
        wait: bool,
    ) -> Option<Outcome> {
        let target = match self.target(rank, address, source.len()) {
            Ok(target) => target,
            Err(error) => return Some(Err(error)),
        };
        let word = match signal.map(|signal| (self.word_target(rank, signal.address), signal.atomic)) {
            None => None,
            Some((Err(error), _)) => return Some(Err(error)),
            Some((Ok(word), _)) if word.rank != target.rank => {
                let text = format!(
                    "the data goes to rank {}, the signal to rank {}: must be one",
                    target.rank, word.rank
                );
                return Some(Err(Error::new(ErrorKind::InvalidParam, text)));
            }
            Some((Ok(word), atomic)) => Some((word, atomic)),
        };
        if target.rank == rank && wait {
            self.write(target, rank, source);
            if let Some((word, atomic)) = word {
                self.change_word(word, rank, atomic);
            }
            return Some(Ok(Value::None));
        }
        // A started put goes on in the background, in an operation of its own.
        let carrier = if wait { op } else { self.background(op, rank) };
        self.limit(carrier);
        self.open_lane(carrier, target.rank);
        let pieces = self.pieces(rank, target.rank, source.len());
        if let Some(state) = self.ops.get_mut(&carrier) {
            state.parts_left = u32::try_from(pieces.len()).unwrap_or(u32::MAX);
        }
        for (at, bytes) in &pieces {
            let piece = source.get(*at..at + bytes).unwrap_or_default().to_vec();
            let offset = target.offset + *at as u64;
            self.send(rank, target.rank, carrier, Body::Write { offset, bytes: piece });
        }
        if pieces.is_empty() {
            self.data_has_landed(carrier, target.rank);
        }
        if wait { None } else { Some(Ok(Value::None)) }
    }

    fn background(&mut self, op: OpId, rank: u32) -> OpId {
        let (op, limit) =
            self.ops.get(&op).map_or((Op::Pause, None), |state| (state.op.clone(), state.limit));
        if let Some(state) = self.rank(rank) {
            state.outstanding += 1;
        }
        self.add_op(rank, None, op, limit)
    }

    /// A started put of `rank` is complete, or has failed.
    pub(super) fn background_ends(&mut self, rank: u32, error: Option<Error>) {
        let Some(state) = self.rank(rank) else { return };
        state.outstanding = state.outstanding.saturating_sub(1);
        if state.failure.is_none() {
            state.failure = error;
        }
        if state.outstanding > 0 || state.quiet.is_empty() {
            return;
        }
        let outcome = state.failure.take().map_or(Ok(Value::None), Err);
        for op in std::mem::take(&mut state.quiet) {
            self.finish(op, outcome.clone());
        }
    }

    fn issue_quiet(&mut self, op: OpId, rank: u32) -> Option<Outcome> {
        let state = self.rank(rank)?;
        if state.outstanding > 0 {
            state.quiet.push(op);
            return None;
        }
        Some(state.failure.take().map_or(Ok(Value::None), Err))
    }

    fn issue_get(&mut self, op: OpId, rank: u32, address: u64, bytes: usize) -> Option<Outcome> {
        let target = match self.target(rank, address, bytes) {
            Ok(target) => target,
            Err(error) => return Some(Err(error)),
        };
        if target.rank == rank || bytes == 0 {
            return Some(Ok(Value::Bytes(self.bytes_at(target, bytes))));
        }
        self.limit(op);
        let pieces = self.pieces(rank, target.rank, bytes);
        if let Some(state) = self.ops.get_mut(&op) {
            state.parts_left = u32::try_from(pieces.len()).unwrap_or(u32::MAX);
            state.read = vec![0; bytes];
        }
        for (at, bytes) in pieces {
            self.send(rank, target.rank, op, Body::Read { offset: target.offset + at as u64, at, bytes });
        }
        None
    }

    /// Cuts a copy of more than a word into one or two pieces, which move at different times.
    fn pieces(&mut self, from: u32, to: u32, bytes: usize) -> Vec<(usize, usize)> {
        if bytes == 0 {
            return Vec::new();
        }
        let mut at = 0;
        if bytes > WHOLE {
            let split = self.choices.draw(Site::link(Kind::Split, from, to), LEVELS, Spread::Rare(250_000));
            at = bytes * split as usize / LEVELS as usize / WHOLE * WHOLE;
        }
        if at == 0 { vec![(0, bytes)] } else { vec![(0, at), (at, bytes - at)] }
    }

    fn receive(&mut self, op: OpId, rank: u32) -> Option<Outcome> {
        let state = self.rank(rank)?;
        if state.inbox.is_empty() {
            state.receivers.push(op);
            return None;
        }
        let (from, message) = state.inbox.remove(0);
        Some(Ok(Value::Message(from, message)))
    }
}
