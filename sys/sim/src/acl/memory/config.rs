// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The options of an allocation: a list of attributes.

use ascend_acl_sys::raw::types as raw;

use crate::acl::arguments::{MOST_ATTRIBUTES, array, known_bits, not_null, one_of};
use crate::codes::acl;
use crate::fault::{Outcome, ensure};
use crate::machine::machine;
use crate::memory::Access;
use crate::memory::region::ANY_DEVICE;

/// Options of an allocation.
#[derive(Default)]
pub(super) struct AllocationOptions {
    /// A device, by user number.
    pub(super) device: Option<u32>,
    /// Devices use the same address.
    pub(super) mapped: bool,
}

impl AllocationOptions {
    /// Reads a list; null is an empty one.
    ///
    /// # Safety
    /// `config` is null or valid, and so is its list.
    pub(super) unsafe fn read(config: *const raw::aclrtMallocConfig) -> Outcome<Self> {
        let mut options = Self::default();
        if config.is_null() {
            return Ok(options);
        }
        // SAFETY: valid by contract.
        let config = unsafe { config.read_unaligned() };
        if config.numAttrs > 0 {
            not_null(config.attrs, "cfg->attrs")?;
        }
        // SAFETY: the list has so many entries, in which any bytes are numbers.
        let entries = unsafe { array(config.attrs, config.numAttrs, MOST_ATTRIBUTES, "cfg->attrs") }?;
        for entry in entries {
            // SAFETY: the bytes of a union that C fills may always be read as numbers.
            let value = unsafe { entry.value.vaFlag };
            let known = [
                raw::ACL_RT_MEM_ATTR_RSV,
                raw::ACL_RT_MEM_ATTR_MODULE_ID,
                raw::ACL_RT_MEM_ATTR_DEVICE_ID,
                raw::ACL_RT_MEM_ATTR_VA_FLAG,
            ];
            one_of(entry.attr, &known, "cfg->attrs[].attr")?;
            match entry.attr {
                raw::ACL_RT_MEM_ATTR_DEVICE_ID => options.device = Some(value),
                raw::ACL_RT_MEM_ATTR_VA_FLAG => {
                    known_bits(value.into(), 1, "cfg->attrs[].value.vaFlag")?;
                    options.mapped = value == 1;
                }
                // Modules keep no accounts of their own here.
                _ => {}
            }
        }
        Ok(options)
    }

    /// Returns the access rights to host memory, apart from copies.
    ///
    /// # Errors
    /// 207000 where devices do not reach host memory.
    pub(super) fn grants(&self) -> Outcome<Vec<(u32, Access)>> {
        if !self.mapped {
            return Ok(Vec::new());
        }
        ensure(machine()?.product.reaches_host, acl::FEATURE_NOT_SUPPORT, || {
            "devices of this product do not reach host memory".to_owned()
        })?;
        Ok(vec![(ANY_DEVICE, Access::ReadWrite)])
    }
}
