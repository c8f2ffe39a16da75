// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Shared memory over the members of a job.
//!
//! * [`bm`] (big memory): every member contributes memory, and copies to and from any of it.
//! * [`shm`] (share memory): the same number of bytes of every rank, which [kernels](kernel) address.
//! * [`trans`] (transfer engine): memory anywhere in processes that know each other's names, without a job.
//!
//! ```
//! use mf_base::{MemKind, Rank};
//! use mf_smem::bm::{Config, Context, PoolOptions};
//!
//! # let port = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
//! # let url = format!("tcp://127.0.0.1:{port}");
//! // One process of a job of one; see the examples for several.
//! let context = Context::init(Config::new(&url, 1))?;
//! let pool = context.create(PoolOptions::new(0).host(2 << 20))?;
//! pool.join()?;
//! let there = pool.address(MemKind::Host, Rank(0))?;
//! pool.put(b"hello", there)?;
//! let mut back = [0; 5];
//! pool.get(there, &mut back)?;
//! assert_eq!(&back, b"hello");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod bm;
#[expect(unsafe_code, reason = "launches with arguments that the caller vouches for")]
pub mod kernel;
pub mod shm;
pub mod trans;
