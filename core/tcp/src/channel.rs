// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The bytes of one connection: a socket that does not block, plain or below TLS.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::sync::Mutex;

use mf_base::sync::lock;

use crate::congestion;
use crate::secure::{Received, Receiving, Sending, Stream};

/// Destination of bytes: address and length.
pub(crate) type Room = (*mut u8, usize);
/// Source of bytes: address and length.
pub(crate) type Part = (*const u8, usize);

/// Most parts of one call.
const PARTS_MAX: usize = 64;

/// A connection that both ends have proved themselves on.
pub(crate) struct Channel {
    socket: OwnedFd,
    /// The encryption, where there is one: one thread may seal while another opens.
    sealed: Option<Box<(Mutex<Sending>, Mutex<Receiving>)>>,
}

impl Channel {
    pub(crate) fn new(socket: OwnedFd, stream: Stream) -> Self {
        congestion::unpace(socket.as_fd());
        let sealed = stream.split().map(|(sending, receiving)| Box::new((sending.into(), receiving.into())));
        Self { socket, sealed }
    }

    pub(crate) fn socket(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }

    /// Returns true if more can be received without the socket becoming readable again.
    pub(crate) fn has_buffered(&self) -> bool {
        self.sealed.as_ref().is_some_and(|sealed| lock(&sealed.1).buffered() > 0)
    }

    /// Returns true if the processor copies all sent and received bytes.
    pub(crate) fn is_sealed(&self) -> bool {
        self.sealed.is_some()
    }

    /// Gives memory back while the connection is idle.
    pub(crate) fn rest(&self) {
        if let Some(sealed) = &self.sealed {
            lock(&sealed.0).rest();
            lock(&sealed.1).rest();
        }
    }

    /// Memory that it holds.
    pub(crate) fn bytes(&self) -> usize {
        self.sealed.as_ref().map_or(0, |sealed| lock(&sealed.0).bytes() + lock(&sealed.1).bytes())
    }

    /// Receives available bytes, first into `to`, then into `more` (which an encrypted channel leaves alone).
    ///
    /// # Safety
    /// Both are writable for their lengths.
    pub(crate) unsafe fn receive(&self, to: Room, more: Room) -> io::Result<Received> {
        if let Some(sealed) = &self.sealed {
            let mut receiving = lock(&sealed.1);
            // SAFETY: the caller vouches for the range.
            return unsafe { receiving.receive(self.socket.as_fd(), to.0, to.1) };
        }
        let parts = [
            libc::iovec { iov_base: to.0.cast(), iov_len: to.1 },
            libc::iovec { iov_base: more.0.cast(), iov_len: more.1 },
        ];
        let count = if more.1 == 0 { 1 } else { 2 };
        loop {
            let got = if count == 1 {
                // SAFETY: the caller vouches for the range; the kernel writes at most its length.
                unsafe { libc::recv(self.socket.as_raw_fd(), to.0.cast(), to.1, libc::MSG_DONTWAIT) }
            } else {
                // SAFETY: the caller vouches for both ranges; the kernel writes at most their lengths.
                unsafe { libc::readv(self.socket.as_raw_fd(), parts.as_ptr(), count) }
            };
            match usize::try_from(got) {
                Ok(0) => return Ok(Received::Closed),
                Ok(bytes) => return Ok(Received::Bytes(bytes)),
                Err(_) => {
                    let error = io::Error::last_os_error();
                    match error.kind() {
                        io::ErrorKind::Interrupted => {}
                        io::ErrorKind::WouldBlock => return Ok(Received::Nothing),
                        _ => return Err(error),
                    }
                }
            }
        }
    }

    /// Sends as many bytes as the socket takes; 0 when it is full. `more` is true if further bytes follow at
    /// once.
    ///
    /// # Safety
    /// Every part is readable for its length.
    pub(crate) unsafe fn send(&self, parts: &[Part], more: bool) -> io::Result<usize> {
        if let Some(sealed) = &self.sealed {
            let mut sending = lock(&sealed.0);
            // SAFETY: the caller vouches for the parts.
            return unsafe { sending.send(self.socket.as_fd(), parts) };
        }
        let flags = libc::MSG_NOSIGNAL | libc::MSG_DONTWAIT | if more { libc::MSG_MORE } else { 0 };
        let mut list = [const { std::mem::MaybeUninit::<libc::iovec>::uninit() }; PARTS_MAX];
        let count = parts.len().min(PARTS_MAX);
        for (slot, part) in list.iter_mut().zip(parts) {
            slot.write(libc::iovec { iov_base: part.0.cast_mut().cast(), iov_len: part.1 });
        }
        // SAFETY: all bytes zero is a message without address, parts and control data.
        let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
        message.msg_iov = list.as_mut_ptr().cast();
        message.msg_iovlen = count as _;
        loop {
            let sent = match parts {
                // SAFETY: the caller vouches for the part; the kernel only reads it.
                [part] => unsafe { libc::send(self.socket.as_raw_fd(), part.0.cast(), part.1, flags) },
                // SAFETY: the message names `count` parts, which were written above.
                _ => unsafe { libc::sendmsg(self.socket.as_raw_fd(), &message, flags) },
            };
            match usize::try_from(sent) {
                Ok(bytes) => return Ok(bytes),
                Err(_) => {
                    let error = io::Error::last_os_error();
                    match error.kind() {
                        io::ErrorKind::Interrupted => {}
                        io::ErrorKind::WouldBlock => return Ok(0),
                        _ => return Err(error),
                    }
                }
            }
        }
    }

    /// Returns true if a call failed because of its memory argument, so that the connection can go on.
    pub(crate) fn is_hole(error: &io::Error) -> bool {
        error.raw_os_error() == Some(libc::EFAULT)
    }

    /// Passes remaining ciphertext to the socket. Returns true if none is left.
    pub(crate) fn flush(&self) -> io::Result<bool> {
        match &self.sealed {
            None => Ok(true),
            Some(sealed) => lock(&sealed.0).flush(self.socket.as_fd()),
        }
    }

    /// Resets the connection: the kernel drops all that it has not sent yet.
    pub(crate) fn reset(&self) {
        let _ = rustix::net::connect_unspec(&self.socket);
    }

    /// Ends the connection; a thread that waits for it wakes up.
    pub(crate) fn shutdown(&self) {
        let _ = rustix::net::shutdown(&self.socket, rustix::net::Shutdown::Both);
    }
}
