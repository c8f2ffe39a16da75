// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Load of the machine during the measurement: figures of a busy machine are unreliable.

use std::sync::OnceLock;

use mf_program::output::note;
use serde_json::{Value, json};

/// Share of the processors' time that a hypervisor may take before it is warned of, in percent.
const STEAL_PERCENT: f64 = 5.0;

/// State before the measurement.
struct Before {
    load: Option<f64>,
    ticks: Option<Ticks>,
}

/// Time of all processors since the machine started, in ticks of the kernel.
#[derive(Clone, Copy)]
struct Ticks {
    all: u64,
    stolen: u64,
}

static BEFORE: OnceLock<Before> = OnceLock::new();

/// Reads the load before anything is measured, and warns when it exceeds the cores.
pub(super) fn begin() {
    let before = BEFORE.get_or_init(|| Before { load: load(), ticks: ticks() });
    if let Some(text) = before.load.and_then(|load| too_much_load(load, cores())) {
        note(&format!("mf perf: {text}"));
    }
}

/// Warns of time that a hypervisor took while it was measured, unless the load was warned of.
pub(super) fn end() {
    let Some(before) = BEFORE.get() else { return };
    let is_warned = before.load.and_then(|load| too_much_load(load, cores())).is_some();
    if !is_warned && let Some(text) = stolen(before).and_then(too_much_steal) {
        note(&format!("mf perf: {text}"));
    }
}

/// The same for programs, with the warnings.
pub(super) fn facts() -> Value {
    let Some(before) = BEFORE.get() else { return Value::Null };
    let (load, stolen) = (before.load, stolen(before));
    let warnings = [load.and_then(|load| too_much_load(load, cores())), stolen.and_then(too_much_steal)];
    json!({
        "load_before": load,
        "stolen_percent": stolen,
        "warnings": warnings.into_iter().flatten().collect::<Vec<_>>(),
    })
}

fn too_much_load(load: f64, cores: usize) -> Option<String> {
    // No machine has so many that the conversion counts.
    (load > cores as f64).then(|| {
        format!("the machine is busy: load {load:.1} on {cores} cores; figures say little until it is idle")
    })
}

fn too_much_steal(percent: f64) -> Option<String> {
    (percent > STEAL_PERCENT).then(|| {
        format!(
            "{percent:.0} % of the processors' time went to other machines of the host; figures say little"
        )
    })
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Processes that ran or wanted to, in the mean over the last minute.
fn load() -> Option<f64> {
    std::fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
}

fn ticks() -> Option<Ticks> {
    ticks_of(&std::fs::read_to_string("/proc/stat").ok()?)
}

/// The first line: user, nice, system, idle, iowait, irq, softirq, steal; what follows is in these already.
fn ticks_of(stat: &str) -> Option<Ticks> {
    let numbers = stat.lines().next()?.strip_prefix("cpu ")?.split_whitespace();
    let numbers: Vec<u64> = numbers.take(8).map(str::parse).collect::<Result<_, _>>().ok()?;
    Some(Ticks { all: numbers.iter().sum(), stolen: *numbers.get(7)? })
}

/// Percent of the time since then that a hypervisor took.
fn stolen(before: &Before) -> Option<f64> {
    let (then, now) = (before.ticks?, ticks()?);
    let all = now.all.checked_sub(then.all).filter(|all| *all > 0)?;
    Some(100.0 * now.stolen.saturating_sub(then.stolen) as f64 / all as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_load_than_cores_is_warned_of() {
        assert_eq!(too_much_load(2.0, 2), None);
        assert!(too_much_load(2.5, 2).is_some_and(|text| text.contains("load 2.5 on 2 cores")));
        assert_eq!(too_much_steal(5.0), None);
        assert!(too_much_steal(12.0).is_some_and(|text| text.starts_with("12 %")));
    }

    #[test]
    fn steal_is_the_eighth_number() {
        let ticks = ticks_of("cpu  10 0 5 80 1 0 1 3 9 9\ncpu0 1\n").map(|ticks| (ticks.all, ticks.stolen));
        assert_eq!(ticks, Some((100, 3)));
        assert!(ticks_of("intr 1").is_none());
    }
}
