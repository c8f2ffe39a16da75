// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One connection, from accept to its end.

use std::future::{Future, poll_fn};
use std::net::SocketAddr;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use mf_base::{Kind, warn_limited};
use mf_tls::{Side, explain};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncRead, AsyncReadExt, ReadBuf};
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedReadHalf;

use super::guests::{GuestShare, Verdict};
use super::hub::{ConnectionCount, Hub};
use super::outbound::{Closing, Outbound, PAUSE_BYTES};
use super::unauthenticated::PendingSlot;
use crate::channel::{Channel, FIRST_OF_PLAIN, FIRST_OF_TLS};
use crate::protocol::auth::{self, Nonces, Role};
use crate::protocol::frame::{FrameBuffer, FrameError, FrameKind, encode};
use crate::protocol::limits::MAX_PROVED;
use crate::protocol::{
    Challenge, Failure, Hello, Join, OneWay, Proved, Refusal, RequestMessage, secret_differs,
};
use crate::state::{Arrival, Event, LinkId};

/// Longest time to send the refusal to a client.
const FAREWELL_LIMIT: Duration = Duration::from_secs(1);

/// Steps, of which a request has two, and bytes of requests and replies, until it is the turn of the next
/// client.
const TURN_STEPS: usize = 128;
const TURN_BYTES: usize = 1 << 20;

/// Why a connection ends.
pub(super) enum EndReason {
    Left,
    Lost,
    Closed(Closing),
    Frame(FrameError),
    Refused(Box<Failure>),
    Tls(rustls::Error),
    TooSlowHello,
}

impl EndReason {
    pub(super) fn refused(failure: Failure) -> Self {
        EndReason::Refused(Box::new(failure))
    }
}

impl From<FrameError> for EndReason {
    fn from(error: FrameError) -> Self {
        EndReason::Frame(error)
    }
}

/// The receiving side of one connection.
struct Inbound {
    hub: Rc<Hub>,
    reader: OwnedReadHalf,
    frames: FrameBuffer,
    outbound: Rc<Outbound>,
    peer: SocketAddr,
    /// `None` for members: each has a budget of its own.
    share: Option<GuestShare>,
}

/// Work done for one client before the turn of others.
#[derive(Default)]
struct TurnBudget {
    steps: usize,
    bytes: usize,
    is_waiting_for_bytes: bool,
}

impl TurnBudget {
    fn did(&mut self, bytes: usize) {
        self.steps += 1;
        self.bytes = self.bytes.saturating_add(bytes);
    }

    fn is_over(&self) -> bool {
        self.steps >= TURN_STEPS || self.bytes >= TURN_BYTES
    }
}

/// Serves one client until it or we close.
pub(super) async fn run(entered: ConnectionCount, stream: TcpStream, peer: SocketAddr) {
    let ConnectionCount { hub, link } = &entered;
    crate::sockets::tune(&stream, peer.ip(), hub.lease);
    let (reader, writer) = stream.into_split();
    let outbound = Rc::new(Outbound::new(writer));
    let mut inbound = Inbound {
        hub: Rc::clone(hub),
        reader,
        frames: FrameBuffer::new(),
        outbound: Rc::clone(&outbound),
        peer,
        share: None,
    };
    let place = hub.unauthenticated.enter(*link, peer.ip(), hub.world_size());
    let met = tokio::select! {
        met = within(hub.hello_limit, inbound.meet(&place)) => met,
        () = place.displaced() => return,
    };
    let (features, join) = match met.unwrap_or(Err(EndReason::TooSlowHello)) {
        Ok(met) => met,
        Err(end) => {
            note(&end, peer);
            tokio::select! {
                () = inbound.turn_away(end) => {}
                () = place.displaced() => {}
            }
            return;
        }
    };
    drop(place);
    tracing::trace!(%peer, link, "store client proved itself");
    inbound.frames.trust();
    hub.attach(*link, &outbound, features);
    hub.adopt_token(&join);
    hub.apply(Event::Join { link: *link, arrival: Box::new(Arrival { join, address: peer.ip() }) });
    // Joins that are ready at the same time share one write to each member.
    tokio::task::yield_now().await;
    hub.flush();
    inbound.share = Some(GuestShare::new(&hub.guests));
    let end = poll_fn(|context| inbound.attend(context, *link)).await;
    inbound.share = None;
    hub.detach(*link, matches!(end, EndReason::Left));
    note(&end, peer);
    hub.apply(Event::End { link: *link, in_order: matches!(end, EndReason::Left) });
    hub.flush();
    inbound.turn_away(end).await;
}

/// Refuses a connection before anything was read from it. A client that must encrypt would not trust
/// plaintext; it sees the end.
pub(super) fn refuse_at_once(hub: &Hub, stream: &TcpStream, peer: SocketAddr, why: Failure, later: bool) {
    if hub.identity.security.accepts_plain(peer.ip())
        && let Some(bytes) = refusal(why, later)
    {
        let _ = stream.try_write(&bytes);
    }
}

fn refusal(failure: Failure, later: bool) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let refusal = Refusal { failure, later, leader: None };
    encode(FrameKind::Refused, 0, &refusal, &mut bytes).is_ok().then_some(bytes)
}

impl Inbound {
    /// The handshake: both sides identify themselves, then the client proves itself and sends its request.
    /// Returns its features, too.
    async fn meet(&mut self, place: &PendingSlot<'_>) -> Result<(u64, Join), EndReason> {
        let own = auth::random("store hello").map_err(|_| EndReason::Closed(Closing::Broken))?;
        let hello: Hello = self.expect(FrameKind::Hello).await?;
        place.spoke();
        let hub = Rc::clone(&self.hub);
        hub.identity.about.fits(&hello.about, "client").map_err(EndReason::refused)?;
        let store = hub.identity.store;
        self.send(FrameKind::Challenge, &Challenge { nonce: own, about: hub.identity.about.clone(), store })?;
        let join: Join = self.expect(FrameKind::Join).await?;
        let nonces = Nonces { client: hello.nonce, server: own };
        let binding = self.outbound.binding()?;
        let binding = binding.as_ref().map_or(&[][..], |binding| &binding[..]);
        let secret = hub.identity.security.secret();
        if !auth::holds(secret, Role::Client, &nonces, binding, &join.proof) {
            return Err(EndReason::refused(secret_differs()));
        }
        let most = MAX_PROVED + hub.world_size();
        if hub.proved() >= most {
            let what = format!("the store has {most} clients, more are not allowed");
            return Err(EndReason::refused(
                Failure::new(Kind::NoResources, what).hint("end some of the guests"),
            ));
        }
        let proof = auth::prove(secret, Role::Server, &nonces, binding);
        self.outbound.proof.set(proof);
        if join.resume.as_ref().is_some_and(|resume| resume.store != store) {
            // It has much to send, and sends it only to a store that has proved itself.
            self.send(FrameKind::Proved, &Proved { proof })?;
        }
        Ok((hello.about.features, join))
    }

    fn send<T: Serialize>(&self, kind: FrameKind, message: &T) -> Result<(), EndReason> {
        let mut bytes = Vec::new();
        encode(kind, 0, message, &mut bytes)?;
        self.outbound.append(|queue| queue.append(|own| own.extend_from_slice(&bytes)));
        // A few bytes on a connection that has sent nothing yet: the socket takes them.
        self.outbound.flush();
        Ok(())
    }

    async fn expect<T: DeserializeOwned>(&mut self, kind: FrameKind) -> Result<T, EndReason> {
        loop {
            if let Some(frame) = self.frames.next_frame()? {
                if frame.kind != kind {
                    return Err(EndReason::Frame(FrameError::Kind(frame.kind as u8, 0)));
                }
                return Ok(frame.message()?);
            }
            poll_fn(|context| {
                // Its only work here is to send handshake messages.
                let _ = self.outbound.poll(context);
                self.poll_read(context)
            })
            .await?;
        }
    }

    /// Reads once, through a buffer that all connections share: an idle one owns none.
    fn poll_read(&mut self, context: &mut Context<'_>) -> Poll<Result<(), EndReason>> {
        let mut scratch = self.hub.scratch.borrow_mut();
        if self.outbound.is_plain() && self.frames.missing() >= scratch.len() {
            // The middle of a large message: straight to its place.
            let mut buffer = ReadBuf::new(self.frames.space());
            let read = ready!(Pin::new(&mut self.reader).poll_read(context, &mut buffer));
            let bytes = buffer.filled().len();
            self.frames.filled(bytes);
            return Poll::Ready(if read.is_ok() && bytes > 0 { Ok(()) } else { Err(EndReason::Lost) });
        }
        let mut buffer = ReadBuf::new(&mut scratch);
        let read = ready!(Pin::new(&mut self.reader).poll_read(context, &mut buffer));
        let bytes = buffer.filled();
        let (Ok(()), Some(first)) = (read, bytes.first()) else { return Poll::Ready(Err(EndReason::Lost)) };
        if !self.outbound.knows_speech() {
            self.outbound.speak(self.sniff(*first)?);
        }
        Poll::Ready(self.outbound.receive(bytes, &mut self.frames))
    }

    /// Detects the protocol of a client from its first byte `first`.
    fn sniff(&self, first: u8) -> Result<Channel, EndReason> {
        let security = &self.hub.identity.security;
        match first {
            FIRST_OF_TLS => match security.server_connection() {
                Ok(connection) => Ok(Channel::tls(connection)),
                Err(_) => Err(EndReason::refused(
                    Failure::invalid("the store speaks plaintext, this client encrypts").hint(
                        "give the store the secret or the certificates of the job as well, or to neither side",
                    ),
                )),
            },
            FIRST_OF_PLAIN if !security.accepts_plain(self.peer.ip()) => Err(EndReason::refused(
                Failure::invalid("the store accepts encrypted connections only, this client speaks plaintext")
                    .hint("give this client the secret (MF_JOB_SECRET) or certificates of the job, as all others"),
            )),
            // Otherwise the frame decoder reports the foreign protocol.
            _ => Ok(Channel::Plain),
        }
    }

    /// Frames in, bytes out, until one side closes. Ends after a while also when there is more to do: others
    /// have their turn then.
    fn attend(&mut self, context: &mut Context<'_>, link: LinkId) -> Poll<EndReason> {
        let mut turn = TurnBudget::default();
        loop {
            if let Poll::Ready(why) = self.outbound.poll(context) {
                return Poll::Ready(EndReason::Closed(why));
            }
            match self.poll_share(context, link) {
                Verdict::Go => {}
                Verdict::Wait => return Poll::Pending,
                Verdict::Leave => {
                    let why = Closing::Rules("a guest without progress that blocked others");
                    return Poll::Ready(EndReason::Closed(why));
                }
            }
            if self.outbound.has_room() {
                self.outbound.take_drained();
                self.hub.apply(Event::Drained { link });
                turn.did(self.outbound.queued());
                self.hub.flush();
            } else {
                match self.handle(link, &mut turn) {
                    Err(end) => return Poll::Ready(end),
                    Ok(true) => {}
                    // It continues when the queue, which wakes it, has become shorter.
                    Ok(false) if self.outbound.in_flight() > 0 => return Poll::Pending,
                    Ok(false) => {}
                }
                if turn.is_waiting_for_bytes {
                    turn.is_waiting_for_bytes = false;
                    match ready!(self.poll_read(context)) {
                        Ok(()) => {}
                        Err(end) => return Poll::Ready(end),
                    }
                }
            }
            if turn.is_over() {
                context.waker().wake_by_ref();
                return Poll::Pending;
            }
        }
    }

    /// Counts the bytes that a guest has in flight.
    fn poll_share(&mut self, context: &mut Context<'_>, link: LinkId) -> Verdict {
        let Some(share) = &mut self.share else { return Verdict::Go };
        if self.hub.is_member(link) {
            self.share = None;
            return Verdict::Go;
        }
        share.poll(context, self.frames.bytes() + self.frames.missing(), self.outbound.queued())
    }

    /// Serves the received messages, as far as the client reads the replies. Returns false when it has to
    /// read first.
    fn handle(&mut self, link: LinkId, turn: &mut TurnBudget) -> Result<bool, EndReason> {
        let before = turn.steps;
        let handled = self.handle_frames(link, turn);
        if turn.steps > before {
            self.hub.flush();
        }
        handled
    }

    fn handle_frames(&mut self, link: LinkId, turn: &mut TurnBudget) -> Result<bool, EndReason> {
        while !turn.is_over() {
            if self.outbound.in_flight() >= PAUSE_BYTES
                || (self.outbound.is_behind() && !self.hub.accepts_requests(link))
            {
                return Ok(false);
            }
            let Some(frame) = self.frames.next_frame()? else {
                turn.is_waiting_for_bytes = true;
                return Ok(true);
            };
            let before = self.outbound.queued();
            let event = match frame.kind {
                FrameKind::Request => Event::Request {
                    link,
                    sequence: frame.sequence,
                    message: frame.message::<RequestMessage>()?,
                },
                FrameKind::OneWay => Event::OneWay { link, message: frame.message::<OneWay>()? },
                FrameKind::Leave => return Err(EndReason::Left),
                other => return Err(EndReason::Frame(FrameError::Kind(other as u8, 0))),
            };
            turn.did(frame.bytes());
            // A large message is not there twice while it is carried out.
            self.frames.trim();
            self.hub.apply(event);
            turn.did(self.outbound.queued().saturating_sub(before));
        }
        Ok(true)
    }

    /// Sends a client the reason why the connection ends, as far as possible.
    async fn turn_away(self, end: EndReason) {
        let Inbound { mut reader, outbound, .. } = self;
        let words = match end {
            EndReason::Frame(error) => {
                refusal(Failure::invalid(format!("the store refused this client: {error}")), false)
            }
            EndReason::Refused(failure) => refusal(*failure, false),
            // The client has received an alert already.
            EndReason::Tls(_) => None,
            EndReason::TooSlowHello if outbound.knows_speech() => refusal(
                Failure::new(Kind::Timeout, "the store refused this client: its hello took too long"),
                true,
            ),
            EndReason::Closed(Closing::Sent) => None,
            EndReason::TooSlowHello | EndReason::Left | EndReason::Lost | EndReason::Closed(_) => return,
        };
        if let Some(words) = words {
            outbound.last_words(&words);
        }
        let farewell = async move {
            outbound.close(Closing::Sent);
            poll_fn(|context| outbound.poll(context)).await;
            // The last reference: dropping it ends our direction.
            drop(outbound);
            // Closing with unread bytes would reset the connection and take our words with it.
            let mut rest = [0; 1024];
            while reader.read(&mut rest).await? > 0 {}
            std::io::Result::Ok(())
        };
        let _ = within(FAREWELL_LIMIT, farewell).await;
    }
}

fn note(end: &EndReason, peer: SocketAddr) {
    match end {
        EndReason::Left => tracing::debug!(%peer, "store client left"),
        EndReason::Lost => tracing::debug!(%peer, "store client lost"),
        EndReason::Frame(error) => warn_limited!(%peer, %error, "store connection refused"),
        EndReason::Refused(failure) => warn_limited!(%peer, reason = %failure, "store client refused"),
        EndReason::Tls(error) => {
            let reason = Failure::from(explain(error, Side::Server));
            warn_limited!(%peer, %error, %reason, "store connection refused, its handshake failed");
        }
        EndReason::TooSlowHello => {
            tracing::debug!(%peer, "store connection dropped, it did not finish its hello");
        }
        EndReason::Closed(Closing::Sent) => tracing::debug!(%peer, "store client refused membership"),
        EndReason::Closed(Closing::Broken) => tracing::debug!(%peer, "store connection broke"),
        EndReason::Closed(Closing::Rules(reason)) => warn_limited!(%peer, reason, "store client dropped"),
    }
}

async fn within<F: Future>(limit: Duration, future: F) -> Option<F::Output> {
    tokio::time::timeout(limit, future).await.ok()
}
