// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Trace of a run as text: one line an event, the same bytes for the same choices.

use std::fmt::Write as _;

use crate::world::Nanos;

/// Lines of time, rank and event. Off, it takes neither time nor memory.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    text: Option<String>,
}

impl Trace {
    pub(crate) fn new(is_on: bool) -> Self {
        Self { text: is_on.then(String::new) }
    }

    pub(crate) fn is_on(&self) -> bool {
        self.text.is_some()
    }

    pub(crate) fn line(&mut self, time: Nanos, rank: Option<u32>, text: &str) {
        let Some(lines) = &mut self.text else { return };
        let whom = rank.map_or_else(|| "world".to_owned(), |rank| format!("rank {rank}"));
        let text = text.replace('\n', "\\n");
        // Writing to a String does not fail.
        let _ = writeln!(lines, "{:>9}.{:03} us  {whom:<10} {text}", time / 1000, time % 1000);
    }

    pub(crate) fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }
}
