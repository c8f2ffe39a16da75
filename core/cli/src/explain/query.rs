// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Asks the member that copies.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use mf_base::{Error, Kind, MemKind, Rank, Result};
use mf_fabric::pool::explain::{EngineReport, Explanation, MESSAGE_LIFETIME, Question};
use mf_fabric::pool::member_record::MemberRecord;
use mf_fabric::pool::protocol::{decode, encode};
use mf_net::Card;
use mf_store::{Lifetime, network_card};

use crate::job_store::JobStore;

use super::route::{From, Route};
use super::{OPERATION, probe};

/// Facts about a route.
pub(super) struct Answer {
    pub(super) pool: u32,
    pub(super) route: Route,
    /// Which side reports it.
    pub(super) source: Source,
    /// Records of the ends, as far as they are members.
    pub(super) from: Option<MemberRecord>,
    pub(super) to: Option<MemberRecord>,
    pub(super) explanation: Explanation,
}

/// Which side reports it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// The member that copies.
    Member,
    /// Published records of the members.
    Records,
    /// This machine, which has tried.
    Here,
}

/// Asks, or tries from here.
pub(super) fn query(store: &JobStore, route: &Route, pool: Option<u32>, timeout: Duration) -> Result<Answer> {
    let pool = pool.map_or_else(|| only_pool(store), Ok)?;
    let mut records = members(store, pool)?;
    let listed = || {
        let ranks: Vec<String> = records.keys().map(ToString::to_string).collect();
        if ranks.is_empty() { "none".to_owned() } else { ranks.join(", ") }
    };
    let absent = |rank: Rank| {
        Error::new(Kind::NotExist, OPERATION)
            .what("the rank does not take part in the pool")
            .with("rank", rank)
            .with("pool", pool)
            .with("members", listed())
    };
    let (source, explanation) = match route.from {
        From::Here => {
            let record = records.get(&route.to).ok_or_else(|| absent(route.to))?;
            (Source::Here, probe::explain(record, card(store, record.session)?.as_ref(), route))
        }
        From::Member(rank) => {
            let record = records.get(&rank).ok_or_else(|| absent(rank))?;
            match card(store, record.session)? {
                Some(_) => (Source::Member, from_member(store, rank, route, pool, timeout)?),
                None if records.contains_key(&route.to) => (Source::Records, mapped(&records, rank, route)),
                None => return Err(absent(route.to)),
            }
        }
    };
    let from = match route.from {
        From::Member(rank) if rank == route.to => records.get(&rank).cloned(),
        From::Member(rank) => records.remove(&rank),
        From::Here => None,
    };
    Ok(Answer { pool, route: *route, source, from, to: records.remove(&route.to), explanation })
}

/// The pool that has members, if there is only one.
pub(super) fn only_pool(store: &JobStore) -> Result<u32> {
    let id = |key: &str| {
        let (id, rest) = key.strip_prefix(".mf/pool/")?.split_once('/')?;
        rest.starts_with("member/").then(|| id.parse().ok())?
    };
    let pools: BTreeSet<u32> = store.list(".mf/pool/")?.iter().filter_map(|entry| id(&entry.key)).collect();
    let mut ids = pools.iter();
    match (ids.next(), ids.next()) {
        (Some(id), None) => Ok(*id),
        (None, _) => {
            Err(Error::new(Kind::NotExist, OPERATION).what("no pool of the job has a member that has joined"))
        }
        (Some(_), Some(_)) => {
            let all: Vec<String> = pools.iter().map(ToString::to_string).collect();
            Err(Error::invalid(OPERATION, "the job has several pools")
                .with("pools", all.join(", "))
                .hint("say which: --pool ID"))
        }
    }
}

/// The members of a pool, as they have published themselves.
pub(super) fn members(store: &JobStore, pool: u32) -> Result<BTreeMap<Rank, MemberRecord>> {
    let entries = store.list(&MemberRecord::prefix(pool))?;
    let member = |entry: &mf_store::Entry| {
        Some((MemberRecord::rank(pool, &entry.key)?, MemberRecord::decode(&entry.value).ok()?))
    };
    Ok(entries.iter().filter_map(member).collect())
}

/// Network card of a process, if it has one.
pub(super) fn card(store: &JobStore, session: u64) -> Result<Option<Card>> {
    store.get(&network_card(session))?.map(|entry| Card::decode(&entry.value)).transpose()
}

fn from_member(
    store: &JobStore,
    from: Rank,
    route: &Route,
    pool: u32,
    timeout: Duration,
) -> Result<Explanation> {
    let question = Question {
        to: route.to.0,
        from_device: route.from_kind == MemKind::Device,
        to_device: route.to_kind == MemKind::Device,
    };
    // A guest's session is its own, and it asks once.
    let number = store.session();
    let (key, answer_key) = (Question::key(pool, from, number), Question::answer_key(pool, from, number));
    let lease = store.grant_lease(MESSAGE_LIFETIME)?;
    store.set(&key, &encode(&question)?, Lifetime::Lease(lease))?;
    let answer = store.wait(&answer_key, Instant::now() + timeout).map_err(|error| match error.kind() {
        Kind::Timeout => Error::new(Kind::Timeout, OPERATION)
            .what("the member did not answer")
            .with("rank", from)
            .with("waited_s", timeout.as_secs_f64())
            .hint("it is stopped, very busy, or of another release; local as the first end tries from here"),
        _ => error,
    });
    for key in [&key, &answer_key] {
        // They go with their leases anyway.
        let _ = store.delete(key);
    }
    decode(&answer?.value)
}

/// Explanation for a member without a network: it has joined, so it maps the memory of all members.
fn mapped(records: &BTreeMap<Rank, MemberRecord>, from: Rank, route: &Route) -> Explanation {
    let tag = |rank| records.get(&rank).map(|record| record.tag.clone()).unwrap_or_default();
    let on_device = route.from_kind == MemKind::Device || route.to_kind == MemKind::Device;
    let engine = EngineReport {
        engine: if on_device { "device or cpu" } else { "cpu" }.to_owned(),
        is_chosen: true,
        score: None,
        text:
            "it has started no network, because the store is on this host: it maps the memory of all members"
                .to_owned(),
    };
    Explanation {
        asked: "not published".to_owned(),
        by_rule: false,
        tags: [tag(from), tag(route.to)],
        is_strict: false,
        engines: vec![engine],
        warning: None,
        error: None,
        note: on_device.then(|| "without an accelerator, host memory stands in for device memory".to_owned()),
    }
}
