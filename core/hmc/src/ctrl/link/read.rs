// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Receive path: the thread that waits for a message reads the socket itself.

use std::io;

use mf_base::Result;
use mf_base::interrupt::SLICE;
use mf_base::sync::lock;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{RecvFlags, sockopt};

use super::super::admission::decrypt;
use super::super::frame::{Head, Inbox, PAYLOAD_BYTES_MAX, TooLong};
use super::{CLOSED, Link, RECV, Reading, SEALED_BYTES};
use crate::fair_mutex::Wait;

impl Link {
    /// Receives until a whole frame is complete.
    pub(super) fn fill(&self, reading: &mut Reading, wait: &mut Wait, settle: &dyn Fn()) -> Result<Head> {
        loop {
            match reading.inbox.ready() {
                Ok(Some(head)) => return Ok(head),
                Ok(None) => {}
                Err(TooLong(bytes)) => {
                    self.end("a message was too long");
                    return Err(self
                        .broken(RECV)
                        .with("bytes", bytes)
                        .with("limit_bytes", PAYLOAD_BYTES_MAX));
                }
            }
            if !reading.is_sliced && (wait.may_be_left() || wait.is_limited()) {
                let set = self.with_socket(|socket| {
                    sockopt::set_socket_timeout(socket, sockopt::Timeout::Recv, Some(SLICE))
                });
                reading.is_sliced = set.is_some_and(|set| set.is_ok());
            }
            match &self.channel {
                None => {
                    let is_lent = lock(&self.state).is_lent;
                    let is_sliced = reading.is_sliced;
                    let got = self.read_some(reading.inbox.space(is_lent), is_sliced, wait, settle)?;
                    reading.inbox.filled(got);
                }
                Some(channel) => {
                    let mut sealed = [0; SEALED_BYTES];
                    let got = self.read_some(&mut sealed, reading.is_sliced, wait, settle)?;
                    let mut plain = Vec::new();
                    let opened =
                        decrypt(&mut lock(channel), sealed.get(..got).unwrap_or_default(), &mut plain);
                    reading.inbox.push(&plain);
                    if let Err(error) = opened {
                        self.end("its encryption failed");
                        return Err(self.broken(RECV).source(error));
                    }
                }
            }
        }
    }

    /// Reads some bytes, at least one.
    fn read_some(
        &self,
        space: &mut [u8],
        is_sliced: bool,
        wait: &mut Wait,
        settle: &dyn Fn(),
    ) -> Result<usize> {
        loop {
            // In the last slice before a deadline, it sleeps in a poll.
            let polls = wait.is_limited() && !(is_sliced && wait.is_long());
            let flags = if polls { RecvFlags::DONTWAIT } else { RecvFlags::empty() };
            // A closed socket reads as its end.
            match self
                .with_socket(|socket| rustix::net::recv(socket, &mut *space, flags))
                .unwrap_or(Ok((0, 0)))
            {
                Ok((0, _)) => {
                    // The peer may have replaced it, or connected again, by a link that is not known here
                    // yet.
                    settle();
                    match self.is_passed() {
                        // A sender on it finishes its message.
                        true => drop(lock(&self.state).ended.get_or_insert("another took its place")),
                        false => self.end(CLOSED),
                    }
                    return Err(self.broken(RECV));
                }
                Ok((bytes, _)) => return Ok(bytes),
                Err(Errno::AGAIN | Errno::INTR) => {}
                Err(errno) => {
                    self.end(CLOSED);
                    return Err(self.broken(RECV).source(io::Error::from(errno)));
                }
            }
            wait.check()?;
            if polls {
                let pause = Timespec::try_from(wait.pause()).ok();
                // The read after it finds out whether data came.
                let _ = self.with_socket(|socket| {
                    poll(&mut [PollFd::new(socket, PollFlags::IN)], pause.as_ref()).is_ok()
                });
            }
        }
    }

    /// Reads all bytes of the socket into the inbox. Returns false if the peer has not closed it, or its
    /// bytes cannot be read, which ends the link.
    pub(super) fn drain(&self, inbox: &mut Inbox) -> bool {
        let mut bytes = [0; SEALED_BYTES];
        loop {
            let got =
                self.with_socket(|socket| rustix::net::recv(socket, &mut bytes[..], RecvFlags::DONTWAIT));
            let got = match got {
                Some(Ok((0, _))) => return true,
                Some(Ok((got, _))) => bytes.get(..got).unwrap_or_default(),
                Some(Err(Errno::INTR)) => continue,
                Some(Err(Errno::AGAIN)) | None => return false,
                Some(Err(_)) => return true,
            };
            let Some(channel) = &self.channel else {
                inbox.push(got);
                continue;
            };
            let mut plain = Vec::new();
            let opened = decrypt(&mut lock(channel), got, &mut plain);
            inbox.push(&plain);
            if opened.is_err() {
                self.end("its encryption failed");
                return true;
            }
        }
    }
}
