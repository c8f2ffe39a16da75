// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The text of a pass as the host's compiler takes it: language words blanked, launches as calls, entries
//! behind the source's own text.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

use crate::table::Cores;

use super::arrays::edits_of;
use super::attributes;
use super::entries::{Entries, KernelEntry};
use super::front::Read;
use super::instances::Instances;
use super::kernels::Facts;
use super::launches::{kind_of, launches};
use super::overloads::Overloads;
use super::passes::Pass;
use super::text::{Text, closing, words};

/// Returns the text for the compiler, and if it has launches.
pub(super) fn rewrite(
    one: &Read,
    all: &[Read],
    facts: &BTreeMap<String, Facts>,
    has_threads: bool,
) -> Result<(String, bool), String> {
    let text = &one.text;
    let has = |pass: Pass| one.passes.contains(&pass);
    let is_split = all.len() > 1;
    let mut edits = words_of_language(text);
    edits.extend(attributes::edits_of(text));
    let overloads = Overloads::of(&one.entries);
    edits.extend(overloads.edits(text, &one.entries));
    let instances = Instances::of(text, &one.entries, &overloads);
    let launches = launches(text, |name| facts.get(name).copied(), (&overloads, &instances), has_threads)?;
    let has_launches = !launches.edits.is_empty();
    edits.extend(launches.edits);
    let instance_of = |entry: &KernelEntry| {
        let function = instances.function(&overloads.name_of(entry))?;
        launches.instances.contains(&function).then(|| instances.declaration(entry)).flatten()
    };
    for line in &one.entries.lines {
        let types = line.types.join(", ");
        let check = format!(
            "static_assert(::std::is_same_v<decltype({0}), void({types})>, \"MF_KERNEL has other types than {0}\");",
            line.name
        );
        edits.push((line.range.clone(), check));
    }
    if is_split {
        // The parts find names of each other.
        edits.extend(one.entries.unnamed.iter().map(|word| {
            let file = text.place(word.start).file;
            (word.clone(), format!("inline namespace mf_of_{:x}", hash_of(&file)))
        }));
        for entry in &one.entries.kernels {
            let is_body = has(Pass::Vector) || has(Pass::Cube);
            edits.extend(linkage_of(text, entry, is_body));
        }
    }
    for entry in &one.entries.kernels {
        let Some(body) = &entry.body else { continue };
        let instance = instance_of(entry);
        if is_split && !has(Pass::Vector) && !has(Pass::Cube) {
            edits.push((body.clone(), format!(";{}", instance.unwrap_or_default())));
        } else if let Some(instance) = instance {
            edits.push((body.end - 1..body.end, format!("}} {instance}")));
        }
    }
    let mut out = text.edited(edits);
    append(&mut out, one, all, facts);
    if has_launches && has(Pass::Host) {
        out.push_str(
            "extern \"C\" __attribute__((visibility(\"default\"), weak)) void mfk_launch_mf_launched(const void *args, \
             size_t bytes) { ::mf::emulation::run_launched(args, bytes); }\n",
        );
    }
    Ok((out, has_launches))
}

/// Appends the kernels' functions on the cores of the text, and the entries that are this text's to make.
fn append(out: &mut String, one: &Read, all: &[Read], facts: &BTreeMap<String, Facts>) {
    let has = |pass: Pass| one.passes.contains(&pass);
    for (pass, cores) in [(Pass::Vector, Cores::Vector), (Pass::Cube, Cores::Cube)] {
        if !has(pass) || facts.is_empty() {
            continue;
        }
        let kind = kind_of(cores).0;
        let _ = writeln!(
            out,
            "\nnamespace mf::emulation {{ template <auto KERNEL> void BodyOf<KERNEL, {kind}>::run(const uint64_t *slots) \
             {{ FunctionOf<KERNEL>::run(slots); }} }}"
        );
        for (name, kernel) in facts.iter().filter(|(_, kernel)| kernel.has_name) {
            let runs = if pass == Pass::Vector { kernel.on_vector } else { kernel.on_cube };
            if runs && defines(one, name) {
                let _ = writeln!(out, "template struct mf::emulation::BodyOf<{name}, {kind}>;");
            }
        }
    }
    for (name, kernel) in
        facts.iter().filter(|(_, kernel)| kernel.has_name && (kernel.on_vector || kernel.on_cube))
    {
        // The host's text makes the entries of all kernels that it knows.
        let host = all.iter().find(|other| other.passes.contains(&Pass::Host));
        let maker =
            host.filter(|host| defines(host, name)).or_else(|| all.iter().find(|other| defines(other, name)));
        if maker.is_some_and(|maker| std::ptr::eq(maker, one)) {
            append_entry(out, name, *kernel, one);
        }
    }
}

fn defines(one: &Read, name: &str) -> bool {
    one.entries.named(name).any(|entry| entry.body.is_some()) || one.entries.line(name).is_some()
}

/// Entries without a line of MF_KERNEL.
pub(super) fn found_names(entries: &Entries) -> Vec<&str> {
    let is_found =
        |entry: &&KernelEntry| entry.has_name && entry.body.is_some() && entries.line(&entry.name).is_none();
    entries.kernels.iter().filter(is_found).map(|entry| entry.name.as_str()).collect()
}

fn append_entry(out: &mut String, name: &str, kernel: Facts, one: &Read) {
    let entry = one.entries.named(name).find(|entry| entry.body.is_some());
    if let Some(entry) = entry {
        // Errors of the types name the kernel.
        let file = entry.place.file.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(out, "# {} \"{file}\"", entry.place.line);
    }
    let (kind, ratio) = kind_of(kernel.cores);
    let arguments = format!("::mf::emulation::ArgumentsOf<decltype({name})>");
    let _ = write!(
        out,
        "extern \"C\" {{ __attribute__((visibility(\"default\"))) void mfk_launch_{name}(const void *args, size_t bytes) {{ \
         static constexpr ::mf::emulation::Entry entry = ::mf::emulation::entry_of<{name}, {}>(\"{name}\", {arguments}::SLOTS); \
         ::mf::emulation::run_block(entry, args, bytes); }} \
         extern const mfk_kernel mfk_kernel_{name} __attribute__((visibility(\"default\"), weak)); \
         const mfk_kernel mfk_kernel_{name} = ::mf::emulation::facts_of<{arguments}>({kind}, {ratio}); ",
        kernel.template_arguments()
    );
    if let (Some(entry), None) = (entry, one.entries.line(name)) {
        let (mut declared, mut passed) = (String::new(), String::new());
        for (number, of_type) in entry.parameters.iter().enumerate() {
            let _ = write!(declared, ", {of_type} mf_{number}");
            let _ = write!(passed, ", mf_{number}");
        }
        let _ = write!(
            out,
            "__attribute__((visibility(\"default\"))) uint32_t aclrtlaunch_{name}(uint32_t blocks, void *stream{declared}) \
             {{ return ::mf::emulation::LaunchOf<{name}>::named(\"{name}\", blocks, stream{passed}) ? 0 : 1; }} "
        );
    }
    out.push_str("}\n");
}

/// Edits that blank the words of CANN's language, and make arrays in local memories arrays of the core.
fn words_of_language(text: &Text) -> Vec<(Range<usize>, String)> {
    let code = text.code.as_str();
    let mut edits = Vec::new();
    for word in ["__global__", "__vector__", "__cube__"] {
        edits.extend(words(code, word).map(|at| (at..at + word.len(), String::new())));
    }
    for at in words(code, "__mix__") {
        let open = code.get(at..).and_then(|rest| rest.find('(')).map(|open| at + open);
        if let Some(close) = open.and_then(|open| closing(code, open)) {
            edits.push((at..close + 1, String::new()));
        }
    }
    for at in words(code, "bisheng") {
        let before = code.get(..at).unwrap_or_default().trim_end();
        if let (Some(start), Some(end)) =
            (before.strip_suffix("[["), code.get(at..).and_then(|rest| rest.find("]]")))
        {
            edits.push((start.len()..at + end + 2, String::new()));
        }
    }
    // Their faults name the line of the call: behind its arguments there is no room for another one.
    for at in words(code, "asc_vf_call") {
        let behind = code.get(at + "asc_vf_call".len()..).unwrap_or_default().trim_start();
        let before = code.get(..at).unwrap_or_default().trim_end();
        if behind.starts_with('<') && before.ends_with([';', '{', '}', ')']) {
            edits.push((
                at..at + "asc_vf_call".len(),
                "::mf::emulation::note_place(), asc_vf_call".to_owned(),
            ));
        }
    }
    edits.extend(edits_of(code));
    edits
}

/// Edits of the words before an entry, so that other parts find it.
fn linkage_of(text: &Text, entry: &KernelEntry, is_body: bool) -> Vec<(Range<usize>, String)> {
    let head = text.code.get(entry.head.clone()).unwrap_or_default();
    let mut edits = Vec::new();
    // Once is enough.
    let mut replacement = if is_body { "inline" } else { "" };
    for word in ["static", "inline", "__inline__"] {
        for at in words(head, word) {
            let at = entry.head.start + at;
            edits.push((at..at + word.len(), std::mem::take(&mut replacement).to_owned()));
        }
    }
    edits
}

fn hash_of(text: &str) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
