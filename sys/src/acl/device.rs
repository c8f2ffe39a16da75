// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Devices and contexts.
//!
//! A device, and the context on it, is a property of the thread: a new thread starts with none. Device
//! numbers are user numbers, as seen by this process (after `ASCEND_RT_VISIBLE_DEVICES`) unless a name says
//! otherwise.

use std::time::Duration;

use super::{Acl, Context, Stream, call, milliseconds};
use crate::raw::types::{ACL_RT_DEVICE_STATUS_ABNORMAL, ACL_RT_DEVICE_STATUS_NORMAL, aclrtDevAttr};
use crate::{Class, Result};

/// Defines translations between kinds of device numbers.
macro_rules! translations {
    ($($(#[$doc:meta])* $method:ident = $function:ident;)*) => {
        impl Acl {$(
            $(#[$doc])*
            ///
            /// # Errors
            /// ACL's: no such device.
            pub fn $method(&self, device: i32) -> Result<i32> {
                let mut translated = 0;
                call!(self, $function(device, &raw mut translated))?;
                Ok(translated)
            }
        )*}
    };
}

translations! {
    /// The logical number of a device that this process sees.
    logical_of_user = aclrtGetLogicDevIdByUserDevId;
    /// The number by which this process sees a logical device.
    user_of_logical = aclrtGetUserDevIdByLogicDevId;
    /// The logical number of a physical device.
    logical_of_physical = aclrtGetLogicDevIdByPhyDevId;
    /// The physical number of a logical device.
    physical_of_logical = aclrtGetPhyDevIdByLogicDevId;
}

impl Acl {
    /// The number of devices. None is 0, also where CANN makes an error of it.
    ///
    /// # Errors
    /// ACL's.
    pub fn device_count(&self) -> Result<u32> {
        let mut count = 0;
        match call!(self, aclrtGetDeviceCount(&raw mut count)) {
            Ok(()) => Ok(count),
            Err(error) if error.class() == Class::NoDevice => Ok(0),
            Err(error) => Err(error),
        }
    }

    /// Sets the device of the calling thread; counts references.
    ///
    /// # Errors
    /// ACL's: no such device.
    pub fn set_device(&self, device: i32) -> Result<()> {
        call!(self, aclrtSetDevice(device))
    }

    /// Drops one reference to the device. The last one ends everything of this process on it and waits for
    /// nothing.
    ///
    /// # Errors
    /// ACL's: no reference is left.
    ///
    /// # Safety
    /// When it is the last reference, nothing uses a stream, event, notify, binary or memory of the device
    /// again.
    pub unsafe fn reset_device(&self, device: i32) -> Result<()> {
        call!(self, aclrtResetDevice(device))
    }

    /// Drops all references to the device.
    ///
    /// # Errors
    /// ACL's.
    ///
    /// # Safety
    /// No stream, event, notify, binary or memory of the device is used again.
    pub unsafe fn reset_device_force(&self, device: i32) -> Result<()> {
        call!(self, aclrtResetDeviceForce(device))
    }

    /// The device of the calling thread.
    ///
    /// # Errors
    /// [`NoContext`](Class::NoContext) when it has none.
    pub fn device(&self) -> Result<i32> {
        let mut device = 0;
        call!(self, aclrtGetDevice(&raw mut device))?;
        Ok(device)
    }

    /// Waits for all streams of the device of the calling thread; without a timeout as long as it takes.
    ///
    /// # Errors
    /// ACL's · [`TimedOut`](Class::TimedOut) · the error of a task.
    pub fn synchronize_device(&self, timeout: Option<Duration>) -> Result<()> {
        match timeout {
            None => call!(self, aclrtSynchronizeDevice()),
            Some(timeout) => call!(self, aclrtSynchronizeDeviceWithTimeout(milliseconds(timeout))),
        }
    }

    /// An attribute (`ACL_DEV_ATTR_…`) of a device.
    ///
    /// # Errors
    /// ACL's: no such device or attribute.
    pub fn device_info(&self, device: i32, attribute: aclrtDevAttr) -> Result<i64> {
        let mut value = 0;
        call!(self, aclrtGetDeviceInfo(device.cast_unsigned(), attribute, &raw mut value))?;
        Ok(value)
    }

    /// Returns true if a device is healthy.
    ///
    /// # Errors
    /// ACL's; the function is optional.
    pub fn device_is_normal(&self, device: i32) -> Result<bool> {
        let mut status = ACL_RT_DEVICE_STATUS_ABNORMAL;
        call!(self, aclrtQueryDeviceStatus(device, &raw mut status))?;
        Ok(status == ACL_RT_DEVICE_STATUS_NORMAL)
    }

    /// The id of this process in the name space of the host, as whitelists want it.
    ///
    /// # Errors
    /// ACL's.
    pub fn bare_tgid(&self) -> Result<i32> {
        let mut pid = 0;
        call!(self, aclrtDeviceGetBareTgid(&raw mut pid))?;
        Ok(pid)
    }

    /// The links between two devices, a mask of `ACL_RT_DEVS_TOPOLOGY_…`.
    ///
    /// # Errors
    /// ACL's; the function is optional.
    pub fn topology(&self, device: i32, other: i32) -> Result<u64> {
        let mut links = 0;
        call!(self, aclrtGetDevicesTopo(device.cast_unsigned(), other.cast_unsigned(), &raw mut links))?;
        Ok(links)
    }

    /// Makes a context on a device and sets it for the calling thread.
    ///
    /// # Errors
    /// ACL's.
    pub fn create_context(&self, device: i32) -> Result<Context> {
        let mut context = std::ptr::null_mut();
        call!(self, aclrtCreateContext(&raw mut context, device))?;
        Ok(Context::new(context))
    }

    /// Ends a context. A thread that has it set has none afterwards.
    ///
    /// # Errors
    /// ACL's.
    ///
    /// # Safety
    /// The context, and objects created in it, must not be used again.
    pub unsafe fn destroy_context(&self, context: Context) -> Result<()> {
        call!(self, aclrtDestroyContext(context.as_raw()))
    }

    /// Sets the context, and with it the device, of the calling thread.
    ///
    /// # Errors
    /// ACL's.
    pub fn set_context(&self, context: Context) -> Result<()> {
        call!(self, aclrtSetCurrentContext(context.as_raw()))
    }

    /// The context of the calling thread.
    ///
    /// # Errors
    /// [`NoContext`](Class::NoContext) when it has none.
    pub fn context(&self) -> Result<Context> {
        let mut context = std::ptr::null_mut();
        call!(self, aclrtGetCurrentContext(&raw mut context))?;
        Ok(Context::new(context))
    }

    /// The default stream of the context of the calling thread, by its own handle.
    ///
    /// # Errors
    /// [`NoContext`](Class::NoContext); the function is optional.
    pub fn default_stream(&self) -> Result<Stream> {
        let mut stream = std::ptr::null_mut();
        call!(self, aclrtCtxGetCurrentDefaultStream(&raw mut stream))?;
        Ok(Stream::new(stream))
    }
}
