// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Stage of this member in the pool.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use mf_base::os::process::OwnFlag;
use mf_base::{Error, Kind, Rank, Result};

/// Stage of this member in the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Stage {
    Created = 0,
    Joining = 1,
    Joined = 2,
    Left = 3,
    Destroyed = 4,
}

/// The stage, and the flags that copies read.
pub(super) struct MemberStage {
    stage: AtomicU8,
    joined: AtomicBool,
    /// All members are about to leave, and know it.
    is_parting: AtomicBool,
    /// Joined, the processor moves all bytes, and not in a forked child: the first check of the fast path.
    fast_path: OwnFlag,
}

impl MemberStage {
    pub(super) fn new() -> Self {
        Self {
            stage: AtomicU8::new(Stage::Created as u8),
            joined: AtomicBool::new(false),
            is_parting: AtomicBool::new(false),
            fast_path: OwnFlag::new(),
        }
    }

    pub(super) fn get(&self) -> Stage {
        match self.stage.load(Ordering::Acquire) {
            1 => Stage::Joining,
            2 => Stage::Joined,
            3 => Stage::Left,
            4 => Stage::Destroyed,
            _ => Stage::Created,
        }
    }

    /// `by_processor`: the processor moves all bytes.
    pub(super) fn set(&self, stage: Stage, by_processor: bool) {
        let joined = stage == Stage::Joined;
        self.joined.store(joined, Ordering::Release);
        if joined && by_processor {
            self.fast_path.raise();
        } else {
            self.fast_path.lower();
        }
        self.stage.store(stage as u8, Ordering::Release);
    }

    #[inline(always)]
    pub(super) fn is_joined(&self) -> bool {
        self.joined.load(Ordering::Acquire)
    }

    /// Returns the flag that is raised while the processor moves all bytes of a member that has joined.
    #[inline(always)]
    pub(super) fn fast_path(&self) -> &OwnFlag {
        &self.fast_path
    }

    pub(super) fn is_parting(&self) -> bool {
        self.is_parting.load(Ordering::Acquire)
    }

    pub(super) fn set_parting(&self, is_parting: bool) {
        self.is_parting.store(is_parting, Ordering::Release);
    }

    /// Checks that the member `rank`, which is this one, takes part.
    ///
    /// # Errors
    /// `NotStarted` if it does not.
    pub(super) fn check_part(&self, rank: Rank) -> Result<()> {
        if matches!(self.get(), Stage::Joining | Stage::Joined) {
            return Ok(());
        }
        Err(Error::new(Kind::NotStarted, "pool").what("this member does not take part").with("rank", rank))
    }
}
