// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Random bytes from the kernel.

use rustix::rand::{GetRandomFlags, getrandom};

use crate::{Error, Kind, Result};

/// Returns `N` random bytes, good for secrets; `operation` names their purpose in errors.
///
/// # Errors
/// `Failed` when the kernel gives no bytes, or too few.
pub fn random<const N: usize>(operation: &'static str) -> Result<[u8; N]> {
    let mut bytes = [0; N];
    match getrandom(&mut bytes, GetRandomFlags::empty()) {
        Ok(filled) if filled == N => Ok(bytes),
        Ok(filled) => Err(Error::new(Kind::Failed, operation)
            .what("the kernel gave too few random bytes")
            .with("bytes", filled)
            .with("wanted", N)),
        Err(errno) => Err(Error::os(operation, errno)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_differ_from_call_to_call() {
        let [one, other] = [random::<16>("test"), random("test")].map(Result::unwrap);
        assert_ne!(one, other);
    }
}
