// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Authentication and encryption: TLS 1.3, both sides authenticated.
//!
//! [`Security`] is the policy and the identity of one store or client. The edges ask it whether a connection
//! must be encrypted and let it make rustls connections, which they run over their own sockets; nothing here
//! opens one.
//!
//! # When
//! | mode | identity | to this host | beyond |
//! |---|---|---|---|
//! | auto | yes | encrypted | encrypted |
//! | auto | no | plaintext | refused, the text says how to get an identity |
//! | on | yes | encrypted | encrypted |
//! | on | no | refused when it is set up | refused |
//! | off | any | plaintext | plaintext |
//!
//! Plaintext is reported once a process, with the reason. The decision is final: a client that has to encrypt
//! reads nothing but TLS, whatever the peer sends.
//!
//! # Users of one host
//! On a loopback connection without secret and certificates nothing would distinguish a member from any other
//! process of the host. There both ends ask the kernel for the user of the other process
//! ([`mf_base::os::users`]), and only the own user is admitted, and those that `MF_ALLOW_USERS` names: the
//! store checks before it accepts a connection, the client before it sends anything about itself. Root is a
//! user like others.
//!
//! # Identity by secret: the construction
//! All members of a job hold the same secret `K` (`MF_JOB_SECRET`). A connection is made in two steps.
//!
//! 1. TLS 1.3 with a fresh Diffie-Hellman exchange. Each side shows a raw public key (RFC 7250) of its own
//!    making; each checks that its peer holds the key it shows, but not whose it is. The result is a private
//!    channel to an *unknown peer*. Both ends compute the TLS exporter (RFC 8446, 7.5) `X` with the label
//!    `EXPORTER-memfabric-job-secret`: 32 bytes that follow from the Diffie-Hellman secret and from the
//!    handshake up to the server's last message in it.
//! 2. Inside the channel the client sends `HMAC-SHA256(K, "client" ‖ version ‖ nonces ‖ X)`. Only when it
//!    holds does the server answer `HMAC-SHA256(K, "server" ‖ version ‖ nonces ‖ X)`, and only when that
//!    holds does the client go on.
//!
//! Why that is sound:
//! - **No man in the middle.** An attacker in between has two channels, and two channels have different `X`:
//!   the shares of at least one honest end enter each, and neither end reuses one. A proof made for one
//!   channel is wrong on the other, and without `K` none can be made. So both proofs hold only if the two
//!   ends of the *same* channel know `K`; from then on TLS keeps others out. This holds although the shown
//!   keys are not checked against anything.
//! - **No replay.** `X` and both nonces are new in each connection; there are no tickets and no early data.
//! - **No reflection.** The role stands in the proof.
//! - **No oracle.** An unknown peer that connects to a store gets nothing that depends on `K`: the client
//!   proves itself first, proofs are compared in constant time, and every wrong proof gets the same answer.
//!   Each guess at the secret costs one connection. A bystander sees only ciphertext.
//! - **Forward secrecy.** `K` encrypts nothing. An attacker that gets it later can read no recorded
//!   connection.
//!
//! What it does not do: a *false server* that a client has been led to (by a wrong address or a hijacked
//! route) receives one proof, for a channel whose `X` it knows, and can try guesses of `K` against it without
//! further connections. A secret that cannot be guessed makes that useless: take at least 16 random bytes
//! (`mf run` makes 32). A shorter secret is taken with a warning. And a secret identifies the job, not the
//! member: for members that can be shut out one by one, use certificates.
//!
//! On a plaintext connection the same proofs are exchanged without `X`. They keep unknown peers out, but not
//! a man in the middle: that is the meaning of choosing plaintext.
//!
//! Rejected: deriving the key pair from `K` (the server would sign for every unknown peer with a key that a
//! guess at `K` reproduces: an oracle for guessing offline without any client); external pre-shared keys
//! (rustls has none; a weak secret suffers just as much); a password-authenticated exchange (protects weak
//! secrets from false servers too, but there is no maintained implementation to rely on; random secrets need
//! none).
//!
//! # Identity by certificates
//! Both sides show an X.509 chain that leads to one of the job's CAs ([`TlsFiles`]); revocation lists are
//! enforced where given; the server's certificate must name its address or `memfabric-store`. When the job
//! has a secret as well, the proofs above are exchanged in that channel too: both must hold.

pub mod channel;
mod expiry;
mod explain;
mod files;
mod info;
mod inspect;
mod key;
mod load;
mod peers;
mod pem;
mod plain_list;
mod policy;
mod process;
mod raw;
mod read;
mod renew;
mod verify;

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, Once};
use std::time::{Instant, SystemTime};

use mf_base::os::users;
use mf_base::settings::{Switch, settings};
use mf_base::sync::lock;
use mf_base::{Error, Result, alarm};
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, ConnectionCommon, ServerConnection};
use zeroize::Zeroizing;

pub use expiry::{Warning, check_ahead, check_period, expiry};
pub(crate) use explain::{Side, explain};
pub use files::{ConfigPaths, Decrypt, FileRole, OptionPaths, TlsFiles};
pub use inspect::{CertificateFacts, Inspected, KeyKind, RevocationFacts, Revoked, date, inspect};
pub use peers::Peers;
use policy::Configs;
pub use process::{configure, configure_key, reset};
pub(crate) use process::{encrypted, policy_for};
use renew::Renewed;

use crate::protocol::Failure;

/// The label of the exporter over which the job secret is proven.
const EXPORTER: &[u8] = b"EXPORTER-memfabric-job-secret";

/// A secret below this many bytes is taken with a warning.
const SHORT_SECRET: usize = 16;

const OPERATION: &str = "store tls";

/// Policy and identity of one store or client; see the [module documentation](self).
///
/// Thread-safe; shared as `Arc`.
pub struct Security {
    mode: Switch,
    secret: Zeroizing<Vec<u8>>,
    identity: Identity,
    /// What plaintext means is in the log already.
    is_explained: bool,
    /// Stands while one of our certificates is about to expire.
    alarm: Mutex<Option<alarm::Raised>>,
}

enum Identity {
    None,
    Raw(Configs),
    Files(Box<Renewed>),
}

impl fmt::Debug for Security {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let identity = match &self.identity {
            Identity::None => "none",
            Identity::Raw(_) => "secret",
            Identity::Files(_) => "certificates",
        };
        f.debug_struct("Security")
            .field("mode", &self.mode)
            .field("identity", &identity)
            .finish_non_exhaustive()
    }
}

impl Security {
    /// Plaintext, by the explicit choice of the caller, and no secret.
    #[must_use]
    pub fn plain() -> Arc<Self> {
        Self::made(Switch::Off, Zeroizing::default(), Identity::None)
    }

    /// Policy `mode` with the identity that `files` give, else the one that a `secret` gives. An empty secret
    /// is none.
    ///
    /// # Errors
    /// `InvalidParam` when the mode is on and there is no identity, and when a file is not usable; the text
    /// names it.
    pub fn new(mode: Switch, secret: Vec<u8>, files: Option<TlsFiles>) -> Result<Arc<Self>> {
        let secret = Zeroizing::new(secret);
        if !secret.is_empty() && secret.len() < SHORT_SECRET {
            static SHORT: Once = Once::new();
            SHORT.call_once(|| {
                tracing::warn!(
                    bytes = secret.len(),
                    "the job secret is short: a false store could guess it; take {SHORT_SECRET} random bytes or more"
                );
            });
        }
        let identity = match (mode, files) {
            (Switch::Off, _) => Identity::None,
            (_, Some(files)) => Identity::Files(Box::new(Renewed::new(files)?)),
            (_, None) if !secret.is_empty() => {
                Identity::Raw(raw::configs(policy::provider(), policy::PROTOCOL)?)
            }
            (Switch::On, None) => {
                return Err(
                    Error::invalid(OPERATION, "TLS is demanded and this process has no identity").hint(HOW)
                );
            }
            (Switch::Auto, None) => Identity::None,
        };
        let security = Self::made(mode, secret, identity);
        security.check_expiry(SystemTime::now());
        Ok(security)
    }

    fn made(mode: Switch, secret: Zeroizing<Vec<u8>>, identity: Identity) -> Arc<Self> {
        Arc::new(Self { mode, secret, identity, is_explained: false, alarm: Mutex::new(None) })
    }

    /// The same, for who has said in the log what its choice of plaintext means.
    pub(crate) fn explained(mut self: Arc<Self>) -> Arc<Self> {
        if let Some(own) = Arc::get_mut(&mut self) {
            own.is_explained = true;
        }
        self
    }

    /// The job secret; empty: none.
    pub fn secret(&self) -> &[u8] {
        &self.secret
    }

    /// Whether a connection to a store at `address` is to be encrypted.
    ///
    /// # Errors
    /// `InvalidParam` when it would leave the host and there is no identity, nor was plaintext chosen.
    pub fn must_encrypt(&self, address: IpAddr) -> Result<bool> {
        if !self.has_identity() {
            self.may_be_plain(address, "the store is not on this host")?;
        }
        Ok(self.has_identity())
    }

    /// Whether the process at the other end of a connection over the loopback, between our socket at `ours`
    /// and its own at `theirs`, may be there although nothing proves it. True where a secret or a certificate
    /// does; false when there is no process any more.
    ///
    /// # Errors
    /// `InvalidParam` it belongs to another user, or the kernel does not report to which.
    pub(crate) fn check_user(&self, ours: SocketAddr, theirs: SocketAddr) -> Result<bool> {
        if self.has_identity() || !self.secret.is_empty() || !is_this_host(theirs.ip()) {
            return Ok(true);
        }
        users::check_tcp(OPERATION, ours, theirs, &settings()?.allow_users)
    }

    /// Whether a store may listen on `address`.
    ///
    /// # Errors
    /// `InvalidParam` when others than this host reach it there and there is no identity, nor was plaintext
    /// chosen.
    pub fn may_listen(&self, address: IpAddr) -> Result<()> {
        if self.has_identity() {
            return Ok(());
        }
        self.may_be_plain(address, "other hosts can reach this store")?;
        if self.secret.is_empty() && !is_this_host(address) && !self.is_explained {
            tracing::warn!(
                %address,
                "the store admits every peer that can reach it: TLS is off and there is no job secret"
            );
        }
        Ok(())
    }

    /// Whether a client at `peer` may use plaintext with our store.
    pub fn accepts_plain(&self, peer: IpAddr) -> bool {
        match self.mode {
            Switch::Off => true,
            Switch::On => false,
            Switch::Auto => !self.has_identity() && is_this_host(peer),
        }
    }

    /// The server's end of a new connection. Reads certificates again if they changed.
    ///
    /// # Errors
    /// `InvalidParam` without identity; `Failed` when rustls refuses.
    pub(crate) fn server_connection(&self) -> Result<ServerConnection> {
        ServerConnection::new(self.configs()?.server).map_err(policy::unusable)
    }

    /// The client's end of a new connection to the store at `server`. Reads certificates again if they
    /// changed.
    ///
    /// # Errors
    /// `InvalidParam` without identity; `Failed` when rustls refuses.
    pub(crate) fn client_connection(&self, server: IpAddr) -> Result<ClientConnection> {
        let name = ServerName::IpAddress(server.to_canonical().into());
        ClientConnection::new(self.configs()?.client, name).map_err(policy::unusable)
    }

    /// Warns of certificates of this process that expire soon ([`check_ahead`]), in the log and by the alarm
    /// [`CertificateExpiry`](alarm::Code::CertificateExpiry), which ends with the first check that finds
    /// none. Done when the identity is made, and by the owner of the identity every [`check_period`].
    pub fn check_expiry(&self, now: SystemTime) -> Vec<String> {
        let Identity::Files(files) = &self.identity else { return Vec::new() };
        let ends = files.current(Instant::now());
        let soon = ends.ends.iter().filter_map(|end| {
            let warning = expiry(now, end.not_after, check_ahead())?;
            Some(format!("{} {warning}", end.what))
        });
        let texts: Vec<String> = soon.collect();
        for text in &texts {
            tracing::warn!("{text}; mf certs rotate makes a new one");
        }
        let alarm = texts.first().map(|text| alarm::raise(alarm::Code::CertificateExpiry, text));
        // The old alarm ends after the new one has begun and after the lock is released: a lasting fault is
        // reported once.
        let before = std::mem::replace(&mut *lock(&self.alarm), alarm);
        drop(before);
        texts
    }

    /// Settings of connections to etcd; none without certificates: the job secret proves members to each
    /// other, not to etcd.
    ///
    /// # Errors
    /// `InvalidParam` names a file that is not usable.
    pub(crate) fn for_etcd(&self) -> Result<Option<Arc<ClientConfig>>> {
        match &self.identity {
            Identity::Files(files) => load::for_etcd(files.files()).map(Some),
            Identity::None | Identity::Raw(_) => Ok(None),
        }
    }

    /// Whether plaintext was chosen.
    pub(crate) fn is_off(&self) -> bool {
        self.mode == Switch::Off
    }

    fn has_identity(&self) -> bool {
        !matches!(self.identity, Identity::None)
    }

    fn configs(&self) -> Result<Configs> {
        match &self.identity {
            Identity::None => {
                Err(Error::invalid(OPERATION, "this process has no identity for TLS").hint(HOW))
            }
            Identity::Raw(configs) => Ok(configs.clone()),
            Identity::Files(files) => Ok(files.current(Instant::now()).configs.clone()),
        }
    }

    fn may_be_plain(&self, address: IpAddr, what: &'static str) -> Result<()> {
        static CHOSEN: Once = Once::new();
        static LOOPBACK: Once = Once::new();
        match self.mode {
            Switch::Off if self.is_explained => {}
            // What every process of a job would say, and nobody has to look at.
            Switch::Off if is_this_host(address) => LOOPBACK.call_once(|| {
                tracing::info!(
                    "connections of the store are plaintext, because TLS was switched off; they stay on this host"
                );
            }),
            Switch::Off => CHOSEN.call_once(|| {
                tracing::warn!("connections of the store are plaintext, because TLS was switched off");
            }),
            _ if is_this_host(address) => LOOPBACK.call_once(|| {
                tracing::info!(
                    "connections of the store are plaintext: they stay on this host, and no secret is given"
                );
            }),
            _ => {
                return Err(Error::invalid(
                    OPERATION,
                    format!("{what}, and this process has no identity for TLS"),
                )
                .with("address", address)
                .hint(HOW));
            }
        }
        Ok(())
    }
}

/// How to get an identity.
const HOW: &str = "give all members the same MF_JOB_SECRET (mf run makes one), or certificates (mf certs); \
                   MF_STORE_TLS=off chooses plaintext";

fn is_this_host(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

/// The number that belongs to this very connection, for the proofs of the job secret. Call it when the
/// handshake is done.
///
/// # Errors
/// A text for the user when the peer did not agree to the store's protocol, or the handshake is not done.
pub(crate) fn exporter<Side>(connection: &ConnectionCommon<Side>) -> Result<[u8; 32], Failure> {
    if connection.alpn_protocol() != Some(policy::PROTOCOL) {
        return Err(Failure::invalid("the other side uses TLS, but not the protocol of the store")
            .hint("check the address: another program answers there, or connects here"));
    }
    connection.export_keying_material([0; 32], EXPORTER, None).map_err(|error| {
        Failure::new(mf_base::Kind::Failed, format!("the TLS connection is not complete: {error}"))
    })
}

#[cfg(test)]
mod tests;
