// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Kernel binaries from the C++ files beside the tests. Binaries are cached by a hash of their inputs.

use std::collections::hash_map::DefaultHasher;
use std::fs::{self, File};
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread;

/// Options for compilers.
const FLAGS: [&str; 7] = ["-std=c++17", "-O1", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror"];
/// Compilers that run at once.
const JOBS: usize = 2;

/// Returns the binary of a file of this folder, or `None`, with a message, without a compiler.
///
/// # Panics
/// When it does not compile.
pub(crate) fn binary(file: &str) -> Option<PathBuf> {
    let compiler = compiler(file)?;
    let source = home().join("tests/rules").join(file);
    let mut inputs = files(&home().join("emulation"));
    inputs.extend(files(&home().join("include")));
    inputs.push(simulator().join("ascend_sim_kernel.h"));
    let flags = (&compiler, FLAGS, std::env::var("CXXFLAGS").ok());
    let emulation = digest(&flags, &inputs);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rules").join(emulation);
    inputs.push(source.clone());
    inputs.extend(included(&source));
    let name = source.file_stem().unwrap().to_str().unwrap().to_owned();
    let finished = folder.join(format!("{name}-{}.so", digest(&flags, &inputs)));
    fs::create_dir_all(&folder).unwrap();
    let lock = File::create(folder.join("lock")).unwrap();
    rustix::fs::flock(&lock, rustix::fs::FlockOperation::LockExclusive).unwrap();
    if !finished.exists() {
        let mut objects = emulation_objects(&compiler, &folder);
        objects.push(object(&compiler, &source, &folder, &name));
        let draft = folder.join(format!("{name}.draft"));
        let mut link = Command::new(&compiler);
        link.args(extra_flags()).arg("-shared").args(&objects).arg("-pthread").arg("-o").arg(&draft);
        run(link);
        fs::rename(draft, &finished).unwrap();
    }
    Some(finished)
}

/// The files of this folder that a source includes, as the same kernels for another product.
fn included(source: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(source).unwrap();
    let named = text.lines().filter_map(|line| line.strip_prefix("#include \"")?.strip_suffix(".cpp\""));
    named.map(|name| source.with_file_name(format!("{name}.cpp"))).collect()
}

/// Returns the compiler's errors for a file of this folder that must be refused, with the macro `CASE`: empty
/// if it compiles, `None` without a compiler.
pub(crate) fn refusal(file: &str, case: u32) -> Option<String> {
    let mut command = Command::new(compiler(file)?);
    command
        .args(FLAGS)
        .args(extra_flags())
        .args(includes())
        .arg(format!("-DCASE={case}"))
        .arg("-fsyntax-only");
    let output = command.arg(home().join("tests/rules").join(file)).output().unwrap();
    Some(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The name of the compiler, where there is one.
fn compiler(file: &str) -> Option<String> {
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    if Command::new(&compiler).arg("--version").output().is_err() {
        eprintln!("skip {file}: no C++ compiler {compiler}");
        return None;
    }
    Some(compiler)
}

fn includes() -> [String; 3] {
    [simulator(), home().join("emulation/include"), home().join("include")]
        .map(|folder| format!("-I{}", folder.display()))
}

/// The parts of the emulation, compiled.
fn emulation_objects(compiler: &str, folder: &Path) -> Vec<PathBuf> {
    let sources: Vec<PathBuf> = files(&home().join("emulation/src"))
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "cpp"))
        .collect();
    let objects = Mutex::new(Vec::new());
    let next = Mutex::new(sources.iter());
    thread::scope(|scope| {
        for _ in 0..JOBS {
            scope.spawn(|| {
                loop {
                    let Some(source) = next.lock().unwrap().next() else { return };
                    let name = source.file_stem().unwrap().to_str().unwrap();
                    let made = folder.join(format!("emulation-{name}.o"));
                    if !made.exists() {
                        object(compiler, source, folder, &format!("emulation-{name}"));
                    }
                    objects.lock().unwrap().push(made);
                }
            });
        }
    });
    objects.into_inner().unwrap()
}

fn object(compiler: &str, source: &Path, folder: &Path, name: &str) -> PathBuf {
    let made = folder.join(format!("{name}.o"));
    let draft = folder.join(format!("{name}.o.draft"));
    let mut command = Command::new(compiler);
    command.args(FLAGS).args(extra_flags()).args(includes());
    command.arg("-c").arg(source).arg("-o").arg(&draft);
    run(command);
    fs::rename(draft, &made).unwrap();
    made
}

/// For sanitizers: `CXXFLAGS=-fsanitize=undefined`.
fn extra_flags() -> Vec<String> {
    let flags = std::env::var("CXXFLAGS").unwrap_or_default();
    flags.split_whitespace().map(str::to_owned).collect()
}

fn run(mut command: Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn home() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn simulator() -> PathBuf {
    home().join("../sys/sim/include")
}

/// All files below a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn digest(settings: &impl Hash, files: &[PathBuf]) -> String {
    let mut hasher = DefaultHasher::new();
    settings.hash(&mut hasher);
    for file in files {
        file.hash(&mut hasher);
        fs::read(file).unwrap().hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
}
