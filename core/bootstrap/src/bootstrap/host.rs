// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Exchange of the store's address between the ranks of one host.
//!
//! Rank 0 listens on a Unix socket with an abstract name, which nothing has to remove, and answers each of
//! the other ranks once; then the name is free for the next program of the same job. The name comes from the
//! user and from the launcher's name of the job. Both ends check that the other belongs to the same user: a
//! process of another user that has the name learns nothing, and is not believed.

use std::collections::BTreeSet;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

use mf_base::interrupt::{self, InterruptPoll};
use mf_base::os::socket::{self, Received};
use mf_base::os::thread;
use mf_base::{Error, Kind, Result};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use sha2::{Digest as _, Sha256};

use super::pmi::LONGEST_WAIT;
use super::unique::UniqueId;

const OPERATION: &str = "bootstrap on this host";
/// Interval between two attempts to find rank 0, or to get the name.
const PAUSE: Duration = Duration::from_millis(20);
/// Longest time for a connected rank to send its number.
const QUESTION_WAIT: Duration = Duration::from_secs(5);
/// Rank 0's answer when it could not start a store.
const FAILED: &[u8] = b"failed";
/// Room for the longest answer.
const ANSWER_BYTES: usize = 2 * UniqueId::BYTES;

/// Sends rank 0's store address and secret to all ranks of `job`, all on this host. **Collective** over the
/// ranks.
pub(super) fn hand_on(
    job: &str,
    rank: u32,
    ranks: u32,
    make: impl FnOnce() -> Result<UniqueId>,
) -> Result<UniqueId> {
    if ranks == 1 {
        return make();
    }
    let until = Instant::now() + LONGEST_WAIT;
    if rank != 0 {
        return ask(job, rank, until);
    }
    let listener = listen(job, until)?;
    let made = make();
    let answer = made.as_ref().map_or_else(|_| FAILED.to_vec(), |id| id.to_text().into_bytes());
    thread::spawn("mf-hand-on", move || serve(&listener, &answer, (1..ranks).collect()))
        .map_err(|error| Error::new(Kind::NoResources, OPERATION).what("no thread").source(error))?;
    made
}

/// The abstract name of the socket.
fn name(job: &str) -> String {
    let digest = Sha256::digest(job.as_bytes());
    let digits: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("mf-job-{}-{digits}", own_user())
}

fn own_user() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// The socket of rank 0. An earlier program of the job may be about to release the name.
fn listen(job: &str, until: Instant) -> Result<OwnedFd> {
    loop {
        match socket::listen(&name(job)) {
            Err(error) if error.kind() == Kind::InUse && Instant::now() < until => {
                interrupt::sleep(OPERATION, PAUSE)?;
            }
            Err(error) if error.kind() == Kind::InUse => {
                return Err(error
                    .what("another process is rank 0 of this job on this host")
                    .with("job", job)
                    .with("waited_s", LONGEST_WAIT.as_secs())
                    .hint("end it; or set MF_CONFIG_STORE_URL=tcp://127.0.0.1:port in all ranks"));
            }
            listening => return listening,
        }
    }
}

/// Answers each of the ranks `left` once.
fn serve(listener: &OwnedFd, answer: &[u8], mut left: BTreeSet<u32>) {
    while !left.is_empty() {
        match poll(&mut [PollFd::new(listener, PollFlags::IN)], None) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => return,
        }
        let Ok(accepted) = socket::accept(listener.as_fd()) else {
            // No descriptor is free; the connection waits.
            std::thread::sleep(PAUSE);
            continue;
        };
        let Some(peer) = accepted.filter(belongs_to_us) else { continue };
        let Ok(Some(question)) = receive(&peer, Instant::now() + QUESTION_WAIT) else { continue };
        let rank = <[u8; 4]>::try_from(&question[..]).map(u32::from_le_bytes);
        if let Ok(rank) = rank
            && left.contains(&rank)
            && socket::send(&peer, answer, &[]).is_ok()
        {
            left.remove(&rank);
        }
    }
}

fn belongs_to_us(peer: &OwnedFd) -> bool {
    socket::credentials(peer).is_ok_and(|peer| peer.uid == own_user())
}

/// The answer of rank 0.
fn ask(job: &str, rank: u32, until: Instant) -> Result<UniqueId> {
    loop {
        match socket::connect(&name(job)) {
            Ok(peer) if !belongs_to_us(&peer) => {
                return Err(Error::new(Kind::InUse, OPERATION)
                    .what("a process of another user has the name of this job's socket")
                    .with("job", job)
                    .hint("set MF_CONFIG_STORE_URL=tcp://127.0.0.1:port in all ranks"));
            }
            Ok(peer) => {
                // An earlier rank 0 may be ending: it breaks the connection, and the next one is tried.
                let answer = match socket::send(&peer, &rank.to_le_bytes(), &[]) {
                    Ok(()) => receive(&peer, until)?,
                    Err(_) => None,
                };
                if let Some(answer) = answer {
                    return read(&answer);
                }
            }
            Err(error) if matches!(error.kind(), Kind::NotConnected | Kind::NoResources) => {}
            Err(error) => return Err(error),
        }
        if Instant::now() >= until {
            return Err(late(job));
        }
        interrupt::sleep(OPERATION, PAUSE)?;
    }
}

fn read(answer: &[u8]) -> Result<UniqueId> {
    if answer == FAILED {
        return Err(
            Error::new(Kind::NotConnected, OPERATION).what("rank 0 cannot start a store; see its error")
        );
    }
    let damaged =
        || Error::new(Kind::Failed, OPERATION).what("cannot decode rank 0's answer with the store's address");
    std::str::from_utf8(answer).map_err(|_| damaged())?.parse()
}

fn late(job: &str) -> Error {
    Error::new(Kind::Timeout, OPERATION)
        .what("rank 0 has not said where the store is")
        .with("missing_rank", 0)
        .with("job", job)
        .with("waited_s", LONGEST_WAIT.as_secs())
        .hint(
            "does rank 0 take part, too? Ranks in containers with networks of their own do not reach each other so: set \
             MF_CONFIG_STORE_URL=tcp://address:port in all ranks",
        )
}

/// Receives one message. `None` if the other end has closed, or nothing came until then.
fn receive(peer: &OwnedFd, until: Instant) -> Result<Option<Vec<u8>>> {
    let (mut buffer, mut interrupt) = ([0; ANSWER_BYTES], InterruptPoll::new());
    loop {
        match socket::receive(peer, &mut buffer)? {
            Received::Closed => return Ok(None),
            Received::Message { bytes, .. } => return Ok(buffer.get(..bytes).map(<[u8]>::to_vec)),
            Received::Nothing => {}
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(None);
        }
        let pause = Timespec::try_from(interrupt.within(left)).ok();
        match poll(&mut [PollFd::new(peer, PollFlags::IN)], pause.as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(errno) => return Err(Error::os(OPERATION, errno)),
        }
        interrupt.check(OPERATION)?;
    }
}

#[cfg(test)]
mod tests {
    use super::super::publish_address::free_place;
    use super::*;

    fn job(test: &str) -> String {
        format!("test {test} {}", std::process::id())
    }

    #[test]
    fn address_of_rank_0_reaches_the_other_ranks() {
        let job = job("reaches");
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..4)
                .map(|rank| {
                    scope.spawn({
                        let job = &job;
                        move || hand_on(job, rank, 4, || panic!("not rank 0"))
                    })
                })
                .collect();
            let made = hand_on(&job, 0, 4, || free_place(true)).unwrap();
            for other in others {
                assert_eq!(other.join().unwrap().unwrap(), made);
            }
        });
    }

    #[test]
    fn next_program_of_a_job_gets_a_separate_address() {
        let job = job("next");
        let mut places = Vec::new();
        for _ in 0..3 {
            places.push(hand_on(&job, 0, 2, || free_place(true)).unwrap());
            assert_eq!(&hand_on(&job, 1, 2, || panic!("not rank 0")).unwrap(), places.last().unwrap());
        }
        assert!(places[0] != places[1] && places[1] != places[2]);
    }

    #[test]
    fn a_failure_of_rank_0_reaches_the_others() {
        let job = job("fails");
        let error = hand_on(&job, 0, 2, || Err(Error::invalid("test", "no port"))).unwrap_err();
        assert!(error.to_string().contains("no port"), "{error}");
        let error = hand_on(&job, 1, 2, || panic!("not rank 0")).unwrap_err();
        assert_eq!(error.kind(), Kind::NotConnected, "{error}");
        assert!(error.to_string().contains("rank 0"), "{error}");
    }

    #[test]
    fn query_with_an_invalid_rank_gets_no_answer() {
        let job = job("unknown");
        let made = hand_on(&job, 0, 2, || free_place(true)).unwrap();
        for question in [&b"rank"[..], &[1, 0], &7u32.to_le_bytes(), &[0; 4]] {
            let peer = socket::connect(&name(&job)).unwrap();
            socket::send(&peer, question, &[]).unwrap();
            assert_eq!(receive(&peer, Instant::now() + LONGEST_WAIT).unwrap(), None, "{question:?}");
        }
        assert_eq!(hand_on(&job, 1, 2, || panic!("not rank 0")).unwrap(), made);
    }

    #[test]
    fn timeout_names_the_missing_rank_0() {
        let error = ask(&job("missing"), 1, Instant::now()).unwrap_err();
        assert_eq!(error.kind(), Kind::Timeout);
        for part in ["missing_rank 0", "MF_CONFIG_STORE_URL", "containers"] {
            assert!(error.to_string().contains(part), "{part}: {error}");
        }
    }

    #[test]
    fn a_second_rank_0_is_refused() {
        let job = job("twice");
        let _held = socket::listen(&name(&job)).unwrap();
        let error = listen(&job, Instant::now()).unwrap_err();
        assert_eq!(error.kind(), Kind::InUse);
        assert!(error.to_string().contains("another process is rank 0"), "{error}");
    }

    #[test]
    fn single_rank_job_needs_no_exchange() {
        let made = hand_on(&job("alone"), 0, 1, || free_place(true)).unwrap();
        assert!(made.address().ip().is_loopback());
    }
}
