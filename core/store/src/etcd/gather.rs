// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Barriers and allgathers.
//!
//! A round of a name is a key with its state (*open*, *done*, *failed*) and one key for each member inside,
//! bound to its session. A member enters with one transaction that puts its key while the round is open and
//! counts in the same breath. Who counts all is the last one and ends the round as done, at a revision at
//! which all were inside; who meets its deadline ends it as failed. Either is one transaction on the state as
//! it was, so a round ends once, and all that are inside read the same end from the history of its key. The
//! end removes the members' keys; the values of an allgather travel in the end itself where they are small,
//! and are read from the revision of the end otherwise.

use std::collections::{BTreeSet, HashSet};
use std::sync::Mutex;
use std::time::Instant;

use etcd_client::{
    Compare, CompareOp, DeleteOptions, GetOptions, GetResponse, PutOptions, TxnOp, TxnOpResponse,
};
use mf_base::{Error, Kind, Rank, Result, Retry};
use serde::{Deserialize, Serialize};

use super::MARGIN;
use super::cluster::Call;
use super::feed::{Feed, changes};
use super::names::{Body, Life, Names, Record, decode, encode, end_of, write_id};
use super::ranks::gets;
use super::session::{Session, Tried, Written};
use super::values::keys_only;
use crate::api::{Part, Peer};
use crate::client::locked;
use crate::protocol::limits::{MAX_LISTING_BYTES, MAX_PART_BYTES};

/// Values up to this many bytes together travel in the end of a round.
const INLINE_BYTES: usize = 256 << 10;
const PAGE_KEYS: i64 = 128;

/// What stands behind `g/NAME`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Round {
    members: u32,
    /// Whether its members bring values.
    values: bool,
    state: State,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum State {
    Open,
    Done {
        /// The revision at which all were inside.
        full_at: i64,
        parts: Option<Vec<Part>>,
    },
    Failed {
        code: i32,
        text: String,
    },
}

/// The barriers that this member is inside.
#[derive(Default)]
pub(super) struct Inside(Mutex<HashSet<String>>);

struct Here<'a> {
    inside: &'a Inside,
    name: &'a str,
}

impl Drop for Here<'_> {
    fn drop(&mut self) {
        locked(&self.inside.0).remove(self.name);
    }
}

/// A round that this member is inside of.
struct Entered {
    round: Round,
    /// Where the key of the round stands.
    round_at: i64,
    /// When this member entered.
    entered_at: i64,
    /// How many were inside then, with this one.
    count: u64,
}

/// Takes this member out of a round that has not ended.
pub(super) async fn withdraw(session: &Session, call: &Call, name: &str) -> Result<()> {
    let Some(rank) = session.rank else { return Ok(()) };
    let delete = TxnOp::delete(session.names.part(name, rank.0), None);
    session.cluster.txn(call, etcd_client::Txn::new().and_then([delete])).await.map(drop)
}

/// One member's part in one round.
pub(super) struct Gather<'a> {
    pub(super) session: &'a Session,
    pub(super) call: &'a Call,
    pub(super) world_size: u32,
    pub(super) name: &'a str,
    pub(super) members: u32,
    pub(super) value: Option<&'a [u8]>,
}

impl Gather<'_> {
    /// Goes through the round; the parts of all, empty after a barrier.
    pub(super) async fn run(&self, inside: &Inside) -> Result<Vec<Part>> {
        let rank = self.check()?;
        if !locked(&inside.0).insert(self.name.to_owned()) {
            return Err(Error::new(Kind::RepeatInvoke, self.call.operation)
                .what(format!("rank {rank} is inside barrier \"{}\" already", self.name)));
        }
        let _here = Here { inside, name: self.name };
        let entered = self.enter(rank).await?;
        let mut feed = Feed::new(
            &self.session.cluster,
            self.session.names.round(self.name),
            Vec::new(),
            entered.entered_at,
        );
        if entered.count >= u64::from(self.members)
            && let Some(end) = self.finish(&entered, entered.entered_at).await?
        {
            return self.outcome(end).await;
        }
        let mut deadline = self.call.deadline;
        let mut failing = false;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match tokio::time::timeout(left, feed.batch()).await {
                Ok(Ok(events)) => {
                    for change in changes(&events).filter(|change| !change.deleted) {
                        let round: Round = decode(self.call.operation, change.now.value())?;
                        if round.state != State::Open {
                            return self.outcome(round.state).await;
                        }
                    }
                }
                Ok(Err(_)) => return Err(self.lost_track("etcd has thrown away the history of the round")),
                Err(_) if failing => return Err(self.lost_track("the end of the round did not come")),
                Err(_) => {
                    if let Some(end) = self.expire(&entered).await? {
                        return self.outcome(end).await;
                    }
                    // Somebody else has ended it in the meantime.
                    failing = true;
                    deadline = Instant::now() + MARGIN;
                }
            }
        }
    }

    fn check(&self) -> Result<Rank> {
        let (operation, name, members) = (self.call.operation, self.name, self.members);
        let Some(rank) = self.session.rank else {
            return Err(Error::invalid(operation, format!("a guest cannot enter the barrier \"{name}\"")));
        };
        if members == 0 {
            return Err(Error::invalid(operation, format!("barrier \"{name}\" of 0 members")));
        }
        if members > self.world_size {
            let what = format!("barrier \"{name}\" of {members} members in a world of {}", self.world_size);
            return Err(Error::invalid(operation, what));
        }
        if let Some(bytes) = self.value.map(<[u8]>::len).filter(|bytes| *bytes > MAX_PART_BYTES) {
            let what =
                format!("the value has {bytes} bytes, at most {MAX_PART_BYTES} are allowed in an allgather");
            return Err(Error::invalid(operation, what));
        }
        Ok(rank)
    }

    /// Time to end or to learn something about a round whose deadline is near or past.
    fn slack(&self) -> Call {
        self.call.until(self.call.deadline.max(Instant::now() + MARGIN))
    }

    async fn enter(&self, rank: Rank) -> Result<Entered> {
        let (session, operation) = (self.session, self.call.operation);
        let call = self.slack();
        let (round_key, parts) = (session.names.round(self.name), session.names.parts(self.name));
        let part_key = session.names.part(self.name, rank.0);
        let count = || TxnOp::get(parts.clone(), Some(GetOptions::new().with_prefix().with_count_only()));
        let look = etcd_client::Txn::new().and_then([TxnOp::get(round_key.clone(), None), count()]);
        let mut seen = gets::<2>(&call, session.cluster.txn(&call, look).await?.op_responses())?;
        loop {
            let (known, round_at) = self.known(&seen)?;
            let round = match &known {
                Some(round) => round.clone(),
                None => Round { members: self.members, values: self.value.is_some(), state: State::Open },
            };
            self.fits(&round, rank)?;
            let id = write_id(operation)?;
            let record = Record {
                write: id,
                owner: Some(rank),
                session: session.number(),
                life: Life::Session,
                body: Body::Whole(self.value.unwrap_or_default().to_vec()),
            };
            let bound = PutOptions::new().with_lease(session.lease);
            let mut then = vec![TxnOp::put(part_key.clone(), encode(operation, &record)?, Some(bound))];
            if known.is_none() {
                then.push(TxnOp::put(round_key.clone(), encode(operation, &round)?, None));
            }
            then.push(count());
            let when = [Compare::mod_revision(round_key.clone(), CompareOp::Equal, round_at)];
            let els = [TxnOp::get(round_key.clone(), None), count()];
            match session.write(&call, &part_key, &id, &when, &then, &els).await? {
                Written::Done(entered_at, answers) => {
                    let round_at = if known.is_some() { round_at } else { entered_at };
                    let count = match answers.last() {
                        Some(TxnOpResponse::Get(got)) => got.count(),
                        _ => {
                            let options =
                                GetOptions::new().with_prefix().with_count_only().with_revision(entered_at);
                            session.cluster.get(&call, parts.clone(), options).await?.count()
                        }
                    };
                    return Ok(Entered { round, round_at, entered_at, count: count.unsigned_abs() });
                }
                Written::Refused(_, answers) => seen = gets(&call, answers)?,
            }
        }
    }

    /// The open round, if one is, and where its key stands.
    fn known(&self, [round, inside]: &[GetResponse; 2]) -> Result<(Option<Round>, i64)> {
        let Some(kv) = round.kvs().first() else { return Ok((None, 0)) };
        let round: Round = decode(self.call.operation, kv.value())?;
        // An open round that nobody is inside of was left behind by members that died.
        let open = round.state == State::Open && inside.count() > 0;
        Ok((open.then_some(round), kv.mod_revision()))
    }

    fn fits(&self, round: &Round, rank: Rank) -> Result<()> {
        let name = self.name;
        if round.members != self.members {
            return Err(Error::invalid(
                self.call.operation,
                format!(
                    "barrier \"{name}\" was entered for {} members by others, for {} by rank {rank}",
                    round.members, self.members
                ),
            ));
        }
        if round.values != self.value.is_some() {
            let kind = if round.values { "an allgather" } else { "a barrier" };
            let what = format!("\"{name}\" was entered as {kind} by others, and otherwise by rank {rank}");
            return Err(Error::invalid(self.call.operation, what));
        }
        Ok(())
    }

    /// Ends the round as done; none: somebody else has ended it.
    async fn finish(&self, entered: &Entered, full_at: i64) -> Result<Option<State>> {
        let mut state = State::Done { full_at, parts: None };
        if entered.round.values {
            let parts = self.read_parts(full_at).await?;
            let bytes: usize = parts.iter().map(|part| part.value.len()).sum();
            if bytes > MAX_LISTING_BYTES {
                let text = format!(
                    "the values of all members have {bytes} bytes, at most {MAX_LISTING_BYTES} are allowed"
                );
                state = State::Failed { code: Kind::InvalidParam.code(), text };
            } else if bytes <= INLINE_BYTES {
                state = State::Done { full_at, parts: Some(parts) };
            }
        }
        self.end(entered, state).await
    }

    /// Ends the round because this member's time is over; none: somebody else has ended it.
    async fn expire(&self, entered: &Entered) -> Result<Option<State>> {
        let call = self.slack();
        let names = &self.session.names;
        let look = etcd_client::Txn::new().and_then([
            TxnOp::get(names.parts(self.name), Some(keys_only())),
            TxnOp::get(names.fixed("r/"), Some(GetOptions::new().with_prefix())),
        ]);
        let answer = self.session.cluster.txn(&call, look).await?;
        let at = answer.header().map_or(0, etcd_client::ResponseHeader::revision);
        let [inside, members] = gets(&call, answer.op_responses())?;
        if inside.kvs().len() as u64 >= u64::from(self.members) {
            // The last one died before it could end the round.
            return self.finish(entered, at).await;
        }
        let came: BTreeSet<u32> = inside.kvs().iter().filter_map(|kv| Names::rank_of(kv.key())).collect();
        let present: Vec<Peer> =
            members.kvs().iter().filter_map(|kv| decode(call.operation, kv.value()).ok()).collect();
        let text = self.missing(&came, &present);
        self.end(entered, State::Failed { code: Kind::Timeout.code(), text }).await
    }

    /// Sets the end of the round; none when it had ended.
    async fn end(&self, entered: &Entered, state: State) -> Result<Option<State>> {
        let call = self.slack();
        let names = &self.session.names;
        let key = names.round(self.name);
        let round = Round { state, ..entered.round.clone() };
        let when = [Compare::mod_revision(key.clone(), CompareOp::Equal, entered.round_at)];
        let then = [
            TxnOp::put(key, encode(call.operation, &round)?, None),
            TxnOp::delete(names.parts(self.name), Some(DeleteOptions::new().with_prefix())),
        ];
        loop {
            match self.session.try_txn(&call, &when, &then, &[]).await? {
                Tried::Yes(..) => return Ok(Some(round.state)),
                // Perhaps by this very call, in an attempt whose answer did not come: the history tells.
                Tried::No(..) => return Ok(None),
                Tried::Unknown => {}
            }
        }
    }

    async fn outcome(&self, state: State) -> Result<Vec<Part>> {
        match state {
            State::Done { parts: Some(parts), .. } => Ok(parts),
            State::Done { full_at, parts: None } if self.value.is_some() => self.read_parts(full_at).await,
            State::Done { .. } | State::Open => Ok(Vec::new()),
            State::Failed { code, text } => {
                let kind = Kind::ALL.iter().copied().find(|kind| kind.code() == code).unwrap_or(Kind::Failed);
                let error = Error::new(kind, self.call.operation).what(text);
                Err(if kind == Kind::Timeout { error.retry(Retry::Later) } else { error })
            }
        }
    }

    async fn read_parts(&self, full_at: i64) -> Result<Vec<Part>> {
        let call = self.slack();
        let prefix = self.session.names.parts(self.name);
        let end = end_of(&prefix);
        let (mut from, mut parts) = (prefix, Vec::new());
        loop {
            let options =
                GetOptions::new().with_range(end.clone()).with_revision(full_at).with_limit(PAGE_KEYS);
            let got = self.session.cluster.get(&call, from, options).await?;
            for kv in got.kvs() {
                let record: Record = decode(call.operation, kv.value())?;
                if let (Some(rank), Body::Whole(value)) = (record.owner, record.body) {
                    parts.push(Part { rank, value });
                }
            }
            match got.kvs().last() {
                Some(last) if got.more() => from = [last.key(), b"\0"].concat(),
                _ => return Ok(parts),
            }
        }
    }

    fn missing(&self, came: &BTreeSet<u32>, present: &[Peer]) -> String {
        let missing: Vec<u32> = (0..self.world_size).filter(|rank| !came.contains(rank)).collect();
        let peer = |rank: u32| present.iter().find(|peer| peer.rank.0 == rank);
        let absent: Vec<u32> = missing.iter().copied().filter(|rank| peer(*rank).is_none()).collect();
        let waited = self.call.started.elapsed().as_secs_f64();
        let mut text = format!(
            "barrier \"{}\": {} of {} members came within {waited:.3} s; missing: {}",
            self.name,
            came.len(),
            self.members,
            rank_list(&missing)
        );
        if !absent.is_empty() {
            text += &format!(" (not connected to the store: {})", rank_list(&absent));
        }
        const SHOWN: usize = 4;
        for peer in missing.iter().filter_map(|rank| peer(*rank)).take(SHOWN) {
            text += &format!("; rank {} runs on host {} as pid {}", peer.rank, peer.host, peer.pid);
        }
        text
    }

    fn lost_track(&self, what: &str) -> Error {
        Error::new(Kind::Timeout, self.call.operation)
            .what(what)
            .with("barrier", format!("\"{}\"", self.name))
            .with("etcd", self.session.cluster.places())
            .with("waited_ms", self.call.started.elapsed().as_millis())
            .retry(Retry::Later)
    }
}

/// `rank 3` or `ranks 0, 2-5`.
fn rank_list(ranks: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for rank in ranks {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == *rank => *last = *rank,
            _ => runs.push((*rank, *rank)),
        }
    }
    let texts: Vec<String> = runs
        .into_iter()
        .map(|(first, last)| if first == last { first.to_string() } else { format!("{first}-{last}") })
        .collect();
    format!("{} {}", if ranks.len() == 1 { "rank" } else { "ranks" }, texts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_listed_in_runs() {
        assert_eq!(rank_list(&[3]), "rank 3");
        assert_eq!(rank_list(&[0, 2, 3, 4]), "ranks 0, 2-4");
    }

    #[test]
    fn rounds_survive() {
        let parts = vec![Part { rank: Rank(1), value: vec![1, 2] }];
        let round = Round { members: 2, values: true, state: State::Done { full_at: 7, parts: Some(parts) } };
        assert_eq!(decode::<Round>("test", &encode("test", &round).unwrap()).unwrap(), round);
    }
}
