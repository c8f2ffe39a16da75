// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The transports of the suite, and running one case over one of them.

use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use mf_transport::{Capabilities, Transport};

use crate::bed::{Bed, Make};

/// Longest that one case may take before it counts as hanging.
const LIMIT: Duration = Duration::from_secs(120);

static SKIPPED: AtomicUsize = AtomicUsize::new(0);

/// Makes a module of tests: every case of some groups over one transport, each with an attribute.
macro_rules! cases {
    (#[$attribute:meta] $name:ident, $make:expr, $($group:ident { $($case:ident),* })*) => {
        mod $name {
            $(mod $group {
                #[allow(unused_imports, reason = "the maker stands in the crate's root")]
                use crate::*;
                $(
                    #[test]
                    #[$attribute]
                    fn $case() {
                        crate::suite::run(stringify!($case), $make, crate::$group::$case);
                    }
                )*
            })*
        }
    };
}

/// Makes a module of tests for every transport, and for the decorators around some: the cases of `suite!`.
macro_rules! over_every_transport {
    () => {
        suite!(over_direct, direct::Direct::make());
        suite!(over_traced, around::traced(direct::Direct::make()));
        suite!(over_faulty, around::faulty(direct::Direct::make()));
        suite!(over_watched, around::watched(direct::Direct::make()));
        suite!(over_watched_with_table, around::with_table(tcp::plain(2)));
        suite!(over_tcp, tcp::plain(4));
        suite!(over_tcp_in_two_processes, tcp::in_two_processes(4));
        suite!(over_tcp_with_one_connection, tcp::plain(1));
        suite!(over_tcp_with_tls, tcp::encrypted(4));
        suite!(over_tcp_with_checksums, tcp::checked(2));
        suite!(over_cma, cma::make());
        suite!(over_ucx_by_tcp, ucx::by("tcp,self"));
        suite!(over_ucx_by_shared_memory, ucx::by("posix,sysv,self"));
        suite!(
            #[ignore = "needs an RDMA card: scripts/test rdma makes one"]
            over_ucx_by_rdma,
            ucx::by("rc,self")
        );
    };
}

/// One case over one transport.
pub(crate) struct Bench {
    case: &'static str,
    make: Arc<dyn Make>,
}

impl Bench {
    /// Returns `count` endpoints, or `None` if the transport lacks the capabilities for the case.
    pub(crate) fn bed(&self, count: u32, needs: Capabilities) -> Option<Bed> {
        self.large_bed(count, needs, crate::bed::BYTES)
    }

    /// The same, with so much memory each.
    pub(crate) fn large_bed(&self, count: u32, needs: Capabilities, bytes: usize) -> Option<Bed> {
        if let Some(reason) = self.make.absent() {
            skip(self.case, &*self.make, &reason);
            return None;
        }
        let bed = Bed::new(Arc::clone(&self.make), count, bytes);
        let has = bed.end(0).transport.capabilities();
        let lacks: Vec<&str> = Capabilities::ALL
            .iter()
            .filter(|(one, _)| needs.contains(*one) && !has.contains(*one))
            .map(|(_, name)| *name)
            .collect();
        if !lacks.is_empty() {
            skip(self.case, &*self.make, &format!("it has no {}", lacks.join(", ")));
            return None;
        }
        Some(bed)
    }

    /// Leaves out a part of the case.
    pub(crate) fn skip(&self, reason: &str) {
        skip(self.case, &*self.make, reason);
    }
}

fn skip(case: &str, make: &dyn Make, reason: &str) {
    use std::io::Write as _;
    let number = SKIPPED.fetch_add(1, Ordering::Relaxed) + 1;
    // Past the capture of the test runner, so that it is seen although the test passes.
    let _ = writeln!(std::io::stderr(), "skip {case} on {}: {reason} (number {number})", make.name());
}

/// Runs a case on a separate thread, so that one that hangs fails.
pub(crate) fn run(case: &'static str, make: Arc<dyn Make>, body: fn(&Bench)) {
    let name = make.name();
    let (done, is_done) = channel();
    let thread = std::thread::Builder::new()
        .name(case.chars().take(15).collect())
        .spawn(move || {
            body(&Bench { case, make });
            let _ = done.send(());
        })
        .expect("a thread");
    match is_done.recv_timeout(LIMIT) {
        Ok(()) | Err(RecvTimeoutError::Disconnected) => {
            if let Err(reason) = thread.join() {
                panic::resume_unwind(reason);
            }
        }
        Err(RecvTimeoutError::Timeout) => panic!("{case} on {name} hangs: not done after {LIMIT:?}"),
    }
}

/// A shared transport.
pub(crate) type Shared = Arc<dyn Transport>;
