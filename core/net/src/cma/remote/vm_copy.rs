// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies by process_vm_readv and process_vm_writev, within one visit.
//!
//! Large ones are shared with the engine's second thread where that is faster: each thread calls for parts of
//! its own, and the visit lasts until both have returned. If a part fails, its error is ignored: all is done
//! anew by this thread alone, in order, so that an error names the first piece that cannot be copied, and
//! another thread's rights do not matter.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use mf_base::{Error, Kind, Result};
use mf_device::engine;

use super::pieces::Pieces;
use super::{Link, OP, Remote, Stop, in_memory};
use crate::cma::calls::{self, Called};

/// A process that existed this short a time ago still exists: pids are not reused so soon.
const LIVES_FOR: Duration = Duration::from_millis(1);

impl Remote {
    /// # Safety
    /// As [`copy`](Self::copy).
    pub(super) unsafe fn call<const N: usize>(
        &self,
        link: &Link,
        pieces: &mut Pieces<N>,
        is_put: bool,
    ) -> std::result::Result<(), Stop> {
        if engine::may_share(pieces.bytes) {
            let (whole, has_failed) = (&*pieces, AtomicBool::new(false));
            engine::in_parts(in_memory(pieces.bytes), &|at, bytes| {
                if has_failed.load(Ordering::Relaxed) {
                    return;
                }
                let mut part = whole.part(at, bytes);
                // SAFETY: passed on to the caller, which waits for all parts.
                let done = unsafe { self.call_alone(link, &mut part, is_put) };
                if done.is_err() {
                    has_failed.store(true, Ordering::Relaxed);
                }
            });
            if !has_failed.into_inner() {
                return Ok(());
            }
        }
        // SAFETY: passed on to the caller.
        unsafe { self.call_alone(link, pieces, is_put) }
    }

    /// # Safety
    /// As [`copy`](Self::copy).
    unsafe fn call_alone<const N: usize>(
        &self,
        link: &Link,
        pieces: &mut Pieces<N>,
        is_put: bool,
    ) -> std::result::Result<(), Stop> {
        self.is_there(link)?;
        let pid = i32::try_from(self.card.pid).unwrap_or(0);
        let mut first = 0;
        while first < pieces.count {
            let range = first..pieces.count;
            let (Some(local), Some(remote)) = (pieces.local.get(range.clone()), pieces.remote.get(range))
            else {
                break;
            };
            // SAFETY: passed on to the caller.
            match unsafe { calls::copy(pid, is_put, local, remote) } {
                Called::Copied(0) | Called::BadAddress => {
                    return Err(Stop::Failed(bad_address(remote, is_put)));
                }
                Called::Copied(copied) => first = pieces.skip(first, copied),
                Called::NoProcess => return Err(Stop::Failed(self.gone("the other process has ended"))),
                Called::Refused(_) => return Err(Stop::Elsewhere),
            }
        }
        Ok(())
    }

    /// Checks that its pid still names it.
    fn is_there(&self, link: &Link) -> Result<()> {
        let now = u64::try_from(self.begun.elapsed().as_micros()).unwrap_or(0);
        let seen = self.seen.load(Ordering::Relaxed);
        if now.saturating_sub(seen) < u64::try_from(LIVES_FOR.as_micros()).unwrap_or(0) && seen > 0 {
            return Ok(());
        }
        if link.process.as_ref().is_some_and(|process| calls::has_ended(process, Duration::ZERO)) {
            return Err(self.gone("the other process has ended"));
        }
        self.seen.store(now, Ordering::Relaxed);
        Ok(())
    }
}

#[cold]
fn bad_address(remote: &[libc::iovec], is_put: bool) -> Error {
    let piece = remote.first().map_or((0, 0), |piece| (piece.iov_base.addr(), piece.iov_len));
    let what = if is_put {
        "the source is not readable here, or the destination not writable in the other process"
    } else {
        "the source is not readable in the other process, or the destination not writable here"
    };
    Error::new(Kind::InvalidParam, OP)
        .what(what)
        .with("address", format_args!("{:#x}", piece.0))
        .with("bytes", piece.1)
}
