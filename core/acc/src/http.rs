// SPDX-License-Identifier: Apache-2.0 OR MIT
//! HTTP/1.0 and 1.1 as pure machines: bytes become requests ([`requests`]), requests become bytes
//! ([`answer`]).
//!
//! Requests are read by hand: the kept parsers of Rust accept line ends without CR in requests and refuse
//! folded header lines, which this interface takes.

pub mod answer;
mod date;
mod head;
mod query;
pub mod requests;

pub use head::{Head, Method};
pub use query::Parameters;
