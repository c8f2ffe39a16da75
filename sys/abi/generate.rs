// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Writes the bindings: `generate_bindings OUT [ACL.h HCCL.h]`.
//!
//! `types.rs` holds every type and constant of every header, so that one name is one type; the other files
//! hold one table of functions each, in which every symbol is a separate `Result`; `optional.rs` holds the
//! functions resolved at first use ([`optional`]). Without headers on the command line, the headers of this
//! folder are bound. Otherwise ACL and HCCL are bound from the given headers of an installed CANN, which are
//! C++, limited to the names that we bind. The committed bindings are then written as well, into
//! `OUT/committed`, and both in a canonical order and without comments ([`order`]), so that each remaining
//! difference is one of the interface. `scripts/regen_bindings` calls this with the paths of the headers.

mod optional;
mod order;

use std::error::Error;
use std::path::{Path, PathBuf};

use bindgen::{Builder, CodegenConfig, EnumVariation, Formatter, RustEdition, RustTarget};

/// One table of functions: its file, its struct, its header here, and the names that belong to it.
struct TableSource {
    file: &'static str,
    name: &'static str,
    header: &'static str,
    functions: &'static str,
}

const TABLES: [TableSource; 4] = [
    TableSource { file: "acl", name: "AclTable", header: "acl.h", functions: "acl(rt|sys)?[A-Z].*" },
    TableSource { file: "hal", name: "HalTable", header: "hal.h", functions: "(hal|drv)[A-Z].*" },
    TableSource { file: "rt", name: "RtTable", header: "rt.h", functions: "rt[A-Z].*" },
    TableSource { file: "hccl", name: "HcclTable", header: "hccl.h", functions: "Hccl[A-Z].*" },
];

/// Headers of which only the types are bound.
const TYPES_ONLY: [&str; 2] = ["queue.h", "rdma.h"];

/// Headers of optional functions.
const OPTIONAL: [&str; 17] = [
    "acl_base.h",
    "acl_tensor.h",
    "acl_rt_memory.h",
    "acl_rt_tasks.h",
    "acl_rt_device.h",
    "acl_graph.h",
    "acl_rt_allocator.h",
    "acl_mem_pool.h",
    "acl_platform.h",
    "acl_mdl.h",
    "acl_op.h",
    "acl_op_compiler.h",
    "acl_prof.h",
    "acl_dump.h",
    "acl_tdt.h",
    "acl_tdt_queue.h",
    "super_kernel.h",
];
const OPTIONAL_HCCL: &str = "hccl_more.h";
const OPTIONAL_HCOMM: &str = "hcomm.h";

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let out = arguments.next().ok_or("usage: generate_bindings OUT [ACL.h HCCL.h]")?;
    let installed: Vec<PathBuf> = arguments.collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let abi = root.join("abi");
    let ours = format!("{}/.*", quoted(text(&abi)?));

    let header = |table: &TableSource| match (table.file, installed.as_slice()) {
        ("acl", [acl, ..]) => acl.clone(),
        ("hccl", [_, hccl, ..]) => hccl.clone(),
        _ => abi.join(table.header),
    };
    let committed =
        |file: &str| std::fs::read_to_string(root.join("src/raw").join(file).with_extension("rs"));

    let builder = || builder(&abi, installed.first().and_then(|header| header.parent()?.parent()));
    let write = |file: &str, bindings: &bindgen::Bindings| -> Result<(), Box<dyn Error>> {
        let name = Path::new(file).with_extension("rs");
        if installed.is_empty() {
            return Ok(bindings.write_to_file(out.join(name))?);
        }
        std::fs::create_dir_all(out.join("committed"))?;
        std::fs::write(out.join("committed").join(&name), order::normal(&committed(file)?))?;
        Ok(std::fs::write(out.join(&name), order::normal(&bindings.to_string()))?)
    };
    let mut types =
        builder()?.with_codegen_config(CodegenConfig::TYPES | CodegenConfig::VARS).allowlist_file(&ours);
    if !installed.is_empty() {
        let names = names(&committed("types")?).join("|");
        types = types.allowlist_type(&names).allowlist_var(&names);
    }
    for table in &TABLES {
        types = types.header(text(&header(table))?);
    }
    for name in TYPES_ONLY {
        types = types.header(text(&abi.join(name))?);
    }
    // An installation has some of them, under the same names; HCOMM is always bound from our header.
    let optional = || OPTIONAL.iter().map(|name| (0, *name)).chain([(1, OPTIONAL_HCCL), (2, OPTIONAL_HCOMM)]);
    for (library, name) in optional() {
        match installed.get(library).and_then(|header| header.parent()) {
            None => types = types.header(text(&abi.join(name))?),
            Some(folder) if folder.join(name).is_file() => types = types.header(text(&folder.join(name))?),
            Some(_) => {}
        }
    }
    write("types", &types.generate()?)?;

    for table in &TABLES {
        let functions = match installed.as_slice() {
            [] => table.functions.to_owned(),
            _ => names(&committed(table.file)?).join("|"),
        };
        let bindings = builder()?
            .header(text(&header(table))?)
            .raw_line("")
            .raw_line("use super::types::*;")
            .with_codegen_config(CodegenConfig::FUNCTIONS)
            .allowlist_function(functions)
            .allowlist_recursively(false)
            .dynamic_library_name(table.name)
            .dynamic_link_require_all(false)
            .generate()?;
        write(table.file, &bindings)?;
    }
    if installed.is_empty() {
        let known = optional::known(&std::fs::read_to_string(abi.join("functions.txt"))?)?;
        let names: Vec<&str> = known.iter().map(|function| function.name.as_str()).collect();
        let mut functions = builder()?
            .with_codegen_config(CodegenConfig::FUNCTIONS)
            .allowlist_function(names.join("|"))
            .allowlist_recursively(false);
        for (_, name) in optional() {
            functions = functions.header(text(&abi.join(name))?);
        }
        let methods = optional::methods(&functions.generate()?.to_string(), &known)?;
        let format = root.join("../rustfmt.toml");
        std::fs::write(out.join("optional.rs"), optional::formatted(&methods, &format)?)?;
    }
    Ok(())
}

/// Common settings of all files. `include` is the folder of the installed headers.
fn builder(abi: &Path, include: Option<&Path>) -> Result<Builder, Box<dyn Error>> {
    let oldest = RustTarget::stable(85, 0).map_err(|unknown| unknown.to_string())?;
    Ok(bindgen::builder()
        .raw_line("// SPDX-License-Identifier: Apache-2.0 OR MIT")
        .raw_line("// Written by scripts/regen_bindings from sys/abi; do not edit.")
        .disable_header_comment()
        // Ours are both; headers of an installation are C++, regardless of their extension.
        .clang_args(if include.is_some() { &["-x", "c++", "-std=c++17"][..] } else { &["-std=c11"] })
        .clang_args(include.map(|include| format!("-I{}", include.display())))
        .clang_arg(format!("-I{}", abi.display()))
        .clang_arg("-fparse-all-comments")
        // The layouts hold on every LP64 target; naming one makes the output the same on all of them.
        .clang_arg("--target=x86_64-unknown-linux-gnu")
        .use_core()
        .default_enum_style(EnumVariation::Consts)
        .prepend_enum_name(false)
        .translate_enum_integer_types(true)
        .derive_default(true)
        .impl_debug(true)
        .wrap_unsafe_ops(true)
        .rust_target(oldest)
        .rust_edition(RustEdition::Edition2024)
        .formatter(Formatter::Rustfmt)
        .rustfmt_configuration_file(Some(abi.join("../../rustfmt.toml"))))
}

/// The names that a generated file defines: types, constants, and the fields of a table.
fn names(generated: &str) -> Vec<&str> {
    let starts = ["pub struct ", "pub union ", "pub type ", "pub const ", "    pub "];
    let defined = generated.lines().filter_map(|line| {
        let rest = starts.iter().find_map(|start| line.strip_prefix(start))?;
        rest.split(|character: char| !character.is_alphanumeric() && character != '_').next()
    });
    defined.collect()
}

/// A text as a pattern that matches it.
fn quoted(text: &str) -> String {
    let quote = |character: char| if character.is_alphanumeric() { None } else { Some('\\') };
    text.chars().flat_map(|character| quote(character).into_iter().chain([character])).collect()
}

fn text(path: &Path) -> Result<&str, Box<dyn Error>> {
    path.to_str().ok_or_else(|| format!("{} is not UTF-8", path.display()).into())
}
