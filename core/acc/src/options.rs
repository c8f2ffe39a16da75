// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Options of servers.

use std::net::IpAddr;
use std::time::Duration;

use mf_base::{Error, Result};

const OP: &str = "acc start";

/// Valid numbers of workers.
pub const WORKERS: std::ops::RangeInclusive<u16> = 1..=256;
/// Valid lengths of a link's queue.
pub const QUEUED: std::ops::RangeInclusive<u16> = 32..=255;

/// Options of a message server.
#[derive(Clone, Debug)]
pub struct TcpOptions {
    /// Address to listen at; `None`: it only connects to others. Port 0: any.
    pub listen: Option<(IpAddr, u16)>,
    /// Threads that run callbacks, of [`WORKERS`].
    pub workers: u16,
    /// Most messages that wait to be sent on a link, within [`QUEUED`].
    pub queue: u16,
    /// Must equal the peer's.
    pub magic: i16,
    /// Must equal the peer's.
    pub version: i16,
    /// Timeouts.
    pub times: Times,
    /// Limits of clients and memory.
    pub bounds: Bounds,
}

/// Options of an HTTP server.
#[derive(Clone, Debug)]
pub struct HttpOptions {
    /// Address to listen at. Port 0: any.
    pub listen: (IpAddr, u16),
    /// Threads that run callbacks, of [`WORKERS`].
    pub workers: u16,
    /// Most bytes of a body.
    pub body_bytes_max: u64,
    /// Timeouts.
    pub times: Times,
    /// Limits of clients and memory.
    pub bounds: Bounds,
}

/// Timeouts of a server.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// For the hello of a peer that has connected.
    pub hello: Duration,
    /// For an attempt to connect, with all steps of the other side.
    pub connect: Duration,
    /// Pause between two attempts to connect.
    pub pause: Duration,
    /// For a peer that reads none of the data waiting for it.
    pub send: Duration,
    /// For an HTTP connection without a request, or with a request that makes no progress.
    pub idle: Duration,
}

impl Default for Times {
    fn default() -> Self {
        Self {
            // A peer may be slow, or run under an emulator: its own limit is `connect`.
            hello: Duration::from_secs(60),
            connect: Duration::from_secs(30),
            pause: Duration::from_secs(1),
            send: Duration::from_secs(60),
            idle: Duration::from_secs(60),
        }
    }
}

/// Limits of a server: clients at a time, and bytes of partly received messages.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Links, in all.
    pub links: usize,
    /// Links per address.
    pub links_of_address: usize,
    /// Clients without a hello; beyond it, the oldest makes room.
    pub silent: usize,
    /// Most bytes of partly received messages and requests, in all; the link that exceeds it ends.
    pub partial_bytes: usize,
    /// The same per address.
    pub partial_bytes_of_address: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            links: 16_384,
            links_of_address: 4096,
            silent: 1024,
            partial_bytes: 4 << 30,
            partial_bytes_of_address: 1 << 30,
        }
    }
}

impl TcpOptions {
    pub(crate) fn check(&self) -> Result<()> {
        check_workers(self.workers)?;
        if !QUEUED.contains(&self.queue) {
            return Err(Error::invalid(OP, "the length of the send queue is out of range")
                .with("link_send_queue_size", self.queue)
                .with("least", QUEUED.start())
                .with("most", QUEUED.end()));
        }
        Ok(())
    }
}

impl HttpOptions {
    pub(crate) fn check(&self) -> Result<()> {
        check_workers(self.workers)
    }
}

fn check_workers(workers: u16) -> Result<()> {
    if WORKERS.contains(&workers) {
        return Ok(());
    }
    Err(Error::invalid(OP, "the number of workers is out of range")
        .with("worker_count", workers)
        .with("least", WORKERS.start())
        .with("most", WORKERS.end()))
}
