// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Joining, leaving, growing and ending.
//!
//! **Join.** A member first makes itself reachable (its record in the store, with revision r), then lists the
//! records. It announces itself to every member whose record is older than r; those whose record is newer
//! find *its* record and announce themselves to it. So each pair meets exactly once, whoever comes first, and
//! two members that join at the same time never wait for each other: requests are answered by service
//! threads, not by the threads that join.
//!
//! **Right because** each older member is either reached, or its record is gone or replaced (then it has
//! ended, left, or will come to us), or the deadline passes and the error names it.

use std::ops::Range;
use std::sync::{PoisonError, Weak};
use std::time::{Duration, Instant};

use mf_base::log::escaped;
use mf_base::os::random;
use mf_base::sync::pin;
use mf_base::{ByteLen, Error, Kind, MemKind, Rank, Result, Scope, interrupt};
use mf_store::Lifetime;

use super::record::Record;
use super::{Pool, Stage};
use crate::device::Memory;
use crate::link::{Host, Links, Outcome, Request};
use crate::space::{Presence, agree};
use crate::transport::SegmentKey;

/// Longest wait for the acknowledgement of a farewell; what it tells is true without it.
const FAREWELL: Duration = Duration::from_millis(500);
/// A join that failed has used its time up; its farewell may take this part of it on top.
const FAREWELL_PART: u32 = 20;
/// Pauses before members that did not answer are looked up again grow from the first to the second.
const FIRST_PAUSE: Duration = Duration::from_millis(2);
const LONGEST_PAUSE: Duration = Duration::from_millis(50);

/// Between the first and the last sign of the end of a process lies less than this.
const DYING: Duration = Duration::from_millis(100);

/// Most pieces of one contribution of one kind, so that the announcement of both kinds fits a message.
const SHARES_MAX: usize = 256;

struct Older {
    rank: Rank,
    record: Record,
    key: String,
    revision: u64,
}

impl Pool {
    /// Takes part: every living member can copy to and from this one when it returns. Blocks at most for the
    /// control timeout. A second call changes nothing.
    ///
    /// # Errors
    /// `Timeout` names the members that did not answer · `NotConnected` without the store · `NotExist` after
    /// destroy · `OutOfMemory`, `NoResources` when a member cannot map this one's memory; nothing has
    /// changed then.
    pub fn join(&self) -> Result<()> {
        const OP: &str = "pool join";
        self.check_process(OP)?;
        let mut control = self.control.lock().unwrap_or_else(PoisonError::into_inner);
        match self.stage() {
            Stage::Joined => return Ok(()),
            Stage::Destroyed => {
                return Err(Error::new(Kind::NotExist, OP)
                    .what("the pool is destroyed")
                    .with("pool", self.id));
            }
            _ => {}
        }
        let deadline = Instant::now() + self.control_timeout;
        if self.prefault {
            self.prefault_own()?;
        }
        let links = match &mut *control {
            Some(links) => links,
            None => {
                let host: Weak<dyn Host> = Weak::clone(&self.myself) as Weak<dyn Host>;
                control.insert(Links::start(host, self.store.member().job_token)?)
            }
        };
        self.set_stage(Stage::Joining);
        for kind in MemKind::ALL {
            self.extents.admit(kind, self.rank, self.local_bytes(kind));
        }
        let met = self.watch_members().and_then(|()| self.meet_all(links, deadline));
        match met {
            Ok(()) => {
                self.extents.set_presence(self.rank, Presence::Joined);
                self.set_stage(Stage::Joined);
                tracing::info!(pool = self.id, rank = self.rank.0, "joined");
                Ok(())
            }
            Err(error) => {
                self.set_stage(Stage::Left);
                self.withdraw_record();
                let patience = match error.kind() {
                    // Whoever left this wait does not want another one.
                    Kind::Interrupted => Duration::ZERO,
                    _ => self.control_timeout / FAREWELL_PART,
                };
                self.say_farewell(links, patience);
                Err(error.with("pool", self.id))
            }
        }
    }

    /// Stops taking part. The own memory stays mapped here; the other members' copies to it fail from now on.
    /// Blocks until queued copies are done. A call while not joined changes nothing.
    ///
    /// # Errors
    /// None at present; the store or a member that does not answer only means that they learn of it later.
    pub fn leave(&self) -> Result<()> {
        self.check_process("pool leave")?;
        let control = self.control.lock().unwrap_or_else(PoisonError::into_inner);
        if self.stage() == Stage::Joined {
            // While this member still takes part, so that they succeed; their errors stay for the next wait.
            self.queue.drain();
            self.lane.drain();
            self.carried.drain();
            self.set_stage(Stage::Left);
            self.withdraw_record();
            if let Some(links) = &*control {
                self.say_farewell(links, self.control_timeout);
            }
            tracing::info!(pool = self.id, rank = self.rank.0, "left");
        }
        Ok(())
    }

    /// Leaves and gives up everything. Later calls on the pool fail; memory is unmapped when its last user
    /// lets go.
    pub fn destroy(&self) {
        // The only error is that of a forked child, whose copies of the mappings end with it.
        if self.leave().is_err() {
            return;
        }
        // Before the control lock is taken: this waits for a running callback, which may call the pool.
        self.events.set(None);
        let mut control = self.control.lock().unwrap_or_else(PoisonError::into_inner);
        if self.stage() == Stage::Destroyed {
            return;
        }
        self.set_stage(Stage::Destroyed);
        // Nothing is queued any more: leaving has drained the queue, and since then copies are refused.
        let _ = self.queue.shutdown();
        self.rest();
        drop(control.take());
        agree::close(&*self.store, self.id);
    }

    /// Lets the own contribution of `kind` grow by `bytes`, inside its maximum. Members use it when the call
    /// returns. Blocks until all have mapped it, at most for the control timeout.
    ///
    /// # Errors
    /// `InvalidParam` misaligned, beyond the maximum, or no such window · `OutOfMemory` · `NotConnected`,
    /// `Timeout` of the store · those of the network; nothing has grown then. `PartialFailed` it has grown,
    /// and the named members could not map it; they keep using the old size.
    pub fn extend(&self, kind: MemKind, bytes: u64) -> Result<()> {
        const OP: &str = "pool extend";
        self.check_process(OP)?;
        let control = self.control.lock().unwrap_or_else(PoisonError::into_inner);
        if self.stage() == Stage::Destroyed {
            return Err(Error::new(Kind::NotExist, OP).what("the pool is destroyed").with("pool", self.id));
        }
        let from = self.local_bytes(kind);
        let max = self.layout.shape().max_bytes[kind.index()];
        let granule_bytes = self.devices.windows(kind)?.granule_bytes(kind);
        let to = from
            .checked_add(bytes)
            .filter(|to| *to <= max && bytes > 0 && bytes.is_multiple_of(granule_bytes));
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
        let former = self.grow_own(kind, from, to)?;
        if self.stage() != Stage::Joined {
            return Ok(());
        }
        if let Err(error) = self.publish_growth(kind, from, to) {
            self.shrink_own(kind, from..to, former);
            return Err(error.with("present", ByteLen(from)));
        }
        let Some(links) = &*control else { return Ok(()) };
        let letter = |rank: Rank| {
            let peer = self.peers().get(&rank).cloned().ok_or_else(|| Error::new(Kind::NotStarted, OP))?;
            let mut descriptors = Vec::new();
            let parts = self.own_parts(kind, &peer, &mut descriptors)?;
            #[expect(clippy::cast_possible_truncation, reason = "0 or 1")]
            Ok((Request::Extend { kind: kind.index() as u8, parts }, descriptors))
        };
        let deadline = Instant::now() + self.control_timeout;
        let mut refused = Vec::new();
        match links.ask(&links.ranks(), letter, deadline) {
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

    /// Grows the own memory; gives the handle on what it was. When it fails, the contribution is what it was.
    fn grow_own(&self, kind: MemKind, from: u64, to: u64) -> Result<Option<Box<dyn Memory>>> {
        let mut own = self.own();
        let slot = &mut own[kind.index()];
        // A handle of its own, which replaces the old one when all has worked.
        let grown = match slot {
            Some(memory) => memory.grown(to)?,
            None => self.devices.windows(kind)?.allocate(kind, to)?,
        };
        if grown.share_count() > SHARES_MAX {
            return Err(Error::new(Kind::NoResources, "pool extend")
                .what("the contribution would consist of too many pieces")
                .with("pieces", grown.share_count())
                .with("most", SHARES_MAX)
                .hint("grow in fewer and larger steps"));
        }
        // SAFETY: this part of the own segment is behind its end, so no extent covers it.
        unsafe { self.windows.map(kind, self.rank, &*grown, from..to) }?;
        if let (MemKind::Host, Some(node)) = (kind, self.numa_node) {
            self.windows.bind_to_node(kind, self.rank, from..to, node).inspect_err(|_| {
                // SAFETY: as above.
                let unmapped = unsafe { self.windows.unmap(kind, self.rank, from..to) };
                if let Err(error) = unmapped {
                    tracing::warn!("memory that is not contributed stays mapped: {error}");
                }
            })?;
        }
        Ok(slot.replace(grown))
    }

    /// Undoes [`grow_own`](Self::grow_own), when nobody else knows of it any more.
    fn shrink_own(&self, kind: MemKind, range: Range<u64>, former: Option<Box<dyn Memory>>) {
        pin::synchronize();
        if let Some(Err(error)) = self.devices.mover().map(|mover| mover.quiesce()) {
            tracing::warn!("memory that is not contributed stays mapped: {error}");
            return;
        }
        // SAFETY: no extent covers this part any more, and the copies that saw another were waited for.
        match unsafe { self.windows.unmap(kind, self.rank, range) } {
            Ok(()) => self.own()[kind.index()] = former,
            Err(error) => tracing::warn!("memory that is not contributed stays mapped: {error}"),
        }
    }

    /// Publishes the own record and announces this member to all older ones.
    fn meet_all(&self, links: &Links, deadline: Instant) -> Result<()> {
        const OP: &str = "pool join";
        let revision = self.publish(links)?;
        let mut waiting = self.older_members(revision)?;
        let (mut last_words, mut pause) = (String::new(), FIRST_PAUSE);
        while !waiting.is_empty() {
            let mut asked = Vec::new();
            let mut remote = Vec::new();
            for member in &waiting {
                match self.connect(links, member, &mut last_words)? {
                    Found::Linked => asked.push(member.rank),
                    Found::Remote => remote.push(member.rank),
                    Found::Silent => {}
                }
            }
            for member in waiting.extract_if(.., |member| remote.contains(&member.rank)) {
                self.admit_remote(member.rank, member.record, member.revision);
            }
            let letter = |rank: Rank| {
                let member = waiting.iter().find(|member| member.rank == rank);
                let member = member.ok_or_else(|| Error::new(Kind::NotStarted, OP))?;
                self.check_family(rank, &member.record.identity)?;
                let (announcement, descriptors) = self.contribution(&member.record.identity)?;
                Ok((Request::Announce(announcement), descriptors))
            };
            let outcomes = links.ask(&asked, letter, deadline)?;
            for (rank, outcome) in outcomes {
                match outcome {
                    Outcome::Done => waiting.retain(|member| member.rank != rank),
                    // A member that has just died cannot hand out an accelerator's memory any more; the end
                    // of its link follows at once.
                    Outcome::Refused { code, text } if code != Kind::NotStarted.code() => {
                        if !links.ends(rank, Instant::now() + DYING) {
                            return Err(Error::new(Kind::from_code(code).unwrap_or(Kind::Failed), OP)
                                .what("this member and another cannot map each other's memory")
                                .with("rank", rank)
                                .with("reason", text));
                        }
                        last_words = format!("rank {rank}: {text}");
                    }
                    Outcome::Closed => last_words = format!("rank {rank} closed the link without an answer"),
                    Outcome::Refused { .. } | Outcome::TimedOut => {}
                }
            }
            // Whoever's record is gone or newer has ended, has left, or comes to us.
            let mut remaining = Vec::new();
            for member in waiting {
                if self.store.get(&member.key)?.is_some_and(|entry| entry.revision == member.revision) {
                    remaining.push(member);
                }
            }
            waiting = remaining;
            if waiting.is_empty() {
                break;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(self.absent(&waiting, &last_words));
            }
            interrupt::sleep(OP, pause.min(left))?;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
        Ok(())
    }

    fn absent(&self, waiting: &[Older], last_words: &str) -> Error {
        let who =
            |m: &Older| format!("rank {} (pid {} on {})", m.rank, m.record.pid, escaped(&m.record.host));
        Error::new(Kind::Timeout, "pool join")
            .what("members of the pool did not answer")
            .with("missing", waiting.iter().map(who).collect::<Vec<_>>().join(", "))
            .with("waited_s", self.control_timeout.as_secs())
            .with("last_error", if last_words.is_empty() { "none" } else { last_words })
            .hint("a member that is stopped or hangs keeps others from joining; end it, or raise the control timeout")
            .scope(Scope::Peer)
    }

    /// Publishes the own record, and opens the own memory to the network under a fresh key; gives the
    /// record's revision.
    fn publish(&self, links: &Links) -> Result<u64> {
        let key = SegmentKey(u64::from_le_bytes(random("pool join")?));
        let bytes = MemKind::ALL.map(|kind| self.local_bytes(kind));
        let descriptions = self.open_to_network(key, bytes)?;
        let record = Record {
            endpoint: if self.shared_memory { links.name().to_owned() } else { String::new() },
            namespace: self.namespace.clone(),
            host: rustix::system::uname().nodename().to_string_lossy().into_owned(),
            pid: std::process::id(),
            identity: self.identity.clone(),
            session: self.store.member().session,
            key,
            bases: self.layout.bases(),
            bytes,
            descriptions,
            tag: self.engines.tag.as_str().to_owned(),
        };
        let value = record.encode();
        // From now on it is closed to the network when joining fails.
        *self.remote.published() = Some(record);
        let value = value?;
        self.store.set(&Record::key(self.id, self.rank), &value, Lifetime::Session)
    }

    /// The own memory has grown: it may be used, here and by whoever reaches it by the network. When it
    /// fails, nobody uses more of it than before.
    fn publish_growth(&self, kind: MemKind, from: u64, to: u64) -> Result<()> {
        let mut published = self.remote.published();
        let (Some(record), true) = (&mut *published, self.remote.network().is_some()) else {
            self.extents.admit(kind, self.rank, to);
            return Ok(());
        };
        let mut grown = record.clone();
        grown.bytes[kind.index()] = to;
        grown.descriptions = self.open_to_network(record.key, grown.bytes)?;
        // Before others hear of it.
        self.extents.admit(kind, self.rank, to);
        let told = grown
            .encode()
            .and_then(|value| self.store.set(&Record::key(self.id, self.rank), &value, Lifetime::Session));
        match told {
            Ok(_) => *record = grown,
            Err(error) => {
                self.extents.admit(kind, self.rank, from);
                match self.open_to_network(record.key, record.bytes) {
                    Ok(descriptions) => record.descriptions = descriptions,
                    Err(error) => tracing::warn!("a growth that failed stays open to the network: {error}"),
                }
                return Err(error);
            }
        }
        Ok(())
    }

    /// Looks for a link to a member. It may not listen yet, or be too busy; that is no error. Whoever hands
    /// over no descriptors from where it is, is remote.
    fn connect(&self, links: &Links, member: &Older, last_words: &mut String) -> Result<Found> {
        if links.ranks().contains(&member.rank) {
            return Ok(Found::Linked);
        }
        let has_network = self.remote.network().is_some();
        if has_network && (member.record.endpoint.is_empty() || !self.shared_memory) {
            return Ok(Found::Remote);
        }
        match links.connect(member.rank, &member.record.endpoint) {
            Ok(()) => Ok(Found::Linked),
            // Trying again would not help: this process is out of descriptors itself.
            Err(error) if matches!(error.fact("errno"), Some("EMFILE" | "ENFILE")) => Err(error),
            // On the same host it has just ended, or is busy; a process of another user hands over nothing.
            Err(error)
                if !has_network || (self.is_near(&member.record) && error.kind() != Kind::InvalidParam) =>
            {
                *last_words = error.to_string();
                Ok(Found::Silent)
            }
            Err(error) => {
                tracing::debug!(pool = self.id, rank = member.rank.0, "reached by the network: {error}");
                Ok(Found::Remote)
            }
        }
    }

    fn older_members(&self, revision: u64) -> Result<Vec<Older>> {
        let mut older = Vec::new();
        for entry in self.store.list(&Record::prefix(self.id))?.entries {
            let rank = Record::rank(self.id, &entry.key);
            let (Some(rank), Ok(record)) = (rank, Record::decode(&entry.value)) else {
                continue;
            };
            if rank != self.rank && entry.revision < revision {
                older.push(Older { rank, record, key: entry.key, revision: entry.revision });
            }
        }
        Ok(older)
    }

    fn withdraw_record(&self) {
        // Nothing is waited for: what a member holds in the store goes with its session at the latest.
        if let Err(error) = self.store.discard(&Record::key(self.id, self.rank)) {
            tracing::debug!("the record of a departing member stays until its session ends: {error}");
        }
        if let Some(record) = self.remote.published().take() {
            self.close_to_network(record.key);
        }
        self.forget_remote();
    }

    fn say_farewell(&self, links: &Links, patience: Duration) {
        self.extents.set_presence(self.rank, Presence::Left);
        let deadline = Instant::now() + FAREWELL.min(patience);
        if let Err(error) = links.ask(&links.ranks(), |_| Ok((Request::Leave, Vec::new())), deadline) {
            tracing::debug!("a farewell was not sent: {error}");
        }
    }
}

/// What came of looking for a link.
enum Found {
    /// There is one.
    Linked,
    /// There will be none.
    Remote,
    /// Not yet.
    Silent,
}
