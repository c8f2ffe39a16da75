// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Settings of copies, read once.

use std::sync::OnceLock;

use mf_base::settings::{Switch, settings};

use super::method::Method;

/// Copies up to this size are never streamed, for any setting; so the fast path does not read the setting.
pub(super) const SURELY_CACHED: usize = 256 << 10;

/// From where on streaming wins or loses nothing, until it is measured: so on processors of Intel.
pub(super) const STREAM_FROM: usize = 2 << 20;

/// The settings of the engine.
pub(super) struct Config {
    /// Copies of at least so many bytes go past the caches; `None`: the fastest by measurement.
    pub(super) stream_from: Option<usize>,
    /// Controls the second thread for large copies.
    pub(super) assist: Switch,
}

/// Returns the settings of this process; unusable ones count as the defaults here, since `init` reports them.
pub(super) fn config() -> &'static Config {
    static CONFIG: OnceLock<Config> = OnceLock::new();
    CONFIG.get_or_init(|| {
        let (stream_from, assist) = match settings() {
            Ok(settings) => {
                (usize::try_from(settings.stream_from.0).unwrap_or(usize::MAX), settings.copy_assist)
            }
            Err(_) => (0, Switch::Auto),
        };
        let alone = std::thread::available_parallelism().is_ok_and(|cpus| cpus.get() == 1);
        Config {
            stream_from: (stream_from != 0).then(|| stream_from.max(SURELY_CACHED)),
            assist: if alone { Switch::Off } else { assist },
        }
    })
}

fn cache_of_amd() -> Option<usize> {
    static BYTES: OnceLock<Option<usize>> = OnceLock::new();
    *BYTES.get_or_init(last_cache_of_amd)
}

/// Returns the size from which on methods are measured. Below, no method was faster than the caches on any
/// processor; and short copies are easily measured wrong.
pub(super) fn measured_from() -> usize {
    cache_of_amd().map_or(STREAM_FROM, |cache| (cache / 4).max(STREAM_FROM))
}

/// The method for a copy of `bytes` bytes, until it is measured.
pub(super) fn by_processor(bytes: usize) -> Method {
    match cache_of_amd() {
        // Measured with 32 MiB of it, on two generations: memory that it holds is copied faster than it can
        // be streamed, and beyond it streams of one line after the other are the faster ones.
        Some(cache) if bytes >= cache.max(STREAM_FROM) => Method::Lines,
        None if bytes >= STREAM_FROM => Method::Pages,
        _ => Method::Cached,
    }
}

/// Returns the bytes of the last cache of this core; `None` if the processor is not AMD's, or does not report
/// it.
#[cfg(target_arch = "x86_64")]
fn last_cache_of_amd() -> Option<usize> {
    use std::arch::x86_64::{__cpuid, __cpuid_count, __get_cpuid_max};
    /// Properties of caches, level by level.
    const CACHES: u32 = 0x8000_001d;
    let vendor = __cpuid(0);
    let is_amd = [vendor.ebx, vendor.edx, vendor.ecx]
        == [b"Auth", b"enti", b"cAMD"].map(|part| u32::from_le_bytes(*part));
    if !is_amd || __get_cpuid_max(0x8000_0000).0 < CACHES {
        return None;
    }
    let third = __cpuid_count(CACHES, 3);
    // No cache of this number, or not the third level.
    if third.eax & 0x1f == 0 || third.eax >> 5 & 7 != 3 {
        return None;
    }
    let [associativity, partitions, line] = [third.ebx >> 22, third.ebx >> 12 & 0x3ff, third.ebx & 0xfff];
    let sizes = [associativity, partitions, line, third.ecx].map(|number| number as usize + 1);
    Some(sizes.iter().product())
}

#[cfg(not(target_arch = "x86_64"))]
fn last_cache_of_amd() -> Option<usize> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_copies_beyond_the_cache_are_streamed_by_default() {
        assert_eq!(by_processor(STREAM_FROM - 1), Method::Cached);
        assert_ne!(by_processor(1 << 30), Method::Cached);
        assert!(last_cache_of_amd().is_none_or(|bytes| bytes.is_multiple_of(64)));
    }
}
