// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A forked child has the pool of its parent and none of the accelerator's threads.

use mf_base::{Kind, MemKind};
use mf_fabric::pool::Mode;
use mf_tests::deadline::wait_until;
use mf_tests::pattern;
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

use super::pools::{PUT, alone, copy, device, holds, host, piece};

/// Runs `work` in a forked child; whether it came to its end and found all right.
fn child_does(work: impl FnOnce() -> bool) -> bool {
    // SAFETY: the child calls only `work`, which takes no lock that another thread may hold at the fork, and
    // `_exit`.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "no fork");
    if child == 0 {
        let code = if work() { 0 } else { 1 };
        // SAFETY: ends the child without the parent's handlers and destructors.
        unsafe { libc::_exit(code) };
    }
    let child = Pid::from_raw(child).unwrap();
    let mut status = None;
    let ended = wait_until(|| {
        status = waitpid(Some(child), WaitOptions::NOHANG).unwrap();
        status.is_some()
    });
    if !ended {
        kill_process(child, Signal::KILL).unwrap();
        waitpid(Some(child), WaitOptions::empty()).unwrap();
    }
    status.is_some_and(|(_, status)| status.exit_status() == Some(0))
}

#[test]
fn forked_child_is_refused_and_drops_without_device_calls() {
    let (member, pool) = alone();
    let content = pattern::stream(1, 4096);
    let there = device(&pool, 0, 0);
    let queued = piece(content.as_ptr(), there.as_ptr(), 4096);
    // With a lane, which has no thread in the child, and a registration.
    copy(&pool, queued, PUT, Mode::Async).unwrap();
    pool.wait().unwrap();
    pool.register(content.as_ptr().addr() as u64, 4096).unwrap();
    let in_child = std::sync::Arc::clone(&pool);
    let refused = |result: mf_base::Result<()>| result.is_err_and(|error| error.kind() == Kind::NotInit);
    assert!(child_does(|| {
        let refusals = refused(copy(&in_child, queued, PUT, Mode::Sync))
            && refused(copy(&in_child, queued, PUT, Mode::Async))
            && refused(copy(
                &in_child,
                piece(content.as_ptr(), host(&in_child, 0).as_ptr(), 8),
                PUT,
                Mode::Sync,
            ))
            && refused(in_child.wait())
            && refused(in_child.unregister(content.as_ptr().addr() as u64))
            && refused(in_child.register(1 << 20, 4096))
            && refused(in_child.extend(MemKind::Device, 2 << 20));
        // The parent's shares are the child's as well: this and all others are let go.
        while std::sync::Arc::strong_count(&in_child) > 1 {
            // SAFETY: a share of the parent's, copied to the child and not dropped here.
            unsafe { std::sync::Arc::decrement_strong_count(std::sync::Arc::as_ptr(&in_child)) };
        }
        let calls_before = member.device.take_calls().len();
        drop(in_child);
        refusals && calls_before > 0 && member.device.take_calls().is_empty()
    }));
    // The parent goes on.
    assert!(holds(&pool, there, 4096, 1));
    drop(pool);
    member.left_nothing();
}
