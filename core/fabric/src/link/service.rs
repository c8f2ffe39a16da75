// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A member's links, and the calls of its own threads over them.
//!
//! One epoll thread ([`super::thread`]) owns listening, receiving and the end of links. Callers send from their own
//! thread and sleep until the service thread has their answers, a link has ended, or the deadline has passed.

use std::collections::HashMap;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::Instant;

use mf_base::interrupt::{self, Asker};
use mf_base::os::process::{Owner, descriptor_limit};
use mf_base::os::socket;
use mf_base::os::thread;
use mf_base::{Error, Kind, MemKind, Rank, Result};
use rustix::event::epoll;

use super::message::{Announcement, Packet, Part, Request, encode};
use crate::device::Identity;

pub(super) const OP: &str = "member link";
pub(super) const LISTENER: u64 = 0;
pub(super) const WAKE: u64 = 1;
const FIRST_LINK: u64 = 2;

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

    /// A member announces its segments: map them. `news`: it comes to us; else it answers our own announcement.
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
    /// Held by who says something of this member's state from the moment it is read until it is sent, and while
    /// anything else is sent: nobody hears of a change first and of the state before it afterwards.
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
        let mut noise = [0; 16];
        rustix::rand::getrandom(&mut noise, rustix::rand::GetRandomFlags::empty()).map_err(os)?;
        let name = format!("memfabric-{:032x}", u128::from_le_bytes(noise));
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

    /// Puts a request to several members at once and collects the answers, in the order of `members`. `letter` writes
    /// each member's request; where it fails, that is the member's answer.
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
        let mut asker = None;
        while numbers.iter().flatten().any(|number| is_open(&table, number)) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let asker = asker.get_or_insert_with(Asker::new);
            let left = asker.within(left);
            table = self.shared.answered.wait_timeout(table, left).unwrap_or_else(PoisonError::into_inner).0;
            if asker.is_due() {
                drop(table);
                let is_left = asker.is_left();
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

pub(super) fn check_user(socket: impl AsFd) -> Result<()> {
    let theirs = socket::credentials(socket)?;
    let ours = rustix::process::geteuid().as_raw();
    if theirs.uid == ours || theirs.uid == 0 || ours == 0 {
        return Ok(());
    }
    Err(Error::invalid(OP, "a process of another user is at the other end")
        .with("pid", theirs.pid)
        .with("uid", theirs.uid))
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
