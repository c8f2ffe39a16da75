// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Servers for the tests of this folder.

#![allow(dead_code, reason = "each test uses some of it")]

use std::io::{ErrorKind, Read};
use std::net::{IpAddr, Ipv4Addr, TcpStream};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use mf_acc::frame::Message;
use mf_acc::hello::Hello;
use mf_acc::{Bounds, Link, Protocol, Server, TcpOptions, Times, code};
use mf_tls::TlsFiles;

/// A type of messages.
pub(crate) const ECHO: i16 = 7;
/// Hello of clients.
pub(crate) const HELLO: Hello = Hello { magic: 3867, version: 1, reconnect: 0, rank: 0 };
/// Timeout of every wait.
pub(crate) const LIMIT: Duration = Duration::from_secs(60);
const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// A message that arrived.
pub(crate) struct Answer {
    pub(crate) result: i16,
    pub(crate) sequence: u32,
    pub(crate) body: Vec<u8>,
}

pub(crate) fn listening(workers: u16) -> TcpOptions {
    TcpOptions {
        listen: Some((HERE, 0)),
        workers,
        queue: 32,
        magic: HELLO.magic,
        version: HELLO.version,
        times: Times { pause: Duration::from_millis(1), ..Times::default() },
        bounds: Bounds::default(),
    }
}

/// Creates a started server whose requests go to `serve`.
pub(crate) fn server(
    workers: u16,
    serve: impl Fn(&Message, &[u8], &Arc<Link>) + Send + Sync + 'static,
) -> Server {
    server_with(&listening(workers), serve)
}

/// Like `server`, with other options.
pub(crate) fn server_with(
    options: &TcpOptions,
    serve: impl Fn(&Message, &[u8], &Arc<Link>) + Send + Sync + 'static,
) -> Server {
    let server = Server::new(Protocol::Messages);
    server.on_new_link(Some(Arc::new(|_: &Hello, _: &Arc<Link>| 0)));
    server.on_broken(Some(Arc::new(|_: &Arc<Link>| {})));
    server.on_request(
        ECHO,
        Some(Arc::new(move |message: &Message, body: &[u8], link: &Arc<Link>| {
            serve(message, body, link);
            0
        })),
    );
    server.start_tcp(options, None).unwrap();
    server
}

/// Creates a server that sends messages back.
pub(crate) fn echo(workers: u16) -> Server {
    server(workers, |message, body, link| {
        let _ = link.send((message.kind, message.result, message.sequence), body, &[], message.crc.is_some());
    })
}

/// Like `echo`, living until the process ends.
pub(crate) fn echo_kept() -> &'static Server {
    Box::leak(Box::new(echo(1)))
}

/// Creates a started client. Returns its received messages, too.
pub(crate) fn client() -> (Server, mpsc::Receiver<Answer>) {
    client_with(None)
}

/// Like `client`, with certificates.
pub(crate) fn client_with(files: Option<TlsFiles>) -> (Server, mpsc::Receiver<Answer>) {
    let client = Server::new(Protocol::Messages);
    let (found, answers) = mpsc::channel();
    client.on_broken(Some(Arc::new(|_: &Arc<Link>| {})));
    client.on_request(
        ECHO,
        Some(Arc::new(move |message: &Message, body: &[u8], _: &Arc<Link>| {
            let _ = found.send(Answer {
                result: message.result,
                sequence: message.sequence,
                body: body.to_vec(),
            });
            0
        })),
    );
    client.start_tcp(&TcpOptions { listen: None, ..listening(2) }, files).unwrap();
    (client, answers)
}

/// Returns the address at which servers listen.
pub(crate) fn address_here() -> IpAddr {
    HERE
}

pub(crate) fn address(server: &Server) -> (IpAddr, u16) {
    let address = server.address().unwrap();
    (address.ip(), address.port())
}

pub(crate) fn connect(client: &Server, server: &Server) -> Arc<Link> {
    connect_as(client, server, &HELLO)
}

pub(crate) fn connect_as(client: &Server, server: &Server, hello: &Hello) -> Arc<Link> {
    let (address, port) = address(server);
    client.connect(address, port, hello, 3).unwrap()
}

/// Returns the next item, which must come before the timeout.
pub(crate) fn next<T>(items: &mpsc::Receiver<T>) -> T {
    items.recv_timeout(LIMIT).unwrap()
}

/// Sends, and retries while the queue is full.
pub(crate) fn send_when_there_is_room(link: &Arc<Link>, what: (i16, i16, u32), body: &[u8]) {
    loop {
        match link.send(what, body, &[], false) {
            Ok(()) => return,
            Err(error) if code::code_of(&error) == code::QUEUE_FULL => std::thread::yield_now(),
            Err(error) => panic!("{error}"),
        }
    }
}

/// Waits until the other side has closed the connection.
pub(crate) fn is_closed(socket: &mut TcpStream) -> bool {
    let mut buffer = [0; 4096];
    loop {
        match socket.read(&mut buffer) {
            Ok(0) => return true,
            Ok(_) => {}
            Err(error) => return error.kind() == ErrorKind::ConnectionReset,
        }
    }
}
