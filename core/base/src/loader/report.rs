// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Report of the loader: the files tried and the outcome of each, for `mf info` and for errors.

use std::fmt;
use std::path::PathBuf;

/// Every file that was tried, in order. Printed one line a file, also when nothing was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    attempts: Vec<Attempt>,
}

/// One file that was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The library that was wanted.
    pub library: &'static str,
    /// Why this file was tried.
    pub place: &'static str,
    /// The file, or the bare name that the system's loader searched.
    pub path: PathBuf,
    /// Its outcome.
    pub outcome: Outcome,
}

/// Outcome of trying a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing is there.
    NotThere,
    /// It is there and cannot be used; why.
    Unusable(String),
    /// It is open.
    Opened {
        /// The file that the loader took.
        file: PathBuf,
        /// Interface and version, if it reports them.
        version: Option<String>,
        /// Further facts from the library.
        note: Option<String>,
        /// Names of optional functions that it lacks.
        lacks: Vec<&'static str>,
    },
}

impl Report {
    /// Every attempt, in order.
    pub fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    /// One line per attempt.
    pub fn lines(&self) -> impl Iterator<Item = String> + '_ {
        self.attempts.iter().map(Attempt::to_string)
    }

    pub(super) fn push(&mut self, attempt: Attempt) {
        self.attempts.push(attempt);
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.attempts.iter().try_for_each(|attempt| writeln!(f, "{attempt}"))
    }
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({}): ", self.library, self.path.display(), self.place)?;
        match &self.outcome {
            Outcome::NotThere => f.write_str("not there"),
            Outcome::Unusable(why) => f.write_str(why),
            Outcome::Opened { file, version, note, lacks } => {
                f.write_str("opened")?;
                if *file != self.path {
                    write!(f, " {}", file.display())?;
                }
                for text in [version, note].into_iter().flatten() {
                    write!(f, ", {text}")?;
                }
                if !lacks.is_empty() {
                    write!(f, ", without {}", lacks.join(" "))?;
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_has_file_place_and_outcome() {
        let attempt = |outcome| Attempt {
            library: "libascendcl.so",
            place: "ASCEND_HOME_PATH",
            path: "/a/lib64/libascendcl.so".into(),
            outcome,
        };
        let opened = Outcome::Opened {
            file: "/b/libascendcl.so".into(),
            version: Some("ACL 1.14.0".to_owned()),
            note: Some("simulator 0.1.0".to_owned()),
            lacks: vec!["aclrtCmoAsync", "aclrtMemFlush"],
        };
        let mut report = Report::default();
        report.push(attempt(Outcome::NotThere));
        report.push(attempt(opened));
        let lines: Vec<String> = report.lines().collect();
        let start = "libascendcl.so: /a/lib64/libascendcl.so (ASCEND_HOME_PATH): ";
        assert_eq!(lines[0], format!("{start}not there"));
        let tail = "ACL 1.14.0, simulator 0.1.0, without aclrtCmoAsync aclrtMemFlush";
        assert_eq!(lines[1], format!("{start}opened /b/libascendcl.so, {tail}"));
        assert_eq!(report.to_string(), format!("{}\n{}\n", lines[0], lines[1]));
    }
}
