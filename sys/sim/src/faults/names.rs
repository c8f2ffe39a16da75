// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Names of functions and tasks: where the named faults strike by default, and which family's numbers a
//! function returns.

use crate::codes::{self, acl};

/// Any transfer.
pub(crate) const TRANSFER: &str = "transfer";
/// A transfer between devices.
pub(crate) const CROSSING: &str = "link transfer";
/// A kernel.
pub(crate) const KERNEL: &str = "kernel launch";
/// The record of a notify.
pub(crate) const NOTIFY: &str = "notify record";

/// Functions that take memory.
pub(crate) const ALLOCATIONS: [&str; 8] = [
    "aclrtMalloc",
    "aclrtMallocAlign32",
    "aclrtMallocWithCfg",
    "aclrtMallocHost",
    "aclrtMallocHostWithCfg",
    "aclrtMallocPhysical",
    "halMemAlloc",
    "halMemCreate",
];

/// Returns true for the name of an exported function, false for a task.
pub(crate) fn is_function(name: &str) -> bool {
    ["acl", "rt", "hal", "drv", "Hccl", "Hcomm", "ra_", "Ra", "Tsd"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
}

/// Assumed: calls that still work after the device is lost: repair calls, and calls that need no device.
pub(crate) fn works_without_device(name: &str) -> bool {
    let names =
        ["aclrtResetDevice", "aclrtSetDevice", "aclrtGetDevice", "aclrtQueryDevice", "aclInit", "aclFinal"];
    let families =
        ["acls", "ascsim_", "aclrtSetCurrentContext", "aclrtGetCurrentContext", "aclrtDestroyContext"];
    names.iter().chain(&families).any(|prefix| name.starts_with(prefix))
}

/// The number of `aclError` in the family of the function.
pub(crate) fn code_of_family(function: &str, code: i32) -> i32 {
    let is = |prefixes: &[&str]| prefixes.iter().any(|prefix| function.starts_with(prefix));
    if is(&["hal", "drv"]) {
        return codes::hal_of_acl(code);
    }
    if is(&["Hccl", "Hcomm"]) {
        // Out of memory, remote error, error of the runtime.
        return match code {
            acl::MEMORY_ALLOCATION => 24,
            acl::LINK_ERROR => 21,
            _ => 15,
        };
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_family() {
        assert_eq!(code_of_family("aclrtMalloc", acl::MEMORY_ALLOCATION), acl::MEMORY_ALLOCATION);
        assert_eq!(code_of_family("halMemAlloc", acl::MEMORY_ALLOCATION), codes::hal::OUT_OF_MEMORY);
        assert_eq!(code_of_family("HcclAllGather", acl::LINK_ERROR), 21);
    }

    #[test]
    fn functions_are_distinguished_from_tasks() {
        assert!(["aclrtMemcpy", "rtSetDevice", "halMemMap", "HcclBarrier"].into_iter().all(is_function));
        assert!(!["memcpy", KERNEL, NOTIFY, TRANSFER].into_iter().any(is_function));
    }
}
