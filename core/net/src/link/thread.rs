// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The thread of the service: accepts, receives, calls handlers, and notices the end of others. It holds
//! no lock while a [`Handler`] runs.

use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use mf_base::log::escaped;
use mf_base::os::service::{self, Panicked};
use mf_base::os::socket::{self, MAX_MESSAGE_BYTES, Received};
use mf_base::{Error, Kind, Result, warn_limited};
use rustix::event::{Timespec, epoll};

use super::outcome::{ConnectionId, Message, Outcome};
use super::packet::{Name, Packet, decode};
use super::service::{Connection, Handler, LISTENER, OP, Registered, Shared, WAKE, check_user, send};
use super::unproved::{PROOF_TIMEOUT, Unproved};

/// While descriptors are used up, a waiting connection would wake the thread over and over.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);
/// Connections accepted before existing ones are served again.
const ACCEPTED_AT_ONCE: usize = 64;

/// State of accepting.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Accepting {
    Yes,
    /// Not before the pause has passed.
    Paused,
    /// Tried again after a pause.
    Retried,
}

impl Shared {
    pub(super) fn serve(&self) {
        let mut events = Vec::with_capacity(64);
        let mut buffer = vec![0; MAX_MESSAGE_BYTES];
        let mut accepting = Accepting::Yes;
        let mut unproved = Unproved::default();
        while !self.stopping.load(Ordering::Acquire) {
            service::turn();
            let pause = (accepting == Accepting::Paused).then_some(ACCEPT_PAUSE);
            let until_late = unproved.next_deadline().map(|at| at.saturating_duration_since(Instant::now()));
            let pause =
                pause.into_iter().chain(until_late).min().and_then(|pause| Timespec::try_from(pause).ok());
            match epoll::wait(&self.epoll, rustix::buffer::spare_capacity(&mut events), pause.as_ref()) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(errno) => {
                    tracing::error!("links to processes of this host end: {errno}");
                    break;
                }
            }
            if accepting == Accepting::Paused {
                accepting = self.set_accepting(Accepting::Retried);
            }
            for event in events.drain(..) {
                match event.data.u64() {
                    LISTENER => accepting = self.accept_some(accepting, &mut unproved),
                    WAKE => {}
                    id => {
                        self.read(id, &mut buffer);
                        if self.table().connections.get(&id).is_none_or(|it| it.endpoint.is_some()) {
                            unproved.leave(id);
                        }
                    }
                }
            }
            while let Some(id) = unproved.late(Instant::now()) {
                warn_limited!(
                    "a connection that has not shown the job's token is closed after {PROOF_TIMEOUT:?}"
                );
                self.close(id);
            }
        }
        // Closing notifies the others of the end of this process.
        self.table().connections.drain().for_each(|(_, connection)| self.shut(&connection));
        self.changed.notify_all();
    }

    /// The thread has panicked: requests in flight and later ones are refused, and peers see the end.
    pub(super) fn fail(&self, panicked: &Panicked) {
        self.health.fail(panicked);
        // Processes that connect are refused, and do not wait in the queue.
        let _ = rustix::net::shutdown(&self.listener, rustix::net::Shutdown::Both);
        let mut table = self.table();
        table.running = None;
        for (_, outcome) in table.requests.values_mut() {
            outcome.get_or_insert_with(|| Outcome::refused(&panicked.error(OP)));
        }
        table.connections.drain().for_each(|(_, connection)| self.shut(&connection));
        self.changed.notify_all();
    }

    /// Accepts some of the waiting connections; pauses for a moment if that is not possible. The rest wakes
    /// the thread again.
    fn accept_some(&self, accepting: Accepting, unproved: &mut Unproved) -> Accepting {
        for _ in 0..ACCEPTED_AT_ONCE {
            if unproved.must_wait(Instant::now()) {
                return self.set_accepting(Accepting::Paused);
            }
            match socket::accept(self.listener.as_fd()) {
                Ok(Some(socket)) => {
                    let added = check_user(&socket).and_then(|()| self.add(&mut self.table(), socket, None));
                    match added {
                        Ok(id) => {
                            if let Some(oldest) = unproved.enter(id, Instant::now() + PROOF_TIMEOUT) {
                                self.close(oldest);
                            }
                        }
                        Err(error) => warn_limited!("a connection was refused: {error}"),
                    }
                }
                Ok(None) => return Accepting::Yes,
                Err(error) => {
                    // Connections without the token give up their descriptors.
                    let gone = unproved.make_room();
                    if !gone.is_empty() {
                        gone.into_iter().for_each(|id| self.close(id));
                        continue;
                    }
                    // Logged once, not at every try.
                    if accepting == Accepting::Yes {
                        warn_limited!("connections of processes of this host cannot be accepted: {error}");
                    }
                    return self.set_accepting(Accepting::Paused);
                }
            }
        }
        Accepting::Yes
    }

    fn set_accepting(&self, accepting: Accepting) -> Accepting {
        let is_paused = accepting == Accepting::Paused;
        let wanted = if is_paused { epoll::EventFlags::empty() } else { epoll::EventFlags::IN };
        if let Err(errno) =
            epoll::modify(&self.epoll, &self.listener, epoll::EventData::new_u64(LISTENER), wanted)
        {
            tracing::error!("links to processes of this host: {errno}");
        }
        accepting
    }

    fn read(&self, id: ConnectionId, buffer: &mut [u8]) {
        loop {
            let Some(connection) = self.table().connections.get(&id).cloned() else { return };
            let handled = match socket::receive(&*connection.socket, buffer) {
                Ok(Received::Nothing) => return,
                Ok(Received::Closed) => return self.close(id),
                Ok(Received::Message { bytes, descriptors }) => match decode(&buffer[..bytes]) {
                    Ok(packet) => self.handle(id, &connection, packet, descriptors),
                    Err(error) => Err(self.refuse_requests(id, error)),
                },
                Err(error) => Err(self.refuse_requests(id, error)),
            };
            if let Err(error) = handled {
                match error.kind() {
                    // Its owner has just left: an ordinary end.
                    Kind::NotExist | Kind::NotStarted | Kind::NotConnected => {
                        tracing::debug!("a connection is closed: {error}");
                    }
                    _ => warn_limited!("a connection is closed: {error}"),
                }
                return self.close(id);
            }
        }
    }

    fn close(&self, id: ConnectionId) {
        let Some(connection) = self.table().connections.remove(&id) else { return };
        self.shut(&connection);
        if let Some(endpoint) = connection.endpoint {
            // One without a handler is being dropped.
            let _ = self.run(&endpoint, |handler| {
                handler.closed(id);
                Ok(())
            });
        }
        let table = self.table();
        let is_of_it = |number| table.requests.get(number).is_some_and(|(connection, _)| *connection == id);
        if table.sleepers > 0 || table.awaited.iter().any(is_of_it) {
            self.changed.notify_all();
        }
    }

    /// A reply cannot be read, so asking again would give no better one.
    fn refuse_requests(&self, id: ConnectionId, error: Error) -> Error {
        for (connection, outcome) in self.table().requests.values_mut() {
            if *connection == id && outcome.is_none() {
                *outcome = Some(Outcome::refused(&error));
            }
        }
        error
    }

    fn handle(
        &self,
        id: ConnectionId,
        connection: &Connection,
        packet: Packet<'_>,
        descriptors: Vec<std::os::fd::OwnedFd>,
    ) -> Result<()> {
        let message = |body: &[u8]| Message { bytes: body.to_vec(), descriptors };
        match (packet, &connection.endpoint) {
            (Packet::Hello { token, to }, None) => self.admit(id, &token, &to),
            (Packet::Hello { .. }, Some(_)) => Err(Error::invalid(OP, "a second hello came")),
            (Packet::Request { number, body }, Some(endpoint)) => self.run(endpoint, |handler| {
                let answer = handler.request(id, message(body));
                match &answer {
                    Ok(answer) => {
                        let (body, descriptors) = (&answer.message.bytes, &answer.message.descriptors);
                        send(&connection.socket, &Packet::Reply { number, body }, descriptors)
                    }
                    Err(error) => {
                        let (code, text) = (error.code(), error.to_string());
                        send(&connection.socket, &Packet::Refused { number, code, text }, &[])
                    }
                }
            }),
            (Packet::Request { .. }, None) => {
                Err(Error::invalid(OP, "a request came over an unauthenticated connection"))
            }
            (Packet::Reply { number, body }, Some(endpoint)) => {
                if self.is_in_flight(id, number) {
                    let reply = self.run(endpoint, |handler| handler.reply(id, message(body)));
                    self.end_request(
                        number,
                        reply.map_or_else(|error| Outcome::refused(&error), Outcome::Done),
                    );
                }
                Ok(())
            }
            (Packet::Refused { number, code, text }, _) => {
                if self.is_in_flight(id, number) {
                    self.end_request(number, Outcome::Refused { code, text: escaped(&text).into_owned() });
                }
                Ok(())
            }
            // It replies to no request of this process.
            (Packet::Reply { .. }, None) => Ok(()),
        }
    }

    /// Assigns a connection to the endpoint that it names, if it knows the token.
    fn admit(&self, id: ConnectionId, token: &[u8; 32], to: &Name) -> Result<()> {
        let mut table = self.table();
        let endpoint = table.endpoints.get(to).cloned().ok_or_else(|| {
            Error::new(Kind::NotExist, OP).what("an endpoint is wanted that this process does not have")
        })?;
        if endpoint.token != *token {
            return Err(Error::invalid(OP, "a process without the job's token tried to connect"));
        }
        if let Some(connection) = table.connections.get_mut(&id) {
            connection.endpoint = Some(endpoint);
        }
        Ok(())
    }

    fn is_in_flight(&self, id: ConnectionId, number: u64) -> bool {
        self.table().requests.get(&number).is_some_and(|(connection, _)| *connection == id)
    }

    fn end_request(&self, number: u64, ended: Outcome) {
        let mut table = self.table();
        if let Some((_, outcome)) = table.requests.get_mut(&number) {
            *outcome = Some(ended);
        }
        if table.awaited.contains(&number) {
            self.changed.notify_all();
        }
    }

    /// Calls the handler of an endpoint; dropping the endpoint waits for that.
    fn run<T>(&self, endpoint: &Arc<Registered>, call: impl FnOnce(&dyn Handler) -> Result<T>) -> Result<T> {
        let mut table = self.table();
        let is_open = table.endpoints.get(&endpoint.name).is_some_and(|open| Arc::ptr_eq(open, endpoint));
        // No owner of the handler is dropped here, as that would drop the endpoint under the lock.
        let handler = if is_open { endpoint.handler.upgrade() } else { None };
        let handler = handler.ok_or_else(|| Error::new(Kind::NotStarted, OP))?;
        table.running = Some(Arc::clone(endpoint));
        drop(table);
        // A panic of the handler ends the connection, as its error does, and no other.
        let done = service::catch(|| call(&*handler)).unwrap_or_else(|panicked| Err(panicked.error(OP)));
        // Outside the table's lock: if this drops the last owner, the user ends here, and its endpoint with
        // it.
        drop(handler);
        let mut table = self.table();
        table.running = None;
        if table.sleepers > 0 {
            self.changed.notify_all();
        }
        drop(table);
        done
    }
}
