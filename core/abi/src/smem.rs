// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The families `smem_*` (general, big memory, share memory, config store) and `mfx_*`, their extensions.
//!
//! Release 1.3 of the interface; `smem/compat2025` is the interface of mid-2025 under names of its own.

mod constants;
mod structs;
#[macro_use]
mod table;
mod types;

pub use constants::*;
pub use structs::*;
pub use types::*;

smem!(crate::describe::describe);

/// Exported data symbols.
pub const DATA: &[&str] = &["g_tracer"];
