// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Bindings of CANN (ACL, HCCL, the driver HAL, the runtime), opened at run time and never linked.
//!
//! Three floors, each usable alone:
//!
//! 1. [`raw`] is what bindgen makes of our headers in `sys/abi`: one module of types and constants for all
//!    libraries, and one table of functions for each, in which every symbol is a `Result` of its own.
//! 2. [`loader`] finds and opens the libraries ([`Libraries::open`]), says what it tried and why it took what
//!    it took ([`loader::Report`]), and turns what is wrong with an installation into a typed [`LoadError`].
//! 3. [`acl`], [`hal`], [`hccl`] and [`rt`] are the checked floor: one small method per function, whose
//!    status becomes a [`AclError`] with CANN's own text. Handles are plain copyable values here; [`owned`]
//!    has owners that release them.
//!
//! [`optional`] has what else the public headers declare and a release may lack: nearly 500 functions, each
//! searched when it is first asked for.
//!
//! [`headers`] are those of `sys/abi` as files, for the simulator's installation.
//!
//! # The contract of the checked floor
//! A handle can only be had from a call that made it, or from `unsafe` code. A caller that *ends* a handle or
//! a piece of memory (destroys, frees, unmaps, resets the device, finalises) does so in an `unsafe` method
//! and vouches that it is not used again; so the methods that *use* a handle are safe. Methods that take
//! addresses are `unsafe`, because CANN reads and writes there.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![expect(unsafe_code, reason = "calls into foreign libraries are what this crate is")]

pub mod acl;
mod error;
pub mod hal;
pub mod hccl;
pub mod headers;
pub mod loader;
mod numbers;
pub mod optional;
pub mod owned;
pub mod raw;
pub mod rt;

pub use acl::Acl;
pub use error::{AclError, Class};
pub use hal::Hal;
pub use hccl::Hccl;
pub use loader::{Libraries, Library, LoadError, Search, Version};
pub use optional::Optional;
pub use rt::Rt;

/// Result of a call into CANN.
pub type Result<T, E = AclError> = std::result::Result<T, E>;
