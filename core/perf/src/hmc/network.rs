// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Network kinds of the data between the processes, with their settings.

use serde::{Deserialize, Serialize};

/// A route without memory of the other process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(super) enum Network {
    /// Plaintext.
    Tcp,
    /// Encrypted.
    Tls,
}

/// Settings of both processes; without a network they map each other's memory.
pub(super) fn settings(network: Option<Network>) -> &'static [(&'static str, &'static str)] {
    // They know each other by the host that they are on.
    const NO_SECRET: (&str, &str) = ("MF_JOB_SECRET", "");
    const UNMAPPED: (&str, &str) = ("MF_SHM", "false");
    const BY_TCP: (&str, &str) = ("MF_TRANSPORTS", "tcp");
    match network {
        None => &[NO_SECRET, ("MF_SHM", "true")],
        Some(Network::Tcp) => &[NO_SECRET, UNMAPPED, BY_TCP, ("MF_NET_TLS", "auto")],
        // With the secret of their job, which encryption needs.
        Some(Network::Tls) => &[UNMAPPED, BY_TCP, ("MF_NET_TLS", "on")],
    }
}
