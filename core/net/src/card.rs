// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Card: the addresses by which others reach a process.

use mf_base::{Error, Kind, Result};
use serde::{Deserialize, Serialize};

const OP: &str = "network";

/// Card: the addresses of a process, in the directory of its job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// Its session.
    pub session: u64,
    /// Name of its host, for texts.
    pub host: String,
    /// Number of its process there, for texts.
    pub pid: u32,
    /// Addresses by the name of the transport.
    pub addresses: Vec<(String, Vec<u8>)>,
}

impl Card {
    /// Encodes it.
    ///
    /// # Errors
    /// Only when memory is short.
    pub fn encode(&self) -> Result<Vec<u8>> {
        postcard::to_allocvec(self).map_err(|error| Error::new(Kind::Failed, OP).source(error.to_string()))
    }

    /// Decodes a card.
    ///
    /// # Errors
    /// `InvalidParam` if malformed.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        postcard::from_bytes(bytes).map_err(|error| {
            Error::invalid(OP, "the card of a member is not readable").source(error.to_string())
        })
    }
}
