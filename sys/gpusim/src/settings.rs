// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Settings, read from the environment once per process.
//!
//! | variable | default | meaning |
//! |---|---|---|
//! | `GPUSIM_GPUS` | `1:cuda,1:hip,1:musa,1:cndrv` | how many GPUs of which vendor |
//! | `GPUSIM_MEMORY_BYTES` | 1 GiB | memory of each |
//! | `GPUSIM_LATE_US` | 100 | how long each thing on a stream waits before it begins |
//! | `GPUSIM_BYTES_PER_SECOND` | 0: as fast as it goes | speed of copies |
//! | `GPUSIM_FAULTS` | none | `NAME@N=CODE,…`: the Nth call of NAME answers CODE; `*` counts all calls |
//! | `GPUSIM_IPC` | 1 | 0: memory cannot be shared |
//! | `GPUSIM_LEAKS` | none | file to which a process appends its leaks |

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use gpu_sys::Vendor;

/// All of it.
#[derive(Debug)]
pub struct Settings {
    /// GPUs, by vendor.
    pub gpus: [u32; 4],
    /// Memory of each.
    pub memory_bytes: u64,
    /// Delay of streams.
    pub late: Duration,
    /// Speed of copies; `None` for unlimited.
    pub bytes_per_second: Option<u64>,
    /// Injected failures: function and number of the call → status.
    pub faults: BTreeMap<(String, u64), i32>,
    /// Memory can be shared between processes.
    pub ipc: bool,
    /// File for leaks.
    pub leaks: Option<PathBuf>,
}

/// Returns the settings of this process. Unreadable values count as unset.
pub fn settings() -> &'static Settings {
    static SETTINGS: OnceLock<Settings> = OnceLock::new();
    SETTINGS.get_or_init(|| read(|name| std::env::var(name).ok().filter(|text| !text.is_empty())))
}

fn read(get: impl Fn(&str) -> Option<String>) -> Settings {
    let number = |name: &str| get(name).and_then(|text| text.parse::<u64>().ok());
    Settings {
        gpus: gpus(get("GPUSIM_GPUS").as_deref().unwrap_or("1:cuda,1:hip,1:musa,1:cndrv")),
        memory_bytes: number("GPUSIM_MEMORY_BYTES").unwrap_or(1 << 30),
        late: Duration::from_micros(number("GPUSIM_LATE_US").unwrap_or(100)),
        bytes_per_second: number("GPUSIM_BYTES_PER_SECOND").filter(|speed| *speed > 0),
        faults: get("GPUSIM_FAULTS").iter().flat_map(|text| text.split(',')).filter_map(fault).collect(),
        ipc: number("GPUSIM_IPC") != Some(0),
        leaks: get("GPUSIM_LEAKS").map(PathBuf::from),
    }
}

/// `2:cuda,1:hip` by vendor.
fn gpus(text: &str) -> [u32; 4] {
    let mut gpus = [0; 4];
    for part in text.split(',') {
        let Some((count, name)) = part.trim().split_once(':') else { continue };
        if let (Ok(count), Some(vendor)) = (count.parse(), Vendor::from_name(name)) {
            gpus[vendor.index()] = count;
        }
    }
    gpus
}

/// `NAME@N=CODE`.
fn fault(text: &str) -> Option<((String, u64), i32)> {
    let (name, rest) = text.trim().split_once('@')?;
    let (number, code) = rest.split_once('=')?;
    Some(((name.to_owned(), number.parse().ok()?), code.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_parsed_from_texts() {
        let settings = read(|name| match name {
            "GPUSIM_GPUS" => Some("2:cuda, 1:hip,x".into()),
            "GPUSIM_FAULTS" => Some("hipFree@3=1,*@7=999,nonsense".into()),
            _ => None,
        });
        assert_eq!(settings.gpus, [2, 1, 0, 0]);
        assert_eq!(settings.faults.get(&("hipFree".into(), 3)), Some(&1));
        assert_eq!(settings.faults.get(&("*".into(), 7)), Some(&999));
        assert_eq!((settings.memory_bytes, settings.faults.len()), (1 << 30, 2));
    }
}
