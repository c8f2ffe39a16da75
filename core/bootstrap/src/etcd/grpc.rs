// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Calls of etcd over HTTP/2, as gRPC frames them: one request message, one answer message, and a status at
//! the end.

use std::error::Error as StdError;
use std::io;
use std::sync::Arc;

use bytes::{BufMut, Bytes, BytesMut};
use h2::client::SendRequest;
use http::{HeaderMap, Request, Response};
use mf_base::Kind;
use mf_base::os::descriptor;
use prost::Message;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpSocket, TcpStream};
use tokio_rustls::TlsConnector;

use super::messages::Call;

/// Largest answer that is taken: a full page of large values.
const LARGEST_ANSWER_BYTES: usize = 64 << 20;
/// Bytes of an answer that may be in flight.
const WINDOW_BYTES: u32 = 4 << 20;
/// In front of each message: whether it is compressed, and its length.
const PREFIX_BYTES: usize = 5;

/// Why a call failed.
#[derive(Clone, Debug)]
pub(super) enum Fault {
    /// It may have happened or not, or may happen still.
    Unknown(String),
    /// The lease that it names has ended.
    LeaseGone,
    /// It has not happened and never will.
    Refused(Kind, String),
}

impl Fault {
    fn unknown(error: &(dyn StdError + 'static)) -> Self {
        Self::Unknown(chain(error))
    }

    /// The fault of a status that is not 0.
    fn of_status(code: &str, text: String) -> Self {
        match code {
            "5" if text.contains("lease not found") => Self::LeaseGone,
            "8" if text.contains("space exceeded") => Self::Refused(Kind::NoResources, text),
            "8" if text.contains("too many requests") => Self::Unknown(text),
            "7" | "16" => Self::Refused(Kind::InvalidParam, format!("etcd refuses access: {text}")),
            "3" | "5" | "6" | "8" | "9" | "11" | "12" => Self::Refused(Kind::Failed, text),
            _ => Self::Unknown(format!("{text} (gRPC status {code})")),
        }
    }
}

/// An error with all that lie below it.
fn chain(error: &(dyn StdError + 'static)) -> String {
    let mut text = error.to_string();
    let mut below = error.source();
    while let Some(error) = below {
        let more = error.to_string();
        if !text.contains(&more) {
            text += &format!(": {more}");
        }
        below = error.source();
    }
    text
}

/// Connects to the first address of `place` that accepts.
async fn connect(place: &str) -> io::Result<TcpStream> {
    let mut failed = io::Error::from(io::ErrorKind::InvalidInput);
    for address in tokio::net::lookup_host(place).await? {
        let make = if address.is_ipv4() { TcpSocket::new_v4 } else { TcpSocket::new_v6 };
        match descriptor::reserving(make)?.connect(address).await {
            Ok(stream) => return Ok(stream),
            Err(error) => failed = error,
        }
    }
    Err(failed)
}

/// A connection to one member of the cluster. Its clones share it; it ends with the last of them, or with its
/// runtime.
#[derive(Clone)]
pub(super) struct Connection {
    requests: SendRequest<Bytes>,
    /// Scheme and authority.
    origin: String,
}

impl Connection {
    /// Connects to `place`, a `host:port`, encrypted if `tls` is given. Within a tokio runtime.
    pub(super) async fn open(place: &str, tls: Option<&Arc<ClientConfig>>) -> Result<Self, Fault> {
        let stream = connect(place).await.map_err(|error| Fault::unknown(&error))?;
        // Without it answers are slower, nothing else.
        let _ = stream.set_nodelay(true);
        match tls {
            None => Self::over(stream, format!("http://{place}")).await,
            Some(config) => {
                let host = place.rsplit_once(':').map_or(place, |(host, _)| host);
                let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
                let name = ServerName::try_from(host)
                    .map_err(|error| Fault::Refused(Kind::InvalidParam, error.to_string()))?;
                let stream = TlsConnector::from(Arc::clone(config)).connect(name, stream).await;
                let stream = stream.map_err(|error| Fault::unknown(&error))?;
                Self::over(stream, format!("https://{place}")).await
            }
        }
    }

    async fn over(
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        origin: String,
    ) -> Result<Self, Fault> {
        let mut builder = h2::client::Builder::new();
        builder.initial_window_size(WINDOW_BYTES).initial_connection_window_size(WINDOW_BYTES);
        let (requests, connection) =
            builder.handshake(stream).await.map_err(|error| Fault::unknown(&error))?;
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection to etcd ended");
            }
        });
        Ok(Self { requests, origin })
    }

    /// Makes a call; sets no time limit.
    pub(super) async fn call<C: Call>(&self, call: &C) -> Result<C::Answer, Fault> {
        let request = Request::post(format!("{}{}", self.origin, C::PATH))
            .header("content-type", "application/grpc")
            .header("te", "trailers")
            // A member without a leader answers with an error at once.
            .header("hasleader", "true")
            .body(())
            .map_err(|error| Fault::Refused(Kind::InvalidParam, error.to_string()))?;
        let mut requests = self.requests.clone().ready().await.map_err(|error| Fault::unknown(&error))?;
        let (response, mut body) =
            requests.send_request(request, false).map_err(|error| Fault::unknown(&error))?;
        body.send_data(framed(call)?, true).map_err(|error| Fault::unknown(&error))?;
        let answer = receive(response.await.map_err(|error| Fault::unknown(&error))?).await?;
        C::Answer::decode(answer).map_err(|error| Fault::Unknown(format!("not an answer of etcd: {error}")))
    }
}

fn framed(message: &impl Message) -> Result<Bytes, Fault> {
    let bytes = message.encoded_len();
    let length = u32::try_from(bytes)
        .map_err(|_| Fault::Refused(Kind::Failed, format!("a request of {bytes} bytes is too large")))?;
    let mut frame = BytesMut::with_capacity(PREFIX_BYTES + bytes);
    frame.put_u8(0);
    frame.put_u32(length);
    frame.extend_from_slice(&message.encode_to_vec());
    Ok(frame.freeze())
}

/// The message of an answer, once its status is good.
async fn receive(response: Response<h2::RecvStream>) -> Result<Bytes, Fault> {
    let (head, mut body) = response.into_parts();
    // An answer without a message has its status in the head.
    check(&head.headers, false)?;
    if !head.status.is_success() {
        return Err(Fault::Unknown(format!("what answers is not etcd: HTTP status {}", head.status)));
    }
    let mut answer = BytesMut::new();
    while let Some(piece) = body.data().await {
        let piece = piece.map_err(|error| Fault::unknown(&error))?;
        // Only a stream that has ended gives none back.
        let _ = body.flow_control().release_capacity(piece.len());
        if answer.len() + piece.len() > LARGEST_ANSWER_BYTES {
            return Err(Fault::Unknown(format!("an answer has more than {LARGEST_ANSWER_BYTES} bytes")));
        }
        answer.extend_from_slice(&piece);
    }
    let trailers = body.trailers().await.map_err(|error| Fault::unknown(&error))?;
    check(&trailers.unwrap_or_default(), true)?;
    let message = answer.freeze();
    let length = message.get(1..PREFIX_BYTES).and_then(|length| <[u8; 4]>::try_from(length).ok());
    match (message.first(), length.map(u32::from_be_bytes)) {
        (Some(0), Some(length)) if message.len() - PREFIX_BYTES == length as usize => {
            Ok(message.slice(PREFIX_BYTES..))
        }
        _ => Err(Fault::unknown(&io::Error::from(io::ErrorKind::UnexpectedEof))),
    }
}

/// The status among these headers; `required`: there must be one.
fn check(headers: &HeaderMap, required: bool) -> Result<(), Fault> {
    let text = |name| headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()));
    match text("grpc-status").as_deref() {
        Some("0") => Ok(()),
        Some(code) => {
            Err(Fault::of_status(code, unescaped(text("grpc-message").as_deref().unwrap_or_default())))
        }
        None if required => Err(Fault::Unknown("the answer has no status".to_owned())),
        None => Ok(()),
    }
}

/// Decodes percent-encoded text.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let number = (*first == b'%').then(|| behind.get(..2)).flatten();
        let number = number.and_then(|digits| u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok());
        bytes.push(number.unwrap_or(*first));
        rest = if number.is_some() { behind.get(2..).unwrap_or_default() } else { behind };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_texts_are_read() {
        assert_eq!(unescaped("a%20b%2"), "a b%2");
        assert_eq!(unescaped("%zz%e2%82%ac"), "%zz\u{20ac}");
    }

    #[test]
    fn grpc_status_tells_if_a_call_may_have_happened() {
        assert!(matches!(Fault::of_status("14", String::new()), Fault::Unknown(_)));
        assert!(matches!(Fault::of_status("7", String::new()), Fault::Refused(Kind::InvalidParam, _)));
        assert!(matches!(Fault::of_status("5", "requested lease not found".to_owned()), Fault::LeaseGone));
    }
}
