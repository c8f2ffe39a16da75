// SPDX-License-Identifier: Apache-2.0 OR MIT
//! From a source as it is written for CANN's compiler to texts for the host's: preprocess, then rewrite.
//!
//! ```text
//!   k.cpp ─┬─ preprocessed for vector cores ─┐             ┌─► text of the host, with entries and stubs
//!          ├─ for cube cores ────────────────┼─ rewritten ─┼─► text of vector cores
//!          └─ for the host ──────────────────┘             └─► text of cube cores
//! ```
//!
//! Passes of equal text are one. The host's text makes the entries, each with the kernel's function on either
//! kind of core (`BodyOf`), which the text of that kind defines.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use super::entries::Entries;
use super::host::Compiler;
use super::host_half;
use super::kernels::facts;
use super::passes::{Asks, Pass, Product, THREADS, of_host};
use super::rewrite::{found_names, rewrite};
use super::text::Text;
use super::{Home, run_all, run_aloud, write_if_changed};

/// A source, and how to read it.
pub(super) struct Front<'a> {
    pub(super) compiler: &'a Compiler,
    pub(super) home: &'a Home,
    pub(super) source: &'a Path,
    /// Of the job.
    pub(super) flags: &'a [OsString],
    /// Path of the files of this source without their endings: `…/kernel-0-k.cpp.`.
    pub(super) beside: &'a Path,
}

/// A text for the host's compiler.
pub(super) struct Part {
    pub(super) file: PathBuf,
    /// Prefix of its symbols, for a kind of core.
    pub(super) prefix: Option<&'static str>,
}

impl Part {
    pub(super) fn object(&self) -> PathBuf {
        self.file.with_extension("o")
    }
}

/// A source that is made ready.
pub(super) struct Ready {
    pub(super) parts: Vec<Part>,
    /// Other C++ calls into it.
    pub(super) has_host_code: bool,
    /// Rules of `make` with the files that it depends on.
    pub(super) rules: Vec<PathBuf>,
    pub(super) warnings: String,
}

/// The text of a pass, and its definitions.
pub(super) struct Read {
    pub(super) passes: Vec<Pass>,
    pub(super) text: Text,
    pub(super) entries: Entries,
}

impl Front<'_> {
    /// # Errors
    /// The preprocessor's words · a wrong launch · a kernel that does nothing on any of its cores.
    pub(super) fn prepare(&self) -> Result<Ready, String> {
        let (mut read, warnings, rules) = self.read()?;
        let facts = facts(&read, self.source)?;
        let has_threads = self.flags.iter().any(|flag| flag == THREADS);
        read.retain_mut(|one| {
            let is_needed = |pass: &Pass| match pass {
                Pass::Host => true,
                Pass::Vector => facts.values().any(|kernel| kernel.on_vector),
                Pass::Cube => facts.values().any(|kernel| kernel.on_cube),
            };
            one.passes.retain(is_needed);
            !one.passes.is_empty()
        });
        let mut parts = Vec::new();
        let mut has_host_code = false;
        for one in &read {
            let (text, has_launches) = rewrite(one, &read, &facts, has_threads)?;
            has_host_code |= has_launches;
            let prefix = match one.passes.as_slice() {
                passes if passes.contains(&Pass::Host) => None,
                [Pass::Vector] => Some("vector."),
                [Pass::Cube] => Some("cube."),
                _ => Some("device."),
            };
            let file = self.file(&format!("{}ii", prefix.unwrap_or_default()));
            write_if_changed(&file, &text)?;
            parts.push(Part { file, prefix });
        }
        has_host_code |= read.iter().any(|one| !found_names(&one.entries).is_empty());
        Ok(Ready { parts, has_host_code, rules, warnings })
    }

    fn file(&self, ending: &str) -> PathBuf {
        let mut name = self.beside.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    }

    /// Preprocesses for all passes with a text of their own.
    fn read(&self) -> Result<(Vec<Read>, String, Vec<PathBuf>), String> {
        let (mut first, mut warnings) = self.preprocess(Pass::Vector, false)?;
        let has_host_half = host_half::is_asked(&first);
        if has_host_half {
            (first, warnings) = self.preprocess(Pass::Vector, true)?;
        }
        let mut rules = vec![self.rule(Pass::Vector)];
        let mut asks = Asks::default();
        for file in first.own_files() {
            let source = std::fs::read(file).unwrap_or_default();
            asks = asks.or(Asks::of(&String::from_utf8_lossy(&source)));
        }
        let mut read = vec![Read { passes: vec![Pass::Vector], entries: Entries::of(&first), text: first }];
        let wanted: Vec<Pass> = [(Pass::Cube, asks.kind), (Pass::Host, asks.device)]
            .into_iter()
            .filter_map(|(pass, is_asked)| is_asked.then_some(pass))
            .collect();
        let more = Mutex::new(Vec::new());
        run_all(&wanted, 2, |pass| {
            let (text, _) = self.preprocess(*pass, has_host_half)?;
            more.lock().unwrap_or_else(PoisonError::into_inner).push((*pass, text));
            Ok(())
        })?;
        rules.extend(wanted.iter().map(|pass| self.rule(*pass)));
        for (pass, text) in more.into_inner().unwrap_or_else(PoisonError::into_inner) {
            match read.iter_mut().find(|known| known.text.source == text.source) {
                Some(known) => known.passes.push(pass),
                None => read.push(Read { passes: vec![pass], entries: Entries::of(&text), text }),
            }
        }
        for pass in [Pass::Cube, Pass::Host] {
            if !wanted.contains(&pass)
                && let Some(first) = read.first_mut()
            {
                first.passes.push(pass);
            }
        }
        Ok((read, warnings, rules))
    }

    fn rule(&self, pass: Pass) -> PathBuf {
        self.file(match pass {
            Pass::Host => "host.d",
            Pass::Vector => "vector.d",
            Pass::Cube => "cube.d",
        })
    }

    /// Returns the text and the preprocessor's warnings.
    fn preprocess(&self, pass: Pass, has_host_half: bool) -> Result<(Text, String), String> {
        let mut command = Command::new(&self.compiler.command);
        let first = self.home.emulation.join("include/ascendc/front.h");
        command.env("LC_ALL", "C.UTF-8").args(super::host::FLAGS);
        // Before the headers that the flags name.
        command.arg("-include").arg(first).args(of_host(self.flags));
        command.args(pass.macros(Product::of_flags(self.flags), self.flags));
        let folders = self.home.header_folders();
        for folder in &folders {
            command.arg("-I").arg(folder);
        }
        if has_host_half {
            command.arg(host_half::MACRO);
        }
        if let Some(folder) = self.home.interfaces() {
            command.arg("-idirafter").arg(folder);
        }
        command.args(["-E", "-x", "c++", "-MMD", "-MF"]).arg(self.rule(pass));
        command.arg("-MT").arg(self.file("o")).arg(self.source);
        let (text, warnings) = run_aloud(&mut command)?;
        let foreign: Vec<String> =
            folders.iter().map(|folder| folder.to_string_lossy().into_owned()).collect();
        let text = Text::new(text, &foreign);
        let text = if has_host_half { Text::new(host_half::separated(&text), &foreign) } else { text };
        Ok((text, warnings))
    }
}
