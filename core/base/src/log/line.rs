// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Prefix of a log line: time, level, process and rank.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The process in the upper half and its rank in the lower one; 0: no rank is known. A forked child has the
/// number of its parent here, and so no rank.
static MEMBER: AtomicU64 = AtomicU64::new(0);

/// Sets the rank of this process; lines name it from now on. A process that is several ranks names the last
/// one.
pub fn set_rank(rank: u32) {
    MEMBER.store(u64::from(std::process::id()) << 32 | u64::from(rank), Ordering::Relaxed);
}

/// `pid 4711 rank 3`, with `-` for an unknown rank.
pub(super) fn process_name() -> String {
    let pid = std::process::id();
    let member = MEMBER.load(Ordering::Relaxed);
    if member >> 32 == u64::from(pid) {
        format!("pid {pid} rank {}", member & u64::from(u32::MAX))
    } else {
        format!("pid {pid} rank -")
    }
}

/// A whole line of standard error: `2026-01-31T12:00:00.123Z warn pid 4711 rank 3 mf_store::server: …`.
pub(super) fn line(now: SystemTime, level: i32, text: &str) -> String {
    let name = match level {
        0 => "debug",
        1 => "info",
        2 => "warn",
        3 => "error",
        _ => "trace",
    };
    let mut line = stamp(now.duration_since(UNIX_EPOCH).unwrap_or_default());
    // Writing to a string cannot fail.
    let _ = writeln!(line, " {name} {text}");
    line
}

/// A time since 1970 in UTC as names of files have it: `20260131120000`.
pub(super) fn digits(since: Duration) -> String {
    let text = stamp(since);
    text.chars().take_while(|c| *c != '.').filter(char::is_ascii_digit).collect()
}

/// A time since 1970 as ISO 8601 writes it, UTC, to the millisecond.
fn stamp(since: Duration) -> String {
    const DAY_S: u64 = 86_400;
    let seconds = since.as_secs();
    let (year, month, day) = civil(seconds / DAY_S);
    let (hour, minute, second) = (seconds % DAY_S / 3600, seconds % 3600 / 60, seconds % 60);
    let millis = since.subsec_millis();
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}

/// Year, month and day of a day counted from 1970-01-01, in the Gregorian calendar.
fn civil(day: u64) -> (u64, u64, u64) {
    // Years that begin in March end with the leap day; 400 of them have 146,097 days, and 1970-01-01 is day
    // 719,468 since March of the year 0.
    let day = day + 719_468;
    let (era, of_era) = (day / 146_097, day % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    // Month 0 is March.
    if month < 10 { (era * 400 + year, month + 3, day) } else { (era * 400 + year + 1, month - 9, day) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_follow_iso_8601() {
        let at = |seconds, millis| stamp(Duration::from_secs(seconds) + Duration::from_millis(millis));
        assert_eq!(at(0, 0), "1970-01-01T00:00:00.000Z");
        assert_eq!(at(951_782_399, 7), "2000-02-28T23:59:59.007Z");
        assert_eq!(at(951_782_400, 0), "2000-02-29T00:00:00.000Z");
        assert_eq!(at(951_868_800, 0), "2000-03-01T00:00:00.000Z");
        assert_eq!(at(1_790_000_000, 999), "2026-09-21T14:13:20.999Z");
        assert_eq!(at(4_107_542_399, 0), "2100-02-28T23:59:59.000Z");
        assert_eq!(at(4_107_542_400, 0), "2100-03-01T00:00:00.000Z");
        assert_eq!(digits(Duration::from_secs(951_782_399)), "20000228235959");
    }

    #[test]
    fn a_forked_child_has_no_rank() {
        MEMBER.store(u64::from(std::process::id() + 1) << 32 | 5, Ordering::Relaxed);
        assert_eq!(process_name(), format!("pid {} rank -", std::process::id()));
        set_rank(5);
        assert_eq!(process_name(), format!("pid {} rank 5", std::process::id()));
    }
}
