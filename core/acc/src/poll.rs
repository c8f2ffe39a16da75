// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The epoll of all workers of a server.
//!
//! Sockets are armed one-shot: the worker that gets an event has the socket alone, also while it polls for
//! more, and no other worker is woken by data that arrives meanwhile. It arms the socket again when it is
//! done with it.

use std::os::fd::{AsFd, OwnedFd};

use mf_base::os::descriptor;
use mf_base::{Error, Result};
use rustix::event::EventfdFlags;
use rustix::event::epoll::{self, Event, EventData, EventFlags};
use rustix::io::Errno;

const OP: &str = "acc start";

/// Events of a socket to wait for.
#[derive(Clone, Copy)]
pub(crate) struct Interest {
    pub(crate) reads: bool,
    pub(crate) writes: bool,
}

/// An event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ready {
    /// A task is queued, or the server ends.
    Work,
    /// A client connects.
    Listener,
    /// This link can go on.
    Link(u32),
}

const WORK: u64 = u64::MAX;
const LISTENER: u64 = u64::MAX - 1;

pub(crate) struct Poll {
    epoll: OwnedFd,
    bell: OwnedFd,
}

impl Poll {
    pub(crate) fn new() -> Result<Self> {
        let refused = |errno| Error::os(OP, errno).what("the kernel gives no descriptor to wait with");
        let epoll = descriptor::epoll().map_err(refused)?;
        let bell = descriptor::eventfd(EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).map_err(refused)?;
        // Edge-triggered, so that each ring wakes one worker.
        epoll::add(&epoll, &bell, EventData::new_u64(WORK), EventFlags::IN | EventFlags::ET)
            .map_err(refused)?;
        Ok(Self { epoll, bell })
    }

    /// Waits for the next event.
    pub(crate) fn wait(&self) -> Ready {
        loop {
            // One at a time: events that a worker takes are lost to others.
            let mut events = [Event { flags: EventFlags::empty(), data: EventData::new_u64(0) }];
            match epoll::wait(&self.epoll, &mut events[..], None) {
                Ok(0) | Err(Errno::INTR) => {}
                Ok(_) => {
                    return match events[0].data.u64() {
                        WORK => Ready::Work,
                        LISTENER => Ready::Listener,
                        link => Ready::Link(u32::try_from(link).unwrap_or(u32::MAX)),
                    };
                }
                // It cannot fail otherwise: the descriptor is an epoll of ours.
                Err(_) => return Ready::Work,
            }
        }
    }

    /// Wakes a worker.
    pub(crate) fn ring(&self) {
        let _full_is_awake = rustix::io::write(&self.bell, &1_u64.to_ne_bytes());
    }

    pub(crate) fn add_listener(&self, socket: impl AsFd) -> Result<()> {
        epoll::add(&self.epoll, socket, EventData::new_u64(LISTENER), EventFlags::IN | EventFlags::ONESHOT)
            .map_err(|errno| Error::os(OP, errno).what("the listener cannot be waited for"))
    }

    pub(crate) fn arm_listener(&self, socket: impl AsFd) {
        let flags = EventFlags::IN | EventFlags::ONESHOT;
        let _ = epoll::modify(&self.epoll, socket, EventData::new_u64(LISTENER), flags);
    }

    /// Adds the socket of a link, not armed yet.
    pub(crate) fn add(&self, socket: impl AsFd, link: u32) -> Result<()> {
        epoll::add(&self.epoll, socket, EventData::new_u64(u64::from(link)), EventFlags::ONESHOT)
            .map_err(|errno| Error::os("acc link", errno).what("a socket cannot be waited for"))
    }

    /// Arms a socket for one event.
    pub(crate) fn arm(&self, socket: impl AsFd, link: u32, interest: Interest) {
        let mut flags = EventFlags::ONESHOT;
        if interest.reads {
            flags |= EventFlags::IN | EventFlags::RDHUP;
        }
        if interest.writes {
            flags |= EventFlags::OUT;
        }
        // Fails only for a socket that was removed meanwhile: its link has ended.
        let _ = epoll::modify(&self.epoll, socket, EventData::new_u64(u64::from(link)), flags);
    }

    pub(crate) fn remove(&self, socket: impl AsFd) {
        let _ = epoll::delete(&self.epoll, socket);
    }
}
