// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Bounds of keys, values and worlds; the client checks them to fail early, the server because it trusts nobody.

use super::{Failure, Request};

/// Longest key, prefix or barrier name, in bytes.
pub(crate) const MAX_KEY_BYTES: usize = 1024;
/// Largest value, in bytes.
pub(crate) const MAX_VALUE_BYTES: usize = 8 << 20;
/// Most ranks of a job.
pub(crate) const MAX_WORLD_SIZE: u32 = 1024;
/// Largest listing, in bytes of keys and values.
pub(crate) const MAX_LISTING_BYTES: usize = 16 << 20;

/// Largest value of one member in an allgather.
pub(crate) const MAX_PART_BYTES: usize = 64 << 10;
/// Shortest and longest time to live of a lease, in microseconds.
pub(crate) const LEASE_US: std::ops::RangeInclusive<u64> = 100_000..=86_400_000_000;

/// Checks what can be checked without knowing the store.
pub(crate) fn check(request: &Request) -> Result<(), Failure> {
    match request {
        Request::Set { key: name, value, .. } | Request::Append { key: name, value } => {
            check_name("key", name)?;
            check_value(value)
        }
        Request::CompareAndSwap { key, expected, new, .. } => {
            check_name("key", key)?;
            expected.as_deref().map_or(Ok(()), check_value)?;
            check_value(new)
        }
        Request::Get { key }
        | Request::Wait { key, .. }
        | Request::Add { key, .. }
        | Request::Delete { key } => check_name("key", key),
        Request::Gather { name, value, .. } => {
            check_name("barrier name", name)?;
            value.as_deref().map_or(Ok(()), check_part)
        }
        Request::Lock { name, .. } | Request::Unlock { name } => check_name("lock name", name),
        Request::List { prefix } | Request::Watch { prefix, .. } => check_length("prefix", prefix),
        Request::ListPage { prefix, after, .. } => {
            check_length("prefix", prefix)?;
            after.as_deref().map_or(Ok(()), |after| check_length("key", after))
        }
        Request::Grant { ttl_us } if !LEASE_US.contains(ttl_us) => {
            Err(Failure::invalid(format!("a lease of {ttl_us} us is outside 100 ms to 1 day")))
        }
        Request::Grant { .. }
        | Request::KeepAlive { .. }
        | Request::Revoke { .. }
        | Request::View
        | Request::Withdraw { .. }
        | Request::WatchMembers { .. }
        | Request::Unwatch { .. } => Ok(()),
    }
}

/// Checks the number of ranks that a member or a server was told.
pub(crate) fn check_world_size(world_size: u32) -> Result<(), Failure> {
    if world_size == 0 || world_size > MAX_WORLD_SIZE {
        return Err(Failure::invalid(format!(
            "the world size {world_size} is outside 1 to {MAX_WORLD_SIZE}"
        )));
    }
    Ok(())
}

/// Checks the length that a value would get.
pub(crate) fn check_value_bytes(bytes: usize) -> Result<(), Failure> {
    if bytes > MAX_VALUE_BYTES {
        return Err(Failure::invalid(format!(
            "the value has {bytes} bytes, at most {MAX_VALUE_BYTES} are allowed"
        )));
    }
    Ok(())
}

fn check_part(value: &[u8]) -> Result<(), Failure> {
    if value.len() > MAX_PART_BYTES {
        return Err(Failure::invalid(format!(
            "the value has {} bytes, at most {MAX_PART_BYTES} are allowed in an allgather",
            value.len()
        )));
    }
    Ok(())
}

fn check_value(value: &[u8]) -> Result<(), Failure> {
    check_value_bytes(value.len())
}

fn check_name(what: &str, name: &str) -> Result<(), Failure> {
    if name.is_empty() {
        return Err(Failure::invalid(format!("the {what} is empty")));
    }
    check_length(what, name)
}

fn check_length(what: &str, name: &str) -> Result<(), Failure> {
    if name.len() > MAX_KEY_BYTES {
        let bytes = name.len();
        return Err(Failure::invalid(format!(
            "the {what} has {bytes} bytes, at most {MAX_KEY_BYTES} are allowed"
        )));
    }
    Ok(())
}
