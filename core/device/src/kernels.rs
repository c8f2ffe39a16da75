// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Programs that run on a device.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use mf_base::Result;

use super::RawStream;

/// Device addresses that no pool takes: kernels read data of the host there, at the same place in all
/// processes. A window of exactly one of these ranges can be reserved beside the pools'. Kernels look at the
/// end of the first, and kernels that were built with upstream's headers of 2025 at the end of the second.
pub const FIXED_ADDRESSES: [Range<u64>; 2] =
    [(24 << 40) - (2 << 30)..(24 << 40) - (1 << 30), (24 << 40) - (1 << 30)..24 << 40];

/// Source of the code of a kernel binary.
#[derive(Clone, Copy, Debug)]
pub enum Code<'a> {
    /// A file.
    File(&'a Path),
    /// Bytes of this process; they are only read while loading.
    Bytes(&'a [u8]),
}

/// Options of a launch.
#[derive(Clone, Copy, Debug, Default)]
pub struct LaunchOptions {
    /// Blocks, from 1; each is a core's work.
    pub blocks: u32,
    /// Longest run, in whole microseconds; `None`: the device's own limit.
    pub timeout: Option<Duration>,
    /// A stream of the caller, on which the kernel runs as the next task; the call returns at once then.
    /// `None`: the call waits for the end of the kernel.
    pub stream: Option<RawStream>,
}

/// Target of kernel binaries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The simulator: shared objects for this host.
    Simulator,
    /// An NPU, by its SoC name.
    Npu(String),
}

/// Loader of kernels on a device.
pub trait Kernels: Send + Sync {
    /// Returns the target of the binaries that it loads.
    fn target(&self) -> Target;

    /// Cycles in a microsecond of the counter that kernels read.
    fn cycles_per_us(&self) -> u32;

    /// Loads a binary. It stays loaded while the result or a launch in flight uses it.
    ///
    /// # Errors
    /// `NotExist` the file · `InvalidParam` not a binary, or one for another chip; the text names it ·
    /// errors of the device.
    fn load(&self, code: Code<'_>) -> Result<Arc<dyn Binary>>;
}

/// A loaded kernel binary.
pub trait Binary: Send + Sync {
    /// Launches `kernel` with `arguments`: each argument in its size rounded up to 8 bytes, in order.
    ///
    /// # Errors
    /// `NotExist` no such kernel · `InvalidParam` blocks or arguments that do not fit the kernel ·
    /// `Timeout` it did not end in time · `Failed` it ended with a fault: the text is the device's.
    ///
    /// # Safety
    /// Addresses among the arguments are as the kernel expects, and their memory stays until it has ended.
    unsafe fn launch(&self, kernel: &str, arguments: &[u8], options: &LaunchOptions) -> Result<()>;
}
