// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Build script: compiles the kernels for the simulator and for NPUs, and generates the code that embeds
//! them.
//!
//! `MF_KERNELS`: `auto` (the default) builds for every available compiler, and prints a message if one is
//! missing or the NPU build fails; `cpu` and `npu` require their build; `none` builds nothing. `MF_NPU_ARCH`:
//! architectures, separated by commas.

#[path = "src/compile/mod.rs"]
#[allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    reason = "a part of the library, of which this uses a part"
)]
mod compile;
#[path = "src/table.rs"]
#[allow(dead_code, missing_docs, unreachable_pub, reason = "as above")]
mod table;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use compile::{Home, host, npu};

#[allow(clippy::print_stderr, reason = "how a build script says what is wrong")]
fn main() -> ExitCode {
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}\n(MF_KERNELS=none builds the library without kernels)");
            ExitCode::FAILURE
        }
    }
}

fn variable(name: &str) -> Option<std::ffi::OsString> {
    // `PATH` differs between builds that differ in nothing else: pip puts a fresh folder in front of it each
    // time. A toolkit that was not there before is noticed by its own variables.
    if name != "PATH" {
        println!("cargo:rerun-if-env-changed={name}");
    }
    std::env::var_os(name).filter(|value| !value.is_empty())
}

fn build() -> Result<(), String> {
    let here =
        PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").ok_or("cargo did not say where this is")?);
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("cargo did not say where to write")?);
    for part in ["build.rs", "src", "include", "emulation", "kernels", "../sys/sim/include"] {
        // Paths relative to this package's folder: a build stays fresh in a copy of the folder.
        println!("cargo:rerun-if-changed={part}");
    }
    let wish =
        variable("MF_KERNELS").map_or_else(|| "auto".to_owned(), |wish| wish.to_string_lossy().into_owned());
    if !["auto", "npu", "cpu", "none"].contains(&wish.as_str()) {
        return Err(format!("MF_KERNELS={wish} is none of auto, npu, cpu, none"));
    }
    let sources = compile::sources_in(&here.join("kernels"))?;
    let home = Home::at(&here).ok_or("the headers for kernels are not beside the build script")?;
    let build = Build { wish: &wish, home: &home, sources: &sources, out: &out };
    let simulated = build.for_host()?;
    let npu = build.for_npus()?;
    let mut text = String::new();
    let mut line =
        |line: std::fmt::Arguments<'_>| writeln!(text, "{line}").map_err(|error| error.to_string());
    let (path, host_compiler) = &simulated;
    let value = path
        .as_ref()
        .map_or_else(|| format!("Err({host_compiler:?})"), |path| format!("Ok(include_bytes!({path:?}))"));
    line(format_args!("pub(super) const SIMULATED: Result<&[u8], &str> = {value};"))?;
    line(format_args!("pub(super) const HOST_COMPILER: &str = {host_compiler:?};"))?;
    line(format_args!("pub(super) const NPU: &[(&str, &[u8])] = &["))?;
    for (architecture, path) in &npu.0 {
        line(format_args!("    ({architecture:?}, include_bytes!({path:?})),"))?;
    }
    line(format_args!("];"))?;
    let made: Vec<&str> = npu.0.iter().map(|(architecture, _)| architecture.as_str()).collect();
    let reason = if made.is_empty() {
        npu.1.clone()
    } else {
        format!("this build has kernels for {} only", made.join(", "))
    };
    line(format_args!("pub(super) const NPU_REASON: &str = {reason:?};"))?;
    line(format_args!("pub(super) const NPU_COMPILER: &str = {:?};", npu.1))?;
    line(format_args!("pub(super) const TABLES: &[&str] = &["))?;
    for source in &sources {
        check_table(source)?;
        line(format_args!("    include_str!({source:?}),"))?;
    }
    line(format_args!("];"))?;
    line(format_args!("pub(super) const HOST_HEADERS: &[(&str, &str)] = &["))?;
    let folder = here.join("emulation/host");
    for path in compile::headers_in(&folder)? {
        line(format_args!("    ({path:?}, include_str!({:?})),", folder.join(&path)))?;
    }
    line(format_args!("];"))?;
    write(&out.join("embedded.rs"), &text)
}

struct Build<'a> {
    wish: &'a str,
    home: &'a Home,
    sources: &'a [PathBuf],
    out: &'a Path,
}

impl Build<'_> {
    fn unwanted(&self, other: &str) -> Option<String> {
        if self.wish == "none" || self.wish == other {
            return Some(format!("this build was made with MF_KERNELS={}", self.wish));
        }
        self.sources.is_empty().then(|| "the source tree has no kernels".to_owned())
    }

    /// Returns the shared object, and its compiler or the reason for its absence.
    fn for_host(&self) -> Result<(Option<PathBuf>, String), String> {
        if let Some(reason) = self.unwanted("npu") {
            return Ok((None, reason));
        }
        let compiler = match host::Compiler::find(variable("CXX")) {
            Ok(compiler) => compiler,
            Err(why) if self.wish == "auto" => {
                println!("cargo:warning=no kernels for the simulator: {why}");
                return Ok((None, format!("no kernels for the simulator: when this was built, {why}")));
            }
            Err(why) => return Err(why),
        };
        let output = self.out.join("kernels.so");
        let scratch = self.out.join("host");
        // scripts/install takes the objects from here.
        let emulation = self.out.join("emulation");
        // Small where the library around them is to be.
        let small = std::env::var("OPT_LEVEL").is_ok_and(|level| level == "s" || level == "z");
        let flags = if small {
            ["-Os", "-ffunction-sections", "-fdata-sections"].map(Into::into).to_vec()
        } else {
            Vec::new()
        };
        // One file: each kernel includes the same headers, which would take most of the time.
        let joined = self.out.join("kernels.cpp");
        compile::join_sources(&joined, self.sources)?;
        let job = host::Job {
            sources: std::slice::from_ref(&joined),
            flags: &flags,
            scratch: &scratch,
            cache: Some(&emulation),
            output: &output,
        };
        for line in host::compile(&compiler, self.home, &job)?.lines() {
            println!("cargo:warning={line}");
        }
        Ok((Some(output), compiler.version))
    }

    /// Returns the objects by architecture, and their compiler or the reason for their absence.
    fn for_npus(&self) -> Result<(Vec<(String, PathBuf)>, String), String> {
        if let Some(reason) = self.unwanted("cpu") {
            return Ok((Vec::new(), reason));
        }
        let architectures = variable("MF_NPU_ARCH")
            .map_or_else(|| "dav-2201".to_owned(), |list| list.to_string_lossy().into_owned());
        let compiler = match npu::Compiler::find(variable) {
            Ok(compiler) => compiler,
            // The usual case on machines without NPUs, so no warning.
            Err(why) if self.wish == "auto" => {
                return Ok((Vec::new(), format!("no kernels for NPUs: when this was built, {why}")));
            }
            Err(why) => return Err(why),
        };
        let mut made = Vec::new();
        let mut failed = None;
        for architecture in architectures.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let output = self.out.join(format!("kernels.{architecture}.o"));
            let scratch = self.out.join("npu");
            match compiler.compile(self.home, architecture, self.sources, &[], &scratch, &output) {
                Ok(()) => made.push((architecture.to_owned(), output)),
                // The library is as good without them as on a machine that has no such compiler.
                Err(why) if self.wish == "auto" => {
                    failed = Some(self.note_failure(architecture, &compiler.version, &why)?);
                }
                Err(why) => return Err(why),
            }
        }
        match failed {
            Some(reason) if made.is_empty() => Ok((made, reason)),
            _ => Ok((made, compiler.version)),
        }
    }

    /// Writes the compiler's words to a file, and warns with its name. Returns why there are no kernels.
    fn note_failure(&self, architecture: &str, version: &str, why: &str) -> Result<String, String> {
        let log = self.out.join(format!("kernels.{architecture}.log"));
        write(&log, why)?;
        let reason = format!(
            "no kernels for NPUs ({architecture}): {version} does not compile them, see {}",
            log.display()
        );
        println!("cargo:warning={reason}; MF_KERNELS=cpu does not try, MF_KERNELS=npu makes it an error");
        Ok(reason)
    }
}

fn check_table(source: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(source).map_err(|error| format!("{}: {error}", source.display()))?;
    let table = table::kernels_of(&text).map_err(|error| format!("{}: {error}", source.display()))?;
    if table.is_empty() {
        return Err(format!("{} has no line MF_KERNEL(name, types…)", source.display()));
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}
