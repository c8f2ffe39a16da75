// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests of the control channel: between channels of one process, of several processes, and with peers that
//! write its bytes by hand.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "what goes wrong here fails the test; patterns of bytes"
)]

mod begin;
mod ends;
mod legacy;
mod processes;
mod simultaneous_connect;
mod speed;
mod talk;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::settings::Users;
use mf_base::{Error, Kind, Result};
use mf_hmc::ctrl::frame::{INTEGER, RESERVED, STRUCT};
use mf_hmc::ctrl::{Control, Expected, Listen, Peer, Rules};
use mf_tls::JobSecret;

const LIMIT: Option<Duration> = Some(Duration::from_secs(30));
const TAG: Expected = Expected { kind: INTEGER, bytes: 8 };

fn rules(secret: &str) -> Arc<Rules> {
    Rules::new(JobSecret::new(secret), Users::default(), false)
}

/// Creates a separate channel, as another process would have it.
fn control() -> &'static Control {
    Box::leak(Box::default())
}

/// A free path, removed when the test ends.
struct File(PathBuf);

impl File {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("mf-hmc-{name}-{}.sock", std::process::id()));
        let _ = std::fs::remove_file(&path);
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Creates a listening channel. Returns its port, too.
fn listening(rules: &Arc<Rules>) -> (&'static Control, u16) {
    let server = control();
    let at = Listen { tcp: Some(("127.0.0.1", 0)), unix: None };
    (server, server.start(rules, at).unwrap().unwrap())
}

/// Creates rank 0, which listens, and rank 1, connected to it.
fn pair() -> (&'static Control, &'static Control) {
    let ((server, port), client) = (listening(&rules("")), control());
    client.connect_tcp(&rules(""), 0, "127.0.0.1", port, 1).unwrap();
    (server, client)
}

fn send_tag(control: &Control, peer: u32, tag: u64) {
    control.send(Peer::Rank(peer), INTEGER, 0, &tag.to_le_bytes()).unwrap();
}

fn receive_tag(control: &Control, peer: u32) -> Result<u64> {
    let mut tag = 0;
    control.receive_into(Peer::Rank(peer), LIMIT, TAG, |bytes| {
        tag = u64::from_le_bytes(bytes.try_into().unwrap());
    })?;
    Ok(tag)
}

fn wait_for(what: &str, condition: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(30);
    while !condition() {
        assert!(Instant::now() < end, "{what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn broken(error: &Error, why: &str) {
    assert_eq!(error.kind(), Kind::NotConnected, "{error}");
    assert!(error.to_string().contains(why), "{error}");
}

/// Encodes a first frame without a secret.
fn hello(rank: u32) -> Vec<u8> {
    frame(STRUCT, RESERVED, &rank.to_le_bytes())
}

fn frame(kind: u16, flags: u16, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap();
    [&kind.to_le_bytes()[..], &flags.to_le_bytes(), &length.to_le_bytes(), payload].concat()
}
