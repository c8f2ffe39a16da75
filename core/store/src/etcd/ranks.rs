// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The way into a job: its secret and world size, and a rank.
//!
//! # The job
//! The first that comes makes the key `job`: the world size, a random salt, and HMAC-SHA256 over the salt,
//! keyed by the secret. Who comes later makes the same from its own secret: if it differs, it is not let in.
//! The job token is made from salt and secret too, so that it is never stored. (Who can read the keys can try
//! secrets at leisure, so a secret is to be random; `mf run` makes such ones.) A job without secret is open
//! to all whom etcd lets in.
//!
//! The last member that leaves removes the job's data. If all members died instead, what they left is found
//! by the next one that comes: the key `live` says that there were members, and there is none. It removes
//! that data first, so that no job begins with the keys, the world size or the secret of one that crashed.
//!
//! # Ranks
//! The key of a rank is made by a transaction that demands that it is absent, and lives with the session, so
//! no rank is there twice. Members that leave the choice to the store follow the two phases of the TCP store:
//! they put an arrival and wait until as many have come as ranks are free, or nobody new came for the rank
//! window. Then one of them puts the
//! `table`, which orders all that wait by (address, device, arrival); each takes what the table says.
//! A member that insists on the complete world puts no table of an incomplete one.
//! Who comes after the table was made takes the next free rank in a circle, in the order of arrival.

use std::net::{IpAddr, ToSocketAddrs as _};
use std::time::{Duration, Instant};

use etcd_client::{Compare, CompareOp, GetOptions, GetResponse, PutOptions, Txn, TxnOp, TxnOpResponse};
use hmac::{Hmac, Mac};
use mf_base::{Error, Kind, Rank, Result, Retry};
use sha2::Sha256;

use super::cluster::{Call, chance};
use super::names::{Arrival, Job, Names, decode, encode};
use super::session::{Session, Tried, nobody_is_member, remove_job};
use super::values::{keys_only, session_of};
use super::{EtcdOptions, MARGIN};
use crate::api::{Peer, RankWish};
use crate::protocol::limits::check_world_size;
use crate::protocol::{auth, secret_differs};
use crate::route;

/// How long a member that waits for a rank sleeps between two looks.
const SHORTEST_LOOK: Duration = Duration::from_millis(5);
const LONGEST_LOOK: Duration = Duration::from_millis(100);

/// What a newcomer was given.
pub(super) struct Joined {
    pub(super) rank: Option<Rank>,
    pub(super) world_size: u32,
    pub(super) job_token: [u8; 32],
    /// The revision of that.
    pub(super) revision: i64,
}

/// The job as it was found.
struct Entered {
    world_size: u32,
    token: [u8; 32],
    /// Where the key `job` stood; a rank is only taken while it stands there.
    revision: i64,
}

/// Derives a value from the job's salt that only those can make who know the secret.
fn derive(secret: &[u8], purpose: &[u8], salt: &[u8; 32]) -> [u8; 32] {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret) else { return [0; 32] };
    mac.update(purpose);
    mac.update(salt);
    mac.finalize().into_bytes().into()
}

const CHECK: &[u8] = b"memfabric etcd store check 1";
const TOKEN: &[u8] = b"memfabric etcd store job token 1";

impl Job {
    fn new(operation: &'static str, world_size: u32, secret: &[u8]) -> Result<Self> {
        let salt = auth::random(operation)?;
        Ok(Self { world_size, salt, check: derive(secret, CHECK, &salt) })
    }

    fn admits(&self, secret: &[u8]) -> bool {
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret) else { return false };
        mac.update(CHECK);
        mac.update(&self.salt);
        mac.verify_slice(&self.check).is_ok()
    }
}

/// Takes the session into the job, with the rank it wishes.
pub(super) async fn join(session: &Session, call: &Call, options: &EtcdOptions) -> Result<Joined> {
    let member = options.wish != RankWish::Guest;
    if member || options.world_size != 0 {
        check_world_size(options.world_size).map_err(|failure| failure.into_error(call.operation))?;
    }
    if let RankWish::Exactly(rank) | RankWish::Prefer(rank) = options.wish
        && rank.0 >= options.world_size
    {
        let what = format!("rank {rank} is outside the world of {} ranks", options.world_size);
        return Err(Error::invalid(call.operation, what));
    }
    let arrived = Arrived::new(options);
    loop {
        let job = enter(session, call, options).await?;
        let Entered { world_size, token, revision } = job;
        let given = match options.wish {
            RankWish::Guest => Some((None, session.cluster.seen())),
            RankWish::Exactly(rank) => match take(session, call, options, &job, rank.0, &[]).await? {
                Take::Taken(at) => Some((Some(rank), at)),
                Take::JobChanged => None,
                Take::Occupied(holder) => return Err(duplicated(call, rank, holder)),
            },
            RankWish::Prefer(rank) => match take(session, call, options, &job, rank.0, &[]).await? {
                Take::Taken(at) => Some((Some(rank), at)),
                Take::JobChanged => None,
                Take::Occupied(_) => choose(session, call, options, &job, &arrived).await?,
            },
            RankWish::Any | RankWish::Ordered => choose(session, call, options, &job, &arrived).await?,
        };
        if let Some((rank, at)) = given {
            return Ok(Joined { rank, world_size, job_token: token, revision: at.max(revision) });
        }
    }
}

fn duplicated(call: &Call, rank: Rank, holder: Option<Peer>) -> Error {
    let holder = holder.map_or_else(String::new, |peer| {
        format!(" by session {} (host {}, pid {})", peer.session, peer.host, peer.pid)
    });
    Error::new(Kind::Duplicated, call.operation)
        .what(format!("rank {rank} is taken{holder}"))
        .hint("give every member its own rank, or end the holder; a dead one goes with its lease")
}

/// Finds the job, or makes it.
async fn enter(session: &Session, call: &Call, options: &EtcdOptions) -> Result<Entered> {
    let names = &session.names;
    let (job_key, live_key) = (names.fixed("job"), names.fixed("live"));
    loop {
        let look = Txn::new().and_then([
            TxnOp::get(job_key.clone(), None),
            TxnOp::get(live_key.clone(), None),
            TxnOp::get(names.fixed("r/"), Some(keys_only().with_limit(1))),
        ]);
        let [job, live, members] = gets(call, session.cluster.txn(call, look).await?.op_responses())?;
        let job = job
            .kvs()
            .first()
            .map(|kv| Ok::<_, Error>((decode::<Job>(call.operation, kv.value())?, kv.mod_revision())));
        if let Some(live) = live.kvs().first()
            && members.kvs().is_empty()
        {
            // All members of an earlier job died.
            let same = Compare::mod_revision(live_key.clone(), CompareOp::Equal, live.mod_revision());
            let remove = Txn::new().when([nobody_is_member(names), same]).and_then(remove_job(names));
            session.cluster.txn(call, remove).await?;
            continue;
        }
        let known = match job.transpose()? {
            None => {
                let job = Job::new(call.operation, options.world_size, &options.secret)?;
                put_job(session, call, &job_key, &job, 0).await?;
                continue;
            }
            Some(known) => known,
        };
        let (job, revision) = known;
        if !job.admits(&options.secret) {
            return Err(secret_differs().into_error(call.operation));
        }
        if job.world_size == 0 && options.world_size != 0 {
            let job = Job { world_size: options.world_size, ..job };
            put_job(session, call, &job_key, &job, revision).await?;
            continue;
        }
        if options.world_size != 0 && job.world_size != options.world_size {
            let what =
                format!("the world size is {} here and {} in the store", options.world_size, job.world_size);
            return Err(
                Error::invalid(call.operation, what).hint("give all members of the job the same world size")
            );
        }
        let token = derive(&options.secret, TOKEN, &job.salt);
        return Ok(Entered { world_size: job.world_size, token, revision });
    }
}

/// Sets the key `job` if it stands where it was seen; whether it did shows at the next look.
async fn put_job(session: &Session, call: &Call, key: &[u8], job: &Job, seen: i64) -> Result<()> {
    let when = Compare::mod_revision(key, CompareOp::Equal, seen);
    let put = TxnOp::put(key, encode(call.operation, job)?, None);
    session.cluster.txn(call, Txn::new().when([when]).and_then([put])).await?;
    Ok(())
}

enum Take {
    Taken(i64),
    Occupied(Option<Peer>),
    /// The job was removed, or changed, since it was looked at.
    JobChanged,
}

/// Tries to take a rank.
async fn take(
    session: &Session,
    call: &Call,
    options: &EtcdOptions,
    job: &Entered,
    rank: u32,
    also: &[TxnOp],
) -> Result<Take> {
    let names = &session.names;
    let (key, job_key) = (names.rank(rank), names.fixed("job"));
    let peer = Peer {
        rank: Rank(rank),
        session: session.number(),
        host: options.host.clone(),
        pid: std::process::id(),
        device: options.device,
    };
    let when = [
        Compare::mod_revision(job_key.clone(), CompareOp::Equal, job.revision),
        Compare::create_revision(key.clone(), CompareOp::Equal, 0),
    ];
    let mut then = vec![
        TxnOp::put(
            key.clone(),
            encode(call.operation, &peer)?,
            Some(PutOptions::new().with_lease(session.lease)),
        ),
        TxnOp::put(names.fixed("live"), "", None),
        TxnOp::delete(names.numbered("a/", session.number()), None),
    ];
    then.extend_from_slice(also);
    let els = [TxnOp::get(key, None), TxnOp::get(job_key, None)];
    loop {
        let answers = match session.try_txn(call, &when, &then, &els).await? {
            Tried::Yes(revision, _) => return Ok(Take::Taken(revision)),
            Tried::No(_, answers) => answers,
            Tried::Unknown => continue,
        };
        let [holder, job_now] = gets(call, answers)?;
        if let Some(kv) = holder.kvs().first() {
            let holder: Peer = decode(call.operation, kv.value())?;
            // An attempt whose answer did not come.
            if holder.session == peer.session {
                return Ok(Take::Taken(kv.mod_revision()));
            }
            return Ok(Take::Occupied(Some(holder)));
        }
        if job_now.kvs().first().map(etcd_client::KeyValue::mod_revision) != Some(job.revision) {
            return Ok(Take::JobChanged);
        }
        // Whoever held it has gone between the two.
    }
}

/// What is known of a newcomer that lets the store choose.
struct Arrived {
    arrival: Arrival,
    since: Instant,
}

impl Arrived {
    fn new(options: &EtcdOptions) -> Self {
        let there = options.endpoints.first().and_then(|place| place.to_socket_addrs().ok()?.next());
        let address = there.and_then(|there| route::towards(there).ok());
        let octets = match address.map(|address| address.to_canonical()) {
            Some(IpAddr::V4(v4)) => v4.to_ipv6_mapped().octets(),
            Some(IpAddr::V6(v6)) => v6.octets(),
            None => [0; 16],
        };
        Self { arrival: Arrival { address: octets, device: options.device }, since: Instant::now() }
    }
}

/// Everything that decides who takes which rank.
#[derive(Default)]
struct Look {
    taken: Vec<u32>,
    /// Who waits, ordered by arrival.
    waiting: Vec<(u64, Arrival)>,
    table: Option<Vec<(u64, u32)>>,
    next: u32,
    job: i64,
}

/// Takes a rank that the store chooses; none: the job changed under way.
async fn choose(
    session: &Session,
    call: &Call,
    options: &EtcdOptions,
    job: &Entered,
    arrived: &Arrived,
) -> Result<Option<(Option<Rank>, i64)>> {
    let names = &session.names;
    let me = session.number();
    // What is asked near the deadline is still answered: the error is to be that of the ranks.
    let waiting_until = call.deadline;
    let call = &call.until(waiting_until.checked_add(MARGIN).unwrap_or(waiting_until));
    let left = || waiting_until.saturating_duration_since(Instant::now());
    let bound = PutOptions::new().with_lease(session.lease);
    let put = TxnOp::put(names.numbered("a/", me), encode(call.operation, &arrived.arrival)?, Some(bound));
    session.cluster.txn(call, Txn::new().and_then([put])).await?;
    // Who insists on the complete world leaves it to others to begin without.
    let insists = options.wish == RankWish::Ordered;
    let (mut waiting, mut quiet_since, mut pause) = (0, Instant::now(), SHORTEST_LOOK);
    loop {
        let look = look(session, call).await?;
        if look.job != job.revision {
            return Ok(None);
        }
        if look.waiting.len() != waiting {
            (waiting, quiet_since, pause) = (look.waiting.len(), Instant::now(), SHORTEST_LOOK);
        }
        let free: Vec<u32> = (0..job.world_size).filter(|rank| !look.taken.contains(rank)).collect();
        let place = match &look.table {
            Some(table) => place_after(table, &look, &free, me),
            None if look.waiting.len() >= free.len()
                || (!insists && quiet_since.elapsed() >= options.rank_window) =>
            {
                put_table(session, call, &look, &free).await?;
                continue;
            }
            None => None,
        };
        if let Some(rank) = place {
            let next = ((rank + 1) % job.world_size).to_string();
            let in_table = look.table.iter().flatten().any(|(session, _)| *session == me);
            let also = TxnOp::put(names.fixed("next"), next, None);
            let also = if in_table { &[][..] } else { std::slice::from_ref(&also) };
            match take(session, call, options, job, rank, also).await? {
                Take::Taken(at) => return Ok(Some((Some(Rank(rank)), at))),
                Take::JobChanged => return Ok(None),
                Take::Occupied(_) => continue,
            }
        }
        if left().is_zero() {
            let incomplete = insists && look.table.is_none();
            let missing = incomplete.then(|| free.len().saturating_sub(look.waiting.len()));
            return Err(no_rank(call, job, arrived, missing));
        }
        let jitter = Duration::from_micros(chance() % 2_000);
        tokio::time::sleep(pause.min(left()) + jitter).await;
        pause = (pause * 3 / 2).min(LONGEST_LOOK);
    }
}

fn no_rank(call: &Call, job: &Entered, arrived: &Arrived, missing: Option<usize>) -> Error {
    let (world, waited) = (job.world_size, arrived.since.elapsed().as_secs_f64());
    let error = Error::new(Kind::Timeout, call.operation).retry(Retry::Later);
    match missing {
        Some(missing) => error
            .what(format!("{missing} of {world} ranks did not come within {waited:.1} s"))
            .hint("start the others, or raise the init timeout"),
        None => error
            .what(format!("all {world} ranks are taken, none became free within {waited:.1} s"))
            .hint("end a member, raise the world size or the timeout"),
    }
}

async fn look(session: &Session, call: &Call) -> Result<Look> {
    let names = &session.names;
    let by_arrival = etcd_client::SortTarget::Create;
    let arrivals = GetOptions::new().with_prefix().with_sort(by_arrival, etcd_client::SortOrder::Ascend);
    let txn = Txn::new().and_then([
        TxnOp::get(names.fixed("r/"), Some(keys_only())),
        TxnOp::get(names.fixed("a/"), Some(arrivals)),
        TxnOp::get(names.fixed("table"), None),
        TxnOp::get(names.fixed("next"), None),
        TxnOp::get(names.fixed("job"), None),
    ]);
    let answers = session.cluster.txn(call, txn).await?.op_responses();
    let [taken, waiting, table, next, job] = gets(call, answers)?;
    let mut look = Look {
        taken: taken.kvs().iter().filter_map(|kv| Names::rank_of(kv.key())).collect(),
        next: next.kvs().first().and_then(|kv| kv.value_str().ok()?.parse().ok()).unwrap_or_default(),
        job: job.kvs().first().map_or(0, etcd_client::KeyValue::mod_revision),
        ..Look::default()
    };
    for kv in waiting.kvs() {
        if let Some(session) = session_of(kv.key()) {
            look.waiting.push((session, decode(call.operation, kv.value())?));
        }
    }
    look.table = table.kvs().first().map(|kv| decode(call.operation, kv.value())).transpose()?;
    Ok(look)
}

/// Ends the forming phase, unless somebody else has.
async fn put_table(session: &Session, call: &Call, look: &Look, free: &[u32]) -> Result<()> {
    let table = order(look, free);
    let next = table.iter().map(|(_, rank)| rank + 1).max().unwrap_or_default().to_string();
    let key = session.names.fixed("table");
    let when = [
        Compare::create_revision(key.clone(), CompareOp::Equal, 0),
        Compare::mod_revision(session.names.fixed("job"), CompareOp::Equal, look.job),
    ];
    let then = [
        TxnOp::put(key, encode(call.operation, &table)?, None),
        TxnOp::put(session.names.fixed("next"), next, None),
    ];
    session.cluster.txn(call, Txn::new().when(when).and_then(then)).await?;
    Ok(())
}

/// Who gets which of the free ranks as the world forms.
fn order(look: &Look, free: &[u32]) -> Vec<(u64, u32)> {
    let mut first: Vec<&(u64, Arrival)> = look.waiting.iter().take(free.len()).collect();
    // Stable: the order of arrival stays among equals.
    first.sort_by(|one, other| one.1.cmp(&other.1));
    first.into_iter().map(|(session, _)| *session).zip(free.iter().copied()).collect()
}

/// The rank that `me` takes once the table is there; none while it must wait.
fn place_after(table: &[(u64, u32)], look: &Look, free: &[u32], me: u64) -> Option<u32> {
    let planned = |session: u64| table.iter().find(|(of, _)| *of == session).map(|(_, rank)| *rank);
    if let Some(rank) = planned(me)
        && free.contains(&rank)
    {
        return Some(rank);
    }
    // Ranks that the table keeps for somebody who is still on the way in.
    let kept = |rank: &u32| {
        look.waiting.iter().any(|(session, _)| *session != me && planned(*session) == Some(*rank))
    };
    let open: Vec<u32> = free.iter().copied().filter(|rank| !kept(rank)).collect();
    let circle =
        open.iter().filter(|rank| **rank >= look.next).chain(open.iter().filter(|rank| **rank < look.next));
    let later = |session: u64| planned(session).is_none_or(|rank| !free.contains(&rank));
    let at =
        look.waiting.iter().filter(|(session, _)| later(*session)).position(|(session, _)| *session == me)?;
    circle.copied().nth(at)
}

/// The answers to as many reads.
pub(super) fn gets<const N: usize>(call: &Call, answers: Vec<TxnOpResponse>) -> Result<[GetResponse; N]> {
    let got: Vec<GetResponse> = answers
        .into_iter()
        .filter_map(|answer| match answer {
            TxnOpResponse::Get(got) => Some(got),
            _ => None,
        })
        .collect();
    got.try_into()
        .map_err(|_| Error::new(Kind::Failed, call.operation).what("etcd gave an answer that does not fit"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrival(host: u8, device: u16) -> Arrival {
        Arrival { address: [host; 16], device }
    }

    #[test]
    fn a_forming_world_is_ordered_by_address_and_device() {
        let waiting = vec![(1, arrival(2, 0)), (2, arrival(1, 1)), (3, arrival(1, 0)), (4, arrival(0, 0))];
        let look = Look { waiting, ..Look::default() };
        assert_eq!(order(&look, &[0, 1, 2, 3]), [(4, 0), (3, 1), (2, 2), (1, 3)]);
        // More than there is room for: the first come are served.
        assert_eq!(order(&look, &[5, 7]), [(2, 5), (1, 7)]);
    }

    #[test]
    fn later_members_take_the_next_free_rank_in_a_circle() {
        let table = [(1, 0), (2, 1)];
        let waiting = vec![(2, arrival(0, 0)), (8, arrival(0, 0)), (9, arrival(0, 0))];
        let look = Look { waiting, next: 3, ..Look::default() };
        let free = [1, 2, 3];
        assert_eq!(place_after(&table, &look, &free, 2), Some(1));
        assert_eq!(place_after(&table, &look, &free, 8), Some(3));
        assert_eq!(place_after(&table, &look, &free, 9), Some(2));
        let look = Look { waiting: vec![(8, arrival(0, 0)), (9, arrival(0, 0))], next: 0, ..Look::default() };
        assert_eq!(place_after(&table, &look, &[4], 9), None, "the one that came before goes first");
    }

    #[test]
    fn a_job_admits_its_secret_only() {
        let job = Job::new("test", 2, b"secret").unwrap();
        assert!(job.admits(b"secret"));
        assert!(!job.admits(b"Secret"));
        assert!(!job.admits(b""));
        assert_ne!(derive(b"secret", CHECK, &job.salt), derive(b"secret", TOKEN, &job.salt));
    }
}
