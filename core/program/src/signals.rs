// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Signals as bytes of a pipe, so that loops meet them in `poll`.

use std::mem::MaybeUninit;
use std::os::fd::{IntoRawFd, OwnedFd};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use mf_base::{Error, Result, interrupt};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pipe::PipeFlags;
use rustix::process::Signal;

const OPERATION: &str = "signals";

/// Descriptor that the handler writes to; -1 before [`install`].
static WRITE_END: AtomicI32 = AtomicI32::new(-1);

/// The last signal that came and asks to stop; 0: none did.
static ASKED: AtomicI32 = AtomicI32::new(0);

/// The signals that ask to stop.
const ENDS: [Signal; 3] = [Signal::INT, Signal::TERM, Signal::HUP];
/// Time for a command to end after a signal.
const AT_LAST: Duration = Duration::from_millis(50);
/// These signals, and SIGCHLD.
const WATCHED: [Signal; 4] = [Signal::INT, Signal::TERM, Signal::HUP, Signal::CHILD];

/// Gives this thread, and the children and threads it will have, the signal state of a program started by a
/// shell: no signal is blocked, and the end of a child is reported. A blocked `SIGCHLD` or `SIGTERM` would
/// never come, and with `SIGCHLD` ignored the kernel reaps children before their exit code is read. Other
/// signals that the caller has set to be ignored stay so, as `nohup` wants it.
pub fn reset_inherited() {
    let mut none = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: writes the set, which has room for it.
    unsafe { libc::sigemptyset(none.as_mut_ptr()) };
    // SAFETY: a set that was written; the old one is not asked for.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, none.as_ptr(), std::ptr::null_mut()) };
    // SAFETY: no handler.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
}

/// Turns the watched signals into bytes; returns the end to read from, which does not block.
///
/// A signal that our caller has set to be ignored (as `nohup` does) stays ignored. Call it once.
///
/// # Errors
/// `NoResources` when there is no descriptor left.
pub fn install() -> Result<OwnedFd> {
    let (read, write) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)
        .map_err(|errno| Error::os(OPERATION, errno))?;
    WRITE_END.store(write.into_raw_fd(), Ordering::Release);
    let handler: extern "C" fn(libc::c_int) = on_signal;
    for signal in WATCHED {
        let number = signal.as_raw();
        // SAFETY: the handler is async-signal-safe (see there), and stays in the program for good.
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
    if number != libc::SIGCHLD {
        ASKED.store(number, Ordering::Relaxed);
    }
    // SAFETY: `write` may be called from a handler; the byte outlives the call. When the pipe is full, the
    // loop has enough to wake up for.
    unsafe { libc::write(fd, byte.as_ptr().cast(), 1) };
    // SAFETY: as above.
    unsafe { errno.write(saved) };
}

/// Takes the signals that came since the last call.
pub fn take(read: &OwnedFd) -> Vec<Signal> {
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

/// As [`install`], and waits at the store end with `Interrupted` once a signal asks to stop.
///
/// # Errors
/// As [`install`].
pub fn install_for_waits() -> Result<OwnedFd> {
    interrupt::set_check(|| ASKED.load(Ordering::Relaxed) != 0);
    install()
}

/// Waits until then, or until a signal asks to stop; which one. None for `until`: as long as it takes.
pub fn wait(read: &OwnedFd, until: Option<Instant>) -> Option<Signal> {
    loop {
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        let limit = left.and_then(|left| Timespec::try_from(left).ok());
        // A signal, the time, or neither: then it is seen below.
        let _ = poll(&mut [PollFd::new(read, PollFlags::IN)], limit.as_ref());
        let asked = take(read).into_iter().find(|signal| ENDS.contains(signal));
        if asked.is_some() || until.is_some_and(|until| until <= Instant::now()) {
            return asked;
        }
    }
}

/// The signal that asked to stop, and the exit code that says so.
pub fn stop_signal() -> Option<u8> {
    match ASKED.load(Ordering::Relaxed) {
        0 => None,
        number => Some(code_of(number)),
    }
}

/// The exit code that a shell reports of a program that a signal has ended.
pub fn code_of(number: i32) -> u8 {
    u8::try_from(128 + (number & 0x7f)).unwrap_or(u8::MAX)
}

/// Runs the last steps after a signal has ended a command, if they are short; the rest ends with the process.
pub fn set_last_steps(body: impl FnOnce() + Send + 'static) {
    let (sender, ended) = channel::<()>();
    let run = move || {
        body();
        drop(sender);
    };
    if std::thread::Builder::new().spawn(run).is_ok() {
        let _ = ended.recv_timeout(AT_LAST);
    }
}

/// Ends the program, with the exit code of one that this signal has ended.
pub fn end_by(signal: Signal) -> ! {
    std::process::exit(i32::from(code_of(signal.as_raw())))
}
