// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The bindings of the functions that a release may lack: one method each, which finds it, and a table
//! with the release and the library of each, from `functions.txt`.

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// The reason beside each call.
const WHY: &str = "// SAFETY: the function at this index of the table has this type.";

/// A line of `functions.txt`.
pub(crate) struct OptionalFunction {
    pub(crate) name: String,
    since: &'static str,
    home: &'static str,
}

/// The lines of `functions.txt`.
pub(crate) fn known(table: &str) -> Result<Vec<OptionalFunction>, Box<dyn Error>> {
    table.lines().filter(|line| !line.starts_with('#')).map(line).collect()
}

fn line(line: &str) -> Result<OptionalFunction, Box<dyn Error>> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [name, since, home] = words[..] else { return Err(format!("not three words: {line}").into()) };
    let since = match since {
        "8.1" => "Cann81",
        "8.5" => "Cann85",
        "9.0" => "Cann90",
        "9.1" => "Cann91",
        "9.2" => "Cann92",
        "2026" => "Unreleased",
        other => return Err(format!("{name}: no release {other}").into()),
    };
    let home = match home {
        "libascendcl.so" => "Acl",
        "libacl_op_compiler.so" => "OpCompiler",
        "libmsprofiler.so" => "Profiler",
        "libascend_dump.so" => "Dump",
        "libacl_tdt_channel.so" => "Channels",
        "libacl_tdt_queue.so" => "Queues",
        "libhccl.so" => "Hccl",
        "libhcomm.so" => "Hcomm",
        other => return Err(format!("{name}: no library {other}").into()),
    };
    Ok(OptionalFunction { name: name.to_owned(), since, home })
}

/// The file, from what bindgen wrote of the prototypes.
pub(crate) fn methods(generated: &str, known: &[OptionalFunction]) -> Result<String, Box<dyn Error>> {
    let mut file = String::from(
        "// SPDX-License-Identifier: Apache-2.0 OR MIT\n\
         // Written by scripts/regen_bindings from sys/abi; do not edit.\n\n\
         use super::types::*;\nuse crate::AclError;\nuse crate::loader::Since;\n\
         use crate::optional::{Function, Home, Optional};\n\n",
    );
    let mut table = String::new();
    let mut methods = String::new();
    let bodies: Vec<&str> = generated.split("unsafe extern \"C\" {").skip(1).collect();
    for (index, OptionalFunction { name, since, home }) in known.iter().enumerate() {
        let marker = format!("pub fn {name}(");
        let body = bodies.iter().find(|body| body.contains(&marker));
        let body = body.ok_or_else(|| format!("{name}: no header declares it"))?;
        let (docs, rest) = body.split_once(&marker).ok_or("no prototype")?;
        // Types of arrays have a semicolon, too.
        let (signature, _) = rest.split_once(";\n").ok_or("no end of the prototype")?;
        writeln!(
            methods,
            "{docs}pub fn {name}(&self) -> Result<unsafe extern \"C\" fn({signature}, AclError> {{"
        )?;
        writeln!(methods, "{WHY}\nunsafe {{ self.find({index}) }}\n}}")?;
        writeln!(table, "Function {{ name: \"{name}\", since: Since::{since}, home: Home::{home} }},")?;
    }
    if bodies.len() != known.len() {
        return Err(format!("{} prototypes, {} in functions.txt", bodies.len(), known.len()).into());
    }
    write!(
        file,
        "/// Every optional function, in the order of `sys/abi/functions.txt`.\n\
         pub const FUNCTIONS: [Function; {}] = [\n{table}];\n\nimpl Optional {{\n{methods}}}\n",
        known.len()
    )?;
    Ok(file)
}

/// The text as rustfmt leaves it.
pub(crate) fn formatted(text: &str, settings: &Path) -> Result<String, Box<dyn Error>> {
    let mut command = Command::new("rustfmt");
    command.args(["--edition", "2024", "--config-path"]).arg(settings);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    child.stdin.take().ok_or("rustfmt reads nothing")?.write_all(text.as_bytes())?;
    let output = child.wait_with_output()?;
    if !output.status.success() {
        return Err("rustfmt failed".into());
    }
    Ok(String::from_utf8(output.stdout)?)
}
