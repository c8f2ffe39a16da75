// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Options of a communicator, and settings of the environment.

use std::mem::offset_of;
use std::time::Duration;

use ascend_acl_sys::raw::types::{
    HCCL_COMM_BUFFSIZE_CONFIG_NOT_SET, HCCL_COMM_CONFIG_MAGIC_WORD, HcclCommConfig,
};

use super::code;
use super::shared::NAME_BYTES;
use crate::fault::{Fault, Outcome, ensure};

/// Header in the reserved bytes of a configuration.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Head {
    /// Bytes of the whole, as its writer knows it.
    pub size: usize,
    /// By which a configuration is known.
    pub magic: u32,
    /// 10 in the newest headers.
    pub version: u32,
    /// Unused.
    pub reserved: u64,
}

impl Head {
    /// Puts it in front of a configuration.
    pub fn put(self, config: &mut HcclCommConfig) {
        let to: *mut HcclCommConfig = config;
        const { assert!(offset_of!(HcclCommConfig, hcclBufferSize) == size_of::<Self>()) };
        // SAFETY: the configuration begins with bytes for a head, as the line above asserts, and is this
        // caller's alone.
        unsafe { to.cast::<Self>().write_unaligned(self) };
    }
}

/// Requested options.
#[derive(Clone, Debug, Default)]
pub struct CommunicatorOptions {
    /// Name of the communicator; all ranks say the same.
    pub name: Option<String>,
    /// Longest run of an operation.
    pub exec_timeout: Option<Duration>,
}

/// Longest wait for the other ranks.
///
/// # Errors
/// `HCCL_E_PARA` for a setting that is no number of seconds.
pub fn connect_timeout() -> Outcome<Duration> {
    seconds("HCCL_CONNECT_TIMEOUT", 120).map(Duration::from_secs)
}

/// Returns the longest run of an operation; `None` for no limit.
///
/// # Errors
/// As [`connect_timeout`].
pub fn exec_timeout() -> Outcome<Option<Duration>> {
    let seconds = seconds("HCCL_EXEC_TIMEOUT", 1836)?;
    Ok((seconds > 0).then(|| Duration::from_secs(seconds)))
}

fn seconds(name: &str, default: u64) -> Outcome<u64> {
    match std::env::var(name) {
        Err(_) => Ok(default),
        Ok(text) => text
            .trim()
            .parse()
            .map_err(|_| Fault::new(code::PARA, format_args!("{name}={text} is not a number of seconds"))),
    }
}

impl CommunicatorOptions {
    /// Reads a program's structure, as much of it as the program says there is.
    ///
    /// # Errors
    /// `HCCL_E_PTR` null · `HCCL_E_PARA` for an invalid structure, or a value out of range.
    ///
    /// # Safety
    /// `config` is null or valid for reads of the bytes that its first field gives.
    pub unsafe fn read(config: *const HcclCommConfig) -> Outcome<Self> {
        ensure(!config.is_null(), code::PTR, || "config is null".to_owned())?;
        // SAFETY: not null, so there are at least the fields of the header.
        let header = unsafe { config.cast::<Head>().read_unaligned() };
        ensure(header.magic == HCCL_COMM_CONFIG_MAGIC_WORD, code::PARA, || {
            format!("the configuration has magic {:#x}, not {HCCL_COMM_CONFIG_MAGIC_WORD:#x}", header.magic)
        })?;
        ensure(header.size >= size_of::<Head>(), code::PARA, || {
            format!("a configuration of {} bytes does not even have its header", header.size)
        })?;
        let bytes = header.size.min(size_of::<HcclCommConfig>());
        let mut copy = vec![0_u8; bytes];
        // SAFETY: the caller passes so many bytes.
        unsafe { std::ptr::copy_nonoverlapping(config.cast(), copy.as_mut_ptr(), bytes) };
        let given = ConfigBytes(copy);
        if let Some(0) = given.number(offset_of!(HcclCommConfig, hcclBufferSize)) {
            return Err(Fault::new(code::PARA, "the buffer has 0 MB"));
        }
        if let Some(deterministic) = given.number(offset_of!(HcclCommConfig, hcclDeterministic)) {
            ensure(deterministic <= 2, code::PARA, || format!("deterministic is {deterministic}"))?;
        }
        let timeout =
            given.number(offset_of!(HcclCommConfig, hcclExecTimeOut)).filter(|timeout| *timeout > 0);
        Ok(Self {
            name: given.text(offset_of!(HcclCommConfig, hcclCommName))?,
            exec_timeout: timeout.map(|seconds| Duration::from_secs(seconds.into())),
        })
    }
}

/// The bytes that there are.
struct ConfigBytes(Vec<u8>);

impl ConfigBytes {
    /// Returns a number, or `None` if it is absent or unset.
    fn number(&self, offset: usize) -> Option<u32> {
        let bytes = self.0.get(offset..offset + 4)?.try_into().ok()?;
        Some(u32::from_ne_bytes(bytes)).filter(|number| *number != HCCL_COMM_BUFFSIZE_CONFIG_NOT_SET)
    }

    fn text(&self, offset: usize) -> Outcome<Option<String>> {
        let Some(bytes) = self.0.get(offset..offset + NAME_BYTES) else { return Ok(None) };
        let end = bytes.iter().position(|byte| *byte == 0).ok_or_else(|| {
            Fault::new(code::PARA, format_args!("the name has more than {} bytes", NAME_BYTES - 1))
        })?;
        let text = String::from_utf8_lossy(bytes.get(..end).unwrap_or_default()).into_owned();
        Ok((!text.is_empty()).then_some(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(config: &HcclCommConfig) -> Outcome<CommunicatorOptions> {
        // SAFETY: a whole structure.
        unsafe { CommunicatorOptions::read(config) }
    }

    fn config(size: usize) -> HcclCommConfig {
        let mut config = HcclCommConfig::default();
        Head { size, magic: HCCL_COMM_CONFIG_MAGIC_WORD, version: 10, reserved: 0 }.put(&mut config);
        config.hcclBufferSize = 200;
        config.hcclExecTimeOut = 7;
        config.hcclCommName[0] = i8::try_from(b'x').unwrap();
        config
    }

    #[test]
    fn config_is_read_up_to_its_declared_size() {
        let whole = read(&config(2240)).unwrap();
        assert_eq!((whole.name.as_deref(), whole.exec_timeout), (Some("x"), Some(Duration::from_secs(7))));
        let newer = read(&config(9999)).unwrap();
        assert_eq!(newer.exec_timeout, Some(Duration::from_secs(7)));
        let short = read(&config(160)).unwrap();
        assert_eq!((short.name.as_deref(), short.exec_timeout), (Some("x"), None));
        let bare = read(&config(24)).unwrap();
        assert_eq!((bare.name, bare.exec_timeout), (None, None));
    }

    #[test]
    fn invalid_configuration_is_rejected() {
        let mut wrong = config(2240);
        Head { size: 2240, magic: 1, version: 10, reserved: 0 }.put(&mut wrong);
        assert_eq!(read(&wrong).unwrap_err().code, code::PARA);
        assert_eq!(read(&config(23)).unwrap_err().code, code::PARA);
        let mut empty = config(2240);
        empty.hcclBufferSize = 0;
        assert_eq!(read(&empty).unwrap_err().code, code::PARA);
        let mut unset = config(2240);
        (unset.hcclBufferSize, unset.hcclExecTimeOut) = (u32::MAX, -1);
        assert_eq!(read(&unset).unwrap().exec_timeout, None);
        // SAFETY: null is refused.
        assert_eq!(unsafe { CommunicatorOptions::read(std::ptr::null()) }.unwrap_err().code, code::PTR);
    }
}
