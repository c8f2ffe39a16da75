// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Signals as bytes of a pipe, so that the loop meets them in `poll`.

use std::os::fd::{IntoRawFd, OwnedFd};
use std::sync::atomic::{AtomicI32, Ordering};

use mf_base::{Error, Result};
use rustix::pipe::PipeFlags;
use rustix::process::Signal;

use super::OPERATION;

/// Descriptor that the handler writes to; -1 before [`install`].
static WRITE_END: AtomicI32 = AtomicI32::new(-1);

/// The signals that ask a job to stop, and the one that says that a child ended.
const WATCHED: [Signal; 4] = [Signal::INT, Signal::TERM, Signal::HUP, Signal::CHILD];

/// Turns the watched signals into bytes; returns the end to read from, which does not block.
///
/// A signal that our caller has set to be ignored (as `nohup` does) stays ignored. Call it once.
///
/// # Errors
/// `NoResources` when there is no descriptor left.
pub(crate) fn install() -> Result<OwnedFd> {
    let (read, write) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)
        .map_err(|errno| Error::os(OPERATION, errno))?;
    WRITE_END.store(write.into_raw_fd(), Ordering::Release);
    let handler: extern "C" fn(libc::c_int) = on_signal;
    for signal in WATCHED {
        let number = signal.as_raw();
        // SAFETY: the handler does only what a handler may (see there), and stays in the program for good.
        let before = unsafe { libc::signal(number, handler as libc::sighandler_t) };
        if before == libc::SIG_IGN && signal != Signal::CHILD {
            // SAFETY: puts back the disposition that was there.
            unsafe { libc::signal(number, libc::SIG_IGN) };
        }
    }
    Ok(read)
}

extern "C" fn on_signal(number: libc::c_int) {
    let byte = [u8::try_from(number).unwrap_or(0)];
    let fd = WRITE_END.load(Ordering::Acquire);
    // SAFETY: errno belongs to this thread for as long as it lives.
    let errno = unsafe { libc::__errno_location() };
    // SAFETY: as above; the interrupted code must find the value it left.
    let saved = unsafe { errno.read() };
    // SAFETY: `write` may be called from a handler; the byte outlives the call. When the pipe is full, the
    // loop has enough to wake up for.
    unsafe { libc::write(fd, byte.as_ptr().cast(), 1) };
    // SAFETY: as above.
    unsafe { errno.write(saved) };
}

/// Takes the signals that came since the last call.
pub(crate) fn take(read: &OwnedFd) -> Vec<Signal> {
    let mut bytes = [0u8; 64];
    let mut signals = Vec::new();
    while let Ok(count) = rustix::io::read(read, &mut bytes) {
        if count == 0 {
            break;
        }
        signals.extend(bytes[..count].iter().filter_map(|byte| Signal::from_named_raw(i32::from(*byte))));
    }
    signals
}
