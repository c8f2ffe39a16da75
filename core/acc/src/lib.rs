// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Servers for programs that bring their own protocols: small messages over links, and HTTP.
//!
//! What is decided without input and output: [`frame`] and [`hello`] (bytes of messages), [`outbox`] (what a link
//! has yet to write), [`http`].

#![forbid(unsafe_code)]

pub mod frame;
pub mod hello;
pub mod http;
pub mod outbox;
