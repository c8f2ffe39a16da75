// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Inter-host barrier and allgather: members meet their leader in its room, leaders meet by messages.
//!
//! An allgather goes in pieces, so that all hosts' pieces together stay below [`OPERATION_BYTES_MAX`]. The
//! leader collects the piece of each of its members, exchanges them with the other leaders
//! ([`super::exchange_machine`]), and spreads the result through its own area, as many bytes a round as fit.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mf_base::Rank;
use mf_base::interrupt::InterruptPoll;
use mf_base::sync::lock;
use mf_base::sync::wait::Deadline;
use mf_base::warn_limited;

use super::arrival_word::Tag;
use super::exchange_machine::{Exchanger, Host, Outgoing};
use super::failure::{Cause, Failure};
use super::intra_host::IntraHost;
use super::page::AREA_BYTES;
use super::saved_call::InterruptedRound;
use super::slow_wait::SlowWait;
use super::wait_report::Reporter;
use super::wire::{Inbox, Mailbox, Wire};

/// Most bytes of all members in one exchange.
const OPERATION_BYTES_MAX: usize = 4 << 20;
/// Interval at which a leader that waits for other hosts polls the members of its own host.
const POLL_EVERY: Duration = Duration::from_millis(10);
/// Longest wait of a member that only notifies others of its end.
const NOTIFY_TIMEOUT: Duration = Duration::from_millis(200);

/// A group over several hosts.
pub(super) struct InterHost {
    /// The members of each host by their places in the list, in the order of ranks; their leaders first.
    hosts: Vec<Vec<usize>>,
    /// The number of this host.
    me: usize,
    members: usize,
    /// `None`: this member is alone on its host.
    room: Option<IntraHost>,
    /// State of a leader.
    leader: Option<Leader>,
    /// A lost member of another host, counted from 1; 0: no member is lost.
    lost: AtomicUsize,
    /// The round of the room in which a leader left an exchange in progress.
    interrupted: InterruptedRound,
    reporter: Arc<Reporter>,
}

/// A leader's wire to the leaders of other hosts.
pub(super) struct Leader {
    pub(super) wire: Arc<dyn Wire>,
    pub(super) inbox: Arc<Inbox>,
    pub(super) number: u64,
    pub(super) mailbox: Arc<Mailbox>,
    /// The leader's rank of each host.
    pub(super) leaders: Vec<Rank>,
    pub(super) exchanger: Mutex<Exchanger>,
}

impl Leader {
    pub(super) fn exchanger(hosts: Vec<Host>, me: usize) -> Mutex<Exchanger> {
        Mutex::new(Exchanger::new(hosts, me, OPERATION_BYTES_MAX))
    }

    fn send(&self, out: &mut Vec<Outgoing>, deadline: Instant) -> Result<(), Failure> {
        for Outgoing { host, packet } in out.drain(..) {
            let Some(rank) = self.leaders.get(host) else { continue };
            if let Err(error) = self.wire.send(*rank, &packet, deadline) {
                let exchanger = lock(&self.exchanger);
                let leader = exchanger.hosts().get(host).map_or(usize::MAX, |host| host.leader);
                return Err(Failure::new(Cause::Wire, leader, error.to_string()));
            }
        }
        Ok(())
    }

    /// Returns the failure of the group that another leader has reported.
    fn reported(&self) -> Option<Failure> {
        let mut exchanger = lock(&self.exchanger);
        while let Some((rank, packet)) = self.mailbox.next(Instant::now()) {
            let host = self.leaders.iter().position(|other| *other == rank);
            let _ = host.map(|host| exchanger.store_packet(host, packet));
        }
        exchanger.reported()
    }

    /// Sends messages that need no reply.
    fn notify(&self, what: impl FnOnce(&Exchanger) -> Vec<Outgoing>) {
        let out = what(&lock(&self.exchanger));
        let deadline = Instant::now() + NOTIFY_TIMEOUT;
        for Outgoing { host, packet } in out {
            if let Some(rank) = self.leaders.get(host) {
                // One that cannot be reached learns it by its deadline.
                let _ = self.wire.send(*rank, &packet, deadline);
            }
        }
    }
}

impl InterHost {
    pub(super) fn new(
        hosts: Vec<Vec<usize>>,
        me: usize,
        members: usize,
        room: Option<IntraHost>,
        leader: Option<Leader>,
        reporter: Arc<Reporter>,
    ) -> Self {
        let (lost, interrupted) = (AtomicUsize::new(0), InterruptedRound::default());
        Self { hosts, me, members, room, leader, lost, interrupted, reporter }
    }

    pub(super) fn room(&self) -> Option<&IntraHost> {
        self.room.as_ref()
    }

    pub(super) fn hosts(&self) -> &[Vec<usize>] {
        &self.hosts
    }

    pub(super) fn barrier(&self, deadline: Instant) -> Result<(), Failure> {
        self.call(Tag::Barrier, &[], &mut [], deadline, &mut 0)
    }

    /// `progress`: how far an earlier call came that was left; and this one, when it is.
    pub(super) fn allgather(
        &self,
        own: &[u8],
        all: &mut [u8],
        deadline: Instant,
        progress: &mut usize,
    ) -> Result<(), Failure> {
        self.call(Tag::Allgather, own, all, deadline, progress)
    }

    fn call(
        &self,
        tag: Tag,
        own: &[u8],
        all: &mut [u8],
        deadline: Instant,
        progress: &mut usize,
    ) -> Result<(), Failure> {
        // Every member has room for one byte at least, however many there are.
        let piece_bytes = (OPERATION_BYTES_MAX / self.members).clamp(1, AREA_BYTES);
        loop {
            let piece = *progress..own.len().min(*progress + piece_bytes);
            let met = match &self.leader {
                Some(leader) => self.exchange_as_leader(leader, tag, own, piece, all, deadline),
                None => self.follow(tag, own, piece, all, deadline),
            };
            met.inspect_err(|failure| self.fail(failure))?;
            *progress += piece_bytes;
            if *progress >= own.len() {
                return Ok(());
            }
        }
    }

    fn exchange_as_leader(
        &self,
        leader: &Leader,
        tag: Tag,
        own: &[u8],
        piece: std::ops::Range<usize>,
        all: &mut [u8],
        deadline: Instant,
    ) -> Result<(), Failure> {
        self.check_lost()?;
        let mine = own.get(piece.clone()).unwrap_or_default();
        let round = match self.interrupted.resume() {
            Some(round) => round,
            None => self.begin_exchange(leader, tag, own.len(), mine, deadline)?,
        };
        let met = self.exchange(leader, tag, round, deadline);
        let blocks = met.inspect_err(|failure| {
            if failure.cause == Cause::Left {
                self.interrupted.keep(round);
            }
        })?;
        self.scatter(&blocks, 0, &piece, own.len(), all);
        match &self.room {
            Some(room) => room.spread(tag, round, &blocks, &mut Deadline::At(deadline)),
            None => Ok(()),
        }
    }

    fn follow(
        &self,
        tag: Tag,
        own: &[u8],
        piece: std::ops::Range<usize>,
        all: &mut [u8],
        deadline: Instant,
    ) -> Result<(), Failure> {
        self.check_lost()?;
        let Some(room) = &self.room else {
            return Err(Failure::new(Cause::Wire, usize::MAX, "this member has no leader"));
        };
        let mine = own.get(piece.clone()).unwrap_or_default();
        let total = mine.len() * self.members;
        room.contribute(tag, mine, own.len(), total, &mut Deadline::At(deadline), |from, bytes| {
            self.scatter(bytes, from, &piece, own.len(), all);
        })
    }

    /// Puts blocks, from byte `from` of them on, where they belong in `all`.
    fn scatter(
        &self,
        bytes: &[u8],
        from: usize,
        piece: &std::ops::Range<usize>,
        length: usize,
        all: &mut [u8],
    ) {
        let end = from + bytes.len();
        let mut at = 0;
        for member in self.hosts.iter().flatten() {
            let (first, last) = (from.max(at), end.min(at + piece.len()));
            if first < last {
                let to = member * length + piece.start + (first - at);
                if let (Some(to), Some(source)) =
                    (all.get_mut(to..to + (last - first)), bytes.get(first - from..last - from))
                {
                    to.copy_from_slice(source);
                }
            }
            at += piece.len();
        }
    }

    /// Collects the pieces of this host, of a call in which each member gives `length` bytes, and notifies
    /// the other leaders; gives the round of the room.
    fn begin_exchange(
        &self,
        leader: &Leader,
        tag: Tag,
        length: usize,
        mine: &[u8],
        deadline: Instant,
    ) -> Result<u32, Failure> {
        let mut block = vec![0; mine.len() * self.room.as_ref().map_or(1, |room| room.member_slots().len())];
        let round = match &self.room {
            Some(room) => room.collect(tag, mine, length, &mut block, &mut Deadline::At(deadline))?,
            None => {
                block.copy_from_slice(mine);
                0
            }
        };
        let mut out = Vec::new();
        let mut exchanger = lock(&leader.exchanger);
        exchanger.begin(tag as u16, length as u64, mine.len(), &block, &mut out)?;
        drop(exchanger);
        leader.send(&mut out, deadline).map(|()| round)
    }

    /// Goes through an exchange that has begun.
    fn exchange(&self, leader: &Leader, tag: Tag, round: u32, deadline: Instant) -> Result<Vec<u8>, Failure> {
        let mut out = Vec::new();
        let mut interrupt = None;
        let mut lasting = SlowWait::new(&self.reporter);
        let exchanger = || lock(&leader.exchanger);
        loop {
            leader.send(&mut out, deadline)?;
            if exchanger().is_done() {
                return Ok(exchanger().take());
            }
            let now = Instant::now();
            match leader.mailbox.next(deadline.min(now + POLL_EVERY)) {
                Some((rank, packet)) => {
                    let Some(host) = leader.leaders.iter().position(|other| *other == rank) else {
                        warn_limited!("a message for a group comes from a rank that leads no host: {rank}");
                        continue;
                    };
                    exchanger().receive(host, packet, &mut out)?;
                }
                None => {
                    if interrupt.get_or_insert_with(InterruptPoll::new).is_left() {
                        return Err(Failure::left());
                    }
                    self.check_lost()?;
                    if let Some(room) = &self.room {
                        room.check(tag, round)?;
                    }
                    lasting.report(tag.text(), || vec![exchanger().awaited()], || exchanger().describe());
                    if now >= deadline {
                        let exchanger = exchanger();
                        return Err(Failure::new(Cause::Timeout, exchanger.awaited(), exchanger.describe()));
                    }
                }
            }
        }
    }

    fn check_lost(&self) -> Result<(), Failure> {
        match self.lost.load(Ordering::Acquire).checked_sub(1) {
            // A member may have left because another has ended, and has reported that.
            Some(member) => Err(self
                .leader
                .as_ref()
                .and_then(Leader::reported)
                .unwrap_or_else(|| Failure::new(Cause::Lost, member, "its process has ended"))),
            None => Ok(()),
        }
    }

    /// Notifies the members that wait with this one.
    fn fail(&self, failure: &Failure) {
        if failure.cause == Cause::Left {
            return;
        }
        if let Some(room) = &self.room {
            room.fail(failure);
        }
        if let Some(leader) = &self.leader {
            leader.notify(|exchanger| exchanger.failed(failure.cause.pack(failure.member)));
        }
    }

    pub(super) fn mark_lost(&self, member: usize) {
        if self.hosts.get(self.me).is_some_and(|host| host.contains(&member)) {
            if let Some(room) = &self.room {
                room.mark_lost(member);
            }
        } else {
            let _ = self.lost.compare_exchange(0, member + 1, Ordering::AcqRel, Ordering::Relaxed);
            if let Some(room) = &self.room {
                room.mark_dead_on_other_host(member);
            }
        }
        if let Some(leader) = &self.leader {
            leader.mailbox.wake();
        }
    }
}

impl Drop for InterHost {
    fn drop(&mut self) {
        if let Some(leader) = &self.leader {
            leader.notify(Exchanger::leaving);
            leader.inbox.close(leader.number);
        }
    }
}
