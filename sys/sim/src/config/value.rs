// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Values of settings: numbers, sizes, choices.

use std::ops::RangeInclusive;
use std::time::Duration;

use super::{Schedule, refuse};
use crate::fault::Outcome;

/// Reads settings by name.
pub(super) struct Reader<'a, F>(pub(super) &'a F);

impl<F: Fn(&str) -> Option<String>> Reader<'_, F> {
    pub(super) fn text(&self, name: &str, default: &str) -> String {
        self.0(name).map_or_else(|| default.to_owned(), |text| text.trim().to_owned())
    }

    pub(super) fn number(&self, name: &str, default: u64, range: RangeInclusive<u64>) -> Outcome<u64> {
        let Some(text) = self.0(name) else { return Ok(default) };
        let number = plain(&text).filter(|number| range.contains(number));
        number.ok_or_else(|| {
            refuse(name, &text, format_args!("a number from {} to {}", range.start(), range.end()))
        })
    }

    pub(super) fn size(&self, name: &str, default: u64) -> Outcome<u64> {
        let Some(text) = self.0(name) else { return Ok(default) };
        size(&text)
            .ok_or_else(|| refuse(name, &text, "a number of bytes, or of K, M, G or T (powers of 1024)"))
    }

    /// Which of the words; the first is the default.
    pub(super) fn choice(&self, name: &str, words: &[&str]) -> Outcome<usize> {
        let Some(text) = self.0(name) else { return Ok(0) };
        let word = words.iter().position(|word| *word == text.trim());
        word.ok_or_else(|| refuse(name, &text, words.join(" or ")))
    }

    pub(super) fn fill(&self, name: &str, default: Option<u8>) -> Outcome<Option<u8>> {
        let Some(text) = self.0(name) else { return Ok(default) };
        if text.trim() == "off" {
            return Ok(None);
        }
        let byte = plain(&text).and_then(|number| u8::try_from(number).ok());
        byte.map(Some).ok_or_else(|| refuse(name, &text, "a byte (0 to 255, or 0x00 to 0xFF) or off"))
    }

    pub(super) fn schedule(&self, name: &str, seed: u64) -> Outcome<Schedule> {
        let Some(text) = self.0(name) else { return Ok(Schedule::Fifo) };
        let schedule = match call(&text) {
            ("fifo", None) => Some(Schedule::Fifo),
            ("random", None) => Some(Schedule::Random(seed)),
            ("random", Some(seed)) => plain(seed).map(Schedule::Random),
            ("slow", Some(micros)) => {
                plain(micros).map(|micros| Schedule::Slow(Duration::from_micros(micros)))
            }
            _ => None,
        };
        schedule.ok_or_else(|| refuse(name, &text, "fifo, random, random(SEED) or slow(MICROSECONDS)"))
    }
}

/// A number, decimal or with 0x.
pub(crate) fn plain(text: &str) -> Option<u64> {
    let text = text.trim();
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// `name` or `name(argument)`.
pub(crate) fn call(text: &str) -> (&str, Option<&str>) {
    let text = text.trim();
    match text.strip_suffix(')').and_then(|text| text.split_once('(')) {
        Some((name, argument)) => (name.trim(), Some(argument.trim())),
        None => (text, None),
    }
}

/// A number that is known to be small.
pub(super) fn small(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn size(text: &str) -> Option<u64> {
    let text = text.trim();
    let (digits, shift) = match text.chars().last()?.to_ascii_uppercase() {
        'K' => (&text[..text.len() - 1], 10),
        'M' => (&text[..text.len() - 1], 20),
        'G' => (&text[..text.len() - 1], 30),
        'T' => (&text[..text.len() - 1], 40),
        _ => (text, 0),
    };
    plain(digits)?.checked_mul(1 << shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_take_suffixes() {
        assert_eq!(size("64G"), Some(64 << 30));
        assert_eq!(size(" 3 k"), Some(3 << 10));
        assert_eq!(size("0x10M"), Some(16 << 20));
        assert_eq!(size("17"), Some(17));
        for wrong in ["", "G", "-1", "1.5G", "64GB", "99999999999T"] {
            assert_eq!(size(wrong), None, "{wrong}");
        }
    }
}
