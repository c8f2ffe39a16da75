// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Fuzz targets of transports: addresses and descriptions from the store, and heads of messages.

use crate::ucx;

/// The address of a process, or the description of its memory, for any transport.
pub fn address(bytes: &[u8]) {
    mf_tcp::fuzzing::address(bytes);
    ucx::fuzzing::address(bytes);
}

/// The head of a message.
pub fn head(bytes: &[u8]) {
    ucx::fuzzing::head(bytes);
}

/// Inputs of [`address`] to start from, with the names of the transports.
pub fn addresses() -> Vec<(String, Vec<u8>)> {
    let [address, description] = ucx::fuzzing::address_seeds();
    vec![
        ("tcp".to_owned(), mf_tcp::fuzzing::address_seed()),
        ("ucx".to_owned(), address),
        ("ucx-memory".to_owned(), description),
    ]
}

/// An input of [`head`] to start from.
pub fn head_seed() -> Vec<u8> {
    ucx::fuzzing::head_seed()
}
