// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A connection that sends and receives whole pieces.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use rustix::io::Errno;
use rustix::net::RecvFlags;

use super::Waiting;

/// Longest wait for the other side; generous, because the machine may be busy on purpose.
const TIMEOUT: Duration = Duration::from_secs(300);

/// Sends and receives whole pieces.
pub(super) trait Wire {
    /// Returns when the kernel has taken all.
    fn send(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Returns when all of it is there.
    fn receive(&mut self, into: &mut [u8]) -> io::Result<()>;
    /// Sets its method of waiting for received data.
    fn wait_by(&mut self, waiting: Waiting);
}

/// A TCP connection.
#[derive(Debug)]
pub(super) struct Plain {
    stream: TcpStream,
    waiting: Waiting,
}

impl Plain {
    /// Sets the socket up. Its buffers are left to the kernel's tuning; explicitly requested sizes would be
    /// smaller.
    pub(super) fn new(stream: TcpStream) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        stream.set_write_timeout(Some(TIMEOUT))?;
        Ok(Self { stream, waiting: Waiting::Block })
    }
}

impl Read for Plain {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.waiting == Waiting::Block {
            return self.stream.read(into);
        }
        loop {
            match rustix::net::recv(&self.stream, &mut *into, RecvFlags::DONTWAIT) {
                Ok((count, _)) => return Ok(count),
                Err(Errno::AGAIN | Errno::INTR) => std::hint::spin_loop(),
                Err(errno) => return Err(errno.into()),
            }
        }
    }
}

impl Write for Plain {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes)
    }

    fn write_vectored(&mut self, parts: &[io::IoSlice<'_>]) -> io::Result<usize> {
        self.stream.write_vectored(parts)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Wire for Plain {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)
    }

    fn receive(&mut self, into: &mut [u8]) -> io::Result<()> {
        self.read_exact(into)
    }

    fn wait_by(&mut self, waiting: Waiting) {
        self.waiting = waiting;
    }
}
