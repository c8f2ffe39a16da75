// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Kernels of one name that differ by the number of their parameters: a launch passes its kernel as a
//! template argument, which has to be one function, so each gets a name of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::entries::{Entries, KernelEntry};
use super::text::Text;

/// Numbers of parameters by name, of names with more than one.
pub(super) struct Overloads(BTreeMap<String, BTreeSet<usize>>);

impl Overloads {
    pub(super) fn of(entries: &Entries) -> Self {
        let mut counts = BTreeMap::<String, BTreeSet<usize>>::new();
        // Programs find others by their names, which C++ does not overload.
        for entry in entries.kernels.iter().filter(|entry| !entry.has_name) {
            counts.entry(entry.name.clone()).or_default().insert(entry.parameters.len());
        }
        counts.retain(|_, counts| counts.len() > 1);
        Self(counts)
    }

    /// Returns the own name of the kernel that a launch with so many arguments calls; None if the name has
    /// one kernel.
    pub(super) fn launched(&self, name: &str, arguments: usize) -> Option<String> {
        let counts = self.0.get(name)?;
        // Further parameters have defaults.
        let count = counts.iter().find(|count| **count >= arguments).or(counts.last())?;
        Some(own_name(name, *count))
    }

    /// The name of a kernel in the edited text.
    pub(super) fn name_of(&self, entry: &KernelEntry) -> String {
        if entry.has_name || !self.0.contains_key(&entry.name) {
            return entry.name.clone();
        }
        own_name(&entry.name, entry.parameters.len())
    }

    /// Edits of the names where the kernels are declared.
    pub(super) fn edits(&self, text: &Text, entries: &Entries) -> Vec<(Range<usize>, String)> {
        let edit = |entry: &KernelEntry| {
            let head = text.code.get(entry.head.clone()).unwrap_or_default().trim_end();
            let end = entry.head.start + head.len();
            (end - entry.name.len()..end, self.name_of(entry))
        };
        entries
            .kernels
            .iter()
            .filter(|entry| !entry.has_name && self.0.contains_key(&entry.name))
            .map(edit)
            .collect()
    }
}

fn own_name(name: &str, parameters: usize) -> String {
    format!("{name}_mf_of_{parameters}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_of_one_name_get_names_by_their_parameters() {
        let source = "template <class T> __global__ void k(T a);\ntemplate <class T> __global__ void k(T a, int b) {}\n\
                      template <class T> __global__ void one(T a) {}\n";
        let text = Text::new(format!("# 1 \"k.cpp\"\n{source}"), &[]);
        let entries = Entries::of(&text);
        let overloads = Overloads::of(&entries);
        let edited = text.edited(overloads.edits(&text, &entries));
        assert!(
            edited.contains("void k_mf_of_1(T a);") && edited.contains("void k_mf_of_2(T a, int b)"),
            "{edited}"
        );
        assert!(edited.contains("void one(T a)"), "{edited}");
        assert_eq!(overloads.launched("k", 2).as_deref(), Some("k_mf_of_2"));
        assert_eq!(overloads.launched("k", 0).as_deref(), Some("k_mf_of_1"), "defaults");
        assert_eq!(overloads.launched("one", 1), None);
    }
}
