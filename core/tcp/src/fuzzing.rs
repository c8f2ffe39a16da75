// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Entry points for the fuzz targets in `fuzz/` to functions that are not public. Not part of the interface.
//!
//! Each takes bytes of an unknown peer and panics when an invariant is violated.

#![allow(clippy::panic, clippy::missing_panics_doc, reason = "a panic is how a fuzz target reports")]

mod frames;

use mf_base::os::interface::Interface;

use crate::{address, nic, secure};

/// Frames on a connection that this process serves. The first byte chooses the pieces in which the rest
/// arrives.
pub fn frames(bytes: &[u8]) {
    frames::serve(bytes);
}

/// Inputs of [`frames`](fn@frames) to start from, with their names.
pub fn frames_seeds() -> Vec<(String, Vec<u8>)> {
    frames::seeds()
}

/// Feeds messages of a client or server in the handshake, plain or encrypted, and later records. The first
/// byte selects.
pub fn handshake(bytes: &[u8]) {
    secure::fuzzing::handshake(bytes);
}

/// Inputs of [`handshake`] to start from, with their names.
pub fn handshake_seeds() -> Vec<(String, Vec<u8>)> {
    secure::fuzzing::seeds()
}

/// Places to listen at in the first line; then the interfaces of a machine, one `name address/bits` a line.
pub fn nic(text: &str) {
    let mut lines = text.lines();
    let Ok(patterns) = nic::ListenPatterns::parse(lines.next().unwrap_or_default()) else { return };
    let interfaces: Vec<Interface> = lines
        .filter_map(|line| {
            let (name, place) = line.split_once(' ')?;
            let (address, bits) = place.split_once('/')?;
            Some(Interface {
                name: name.to_owned(),
                address: address.parse().ok()?,
                prefix_bits: bits.parse().ok()?,
                is_up: !name.starts_with('-'),
                is_loopback: name == "lo",
                scope: 1,
            })
        })
        .collect();
    let Ok(chosen) = nic::choose(&patterns, &interfaces, Some(mf_base::Rank(7))) else { return };
    assert!(!chosen.is_empty(), "nothing was chosen, and no error");
    assert!(
        chosen.iter().all(|one| interfaces.iter().any(|ours| ours.address == one.ip())),
        "an address that the machine does not have: {chosen:?}"
    );
    for one in nic::order(&chosen, &interfaces) {
        assert!(chosen.iter().any(|ours| ours.ip().to_canonical() == one.ip()), "{one} is not theirs");
    }
}

/// The address of a process, from the store.
pub fn address(bytes: &[u8]) {
    if let Ok(addresses) = address::decode(bytes) {
        assert_eq!(address::decode(&address::encode(&addresses)).ok(), Some(addresses));
    }
}

/// An input of [`address`](fn@address) to start from.
pub fn address_seed() -> Vec<u8> {
    address::encode(&[([127, 0, 0, 1], 5570).into(), ([0; 16], 1025).into()])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each input, cut short at every byte and with every byte changed.
    fn mistreated(seeds: Vec<(String, Vec<u8>)>, door: fn(&[u8])) {
        for (name, bytes) in seeds {
            if let Some(folder) = std::env::var_os("MF_TEST_SEEDS") {
                std::fs::write(std::path::Path::new(&folder).join(&name), &bytes).unwrap();
            }
            door(&bytes);
            // Of a long payload the beginning is the point.
            for at in 0..bytes.len().min(200) {
                door(&bytes[..at]);
                let mut changed = bytes.clone();
                changed[at] ^= 1 << (at % 8);
                door(&changed);
            }
        }
    }

    #[test]
    fn damaged_handshakes_do_no_harm() {
        mistreated(handshake_seeds(), handshake);
    }

    #[test]
    fn frames_may_be_cut_and_changed() {
        mistreated(frames_seeds(), frames);
    }
}
