// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The libraries as probes use them.

use std::ffi::c_void;
use std::ptr::without_provenance_mut;

use ascend_acl_sys::acl::Location;
use ascend_acl_sys::raw::types::{self as abi, aclrtMemAttr, aclrtPhysicalMemProp};
use ascend_acl_sys::{Acl, Class, Hal, Hccl, Libraries, Rt, Search};

use crate::options::Options;
use crate::rule::{Start, Stop};

/// Calls a function of a library's table that has no checked method, or that is to be called wrongly. Gives
/// the result of the call; stops when the library lacks the function.
macro_rules! raw {
    ($library:expr, $function:ident($($argument:expr),* $(,)?)) => {
        match &$library.table().$function {
            Ok(function) => {
                // SAFETY: the signature matches the header. Out-pointers point to the probe's variables;
                // handles and addresses are its own, or invalid ones that CANN is asked to refuse, and a
                // crash of this process is then a valid answer.
                let code = unsafe { function($($argument),*) };
                Ok($library.check(stringify!($function), code))
            }
            Err(_) => Err($crate::rule::Stop::NotHere(format!(
                "{} does not export {}", $library.origin().library(), stringify!($function)
            ))),
        }
    };
}
pub(crate) use raw;

/// A line of products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Product {
    A2,
    A3,
    A5,
}

impl Product {
    /// Returns the product line of a SoC name, or `None` for an unknown name.
    pub(crate) fn from_soc(soc: &str) -> Option<Self> {
        let lines = [
            ("Ascend910B", Self::A2),
            ("Ascend910_93", Self::A3),
            ("Ascend910_95", Self::A5),
            ("Ascend950", Self::A5),
        ];
        lines.into_iter().find(|(prefix, _)| soc.starts_with(prefix)).map(|(_, product)| product)
    }
}

/// Description of this machine.
pub(crate) struct Machine {
    /// Version text of the simulator; `None` on hardware.
    pub(crate) simulator: Option<String>,
    /// Version of the ACL interface, and of CANN.
    pub(crate) acl: String,
    pub(crate) cann: String,
    pub(crate) soc: String,
    pub(crate) product: Product,
    pub(crate) devices: u32,
    /// The file of ACL.
    pub(crate) file: String,
}

/// The opened libraries, and the device that is used.
pub(crate) struct Cann {
    libraries: Libraries,
    /// The device, by the number that programs use.
    pub(crate) device: i32,
    started: Start,
}

impl Cann {
    /// Opens the libraries named by the options and the environment.
    pub(crate) fn open(options: &Options) -> Result<Self, String> {
        let mut search = Search::from_environment();
        search.explicit = options.library.clone();
        let libraries = Libraries::open(&search).map_err(|error| {
            let tried: Vec<String> = error.report().lines().collect();
            format!("{error}\n{}", tried.join("\n"))
        })?;
        Ok(Self { libraries, device: options.device, started: Start::Opened })
    }

    /// Brings it to where a rule begins.
    pub(crate) fn start(&mut self, at: Start) -> Result<(), Stop> {
        if at == Start::Opened {
            return Ok(());
        }
        match self.acl().init(None) {
            Err(error) if error.class() != Class::Repeated => return Err(error.into()),
            _ => self.started = Start::Initialised,
        }
        if at == Start::Device {
            self.acl().set_device(self.device)?;
            self.started = Start::Device;
        }
        Ok(())
    }

    /// Gives the device back and ends ACL, as far as they were started here.
    pub(crate) fn end(&self) {
        if self.started == Start::Device {
            // SAFETY: the probe has returned, and everything it owned went before.
            let _ = unsafe { self.acl().reset_device(self.device) };
        }
        if self.started != Start::Opened {
            // SAFETY: as above.
            let _ = unsafe { self.acl().finalize() };
        }
    }

    pub(crate) fn acl(&self) -> &Acl {
        self.libraries.acl()
    }

    pub(crate) fn hal(&self) -> Result<&Hal, Stop> {
        self.libraries.hal().map_err(|error| Stop::NotHere(error.to_string()))
    }

    pub(crate) fn hccl(&self) -> Result<&Hccl, Stop> {
        self.libraries.hccl().map_err(|error| Stop::NotHere(error.to_string()))
    }

    pub(crate) fn rt(&self) -> Result<&Rt, Stop> {
        self.libraries.rt().map_err(|error| Stop::NotHere(error.to_string()))
    }

    /// Another device, `steps` further.
    pub(crate) fn other(&self, steps: u32) -> Result<i32, Stop> {
        let count = self.acl().device_count()?;
        if count <= steps {
            let text = format!("it takes {} devices, and this process sees {count}", steps + 1);
            return Err(Stop::NotHere(text));
        }
        Ok((self.device + steps.cast_signed()) % count.cast_signed())
    }

    /// Returns the device whose number differs in the lowest bit.
    pub(crate) fn neighbour(&self) -> Result<i32, Stop> {
        let (neighbour, count) = (self.device ^ 1, self.acl().device_count()?);
        if neighbour.cast_unsigned() < count {
            return Ok(neighbour);
        }
        Err(Stop::NotHere(format!("it takes device {neighbour}, and this process sees {count}")))
    }

    /// The number by which the driver knows the device.
    pub(crate) fn logical(&self) -> Result<u32, Stop> {
        Ok(self.acl().logical_of_user(self.device)?.cast_unsigned())
    }

    /// Physical memory to ask for.
    pub(crate) fn physical(&self, kind: aclrtMemAttr, location: Location) -> aclrtPhysicalMemProp {
        aclrtPhysicalMemProp {
            handleType: abi::ACL_MEM_HANDLE_TYPE_NONE,
            allocationType: abi::ACL_MEM_ALLOCATION_TYPE_PINNED,
            memAttr: kind,
            location: location.into(),
            reserve: 0,
        }
    }

    /// Returns the location of the device's memory.
    pub(crate) fn here(&self) -> Location {
        Location::Device(self.device.cast_unsigned())
    }
}

/// A number as the address that it is.
pub(crate) fn address(number: usize) -> *mut c_void {
    without_provenance_mut(number)
}
