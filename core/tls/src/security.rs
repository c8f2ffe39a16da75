// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Policy and identity of one store or client: which connections are encrypted, and the TLS connections
//! themselves.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, Once};
use std::time::{Instant, SystemTime};

use mf_base::os::peer_credentials;
use mf_base::settings::{Switch, settings};
use mf_base::sync::lock;
use mf_base::{Error, Result, alarm};
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, ServerConnection};
use zeroize::Zeroizing;

use crate::expiry::{check_ahead, expiry};
use crate::files::TlsFiles;
use crate::reload::Renewed;
use crate::rustls_config::{self, Configs};
use crate::{OPERATION, load, raw_public_key};

/// A secret below this many bytes is taken with a warning.
const SHORT_SECRET: usize = 16;

/// Policy and identity of one store or client; see the [crate documentation](crate).
///
/// Thread-safe; shared as `Arc`.
pub struct Security {
    mode: Switch,
    secret: Zeroizing<Vec<u8>>,
    identity: Identity,
    /// The log already explains plaintext.
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

    /// Policy `mode` with the identity of `files`, else of `secret`. An empty secret counts as
    /// missing.
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
                Identity::Raw(raw_public_key::configs(rustls_config::provider(), rustls_config::PROTOCOL)?)
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

    /// The same, for callers that have logged the consequences of plaintext themselves.
    pub fn explained(mut self: Arc<Self>) -> Arc<Self> {
        if let Some(own) = Arc::get_mut(&mut self) {
            own.is_explained = true;
        }
        self
    }

    /// The job secret; empty: none.
    pub fn secret(&self) -> &[u8] {
        &self.secret
    }

    /// Returns true if a connection to a store at `address` is to be encrypted.
    ///
    /// # Errors
    /// `InvalidParam` when it would leave the host and there is no identity, nor was plaintext chosen.
    pub fn must_encrypt(&self, address: IpAddr) -> Result<bool> {
        if !self.has_identity() {
            self.may_be_plain(address, "the store is not on this host")?;
        }
        Ok(self.has_identity())
    }

    /// Checks the user of the process at the other end of a loopback connection, between our socket at `ours`
    /// and its own at `theirs`. Returns true without a check if a secret or a certificate authenticates it,
    /// and false if the process has ended.
    ///
    /// # Errors
    /// `InvalidParam` it belongs to another user, or the kernel does not report to which.
    pub fn check_user(&self, ours: SocketAddr, theirs: SocketAddr) -> Result<bool> {
        if self.has_identity() || !self.secret.is_empty() || !is_this_host(theirs.ip()) {
            return Ok(true);
        }
        peer_credentials::check_tcp(OPERATION, ours, theirs, &settings()?.allow_users)
    }

    /// Checks that a store may listen on `address`.
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

    /// Returns true if a client at `peer` may use plaintext with our store.
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
    pub fn server_connection(&self) -> Result<ServerConnection> {
        ServerConnection::new(self.configs()?.server).map_err(rustls_config::unusable)
    }

    /// The client's end of a new connection to the store at `server`. Reads certificates again if they
    /// changed.
    ///
    /// # Errors
    /// `InvalidParam` without identity; `Failed` when rustls refuses.
    pub fn client_connection(&self, server: IpAddr) -> Result<ClientConnection> {
        let name = ServerName::IpAddress(server.to_canonical().into());
        ClientConnection::new(self.configs()?.client, name).map_err(rustls_config::unusable)
    }

    /// Warns of certificates of this process that expire soon ([`check_ahead`]), in the log and by the alarm
    /// [`CertificateExpiry`](alarm::Code::CertificateExpiry), which ends with the first check that finds
    /// none. Done when the identity is made, and by the owner of the identity every
    /// [`check_period`](crate::check_period).
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
    pub fn for_etcd(&self) -> Result<Option<Arc<ClientConfig>>> {
        match &self.identity {
            Identity::Files(files) => load::for_etcd(files.files()).map(Some),
            Identity::None | Identity::Raw(_) => Ok(None),
        }
    }

    /// Returns true if plaintext was chosen.
    pub fn is_off(&self) -> bool {
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
            // Every process of a job would log it, and no one needs it.
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

/// Remedy: sources of an identity.
const HOW: &str = "give all members the same MF_JOB_SECRET (mf run makes one), or certificates (mf certs); \
                   MF_STORE_TLS=off chooses plaintext";

fn is_this_host(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

#[cfg(test)]
mod tests;
