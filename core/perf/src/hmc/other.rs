// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The peer process: owns the target buffer, and executes the caller's requests, one per line.

use std::io::BufRead;
use std::time::{Duration, Instant};

use mf_base::{Error, Kind, Result};
use mf_library::buffers::{At, Buffer, Communicator, Control};
use mf_library::c_text;
use mf_measure::members::print_value;
use mf_program::output::TemporaryFolder;
use mf_program::ports::free_ports;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::stream::Data;
use super::{CALLER, CALLER_BY_UNIX, HERE, OPERATION, Place};
use crate::net::beside;
use crate::{cores, echo};

/// Longest wait for the caller; generous, because the machine is busy.
pub(super) const WAIT_MAX: Duration = Duration::from_secs(60);

/// Addresses of the peer process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Served {
    pub(super) data_port: u16,
    /// The kind of the buffer's memory.
    pub(super) memory: i32,
    pub(super) ctrl_port: u16,
    /// The socket file of the control channel.
    pub(super) ctrl_path: String,
    /// Plain sockets, the second one a Unix socket.
    pub(super) echo_port: u16,
    pub(super) echo_name: String,
    /// Addresses of the network baselines.
    pub(super) card: String,
}

/// Requests of the caller.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Ask {
    /// To wait until the caller's connections are known here; answered by [`Done`].
    Meet,
    /// To stay on these cores; answered by [`Done`].
    Pin { cores: Vec<usize> },
    /// To answer so many tags of a rank.
    Echo { calls: u32, from: u32 },
    /// To receive so many streams.
    Receive { calls: u32 },
    /// To copy so many streams out of the buffer, in chunks; answered by the seconds of one.
    Take { calls: u32, chunk_bytes: u64 },
    /// To have memory of the program for streams of so many bytes; answered by [`Done`].
    Stream { bytes: u64 },
}

impl Ask {
    /// As a line for the other process.
    pub(super) fn line(&self) -> String {
        json!(self).to_string()
    }
}

/// Empty answer.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Done;

/// Offers a buffer until the input ends.
pub(super) fn main(place: &Place, conn: i32) -> Result<()> {
    let buffer = Buffer::create(place.device, place.memory, place.bytes)?;
    let communicator = Communicator::create(&buffer)?;
    let [data_port, ctrl_port] = free_ports()?;
    communicator.listen(At { ip: HERE, port: data_port, conn })?;
    let folder = TemporaryFolder::new("mf-perf-hmc")?;
    let ctrl_path = folder.path().join("ctrl.sock").display().to_string();
    let control = Control::open()?;
    control.listen(HERE, ctrl_port, &c_text(&ctrl_path)?)?;
    let (echo_port, echo_name, card) = (echo::serve()?, echo::serve_unix()?, beside::serve()?);
    let memory = buffer.memory_kind();
    print_value(&Served { data_port, memory, ctrl_port, ctrl_path, echo_port, echo_name, card })?;
    let mut other =
        Other { communicator: &communicator, control: &control, buffer: &buffer, conn, data: None };
    for line in std::io::stdin().lock().lines().map_while(std::result::Result::ok) {
        let ask = serde_json::from_str(&line)
            .map_err(|error| Error::invalid(OPERATION, "nobody asks like this").source(error))?;
        other.answer(ask)?;
    }
    Ok(())
}

struct Other<'a> {
    communicator: &'a Communicator<'a>,
    control: &'a Control,
    buffer: &'a Buffer,
    conn: i32,
    data: Option<Data<'a>>,
}

impl Other<'_> {
    fn caller(&self) -> At {
        At { ip: HERE, port: 0, conn: self.conn }
    }

    fn answer(&mut self, ask: Ask) -> Result<()> {
        match ask {
            Ask::Meet => {
                let end = Instant::now() + WAIT_MAX;
                let is_there = || {
                    self.control.has(CALLER)
                        && self.control.has(CALLER_BY_UNIX)
                        && self.communicator.is_connected(self.caller())
                };
                while !is_there() {
                    if Instant::now() > end {
                        return Err(Error::new(Kind::Timeout, OPERATION).what("the caller does not connect"));
                    }
                    std::thread::yield_now();
                }
                print_value(&Done)
            }
            Ask::Pin { cores } => {
                cores::pin_process(&cores)?;
                print_value(&Done)
            }
            Ask::Echo { calls, from } => (0..calls).try_for_each(|_| {
                let tag = self.control.receive(from, WAIT_MAX)?;
                self.control.send(from, tag)
            }),
            Ask::Stream { bytes } => {
                self.data = Some(Data::new(self.buffer, bytes)?);
                print_value(&Done)
            }
            Ask::Receive { calls } => {
                let data = self.data()?;
                (0..calls).try_for_each(|_| data.receive(self.communicator, self.caller()))
            }
            Ask::Take { calls, chunk_bytes } => {
                let data = self.data()?;
                let begun = Instant::now();
                (0..calls).try_for_each(|_| data.take(chunk_bytes))?;
                print_value(&(begun.elapsed().as_secs_f64() / f64::from(calls)))
            }
        }
    }

    fn data(&self) -> Result<&Data<'_>> {
        self.data.as_ref().ok_or_else(|| Error::invalid(OPERATION, "no memory for streams"))
    }
}
