// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Growth of this member's contribution.

use std::time::Instant;

use mf_base::{ByteLen, Error, Kind, MemKind, Rank, Result};
use mf_net::link::Outcome;
use mf_store::Lifetime;

use super::Pool;
use super::member_record::MemberRecord;
use super::protocol::Request;
use super::stage::Stage;

/// [`Pool::extend`].
pub(super) fn extend(pool: &Pool, kind: MemKind, bytes: u64) -> Result<()> {
    const OP: &str = "pool extend";
    pool.check_process(OP)?;
    let control = pool.local_peers.control();
    if pool.stage.get() == Stage::Destroyed {
        return Err(Error::new(Kind::NotExist, OP).what("the pool is destroyed").with("pool", pool.me().id));
    }
    let from = pool.local_bytes(kind);
    let max = pool.segments.layout.shape().max_bytes[kind.index()];
    let granule_bytes = pool.segments.devices.windows(kind)?.granule_bytes(kind);
    let to =
        from.checked_add(bytes).filter(|to| *to <= max && bytes > 0 && bytes.is_multiple_of(granule_bytes));
    let to = to.ok_or_else(|| {
        Error::invalid(OP, "the contribution cannot grow by this much")
            .with("kind", kind)
            .with("by_bytes", bytes)
            .with("present", ByteLen(from))
            .with("max", ByteLen(max))
            .hint(format!(
                "grow by a multiple of {}, inside the maximum given at creation",
                ByteLen(granule_bytes)
            ))
    })?;
    let former = pool.segments.grow_own(kind, from, to)?;
    if pool.stage.get() != Stage::Joined {
        return Ok(());
    }
    if let Err(error) = publish_growth(pool, kind, from, to) {
        pool.segments.shrink_own(kind, from..to, former);
        return Err(error.with("present", ByteLen(from)));
    }
    let Some(endpoint) = &*control else { return Ok(()) };
    let extend = |rank: Rank| {
        let peer =
            pool.segments.peers().get(&rank).cloned().ok_or_else(|| Error::new(Kind::NotStarted, OP))?;
        let mut descriptors = Vec::new();
        let parts = pool.segments.own_parts(kind, &peer, &mut descriptors)?;
        #[expect(clippy::cast_possible_truncation, reason = "0 or 1")]
        Ok((Request::Extend { kind: kind.index() as u8, parts }, descriptors))
    };
    let deadline = Instant::now() + pool.me().control_timeout;
    let mut refused = Vec::new();
    match pool.local_peers.request_all(&endpoint.asker(), &pool.local_peers.ranks(), extend, deadline) {
        Ok(outcomes) => {
            for (rank, outcome) in outcomes {
                match outcome {
                    Outcome::Refused { code, text } if code != Kind::NotStarted.code() => {
                        refused.push(format!("rank {rank}: {text}"));
                    }
                    Outcome::TimedOut => refused.push(format!("rank {rank}: no answer")),
                    _ => {}
                }
            }
        }
        // Some may have been asked already, so the growth cannot be undone.
        Err(error) => refused.push(format!("those of this host: {error}")),
    }
    if refused.is_empty() {
        return Ok(());
    }
    Err(Error::new(Kind::PartialFailed, OP)
        .what("not all members can use the new memory")
        .with("members", refused.join("; ")))
}

/// The own memory has grown: it may be used, here and by members that reach it by the network. When it
/// fails, no member uses more of it than before.
fn publish_growth(pool: &Pool, kind: MemKind, from: u64, to: u64) -> Result<()> {
    let mut published = pool.remote.published();
    let (Some(record), true) = (&mut *published, pool.remote.network().is_some()) else {
        pool.segments.extents.admit(kind, pool.me().rank, to);
        return Ok(());
    };
    let mut grown = record.clone();
    grown.bytes[kind.index()] = to;
    grown.descriptions = pool.open_to_network(record.key, grown.bytes)?;
    // Before others learn of it.
    pool.segments.extents.admit(kind, pool.me().rank, to);
    let published_growth = grown.encode().and_then(|value| {
        pool.me().store.set(&MemberRecord::key(pool.me().id, pool.me().rank), &value, Lifetime::Session)
    });
    match published_growth {
        Ok(_) => *record = grown,
        Err(error) => {
            pool.segments.extents.admit(kind, pool.me().rank, from);
            match pool.open_to_network(record.key, record.bytes) {
                Ok(descriptions) => record.descriptions = descriptions,
                Err(error) => tracing::warn!("a growth that failed stays open to the network: {error}"),
            }
            return Err(error);
        }
    }
    Ok(())
}
