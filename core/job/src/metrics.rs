// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Metrics of this process: the counters of all floors and families as one sheet, and its server.
//!
//! ```text
//! counters of fabric and store, memberships, Sources of families
//!   -> collect -> Sheet -> text -> server (MF_METRICS), programs
//!                       -> programs
//! ```
//!
//! * [`table`]: every metric with its unit and meaning; `docs/metrics.md` is made of it.
//! * [`Sheet`]: values of one moment; `text`: their OpenMetrics form.
//! * `collect`: fills one. `sources`: families above this crate add theirs as a [`Source`].
//! * `listen_address`: the listen address of `MF_METRICS`; `http`: requests and replies, without sockets;
//!   `server`: the sockets; `site`: the content, by [`Web`] also pages and events of others.
//! * `observer`: the server and the file of `MF_TRACE_FILE`, which this process has while it is a member of a
//!   job. It begins with the first membership and ends with the last.
//!
//! While `MF_METRICS`, `MF_TRACE_FILE` or a viewer asks for it, copies, operations of transports and calls
//! of groups count by route and peer, in cells of their thread (`mf_net::watch`,
//! `mf_base::sync::counters`). `mf top` sets a wish in the store; a watch of each member sees it
//! (`live_stats`) and publishes figures there.
//!
//! Collecting takes locks that no thread holds for long, and asks no other process but a store that this
//! process runs itself. Nothing is done between two requests.

mod collect;
mod http;
mod listen_address;
pub(crate) mod observer;
mod server;
mod sheet;
mod site;
mod sources;
pub mod table;
mod text;

pub use collect::sheet;
pub use observer::{Observer, address};
pub use sheet::{Labels, Sample, Sheet, Value};
pub use site::{Asked, Page, Site, Web};
pub use sources::{Source, add_source};
pub(crate) use sources::{caches, heaps};
pub use text::text;
