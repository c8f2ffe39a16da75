// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests of the store on etcd, against etcd servers that the tests start and kill.
//!
//! Without the program `etcd` (Debian: etcd-server) each test says so and passes.

#[cfg(test)]
mod conformance;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod joining;
#[cfg(test)]
#[path = "../store/leaving.rs"]
mod leaving;
#[cfg(test)]
mod operations;
#[cfg(test)]
mod servers;
