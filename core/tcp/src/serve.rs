// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One connection that was accepted: requests come in and are served in order, replies go out. Only the
//! progress thread touches it, so nothing is locked while the target is called.
//!
//! All frames that one call of the kernel brought are served before one ack ends them together. A peer that
//! does not read its replies is not read from any more until it does.

use std::sync::{Arc, Weak};
use std::time::Instant;

use mf_base::Result;
use mf_base::warn_limited;
use mf_device::Access;
use mf_transport::{Peer, Range, SegmentKey, Spot, Target};
use rustix::event::epoll::{self, EventData, EventFlags};

use crate::channel::Channel;
use crate::frames::Reader;
use crate::inbound::{Broken, Inbound};
use crate::memory::{access, left};
use crate::requests::Serving;
use crate::shared::Shared;
use crate::wire::{Header, Kind};

/// Calls of the kernel for one connection before the others get their turn.
const TURNS: usize = 8;
/// Bytes sent in one turn: a long get with a fast reader leaves time for the other connections.
const MOST_SENT: usize = 2 << 20;
/// Limits of waiting replies, beyond which no more requests are read: bytes and pieces.
const MOST_GATHERED: usize = 256 << 10;
const MOST_PIECES: usize = 1024;

/// A connection that was accepted.
pub(crate) struct Guest {
    pub(crate) peer: Peer,
    channel: Channel,
    inbound: Inbound,
    serving: Serving,
    asked: EventFlags,
    /// It is lent to the peer, under this number.
    pub(crate) loan: Option<u64>,
    pub(crate) since: Instant,
    /// The reports that its number was checked against.
    checked: u64,
}

/// Outcome of serving.
pub(crate) enum Served {
    /// No bytes were available.
    Nothing,
    /// Bytes were received; there may be more.
    Something,
    /// It is over; whether the peer announced it.
    Over { announced: bool },
    /// The peer lends it, under this number: this process sends requests on it.
    Lent(u64),
}

/// Memory of this process behind keys.
struct Segments<'a>(&'a Weak<dyn Target>);

impl Reader for Segments<'_> {
    fn read(&self, key: SegmentKey, address: u64, bytes: u64, touch: &mut dyn FnMut(Spot<'_>)) -> Result<()> {
        access(self.0, key, address, bytes, Access::Read, touch)
    }

    fn read_all(&self, key: SegmentKey, ranges: &[Range], touch: &mut dyn FnMut(&[Spot<'_>])) -> Result<()> {
        match self.0.upgrade() {
            Some(target) => target.read_all(key, ranges, touch),
            None => Err(left()),
        }
    }
}

impl Guest {
    /// The member here that serves it.
    pub(crate) fn member(&self) -> &Arc<Shared> {
        &self.serving.shared
    }

    pub(crate) fn new(shared: &Arc<Shared>, id: u64, peer: Peer, channel: Channel) -> Self {
        let serving = Serving::new(shared, id, peer);
        let (inbound, asked) = (Inbound::default(), EventFlags::empty());
        Self { peer, channel, inbound, serving, asked, loan: None, since: Instant::now(), checked: 0 }
    }

    /// One that this process opened for requests of the peer.
    pub(crate) fn lent(shared: &Arc<Shared>, id: u64, peer: Peer, channel: Channel, loan: u64) -> Self {
        let mut guest = Self { loan: Some(loan), ..Self::new(shared, id, peer, channel) };
        guest.serving.out.frame(Header::lent(loan), &[]);
        guest
    }

    /// The connection alone.
    pub(crate) fn into_channel(self) -> Channel {
        self.channel
    }

    /// Sends and receives as much as the socket lets it.
    pub(crate) fn serve(&mut self) -> Served {
        let mut served = Served::Nothing;
        let mut turns = 0;
        // Bytes buffered by encryption are not reported by readiness.
        while turns < TURNS || self.channel.has_buffered() {
            turns += 1;
            match self.turn() {
                Ok(true) => served = Served::Something,
                Ok(false) => break,
                Err(over) => return over,
            }
        }
        self.ask();
        served
    }

    /// Receives once and answers. Returns true if bytes were received, or waiting ones sent.
    pub(crate) fn turn(&mut self) -> std::result::Result<bool, Served> {
        if self.is_void() {
            // A peer that still wants a loan gets another.
            return Err(Served::Over { announced: self.loan.is_none() });
        }
        let sent = self.send()?;
        if self.is_clogged() {
            return Ok(sent);
        }
        let any = match self.inbound.pump(&self.channel, &mut self.serving) {
            Ok(any) => any,
            Err(Broken::Closed) => return Err(Served::Over { announced: self.serving.close_announced }),
            Err(Broken::Socket(error)) => {
                tracing::debug!(peer = %self.peer, %error, "accepted connection broke");
                return Err(Served::Over { announced: self.serving.close_announced });
            }
            Err(Broken::Protocol(malformed)) => {
                warn_limited!(peer = %self.peer, reason = %malformed, "malformed frame, the connection is closed");
                return Err(Served::Over { announced: true });
            }
        };
        if self.serving.is_void {
            return Err(Served::Over { announced: self.loan.is_none() });
        }
        if let Some(loan) = self.serving.lent {
            return Err(Served::Lent(loan));
        }
        if let Some(sequence) = self.serving.done.take() {
            self.serving.out.frame(Header::new(Kind::Ack, sequence), &[]);
        }
        if any {
            self.send()?;
        }
        Ok(any || sent)
    }

    /// Returns true if the peer has voided it; unserved bytes are discarded then.
    fn is_void(&mut self) -> bool {
        let validities = &self.serving.shared.local.core.validities;
        let changes = validities.changes();
        if self.checked != changes {
            self.checked = changes;
            self.serving.is_void |=
                self.serving.number.is_some_and(|(scope, number)| !validities.is_valid(scope, number));
        }
        self.serving.is_void
    }

    fn is_clogged(&self) -> bool {
        self.serving.out.gathered() > MOST_GATHERED || self.serving.out.pieces() > MOST_PIECES
    }

    /// Sends waiting replies. Returns true if the socket took bytes.
    fn send(&mut self) -> std::result::Result<bool, Served> {
        if self.serving.out.is_empty() {
            return Ok(false);
        }
        let sent = self.serving.out.send(&self.channel, &Segments(&self.serving.shared.target), MOST_SENT);
        if let Err(error) = sent {
            tracing::debug!(peer = %self.peer, %error, "accepted connection broke");
            return Err(Served::Over { announced: self.serving.close_announced });
        }
        Ok(self.serving.out.take_moved())
    }

    /// Sets the events that epoll waits for.
    pub(crate) fn ask(&mut self) {
        let mut flags = EventFlags::empty();
        flags.set(EventFlags::IN, !self.is_clogged());
        flags.set(EventFlags::OUT, !self.serving.out.is_empty());
        if flags != self.asked {
            let data = EventData::new_u64(self.serving.id);
            if epoll::modify(&self.serving.shared.local.core.epoll, self.channel.socket(), data, flags)
                .is_ok()
            {
                self.asked = flags;
            }
        }
    }

    /// Answers a copy that has ended.
    pub(crate) fn copied(&mut self, number: u64, result: Result<()>) {
        match result {
            Ok(()) => self.serving.out.frame(Header::new(Kind::Copied, number), &[]),
            Err(error) => self.serving.out.error(number, true, &error),
        }
    }

    /// Gives memory back while the connection is idle.
    pub(crate) fn rest(&mut self) {
        self.channel.rest();
        self.inbound.rest();
        self.serving.out.rest();
        self.serving.staging = Vec::new();
    }

    /// Memory that it holds.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.channel.bytes()
            + self.inbound.bytes()
            + self.serving.out.bytes()
            + self.serving.staging.capacity()
    }

    /// Announces its end to the requesting peer, as far as the socket takes it; `leaves`: this member ends.
    pub(crate) fn announce(&mut self, leaves: bool) {
        self.serving.out.frame(Header::close(leaves), &[]);
        let _ = self.send();
    }

    /// Ends it.
    pub(crate) fn close(&mut self) {
        let _ = epoll::delete(&self.serving.shared.local.core.epoll, self.channel.socket());
        self.channel.shutdown();
    }
}
