// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The bytes of a unique id:
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

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use mf_base::{Error, Result};
use mf_store::PROTOCOL_VERSION;
use sha2::{Digest as _, Sha256};

use super::{OPERATION, UniqueId};

const MAGIC: [u8; 4] = *b"MFID";
const LAYOUT: u16 = 1;
const SUMMED: usize = 96;
/// First byte of the compact form: its version.
const COMPACT: u8 = 0xc1;
const COMPACT_SUMMED: usize = 54;
const SUPERFLUOUS: &str = "the id has bytes where none belong";
const HINT: &str = "pass all 128 bytes (57 of the compact form), or all hexadecimal digits, as the process that made the id got them";

impl UniqueId {
    /// Length of an id.
    pub const BYTES: usize = 128;
    /// Length of its compact form.
    pub const COMPACT_BYTES: usize = 57;

    pub(crate) fn new(address: SocketAddr, secret: &[u8; 32]) -> Self {
        let mut bytes = [0; Self::BYTES];
        bytes[..4].copy_from_slice(&MAGIC);
        bytes[4..6].copy_from_slice(&LAYOUT.to_le_bytes());
        bytes[6..8].copy_from_slice(&PROTOCOL_VERSION.to_le_bytes());
        match address.ip() {
            IpAddr::V4(ip) => {
                bytes[8] = 4;
                bytes[12..16].copy_from_slice(&ip.octets());
            }
            IpAddr::V6(ip) => {
                bytes[8] = 6;
                bytes[12..28].copy_from_slice(&ip.octets());
            }
        }
        bytes[10..12].copy_from_slice(&address.port().to_le_bytes());
        bytes[28..60].copy_from_slice(secret);
        let sum = Sha256::digest(&bytes[..SUMMED]);
        bytes[SUMMED..].copy_from_slice(&sum);
        Self { bytes, address: SocketAddr::new(address.ip(), address.port()) }
    }

    /// The id of port, address and secret, which both forms have in a row.
    fn read(protocol: [u8; 2], family: u8, body: &[u8]) -> Result<Self> {
        let protocol = u16::from_le_bytes(protocol);
        if protocol != PROTOCOL_VERSION {
            return Err(Error::invalid(OPERATION, "the store of the id has another protocol version")
                .with("version", protocol)
                .with("expected", PROTOCOL_VERSION)
                .hint("use the same version in all members"));
        }
        let (mut octets, mut secret) = ([0; 16], [0; 32]);
        octets.copy_from_slice(&body[2..18]);
        secret.copy_from_slice(&body[18..50]);
        let [a, b, c, d, ..] = octets;
        let ip = match family {
            4 => IpAddr::from([a, b, c, d]),
            6 => IpAddr::from(octets),
            family => return Err(wrong(format!("the id has an address of unknown family {family}"))),
        };
        let port = u16::from_le_bytes([body[0], body[1]]);
        Ok(Self::new(SocketAddr::new(ip, port), &secret))
    }

    /// The compact form of the id, for where there is no room for all bytes of it. It contains the secret.
    pub fn to_compact(&self) -> [u8; Self::COMPACT_BYTES] {
        let mut bytes = [0; Self::COMPACT_BYTES];
        bytes[0] = COMPACT;
        bytes[1] = self.bytes[8];
        bytes[2..4].copy_from_slice(&self.bytes[6..8]);
        bytes[4..54].copy_from_slice(&self.bytes[10..60]);
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
        let id = Self::read([bytes[2], bytes[3]], bytes[1], &bytes[4..54])?;
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
        let id = Self::read([bytes[6], bytes[7]], bytes[8], &bytes[10..60])?;
        // Bytes that mean nothing are 0, so that an id has one form.
        if id.bytes == bytes { Ok(id) } else { Err(wrong(SUPERFLUOUS.to_owned())) }
    }
}

fn wrong(what: String) -> Error {
    Error::invalid(OPERATION, what).hint(HINT)
}

impl FromStr for UniqueId {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let text = text.trim();
        let digits: Option<Vec<u8>> =
            text.chars().map(|digit| digit.to_digit(16).and_then(|digit| u8::try_from(digit).ok())).collect();
        let Some(digits) = digits else {
            return Err(
                Error::invalid(OPERATION, "the text of the id has characters that are not digits").hint(HINT)
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

#[cfg(test)]
mod tests {
    use mf_tls::JobSecret;
    use proptest::prelude::*;

    use super::*;

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
            (&text.replace('0', "g"), "are not digits"),
            (&text.replace('0', "\u{f6}"), "are not digits"),
        ] {
            let error = bad.parse::<UniqueId>().unwrap_err().to_string();
            assert!(error.contains(part), "{bad}: {error}");
        }
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
        fn compact_ids_parse_back_or_are_refused(mut bytes: [u8; 32], rest: [u8; 25], fits: bool) {
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
