// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Kernel binaries from the C files beside the tests.
#![allow(clippy::print_stderr, reason = "what a test process prints on its standard output nobody reads")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// A temporary folder.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name =
            format!("ascend-sim-kernels-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A compiled binary.
pub(crate) struct Compiled {
    pub(crate) path: PathBuf,
    _folder: Folder,
}

impl Compiled {
    /// Compiles a file of `tests/kernels`; returns `None`, with a message, without a compiler.
    pub(crate) fn from_file(file: &str) -> Option<Self> {
        Self::compile(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernels").join(file))
    }

    /// Compiles a text.
    pub(crate) fn of_text(text: &str) -> Option<Self> {
        let folder = Folder::new();
        let source = folder.0.join("text.c");
        fs::write(&source, text).unwrap();
        Self::compile(&source)
    }

    fn compile(source: &Path) -> Option<Self> {
        let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
        let folder = Folder::new();
        let path = folder.0.join("kernels.o");
        let mut command = Command::new(&compiler);
        command.args([
            "-std=gnu11",
            "-O2",
            "-fPIC",
            "-shared",
            "-pthread",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-I",
        ]);
        command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("include"));
        command.arg(source).arg("-o").arg(&path);
        match command.output() {
            Err(error) => {
                eprintln!("skip {}: no C compiler {compiler}: {error}", source.display());
                None
            }
            Ok(output) => {
                assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
                Some(Self { path, _folder: folder })
            }
        }
    }
}
