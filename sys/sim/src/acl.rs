// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The functions of `libascendcl.so`, one file a chapter.

pub(crate) mod arguments;
pub mod callback;
pub mod contexts;
pub mod data;
pub mod devices;
pub mod events;
pub mod exceptions;
pub mod general;
pub mod graph;
pub mod ipc;
pub mod kernels;
pub(crate) mod key;
pub mod mem_pool;
pub mod memcpy;
pub mod memory;
pub mod notify;
pub mod op_timeouts;
pub mod peer;
pub mod register;
pub mod stream_options;
pub mod streams;
pub mod values;
pub mod versions;
pub mod virtual_memory;
