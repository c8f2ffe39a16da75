// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The process that `mf perf acc` starts: a message server, an HTTP server, and plain sockets.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use mf_acc::frame::Message;
use mf_acc::hello::Hello;
use mf_acc::http::Method;
use mf_acc::{Bounds, HttpOptions, HttpRequest, Link, Protocol, Server, TcpOptions, Times};
use mf_base::{Error, Kind, Result};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde::{Deserialize, Serialize};

use super::super::echo;
use crate::members::{print_value, wait_for_end};

pub(super) const OPERATION: &str = "mf perf acc";
/// Most links that are measured at a time.
const LINKS_MAX: usize = 65_536;
/// Messages that come back.
pub(super) const ECHO: i16 = 1;
/// Messages that are served, and that is all.
pub(super) const SERVED: i16 = 2;
/// Messages that come back without a body.
pub(super) const COUNTED: i16 = 3;
/// Handshake of both sides.
pub(super) const HELLO: Hello = Hello { magic: 3867, version: 1, reconnect: 0, rank: 0 };

/// Listen address of all servers.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) struct Served {
    pub(super) message_port: u16,
    pub(super) http_port: u16,
    pub(super) echo_port: u16,
}

/// Serves until the input ends.
pub(crate) fn main() -> Result<()> {
    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
    raise_descriptors();
    let messages = Server::new(Protocol::Messages);
    messages.on_new_link(Some(Arc::new(|_: &Hello, _: &Arc<Link>| 0)));
    messages.on_broken(Some(Arc::new(|_: &Arc<Link>| {})));
    messages.on_request(
        ECHO,
        Some(Arc::new(|message: &Message, body: &[u8], link: &Arc<Link>| {
            i32::from(link.send((ECHO, 0, message.sequence), body, &[], false).is_err())
        })),
    );
    messages.on_request(SERVED, Some(Arc::new(|_: &Message, _: &[u8], _: &Arc<Link>| 0)));
    messages.on_request(
        COUNTED,
        Some(Arc::new(|message: &Message, _: &[u8], link: &Arc<Link>| {
            i32::from(link.send((COUNTED, 0, message.sequence), &[], &[], false).is_err())
        })),
    );
    let times = Times::default();
    let listen = (HERE, 0);
    messages.start_tcp(
        &TcpOptions {
            listen: Some(listen),
            workers: 4,
            queue: 255,
            magic: HELLO.magic,
            version: HELLO.version,
            times,
            // The links that are measured come from one address.
            bounds: Bounds { links: LINKS_MAX, links_of_address: LINKS_MAX, ..Bounds::default() },
        },
        None,
    )?;
    let http = Server::new(Protocol::Http);
    http.on_broken(Some(Arc::new(|_: &Arc<Link>| {})));
    http.on_http(
        Method::Get,
        "/health",
        Arc::new(|request: &Arc<HttpRequest>| {
            i32::from(request.reply(200, "text/plain", b"well\n").is_err())
        }),
    )?;
    http.start_http(
        &HttpOptions { listen, workers: 2, body_bytes_max: 10 << 20, times, bounds: Bounds::default() },
        None,
    )?;
    let echo_port = echo::serve()?;
    let port = |server: &Server| server.address().map(|address| address.port()).ok_or_else(|| no_port(""));
    print_value(&Served { message_port: port(&messages)?, http_port: port(&http)?, echo_port })?;
    wait_for_end();
    Ok(())
}

fn no_port(why: &str) -> Error {
    Error::new(Kind::Failed, OPERATION).what("no port to listen on").with("why", why)
}

/// Raises the limit of descriptors to the hard limit. Returns the new value.
pub(super) fn raise_descriptors() -> u64 {
    let limit = getrlimit(Resource::Nofile);
    let _as_it_was = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}
