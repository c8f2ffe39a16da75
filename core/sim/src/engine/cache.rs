// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Values by key with leases: a value stays in place until its lease ends; then its bytes may be another's.

use std::collections::BTreeMap;

use super::{Engine, OpId};
use crate::choice::{Kind, STORE, Site, Spread};
use crate::error::{Error, ErrorKind};
use crate::op::{CacheRequest, Outcome, Value};
use crate::world::Nanos;

/// Byte of a block that was given to another value.
pub(crate) const OVERWRITTEN: u8 = 0xdd;

/// Memory of a value.
struct Block {
    bytes: Vec<u8>,
    home: u32,
    leased_until: Nanos,
    /// Its key was removed or put again.
    is_removed: bool,
}

#[derive(Default)]
pub(super) struct CacheState {
    keys: BTreeMap<Vec<u8>, u64>,
    blocks: BTreeMap<u64, Block>,
    next: u64,
}

impl Engine {
    pub(super) fn cache_executes(&mut self, op: OpId, rank: u32, request: CacheRequest) {
        let now = self.now;
        let outcome = match request {
            CacheRequest::Put { key, value } => {
                self.remove_key(&key);
                let number = self.cache.next;
                self.cache.next += 1;
                let block = Block { bytes: value, home: rank, leased_until: 0, is_removed: false };
                self.cache.blocks.insert(number, block);
                self.cache.keys.insert(key, number);
                Ok(Value::None)
            }
            CacheRequest::Get { key } => {
                Ok(Value::Found(self.value_of(&key).map(|(_, block)| block.bytes.clone())))
            }
            CacheRequest::Remove { key, unless_leased } => match self.value_of(&key) {
                Some((_, block)) if unless_leased && block.leased_until > now => {
                    Err(Error::new(ErrorKind::InUse, "the value is leased"))
                }
                _ => Ok(Value::Flag(self.remove_key(&key))),
            },
            CacheRequest::Lease { key, time } => {
                let leased = self.value_of(&key).map(|(number, block)| {
                    block.leased_until = block.leased_until.max(now.saturating_add(time));
                    (number, block.bytes.len() as u64)
                });
                // The holder counts from before the call, so that the lease ends there no later than here.
                let begun = self.ops.get(&op).map_or(now, |state| state.begun);
                let until = begun.saturating_add(time) + (self.time_of(rank) - now);
                Ok(Value::Leased(leased.map(|(number, bytes)| (number, bytes, until))))
            }
        };
        self.reply(op, STORE, outcome);
    }

    fn value_of(&mut self, key: &[u8]) -> Option<(u64, &mut Block)> {
        let number = *self.cache.keys.get(key)?;
        self.cache.blocks.get_mut(&number).map(|block| (number, block))
    }

    fn remove_key(&mut self, key: &[u8]) -> bool {
        let Some(number) = self.cache.keys.remove(key) else { return false };
        if let Some(block) = self.cache.blocks.get_mut(&number) {
            block.is_removed = true;
        }
        true
    }

    /// Reads a leased value in place. After the end of the lease its memory may hold another value.
    pub(super) fn read_leased(&mut self, rank: u32, number: u64) -> Outcome {
        let now = self.now;
        let Some(block) = self.cache.blocks.get(&number) else {
            return Err(Error::new(ErrorKind::NotExist, "there is no such value"));
        };
        let (home, is_over, mut is_gone) = (block.home, block.leased_until <= now, block.is_removed);
        if self.is_dead(home) {
            return Err(Error::of_rank(
                ErrorKind::NotConnected,
                home,
                format!("rank {home} has died with the value"),
            ));
        }
        if is_over && !is_gone {
            is_gone = self.choices.draw(Site::one(Kind::Evict, rank), 2, Spread::Even) == 1;
        }
        let Some(block) = self.cache.blocks.get_mut(&number) else { return Ok(Value::None) };
        if is_over && is_gone {
            block.bytes.fill(OVERWRITTEN);
            let bytes = block.bytes.clone();
            self.cache.keys.retain(|_, known| *known != number);
            self.say(rank, || format!("block {number} was given to another value"));
            return Ok(Value::Bytes(bytes));
        }
        Ok(Value::Bytes(block.bytes.clone()))
    }

    /// Drops the values in the memory of a dead rank.
    pub(super) fn cache_forgets(&mut self, rank: u32) {
        let CacheState { keys, blocks, .. } = &mut self.cache;
        keys.retain(|_, number| blocks.get(number).is_some_and(|block| block.home != rank));
    }
}
