// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Limits of this process, relative to present use, as given by the test.

use std::collections::BTreeMap;

use mf_tests::member::thread_states;
use mf_tests::{Failure, deadline};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::census;

/// The limits at the start.
pub(crate) struct Limits {
    descriptors: Option<u64>,
    address_space: Option<u64>,
}

impl Limits {
    pub(crate) fn at_start() -> Self {
        Self {
            descriptors: getrlimit(Resource::Nofile).current,
            address_space: getrlimit(Resource::As).current,
        }
    }

    /// Allows `more` descriptors than are open now; none: as at the start.
    pub(crate) fn descriptors(&self, more: Option<u64>) -> Result<(), Failure> {
        let limit = match more {
            None => self.descriptors,
            Some(more) => {
                // Counting needs one.
                set(Resource::Nofile, self.descriptors)?;
                let open = settled_descriptors();
                // The kernel gives the lowest free number, and only numbers below the limit.
                let mut free = (0u64..).filter(|number| !open.contains_key(&number.to_string()));
                free.nth(usize::try_from(more).unwrap())
            }
        };
        set(Resource::Nofile, limit)
    }

    /// Allows `more` bytes of address space than are in use now; none: as at the start.
    pub(crate) fn address_space(&self, more: Option<u64>) -> Result<(), Failure> {
        let limit = more.map_or(self.address_space, |more| Some(in_use_bytes() + more));
        set(Resource::As, limit)
    }
}

/// Descriptors open when all other threads are at rest: the simulator's may still be busy with the last call.
fn settled_descriptors() -> BTreeMap<String, String> {
    let own = rustix::thread::gettid().as_raw_nonzero().get().unsigned_abs();
    let at_rest =
        || thread_states(std::process::id()).iter().all(|(thread, state)| *thread == own || *state == 'S');
    let mut open = BTreeMap::new();
    deadline::wait_until(|| {
        let before = std::mem::replace(&mut open, census::descriptors());
        open == before && at_rest()
    });
    open
}

fn set(resource: Resource, current: Option<u64>) -> Result<(), Failure> {
    let maximum = getrlimit(resource).maximum;
    setrlimit(resource, Rlimit { current, maximum })
        .map_err(|errno| Failure::wrong(format!("setrlimit: {errno}")))
}

fn in_use_bytes() -> u64 {
    status_kib("VmSize:") * 1024
}

/// Anonymous memory in use, in KiB.
pub(crate) fn anonymous_kib() -> u64 {
    status_kib("RssAnon:")
}

fn status_kib(field: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").expect("/proc is there");
    let line = text.lines().find_map(|line| line.strip_prefix(field)).expect("the kernel counts it");
    line.trim().trim_end_matches(" kB").parse().expect("a number of KiB")
}
