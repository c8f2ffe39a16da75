// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Store with leader election and durable keys in etcd.
//!
//! The store itself is the normal [`Server`](mf_store::Server), in the process of a member. etcd does two
//! things for it:
//!
//! * **The leader** (`election.rs`). The key `leader` holds the address of the store. It is bound to a lease
//!   that the leader renews; a transaction creates it if it does not exist. Members that search for the store
//!   read it.
//! * **The keys** (`journal.rs`). Every change of a key is written to etcd before any answer that depends on
//!   it ([`Batch`](mf_store::journal::Batch); the server holds the answers back). A new leader reads the keys
//!   back; sessions, ranks, locks and leases it learns from the members, which resume there as they do after
//!   every restart of a store.
//!
//! ```text
//! hosting.rs ──▶ election.rs         find, campaign, depose: blocking, for the threads of clients
//! the server of mf_store ──▶ journal.rs   write, renew, resign: tasks of the server
//!              ▼
//!            names.rs      layout of the keys
//!            cluster.rs    choice of a cluster member that answers
//!            grpc.rs       a call over HTTP/2
//!            messages.rs   etcd's messages
//! ```
//!
//! # Why at most one process leads
//! Every write is a transaction on the condition that the key `leader` is the one that this leader created.
//! So nothing is acknowledged as written once another has been elected. And a leader without a renewed lease
//! ends by its own clock when four fifths of the lease have passed since it sent the last renewal, a fifth
//! before etcd may elect another: until then it may answer reads, after that it answers nothing.
//!
//! If a leader on the same machine refuses connections on its port, it has died; its key is removed at once.
//! Otherwise members wait for the end of its lease.
//!
//! # Writes of unknown outcome
//! A transaction with a lost answer is sent again, maybe to another member of the cluster, and the first may
//! still arrive later. So each is also on the condition that the record `job` holds the number of the write
//! before it, and sets its own: the first one counts, the other finds the number taken.

mod cluster;
mod election;
mod grpc;
mod journal;
mod messages;
mod names;

use mf_base::{Error, Kind};

pub(crate) use cluster::ClusterAddress;
pub(crate) use election::Directory;
use grpc::Fault;

const OPERATION: &str = "etcd store";

impl Fault {
    /// The error of a request to the cluster at `place` that waited for this long.
    fn into_error(self, place: &ClusterAddress, waited: std::time::Duration) -> Error {
        let error = match self {
            Self::Unknown(text) => Error::new(Kind::Timeout, OPERATION)
                .what("no member of the etcd cluster answered in time")
                .with("waited_ms", waited.as_millis())
                .source(text)
                .hint("check the cluster with: etcdctl endpoint health"),
            Self::LeaseGone => Error::new(Kind::NotExist, OPERATION).what("the lease has ended"),
            Self::Refused(kind, text) => {
                let error = Error::new(kind, OPERATION).what(text);
                match kind {
                    Kind::NoResources => error.hint("raise etcd's quota, or compact and defragment it"),
                    _ => error,
                }
            }
        };
        error.with("etcd", place.endpoints.join(","))
    }
}
