// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Explanation of a member's route to another one, answered by the member itself.
//!
//! Only the member knows its mappings and its open routes, so `mf explain` asks it through the store: a
//! [`Question`] under a key below the member's record, which the members of a pool watch anyway, and the
//! [`Explanation`] under another key. Both keys go with a lease. Explaining opens no connection and moves
//! nothing. [`row`]: the same towards all members at once, in short.

pub mod row;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use mf_base::os::thread;
use mf_base::settings::settings;
use mf_base::{Error, Kind, MemKind, Rank, Result};
use mf_net::choice::{Candidate, Decision, Engine, Tag, decide};
use mf_store::{Change, Lifetime};
use mf_transport::Reach;
use serde::{Deserialize, Serialize};

use self::row::{Cell, Row, RowQuestion};
use super::Pool;
use super::member_record::MemberRecord;
use super::protocol::{decode, encode};
use crate::space::{PoolPlace, Presence};
use crate::transfer::choose_transport::candidates;

const OP: &str = "pool explain";

/// Time that questions and answers stay in the store.
pub const MESSAGE_LIFETIME: Duration = Duration::from_secs(60);
/// Mapped memory ranks above every transport.
const MAPPED_SCORE: u32 = 1_000_000;
/// Most questions that are answered at a time.
const ANSWERERS_MAX: u32 = 4;

/// The memories of a copy; the first end is in the member that answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The other member.
    pub to: u32,
    /// True if the own end is device memory.
    pub from_device: bool,
    /// True if the other end is device memory.
    pub to_device: bool,
}

/// Report on one engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineReport {
    /// Its name.
    pub engine: String,
    /// True if this engine copies.
    pub is_chosen: bool,
    /// Its score, if it reaches the other member.
    pub score: Option<u32>,
    /// The reason.
    pub text: String,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// The requested engines towards the other member: names, or `auto`.
    pub asked: String,
    /// True if a tag rule requests them.
    pub by_rule: bool,
    /// Tags of both members; empty if unset.
    pub tags: [String; 2],
    /// True if only requested engines may be used (`MF_STRICT_ENGINE`).
    pub is_strict: bool,
    /// The engines that were considered.
    pub engines: Vec<EngineReport>,
    /// The warning about a requested engine that is not used.
    pub warning: Option<String>,
    /// Why no engine copies.
    pub error: Option<String>,
    /// Note on the use of device memory.
    pub note: Option<String>,
}

impl Question {
    /// Returns the key of the question with this number to `from`.
    pub fn key(pool: u32, from: Rank, number: u64) -> String {
        format!("{}/ask/{number}", MemberRecord::key(pool, from))
    }

    /// Returns the key of its answer.
    pub fn answer_key(pool: u32, from: Rank, number: u64) -> String {
        format!(".mf/pool/{pool}/answer/{from}/{number}")
    }
}

/// Which engine copies between this member's memory and another's, and why; opens no connection. One or
/// two round trips to the store.
///
/// # Errors
/// Settings that are unusable.
fn explain_route(pool: &Pool, question: Question) -> Result<Explanation> {
    let to = Rank(question.to);
    let is_strict = settings()?.strict_engine;
    let mapped = mapped_engine(pool, &question);
    let member = match &mapped.reach {
        Err(_) => pool.remote_member(PoolPlace { kind: kind(question.to_device), rank: to, offset: 0 }, 1),
        Ok(_) => None,
    };
    let theirs = tag_of(pool, to)?;
    let mut engines = vec![mapped];
    let mut obstacle = None;
    if let (Some(member), Some(network)) = (&member, pool.remote.network()) {
        match network.routes(member.peer).and_then(|routes| candidates(&routes)) {
            Ok(more) => engines.extend(more),
            Err(error) => obstacle = Some(error.to_string()),
        }
    }
    let decision = decide(&pool.me().engines, &theirs, &engines, is_strict);
    let asked = pool.me().engines.towards(&theirs);
    let is_staged =
        (question.from_device || question.to_device) && pool.segments.devices.accelerator().is_some();
    let note = |decision: &Decision| {
        (is_staged && !decision.engine.is_mapped())
            .then(|| "device memory passes through pinned host memory at both ends".to_owned())
    };
    Ok(Explanation {
        asked: asked.to_string(),
        by_rule: pool.me().engines.rules.of_pair(&pool.me().engines.tag, &theirs).is_some(),
        tags: [pool.me().engines.tag.as_str().to_owned(), theirs.as_str().to_owned()],
        is_strict,
        warning: decision.as_ref().ok().and_then(|decision| {
            let other = decision.instead_of.as_ref()?;
            Some(other.text(decision.engine, to))
        }),
        note: decision.as_ref().ok().and_then(note),
        engines: reports(&decision, &engines),
        error: decision.err().map(|error| obstacle.unwrap_or_else(|| error.to_string())),
    })
}

/// Selects the engine between this member's memory and each member's of the pool; opens no connection. Up
/// to one round trip to the store for each member.
///
/// # Errors
/// Settings that are unusable.
fn explain_row(pool: &Pool, question: RowQuestion) -> Result<Row> {
    let towards = |to: Rank| {
        let RowQuestion { from_device, to_device } = question;
        explain_route(pool, Question { to: to.0, from_device, to_device })
            .map(|explanation| Cell::new(to, explanation))
    };
    pool.members().into_iter().map(towards).collect()
}

/// Reports the engine for mapped memory, or the reason that the memory is not mapped here.
fn mapped_engine(pool: &Pool, question: &Question) -> Candidate {
    let to = Rank(question.to);
    let on_device =
        (question.from_device || question.to_device) && pool.segments.devices.accelerator().is_some();
    let engine = if on_device { Engine::Device } else { Engine::Cpu };
    let kind = kind(question.to_device);
    let is_own = to == pool.me().rank && pool.local_bytes(kind) > 0;
    if is_own || pool.segments.extents.readable_bytes(kind, to) > 0 {
        let path = if to == pool.me().rank { "its own memory" } else { "mapped in this process" };
        let reach = Reach { path: path.to_owned(), encrypted: false, score: MAPPED_SCORE };
        return Candidate::mapped(engine, Ok(reach));
    }
    let is_elsewhere = pool.remote.get(to).is_some();
    let what = match pool.presence(to) {
        _ if to.0 >= pool.segments.layout.shape().world => "no such rank in the pool",
        Presence::Left => "it has left the pool",
        Presence::Dead => "it is dead",
        Presence::Absent if !is_elsewhere => "it has not joined the pool, as far as this member knows",
        _ if !is_elsewhere => "it contributes no memory of this kind",
        _ if !pool.me().shared_memory => "not mapped: MF_SHM is false",
        _ => {
            "not mapped: it was not reached by a local socket, so it is on another host or in another namespace"
        }
    };
    Candidate::mapped(engine, Err(Error::new(Kind::NotConnected, "mapping").what(what)))
}

fn tag_of(pool: &Pool, rank: Rank) -> Result<Tag> {
    let own = (rank == pool.me().rank).then(|| pool.me().engines.tag.clone());
    let remote = || pool.remote.get(rank).map(|member| member.tag.clone());
    match own {
        Some(tag) => Ok(tag),
        None => {
            let published = || {
                let entry = pool.me().store.get(&MemberRecord::key(pool.me().id, rank)).ok()??;
                MemberRecord::decode(&entry.value).ok().map(|record| record.tag)
            };
            Tag::parse(OP, &remote().or_else(published).unwrap_or_default())
        }
    }
}

/// Answers a change below the members' records that is a question to this member.
pub(super) fn note_question(pool: &Pool, change: &Change) {
    let Change::Put(entry) = change else { return };
    let Some((asked, number, what)) = Asked::read(pool.me().id, &entry.key, &entry.value) else { return };
    if asked != pool.me().rank {
        return;
    }
    let Some(shared) = pool.share() else { return };
    let Some(answering) = Answering::begin() else { return };
    // Not here: the thread that notifies of changes must not wait for the store.
    let answer = move || {
        if let Err(error) = answer_question(&shared, &what, number) {
            tracing::debug!(pool = shared.id(), "a question was not answered: {error}");
        }
        drop(answering);
    };
    if let Err(error) = thread::spawn("mf-explain", answer) {
        tracing::debug!(pool = pool.me().id, "a question was not answered: {error}");
    }
}

fn answer_question(pool: &Arc<Pool>, asked: &Asked, number: u64) -> Result<()> {
    let (key, answer) = match *asked {
        Asked::Route(question) => {
            let key = Question::answer_key(pool.me().id, pool.me().rank, number);
            (key, encode(&explain_route(pool, question)?)?)
        }
        Asked::Row(question) => {
            let key = RowQuestion::answer_key(pool.me().id, pool.me().rank, number);
            (key, encode(&explain_row(pool, question)?)?)
        }
    };
    let lease = pool.me().store.grant_lease(MESSAGE_LIFETIME)?;
    pool.me().store.set(&key, &answer, Lifetime::Lease(lease)).map(|_| ())
}
/// A question to a member.
#[derive(Debug, PartialEq, Eq)]
enum Asked {
    Route(Question),
    Row(RowQuestion),
}

impl Asked {
    /// Parses a question: rank of the member asked, number, and content.
    fn read(pool: u32, key: &str, value: &[u8]) -> Option<(Rank, u64, Self)> {
        let (rank, rest) = key.strip_prefix(&MemberRecord::prefix(pool))?.split_once("/ask/")?;
        let (number, asked) = match rest.strip_prefix("row/") {
            Some(number) => (number, Self::Row(decode(value).ok()?)),
            None => (rest, Self::Route(decode(value).ok()?)),
        };
        Some((Rank(rank.parse().ok()?), number.parse().ok()?, asked))
    }
}

/// One of the few that may answer at a time.
struct Answering;

static ANSWERERS: AtomicU32 = AtomicU32::new(0);

impl Answering {
    fn begin() -> Option<Self> {
        let few = |count: u32| (count < ANSWERERS_MAX).then_some(count + 1);
        ANSWERERS.fetch_update(Ordering::AcqRel, Ordering::Acquire, few).ok().map(|_| Self)
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        ANSWERERS.fetch_sub(1, Ordering::AcqRel);
    }
}

fn kind(is_device: bool) -> MemKind {
    if is_device { MemKind::Device } else { MemKind::Host }
}

fn reports(decision: &Result<Decision>, candidates: &[Candidate]) -> Vec<EngineReport> {
    if let Ok(decision) = decision {
        let reports = decision.why.iter().map(|verdict| EngineReport {
            engine: verdict.engine.to_string(),
            is_chosen: verdict.is_chosen,
            score: verdict.score,
            text: verdict.text.clone(),
        });
        return reports.collect();
    }
    let reports = candidates.iter().map(|candidate| EngineReport {
        engine: candidate.engine.to_string(),
        is_chosen: false,
        score: candidate.reach.as_ref().ok().map(|reach| reach.score),
        text: match &candidate.reach {
            Ok(reach) => reach.path.clone(),
            Err(error) => error.to_string(),
        },
    });
    reports.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_round_trip_and_are_not_records() {
        let question = Question { to: 2, from_device: false, to_device: true };
        let key = Question::key(3, Rank(12), 7);
        let value = encode(&question).unwrap();
        assert_eq!(Asked::read(3, &key, &value), Some((Rank(12), 7, Asked::Route(question))));
        assert_eq!(MemberRecord::rank(3, &key), None);
        assert_eq!(Asked::read(4, &key, &value), None);
        let question = RowQuestion { from_device: true, to_device: false };
        let key = RowQuestion::key(3, Rank(12), 8);
        let row = encode(&question).unwrap();
        assert_eq!(Asked::read(3, &key, &row), Some((Rank(12), 8, Asked::Row(question))));
        assert_eq!(Asked::read(3, &key, b""), None);
        for key in [
            ".mf/pool/3/member/12",
            ".mf/pool/3/member/12/ask/",
            ".mf/pool/3/member/12/other/7",
            ".mf/pool/3/member/12/ask/row",
            ".mf/pool/3/member/x/ask/7",
            ".mf/pool/3/answer/12/7",
        ] {
            assert_eq!(Asked::read(3, key, &value), None, "{key}");
        }
    }
}
