// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Rendezvous by a rank table: all ranks have the same text and share nothing else.
//!
//! Rank 0 creates the memory and listens, under a name derived from the text, until all ranks have joined;
//! the others connect to it. The name is an abstract socket, which ends with its owner. A rank that connects
//! too early retries, and so does one that meets rank 0 of an earlier, complete communicator of the same
//! table.

use std::io::{ErrorKind, Read, Write};
use std::os::fd::OwnedFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixStream};
use std::time::Duration;

use serde_json::Value;

use mf_base::os::descriptor;
use rustix::net::SocketFlags;

use super::code;
use super::root::Address;
use super::shared::MOST_RANKS;
use crate::fault::{Fault, Outcome, ensure};
use crate::machine::machine;

/// Read timeout while waiting for an answer.
const TIMEOUT: Duration = Duration::from_secs(2);

/// Ranks of a table.
#[derive(Debug, PartialEq, Eq)]
pub struct RankTable {
    /// Device of each rank on its server, by rank.
    pub devices: Vec<u32>,
    hash: u128,
}

/// FNV-1a, going on from `hash`: the same in every build.
fn hashed(hash: u128, text: &str) -> u128 {
    text.bytes()
        .fold(hash, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013b))
}

impl RankTable {
    /// Reads a table.
    ///
    /// # Errors
    /// `HCCL_E_PARA` for an invalid table.
    pub fn parse(text: &str) -> Outcome<Self> {
        let wrong = |why: String| Fault::new(code::PARA, format_args!("the rank table: {why}"));
        let table: Value = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
        let servers = table.get("server_list").and_then(Value::as_array);
        let servers = servers.ok_or_else(|| wrong("server_list is missing".to_owned()))?;
        let mut ranks = Vec::new();
        for server in servers {
            let devices = server.get("device").and_then(Value::as_array);
            for device in devices.ok_or_else(|| wrong("a server has no list device".to_owned()))? {
                let field = |name: &str| {
                    number(device.get(name)).ok_or_else(|| wrong(format!("a device has no number {name}")))
                };
                ranks.push((field("rank_id")?, field("device_id")?));
            }
        }
        ranks.sort_unstable();
        ensure(!ranks.is_empty() && ranks.len() <= MOST_RANKS as usize, code::PARA, || {
            format!("the rank table has {} ranks", ranks.len())
        })?;
        for (expected, (rank, _)) in (0..).zip(&ranks) {
            ensure(expected == *rank, code::PARA, || {
                format!("the rank table has a rank {rank} where {expected} would come next")
            })?;
        }
        let hash = hashed(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, &table.to_string());
        let devices = ranks.into_iter().map(|(_, device)| device).collect();
        Ok(Self { devices, hash })
    }

    /// Refuses a rank that the table does not have, or that has another device there.
    ///
    /// # Errors
    /// `HCCL_E_PARA`.
    pub fn check(&self, rank: u32, device: &crate::device::Device) -> Outcome {
        let listed = self.devices.get(rank as usize).copied();
        let listed = listed.ok_or_else(|| {
            Fault::new(code::PARA, format_args!("rank {rank} of a table of {} ranks", self.devices.len()))
        })?;
        check_device(listed, device)
    }

    /// Returns the socket address of rank 0.
    fn place(&self) -> Outcome<SocketAddr> {
        let user = rustix::process::geteuid().as_raw();
        let hash = hashed(self.hash, &machine()?.config.session);
        let name = format!("ascend-sim-hccl/{user}/{hash:032x}");
        SocketAddr::from_abstract_name(name)
            .map_err(|error| Fault::new(code::INTERNAL, format_args!("no name for a rank table: {error}")))
    }

    /// Starts to listen; returns `None` while another process does.
    ///
    /// # Errors
    /// `HCCL_E_INTERNAL`.
    pub fn listen(&self) -> Outcome<Option<Listener>> {
        let internal = |error| Fault::new(code::INTERNAL, format_args!("listening for ranks: {error}"));
        match descriptor::listen_unix(&self.place()?) {
            Ok(listener) => {
                listener.set_nonblocking(true).map_err(internal)?;
                Ok(Some(Listener(listener.into())))
            }
            Err(error) if error.kind() == ErrorKind::AddrInUse => Ok(None),
            Err(error) => Err(internal(error)),
        }
    }

    /// Queries rank 0; returns `None` without an answer.
    ///
    /// # Errors
    /// `HCCL_E_INTERNAL`.
    pub fn query(&self) -> Outcome<Option<Address>> {
        let Ok(mut stream) = descriptor::connect_unix(&self.place()?) else { return Ok(None) };
        let mut answer = [0; 16];
        let read = stream.set_read_timeout(Some(TIMEOUT)).and_then(|()| stream.read_exact(&mut answer));
        let (words, _) = answer.as_chunks::<8>();
        Ok(match (read, words) {
            (Ok(()), [number, secret]) => {
                Some(Address { number: u64::from_le_bytes(*number), secret: u64::from_le_bytes(*secret) })
            }
            _ => None,
        })
    }
}

/// Assumed: a table that gives a rank another device than the current one is refused.
fn check_device(listed: u32, device: &crate::device::Device) -> Outcome {
    ensure(listed == device.logical() || listed == device.user, code::PARA, || {
        format!("the rank table says device {listed}, current is {}", device.user)
    })
}

/// Listening socket of rank 0.
pub struct Listener(OwnedFd);

impl Listener {
    /// Answers all pending connections.
    pub fn answer(&self, address: Address) {
        while let Ok(stream) = descriptor::accept(&self.0, SocketFlags::CLOEXEC) {
            let mut stream = UnixStream::from(stream);
            let mut answer = [0; 16];
            answer[..8].copy_from_slice(&address.number.to_le_bytes());
            answer[8..].copy_from_slice(&address.secret.to_le_bytes());
            // A peer that has gone away retries. So few bytes never block.
            let _ = stream.write_all(&answer);
        }
    }
}

/// Numbers stand there as text or as numbers.
fn number(value: Option<&Value>) -> Option<u32> {
    match value? {
        Value::String(text) => text.trim().parse().ok(),
        Value::Number(number) => number.as_u64()?.try_into().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rank_table_accepts_any_order_and_number_form() {
        let text = r#"{"version": "1.0", "status": "completed", "server_count": "2", "server_list": [
            {"server_id": "a", "device": [{"device_id": "3", "device_ip": "10.0.0.1", "rank_id": "2"}]},
            {"server_id": "b", "device": [{"device_id": 1, "rank_id": 0}, {"device_id": "0", "rank_id": "1"}]}]}"#;
        let table = RankTable::parse(text).unwrap();
        assert_eq!(table.devices, [1, 0, 3]);
        assert_eq!(RankTable::parse(&text.replace("  ", " ")).unwrap(), table, "spaces do not matter");
        assert_ne!(RankTable::parse(&text.replace("10.0.0.1", "10.0.0.2")).unwrap().hash, table.hash);
    }

    #[test]
    fn malformed_rank_table_is_rejected() {
        for text in [
            "",
            "{}",
            r#"{"server_list": 3}"#,
            r#"{"server_list": []}"#,
            r#"{"server_list": [{}]}"#,
            r#"{"server_list": [{"device": [{"rank_id": "0"}]}]}"#,
            r#"{"server_list": [{"device": [{"rank_id": "1", "device_id": "0"}]}]}"#,
            r#"{"server_list": [{"device": [{"rank_id": "x", "device_id": "0"}]}]}"#,
            r#"{"server_list": [{"device": [{"rank_id": 0, "device_id": 0}, {"rank_id": 0, "device_id": 1}]}]}"#,
        ] {
            assert_eq!(RankTable::parse(text).unwrap_err().code, code::PARA, "{text}");
        }
    }
}
