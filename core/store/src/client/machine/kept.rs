// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Replicas that this member keeps for a store that starts empty: its acknowledged writes and deletions, keys
//! handed over by members that left, its locks and leases, and the last rounds that it took part in.
//!
//! Of a key it keeps at most one *base* (a value or a deletion) and the pieces that were appended since, in
//! the order of their revisions. The store reports when another member has written the key; until then
//! nothing is dropped. Only deletions and leases, which are small but may never end, and rounds are bounded
//! by number: the oldest are dropped.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use crate::api::{LeaseId, Lifetime};
use crate::protocol::{Answer, Kept, Memory, OneWay, Request, Round};

/// Bytes of keys and values in one message, unless a single key has more.
const REPORT_BYTES: usize = 1 << 20;
const MAX_DELETIONS: usize = 1 << 16;
const MAX_LEASES: usize = 1 << 16;
const MAX_ROUNDS: usize = 16;
const MAX_ROUNDS_BYTES: usize = 1 << 20;

/// Everything that one member remembers.
#[derive(Debug, Default)]
pub(super) struct Memories {
    /// By revision, ascending; never empty.
    keys: BTreeMap<String, Vec<(u64, Memory)>>,
    /// The deletions among them, oldest first.
    deletions: BTreeSet<(u64, String)>,
    /// Locks with their fencing numbers.
    held: BTreeMap<String, u64>,
    /// Leases with their times to live.
    leases: BTreeMap<LeaseId, u64>,
    /// The last one to end is at the back.
    rounds: VecDeque<(String, Arc<Round>)>,
}

impl Memories {
    /// The store answered `request`; the written value becomes a replica. Its writes below the revision
    /// `superseded` are dropped already.
    pub(super) fn acknowledged(&mut self, request: &mut Request, answer: &Answer, superseded: u64) {
        let Some((key, revision, what)) = self.kept_of(request, answer) else { return };
        match what {
            _ if revision < superseded => {}
            Some(what) => self.keep(Kept { key, revision, what }, false),
            None => self.supersede(&key, revision),
        }
    }

    /// The key and revision of a write, and what of it to keep; what does not concern a key is handled here.
    fn kept_of(&mut self, request: &mut Request, answer: &Answer) -> Option<(String, u64, Option<Memory>)> {
        match (request, answer) {
            (Request::Set { key, value, lifetime }, Answer::Revision(revision)) => {
                let value = Memory::Value { bytes: std::mem::take(value), lifetime: *lifetime };
                Some((std::mem::take(key), *revision, Some(value)))
            }
            (Request::CompareAndSwap { key, new, lifetime, .. }, Answer::Swap(swap)) if swap.swapped => {
                let revision = swap.current.as_ref()?.revision;
                let value = Memory::Value { bytes: std::mem::take(new), lifetime: *lifetime };
                Some((std::mem::take(key), revision, Some(value)))
            }
            (Request::Add { key, .. }, Answer::Sum { sum, revision }) => {
                let bytes = sum.to_string().into_bytes();
                let value = Memory::Value { bytes, lifetime: Lifetime::Permanent };
                Some((std::mem::take(key), *revision, Some(value)))
            }
            (Request::Append { key, value }, Answer::Appended { offset, revision }) => {
                let piece = Memory::Piece { offset: *offset, bytes: std::mem::take(value) };
                Some((std::mem::take(key), *revision, Some(piece)))
            }
            (Request::Delete { key }, Answer::Deleted { revision: Some(revision), remember }) => {
                Some((std::mem::take(key), *revision, remember.then_some(Memory::Deletion)))
            }
            (Request::Lock { name, .. }, Answer::Locked(Some(fence))) => {
                self.held.insert(std::mem::take(name), *fence);
                None
            }
            (Request::Unlock { name }, Answer::Done) => {
                self.held.remove(name);
                None
            }
            (Request::Grant { ttl_us }, Answer::Lease(lease)) => {
                self.leases.insert(*lease, *ttl_us);
                while self.leases.len() > MAX_LEASES {
                    self.leases.pop_first();
                }
                None
            }
            (Request::Revoke { lease }, Answer::Revoked(_)) => {
                self.end_lease(*lease);
                None
            }
            (Request::Gather { name, .. }, Answer::Gathered(round)) => {
                self.end_round(std::mem::take(name), round);
                None
            }
            _ => None,
        }
    }

    /// The store has no object that `request` names; returns whether this member held it.
    pub(super) fn ended(&mut self, request: &Request) -> bool {
        match request {
            Request::Unlock { name } => self.held.remove(name).is_some(),
            Request::KeepAlive { lease } => self.end_lease(*lease),
            _ => false,
        }
    }

    fn end_lease(&mut self, lease: LeaseId) -> bool {
        self.keys.retain(|_, kept| {
            kept.retain(|(_, what)| {
                !matches!(what, Memory::Value { lifetime: Lifetime::Lease(of), .. } if *of == lease)
            });
            !kept.is_empty()
        });
        self.leases.remove(&lease).is_some()
    }

    fn end_round(&mut self, name: String, round: &Arc<Round>) {
        self.rounds.retain(|(other, _)| *other != name);
        if round_bytes(&name, round) > MAX_ROUNDS_BYTES {
            return;
        }
        self.rounds.push_back((name, Arc::clone(round)));
        while self.rounds.len() > MAX_ROUNDS || self.rounds_bytes() > MAX_ROUNDS_BYTES {
            self.rounds.pop_front();
        }
    }

    fn rounds_bytes(&self) -> usize {
        self.rounds.iter().map(|(name, round)| round_bytes(name, round)).sum()
    }

    /// Keeps replicas handed over by the store: keys of a member that left, or a more complete form of a
    /// write of this member.
    pub(super) fn keep_handed(&mut self, kept: Kept) {
        self.keep(kept, true);
    }

    fn keep(&mut self, Kept { key, revision, what }: Kept, is_handed: bool) {
        let kept = self.keys.entry(key.clone()).or_default();
        let outlived = kept.iter().any(|(other, memory)| match memory {
            // The whole value contains the piece; for an own write a known revision is nothing new.
            _ if *other == revision => !is_handed,
            Memory::Piece { .. } => false,
            Memory::Value { .. } | Memory::Deletion => *other > revision,
        });
        if outlived {
            return;
        }
        if !matches!(what, Memory::Piece { .. }) {
            let deletions = &mut self.deletions;
            for (older, _) in kept.extract_if(.., |(other, _)| *other <= revision) {
                deletions.remove(&(older, key.clone()));
            }
        }
        if what == Memory::Deletion {
            self.deletions.insert((revision, key));
        }
        match kept.last_mut() {
            Some((last, memory)) if *last + 1 == revision && extends(memory, &what) => {
                *last = revision;
                join(memory, what);
            }
            _ => {
                let at = kept.partition_point(|(other, _)| *other < revision);
                kept.insert(at, (revision, what));
            }
        }
        self.bound_deletions();
    }

    fn bound_deletions(&mut self) {
        while self.deletions.len() > MAX_DELETIONS {
            let Some((revision, key)) = self.deletions.pop_first() else { return };
            self.supersede(&key, revision + 1);
        }
    }

    /// Forgets values of a key older than `revision`.
    pub(super) fn supersede(&mut self, key: &str, revision: u64) {
        let Some(kept) = self.keys.get_mut(key) else { return };
        for (older, _) in kept.extract_if(.., |(kept, _)| *kept < revision) {
            self.deletions.remove(&(older, key.to_owned()));
        }
        if kept.is_empty() {
            self.keys.remove(key);
        }
    }

    /// Everything, in messages of bounded size.
    pub(super) fn report(&self) -> Vec<OneWay> {
        let mut messages = Vec::new();
        let mut part = Vec::new();
        let mut part_bytes = 0;
        for (key, kept) in &self.keys {
            let bytes: usize = kept.iter().map(|(_, what)| key.len() + memory_bytes(what)).sum();
            if part_bytes + bytes > REPORT_BYTES && !part.is_empty() {
                messages.push(OneWay::Kept(std::mem::take(&mut part)));
                part_bytes = 0;
            }
            part_bytes += bytes;
            part.extend(kept.iter().map(|(revision, what)| Kept {
                key: key.clone(),
                revision: *revision,
                what: what.clone(),
            }));
        }
        if !part.is_empty() {
            messages.push(OneWay::Kept(part));
        }
        // A part of either is bounded so that it fits into a frame with room to spare.
        let held: Vec<_> = self.held.iter().map(|(name, fence)| (name.clone(), *fence)).collect();
        messages.extend(held.chunks(REPORT_BYTES / 1100).map(|part| OneWay::Holding(part.to_vec())));
        let leases: Vec<_> = self.leases.iter().map(|(lease, ttl_us)| (*lease, *ttl_us)).collect();
        messages.extend(leases.chunks(REPORT_BYTES / 32).map(|part| OneWay::Leases(part.to_vec())));
        if !self.rounds.is_empty() {
            let rounds = self.rounds.iter().map(|(name, round)| (name.clone(), (**round).clone()));
            messages.push(OneWay::Rounds(rounds.collect()));
        }
        messages.push(OneWay::Complete);
        messages
    }
}

/// Returns true if `piece` begins at the end of `memory`.
fn extends(memory: &Memory, piece: &Memory) -> bool {
    let Memory::Piece { offset, .. } = piece else { return false };
    let end = match memory {
        Memory::Value { bytes, .. } => bytes.len() as u64,
        Memory::Piece { offset, bytes } => *offset + bytes.len() as u64,
        Memory::Deletion => return false,
    };
    end == *offset
}

fn join(memory: &mut Memory, piece: Memory) {
    if let (Memory::Value { bytes, .. } | Memory::Piece { bytes, .. }, Memory::Piece { bytes: more, .. }) =
        (memory, piece)
    {
        bytes.extend(more);
    }
}

fn memory_bytes(what: &Memory) -> usize {
    32 + match what {
        Memory::Value { bytes, .. } | Memory::Piece { bytes, .. } => bytes.len(),
        Memory::Deletion => 0,
    }
}

fn round_bytes(name: &str, round: &Round) -> usize {
    let parts: usize = round.parts.iter().map(|part| part.value.len() + 16).sum();
    name.len() + round.ranks.len() * 8 + parts
}
