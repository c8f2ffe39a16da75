// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Servers inside of a process: small messages over links, and HTTP.
//!
//! A [`MessageServer`] listens, connects to others, and calls the program for each message. An [`HttpServer`]
//! answers requests, for a status page or a small interface.
//!
//! **Choose it** for commands and events between processes that need no rank and no store. For data take a
//! `Pool` or `trans`; for values that all members see take the store.
//!
//! ```
//! use memfabric::acc::MessageServer;
//! use std::sync::mpsc::channel;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let (sender, received) = channel();
//! let server = MessageServer::builder()
//!     .listen("127.0.0.1:0".parse()?)
//!     .on_message(7, move |message, _link| drop(sender.send(message.body.to_vec())))
//!     .start()?;
//!
//! // In another process:
//! let client = MessageServer::builder().on_message(7, |_, _| ()).start()?;
//! let link = client.connect(server.address().ok_or("not listening")?, 1)?;
//! link.send(7, 0, b"reload")?;
//!
//! assert_eq!(received.recv_timeout(std::time::Duration::from_secs(20))?, b"reload");
//! # Ok(())
//! # }
//! ```
//!
//! # Errors
//! `InvalidParam` an option is out of range, or a certificate is unusable · `InUse` the address ·
//! `NotStarted` the server has stopped · `NotConnected` the peer refuses, is not there, or the link has
//! ended · `NoResources` the queue of the link is full.
//!
//! # Threads
//! All types are `Send` and `Sync`. Callbacks run on the threads of the server ([`workers`]), several at a
//! time; they may send, and must not stop their own server.
//!
//! [`workers`]: MessageServerBuilder::workers

mod http;
mod messages;

pub use http::{HttpServer, HttpServerBuilder, Method, Request};
pub use messages::{Link, Message, MessageServer, MessageServerBuilder};
