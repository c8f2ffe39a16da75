// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The enumerations of the interface, with their numbers.

use mf_base::{Error, Kind};

/// Status of a call, numbered as in `hmc::status_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum Status {
    /// The call succeeded.
    Success = 0,
    /// A range outside a buffer, a broken connection, an invalid argument.
    Error = 1,
    /// A memory type or an operation that this machine does not have.
    Unsupported = 2,
    /// A number, an address or an option that is never valid.
    InvalidConfig = 3,
    /// A deadline has passed.
    Timeout = 4,
    /// Unknown peer, connection or id.
    NotFound = 5,
}

impl Status {
    /// Returns the status of an error for callers of this interface: its own code, or the one of its kind.
    pub fn from_error(error: &Error) -> Self {
        error.family_code().and_then(Self::from_number).unwrap_or(match error.kind() {
            Kind::Timeout => Self::Timeout,
            Kind::NotExist => Self::NotFound,
            _ => Self::Error,
        })
    }

    /// Returns the status with this number.
    pub const fn from_number(number: i32) -> Option<Self> {
        Some(match number {
            0 => Self::Success,
            1 => Self::Error,
            2 => Self::Unsupported,
            3 => Self::InvalidConfig,
            4 => Self::Timeout,
            5 => Self::NotFound,
            _ => return None,
        })
    }

    /// Returns its text.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Success => "Succeeded",
            Self::Error => "Error",
            Self::Unsupported => "Unsupported",
            Self::InvalidConfig => "Invalid Config",
            Self::Timeout => "Timeout",
            Self::NotFound => "Not Found",
        }
    }
}

/// Memory type of a buffer, numbered as in `hmc::MemoryType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum MemoryType {
    /// The first accelerator found, else host memory.
    Default = 0,
    /// Host memory.
    Cpu = 1,
    /// An NVIDIA GPU.
    Nvidia = 2,
    /// An AMD GPU, or another that HIP drives.
    Amd = 3,
    /// A Cambricon MLU.
    Cambricon = 4,
    /// A Moore Threads GPU.
    Moore = 5,
    /// A Huawei Ascend NPU.
    Ascend = 6,
}

impl MemoryType {
    /// Returns the type with this number.
    pub const fn from_number(number: i32) -> Option<Self> {
        Some(match number {
            0 => Self::Default,
            1 => Self::Cpu,
            2 => Self::Nvidia,
            3 => Self::Amd,
            4 => Self::Cambricon,
            5 => Self::Moore,
            6 => Self::Ascend,
            _ => return None,
        })
    }
}

/// Kind of a connection, numbered as in `hmc::ConnType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(i32)]
pub enum ConnType {
    /// RDMA, if there is such hardware.
    Rdma = 0,
    /// UCX, else the transports of this library.
    Ucx = 1,
}

impl ConnType {
    /// Returns the kind with this number.
    pub const fn from_number(number: i32) -> Option<Self> {
        Some(match number {
            0 => Self::Rdma,
            1 => Self::Ucx,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_convert_back_to_their_variants() {
        for number in -1..8 {
            assert_eq!(
                Status::from_number(number).map(|it| it as i32),
                (0..6).contains(&number).then_some(number)
            );
            assert_eq!(
                MemoryType::from_number(number).map(|it| it as i32),
                (0..7).contains(&number).then_some(number)
            );
            assert_eq!(
                ConnType::from_number(number).map(|it| it as i32),
                (0..2).contains(&number).then_some(number)
            );
        }
    }

    #[test]
    fn error_status_follows_its_kind() {
        assert_eq!(Status::from_error(&Error::new(Kind::Timeout, "put")), Status::Timeout);
        assert_eq!(Status::from_error(&Error::new(Kind::NotExist, "put")), Status::NotFound);
        assert_eq!(Status::from_error(&Error::new(Kind::InvalidParam, "put")), Status::Error);
    }
}
