// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What is stored where under the prefix of a job, and in which form.
//!
//! Every key begins with the prefix, a slash and the byte 0xFF. That byte occurs in no text, so one job may
//! have a prefix that begins with the prefix of another, and permissions of etcd may be given for `prefix/`.
//! Behind it:
//!
//! | key | value | lives with |
//! |---|---|---|
//! | `k/KEY` | a [`Record`]: who set KEY, how it lives, its value | as the caller said |
//! | `c/WRITE/N` | piece N of a value that is too large for one key | as the key it belongs to |
//! | `s/SESSION` | fence of a session, see `session.rs` | the session |
//! | `r/RANK` | the member of that rank, a [`Peer`](crate::Peer) | its session |
//! | `a/SESSION` | an [`Arrival`]: waits for a rank | its session |
//! | `b/SESSION` | this session said goodbye | a minute |
//! | `e/LEASE` | this lease was granted | the lease |
//! | `l/NAME` 0xFF `SESSION` | holds the lock NAME, or waits for it | the session |
//! | `g/NAME` | the round of the barrier NAME | the job |
//! | `p/NAME` 0xFF `RANK` | this member is inside the round | its session |
//! | `job`, `live`, `table`, `next` | world size and proof of the secret; there were members; ranks | the job |
//! | `del` | the number of the last deletion; its revision tells a deletion from an expiry | the job |

use mf_base::{Error, Kind, Rank, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::api::{LeaseId, Lifetime};
use crate::protocol::{auth, fields, limits};

/// Version of everything that is stored.
const VERSION: u8 = 1;

/// Names one write, so that its writer can find out whether it happened.
pub(super) type WriteId = [u8; 16];

/// A fresh [`WriteId`].
pub(super) fn write_id(operation: &'static str) -> Result<WriteId> {
    let mut id = [0; 16];
    for (to, from) in id.iter_mut().zip(auth::random(operation)?) {
        *to = from;
    }
    Ok(id)
}

/// A random positive number, as etcd wants for leases.
pub(super) fn lease_number(operation: &'static str) -> Result<i64> {
    let id = write_id(operation)?;
    let number = id.iter().take(8).fold(0u64, |number, byte| number << 8 | u64::from(*byte));
    Ok(i64::try_from(number >> 1).unwrap_or(1).max(1))
}

/// How a stored key lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Life {
    Permanent,
    Session,
    Lease,
}

impl Life {
    pub(super) fn of(lifetime: Lifetime) -> Self {
        match lifetime {
            Lifetime::Permanent => Self::Permanent,
            Lifetime::Session => Self::Session,
            Lifetime::Lease(_) => Self::Lease,
        }
    }
}

/// The value of a stored key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Body {
    Whole(#[serde(with = "fields::raw_bytes")] Vec<u8>),
    /// It stands in keys of its own.
    Pieces {
        count: u32,
        bytes: u64,
    },
}

/// What stands behind `k/KEY`, and behind the keys of locks and barriers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) write: WriteId,
    /// The member whose session it lives with.
    #[serde(with = "fields::optional_rank")]
    pub(super) owner: Option<Rank>,
    /// The session that wrote it.
    pub(super) session: u64,
    pub(super) life: Life,
    pub(super) body: Body,
}

impl Record {
    /// Length of the value.
    pub(super) fn bytes(&self) -> usize {
        match &self.body {
            Body::Whole(bytes) => bytes.len(),
            Body::Pieces { bytes, .. } => usize::try_from(*bytes).unwrap_or(usize::MAX),
        }
    }
}

/// Who waits for a rank.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Arrival {
    /// IPv6, or an IPv4 address as one.
    pub(super) address: [u8; 16],
    pub(super) device: u16,
}

/// The job as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Job {
    /// 0: only guests have come so far.
    pub(super) world_size: u32,
    /// Random; the job token is made from it and the secret.
    pub(super) salt: [u8; 32],
    /// Made from the salt and the secret, so that another secret is noticed.
    pub(super) check: [u8; 32],
}

/// `value` as it is stored.
pub(super) fn encode<T: Serialize>(operation: &'static str, value: &T) -> Result<Vec<u8>> {
    let bytes = postcard::to_allocvec(&(VERSION, value));
    bytes.map_err(|error| {
        Error::new(Kind::Failed, operation).what("a record cannot be encoded").source(error.to_string())
    })
}

/// The inverse of [`encode`].
pub(super) fn decode<T: DeserializeOwned>(operation: &'static str, bytes: &[u8]) -> Result<T> {
    let foreign = |what: &str| {
        Error::new(Kind::Failed, operation)
            .what(what)
            .with("bytes", bytes.len())
            .hint("give the job a prefix in etcd that nobody else uses")
    };
    match postcard::from_bytes::<(u8, T)>(bytes) {
        Ok((VERSION, value)) => Ok(value),
        Ok((version, _)) => {
            Err(foreign(&format!("etcd holds a record of version {version} under the prefix")))
        }
        Err(_) => Err(foreign("etcd holds something under the prefix that is not a record of this library")),
    }
}

/// The keys of one job.
#[derive(Clone, Debug)]
pub(super) struct Names {
    root: Vec<u8>,
}

impl Names {
    pub(super) fn new(prefix: &str) -> Self {
        let mut root = prefix.trim_end_matches('/').as_bytes().to_vec();
        root.extend_from_slice(b"/\xff");
        Self { root }
    }

    pub(super) fn join(&self, parts: &[&[u8]]) -> Vec<u8> {
        let mut key = self.root.clone();
        parts.iter().for_each(|part| key.extend_from_slice(part));
        key
    }

    /// One of the single keys, or one of the prefixes.
    pub(super) fn fixed(&self, name: &str) -> Vec<u8> {
        self.join(&[name.as_bytes()])
    }

    pub(super) fn data(&self, key: &str) -> Vec<u8> {
        self.join(&[b"k/", key.as_bytes()])
    }

    /// The caller's key behind a key of etcd; none for what is no key of a caller.
    pub(super) fn data_key<'a>(&self, key: &'a [u8]) -> Option<&'a str> {
        let rest = key.strip_prefix(self.root.as_slice())?.strip_prefix(b"k/")?;
        std::str::from_utf8(rest).ok()
    }

    pub(super) fn pieces(&self, write: &WriteId) -> Vec<u8> {
        let write: String = write.iter().map(|byte| format!("{byte:02x}")).collect();
        self.join(&[b"c/", write.as_bytes(), b"/"])
    }

    pub(super) fn piece(&self, write: &WriteId, number: u32) -> Vec<u8> {
        let mut key = self.pieces(write);
        key.extend_from_slice(format!("{number:04}").as_bytes());
        key
    }

    pub(super) fn numbered(&self, kind: &str, session: u64) -> Vec<u8> {
        self.join(&[kind.as_bytes(), format!("{session:016x}").as_bytes()])
    }

    pub(super) fn rank(&self, rank: u32) -> Vec<u8> {
        self.join(&[b"r/", format!("{rank:08}").as_bytes()])
    }

    /// The rank behind a key that [`rank`](Self::rank) or [`part`](Self::part) made.
    pub(super) fn rank_of(key: &[u8]) -> Option<u32> {
        std::str::from_utf8(key.last_chunk::<8>()?).ok()?.parse().ok()
    }

    pub(super) fn granted(&self, lease: LeaseId) -> Vec<u8> {
        self.numbered("e/", lease.0)
    }

    pub(super) fn lock_queue(&self, name: &str) -> Vec<u8> {
        self.join(&[b"l/", name.as_bytes(), b"\xff"])
    }

    pub(super) fn lock(&self, name: &str, session: u64) -> Vec<u8> {
        self.join(&[b"l/", name.as_bytes(), b"\xff", format!("{session:016x}").as_bytes()])
    }

    pub(super) fn round(&self, name: &str) -> Vec<u8> {
        self.join(&[b"g/", name.as_bytes()])
    }

    pub(super) fn parts(&self, name: &str) -> Vec<u8> {
        self.join(&[b"p/", name.as_bytes(), b"\xff"])
    }

    pub(super) fn part(&self, name: &str, rank: u32) -> Vec<u8> {
        self.join(&[b"p/", name.as_bytes(), b"\xff", format!("{rank:08}").as_bytes()])
    }

    /// A key right behind `key` that belongs to no caller, because it is no text.
    pub(super) fn probe(key: &[u8]) -> Vec<u8> {
        [key, b"\0\xff"].concat()
    }
}

/// The first key behind all that begin with `prefix`.
pub(super) fn end_of(prefix: &[u8]) -> Vec<u8> {
    let mut end = prefix.to_vec();
    while let Some(last) = end.pop() {
        if last < 0xff {
            end.push(last + 1);
            return end;
        }
    }
    // All keys from there on, in the words of etcd.
    vec![0]
}

/// Checks a key, or the name of a lock or barrier.
pub(super) fn check_name(operation: &'static str, what: &str, name: &str) -> Result<()> {
    if name.is_empty() {
        return Err(Error::invalid(operation, format!("the {what} is empty")));
    }
    check_length(operation, what, name)
}

/// Checks a prefix.
pub(super) fn check_length(operation: &'static str, what: &str, name: &str) -> Result<()> {
    let bytes = name.len();
    if bytes > limits::MAX_KEY_BYTES {
        let most = limits::MAX_KEY_BYTES;
        return Err(Error::invalid(
            operation,
            format!("the {what} has {bytes} bytes, at most {most} are allowed"),
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_with_nested_prefixes_share_no_key() {
        let (outer, inner) = (Names::new("a"), Names::new("a/k/"));
        assert!(inner.data("x").starts_with(b"a/k/\xff"));
        assert_eq!(outer.data_key(&inner.data("x")), None);
        assert_eq!(inner.data_key(&inner.data("x/y")), Some("x/y"));
        assert_eq!(outer.data_key(&Names::probe(&outer.data("x"))), None);
        assert!(!outer.data("\u{10ffff}").starts_with(&outer.fixed("c/")));
    }

    #[test]
    fn the_end_of_a_prefix_is_behind_all_that_begin_with_it() {
        assert_eq!(end_of(b"a/"), b"a0");
        assert_eq!(end_of(b"a\xff"), b"b");
        assert_eq!(end_of(b"\xff\xff"), b"\0");
    }

    #[test]
    fn records_survive_and_foreign_bytes_are_refused() {
        let record = Record {
            write: [7; 16],
            owner: Some(Rank(3)),
            session: 9,
            life: Life::Session,
            body: Body::Whole(vec![0, 255, 1]),
        };
        let bytes = encode("test", &record).unwrap();
        assert_eq!(decode::<Record>("test", &bytes).unwrap(), record);
        for foreign in [&b""[..], b"text of somebody else", &[2, 0, 0]] {
            assert!(decode::<Record>("test", foreign).is_err());
        }
    }

    #[test]
    fn ranks_are_read_back_from_their_keys() {
        let names = Names::new("job");
        assert_eq!(Names::rank_of(&names.rank(17)), Some(17));
        assert_eq!(Names::rank_of(&names.part("b", 1023)), Some(1023));
        assert_eq!(Names::rank_of(b"r/"), None);
    }
}
