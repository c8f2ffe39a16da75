// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests of every kind of store, and of the rendezvous of its members, over real sockets.

#[cfg(test)]
mod conformance;
#[cfg(test)]
mod etcd;
#[cfg(test)]
mod hosted;
#[cfg(test)]
mod leaving;
#[cfg(test)]
mod meeting;
#[cfg(test)]
#[path = "../../../store/tests/store/members.rs"]
mod members;
#[cfg(test)]
mod reg;
#[cfg(test)]
mod rendezvous;
