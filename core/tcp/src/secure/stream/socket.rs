// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Reads and writes of a socket that never wait.

use std::io;
use std::os::fd::BorrowedFd;

use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags};

use super::Received;

/// One read of a socket into memory of our own.
pub(in super::super) fn receive(socket: BorrowedFd<'_>, room: &mut [u8]) -> io::Result<Received> {
    loop {
        return match rustix::net::recv(socket, &mut *room, RecvFlags::DONTWAIT) {
            Ok((_, 0)) if !room.is_empty() => Ok(Received::Closed),
            Ok((_, bytes)) => Ok(Received::Bytes(bytes)),
            Err(Errno::INTR) => continue,
            Err(Errno::AGAIN) => Ok(Received::Nothing),
            Err(errno) => Err(errno.into()),
        };
    }
}

/// One write to a socket from memory of our own; 0: it is full.
pub(in super::super) fn send(socket: BorrowedFd<'_>, bytes: &[u8]) -> io::Result<usize> {
    loop {
        return match rustix::net::send(socket, bytes, SendFlags::DONTWAIT | SendFlags::NOSIGNAL) {
            Ok(sent) => Ok(sent),
            Err(Errno::INTR) => continue,
            Err(Errno::AGAIN) => Ok(0),
            Err(errno) => Err(errno.into()),
        };
    }
}
