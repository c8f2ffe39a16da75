// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Sender of a stream, after slots were granted.
//!
//! Data on an accelerator is staged in the own buffer. If the accelerator copies a chunk in less time than a
//! thread takes to start, each run is staged and put in turn; else a thread stages the next chunks while one
//! is in flight.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use mf_base::Result;
use mf_base::os::thread;
use mf_transport::Span;

use super::data::Data;
use super::flow::{Chunk, Pace, Sending};
use super::stream_messages::Word;
use super::{OF_RECEIVER, Stream};
use crate::communicator::connection::is_gone;
use crate::memory::Aside;
use crate::numbers::Status;
use crate::status_errors::fault;

/// If copies take longer, a thread does them ahead.
pub(super) const FAST: Duration = Duration::from_micros(100);
/// Most chunks that are staged ahead.
const STAGED_MAX: u64 = 4;

/// Number of a stream, its state, and its pace to this peer.
type Under<'a> = (u64, Sending, &'a mut Pace);

impl Stream<'_> {
    /// Puts chunks from `local`, and announces them.
    fn put(&self, number: u64, sending: &mut Sending, chunk: Chunk, local: *mut u8) -> Result<()> {
        let span: Span = self.connection.span_from(self.op, local, chunk.slot, chunk.bytes)?;
        // SAFETY: the chunks lie in data that the caller vouches for, or in the buffer.
        unsafe { self.connection.copy(&span, true) }?;
        let chunks = sending.was_put(chunk);
        match self.send_word(number, Word::Put { chunks }) {
            // The receiver may have received and acknowledged all by then, and disconnected.
            Err(error) if is_gone(&error) && sending.were_put() && self.has_all(number, sending) => Ok(()),
            said => said,
        }
    }

    /// Returns true if the receiver has acknowledged all. Never waits.
    fn has_all(&self, number: u64, sending: &mut Sending) -> bool {
        let lane = (self.connection.session(), OF_RECEIVER);
        while let Ok(Some(message)) = self.inner.inbox.next(self.op, lane, Some(Instant::now())) {
            match Word::read(&message) {
                Some((stream, Word::Copied { chunks })) if stream == number => {
                    if !sending.record_acknowledged(chunks) {
                        return false;
                    }
                }
                _ => return false,
            }
        }
        sending.is_complete()
    }

    pub(super) fn send_direct(&self, (number, mut sending, pace): Under<'_>, data: &Data<'_>) -> Result<()> {
        let (bytes, most) = (sending.slots().bytes, half_of_the_slots(&sending));
        while let Some(run) = self.next(number, &mut sending, pace.chunks(bytes, most))? {
            let begun = Instant::now();
            self.put(number, &mut sending, run, data.pointer_to(run))?;
            pace.record_time(run.bytes, begun.elapsed());
        }
        self.all_were_copied(number, &mut sending)
    }

    /// Sends through the upper half of the own buffer, which begins at `half` and has room for two chunks or
    /// more; stages ahead as soon as copies take longer than `fast`.
    pub(super) fn send_staged(
        &self,
        (number, mut sending, pace): Under<'_>,
        data: &Data<'_>,
        (half, fast): (u64, Duration),
        aside: &mut Option<Aside>,
    ) -> Result<()> {
        let bytes = sending.slots().bytes;
        let areas = (self.inner.buffer.bytes() - half) / bytes;
        let most = half_of_the_slots(&sending).min(areas);
        while let Some(run) = self.next(number, &mut sending, pace.chunks(bytes, most))? {
            let begun = Instant::now();
            data.stage(run, half, None)?;
            let is_slow = pace.is_slow(begun.elapsed() < fast);
            self.put(number, &mut sending, run, self.inner.buffer.at(self.op, half, run.bytes)?)?;
            pace.record_time(run.bytes, begun.elapsed());
            if let Some(next) = sending.chunk(run.number + run.count).filter(|_| is_slow) {
                if aside.is_none() {
                    *aside = data.aside();
                }
                let areas = (half, areas.clamp(1, STAGED_MAX));
                self.send_ahead((number, &mut sending), data, areas, (next.number, aside.as_ref()))?;
                break;
            }
        }
        self.all_were_copied(number, &mut sending)
    }

    /// Puts all chunks from `first` on, while a thread stages the next ones in areas from `start` on.
    fn send_ahead(
        &self,
        (number, sending): (u64, &mut Sending),
        data: &Data<'_>,
        (start, areas): (u64, u64),
        (first, aside): (u64, Option<&Aside>),
    ) -> Result<()> {
        let bytes = sending.slots().bytes;
        let place = |chunk: Chunk| start + chunk.number % areas * bytes;
        std::thread::scope(|scope| {
            let ((begin, begun), (report, staged)) = (mpsc::channel::<Chunk>(), mpsc::channel());
            let staging = move || {
                for chunk in begun {
                    if report.send(data.stage(chunk, place(chunk), aside)).is_err() {
                        return;
                    }
                }
            };
            thread::spawn_scoped(scope, "mf-hmc-stage", staging)
                .map_err(|error| fault(self.op, Status::Error, "no thread can be started").source(error))?;
            // The thread ends when the channel is closed.
            let ask = |chunk: Option<Chunk>| chunk.into_iter().try_for_each(|chunk| begin.send(chunk));
            let ended = |_| fault(self.op, Status::Error, "the staging of data has ended");
            (first..first + areas).try_for_each(|number| ask(sending.chunk(number))).map_err(ended)?;
            while let Some(chunk) = self.next(number, sending, 1)? {
                staged.recv().unwrap_or_else(|_| Err(self.nonsense()))?;
                let local = self.inner.buffer.at(self.op, place(chunk), chunk.bytes)?;
                self.put(number, sending, chunk, local)?;
                ask(sending.chunk(chunk.number + areas)).map_err(ended)?;
            }
            Ok(())
        })
    }

    /// Returns the chunks to put now, at most `most`, once the receiver has room for them; `None` if all were
    /// put.
    fn next(&self, number: u64, sending: &mut Sending, most: u64) -> Result<Option<Chunk>> {
        loop {
            match sending.next(most) {
                None if !sending.were_put() => self.wait_for_room(number, sending)?,
                chunk => return Ok(chunk),
            }
        }
    }

    fn all_were_copied(&self, number: u64, sending: &mut Sending) -> Result<()> {
        while !sending.is_complete() {
            self.wait_for_room(number, sending)?;
        }
        Ok(())
    }
}

/// Returns the longest run: half of the slots, so that one run is put while another is copied out.
fn half_of_the_slots(sending: &Sending) -> u64 {
    (sending.slots().count / 2).max(1)
}
