// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Fuzz targets of this transport without libucp.

use mf_transport::{JobId, Peer};

use super::rdma_memory;
use super::wire::{self, HEAD_BYTES, Head, Verb};

const SECRET: wire::Secret = [7; 16];

/// The address of a process, and the description of its memory.
pub(crate) fn address(bytes: &[u8]) {
    if let Ok((secret, worker)) = wire::decode_address(bytes) {
        assert_eq!(wire::encode_address(&secret, worker), bytes);
    }
    rdma_memory::check(bytes);
}

/// The head of a message to a process that has drawn [`SECRET`].
pub(crate) fn head(bytes: &[u8]) {
    let Some(bytes) = bytes.first_chunk::<HEAD_BYTES>() else { return };
    let Some(head) = Head::decode(bytes, &SECRET, JobId(1)) else { return };
    let _ = head.atomic();
    assert_eq!(Head::decode(&head.encode(&SECRET), &SECRET, JobId(1)), Some(head));
}

/// Inputs of [`address`] to start from.
pub(crate) fn address_seeds() -> [Vec<u8>; 2] {
    [wire::encode_address(&SECRET, b"worker"), rdma_memory::seed()]
}

/// An input of [`head`] to start from.
pub(crate) fn head_seed() -> Vec<u8> {
    let mut head = Head::new(Verb::Put).within(4096, 8192);
    head.from = Peer { job: JobId(1), rank: 1, session: 2 };
    head.encode(&SECRET).to_vec()
}
