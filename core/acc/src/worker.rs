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
use crate::server_state::{ServerState, Task};

/// Clients that are accepted before other events get their turn.
const CLIENTS_AT_A_TIME: usize = 64;
/// Pause of the listener when the process has no descriptor for a client.
const REST: Duration = Duration::from_millis(100);

pub(crate) fn work(server: &Arc<ServerState>) {
    let mut scratch = Scratch::default();
    while !server.is_stopping() {
        match server.poll.wait() {
            Ready::Work => {
                while let Some(task) = server.task().filter(|_| !server.is_stopping()) {
                    match task {
                        Task::Sent(link) => link.serve_reports(),
                        Task::Write(link) => link.guarded(|| link.flush()),
                        Task::Visit(link) => link.visit(&mut scratch),
                    }
                }
            }
            Ready::Listener => listen(server),
            Ready::Link(id) => {
                if let Some(link) = server.find(id) {
                    link.visit(&mut scratch);
                }
            }
        }
    }
    // The next worker ends as well.
    server.poll.ring();
}

/// Accepts waiting clients.
fn listen(server: &Arc<ServerState>) {
    let Some(listener) = &server.listener else { return };
    for _ in 0..CLIENTS_AT_A_TIME {
        match descriptor::accept_tcp(listener) {
            Ok((socket, peer)) => {
                let accepted = service::catch(|| Link::accepted(server, socket));
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
                    server.timers.listen_again(Instant::now() + REST);
                    return;
                }
                // The client has gone before it was accepted.
            }
        }
    }
    server.poll.arm_listener(listener);
}
