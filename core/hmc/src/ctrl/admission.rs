// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Admission of links.
//!
//! | the peer is | without a secret | with the job's secret |
//! |---|---|---|
//! | on this host | a process of our user, or of one in `MF_ALLOW_USERS`, by its kernel credentials | the same; both prove the secret, unless one has none |
//! | elsewhere | refused | both prove the secret, inside TLS |
//!
//! A peer without the secret is admitted on this host, for programs that know no secrets: the kernel vouches
//! for their user. An *open* channel admits every peer from every host, in plaintext.

use std::io;
use std::net::SocketAddr;
use std::os::fd::AsFd;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use mf_base::os::{peer_credentials, socket};
use mf_base::settings::{Settings, Users, settings};
use mf_base::{Error, Kind, Result};
use mf_tls::JobSecret;
use mf_tls::channel::{Channel, Channels};
use rustix::io::Errno;

use super::HELLO_TIMEOUT;
use crate::host::is_own;
use crate::insecure_mode;

const PROTOCOL: &[u8] = b"memfabric-hmc-ctrl/1";
/// Bytes that a channel accepts at once, however much of a record (16,406 bytes at most, in a buffer of
/// 18,437) it holds already: decrypted bytes are read before it gets more, which it refuses when full.
const PIECE_BYTES: usize = 1 << 10;
const PROOF_LABEL: &[u8] = b"EXPORTER-memfabric-hmc-ctrl-proof";

/// Rules for admitting peers.
pub struct Rules {
    secret: JobSecret,
    allowed: Users,
    is_open: bool,
    hello_limit: Duration,
    channels: OnceLock<Channels>,
}

/// The two ends of a connection.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ends {
    /// Unix sockets.
    Local,
    Tcp {
        ours: SocketAddr,
        theirs: SocketAddr,
        is_own: bool,
    },
}

impl Ends {
    /// Creates the ends of a TCP connection. A host may connect with itself from any of its addresses.
    pub(super) fn tcp(ours: SocketAddr, theirs: SocketAddr) -> Self {
        let is_same = ours.ip().to_canonical() == theirs.ip().to_canonical();
        Self::Tcp { ours, theirs, is_own: is_same || is_own(theirs.ip()).unwrap_or(false) }
    }

    /// Returns the two ends of a TCP connection.
    pub(super) fn of_socket(op: &'static str, socket: &impl AsFd) -> Result<Self> {
        let ours = rustix::net::getsockname(socket).and_then(SocketAddr::try_from);
        let theirs = rustix::net::getpeername(socket)
            .and_then(|theirs| theirs.map_or(Err(Errno::NOTCONN), SocketAddr::try_from));
        match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => Ok(Self::tcp(ours, theirs)),
            (Err(errno), _) | (_, Err(errno)) => Err(Error::new(Kind::NotConnected, op)
                .what("the connection is gone")
                .source(io::Error::from(errno))),
        }
    }

    /// Returns true if both are on this host.
    pub(super) fn are_here(self) -> bool {
        match self {
            Self::Local => true,
            Self::Tcp { is_own, .. } => is_own,
        }
    }
}

impl Rules {
    /// Creates the rules of a job with this secret (empty for none).
    pub fn new(secret: JobSecret, allowed: Users, is_open: bool) -> Arc<Self> {
        Self::with_hello_limit(secret, allowed, is_open, HELLO_TIMEOUT)
    }

    /// Like `new`, with another time limit for a peer's hello.
    pub fn with_hello_limit(
        secret: JobSecret,
        allowed: Users,
        is_open: bool,
        hello_limit: Duration,
    ) -> Arc<Self> {
        Arc::new(Self { secret, allowed, is_open, hello_limit, channels: OnceLock::new() })
    }

    pub(super) fn hello_limit(&self) -> Duration {
        self.hello_limit
    }

    /// Reads the rules from the settings `MF_JOB_SECRET`, `MF_JOB_SECRET_FILE`, `MF_ALLOW_USERS` and
    /// `MF_HMC_OPEN`.
    ///
    /// # Errors
    /// `InvalidParam` the file of the secret is not usable.
    pub fn from_settings(settings: &Settings) -> Result<Arc<Self>> {
        let secret = JobSecret::from_settings(settings)?;
        let is_open = insecure_mode::is_enabled(settings, &secret);
        Ok(Self::new(secret, settings.allow_users.clone(), is_open))
    }

    /// Returns the rules of this process, by its settings.
    ///
    /// # Errors
    /// As [`from_settings`](Self::from_settings); and `InvalidParam` a setting cannot be read.
    pub fn of_process() -> Result<&'static Arc<Self>> {
        static RULES: OnceLock<Arc<Rules>> = OnceLock::new();
        match RULES.get() {
            Some(rules) => Ok(rules),
            None => {
                let made = Self::from_settings(settings()?)?;
                Ok(RULES.get_or_init(|| made))
            }
        }
    }

    pub(super) fn secret(&self) -> Option<&[u8]> {
        Some(self.secret.as_bytes()).filter(|secret| !secret.is_empty())
    }

    pub(super) fn is_open(&self) -> bool {
        self.is_open
    }

    /// Returns true if the link between these ends is encrypted.
    pub(super) fn encrypts(&self, ends: Ends) -> bool {
        !self.is_open && !ends.are_here()
    }

    /// Refuses a peer that is not admitted, before any byte is read. Returns false if it is gone already, or
    /// not there yet.
    pub(super) fn admits(&self, op: &'static str, socket: impl AsFd, ends: Ends) -> Result<bool> {
        if self.is_open {
            return Ok(true);
        }
        match ends {
            Ends::Local => {
                let peer = socket::credentials(socket)?;
                peer_credentials::check(op, peer.uid, &self.allowed).map(|()| true)
            }
            Ends::Tcp { ours, theirs, is_own: true } => {
                peer_credentials::check_tcp(op, ours, theirs, &self.allowed)
            }
            Ends::Tcp { theirs, .. } if self.secret().is_none() => Err(Error::new(Kind::NotConnected, op)
                .what("the peer is on another host, and this process has no secret")
                .with("peer", theirs)
                .hint(
                    "give all members the same MF_JOB_SECRET (mf run makes one); MF_HMC_OPEN=1 on all of them does without",
                )),
            Ends::Tcp { .. } => Ok(true),
        }
    }

    /// Creates one end of a TLS channel.
    pub(super) fn channel(&self, is_client: bool) -> Result<Channel> {
        let channels = match self.channels.get() {
            Some(channels) => channels,
            None => {
                let made = Channels::new(PROTOCOL)?;
                self.channels.get_or_init(|| made)
            }
        };
        if is_client { channels.client() } else { channels.server() }
    }
}

/// Returns the exporter value that only the two ends of a channel know.
pub(super) fn binding(channel: Option<&Channel>) -> Result<Option<[u8; 32]>> {
    channel.map(|channel| channel.export(PROOF_LABEL)).transpose()
}

/// Takes bytes of the socket; appends the decrypted ones.
pub(super) fn decrypt(channel: &mut Channel, bytes: &[u8], plain: &mut Vec<u8>) -> Result<()> {
    // A channel holds one record of plaintext: it is emptied before it can be full.
    for piece in bytes.chunks(PIECE_BYTES) {
        let received = channel.receive(piece);
        channel.read(plain);
        received?;
    }
    Ok(())
}
