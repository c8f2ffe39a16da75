// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The measuring side: lanes to one server, and turns on them.

use std::io;
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use mf_base::{Error, Kind, Result};

use super::serve::{PLAIN_LANE, TLS_LANE};
use super::tls::{Suite, Tls};
use super::wire::{Plain, Wire};
use super::{Card, Command, LANES_MAX, NOTE_BYTES, Op, Waiting};

/// Data sent or received in a turn.
pub(crate) enum Payload<'a> {
    /// Sent from here, again and again.
    From(&'a [u8]),
    /// Received here, again and again.
    Into(&'a mut [u8]),
}

impl<'a> Payload<'a> {
    /// The parts for that many lanes, as equal as can be.
    fn split(self, lanes: usize) -> Vec<Payload<'a>> {
        let share = |bytes: usize| bytes.div_ceil(lanes).max(1);
        match self {
            Payload::From(bytes) => bytes.chunks(share(bytes.len())).map(Payload::From).collect(),
            Payload::Into(bytes) => {
                let share = share(bytes.len());
                bytes.chunks_mut(share).map(Payload::Into).collect()
            }
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Payload::From(bytes) => bytes.len(),
            Payload::Into(bytes) => bytes.len(),
        }
    }
}

/// Lanes to one server.
pub(crate) struct Client {
    control: Plain,
    plain: Vec<Plain>,
    encrypted: Vec<(Suite, Tls)>,
}

impl Client {
    /// Connects all lanes.
    ///
    /// # Errors
    /// `NotConnected` names the address that does not answer.
    pub(crate) fn connect(card: &Card) -> Result<Self> {
        let failed = |error: io::Error| {
            Error::new(Kind::NotConnected, "raw socket")
                .what("the other side does not answer")
                .with("address", &card.address)
                .hint("ports that the kernel chooses must be open between the hosts")
                .source(error)
        };
        let plain = || lane(card, PLAIN_LANE);
        let encrypted = |suite| Tls::client(lane(card, TLS_LANE)?, &card.certificate, suite);
        Ok(Self {
            control: plain().map_err(failed)?,
            plain: (0..LANES_MAX).map(|_| plain()).collect::<io::Result<_>>().map_err(failed)?,
            encrypted: [Suite::Aes128, Suite::Aes256]
                .into_iter()
                .map(|suite| Ok((suite, encrypted(suite)?)))
                .collect::<io::Result<_>>()
                .map_err(failed)?,
        })
    }

    /// Processor time that the server's process has used so far, in nanoseconds.
    ///
    /// # Errors
    /// `NotConnected` when it is gone.
    pub(crate) fn peer_cpu(&mut self) -> Result<u64> {
        let mut ask = || {
            begin(&mut self.control, Op::Cpu, Waiting::Block, 0, 0)?;
            let mut answer = [0; 8];
            self.control.receive(&mut answer)?;
            Ok(u64::from_le_bytes(answer))
        };
        ask().map_err(connection_lost)
    }

    /// Seconds of `calls` calls over that many connections.
    ///
    /// # Errors
    /// `NotConnected` when the server is gone.
    pub(crate) fn plain(
        &mut self,
        op: Op,
        waiting: Waiting,
        lanes: usize,
        payload: Payload<'_>,
        calls: u32,
    ) -> Result<f64> {
        let parts = payload.split(lanes.clamp(1, LANES_MAX));
        let lanes = self.plain.iter_mut().map(|lane| lane as &mut (dyn Wire + Send));
        run_lanes(lanes.zip(parts).collect(), op, waiting, calls).map_err(connection_lost)
    }

    /// The same over one encrypted connection.
    ///
    /// # Errors
    /// `NotConnected` when the server is gone.
    pub(crate) fn encrypted(
        &mut self,
        suite: Suite,
        op: Op,
        waiting: Waiting,
        payload: Payload<'_>,
        calls: u32,
    ) -> Result<f64> {
        let lane = self.encrypted.iter_mut().find(|(own, _)| *own == suite);
        let (_, lane) = lane.ok_or_else(|| Error::new(Kind::Failed, "raw socket").what("no such cipher"))?;
        run_lanes(vec![(lane as &mut (dyn Wire + Send), payload)], op, waiting, calls)
            .map_err(connection_lost)
    }
}

fn connection_lost(error: io::Error) -> Error {
    Error::new(Kind::NotConnected, "raw socket").what("the other side is gone").source(error)
}

fn lane(card: &Card, kind: u8) -> io::Result<Plain> {
    let mut plain = Plain::new(TcpStream::connect(card.address.as_str())?)?;
    plain.send(&card.token)?;
    plain.send(&[kind])?;
    Ok(plain)
}

/// Sends the server the next command, and waits until it is ready for it.
fn begin(wire: &mut dyn Wire, op: Op, waiting: Waiting, bytes: usize, calls: u32) -> io::Result<()> {
    let command = Command { op, waiting, bytes: bytes as u64, calls: u64::from(calls) };
    wire.send(&command.encode())?;
    wire.receive(&mut [0; NOTE_BYTES])
}

/// Barrier for the threads of several lanes. They poll, and yield the core in between: a transfer is short.
struct Meeting {
    members: usize,
    came: AtomicUsize,
    failed: AtomicBool,
}

impl Meeting {
    fn meet(&self) -> io::Result<()> {
        if self.members == 1 {
            return Ok(());
        }
        // Release/acquire: all threads observe the earlier writes of the last to arrive.
        let mine = self.came.fetch_add(1, Ordering::AcqRel);
        let complete = (mine / self.members + 1) * self.members;
        let mut polls = 0u32;
        while self.came.load(Ordering::Acquire) < complete {
            if self.failed.load(Ordering::Relaxed) {
                return Err(io::ErrorKind::ConnectionAborted.into());
            }
            polls += 1;
            if polls.is_multiple_of(64) { std::thread::yield_now() } else { std::hint::spin_loop() }
        }
        Ok(())
    }
}

type Part<'a, 'b> = (&'a mut (dyn Wire + Send), Payload<'b>);

/// A turn: all lanes get ready, meet, and are timed from then on.
fn run_lanes(parts: Vec<Part<'_, '_>>, op: Op, waiting: Waiting, calls: u32) -> io::Result<f64> {
    let meeting = Meeting { members: parts.len(), came: AtomicUsize::new(0), failed: AtomicBool::new(false) };
    let one = |(wire, payload): Part<'_, '_>| {
        let seconds = run_lane(wire, op, waiting, payload, calls, &meeting);
        wire.wait_by(Waiting::Block);
        if seconds.is_err() {
            meeting.failed.store(true, Ordering::Relaxed);
        }
        seconds
    };
    let mut parts = parts.into_iter();
    let first = parts.next().ok_or(io::ErrorKind::InvalidInput)?;
    std::thread::scope(|scope| {
        let one = &one;
        let others: Vec<_> = parts.map(|part| scope.spawn(move || one(part))).collect();
        let seconds = one(first);
        for other in others {
            other.join().map_err(|_| io::Error::other("a lane's thread panicked"))??;
        }
        seconds
    })
}

fn run_lane(
    wire: &mut dyn Wire,
    op: Op,
    waiting: Waiting,
    mut payload: Payload<'_>,
    calls: u32,
    meeting: &Meeting,
) -> io::Result<f64> {
    begin(wire, op, waiting, payload.bytes(), calls)?;
    wire.wait_by(waiting);
    let mut note = [0; NOTE_BYTES];
    meeting.meet()?;
    let start = Instant::now();
    if op == Op::GetStream {
        wire.send(&note)?;
    }
    for _ in 0..calls {
        match &mut payload {
            Payload::From(bytes) => wire.send(bytes)?,
            Payload::Into(bytes) => {
                if op == Op::Get {
                    wire.send(&note)?;
                }
                wire.receive(bytes)?;
            }
        }
        if op == Op::Put {
            wire.receive(&mut note)?;
        }
        if op.is_acknowledged() {
            meeting.meet()?;
        }
    }
    if op == Op::PutStream {
        wire.receive(&mut note)?;
    }
    meeting.meet()?;
    Ok(start.elapsed().as_secs_f64())
}
