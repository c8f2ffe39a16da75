// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The Python package: whether an interpreter has it, whether it can be imported, and its version.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use mf_program::child::end_with_this_process;

use super::super::finding::Finding;

/// Result of querying an interpreter.
#[derive(Clone, Debug)]
pub(in super::super) struct PythonFacts {
    /// The interpreter.
    pub(in super::super) interpreter: String,
    /// Its answer, or the reason why it cannot be queried.
    pub(in super::super) answer: Result<Answer, String>,
    /// The version of this program.
    pub(in super::super) version: &'static str,
}

/// Answer of an interpreter.
#[derive(Clone, Debug)]
pub(in super::super) struct Answer {
    pub(in super::super) python: String,
    /// Version of the package; none: it is not installed.
    pub(in super::super) package: Option<String>,
    /// Version and folder of the library that it has loaded, or why it cannot be imported.
    pub(in super::super) library: Result<(String, String), String>,
}

/// Prints a line each: the version of Python, of the package, of the library, and where that is.
const SCRIPT: &str = "import importlib.metadata as m, sys
print(sys.version.split()[0])
try:
    print(m.version('mf_smem'))
except m.PackageNotFoundError:
    sys.exit(0)
import mf_smem
print(mf_smem.version())
print(mf_smem.get_lib_path())
";

/// Queries the named interpreter, else the virtual environment's, else `python3`.
pub(in super::super) fn gather(named: Option<&Path>) -> PythonFacts {
    let of_environment =
        || std::env::var_os("VIRTUAL_ENV").map(|folder| Path::new(&folder).join("bin/python3"));
    let interpreter =
        named.map(Path::to_owned).or_else(of_environment).unwrap_or_else(|| PathBuf::from("python3"));
    let mut command = std::process::Command::new(&interpreter);
    // Not where a folder of the name of the package may lie.
    command.args(["-c", SCRIPT]).current_dir("/").stdin(Stdio::null());
    end_with_this_process(&mut command);
    let answer = match command.output() {
        Err(error) => Err(error.to_string()),
        Ok(output) => {
            read(&String::from_utf8_lossy(&output.stdout), &String::from_utf8_lossy(&output.stderr))
        }
    };
    PythonFacts { interpreter: interpreter.display().to_string(), answer, version: env!("CARGO_PKG_VERSION") }
}

/// Parses the interpreter's output. Pure.
fn read(printed: &str, errors: &str) -> Result<Answer, String> {
    let mut lines = printed.lines().map(str::to_owned);
    let last = || errors.lines().last().unwrap_or("it printed nothing").to_owned();
    let python = lines.next().ok_or_else(last)?;
    let package = lines.next();
    let library = lines.next().zip(lines.next()).ok_or_else(last);
    Ok(Answer { python, package, library })
}

/// Decides if package and program belong together.
pub(in super::super) fn diagnose(facts: &PythonFacts) -> Vec<Finding> {
    let (interpreter, version) = (&facts.interpreter, facts.version);
    const CHOOSE: &str = "only for programs in Python; another interpreter: mf doctor --python FILE";
    let install =
        format!("{interpreter} -m pip install --upgrade ./python, in the tree of version {version}");
    let answer = match &facts.answer {
        Err(reason) => {
            return vec![Finding::note(format!("{interpreter} cannot be asked: {reason}")).remedy(CHOOSE)];
        }
        Ok(answer) => answer,
    };
    let Some(package) = &answer.package else {
        let text = format!("{interpreter} (Python {}) has no package mf_smem", answer.python);
        return vec![Finding::note(text).remedy(format!("{install}; {CHOOSE}"))];
    };
    vec![match &answer.library {
        Err(reason) => Finding::error(
            format!("{interpreter} has the package mf_smem {package}, which cannot be imported: {reason}"),
            format!("unset MF_SMEM_LIBRARY where it is set; {install}"),
        ),
        Ok((library, place)) if library != version || package != version => Finding::warning(
            format!(
                "package mf_smem {package} with a library {library} ({place}), and this program is {version}"
            ),
            install,
        ),
        Ok((library, place)) => {
            Finding::ok(format!("package mf_smem {package}, library {library} in {place}"))
        }
    }]
}

#[cfg(test)]
mod tests {
    use super::super::super::finding::Severity::{self, Good, Hinders, Note, Warning};
    use super::super::super::finding::severities;
    use super::*;

    #[test]
    fn python_package_is_rated_by_import_and_version() {
        let table: [(&str, &str, Severity, &str); 7] = [
            ("3.12.1\n0.1.0\n0.1.0\n/lib\n", "", Good, "library 0.1.0 in /lib"),
            ("3.12.1\n0.0.9\n0.0.9\n/lib\n", "", Warning, "0.0.9"),
            ("3.12.1\n0.1.0\n0.0.9\n/lib\n", "", Warning, "library 0.0.9"),
            ("3.12.1\n", "", Note, "no package"),
            ("3.12.1\n0.1.0\n", "Traceback\nImportError: no library\n", Hinders, "ImportError: no library"),
            ("", "SyntaxError: old\n", Note, "SyntaxError: old"),
            ("", "", Note, "it printed nothing"),
        ];
        for (printed, errors, severity, part) in table {
            let facts = PythonFacts {
                interpreter: "python3".to_owned(),
                answer: read(printed, errors),
                version: "0.1.0",
            };
            let findings = diagnose(&facts);
            assert_eq!(severities(&findings), [severity], "{facts:?}");
            assert!(findings[0].text.contains(part), "{findings:?}");
        }
    }

    #[test]
    fn missing_interpreter_is_a_note() {
        let findings = diagnose(&gather(Some(Path::new("/nowhere/python3"))));
        assert_eq!(severities(&findings), [Note]);
        assert!(findings[0].text.contains("/nowhere/python3"));
    }
}
