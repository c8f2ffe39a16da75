// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The sending end of a connection: requests are queued, left with its holder, and sent.

use std::sync::atomic::Ordering;

use mf_base::sync::delegation_lock::Submitted;

use super::{Connection, Refused};
use crate::local_end::LocalEnd;
use crate::parts::Request;
use crate::send_queue::{Nowhere, Sending};
use crate::table::Flight;

/// Most operations in flight on one connection: a million puts of 8 bytes a second fill a line of 65 ms.
const LIVE_MAX: usize = 1 << 16;
/// Most bytes of short frames that wait.
const GATHERED_MAX: usize = 256 << 10;
/// Most pieces that wait.
const PIECES_MAX: usize = 4096;
/// So many bytes of short frames leave without waiting for a reply.
const GATHERED_LONG: usize = 16 << 10;

/// Outcome of an attempt to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sent {
    /// No frame waits, or the socket is full.
    Nothing,
    /// The socket took some bytes.
    Something,
    /// Another thread sends.
    Elsewhere,
}

impl Connection {
    /// Sends a report of live numbers if the last one is stale. Requests follow it.
    fn renew(&self, sending: &mut Sending) {
        if let Some(numbers) = &self.numbers
            && numbers.voided() != sending.reported
        {
            sending.report(numbers, self.id);
        }
    }

    /// Sends the peer a report, if one is due.
    pub(crate) fn report(&self, local: &LocalEnd) {
        let reported = self.with(local, |sending| {
            if !self.is_ready() {
                return Ok(true);
            }
            self.renew(sending);
            self.queued(sending, true)
        });
        let _ = self.submitted(local, Ok(reported));
    }

    /// Works with the sending end, once no other thread does.
    pub(crate) fn with<R>(&self, local: &LocalEnd, act: impl FnOnce(&mut Sending) -> R) -> R {
        let mut broken = None;
        let result = self.sending.with(|sending, left| self.take_in(sending, left, &mut broken), act);
        self.check(local, broken);
        result
    }

    /// Works with the sending end, unless another thread does.
    fn try_with<R>(&self, local: &LocalEnd, act: impl FnOnce(&mut Sending) -> R) -> Option<R> {
        let mut broken = None;
        let result = self.sending.try_with(|sending, left| self.take_in(sending, left, &mut broken), act);
        self.check(local, broken);
        result
    }

    /// Queues operations that other threads have left.
    pub(super) fn take_in(
        &self,
        sending: &mut Sending,
        left: Submitted<Request>,
        broken: &mut Option<std::io::Error>,
    ) {
        let was_idle = sending.entries.is_empty();
        if !self.is_dead() {
            self.renew(sending);
        }
        for request in left {
            let taken = if self.is_dead() {
                Err(self.error("tcp post", self.reason()))
            } else {
                request.fill(&self.flight, sending);
                Ok(())
            };
            // From here on it counts by its entries.
            request.completion.end(taken);
            self.flight.withdraw(1);
        }
        if !self.is_dead()
            && let Err(error) = self.queued(sending, was_idle)
        {
            *broken = Some(error);
        }
    }

    /// Ends it, if it broke while requests of others were queued.
    pub(super) fn check(&self, local: &LocalEnd, broken: Option<std::io::Error>) {
        if let Some(error) = broken {
            self.fail(local, &error.to_string());
        }
    }

    /// Leaves a request with the thread that has the sending end; false: too much is in flight.
    pub(crate) fn leave(&self, local: &LocalEnd, request: Request) -> bool {
        if self.live() >= LIVE_MAX {
            return false;
        }
        // It counts as one operation until it is taken in.
        self.flight.begin(1);
        request.completion.begin(1);
        let mut broken = None;
        self.sending.submit(request, |sending, left| self.take_in(sending, left, &mut broken));
        self.check(local, broken);
        self.attend(local);
        true
    }

    /// Queues the frames made by `fill` and sends them, unless an earlier operation is in flight whose reply
    /// will take them along. Does not wait.
    pub(crate) fn try_submit(
        &self,
        local: &LocalEnd,
        at_once: bool,
        fill: impl FnOnce(&Flight, &mut Sending),
    ) -> Result<(), Refused> {
        let submitted = self.try_with(local, |sending| self.submit(sending, at_once, fill));
        self.submitted(local, submitted.unwrap_or(Err(Refused::Taken)))
    }

    /// As [`try_submit`](Self::try_submit), and waits for the sending end.
    pub(crate) fn submit_to(
        &self,
        local: &LocalEnd,
        at_once: bool,
        fill: impl FnOnce(&Flight, &mut Sending),
    ) -> Result<(), Refused> {
        let submitted = self.with(local, |sending| self.submit(sending, at_once, fill));
        self.submitted(local, submitted)
    }

    fn submit(
        &self,
        sending: &mut Sending,
        at_once: bool,
        fill: impl FnOnce(&Flight, &mut Sending),
    ) -> Result<std::io::Result<bool>, Refused> {
        if self.is_dead() {
            return Err(Refused::Dead);
        }
        if !self.has_room(sending) {
            return Err(Refused::Full);
        }
        let was_idle = self.live() == 0;
        self.renew(sending);
        fill(&self.flight, sending);
        Ok(self.queued(sending, at_once || was_idle))
    }

    fn submitted(
        &self,
        local: &LocalEnd,
        submitted: Result<std::io::Result<bool>, Refused>,
    ) -> Result<(), Refused> {
        match submitted? {
            Ok(true) => {}
            Ok(false) if self.claim.is_driven() => {}
            Ok(false) => self.ask(local, true, true),
            Err(error) => {
                self.fail(local, &error.to_string());
                return Ok(());
            }
        }
        self.attend(local);
        Ok(())
    }

    fn attend(&self, local: &LocalEnd) {
        local.core.attend();
        if local.closing.load(Ordering::SeqCst) {
            // The progress thread may have ended everything before this was queued.
            self.fail(local, "the transport is closed");
        }
    }

    fn has_room(&self, sending: &Sending) -> bool {
        self.live() < LIVE_MAX
            && sending.entries.len() < 2 * LIVE_MAX as u64
            && sending.out.gathered() < GATHERED_MAX
            && sending.out.pieces() < PIECES_MAX
    }

    /// Returns true if it takes another request, once no other thread has the sending end.
    pub(crate) fn takes_more(&self, local: &LocalEnd) -> bool {
        self.is_dead() || self.with(local, |sending| self.has_room(sending))
    }

    /// Sends queued frames, if it is time. Returns false if the socket is full.
    pub(super) fn queued(&self, sending: &mut Sending, at_once: bool) -> std::io::Result<bool> {
        self.unsent.store(true, Ordering::Release);
        let is_long = sending.out.gathered() >= GATHERED_LONG || sending.out.is_batch();
        if self.is_ready() && (at_once || is_long) { self.send_all(sending) } else { Ok(true) }
    }

    pub(super) fn send_all(&self, sending: &mut Sending) -> std::io::Result<bool> {
        let Some(channel) = self.channel.get() else { return Ok(false) };
        let all = sending.out.send(channel, &Nowhere, usize::MAX)?;
        if all {
            self.unsent.store(false, Ordering::Release);
        }
        Ok(all)
    }

    /// Sends waiting frames, unless another thread does.
    pub(crate) fn send(&self, local: &LocalEnd) -> Sent {
        if !self.has_unsent() || !self.is_ready() {
            return Sent::Nothing;
        }
        let sent = self.try_with(local, |sending| (self.send_all(sending), sending.out.take_moved()));
        match sent {
            None => Sent::Elsewhere,
            Some((Ok(_), false)) => Sent::Nothing,
            Some((Ok(_), true)) => Sent::Something,
            Some((Err(error), _)) => {
                self.fail(local, &error.to_string());
                Sent::Something
            }
        }
    }
}
