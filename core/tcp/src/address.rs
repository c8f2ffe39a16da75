// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Address of a process for others: its listening addresses.

use std::net::SocketAddr;

use mf_base::{Error, Result};

const MAGIC: [u8; 4] = *b"tcp1";
/// Most addresses of one process.
const MOST: usize = 64;

pub(crate) fn encode(addresses: &[SocketAddr]) -> Vec<u8> {
    let list: Vec<String> = addresses.iter().take(MOST).map(ToString::to_string).collect();
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(list.join(",").as_bytes());
    bytes
}

pub(crate) fn decode(bytes: &[u8]) -> Result<Vec<SocketAddr>> {
    let foreign =
        |what: &str| Error::invalid("tcp introduce", format!("no address of the tcp transport: {what}"));
    let list = bytes.strip_prefix(&MAGIC).ok_or_else(|| foreign("it begins otherwise"))?;
    let text = str::from_utf8(list).map_err(|_| foreign("it is not text"))?;
    let addresses: Vec<SocketAddr> = text
        .split(',')
        .map(|one| one.parse().map_err(|_| foreign(&format!("{one:?}"))))
        .collect::<Result<_>>()?;
    if addresses.len() > MOST {
        return Err(foreign("too many").with("most", MOST));
    }
    Ok(addresses)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_round_trip_and_malformed_ones_are_refused() {
        let addresses = vec!["127.0.0.1:5".parse().unwrap(), "[::1]:70".parse().unwrap()];
        assert_eq!(decode(&encode(&addresses)).unwrap(), addresses);
        for bytes in [&b""[..], b"tcp1", b"ucx", b"tcp1127.0.0.1", b"tcp1\xff"] {
            assert!(decode(bytes).is_err());
        }
    }
}
