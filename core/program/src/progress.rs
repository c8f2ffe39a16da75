// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A sign of life of long commands: the current step and its duration. On a terminal only, on standard error,
//! and not in the first two seconds.
//!
//! One command has one; [`crate::output`] takes it off the line while something is printed.

use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shorter commands show nothing.
const QUIET: Duration = Duration::from_secs(2);
/// Between two turns of the sign.
const TURN: Duration = Duration::from_millis(200);

static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

fn lock_bar() -> MutexGuard<'static, Option<ProgressBar>> {
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Shows the current step until it is dropped.
pub struct Progress(Option<(Sender<()>, JoinHandle<()>)>);

/// Begins to show `what`, when standard error is a terminal.
pub fn begin(what: &str) -> Progress {
    if !std::io::stderr().is_terminal() {
        return Progress(None);
    }
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix} {elapsed} {msg}") {
        bar.set_style(style);
    }
    bar.set_prefix(what.to_owned());
    *lock_bar() = Some(bar.clone());
    let (sender, ended) = channel();
    let thread = std::thread::spawn(move || {
        if ended.recv_timeout(QUIET) == Err(RecvTimeoutError::Timeout) {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            while ended.recv_timeout(TURN) == Err(RecvTimeoutError::Timeout) {
                bar.tick();
            }
        }
    });
    Progress(Some((sender, thread)))
}

/// Sets the current step. Does nothing if no progress is shown.
pub fn set_step(text: impl FnOnce() -> String) {
    let bar = lock_bar().clone();
    if let Some(bar) = bar {
        bar.set_message(text());
    }
}

/// Calls `print` while the line is free.
pub fn with_line_free<T>(print: impl FnOnce() -> T) -> T {
    let bar = lock_bar().clone();
    match bar {
        Some(bar) => bar.suspend(print),
        None => print(),
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.0.take() {
            drop(sender);
            // It has nothing to report.
            let _ = thread.join();
            if let Some(bar) = lock_bar().take() {
                bar.finish_and_clear();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_terminal_nothing_is_shown() {
        // Tests may have one: side output appears in any case.
        let progress = begin("mf perf");
        set_step(|| "copies".to_owned());
        assert_eq!(with_line_free(|| 7), 7);
        drop(progress);
        assert!(lock_bar().is_none());
    }
}
