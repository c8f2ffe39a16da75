// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One connection, from accept to its end.

use std::future::Future;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};

use super::hub::{Entered, Hub};
use super::outbound::{Closing, Outbound};
use crate::api::Cause;
use crate::protocol::auth::{self, Nonces, Role};
use crate::protocol::frame::{FrameBuffer, FrameError, FrameKind, encode};
use crate::protocol::{Challenge, Failure, Hello, Join};
use crate::state::{Arrival, Event};
use mf_base::Kind;

/// A connection that has not proved itself by then is dropped.
const HELLO_LIMIT: Duration = Duration::from_secs(5);
/// How long the last words to a refused client may take.
const FAREWELL_LIMIT: Duration = Duration::from_secs(1);

/// Why a connection ends.
enum End {
    Goodbye,
    Lost,
    Closed(Closing),
    Frame(FrameError),
    Refused(Failure),
    TooSlowHello,
}

impl From<FrameError> for End {
    fn from(error: FrameError) -> Self {
        End::Frame(error)
    }
}

/// Serves one client until it or we close.
pub(super) async fn run(entered: Entered, stream: TcpStream, peer: SocketAddr) {
    let Entered { hub, session } = &entered;
    // Without it small replies wait for the acknowledgement of the one before; it is an optimisation, not a must.
    let _ = stream.set_nodelay(true);
    let (mut reader, mut writer) = stream.into_split();
    let mut frames = FrameBuffer::new();
    let hello = within(HELLO_LIMIT, meet(hub, &mut reader, &mut writer, &mut frames)).await;
    let join = match hello.unwrap_or(Err(End::TooSlowHello)) {
        Ok(join) => join,
        Err(end) => {
            turn_away(end, peer, &mut reader, &mut writer).await;
            return;
        }
    };
    tracing::trace!(%peer, session, "store client proved itself");
    frames.trust();
    let outbound = Rc::new(Outbound::new(writer, join.proof));
    hub.attach(*session, Rc::clone(&outbound));
    let arrival = Arrival {
        world_size: join.join.world_size,
        rank: join.join.rank,
        device: join.join.device,
        hosts_store: join.join.hosts_store,
        address: peer.ip(),
        timeout_us: join.join.timeout_us,
    };
    hub.apply(Event::Join { session: *session, arrival });
    hub.flush();
    let end = attend(hub, *session, &mut reader, &outbound, &mut frames).await;
    hub.detach(*session);
    let cause = if matches!(end, End::Goodbye) { Cause::Left } else { Cause::Lost };
    note(&end, peer);
    hub.apply(Event::End { session: *session, cause });
    hub.flush();
}

/// Refuses a connection that there is no room for.
pub(super) fn refuse_at_once(stream: &TcpStream, why: String) {
    let failure = Failure::new(Kind::NoResources, why);
    let mut bytes = Vec::new();
    if encode(FrameKind::Refused, 0, &failure, &mut bytes).is_ok() {
        let _ = stream.try_write(&bytes);
    }
}

struct Met {
    join: Join,
    /// The server's proof.
    proof: [u8; 32],
}

/// The hello: both sides send their number at once, then the client proves itself and says what it wants.
async fn meet(
    hub: &Rc<Hub>,
    reader: &mut OwnedReadHalf,
    writer: &mut OwnedWriteHalf,
    frames: &mut FrameBuffer,
) -> Result<Met, End> {
    let own = auth::random("store hello").map_err(|_| End::Closed(Closing::Broken))?;
    let mut bytes = Vec::new();
    encode(FrameKind::Challenge, 0, &Challenge { nonce: own }, &mut bytes)?;
    writer.write_all(&bytes).await.map_err(|_| End::Lost)?;
    let hello: Hello = expect(reader, frames, FrameKind::Hello).await?;
    let join: Join = expect(reader, frames, FrameKind::Join).await?;
    let nonces = Nonces { client: hello.nonce, server: own };
    let secret = &hub.identity.secret;
    if !auth::holds(secret, Role::Client, &nonces, &join.proof) {
        return Err(End::Refused(crate::protocol::secret_differs()));
    }
    Ok(Met { proof: auth::prove(secret, Role::Server, &nonces), join })
}

async fn expect<T: serde::de::DeserializeOwned>(
    reader: &mut OwnedReadHalf,
    frames: &mut FrameBuffer,
    kind: FrameKind,
) -> Result<T, End> {
    loop {
        if let Some(frame) = frames.next_frame()? {
            if frame.kind != kind {
                return Err(End::Frame(FrameError::Kind(frame.kind as u8, 0)));
            }
            return Ok(frame.message()?);
        }
        match reader.read(frames.space()).await {
            Ok(0) | Err(_) => return Err(End::Lost),
            Ok(bytes) => frames.filled(bytes),
        }
    }
}

/// Frames in, bytes out, until one side closes.
async fn attend(
    hub: &Rc<Hub>,
    session: u64,
    reader: &mut OwnedReadHalf,
    outbound: &Outbound,
    frames: &mut FrameBuffer,
) -> End {
    loop {
        // All that has arrived is handled before anything is sent: one write answers a burst.
        let handled = handle(hub, session, frames);
        hub.flush();
        if let Err(end) = handled {
            return end;
        }
        tokio::select! {
            read = reader.read(frames.space()) => match read {
                Ok(0) | Err(_) => return End::Lost,
                Ok(bytes) => frames.filled(bytes),
            },
            why = outbound.pump() => return End::Closed(why),
        }
    }
}

fn handle(hub: &Rc<Hub>, session: u64, frames: &mut FrameBuffer) -> Result<(), End> {
    while let Some(frame) = frames.next_frame()? {
        match frame.kind {
            FrameKind::Request => {
                let (sequence, request) = (frame.sequence, frame.message()?);
                hub.apply(Event::Request { session, sequence, request });
            }
            FrameKind::Goodbye => return Err(End::Goodbye),
            other => return Err(End::Frame(FrameError::Kind(other as u8, 0))),
        }
    }
    Ok(())
}

/// Tells a client why it may not in, as far as it is one, and closes.
async fn turn_away(end: End, peer: SocketAddr, reader: &mut OwnedReadHalf, writer: &mut OwnedWriteHalf) {
    note(&end, peer);
    let failure = match end {
        End::Refused(failure) => failure,
        End::Frame(error) => Failure::invalid(format!("the store refused this client: {error}")),
        End::TooSlowHello => {
            Failure::new(Kind::Timeout, "the store refused this client: its hello took too long")
        }
        End::Goodbye | End::Lost | End::Closed(_) => return,
    };
    let mut bytes = Vec::new();
    if encode(FrameKind::Refused, 0, &failure, &mut bytes).is_err() {
        return;
    }
    let farewell = async {
        writer.write_all(&bytes).await?;
        writer.shutdown().await?;
        // Closing with unread bytes would reset the connection and take our words with it.
        let mut rest = [0; 1024];
        while reader.read(&mut rest).await? > 0 {}
        std::io::Result::Ok(())
    };
    let _ = within(FAREWELL_LIMIT, farewell).await;
}

fn note(end: &End, peer: SocketAddr) {
    match end {
        End::Goodbye => tracing::debug!(%peer, "store client left"),
        End::Lost => tracing::debug!(%peer, "store client lost"),
        End::Frame(error) => tracing::warn!(%peer, %error, "store connection refused"),
        End::Refused(failure) => tracing::warn!(%peer, ?failure, "store client refused"),
        End::TooSlowHello => tracing::debug!(%peer, "store connection dropped, it did not finish its hello"),
        End::Closed(Closing::Sent) => tracing::debug!(%peer, "store client refused membership"),
        End::Closed(Closing::Broken) => tracing::debug!(%peer, "store connection broke"),
        End::Closed(Closing::Slow) => tracing::warn!(%peer, "store client dropped, it does not read"),
        End::Closed(Closing::Rules(reason)) => tracing::warn!(%peer, reason, "store client dropped"),
    }
}

async fn within<F: Future>(limit: Duration, future: F) -> Option<F::Output> {
    tokio::time::timeout(limit, future).await.ok()
}
