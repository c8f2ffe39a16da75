// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests of the store with leader election in etcd, against etcd servers that the tests start and kill.
//!
//! Without the program `etcd` (Debian: etcd-server) each test prints that and passes.

mod faults;
mod joining;
mod leaders;
mod processes;
mod servers;

pub(crate) use servers::Job;
