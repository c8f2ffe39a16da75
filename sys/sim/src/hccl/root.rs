// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Rendezvous by a root info, created by one rank and distributed by the program.

use std::collections::HashMap;
use std::os::fd::OwnedFd;
use std::sync::{Arc, LazyLock, Mutex};

use mf_base::sync::lock;

use super::code;
use super::shared::{self, CommunicatorFile};
use crate::codes::acl;
use crate::fault::{Outcome, ensure};
use crate::machine::machine;
use crate::session::{Offer, Published, Sort};

/// Bytes of a root info.
pub const BYTES: usize = 4108;
const MAGIC: u64 = u64::from_le_bytes(*b"ASCsimRI");

/// Address of the offered memory file of a communicator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// Number of the offer.
    pub number: u64,
    /// Its secret.
    pub secret: u64,
}

/// Offers of this process, until all ranks have come.
static OFFERED: LazyLock<Mutex<HashMap<u64, Published>>> = LazyLock::new(Mutex::default);

/// Makes the memory of a new communicator and offers it.
///
/// # Errors
/// Errors of the session, and of [`shared::create`].
pub fn offer() -> Outcome<Address> {
    let file = Arc::new(shared::create()?);
    let offer =
        Offer { sort: Sort::Communicator, file, claim: None, facts: [0; 6], open: true, fabric: true };
    let published = machine()?.session.publish(offer).map_err(code::of_acl)?;
    let address = Address { number: published.number, secret: published.secret };
    lock(&OFFERED).insert(address.number, published);
    Ok(address)
}

/// All have come: the offer ends, if it is this process's.
pub fn withdraw(address: Address) {
    let ended = lock(&OFFERED).remove(&address.number);
    // Outside the lock.
    drop(ended);
}

/// The memory that is offered there.
///
/// # Errors
/// `HCCL_E_PARA` if nothing is offered there · errors of [`CommunicatorFile::open`].
pub fn fetch(address: Address, ranks: u32) -> Outcome<Arc<CommunicatorFile>> {
    let fetched = machine()?
        .session
        .fetch(Sort::Communicator, address.number, Some(address.secret), acl::RT_PARAM_INVALID)
        .map_err(code::of_acl)?;
    open(&fetched.file, ranks)
}

fn open(file: &OwnedFd, ranks: u32) -> Outcome<Arc<CommunicatorFile>> {
    CommunicatorFile::open(file, ranks).map(Arc::new)
}

impl Address {
    /// As a root info.
    pub fn to_root_info(self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        for (room, word) in bytes.chunks_exact_mut(8).zip([MAGIC, self.number, self.secret]) {
            room.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// Parses a root info.
    ///
    /// # Errors
    /// `HCCL_E_PARA` for other bytes.
    pub fn of_root_info(bytes: &[u8; BYTES]) -> Outcome<Self> {
        let words = bytes.as_chunks::<8>().0;
        let word = |index: usize| words.get(index).map_or(0, |word| u64::from_le_bytes(*word));
        ensure(word(0) == MAGIC, code::PARA, || "not a root info of HcclGetRootInfo".to_owned())?;
        Ok(Self { number: word(1), secret: word(2) })
    }
}
