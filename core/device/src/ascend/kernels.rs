// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Kernels: loading binaries, and launching their functions.
//!
//! A binary belongs to a context. It is loaded in ours, and again in a context of the program when a stream
//! of that context launches a kernel of it, so its image is kept.
//!
//! | launch | stream | returns | errors of the kernel |
//! |---|---|---|---|
//! | waiting | one of ours, for this launch alone | when the kernel has ended | the result |
//! | on the caller's stream | the caller's | at once | the program's, when it waits for its stream |
//!
//! A kernel on the caller's stream is followed by a mark, as copies are ([`DeviceMover::on_stream`]), so
//! memory of a pool is not unmapped under it, and the binary not unloaded. A captured stream gets none: a
//! graph is the program's, which ends it before binary and memory.

use std::collections::BTreeMap;
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ascend_acl_sys::acl::{self, Context, Function, Launch, Stream};
use ascend_acl_sys::raw::types as abi;
use ascend_acl_sys::{AclError, Class};
use mf_base::interrupt::InterruptPoll;
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};

use super::cann::{OrRefused, refused};
use super::image::{self, Image};
use super::product::Product;
use super::runtime::Runtime;
use crate::kernels::{Binary, Code, Kernels, LaunchOptions, Target};
use crate::vmm::{self, DeviceMover, timeout_for};

const LOAD: &str = "kernel load";
const LAUNCH: &str = "kernel launch";

/// Blocks of a launch, at most.
const MOST_BLOCKS: u32 = 65_535;

/// Arguments of a kernel, at most, in words of 8 bytes.
const MOST_ARGUMENTS: usize = 128;

/// A kernel without a time limit that has not ended after so long is stuck, and so is the device, which has a
/// shorter limit.
const LONGEST: Duration = Duration::from_secs(3600);

/// Loader of kernels on one device.
pub(super) struct AscendKernels {
    runtime: Arc<Runtime>,
    mover: Arc<DeviceMover>,
}

impl AscendKernels {
    pub(super) fn new(runtime: &Arc<Runtime>, mover: &Arc<DeviceMover>) -> Self {
        Self { runtime: Arc::clone(runtime), mover: Arc::clone(mover) }
    }
}

impl Kernels for AscendKernels {
    fn target(&self) -> Target {
        match self.runtime.cann.simulator() {
            Some(_) => Target::Simulator,
            None => Target::Npu(self.runtime.cann.acl().soc_name().unwrap_or_default()),
        }
    }

    fn cycles_per_us(&self) -> u32 {
        Product::from_soc(&self.runtime.cann.acl().soc_name().unwrap_or_default()).cycles_per_us()
    }

    fn load(&self, code: Code<'_>) -> Result<Arc<dyn Binary>> {
        let image = Image::read(code, self.runtime.cann.simulator().is_some())?;
        let binary = AscendBinary {
            runtime: Arc::clone(&self.runtime),
            mover: Arc::clone(&self.mover),
            image,
            loaded: Mutex::default(),
            on_streams: AtomicBool::new(false),
        };
        self.runtime.run(|| binary.loaded_in(self.runtime.context(), |_| ()))??;
        Ok(Arc::new(binary))
    }
}

/// A binary. Dropping it unloads it, unless streams of the program do not get past its kernels.
struct AscendBinary {
    runtime: Arc<Runtime>,
    mover: Arc<DeviceMover>,
    image: Image,
    /// One entry for each context that launched a kernel of it.
    loaded: Mutex<Vec<Loaded>>,
    /// True if a kernel of it was ever put on a stream of the program.
    on_streams: AtomicBool,
}

/// The binary in one context.
struct Loaded {
    context: Context,
    handle: acl::Binary,
    functions: BTreeMap<String, Function>,
}

impl AscendBinary {
    /// Runs `use_it` with the binary loaded in `context`, which is current.
    ///
    /// # Errors
    /// `InvalidParam` CANN does not take it · other errors of CANN.
    fn loaded_in<R>(&self, context: Context, use_it: impl FnOnce(&mut Loaded) -> R) -> Result<R> {
        let mut all = lock(&self.loaded);
        let at = match all.iter().position(|loaded| loaded.context == context) {
            Some(at) => at,
            None => {
                let handle = self.load_here()?;
                all.push(Loaded { context, handle, functions: BTreeMap::new() });
                all.len() - 1
            }
        };
        let Some(loaded) = all.get_mut(at) else {
            return Err(Error::new(Kind::Failed, LOAD).what("the binary is gone"));
        };
        Ok(use_it(loaded))
    }

    fn load_here(&self) -> Result<acl::Binary> {
        let acl = self.runtime.cann.acl();
        let handle = match &self.image {
            Image::File(path) => {
                let path = CString::new(path.as_os_str().as_bytes())
                    .map_err(|_| Error::invalid(LOAD, "the path of the binary has a zero byte"))?;
                acl.load_binary_file(&path, &mut [])
            }
            Image::Bytes(bytes) => acl.load_binary(bytes, &mut []),
        };
        handle.map_err(|error| image::binary_refused(error, &self.image, acl.soc_name().as_deref()))
    }

    /// Launches on a stream of the context that is current.
    ///
    /// # Safety
    /// As [`Binary::launch`].
    unsafe fn put_on(&self, stream: Stream, context: Context, request: &Request<'_>) -> Result<()> {
        let function = self.loaded_in(context, |loaded| self.function(loaded, request))??;
        let mut attributes = request.attributes;
        let count = usize::from(request.options.timeout.is_some());
        let mut arguments = request.arguments.to_vec();
        if arguments.is_empty() {
            // CANN takes no empty list.
            arguments.resize(8, 0);
        }
        let launch = Launch {
            function,
            blocks: request.options.blocks,
            stream,
            attributes: attributes.get_mut(..count).unwrap_or_default(),
            arguments: &mut arguments,
            placeholders: &mut [],
        };
        // SAFETY: the caller vouches for kernel, arguments and stream; `self` keeps the binary of the
        // function.
        unsafe { self.runtime.cann.acl().launch(launch) }.map_err(|error| not_launched(error, request))
    }

    /// The kernel of the request.
    fn function(&self, loaded: &mut Loaded, request: &Request<'_>) -> Result<Function> {
        if let Some(function) = loaded.functions.get(request.kernel) {
            return Ok(*function);
        }
        let found = self.runtime.cann.acl().function(loaded.handle, &request.name);
        let function = found.map_err(|error| match error.class() {
            Class::InvalidArgument | Class::InvalidHandle | Class::NotFound => {
                Error::new(Kind::NotExist, LAUNCH)
                    .what("the binary has no such kernel")
                    .with("kernel", request.kernel)
                    .source(error)
            }
            _ => refused(error).with("kernel", request.kernel),
        })?;
        loaded.functions.insert(request.kernel.to_owned(), function);
        Ok(function)
    }

    /// Launches on a stream of ours and waits.
    ///
    /// # Safety
    /// As [`Binary::launch`].
    unsafe fn launch_and_wait(&self, request: &Request<'_>) -> Result<()> {
        let streams = self.mover.streams();
        let stream = streams.take()?;
        // SAFETY: a stream of ours, alive until it is given back or dropped.
        let handle = unsafe { Stream::from_raw(stream.raw().0) };
        let context = self.runtime.context();
        // SAFETY: the caller vouches for kernel and arguments; the stream is ours and alive.
        self.runtime.run(|| unsafe { self.put_on(handle, context, request) })??;
        let limit = request.options.timeout.map_or(LONGEST, |limit| limit.saturating_add(timeout_for(0)));
        // A stream that has not finished, or failed, is destroyed with its queued work.
        let (end, mut interrupt) = (Instant::now() + limit, InterruptPoll::new());
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let slice = interrupt.within(left);
            let acl = self.runtime.cann.acl();
            match self.runtime.run(|| acl.synchronize_stream(handle, Some(slice)))? {
                Err(error) if slice < left && error.code() == Some(abi::ACL_ERROR_RT_STREAM_SYNC_TIMEOUT) => {
                    interrupt.check(LAUNCH)?;
                }
                done => break done.map_err(|error| not_ended(error, request, limit))?,
            }
        }
        streams.give_back(stream);
        Ok(())
    }
}

impl Binary for AscendBinary {
    unsafe fn launch(&self, kernel: &str, arguments: &[u8], options: &LaunchOptions) -> Result<()> {
        let request = Request::from_arguments(kernel, arguments, options)?;
        let Some(stream) = options.stream else {
            // SAFETY: the caller vouches for kernel and arguments until this returns, after the kernel has
            // ended.
            return unsafe { self.launch_and_wait(&request) };
        };
        self.on_streams.store(true, Ordering::Relaxed);
        // SAFETY: the caller vouches for kernel, arguments and stream until the stream is behind the launch.
        let put = |context: vmm::Context| {
            // SAFETY: the context is the current one.
            let context = unsafe { Context::from_raw(context.0) };
            // SAFETY: the caller vouches for the stream.
            let handle = unsafe { Stream::from_raw(stream.0) };
            // SAFETY: the caller vouches for kernel and arguments until the stream is behind the launch.
            unsafe { self.put_on(handle, context, &request) }
        };
        // SAFETY: the caller vouches that the stream is the runtime's and alive.
        unsafe { self.mover.on_stream_or_graph(stream, put) }
    }
}

impl Drop for AscendBinary {
    fn drop(&mut self) {
        if *self.on_streams.get_mut()
            && let Err(error) = self.mover.wait_past_caller_streams()
        {
            tracing::warn!("a kernel binary stays loaded: {error}");
            return;
        }
        let loaded = std::mem::take(self.loaded.get_mut().unwrap_or_else(PoisonError::into_inner));
        for Loaded { context, handle, .. } in loaded {
            // SAFETY: no kernel of it runs: waited-for launches have ended, the streams of the others were
            // passed just now; and the functions are dropped with this owner.
            let unload = || unsafe { self.runtime.cann.acl().unload_binary(handle) }.or_refused();
            if let Err(error) = self.runtime.run_in(context, unload).flatten() {
                tracing::debug!("a kernel binary was not unloaded: {error}");
            }
        }
    }
}

/// A launch as it is asked for, as far as it can be checked without the device.
struct Request<'a> {
    kernel: &'a str,
    name: CString,
    arguments: &'a [u8],
    options: &'a LaunchOptions,
    /// The first one counts where there is a timeout.
    attributes: [abi::aclrtLaunchKernelAttr; 1],
}

impl<'a> Request<'a> {
    fn from_arguments(kernel: &'a str, arguments: &'a [u8], options: &'a LaunchOptions) -> Result<Self> {
        let invalid = |what: &str| Error::invalid(LAUNCH, what).with("kernel", kernel);
        if !(1..=MOST_BLOCKS).contains(&options.blocks) {
            return Err(invalid("a kernel has 1 to 65535 blocks").with("blocks", options.blocks));
        }
        if !arguments.len().is_multiple_of(8) || arguments.len() > 8 * MOST_ARGUMENTS {
            return Err(invalid("arguments are at most 128 words of 8 bytes").with("bytes", arguments.len()));
        }
        let micros = match options.timeout {
            Some(Duration::ZERO) => return Err(invalid("a time limit of 0 leaves a kernel no time")),
            timeout => u64::try_from(timeout.unwrap_or_default().as_micros()).unwrap_or(u64::MAX),
        };
        let name = CString::new(kernel)
            .map_err(|_| Error::new(Kind::NotExist, LAUNCH).what("no kernel has a zero byte in its name"))?;
        Ok(Self { kernel, name, arguments, options, attributes: [timeout_of(micros.max(1))] })
    }
}

fn timeout_of(micros: u64) -> abi::aclrtLaunchKernelAttr {
    #[expect(clippy::cast_possible_truncation, reason = "the two halves of a number")]
    let halves = abi::aclrtTimeoutUs { timeoutLow: micros as u32, timeoutHigh: (micros >> 32) as u32 };
    let mut value = abi::aclrtLaunchKernelAttrValue { rsv: [0; 4] };
    value.timeoutUs = halves;
    abi::aclrtLaunchKernelAttr { id: abi::ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US, value }
}

/// CANN did not take a launch.
#[cold]
fn not_launched(error: AclError, request: &Request<'_>) -> Error {
    match error.class() {
        Class::InvalidArgument => Error::invalid(LAUNCH, "the kernel cannot be launched like this")
            .with("kernel", request.kernel)
            .with("blocks", request.options.blocks)
            .with("argument_bytes", request.arguments.len())
            .source(error),
        _ => refused(error).with("kernel", request.kernel),
    }
}

/// A kernel failed, or does not end.
#[cold]
fn not_ended(error: AclError, request: &Request<'_>, limit: Duration) -> Error {
    const TIMEOUTS: [i32; 3] = [
        abi::ACL_ERROR_RT_AICORE_TIMEOUT,
        abi::ACL_ERROR_RT_VECTOR_CORE_TIMEOUT,
        abi::ACL_ERROR_RT_TASK_TIMEOUT,
    ];
    let facts = |kind, what: &str| {
        Error::new(kind, LAUNCH)
            .what(what)
            .with("kernel", request.kernel)
            .with("blocks", request.options.blocks)
    };
    match error.code() {
        Some(code) if TIMEOUTS.contains(&code) => {
            let late = facts(Kind::Timeout, "the kernel did not end in time");
            match request.options.timeout {
                Some(limit) => late.with("limit_us", limit.as_micros()),
                None => late,
            }
            .hint("a kernel that waits needs all its blocks at once, and all ranks it waits for")
            .source(error)
        }
        Some(abi::ACL_ERROR_RT_STREAM_SYNC_TIMEOUT) => {
            facts(Kind::Timeout, "the device ends neither the kernel nor its time")
                .with("waited_ms", limit.as_millis())
                .hint("npu-smi info shows whether the device is healthy")
                .source(error)
        }
        _ if matches!(error.class(), Class::PeerFault) => refused(error).with("kernel", request.kernel),
        _ => facts(Kind::Failed, "the kernel failed").source(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(options: &LaunchOptions, bytes: usize) -> Result<()> {
        Request::from_arguments("k", &vec![0; bytes], options).map(drop)
    }

    #[test]
    fn invalid_launches_are_refused_without_the_device() {
        let good = LaunchOptions { blocks: 1, ..LaunchOptions::default() };
        request(&good, 0).unwrap();
        request(&LaunchOptions { blocks: MOST_BLOCKS, ..good }, 1024).unwrap();
        for (options, bytes) in [
            (LaunchOptions { blocks: 0, ..good }, 8),
            (LaunchOptions { blocks: MOST_BLOCKS + 1, ..good }, 8),
            (LaunchOptions { timeout: Some(Duration::ZERO), ..good }, 8),
            (good, 7),
            (good, 1032),
        ] {
            assert_eq!(
                request(&options, bytes).unwrap_err().kind(),
                Kind::InvalidParam,
                "{options:?} {bytes}"
            );
        }
        assert_eq!(Request::from_arguments("a\0b", &[], &good).map(drop).unwrap_err().kind(), Kind::NotExist);
    }

    #[test]
    fn a_time_limit_travels_in_two_halves() {
        let attribute = timeout_of((7 << 32) + 5);
        assert_eq!(attribute.id, 8);
        // SAFETY: all fields of the union are plain numbers.
        let words = unsafe { attribute.value.rsv };
        assert_eq!(words, [5, 7, 0, 0]);
    }
}
