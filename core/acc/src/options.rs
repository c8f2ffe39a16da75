// SPDX-License-Identifier: Apache-2.0 OR MIT
//! How servers are started.

use std::net::IpAddr;
use std::time::Duration;

use mf_base::{Error, Result};

const OP: &str = "acc start";

/// Workers that a server may have.
pub const WORKERS: std::ops::RangeInclusive<u16> = 1..=256;
/// Messages that a link may be asked to queue.
pub const QUEUED: std::ops::RangeInclusive<u16> = 32..=255;

/// How a message server is started.
#[derive(Clone, Debug)]
pub struct TcpOptions {
    /// Where it listens; none: it only connects to others. Port 0 is any.
    pub listen: Option<(IpAddr, u16)>,
    /// Threads that run callbacks, of [`WORKERS`].
    pub workers: u16,
    /// Most messages that wait to be sent on a link, of [`QUEUED`].
    pub queue: u16,
    /// Must be the peer's.
    pub magic: i16,
    /// Must be the peer's.
    pub version: i16,
    /// Times.
    pub times: Times,
    /// How many clients it takes.
    pub bounds: Bounds,
}

/// How an HTTP server is started.
#[derive(Clone, Debug)]
pub struct HttpOptions {
    /// Where it listens. Port 0 is any.
    pub listen: (IpAddr, u16),
    /// Threads that run callbacks, of [`WORKERS`].
    pub workers: u16,
    /// Most bytes of a body.
    pub body_bytes_max: u64,
    /// Times.
    pub times: Times,
    /// How many clients it takes.
    pub bounds: Bounds,
}

/// After which times a server gives up.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// A peer that has connected and does not say who it is.
    pub hello: Duration,
    /// An attempt to connect, with all that the other side does meanwhile.
    pub connect: Duration,
    /// Between two attempts to connect.
    pub pause: Duration,
    /// A peer that takes nothing of what waits for it.
    pub send: Duration,
    /// An HTTP connection without a request, or whose request does not go on.
    pub idle: Duration,
}

impl Default for Times {
    fn default() -> Self {
        Self {
            // A peer whose machine is slow, or that runs under an emulator: its own limit is `connect`.
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
    /// Links of one address.
    pub links_of_address: usize,
    /// Clients that have not said hello; beyond it, the oldest makes room.
    pub silent: usize,
    /// Most bytes of partly received messages and requests, in all; the link that exceeds it ends.
    pub partial_bytes: usize,
    /// The same of one address.
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
