// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Keys by which processes find each other's events and notifies: number and secret, in hexadecimal digits.

use crate::codes::acl;
use crate::fault::{Fault, Outcome};

/// Digits of a key.
pub(super) const KEY_BYTES: usize = 32;

/// The key of an object.
pub(super) fn write(number: u64, secret: u64) -> [u8; KEY_BYTES] {
    let mut key = [0; KEY_BYTES];
    key.copy_from_slice(format!("{number:016x}{secret:016x}").as_bytes());
    key
}

/// Number and secret of a key.
///
/// # Errors
/// 507022 for something else.
pub(super) fn parse(key: &[u8]) -> Outcome<(u64, u64)> {
    let text = str::from_utf8(key).ok().filter(|text| text.len() == KEY_BYTES);
    let digits = |from: usize| u64::from_str_radix(text?.get(from..from + 16)?, 16).ok();
    digits(0).zip(digits(16)).ok_or_else(|| Fault::new(acl::IPC_ERROR, "not a key of this machine"))
}

#[cfg(test)]
mod tests {
    use super::{parse, write};

    #[test]
    fn s52_keys_round_trip() {
        assert_eq!(parse(&write(7, u64::MAX)), Ok((7, u64::MAX)));
    }

    #[test]
    fn s52_other_keys_are_refused() {
        for key in [&b""[..], &[0; 32], &[0xff; 32], b"0123", &write(1, 2)[..31], "é".repeat(16).as_bytes()]
        {
            assert_eq!(parse(key).map_err(|fault| fault.code), Err(507_022), "{key:?}");
        }
    }
}
