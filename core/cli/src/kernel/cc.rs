// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf kernel cc`: the program `bisheng` of a simulated installation, with the command line of CANN's
//! compiler.
//!
//! ```text
//!   bisheng -c k.asc -o k.o        the passes of a source with kernels, joined to one object
//!   bisheng -c main.cpp -o main.o  the host's compiler
//!   bisheng k.o main.o -o demo     linked with the emulation, which an object with kernels needs
//! ```

mod line;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use mf_base::{Error, Kind, Result};
use mf_device_kernels::compile::{Home, cache, host, npu};
use mf_program::output::{TemporaryFolder, note, print};

use super::OPERATION;
use line::{Input, Line, Mode};

/// Compile and link as CANN's compiler does, for the simulator.
///
/// `mf sim DIR` makes DIR/bin/bisheng and ccec of it. It takes their options: -c, -shared, -lib, -x asc,
/// --npu-arch, --cce-auto-sync and others; further ones for the device's code alone have no effect.
#[derive(clap::Args)]
#[command(disable_help_flag = true, hide = true)]
pub(super) struct Args {
    /// The simulated installation.
    #[arg(value_name = "TREE")]
    tree: PathBuf,
    /// Options and files.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "WORDS")]
    words: Vec<OsString>,
}

/// Compiles or links; returns the exit code.
pub(super) fn main(args: &Args) -> Result<u8> {
    let line = Line::parse(&args.words).map_err(|why| Error::invalid(OPERATION, why))?;
    if line.mode == Mode::Version {
        let compiler = host::Compiler::find(std::env::var_os("CXX")).map_err(failed)?;
        print(&format!(
            "bisheng {} {}\nby {}\n",
            env!("CARGO_PKG_VERSION"),
            npu::SIMULATED,
            compiler.version
        ))?;
        return Ok(0);
    }
    let scratch = TemporaryFolder::new("mf-kernel-cc")?;
    scratch.goes_by_signals()?;
    let work = Work {
        line: &line,
        tree: &args.tree,
        compiler: host::Compiler::find(std::env::var_os("CXX")).map_err(failed)?,
        home: super::build::home(None)?,
        scratch: scratch.path(),
        kept: cache::default_cache(|name| std::env::var_os(name)),
    };
    work.run().map(|()| 0)
}

fn failed(mut why: String) -> Error {
    why.truncate(why.trim_end().len());
    Error::new(Kind::Failed, OPERATION).what(why)
}

struct Work<'a> {
    line: &'a Line,
    tree: &'a Path,
    compiler: host::Compiler,
    home: Home,
    scratch: &'a Path,
    kept: Option<PathBuf>,
}

impl Work<'_> {
    fn run(&self) -> Result<()> {
        let mut objects = Vec::new();
        for (number, input) in self.line.inputs.iter().enumerate() {
            match input {
                Input::Object(path) => objects.push(path.clone()),
                Input::Kernels(path) | Input::Host(path) => {
                    let object = if self.line.mode == Mode::Compile {
                        self.line.object_of(path)
                    } else {
                        self.scratch.join(format!("{number}.o"))
                    };
                    let folder = self.scratch.join(number.to_string());
                    match input {
                        Input::Kernels(_) => self.kernels(path, &folder, &object)?,
                        _ => self.host(path, &object)?,
                    }
                    objects.push(object);
                }
            }
        }
        match self.line.mode {
            Mode::Compile | Mode::Version => Ok(()),
            Mode::Archive => self.archive(&objects),
            Mode::Program | Mode::Library => self.link(&objects),
        }
    }

    /// Flags for compilations: the headers of the installation are last.
    fn flags(&self) -> Vec<OsString> {
        let mut flags: Vec<OsString> = vec!["-fvisibility=default".into()];
        flags.extend(self.line.compile.iter().cloned());
        flags.extend(["-I".into(), self.tree.join("include").into_os_string()]);
        flags
    }

    fn kernels(&self, source: &Path, folder: &Path, object: &Path) -> Result<()> {
        let mut flags = self.flags();
        flags.extend(self.line.device.iter().cloned());
        let sources = [source.to_owned()];
        let job =
            host::Job { sources: &sources, flags: &flags, scratch: folder, cache: None, output: object };
        std::fs::create_dir_all(folder).map_err(|error| failed(error.to_string()))?;
        let warnings = host::compile_object(&self.compiler, &self.home, &job).map_err(failed)?;
        warnings.lines().for_each(note);
        match &self.line.rule {
            Some(rule) => self.write_rule(rule, folder, object),
            None => Ok(()),
        }
    }

    /// One rule of `make` with the files that all passes read.
    fn write_rule(&self, rule: &Path, folder: &Path, object: &Path) -> Result<()> {
        let io = |error: std::io::Error| failed(format!("{}: {error}", rule.display()));
        let target = self.line.target.clone().unwrap_or_else(|| object.as_os_str().to_owned());
        let mut text = format!("{}:", target.to_string_lossy());
        for entry in std::fs::read_dir(folder).map_err(io)? {
            let path = entry.map_err(io)?.path();
            if path.extension().is_some_and(|extension| extension == "d") {
                let read = std::fs::read_to_string(&path).map_err(io)?;
                text.push_str(read.split_once(':').map_or("", |(_, files)| files).trim_end());
            }
        }
        text.push('\n');
        std::fs::write(rule, text).map_err(io)
    }

    fn host(&self, source: &Path, object: &Path) -> Result<()> {
        let mut command = Command::new(&self.compiler.command);
        command.args(["-std=c++17", "-fPIC"]).args(self.flags());
        if let Some(rule) = &self.line.rule {
            command.arg("-MD").arg("-MF").arg(rule);
            if let Some(target) = &self.line.target {
                command.arg("-MT").arg(target);
            }
        }
        done(command.arg("-c").arg(source).arg("-o").arg(object))
    }

    fn archive(&self, objects: &[PathBuf]) -> Result<()> {
        done(Command::new("ar").arg("qcs").arg(self.line.output()).args(objects))
    }

    fn link(&self, objects: &[PathBuf]) -> Result<()> {
        let mut command = Command::new(&self.compiler.command);
        if self.line.mode == Mode::Library {
            // The device's functions must not be found in the program.
            command.args(["-shared", "-Wl,-Bsymbolic"]);
        } else {
            let shown = self.scratch.join("shown");
            std::fs::write(&shown, "{ mfk_*; };\n").map_err(|error| failed(error.to_string()))?;
            let mut list = OsString::from("-Wl,--dynamic-list=");
            list.push(&shown);
            command.arg("-pie").arg(list);
        }
        command.arg("-o").arg(self.line.output()).args(objects);
        if objects.iter().any(|object| has_kernels(object)) {
            let job = host::Job {
                sources: &[],
                flags: &[],
                scratch: self.scratch,
                cache: self.kept.as_deref(),
                output: &self.line.output(),
            };
            command.args(host::emulation(&self.compiler, &self.home, &job).map_err(failed)?);
        }
        command.args(&self.line.link).arg("-L").arg(self.tree.join("lib64"));
        done(command.args(["-lascendcl", "-lruntime", "-ldl", "-pthread"]))
    }
}

/// Returns true if a file refers to the emulation by a name of its namespace.
fn has_kernels(object: &Path) -> bool {
    const NAME: &[u8] = b"_ZN2mf9emulation";
    std::fs::read(object).is_ok_and(|bytes| bytes.windows(NAME.len()).any(|found| found == NAME))
}

fn done(command: &mut Command) -> Result<()> {
    let status = command.status().map_err(|error| failed(format!("{command:?}: {error}")))?;
    if status.success() { Ok(()) } else { Err(failed(format!("{command:?} failed ({status})"))) }
}
