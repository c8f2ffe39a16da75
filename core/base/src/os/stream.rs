// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Writing to connections in other people's processes.

use std::io::{IoSlice, Result, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SendAncillaryBuffer, SendFlags, SocketFlags, SocketType, sockopt};

use super::descriptor;

/// A connected socket to write to. When the other side has closed, that is the error `BrokenPipe` and never
/// `SIGPIPE`, which ends a program in C or C++: there it is not turned off, and the standard library writes
/// several pieces without a flag against it.
pub struct Stream<S>(pub S);

impl<S: AsFd> Write for Stream<S> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        Ok(rustix::net::send(&self.0, bytes, SendFlags::NOSIGNAL)?)
    }

    fn write_vectored(&mut self, slices: &[IoSlice<'_>]) -> Result<usize> {
        let mut nothing = SendAncillaryBuffer::default();
        Ok(rustix::net::sendmsg(&self.0, slices, &mut nothing, SendFlags::NOSIGNAL)?)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Connects within `limit`, as [`TcpStream::connect_timeout`] does.
///
/// # Errors
/// The kernel's · `TimedOut`.
pub fn connect(address: SocketAddr, limit: Duration) -> Result<TcpStream> {
    let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let socket = descriptor::socket(family, SocketType::STREAM, flags, None)?;
    match rustix::net::connect(&socket, &address) {
        Err(Errno::INPROGRESS | Errno::INTR) => {
            let end = Instant::now() + limit;
            loop {
                let left = end.saturating_duration_since(Instant::now());
                let pause = Timespec::try_from(left).ok();
                match poll(&mut [PollFd::new(&socket, PollFlags::OUT)], pause.as_ref()) {
                    Ok(0) if left.is_zero() => return Err(Errno::TIMEDOUT.into()),
                    Ok(0) | Err(Errno::INTR) => {}
                    Ok(_) => break,
                    Err(errno) => return Err(errno.into()),
                }
            }
            sockopt::socket_error(&socket)??;
        }
        connected => connected?,
    }
    let socket = TcpStream::from(socket);
    socket.set_nonblocking(false)?;
    Ok(socket)
}

/// Duplicates the descriptor of a socket that this process has inherited under this number.
///
/// # Errors
/// The kernel's: `EBADF` nothing is open under the number, `ENOTSOCK` it is not a socket.
pub fn inherited(number: i32) -> Result<OwnedFd> {
    if number < 0 {
        return Err(std::io::ErrorKind::InvalidInput.into());
    }
    // SAFETY: the number is not -1, and it is only given to the kernel to make another descriptor, which
    // refuses a number under which nothing is open.
    let own = unsafe { BorrowedFd::borrow_raw(number) }.try_clone_to_owned()?;
    sockopt::socket_type(&own)?;
    Ok(own)
}

/// Returns true if the other end of a TCP connection has acknowledged everything it was sent, and its window
/// is closed: its process does not read, its host is alive.
///
/// # Errors
/// The kernel's, if it is not a TCP socket.
pub fn is_window_closed(socket: impl AsFd) -> Result<bool> {
    // `SIOCOUTQ` and `SIOCOUTQNSD` of linux/sockios.h, the first under the name of the same number for
    // terminals.
    let waiting = queued(&socket, libc::TIOCOUTQ)?;
    Ok(waiting > 0 && waiting == queued(&socket, 0x894B)?)
}

/// Returns the bytes that `request` counts in a connection's queue.
fn queued(socket: &impl AsFd, request: libc::Ioctl) -> Result<libc::c_int> {
    let mut bytes: libc::c_int = 0;
    // SAFETY: both requests write one `int`, the descriptor is open as long as it is borrowed here, and
    // `bytes` outlives the call.
    let done = unsafe { libc::ioctl(socket.as_fd().as_raw_fd(), request, &raw mut bytes) };
    if done < 0 { Err(std::io::Error::last_os_error()) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use std::io::{ErrorKind, Read};
    use std::net::{TcpListener, TcpStream};

    use super::*;
    use crate::os::thread;

    #[test]
    fn only_sockets_are_inherited() {
        let (here, _there) = connection();
        let same = TcpStream::from(inherited(here.as_raw_fd()).unwrap());
        assert_eq!(same.local_addr().unwrap(), here.local_addr().unwrap());
        let file = std::fs::File::open("/dev/null").unwrap();
        for number in [-1, i32::MAX, file.as_raw_fd()] {
            assert!(inherited(number).is_err(), "{number}");
        }
    }

    fn connection() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let here = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (here, listener.accept().unwrap().0)
    }

    /// Returns true if the calling thread was sent `SIGPIPE`; it must block it.
    fn was_signalled() -> bool {
        let status = std::fs::read_to_string("/proc/thread-self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("SigPnd:")).unwrap();
        u64::from_str_radix(line.trim(), 16).unwrap() & 1 << (libc::SIGPIPE - 1) != 0
    }

    /// Writes until the other side, which has closed, is noticed; whether a signal came of it.
    fn write_without_reader(mut write: impl FnMut(&TcpStream) -> Result<usize> + Send + 'static) -> bool {
        let (here, there) = connection();
        drop(there);
        let writing = move || {
            let error = loop {
                if let Err(error) = write(&here) {
                    break error;
                }
            };
            assert!(matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset), "{error}");
            // After a reset, once more: only then is the pipe broken.
            assert!(write(&here).is_err());
            was_signalled()
        };
        thread::spawn("writing", writing).unwrap().join().unwrap()
    }

    const PIECES: [&[u8]; 2] = [b"some", b"bytes"];

    #[test]
    fn all_pieces_arrive() {
        let (here, mut there) = connection();
        let mut stream = Stream(&here);
        assert_eq!(stream.write_vectored(&PIECES.map(IoSlice::new)).unwrap(), 9);
        assert_eq!(stream.write(b"!").unwrap(), 1);
        drop(here);
        let mut text = String::new();
        there.read_to_string(&mut text).unwrap();
        assert_eq!(text, "somebytes!");
    }

    #[test]
    fn write_to_a_closed_socket_raises_no_signal() {
        assert!(!write_without_reader(|socket| Stream(socket).write(b"some bytes")));
        assert!(!write_without_reader(|socket| Stream(socket).write_vectored(&PIECES.map(IoSlice::new))));
        // The test would notice one.
        assert!(write_without_reader(|mut socket| socket.write_vectored(&PIECES.map(IoSlice::new))));
    }
}
