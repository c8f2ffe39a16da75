// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A whole rendezvous in 128 bytes, for programs that pass them over a channel of their own.
//!
//! | bytes | content |
//! |---|---|
//! | 0..4 | `MFID` |
//! | 4..6 | version of this layout, little endian |
//! | 6..8 | protocol version of the store, little endian |
//! | 8 | 4 or 6: IPv4 or IPv6 |
//! | 9 | 0 |
//! | 10..12 | port, little endian |
//! | 12..28 | address; an IPv4 address takes the first four bytes, the rest is 0 |
//! | 28..60 | secret of the job |
//! | 60..96 | 0 |
//! | 96..128 | SHA-256 of bytes 0..96 |
//!
//! Where that is too much, the same fits into 57 bytes, the *compact* form:
//!
//! | bytes | meaning |
//! |---|---|
//! | 0 | 0xC1: compact form, version 1 |
//! | 1 | 4 or 6: IPv4 or IPv6 |
//! | 2..4 | protocol version of the store, little endian |
//! | 4..6 | port, little endian |
//! | 6..22 | address; an IPv4 address takes the first four bytes, the rest is 0 |
//! | 22..54 | secret of the job |
//! | 54..57 | the first bytes of the SHA-256 of bytes 0..54 |
//!
//! The sum detects bytes that were damaged or cut in transit; it is no protection from attackers, because
//! a process that can read an id can make one. There is no `Display`: an id is printed only by an explicit
//! request for its text.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::fd::OwnedFd;
use std::str::FromStr;

use mf_base::{Error, Result};
use sha2::{Digest as _, Sha256};

use super::JobSecret;
use super::address::routed;
use crate::protocol::auth;
use crate::protocol::frame::VERSION as PROTOCOL;
use crate::rendezvous::{self, Listen};
use crate::server::Server;

const OPERATION: &str = "unique id";
const MAGIC: [u8; 4] = *b"MFID";
const LAYOUT: u16 = 1;
const SUMMED: usize = 96;
/// First byte of the compact form: its version.
const COMPACT: u8 = 0xc1;
const COMPACT_SUMMED: usize = 54;
const SUPERFLUOUS: &str = "the id has bytes where none belong";
const HINT: &str = "pass all 128 bytes (57 of the compact form), or all hexadecimal digits, as the process that made the id got them";

/// Where the store of a job is and the secret that opens it, as 128 plain bytes that any channel carries.
///
/// One process makes it ([`create`](Self::create)), the others parse it, and all join by
/// [`Bootstrap::from_unique_id`](super::Bootstrap::from_unique_id). **It contains the secret of the job**:
/// pass it over a channel that others cannot read, and do not log it. `Debug` shows the address only.
///
/// ```
/// use mf_store::{Bootstrap, UniqueId};
/// use mf_base::Rank;
///
/// # fn main() -> mf_base::Result<()> {
/// let loopback = [127, 0, 0, 1].into();
/// let (id, server) = UniqueId::create(Some(loopback))?;     // in one process
/// let text = id.to_text();                                  // through any channel
/// let id: UniqueId = text.parse()?;                         // in all the others
/// let bootstrap = Bootstrap::from_unique_id(&id, Some(Rank(3)), 8)?;
/// assert_eq!(bootstrap.store, Some(format!("tcp://{}", server.address())));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct UniqueId {
    bytes: [u8; Self::BYTES],
    address: SocketAddr,
}

impl UniqueId {
    /// Length of an id.
    pub const BYTES: usize = 128;
    /// Length of its compact form.
    pub const COMPACT_BYTES: usize = 57;

    /// Starts a store for a job of any size on a free port of `address`, with a fresh secret, and makes the
    /// id that leads to it. The first member sets the number of ranks. Without an address it is the own
    /// address on the default route, or loopback without a network.
    ///
    /// The store runs as long as the returned [`Server`] lives; [`Server::linger`] keeps it until the last
    /// member left.
    ///
    /// # Errors
    /// `InvalidParam` the address is not one of this machine, or one that others cannot use (0.0.0.0,
    /// link-local) · else as [`Server::start`].
    pub fn create(address: Option<IpAddr>) -> Result<(Self, Server)> {
        let ip = address.or_else(routed).unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        leads_here(ip)?;
        Self::serve(Listen::At(SocketAddr::new(ip, 0)))
    }

    /// As [`create`](Self::create), on a TCP socket that the caller has bound to an address by which the
    /// other members reach this process; see [`Server::start_on`].
    ///
    /// # Errors
    /// Those of [`Server::start_on`] · `InvalidParam` others cannot use the address.
    pub fn create_on(socket: OwnedFd) -> Result<(Self, Server)> {
        Self::serve(Listen::On(socket))
    }

    fn serve(place: Listen) -> Result<(Self, Server)> {
        let secret = auth::random(OPERATION)?;
        let server = rendezvous::start_server(place, JobSecret::new(secret))?;
        leads_here(server.address().ip())?;
        Ok((Self::new(server.address(), &secret), server))
    }

    pub(crate) fn new(address: SocketAddr, secret: &[u8; 32]) -> Self {
        let (family, octets) = octets_of(address.ip());
        let mut bytes = [0; Self::BYTES];
        bytes[..4].copy_from_slice(&MAGIC);
        bytes[4..6].copy_from_slice(&LAYOUT.to_le_bytes());
        bytes[6..8].copy_from_slice(&PROTOCOL.to_le_bytes());
        bytes[8] = family;
        bytes[12..28].copy_from_slice(&octets);
        bytes[10..12].copy_from_slice(&address.port().to_le_bytes());
        bytes[28..60].copy_from_slice(secret);
        let sum = Sha256::digest(&bytes[..SUMMED]);
        bytes[SUMMED..].copy_from_slice(&sum);
        Self { bytes, address: SocketAddr::new(address.ip(), address.port()) }
    }

    /// The compact form of the id, for where there is no room for all bytes of it. It contains the secret.
    pub fn to_compact(&self) -> [u8; Self::COMPACT_BYTES] {
        let (family, octets) = octets_of(self.address.ip());
        let mut bytes = [0; Self::COMPACT_BYTES];
        bytes[0] = COMPACT;
        bytes[1] = family;
        bytes[2..4].copy_from_slice(&PROTOCOL.to_le_bytes());
        bytes[4..6].copy_from_slice(&self.address.port().to_le_bytes());
        bytes[6..22].copy_from_slice(&octets);
        bytes[22..54].copy_from_slice(&self.bytes[28..60]);
        let sum = Sha256::digest(&bytes[..COMPACT_SUMMED]);
        bytes[COMPACT_SUMMED..].copy_from_slice(&sum[..3]);
        bytes
    }

    fn parse_compact(bytes: &[u8; Self::COMPACT_BYTES]) -> Result<Self> {
        if bytes[0] != COMPACT {
            return Err(wrong("these bytes are not a compact unique id of this version".to_owned()));
        }
        if Sha256::digest(&bytes[..COMPACT_SUMMED])[..3] != bytes[COMPACT_SUMMED..] {
            return Err(wrong("the id was damaged in transit".to_owned()));
        }
        check_protocol(u16::from_le_bytes([bytes[2], bytes[3]]))?;
        let mut octets = [0; 16];
        octets.copy_from_slice(&bytes[6..22]);
        let mut secret = [0; 32];
        secret.copy_from_slice(&bytes[22..54]);
        let port = u16::from_le_bytes([bytes[4], bytes[5]]);
        let id = Self::new(SocketAddr::new(address_of(bytes[1], octets)?, port), &secret);
        if id.to_compact() == *bytes { Ok(id) } else { Err(wrong(SUPERFLUOUS.to_owned())) }
    }

    /// Reads the bytes of an id, in its long or its compact form. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` neither 128 nor 57 bytes, all zero, of another version, or damaged.
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        if let Ok(compact) = <&[u8; Self::COMPACT_BYTES]>::try_from(bytes) {
            return Self::parse_compact(compact);
        }
        let Ok(bytes) = <[u8; Self::BYTES]>::try_from(bytes) else {
            return Err(wrong("the id has the wrong length".to_owned())
                .with("bytes", bytes.len())
                .with("expected", Self::BYTES));
        };
        if bytes == [0; Self::BYTES] {
            return Err(wrong("the id is all zeros: nothing has filled it in".to_owned()));
        }
        if bytes[..4] != MAGIC {
            return Err(wrong("these bytes are not a unique id of this library".to_owned()));
        }
        let layout = u16::from_le_bytes([bytes[4], bytes[5]]);
        if layout != LAYOUT {
            return Err(Error::invalid(OPERATION, "the id is of another version of this library")
                .with("version", layout)
                .with("expected", LAYOUT)
                .hint("use the same version in all members"));
        }
        if Sha256::digest(&bytes[..SUMMED])[..] != bytes[SUMMED..] {
            return Err(wrong("the id was damaged in transit".to_owned()));
        }
        check_protocol(u16::from_le_bytes([bytes[6], bytes[7]]))?;
        let mut octets = [0; 16];
        octets.copy_from_slice(&bytes[12..28]);
        let ip = address_of(bytes[8], octets)?;
        let address = SocketAddr::new(ip, u16::from_le_bytes([bytes[10], bytes[11]]));
        let mut secret = [0; 32];
        secret.copy_from_slice(&bytes[28..60]);
        let id = Self::new(address, &secret);
        // Bytes that mean nothing are 0, so that an id has one form.
        if id.bytes == bytes { Ok(id) } else { Err(wrong(SUPERFLUOUS.to_owned())) }
    }

    /// The bytes of the id. They contain the secret.
    pub fn as_bytes(&self) -> &[u8; Self::BYTES] {
        &self.bytes
    }

    /// The id as 256 hexadecimal digits. They contain the secret.
    pub fn to_text(&self) -> String {
        self.bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Where the store is.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub(super) fn secret(&self) -> JobSecret {
        JobSecret::new(&self.bytes[28..60])
    }
}

fn wrong(what: String) -> Error {
    Error::invalid(OPERATION, what).hint(HINT)
}

fn check_protocol(protocol: u16) -> Result<()> {
    if protocol == PROTOCOL {
        return Ok(());
    }
    Err(Error::invalid(OPERATION, "the store of the id has another protocol version")
        .with("version", protocol)
        .with("expected", PROTOCOL)
        .hint("use the same version in all members"))
}

/// Checks that an address means the same machine everywhere.
fn leads_here(ip: IpAddr) -> Result<()> {
    let link_local = matches!(ip, IpAddr::V6(ip) if ip.is_unicast_link_local());
    if !ip.is_unspecified() && !link_local {
        return Ok(());
    }
    Err(Error::invalid(OPERATION, "the address means another machine on each machine")
        .with("address", ip)
        .hint("give an address by which the other members reach this one"))
}

/// Family of an address, and its bytes from the first on.
fn octets_of(ip: IpAddr) -> (u8, [u8; 16]) {
    match ip {
        IpAddr::V4(ip) => {
            let mut octets = [0; 16];
            octets[..4].copy_from_slice(&ip.octets());
            (4, octets)
        }
        IpAddr::V6(ip) => (6, ip.octets()),
    }
}

fn address_of(family: u8, octets: [u8; 16]) -> Result<IpAddr> {
    let [a, b, c, d, ..] = octets;
    match family {
        4 => Ok(IpAddr::V4(Ipv4Addr::new(a, b, c, d))),
        6 => Ok(IpAddr::V6(Ipv6Addr::from(octets))),
        family => Err(wrong(format!("the id has an address of unknown family {family}"))),
    }
}

impl FromStr for UniqueId {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let text = text.trim();
        let digits: Option<Vec<u8>> =
            text.chars().map(|digit| digit.to_digit(16).and_then(|digit| u8::try_from(digit).ok())).collect();
        let Some(digits) = digits else {
            return Err(
                Error::invalid(OPERATION, "the text of the id has characters that are no digits").hint(HINT)
            );
        };
        // Half a byte too many becomes a byte too many, which has the wrong length.
        let bytes: Vec<u8> = digits
            .chunks(2)
            .map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit))
            .take(Self::BYTES + 1)
            .collect();
        if digits.len() % 2 == 1 {
            return Err(Error::invalid(OPERATION, "the text of the id has the wrong length")
                .with("digits", digits.len())
                .hint(HINT));
        }
        Self::parse(&bytes)
    }
}

impl fmt::Debug for UniqueId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UniqueId").field("address", &self.address).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn id() -> UniqueId {
        UniqueId::new("127.0.0.1:5570".parse().unwrap(), &[7; 32])
    }

    /// Changes bytes and makes the sum fit again.
    fn forged(change: impl FnOnce(&mut [u8; UniqueId::BYTES])) -> [u8; UniqueId::BYTES] {
        let mut bytes = *id().as_bytes();
        change(&mut bytes);
        let sum = Sha256::digest(&bytes[..SUMMED]);
        bytes[SUMMED..].copy_from_slice(&sum);
        bytes
    }

    fn refused(bytes: &[u8]) -> String {
        UniqueId::parse(bytes).unwrap_err().to_string()
    }

    #[test]
    fn bad_ids_are_refused_with_the_reason() {
        let good = *id().as_bytes();
        assert!(refused(&[]).contains("bytes 0"));
        assert!(refused(&good[..127]).contains("bytes 127"));
        assert!(refused(&[good.as_slice(), &[0]].concat()).contains("bytes 129"));
        assert!(refused(&[0; 128]).contains("all zeros"));
        assert!(refused(&[1; 128]).contains("not a unique id"));
        assert!(refused(&forged(|bytes| bytes[4] = 2)).contains("version 2"));
        assert!(refused(&forged(|bytes| bytes[6..8].fill(0xff))).contains("version 65535"));
        assert!(refused(&forged(|bytes| bytes[8] = 5)).contains("family 5"));
        for reserved in [9, 16, 60, 95] {
            assert!(refused(&forged(|bytes| bytes[reserved] = 1)).contains("none belong"), "{reserved}");
        }
    }

    #[test]
    fn every_flipped_bit_is_found() {
        let good = *id().as_bytes();
        for bit in 0..UniqueId::BYTES * 8 {
            let mut bytes = good;
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(UniqueId::parse(&bytes).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn every_flipped_bit_of_the_compact_form_is_found() {
        let good = id().to_compact();
        assert!(good.len() <= 57);
        for bit in 0..good.len() * 8 {
            let mut bytes = good;
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(UniqueId::parse(&bytes).is_err(), "bit {bit}");
        }
        assert!(refused(&[0; 57]).contains("not a compact unique id"));
    }

    #[test]
    fn a_store_runs_on_a_socket_of_the_caller() {
        let socket = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = socket.local_addr().unwrap();
        let (id, server) = UniqueId::create_on(socket.into()).unwrap();
        assert_eq!((id.address(), server.address()), (address, address));
        let place = super::super::Bootstrap::from_unique_id(&id, Some(mf_base::Rank(0)), 1).unwrap();
        let timeout = std::time::Duration::from_secs(30);
        let joined = rendezvous::join(place.beside(&server).options(timeout, timeout).unwrap()).unwrap();
        assert_eq!(joined.store.unwrap().member().rank, mf_base::Rank(0));
    }

    #[test]
    fn bad_texts_are_refused() {
        let text = id().to_text();
        assert_eq!(text.len(), 256);
        assert_eq!(format!(" {text}\n").parse::<UniqueId>().unwrap(), id());
        assert_eq!(text.to_uppercase().parse::<UniqueId>().unwrap(), id());
        for (bad, part) in [
            ("", "bytes 0"),
            (&text[..254], "bytes 127"),
            (&text[..255], "digits 255"),
            (&format!("{text}00"), "bytes 129"),
            (&format!("{text}{text}"), "bytes 129"),
            (&text.replace('0', "g"), "no digits"),
            (&text.replace('0', "\u{f6}"), "no digits"),
        ] {
            let error = bad.parse::<UniqueId>().unwrap_err().to_string();
            assert!(error.contains(part), "{bad}: {error}");
        }
    }

    #[test]
    fn debug_hides_the_secret() {
        let shown = format!("{:?}", id());
        assert!(shown.contains("127.0.0.1:5570"), "{shown}");
        assert!(!shown.contains("07") && !shown.contains("7, 7"), "{shown}");
        assert_eq!(format!("{:?}", id().secret()), "(set)");
    }

    #[test]
    fn addresses_that_lead_nowhere_are_refused() {
        for ip in ["0.0.0.0", "::", "fe80::1"] {
            let error = UniqueId::create(Some(ip.parse().unwrap())).unwrap_err();
            assert_eq!(error.kind(), mf_base::Kind::InvalidParam, "{ip}");
        }
    }

    #[test]
    fn every_id_has_its_own_secret_and_port() {
        let loopback = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let (one, first) = UniqueId::create(Some(loopback)).unwrap();
        let (other, second) = UniqueId::create(Some(loopback)).unwrap();
        assert_eq!((one.address(), other.address()), (first.address(), second.address()));
        assert_ne!(one.address(), other.address());
        assert_ne!(one.secret(), other.secret());
    }

    proptest! {
        #[test]
        fn ids_survive_a_round_trip(ip: IpAddr, port: u16, secret: [u8; 32]) {
            let id = UniqueId::new(SocketAddr::new(ip, port), &secret);
            let parsed = UniqueId::parse(id.as_bytes()).unwrap();
            prop_assert_eq!(parsed.address(), SocketAddr::new(ip, port));
            prop_assert_eq!(parsed.secret(), JobSecret::new(secret));
            prop_assert_eq!(&id.to_text().parse::<UniqueId>().unwrap(), &id);
            prop_assert_eq!(&UniqueId::parse(&id.to_compact()).unwrap(), &id);
            let digits: String = id.to_compact().iter().map(|byte| format!("{byte:02x}")).collect();
            prop_assert_eq!(digits.parse::<UniqueId>().unwrap(), id);
        }

        #[test]
        fn any_compact_bytes_are_refused_or_have_one_form(mut bytes: [u8; 32], rest: [u8; 25], fits: bool) {
            bytes[0] = if fits { COMPACT } else { bytes[0] };
            let mut all = [&bytes[..], &rest[..]].concat();
            if fits {
                let sum = Sha256::digest(&all[..COMPACT_SUMMED]);
                all[COMPACT_SUMMED..].copy_from_slice(&sum[..3]);
                all[1] %= 8;
            }
            if let Ok(id) = UniqueId::parse(&all) {
                prop_assert_eq!(&id.to_compact()[..], &all[..]);
            }
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>, text: String) {
            let _ = (UniqueId::parse(&bytes), text.parse::<UniqueId>());
        }
    }
}
