// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Bounds of keys, values and worlds; the client checks them to fail early, the server because it does not
//! trust clients.

use std::time::Duration;

use mf_base::MAX_WORLD_SIZE;

use super::{Failure, Request};
use crate::api::Lifetime;
use crate::reserved::{GUEST_CARDS, is_reserved, network_card};

/// Longest key, prefix or barrier name, in bytes.
pub(crate) const MAX_KEY_BYTES: usize = 1024;
/// Largest value, in bytes.
pub(crate) const MAX_VALUE_BYTES: usize = 8 << 20;
/// Largest listing, in bytes of keys and values.
pub(crate) const MAX_LISTING_BYTES: usize = 16 << 20;

/// Most bytes of replies, changes and notices that wait for a client to read; a single message may have more.
pub(crate) const UNREAD_BYTES: usize = 256 << 10;

/// Most connections that have not proved themselves, where there are not more ranks than that: a whole job
/// may start at once.
pub(crate) const MAX_UNPROVED: usize = 1536;
/// Most authenticated connections beyond one for each rank: guests, and clients that wait for a rank.
pub(crate) const MAX_PROVED: usize = 4096;
/// Most guests at a time.
pub(crate) const MAX_GUESTS: usize = 512;
/// Most connections that wait for a rank at a time.
pub(crate) const MAX_NEWCOMERS: usize = 2048;

/// Most bytes of keys and values, with their overhead.
pub(crate) const MAX_STORE_BYTES: usize = 1 << 30;
/// Most requests of one client that wait at a time (for a key, a lock, others in a barrier), and most replies
/// to writes kept for it until it acknowledges them.
pub(crate) const MAX_WAITING: usize = 4096;
/// Most bytes of one client's pending requests, values given to allgathers included.
pub(crate) const MAX_WAITING_BYTES: usize = 8 << 20;
/// Most bytes of replies to writes kept for one client.
pub(crate) const MAX_KEPT_BYTES: usize = 8 << 20;
/// Most bytes in allgathers that have not ended, of all members.
pub(crate) const MAX_GATHERS_BYTES: usize = 256 << 20;
/// Most watches of one client, and of the membership among them.
pub(crate) const MAX_WATCHES: usize = 1024;
pub(crate) const MAX_MEMBER_WATCHES: usize = 64;
/// Most bytes of watches of one client, and of all.
pub(crate) const MAX_WATCHES_BYTES: usize = 2 << 20;
pub(crate) const MAX_ALL_WATCHES_BYTES: usize = 256 << 20;
/// Most locks that one client holds or waits for.
pub(crate) const MAX_LOCKS: usize = 4096;
/// Most leases granted to one client, at a time, and to all.
pub(crate) const MAX_LEASES_EACH: usize = 1024;
pub(crate) const MAX_LEASES: usize = 1 << 16;
/// Most requests of guests, and bytes of them, that wait while the store takes over from another.
pub(crate) const MAX_HELD: usize = 4096;
pub(crate) const MAX_HELD_BYTES: usize = 16 << 20;
/// Bytes that all guests have in flight, messages that arrive and replies that wait, before the next guest
/// has to wait; and how long one of them may make no progress meanwhile.
pub(crate) const MAX_GUESTS_BYTES: usize = 16 << 20;
pub(crate) const GUEST_STALL: Duration = Duration::from_secs(5);

/// Largest value of one member in an allgather.
pub(crate) const MAX_PART_BYTES: usize = 64 << 10;
/// Parts of the keys by which a guest asks a member to explain itself, and of the answers.
const EXPLAIN_PARTS: [&str; 2] = ["/ask/", "/answer/"];
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
        | Request::Contacts
        | Request::Awaited
        | Request::Withdraw { .. }
        | Request::WatchMembers { .. }
        | Request::Unwatch { .. } => Ok(()),
    }
}

/// Checks that a guest, which is no member, writes nothing that is the library's, but for its cards (at a
/// meeting point, and of the network of its own session), and questions and answers of `mf explain` and
/// `mf top`.
pub(crate) fn check_guest(session: u64, request: &Request) -> Result<(), Failure> {
    let is_own = |key: &String| *key == network_card(session);
    let name = match request {
        Request::Set { key, lifetime: Lifetime::Session, .. } | Request::Delete { key } if is_own(key) => {
            return Ok(());
        }
        Request::Set { key, .. }
        | Request::Add { key, .. }
        | Request::Append { key, .. }
        | Request::CompareAndSwap { key, .. }
        | Request::Delete { key } => key,
        _ => return Ok(()),
    };
    check_guest_key(name)
}

/// The same for the key of a write.
pub(crate) fn check_guest_key(key: &str) -> Result<(), Failure> {
    let is_explain = || EXPLAIN_PARTS.iter().any(|part| key.contains(part));
    if !is_reserved(key) || key.starts_with(GUEST_CARDS) || is_explain() {
        return Ok(());
    }
    Err(Failure::invalid(format!("a guest does not write the library's own keys: {}", key.escape_debug()))
        .hint("keys that begin with .mf/ belong to the pools of the job; choose another name"))
}

/// Checks the number of ranks that a member or a server was given.
///
/// # Errors
/// `InvalidParam` it is 0 or above [`MAX_WORLD_SIZE`].
pub fn check_world_size(world_size: u32) -> Result<(), Failure> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(bytes: usize) -> String {
        match bytes {
            _ if bytes.is_multiple_of(1 << 30) => format!("{} GiB", bytes >> 30),
            _ if bytes.is_multiple_of(1 << 20) => format!("{} MiB", bytes >> 20),
            _ => format!("{} KiB", bytes >> 10),
        }
    }

    #[test]
    fn the_documented_limits_are_these() {
        let documented = include_str!("../../../../docs/store.md");
        let each = |what: &str, limit: String| format!("| {what} | {limit} |");
        for row in [
            each(
                "connections that have not proved themselves, together",
                format!("{MAX_UNPROVED}, or one for each rank"),
            ),
            each("clients, together", format!("{MAX_PROVED}, and one for each rank")),
            each("guests", MAX_GUESTS.to_string()),
            each("clients that wait for a rank", MAX_NEWCOMERS.to_string()),
            each("keys and values, together", bytes(MAX_STORE_BYTES)),
            each("sent to a client that has not read it", format!("{} and one message", bytes(UNREAD_BYTES))),
            each("large messages and replies of all guests in flight", bytes(MAX_GUESTS_BYTES)),
            each(
                "requests of one client that wait",
                format!("{MAX_WAITING}, and {}", bytes(MAX_WAITING_BYTES)),
            ),
            each(
                "replies to writes kept for one client",
                format!("{MAX_WAITING}, and {}", bytes(MAX_KEPT_BYTES)),
            ),
            each("values in open allgathers, together", bytes(MAX_GATHERS_BYTES)),
            each("watches of one client", format!("{MAX_WATCHES}, and {}", bytes(MAX_WATCHES_BYTES))),
            each("of them, of the membership", MAX_MEMBER_WATCHES.to_string()),
            each("watches, together", bytes(MAX_ALL_WATCHES_BYTES)),
            each("locks of one client", MAX_LOCKS.to_string()),
            each("leases of one client, and together", format!("{MAX_LEASES_EACH}, {MAX_LEASES}")),
            each(
                "requests during a take-over, together",
                format!("{MAX_HELD}, and {}", bytes(MAX_HELD_BYTES)),
            ),
        ] {
            assert!(documented.contains(&row), "docs/store.md lacks: {row}");
        }
    }
}
