// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The [`Store`] trait over a session: each call is one request and its reply.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use mf_base::{Error, Kind, Result, Retry};

use super::inbox::Slot;
use super::{Session, Wire, after};
use crate::api::{Entry, Lifetime, Listing, Member, Store, Swap, WatchFn, WatchId};
use crate::protocol::{Answer, Request, limits};

/// How much longer than the store's own deadline the client waits for the reply that says so.
const SMALLEST_MARGIN: Duration = Duration::from_millis(100);
const LARGEST_MARGIN: Duration = Duration::from_secs(2);

impl<W: Wire> Session<W> {
    /// Sends a request and waits for its reply, at most for `limit`.
    fn call(&self, operation: &'static str, request: &Request, limit: Duration) -> Result<Answer> {
        if self.inbox.on_reader_thread() {
            return Err(Error::new(Kind::Failed, operation)
                .what("a watch callback called the store it was called by")
                .hint("hand the work to another thread"));
        }
        let (sequence, slot) = self.post(operation, request)?;
        let started = Instant::now();
        match slot.take(after(limit)) {
            Some(result) => {
                result.map_err(|failure| failure.into_error(operation).with("store", self.wire.place()))
            }
            None => {
                self.inbox.forget(sequence);
                Err(Error::new(Kind::Timeout, operation)
                    .what("the store did not answer")
                    .with("store", self.wire.place())
                    .with("waited_ms", started.elapsed().as_millis())
                    .hint("check that the process that runs the store is alive and not stopped")
                    .retry(Retry::Later))
            }
        }
    }

    /// Sends a request; its reply goes to the slot.
    fn post(&self, operation: &'static str, request: &Request) -> Result<(u64, Arc<Slot>)> {
        if self.process != std::process::id() {
            return Err(Error::new(Kind::NotInit, operation)
                .what("this store client belongs to the parent process")
                .hint("connect anew in the child"));
        }
        limits::check(request).map_err(|failure| failure.into_error(operation))?;
        let sequence = self.sequences.fetch_add(1, Ordering::Relaxed);
        let lost = |what: &str| {
            Error::new(Kind::NotConnected, operation)
                .what(what)
                .with("store", self.wire.place())
                .retry(Retry::AfterReconnect)
        };
        if self.closed.load(Ordering::Acquire) {
            return Err(lost("this store client is closed"));
        }
        let slot = self
            .inbox
            .expect(sequence)
            .map_err(|failure| failure.into_error(operation).with("store", self.wire.place()))?;
        if let Err(what) = self.wire.send(sequence, request) {
            self.inbox.forget(sequence);
            self.wire.cut();
            return Err(lost(&what));
        }
        Ok((sequence, slot))
    }

    fn ask(&self, operation: &'static str, request: &Request) -> Result<Answer> {
        self.call(operation, request, self.request_timeout)
    }

    /// Sends a request that the store answers by `deadline` at the latest.
    fn ask_until(
        &self,
        operation: &'static str,
        deadline: Instant,
        request: impl FnOnce(u64) -> Request,
    ) -> Result<Answer> {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout_us = u64::try_from(left.as_micros()).unwrap_or(u64::MAX);
        self.call(operation, &request(timeout_us), with_margin(left))
    }
}

/// How long the client waits for an answer that the store gives within `timeout` itself.
pub(super) fn with_margin(timeout: Duration) -> Duration {
    timeout.saturating_add((timeout / 16).clamp(SMALLEST_MARGIN, LARGEST_MARGIN))
}

/// The store answered something that does not belong to the question.
fn confused(operation: &'static str, answer: &Answer) -> Error {
    let shown: String = format!("{answer:?}").chars().take(80).collect();
    Error::new(Kind::Failed, operation)
        .what("the store gave an answer that does not fit")
        .with("answer", shown)
}

macro_rules! expect_answer {
    ($operation:expr, $answer:expr, $pattern:pat => $value:expr) => {
        match $answer {
            $pattern => Ok($value),
            other => Err(confused($operation, &other)),
        }
    };
}

impl<W: Wire> Store for Session<W> {
    fn member(&self) -> &Member {
        &self.member
    }

    fn set(&self, key: &str, value: &[u8], lifetime: Lifetime) -> Result<u64> {
        const OP: &str = "store set";
        let answer = self.ask(OP, &Request::Set { key: key.to_owned(), value: value.to_vec(), lifetime })?;
        expect_answer!(OP, answer, Answer::Revision(revision) => revision)
    }

    fn get(&self, key: &str) -> Result<Option<Entry>> {
        const OP: &str = "store get";
        let answer = self.ask(OP, &Request::Get { key: key.to_owned() })?;
        expect_answer!(OP, answer, Answer::Entry(entry) => entry)
    }

    fn wait(&self, key: &str, deadline: Instant) -> Result<Entry> {
        const OP: &str = "store wait";
        let answer =
            self.ask_until(OP, deadline, |timeout_us| Request::Wait { key: key.to_owned(), timeout_us })?;
        expect_answer!(OP, answer, Answer::Entry(Some(entry)) => entry)
    }

    fn add(&self, key: &str, delta: i64) -> Result<i64> {
        const OP: &str = "store add";
        let answer = self.ask(OP, &Request::Add { key: key.to_owned(), delta })?;
        expect_answer!(OP, answer, Answer::Number(sum) => sum)
    }

    fn append(&self, key: &str, value: &[u8]) -> Result<u64> {
        const OP: &str = "store append";
        let answer = self.ask(OP, &Request::Append { key: key.to_owned(), value: value.to_vec() })?;
        expect_answer!(OP, answer, Answer::Length(bytes) => bytes)
    }

    fn compare_and_swap(
        &self,
        key: &str,
        expected: Option<&[u8]>,
        new: &[u8],
        lifetime: Lifetime,
    ) -> Result<Swap> {
        const OP: &str = "store compare and swap";
        let request = Request::CompareAndSwap {
            key: key.to_owned(),
            expected: expected.map(<[u8]>::to_vec),
            new: new.to_vec(),
            lifetime,
        };
        let answer = self.ask(OP, &request)?;
        expect_answer!(OP, answer, Answer::Swap(swap) => swap)
    }

    fn delete(&self, key: &str) -> Result<bool> {
        const OP: &str = "store delete";
        let answer = self.ask(OP, &Request::Delete { key: key.to_owned() })?;
        expect_answer!(OP, answer, Answer::Deleted(deleted) => deleted)
    }

    fn list(&self, prefix: &str) -> Result<Listing> {
        const OP: &str = "store list";
        let answer = self.ask(OP, &Request::List { prefix: prefix.to_owned() })?;
        expect_answer!(OP, answer, Answer::Listing(listing) => listing)
    }

    fn watch(&self, prefix: &str, callback: WatchFn) -> Result<WatchId> {
        const OP: &str = "store watch";
        let number = self.sequences.fetch_add(1, Ordering::Relaxed);
        // First the callback, then the request: the first change may arrive right behind the reply.
        self.inbox.add_watch(number, callback);
        let answered = self.ask(OP, &Request::Watch { watch: number, prefix: prefix.to_owned() });
        let revision = answered
            .and_then(|answer| expect_answer!(OP, answer, Answer::Revision(revision) => revision))
            .inspect_err(|_| {
                self.inbox.remove_watch(number);
            })?;
        Ok(WatchId { number, revision })
    }

    fn unwatch(&self, id: WatchId) -> Result<()> {
        const OP: &str = "store unwatch";
        if !self.inbox.remove_watch(id.number) {
            return Err(Error::new(Kind::NotExist, OP)
                .what("there is no such watch")
                .with("watch", id.number));
        }
        let request = Request::Unwatch { watch: id.number };
        if self.inbox.on_reader_thread() {
            // The reply finds nobody waiting, which is fine.
            let (sequence, _) = self.post(OP, &request)?;
            self.inbox.forget(sequence);
            return Ok(());
        }
        // The reply comes through the thread that runs the callbacks: behind it, none of this watch runs.
        let answer = self.ask(OP, &request)?;
        expect_answer!(OP, answer, Answer::Done => ())
    }

    fn barrier(&self, name: &str, members: u32, deadline: Instant) -> Result<()> {
        const OP: &str = "store barrier";
        let answer = self.ask_until(OP, deadline, |timeout_us| Request::Barrier {
            name: name.to_owned(),
            members,
            timeout_us,
        })?;
        expect_answer!(OP, answer, Answer::Done => ())
    }

    fn close(&self) {
        self.end();
    }

    fn is_connected(&self) -> bool {
        self.inbox.is_connected()
    }
}
