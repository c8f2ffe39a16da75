// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory of the ranks: writes, reads, words, waits for words, and what messages do to them.

use super::layout::Target;
use super::network::{Body, Message};
use super::{Engine, OpId};
use crate::choice::STORE;
use crate::error::{Error, ErrorKind};
use crate::op::{Atomic, Comparison, Op, Signal, Value, bytes_shown};

/// Contribution of one rank, zero at first.
pub(super) struct Segment {
    pub(super) bytes: Vec<u8>,
}

impl Segment {
    #[expect(clippy::cast_possible_truncation, reason = "at most 1 GiB")]
    pub(super) fn new(bytes: u64) -> Self {
        Self { bytes: vec![0; bytes as usize] }
    }

    #[expect(clippy::cast_possible_truncation, reason = "checked against the segment, which is in memory")]
    fn range(&self, offset: u64, bytes: usize) -> Option<&[u8]> {
        self.bytes.get(offset as usize..offset as usize + bytes)
    }

    #[expect(clippy::cast_possible_truncation, reason = "checked against the segment, which is in memory")]
    fn range_mut(&mut self, offset: u64, bytes: usize) -> Option<&mut [u8]> {
        self.bytes.get_mut(offset as usize..offset as usize + bytes)
    }

    fn word(&self, offset: u64) -> u64 {
        self.range(offset, 8).and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_le_bytes)
    }
}

/// Wait for a word.
pub(super) struct Watcher {
    pub(super) op: OpId,
    offset: u64,
    comparison: Comparison,
    value: u64,
}

impl Engine {
    fn segment(&self, rank: u32) -> Option<&Segment> {
        self.ranks.get(rank as usize)?.segment.as_ref()
    }

    pub(super) fn bytes_at(&self, target: Target, bytes: usize) -> Vec<u8> {
        let range = self.segment(target.rank).and_then(|segment| segment.range(target.offset, bytes));
        range.map_or_else(|| vec![0; bytes], <[u8]>::to_vec)
    }

    /// Writes bytes that `by` has put, and wakes waits for words in the range.
    pub(super) fn write(&mut self, target: Target, by: u32, bytes: &[u8]) {
        let Target { rank, offset } = target;
        if let Some(place) =
            self.rank(rank).and_then(|state| state.segment.as_mut()?.range_mut(offset, bytes.len()))
        {
            place.copy_from_slice(bytes);
        }
        self.say(rank, || format!("memory +{offset:#x}: {}, put by rank {by}", bytes_shown(bytes)));
        self.check_watchers(rank);
    }

    /// Changes a word in one step and returns its old value.
    pub(super) fn change_word(&mut self, target: Target, by: u32, atomic: Atomic) -> u64 {
        let Target { rank, offset } = target;
        let old = self.segment(rank).map_or(0, |segment| segment.word(offset));
        let new = atomic.apply(old);
        if let Some(place) = self.rank(rank).and_then(|state| state.segment.as_mut()?.range_mut(offset, 8)) {
            place.copy_from_slice(&new.to_le_bytes());
        }
        if new != old {
            self.say(rank, || format!("memory +{offset:#x}: word {old} becomes {new}, by rank {by}"));
            self.check_watchers(rank);
        }
        old
    }

    pub(super) fn watch(&mut self, op: OpId, rank: u32, offset: u64, comparison: Comparison, value: u64) {
        if let Some(state) = self.rank(rank) {
            state.watchers.push(Watcher { op, offset, comparison, value });
        }
        self.check_watchers(rank);
    }

    fn check_watchers(&mut self, rank: u32) {
        let Some(state) = self.rank(rank) else { return };
        let Some(segment) = state.segment.as_ref() else { return };
        let holds = |watcher: &Watcher| watcher.comparison.holds(segment.word(watcher.offset), watcher.value);
        let (met, waiting): (Vec<_>, Vec<_>) =
            std::mem::take(&mut state.watchers).into_iter().partition(|watcher| holds(watcher));
        let met: Vec<_> = met.iter().map(|watcher| (watcher.op, segment.word(watcher.offset))).collect();
        state.watchers = waiting;
        for (op, word) in met {
            self.reply(op, rank, Ok(Value::Word(word)));
        }
    }

    /// A word for an error.
    pub(super) fn word_shown(&self, address: u64) -> String {
        let word =
            Target::of(address).and_then(|target| Some(self.segment(target.rank)?.word(target.offset)));
        word.map_or_else(|| "the word is gone".into(), |word| format!("the word is {word}"))
    }

    /// Executes a message at its target.
    pub(super) fn deliver(&mut self, message: Message) {
        let Message { from, to, op, body } = message;
        if to != STORE && !matches!(body, Body::Request) && self.segment(to).is_none() {
            let error = Error::of_rank(ErrorKind::NotConnected, to, format!("rank {to} is not in the pool"));
            self.reply(op, to, Err(error));
            return;
        }
        match body {
            Body::Write { offset, bytes } => {
                self.write(Target { rank: to, offset }, from, &bytes);
                if self.part_is_last(op) {
                    self.data_has_landed(op, to);
                }
            }
            Body::Signal { offset, atomic } => {
                self.change_word(Target { rank: to, offset }, from, atomic);
                self.writes_are_done(op, to, Value::None);
            }
            Body::Atomic { offset, atomic } => {
                let old = self.change_word(Target { rank: to, offset }, from, atomic);
                self.writes_are_done(op, to, Value::Word(old));
            }
            Body::Read { offset, at, bytes } => {
                let read = self.bytes_at(Target { rank: to, offset }, bytes);
                if let Some(place) =
                    self.ops.get_mut(&op).and_then(|state| state.read.get_mut(at..at + bytes))
                {
                    place.copy_from_slice(&read);
                }
                if self.part_is_last(op) {
                    let read = self.ops.get_mut(&op).map(|state| std::mem::take(&mut state.read));
                    self.reply(op, to, Ok(Value::Bytes(read.unwrap_or_default())));
                }
            }
            Body::Watch { offset, comparison, value } => self.watch(op, to, offset, comparison, value),
            Body::Request => match self.ops.get(&op).map(|state| state.op.clone()) {
                Some(Op::Store(request)) => self.store_executes(op, from, request),
                Some(Op::Cache(request)) => self.cache_executes(op, from, request),
                Some(Op::Notify { message, .. }) => self.notified(op, from, to, message),
                _ => {}
            },
        }
    }

    fn part_is_last(&mut self, op: OpId) -> bool {
        let Some(state) = self.ops.get_mut(&op) else { return false };
        state.parts_left = state.parts_left.saturating_sub(1);
        state.parts_left == 0
    }

    /// All data of a put is in place: its signal follows, or it is done.
    pub(super) fn data_has_landed(&mut self, op: OpId, to: u32) {
        let Some(state) = self.ops.get(&op) else { return };
        let rank = state.rank;
        match &state.op {
            Op::Put { signal: Some(Signal { address, atomic }), .. } => {
                let (offset, atomic) = (Target::of(*address).map_or(0, |target| target.offset), *atomic);
                self.send(rank, to, op, Body::Signal { offset, atomic });
            }
            _ => self.writes_are_done(op, to, Value::None),
        }
    }

    fn writes_are_done(&mut self, op: OpId, to: u32, value: Value) {
        self.close_lane(op);
        self.reply(op, to, Ok(value));
    }

    fn notified(&mut self, op: OpId, from: u32, to: u32, message: Vec<u8>) {
        self.reply(op, to, Ok(Value::None));
        let Some(state) = self.rank(to) else { return };
        state.inbox.push((from, message));
        let receivers = std::mem::take(&mut state.receivers);
        let mut waiting =
            receivers.into_iter().filter(|op| self.ops.contains_key(op)).collect::<Vec<_>>().into_iter();
        let receiver = waiting.next();
        let rest: Vec<_> = waiting.collect();
        let Some(state) = self.rank(to) else { return };
        state.receivers = rest;
        if let Some(receiver) = receiver {
            let (from, message) = state.inbox.remove(0);
            self.finish(receiver, Ok(Value::Message(from, message)));
        }
    }
}
