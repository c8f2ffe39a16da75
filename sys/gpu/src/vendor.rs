// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The four vendors, and what differs between their drivers besides names of functions.

use std::fmt;

use mf_base::loader::Version;

use crate::Class;

/// A vendor of GPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Vendor {
    /// CUDA's driver interface.
    Nvidia,
    /// HIP, including Hygon's DTK.
    Amd,
    /// MUSA's driver interface.
    Moore,
    /// CNDrv.
    Cambricon,
}

/// Names and properties of a vendor's driver.
#[derive(Debug)]
pub(crate) struct VendorFacts {
    /// Its interface, for people, in lower case as on command lines.
    pub(crate) name: &'static str,
    /// Names under which the loader of the system may know it, best first.
    pub(crate) files: &'static [&'static str],
    /// Variable that names an installation, and the folder of libraries in it.
    pub(crate) home: Option<(&'static str, &'static str)>,
    /// Package that installs the driver.
    pub(crate) package: &'static str,
    /// The oldest version that is understood.
    pub(crate) oldest: Option<Version>,
    /// Statuses that mean more than failure.
    pub(crate) codes: &'static [(i32, Class)],
}

const NVIDIA_CODES: &[(i32, Class)] = &[
    (1, Class::InvalidValue),
    (2, Class::OutOfMemory),
    (4, Class::Ended),
    (100, Class::NoDevice),
    (101, Class::NoDevice),
    (600, Class::NotReady),
    (709, Class::ContextGone),
    // No context, or an invalid handle.
    (201, Class::ContextGone),
    (712, Class::AlreadyRegistered),
    (801, Class::NotSupported),
];

static FACTS: [VendorFacts; 4] = [
    VendorFacts {
        name: "cuda",
        files: &["libcuda.so.1"],
        home: None,
        package: "NVIDIA's driver",
        oldest: Some(Version::new(11, 0)),
        codes: NVIDIA_CODES,
    },
    VendorFacts {
        name: "hip",
        files: &["libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"],
        home: Some(("ROCM_PATH", "lib")),
        package: "ROCm (or DTK)",
        oldest: Some(Version::new(5, 0)),
        codes: NVIDIA_CODES,
    },
    VendorFacts {
        name: "musa",
        files: &["libmusa.so.1", "libmusa.so"],
        home: Some(("MUSA_HOME", "lib")),
        package: "Moore Threads' driver",
        oldest: None,
        codes: NVIDIA_CODES,
    },
    VendorFacts {
        name: "cndrv",
        files: &["libcndrv.so"],
        home: Some(("NEUWARE_HOME", "lib64")),
        package: "Cambricon's Neuware",
        oldest: None,
        codes: &[
            (1, Class::NotReady),
            (100_003, Class::Ended),
            (100_004, Class::NoDevice),
            (100_005, Class::NoDevice),
            (100_006, Class::InvalidValue),
            (100_100, Class::OutOfMemory),
            (100_102, Class::InvalidValue),
            (100_201, Class::ContextGone),
        ],
    },
];

impl Vendor {
    /// Every vendor, in the order of the columns of [`operations`](crate::operations).
    pub const ALL: [Vendor; 4] = [Vendor::Nvidia, Vendor::Amd, Vendor::Moore, Vendor::Cambricon];

    /// Its place in [`ALL`](Self::ALL).
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The same as a byte, for keys.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The name of its interface: `cuda`, `hip`, `musa`, `cndrv`.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// Returns the vendor whose interface has this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|vendor| vendor.name() == name)
    }

    /// Names under which the loader of the system may know its driver, best first.
    pub fn files(self) -> &'static [&'static str] {
        self.facts().files
    }

    /// Returns the class of a status, or `None` for success.
    pub fn class(self, code: i32) -> Option<Class> {
        let known = || self.facts().codes.iter().find(|(number, _)| *number == code);
        (code != 0).then(|| known().map_or(Class::Other, |(_, class)| *class))
    }

    /// A status of this meaning; -1 where the vendor has none.
    pub(crate) fn code(self, class: Class) -> i32 {
        self.facts().codes.iter().find(|(_, other)| *other == class).map_or(-1, |(code, _)| *code)
    }

    pub(crate) fn facts(self) -> &'static VendorFacts {
        &FACTS[self.index()]
    }
}

impl fmt::Display for Vendor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
