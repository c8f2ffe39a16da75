// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The findings as text and as JSON. `docs/doctor.md` describes the JSON.

use mf_base::log::escaped;
use serde_json::{Value, json};

use super::finding::{Finding, Severity};
use super::runner::Outcome;

/// The number of the form of the JSON; a change that breaks readers raises it.
const SCHEMA: u32 = 1;

/// Number of findings of a severity.
pub(super) fn count(outcomes: &[Outcome], severity: Severity) -> usize {
    let all = outcomes.iter().flat_map(|outcome| &outcome.findings);
    all.filter(|finding| finding.severity == severity).count()
}

/// Text for people. `quiet`: only errors and warnings; empty without any.
pub(super) fn text(outcomes: &[Outcome], quiet: bool) -> String {
    let mut text = String::new();
    let least = if quiet { Severity::Warning } else { Severity::Good };
    for outcome in outcomes {
        let shown: Vec<&Finding> = outcome.findings.iter().filter(|one| one.severity >= least).collect();
        if !shown.is_empty() {
            text.push_str(&format!("{}\n", outcome.name));
        }
        for finding in shown {
            text.push_str(&format!("  {:<7}  {}\n", finding.severity.as_str(), line(&finding.text)));
            if let Some(remedy) = &finding.remedy {
                text.push_str(&format!("  {:<7}  -> {}\n", "", line(remedy)));
            }
        }
    }
    let (hinders, warnings) = (count(outcomes, Severity::Hinders), count(outcomes, Severity::Warning));
    if !quiet || hinders + warnings > 0 {
        text.push_str(&format!("hinders: {hinders}, warnings: {warnings}\n"));
    }
    text
}

/// Texts of others (names of hosts, errors of libraries) on one line.
fn line(text: &str) -> String {
    escaped(text.trim_end()).into_owned()
}

/// For programs.
pub(super) fn json(outcomes: &[Outcome]) -> String {
    let finding = |finding: &Finding| json!({ "severity": finding.severity.as_str(), "text": finding.text, "remedy": finding.remedy });
    let check = |outcome: &Outcome| {
        let worst = outcome.findings.iter().map(|finding| finding.severity).max().unwrap_or(Severity::Good);
        json!({
            "name": outcome.name,
            "severity": worst.as_str(),
            "seconds": outcome.took.map(|took| took.as_secs_f64()),
            "findings": outcome.findings.iter().map(finding).collect::<Vec<Value>>(),
        })
    };
    let value = json!({
        "schema": SCHEMA,
        "version": env!("CARGO_PKG_VERSION"),
        "hinders": count(outcomes, Severity::Hinders),
        "warnings": count(outcomes, Severity::Warning),
        "checks": outcomes.iter().map(check).collect::<Vec<Value>>(),
    });
    format!("{value:#}\n")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn outcomes() -> Vec<Outcome> {
        let of = |name, findings| Outcome { name, findings, took: Some(Duration::from_millis(500)) };
        vec![
            of("limits", vec![Finding::ok("all"), Finding::error("too few\x1b[31m", "ulimit -n 65536")]),
            of("clock", vec![Finding::note("a note")]),
        ]
    }

    #[test]
    fn text_has_findings_and_remedies_on_lines_of_their_own() {
        let expected = "limits\n  good     all\n  hinders  too few\\u{1b}[31m\n           -> ulimit -n 65536\nclock\n  \
                        note     a note\nhinders: 1, warnings: 0\n";
        assert_eq!(text(&outcomes(), false), expected);
    }

    #[test]
    fn quiet_omits_passed_checks() {
        let quiet = text(&outcomes(), true);
        assert!(quiet.contains("too few") && !quiet.contains("clock") && !quiet.contains("all\n"), "{quiet}");
        assert_eq!(text(&outcomes()[1..], true), "");
    }

    #[test]
    fn json_has_the_documented_form() {
        let value: Value = serde_json::from_str(&json(&outcomes())).unwrap();
        assert_eq!(
            (&value["schema"], &value["hinders"], &value["warnings"]),
            (&json!(1), &json!(1), &json!(0))
        );
        let check = &value["checks"][0];
        assert_eq!((&check["name"], &check["severity"]), (&json!("limits"), &json!("hinders")));
        assert_eq!(check["seconds"], 0.5);
        assert_eq!(check["findings"][0], json!({ "severity": "good", "text": "all", "remedy": null }));
        assert_eq!(check["findings"][1]["remedy"], "ulimit -n 65536");
    }
}
