// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf explain --all`: every member is asked at once how it reaches all others, and the answers make a table.

mod show;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use mf_base::{Error, Kind, MemKind, Rank, Result};
use mf_fabric::pool::explain::MESSAGE_LIFETIME;
use mf_fabric::pool::explain::row::{Cell, Row, RowQuestion};
use mf_fabric::pool::member_record::MemberRecord;
use mf_fabric::pool::protocol::{decode, encode};
use mf_store::Lifetime;

pub(super) use show::print;

use super::{OPERATION, query};
use crate::job_store::JobStore;

/// Reachability between all members of a pool.
pub(super) struct Matrix {
    pub(super) pool: u32,
    pub(super) kinds: (MemKind, MemKind),
    pub(super) members: BTreeMap<Rank, MemberRecord>,
    /// Report of each member, or the reason for its absence.
    pub(super) rows: BTreeMap<Rank, Result<Row, String>>,
}

/// Asks all members; one that does not answer in time is a row with the reason.
pub(super) fn query(
    store: &JobStore,
    kinds: (MemKind, MemKind),
    pool: Option<u32>,
    timeout: Duration,
) -> Result<Matrix> {
    let pool = pool.map_or_else(|| query::only_pool(store), Ok)?;
    let members = query::members(store, pool)?;
    if members.is_empty() {
        return Err(Error::new(Kind::NotExist, OPERATION)
            .what("no member takes part in the pool")
            .with("pool", pool));
    }
    let question =
        RowQuestion { from_device: kinds.0 == MemKind::Device, to_device: kinds.1 == MemKind::Device };
    // A guest's session is its own, and it asks once.
    let number = store.session();
    let lease = store.grant_lease(MESSAGE_LIFETIME.max(timeout))?;
    let mut asked = Vec::new();
    let mut rows = BTreeMap::new();
    for (rank, record) in &members {
        // Without a network it answers nothing; it has joined, so it maps the memory of all.
        if query::card(store, record.session)?.is_none() {
            rows.insert(*rank, Ok(mapped(&members, question)));
            continue;
        }
        let key = RowQuestion::key(pool, *rank, number);
        store.set(&key, &encode(&question)?, Lifetime::Lease(lease))?;
        asked.push((*rank, key));
    }
    let deadline = Instant::now() + timeout;
    for (rank, key) in asked {
        let answer_key = RowQuestion::answer_key(pool, rank, number);
        let row = store.wait(&answer_key, deadline).and_then(|answer| decode::<Row>(&answer.value));
        rows.insert(rank, row.map_err(|error| no_answer(&error, timeout)));
        for key in [&key, &answer_key] {
            // They go with their leases anyway.
            let _ = store.delete(key);
        }
    }
    Ok(Matrix { pool, kinds, members, rows })
}

/// Row of a member without a network.
fn mapped(members: &BTreeMap<Rank, MemberRecord>, question: RowQuestion) -> Row {
    let on_device = question.from_device || question.to_device;
    let cell = |to: &Rank| Cell {
        to: to.0,
        engine: Some(if on_device { "device or cpu" } else { "cpu" }.to_owned()),
        why:
            "it has started no network, because the store is on this host: it maps the memory of all members"
                .to_owned(),
        warning: None,
    };
    members.keys().map(cell).collect()
}

fn no_answer(error: &Error, timeout: Duration) -> String {
    match error.kind() {
        Kind::Timeout => format!(
            "it did not answer within {} s: it is stopped, very busy, or of another release",
            timeout.as_secs_f64()
        ),
        _ => error.to_string(),
    }
}
