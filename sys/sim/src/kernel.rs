// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Kernels: binaries, arguments, launches, and the cores they run on.
//!
//! A kernel binary is a shared object for the host (`sys/sim/include/ascend_sim_kernel.h` says what it
//! exports). A launch becomes one task of a stream. The stream's thread leads it: it takes cores of the
//! device, gives each a thread and a block, and watches until all have ended, the time is over, a block
//! reports a fault or the stream is aborted.
//!
//! Nothing kills a thread. A launch that is lost asks its blocks to return; threads that do not are given up:
//! their cores are free again, and what they use (arguments, library) lives until they do return. They do not
//! keep the process from exiting.
//!
//! * [`elf`], [`library`], [`binary`]: what is loaded, and what is found in it.
//! * [`arguments`], [`attributes`]: what a launch is given.
//! * [`request`], [`launch`], [`block`], [`cores`], [`threads`], [`limits`]: how it runs.
//! * [`interface`]: what a binary may call.
//! * [`resident`]: device memory that the simulator itself holds for kernels.

pub mod arguments;
pub mod attributes;
pub mod binary;
pub mod block;
pub mod cores;
pub mod elf;
pub mod interface;
pub mod launch;
pub mod library;
pub mod limits;
pub mod request;
pub mod resident;
pub mod threads;
