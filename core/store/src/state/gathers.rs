// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Barriers and allgathers: a member enters and is answered when enough are inside, one round trip each.
//!
//! A round begins with the first member that enters a name, and ends when the number of members is inside, or
//! when the first of their deadlines passes. Then all members inside get the same answer, and the name is
//! free for the next round. When a member's session ends, it is no longer inside.
//!
//! # Stragglers
//! A store may die when some members have seen the end of a round and others have not. Members that saw it
//! report it to the next store (*ended*); a member that enters the name again and knows no revision as late
//! as that round was inside it, and gets its answer. Members that saw the end enter the next round: the
//! revisions that they know are higher than the round.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use mf_base::{Kind, Rank};

use super::timers::Timers;
use super::{Caller, Micros, SessionId};
use crate::api::Part;
use crate::protocol::limits::{MAX_GATHERS_BYTES, MAX_LISTING_BYTES};
use crate::protocol::{Failure, Round};

/// Time to keep reported ends of rounds: stragglers enter with the first messages on their new link.
const KEEP_ENDED_US: Micros = 60_000_000;

/// A member that enters.
pub(super) struct Entrant {
    pub(super) caller: Caller,
    pub(super) rank: Rank,
    pub(super) members: u32,
    /// For an allgather.
    pub(super) value: Option<Vec<u8>>,
    pub(super) entered: Micros,
    pub(super) deadline: Micros,
}

struct Participant {
    caller: Caller,
    value: Option<Vec<u8>>,
    entered: Micros,
    deadline: Micros,
}

struct OpenRound {
    members: u32,
    has_values: bool,
    bytes: usize,
    inside: BTreeMap<u32, Participant>,
    deadlines: BTreeSet<(Micros, u32)>,
}

impl OpenRound {
    fn deadline(&self) -> Option<Micros> {
        self.deadlines.first().map(|(deadline, _)| *deadline)
    }
}

/// End of a round.
#[derive(Debug)]
pub(super) enum RoundEnd {
    /// All members are inside; the round still needs its number.
    Full { callers: Vec<Caller>, round: Round },
    /// It cannot become full.
    Failed { callers: Vec<Caller>, failure: Failure },
}

/// A round past its deadline.
pub(super) struct ExpiredRound {
    pub(super) name: String,
    pub(super) members: u32,
    pub(super) callers: Vec<Caller>,
    /// The ranks inside.
    pub(super) came: BTreeSet<u32>,
    /// When the first member entered.
    pub(super) since: Micros,
}

/// All open rounds. `due` mirrors them: one element for each, with its deadline.
#[derive(Default)]
pub(super) struct Gathers {
    open: HashMap<String, OpenRound>,
    /// Of the values in all of them.
    bytes: usize,
    due: Timers<String>,
    ended: BTreeMap<String, Arc<Round>>,
    forget_ended: Option<Micros>,
}

impl Gathers {
    /// The end of a round that this member was inside of, at the store before this one.
    pub(super) fn missed(&self, name: &str, rank: Rank, after_round: Option<u64>) -> Option<Arc<Round>> {
        let round = self.ended.get(name)?;
        let was_inside = round.ranks.binary_search(&rank.0).is_ok();
        (was_inside && round.round > after_round.unwrap_or(0)).then(|| Arc::clone(round))
    }

    /// Lets a member in; returns how the round ended, if it did.
    pub(super) fn enter(&mut self, name: &str, entering: Entrant) -> Result<Option<RoundEnd>, Failure> {
        let Entrant { caller, rank, members, value, entered, deadline } = entering;
        let round = self.open.get(name);
        if let Some(open) = round {
            check(name, open, members, rank, value.is_some())?;
        }
        let value_bytes = value_bytes(value.as_ref());
        if self.bytes + value_bytes > MAX_GATHERS_BYTES {
            let what = format!(
                "the allgathers that have not ended hold {} bytes, {value_bytes} more would exceed \
                 {MAX_GATHERS_BYTES}",
                self.bytes
            );
            return Err(Failure::new(Kind::NoResources, what).hint("let the open ones end first"));
        }
        let before = round.and_then(OpenRound::deadline);
        let open = self.open.entry(name.to_owned()).or_insert_with(|| OpenRound {
            members,
            has_values: value.is_some(),
            bytes: 0,
            inside: BTreeMap::new(),
            deadlines: BTreeSet::new(),
        });
        open.bytes += value_bytes;
        self.bytes += value_bytes;
        open.inside.insert(rank.0, Participant { caller, value, entered, deadline });
        open.deadlines.insert((deadline, rank.0));
        let too_large = open.bytes > MAX_LISTING_BYTES;
        let ends = too_large || open.inside.len() as u64 >= u64::from(members);
        let after = if ends { None } else { open.deadline() };
        self.reschedule(name, before, after);
        if !ends {
            return Ok(None);
        }
        let Some(open) = self.open.remove(name) else { return Ok(None) };
        self.bytes -= open.bytes;
        let callers = open.inside.values().map(|inside| inside.caller).collect();
        if too_large {
            let failure = Failure::invalid(format!(
                "allgather \"{name}\": the values of {} of {members} members hold more than {} bytes",
                open.inside.len(),
                MAX_LISTING_BYTES
            ))
            .hint("put large values under keys and gather the keys");
            return Ok(Some(RoundEnd::Failed { callers, failure }));
        }
        let mut round = Round { round: 0, ranks: open.inside.keys().copied().collect(), parts: Vec::new() };
        if open.has_values {
            let parts = open.inside.into_iter();
            round.parts = parts
                .map(|(rank, inside)| Part { rank: Rank(rank), value: inside.value.unwrap_or_default() })
                .collect();
        }
        Ok(Some(RoundEnd::Full { callers, round }))
    }

    /// Returns the number of members of an open round.
    pub(super) fn members(&self, name: &str) -> Option<u32> {
        self.open.get(name).map(|open| open.members)
    }

    /// The session of the member that is inside as `rank` has ended.
    pub(super) fn leave(&mut self, name: &str, rank: Rank, session: SessionId) {
        let Some(open) = self.open.get_mut(name) else { return };
        let before = open.deadline();
        let inside = open.inside.get(&rank.0);
        let Some(deadline) =
            inside.filter(|inside| inside.caller.session == session).map(|inside| inside.deadline)
        else {
            return;
        };
        if let Some(inside) = open.inside.remove(&rank.0) {
            let bytes = value_bytes(inside.value.as_ref());
            open.bytes -= bytes;
            self.bytes -= bytes;
        }
        open.deadlines.remove(&(deadline, rank.0));
        let after = open.deadline();
        if open.inside.is_empty() {
            self.open.remove(name);
        }
        self.reschedule(name, before, after);
    }

    /// Learns the end of a round that a member saw.
    pub(super) fn learn(&mut self, now: Micros, name: String, round: Round) {
        self.forget_ended = Some(now.saturating_add(KEEP_ENDED_US));
        if self.ended.get(&name).is_none_or(|known| known.round < round.round) {
            self.ended.insert(name, Arc::new(round));
        }
    }

    pub(super) fn next_deadline(&self) -> Option<Micros> {
        let first = self.due.next();
        first.into_iter().chain(self.forget_ended).min()
    }

    /// Ends the rounds past their deadlines.
    pub(super) fn expire(&mut self, now: Micros) -> Vec<ExpiredRound> {
        if self.forget_ended.is_some_and(|at| at <= now) {
            self.forget_ended = None;
            self.ended.clear();
        }
        let mut late = Vec::new();
        while let Some(name) = self.due.pop(now) {
            let Some(open) = self.open.remove(&name) else { continue };
            self.bytes -= open.bytes;
            late.push(ExpiredRound {
                members: open.members,
                callers: open.inside.values().map(|inside| inside.caller).collect(),
                came: open.inside.keys().copied().collect(),
                since: open.inside.values().map(|inside| inside.entered).min().unwrap_or(now),
                name,
            });
        }
        late
    }

    fn reschedule(&mut self, name: &str, before: Option<Micros>, after: Option<Micros>) {
        if before != after {
            if let Some(before) = before {
                self.due.remove(before, name.to_owned());
            }
            if let Some(after) = after {
                self.due.insert(after, name.to_owned());
            }
        }
    }
}

fn value_bytes(value: Option<&Vec<u8>>) -> usize {
    value.map_or(0, |value| value.len() + 16)
}

fn check(name: &str, open: &OpenRound, members: u32, rank: Rank, has_value: bool) -> Result<(), Failure> {
    if open.members != members {
        return Err(Failure::invalid(format!(
            "barrier \"{name}\" was entered for {} members by others, for {members} by rank {rank}",
            open.members
        )));
    }
    if open.has_values != has_value {
        let (others, this) = if has_value { ("barrier", "allgather") } else { ("allgather", "barrier") };
        return Err(Failure::invalid(format!(
            "\"{name}\" was entered as {others} by others, as {this} by rank {rank}"
        ))
        .hint("use different names"));
    }
    if open.inside.contains_key(&rank.0) {
        return Err(Failure::new(
            Kind::RepeatInvoke,
            format!("rank {rank} is inside barrier \"{name}\" already"),
        ));
    }
    Ok(())
}
