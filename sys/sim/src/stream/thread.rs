// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Threads of the simulator: never joined, so that none keeps a process from ending, and deaf to signals,
//! which are the program's.

use std::mem::MaybeUninit;

use crate::codes::acl;
use crate::fault::{Fault, Outcome};

/// Starts a thread.
///
/// # Errors
/// 207005 if the host cannot create more threads.
pub fn start(name: &str, body: impl FnOnce() + Send + 'static) -> Outcome {
    // Threads inherit the mask, so it is set around the start: no signal can slip in between.
    let before = block_signals();
    let started = std::thread::Builder::new().name(name.to_owned()).spawn(body);
    restore_signals(before);
    started.map(drop).map_err(|error| {
        Fault::new(acl::RESOURCE_ALLOC_FAIL, format_args!("the host gives no thread for {name}: {error}"))
    })
}

fn block_signals() -> libc::sigset_t {
    let mut all = MaybeUninit::uninit();
    let mut before = MaybeUninit::uninit();
    // SAFETY: `all` may be written.
    unsafe { libc::sigfillset(all.as_mut_ptr()) };
    // SAFETY: `all` was filled above, `before` may be written; a mask of the calling thread alone changes.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr()) };
    // SAFETY: the call above cannot fail with these arguments, so it wrote the old mask.
    unsafe { before.assume_init() }
}

fn restore_signals(before: libc::sigset_t) {
    // SAFETY: `before` is a mask that this thread had; nothing is written.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut()) };
}
