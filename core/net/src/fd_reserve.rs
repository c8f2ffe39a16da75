// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Descriptor reserve, made before connections need it.
//!
//! When the table of a process is full, with 64 descriptors, 128 and so on, the kernel makes a longer one. In
//! a process of several threads it waits for a grace period of RCU then, 10 to 20 ms, in the call that
//! happens to need the next descriptor: the connection to another process, or the accepting of one. So the
//! table is extended in advance, on a thread that no caller waits for.

use std::thread::JoinHandle;

use mf_base::os::descriptor;
use mf_base::os::process::descriptor_limit;
use mf_base::os::thread;
use rustix::event::EventfdFlags;

/// Descriptors in the reserve, if the process may have as many: 36 KiB of the kernel's memory.
const DESCRIPTORS: u64 = 4096;

/// Makes room while it lives. Dropping it waits for that, some milliseconds.
pub(crate) struct FdReserve(Option<JoinHandle<()>>);

impl Default for FdReserve {
    /// Begins to make the reserve. If that is not possible connections are slower, with no other effect.
    fn default() -> Self {
        Self(thread::spawn("mf-room", make).ok())
    }
}

impl Drop for FdReserve {
    fn drop(&mut self) {
        if let Some(thread) = self.0.take() {
            let _nothing_to_say = thread.join();
        }
    }
}

fn make() {
    let most = descriptor_limit().unwrap_or(u64::MAX).min(DESCRIPTORS);
    let Ok(descriptor) = descriptor::eventfd(EventfdFlags::CLOEXEC) else { return };
    // The last one that fits; where it is taken, the table is long enough already.
    if let Ok(last) = i32::try_from(most.saturating_sub(1)) {
        drop(descriptor::duplicate(&descriptor, last));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserve_frees_the_last_descriptor() {
        make();
        make();
        let most = descriptor_limit().unwrap_or(u64::MAX).min(DESCRIPTORS);
        let last = std::path::PathBuf::from(format!("/proc/self/fd/{}", most - 1));
        assert!(std::fs::read_link(&last).is_err(), "{last:?} is open");
    }
}
