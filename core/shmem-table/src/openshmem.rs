// SPDX-License-Identifier: Apache-2.0 OR MIT
//! OpenSHMEM 1.5, the additions of 1.6, and functions outside of the standard that older programs call.

mod atomics;
mod collectives;
mod memory;
mod process;
mod waits;

use crate::{Function, Release, Row};

/// Returns every row, in the order of the header.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    [process::ROWS, memory::ROWS, atomics::ROWS, waits::ROWS, collectives::ROWS].into_iter().flatten()
}

/// Returns every function that the standard counts: 1.5's, then the additions of 1.6.
pub fn functions() -> Vec<Function> {
    let mut functions: Vec<Function> =
        rows().flat_map(Row::functions).filter(Function::is_standard).collect();
    functions.sort_by_key(|function| function.row.first);
    functions
}

impl Function {
    /// Returns true if the standard declares it.
    pub fn is_standard(&self) -> bool {
        self.row.first != Release::Habit
    }

    /// Returns true if it is an extension of our own.
    pub fn is_own(&self) -> bool {
        self.name.starts_with("shmemx_")
    }

    /// Returns the symbol in the library, which no other library has: other products claim the standard's
    /// names.
    pub fn symbol(&self) -> String {
        let families = ["shmem_", "shmemx_"];
        let plain = families.iter().find_map(|family| self.name.strip_prefix(family));
        format!("shmem15_{}", plain.unwrap_or(&self.name))
    }

    /// Returns the name of its twin for profilers.
    pub fn twin(&self) -> String {
        format!("p{}", self.name)
    }

    /// Returns the symbol of its twin.
    pub fn twin_symbol(&self) -> String {
        format!("p{}", self.symbol())
    }

    /// Returns the former name of an addition of 1.6, as an extension.
    pub fn extension(&self) -> Option<String> {
        let is_addition = self.row.first == Release::Standard1_6;
        is_addition.then(|| self.name.replacen("shmem_", "shmemx_", 1))
    }
}
