// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Clocks: the monotonic clock, which bounds all waits, and the wall clock, which decides the validity of
//! certificates.

use std::time::{Duration, Instant, SystemTime};

use mf_tls::date;

use super::super::finding::Finding;

/// The clocks.
#[derive(Clone, Debug)]
pub(in super::super) struct ClockFacts {
    /// The kernel's clock source.
    pub(in super::super) source: Option<String>,
    /// Duration of one reading, the shortest of several rounds.
    pub(in super::super) read_ns: u64,
    /// True if a later reading was smaller.
    pub(in super::super) went_back: bool,
    pub(in super::super) now: SystemTime,
    /// A moment that is past: when the file of this program was written.
    pub(in super::super) past: Option<SystemTime>,
}

/// Rounds, and readings in each.
const ROUNDS: usize = 20;
const READINGS: u32 = 200;

/// Reads the clocks.
pub(in super::super) fn gather() -> ClockFacts {
    let path = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    let (mut last, mut went_back, mut shortest) = (Instant::now(), false, Duration::MAX);
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        for _ in 0..READINGS {
            let now = Instant::now();
            went_back |= now < last;
            last = now;
        }
        shortest = shortest.min(begun.elapsed());
    }
    let program = std::env::current_exe().and_then(std::fs::metadata).and_then(|facts| facts.modified());
    ClockFacts {
        source: std::fs::read_to_string(path).ok().map(|text| text.trim().to_owned()),
        read_ns: u64::try_from((shortest / READINGS).as_nanos()).unwrap_or(u64::MAX),
        went_back,
        now: SystemTime::now(),
        past: program.ok(),
    }
}

/// More than a call of the kernel takes: waits and copies read the clock often.
const SLOW_NS: u64 = 1_000;
/// Copied files may be a little ahead.
const SKEW: Duration = Duration::from_secs(86_400);

/// Findings about the clocks.
pub(in super::super) fn diagnose(facts: &ClockFacts) -> Vec<Finding> {
    let source = facts.source.as_deref().unwrap_or("not known");
    let mut findings = Vec::new();
    if facts.went_back {
        findings.push(Finding::error(
            format!("the monotonic clock goes backwards (source: {source}): deadlines mean nothing"),
            "choose another source: /sys/devices/system/clocksource/clocksource0/available_clocksource",
        ));
    }
    if facts.read_ns > SLOW_NS {
        findings.push(Finding::warning(
            format!(
                "reading the clock takes {} ns (source: {source}): waits and small copies take longer",
                facts.read_ns
            ),
            "boot with clocksource=tsc where the processor has a stable one",
        ));
    }
    if let Some(past) = facts.past.filter(|past| facts.now + SKEW < *past) {
        findings.push(Finding::warning(
            format!(
                "the wall clock shows {}, which is before {}: certificates may seem not valid yet",
                date(facts.now),
                date(past)
            ),
            "set it: timedatectl set-ntp true, or chronyc makestep",
        ));
    }
    if findings.is_empty() {
        findings.push(Finding::ok(format!(
            "source {source}, {} ns to read; {}",
            facts.read_ns,
            date(facts.now)
        )));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::super::finding::Severity::{self, Good, Hinders, Warning};
    use super::super::super::finding::severities;
    use super::*;

    #[test]
    fn clock_problems_are_found() {
        let now = SystemTime::UNIX_EPOCH + SKEW * 20_000;
        let facts = |went_back, read_ns, past| ClockFacts {
            source: Some("tsc".to_owned()),
            read_ns,
            went_back,
            now,
            past,
        };
        let table: [(ClockFacts, &[Severity]); 6] = [
            (facts(false, 30, None), &[Good]),
            (facts(false, 30, Some(now - SKEW)), &[Good]),
            (facts(false, 30, Some(now + SKEW / 2)), &[Good]),
            (facts(true, 30, None), &[Hinders]),
            (facts(false, 5_000, None), &[Warning]),
            (facts(true, 5_000, Some(now + SKEW * 2)), &[Hinders, Warning, Warning]),
        ];
        for (facts, expected) in table {
            assert_eq!(severities(&diagnose(&facts)), expected, "{facts:?}");
        }
    }

    #[test]
    fn monotonic_clock_never_goes_back() {
        assert!(!gather().went_back);
    }
}
