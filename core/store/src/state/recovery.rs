// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Recovery: takes over from a store that died, waits for its members to resume, and decides when to stop
//! waiting.
//!
//! The first member of another store that resumes at a store without members begins the recovery. Each sends
//! its replicas; they are merged at the end only, because only then is the highest term known; only its
//! members count. Members of lower terms were given up by a later store than theirs.
//!
//! The recovery ends when
//! * as many members have sent everything as the latest standing counts, or
//! * exactly one is missing, the member that ran the former store, and no member arrived for a short while,
//!   or
//! * the recovery limit has passed. A member that still sends then may take that long between two messages,
//!   and at most four limits in all.
//!
//! Newcomers wait for the end, and so do requests of guests that were here before.

use std::collections::BTreeMap;

use mf_base::Kind;

use super::ranks::Arrival;
use super::{LinkId, Micros, SessionId};
use crate::api::LeaseId;
use crate::protocol::{Failure, Kept, Memory, OneWay, Resume, Round, Standing};

/// Most bytes of the replicas of all members.
const MAX_REPORTED_BYTES: usize = 2 << 30;
/// Most recovery limits that a recovery takes.
const MOST_LIMITS: u64 = 4;

/// Replicas and other state that a member sends.
#[derive(Debug, Default)]
pub(super) struct MemberReport {
    pub(super) kept: Vec<Kept>,
    pub(super) holding: Vec<(String, u64)>,
    pub(super) leases: Vec<(LeaseId, u64)>,
    pub(super) rounds: Vec<(String, Round)>,
    bytes: usize,
}

/// A member of the store before.
pub(super) struct Resumer {
    pub(super) link: Option<LinkId>,
    pub(super) arrival: Box<Arrival>,
    pub(super) resume: Resume,
    pub(super) report: MemberReport,
    pub(super) complete: bool,
}

impl Resumer {
    pub(super) fn new(link: LinkId, arrival: Box<Arrival>, resume: Resume) -> Self {
        Self { link: Some(link), arrival, resume, report: MemberReport::default(), complete: false }
    }

    /// Of two claims the later one is right.
    fn age(&self) -> (u64, u64) {
        (self.resume.term, self.resume.standing.epoch)
    }
}

/// A link that asks for membership during the recovery.
pub(super) struct Newcomer {
    pub(super) link: LinkId,
    pub(super) arrival: Box<Arrival>,
    pub(super) arrived: Micros,
}

/// Outcome of a claim.
#[derive(Debug, Default)]
pub(super) struct ClaimOutcome {
    /// Claims that lost.
    pub(super) refused: Vec<(LinkId, Failure)>,
    /// The link that a client had before this one.
    pub(super) replaced: Option<LinkId>,
}

#[derive(Debug, Default)]
struct Count {
    members: u32,
    incomplete: u32,
}

/// A recovery that runs. `by_rank` and `counts` (by term) mirror `resumers`.
pub(super) struct Recovery {
    began: Micros,
    last_arrival: Micros,
    last_word: Micros,
    limit_us: Micros,
    quiet_us: Micros,
    /// The highest term, and the latest standing of it.
    term: u64,
    standing: Standing,
    resumers: BTreeMap<SessionId, Resumer>,
    by_rank: BTreeMap<u32, SessionId>,
    counts: BTreeMap<u64, Count>,
    /// Members that left meanwhile.
    left: u32,
    reported_bytes: usize,
    /// The world size according to the first member.
    world: Option<u32>,
    pub(super) newcomers: Vec<Newcomer>,
}

impl Recovery {
    pub(super) fn new(now: Micros, limit_us: Micros, quiet_us: Micros) -> Self {
        Self {
            began: now,
            last_arrival: now,
            last_word: now,
            limit_us,
            quiet_us,
            term: 0,
            standing: Standing::default(),
            resumers: BTreeMap::new(),
            by_rank: BTreeMap::new(),
            counts: BTreeMap::new(),
            left: 0,
            reported_bytes: 0,
            world: None,
            newcomers: Vec::new(),
        }
    }

    /// The highest term that was received.
    pub(super) fn term(&self) -> u64 {
        self.term
    }

    /// Returns the number of expected members, and of members that have sent everything.
    pub(super) fn progress(&self) -> (u32, u32) {
        let report = self.counts.get(&self.term).map_or(0, |count| count.members);
        (self.standing.members.saturating_sub(self.left), report)
    }

    /// Checks that all members are of the same world.
    pub(super) fn agree(&mut self, world_size: u32) -> Result<(), Failure> {
        match *self.world.get_or_insert(world_size) {
            world if world == world_size => Ok(()),
            world => Err(Failure::invalid(format!(
                "the world size is {world_size} here and {world} among the other members"
            ))),
        }
    }

    /// A member of another store resumes.
    pub(super) fn claim(&mut self, now: Micros, session: SessionId, resumer: Resumer) -> ClaimOutcome {
        let mut claimed = ClaimOutcome::default();
        let Some(link) = resumer.link else { return claimed };
        let age = resumer.age();
        if let Some(other) = self.resumers.get(&session) {
            if other.arrival.join.key == resumer.arrival.join.key {
                claimed.replaced = self.remove(session).and_then(|before| before.link);
            } else if other.age() >= age {
                claimed.refused.push((link, claims_another(session)));
                return claimed;
            } else {
                claimed.refused.extend(self.evict(session, claims_another(session)));
            }
        }
        if let Some(rank) = resumer.resume.rank
            && let Some(holder) = self.by_rank.get(&rank).copied()
        {
            let text = |session: SessionId| {
                let what = format!("rank {rank} is claimed by session {session} as well");
                Failure::new(Kind::Duplicated, what)
            };
            if self.resumers.get(&holder).is_some_and(|other| other.age() >= age) {
                claimed.refused.push((link, text(holder)));
                return claimed;
            }
            claimed.refused.extend(self.evict(holder, text(session)));
        }
        self.last_arrival = now;
        self.last_word = now;
        if age >= (self.term, self.standing.epoch) {
            self.term = age.0;
            self.standing = resumer.resume.standing;
        }
        if let Some(rank) = resumer.resume.rank {
            self.by_rank.insert(rank, session);
        }
        self.counts.entry(resumer.resume.term).or_default().incomplete += 1;
        self.resumers.insert(session, resumer);
        claimed
    }

    /// A member sends state. The error is why its link must be closed.
    pub(super) fn one_way(
        &mut self,
        now: Micros,
        session: SessionId,
        one_way: OneWay,
    ) -> Result<(), &'static str> {
        let Some(resumer) = self.resumers.get_mut(&session) else { return Ok(()) };
        if resumer.complete {
            return Ok(());
        }
        self.last_word = now;
        let report = &mut resumer.report;
        let before = report.bytes;
        match one_way {
            OneWay::Kept(kept) => {
                report.bytes += kept.iter().map(kept_bytes).sum::<usize>();
                report.kept.extend(kept);
            }
            OneWay::Holding(holding) => {
                report.bytes += holding.iter().map(|(name, _)| name.len() + 32).sum::<usize>();
                report.holding.extend(holding);
            }
            OneWay::Leases(leases) => {
                report.bytes += leases.len() * 16;
                report.leases.extend(leases);
            }
            OneWay::Rounds(rounds) => {
                report.bytes +=
                    rounds.iter().map(|(name, round)| name.len() + round_bytes(round)).sum::<usize>();
                report.rounds.extend(rounds);
            }
            OneWay::Complete => {
                resumer.complete = true;
                let is_member = resumer.resume.rank.is_some();
                self.last_arrival = now;
                if let Some(count) = self.counts.get_mut(&resumer.resume.term) {
                    count.incomplete -= 1;
                    count.members += u32::from(is_member);
                }
            }
            OneWay::Forgotten(_) => {}
        }
        self.reported_bytes += resumer.report.bytes - before;
        if self.reported_bytes > MAX_REPORTED_BYTES {
            Err("members remember more than the store can hold")
        } else {
            Ok(())
        }
    }

    /// The link of a member ended. A member that has sent everything may resume once the recovery has ended;
    /// the others must begin again.
    pub(super) fn end(&mut self, session: SessionId, link: LinkId, in_order: bool) {
        let Some(resumer) = self.resumers.get_mut(&session).filter(|resumer| resumer.link == Some(link))
        else {
            return;
        };
        if !in_order && resumer.complete {
            resumer.link = None;
            return;
        }
        let left = self.remove(session);
        let is_member = left.is_some_and(|left| left.resume.rank.is_some() && left.resume.term == self.term);
        if in_order && is_member {
            self.left += 1;
        }
    }

    pub(super) fn withdraw(&mut self, link: LinkId) {
        self.newcomers.retain(|newcomer| newcomer.link != link);
    }

    pub(super) fn deadline(&self) -> Micros {
        let (expected, report) = self.progress();
        let incomplete = self.counts.get(&self.term).map_or(0, |count| count.incomplete);
        if incomplete == 0 && report >= expected && !self.resumers.is_empty() {
            return 0;
        }
        let limit = self.began.saturating_add(self.limit_us);
        if incomplete > 0 {
            let most = self.began.saturating_add(self.limit_us.saturating_mul(MOST_LIMITS));
            return limit.max(self.last_word.saturating_add(self.limit_us).min(most));
        }
        let host_is_missing =
            self.standing.host_session.is_some_and(|host| !self.resumers.contains_key(&host));
        if host_is_missing && report + 1 == expected {
            return limit.min(self.last_arrival.saturating_add(self.quiet_us));
        }
        // All members left in order: there is nothing to wait for.
        if self.resumers.is_empty() && expected == 0 { 0 } else { limit }
    }

    /// Members of the highest term, and the others.
    pub(super) fn finish(&mut self) -> (BTreeMap<SessionId, Resumer>, Vec<Resumer>) {
        let term = self.term;
        let resumers = std::mem::take(&mut self.resumers);
        let (good, bad): (BTreeMap<_, _>, BTreeMap<_, _>) =
            resumers.into_iter().partition(|(_, resumer)| resumer.complete && resumer.resume.term == term);
        (good, bad.into_values().collect())
    }

    fn evict(&mut self, session: SessionId, failure: Failure) -> Option<(LinkId, Failure)> {
        let link = self.remove(session)?.link?;
        Some((link, failure))
    }

    fn remove(&mut self, session: SessionId) -> Option<Resumer> {
        let resumer = self.resumers.remove(&session)?;
        if let Some(rank) = resumer.resume.rank {
            self.by_rank.remove(&rank);
        }
        self.reported_bytes -= resumer.report.bytes;
        if let Some(count) = self.counts.get_mut(&resumer.resume.term) {
            match resumer.complete {
                true => count.members -= u32::from(resumer.resume.rank.is_some()),
                false => count.incomplete -= 1,
            }
        }
        Some(resumer)
    }
}

/// The error for a client that cannot prove its session.
pub(super) fn claims_another(session: SessionId) -> Failure {
    Failure::invalid(format!("this client claims the session of another, {session}"))
}

fn kept_bytes(kept: &Kept) -> usize {
    let value = match &kept.what {
        Memory::Value { bytes, .. } | Memory::Piece { bytes, .. } => bytes.len(),
        Memory::Deletion => 0,
    };
    kept.key.len() + value + size_of::<Kept>()
}

fn round_bytes(round: &Round) -> usize {
    round.ranks.len() * 4 + round.parts.iter().map(|part| part.value.len() + 32).sum::<usize>()
}
