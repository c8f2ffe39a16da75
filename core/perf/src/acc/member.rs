// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The process that `mf perf acc` starts: a message server, an HTTP server, and plain sockets.

use std::ffi::CStr;

use mf_base::{Error, Kind, Result};
use mf_library::abi::{AccConnectRequest, AccHttpOptions, AccTcpOptions};
use mf_library::messages::{Received, Server};
use mf_measure::members::{print_value, wait_for_end};
use mf_program::ports::free_ports;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde::{Deserialize, Serialize};

use super::super::echo;

pub(super) const OPERATION: &str = "mf perf acc";
pub(super) const HERE: &CStr = c"127.0.0.1";
/// Links that a server takes from one address at most, and some more for what else is measured.
pub(super) const LINKS_OF_SERVER: u32 = 4000;
/// Messages that come back.
pub(super) const ECHO: i16 = 1;
/// Messages that are served, and that is all.
pub(super) const SERVED: i16 = 2;
/// Messages that come back without a body.
pub(super) const COUNTED: i16 = 3;
/// Handshake of both sides.
pub(super) fn hello() -> AccConnectRequest {
    AccConnectRequest { magic: 3867, version: 1, reconnect: 0, rank_id: 0 }
}

/// Options of a server of messages that listens at a port, or only connects.
pub(super) fn options(port: Option<u16>, workers: u16) -> AccTcpOptions {
    AccTcpOptions {
        listen_ip: HERE.as_ptr(),
        listen_port: port.unwrap_or(0),
        worker_count: workers,
        link_send_queue_size: 255,
        magic: hello().magic,
        version: hello().version,
        enable_listener: u8::from(port.is_some()),
    }
}

/// Listen address of all servers.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Served {
    /// Of the servers of messages: the first one is measured, the others take links that do nothing.
    message_ports: Vec<u16>,
    pub(super) http_port: u16,
    pub(super) echo_port: u16,
}

impl Served {
    /// The port of a server of messages.
    pub(super) fn message_port(&self, server: u32) -> Result<u16> {
        let port = self.message_ports.get(server as usize).copied();
        port.ok_or_else(|| Error::new(Kind::Failed, OPERATION).what("too few servers for the links"))
    }
}

/// Serves until the input ends; so many links that do nothing are coming.
pub(crate) fn main(links: u32) -> Result<()> {
    raise_descriptors();
    let count = links.div_ceil(LINKS_OF_SERVER).max(1);
    let messages = (0..count).map(|_| serve_messages()).collect::<Result<Vec<_>>>()?;
    let mut http = Server::of_http()?;
    http.answer_get(c"/health", b"well\n")?;
    let [http_port] = free_ports()?;
    http.start_http(&AccHttpOptions {
        listen_ip: HERE.as_ptr(),
        listen_port: http_port,
        worker_count: 2,
        max_body_size: 10 << 20,
    })?;
    let message_ports = messages.iter().map(|(port, _)| *port).collect();
    print_value(&Served { message_ports, http_port, echo_port: echo::serve()? })?;
    wait_for_end();
    Ok(())
}

fn serve_messages() -> Result<(u16, Server)> {
    let mut messages = Server::of_messages()?;
    messages.on_message(ECHO, |(sequence, body, link): Received<'_>| link.try_send(ECHO, sequence, body));
    messages.on_message(SERVED, |_: Received<'_>| 0);
    messages.on_message(COUNTED, |(sequence, _, link): Received<'_>| link.try_send(COUNTED, sequence, &[]));
    let [port] = free_ports()?;
    messages.start_messages(&options(Some(port), 4))?;
    Ok((port, messages))
}

/// Raises the limit of descriptors to the hard limit. Returns the new value.
pub(super) fn raise_descriptors() -> u64 {
    let limit = getrlimit(Resource::Nofile);
    let _as_it_was = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}
