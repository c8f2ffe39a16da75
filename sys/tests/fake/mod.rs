// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Fake vendor libraries, compiled when the tests run, and the compilers for it.
//!
//! A fake exports every function of a header. Each records its name and arguments for the test and returns
//! the code that the test has set; a few with output are written in C.

#![allow(dead_code, reason = "each test binary uses a part")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "helpers of tests fail the test, and say what they skip"
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use std::io::Write as _;

/// The folder of the headers.
pub(crate) fn abi() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("abi")
}

/// Runs a compiler over `source`; `None`, printed, when the compiler is not here.
fn compile(compiler: &str, arguments: &[&str], source: &str) -> Option<Output> {
    let mut command = Command::new(compiler);
    command.arg("-I").arg(abi()).args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            println!("skip fake libraries and header checks: {compiler} is not here");
            return None;
        }
        Err(error) => panic!("{compiler}: {error}"),
    };
    child.stdin.take().unwrap().write_all(source.as_bytes()).unwrap();
    Some(child.wait_with_output().unwrap())
}

/// Returns the errors of the compiler for `source`; empty if it compiles.
pub(crate) fn syntax_errors(compiler: &str, language: &str, standard: &str, source: &str) -> Option<String> {
    let standard = format!("-std={standard}");
    let arguments =
        ["-x", language, &standard, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", "-"];
    let output = compile(compiler, &arguments, source)?;
    Some(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Fails when the compiler reports something against `source`.
pub(crate) fn check_syntax(compiler: &str, language: &str, standard: &str, source: &str) {
    if let Some(printed) = syntax_errors(compiler, language, standard, source) {
        assert!(printed.is_empty(), "{compiler} -std={standard}:\n{printed}");
    }
}

/// A temporary folder that goes with its owner.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("ascend-acl-sys-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// A folder in it.
    pub(crate) fn sub(&self, name: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::create_dir_all(&path).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A prototype of a header.
pub(crate) struct Prototype {
    pub(crate) result: String,
    pub(crate) name: String,
    pub(crate) parameters: Vec<(String, String)>,
}

/// The prototypes of a header, in order.
pub(crate) fn prototypes(header: &str) -> Vec<Prototype> {
    let text = std::fs::read_to_string(abi().join(header)).unwrap();
    let code: String = text
        .lines()
        .filter(|line| !line.starts_with("//") && !line.starts_with('#') && !line.starts_with("extern"))
        .flat_map(|line| [line, " "])
        .collect();
    code.split(';').filter_map(prototype).collect()
}

fn prototype(statement: &str) -> Option<Prototype> {
    let statement = statement.trim();
    if ["typedef", "struct", "static", "}"].iter().any(|start| statement.starts_with(start)) {
        return None;
    }
    let (head, parameters) = statement.strip_suffix(')')?.split_once('(')?;
    let at = head.rfind([' ', '*'])? + 1;
    let parameters = parameters.split(',').map(str::trim).filter(|parameter| *parameter != "void");
    let parameter = |parameter: &str| {
        let (parameter, array) = match parameter.strip_suffix("[]") {
            Some(parameter) => (parameter, " *"),
            None => (parameter, ""),
        };
        let at = parameter.rfind([' ', '*']).unwrap() + 1;
        (parameter[..at].trim().to_owned() + array, parameter[at..].to_owned())
    };
    Some(Prototype {
        result: head[..at].trim().to_owned(),
        name: head[at..].to_owned(),
        parameters: parameters.map(parameter).collect(),
    })
}

/// Generates C that defines every function of `header` except those defined by `written`, also C.
pub(crate) fn source(header: &str, written: &str) -> String {
    let mut source = format!(
        "#include \"{header}\"\n#include <string.h>\n\
         __thread const char *fake_function;\n\
         __thread uint64_t fake_arguments[16];\n\
         __thread int32_t fake_code;\n\
         #define NOTE(index, value) do {{ __typeof__(value) taken = (value); \
         memcpy(&fake_arguments[index], &taken, sizeof taken < 8 ? sizeof taken : 8); }} while (0)\n\
         {written}\n"
    );
    for Prototype { result, name, parameters } in prototypes(header) {
        if written.contains(&format!("{name}(")) {
            continue;
        }
        let list: Vec<String> = parameters.iter().map(|(kind, name)| format!("{kind} {name}")).collect();
        let list = if list.is_empty() { "void".to_owned() } else { list.join(", ") };
        write!(
            source,
            "{result} {name}({list})\n{{\n    fake_function = \"{name}\";\n    memset(fake_arguments, 0, sizeof \
             fake_arguments);\n"
        )
        .unwrap();
        for (index, (_, name)) in parameters.iter().enumerate() {
            writeln!(source, "    NOTE({index}, {name});").unwrap();
        }
        let value = if result.contains('*') || result == "aclrtBinary" { "NULL" } else { "fake_code" };
        write!(source, "    return {value};\n}}\n").unwrap();
    }
    source
}

/// Version of the fake ACL, unless a test sets another.
pub(crate) const VERSION: &str = "aclError aclrtGetVersion(int32_t *a, int32_t *b, int32_t *c)\n\
                           { *a = 1; *b = 14; *c = 0; return 0; }\n";

/// Builds a shared library in `folder`; `None` when there is no compiler.
pub(crate) fn build(folder: &Path, name: &str, source: &str, arguments: &[&str]) -> Option<PathBuf> {
    let path = folder.join(name);
    let mut all =
        vec!["-shared", "-fPIC", "-O1", "-s", "-x", "c", "-", "-x", "none", "-o", path.to_str().unwrap()];
    all.extend(arguments);
    let output = compile("gcc", &all, source)?;
    assert!(output.status.success(), "{name}:\n{}", String::from_utf8_lossy(&output.stderr));
    Some(path)
}

/// Builds a fake ACL with every function, as `libascendcl.so` in `folder`.
pub(crate) fn build_acl(folder: &Path) -> Option<PathBuf> {
    build(folder, "libascendcl.so", &source("acl.h", VERSION), &[])
}
