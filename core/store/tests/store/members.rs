// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Servers and clients for tests.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use mf_base::{Rank, Result};
use mf_store::{Client, ClientOptions, Server, ServerOptions};

/// The longest that anything in a test may take.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) fn deadline() -> Instant {
    Instant::now() + PATIENCE
}

pub(crate) fn any_port() -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, 0))
}

pub(crate) fn server_options(world_size: u32) -> ServerOptions {
    ServerOptions {
        listen: any_port(),
        world_size,
        secret: Vec::new(),
        rank_window: Duration::from_millis(100),
    }
}

pub(crate) fn server(world_size: u32) -> Server {
    Server::start(server_options(world_size)).unwrap()
}

pub(crate) fn client_options(server: SocketAddr, world_size: u32, rank: Option<u32>) -> ClientOptions {
    ClientOptions {
        server,
        world_size,
        rank: rank.map(Rank),
        device: 0,
        hosts_store: false,
        connect_deadline: deadline(),
        request_timeout: PATIENCE,
        secret: Vec::new(),
    }
}

pub(crate) fn client(server: &Server, world_size: u32, rank: Option<u32>) -> Result<Client> {
    Client::connect(client_options(server.address(), world_size, rank))
}
