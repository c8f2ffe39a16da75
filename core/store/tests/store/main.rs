// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests of the store through its public interface, over real sockets.

#[cfg(test)]
mod by_hand;
#[cfg(test)]
mod conformance;
#[cfg(test)]
mod edge_claims;
#[cfg(test)]
mod edge_client;
#[cfg(test)]
mod edge_crowd;
#[cfg(test)]
mod edge_downgrade;
#[cfg(test)]
mod edge_resume;
#[cfg(test)]
mod edge_server;
#[cfg(test)]
mod edge_thread;
#[cfg(test)]
mod etcd;
#[cfg(test)]
mod leaving;
#[cfg(test)]
mod meeting;
#[cfg(test)]
mod members;
#[cfg(test)]
mod reg;
#[cfg(test)]
mod rendezvous;
