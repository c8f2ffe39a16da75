// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The leader, as text that people can read in their own database: `1 term 3 beat 17 owner 00c0ffee00c0ffee
//! at 10.0.0.1:5570`.

use std::fmt;
use std::net::SocketAddr;

/// A leader's sign of life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// Grows with each leader.
    pub(crate) term: u64,
    /// Increases as long as the leader is alive.
    pub(crate) beat: u64,
    /// Random number of the leader's process.
    pub(crate) owner: u64,
    /// Address of the leader's store.
    pub(crate) address: SocketAddr,
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { term, beat, owner, address } = self;
        write!(f, "1 term {term} beat {beat} owner {owner:016x} at {address}")
    }
}

impl Record {
    /// Reads a record; none when it is not one of this form.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let text = str::from_utf8(bytes).ok()?;
        let words: Vec<&str> = text.split(' ').collect();
        let ["1", "term", term, "beat", beat, "owner", owner, "at", address] = words[..] else { return None };
        Some(Self {
            term: term.parse().ok()?,
            beat: beat.parse().ok()?,
            owner: u64::from_str_radix(owner, 16).ok()?,
            address: address.parse().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn written_records_read_back(term: u64, beat: u64, owner: u64, ip: [u8; 4], v6: [u8; 16], port: u16, six: bool) {
            let address = if six { SocketAddr::from((v6, port)) } else { SocketAddr::from((ip, port)) };
            let record = Record { term, beat, owner, address };
            prop_assert_eq!(Record::parse(record.to_string().as_bytes()), Some(record));
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
            let _ = Record::parse(&bytes);
        }
    }

    #[test]
    fn malformed_records_are_rejected() {
        for text in [
            "",
            "1",
            "2 term 1 beat 1 owner 1 at 127.0.0.1:1",
            "1 term x beat 1 owner 1 at 127.0.0.1:1",
            "1 term 1 beat 1 owner 1 at 127.0.0.1:1 ",
            "1 term 1 beat 1 owner 1 at localhost:1",
        ] {
            assert_eq!(Record::parse(text.as_bytes()), None, "{text}");
        }
    }
}
