// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Interface by which a program calls `smem_trans`: functions of three releases have the same names.
//!
//! Release 1.3 passes pointers where the next release passes small numbers, so arguments decide, unless the
//! setting `MF_SMEM_ABI` does. The interface of February 2026 differs in
//! nothing that the library sees: the setting alone selects it.

use std::sync::Mutex;

use mf_base::settings::{TransferAbi, settings};
use mf_base::sync::lock;
use mf_base::{Error, Result};

/// Addresses below are never mapped, and numbers of devices and flags are never larger.
const FIRST_ADDRESS: usize = 65_536;

/// True if a null in `smem_trans_init` is device 0 of the next release: before any `smem_trans_config_init`,
/// and after a call of that release.
static NULL_IS_DEVICE: Mutex<bool> = Mutex::new(true);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Era {
    /// Release 1.3: endpoints meet at a store.
    Release13,
    /// The next release: endpoints meet at their own addresses.
    Next,
    /// February 2026: release 1.3 with a configuration of 24 bytes.
    February2026,
}

impl Era {
    const fn name(self) -> &'static str {
        match self {
            Self::Release13 => "1.3",
            Self::Next => "next",
            Self::February2026 => "2026.02",
        }
    }
}

/// Returns true if a pointer argument is a number of the next release.
pub(super) fn is_number(argument: usize) -> bool {
    (1..FIRST_ADDRESS).contains(&argument)
}

/// Marks `smem_trans_config_init` as called before `smem_trans_init`.
pub(super) fn note_config(is_begun: bool) {
    if !is_begun {
        *lock(&NULL_IS_DEVICE) = false;
    }
}

/// Returns the era of a call of `smem_trans_init` by its first argument.
///
/// # Errors
/// `InvalidParam` the argument fits none.
pub(super) fn of_init(op: &'static str, argument: usize) -> Result<Era> {
    let mut null_is_device = lock(&NULL_IS_DEVICE);
    let era = decide(op, settings()?.transfer_abi, argument, *null_is_device)?;
    *null_is_device = era == Era::Next;
    Ok(era)
}

/// Returns true if the setting selects the interface of February 2026.
///
/// # Errors
/// `InvalidParam` invalid settings.
pub(super) fn is_february_2026() -> Result<bool> {
    Ok(settings()?.transfer_abi == TransferAbi::February2026)
}

fn decide(op: &'static str, setting: TransferAbi, argument: usize, null_is_device: bool) -> Result<Era> {
    let is_null = argument == 0;
    let era = match setting {
        TransferAbi::Next if argument < FIRST_ADDRESS => return Ok(Era::Next),
        TransferAbi::Next => {
            return Err(Error::invalid(op, "the device is a pointer, and MF_SMEM_ABI is next")
                .hint("a program of release 1.3 runs with MF_SMEM_ABI=1.3, or without it"));
        }
        TransferAbi::Auto if is_number(argument) || (is_null && null_is_device) => return Ok(Era::Next),
        TransferAbi::February2026 => Era::February2026,
        TransferAbi::Auto | TransferAbi::Release13 => Era::Release13,
    };
    if is_null {
        return Err(Error::invalid(op, "the configuration is null"));
    }
    if is_number(argument) {
        return Err(Error::invalid(op, "the configuration is a number, and no address")
            .with("number", argument)
            .with("MF_SMEM_ABI", era.name()));
    }
    Ok(era)
}

/// The error of calls of two releases in one process.
#[cold]
pub(super) fn mixed(op: &'static str, begun: Era, call: &'static str) -> Error {
    Error::invalid(op, "one process calls smem_trans by two releases of its interface")
        .with("initialised_as", begun.name())
        .with("called_as", call)
        .hint(
            "1.3: smem_trans_init(config), smem_trans_create(storeUrl, uniqueId, config); \
             next: smem_trans_init(device, flags), smem_trans_create(config, flags)",
        )
}

/// As [`mixed`], for an initialisation.
#[cold]
pub(super) fn mixed_init(op: &'static str, begun: Era, call: Era) -> Error {
    mixed(op, begun, call.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_decide_unless_the_setting_does() {
        use TransferAbi::{Auto, February2026, Next, Release13};
        let address = 0x7fff_0000_1000;
        let of = |setting, argument, null_is_device| decide("test", setting, argument, null_is_device).ok();
        for null_is_device in [false, true] {
            assert_eq!(of(Auto, address, null_is_device), Some(Era::Release13));
            assert_eq!(of(Auto, 3, null_is_device), Some(Era::Next));
            assert_eq!(of(Auto, 65_535, null_is_device), Some(Era::Next));
            assert_eq!(of(Auto, 65_536, null_is_device), Some(Era::Release13));
            assert_eq!(of(Next, 0, null_is_device), Some(Era::Next));
            assert_eq!(of(Next, address, null_is_device), None);
            assert_eq!(of(Release13, address, null_is_device), Some(Era::Release13));
            assert_eq!(of(February2026, address, null_is_device), Some(Era::February2026));
            for setting in [Release13, February2026] {
                assert_eq!((of(setting, 0, null_is_device), of(setting, 3, null_is_device)), (None, None));
            }
        }
        assert_eq!((of(Auto, 0, true), of(Auto, 0, false)), (Some(Era::Next), None));
    }
}
