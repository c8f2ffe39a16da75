// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Rendezvous of some ranks of a communicator for a communicator of the subset.
//!
//! The first of them makes the memory and writes into the parent where it is offered; the others look there.
//! Two subsets differ by the number that the program gives and by the list of their ranks.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::code;
use super::communicator::Communicator;
use super::peers::Wait;
use super::root::{self, Address};
use super::shared::Subset;
use crate::clock::Deadline;
use crate::fault::{Fault, Outcome};
use crate::hash;

const FREE: u32 = 0;
const WRITING: u32 = 1;
const VALID: u32 = 2;

/// Which subset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    id: u64,
    members: u64,
}

impl Key {
    /// The subset `id` of these ranks.
    pub fn new(id: u64, ranks: &[u32]) -> Self {
        let bytes = ranks.iter().flat_map(|rank| rank.to_le_bytes());
        Self { id, members: hash::fnv1a(hash::EMPTY, bytes) }
    }

    fn is_at(self, entry: &Subset) -> bool {
        entry.state.load(Ordering::Acquire) == VALID
            && entry.id.load(Ordering::Relaxed) == self.id
            && entry.members.load(Ordering::Relaxed) == self.members
    }
}

/// The first rank of a subset makes its memory and says where.
///
/// # Errors
/// `HCCL_E_INTERNAL` if too many subsets are in creation · errors of the creation.
pub fn found(parent: &Communicator, key: Key) -> Outcome<Address> {
    let free = |entry: &&Subset| {
        entry.state.compare_exchange(FREE, WRITING, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    };
    let entries = &parent.shared.head().subsets;
    let entry = entries.iter().find(free).ok_or_else(|| {
        Fault::new(code::INTERNAL, format_args!("{} subsets are being made already", entries.len()))
    })?;
    let address = root::offer().inspect_err(|_| entry.state.store(FREE, Ordering::Release))?;
    entry.id.store(key.id, Ordering::Relaxed);
    entry.members.store(key.members, Ordering::Relaxed);
    entry.number.store(address.number, Ordering::Relaxed);
    entry.secret.store(address.secret, Ordering::Relaxed);
    entry.state.store(VALID, Ordering::Release);
    parent.shared.ring();
    Ok(address)
}

/// Takes back what [`found`] wrote.
pub fn forget(parent: &Communicator, address: Address) {
    for entry in &parent.shared.head().subsets {
        if entry.state.load(Ordering::Acquire) == VALID
            && entry.number.load(Ordering::Relaxed) == address.number
        {
            entry.state.store(FREE, Ordering::Release);
        }
    }
}

/// Waits until the first rank of the subset, `first` in the parent, has made it.
///
/// # Errors
/// `HCCL_E_TIMEOUT` · `HCCL_E_REMOTE` when that rank is gone.
pub fn find(parent: &Communicator, key: Key, first: u32, timeout: Duration) -> Outcome<Address> {
    let wait = Wait {
        rank: parent.rank,
        what: &|| format!("subset {} of {}", key.id, parent.name),
        deadline: Deadline::after(Some(timeout)),
        is_cancelled: &|| false,
    };
    let mut address = None;
    let found = parent.shared.wait(&wait, || {
        let entry = parent.shared.head().subsets.iter().find(|entry| key.is_at(entry));
        address = entry.map(|entry| Address {
            number: entry.number.load(Ordering::Relaxed),
            secret: entry.secret.load(Ordering::Relaxed),
        });
        Ok(if address.is_some() { Vec::new() } else { vec![first] })
    });
    match (found, address) {
        (Ok(()), Some(address)) => Ok(address),
        (Err(trouble), _) => Err(Fault::new(
            trouble.code,
            format_args!("{}; do all its ranks give the same list of ranks?", trouble.text),
        )),
        (Ok(()), None) => Err(Fault::new(code::INTERNAL, "a subset was found nowhere")),
    }
}
