// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Authentication of the other end of a connection, and encryption between hosts.
//!
//! Members of a job share a token, 32 bytes that the store gave to each after it had proved itself there. A
//! connection between two of them begins with a conversation ([`Handshake`]) in which each end proves that it
//! knows the token, and its identity in the job. It results in a [`Stream`]. A process may be a member of
//! several jobs: the hello names the job, by its public number, and selects the token.
//!
//! # The conversation
//! | | message | file |
//! |---|---|---|
//! | 1 | between hosts: TLS 1.3, both ends with fresh keys that identify neither. `X` is a number that both export from it | `mf_tls::channel` |
//! | 2 | client: hello, the job, its identity, the expected peer, a nonce | `hello.rs`, `talk.rs` |
//! | 3 | server: a nonce; or that it does not speak this version, is in no such job, or takes no plaintext | |
//! | 4 | client: `HMAC-SHA256(token, "client" ‖ hello ‖ nonce ‖ X)` | |
//! | 5 | server: its identity, and `HMAC-SHA256(token, "server" ‖ hello ‖ nonce ‖ X ‖ its answer)`; or that the proof is wrong | |
//!
//! The properties of the proofs of `mf_tls` hold here: no third party in the middle, because two channels
//! have two `X`; no replay, no reflection, no oracle, forward secrecy. Besides, both proofs cover rank and
//! session of both ends: a process that came back under its old rank is not taken for the one before it, and
//! its answer to a peer that expects that one ("rank 3 is another process now") is proved as well. A peer
//! without the token receives one nonce and one number.
//!
//! On plaintext the conversation is the same without `X`. That keeps unknown peers out, but not a third party
//! that intercepts the connection.
//!
//! # When
//! | `MF_NET_TLS` | to a loopback address | beyond |
//! |---|---|---|
//! | auto | plaintext | encrypted |
//! | on | encrypted | encrypted |
//! | off | plaintext | plaintext, with one line in the log |
//!
//! The client decides by the address that it connects to, the server by the peer's address. A client that
//! speaks TLS is always taken; one that speaks plaintext where TLS is demanded is refused, and notified of
//! that.
//!
//! # After it
//! The data is not sent through the TLS library but in records of our own making (`record.rs`), as QUIC does
//! it: TLS makes the channel, agrees on a cipher and exports secrets; the records are sealed with keys that
//! follow from those. On the wire they have the form of TLS records, so that no middlebox on the path drops
//! them. The reasons:
//! - The library has buffers of its own: it copies a byte once when it sends and twice when it receives, and
//!   allocates for every record. It takes and gives slices, and the memory of a pool, which other processes
//!   change at any time, may not be one: that would be a further copy on each side. Here a byte is copied
//!   once on each side (`stream.rs`).
//! - Its reads of a socket are 4 KiB; ours take all available bytes, up to 128 KiB.
//! - Each direction is independent, so that one thread may seal while another opens.
//!
//! Rejected: the library's interface without buffers, which gives no access to exporters, so that proofs
//! could not be bound to the channel; TLS in the kernel, which many machines do not offer.
//!
//! # Figures
//! `MF_TEST_SPEED_MIB=256 cargo test --release -p mf-fabric --lib secure::tests::speed -- --nocapture`: two
//! threads over loopback, two cores (EPYC) shared with other work, best of 7 rounds, GB/s, AES-128-GCM:
//!
//! | message | rustls that reads the socket | rustls fed by large reads | sealed here | plain |
//! |---|---|---|---|---|
//! | 4 KiB | 1.35 | 1.28 | 1.88 | 2.09 |
//! | 64 KiB | 1.37 | 1.34 | 1.62 | 2.74 |
//! | 1 MiB | 1.64 | 1.27 | 1.94 | 3.39 |
//! | 16 MiB | 1.67 | 1.83 | 2.59 | 3.24 |
//!
//! So 1.2 to 1.4 of rustls at its best.

#[cfg(feature = "fuzzing")]
pub(crate) mod fuzzing;
mod handshake;
mod hello;
mod record;
mod stream;
mod talk;

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Once};

use mf_base::Result;
use mf_base::os::random;
use mf_base::settings::Switch;
use mf_tls::channel::Channels;
use zeroize::Zeroizing;

pub(crate) use handshake::{Handshake, Step};
use mf_transport::Peer;
pub(crate) use stream::{Received, Receiving, Sending, Stream};
use talk::{Member, OPERATION, Talk};

/// Name of the protocol in the TLS handshake.
const PROTOCOL: &[u8] = b"memfabric-net/1";
/// Of the number over which the proofs are made.
const PROOF_LABEL: &[u8] = b"EXPORTER-memfabric-net-proof";
/// Of the secrets from which the keys of each direction follow.
const CLIENT_KEYS: &[u8] = b"EXPORTER-memfabric-net-client";
const SERVER_KEYS: &[u8] = b"EXPORTER-memfabric-net-server";

/// The identity of a member in this process, and its demands on others.
pub(crate) struct Identity {
    me: Peer,
    token: Zeroizing<[u8; 32]>,
    tls: Switch,
    channels: Arc<Channels>,
}

impl Identity {
    /// Member `me` of the job with this token.
    pub(crate) fn new(me: Peer, token: [u8; 32], tls: Switch, channels: Arc<Channels>) -> Arc<Self> {
        if tls == Switch::Off {
            static SAID: Once = Once::new();
            SAID.call_once(|| {
                tracing::warn!(
                    "data between hosts is sent as plaintext, because MF_NET_TLS is off: others on the path can read and change it"
                );
            });
        }
        Arc::new(Self { me, token: Zeroizing::new(token), tls, channels })
    }

    /// Returns true if a connection to this address, or from it, is encrypted.
    pub(crate) fn encrypts(&self, address: IpAddr) -> bool {
        match self.tls {
            Switch::On => true,
            Switch::Off => false,
            Switch::Auto => !address.to_canonical().is_loopback(),
        }
    }

    /// Begins to talk to `peer`, which is to be at `address`.
    ///
    /// # Errors
    /// `Failed` when the kernel gives no random numbers.
    pub(crate) fn client(self: &Arc<Self>, peer: Peer, address: SocketAddr) -> Result<Handshake> {
        let mut hello = Vec::new();
        let talk = Talk::client(self.me, *self.token, random(OPERATION)?, peer, &mut hello);
        Handshake::client(self, talk, hello, address)
    }
}

/// Returns this process's factory of TLS channels.
///
/// # Errors
/// `Failed` when the kernel gives no random numbers.
pub(crate) fn channels() -> Result<Channels> {
    Channels::new(PROTOCOL)
}

/// Waits for the handshake of a peer that connected. `find` returns the wanted member, or another that
/// answers for its job.
///
/// # Errors
/// `Failed` when the kernel gives no random numbers.
pub(crate) fn accept(
    find: impl Fn(Peer) -> Option<Arc<Identity>> + Send + 'static,
    channels: &Arc<Channels>,
    from: SocketAddr,
) -> Result<Handshake> {
    let member = move |wanted| {
        let identity = find(wanted)?;
        let takes_plaintext = !identity.encrypts(from.ip());
        Some(Member { me: identity.me, token: identity.token.clone(), takes_plaintext })
    };
    let (talk, channels) = (Talk::server(member, random(OPERATION)?), Arc::clone(channels));
    Ok(Handshake::server(talk, move || channels.server(), from))
}

#[cfg(test)]
mod tests;
