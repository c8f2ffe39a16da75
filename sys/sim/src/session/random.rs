// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Random numbers of the system, for secrets.

use crate::fault::{Fault, Outcome};

pub(super) fn random() -> Outcome<u64> {
    let mut bytes = [0; 8];
    rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty())
        .map_err(|e| Fault::internal(format_args!("no random numbers: {e}")))?;
    Ok(u64::from_le_bytes(bytes))
}
