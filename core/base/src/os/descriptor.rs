// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Opening descriptors that are never 0, 1 or 2.
//!
//! A program may run with a standard stream closed, or close one later. The kernel gives the lowest free
//! number to the next descriptor that is opened, and then the program's output goes into a connection or a
//! memory file of ours, and its input comes from there. The library must not open the streams instead: a
//! program that closes 1 and opens a file expects the number 1.
//!
//! So every descriptor is opened here, by [`reserving`]; one that got a low number all the same, because
//! another thread closed a stream meanwhile, is duplicated to a higher one. The lints of the library's crates
//! refuse functions that open descriptors directly (`clippy.toml`).
#![allow(clippy::disallowed_methods, reason = "the owner of these calls")]

use std::fs::{File, OpenOptions};
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs, UdpSocket};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::net::{self as unix, UnixListener, UnixStream};
use std::path::Path;

use rustix::event::{EventfdFlags, epoll};
use rustix::fs::{MemfdFlags, Mode, OFlags};
use rustix::io::Errno;
use rustix::net::{AddressFamily, Protocol, SocketAddrAny, SocketFlags, SocketType};
pub use rustix::pipe::PipeFlags;
use rustix::process::{Pid, PidfdFlags};

use super::held_streams::LOWEST;
pub use super::held_streams::reserving;

/// Returns true if the number is above the standard streams'.
pub fn is_above_standard_streams(opened: &impl AsFd) -> bool {
    opened.as_fd().as_raw_fd() >= LOWEST
}

/// Duplicates a descriptor that is 0, 1 or 2 to a higher number, and closes it; gives back all others.
///
/// # Errors
/// `EMFILE`: the process has no descriptor left.
pub fn lifted<T: AsFd + From<OwnedFd>>(opened: T) -> Result<T, Errno> {
    if is_above_standard_streams(&opened) {
        return Ok(opened);
    }
    duplicate(&opened, LOWEST).map(T::from)
}

/// Makes another descriptor of the same thing, with a number of at least `lowest`.
///
/// # Errors
/// `EMFILE`: the process has no such number left.
pub fn duplicate(of: impl AsFd, lowest: i32) -> Result<OwnedFd, Errno> {
    rustix::io::fcntl_dupfd_cloexec(of, lowest.max(LOWEST))
}

fn opened<T: AsFd + From<OwnedFd>, E: From<Errno>>(open: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    Ok(lifted(reserving(open)?)?)
}

/// Makes a socket.
///
/// # Errors
/// The kernel's.
pub fn socket(
    family: AddressFamily,
    kind: SocketType,
    flags: SocketFlags,
    protocol: Option<Protocol>,
) -> Result<OwnedFd, Errno> {
    opened(|| rustix::net::socket_with(family, kind, flags, protocol))
}

/// Accepts a connection.
///
/// # Errors
/// The kernel's.
pub fn accept(listener: impl AsFd, flags: SocketFlags) -> Result<OwnedFd, Errno> {
    opened(|| rustix::net::accept_with(&listener, flags))
}

/// Accepts a connection; beside it the address of the other end.
///
/// # Errors
/// The kernel's.
pub fn accept_from(
    listener: impl AsFd,
    flags: SocketFlags,
) -> Result<(OwnedFd, Option<SocketAddrAny>), Errno> {
    let (socket, from) = reserving(|| rustix::net::acceptfrom_with(&listener, flags))?;
    Ok((lifted(socket)?, from))
}

/// Accepts a connection of the standard library's listener.
///
/// # Errors
/// The kernel's.
pub fn accept_tcp(listener: &TcpListener) -> io::Result<(TcpStream, SocketAddr)> {
    let (stream, from) = reserving(|| listener.accept())?;
    Ok((lifted(stream)?, from))
}

/// Listens at a TCP address, with `SO_REUSEADDR`.
///
/// # Errors
/// The kernel's.
pub fn listen_tcp(address: impl ToSocketAddrs) -> io::Result<TcpListener> {
    opened(|| TcpListener::bind(address))
}

/// Listens at an address of Unix sockets.
///
/// # Errors
/// The kernel's.
pub fn listen_unix(address: &unix::SocketAddr) -> io::Result<UnixListener> {
    opened(|| UnixListener::bind_addr(address))
}

/// Connects to an address of Unix sockets.
///
/// # Errors
/// The kernel's.
pub fn connect_unix(address: &unix::SocketAddr) -> io::Result<UnixStream> {
    opened(|| UnixStream::connect_addr(address))
}

/// Binds a datagram socket.
///
/// # Errors
/// The kernel's.
pub fn bind_udp(address: impl ToSocketAddrs) -> io::Result<UdpSocket> {
    opened(|| UdpSocket::bind(address))
}

/// Makes an event counter.
///
/// # Errors
/// The kernel's.
pub fn eventfd(flags: EventfdFlags) -> Result<OwnedFd, Errno> {
    opened(|| rustix::event::eventfd(0, flags))
}

/// Makes an epoll instance.
///
/// # Errors
/// The kernel's.
pub fn epoll() -> Result<OwnedFd, Errno> {
    opened(|| epoll::create(epoll::CreateFlags::CLOEXEC))
}

/// Makes a memory file.
///
/// # Errors
/// The kernel's.
pub fn memfd(name: &str, flags: MemfdFlags) -> Result<OwnedFd, Errno> {
    opened(|| rustix::fs::memfd_create(name, flags))
}

/// Makes a pipe: the end to read from, the end to write to.
///
/// # Errors
/// The kernel's.
pub fn pipe(flags: PipeFlags) -> Result<(OwnedFd, OwnedFd), Errno> {
    let (reader, writer) = reserving(|| rustix::pipe::pipe_with(flags))?;
    Ok((lifted(reader)?, lifted(writer)?))
}

/// Opens a process.
///
/// # Errors
/// The kernel's.
pub fn pidfd(pid: Pid) -> Result<OwnedFd, Errno> {
    opened(|| rustix::process::pidfd_open(pid, PidfdFlags::empty()))
}

/// Opens a path as `open(2)` does.
///
/// # Errors
/// The kernel's.
pub fn open(path: &Path, flags: OFlags, mode: Mode) -> Result<OwnedFd, Errno> {
    opened(|| rustix::fs::open(path, flags, mode))
}

/// Opens a file as the options say.
///
/// # Errors
/// The kernel's.
pub fn open_file(options: &OpenOptions, path: impl AsRef<Path>) -> io::Result<File> {
    opened(|| options.open(path))
}

/// Opens a file to read.
///
/// # Errors
/// The kernel's.
pub fn read_file(path: impl AsRef<Path>) -> io::Result<File> {
    open_file(OpenOptions::new().read(true), path)
}

/// Reads a whole file.
///
/// # Errors
/// The kernel's.
pub fn read(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::Read::read_to_end(&mut read_file(path)?, &mut bytes)?;
    Ok(bytes)
}

/// Reads a whole file of UTF-8.
///
/// # Errors
/// The kernel's · `InvalidData`: not UTF-8.
pub fn read_text(path: impl AsRef<Path>) -> io::Result<String> {
    let mut text = String::new();
    io::Read::read_to_string(&mut read_file(path)?, &mut text)?;
    Ok(text)
}

/// Reads a whole regular file of at most `most_bytes`: a pipe would block, a device has no end.
///
/// # Errors
/// The kernel's · `InvalidInput`: another kind of file, or a longer one.
pub fn read_regular(path: impl AsRef<Path>, most_bytes: u64) -> io::Result<Vec<u8>> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(open(path.as_ref(), flags, Mode::empty())?);
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    let mut bytes = Vec::new();
    io::Read::read_to_end(&mut io::Read::take(file, most_bytes + 1), &mut bytes)?;
    if bytes.len() as u64 > most_bytes {
        let text = format!("the file has more than {most_bytes} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    }
    Ok(bytes)
}

/// Writes a whole file anew.
///
/// # Errors
/// The kernel's.
pub fn write(path: impl AsRef<Path>, bytes: &[u8]) -> io::Result<()> {
    let mut file = open_file(OpenOptions::new().write(true).create(true).truncate(true), path)?;
    io::Write::write_all(&mut file, bytes)
}

/// Opens a folder to read its entries.
///
/// # Errors
/// The kernel's.
pub fn read_dir(path: impl AsRef<Path>) -> io::Result<std::fs::ReadDir> {
    reserving(|| std::fs::read_dir(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs `check` in a child of one thread; its streams with a bit in `closed` are closed.
    fn in_child(closed: u32, check: impl FnOnce() -> bool) -> bool {
        // SAFETY: the child makes system calls only, and ends.
        let child = unsafe { libc::fork() };
        if child == 0 {
            for stream in (0..LOWEST).filter(|stream| closed & (1 << stream) != 0) {
                // SAFETY: the child's copy of a standard stream, which it does not use any more.
                unsafe { libc::close(stream) };
            }
            let code = i32::from(!check());
            // SAFETY: ends the child without the parent's handlers.
            unsafe { libc::_exit(code) };
        }
        let mut status = 0;
        // SAFETY: the child was just made, and no other code waits for it.
        let ended = unsafe { libc::waitpid(child, &raw mut status, 0) };
        assert_eq!(ended, child);
        libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0
    }

    fn is_high(opened: Result<impl AsFd, impl std::fmt::Debug>) -> bool {
        opened.is_ok_and(|fd| fd.as_fd().as_raw_fd() >= LOWEST)
    }

    /// The closed streams as bits.
    fn closed() -> u32 {
        // SAFETY: asks, and changes nothing.
        let is_closed = |stream: &i32| unsafe { libc::fcntl(*stream, libc::F_GETFD) } == -1;
        (0..LOWEST).filter(is_closed).map(|stream| 1 << stream).sum()
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri has no fork")]
    fn every_opened_descriptor_is_high_while_streams_are_closed() {
        for streams in 0..8 {
            let passed = in_child(streams, || {
                let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
                let listener = listen_tcp(("127.0.0.1", 0)).unwrap();
                let mut high = is_high(Ok::<_, ()>(&listener));
                for kind in 0..3 {
                    let at = listener.local_addr().unwrap();
                    let client = socket(AddressFamily::INET, SocketType::STREAM, SocketFlags::CLOEXEC, None);
                    high &= client.is_ok_and(|client| {
                        rustix::net::connect(&client, &at).is_ok()
                            && is_high(Ok::<_, ()>(&client))
                            && match kind {
                                0 => is_high(accept(&listener, flags)),
                                1 => is_high(accept_from(&listener, flags).map(|(socket, _)| socket)),
                                _ => is_high(accept_tcp(&listener).map(|(socket, _)| socket)),
                            }
                    });
                }
                let ends = pipe(PipeFlags::CLOEXEC).unwrap();
                high && is_high(Ok::<_, ()>(ends.0))
                    && is_high(Ok::<_, ()>(ends.1))
                    && is_high(eventfd(EventfdFlags::CLOEXEC))
                    && is_high(epoll())
                    && is_high(memfd("mf-test", MemfdFlags::CLOEXEC))
                    && is_high(bind_udp(("127.0.0.1", 0)))
                    && is_high(pidfd(rustix::process::getpid()))
                    && is_high(read_file("/proc/self/maps"))
                    && is_high(open(Path::new("/"), OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()))
                    && read_dir("/").is_ok_and(|entries| entries.count() > 0)
                    // Descriptors opened by other code.
                    && is_high(reserving(|| rustix::event::eventfd(0, EventfdFlags::CLOEXEC)))
                    // The program finds its streams closed, as before.
                    && closed() == streams
            });
            assert!(passed, "closed streams, as bits: {streams:03b}");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri has no fork")]
    fn nested_calls_share_reserved_descriptors() {
        assert!(in_child(0b101, || {
            let inner = reserving(|| {
                let first = reserving(|| rustix::event::eventfd(0, EventfdFlags::CLOEXEC));
                is_high(first) && is_high(rustix::event::eventfd(0, EventfdFlags::CLOEXEC)) && closed() == 0
            });
            inner && closed() == 0b101 && in_child(0, || is_high(epoll()) && closed() == 0b101)
        }));
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri has no fork")]
    fn threads_that_open_at_once_get_high_descriptors() {
        let opens =
            || (0..2000).all(|_| is_high(reserving(|| rustix::event::eventfd(0, EventfdFlags::CLOEXEC))));
        assert!(in_child(0b111, || {
            let threads: Vec<_> = (0..8).map(|_| std::thread::spawn(opens)).collect();
            threads.into_iter().all(|thread| thread.join().is_ok_and(|high| high)) && closed() == 0b111
        }));
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri has no fork")]
    fn low_descriptor_is_moved_and_its_number_freed() {
        assert!(in_child(0b010, || {
            let low = rustix::event::eventfd(7, EventfdFlags::CLOEXEC).unwrap();
            let was_low = low.as_raw_fd() == 1;
            let high = lifted(low).unwrap();
            let mut count = [0; 8];
            let same = rustix::io::read(&high, &mut count) == Ok(8) && u64::from_ne_bytes(count) == 7;
            was_low && same && high.as_raw_fd() >= LOWEST && closed() == 0b010
        }));
    }
}
