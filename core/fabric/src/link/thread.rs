// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The thread that serves a member's links: accepts, receives, answers, and notices the end of others. No
//! lock is held while the [`Host`] is called.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard};
use std::time::{Duration, Instant};

use mf_base::log::escaped;
use mf_base::os::socket::{self, MAX_MESSAGE_BYTES, Received};
use mf_base::{Error, Kind, MemKind, Rank, Result, warn_limited};
use rustix::event::{Timespec, epoll};

use super::message::{Announcement, Packet, Reply, Request, decode, encode};
use super::service::{
    Host, LISTENER, OP, Outcome, PROOF_TIMEOUT, Shared, Unproved, WAKE, check_user, lost_descriptor,
};

/// While descriptors are used up, a waiting connection would wake the thread over and over.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);
/// Connections taken before members are served again.
const ACCEPTED_AT_ONCE: usize = 64;

/// Whether connections are accepted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Door {
    Open,
    /// Not before the pause has passed.
    Closed,
    /// Tried again.
    Ajar,
}

/// The good answer to a request.
#[derive(Default)]
struct Answer<'a> {
    announcement: Option<Announcement>,
    is_control: bool,
    descriptors: Vec<OwnedFd>,
    /// What it says of this member is true until this is dropped.
    _telling: Option<MutexGuard<'a, ()>>,
}

impl Shared {
    pub(super) fn serve(&self) {
        let mut events = Vec::with_capacity(64);
        let mut buffer = vec![0; MAX_MESSAGE_BYTES];
        let mut door = Door::Open;
        let mut unproved = Unproved::default();
        while !self.stopping.load(Ordering::Acquire) {
            let pause = (door == Door::Closed).then_some(ACCEPT_PAUSE);
            let until_late = unproved.next_deadline().map(|at| at.saturating_duration_since(Instant::now()));
            let pause =
                pause.into_iter().chain(until_late).min().and_then(|pause| Timespec::try_from(pause).ok());
            match epoll::wait(&self.epoll, rustix::buffer::spare_capacity(&mut events), pause.as_ref()) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(errno) => {
                    tracing::error!("member links end: {errno}");
                    break;
                }
            }
            if door == Door::Closed {
                door = self.set_door(Door::Ajar);
            }
            for event in events.drain(..) {
                match event.data.u64() {
                    LISTENER => door = self.accept_some(door, &mut unproved),
                    WAKE => {}
                    id => {
                        self.read(id, &mut buffer);
                        if self.table().links.get(&id).is_none_or(|link| link.rank.is_some()) {
                            unproved.leave(id);
                        }
                    }
                }
            }
            while let Some(id) = unproved.late(Instant::now()) {
                warn_limited!("a link that has not shown the job's token is closed after {PROOF_TIMEOUT:?}");
                self.close(id);
            }
        }
        // Closing tells the others that this member is gone.
        self.table().links.clear();
        self.answered.notify_all();
    }

    /// Accepts some of who waits; closes the door for a moment when that is not possible. The rest wakes the
    /// thread again.
    fn accept_some(&self, door: Door, unproved: &mut Unproved) -> Door {
        for _ in 0..ACCEPTED_AT_ONCE {
            if unproved.must_wait(Instant::now()) {
                return self.set_door(Door::Closed);
            }
            match socket::accept(self.listener.as_fd()) {
                Ok(Some(socket)) => {
                    let added = check_user(&socket).and_then(|()| self.add(&mut self.table(), socket, None));
                    match added {
                        Ok(id) => {
                            if let Some(oldest) = unproved.enter(id, Instant::now() + PROOF_TIMEOUT) {
                                self.close(oldest);
                            }
                        }
                        Err(error) => warn_limited!("a member link was refused: {error}"),
                    }
                }
                Ok(None) => return Door::Open,
                Err(error) => {
                    // Who has not shown the token gives up its descriptor.
                    let gone = unproved.make_room();
                    if !gone.is_empty() {
                        gone.into_iter().for_each(|id| self.close(id));
                        continue;
                    }
                    // Said once, not at every try.
                    if door == Door::Open {
                        tracing::warn!("member links cannot be accepted: {error}");
                    }
                    return self.set_door(Door::Closed);
                }
            }
        }
        Door::Open
    }

    fn set_door(&self, door: Door) -> Door {
        let wanted = if door == Door::Closed { epoll::EventFlags::empty() } else { epoll::EventFlags::IN };
        if let Err(errno) =
            epoll::modify(&self.epoll, &self.listener, epoll::EventData::new_u64(LISTENER), wanted)
        {
            tracing::error!("member links: {errno}");
        }
        door
    }

    fn read(&self, id: u64, buffer: &mut [u8]) {
        loop {
            let Some(socket) = self.table().links.get(&id).map(|link| Arc::clone(&link.socket)) else {
                return;
            };
            let handled = match socket::receive(&*socket, buffer) {
                Ok(Received::Nothing) => return,
                Ok(Received::Closed) => return self.close(id),
                Ok(Received::Message { bytes, descriptors }) => match decode(&buffer[..bytes]) {
                    Ok(packet) => self.handle(id, &socket, packet, descriptors),
                    Err(error) => Err(self.answer_with(id, error)),
                },
                Err(error) => Err(self.answer_with(id, error)),
            };
            if let Err(error) = handled {
                warn_limited!("a member link is closed: {error}");
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

    /// An answer came that cannot be read, so asking again would give no better one.
    fn answer_with(&self, id: u64, error: Error) -> Error {
        for (link, answer) in self.table().questions.values_mut() {
            if *link == id && answer.is_none() {
                *answer = Some(Outcome::refused(&error));
            }
        }
        error
    }

    fn handle(&self, id: u64, socket: &OwnedFd, packet: Packet, descriptors: Vec<OwnedFd>) -> Result<()> {
        match packet {
            Packet::Reply { number, reply } => {
                if self.table().questions.get(&number).is_none_or(|(link, _)| *link != id) {
                    return Ok(());
                }
                let outcome = self.carry_out(id, reply, descriptors);
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
                let answer = self.answer(id, &*self.host()?, request, descriptors);
                let (reply, own) = match &answer {
                    Ok(answer) if answer.is_control => (Reply::Control, &*answer.descriptors),
                    Ok(answer) => (Reply::Done(answer.announcement.clone()), &*answer.descriptors),
                    Err(error) => (Reply::Refused { code: error.code(), text: error.to_string() }, &[][..]),
                };
                let own: Vec<BorrowedFd<'_>> = own.iter().map(AsFd::as_fd).collect();
                socket::send(socket, &encode(&Packet::Reply { number, reply })?, &own)
            }
        }
    }

    fn host(&self) -> Result<Arc<dyn Host>> {
        self.host.upgrade().ok_or_else(|| Error::new(Kind::NotStarted, OP))
    }

    fn carry_out(&self, id: u64, reply: Reply, descriptors: Vec<OwnedFd>) -> Outcome {
        match reply {
            Reply::Done(None) => Outcome::Done,
            Reply::Done(Some(theirs)) => {
                // It takes part, so its farewell of an earlier time is past: if this link ends now, it has
                // died.
                if let Some(link) = self.table().links.get_mut(&id) {
                    link.departed = false;
                }
                match self.host().and_then(|host| host.announced(&theirs, descriptors, false)) {
                    Ok(()) => Outcome::Done,
                    Err(error) => Outcome::refused(&error),
                }
            }
            Reply::Control => {
                let adopted = self.member(id).and_then(|rank| {
                    let page = descriptors.into_iter().next().ok_or_else(|| lost_descriptor(rank))?;
                    self.host()?.control_page_of(rank, page)
                });
                adopted.map_or_else(|error| Outcome::refused(&error), |()| Outcome::Done)
            }
            Reply::Refused { code, text } => Outcome::Refused { code, text: escaped(&text).into_owned() },
        }
    }

    fn answer(
        &self,
        id: u64,
        host: &dyn Host,
        request: Request,
        descriptors: Vec<OwnedFd>,
    ) -> Result<Answer<'_>> {
        match request {
            Request::Announce(announcement) => {
                // Refuse before anything is mapped when this member does not take part itself.
                host.takes_part()?;
                host.announced(&announcement, descriptors, true)?;
                let rank = Rank(announcement.rank);
                {
                    let mut table = self.table();
                    if let Some(link) = table.links.get_mut(&id) {
                        (link.rank, link.departed) = (Some(rank), false);
                    }
                    table.by_rank.insert(rank, id);
                }
                // Read after the link is known: what changes from now on is told over it, behind this answer;
                // what changed before is in here.
                let telling = self.tell();
                let (own, descriptors) = host.contribution(&announcement.identity)?;
                Ok(Answer {
                    announcement: Some(own),
                    is_control: false,
                    descriptors,
                    _telling: Some(telling),
                })
            }
            Request::Extend { kind, parts } => {
                let kind = MemKind::ALL.get(usize::from(kind)).copied();
                let kind = kind.ok_or_else(|| Error::invalid(OP, "an unknown kind of memory"))?;
                host.extended(self.member(id)?, kind, &parts, descriptors)?;
                Ok(Answer::default())
            }
            Request::Control => {
                self.member(id)?;
                let page = host.control_page()?;
                Ok(Answer { is_control: true, descriptors: vec![page], ..Answer::default() })
            }
            Request::Leave => {
                let rank = self.member(id)?;
                if let Some(link) = self.table().links.get_mut(&id) {
                    link.departed = true;
                }
                host.left(rank);
                Ok(Answer::default())
            }
        }
    }

    fn member(&self, id: u64) -> Result<Rank> {
        let rank = self.table().links.get(&id).and_then(|link| link.rank);
        rank.ok_or_else(|| Error::invalid(OP, "the other end has not announced itself"))
    }
}
