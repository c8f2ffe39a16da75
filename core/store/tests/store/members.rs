// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Servers and clients for tests.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::settings::Switch;
use mf_base::{Rank, Result};
use mf_store::{Client, ClientOptions, RankWish, Server, ServerOptions, Timing};
use mf_tls::Security;

/// Timing of tests; the lease is far longer than anything takes.
pub(crate) fn timing(resume_grace: Duration) -> Timing {
    Timing {
        lease: Duration::from_secs(5),
        resume_grace,
        rank_window: Duration::from_millis(100),
        reconnect: TIMEOUT,
    }
}

/// The longest that anything in a test may take.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);

pub(crate) fn deadline() -> Instant {
    Instant::now() + TIMEOUT
}

pub(crate) fn any_port() -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, 0))
}

/// The secret of jobs that have one.
pub(crate) const SECRET: &[u8] = b"the secret of this test's job";

pub(crate) fn security() -> Arc<Security> {
    Security::new(Switch::Auto, SECRET.to_vec(), None).unwrap()
}

/// No secret: plaintext on the loopback.
pub(crate) fn no_security() -> Arc<Security> {
    Security::new(Switch::Auto, Vec::new(), None).unwrap()
}

pub(crate) fn server_options(world_size: u32) -> ServerOptions {
    ServerOptions::new(any_port(), world_size, no_security())
}

pub(crate) fn secret_server_options(world_size: u32) -> ServerOptions {
    ServerOptions::new(any_port(), world_size, security())
}

pub(crate) fn start(options: ServerOptions) -> Server {
    Server::start(options).unwrap()
}

pub(crate) fn server(world_size: u32) -> Server {
    start(server_options(world_size))
}

pub(crate) fn secret_server(world_size: u32) -> Server {
    start(secret_server_options(world_size))
}

pub(crate) fn client_options(server: SocketAddr, world_size: u32, rank: Option<u32>) -> ClientOptions {
    ClientOptions {
        wish: rank.map_or(RankWish::Any, |rank| RankWish::Exactly(Rank(rank))),
        ..ClientOptions::new(server, world_size, no_security())
    }
}

pub(crate) fn client(server: &Server, world_size: u32, rank: Option<u32>) -> Result<Client> {
    Client::connect(client_options(server.address(), world_size, rank))
}

pub(crate) fn secret_client(server: &Server, world_size: u32, rank: Option<u32>) -> Result<Client> {
    let options = client_options(server.address(), world_size, rank);
    Client::connect(ClientOptions { security: security(), ..options })
}
