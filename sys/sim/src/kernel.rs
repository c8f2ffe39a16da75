// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Kernels: binaries, arguments, launches, and the cores they run on.
//!
//! A kernel binary is a shared object for the host (`sys/sim/include/ascend_sim_kernel.h` defines its
//! exports). A launch becomes one task of a stream. The stream's thread leads it: it allocates cores of the
//! device, gives each a thread and a block, and monitors them until all have ended, the time limit has
//! passed, a block reports a fault or the stream is aborted.
//!
//! Threads are never killed. A lost launch asks its blocks to return; threads that do not are abandoned:
//! their cores are freed, and their resources (arguments, library) live until they return. They do not keep
//! the process from exiting.
//!
//! * [`elf`], [`library`], [`binary`]: loading, and symbols.
//! * [`arguments`], [`attributes`]: inputs of a launch.
//! * [`request`], [`launch`], [`block`], [`cores`], [`threads`], [`limits`]: how it runs.
//! * [`interface`]: functions for binaries; [`abi`]: its types.
//! * [`resident`]: device memory that the simulator itself holds for kernels.

pub mod abi;
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
