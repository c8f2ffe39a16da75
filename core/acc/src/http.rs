// SPDX-License-Identifier: Apache-2.0 OR MIT
//! HTTP/1.0 and 1.1 as pure state machines: bytes become requests ([`requests`]), requests become bytes
//! ([`answer`]). Their heads are parsed by [`mf_base::http`].

pub mod answer;
mod date;
mod head;
mod query;
pub mod requests;

pub use head::{Head, Method};
pub use query::Parameters;
