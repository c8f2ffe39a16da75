// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Facts about the kernels of a source, from all passes: their cores, and whether they have code there.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use crate::table::Cores;

use super::entries::{KernelEntry, is_empty};
use super::front::Read;
use super::launches::kind_of;
use super::passes::Pass;
use super::text::{closing, code_words};

/// Facts about a kernel, from all passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) cores: Cores,
    /// Programs find it by its name.
    pub(super) has_name: bool,
    pub(super) on_vector: bool,
    pub(super) on_cube: bool,
}

impl Facts {
    /// As `entry_of` takes them.
    pub(super) fn template_arguments(self) -> String {
        let (kind, ratio) = kind_of(self.cores);
        format!("{kind}, {ratio}, {}, {}", self.on_vector, self.on_cube)
    }
}

/// Returns the facts about each kernel.
pub(super) fn facts(read: &[Read], source: &Path) -> Result<BTreeMap<String, Facts>, String> {
    let of = |pass: Pass| read.iter().find(|one| one.passes.contains(&pass));
    let (Some(vector), Some(cube)) = (of(Pass::Vector), of(Pass::Cube)) else {
        return Ok(BTreeMap::new());
    };
    let mut known = BTreeMap::new();
    let entries = || read.iter().flat_map(|one| &one.entries.kernels);
    let lines = || read.iter().flat_map(|one| &one.entries.lines);
    let names = entries().map(|entry| &entry.name).chain(lines().map(|line| &line.name));
    for name in names {
        if known.contains_key(name) {
            continue;
        }
        let own: Vec<&KernelEntry> = entries().filter(|entry| entry.name == *name).collect();
        let line = lines().find(|line| line.name == *name);
        let body = |one: &'_ Read| Bodies::of(one, name);
        let (on_vector, on_cube) = (body(vector), body(cube));
        let marked = line.map(|line| line.cores).or_else(|| own.iter().find_map(|entry| entry.cores));
        let cores = match marked {
            Some(cores) => cores,
            None => inferred(source, (vector, cube), (on_vector, on_cube), &own),
        };
        let is_listed_alone = own.is_empty();
        let runs = |kind: Cores, body: Bodies| {
            (matches!(cores, Cores::Mixed(_)) || cores == kind) && (body.is_there || is_listed_alone)
        };
        let facts = Facts {
            cores,
            has_name: line.is_some() || own.iter().all(|entry| entry.has_name),
            on_vector: runs(Cores::Vector, on_vector),
            on_cube: runs(Cores::Cube, on_cube),
        };
        check_bodies(facts, &own, (on_vector, on_cube))?;
        known.insert(name.clone(), facts);
    }
    Ok(known)
}

/// The cores of a kernel without a mark, by its code.
fn inferred(
    source: &Path,
    (vector, cube): (&Read, &Read),
    (on_vector, on_cube): (Bodies, Bodies),
    own: &[&KernelEntry],
) -> Cores {
    let does = |body: Bodies| body.is_there && !body.is_empty;
    if does(on_vector) != does(on_cube) {
        return if does(on_cube) { Cores::Cube } else { Cores::Vector };
    }
    // Lines for cube cores alone.
    let lines: HashSet<&str> = vector.text.own_lines().collect();
    if cube.text.own_lines().any(|line| !lines.contains(line)) {
        return Cores::Mixed(2);
    }
    let files = own.iter().map(|entry| PathBuf::from(&entry.place.file)).chain([source.to_owned()]);
    let uses_cubes = |file: PathBuf| {
        let source = std::fs::read(file).unwrap_or_default();
        code_words(&String::from_utf8_lossy(&source))
            .any(|word| ["Mmad", "REGIST_MATMUL_OBJ", "ASCEND_IS_AIC"].contains(&word.as_str()))
    };
    if files.into_iter().any(uses_cubes) { Cores::Mixed(2) } else { Cores::Vector }
}

/// Bodies of a kernel's name in a text.
#[derive(Clone, Copy)]
struct Bodies {
    is_there: bool,
    is_empty: bool,
}

impl Bodies {
    fn of(one: &Read, name: &str) -> Self {
        let code = one.text.code.as_str();
        let bodies = || one.entries.named(name).filter_map(|entry| code.get(entry.body.clone()?));
        Self { is_there: bodies().next().is_some(), is_empty: bodies().all(is_empty) }
    }
}

/// Refuses a kernel that does nothing on any of its cores, though its source has code.
fn check_bodies(facts: Facts, own: &[&KernelEntry], (vector, cube): (Bodies, Bodies)) -> Result<(), String> {
    let Some(entry) = own.iter().find(|entry| entry.body.is_some()) else { return Ok(()) };
    if (facts.on_vector && !vector.is_empty) || (facts.on_cube && !cube.is_empty) {
        return Ok(());
    }
    let is_elsewhere = !vector.is_empty || !cube.is_empty;
    if !is_elsewhere && !own.iter().any(|entry| has_directives(entry)) {
        // It is written so.
        return Ok(());
    }
    let hint = if is_elsewhere { "; it has code for others: its mark says where it runs" } else { "" };
    Err(format!(
        "{}:{}: error: the body of kernel {} is empty on all cores that it runs on ({}): #if leaves nothing of it{hint}",
        entry.place.file, entry.place.line, entry.name, facts.cores
    ))
}

/// Returns true if the source of a body has lines of the preprocessor.
fn has_directives(entry: &KernelEntry) -> bool {
    let source = std::fs::read(&entry.place.file).unwrap_or_default();
    let source = String::from_utf8_lossy(&source);
    let from: String = source.split_inclusive('\n').skip(entry.place.line.saturating_sub(1)).collect();
    // Braces in both branches of an #if may not match; then all that follows is read.
    let open = from.find('{').unwrap_or_default();
    let end = closing(&from, open).unwrap_or(from.len());
    from.get(open..end).is_some_and(|body| body.lines().any(|line| line.trim_start().starts_with('#')))
}
