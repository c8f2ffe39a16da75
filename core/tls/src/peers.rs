// SPDX-License-Identifier: Apache-2.0 OR MIT
//! TLS 1.3 by certificates for other protocols than the store's: the same checks of files and peers, under a
//! protocol name of the caller.
//!
//! Names in certificates are compared where [`TlsFiles::verify_name`] says so.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use mf_base::Result;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, ServerConfig, ServerConnection};

use crate::files::TlsFiles;
use crate::reload::Renewed;
use crate::rustls_config;

/// An identity by certificates that makes connections of one protocol; both ends show certificates.
pub struct Peers {
    identity: Renewed,
    protocol: &'static [u8],
}

impl fmt::Debug for Peers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Peers").field("files", self.identity.files()).finish_non_exhaustive()
    }
}

impl Peers {
    /// Reads the files; later connections follow their changes.
    ///
    /// # Errors
    /// `InvalidParam` names the file that is not usable.
    pub fn new(files: TlsFiles, protocol: &'static [u8]) -> Result<Self> {
        Ok(Self { identity: Renewed::new(files)?, protocol })
    }

    /// The end of a new connection that listens.
    ///
    /// # Errors
    /// `Failed` when rustls refuses.
    pub fn accept(&self) -> Result<ServerConnection> {
        let loaded = self.identity.current(Instant::now());
        let mut config = ServerConfig::clone(&loaded.configs.server);
        config.alpn_protocols = vec![self.protocol.to_vec()];
        ServerConnection::new(Arc::new(config)).map_err(rustls_config::unusable)
    }

    /// The end of a new connection that dials.
    ///
    /// # Errors
    /// `Failed` when rustls refuses.
    pub fn connect(&self, server: IpAddr) -> Result<ClientConnection> {
        let loaded = self.identity.current(Instant::now());
        let mut config = ClientConfig::clone(&loaded.configs.client);
        config.alpn_protocols = vec![self.protocol.to_vec()];
        let name = ServerName::IpAddress(server.to_canonical().into());
        ClientConnection::new(Arc::new(config), name).map_err(rustls_config::unusable)
    }
}
