// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The test that started this process.

use mf_tests::member::PARENT_VARIABLE;
use rustix::process::Signal;

/// Asks the kernel to kill this process when the test that started it is gone.
pub(crate) fn end_with_it() {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL)).expect("the kernel sends a signal");
    let parent = std::env::var(PARENT_VARIABLE).expect("a test starts this program");
    let now = rustix::process::getppid().map(|pid| pid.as_raw_nonzero().to_string());
    // It may have ended before the line above.
    assert_eq!(now.as_deref(), Some(&*parent), "the test is gone");
}
