// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Barriers and allgathers: a round ends when enough members are inside, or when the first of their deadlines
//! passes; then all inside get the same answer.

use std::collections::BTreeMap;

use crate::choice::STORE;
use crate::engine::{Engine, OpId};
use crate::error::{Error, ErrorKind};
use crate::op::{Outcome, Value};

/// Most ranks that an error lists.
const NAMED: usize = 8;

#[derive(Default)]
pub(super) struct Round {
    members: u32,
    inside: BTreeMap<u32, (OpId, Option<Vec<u8>>)>,
}

impl Engine {
    /// Enters a round. `None`: the operation waits for the others.
    pub(super) fn meet(
        &mut self,
        op: OpId,
        rank: u32,
        name: &str,
        members: u32,
        value: Option<Vec<u8>>,
    ) -> Option<Outcome> {
        let members = if members == 0 { self.world.ranks } else { members };
        let invalid = |text: String| Some(Err(Error::new(ErrorKind::InvalidParam, text)));
        if members > self.world.ranks {
            return invalid(format!(
                "invalid number of members {members}: the world has {}",
                self.world.ranks
            ));
        }
        let round = self.store.rounds.entry(name.to_owned()).or_default();
        if round.inside.is_empty() {
            round.members = members;
        } else if round.members != members {
            let others = round.members;
            return invalid(format!(
                "this member passes {members} members, others {others}: must be the same"
            ));
        }
        if round.inside.contains_key(&rank) {
            return Some(Err(Error::new(ErrorKind::RepeatInvoke, "this member is inside already")));
        }
        round.inside.insert(rank, (op, value));
        if round.inside.len() < members as usize {
            return None;
        }
        let round = self.store.rounds.remove(name)?;
        self.say_of_all(|| format!("store: {members} members have met at {name:?}"));
        let parts: Vec<_> =
            round.inside.iter().filter_map(|(rank, (_, value))| Some((*rank, value.clone()?))).collect();
        for (op, value) in round.inside.into_values() {
            let value = if value.is_some() { Value::Parts(parts.clone()) } else { Value::None };
            self.reply(op, STORE, Ok(value));
        }
        None
    }

    /// Fails the round of an operation at its deadline.
    pub(super) fn meet_deadline(&mut self, op: OpId, name: &str) {
        let is_inside = |round: &Round| round.inside.values().any(|(inside, _)| *inside == op);
        if !self.store.rounds.get(name).is_some_and(is_inside) {
            let text = "the store did not answer in time";
            self.finish(op, Err(Error::new(ErrorKind::Timeout, text)));
            return;
        }
        let Some(round) = self.store.rounds.remove(name) else { return };
        let missing: Vec<u32> =
            (0..self.world.ranks).filter(|rank| !round.inside.contains_key(rank)).collect();
        let named: Vec<String> = missing
            .iter()
            .take(NAMED)
            .map(
                |rank| {
                    if self.is_dead(*rank) { format!("rank {rank} (lost)") } else { format!("rank {rank}") }
                },
            )
            .collect();
        let more = if missing.len() > NAMED { ", …" } else { "" };
        let count = round.members as usize - round.inside.len();
        let text = format!("{count} of {} members are missing: {}{more}", round.members, named.join(", "));
        let first = missing.first().copied().unwrap_or_default();
        for (inside, _) in round.inside.into_values() {
            let error = Error::of_rank(ErrorKind::Timeout, first, text.clone());
            if inside == op { self.finish(inside, Err(error)) } else { self.reply(inside, STORE, Err(error)) }
        }
    }

    /// Takes a member out of its rounds when its session ends.
    pub(super) fn leave_meets(&mut self, rank: u32) {
        for round in self.store.rounds.values_mut() {
            round.inside.remove(&rank);
        }
        self.store.rounds.retain(|_, round| !round.inside.is_empty());
    }
}
