// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Threads for blocks: kept for a while between launches, one more whenever all are busy. A thread that does
//! not come back from a kernel is simply missing.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use mf_base::sync::lock;

use super::block::Block;
use crate::fault::Outcome;
use crate::stream::thread;

/// Idle time of a thread before it ends: longer than the pause between two consecutive launches, and shorter
/// than a test may wait for a job's threads to end.
const REST: Duration = Duration::from_millis(200);

static POOL: Mutex<Pool> = Mutex::new(Pool { blocks: VecDeque::new(), idle: 0 });
static WORK: Condvar = Condvar::new();

struct Pool {
    blocks: VecDeque<Block>,
    idle: usize,
}

/// Runs a block on a separate thread.
///
/// # Errors
/// 207005 when the host gives no thread.
pub fn run(block: Block) -> Outcome {
    {
        let mut pool = lock(&POOL);
        if pool.idle > pool.blocks.len() {
            pool.blocks.push_back(block);
            WORK.notify_one();
            return Ok(());
        }
    }
    thread::start("sim-core", || work(block))
}

fn work(first: Block) {
    first.run();
    while let Some(block) = next() {
        block.run();
    }
}

fn next() -> Option<Block> {
    let mut pool = lock(&POOL);
    pool.idle += 1;
    loop {
        if let Some(block) = pool.blocks.pop_front() {
            pool.idle -= 1;
            return Some(block);
        }
        let (woken, rest) = WORK.wait_timeout(pool, REST).unwrap_or_else(PoisonError::into_inner);
        pool = woken;
        if rest.timed_out() && pool.blocks.is_empty() {
            pool.idle -= 1;
            return None;
        }
    }
}
