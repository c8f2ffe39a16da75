// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A simulator of CANN: the C interface of its libraries, on host memory and threads.
//!
//! One library answers to all names of CANN's libraries, by links; a process that opens several of them gets
//! the same library. It is strict: every error defined by the interface is reported, with CANN's code.
//! Timings on it say nothing about an NPU.
//!
//! From the edge inwards:
//! * [`acl`], [`rt`], [`hal`], [`hccl`], [`hcomm`], [`rdma`], [`control`]: the exported functions, by family;
//!   [`unsupported`]: functions that are there and refuse; [`census`]: object counts.
//! * [`boundary`]: the frame of every exported function.
//! * [`context`], [`kernel`], [`stream`]: execution.
//! * [`sharing`], [`memory`]: addresses, and access rights to the memory behind them.
//! * [`watch`]: injected faults and the call trace.
//! * [`machine`]: settings, product, session, devices of this process.
//! * [`session`]: state shared by the processes of one simulated machine.
//! * [`device`], [`config`], [`product`], [`release`]: which machine it is.
//! * [`fault`], [`last_error`], [`faults`], [`handles`], [`clock`], [`codes`]: what all of these use.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![expect(
    unsafe_code,
    reason = "functions of C, and memory that other processes share, are what this crate is"
)]
#![allow(
    rustdoc::private_intra_doc_links,
    reason = "programs see C functions; these pages are for who works on them"
)]

pub mod acl;
pub mod arg;
pub mod boundary;
pub mod census;
pub mod clock;
pub mod codes;
pub mod config;
pub mod context;
pub mod control;
pub mod device;
pub mod device_ids;
pub mod fault;
pub mod faults;
pub mod hal;
pub mod handles;
pub mod hash;
pub mod hccl;
pub mod hcomm;
mod hidden_symbols;
mod instrumentation;
pub mod kernel;
pub mod last_error;
pub mod machine;
pub mod memory;
pub mod product;
pub mod rdma;
pub mod release;
pub mod rt;
pub mod session;
pub mod sharing;
pub mod stars;
pub mod stream;
mod trace;
pub mod unsupported;
pub mod watch;
