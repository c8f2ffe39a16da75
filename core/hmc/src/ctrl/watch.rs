// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Ends of idle links. The kernel reports each link that its peer closes, once; the thread of the channel then
//! takes in what waits in the socket ([`Link::absorb`]) and closes the descriptor. What was sent before the end
//! is still received, and the next caller gets the end as an error.
//!
//! Closed links stay in the table until a caller gets that error, or another link takes their place; of a crowd
//! that nobody asks for, the oldest are dropped ([`Closed`]).

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

/// The links whose ends the kernel reports.
pub(super) struct Watch {
    epoll: OwnedFd,
    links: Mutex<Links>,
}

#[derive(Default)]
struct Links {
    next: u64,
    by_number: HashMap<u64, Weak<Link>>,
    /// When so many are known, those that are gone are forgotten.
    full: usize,
}

impl Watch {
    pub(super) fn new() -> Result<Self> {
        let epoll = descriptor::epoll()
            .map_err(|errno| Error::os("hmc ctrl watch", errno).what("no descriptor to wait with"))?;
        Ok(Self { epoll, links: Mutex::default() })
    }

    /// Becomes readable when a link has ended.
    pub(super) fn bell(&self) -> &OwnedFd {
        &self.epoll
    }

    /// Has the end of a link reported, once.
    ///
    /// # Errors
    /// What the kernel refuses.
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

    /// The links whose ends were reported since the last call.
    pub(super) fn ended(&self) -> Vec<Weak<Link>> {
        let mut ended = Vec::new();
        loop {
            let mut events = [Event { flags: EventFlags::empty(), data: EventData::new_u64(0) }; ENDS];
            // A failure is asked again in the next round.
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

/// Links without descriptors that callers have not asked for yet, the oldest first.
#[derive(Default)]
pub(super) struct Closed(VecDeque<(Weak<Link>, usize)>);

impl Closed {
    /// Adds a link with so many unread bytes, and returns those that are too many.
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
