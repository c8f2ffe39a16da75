// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Connecting to another server, on the caller's thread, so that it works in every callback.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Instant;

use mf_base::os::stream;
use mf_base::os::stream::Stream;
use mf_base::{Error, Kind, Result, Retry};
use rustls::Connection;

use crate::code;
use crate::hello::{ANSWER_BYTES, Answer, Hello, Verdict};
use crate::link::{Link, format_address};
use crate::server_state::{ServerState, not_started};

const OP: &str = "acc connect";

/// Connects, in at most `attempts` attempts.
pub(crate) fn connect(
    server: &Arc<ServerState>,
    address: IpAddr,
    port: u16,
    hello: &Hello,
    attempts: u32,
) -> Result<Arc<Link>> {
    let mut failure = Error::new(Kind::Failed, OP)
        .what("no attempt to connect was asked for")
        .with("max_retry_times", attempts);
    for attempt in 1..=attempts {
        if server.is_stopping() {
            return Err(not_started(OP));
        }
        match connect_once(server, SocketAddr::new(address, port), hello) {
            Ok(link) => return Ok(link),
            // Another attempt would get the same answer.
            Err(error) if code::code_of(&error) == code::REFUSED => return Err(error),
            Err(error) => failure = error.with("attempts", attempt),
        }
        if attempt < attempts {
            server.pause(server.times.pause);
        }
    }
    match server.is_stopping() {
        true => Err(not_started(OP)),
        false => Err(failure.with("peer", format_address(address, port))),
    }
}

fn connect_once(server: &Arc<ServerState>, address: SocketAddr, hello: &Hello) -> Result<Arc<Link>> {
    let end = Instant::now() + server.times.connect;
    let unreachable = |error: io::Error| {
        let (kind, code) = match error.kind() {
            ErrorKind::TimedOut | ErrorKind::WouldBlock => (Kind::Timeout, code::TIMEOUT),
            _ => (Kind::NotConnected, code::NOT_READY),
        };
        Error::new(kind, OP)
            .what("the server cannot be reached")
            .retry(Retry::Later)
            .code_of_family(code)
            .source(error)
    };
    let socket = stream::connect(address, server.times.connect).map_err(unreachable)?;
    let socket = Arc::new(socket);
    let noted = server.begin_connecting(&socket)?;
    let left = end.saturating_duration_since(Instant::now()).max(std::time::Duration::from_millis(1));
    socket.set_nodelay(true).map_err(unreachable)?;
    socket.set_read_timeout(Some(left)).map_err(unreachable)?;
    socket.set_write_timeout(Some(left)).map_err(unreachable)?;
    let mut tls = match &server.tls {
        Some(tls) => Some(tls.connect(address.ip())?),
        None => None,
    };
    let mut answer = [0; ANSWER_BYTES];
    let asked = match &mut tls {
        None => exchange_hello(&mut Both(&socket), hello, &mut answer),
        Some(tls) => exchange_hello(&mut rustls::Stream::new(tls, &mut Both(&socket)), hello, &mut answer),
    };
    asked.map_err(|error| match error.kind() {
        // A wrong certificate, another protocol: another attempt would fail alike.
        ErrorKind::InvalidData => refused(address, "TLS failed").source(error),
        ErrorKind::UnexpectedEof => unreachable(error)
            .hint("another program may listen there, or one end has TLS and the other has not"),
        _ => unreachable(error),
    })?;
    let Some(Answer(verdict)) = Answer::read(&answer) else {
        return Err(refused(address, "no such server answers there"));
    };
    match verdict {
        Verdict::Taken => {}
        Verdict::Magic(theirs) => {
            return Err(refused(address, "the server has another magic")
                .with("ours", hello.magic)
                .with("theirs", theirs));
        }
        Verdict::Version(theirs) => {
            return Err(refused(address, "the server has another version")
                .with("ours", hello.version)
                .with("theirs", theirs));
        }
        Verdict::Refused(code) => {
            return Err(refused(address, "the program of the server refuses the link").with("code", code));
        }
        Verdict::Full => return Err(refused(address, "the server has no room for another link")),
    }
    drop(noted);
    let socket = Arc::try_unwrap(socket).or_else(|socket| socket.try_clone()).map_err(unreachable)?;
    let link = Link::connected(server, socket, tls.map(Connection::from))?;
    if server.is_stopping() {
        return Err(not_started(OP));
    }
    Ok(link)
}

fn exchange_hello(stream: &mut (impl Read + Write), hello: &Hello, answer: &mut [u8]) -> io::Result<()> {
    stream.write_all(&hello.bytes())?;
    stream.flush()?;
    stream.read_exact(answer)
}

#[cold]
fn refused(address: SocketAddr, what: &str) -> Error {
    Error::new(Kind::NotConnected, OP).what(what).with("peer", address).code_of_family(code::REFUSED)
}

/// Reads a socket, and writes it without raising signals.
struct Both<'a>(&'a TcpStream);

impl Read for Both<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut socket = self.0;
        socket.read(buffer)
    }
}

impl Write for Both<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Stream(self.0).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
