// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Variables of a launcher, read with errors that name variable and value.

use std::collections::BTreeMap;

use mf_base::{Error, Result};

use super::OPERATION;

/// Longest part of a wrong value that error texts repeat, in characters.
const SHOWN_CHARACTERS: usize = 120;

/// The variables that are set.
#[derive(Clone, Copy)]
pub(super) struct Variables<'a>(pub(super) &'a BTreeMap<String, String>);

impl<'a> Variables<'a> {
    /// The text of `name`, without blanks around it; an empty one counts as absent, as launchers mean it.
    pub(super) fn text(self, name: &str) -> Option<&'a str> {
        self.0.get(name).map(|text| text.trim()).filter(|text| !text.is_empty())
    }

    pub(super) fn is_set(self, name: &str) -> bool {
        self.text(name).is_some()
    }

    /// The number that `name` holds.
    pub(super) fn number(self, name: &'static str) -> Result<Option<u32>> {
        self.text(name).map(|text| number(name, text)).transpose()
    }
}

fn number(name: &'static str, text: &str) -> Result<u32> {
    // The standard parser takes a sign, too.
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits).ok_or_else(|| unusable(name, text, "it is not a whole number"))
}

/// The error for a variable with an unusable value.
pub(super) fn unusable(name: &'static str, value: &str, why: &str) -> Error {
    let shown: String = value.escape_debug().take(SHOWN_CHARACTERS).collect();
    Error::invalid(OPERATION, "a variable of the launcher is not usable")
        .with("variable", name)
        .with("value", format!("\"{shown}\""))
        .with("because", why)
        .hint(format!("correct {name}, or unset it with the other variables of that launcher"))
}

/// The error for a variable that should be there because `present` is.
pub(super) fn missing(name: &'static str, present: &'static str) -> Error {
    Error::invalid(OPERATION, format!("{present} is set but {name} is not"))
        .with("variable", name)
        .hint("start the program by its launcher, or set both")
}
