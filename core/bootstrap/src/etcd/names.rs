// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Layout of a job's keys under its prefix in etcd.
//!
//! Every key begins with the prefix, a slash and the byte 0xFF. That byte occurs in no text, so one job may
//! have a prefix that begins with the prefix of another, and permissions of etcd may be given for `prefix/`.
//! After it:
//!
//! | key | value | lives with |
//! |---|---|---|
//! | `leader` | address of the leader's store | the leader's lease |
//! | `job` | a [`Job`]: term, number of the last write, proof of the secret | the job |
//! | `k/KEY` | a [`Record`]: a key of the store, or the place of its value's pieces | the key |
//! | `c/REVISION/N` | piece N of the value of that revision, which is too large for one key | the key it belongs to |

use mf_base::{Error, Kind, Rank, Result};
use mf_store::fields;
use mf_store::journal::Life;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Version of everything that is stored.
const VERSION: u8 = 2;

/// The value of a stored key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Body {
    Whole(#[serde(with = "fields::raw_bytes")] Vec<u8>),
    /// Number of pieces in keys of their own.
    Pieces(u32),
}

/// Value of `k/KEY`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) revision: u64,
    /// The member that owns the key by its session.
    #[serde(with = "fields::optional_rank")]
    pub(super) owner: Option<Rank>,
    pub(super) life: Life,
    pub(super) body: Body,
}

/// The job as a whole. It changes with every write, so that a write that arrives late changes nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Job {
    /// The term of the last leader.
    pub(super) term: u64,
    /// True if there were members when it was last written.
    pub(super) is_live: bool,
    /// The number of the last write.
    pub(super) write: u64,
    /// Random, and made from that and the secret, so that another secret is noticed.
    pub(super) salt: [u8; 32],
    pub(super) check: [u8; 32],
}

/// `value` as it is stored.
pub(super) fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>> {
    postcard::to_allocvec(&(VERSION, value)).map_err(|error| {
        Error::new(Kind::Failed, super::OPERATION)
            .what("a record cannot be encoded")
            .source(error.to_string())
    })
}

/// The inverse of [`encode`].
pub(super) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    let foreign = |what: &str| {
        Error::new(Kind::Failed, super::OPERATION)
            .what(what)
            .with("bytes", bytes.len())
            .hint("give the job a prefix of its own in etcd, which no other release has used")
    };
    match postcard::take_from_bytes::<u8>(bytes) {
        Ok((VERSION, rest)) => postcard::from_bytes(rest).map_err(|_| {
            foreign("etcd holds something under the prefix that is not a record of this library")
        }),
        Ok((version, _)) => {
            Err(foreign(&format!("etcd holds a record of version {version} under the prefix")))
        }
        Err(_) => Err(foreign("etcd holds an empty record under the prefix")),
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

    fn join(&self, kind: &str, name: &str) -> Vec<u8> {
        [self.root.as_slice(), kind.as_bytes(), name.as_bytes()].concat()
    }

    pub(super) fn leader(&self) -> Vec<u8> {
        self.join("leader", "")
    }

    pub(super) fn job(&self) -> Vec<u8> {
        self.join("job", "")
    }

    /// A key of the store; the empty one is what all begin with.
    pub(super) fn data(&self, key: &str) -> Vec<u8> {
        self.join("k/", key)
    }

    /// Returns the store's key for a key of etcd. `None` for any other.
    pub(super) fn data_key<'a>(&self, key: &'a [u8]) -> Option<&'a str> {
        let rest = key.strip_prefix(self.root.as_slice())?.strip_prefix(b"k/")?;
        str::from_utf8(rest).ok()
    }

    /// Returns the common prefix of all pieces.
    pub(super) fn all_pieces(&self) -> Vec<u8> {
        self.join("c/", "")
    }

    /// Returns the common prefix of the pieces of a revision's value.
    pub(super) fn pieces(&self, revision: u64) -> Vec<u8> {
        self.join("c/", &format!("{revision:016x}/"))
    }

    pub(super) fn piece(&self, revision: u64, number: u32) -> Vec<u8> {
        self.join("c/", &format!("{revision:016x}/{number:04}"))
    }

    /// Returns the revision of a key made by [`piece`](Self::piece).
    pub(super) fn revision_of(&self, key: &[u8]) -> Option<u64> {
        let rest = key.strip_prefix(self.all_pieces().as_slice())?;
        u64::from_str_radix(str::from_utf8(rest.get(..16)?).ok()?, 16).ok()
    }
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
        assert!(!outer.data("\u{10ffff}").starts_with(&outer.all_pieces()));
        assert_eq!(outer.data_key(&outer.leader()), None);
    }

    #[test]
    fn pieces_are_found_by_their_revision() {
        let names = Names::new("job");
        let piece = names.piece(0x1_0000_0007, 3);
        assert!(piece.starts_with(&names.pieces(0x1_0000_0007)));
        assert_eq!(names.revision_of(&piece), Some(0x1_0000_0007));
        assert_eq!(names.revision_of(&names.data("x")), None);
    }

    #[test]
    fn records_round_trip_and_foreign_bytes_are_refused() {
        let body = Body::Whole(vec![0, 255, 1]);
        let record = Record { revision: 9, owner: Some(Rank(3)), life: Life::Session(9), body };
        let bytes = encode(&record).unwrap();
        assert_eq!(decode::<Record>(&bytes).unwrap(), record);
        for foreign in [&b""[..], b"text of others", &[1, 0, 0]] {
            assert!(decode::<Record>(foreign).is_err());
        }
    }
}
