// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Joining, leaving and ending.
//!
//! **Join.** A member first makes itself reachable (its record in the store, with revision r), then lists the
//! records. It announces itself to every member whose record is older than r; members with a newer record
//! find *its* record and announce themselves to it. So each pair meets exactly once, in any order of arrival,
//! and two members that join at the same time never wait for each other: requests are handled on the thread
//! of [`mf_net::link`], not by the threads that join.
//!
//! **Right because** each older member is either reached, or its record is deleted or replaced (then it has
//! ended, left, or will connect to us), or the deadline passes and the error names it.

use std::time::{Duration, Instant};

use mf_base::log::escaped;
use mf_base::os::random;
use mf_base::{Error, Kind, MemKind, Rank, Result, interrupt};
use mf_net::link::{Endpoint, Outcome};
use mf_store::{Lifetime, Listing, Started};
use mf_transport::SegmentKey;

use super::Pool;
use super::member_record::MemberRecord;
use super::protocol::Request;
use super::stage::Stage;
use crate::space::{Presence, agree};

/// Longest wait for the acknowledgement of a farewell; the farewell holds without it.
const FAREWELL: Duration = Duration::from_millis(500);
/// A join that failed has used its time up; its farewell may take this part of it on top.
const FAREWELL_PART: u32 = 20;
/// Pauses before members that did not reply are read again grow from the first to the second.
const FIRST_PAUSE: Duration = Duration::from_millis(2);
const LONGEST_PAUSE: Duration = Duration::from_millis(50);

/// Upper bound of the time between the first and the last sign of the end of a process.
const DYING: Duration = Duration::from_millis(100);

struct Older {
    rank: Rank,
    record: MemberRecord,
    key: String,
    revision: u64,
}

impl Pool {
    /// Joins the pool: when it returns, every living member can copy to and from this one. Blocks at most for
    /// the control timeout. A second call changes nothing.
    ///
    /// # Errors
    /// `Timeout` names the members that did not reply · `NotConnected` without the store · `NotExist` after
    /// destroy · `OutOfMemory`, `NoResources` when a member cannot map this one's memory; nothing has
    /// changed then.
    pub fn join(&self) -> Result<()> {
        const OP: &str = "pool join";
        self.check_process(OP)?;
        let mut control = self.local_peers.control();
        match self.stage.get() {
            Stage::Joined => return Ok(()),
            Stage::Destroyed => {
                return Err(Error::new(Kind::NotExist, OP)
                    .what("the pool is destroyed")
                    .with("pool", self.me().id));
            }
            _ => {}
        }
        let deadline = Instant::now() + self.me().control_timeout;
        if self.prefault {
            self.segments.prefault_own()?;
        }
        let endpoint = match &mut *control {
            Some(endpoint) => endpoint,
            None => control.insert(self.open_endpoint()?),
        };
        self.set_stage(Stage::Joining);
        for kind in MemKind::ALL {
            self.segments.extents.admit(kind, self.me().rank, self.local_bytes(kind));
        }
        let met = self.announce_join(endpoint, deadline);
        match met {
            Ok(()) => {
                self.segments.extents.set_presence(self.me().rank, Presence::Joined);
                self.set_stage(Stage::Joined);
                tracing::info!(pool = self.me().id, rank = self.me().rank.0, "joined");
                Ok(())
            }
            Err(error) => {
                self.set_stage(Stage::Left);
                self.withdraw_record();
                let longest = match error.kind() {
                    // A caller that left this wait does not want another one.
                    Kind::Interrupted => Duration::ZERO,
                    _ => self.me().control_timeout / FAREWELL_PART,
                };
                self.announce_leave(endpoint, longest);
                Err(error.with("pool", self.me().id))
            }
        }
    }

    /// Leaves the pool. The own memory stays mapped here; the other members' copies to it fail from now on.
    /// Blocks until queued copies are done. A call while not joined changes nothing.
    ///
    /// # Errors
    /// None at present; if the store or a member does not reply they only learn of it later.
    pub fn leave(&self) -> Result<()> {
        self.check_process("pool leave")?;
        let control = self.local_peers.control();
        if self.stage.get() == Stage::Joined {
            // While this member still takes part, so that they succeed; their errors stay for the next wait.
            self.queue.drain();
            self.device_lane.drain();
            self.remote_lane.drain();
            self.set_stage(Stage::Left);
            self.withdraw_record();
            if let Some(endpoint) = &*control {
                self.announce_leave(endpoint, self.me().control_timeout);
            }
            tracing::info!(pool = self.me().id, rank = self.me().rank.0, "left");
        }
        Ok(())
    }

    /// Leaves and gives up everything. Later calls on the pool fail; memory is unmapped when its last user
    /// lets go.
    pub fn destroy(&self) {
        // The only error is of a forked child; its copies of the mappings end with it.
        if self.leave().is_err() {
            return;
        }
        // Before the control lock is taken: this waits for a running callback, which may call the pool.
        self.events.set(None);
        let mut control = self.local_peers.control();
        if self.stage.get() == Stage::Destroyed {
            return;
        }
        self.set_stage(Stage::Destroyed);
        // Nothing is queued any more: leaving has drained the queue, and since then copies are refused.
        let _ = self.queue.shutdown();
        self.segments.quiesce();
        drop(control.take());
        agree::close(&*self.me().store, self.me().id);
    }

    /// Publishes the own record and announces this member to all older ones. The watch of the members, the
    /// record and the list of the older ones take one round trip, in this order.
    fn announce_join(&self, endpoint: &Endpoint, deadline: Instant) -> Result<()> {
        const OP: &str = "pool join";
        let watch = self.start_watching()?;
        let published = self.publish(endpoint);
        let listed = self.me().store.start_list(&MemberRecord::prefix(self.me().id));
        if let Some(watch) = watch {
            self.remote.set_watch(watch.wait()?);
        }
        let revision = published?.wait()?;
        let mut waiting = self.older_members(&listed?.wait()?, revision);
        let (mut last_error, mut pause) = (String::new(), FIRST_PAUSE);
        while !waiting.is_empty() {
            let mut asked = Vec::new();
            let mut remote = Vec::new();
            for member in &waiting {
                match self.connect(endpoint, member, &mut last_error)? {
                    Found::Connected => asked.push(member.rank),
                    Found::Remote => remote.push(member.rank),
                    Found::Pending => {}
                }
            }
            for member in waiting.extract_if(.., |member| remote.contains(&member.rank)) {
                self.admit_remote(member.rank, member.record, member.revision);
            }
            let announce = |rank: Rank| {
                let member = waiting.iter().find(|member| member.rank == rank);
                let member = member.ok_or_else(|| Error::new(Kind::NotStarted, OP))?;
                self.segments.check_family(rank, &member.record.identity)?;
                let (announcement, descriptors) = self.contribution(&member.record.identity)?;
                Ok((Request::Announce(announcement), descriptors))
            };
            let outcomes = self.local_peers.request_all(&endpoint.asker(), &asked, announce, deadline)?;
            for (rank, outcome) in outcomes {
                match outcome {
                    Outcome::Done(_) => waiting.retain(|member| member.rank != rank),
                    // A member that has just died cannot hand out an accelerator's memory any more; the end
                    // of its connection follows at once.
                    Outcome::Refused { code, text } if code != Kind::NotStarted.code() => {
                        if !self.local_peers.connection_ends(endpoint, rank, Instant::now() + DYING) {
                            return Err(Error::new(Kind::from_code(code).unwrap_or(Kind::Failed), OP)
                                .what("this member and another cannot map each other's memory")
                                .with("rank", rank)
                                .with("reason", text));
                        }
                        last_error = format!("rank {rank}: {text}");
                    }
                    Outcome::Closed => {
                        last_error = format!("rank {rank} closed the connection without a reply");
                    }
                    Outcome::Refused { .. } | Outcome::TimedOut => {}
                }
            }
            // A member with a deleted or newer record has ended, has left, or connects to us.
            let asked =
                waiting.into_iter().map(|member| Ok((self.me().store.start_get(&member.key)?, member)));
            let mut remaining = Vec::new();
            for (reply, member) in asked.collect::<Result<Vec<_>>>()? {
                if reply.wait()?.is_some_and(|entry| entry.revision == member.revision) {
                    remaining.push(member);
                }
            }
            waiting = remaining;
            if waiting.is_empty() {
                break;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(self.absent(&waiting, &last_error));
            }
            interrupt::sleep(OP, pause.min(left))?;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
        Ok(())
    }

    fn absent(&self, waiting: &[Older], last_error: &str) -> Error {
        let who =
            |m: &Older| format!("rank {} (pid {} on {})", m.rank, m.record.pid, escaped(&m.record.host));
        Error::new(Kind::Timeout, "pool join")
            .what("members of the pool did not answer")
            .with("missing", waiting.iter().map(who).collect::<Vec<_>>().join(", "))
            .with("waited_s", self.me().control_timeout.as_secs())
            .with("last_error", if last_error.is_empty() { "none" } else { last_error })
            .hint("a member that is stopped or hangs keeps others from joining; end it, or raise the control timeout")
    }

    /// Publishes the own record, and opens the own memory to the network under a fresh key; the reply has the
    /// record's revision.
    fn publish(&self, endpoint: &Endpoint) -> Result<Started<u64>> {
        let key = SegmentKey(u64::from_le_bytes(random("pool join")?));
        let bytes = MemKind::ALL.map(|kind| self.local_bytes(kind));
        let descriptions = self.open_to_network(key, bytes)?;
        let record = MemberRecord {
            endpoint: if self.me().shared_memory { endpoint.socket().to_owned() } else { String::new() },
            namespace: self.me().namespace.clone(),
            host: rustix::system::uname().nodename().to_string_lossy().into_owned(),
            pid: std::process::id(),
            identity: self.me().identity.clone(),
            session: self.me().store.member().session,
            key,
            bases: self.segments.layout.bases(),
            bytes,
            descriptions,
            tag: self.me().engines.tag.as_str().to_owned(),
        };
        let value = record.encode();
        // From now on it is closed to the network when joining fails.
        *self.remote.published() = Some(record);
        let value = value?;
        self.me().store.start_set(&MemberRecord::key(self.me().id, self.me().rank), &value, Lifetime::Session)
    }

    /// Connects to a member. A member that does not listen yet, or is too busy, is not an error. A member
    /// that cannot pass descriptors to this process is remote.
    fn connect(&self, endpoint: &Endpoint, member: &Older, last_error: &mut String) -> Result<Found> {
        if self.local_peers.ranks().contains(&member.rank) {
            return Ok(Found::Connected);
        }
        let has_network = self.remote.network().is_some();
        if has_network && (member.record.endpoint.is_empty() || !self.me().shared_memory) {
            return Ok(Found::Remote);
        }
        match self.local_peers.connect(self.me(), endpoint, member.rank, &member.record) {
            Ok(()) => Ok(Found::Connected),
            // Trying again would not help: this process is out of descriptors itself.
            Err(error) if matches!(error.fact("errno"), Some("EMFILE" | "ENFILE")) => Err(error),
            // On the same host it has just ended, or is busy; a process of another user passes no
            // descriptors.
            Err(error)
                if !has_network
                    || (self.me().is_near(&member.record) && error.kind() != Kind::InvalidParam) =>
            {
                *last_error = error.to_string();
                Ok(Found::Pending)
            }
            Err(error) => {
                tracing::debug!(pool = self.me().id, rank = member.rank.0, "reached by the network: {error}");
                Ok(Found::Remote)
            }
        }
    }

    fn older_members(&self, listing: &Listing, revision: u64) -> Vec<Older> {
        let mut older = Vec::new();
        for entry in &listing.entries {
            let rank = MemberRecord::rank(self.me().id, &entry.key);
            let (Some(rank), Ok(record)) = (rank, MemberRecord::decode(&entry.value)) else {
                continue;
            };
            if rank != self.me().rank && entry.revision < revision {
                older.push(Older { rank, record, key: entry.key.clone(), revision: entry.revision });
            }
        }
        older
    }

    fn set_stage(&self, stage: Stage) {
        self.stage.set(stage, self.segments.devices.mover().is_none());
    }

    fn withdraw_record(&self) {
        // Does not wait: the keys that a member holds in the store end with its session at the latest.
        if let Err(error) = self.me().store.discard(&MemberRecord::key(self.me().id, self.me().rank)) {
            tracing::debug!("the record of a departing member stays until its session ends: {error}");
        }
        if let Some(record) = self.remote.published().take() {
            self.close_to_network(record.key);
        }
        self.forget_remote();
    }

    fn announce_leave(&self, endpoint: &Endpoint, longest: Duration) {
        self.segments.extents.set_presence(self.me().rank, Presence::Left);
        if self.stage.is_parting() {
            return;
        }
        let deadline = Instant::now() + FAREWELL.min(longest);
        let leave = |_| Ok((Request::Leave, Vec::new()));
        if let Err(error) =
            self.local_peers.request_all(&endpoint.asker(), &self.local_peers.ranks(), leave, deadline)
        {
            tracing::debug!("a farewell was not sent: {error}");
        }
    }
}

/// Outcome of an attempt to connect.
enum Found {
    /// There is a connection.
    Connected,
    /// The member is remote: there will be no connection.
    Remote,
    /// Not yet.
    Pending,
}
