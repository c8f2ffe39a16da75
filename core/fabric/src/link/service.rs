// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A member's links, and the calls of its own threads over them.
//!
//! One epoll thread ([`super::thread`]) owns listening, receiving and the end of links. Callers send from
//! their own thread and sleep until the service thread has their answers, a link has ended, or the deadline
//! has passed.

use std::collections::{HashMap, VecDeque};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use mf_base::interrupt::{self, InterruptPoll};
use mf_base::os::process::{Owner, descriptor_limit};
use mf_base::os::socket;
use mf_base::os::{random, thread, users};
use mf_base::settings::settings;
use mf_base::{Error, Kind, MemKind, Rank, Result};
use rustix::event::epoll;

use super::message::{Announcement, Packet, Part, Request, encode};
use crate::device::Identity;

pub(super) const OP: &str = "member link";
pub(super) const LISTENER: u64 = 0;
pub(super) const WAKE: u64 = 1;
const FIRST_LINK: u64 = 2;

/// How long a link that was accepted may go without the token.
pub(super) const PROOF_TIMEOUT: Duration = Duration::from_secs(10);
/// Most links without the token at a time; one more takes the place of the oldest. Who belongs here shows the
/// token with the first thing it says, at once after it connected.
const MOST_UNPROVED: usize = 256;
/// The same where descriptors are few.
const FEWEST_UNPROVED: usize = 32;
/// Nobody loses its place before so long, which is enough to say the first thing; who comes meanwhile waits
/// in the kernel.
const FIRST_WORD: Duration = Duration::from_millis(20);

/// What a member does with the requests of others. Called on the service thread, without locks.
pub trait Host: Send + Sync {
    /// Whether this member takes part.
    ///
    /// # Errors
    /// `NotStarted` when it does not.
    fn takes_part(&self) -> Result<()>;

    /// What this member contributes now, as `peer` may map it, with the descriptors of its parts.
    ///
    /// # Errors
    /// `NotStarted` when it does not take part; others when its memory cannot be handed out.
    fn contribution(&self, peer: &Identity) -> Result<(Announcement, Vec<OwnedFd>)>;

    /// A member announces its segments: map them. `news`: it comes to us; else it answers our own
    /// announcement.
    ///
    /// # Errors
    /// When they cannot be mapped; the join of whoever announced first then fails with this text.
    fn announced(&self, announcement: &Announcement, descriptors: Vec<OwnedFd>, news: bool) -> Result<()>;

    /// A member's segment has grown and consists of these parts now.
    ///
    /// # Errors
    /// When the new part cannot be mapped.
    fn extended(&self, rank: Rank, kind: MemKind, parts: &[Part], descriptors: Vec<OwnedFd>) -> Result<()>;

    /// A member leaves.
    fn left(&self, rank: Rank);

    /// The control page of this member, for another one to map.
    ///
    /// # Errors
    /// `NoResources` out of descriptors or memory.
    fn control_page(&self) -> Result<OwnedFd>;

    /// The control page of another member, which this one had asked for.
    ///
    /// # Errors
    /// When it is none, or cannot be mapped.
    fn control_page_of(&self, rank: Rank, page: OwnedFd) -> Result<()>;

    /// The link to a member has ended; `departed` when it had said so before.
    fn closed(&self, rank: Rank, departed: bool);
}

/// The answer to one request of [`Links::ask`].
#[derive(Debug)]
pub enum Outcome {
    /// Done; after an announcement the other's segments are mapped here, too.
    Done,
    /// The other member refused, or its answer could not be carried out here.
    Refused {
        /// Code of the C interface.
        code: i32,
        /// The error's text.
        text: String,
    },
    /// The link has ended.
    Closed,
    /// No answer until the deadline.
    TimedOut,
}

impl Outcome {
    pub(super) fn refused(error: &Error) -> Self {
        Self::Refused { code: error.code(), text: error.to_string() }
    }
}

pub(super) struct Link {
    /// Shared, so that the service thread reads and answers without holding the table.
    pub(super) socket: Arc<OwnedFd>,
    /// The member at the other end, once it has shown that it belongs to the job.
    pub(super) rank: Option<Rank>,
    pub(super) departed: bool,
}

/// Links that were accepted and have not shown the token, oldest first.
pub(super) struct Unproved {
    most: usize,
    all: VecDeque<(u64, Instant)>,
}

impl Default for Unproved {
    fn default() -> Self {
        Self { most: MOST_UNPROVED, all: VecDeque::new() }
    }
}

impl Unproved {
    /// One more until `deadline`; gives the one that loses its place for it.
    pub(super) fn enter(&mut self, id: u64, deadline: Instant) -> Option<u64> {
        self.all.push_back((id, deadline));
        if self.all.len() > self.most { self.oldest() } else { None }
    }

    /// Whether one more would take the place of one that has only just come.
    pub(super) fn must_wait(&self, now: Instant) -> bool {
        let has_time = |deadline: Instant| deadline > now + PROOF_TIMEOUT.saturating_sub(FIRST_WORD);
        self.all.len() >= self.most && self.next_deadline().is_some_and(has_time)
    }

    /// It has proved itself, or is gone.
    pub(super) fn leave(&mut self, id: u64) {
        self.all.retain(|(other, _)| *other != id);
    }

    /// There is no descriptor left: half of them lose their places, and there are only so many from now on,
    /// because who proves itself brings descriptors along.
    pub(super) fn make_room(&mut self) -> Vec<u64> {
        let all = self.all.len();
        if all > 0 {
            self.most = (all / 2).max(FEWEST_UNPROVED);
        }
        (all / 2..all).filter_map(|_| self.oldest()).collect()
    }

    /// One whose time is over; it loses its place.
    pub(super) fn late(&mut self, now: Instant) -> Option<u64> {
        if self.next_deadline()? <= now { self.oldest() } else { None }
    }

    pub(super) fn next_deadline(&self) -> Option<Instant> {
        self.all.front().map(|(_, deadline)| *deadline)
    }

    fn oldest(&mut self) -> Option<u64> {
        self.all.pop_front().map(|(id, _)| id)
    }
}

#[derive(Default)]
pub(super) struct Table {
    pub(super) links: HashMap<u64, Link>,
    pub(super) by_rank: HashMap<Rank, u64>,
    /// Questions under way: link, and the answer once it is there.
    pub(super) questions: HashMap<u64, (u64, Option<Outcome>)>,
    pub(super) next_link: u64,
    pub(super) next_question: u64,
}

pub(super) struct Shared {
    pub(super) host: Weak<dyn Host>,
    pub(super) token: [u8; 32],
    pub(super) epoll: OwnedFd,
    pub(super) wake: OwnedFd,
    pub(super) listener: OwnedFd,
    pub(super) table: Mutex<Table>,
    pub(super) answered: Condvar,
    /// Held by who says something of this member's state from the moment it is read until it is sent, and
    /// while anything else is sent: nobody hears of a change first and of the state before it
    /// afterwards.
    pub(super) telling: Mutex<()>,
    pub(super) stopping: AtomicBool,
}

/// The links of one member of one pool.
pub struct Links {
    shared: Arc<Shared>,
    name: String,
    owner: Owner,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Links {
    /// Listens under a fresh name and starts the service thread.
    ///
    /// # Errors
    /// `NoResources` out of descriptors or threads.
    pub fn start(host: Weak<dyn Host>, token: [u8; 32]) -> Result<Self> {
        let os = |errno| Error::os(OP, errno);
        let name = format!("memfabric-{:032x}", u128::from_le_bytes(random(OP)?));
        let listener = socket::listen(&name)?;
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC).map_err(os)?;
        let wake = rustix::event::eventfd(0, rustix::event::EventfdFlags::CLOEXEC).map_err(os)?;
        for (fd, data) in [(&listener, LISTENER), (&wake, WAKE)] {
            epoll::add(&epoll, fd, epoll::EventData::new_u64(data), epoll::EventFlags::IN).map_err(os)?;
        }
        let table = Mutex::new(Table { next_link: FIRST_LINK, ..Table::default() });
        let stopping = AtomicBool::new(false);
        let answered = Condvar::new();
        let telling = Mutex::default();
        let shared =
            Arc::new(Shared { host, token, epoll, wake, listener, table, answered, telling, stopping });
        let serving = Arc::clone(&shared);
        let thread = thread::spawn("mf-links", move || serving.serve()).map_err(|e| {
            Error::new(Kind::NoResources, OP).what("the service thread could not start").source(e)
        })?;
        Ok(Self { shared, name, owner: Owner::current(), thread: Mutex::new(Some(thread)) })
    }

    /// The name under which other members reach this one.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The ranks to which there is a link.
    pub fn ranks(&self) -> Vec<Rank> {
        self.shared.table().by_rank.keys().copied().collect()
    }

    /// Connects to the member `rank` that listens under `name`; an old link to that rank is forgotten.
    ///
    /// # Errors
    /// `NotConnected` when nobody listens there · `InvalidParam` when another user does.
    pub fn connect(&self, rank: Rank, name: &str) -> Result<()> {
        let socket = socket::connect(name)?;
        check_user(&socket)?;
        let mut table = self.shared.table();
        let id = self.shared.add(&mut table, socket, Some(rank))?;
        table.by_rank.insert(rank, id);
        Ok(())
    }

    /// Waits until the link to `rank` has ended, at most until `deadline`; says whether it has.
    pub fn ends(&self, rank: Rank, deadline: Instant) -> bool {
        let mut table = self.shared.table();
        while table.by_rank.contains_key(&rank) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            table = self.shared.answered.wait_timeout(table, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    /// Puts a request to several members at once and collects the answers, in the order of `members`.
    /// `letter` writes each member's request; where it fails, that is the member's answer.
    ///
    /// Blocks until all have answered or their links have ended, at most until `deadline`.
    ///
    /// # Errors
    /// When a request cannot be written at all · `Interrupted`; the answers are not waited for any more then.
    pub fn ask(
        &self,
        members: &[Rank],
        mut letter: impl FnMut(Rank) -> Result<(Request, Vec<OwnedFd>)>,
        deadline: Instant,
    ) -> Result<Vec<(Rank, Outcome)>> {
        let mut numbers = Vec::with_capacity(members.len());
        let mut unwritten = Vec::new();
        for rank in members {
            numbers.push(match letter(*rank) {
                Ok((request, descriptors)) => self.send(*rank, request, &descriptors)?,
                Err(error) => {
                    unwritten.push((*rank, error));
                    None
                }
            });
        }
        let mut table = self.shared.table();
        let is_open = |table: &Table, number: &u64| {
            table
                .questions
                .get(number)
                .is_some_and(|(link, answer)| answer.is_none() && table.links.contains_key(link))
        };
        let mut interrupt = None;
        while numbers.iter().flatten().any(|number| is_open(&table, number)) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let interrupt = interrupt.get_or_insert_with(InterruptPoll::new);
            let left = interrupt.within(left);
            table = self.shared.answered.wait_timeout(table, left).unwrap_or_else(PoisonError::into_inner).0;
            if interrupt.is_due() {
                drop(table);
                let is_left = interrupt.is_left();
                table = self.shared.table();
                if is_left {
                    table.questions.retain(|number, _| !numbers.contains(&Some(*number)));
                    return Err(interrupt::error(OP));
                }
            }
        }
        let outcome = |table: &mut Table, number: Option<u64>| {
            let Some((link, answer)) = number.and_then(|number| table.questions.remove(&number)) else {
                return Outcome::Closed;
            };
            let unanswered =
                if table.links.contains_key(&link) { Outcome::TimedOut } else { Outcome::Closed };
            answer.unwrap_or(unanswered)
        };
        let mut outcomes: Vec<(Rank, Outcome)> =
            members.iter().zip(numbers).map(|(rank, number)| (*rank, outcome(&mut table, number))).collect();
        for (rank, error) in unwritten {
            if let Some((_, outcome)) = outcomes.iter_mut().find(|(other, _)| *other == rank) {
                *outcome = Outcome::refused(&error);
            }
        }
        Ok(outcomes)
    }

    /// Sends one request; `None` when there is no link or it has ended.
    fn send(&self, rank: Rank, request: Request, descriptors: &[OwnedFd]) -> Result<Option<u64>> {
        let descriptors: Vec<BorrowedFd<'_>> = descriptors.iter().map(AsFd::as_fd).collect();
        let _telling = self.shared.tell();
        let mut table = self.shared.table();
        let Some(&id) = table.by_rank.get(&rank) else { return Ok(None) };
        let number = table.next_question;
        table.next_question += 1;
        let packet = encode(&Packet::Request { number, token: self.shared.token, request })?;
        let Some(link) = table.links.get(&id) else { return Ok(None) };
        if socket::send(&link.socket, &packet, &descriptors).is_err() {
            return Ok(None);
        }
        table.questions.insert(number, (id, None));
        Ok(Some(number))
    }

    /// Ends the service thread and all links. From the service thread itself it only asks for the end.
    pub fn stop(&self) {
        self.shared.stopping.store(true, Ordering::Release);
        // The counter cannot overflow from one addition.
        let _ = rustix::io::write(&self.shared.wake, &1u64.to_ne_bytes());
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread
            && thread.thread().id() != std::thread::current().id()
            && self.owner.is_current()
        {
            // A panic of the service thread was reported when it happened.
            let _ = thread.join();
        }
    }
}

impl Drop for Links {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Only processes of our own user, and of those that the settings allow, share memory with this one; root is
/// one like others, at either end.
pub(super) fn check_user(socket: impl AsFd) -> Result<()> {
    let theirs = socket::credentials(socket)?;
    users::check(OP, theirs.uid, &settings()?.allow_users).map_err(|error| error.with("pid", theirs.pid))
}

/// A message came without the descriptors that were sent with it.
pub(crate) fn lost_descriptor(rank: Rank) -> Error {
    let limit = descriptor_limit().map_or_else(|| "none".to_owned(), |limit| limit.to_string());
    Error::new(Kind::NoResources, OP)
        .what("a descriptor of a member's memory did not arrive")
        .with("rank", rank)
        .with("descriptor_limit", limit)
        .hint("raise the limit of open files (ulimit -n) in the process that could not take it")
}

impl Shared {
    pub(super) fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn tell(&self) -> MutexGuard<'_, ()> {
        self.telling.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn add(&self, table: &mut Table, socket: OwnedFd, rank: Option<Rank>) -> Result<u64> {
        let id = table.next_link;
        table.next_link += 1;
        let data = epoll::EventData::new_u64(id);
        epoll::add(&self.epoll, &socket, data, epoll::EventFlags::IN).map_err(|e| Error::os(OP, e))?;
        table.links.insert(id, Link { socket: Arc::new(socket), rank, departed: false });
        Ok(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_without_a_proof_gives_way() {
        let (mut unproved, now) = (Unproved::default(), Instant::now());
        let most = u64::try_from(MOST_UNPROVED).unwrap();
        assert!((0..most).all(|id| unproved.enter(id, now + PROOF_TIMEOUT).is_none()));
        assert!(unproved.must_wait(now) && !unproved.must_wait(now + FIRST_WORD));
        // Who has proved itself has a place of its own.
        unproved.leave(0);
        assert!(!unproved.must_wait(now));
        assert_eq!(unproved.enter(most, now + PROOF_TIMEOUT), None);
        assert_eq!(unproved.enter(most + 1, now + PROOF_TIMEOUT), Some(1));
        assert_eq!(unproved.late(now), None);
        let late: Vec<u64> = std::iter::from_fn(|| unproved.late(now + PROOF_TIMEOUT)).collect();
        assert_eq!(late, (2..most + 2).collect::<Vec<_>>());
        assert_eq!(unproved.next_deadline(), None);
    }

    #[test]
    fn half_of_them_make_room_and_stay_away() {
        let (mut unproved, deadline) = (Unproved::default(), Instant::now() + PROOF_TIMEOUT);
        assert!(unproved.make_room().is_empty());
        assert!((0..100).all(|id| unproved.enter(id, deadline).is_none()));
        assert_eq!(unproved.make_room(), (0..50).collect::<Vec<_>>());
        assert_eq!(unproved.enter(100, deadline), Some(50));
        let gone: Vec<u64> = std::iter::from_fn(|| Some(unproved.make_room()).filter(|ids| !ids.is_empty()))
            .flatten()
            .collect();
        assert_eq!(gone, (51..101).collect::<Vec<_>>());
    }
}
