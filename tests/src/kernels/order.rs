// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Orders of a test for a rank that runs kernels.

use serde::{Deserialize, Serialize};

use super::case::Case;
use crate::order::Init;

/// Orders for a rank. The first field of orders about an object is its number.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Order {
    /// Find the job, with this accelerator.
    Init(Init, u16),
    /// Make an object with so many bytes of each rank.
    Create(u32, u64),
    /// Destroy it.
    Destroy(u32),
    /// Wait for all ranks of it.
    Barrier(u32),
    /// Run a case, and check the own memory.
    Run(u32, Case),
    /// Run the barrier kernel so often, with so many blocks, each time after all ranks have recorded the turn
    /// in their memory, and check its effect: turns, blocks, and the late rank.
    Barriers(u32, u32, u32, Option<u32>),
    /// Launch something else; the answer comes with its end.
    Launch(u32, Launch),
    /// The same beside the other orders.
    Start(u32, Launch),
    /// End the started launch.
    End,
    /// Set a variable of the process's environment, or take it back.
    Environment(String, Option<String>),
    /// Write bytes to a place of a rank's part.
    Put(u32, u32, u64, Vec<u8>),
    /// Wait until a place of a rank's part holds these bytes.
    Await(u32, u32, u64, Vec<u8>),
    /// Release everything; the answer lists leaks.
    Finish,
}

/// A launch with arbitrary arguments.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Launch {
    /// The kernel.
    pub kernel: String,
    /// Its arguments.
    pub arguments: Vec<Argument>,
    /// Blocks.
    pub blocks: u32,
    /// Longest run in milliseconds; none: the device's.
    pub timeout_ms: Option<u64>,
}

impl Launch {
    /// A launch of one block.
    pub fn new(kernel: &str, arguments: impl Into<Vec<Argument>>) -> Self {
        Self { kernel: kernel.to_owned(), arguments: arguments.into(), blocks: 1, timeout_ms: None }
    }

    /// The same with so many blocks.
    #[must_use]
    pub fn blocks(mut self, blocks: u32) -> Self {
        self.blocks = blocks;
        self
    }

    /// The same, for so long at most.
    #[must_use]
    pub fn timeout_ms(mut self, timeout_ms: u64) -> Self {
        self.timeout_ms = Some(timeout_ms);
        self
    }
}

/// An argument of a kernel.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum Argument {
    /// 32 bits.
    U32(u32),
    /// 64 bits.
    U64(u64),
    /// A place in a rank's part.
    In(u32, u64),
}
