// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The thread that serves a member's links: accepts, receives, answers, and notices the end of others. No lock is held
//! while the [`Host`] is called.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use mf_base::os::socket::{self, MAX_MESSAGE_BYTES, Received};
use mf_base::{Error, Kind, MemKind, Rank, Result};
use rustix::event::epoll;

use super::message::{Announcement, Packet, Reply, Request, decode, encode};
use super::service::{Host, LISTENER, OP, Outcome, Shared, WAKE, check_user};

impl Shared {
    pub(super) fn serve(&self) {
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

    fn carry_out(&self, id: u64, reply: Reply, descriptors: Vec<OwnedFd>) -> Outcome {
        match reply {
            Reply::Done(None) => Outcome::Done,
            Reply::Done(Some(theirs)) => {
                // It takes part, so its farewell of an earlier time is past: if this link ends now, it has died.
                if let Some(link) = self.table().links.get_mut(&id) {
                    link.departed = false;
                }
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
            Request::Extend { kind, to, sealed } => {
                let kind = MemKind::ALL.get(usize::from(kind)).copied();
                let kind = kind.ok_or_else(|| Error::invalid(OP, "an unknown kind of memory"))?;
                let descriptor =
                    descriptors.pop().ok_or_else(|| Error::invalid(OP, "a descriptor is missing"))?;
                host.extended(self.member(id)?, kind, to, sealed, descriptor)?;
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
