// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The checks. Each is a module with facts, what gathers them, and a pure function that judges them; tests
//! judge made-up facts.

pub(super) mod certificates;
pub(super) mod clock;
pub(super) mod cma;
pub(super) mod compiler;
pub(super) mod devices;
pub(super) mod etcd;
pub(super) mod limits;
pub(super) mod names;
pub(super) mod network;
pub(super) mod pages;
mod port_owner;
pub(super) mod python;
pub(super) mod reach;
pub(super) mod secret;
pub(super) mod settings;
pub(super) mod store;
pub(super) mod ucx;
