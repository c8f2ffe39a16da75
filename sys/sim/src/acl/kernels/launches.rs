// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Launches, and the cores that they may use.

use std::collections::HashMap;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::{Arc, LazyLock, Mutex};

use ascend_acl_sys::raw::types::{aclrtLaunchKernelAttr, aclrtLaunchKernelCfg, aclrtPlaceHolderInfo};
use mf_base::sync::lock;

use super::arguments::list_of;
use super::taken;
use crate::acl::arguments::{MOST_ATTRIBUTES, answer, array, give, not_null, not_zero, one_of};
use crate::codes::acl;
use crate::context::current;
use crate::context::stream_of;
use crate::exports;
use crate::fault::{Fault, Outcome, ensure};
use crate::kernel::arguments::{Image, MOST, padded};
use crate::kernel::attributes::{Attributes, Engine, Raw};
use crate::kernel::binary::Function;
use crate::kernel::limits::{self, Owner};
use crate::kernel::request::{Request, Source, issue};
use crate::kernel::resident::Resident;
use crate::machine::machine;
use crate::memory::region::regions;
use crate::memory::transfer::{self, Initiator};
use crate::memory::{Access, native};
use crate::session::Location;

exports! {
    /// Launches with a list of arguments.
    fn aclrtLaunchKernelWithConfig(
        funcHandle: *mut c_void, numBlocks: u32, stream: *mut c_void, cfg: *mut aclrtLaunchKernelCfg,
        argsHandle: *mut c_void, reserve: *mut c_void,
    ) => with_list(&LaunchCall::new(funcHandle, numBlocks, stream, cfg)?, argsHandle, reserve);
    /// Launches with arguments in host memory.
    fn aclrtLaunchKernelWithHostArgs(
        funcHandle: *mut c_void, numBlocks: u32, stream: *mut c_void, cfg: *mut aclrtLaunchKernelCfg,
        hostArgs: *mut c_void, argsSize: usize, placeHolderArray: *mut aclrtPlaceHolderInfo, placeHolderNum: usize,
    )
        // SAFETY: the program passes arguments and placeholders of the given sizes.
        => unsafe { with_host_arguments(&LaunchCall::new(funcHandle, numBlocks, stream, cfg)?, hostArgs, argsSize, placeHolderArray, placeHolderNum) };
    /// Launches with arguments in device memory.
    fn aclrtLaunchKernelV2(
        funcHandle: *mut c_void, numBlocks: u32, argsData: *const c_void, argsSize: usize,
        cfg: *mut aclrtLaunchKernelCfg, stream: *mut c_void,
    ) => with_device_arguments(&LaunchCall::new(funcHandle, numBlocks, stream, cfg)?, argsData, argsSize);
    /// Launches without configuration.
    fn aclrtLaunchKernel(
        funcHandle: *mut c_void, numBlocks: u32, argsData: *const c_void, argsSize: usize, stream: *mut c_void,
    ) => plain(&LaunchCall::new(funcHandle, numBlocks, stream, null_mut())?, argsData, argsSize);
    /// Launches with an array of pointers to arguments.
    fn aclrtLaunchKernelWithArgsArray(
        func: *mut c_void, numBlocks: u32, stream: *mut c_void, cfg: *mut aclrtLaunchKernelCfg,
        args: *mut *mut c_void,
    )
        // SAFETY: the program passes an array with a pointer for each argument.
        => unsafe { with_array(&LaunchCall::new(func, numBlocks, stream, cfg)?, args) };
    /// Memory by which cores of a device synchronise.
    fn aclrtGetHardwareSyncAddr(addr: *mut *mut c_void) = hardware_sync;
    /// Returns the core limit of a device.
    fn aclrtGetDeviceResLimit(deviceId: i32, r#type: u32, value: *mut u32)
        -> value: device_limit(deviceId, r#type)?;
    /// Limits that.
    fn aclrtSetDeviceResLimit(deviceId: i32, r#type: u32, value: u32) = set_device_limit;
    /// Returns the core limit of a stream.
    fn aclrtGetStreamResLimit(stream: *mut c_void, r#type: u32, value: *mut u32)
        -> value: limits::of_stream(&*stream_of(stream)?, engine_of(r#type)?)?;
    /// Limits that.
    fn aclrtSetStreamResLimit(stream: *mut c_void, r#type: u32, value: u32) = set_stream_limit;
}

/// Parameters common to all launches.
struct LaunchCall {
    function: *mut c_void,
    blocks: u32,
    stream: *mut c_void,
    config: *mut aclrtLaunchKernelCfg,
}

impl LaunchCall {
    fn new(
        function: *mut c_void,
        blocks: u32,
        stream: *mut c_void,
        config: *mut aclrtLaunchKernelCfg,
    ) -> Outcome<Self> {
        not_null(function, "funcHandle")?;
        not_zero(blocks as usize, "numBlocks")?;
        Ok(Self { function, blocks, stream, config })
    }

    fn launch(&self, attributes: &[Raw], arguments: impl FnOnce() -> Outcome<Source>) -> Outcome {
        let function = Function::from_handle(self.function)?;
        let attributes = Attributes::read(attributes, machine()?.product)?;
        let stream = stream_of(self.stream)?;
        issue(&stream, Request { function, blocks: self.blocks, attributes, arguments: arguments()? })
    }
}

fn with_list(wanted: &LaunchCall, list: *mut c_void, reserve: *mut c_void) -> Outcome {
    not_null(list, "argsHandle")?;
    ensure(reserve.is_null(), acl::INVALID_PARAM, || format!("reserve is {reserve:p}, not null"))?;
    let attributes = attributes_of(wanted.config)?;
    let (list, _) = list_of(list)?;
    ensure(list.function == wanted.function.addr(), acl::RT_PARAM_INVALID, || {
        "the arguments were made for another kernel".to_owned()
    })?;
    wanted.launch(&attributes, || Ok(Source::Given(list.image()?)))
}

unsafe fn with_host_arguments(
    wanted: &LaunchCall,
    arguments: *mut c_void,
    bytes: usize,
    placeholders: *mut aclrtPlaceHolderInfo,
    count: usize,
) -> Outcome {
    not_null(arguments, "hostArgs")?;
    not_zero(bytes, "argsSize")?;
    if count > 0 {
        not_null(placeholders, "placeHolderArray")?;
    }
    let attributes = attributes_of(wanted.config)?;
    check_count(count)?;
    // SAFETY: the caller passes `placeHolderNum` of them.
    let placeholders = unsafe { array(placeholders, count, MOST, "placeHolderArray") }?;
    let placeholders: Vec<(u32, u32)> =
        placeholders.iter().map(|info| (info.addrOffset, info.dataOffset)).collect();
    wanted.launch(&attributes, || {
        let image = Image::with_placeholders(taken(arguments, bytes)?, &placeholders)?;
        let given = image.pointers.iter().map(|(_, data)| *data).min().unwrap_or(bytes);
        check_count(given.div_ceil(8))?;
        check_sizes(wanted.function, given)?;
        Ok(Source::Given(image))
    })
}

fn with_device_arguments(wanted: &LaunchCall, arguments: *const c_void, bytes: usize) -> Outcome {
    not_null(arguments, "argsData")?;
    not_zero(bytes, "argsSize")?;
    let attributes = attributes_of(wanted.config)?;
    let address = arguments.addr() as u64;
    wanted.launch(&attributes, || {
        check_count(bytes.div_ceil(8))?;
        let core = Initiator::Core(current()?.device.physical);
        transfer::check(core, address, bytes as u64, Access::Read)?;
        Ok(Source::Device(address, bytes))
    })
}

/// Assumed: the oldest form takes arguments wherever they are, and reads those in device memory when the
/// kernel starts.
fn plain(wanted: &LaunchCall, arguments: *const c_void, bytes: usize) -> Outcome {
    not_null(arguments, "argsData")?;
    not_zero(bytes, "argsSize")?;
    let address = arguments.addr() as u64;
    wanted.launch(&[], || {
        check_count(bytes.div_ceil(8))?;
        let region = regions()?.find(address);
        Ok(match region.map(|region| region.location) {
            Some(Location::Device(_)) => Source::Device(address, bytes),
            _ => Source::Given(Image { bytes: taken(arguments, bytes)?, pointers: Vec::new() }),
        })
    })
}

unsafe fn with_array(wanted: &LaunchCall, arguments: *mut *mut c_void) -> Outcome {
    let attributes = attributes_of(wanted.config)?;
    let sizes = Function::from_handle(wanted.function)?.argument_bytes.clone().ok_or_else(|| {
        Fault::new(
            acl::FEATURE_NOT_SUPPORT,
            "the binary does not say how large the arguments of this kernel are (mfk_kernel_<name>)",
        )
    })?;
    if !sizes.is_empty() {
        not_null(arguments, "args")?;
    }
    wanted.launch(&attributes, || {
        check_count(sizes.len())?;
        let mut bytes = Vec::new();
        for (index, size) in sizes.iter().enumerate() {
            // SAFETY: the caller passes a pointer for each argument of the kernel.
            let value = unsafe { arguments.wrapping_add(index).read_unaligned() };
            not_null(value, "a pointer in args")?;
            let mut value = taken(value, *size as usize)?;
            value.resize(padded(value.len()), 0);
            bytes.append(&mut value);
        }
        Ok(Source::Given(Image { bytes, pointers: Vec::new() }))
    })
}

fn check_count(arguments: usize) -> Outcome {
    ensure(arguments <= MOST, acl::RT_PARAM_INVALID, || {
        format!("{arguments} arguments of 8 bytes; a kernel takes {MOST} at most")
    })
}

/// Assumed: hardware takes any number of bytes, and the kernel reads missing arguments as garbage. With the
/// strict knob the argument size declared by the binary is enforced.
fn check_sizes(function: *mut c_void, given: usize) -> Outcome {
    let function = Function::from_handle(function)?;
    let Some(sizes) = function.argument_bytes.as_ref().filter(|_| machine().is_ok_and(|m| m.config.strict))
    else {
        return Ok(());
    };
    // A kernel without arguments is given one word, as no call takes none.
    let wanted: usize = sizes.iter().map(|size| padded(*size as usize)).sum::<usize>().max(8);
    ensure(given == wanted, acl::RT_PARAM_INVALID, || {
        format!(
            "{given} bytes of arguments; kernel {} takes {} arguments, of {sizes:?} bytes: {wanted} in slots of 8",
            function.name(),
            sizes.len()
        )
    })
}

/// The attributes as they stand in a program's structure.
fn attributes_of(config: *mut aclrtLaunchKernelCfg) -> Outcome<Vec<Raw>> {
    if config.is_null() {
        return Ok(Vec::new());
    }
    // SAFETY: not null, so the caller passes a structure.
    let config = unsafe { config.read_unaligned() };
    if config.numAttrs > 0 {
        not_null(config.attrs, "cfg->attrs")?;
    }
    let at = config.attrs.cast::<[u8; size_of::<aclrtLaunchKernelAttr>()]>();
    // SAFETY: the caller passes `numAttrs` attributes; seen as bytes, because only their id says which field
    // of the value is valid.
    let attributes = unsafe { array(at, config.numAttrs, MOST_ATTRIBUTES, "cfg->attrs") }?;
    let raw = attributes.iter().map(|bytes| {
        let mut raw = Raw { id: 0, value: [0; 16] };
        let mut id = [0; 4];
        id.copy_from_slice(&bytes[..4]);
        raw.id = u32::from_ne_bytes(id);
        raw.value.copy_from_slice(&bytes[4..]);
        raw
    });
    Ok(raw.collect())
}

unsafe fn hardware_sync(address: *mut *mut c_void) -> Outcome {
    static AREAS: LazyLock<Mutex<HashMap<u32, Arc<Resident>>>> = LazyLock::new(Mutex::default);
    const AREA_BYTES: u64 = 4096;
    not_null(address, "addr")?;
    let device = current()?.device.physical;
    let mut areas = lock(&AREAS);
    let area = match areas.get(&device) {
        Some(area) => Arc::clone(area),
        None => Arc::new(Resident::allocate(device, AREA_BYTES)?),
    };
    let at = std::ptr::with_exposed_provenance_mut(native(area.address()));
    areas.insert(device, area);
    // SAFETY: checked for null above.
    unsafe { give(address, at) }
}

fn engine_of(sort: u32) -> Outcome<Engine> {
    one_of(sort, &[0, 1], "type")?;
    Ok(if sort == 0 { Engine::Cube } else { Engine::Vector })
}

fn device_limit(device: i32, sort: u32) -> Outcome<u32> {
    let engine = engine_of(sort)?;
    limits::of_device(machine()?.devices.get(device)?.physical, engine)
}

unsafe fn set_device_limit(device: i32, sort: u32, value: u32) -> Outcome {
    let engine = engine_of(sort)?;
    let device = machine()?.devices.get(device)?;
    limits::set(Owner::Device(device.physical), engine, value)
}

unsafe fn set_stream_limit(stream: *mut c_void, sort: u32, value: u32) -> Outcome {
    let engine = engine_of(sort)?;
    limits::set(Owner::Stream(stream_of(stream)?.handle), engine, value)
}
