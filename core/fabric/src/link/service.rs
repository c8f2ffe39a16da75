// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The thread that serves a member's links, and the calls of the member's own threads over them.
//!
//! One epoll thread owns listening, receiving and the end of links. Callers send from their own thread and sleep until
//! the service thread has their answers, a link has ended, or the deadline has passed. No lock is held while the
//! [`Host`] is called.

use std::collections::HashMap;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::Instant;

use mf_base::os::process::Owner;
use mf_base::os::socket::{self, MAX_MESSAGE_BYTES, Received};
use mf_base::{Error, Kind, MemKind, Rank, Result};
use rustix::event::epoll;

use super::message::{Announcement, Packet, Reply, Request, decode, encode};

const OP: &str = "member link";
const LISTENER: u64 = 0;
const WAKE: u64 = 1;
const FIRST_LINK: u64 = 2;

/// What a member does with the requests of others. Called on the service thread, without locks.
pub trait Host: Send + Sync {
    /// What this member contributes now, with the descriptors of its non-empty kinds.
    ///
    /// # Errors
    /// `NotStarted` when it does not take part.
    fn contribution(&self) -> Result<(Announcement, Vec<OwnedFd>)>;

    /// A member announces its segments: map them. `news`: it comes to us; else it answers our own announcement.
    ///
    /// # Errors
    /// When they cannot be mapped; the join of whoever announced first then fails with this text.
    fn announced(&self, announcement: &Announcement, descriptors: Vec<OwnedFd>, news: bool) -> Result<()>;

    /// A member's segment has grown.
    ///
    /// # Errors
    /// When the new part cannot be mapped.
    fn extended(
        &self,
        rank: Rank,
        kind: MemKind,
        from: u64,
        to: u64,
        sealed: bool,
        descriptor: OwnedFd,
    ) -> Result<()>;

    /// A member leaves.
    fn left(&self, rank: Rank);

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

struct Link {
    /// Shared, so that the service thread reads and answers without holding the table.
    socket: Arc<OwnedFd>,
    /// The member at the other end, once it has shown that it belongs to the job.
    rank: Option<Rank>,
    departed: bool,
}

#[derive(Default)]
struct Table {
    links: HashMap<u64, Link>,
    by_rank: HashMap<Rank, u64>,
    /// Questions under way: link, and the answer once it is there.
    questions: HashMap<u64, (u64, Option<Outcome>)>,
    next_link: u64,
    next_question: u64,
}

struct Shared {
    host: Weak<dyn Host>,
    token: [u8; 32],
    epoll: OwnedFd,
    wake: OwnedFd,
    listener: OwnedFd,
    table: Mutex<Table>,
    answered: Condvar,
    stopping: AtomicBool,
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
        let shared = Arc::new(Shared { host, token, epoll, wake, listener, table, answered, stopping });
        let serving = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("mf-links".to_owned())
            .stack_size(256 << 10)
            .spawn(move || serving.serve())
            .map_err(|e| {
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

    /// Puts a request to several members at once and collects the answers, in the order of `members`.
    ///
    /// Blocks until all have answered or their links have ended, at most until `deadline`.
    ///
    /// # Errors
    /// Only when the request cannot be written at all.
    pub fn ask(
        &self,
        members: &[Rank],
        request: &Request,
        descriptors: &[BorrowedFd<'_>],
        deadline: Instant,
    ) -> Result<Vec<(Rank, Outcome)>> {
        let mut numbers = Vec::with_capacity(members.len());
        for rank in members {
            numbers.push(self.send(*rank, request, descriptors)?);
        }
        let mut table = self.shared.table();
        let is_open = |table: &Table, number: &u64| {
            table
                .questions
                .get(number)
                .is_some_and(|(link, answer)| answer.is_none() && table.links.contains_key(link))
        };
        while numbers.iter().flatten().any(|number| is_open(&table, number)) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            table = self.shared.answered.wait_timeout(table, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        let outcome = |table: &mut Table, number: Option<u64>| {
            let Some((link, answer)) = number.and_then(|number| table.questions.remove(&number)) else {
                return Outcome::Closed;
            };
            let unanswered =
                if table.links.contains_key(&link) { Outcome::TimedOut } else { Outcome::Closed };
            answer.unwrap_or(unanswered)
        };
        Ok(members.iter().zip(numbers).map(|(rank, number)| (*rank, outcome(&mut table, number))).collect())
    }

    /// Sends one request; `None` when there is no link or it has ended.
    fn send(&self, rank: Rank, request: &Request, descriptors: &[BorrowedFd<'_>]) -> Result<Option<u64>> {
        let mut table = self.shared.table();
        let Some(&id) = table.by_rank.get(&rank) else { return Ok(None) };
        let number = table.next_question;
        table.next_question += 1;
        let packet = encode(&Packet::Request { number, token: self.shared.token, request: request.clone() })?;
        let Some(link) = table.links.get(&id) else { return Ok(None) };
        if socket::send(&link.socket, &packet, descriptors).is_err() {
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

fn check_user(socket: impl AsFd) -> Result<()> {
    let theirs = socket::credentials(socket)?;
    let ours = rustix::process::geteuid().as_raw();
    if theirs.uid == ours || theirs.uid == 0 || ours == 0 {
        return Ok(());
    }
    Err(Error::invalid(OP, "a process of another user is at the other end")
        .with("pid", theirs.pid)
        .with("uid", theirs.uid))
}

impl Shared {
    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, table: &mut Table, socket: OwnedFd, rank: Option<Rank>) -> Result<u64> {
        let id = table.next_link;
        table.next_link += 1;
        let data = epoll::EventData::new_u64(id);
        epoll::add(&self.epoll, &socket, data, epoll::EventFlags::IN).map_err(|e| Error::os(OP, e))?;
        table.links.insert(id, Link { socket: Arc::new(socket), rank, departed: false });
        Ok(id)
    }

    fn serve(&self) {
        let mut events = Vec::with_capacity(64);
        let mut buffer = vec![0; MAX_MESSAGE_BYTES];
        while !self.stopping.load(Ordering::Acquire) {
            match epoll::wait(&self.epoll, rustix::buffer::spare_capacity(&mut events), None) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(errno) => {
                    tracing::error!("member links end: {errno}");
                    break;
                }
            }
            for event in events.drain(..) {
                match event.data.u64() {
                    LISTENER => self.accept_all(),
                    WAKE => {}
                    id => self.read(id, &mut buffer),
                }
            }
        }
        // Closing tells the others that this member is gone.
        self.table().links.clear();
        self.answered.notify_all();
    }

    fn accept_all(&self) {
        loop {
            match socket::accept(self.listener.as_fd()) {
                Ok(Some(socket)) => {
                    let added = check_user(&socket).and_then(|()| self.add(&mut self.table(), socket, None));
                    if let Err(error) = added {
                        tracing::warn!("a member link was refused: {error}");
                    }
                }
                Ok(None) => return,
                Err(error) => {
                    tracing::warn!("a member link could not be accepted: {error}");
                    return;
                }
            }
        }
    }

    fn read(&self, id: u64, buffer: &mut [u8]) {
        loop {
            let Some(socket) = self.table().links.get(&id).map(|link| Arc::clone(&link.socket)) else {
                return;
            };
            let handled = match socket::receive(&*socket, buffer) {
                Ok(Received::Nothing) => return,
                Ok(Received::Closed) => return self.close(id),
                Ok(Received::Message { bytes, descriptors }) => {
                    self.handle(id, &socket, &buffer[..bytes], descriptors)
                }
                Err(error) => Err(error),
            };
            if let Err(error) = handled {
                tracing::warn!("a member link is closed: {error}");
                return self.close(id);
            }
        }
    }

    fn close(&self, id: u64) {
        let mut table = self.table();
        let Some(link) = table.links.remove(&id) else { return };
        let Some(rank) = link.rank else { return };
        // A member that came back has a newer link; the end of the old one then means nothing.
        let was_current = table.by_rank.get(&rank) == Some(&id);
        if was_current {
            table.by_rank.remove(&rank);
        }
        drop(table);
        if was_current && let Some(host) = self.host.upgrade() {
            host.closed(rank, link.departed);
        }
        self.answered.notify_all();
    }

    fn handle(&self, id: u64, socket: &OwnedFd, bytes: &[u8], descriptors: Vec<OwnedFd>) -> Result<()> {
        match decode(bytes)? {
            Packet::Reply { number, reply } => {
                if self.table().questions.get(&number).is_none_or(|(link, _)| *link != id) {
                    return Ok(());
                }
                let outcome = self.carry_out(reply, descriptors);
                if let Some((_, answer)) = self.table().questions.get_mut(&number) {
                    *answer = Some(outcome);
                }
                self.answered.notify_all();
                Ok(())
            }
            Packet::Request { number, token, request } => {
                if token != self.token {
                    return Err(Error::invalid(OP, "a process without the job's token asked to be served"));
                }
                let (reply, own) = match self.answer(id, &*self.host()?, request, descriptors) {
                    Ok((announcement, own)) => (Reply::Done(announcement), own),
                    Err(error) => {
                        (Reply::Refused { code: error.code(), text: error.to_string() }, Vec::new())
                    }
                };
                let own: Vec<BorrowedFd<'_>> = own.iter().map(AsFd::as_fd).collect();
                socket::send(socket, &encode(&Packet::Reply { number, reply })?, &own)
            }
        }
    }

    fn host(&self) -> Result<Arc<dyn Host>> {
        self.host.upgrade().ok_or_else(|| Error::new(Kind::NotStarted, OP))
    }

    fn carry_out(&self, reply: Reply, descriptors: Vec<OwnedFd>) -> Outcome {
        match reply {
            Reply::Done(None) => Outcome::Done,
            Reply::Done(Some(theirs)) => {
                match self.host().and_then(|host| host.announced(&theirs, descriptors, false)) {
                    Ok(()) => Outcome::Done,
                    Err(error) => Outcome::Refused { code: error.code(), text: error.to_string() },
                }
            }
            Reply::Refused { code, text } => Outcome::Refused { code, text },
        }
    }

    fn answer(
        &self,
        id: u64,
        host: &dyn Host,
        request: Request,
        mut descriptors: Vec<OwnedFd>,
    ) -> Result<(Option<Announcement>, Vec<OwnedFd>)> {
        match request {
            Request::Announce(announcement) => {
                // Refuse before anything is mapped when this member does not take part itself.
                host.contribution()?;
                host.announced(&announcement, descriptors, true)?;
                let rank = Rank(announcement.rank);
                {
                    let mut table = self.table();
                    if let Some(link) = table.links.get_mut(&id) {
                        (link.rank, link.departed) = (Some(rank), false);
                    }
                    table.by_rank.insert(rank, id);
                }
                // Read after the link is known: an extension from now on is announced over it, one before is in here.
                let (own, own_descriptors) = host.contribution()?;
                Ok((Some(own), own_descriptors))
            }
            Request::Extend { kind, from, to, sealed } => {
                let kind = MemKind::ALL.get(usize::from(kind)).copied();
                let kind = kind.ok_or_else(|| Error::invalid(OP, "an unknown kind of memory"))?;
                let descriptor =
                    descriptors.pop().ok_or_else(|| Error::invalid(OP, "a descriptor is missing"))?;
                host.extended(self.member(id)?, kind, from, to, sealed, descriptor)?;
                Ok((None, Vec::new()))
            }
            Request::Leave => {
                let rank = self.member(id)?;
                if let Some(link) = self.table().links.get_mut(&id) {
                    link.departed = true;
                }
                host.left(rank);
                Ok((None, Vec::new()))
            }
        }
    }

    fn member(&self, id: u64) -> Result<Rank> {
        let rank = self.table().links.get(&id).and_then(|link| link.rank);
        rank.ok_or_else(|| Error::invalid(OP, "the other end has not announced itself"))
    }
}
