// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Servers and clients for tests.

use std::fmt::Debug;
use std::net::{Ipv4Addr, SocketAddr};
use std::ops::Deref;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::settings::Switch;
use mf_base::{Rank, Result};
use mf_store::rendezvous::{Options, join_session};
use mf_store::{Client, ClientOptions, Host, RankWish, Server, ServerOptions, Session, Store, Timing};
use mf_tls::Security;

/// A member of a store, of any kind.
pub(crate) trait Member: Deref<Target = Session> + Debug + Send + Sync + 'static {}

impl<S: Deref<Target = Session> + Debug + Send + Sync + 'static> Member for S {}

/// A member of a store with an elected leader, with the right of its process to lead.
#[derive(Debug)]
pub(crate) struct Hosted {
    pub(crate) host: Arc<Host>,
    store: Session,
}

impl Hosted {
    pub(crate) fn join(options: &Options) -> Result<Self> {
        let (host, store) = join_session(options)?;
        Ok(Self { host, store: store.unwrap() })
    }

    /// Returns true if the store runs with this member.
    pub(crate) fn leads(&self) -> bool {
        self.host.address().is_some()
    }
}

impl Deref for Hosted {
    type Target = Session;

    fn deref(&self) -> &Session {
        &self.store
    }
}

impl Drop for Hosted {
    fn drop(&mut self) {
        self.store.close();
        self.host.linger();
    }
}

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

/// Time in which members of most tests may resume: short, so that lost ones are soon declared lost.
pub(crate) const GRACE: Duration = Duration::from_millis(50);

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
