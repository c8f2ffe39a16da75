// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Operating-system primitives: the only place below the fabric that talks to the kernel about memory.
//!
//! * [`access_map`]: memory that this process can read and write.
//! * [`descriptor`]: opening descriptors that are never 0, 1 or 2.
//! * `held_streams`: the numbers of closed standard streams, held while something is opened.
//! * [`memfile`]: memory without a name that several processes map; sealed, so that it cannot shrink under a
//!   reader.
//! * [`mapping`]: reserved address ranges and mappings in them.
//! * [`socket`]: Unix sequenced-packet sockets that carry descriptors and identify the other end.
//! * [`stream`]: writing to connections without signals.
//! * [`thread`]: threads in other people's processes.
//! * [`futex`]: waiting on a word that several processes share.
//! * [`guarded`]: copies from and to memory that may not be there.
//! * [`interface`]: the network interfaces of this machine.
//! * [`process`]: page sizes, limits, fork detection.
//! * [`remap_pages`]: replaces pages in use by pages of a file, and back.
//! * [`per_process`]: state that a forked child begins anew.
//! * [`random()`]: random bytes.
//! * [`scheduling`]: the core of a thread, and its time slice.
//! * [`service`]: threads that other threads depend on, and panics of theirs.
//! * [`peer_credentials`]: the user of the process at the other end of a connection on this host.

pub mod access_map;
pub mod descriptor;
pub mod futex;
pub mod guarded;
mod held_streams;
pub mod interface;
pub mod mapped;
pub mod mapping;
pub mod memfile;
pub mod peer_credentials;
pub mod per_process;
pub mod process;
mod random;
pub mod remap_pages;
pub mod scheduling;
pub mod service;
mod signals;
pub mod socket;
pub mod stream;
pub mod thread;

pub use random::random;
