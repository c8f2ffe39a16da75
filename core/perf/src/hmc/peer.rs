// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The peer process: owns the target buffer, and executes the caller's requests, one per line.

use std::io::BufRead;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::{Error, Kind, Result};
use mf_hmc::communicator::At;
use mf_hmc::ctrl::{Expected, Listen, PROCESS as CONTROL, Peer, Rules};
use mf_hmc::{Buffer, Communicator, ConnType};
use mf_program::output::TemporaryFolder;
use mf_program::ports::free_ports;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::stream::Data;
use super::{BufferPlace, CALLER, CALLER_BY_UNIX, HERE, OPERATION};
use crate::members::print_value;
use crate::net::baselines;
use crate::{cores, echo};

/// Longest wait for the caller; generous, because the machine is busy.
const WAIT_MAX: Duration = Duration::from_secs(60);

/// Addresses of the peer process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Served {
    pub(super) data_port: u16,
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
pub(super) fn main(place: &BufferPlace, conn: ConnType) -> Result<()> {
    let buffer = Arc::new(Buffer::new(OPERATION, place.device, place.memory, place.bytes)?);
    let communicator = Communicator::new(OPERATION, Arc::clone(&buffer), 1)?;
    let [data_port, ctrl_port] = free_ports()?;
    communicator.listen(OPERATION, HERE, data_port, conn)?;
    let folder = TemporaryFolder::new("mf-perf-hmc")?;
    let ctrl_path = folder.path().join("ctrl.sock").display().to_string();
    let listen = Listen { tcp: Some((HERE, ctrl_port)), unix: Some(&ctrl_path) };
    CONTROL.start(Rules::of_process()?, listen)?;
    let (echo_port, echo_name, card) = (echo::serve()?, echo::serve_unix()?, baselines::serve()?);
    print_value(&Served { data_port, ctrl_port, ctrl_path, echo_port, echo_name, card })?;
    let mut other = Other { communicator: &communicator, buffer: &buffer, conn, data: None };
    for line in std::io::stdin().lock().lines().map_while(std::result::Result::ok) {
        let ask = serde_json::from_str(&line)
            .map_err(|error| Error::invalid(OPERATION, "nobody asks like this").source(error))?;
        other.answer(ask)?;
    }
    drop(other);
    communicator.end();
    CONTROL.stop();
    CONTROL.close_all();
    Ok(())
}

struct Other<'a> {
    communicator: &'a Communicator,
    buffer: &'a Buffer,
    conn: ConnType,
    data: Option<Data<'a>>,
}

impl Other<'_> {
    fn caller(&self) -> At<'static> {
        At { ip: HERE.as_bytes(), port: 0, conn: self.conn }
    }

    fn answer(&mut self, ask: Ask) -> Result<()> {
        match ask {
            Ask::Meet => {
                let end = Instant::now() + WAIT_MAX;
                let is_there = || {
                    CONTROL.has(Peer::Rank(CALLER))
                        && CONTROL.has(Peer::Rank(CALLER_BY_UNIX))
                        && self.communicator.connection(OPERATION, self.caller()).is_ok()
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
                let tag = receive_tag(from)?;
                send_tag(from, tag)
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

/// Sends 8 bytes to a peer at the control channel.
pub(super) fn send_tag(peer: u32, tag: u64) -> Result<()> {
    CONTROL.send(Peer::Rank(peer), 1, 0, &tag.to_ne_bytes())
}

/// Waits for 8 bytes from there.
pub(super) fn receive_tag(peer: u32) -> Result<u64> {
    let mut tag = [0; 8];
    let expected = Expected { kind: 1, bytes: tag.len() };
    CONTROL.receive_into(Peer::Rank(peer), Some(WAIT_MAX), expected, |bytes| {
        tag.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
    })?;
    Ok(u64::from_ne_bytes(tag))
}
