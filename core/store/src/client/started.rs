// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Requests that return before their replies, so that several share one round trip.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::{Error, Kind, Result};

use super::calls::confused;
use super::shared::{CallReply, SessionCore};
use super::{after, counts};
use crate::protocol::Answer;

/// Takes an answer apart; gives back one that does not fit.
pub(super) type Take<T> = Box<dyn FnOnce(Answer) -> Result<T, Answer> + Send>;

/// A request that was sent. Dropping it gives the reply up; the request happens all the same.
#[must_use = "its reply has the error of the request"]
pub struct Started<T>(Reply<T>);

enum Reply<T> {
    Here(T),
    Awaited(Awaited<T>),
}

pub(super) struct Awaited<T> {
    pub(super) call: StartedCall,
    pub(super) take: Take<T>,
    /// Undoes the preparation of a request that failed.
    pub(super) undo: Option<Box<dyn FnOnce() + Send>>,
}

/// The place of a reply in its session.
pub(super) struct StartedCall {
    pub(super) shared: Arc<SessionCore>,
    pub(super) sequence: u64,
    pub(super) operation: &'static str,
    pub(super) timeout: Duration,
    pub(super) since: Instant,
}

impl<T> Started<T> {
    /// One that has ended already.
    pub fn done(value: T) -> Self {
        Self(Reply::Here(value))
    }

    pub(super) fn awaited(awaited: Awaited<T>) -> Self {
        Self(Reply::Awaited(awaited))
    }

    /// Takes the reply. Blocks until it is there, at most until the request's deadline.
    ///
    /// # Errors
    /// Those of the request.
    pub fn wait(self) -> Result<T> {
        let Awaited { call, take, undo } = match self.0 {
            Reply::Here(value) => return Ok(value),
            Reply::Awaited(awaited) => awaited,
        };
        let operation = call.operation;
        let taken =
            call.finish().and_then(|answer| take(answer).map_err(|other| confused(operation, &other)));
        taken.inspect_err(|_| {
            if let Some(undo) = undo {
                undo();
            }
        })
    }
}

impl<T> fmt::Debug for Started<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Started").finish_non_exhaustive()
    }
}

impl StartedCall {
    fn finish(&self) -> Result<Answer> {
        if self.shared.is_of_another_process() {
            return Err(Error::new(Kind::NotInit, self.operation)
                .what("this store client belongs to the parent process")
                .hint("connect again in the child"));
        }
        let replied = self.shared.finish(self.sequence);
        counts::request(self.since, replied.result.is_ok());
        self.shared.settle(&replied, after(self.timeout));
        let CallReply { result, .. } = replied;
        result.map_err(|failure| failure.into_error(self.operation).with("store", self.shared.place()))
    }
}

impl Drop for StartedCall {
    fn drop(&mut self) {
        // In a forked child the owner of the session's lock may be a thread that does not exist there.
        if !self.shared.is_of_another_process() {
            self.shared.forget(self.sequence);
        }
    }
}
