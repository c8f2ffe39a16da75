// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Transfers between named processes, without ranks and without a job.
//!
//! An [`Endpoint`] takes a name at a store and registers memory; others read and write that memory by the
//! name. Processes come and go by themselves.
//!
//! **Choose it** for memory that a program already has, and that a process elsewhere reads or writes: from
//! prefill to decode, from a trainer to a server. Processes with ranks that share data take a `Pool`.
//!
//! ```
//! use memfabric::trans::Endpoint;
//! # #[cfg(feature = "store")]
//! # fn main() -> memfabric::Result<()> {
//! use memfabric::store::Server;
//!
//! # let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
//! # let url = format!("tcp://127.0.0.1:{port}");
//! # stringify!(
//! let url = "tcp://10.0.0.1:5570";
//! # );
//! let server = Server::builder(&*url).start()?;                       // or `mf store` somewhere
//! let decode = Endpoint::builder(server.url(), "127.0.0.1:7001").create()?;
//! let block = decode.allocate(1 << 20)?;                              // memory that peers may write
//!
//! // In another process, by the name:
//! let prefill = Endpoint::builder(server.url(), "127.0.0.1:7000").create()?;
//! prefill.write(b"keys and values", "127.0.0.1:7001", block.address())?;
//! prefill.notify("127.0.0.1:7001", b"block 0 is there")?;
//!
//! let news = decode.notification(std::time::Duration::from_secs(20))?;
//! assert_eq!(news.map(|news| news.message), Some(b"block 0 is there".to_vec()));
//! let mut read = [0; 15];
//! block.read(0, &mut read)?;
//! assert_eq!(&read, b"keys and values");
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "store"))]
//! # fn main() {}
//! ```
//!
//! # Names
//! A name is `a.b.c.d:port` or `[v6]:port`, to which `_` and a suffix may be added. It is a label: nothing
//! listens on that address. A process that restarted under the same name is found again; registrations of the
//! former process are gone with it.
//!
//! # Errors
//! `InvalidParam` the range is not inside one registered range there, or a malformed name ·
//! `NotConnected` no such endpoint, or it is gone · `Duplicated` the name is taken · `NoResources` the
//! receiver takes no notifications · `Timeout` the store does not answer.
//!
//! # Threads
//! All types are `Send` and `Sync`. Started transfers run on threads of the library: those to one endpoint in
//! the order of their starts, those to different endpoints in parallel.

mod endpoint;
mod memory;
mod options;
mod transfer;

pub use endpoint::{Endpoint, Notification};
pub use memory::Block;
pub use mf_smem::trans::{MESSAGE_BYTES_MAX, NOTIFICATIONS_MAX};
pub use options::{EndpointBuilder, Role};
pub use transfer::Transfer;
