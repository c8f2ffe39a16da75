// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Events of a test, in order: orders, answers, output of the members.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use mf_base::sync::lock;

/// Longest line that is kept, in bytes.
const LONGEST: usize = 400;
/// Most lines that are kept, the latest; a member that floods its output shall not fill the memory.
const MOST: usize = 5000;

/// A list of lines that members and test share.
#[derive(Clone, Debug)]
pub struct Transcript {
    started: Instant,
    lines: Arc<Mutex<VecDeque<String>>>,
}

impl Default for Transcript {
    fn default() -> Self {
        Self { started: Instant::now(), lines: Arc::default() }
    }
}

impl Transcript {
    /// Adds a line.
    pub fn note(&self, who: &str, text: &str) {
        let mut end = text.len().min(LONGEST);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let mut lines = lock(&self.lines);
        if lines.len() == MOST {
            lines.pop_front();
        }
        lines.push_back(format!("{:>8.3} [{who}] {}", self.started.elapsed().as_secs_f64(), &text[..end]));
    }

    /// The lines, one under the other.
    pub fn text(&self) -> String {
        let mut lines = lock(&self.lines);
        lines.make_contiguous().join("\n")
    }

    /// True if a member has printed `part`.
    pub fn contains(&self, part: &str) -> bool {
        lock(&self.lines).iter().any(|line| line.contains(part))
    }
}
