// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Workloads of two processes, until one of them is killed.

use std::time::{Duration, Instant};

use mf_base::settings::Users;
use mf_base::{Error, Kind, Result};
use mf_hmc::communicator::{At, Communicator, Ranges};
use mf_hmc::ctrl::frame::INTEGER;
use mf_hmc::ctrl::{Expected, Listen, PROCESS, Peer, Rules, path_for};
use mf_hmc::{ConnType, MemoryType, Status};
use mf_tls::JobSecret;

const OP: &str = "hmc test";
const HERE: &str = "127.0.0.1";
const TAG: Expected = Expected { kind: INTEGER, bytes: 8 };

/// The workloads; the data operations are performed by the victim.
pub(crate) const PLANS: [&str; 7] = ["connect", "put", "get", "wait", "send", "receive", "ctrl"];

/// One end of a workload.
pub(crate) struct Act<'a> {
    pub(crate) on: &'a Communicator,
    pub(crate) conn: ConnType,
    /// True if this end is killed.
    pub(crate) is_victim: bool,
    /// True if this end dialled.
    pub(crate) is_dialer: bool,
    /// Port of the listener.
    pub(crate) port: u16,
    /// Port by which the other end is known here.
    pub(crate) peer: u16,
    /// Bytes of an operation.
    pub(crate) bytes: u64,
    /// Folder for the socket files of both.
    pub(crate) folder: &'a str,
}

impl Act<'_> {
    fn at(&self) -> At<'static> {
        At { ip: HERE.as_bytes(), port: self.peer, conn: self.conn }
    }

    /// Runs a workload until it fails, or for ever; calls `step` after each step.
    pub(crate) fn run(&self, plan: &str, mut step: impl FnMut()) -> Result<()> {
        let ranges = Ranges { local: 0, remote: 0, bytes: self.bytes };
        match plan {
            "connect" => return self.connect(step),
            "ctrl" => return self.talk(step),
            _ => {}
        }
        let mut data = vec![7_u8; usize::try_from(self.bytes).unwrap()];
        let kind = MemoryType::Cpu as i32;
        loop {
            match (plan, self.is_victim) {
                ("put", _) => self.on.put(OP, self.at(), ranges)?,
                ("get", _) => self.on.get(OP, self.at(), ranges)?,
                ("wait", _) => {
                    let one = self.on.start(OP, self.at(), ranges, true)?;
                    let other = self.on.start(OP, self.at(), ranges, false)?;
                    self.on.wait(OP, other)?;
                    match self.on.wait_all(OP, &[one]) {
                        Err(error) if Status::from_error(&error) == Status::Timeout => {
                            self.on.wait(OP, one)?;
                        }
                        done => done?,
                    }
                }
                ("send", true) | ("receive", false) => {
                    // SAFETY: the vector has so many bytes.
                    unsafe { self.on.send_data(OP, self.at(), data.as_ptr(), self.bytes, kind) }?;
                }
                ("send", false) | ("receive", true) => {
                    // SAFETY: the vector has room for so many bytes.
                    unsafe { self.on.recv_data(OP, self.at(), data.as_mut_ptr(), self.bytes, kind) }?;
                }
                _ => panic!("no plan: {plan}"),
            }
            step();
        }
    }

    /// The survivor does it some times, with any outcome.
    fn connect(&self, mut step: impl FnMut()) -> Result<()> {
        for round in 0_u32.. {
            match (self.is_victim, self.is_dialer) {
                (true, true) => self.on.connect(OP, HERE, self.port, self.conn)?,
                (true, false) => {
                    // A listener closed a moment ago may still have the port.
                    let _ = self.on.listen(OP, HERE, self.port, self.conn);
                }
                (false, true) if round < 10 => {
                    let _ = self.on.connect(OP, HERE, self.port, self.conn);
                }
                (false, _) => break,
            }
            step();
            match self.is_dialer {
                true => self.on.disconnect(OP, self.at())?,
                false => self.on.stop(OP)?,
            }
        }
        Ok(())
    }

    /// The victim has rank 1, and listens again in between.
    fn talk(&self, mut step: impl FnMut()) -> Result<()> {
        let rules = Rules::new(JobSecret::new(""), Users::default(), false);
        let (own, peer) = if self.is_victim { (1, 0) } else { (0, 1) };
        let (here, there) = (path_for(self.folder, own), path_for(self.folder, peer));
        let listen = || PROCESS.start(&rules, Listen { tcp: None, unix: Some(&here) });
        let is_there = || match self.is_dialer {
            true => PROCESS.connect_unix(&rules, peer, &there, own),
            false => match PROCESS.has(Peer::Rank(peer)) {
                true => Ok(()),
                false => Err(Error::new(Kind::NotConnected, OP)),
            },
        };
        if !self.is_dialer {
            listen()?;
        }
        // The other end may come later.
        let end = Instant::now() + Duration::from_secs(60);
        while let Err(error) = is_there() {
            if Instant::now() > end {
                return Err(error);
            }
            std::thread::yield_now();
        }
        step();
        for round in 0_u64.. {
            PROCESS.send(Peer::Rank(peer), INTEGER, 0, &round.to_le_bytes())?;
            PROCESS.receive_into(Peer::Rank(peer), None, TAG, |_| {})?;
            if self.is_victim && !self.is_dialer && round % 3 == 2 {
                PROCESS.stop();
                listen()?;
            }
            step();
        }
        Ok(())
    }
}
