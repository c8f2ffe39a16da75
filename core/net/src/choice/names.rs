// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The names under which engines are asked for, and sets of them as the C interface writes them.

use std::fmt;

use mf_base::{Error, Result};

/// An engine as people name it, in the order in which they are preferred when several are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EngineName {
    /// The accelerator's own mover.
    DeviceSdma,
    /// Kernels of the accelerator that load and store; only in tag rules.
    DeviceMte,
    /// RDMA by the accelerator's network card.
    DeviceRdma,
    /// URMA by the accelerator.
    DeviceUrma,
    /// UBOE by the accelerator.
    DeviceUboe,
    /// Shared memory of a host.
    HostShm,
    /// RDMA by the host's network card.
    HostRdma,
    /// URMA by the host.
    HostUrma,
    /// TCP.
    HostTcp,
}

use EngineName::{
    DeviceMte, DeviceRdma, DeviceSdma, DeviceUboe, DeviceUrma, HostRdma, HostShm, HostTcp, HostUrma,
};

/// Bit of the name that the C interface has no bit for.
const MTE_BIT: u32 = 1 << 8;
/// The bits that it has.
const KNOWN: u32 = MTE_BIT - 1;

impl EngineName {
    /// All of them, the preferred ones first.
    pub const ALL: [Self; 9] =
        [DeviceSdma, DeviceMte, DeviceRdma, DeviceUrma, DeviceUboe, HostShm, HostRdma, HostUrma, HostTcp];

    /// The name in tag rules and texts.
    pub const fn as_str(self) -> &'static str {
        match self {
            DeviceSdma => "DEVICE_SDMA",
            DeviceMte => "DEVICE_MTE",
            DeviceRdma => "DEVICE_RDMA",
            DeviceUrma => "DEVICE_URMA",
            DeviceUboe => "DEVICE_UBOE",
            HostShm => "HOST_SHM",
            HostRdma => "HOST_RDMA",
            HostUrma => "HOST_URMA",
            HostTcp => "HOST_TCP",
        }
    }

    /// The engine of this name, written as [`as_str`](Self::as_str) does.
    pub fn of(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|name| name.as_str() == text)
    }

    const fn bit(self) -> u32 {
        match self {
            DeviceSdma => 1,
            HostRdma => 2,
            HostTcp => 4,
            DeviceRdma => 8,
            HostUrma => 16,
            HostShm => 32,
            DeviceUrma => 64,
            DeviceUboe => 128,
            DeviceMte => MTE_BIT,
        }
    }
}

impl fmt::Display for EngineName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Engines that are asked for. The empty set leaves the choice to the library.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct EngineSet(u32);

impl EngineSet {
    /// The best for each peer.
    pub const AUTO: Self = Self(0);

    /// One engine.
    pub const fn one(name: EngineName) -> Self {
        Self(name.bit())
    }

    /// A set of bits, one an engine. All bits together leave the choice to the library.
    ///
    /// # Errors
    /// `InvalidParam` no bit, or one that has no meaning.
    pub fn from_bits(operation: &'static str, bits: u32) -> Result<Self> {
        if bits == KNOWN {
            return Ok(Self::AUTO);
        }
        if bits != 0 && bits & !KNOWN == 0 {
            return Ok(Self(bits));
        }
        Err(Error::invalid(operation, "the data operation type is empty or unknown").with("type", bits).hint(
            format!("one or several of the bits {KNOWN:#x}; all of them leave the choice to the library"),
        ))
    }

    /// Converts any number: unknown bits are ignored.
    pub fn from_any_bits(bits: u32) -> Self {
        let known = bits & KNOWN;
        if known == KNOWN { Self::AUTO } else { Self(known) }
    }

    /// Both sets together.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns true if the set contains this name.
    pub const fn has(self, name: EngineName) -> bool {
        self.0 & name.bit() != 0
    }

    /// Returns true if no engine is requested.
    pub const fn is_auto(self) -> bool {
        self.0 == 0
    }

    /// Its names, the preferred ones first.
    pub fn names(self) -> impl Iterator<Item = EngineName> {
        EngineName::ALL.into_iter().filter(move |name| self.has(*name))
    }

    pub(super) const fn bits(self) -> u32 {
        self.0
    }
}

impl FromIterator<EngineName> for EngineSet {
    fn from_iter<I: IntoIterator<Item = EngineName>>(names: I) -> Self {
        names.into_iter().fold(Self::AUTO, |set, name| set.with(Self::one(name)))
    }
}

impl fmt::Display for EngineSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_auto() {
            return f.write_str("auto");
        }
        for (place, name) in self.names().enumerate() {
            write!(f, "{}{name}", if place == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engine_bits_match_the_c_interface() {
        let named = [
            (1, DeviceSdma),
            (2, HostRdma),
            (4, HostTcp),
            (8, DeviceRdma),
            (16, HostUrma),
            (32, HostShm),
            (64, DeviceUrma),
            (128, DeviceUboe),
        ];
        for (bits, name) in named {
            assert_eq!(EngineSet::from_bits("test", bits).unwrap(), EngineSet::one(name));
        }
        assert!(EngineSet::from_bits("test", 0xff).unwrap().is_auto());
        assert_eq!(EngineSet::from_bits("test", 0xfe).unwrap().names().count(), 7);
    }

    #[test]
    fn empty_and_unknown_engine_bits_are_refused() {
        for bits in [0, 256, 257, u32::MAX, 1 << 31] {
            assert_eq!(EngineSet::from_bits("test", bits).unwrap_err().code(), -2000, "{bits}");
        }
        assert_eq!(EngineSet::from_any_bits(256 + 4), EngineSet::one(HostTcp));
        for bits in [0, 256, 255, u32::MAX, 1 << 31] {
            assert!(EngineSet::from_any_bits(bits).is_auto(), "{bits}");
        }
    }

    #[test]
    fn names_are_read_back_and_listed_by_preference() {
        for name in EngineName::ALL {
            assert_eq!(EngineName::of(name.as_str()), Some(name));
        }
        assert_eq!(EngineName::of("host_tcp"), None);
        let set: EngineSet = [HostTcp, DeviceSdma, HostRdma].into_iter().collect();
        assert_eq!(set.to_string(), "DEVICE_SDMA, HOST_RDMA, HOST_TCP");
        assert_eq!(EngineSet::AUTO.to_string(), "auto");
    }
}
