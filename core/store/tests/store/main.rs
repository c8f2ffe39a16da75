// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests of the store through its public interface, over real sockets.

#[cfg(test)]
mod by_hand;
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
mod members;
#[cfg(test)]
mod started;
