// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Abstract sockets: names that end with their owner, and peer credentials from the kernel.

use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use mf_base::os::descriptor;
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, SocketAddrUnix, SocketFlags, SocketType,
};

/// Words of a message; all messages have this size.
pub(super) const WORDS: usize = 16;
/// A message.
pub(super) type Message = [u64; WORDS];

/// The process at the other end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer {
    /// Its number in our namespace, 0 when it has none there.
    pub(super) pid: i32,
    uid: u32,
}

impl Peer {
    /// Returns true if the peer belongs to our user.
    pub(super) fn is_own_user(self) -> bool {
        self.uid == rustix::process::geteuid().as_raw()
    }
}

/// Names of one machine.
#[derive(Clone, Debug)]
pub(super) struct Names {
    stem: String,
}

impl Names {
    /// Builds the names of the machine `session` of this user.
    pub(super) fn from_session(session: &str) -> Self {
        // FNV-1a with 128 bits: the same in every build, and long names fit.
        let hash = session.bytes().fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128, |hash, byte| {
            (hash ^ u128::from(byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013b)
        });
        Self { stem: format!("ascend-sim/{}/{hash:032x}", rustix::process::geteuid().as_raw()) }
    }

    /// Returns the name of the gate, held while creating or joining the machine.
    pub(super) fn gate(&self) -> String {
        format!("{}/gate", self.stem)
    }

    /// A name for other uses.
    pub(super) fn of(&self, name: &str) -> String {
        format!("{}/{name}", self.stem)
    }

    /// The listener of a process.
    pub(super) fn listener(&self, slot: usize) -> String {
        format!("{}/{slot}", self.stem)
    }
}

fn fresh() -> Result<OwnedFd, Errno> {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    descriptor::socket(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None)
}

/// Listens under a name; `ADDRINUSE` when another has it.
pub(super) fn listen(name: &str) -> Result<OwnedFd, Errno> {
    let socket = fresh()?;
    rustix::net::bind(&socket, &SocketAddrUnix::new_abstract_name(name.as_bytes())?)?;
    rustix::net::listen(&socket, 1024)?;
    Ok(socket)
}

/// Connects to a name; `CONNREFUSED` when it does not exist. Waits while the queue there is full.
pub(super) fn connect(name: &str, until: Instant) -> Result<OwnedFd, Errno> {
    let socket = fresh()?;
    let address = SocketAddrUnix::new_abstract_name(name.as_bytes())?;
    loop {
        match rustix::net::connect(&socket, &address) {
            Ok(()) => return Ok(socket),
            Err(Errno::AGAIN) if Instant::now() < until => std::thread::sleep(Duration::from_millis(1)),
            Err(Errno::INTR) => {}
            Err(errno) => return Err(errno),
        }
    }
}

/// A waiting connection.
pub(super) fn accept(listener: BorrowedFd<'_>) -> Result<OwnedFd, Errno> {
    descriptor::accept(listener, SocketFlags::CLOEXEC | SocketFlags::NONBLOCK)
}

/// Returns the credentials of the peer.
pub(super) fn peer(socket: BorrowedFd<'_>) -> Option<Peer> {
    let mut known = MaybeUninit::<libc::ucred>::zeroed();
    let mut size = libc::socklen_t::try_from(size_of::<libc::ucred>()).unwrap_or(0);
    let (level, name) = (libc::SOL_SOCKET, libc::SO_PEERCRED);
    // SAFETY: the room is as large as said. (rustix has no place for the process number 0 of other
    // namespaces.)
    let code = unsafe {
        libc::getsockopt(socket.as_raw_fd(), level, name, known.as_mut_ptr().cast(), &raw mut size)
    };
    // SAFETY: it was zeroed at first, and any content is valid.
    let known = unsafe { known.assume_init() };
    (code == 0).then_some(Peer { pid: known.pid, uid: known.uid })
}

/// Waits until something arrives or the other end goes away. False when it is too late.
pub(super) fn wait(socket: BorrowedFd<'_>, until: Instant) -> bool {
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let mut polled = [PollFd::from_borrowed_fd(socket, PollFlags::IN)];
        match rustix::event::poll(&mut polled, Timespec::try_from(left).ok().as_ref()) {
            Ok(0) | Err(Errno::INTR) if left.is_zero() => return false,
            Ok(0) | Err(Errno::INTR) => {}
            _ => return true,
        }
    }
}

/// Sends a message, with a descriptor or without.
pub(super) fn send(
    socket: BorrowedFd<'_>,
    message: &Message,
    file: Option<BorrowedFd<'_>>,
) -> Result<(), Errno> {
    let mut bytes = [0; WORDS * 8];
    for (room, word) in bytes.chunks_exact_mut(8).zip(message) {
        room.copy_from_slice(&word.to_le_bytes());
    }
    let files = file.as_slice();
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !files.is_empty() && !control.push(SendAncillaryMessage::ScmRights(files)) {
        return Err(Errno::MSGSIZE);
    }
    loop {
        match rustix::net::sendmsg(socket, &[IoSlice::new(&bytes)], &mut control, SendFlags::NOSIGNAL) {
            Err(Errno::INTR) => {}
            other => return other.map(drop),
        }
    }
}

/// Receives a message, which must be there. None when the other end closed, or says something else.
pub(super) fn receive(socket: BorrowedFd<'_>) -> Option<(Message, Option<OwnedFd>)> {
    let mut bytes = [0; WORDS * 8];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let got = loop {
        let mut room = [IoSliceMut::new(&mut bytes)];
        let received = descriptor::reserving(|| {
            rustix::net::recvmsg(socket.as_fd(), &mut room, &mut control, RecvFlags::CMSG_CLOEXEC)
        });
        match received {
            Err(Errno::INTR) => {}
            other => break other.ok()?,
        }
    };
    let mut file = None;
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(mut files) = message {
            file = files.next();
        }
    }
    if got.bytes != bytes.len() {
        return None;
    }
    let mut message = [0; WORDS];
    for (word, bytes) in message.iter_mut().zip(bytes.as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    Some((message, file))
}
