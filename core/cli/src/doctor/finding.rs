// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Finding of a check.

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Severity {
    /// As it should be.
    Good,
    /// Worth knowing; nothing is to be done unless it is wanted.
    Note,
    /// Works, but slower, weaker, or not for long.
    Warning,
    /// Something that jobs need does not work.
    Hinders,
}

impl Severity {
    /// The word in texts and in JSON.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Severity::Good => "good",
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Hinders => "hinders",
        }
    }
}

/// One thing that a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) severity: Severity,
    /// Description, with numbers.
    pub(super) text: String,
    /// Command or setting to apply; errors and warnings always have one.
    pub(super) remedy: Option<String>,
}

impl Finding {
    /// All is well.
    pub(super) fn ok(text: impl Into<String>) -> Self {
        Self { severity: Severity::Good, text: text.into(), remedy: None }
    }

    /// Worth knowing.
    pub(super) fn note(text: impl Into<String>) -> Self {
        Self { severity: Severity::Note, text: text.into(), remedy: None }
    }

    /// It works, with a drawback.
    pub(super) fn warning(text: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, text: text.into(), remedy: Some(remedy.into()) }
    }

    /// It does not work.
    pub(super) fn error(text: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { severity: Severity::Hinders, text: text.into(), remedy: Some(remedy.into()) }
    }

    /// Optional advice.
    #[must_use]
    pub(super) fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }
}

/// The severities of findings, for the tables of tests.
#[cfg(test)]
pub(super) fn severities(findings: &[Finding]) -> Vec<Severity> {
    findings.iter().map(|finding| finding.severity).collect()
}
