// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The date as HTTP formats it.

use std::cell::RefCell;

const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Formats seconds since 1970, for example as `Sun, 06 Nov 1994 08:49:37 GMT`.
pub(super) fn text(seconds: u64) -> String {
    thread_local! {
        /// Cache of the last one, valid for all responses of a second.
        static LAST: RefCell<(u64, String)> = const { RefCell::new((u64::MAX, String::new())) };
    }
    LAST.with_borrow_mut(|(last, text)| {
        if *last != seconds {
            (*last, *text) = (seconds, format(seconds));
        }
        text.clone()
    })
}

fn format(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Years begin in March here, so that a leap day is the last of its year; eras have 400 years.
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let index = (month + 2) % 12;
    let year = year + era * 400 + u64::from(index < 2);
    let name = |names: &[&'static str], at: u64| {
        usize::try_from(at).ok().and_then(|at| names.get(at).copied()).unwrap_or_default()
    };
    format!(
        "{}, {of_month:02} {} {year:04} {:02}:{:02}:{:02} GMT",
        name(&DAYS, days % 7),
        name(&MONTHS, index),
        second / 3_600,
        second / 60 % 60,
        second % 60
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn http_dates_are_formatted() {
        for (seconds, expected) in [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"),
            (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        ] {
            assert_eq!(text(seconds), expected);
        }
    }
}
