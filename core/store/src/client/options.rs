// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Options of a client.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::{Error, Rank, Result};
use mf_tls::Security;

use crate::api::RankWish;
use crate::protocol::{RankRequest, limits};
use crate::timing::Timing;

/// Called after each attempt that found no store; returns the addresses to try from now on, if they have
/// changed.
pub type AbsentFn = Arc<dyn Fn() -> Option<Vec<SocketAddr>> + Send + Sync>;

impl RankWish {
    pub(crate) fn on_the_wire(self) -> RankRequest {
        match self {
            RankWish::Any => RankRequest::Any,
            RankWish::Ordered => RankRequest::Ordered,
            RankWish::Prefer(rank) => RankRequest::Prefer(rank.0),
            RankWish::Exactly(rank) => RankRequest::Exactly(rank.0),
            RankWish::Guest => RankRequest::Guest,
        }
    }

    fn rank(self) -> Option<Rank> {
        match self {
            RankWish::Prefer(rank) | RankWish::Exactly(rank) => Some(rank),
            RankWish::Any | RankWish::Ordered | RankWish::Guest => None,
        }
    }
}

/// Options to become a member.
#[derive(Clone)]
pub struct ClientOptions {
    /// Addresses of the store, tried in order; one that does not lead names the leader.
    pub candidates: Vec<SocketAddr>,
    /// Ranks of the job; must be the same for all members. 0 for guests.
    pub world_size: u32,
    /// The rank of this member.
    pub wish: RankWish,
    /// Number of the device this member uses; orders automatic ranks on one machine.
    pub device: u16,
    /// True if the server runs in this process; as a rule such a member gets rank 0.
    pub hosts_store: bool,
    /// When to give up waiting for the server and for a rank.
    pub connect_deadline: Instant,
    /// Longest wait for the reply to a request.
    pub request_timeout: Duration,
    /// The job secret, and whether to encrypt.
    pub security: Arc<Security>,
    /// Longest search for the successor of a store that announced its end. As a rule a member on the same
    /// machine takes over at once, or none does.
    pub successor: Duration,
    /// Longest silence of the store's host before the connection counts as broken, and longest search for a
    /// lost store before the session is given up.
    pub timing: Timing,
    /// Called after each attempt that found no store, also when it went away later: a place to start one.
    pub while_absent: Option<AbsentFn>,
    /// Name of the job; empty: any.
    pub job: String,
}

impl ClientOptions {
    /// A member of the store at `server` that takes any rank, with the defaults of all settings; 30 s to
    /// connect.
    pub fn new(server: SocketAddr, world_size: u32, security: Arc<Security>) -> Self {
        let timeout = Duration::from_secs(30);
        Self {
            candidates: vec![server],
            world_size,
            wish: RankWish::Any,
            device: 0,
            hosts_store: false,
            connect_deadline: super::after(timeout),
            request_timeout: timeout,
            security,
            successor: Duration::from_secs(5),
            timing: Timing::default(),
            while_absent: None,
            job: String::new(),
        }
    }

    pub(super) fn check(&self, operation: &'static str) -> Result<()> {
        if self.candidates.is_empty() {
            return Err(Error::invalid(operation, "no address of a store was given"));
        }
        if self.wish == RankWish::Guest && self.world_size == 0 {
            return Ok(());
        }
        limits::check_world_size(self.world_size).map_err(|failure| failure.into_error(operation))?;
        match self.wish.rank() {
            Some(rank) if rank.0 >= self.world_size => Err(Error::invalid(
                operation,
                format!("rank {rank} is outside the world of {} ranks", self.world_size),
            )),
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for ClientOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientOptions")
            .field("candidates", &self.candidates)
            .field("world_size", &self.world_size)
            .field("wish", &self.wish)
            .field("device", &self.device)
            .field("request_timeout", &self.request_timeout)
            .field("timing", &self.timing)
            .field("job", &self.job)
            .finish_non_exhaustive()
    }
}
