// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Unix sequenced-packet sockets: whole messages, descriptors beside them, and the sender's credentials from
//! the kernel.
//!
//! Addresses are abstract names, so nothing stays in the file system.

use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::time::Duration;

use rustix::event::{self, PollFd, PollFlags, Timespec};
use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, SocketAddrUnix, SocketFlags, SocketType, sockopt,
};
use rustix::process::Pid;

use crate::error::{Error, Result};
use crate::os::descriptor;

const OP: &str = "local socket";
/// Longest wait of [`connect`] when many others connect at once.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(2);

/// Most descriptors one message carries; the kernel's own limit.
pub const MAX_DESCRIPTORS: usize = 253;

/// Most bytes one message carries.
pub const MAX_MESSAGE_BYTES: usize = 64 << 10;

/// A received message.
#[derive(Debug)]
pub enum Received {
    /// The other end has closed or died.
    Closed,
    /// Nothing has arrived (non-blocking sockets only).
    Nothing,
    /// `bytes` of the buffer are filled; these descriptors arrived with them.
    Message {
        /// Filled bytes.
        bytes: usize,
        /// Descriptors, close-on-exec; fewer than were sent when this process has no room for more
        /// (RLIMIT_NOFILE).
        descriptors: Vec<OwnedFd>,
    },
}

/// The process at the other end, according to the kernel.
#[derive(Clone, Copy, Debug)]
pub struct Credentials {
    /// Process id in the PID namespace of this process; 0 if the peer is invisible there (another container).
    pub pid: i32,
    /// User id.
    pub uid: u32,
}

fn new_socket() -> Result<OwnedFd> {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    descriptor::socket(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None).map_err(|e| Error::os(OP, e))
}

fn address(name: &str) -> Result<SocketAddrUnix> {
    SocketAddrUnix::new_abstract_name(name.as_bytes()).map_err(|e| Error::os(OP, e).with("name", name))
}

/// Listens under the abstract name `name`; the socket does not block.
///
/// # Errors
/// `InUse` when the name is taken · `NoResources` out of descriptors.
pub fn listen(name: &str) -> Result<OwnedFd> {
    let socket = new_socket()?;
    rustix::net::bind(&socket, &address(name)?).map_err(|e| Error::os(OP, e).with("name", name))?;
    rustix::net::listen(&socket, 1024).map_err(|e| Error::os(OP, e).with("name", name))?;
    Ok(socket)
}

/// Connects to the abstract name `name`; the socket does not block afterwards. Where the listener's queue is
/// full it waits for its turn, at most 2 s: the kernel admits waiting processes in order, so that none
/// starves.
///
/// # Errors
/// `NotConnected` when there is no listener · `NoResources` when the queue stayed full or descriptors are
/// used up.
pub fn connect(name: &str) -> Result<OwnedFd> {
    let failed = |e| Error::os(OP, e).with("name", name);
    let socket = new_socket()?;
    rustix::fs::fcntl_setfl(&socket, OFlags::empty()).map_err(failed)?;
    sockopt::set_socket_timeout(&socket, sockopt::Timeout::Send, Some(QUEUE_TIMEOUT)).map_err(failed)?;
    loop {
        match rustix::net::connect(&socket, &address(name)?) {
            Ok(()) => break,
            Err(Errno::INTR) => {}
            Err(errno) => return Err(failed(errno)),
        }
    }
    rustix::fs::fcntl_setfl(&socket, OFlags::NONBLOCK).map_err(failed)?;
    Ok(socket)
}

/// Returns true if a connection waits at a listening socket to be accepted. Without a free descriptor
/// `accept` fails alike with and without a waiting connection.
pub fn has_waiting(listener: impl AsFd) -> bool {
    let mut listeners = [PollFd::new(&listener, PollFlags::IN)];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    event::poll(&mut listeners, Some(&now)).is_ok_and(|ready| ready > 0)
}

/// Accepts a waiting connection. Returns `None` if no connection waits.
///
/// # Errors
/// `NoResources` a connection waits, but no descriptor is left for it.
pub fn accept(listener: BorrowedFd<'_>) -> Result<Option<OwnedFd>> {
    match descriptor::accept(listener, SocketFlags::CLOEXEC | SocketFlags::NONBLOCK) {
        Ok(socket) => Ok(Some(socket)),
        Err(Errno::MFILE | Errno::NFILE) if !has_waiting(listener) => Ok(None),
        Err(Errno::AGAIN | Errno::INTR | Errno::CONNABORTED) => Ok(None),
        Err(errno) => Err(Error::os(OP, errno)),
    }
}

/// The process at the other end.
///
/// # Errors
/// When the kernel does not report it.
pub fn credentials(socket: impl AsFd) -> Result<Credentials> {
    let mut peer = libc::ucred { pid: 0, uid: u32::MAX, gid: u32::MAX };
    // SAFETY: any bytes are a `ucred`. (rustix has no value for pid 0 and takes it for an error.)
    unsafe { peer_option(socket.as_fd(), libc::SO_PEERCRED, &mut peer) }?;
    Ok(Credentials { pid: peer.pid, uid: peer.uid })
}

/// A descriptor of the process at the other end, by which its end is noticed. `None` where neither the socket
/// (`SO_PEERPIDFD`, Linux 6.5) nor `pidfd_open` gives one: the latter never does for a peer that is invisible
/// in the PID namespace of this process.
pub fn peer_process(socket: impl AsFd) -> Option<OwnedFd> {
    /// `SO_PEERPIDFD` of Linux 6.5 on every architecture with the generic numbers.
    const SO_PEERPIDFD: i32 = 77;
    let mut opened = -1_i32;
    let asked = descriptor::reserving(|| {
        // SAFETY: any bytes are a number.
        unsafe { peer_option(socket.as_fd(), SO_PEERPIDFD, &mut opened) }
    });
    if asked.is_ok() && opened >= 0 {
        // SAFETY: the kernel has just opened it for this call.
        return descriptor::lifted(unsafe { OwnedFd::from_raw_fd(opened) }).ok();
    }
    descriptor::pidfd(Pid::from_raw(credentials(socket).ok()?.pid)?).ok()
}

/// Reads an option of `SOL_SOCKET`.
///
/// # Safety
/// Any bytes are a valid `T`.
unsafe fn peer_option<T>(socket: BorrowedFd<'_>, name: i32, value: &mut T) -> Result<()> {
    let mut bytes = libc::socklen_t::try_from(size_of::<T>()).unwrap_or(0);
    let value = std::ptr::from_mut(value).cast();
    // SAFETY: the kernel writes at most `bytes` bytes, the size of the value, for which any will do.
    let code = unsafe { libc::getsockopt(socket.as_raw_fd(), libc::SOL_SOCKET, name, value, &raw mut bytes) };
    if code == 0 {
        return Ok(());
    }
    let error = std::io::Error::last_os_error();
    Err(Error::os(OP, Errno::from_io_error(&error).unwrap_or(Errno::IO)))
}

/// Sends one message with its descriptors; never raises SIGPIPE.
///
/// # Errors
/// `NotConnected` when the other end has closed · `NoResources` when its queue is full.
pub fn send(socket: impl AsFd, message: &[u8], descriptors: &[BorrowedFd<'_>]) -> Result<()> {
    if message.len() > MAX_MESSAGE_BYTES || descriptors.len() > MAX_DESCRIPTORS {
        return Err(Error::invalid(OP, "the message is too large")
            .with("bytes", message.len())
            .with("descriptors", descriptors.len()));
    }
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_DESCRIPTORS))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !descriptors.is_empty() && !control.push(SendAncillaryMessage::ScmRights(descriptors)) {
        return Err(Error::invalid(OP, "the descriptors do not fit").with("descriptors", descriptors.len()));
    }
    loop {
        match rustix::net::sendmsg(&socket, &[IoSlice::new(message)], &mut control, SendFlags::NOSIGNAL) {
            Ok(_) => return Ok(()),
            Err(Errno::INTR) => {}
            Err(errno) => return Err(Error::os(OP, errno)),
        }
    }
}

/// Receives one message into `buffer`.
///
/// # Errors
/// `InvalidParam` when the message does not fit; it is dropped then.
pub fn receive(socket: impl AsFd, buffer: &mut [u8]) -> Result<Received> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_DESCRIPTORS))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let got = loop {
        let received = descriptor::reserving(|| {
            let room = &mut [IoSliceMut::new(buffer)];
            rustix::net::recvmsg(&socket, room, &mut control, RecvFlags::CMSG_CLOEXEC)
        });
        match received {
            Ok(got) => break got,
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => return Ok(Received::Nothing),
            Err(Errno::CONNRESET | Errno::PIPE) => return Ok(Received::Closed),
            Err(errno) => return Err(Error::os(OP, errno)),
        }
    };
    let mut descriptors = Vec::new();
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(fds) = message {
            for descriptor in fds {
                descriptors.push(descriptor::lifted(descriptor).map_err(|errno| Error::os(OP, errno))?);
            }
        }
    }
    if got.flags.contains(ReturnFlags::TRUNC) {
        return Err(Error::invalid(OP, "a message does not fit").with("limit_bytes", buffer.len()));
    }
    if got.bytes == 0 && descriptors.is_empty() {
        return Ok(Received::Closed);
    }
    Ok(Received::Message { bytes: got.bytes, descriptors })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    fn pair(name: &str) -> (OwnedFd, OwnedFd) {
        let name = format!("{name}-{}", std::process::id());
        let listener = listen(&name).unwrap();
        let client = connect(&name).unwrap();
        (accept(listener.as_fd()).unwrap().unwrap(), client)
    }

    #[test]
    fn descriptors_travel_with_messages() {
        let (server, client) = pair("mf-test-fds");
        let file = rustix::fs::memfd_create("mf-test", rustix::fs::MemfdFlags::CLOEXEC).unwrap();
        rustix::fs::ftruncate(&file, 1234).unwrap();
        send(&client, b"hello", &[file.as_fd()]).unwrap();
        let mut buffer = [0; 64];
        let Received::Message { bytes, descriptors } = receive(&server, &mut buffer).unwrap() else {
            panic!()
        };
        assert_eq!(&buffer[..bytes], b"hello");
        assert_eq!(rustix::fs::fstat(&descriptors[0]).unwrap().st_size, 1234);
        assert_eq!(credentials(&server).unwrap().pid, i32::try_from(std::process::id()).unwrap());
        if let Some(process) = peer_process(&server) {
            let mut poll = [PollFd::new(&process, PollFlags::IN)];
            let now = Timespec { tv_sec: 0, tv_nsec: 0 };
            assert_eq!(event::poll(&mut poll, Some(&now)).unwrap(), 0, "this process has not ended");
        }
    }

    #[test]
    fn no_message_and_closed_peer_are_distinguished() {
        let (server, client) = pair("mf-test-end");
        let mut buffer = [0; 64];
        assert!(matches!(receive(&server, &mut buffer).unwrap(), Received::Nothing));
        drop(client);
        assert!(matches!(receive(&server, &mut buffer).unwrap(), Received::Closed));
        assert_eq!(send(&server, b"x", &[]).unwrap_err().kind(), Kind::NotConnected);
    }

    #[test]
    fn oversized_messages_are_refused() {
        let (server, client) = pair("mf-test-fit");
        send(&client, &[1; 100], &[]).unwrap();
        assert!(receive(&server, &mut [0; 10]).is_err());
        assert!(send(&client, &[0; MAX_MESSAGE_BYTES + 1], &[]).is_err());
    }

    #[test]
    fn connection_waiting_for_a_full_queue_is_accepted() {
        let name = format!("mf-test-queue-{}", std::process::id());
        let listener = new_socket().unwrap();
        rustix::net::bind(&listener, &address(&name).unwrap()).unwrap();
        rustix::net::listen(&listener, 4).unwrap();
        // As many as it takes, without waiting.
        let crowd: Vec<OwnedFd> = std::iter::from_fn(|| {
            let socket = new_socket().unwrap();
            rustix::net::connect(&socket, &address(&name).unwrap()).ok().map(|()| socket)
        })
        .collect();
        assert!(!crowd.is_empty());
        let waiting = std::thread::spawn(move || connect(&name).map(drop));
        for _ in 0..=crowd.len() {
            while accept(listener.as_fd()).unwrap().is_none() {
                std::thread::yield_now();
            }
        }
        waiting.join().unwrap().unwrap();
    }

    #[test]
    fn absent_listeners_and_taken_names_are_errors() {
        assert_eq!(connect("mf-test-nobody").unwrap_err().kind(), Kind::NotConnected);
        let name = format!("mf-test-taken-{}", std::process::id());
        let _held = listen(&name).unwrap();
        assert_eq!(listen(&name).unwrap_err().kind(), Kind::InUse);
    }
}
