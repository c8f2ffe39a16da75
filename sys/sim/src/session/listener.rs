// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Listener of a process: a thread that sends the machine's file to newcomers, and the files of published
//! objects to authorized importers.
//!
//! The kernel identifies the peer: its user by the credentials of the connection, and its slot because the
//! process that holds the slot's lease is the process that connected. Both numbers are as our namespace sees
//! them; a process without a number here (both are 0) is trusted, because it belongs to our user. The thread
//! takes no lock that is held during waits, so two processes may fetch from each other; it blocks every
//! signal, because signals belong to the program.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::io::Errno;

use super::books::ClaimId;
use super::kinds::Sort;
use super::layout::{PROCESSES, VERSION};
use super::lease;
use super::member::Member;
use super::socket::{self, Message, Peer, WORDS};
use crate::fault::{Fault, Outcome};

/// Longest time from a connection to its request.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Request of a peer.
#[derive(Debug)]
pub(super) enum Request {
    /// The file of the machine.
    Hello,
    /// A published object.
    Fetch(FetchRequest),
}

/// A wish.
#[derive(Clone, Copy, Debug)]
pub(super) struct FetchRequest {
    pub(super) slot: usize,
    pub(super) incarnation: u64,
    pub(super) sort: Sort,
    pub(super) number: u64,
    pub(super) secret: Option<u64>,
}

/// Attributes sent with the file of an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct OfferedFacts {
    pub(super) facts: [u64; 6],
    pub(super) claim: Option<ClaimId>,
}

/// Why an object is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub(super) enum Refusal {
    /// No object of that number, sort and secret exists.
    Unknown = 1,
    /// The list of allowed processes does not include the importer.
    NotAllowed = 2,
    /// It is not for other servers.
    OtherServer = 3,
    /// The process that asks is not the one it claims to be.
    Imposter = 4,
    /// Another version of the simulator.
    Version = 5,
}

impl Refusal {
    fn from_word(word: u64) -> Self {
        let known = [Self::Unknown, Self::NotAllowed, Self::OtherServer, Self::Imposter];
        known.into_iter().find(|refusal| *refusal as u64 == word).unwrap_or(Self::Version)
    }
}

/// Result of a request.
pub(super) enum Answer {
    /// This.
    Reply(Result<OfferedFacts, Refusal>, Option<OwnedFd>),
    /// The other end went away.
    Closed,
    /// Nothing, in time.
    Silence,
}

/// Sends a request to a listener.
pub(super) fn query(connection: BorrowedFd<'_>, request: &Request, until: Instant) -> Answer {
    if socket::send(connection, &request.encode(), None).is_err() {
        return Answer::Closed;
    }
    if !socket::wait(connection, until) {
        return Answer::Silence;
    }
    match socket::receive(connection) {
        Some((message, file)) => Answer::Reply(decode_reply(&message), file),
        None => Answer::Closed,
    }
}

impl Request {
    fn encode(&self) -> Message {
        let mut message = [0; WORDS];
        message[0] = VERSION;
        if let Self::Fetch(wanted) = self {
            let secret = [u64::from(wanted.secret.is_some()), wanted.secret.unwrap_or(0)];
            message[1..8].copy_from_slice(&[
                1,
                wanted.slot as u64,
                wanted.incarnation,
                u64::from(wanted.sort as u32),
                wanted.number,
                secret[0],
                secret[1],
            ]);
        }
        message
    }

    fn decode(message: &Message) -> Result<Self, Refusal> {
        match message {
            [VERSION, 0, ..] => Ok(Self::Hello),
            [VERSION, 1, slot, incarnation, sort, number, has_secret, secret, ..] => {
                let sort = Sort::ALL.into_iter().find(|known| u64::from(*known as u32) == *sort);
                Ok(Self::Fetch(FetchRequest {
                    slot: usize::try_from(*slot).unwrap_or(usize::MAX),
                    incarnation: *incarnation,
                    sort: sort.ok_or(Refusal::Unknown)?,
                    number: *number,
                    secret: (*has_secret != 0).then_some(*secret),
                }))
            }
            _ => Err(Refusal::Version),
        }
    }
}

fn encode_reply(reply: Result<OfferedFacts, Refusal>) -> Message {
    let mut message = [0; WORDS];
    message[0] = VERSION;
    match reply {
        Ok(given) => {
            message[2..8].copy_from_slice(&given.facts);
            if let Some(claim) = given.claim {
                message[8..10].copy_from_slice(&[claim.index as u64, claim.id]);
            }
        }
        Err(refusal) => message[1] = refusal as u64,
    }
    message
}

fn decode_reply(message: &Message) -> Result<OfferedFacts, Refusal> {
    let [VERSION, 0, facts @ .., _, _, _, _, _, _, _, _] = message else {
        return Err(Refusal::from_word(message[1]));
    };
    let claim = ClaimId { index: usize::try_from(message[8]).unwrap_or(usize::MAX), id: message[9] };
    Ok(OfferedFacts { facts: *facts, claim: (claim.id != 0).then_some(claim) })
}

/// Serves the listener of `member` until the process ends.
pub(super) fn serve(member: Arc<Member>, listener: OwnedFd) -> Outcome {
    let mut all = std::mem::MaybeUninit::<libc::sigset_t>::zeroed();
    let mut before = all;
    // SAFETY: the buffer has the size of a signal set.
    unsafe { libc::sigfillset(all.as_mut_ptr()) };
    // SAFETY: both point to sets. The new thread inherits the mask; ours is put back below.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr()) };
    let thread = std::thread::Builder::new().name("ascend-sim-link".to_owned()).stack_size(256 << 10);
    let started = thread.spawn(move || Listener { member, listener, waiting: Vec::new() }.run());
    // SAFETY: the set was filled in by the first call.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), std::ptr::null_mut()) };
    started
        .map(drop)
        .map_err(|e| Fault::internal(format_args!("cannot start the thread that answers others: {e}")))
}

struct Listener {
    member: Arc<Member>,
    listener: OwnedFd,
    /// Connections that have not sent their request, and until when they may.
    waiting: Vec<(OwnedFd, Instant)>,
}

impl Listener {
    fn run(mut self) {
        loop {
            let mut polled = vec![PollFd::new(&self.listener, PollFlags::IN)];
            polled.extend(self.waiting.iter().map(|(connection, _)| PollFd::new(connection, PollFlags::IN)));
            let pause = (!self.waiting.is_empty()).then_some(Timespec { tv_sec: 1, tv_nsec: 0 });
            if rustix::event::poll(&mut polled, pause.as_ref()).is_err() {
                continue;
            }
            let ready: Vec<bool> = polled.iter().map(|polled| !polled.revents().is_empty()).collect();
            let now = Instant::now();
            let mut done = Vec::new();
            let waiting = std::mem::take(&mut self.waiting);
            for ((connection, until), ready) in waiting.into_iter().zip(&ready[1..]) {
                match ready {
                    true => done.push(connection),
                    false if now < until => self.waiting.push((connection, until)),
                    false => {}
                }
            }
            for connection in done {
                self.answer(connection.as_fd());
            }
            if ready[0] {
                match socket::accept(self.listener.as_fd()) {
                    Ok(connection) => self.waiting.push((connection, now + TIMEOUT)),
                    // The program closed it.
                    Err(Errno::BADF | Errno::NOTSOCK) => return,
                    // Out of descriptors: some must be closed first.
                    Err(_) => std::thread::sleep(Duration::from_millis(1)),
                }
            }
        }
    }

    fn answer(&self, connection: BorrowedFd<'_>) {
        let Some(peer) = socket::peer(connection).filter(|peer| peer.is_own_user()) else { return };
        let Some((message, _)) = socket::receive(connection) else { return };
        let (reply, file) = match Request::decode(&message) {
            Ok(Request::Hello) => {
                let none = OfferedFacts { facts: [0; 6], claim: None };
                // A receiver that does not get it closes the connection; no other waits for it.
                let _ = socket::send(connection, &encode_reply(Ok(none)), Some(self.member.file.as_fd()));
                return;
            }
            Ok(Request::Fetch(wanted)) => match self.give(peer, &wanted) {
                Ok((given, file)) => (Ok(given), Some(file)),
                Err(refusal) => (Err(refusal), None),
            },
            Err(refusal) => (Err(refusal), None),
        };
        // As above.
        let _ = socket::send(connection, &encode_reply(reply), file.as_ref().map(|file| file.as_fd()));
    }

    fn give(&self, peer: Peer, wanted: &FetchRequest) -> Result<(OfferedFacts, Arc<OwnedFd>), Refusal> {
        let slot = self.member.layout.slots.get(wanted.slot).ok_or(Refusal::Imposter)?;
        let known = wanted.slot < PROCESSES
            && slot.state.load(Ordering::Acquire) != 0
            && slot.incarnation.load(Ordering::Relaxed) == wanted.incarnation
            && lease::holder(self.member.file.as_fd(), wanted.slot).is_some_and(|pid| pid.max(0) == peer.pid);
        if !known {
            return Err(Refusal::Imposter);
        }
        let importer = slot.process.load(Ordering::Relaxed);
        let server = slot.server.load(Ordering::Relaxed);
        self.member.open_offer(wanted, importer, server)
    }
}
