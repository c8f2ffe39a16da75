// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Calls for users of the service. Callers send from their own thread and sleep until the thread of the
//! service has their replies, a connection has ended, or the deadline has passed.

use std::os::fd::OwnedFd;
use std::sync::{Arc, Weak};
use std::time::Instant;

use mf_base::interrupt::{self, InterruptPoll};
use mf_base::os::process::descriptor_limit;
use mf_base::os::socket;
use mf_base::{Error, Kind, Result};

use super::outcome::{ConnectionId, Outcome, RequestId};
use super::packet::{Name, Packet};
use super::service::{Handler, OP, Registered, Service, Table, check_user, send};

/// Sends requests over connections of this process, and waits for the replies. Cheap to make.
pub struct Asker(Arc<Service>);

/// A user of the service. Dropping it ends its connections; its handler is not called any more then, unless
/// it is the handler that drops it.
pub struct Endpoint {
    pub(super) service: Arc<Service>,
    registered: Arc<Registered>,
}

impl Endpoint {
    /// Opens an endpoint for processes that know `token`. **Local.**
    ///
    /// # Errors
    /// `InUse` the name is taken · `NoResources` out of descriptors or threads.
    pub fn open(name: Name, token: [u8; 32], handler: Weak<dyn Handler>) -> Result<Self> {
        let service = Service::current()?;
        service.shared.health.check(OP)?;
        let registered = Arc::new(Registered { name, token, handler });
        let mut table = service.shared.table();
        if table.endpoints.contains_key(&registered.name) {
            return Err(Error::new(Kind::InUse, OP)
                .what("this process has an endpoint of that name already")
                .with("service", &registered.name.service)
                .with("session", registered.name.session));
        }
        table.endpoints.insert(registered.name.clone(), Arc::clone(&registered));
        drop(table);
        Ok(Self { service, registered })
    }

    /// Name of the socket under which other processes reach this one's endpoints.
    pub fn socket(&self) -> &str {
        &self.service.socket
    }

    /// Connects to the endpoint `to` of the process that listens under `socket`. Waits for no reply: a
    /// process without such an endpoint closes the connection.
    ///
    /// # Errors
    /// `NotConnected` when no process listens there · `InvalidParam` when one of another user does ·
    /// `Failed` the thread of the service has panicked.
    pub fn connect(&self, socket: &str, to: Name) -> Result<ConnectionId> {
        let connection = socket::connect(socket)?;
        check_user(&connection)?;
        send(&connection, &Packet::Hello { token: self.registered.token, to }, &[])?;
        let shared = &self.service.shared;
        let mut table = shared.table();
        // Under the lock: a failure of the service ends all connections in the table.
        shared.health.check(OP)?;
        shared.add(&mut table, connection, Some(Arc::clone(&self.registered)))
    }

    /// Ends a connection of this endpoint; its handler is not notified.
    pub fn disconnect(&self, connection: ConnectionId) {
        let shared = &self.service.shared;
        let mut table = shared.table();
        if let Some(connection) = table.connections.remove(&connection) {
            shared.shut(&connection);
            shared.changed.notify_all();
        }
    }

    /// Returns a handle that sends requests over its connections.
    pub fn asker(&self) -> Asker {
        Asker(Arc::clone(&self.service))
    }

    /// Returns true if the connection has not ended.
    pub fn is_open(&self, connection: ConnectionId) -> bool {
        self.service.shared.table().connections.contains_key(&connection)
    }

    /// Waits until the connection has ended, at most until `deadline`. Returns true if it has.
    pub fn ends(&self, connection: ConnectionId, deadline: Instant) -> bool {
        let mut table = self.service.shared.table();
        while table.connections.contains_key(&connection) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            table = self.service.shared.wait_end(table, left);
        }
        true
    }
}

impl Asker {
    /// Returns a handle over the connections of this process, no matter which side began them.
    ///
    /// # Errors
    /// `NoResources` out of descriptors or threads, if no endpoint is open.
    pub fn current() -> Result<Self> {
        Service::current().map(Self)
    }

    /// Returns the pid of the peer of a connection, as the kernel reports it in the PID namespace of this
    /// process, and a descriptor of its process. `None`: the peer is invisible there (another container), the
    /// kernel has no such descriptors, or the connection has ended.
    pub fn peer(&self, connection: ConnectionId) -> (Option<u32>, Option<OwnedFd>) {
        let found = self.0.shared.table().connections.get(&connection).cloned();
        let Some(socket) = found.map(|found| found.socket) else { return (None, None) };
        let pid = socket::credentials(&socket).ok().and_then(|peer| u32::try_from(peer.pid).ok());
        (pid.filter(|pid| *pid != 0), socket::peer_process(&socket))
    }

    /// Sends a request; `None` when it cannot be sent: most often because the connection has ended.
    /// [`wait`](Self::wait) must follow.
    pub fn request(
        &self,
        connection: ConnectionId,
        body: &[u8],
        descriptors: &[OwnedFd],
    ) -> Option<RequestId> {
        let mut table = self.0.shared.table();
        let number = table.next_request;
        table.next_request += 1;
        let socket = Arc::clone(&table.connections.get(&connection)?.socket);
        send(&socket, &Packet::Request { number, body }, descriptors).ok()?;
        table.requests.insert(number, (connection, None));
        Some(number)
    }

    /// Waits until every request has its outcome, at most until `deadline`; gives them in this order.
    ///
    /// # Errors
    /// `Interrupted`; no thread waits for these replies any more then.
    pub fn wait(&self, requests: &[Option<RequestId>], deadline: Instant) -> Result<Vec<Outcome>> {
        let shared = &self.0.shared;
        let is_in_flight = |table: &Table, number: &RequestId| {
            let request = table.requests.get(number);
            request.is_some_and(|(connection, outcome)| {
                outcome.is_none() && table.connections.contains_key(connection)
            })
        };
        let mut table = shared.table();
        let mut interrupt = None;
        // Replies mostly come in the order of the requests, so the last one is waited for first.
        let last = |table: &Table| {
            requests.iter().rev().flatten().copied().find(|number| is_in_flight(table, number))
        };
        while let Some(number) = last(&table) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let interrupt = interrupt.get_or_insert_with(InterruptPoll::new);
            table = shared.wait_outcome(table, number, interrupt.within(left));
            if interrupt.is_due() {
                drop(table);
                let is_left = interrupt.is_left();
                table = shared.table();
                if is_left {
                    requests.iter().flatten().for_each(|number| drop(table.requests.remove(number)));
                    return Err(interrupt::error(OP));
                }
            }
        }
        let mut outcome = |number: &Option<RequestId>| {
            let request = number.and_then(|number| table.requests.remove(&number));
            let Some((connection, outcome)) = request else { return Outcome::Closed };
            let is_open = table.connections.contains_key(&connection);
            outcome.unwrap_or(if is_open { Outcome::TimedOut } else { Outcome::Closed })
        };
        Ok(requests.iter().map(&mut outcome).collect())
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        // The connections of a forked child's parent go on.
        if !self.service.owner.is_current() {
            return;
        }
        let shared = &self.service.shared;
        let is_own = |endpoint: &Option<Arc<Registered>>| {
            endpoint.as_ref().is_some_and(|endpoint| Arc::ptr_eq(endpoint, &self.registered))
        };
        let mut table = shared.table();
        table.endpoints.remove(&self.registered.name);
        for (_, connection) in table.connections.extract_if(|_, connection| is_own(&connection.endpoint)) {
            shared.shut(&connection);
        }
        shared.changed.notify_all();
        let is_handler = self.service.is_own_thread();
        while !is_handler && is_own(&table.running) {
            table = shared.wait_end(table, HANDLER_RECHECK);
        }
    }
}

/// The end of a handler is signalled; this only bounds one sleep.
const HANDLER_RECHECK: std::time::Duration = std::time::Duration::from_secs(1);

/// Returns the error of a message that came without the descriptors sent with it.
pub fn lost_descriptor() -> Error {
    let limit = descriptor_limit().map_or_else(|| "none".to_owned(), |limit| limit.to_string());
    Error::new(Kind::NoResources, OP)
        .what("a descriptor that was sent did not arrive")
        .with("descriptor_limit", limit)
        .hint("raise the limit of open files (ulimit -n) in the process that could not take it")
}
