// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Options of a member.

use std::time::Duration;

use mf_base::{ByteLen, Error, Result};

use crate::block::REPLICAS_MAX;
use crate::disk::DiskOptions;

/// Longest name of a member, in bytes.
pub const NAME_BYTES_MAX: usize = 255;

/// Options of a member.
#[derive(Clone, Debug)]
pub struct Options {
    /// Default number of members that hold a value: 1 to 4. A put can override it.
    pub replicas: u32,
    /// Keys that this member's part of the index is sized for; 0: one for each 2 KiB that it contributes.
    pub index_entries: u64,
    /// False: its contribution holds neither values nor a part of the index; the kernel backs about 20 KiB of
    /// it.
    pub keeps_values: bool,
    /// Lease that each get begins, in whole milliseconds, at most 49 days; zero: none.
    pub read_lease: Duration,
    /// Name of the member, 1 to 255 bytes, such as `host:port`; `None`: the name of its host, a colon, and
    /// its rank.
    pub name: Option<String>,
    /// Tier on disk below the memory that this process manages; `None`: as the settings say
    /// ([`DiskOptions::from_settings`]), if this member keeps values. Without one evicted values are gone.
    pub disk: Option<DiskOptions>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            replicas: 1,
            index_entries: 0,
            keeps_values: true,
            read_lease: Duration::ZERO,
            name: None,
            disk: None,
        }
    }
}

/// Checks the number of replicas that a program asks for.
///
/// # Errors
/// `InvalidParam` none, or too many.
pub(crate) fn check_replicas(operation: &'static str, replicas: u32) -> Result<u32> {
    let most = u32::try_from(REPLICAS_MAX).unwrap_or(0);
    if !(1..=most).contains(&replicas) {
        return Err(Error::invalid(operation, "a value has 1 to 4 replicas").with("replicas", replicas));
    }
    Ok(replicas)
}

impl Options {
    /// Returns the name of a member with this rank.
    ///
    /// # Errors
    /// `InvalidParam` the name is empty or too long.
    pub(crate) fn name_of(&self, operation: &'static str, rank: u16) -> Result<String> {
        let Some(name) = &self.name else {
            let system = rustix::system::uname();
            return Ok(format!("{}:{rank}", system.nodename().to_string_lossy()));
        };
        if name.is_empty() || name.len() > NAME_BYTES_MAX {
            return Err(Error::invalid(operation, "a name has 1 to 255 bytes")
                .with("name", ByteLen(name.len() as u64)));
        }
        Ok(name.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_and_oversized_names_are_refused() {
        let named = |name: &str| Options { name: Some(name.to_owned()), ..Options::default() };
        assert!(named("").name_of("test", 1).is_err());
        assert!(named(&"x".repeat(NAME_BYTES_MAX + 1)).name_of("test", 1).is_err());
        assert_eq!(named("a:1").name_of("test", 7).unwrap(), "a:1");
        assert!(Options::default().name_of("test", 7).unwrap().ends_with(":7"));
    }
}
