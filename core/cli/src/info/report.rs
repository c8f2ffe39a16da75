// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A report in sections: one list of facts, shown as text or as JSON.

use serde_json::{Map, Value, json};

/// A fact with its value for programs and its text for people.
pub(super) struct Fact {
    name: String,
    value: Value,
    shown: String,
}

impl Fact {
    /// A fact that is a text.
    pub(super) fn text(name: impl Into<String>, text: impl Into<String>) -> Self {
        let shown = text.into();
        Self { name: name.into(), value: json!(shown), shown }
    }

    /// A fact with a text that differs from its value.
    pub(super) fn with_text(name: impl Into<String>, value: Value, shown: impl Into<String>) -> Self {
        Self { name: name.into(), value, shown: shown.into() }
    }
}

/// Sections in the order they were added.
#[derive(Default)]
pub(super) struct Report(Vec<(&'static str, Vec<Fact>)>);

impl Report {
    /// Adds a section; an empty one is left out.
    pub(super) fn section(&mut self, title: &'static str, facts: Vec<Fact>) {
        if !facts.is_empty() {
            self.0.push((title, facts));
        }
    }

    /// For people.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for (title, facts) in &self.0 {
            text.push_str(&format!("{title}\n"));
            let width = facts.iter().map(|fact| fact.name.chars().count()).max().unwrap_or(0);
            for fact in facts {
                text.push_str(&format!("  {:<width$}  {}\n", fact.name, fact.shown));
            }
        }
        text
    }

    /// For programs: an object of objects; a name that repeats in a section makes a list.
    pub(super) fn json(&self) -> String {
        let mut sections = Map::new();
        for (title, facts) in &self.0 {
            let mut section = Map::new();
            for fact in facts {
                match section.get_mut(&fact.name) {
                    Some(Value::Array(list)) => list.push(fact.value.clone()),
                    Some(first) => *first = json!([first.clone(), fact.value]),
                    None => drop(section.insert(fact.name.clone(), fact.value.clone())),
                }
            }
            sections.insert((*title).to_owned(), Value::Object(section));
        }
        format!("{:#}\n", Value::Object(sections))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        let mut report = Report::default();
        report.section("empty", Vec::new());
        report
            .section("memory", vec![Fact::with_text("total", json!(1024), "1 KiB"), Fact::text("node", "a")]);
        report
    }

    #[test]
    fn text_lines_up() {
        assert_eq!(report().text(), "memory\n  total  1 KiB\n  node   a\n");
    }

    #[test]
    fn json_keeps_numbers() {
        let parsed: Value = serde_json::from_str(&report().json()).unwrap();
        assert_eq!(parsed, json!({ "memory": { "total": 1024, "node": "a" } }));
    }
}
