// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Kernels for the simulator: the sources and the emulation of Ascend C as one shared object of the host.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use super::front::{Front, Part, Ready};
use super::object::with_prefix;
use super::passes::of_host;
use super::{Home, cache, run, run_all, run_aloud, second};

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
    /// The caller chose it: no other takes its place.
    pub is_named: bool,
}

impl Compiler {
    /// `named` (what `CXX` says), or else `c++`, `g++`, `clang++`.
    ///
    /// # Errors
    /// None of them answers.
    pub fn find(named: Option<OsString>) -> Result<Self, String> {
        let is_named = named.is_some();
        let candidates = match named {
            Some(named) => vec![named],
            None => ["c++", "g++", "clang++"].map(OsString::from).to_vec(),
        };
        let mut why = String::new();
        for command in candidates {
            match Self::named(command) {
                Ok(found) => return Ok(Self { is_named, ..found }),
                Err(error) => why = error,
            }
        }
        Err(format!("there is no C++ compiler ({}); Debian: apt-get install g++, or set CXX", why.trim()))
    }

    /// The compiler of a command.
    ///
    /// # Errors
    /// It does not answer.
    pub(super) fn named(command: OsString) -> Result<Self, String> {
        let printed = run(Command::new(&command).arg("--version"))?;
        let version = printed.lines().next().unwrap_or_default().to_owned();
        Ok(Self { command, version, is_named: false })
    }

    fn is_clang(&self) -> bool {
        self.version.contains("clang")
    }
}

/// Build job.
#[derive(Clone, Debug)]
pub struct Job<'a> {
    /// The kernels.
    pub sources: &'a [PathBuf],
    /// Flags beside ours, such as `-I` and `-g`; and of CANN's compiler `--npu-arch=dav-3510` and
    /// `--enable-simt`.
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
    let units = units(job.scratch, "kernel", job.sources);
    let made = Mutex::new(Vec::new());
    // The kernels first: a mistake in one is reported without waiting for the rest.
    run_all(&units, 2, |unit| {
        let kernel = unit.compile_kernels(compiler, home, job)?;
        made.lock().unwrap_or_else(PoisonError::into_inner).push(kernel);
        Ok(())
    })?;
    let made = made.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut objects: Vec<PathBuf> = made.iter().flat_map(|kernel| kernel.objects.clone()).collect();
    objects.sort();
    objects.extend(cache::emulation(compiler, home, job)?);
    link(compiler, &objects, job, made.iter().any(|kernel| kernel.has_host_code))?;
    Ok(made.into_iter().map(|kernel| kernel.warnings).collect())
}

/// Compiles the first source to an object that [`emulation`] completes, for programs that are linked later.
/// Returns the compiler's warnings.
///
/// # Errors
/// The compiler's words · the job has no source.
pub fn compile_object(compiler: &Compiler, home: &Home, job: &Job<'_>) -> Result<String, String> {
    let units = units(job.scratch, "kernel", job.sources);
    let unit = units.first().ok_or("there is no source")?;
    let made = unit.compile_kernels(compiler, home, job)?;
    run(Command::new(&compiler.command).args(["-r", "-nostdlib", "-o"]).arg(job.output).args(&made.objects))?;
    Ok(made.warnings)
}

/// The objects of the emulation, from the job's cache or made in its scratch folder.
///
/// # Errors
/// The compiler's words.
pub fn emulation(compiler: &Compiler, home: &Home, job: &Job<'_>) -> Result<Vec<PathBuf>, String> {
    cache::emulation(compiler, home, job)
}

/// Returns the compilation units for sources in a folder.
pub(super) fn units(folder: &Path, kind: &str, sources: &[PathBuf]) -> Vec<Unit> {
    let unit = |(number, source): (usize, &PathBuf)| {
        let name = source.file_name().unwrap_or_default().to_string_lossy();
        Unit { source: source.clone(), beside: folder.join(format!("{kind}-{number}-{name}.")) }
    };
    sources.iter().enumerate().map(unit).collect()
}

/// One source.
pub(super) struct Unit {
    source: PathBuf,
    /// The name of its files up to their endings.
    beside: PathBuf,
}

/// Output of a source with kernels.
struct Compiled {
    objects: Vec<PathBuf>,
    has_host_code: bool,
    warnings: String,
}

impl Unit {
    /// The object of a source that is compiled as it is.
    pub(super) fn object(&self) -> PathBuf {
        self.file("o")
    }

    fn file(&self, ending: &str) -> PathBuf {
        let mut name = self.beside.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    }

    /// Compiles a source of the emulation.
    pub(super) fn compile(&self, compiler: &Compiler, home: &Home) -> Result<(), String> {
        let mut command = Command::new(&compiler.command);
        command.args(FLAGS);
        for folder in home.header_folders() {
            command.arg("-I").arg(folder);
        }
        let rule = self.file("d");
        command.args(["-MMD", "-MF"]).arg(&rule);
        command.arg("-c").arg(&self.source).arg("-o").arg(self.object());
        let recipe = format!("{}\n{command:?}\n", compiler.version);
        if self.is_fresh(&recipe, &[self.object()], &[rule]) {
            return Ok(());
        }
        run(&mut command)?;
        self.note(&recipe)
    }

    /// Compiles a source with kernels, for each kind of core that its text depends on.
    fn compile_kernels(&self, compiler: &Compiler, home: &Home, job: &Job<'_>) -> Result<Compiled, String> {
        let recipe = format!("{}\n{:?} {:?} {home:?}\n", compiler.version, compiler.command, job.flags);
        if let Some(known) = self.fresh_kernels(&recipe) {
            return Ok(known);
        }
        let source = std::path::absolute(&self.source).unwrap_or_else(|_| self.source.clone());
        match self.make_kernels(compiler, home, job, &source, &recipe) {
            Err(error) => {
                let second = second::after(compiler, error, &source)?;
                let made = self.make_kernels(&second.compiler, home, job, &source, &recipe);
                let made = made.map_err(|own| second.error.unwrap_or(own))?;
                Ok(Compiled { warnings: second.note + &made.warnings, ..made })
            }
            made => made,
        }
    }

    fn make_kernels(
        &self,
        compiler: &Compiler,
        home: &Home,
        job: &Job<'_>,
        source: &Path,
        recipe: &str,
    ) -> Result<Compiled, String> {
        let front = Front { compiler, home, source, flags: job.flags, beside: &self.beside };
        let ready = front.prepare()?;
        let warnings = Mutex::new(ready.warnings.clone());
        run_all(&ready.parts, 2, |part| {
            let printed = compile_part(compiler, job, part, &ready)?;
            warnings.lock().unwrap_or_else(PoisonError::into_inner).push_str(&printed);
            Ok(())
        })?;
        let objects: Vec<PathBuf> = ready.parts.iter().map(|part| part.object()).collect();
        self.note(&noted(recipe, ready.has_host_code, &objects, &ready.rules))?;
        let warnings = warnings.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(Compiled { objects, has_host_code: ready.has_host_code, warnings })
    }

    fn fresh_kernels(&self, recipe: &str) -> Option<Compiled> {
        let note = std::fs::read_to_string(self.file("recipe")).ok()?;
        let mut lines = note.strip_prefix(recipe)?.lines();
        let has_host_code = lines.next()? == "host";
        let mut files = || lines.next().map(|line| line.split('\t').map(PathBuf::from).collect::<Vec<_>>());
        let (objects, rules) = (files()?, files()?);
        let is_fresh = self.is_fresh(&noted(recipe, has_host_code, &objects, &rules), &objects, &rules);
        is_fresh.then(|| Compiled { objects, has_host_code, warnings: String::new() })
    }

    /// Returns true if the objects were made by the same command, after the last change of all inputs.
    fn is_fresh(&self, recipe: &str, objects: &[PathBuf], rules: &[PathBuf]) -> bool {
        let changed = |path: &Path| std::fs::metadata(path).and_then(|facts| facts.modified()).ok();
        let fresh = || {
            let made: Vec<SystemTime> =
                objects.iter().map(|object| changed(object)).collect::<Option<_>>()?;
            let made = made.into_iter().min()?;
            for rule in rules {
                let rule = std::fs::read_to_string(rule).ok()?;
                let mut sources = rule.split_once(':')?.1.split_whitespace().filter(|word| *word != "\\");
                if !sources.all(|source| changed(Path::new(source)).is_some_and(|time| time < made)) {
                    return None;
                }
            }
            Some(())
        };
        std::fs::read_to_string(self.file("recipe")).is_ok_and(|known| known == recipe) && fresh().is_some()
    }

    /// Notes how the objects were made, once they are.
    fn note(&self, recipe: &str) -> Result<(), String> {
        let note = self.file("recipe");
        std::fs::write(&note, recipe).map_err(|error| format!("cannot write {}: {error}", note.display()))
    }
}

/// The note of a source with kernels.
fn noted(recipe: &str, has_host_code: bool, objects: &[PathBuf], rules: &[PathBuf]) -> String {
    let list = |files: &[PathBuf]| {
        files.iter().map(|file| file.to_string_lossy().into_owned()).collect::<Vec<_>>().join("\t")
    };
    let host = if has_host_code { "host" } else { "kernels" };
    format!("{recipe}{host}\n{}\n{}\n", list(objects), list(rules))
}

/// Compiles one text of a source. Returns the compiler's warnings.
fn compile_part(compiler: &Compiler, job: &Job<'_>, part: &Part, ready: &Ready) -> Result<String, String> {
    let mut command = Command::new(&compiler.command);
    // The second compiler is chosen by the words of the first.
    command.env("LC_ALL", "C.UTF-8").args(FLAGS);
    if compiler.is_clang() {
        // Folders of headers have no use for preprocessed text.
        command.arg("-Qunused-arguments");
        if part.prefix.is_none() && ready.parts.len() > 1 {
            // Functions for cores may name constants that only their passes have.
            command.arg("-fdelayed-template-parsing");
        }
    }
    if ready.parts.len() > 1 {
        // Each part has names that another uses.
        command.arg("-Wno-unused");
    }
    command.args(of_host(job.flags));
    if part.prefix.is_none() && ready.has_host_code {
        // Functions for the host are called from outside.
        command.arg("-fvisibility=default");
    }
    let object = part.object();
    command.args(["-x", "c++-cpp-output", "-c"]).arg(&part.file).arg("-o").arg(&object);
    let printed = run_aloud(&mut command)?.1;
    let Some(prefix) = part.prefix else { return Ok(printed) };
    let bytes =
        std::fs::read(&object).map_err(|error| format!("cannot read {}: {error}", object.display()))?;
    std::fs::write(&object, with_prefix(bytes, prefix)?)
        .map_err(|error| format!("cannot write {}: {error}", object.display()))?;
    Ok(printed)
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
