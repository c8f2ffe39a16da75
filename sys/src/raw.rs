// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The raw floor: what bindgen makes of `sys/abi/*.h`, and nothing else.
//!
//! [`types`] holds every type and constant of every library. Each table ([`acl::AclTable`] and its kin) holds
//! one `Result` per symbol: a missing symbol is a value that its users check. The methods of a
//! table call without looking and panic when the symbol is missing; the checked floor does not use them.
//!
//! There is no hidden state: a table is made from an opened library and belongs to its creator.

// Generated code follows the names of C and the habits of its generator.
#![allow(
    missing_docs,
    non_camel_case_types,
    non_snake_case,
    non_upper_case_globals,
    unused_imports,
    unused_qualifications,
    clippy::all,
    clippy::expect_used,
    clippy::missing_safety_doc,
    clippy::multiple_unsafe_ops_per_block,
    clippy::semicolon_if_nothing_returned,
    clippy::undocumented_unsafe_blocks
)]

pub mod acl;
pub mod hal;
pub mod hccl;
pub mod optional;
pub mod rt;
pub mod types;
