// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Config stores: servers, sessions, keys, watches, collective calls, TLS.

pub(crate) mod backend;
pub(crate) mod collective;
pub(crate) mod keys;
pub(crate) mod servers;
pub(crate) mod session;
pub(crate) mod status;
pub(crate) mod tls;
pub(crate) mod watch;
