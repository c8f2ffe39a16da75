// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Watch of idle links: the kernel reports once if a peer closes its link; the thread of the channel then
//! reads the bytes left in the socket ([`Link::absorb`]) and closes the descriptor. These bytes can still be
//! received; after that the next caller gets the end as an error.
//!
//! Closed links stay in the table until a caller gets that error, or another link takes their place; if too
//! many are kept, the oldest are dropped ([`Closed`]).

use std::collections::{HashMap, VecDeque};
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, Weak};

use mf_base::os::descriptor;
use mf_base::sync::lock;
use mf_base::{Error, Result};
use rustix::event::Timespec;
use rustix::event::epoll::{self, Event, EventData, EventFlags};

use super::link::Link;

/// Closed links that are kept for callers.
const CLOSED_MAX: usize = 1024;
/// Most bytes that all of them keep, unread.
const UNREAD_BYTES_MAX: usize = 64 << 20;
/// Ends that are taken from the kernel at once.
const ENDS: usize = 64;

/// The set of links that the kernel watches.
pub(super) struct Watch {
    epoll: OwnedFd,
    links: Mutex<Links>,
}

#[derive(Default)]
struct Links {
    next: u64,
    by_number: HashMap<u64, Weak<Link>>,
    /// Size at which ended links are removed.
    full: usize,
}

impl Watch {
    pub(super) fn new() -> Result<Self> {
        let epoll = descriptor::epoll()
            .map_err(|errno| Error::os("hmc ctrl watch", errno).what("no descriptor to wait with"))?;
        Ok(Self { epoll, links: Mutex::default() })
    }

    /// Returns the descriptor that becomes readable when a link has ended.
    pub(super) fn bell(&self) -> &OwnedFd {
        &self.epoll
    }

    /// Watches a link; its end is reported once.
    ///
    /// # Errors
    /// Errors of the kernel.
    pub(super) fn add(&self, link: &Arc<Link>) -> Result<()> {
        let number = {
            let mut links = lock(&self.links);
            if links.by_number.len() >= links.full {
                links.by_number.retain(|_, link| link.strong_count() > 0);
                links.full = links.by_number.len() * 2 + 64;
            }
            links.next += 1;
            let number = links.next;
            links.by_number.insert(number, Arc::downgrade(link));
            number
        };
        let flags = EventFlags::RDHUP | EventFlags::ONESHOT;
        let added =
            link.with_socket(|socket| epoll::add(&self.epoll, socket, EventData::new_u64(number), flags));
        match added {
            Some(Err(errno)) => {
                lock(&self.links).by_number.remove(&number);
                Err(Error::os("hmc ctrl watch", errno).with(link.peer().word(), link.peer()))
            }
            _ => Ok(()),
        }
    }

    /// Returns the links that ended since the last call.
    pub(super) fn ended(&self) -> Vec<Weak<Link>> {
        let mut ended = Vec::new();
        loop {
            let mut events = [Event { flags: EventFlags::empty(), data: EventData::new_u64(0) }; ENDS];
            // After a failure the next round tries again.
            let count = epoll::wait(&self.epoll, &mut events[..], Some(&Timespec::default())).unwrap_or(0);
            let mut links = lock(&self.links);
            let numbers = events.iter().take(count).map(|event| event.data.u64());
            ended.extend(numbers.filter_map(|number| links.by_number.remove(&number)));
            if count < ENDS {
                return ended;
            }
        }
    }
}

/// Links without descriptors that no caller has used since, the oldest first.
#[derive(Default)]
pub(super) struct Closed(VecDeque<(Weak<Link>, usize)>);

impl Closed {
    /// Adds a link with this number of unread bytes. Returns the links that are too many.
    pub(super) fn add(&mut self, link: &Arc<Link>, bytes: usize) -> Vec<Arc<Link>> {
        self.0.retain(|(link, _)| link.strong_count() > 0);
        self.0.push_back((Arc::downgrade(link), bytes));
        let mut unread: usize = self.0.iter().map(|(_, bytes)| bytes).sum();
        let mut dropped = Vec::new();
        while self.0.len() > CLOSED_MAX || (unread > UNREAD_BYTES_MAX && self.0.len() > 1) {
            let Some((link, bytes)) = self.0.pop_front() else { break };
            unread = unread.saturating_sub(bytes);
            dropped.extend(link.upgrade());
        }
        dropped
    }
}
