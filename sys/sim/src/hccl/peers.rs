// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The ranks of a communicator to each other: which are present, which waits for which.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rustix::thread::futex;

use super::code::{self, Progress, Trouble};
use super::shared::CommunicatorFile;
use crate::clock::Deadline;
use crate::machine::machine;

/// Longest sleep between two checks of the time and of whether the task is still wanted.
const NAP: Duration = Duration::from_millis(10);
/// Interval between liveness checks of a waiting rank.
pub const ROUND: Duration = Duration::from_millis(50);

/// States of a slot.
pub const COMING: u32 = 1;
/// See [`COMING`].
pub const HERE: u32 = 2;
/// See [`COMING`].
pub const GONE: u32 = 3;

/// A wait of a rank.
pub struct Wait<'a> {
    /// The rank.
    pub rank: u32,
    /// For what, for texts.
    pub what: &'a dyn Fn() -> String,
    /// Until when.
    pub deadline: Deadline,
    /// Returns true if the operation was cancelled.
    pub is_cancelled: &'a dyn Fn() -> bool,
}

impl CommunicatorFile {
    /// Wakes all waiting ranks.
    pub fn ring(&self) {
        let head = self.head();
        // Both in one order with the two in `nap`: either the sleeper sees the new number, or it is seen
        // here.
        head.bell.fetch_add(1, Ordering::SeqCst);
        if head.sleepers.load(Ordering::SeqCst) > 0 {
            // It only fails for invalid addresses.
            let _ = futex::wake(&head.bell, futex::Flags::empty(), i32::MAX.unsigned_abs());
        }
    }

    /// Sleeps until the bell has another number than `bell`, a little at most.
    fn nap(&self, bell: u32) {
        let head = self.head();
        head.sleepers.fetch_add(1, Ordering::SeqCst);
        let time = futex::Timespec { tv_sec: 0, tv_nsec: NAP.subsec_nanos().into() };
        // However it ends, the caller checks again.
        let _ = futex::wait(&head.bell, futex::Flags::empty(), bell, Some(&time));
        head.sleepers.fetch_sub(1, Ordering::SeqCst);
    }

    /// Calls `step` until it returns an empty list of awaited ranks.
    ///
    /// # Errors
    /// Errors of `step` · the communicator's · cancelled, timed out, or a named rank has died or left.
    pub fn wait(&self, wait: &Wait<'_>, mut step: impl FnMut() -> Progress<Vec<u32>>) -> Progress {
        let mut rounds = Instant::now();
        loop {
            let bell = self.head().bell.load(Ordering::SeqCst);
            let missing = step()?;
            if missing.is_empty() {
                return Ok(());
            }
            self.check(wait.rank)?;
            if (wait.is_cancelled)() {
                return Err(Trouble::own(
                    code::SUSPENDING,
                    format_args!("{} was aborted with its stream", (wait.what)()),
                ));
            }
            if wait.deadline.is_over() {
                return Err(Trouble::shared(
                    code::TIMEOUT,
                    format_args!(
                        "{}: rank {} waited too long for {}",
                        (wait.what)(),
                        wait.rank,
                        self.names(&missing)
                    ),
                ));
            }
            if rounds.elapsed() >= ROUND {
                rounds = Instant::now();
                let gone = missing
                    .iter()
                    .find_map(|rank| Some((rank, self.check_presence(*rank, wait.rank).err()?)));
                // It may have done its part before it went.
                if let Some((rank, trouble)) = gone
                    && step()?.contains(rank)
                {
                    return Err(Trouble { text: format!("{}: {}", (wait.what)(), trouble.text), ..trouble });
                }
            }
            self.nap(bell);
        }
    }

    /// Fails if a rank that has joined is gone; `own` is the caller.
    ///
    /// # Errors
    /// Why the communicator is lost, which a rank says before it goes; else `HCCL_E_REMOTE`, saying how it
    /// went.
    pub fn check_presence(&self, rank: u32, own: u32) -> Progress {
        let slot = self.slot(rank);
        let how = match slot.state.load(Ordering::Acquire) {
            GONE => "has left the communicator",
            HERE if !machine()
                .is_ok_and(|machine| machine.session.lives(slot.member.load(Ordering::Relaxed))) =>
            {
                "has died"
            }
            _ => return Ok(()),
        };
        self.check(own)?;
        Err(Trouble::shared(code::REMOTE, format_args!("{} {how}", self.names(&[rank]))))
    }

    /// Renders ranks with their state.
    pub fn names(&self, ranks: &[u32]) -> String {
        let name = |rank: &u32| {
            let slot = self.slot(*rank);
            match slot.state.load(Ordering::Acquire) {
                0 => format!("rank {rank}, which never came"),
                _ => format!(
                    "rank {rank} (process {}, device {})",
                    slot.process.load(Ordering::Relaxed),
                    slot.device.load(Ordering::Relaxed)
                ),
            }
        };
        let most = 8;
        let mut text = ranks.iter().take(most).map(name).collect::<Vec<_>>().join(", ");
        if ranks.len() > most {
            text += &format!(" and {} more", ranks.len() - most);
        }
        text
    }
}
