// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The command line of CANN's compiler, sorted by use.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What to make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mode {
    #[default]
    Program,
    Library,
    Archive,
    /// Objects.
    Compile,
    /// No files: the version is asked for.
    Version,
}

/// A file, by its ending or by the option `-x`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Input {
    Kernels(PathBuf),
    Host(PathBuf),
    Object(PathBuf),
}

/// A command line.
#[derive(Debug, Default)]
pub(super) struct Line {
    pub(super) mode: Mode,
    pub(super) inputs: Vec<Input>,
    output: Option<PathBuf>,
    /// For the host's compiler.
    pub(super) compile: Vec<OsString>,
    /// For passes of sources with kernels.
    pub(super) device: Vec<OsString>,
    pub(super) link: Vec<OsString>,
    /// File and target of the rule of `make`.
    pub(super) rule: Option<PathBuf>,
    pub(super) target: Option<OsString>,
}

impl Line {
    /// # Errors
    /// An option without its argument, or an unknown chip.
    pub(super) fn parse(words: &[OsString]) -> Result<Self, String> {
        let mut line = Self::default();
        let mut words = words.iter();
        // The language of `-x`, and if all sources are for the device.
        let (mut language, mut all_kernels, mut for_device) = (String::new(), false, false);
        let (mut files, mut syncs_itself) = (Vec::new(), true);
        while let Some(word) = words.next() {
            let text = word.to_string_lossy();
            let mut next = || words.next().cloned().ok_or_else(|| format!("{text} takes an argument"));
            match text.as_ref() {
                "-Xaicore-start" => for_device = true,
                "-Xaicore-end" => for_device = false,
                "--cce-auto-sync" | "--cce-auto-sync=on" => syncs_itself = true,
                "--cce-auto-sync=off" => syncs_itself = false,
                _ if for_device => {}
                "-Xhost-start" | "-Xhost-end" | "-MD" | "-MMD" | "-MP" => {}
                "--version" | "-v" => line.mode = Mode::Version,
                "-c" | "-dc" => line.mode = Mode::Compile,
                "-shared" => line.mode = Mode::Library,
                "-lib" | "--cce-build-static-lib" => line.mode = Mode::Archive,
                "-o" => line.output = Some(next()?.into()),
                "-MF" => line.rule = Some(next()?.into()),
                "-MT" | "-MQ" => line.target = Some(next()?),
                "-x" => language = next()?.to_string_lossy().into_owned(),
                "--asc-aicore-lang" | "--cce-aicore-lang" => all_kernels = true,
                "--enable-simt" => line.device.push(word.clone()),
                "-mllvm" => drop(next()?),
                "-I" | "-D" | "-U" | "-include" | "-isystem" | "-iquote" | "-idirafter" => {
                    let argument = next()?;
                    line.compile.extend([word.clone(), argument]);
                }
                "-L" | "-l" | "-Xlinker" | "-T" | "-z" => {
                    let argument = next()?;
                    line.link.extend([word.clone(), argument]);
                }
                "-rdynamic" | "-static-libstdc++" | "-static-libgcc" | "-s" => line.link.push(word.clone()),
                "-pthread" => {
                    line.link.push(word.clone());
                    line.compile.push(word.clone());
                }
                _ if !text.starts_with('-') => files.push((PathBuf::from(word), language.clone())),
                _ => line.other(word, &text, &mut language)?,
            }
        }
        if syncs_itself {
            line.device.push("-DMF_AUTO_SYNC=1".into());
        }
        line.inputs = files.into_iter().map(|(path, language)| input(path, &language, all_kernels)).collect();
        if line.inputs.is_empty() && line.mode != Mode::Version {
            return Err("no input files".to_owned());
        }
        Ok(line)
    }

    /// Sorts an option with its argument in it.
    fn other(&mut self, word: &OsString, text: &str, language: &mut String) -> Result<(), String> {
        if let Some(named) = text.strip_prefix("-x") {
            named.clone_into(language);
        } else if let Some(name) = text.strip_prefix("-o").filter(|name| !name.is_empty()) {
            self.output = Some(name.into());
        } else if let Some(chip) = chip_of(text) {
            self.device.push(format!("--npu-arch={}", architecture(chip)?).into());
        } else if ["-l", "-L", "-Wl,", "-fuse-ld"].iter().any(|option| text.starts_with(option)) {
            self.link.push(word.clone());
        } else if !is_of_device(text) {
            self.compile.push(word.clone());
        }
        Ok(())
    }

    pub(super) fn output(&self) -> PathBuf {
        self.output.clone().unwrap_or_else(|| PathBuf::from("a.out"))
    }

    /// The object of a source that is compiled alone.
    pub(super) fn object_of(&self, source: &Path) -> PathBuf {
        let own = || PathBuf::from(source.with_extension("o").file_name().unwrap_or_default());
        self.output.clone().unwrap_or_else(own)
    }
}

fn input(path: PathBuf, language: &str, all_kernels: bool) -> Input {
    let ending = path.extension().map(|ending| ending.to_string_lossy().into_owned()).unwrap_or_default();
    let is_source = matches!(ending.as_str(), "cpp" | "cc" | "cxx" | "c" | "C" | "cce");
    let is_object = matches!(ending.as_str(), "o" | "a" | "so");
    match language {
        _ if is_object => Input::Object(path),
        "asc" | "cce" => Input::Kernels(path),
        "c++" | "c" => Input::Host(path),
        _ if ending == "asc" || (is_source && all_kernels) => Input::Kernels(path),
        _ if is_source => Input::Host(path),
        _ => Input::Object(path),
    }
}

/// The chip that an option names.
fn chip_of(text: &str) -> Option<&str> {
    ["--npu-arch=", "--npu-soc=", "--cce-aicore-arch="].iter().find_map(|option| text.strip_prefix(option))
}

fn architecture(chip: &str) -> Result<&'static str, String> {
    if chip.starts_with("dav-2201") || chip.starts_with("dav-c220") {
        return Ok("dav-2201");
    }
    if chip.starts_with("dav-3510") || chip.starts_with("dav-c310") {
        return Ok("dav-3510");
    }
    let known = mf_device_kernels::compile::npu::architecture_of(chip);
    known.ok_or_else(|| format!("the simulator has no {chip}: it has dav-2201 (A2, A3) and dav-3510 (950)"))
}

/// Options that shape the device's code alone.
fn is_of_device(text: &str) -> bool {
    text.starts_with("--cce-") || ["--run-mode=", "--sanitizer"].iter().any(|option| text.starts_with(option))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Line {
        Line::parse(&text.split_whitespace().map(OsString::from).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn options_are_sorted_by_their_use() {
        let found = line(
            "-DA -I inc --npu-arch=dav-3510 -mllvm -cce-aicore-stack-size=0x8000 --cce-auto-sync=off -std=c++17 -O3 \
             -Xaicore-start -DB -Xaicore-end -Xhost-start -DC -Xhost-end -MD -MT k.o -MF k.d -o k.o -c --asc-aicore-lang k.cpp",
        );
        assert_eq!(found.mode, Mode::Compile);
        assert_eq!(found.inputs, [Input::Kernels("k.cpp".into())]);
        assert_eq!(found.compile, ["-DA", "-I", "inc", "-std=c++17", "-O3", "-DC"]);
        assert_eq!(found.device, ["--npu-arch=dav-3510"]);
        assert_eq!((found.object_of(Path::new("k.cpp")), found.rule), ("k.o".into(), Some("k.d".into())));
        let found = line("-shared -fPIC a.asc b.cpp -xcce c.cpp d.o -L. -lx -l platform -o libk.so");
        assert_eq!((found.mode, found.output()), (Mode::Library, "libk.so".into()));
        assert_eq!(found.device, ["-DMF_AUTO_SYNC=1"], "on by default");
        let kinds = [
            Input::Kernels("a.asc".into()),
            Input::Host("b.cpp".into()),
            Input::Kernels("c.cpp".into()),
            Input::Object("d.o".into()),
        ];
        assert_eq!(found.inputs, kinds);
        assert_eq!(found.link, ["-L.", "-lx", "-l", "platform"]);
        assert_eq!(line("--version").mode, Mode::Version);
    }

    #[test]
    fn incomplete_lines_are_refused() {
        for (text, expected) in
            [("-c -o", "argument"), ("-c", "no input"), ("--npu-arch=dav-2002 k.asc", "dav-2002")]
        {
            let words: Vec<OsString> = text.split_whitespace().map(OsString::from).collect();
            assert!(Line::parse(&words).unwrap_err().contains(expected), "{text}");
        }
    }
}
