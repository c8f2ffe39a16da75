// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Barriers: a member enters and is answered when enough are inside, one round trip each.
//!
//! A round begins with the first member that enters a name, and ends when the number of members is inside, or when the
//! first of their deadlines passes. Then all that are inside get the same answer, and the name is free for the next
//! round. A member whose session ends is no longer inside.

use std::collections::{BTreeMap, BTreeSet};

use mf_base::{Kind, Rank};

use super::{Caller, Micros, SessionId, seconds, timeout};
use crate::protocol::Failure;

/// A member inside a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Inside {
    pub(super) caller: Caller,
    pub(super) rank: Rank,
    pub(super) entered: Micros,
}

struct Round {
    members: u32,
    /// Each with its own deadline; the earliest ends the round.
    inside: Vec<(Micros, Inside)>,
}

impl Round {
    fn deadline(&self) -> Option<Micros> {
        self.inside.iter().map(|(deadline, _)| *deadline).min()
    }
}

/// All open rounds. `due` mirrors them: one element for each, with its deadline.
#[derive(Default)]
pub(super) struct Barriers {
    rounds: BTreeMap<String, Round>,
    due: BTreeSet<(Micros, String)>,
}

impl Barriers {
    /// Lets a member in; returns those that the completed round lets go, or none while the round is open.
    pub(super) fn enter(
        &mut self,
        name: &str,
        members: u32,
        inside: Inside,
        deadline: Micros,
    ) -> Result<Vec<Inside>, Failure> {
        let round =
            self.rounds.entry(name.to_owned()).or_insert_with(|| Round { members, inside: Vec::new() });
        if round.members != members {
            return Err(Failure::invalid(format!(
                "barrier \"{name}\" was entered for {} members by others, for {members} by rank {}",
                round.members, inside.rank
            )));
        }
        if round.inside.iter().any(|(_, other)| other.caller.session == inside.caller.session) {
            return Err(Failure::new(
                Kind::RepeatInvoke,
                format!("rank {} is inside barrier \"{name}\" already", inside.rank),
            ));
        }
        let before = round.deadline();
        round.inside.push((deadline, inside));
        let full = round.inside.len() as u64 >= u64::from(members);
        let after = round.deadline();
        self.reschedule(name, before, if full { None } else { after });
        if !full {
            return Ok(Vec::new());
        }
        let round = self.rounds.remove(name);
        Ok(round.into_iter().flat_map(|round| round.inside).map(|(_, inside)| inside).collect())
    }

    pub(super) fn end(&mut self, session: SessionId) {
        let Self { rounds, due } = self;
        rounds.retain(|name, round| {
            let before = round.deadline();
            round.inside.retain(|(_, inside)| inside.caller.session != session);
            let after = round.deadline();
            if before != after {
                due.extend(after.map(|at| (at, name.clone())));
                due.retain(|(at, other)| other != name || Some(*at) == after);
            }
            !round.inside.is_empty()
        });
    }

    pub(super) fn next_deadline(&self) -> Option<Micros> {
        self.due.first().map(|(deadline, _)| *deadline)
    }

    /// Ends the rounds whose deadline passed. `present` tells whether a rank is a member at all.
    pub(super) fn expire(
        &mut self,
        now: Micros,
        world_size: u32,
        present: impl Fn(Rank) -> bool,
    ) -> Vec<(Caller, Failure)> {
        let mut late = Vec::new();
        while self.next_deadline().is_some_and(|deadline| deadline <= now) {
            let Some((_, name)) = self.due.pop_first() else { break };
            let Some(round) = self.rounds.remove(&name) else { continue };
            let failure = timed_out(now, &name, &round, world_size, &present);
            late.extend(round.inside.into_iter().map(|(_, inside)| (inside.caller, failure.clone())));
        }
        late
    }

    fn reschedule(&mut self, name: &str, before: Option<Micros>, after: Option<Micros>) {
        if before != after {
            if let Some(before) = before {
                self.due.remove(&(before, name.to_owned()));
            }
            if let Some(after) = after {
                self.due.insert((after, name.to_owned()));
            }
        }
    }
}

fn timed_out(
    now: Micros,
    name: &str,
    round: &Round,
    world_size: u32,
    present: &impl Fn(Rank) -> bool,
) -> Failure {
    let came: BTreeSet<Rank> = round.inside.iter().map(|(_, inside)| inside.rank).collect();
    let missing: Vec<Rank> = (0..world_size).map(Rank).filter(|rank| !came.contains(rank)).collect();
    let absent: Vec<Rank> = missing.iter().copied().filter(|rank| !present(*rank)).collect();
    let first = round.inside.iter().map(|(_, inside)| inside.entered).min().unwrap_or(now);
    let waited = seconds(now.saturating_sub(first));
    let mut what = format!(
        "barrier \"{name}\": {} of {} members came within {waited}; missing: {}",
        came.len(),
        round.members,
        rank_list(&missing)
    );
    if !absent.is_empty() {
        what += &format!(" (not connected to the store: {})", rank_list(&absent));
    }
    timeout(what)
}

/// `rank 3` or `ranks 0, 2-5`.
fn rank_list(ranks: &[Rank]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for rank in ranks {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == rank.0 => *last = rank.0,
            _ => runs.push((rank.0, rank.0)),
        }
    }
    let texts: Vec<String> = runs
        .into_iter()
        .map(|(first, last)| if first == last { first.to_string() } else { format!("{first}-{last}") })
        .collect();
    let noun = if ranks.len() == 1 { "rank" } else { "ranks" };
    format!("{noun} {}", texts.join(", "))
}
