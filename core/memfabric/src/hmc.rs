// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Transfers between two buffers (HMC), by address and port.
//!
//! A [`Buffer`] is one range of memory, of the processor or of an accelerator of any vendor. A
//! [`Communicator`] over it listens and connects; from then on either side puts to and gets from the buffer
//! of the other, without a step of the other program.
//!
//! **Choose it** for two processes that know each other's address and work on one buffer each, on hardware of
//! different vendors. Named memory without addresses is `trans`; many ranks are a `Pool`.
//!
//! ```
//! use memfabric::hmc::{Buffer, Communicator, MemoryType, Ranges};
//!
//! # fn main() -> memfabric::Result<()> {
//! # let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
//! # let address = std::net::SocketAddr::from(([127, 0, 0, 1], port));
//! # stringify!(
//! let address = "10.0.0.1:5500".parse().unwrap();
//! # );
//! let ours = Communicator::builder(Buffer::allocate(MemoryType::Cpu, 0, 4096)?).build()?;
//! ours.listen(address)?;
//!
//! // In the other process:
//! let theirs = Communicator::builder(Buffer::allocate(MemoryType::Cpu, 0, 4096)?).build()?;
//! let peer = theirs.connect(address)?;
//! theirs.buffer().write(0, b"tensor")?;
//! theirs.put(&peer, Ranges { local: 0, remote: 64, bytes: 6 })?;
//!
//! let mut read = [0; 6];
//! ours.buffer().read(64, &mut read)?;
//! assert_eq!(&read, b"tensor");
//! # Ok(())
//! # }
//! ```
//!
//! # Errors
//! `InvalidParam` an option or address that is never valid · `NotExist` unknown peer or operation, or memory
//! that this machine does not have · `Timeout` · `Failed` a range outside a buffer, or the peer is gone,
//! which is found within seconds and drops the connection. Other kinds name a cause in the operating system.
//!
//! # Threads
//! All types are `Send` and `Sync`. Started operations run on at most as many threads as the communicator has
//! channels.
//!
//! # Limits
//! The control channel with tags is in the C, C++ and Python interfaces only.

mod buffer;
mod communicator;

pub use buffer::{Buffer, MemoryType};
pub use communicator::{Communicator, CommunicatorBuilder, Operation, Peer, Transport};
pub use mf_hmc::communicator::{CHANNELS_MAX, Ranges};
