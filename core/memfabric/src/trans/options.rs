// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Options of an endpoint.

use std::time::Duration;

use mf_smem::trans::{self, Options};

use super::Endpoint;
use crate::Result;
use crate::certificates::Certificates;
use crate::error::Wrap;
use crate::process::prepare;

/// Role of an endpoint. With any role, both sides read and write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// It sends.
    Sender,
    /// It receives.
    Receiver,
    /// Both.
    Both,
}

/// Options of an endpoint, from [`Endpoint::builder`].
#[derive(Clone, Debug)]
#[must_use = "create makes the endpoint"]
pub struct EndpointBuilder(Options);

impl EndpointBuilder {
    pub(super) fn new(store_url: impl Into<String>, name: impl Into<String>) -> Self {
        Self(Options::new(store_url, name))
    }

    /// Sets its role (default: both).
    pub fn role(self, role: Role) -> Self {
        Self(self.0.role(match role {
            Role::Sender => trans::Role::Sender,
            Role::Receiver => trans::Role::Receiver,
            Role::Both => trans::Role::Both,
        }))
    }

    /// Bounds connecting to the store (default 120 s).
    pub fn init_timeout(self, limit: Duration) -> Self {
        Self(self.0.init_timeout(limit))
    }

    /// Sets the listen address for others, in the form of the setting `MF_NIC`.
    pub fn nic(self, nic: impl Into<String>) -> Self {
        Self(self.0.nic(nic))
    }

    /// Sets certificates towards the store; with any, connections to other processes are encrypted, too.
    pub fn certificates(self, certificates: Certificates) -> Self {
        Self(self.0.certificates(certificates.files()))
    }

    /// Sets the logical number of an accelerator, to transfer its memory too (default: none).
    pub fn device(self, device: u16) -> Self {
        Self(self.0.device(device))
    }

    /// Takes the name at the store, and publishes there how this process is reached. Blocks at most for the
    /// init timeout. Others may transfer as soon as it returns.
    ///
    /// # Errors
    /// `InvalidParam` the name, the URL, the listen address or the timeout · `Duplicated` another
    /// endpoint has the name · `Timeout`, `NotConnected` there is no store · `NotExist` no accelerator of
    /// that number.
    pub fn create(self) -> Result<Endpoint> {
        prepare()?;
        trans::Endpoint::create(self.0).map(Endpoint::new).wrap()
    }
}
