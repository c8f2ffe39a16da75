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
//! reads nothing but TLS, even if the peer sends plaintext.
//!
//! # Users of one host
//! On a loopback connection without secret and certificates nothing would distinguish a member from any other
//! process of the host. There both ends ask the kernel for the user of the other process
//! ([`mf_base::os::peer_credentials`]), and only the own user is admitted, and the users in `MF_ALLOW_USERS`:
//! the store checks before it accepts a connection, the client before it sends anything about itself. Root is
//! a user like others.
//!
//! # Identity by secret: the construction
//! All members of a job hold the same secret `K` (`MF_JOB_SECRET`). A connection is made in two steps.
//!
//! 1. TLS 1.3 with a fresh Diffie-Hellman exchange. Each side shows a raw public key (RFC 7250) of its own
//!    making; each checks that its peer holds the key it shows, but not the owner of that key. The result is
//!    a private channel to an *unknown peer*. Both ends compute the TLS exporter (RFC 8446, 7.5) `X` with the
//!    label `EXPORTER-memfabric-job-secret`: 32 bytes that follow from the Diffie-Hellman secret and from the
//!    handshake up to the server's last message in it.
//! 2. Inside the channel the client sends `HMAC-SHA256(K, "client" ‖ version ‖ nonces ‖ X)`. Only
//!    when it holds does the server answer `HMAC-SHA256(K, "server" ‖ version ‖ nonces ‖ X)`, and only
//!    when that holds does the client go on.
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
//! Limits: a *false server* that a client has been led to (by a wrong address or a hijacked
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
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![forbid(unsafe_code)]

pub mod channel;
mod credentials;
mod expiry;
mod files;
mod handshake;
mod inspect;
mod job_secret;
mod load;
mod peers;
mod pem;
mod plain_crl;
mod private_key;
mod process_config;
mod raw_public_key;
mod read;
mod reload;
mod rustls_config;
mod security;
mod tls_info;
mod verify;

pub use credentials::Access;
pub use expiry::{Warning, check_ahead, check_period, expiry};
pub use files::{ConfigPaths, Decrypt, FileRole, OptionPaths, TlsFiles};
pub use handshake::{HandshakeError, Side, explain, exporter};
pub use inspect::{CertificateFacts, Inspected, KeyKind, RevocationFacts, Revoked, date, inspect};
pub use job_secret::JobSecret;
pub use peers::Peers;
pub use process_config::{configure, configure_key, reset};
pub use security::Security;

const OPERATION: &str = "store tls";
