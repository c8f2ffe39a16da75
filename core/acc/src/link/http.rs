// SPDX-License-Identifier: Apache-2.0 OR MIT
//! HTTP on a link.

use std::net::Shutdown;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant, SystemTime};

use mf_base::sync::lock;
use mf_base::warn_limited;

use super::{End, Link, Phase};
use crate::handlers::Routed;
use crate::http::answer::{CONTINUE, Situation, answer};
use crate::http::requests::{Request, Requests, Step};
use crate::request::HttpRequest;
use crate::server_state::Inside;
use crate::timers::Due;

/// Most bytes of waiting responses before a client's next request is read.
pub(super) const ANSWER_BYTES_MAX: usize = 1 << 20;
/// Time for which the remainder of a finished connection is read, so that the client gets the last response:
/// unread data would make the kernel reset it.
const LAST: Duration = Duration::from_secs(2);

/// State of an HTTP connection.
pub(super) struct Serving {
    requests: Requests,
    /// No more requests are served.
    is_over: bool,
    /// The client has been notified of that.
    is_shut: bool,
}

impl Serving {
    pub(super) fn new(body_bytes_max: u64) -> Self {
        Self { requests: Requests::new(body_bytes_max), is_over: false, is_shut: false }
    }

    /// Returns the bytes allocated for received data.
    pub(super) fn held_bytes(&self) -> usize {
        self.requests.held_bytes()
    }
}

impl Link {
    /// Returns true if the client must read responses before more is read from it.
    pub(super) fn is_choked(&self, serving: &Serving) -> bool {
        !serving.is_over && lock(&self.outbox).waiting_bytes() > ANSWER_BYTES_MAX
    }

    /// Serves the requests in these and earlier bytes.
    pub(super) fn take_requests(self: &Arc<Self>, serving: &mut Serving, bytes: &[u8]) -> Result<(), End> {
        serving.requests.feed(bytes);
        let mut is_used = false;
        while !serving.is_over && !self.has_ended() && !self.is_choked(serving) {
            let step = serving.requests.step();
            is_used |= step != Step::More;
            match step {
                Step::More => break,
                Step::Continue => lock(&self.outbox).push(CONTINUE.to_vec()),
                Step::Request(request) => self.serve(serving, request),
                Step::Refuse(status) => {
                    let situation = Situation::unknown(self.server.times.idle, now_s());
                    lock(&self.outbox).push(answer(status, "", &[], &situation));
                    serving.is_over = true;
                }
            }
            self.flush();
        }
        // A head that trickles in does not count as use, a body does.
        if is_used || (!bytes.is_empty() && serving.requests.has_head()) {
            self.used_at.store(self.server.now_ms(), Ordering::Release);
        }
        self.close_when_written(serving);
        Ok(())
    }

    fn serve(self: &Arc<Self>, serving: &mut Serving, request: Request) {
        let Request { head, body } = request;
        let situation = Situation::from_head(&head, self.server.times.idle, now_s());
        let bytes = match self.server.handlers.route(head.method, &head.path) {
            Routed::OtherMethod => answer(405, "", &[], &situation),
            Routed::Nowhere => answer(404, "", &[], &situation),
            Routed::To(_) if self.server.is_stopping() => return,
            Routed::To(handler) => {
                let request = Arc::new(HttpRequest::new(head, body, situation));
                let code = {
                    let _inside = Inside::enter(&self.server.handlers);
                    handler(&request)
                };
                if code != 0 {
                    warn_limited!(path = request.path(), code, "a handler of HTTP requests failed");
                }
                request.end().unwrap_or_else(|| {
                    warn_limited!(path = request.path(), "a request was not answered by its handler");
                    answer(500, "", &[], &situation)
                })
            }
        };
        lock(&self.outbox).push(bytes);
        serving.is_over = !situation.keeps;
    }

    /// Shuts the connection down once all responses are written.
    fn close_when_written(self: &Arc<Self>, serving: &mut Serving) {
        if !serving.is_over || serving.is_shut || lock(&self.outbox).is_waiting() {
            return;
        }
        serving.is_shut = true;
        if let Some(tls) = &self.tls {
            lock(tls).send_close_notify();
            self.flush();
        }
        let _ = self.socket.shutdown(Shutdown::Write);
        self.server.timers.add(Instant::now() + LAST, self.id, Due::Over);
    }

    /// Ends an idle connection.
    pub(super) fn check_idle(self: &Arc<Self>) {
        let idle = self.server.times.idle;
        let now = self.server.now_ms();
        let since = Duration::from_millis(now.saturating_sub(self.used_at.load(Ordering::Acquire)));
        // If a thread holds the phase, it is serving a request.
        let is_served = self.phase.try_lock().is_err();
        if !is_served && since >= idle {
            let is_amid = match &*lock(&self.phase) {
                Phase::Http(serving) => serving.requests.is_amid() && !serving.is_over,
                _ => false,
            };
            if is_amid {
                lock(&self.outbox).push(answer(408, "", &[], &Situation::unknown(idle, now_s())));
                self.flush();
            }
            self.end(End::Over);
            return;
        }
        let left = if is_served { idle } else { idle.saturating_sub(since) };
        self.server.timers.add(Instant::now() + left, self.id, Due::Idle);
    }
}

fn now_s() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs())
}
