// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Worker: waits for events, and serves them itself.

use std::io::ErrorKind;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::os::{descriptor, service};
use mf_base::warn_limited;
use rustix::io::Errno;

use crate::link::{Link, Scratch};
use crate::poll::Ready;
use crate::run::{Run, Task};

/// Clients that are accepted before other events get their turn.
const CLIENTS_AT_A_TIME: usize = 64;
/// Pause of the listener when the process has no descriptor for a client.
const REST: Duration = Duration::from_millis(100);

pub(crate) fn work(run: &Arc<Run>) {
    let mut scratch = Scratch::default();
    while !run.is_stopping() {
        match run.poll.wait() {
            Ready::Work => {
                while let Some(task) = run.task().filter(|_| !run.is_stopping()) {
                    match task {
                        Task::Sent(link) => link.serve_reports(),
                        Task::Write(link) => link.guarded(|| link.flush()),
                        Task::Visit(link) => link.visit(&mut scratch),
                    }
                }
            }
            Ready::Listener => listen(run),
            Ready::Link(id) => {
                if let Some(link) = run.find(id) {
                    link.visit(&mut scratch);
                }
            }
        }
    }
    // The next worker ends as well.
    run.poll.ring();
}

/// Accepts waiting clients.
fn listen(run: &Arc<Run>) {
    let Some(listener) = &run.listener else { return };
    for _ in 0..CLIENTS_AT_A_TIME {
        match descriptor::accept_tcp(listener) {
            Ok((socket, peer)) => {
                let accepted = service::catch(|| Link::accepted(run, socket));
                if let Err(error) = accepted.unwrap_or_else(|panicked| Err(panicked.error("acc accept"))) {
                    warn_limited!(%peer, "a client is not taken: {error}");
                }
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => break,
            Err(error) => {
                let errno = error.raw_os_error().map(Errno::from_raw_os_error);
                let has_no_room =
                    matches!(errno, Some(Errno::MFILE | Errno::NFILE | Errno::NOBUFS | Errno::NOMEM));
                if has_no_room {
                    warn_limited!("clients wait, since the process has no descriptor for them: {error}");
                    run.keeper.listen_again(Instant::now() + REST);
                    return;
                }
                // The client has gone before it was accepted.
            }
        }
    }
    run.poll.arm_listener(listener);
}
