// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Member record: published in the store while a member takes part in a pool.

use mf_base::{Error, Rank, Result};
use mf_device::Identity;
use mf_transport::{JobId, Peer, SegmentKey};
use serde::{Deserialize, Serialize};

/// A member of a pool, as the others read it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberRecord {
    /// Name of the socket under which processes of the same host ask for its memory; empty: they do not.
    pub endpoint: String,
    /// Network namespace of that socket; empty if unknown.
    pub namespace: String,
    /// Name of its host, for texts.
    pub host: String,
    /// Number of its process there, for texts.
    pub pid: u32,
    /// Identity of the member towards members that share device memory with it.
    pub identity: Identity,
    /// Its session with the store.
    pub session: u64,
    /// Under which key others reach its memory over the network.
    pub key: SegmentKey,
    /// Bases of the pool's windows.
    pub bases: [u64; 2],
    /// Bytes of its contribution, indexed by kind.
    pub bytes: [u64; 2],
    /// Descriptions that transports need to reach that memory, by name of the transport.
    pub descriptions: Vec<(String, Vec<u8>)>,
    /// Its name in rules about engines; often empty.
    pub tag: String,
}

impl MemberRecord {
    /// Returns the key prefix of the records of a pool; a rank follows.
    pub fn prefix(pool: u32) -> String {
        format!(".mf/pool/{pool}/member/")
    }

    /// Returns the key of the record of a member.
    pub fn key(pool: u32, rank: Rank) -> String {
        format!("{}{rank}", Self::prefix(pool))
    }

    /// Parses the rank from the key of a record.
    pub fn rank(pool: u32, key: &str) -> Option<Rank> {
        key.strip_prefix(&Self::prefix(pool))?.parse().ok().map(Rank)
    }

    /// The process, as transports name it: in this job, with its rank there.
    pub fn peer(&self, job: JobId, rank: Rank) -> Peer {
        Peer { job, rank: rank.0, session: self.session }
    }

    /// Writes it.
    ///
    /// # Errors
    /// Only when memory is short.
    pub fn encode(&self) -> Result<Vec<u8>> {
        postcard::to_allocvec(self).map_err(|e| {
            Error::invalid("pool record", "cannot encode the member record").source(e.to_string())
        })
    }

    /// Decodes a record.
    ///
    /// # Errors
    /// `InvalidParam` if malformed.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        postcard::from_bytes(bytes)
            .map_err(|e| Error::invalid("pool record", "corrupt member record").source(e.to_string()))
    }
}
