// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Kernels for the simulator: the sources and the emulation of Ascend C as one shared object of the host.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use super::{Home, cache, entries, run, run_all, run_aloud};

/// Flags of every compilation. Warnings stay warnings, because other compilers have other warnings: `-Werror`
/// among a job's flags makes them errors.
pub(super) const FLAGS: &[&str] =
    &["-std=c++17", "-O2", "-fPIC", "-fvisibility=hidden", "-pthread", "-Wall", "-Wextra"];

/// A C++ compiler that answers.
#[derive(Clone, Debug)]
pub struct Compiler {
    /// The command.
    pub command: OsString,
    /// First line of its version output.
    pub version: String,
}

impl Compiler {
    /// `named` (what `CXX` says), or else `c++`, `g++`, `clang++`.
    ///
    /// # Errors
    /// None of them answers.
    pub fn find(named: Option<OsString>) -> Result<Self, String> {
        let candidates = match named {
            Some(named) => vec![named],
            None => ["c++", "g++", "clang++"].map(OsString::from).to_vec(),
        };
        let mut why = String::new();
        for command in candidates {
            match run(Command::new(&command).arg("--version")) {
                Ok(printed) => {
                    let version = printed.lines().next().unwrap_or_default().to_owned();
                    return Ok(Self { command, version });
                }
                Err(error) => why = error,
            }
        }
        Err(format!("there is no C++ compiler ({}); Debian: apt-get install g++, or set CXX", why.trim()))
    }
}

/// Build job.
#[derive(Clone, Debug)]
pub struct Job<'a> {
    /// The kernels.
    pub sources: &'a [PathBuf],
    /// Flags beside ours, such as `-I` and `-g`.
    pub flags: &'a [OsString],
    /// Folder for intermediate files. Fresh files of an earlier run are reused.
    pub scratch: &'a Path,
    /// Folder of the compiled emulation shared by all builds ([`super::cache::default_cache`]); `None`: in
    /// `scratch`.
    pub cache: Option<&'a Path>,
    /// The binary.
    pub output: &'a Path,
}

/// Compiles kernels and emulation, two sources at once, and links them. Returns the compiler's warnings about
/// the kernels.
///
/// # Errors
/// The compiler's words.
pub fn compile(compiler: &Compiler, home: &Home, job: &Job<'_>) -> Result<String, String> {
    std::fs::create_dir_all(job.scratch)
        .map_err(|error| format!("cannot make the folder {}: {error}", job.scratch.display()))?;
    let mut kernels = units(job.scratch, "kernel", job.sources, job.flags);
    let mut has_host_code = false;
    for unit in &mut kernels {
        has_host_code |= unit.make_ready()?;
    }
    let warnings = Mutex::new(String::new());
    let compile_kernels = || {
        run_all(&kernels, 2, |unit| {
            let printed = unit.compile(compiler, home)?;
            warnings.lock().unwrap_or_else(PoisonError::into_inner).push_str(&printed);
            Ok(())
        })
    };
    let mut objects: Vec<PathBuf> = kernels.iter().map(|unit| unit.object.clone()).collect();
    // The kernels first: a mistake in one is reported without waiting for the rest.
    compile_kernels()?;
    objects.extend(cache::emulation(compiler, home, job)?);
    link(compiler, &objects, job, has_host_code)?;
    Ok(warnings.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Returns the compilation units for sources in a folder.
pub(super) fn units<'a>(
    folder: &Path,
    kind: &str,
    sources: &[PathBuf],
    flags: &'a [OsString],
) -> Vec<Unit<'a>> {
    let unit = |(number, source): (usize, &PathBuf)| {
        let name = source.file_stem().unwrap_or_default().to_string_lossy();
        let object = folder.join(format!("{kind}-{number}-{name}.o"));
        Unit { source: source.clone(), original: None, object, flags }
    };
    sources.iter().enumerate().map(unit).collect()
}

/// One source.
pub(super) struct Unit<'a> {
    source: PathBuf,
    /// Original of a translated source.
    original: Option<PathBuf>,
    pub(super) object: PathBuf,
    flags: &'a [OsString],
}

impl Unit<'_> {
    /// Takes a copy in the place of a source that needs one; whether it has code for the host.
    fn make_ready(&mut self) -> Result<bool, String> {
        let shown = self.source.display();
        let text =
            std::fs::read_to_string(&self.source).map_err(|error| format!("cannot read {shown}: {error}"))?;
        let named = std::path::absolute(&self.source).unwrap_or_else(|_| self.source.clone());
        let ready = entries::made_ready(&text, &named).map_err(|error| format!("{shown}: {error}"))?;
        let Some(ready) = ready else { return Ok(false) };
        let copy = self.beside("cpp");
        // One that is the same keeps its time, and its object.
        if std::fs::read_to_string(&copy).ok().as_ref() != Some(&ready.text) {
            std::fs::write(&copy, &ready.text)
                .map_err(|error| format!("cannot write {}: {error}", copy.display()))?;
        }
        self.source = copy;
        self.original = Some(named);
        Ok(ready.has_host_code)
    }

    /// Returns the compiler's warnings.
    pub(super) fn compile(&self, compiler: &Compiler, home: &Home) -> Result<String, String> {
        let mut command = Command::new(&compiler.command);
        command.args(FLAGS).args(self.flags);
        let folders =
            [&home.headers, &home.headers.join("shmem"), &home.emulation.join("include"), &home.simulator];
        for folder in folders {
            command.arg("-I").arg(folder);
        }
        if let Some(original) = &self.original {
            // Functions for the host are called from outside. Headers lie beside the original.
            command
                .arg("-fvisibility=default")
                .arg("-iquote")
                .arg(original.parent().unwrap_or(Path::new(".")));
        }
        command.args(["-MMD", "-MF"]).arg(self.beside("d"));
        command.arg("-c").arg(&self.source).arg("-o").arg(&self.object);
        let recipe = format!("{}\n{command:?}\n", compiler.version);
        if self.is_fresh(&recipe) {
            return Ok(String::new());
        }
        let _ = std::fs::remove_file(self.beside("recipe"));
        let printed = run_aloud(&mut command)?.1;
        let note = self.beside("recipe");
        std::fs::write(&note, recipe).map_err(|error| format!("cannot write {}: {error}", note.display()))?;
        Ok(printed)
    }

    /// Returns true if the object was made by the same command, after the last change of all its inputs.
    fn is_fresh(&self, recipe: &str) -> bool {
        let changed = |path: &Path| std::fs::metadata(path).and_then(|facts| facts.modified()).ok();
        let fresh = || {
            let made: SystemTime = changed(&self.object)?;
            let rule = std::fs::read_to_string(self.beside("d")).ok()?;
            let mut sources = rule.split_once(':')?.1.split_whitespace().filter(|word| *word != "\\");
            sources.all(|source| changed(Path::new(source)).is_some_and(|time| time < made)).then_some(())
        };
        std::fs::read_to_string(self.beside("recipe")).is_ok_and(|known| known == recipe) && fresh().is_some()
    }

    fn beside(&self, extension: &str) -> PathBuf {
        self.object.with_extension(extension)
    }
}

/// Exported symbols of a binary: the emulation and the C++ library in it must not collide with another
/// binary's.
const SHOWN: &str = "{ global: mfk_*; local: *; };\n";

/// Links the C++ library statically, so that the binary also loads on hosts with another one or none.
fn link(compiler: &Compiler, objects: &[PathBuf], job: &Job<'_>, has_host_code: bool) -> Result<(), String> {
    let shown = job.scratch.join("shown");
    std::fs::write(&shown, SHOWN).map_err(|error| format!("cannot write {}: {error}", shown.display()))?;
    let mut shown_by = OsString::from("-Wl,--version-script=");
    shown_by.push(&shown);
    // Host code exports its functions, and calls functions of the program. The device's copy of it must not
    // find the program's.
    let limits: Vec<OsString> = if has_host_code {
        ["-Wl,-Bsymbolic", "-Wl,--exclude-libs,ALL"].map(OsString::from).to_vec()
    } else {
        // Of the C++ library what kernels use.
        vec!["-Wl,-z,defs".into(), "-Wl,--gc-sections".into(), shown_by]
    };
    // Written next to its place, and renamed when it is complete: other processes may be loading the old
    // file.
    let fresh = cache::draft_beside(job.output);
    let with = |own_library: bool| {
        let mut command = Command::new(&compiler.command);
        command.args(["-shared", "-pthread"]).args(&limits);
        if own_library {
            command.args(["-static-libstdc++", "-static-libgcc"]);
        }
        if !job.flags.iter().any(|flag| flag == "-g") {
            command.arg("-Wl,-s");
        }
        run(command.args(objects).arg("-ldl").arg("-o").arg(&fresh))
    };
    // Some systems have no archive of the C++ library; the error that counts is the one without.
    with(true).or_else(|_| with(false)).map(drop)?;
    std::fs::rename(&fresh, job.output).map_err(|error| {
        let _ = std::fs::remove_file(&fresh);
        format!("cannot write {}: {error}", job.output.display())
    })
}
