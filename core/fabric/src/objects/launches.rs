// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Kernels that run on an object, which must not end before them.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Instant;

use mf_base::sync::{lock, wait_notified_for};

/// Counter of running kernels.
#[derive(Default)]
pub(super) struct Launches {
    running: Mutex<Running>,
    changed: Condvar,
}

#[derive(Default)]
struct Running {
    count: u32,
    is_closed: bool,
}

/// A running kernel; counted until this is dropped.
pub struct Launch(Arc<Launches>);

impl Launches {
    /// Counts one more kernel. Returns `None` after [`close`](Self::close).
    pub(super) fn begin(self: &Arc<Self>) -> Option<Launch> {
        let mut running = lock(&self.running);
        if running.is_closed {
            return None;
        }
        running.count += 1;
        Some(Launch(Arc::clone(self)))
    }

    /// Refuses new kernels, and waits until none runs. Returns the number that still run at the deadline.
    pub(super) fn close(&self, deadline: Instant) -> u32 {
        let mut running = lock(&self.running);
        running.is_closed = true;
        while running.count > 0 {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            running = wait_notified_for(&self.changed, running, left);
        }
        running.count
    }
}

impl Drop for Launch {
    fn drop(&mut self) {
        lock(&self.0.running).count -= 1;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn close_waits_for_running_launches_and_refuses_new_ones() {
        let launches = Arc::new(Launches::default());
        let one = launches.begin().unwrap();
        assert_eq!(launches.close(Instant::now()), 1);
        assert!(launches.begin().is_none());
        std::thread::scope(|scope| {
            let ending = scope.spawn(|| launches.close(Instant::now() + Duration::from_secs(60)));
            drop(one);
            assert_eq!(ending.join().unwrap(), 0);
        });
    }
}
