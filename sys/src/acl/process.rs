// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Initialization and finalization of ACL, versions, and platform queries.

use std::ffi::{CStr, CString, c_char};

use super::{Acl, call};
use crate::loader::version;
use crate::raw::types::{ACL_HOST, aclrtRunMode};
use crate::{Result, Version};

/// Room for a version text; CANN asks for at least 128 bytes.
const VERSION_BYTES: usize = 512;

/// Which side the process runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RunMode {
    /// On the host.
    Host,
    /// On the device itself.
    Device,
}

impl Acl {
    /// Initialises ACL for the process, with a JSON file or without.
    ///
    /// # Errors
    /// [`Repeated`](crate::Class::Repeated) when it was done before, which is fine for most callers.
    pub fn init(&self, config: Option<&CStr>) -> Result<()> {
        call!(self, aclInit(config.map_or(std::ptr::null(), CStr::as_ptr)))
    }

    /// Ends ACL: resets every device of the process.
    ///
    /// # Errors
    /// [`Repeated`](crate::Class::Repeated) when it was done before.
    ///
    /// # Safety
    /// No handle or memory of ACL is used again in the process.
    pub unsafe fn finalize(&self) -> Result<()> {
        call!(self, aclFinalize())
    }

    /// The version of the interface, asked anew; the one of the time of opening is in
    /// [`origin`](Self::origin).
    ///
    /// # Errors
    /// ACL's.
    pub fn version(&self) -> Result<Version> {
        let [mut major, mut minor, mut patch] = [0; 3];
        call!(self, aclrtGetVersion(&raw mut major, &raw mut minor, &raw mut patch))?;
        Ok(version(major, minor, patch))
    }

    /// The version of an installed package, for example `runtime`, as text.
    ///
    /// # Errors
    /// ACL's; the function is optional.
    pub fn package_version(&self, package: &CStr) -> Result<String> {
        // CANN's parameter is not const.
        let mut name = CString::from(package).into_bytes_with_nul();
        let mut text = [0_u8; VERSION_BYTES];
        call!(
            self,
            aclsysGetVersionStr(name.as_mut_ptr().cast::<c_char>(), text.as_mut_ptr().cast::<c_char>())
        )?;
        let end = text.iter().position(|byte| *byte == 0).unwrap_or(text.len());
        Ok(String::from_utf8_lossy(&text[..end]).into_owned())
    }

    /// The name of the chip, for example `Ascend910_9382`; `None` when no device is usable.
    pub fn soc_name(&self) -> Option<String> {
        let function = self.table.aclrtGetSocName.as_ref().ok()?;
        // SAFETY: the function takes nothing and may be called at any time.
        let name = unsafe { function() };
        if name.is_null() {
            return None;
        }
        // SAFETY: CANN gives a C string that lives as long as the library.
        Some(unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned())
    }

    /// Which side the process runs on.
    ///
    /// # Errors
    /// ACL's.
    pub fn run_mode(&self) -> Result<RunMode> {
        let mut mode: aclrtRunMode = ACL_HOST;
        call!(self, aclrtGetRunMode(&raw mut mode))?;
        Ok(if mode == ACL_HOST { RunMode::Host } else { RunMode::Device })
    }
}
