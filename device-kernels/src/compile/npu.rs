// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Kernels for NPUs, by the compiler of the CANN toolkit.
//!
//! All sources become one object, because a program loads one binary: a generated source that includes each
//! of them is compiled. Compiling a one-line kernel determines the flags of the compiler's release.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Home, run};

/// Folders of the toolkit when no variable names one.
const FOLDERS: [&str; 2] = ["/usr/local/Ascend/cann", "/usr/local/Ascend/ascend-toolkit/latest"];

/// Possible paths of the compiler inside the toolkit.
const PLACES: [&str; 3] = ["bin", "compiler/ccec_compiler/bin", "tools/ccec_compiler/bin"];

/// The instruction sets, with their older names and the products that have them.
const ARCHITECTURES: [(&str, &str, &str); 2] =
    [("dav-2201", "dav-c220", "Atlas A2 and A3"), ("dav-3510", "dav-c310", "Ascend 950")];

/// In the version of the compiler that `mf sim` puts in the place of CANN's.
pub const SIMULATED: &str = "for the CANN simulator";

/// A compiler for NPUs that answers.
#[derive(Clone, Debug)]
pub struct Compiler {
    /// The command.
    pub command: PathBuf,
    /// First line of its version output.
    pub version: String,
}

/// Flag style of a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Newer,
    Older,
}

/// Returns the instruction set of a chip; `None` for a chip without kernels here.
pub fn architecture_of(soc: &str) -> Option<&'static str> {
    let newest = ["Ascend910_95", "Ascend950"];
    let has = |names: &[&str]| names.iter().any(|name| soc.starts_with(name));
    if has(&newest) {
        Some("dav-3510")
    } else if has(&["Ascend910B", "Ascend910_93"]) {
        Some("dav-2201")
    } else {
        None
    }
}

impl Compiler {
    /// Searches the folders of these variables (`ASCEND_HOME_PATH`, `ASCEND_TOOLKIT_HOME`), then where
    /// toolkits are installed, then in `PATH`.
    ///
    /// # Errors
    /// None answers.
    pub fn find(variables: impl Fn(&str) -> Option<OsString>) -> Result<Self, String> {
        let named = ["ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME"].iter().filter_map(|name| variables(name));
        let folders = named.map(PathBuf::from).chain(FOLDERS.map(PathBuf::from));
        let inside = folders.flat_map(|folder| PLACES.map(|place| folder.join(place)));
        let path = variables("PATH").unwrap_or_default();
        let all: Vec<PathBuf> = inside.chain(std::env::split_paths(&path)).collect();
        let commands =
            ["bisheng", "ccec"].into_iter().flat_map(|name| all.iter().map(move |at| at.join(name)));
        for command in commands.filter(|command| command.is_file()) {
            // A simulated installation has a compiler for the simulator.
            let answers = run(Command::new(&command).arg("--version")).ok();
            if let Some(printed) = answers.filter(|printed| !printed.contains(SIMULATED)) {
                let version = printed.lines().next().unwrap_or_default().to_owned();
                return Ok(Self { command, version });
            }
        }
        Err("no compiler of CANN (bisheng); set ASCEND_HOME_PATH to the toolkit's folder".to_owned())
    }

    /// Compiles all sources to one object for an instruction set.
    ///
    /// # Errors
    /// The compiler's words · an instruction set that we do not know.
    pub fn compile(
        &self,
        home: &Home,
        architecture: &str,
        sources: &[PathBuf],
        flags: &[OsString],
        scratch: &Path,
        output: &Path,
    ) -> Result<(), String> {
        let Some((newer, older, _)) = ARCHITECTURES.iter().find(|known| known.0 == architecture) else {
            let known: Vec<String> =
                ARCHITECTURES.iter().map(|(name, _, products)| format!("{name} ({products})")).collect();
            return Err(format!("there is no architecture {architecture}; there are {}", known.join(", ")));
        };
        std::fs::create_dir_all(scratch)
            .map_err(|error| format!("cannot make the folder {}: {error}", scratch.display()))?;
        let names = (*newer, *older);
        let style = self.style(names, scratch)?;
        let all = scratch.join(format!("all.{architecture}.cpp"));
        write(&all, &together(sources)?)?;
        let mut command = self.command(style, names);
        command.args(flags).arg("-I").arg(&home.headers).arg("-I").arg(home.headers.join("shmem"));
        command.arg("-c").arg(&all).arg("-o").arg(output);
        run(&mut command).map(drop)
    }

    fn style(&self, names: (&str, &str), scratch: &Path) -> Result<Style, String> {
        let probe = scratch.join("probe.cpp");
        write(
            &probe,
            "#include \"kernel_operator.h\"\nextern \"C\" __global__ __aicore__ void probe(GM_ADDR) {}\n",
        )?;
        let tried = |style| {
            let mut command = self.command(style, names);
            run(command.arg("-c").arg(&probe).arg("-o").arg(scratch.join("probe.o")))
        };
        match tried(Style::Newer) {
            Ok(_) => Ok(Style::Newer),
            Err(newer) => match tried(Style::Older) {
                Ok(_) => Ok(Style::Older),
                Err(older) => {
                    Err(format!("the compiler takes neither newer nor older flags:\n{newer}\n{older}"))
                }
            },
        }
    }

    fn command(&self, style: Style, (newer, older): (&str, &str)) -> Command {
        let mut command = Command::new(&self.command);
        match style {
            Style::Newer => {
                command.args(["-x", "asc", "-O3", "-std=c++17"]).arg(format!("--npu-arch={newer}"));
            }
            Style::Older => {
                command.args(["-xcce", "-O3", "-std=c++17", "--cce-aicore-only", "--cce-auto-sync"]);
                command.arg(format!("--cce-aicore-arch={older}-vec"));
                for option in [
                    "-cce-aicore-stack-size=0x8000",
                    "-cce-aicore-function-stack-size=0x8000",
                    "-cce-aicore-record-overflow=true",
                    "-cce-aicore-addr-transform",
                    "-cce-aicore-dcci-insert-for-scalar=false",
                ] {
                    command.args(["-mllvm", option]);
                }
            }
        }
        command
    }
}

/// A text that includes all sources.
fn together(sources: &[PathBuf]) -> Result<String, String> {
    let mut text = String::new();
    for source in sources {
        let path = source
            .canonicalize()
            .map_err(|error| format!("there is no source {}: {error}", source.display()))?;
        text += &format!("#include \"{}\"\n", path.display());
    }
    Ok(text)
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::process::Stdio;

    use super::*;

    /// Creates a toolkit with a compiler that records its calls, and takes only flags with `word` among them.
    fn toolkit(name: &str, word: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("mf-npu-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("bin")).unwrap();
        let script = format!(
            "#!/bin/sh\n[ \"$1\" = --version ] && {{ echo bisheng 9; exit 0; }}\necho \"$@\" >>{0}/calls\n\
             case \"$*\" in *{word}*) ;; *) echo no such flag >&2; exit 1;; esac\n\
             while [ \"$1\" != -o ]; do shift; done; echo object >\"$2\"\n",
            folder.display()
        );
        // Written by another process: while a child process of this one has its descriptors, a file open for
        // writing cannot be executed.
        let mut writer = Command::new("sh")
            .args(["-c", "cat >\"$0\" && chmod 755 \"$0\""])
            .arg(folder.join("bin/bisheng"))
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        writer.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
        assert!(writer.wait().unwrap().success());
        folder
    }

    fn home() -> Home {
        Home::at(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap()
    }

    fn compile_with(folder: &Path, architecture: &str) -> Result<String, String> {
        let found =
            Compiler::find(|name| (name == "ASCEND_HOME_PATH").then(|| folder.as_os_str().to_owned()))?;
        assert_eq!(found.version, "bisheng 9");
        let source = folder.join("own.cpp");
        std::fs::write(&source, "").unwrap();
        let output = folder.join("out.o");
        found.compile(&home(), architecture, &[source], &["-DX".into()], &folder.join("scratch"), &output)?;
        assert_eq!(std::fs::read_to_string(output).unwrap(), "object\n");
        Ok(std::fs::read_to_string(folder.join("calls")).unwrap())
    }

    #[test]
    fn newer_and_older_compilers_get_their_own_flags() {
        let newer = toolkit("newer", "--npu-arch=dav-2201");
        let calls = compile_with(&newer, "dav-2201").unwrap();
        assert_eq!(calls.lines().count(), 2, "{calls}");
        assert!(calls.contains("-x asc") && calls.contains("-DX -I"), "{calls}");
        let all = std::fs::read_to_string(newer.join("scratch/all.dav-2201.cpp")).unwrap();
        assert!(all.contains("own.cpp\"\n"), "{all}");
        let older = toolkit("older", "--cce-aicore-arch=dav-c310-vec");
        let calls = compile_with(&older, "dav-3510").unwrap();
        assert_eq!(calls.lines().count(), 3, "{calls}");
        for folder in [newer, older] {
            std::fs::remove_dir_all(folder).unwrap();
        }
    }

    #[test]
    fn unsupported_compilers_and_chips_are_reported() {
        let folder = toolkit("broken", "nothing-has-this");
        let error = compile_with(&folder, "dav-2201").unwrap_err();
        assert!(error.contains("neither newer nor older") && error.contains("no such flag"), "{error}");
        let error = compile_with(&folder, "dav-1").unwrap_err();
        assert!(error.contains("dav-2201 (Atlas A2 and A3)"), "{error}");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn chips_map_to_their_architecture() {
        assert_eq!(architecture_of("Ascend910_9382"), Some("dav-2201"));
        assert_eq!(architecture_of("Ascend910B3"), Some("dav-2201"));
        assert_eq!(architecture_of("Ascend910_9589"), Some("dav-3510"));
        assert_eq!(architecture_of("Ascend310P3"), None);
    }
}
