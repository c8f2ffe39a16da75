// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Names of endpoints.

use std::net::{Ipv4Addr, Ipv6Addr};

use mf_base::{Error, Result};

/// Longest name, in bytes: with its prefix, it is the name of a guest of the store.
const BYTES_MAX: usize = 200;

/// Checks the name of an endpoint: `a.b.c.d:port` or `[v6]:port`, to which `_` and a suffix of a to z, A to
/// Z, digits, `_`, `-` and `.` may be added, to distinguish processes of one address. The library does not
/// listen on that address.
///
/// # Errors
/// `InvalidParam` anything else, host names included.
pub fn check_name(operation: &'static str, name: &str) -> Result<()> {
    let bad = |why: &str| {
        Err(Error::invalid(operation, format!("the name of an endpoint is ip:port or [ip6]:port: {why}"))
            .with("name", format!("\"{}\"", name.escape_debug().take(BYTES_MAX).collect::<String>())))
    };
    if name.len() > BYTES_MAX {
        return bad("it is too long");
    }
    let Some((address, port)) = name.rsplit_once(':') else { return bad("no colon") };
    let is_address = match address.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(inner) => inner.parse::<Ipv6Addr>().is_ok(),
        None => address.parse::<Ipv4Addr>().is_ok(),
    };
    if !is_address {
        return bad("invalid address before the colon");
    }
    let (port, suffix) = port.split_once('_').map_or((port, None), |(port, suffix)| (port, Some(suffix)));
    if port.is_empty() || !port.bytes().all(|byte| byte.is_ascii_digit()) || port.parse::<u16>().is_err() {
        return bad("the port is not one of 0 to 65535");
    }
    let is_fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if suffix.is_some_and(|suffix| suffix.is_empty() || !suffix.chars().all(is_fine)) {
        return bad("behind the port comes nothing, or _ and a-z, A-Z, digits, '_', '-', '.'");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_addresses_with_a_port() {
        for good in [
            "127.0.0.1:5000",
            "10.1.2.3:0",
            "[::1]:65535",
            "[fe80::1]:17",
            "10.0.0.1:5000_4711",
            "1.2.3.4:5_a-b.c",
        ] {
            check_name("test", good).unwrap();
        }
        for bad in [
            "",
            "127.0.0.1",
            "localhost:5000",
            "host.example:5000",
            "::1:5000",
            "[::1]",
            "[::1:5000",
            "[127.0.0.1]:5000",
            "127.0.0.1:",
            "127.0.0.1:+5",
            "127.0.0.1:65536",
            "127.0.0.1:5000_",
            "127.0.0.1:5000_a/b",
            "127.0.0.1:5000 ",
            "1.2.3:5000",
            ":5000",
        ] {
            assert_eq!(check_name("test", bad).unwrap_err().code(), -2000, "{bad}");
        }
        assert!(check_name("test", &format!("1.2.3.4:5_{}", "a".repeat(300))).is_err());
    }
}
