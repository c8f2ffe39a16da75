// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The [`Store`] trait over a session: each call is one request and its reply.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use mf_base::{Error, Kind, Result};

use super::dispatch::Callback;
use super::shared::CallReply;
use super::started::{Awaited as Later, Started, StartedCall, Take};
use super::{Session, after, counts};
use crate::api::{
    Attendance, Awaited, Contact, Entry, Leader, LeaderFn, LeaseId, Lifetime, Listing, Member, MembersFn,
    Page, Part, Store, Swap, View, WatchFn, WatchId,
};
use crate::protocol::about::{AWAITED, CONTACTS};
use crate::protocol::{Answer, Failure, Request, limits};

impl Session {
    /// Sends a request, waits for its reply, which comes by `deadline`, and takes it apart.
    fn call<T>(
        &self,
        operation: &'static str,
        request: Request,
        deadline: Instant,
        take: impl FnOnce(Answer) -> Result<T, Answer>,
    ) -> Result<T> {
        self.check_caller(operation)?;
        self.check(operation, &request)?;
        let since = Instant::now();
        let replied = self.shared.call(request, deadline).map_err(|failure| self.failed(operation, failure));
        counts::request(since, replied.as_ref().is_ok_and(|replied| replied.result.is_ok()));
        let replied = replied?;
        self.shared.settle(&replied, after(self.request_timeout));
        let CallReply { result, .. } = replied;
        let answer = result.map_err(|failure| self.failed(operation, failure))?;
        take(answer).map_err(|other| confused(operation, &other))
    }

    /// Sends a request and returns before its reply.
    fn start<T>(
        &self,
        operation: &'static str,
        request: Request,
        take: Take<T>,
        undo: Option<Box<dyn FnOnce() + Send>>,
    ) -> Result<Started<T>> {
        self.check_caller(operation)?;
        self.check(operation, &request)?;
        let (since, timeout) = (Instant::now(), self.request_timeout);
        let started = self.shared.start(request, after(timeout));
        let sequence = started.map_err(|failure| self.failed(operation, failure))?;
        let call = StartedCall { shared: Arc::clone(&self.shared), sequence, operation, timeout, since };
        Ok(Started::awaited(Later { call, take, undo }))
    }

    /// Refuses the thread of watch callbacks, on which the reply would have to arrive.
    fn check_caller(&self, operation: &'static str) -> Result<()> {
        if !self.shared.dispatcher.is_this_thread() {
            return Ok(());
        }
        Err(Error::new(Kind::Failed, operation)
            .what("a watch callback called the store it was called by")
            .hint("pass the work to another thread"))
    }

    fn check(&self, operation: &'static str, request: &Request) -> Result<()> {
        if self.shared.is_of_another_process() {
            return Err(Error::new(Kind::NotInit, operation)
                .what("this store client belongs to the parent process")
                .hint("connect again in the child"));
        }
        limits::check(request).map_err(|failure| failure.into_error(operation))
    }

    fn failed(&self, operation: &'static str, failure: Failure) -> Error {
        failure.into_error(operation).with("store", self.shared.place())
    }

    fn ask<T>(
        &self,
        operation: &'static str,
        request: Request,
        take: impl FnOnce(Answer) -> Result<T, Answer>,
    ) -> Result<T> {
        self.call(operation, request, after(self.request_timeout), take)
    }

    /// Sends a request without waiting for its reply; an unreachable store receives it later.
    fn post(&self, operation: &'static str, request: Request) -> Result<()> {
        self.check(operation, &request)?;
        let posted = self.shared.post(request, after(self.request_timeout));
        posted.map_err(|failure| self.failed(operation, failure))
    }

    /// Sets a watch up: first the callback, then the request, because the first change may follow the reply
    /// immediately.
    fn watch_with(
        &self,
        operation: &'static str,
        callback: Callback,
        request: impl FnOnce(u64) -> Request,
    ) -> Result<Started<WatchId>> {
        let number = self.watches.fetch_add(1, Ordering::Relaxed);
        self.shared.dispatcher.add(number, callback)?;
        let take: Take<WatchId> = Box::new(move |answer| match answer {
            Answer::Watching { revision, .. } => Ok(WatchId { number, revision }),
            Answer::View(view) => Ok(WatchId { number, revision: view.epoch }),
            other => Err(other),
        });
        let dispatcher = Arc::clone(&self.shared.dispatcher);
        let undo = Box::new(move || {
            dispatcher.remove(number);
        });
        self.start(operation, request(number), take, Some(undo)).inspect_err(|_| {
            self.shared.dispatcher.remove(number);
        })
    }

    fn watch_prefix(&self, prefix: &str, callback: Callback) -> Result<Started<WatchId>> {
        self.watch_with("store watch", callback, |watch| Request::Watch {
            watch,
            prefix: prefix.to_owned(),
            exact: false,
            values: false,
        })
    }
}

/// The store answered something that does not belong to the question.
pub(super) fn confused(operation: &'static str, answer: &Answer) -> Error {
    let shown: String = format!("{answer:?}").chars().take(80).collect();
    Error::new(Kind::Failed, operation)
        .what("the store gave an answer that does not fit")
        .with("answer", shown)
}

/// Takes an answer apart; gives back one that does not fit.
macro_rules! answer {
    ($pattern:pat => $value:expr) => {
        |answer| match answer {
            $pattern => Ok($value),
            other => Err(other),
        }
    };
}

fn revision(answer: Answer) -> Result<u64, Answer> {
    answer!(Answer::Revision(revision) => revision)(answer)
}

fn entry(answer: Answer) -> Result<Option<Entry>, Answer> {
    answer!(Answer::Entry(entry) => entry.map(Arc::unwrap_or_clone))(answer)
}

fn listing(answer: Answer) -> Result<Listing, Answer> {
    answer!(Answer::Listing(listing) => Listing {
        revision: listing.revision,
        entries: listing.entries.into_iter().map(Arc::unwrap_or_clone).collect(),
    })(answer)
}

fn swap(answer: Answer) -> Result<Swap, Answer> {
    answer!(Answer::Swap(swap) => Swap { swapped: swap.swapped, current: swap.current.map(Arc::unwrap_or_clone) })(
        answer,
    )
}

fn set_request(key: &str, value: &[u8], lifetime: Lifetime) -> Request {
    Request::Set { key: key.to_owned(), value: value.to_vec(), lifetime }
}

fn swap_request(key: &str, expected: Option<&[u8]>, new: &[u8], lifetime: Lifetime) -> Request {
    let expected = expected.map(<[u8]>::to_vec);
    Request::CompareAndSwap { key: key.to_owned(), expected, new: new.to_vec(), lifetime }
}

impl Store for Session {
    fn member(&self) -> &Member {
        &self.member
    }

    fn set(&self, key: &str, value: &[u8], lifetime: Lifetime) -> Result<u64> {
        self.ask("store set", set_request(key, value, lifetime), revision)
    }

    fn start_set(&self, key: &str, value: &[u8], lifetime: Lifetime) -> Result<Started<u64>> {
        self.start("store set", set_request(key, value, lifetime), Box::new(revision), None)
    }

    fn get(&self, key: &str) -> Result<Option<Entry>> {
        self.get_by(key, after(self.request_timeout))
    }

    fn get_by(&self, key: &str, deadline: Instant) -> Result<Option<Entry>> {
        let request = Request::Get { key: key.to_owned() };
        self.call("store get", request, deadline, entry)
    }

    fn start_get(&self, key: &str) -> Result<Started<Option<Entry>>> {
        self.start("store get", Request::Get { key: key.to_owned() }, Box::new(entry), None)
    }

    fn wait(&self, key: &str, deadline: Instant) -> Result<Entry> {
        let request = Request::Wait { key: key.to_owned(), timeout_us: 0 };
        self.call(
            "store wait",
            request,
            deadline,
            answer!(Answer::Entry(Some(entry)) => Arc::unwrap_or_clone(entry)),
        )
    }

    fn add(&self, key: &str, delta: i64) -> Result<i64> {
        let request = Request::Add { key: key.to_owned(), delta };
        self.ask("store add", request, answer!(Answer::Sum { sum, .. } => sum))
    }

    fn append(&self, key: &str, value: &[u8]) -> Result<u64> {
        let request = Request::Append { key: key.to_owned(), value: value.to_vec() };
        self.ask(
            "store append",
            request,
            answer!(Answer::Appended { offset, .. } => offset + value.len() as u64),
        )
    }

    fn compare_and_swap(
        &self,
        key: &str,
        expected: Option<&[u8]>,
        new: &[u8],
        lifetime: Lifetime,
    ) -> Result<Swap> {
        self.ask("store compare and swap", swap_request(key, expected, new, lifetime), swap)
    }

    fn start_compare_and_swap(
        &self,
        key: &str,
        expected: Option<&[u8]>,
        new: &[u8],
        lifetime: Lifetime,
    ) -> Result<Started<Swap>> {
        let request = swap_request(key, expected, new, lifetime);
        self.start("store compare and swap", request, Box::new(swap), None)
    }

    fn delete(&self, key: &str) -> Result<bool> {
        let request = Request::Delete { key: key.to_owned() };
        self.ask("store delete", request, answer!(Answer::Deleted { revision, .. } => revision.is_some()))
    }

    fn discard(&self, key: &str) -> Result<()> {
        self.post("store delete", Request::Delete { key: key.to_owned() })
    }

    fn list(&self, prefix: &str) -> Result<Listing> {
        self.ask("store list", Request::List { prefix: prefix.to_owned() }, listing)
    }

    fn start_list(&self, prefix: &str) -> Result<Started<Listing>> {
        self.start("store list", Request::List { prefix: prefix.to_owned() }, Box::new(listing), None)
    }

    fn start_watch(&self, prefix: &str, callback: WatchFn) -> Result<Started<WatchId>> {
        self.watch_prefix(prefix, Callback::Keys(callback))
    }

    fn start_watch_in_place(&self, prefix: &str, callback: WatchFn) -> Result<Started<WatchId>> {
        self.watch_prefix(prefix, Callback::InPlace(callback))
    }

    fn watch(&self, prefix: &str, callback: WatchFn) -> Result<WatchId> {
        self.start_watch(prefix, callback)?.wait()
    }

    fn watch_in_place(&self, prefix: &str, callback: WatchFn) -> Result<WatchId> {
        self.start_watch_in_place(prefix, callback)?.wait()
    }

    fn watch_key(&self, key: &str, callback: WatchFn) -> Result<WatchId> {
        const OP: &str = "store watch";
        // A prefix may be empty, a key may not.
        limits::check(&Request::Get { key: key.to_owned() }).map_err(|failure| failure.into_error(OP))?;
        let started = self.watch_with(OP, Callback::Keys(callback), |watch| Request::Watch {
            watch,
            prefix: key.to_owned(),
            exact: true,
            values: false,
        });
        started?.wait()
    }

    fn watch_members(&self, callback: MembersFn) -> Result<WatchId> {
        let request = |watch| Request::WatchMembers { watch };
        self.watch_with("store watch members", Callback::Members(callback), request)?.wait()
    }

    fn watch_leader(&self, callback: LeaderFn) -> Result<WatchId> {
        let number = self.watches.fetch_add(1, Ordering::Relaxed);
        self.shared.dispatcher.add(number, Callback::Leader(callback))?;
        self.shared.with_machine(|machine| machine.watch_leader(number));
        Ok(WatchId { number, revision: 0 })
    }

    fn unwatch(&self, id: WatchId) -> Result<()> {
        const OP: &str = "store unwatch";
        let dispatcher = &self.shared.dispatcher;
        let request = Request::Unwatch { watch: id.number };
        self.check(OP, &request)?;
        if !dispatcher.remove(id.number) {
            return Err(Error::new(Kind::NotExist, OP).what("no such watch").with("watch", id.number));
        }
        // Later notifications for the watch find no callback, so there is no need to wait for the answer.
        if let Err(error) = self.post(OP, request) {
            tracing::debug!(%error, "a watch has ended with its session");
        }
        if !dispatcher.is_this_thread() {
            dispatcher.wait_while_running(id.number, after(self.request_timeout));
        }
        Ok(())
    }

    fn barrier(&self, name: &str, members: u32, deadline: Instant) -> Result<()> {
        let request =
            Request::Gather { name: name.to_owned(), members, value: None, timeout_us: 0, after_round: None };
        self.call("store barrier", request, deadline, answer!(Answer::Gathered(_) => ()))
    }

    fn allgather(&self, name: &str, members: u32, value: &[u8], deadline: Instant) -> Result<Vec<Part>> {
        let request = Request::Gather {
            name: name.to_owned(),
            members,
            value: Some(value.to_vec()),
            timeout_us: 0,
            after_round: None,
        };
        self.call(
            "store allgather",
            request,
            deadline,
            answer!(Answer::Gathered(round) => Arc::unwrap_or_clone(round).parts),
        )
    }

    fn list_page(&self, prefix: &str, after: Option<&str>, limit: u32) -> Result<Page> {
        let request = Request::ListPage { prefix: prefix.to_owned(), after: after.map(str::to_owned), limit };
        self.ask(
            "store list",
            request,
            answer!(Answer::Page(page) => Page {
                revision: page.revision,
                entries: page.entries.into_iter().map(Arc::unwrap_or_clone).collect(),
                more: page.more,
            }),
        )
    }

    fn grant_lease(&self, ttl: Duration) -> Result<LeaseId> {
        let ttl_us = u64::try_from(ttl.as_micros()).unwrap_or(u64::MAX);
        let request = Request::Grant { ttl_us };
        self.ask("store grant lease", request, answer!(Answer::Lease(lease) => lease))
    }

    fn keep_alive(&self, lease: LeaseId) -> Result<()> {
        self.ask("store keep alive", Request::KeepAlive { lease }, answer!(Answer::Done => ()))
    }

    fn revoke_lease(&self, lease: LeaseId) -> Result<bool> {
        self.ask("store revoke lease", Request::Revoke { lease }, answer!(Answer::Revoked(was) => was))
    }

    fn lock(&self, name: &str, deadline: Instant) -> Result<u64> {
        let request = Request::Lock { name: name.to_owned(), timeout_us: Some(0) };
        self.call("store lock", request, deadline, answer!(Answer::Locked(Some(token)) => token))
    }

    fn try_lock(&self, name: &str) -> Result<Option<u64>> {
        let request = Request::Lock { name: name.to_owned(), timeout_us: None };
        self.ask("store try lock", request, answer!(Answer::Locked(token) => token))
    }

    fn unlock(&self, name: &str) -> Result<()> {
        self.ask("store unlock", Request::Unlock { name: name.to_owned() }, answer!(Answer::Done => ()))
    }

    fn view(&self) -> Result<View> {
        self.ask("store view", Request::View, answer!(Answer::View(view) => view))
    }

    fn contacts(&self) -> Result<Option<Vec<Contact>>> {
        if self.shared.features() & CONTACTS == 0 {
            return Ok(None);
        }
        self.ask("store contacts", Request::Contacts, answer!(Answer::Contacts(contacts) => contacts))
            .map(Some)
    }

    fn awaited(&self) -> Result<Option<Vec<Awaited>>> {
        if self.shared.features() & AWAITED == 0 {
            return Ok(None);
        }
        self.ask("store awaited", Request::Awaited, answer!(Answer::Awaited(awaited) => awaited)).map(Some)
    }

    fn attendance(&self) -> Attendance {
        self.shared.attendance()
    }

    fn leader(&self) -> Leader {
        self.shared.leader()
    }

    fn relocate(&self, addresses: Vec<SocketAddr>) -> Result<()> {
        if addresses.is_empty() || !self.shared.connector.relocate(addresses) {
            return Err(Error::new(Kind::InvalidParam, "store relocate")
                .what("this store cannot be moved to another address"));
        }
        self.shared.cut_link();
        Ok(())
    }

    fn round_trips(&self) -> u64 {
        self.shared.round_trips()
    }

    fn close(&self) {
        self.shared.close();
    }

    fn is_connected(&self) -> bool {
        self.shared.is_connected()
    }

    fn has_ended(&self) -> bool {
        self.shared.has_ended()
    }
}
