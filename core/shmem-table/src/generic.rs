// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Generic names, which select the function by the type of an argument: macros for C11, overloads for C++.
//!
//! Every type of C is listed once, though it has several names (`long` and `int64_t`): a selection that lists
//! a type twice does not compile. A form with a context is recognised by the number of arguments.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::{Argument, Function, Row, openshmem};

/// A generic name, and the functions that it selects from.
pub struct Generic {
    /// The name.
    pub name: String,
    /// One function for each type of C.
    pub functions: Vec<Function>,
    /// The same on a context; empty where operations have no such form.
    pub on_context: Vec<Function>,
}

/// Returns every generic name in `shmem.h`.
pub fn names() -> Vec<Generic> {
    of(openshmem::rows().flat_map(Row::functions))
}

/// Returns every generic name in `shmemx.h`: additions, as extensions.
pub fn extensions() -> Vec<Generic> {
    of(openshmem::rows().flat_map(Row::functions).filter_map(|function| {
        let name = function.extension()?;
        Some(Function { name, pattern: function.pattern.replacen("shmem_", "shmemx_", 1), ..function })
    }))
}

fn of(functions: impl Iterator<Item = Function>) -> Vec<Generic> {
    let mut all: Vec<Generic> = Vec::new();
    for function in functions.filter(is_selected) {
        let name = function.generic_name();
        let place = all.iter().position(|known| known.name == name).unwrap_or(all.len());
        if place == all.len() {
            all.push(Generic { name, functions: Vec::new(), on_context: Vec::new() });
        }
        let Some(generic) = all.get_mut(place) else { continue };
        let list = if function.is_on_context { &mut generic.on_context } else { &mut generic.functions };
        let is_new = |known: &Function| type_of(known) != type_of(&function);
        if list.iter().all(is_new) {
            list.push(function);
        }
    }
    all
}

/// Returns true if a function has a generic name. Elements given by size have no type to select by; active
/// sets, and the wait for a change, have none.
fn is_selected(function: &Function) -> bool {
    let is_typed = function.pattern.contains("_NAME_");
    is_typed && !function.pattern.ends_with("_to_all") && function.pattern != "shmem_NAME_wait"
}

/// Returns the element's type in C.
fn type_of(function: &Function) -> &'static str {
    function.element.map_or("", |element| element.same_as)
}

/// Returns the argument to select by: the first one that points to elements.
fn deciding(function: &Function) -> Option<&Argument> {
    let element = function.element?.c;
    function.arguments.iter().find(|argument| {
        let c = argument.c.trim_start_matches("const ");
        c.strip_prefix(element).is_some_and(|rest| rest.trim() == "*")
    })
}

/// Returns the part of `shmem.h` after the declarations.
pub fn page() -> String {
    let macros = [SYNC_MACRO, &SIGNAL_MACROS.replace("FAMILY", "shmem")].concat();
    let overloads = [SYNC_OVERLOAD, &SIGNAL_OVERLOADS.replace("FAMILY", "shmem")].concat();
    in_c_and_cxx(&names(), &macros, &overloads)
}

/// Returns the part of `shmemx.h` after the declarations.
pub fn extensions_page() -> String {
    let [macros, overloads] = [SIGNAL_MACROS, SIGNAL_OVERLOADS].map(|text| text.replace("FAMILY", "shmemx"));
    in_c_and_cxx(&extensions(), &macros, &overloads)
}

/// Returns the names as macros of C11 and as overloads of C++, with the names that have no element type.
fn in_c_and_cxx(names: &[Generic], macros: &str, overloads: &str) -> String {
    format!(
        "\n{CONDITION}{}{}{macros}\n#elif defined(__cplusplus)\n{OVERLOADS}{}{overloads}}}\n#endif\n#endif\n",
        pickers(names),
        names.iter().map(Generic::macros).collect::<String>(),
        names.iter().map(Generic::overloads).collect::<String>(),
    )
}

/// Programs include headers of C inside `extern "C"`, too.
const OVERLOADS: &str = "extern \"C++\" {\n";

/// C11 has generic selections; tools that define functions of these names disable them.
const CONDITION: &str = r"/* Names without the type of the elements. A tool that defines such a name itself asks for none of them. */
#ifndef MF_SHMEM_NO_GENERIC
#if !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L

#ifdef MF_SHMEM_COMPLEX
#define MF_SHMEM_AND_COMPLEX(...) , __VA_ARGS__
#else
#define MF_SHMEM_AND_COMPLEX(...)
#endif
";

/// One name for a team and for an active set; the active set's function has this very name.
const SYNC_MACRO: &str = r"
#define MF_SHMEM_SYNC_TEAM(team) shmem_team_sync(team)
#define MF_SHMEM_SYNC_SET(start, stride, size, sync) shmem_sync(start, stride, size, sync)
#define shmem_sync(...) MF_SHMEM_AT_4(__VA_ARGS__, MF_SHMEM_SYNC_SET, , , MF_SHMEM_SYNC_TEAM, )(__VA_ARGS__)
";

/// Updates of signals, with and without a context.
const SIGNAL_MACROS: &str = r"
#define FAMILY_signal_set(...) MF_SHMEM_AT_4(__VA_ARGS__, FAMILY_ctx_signal_set, FAMILY_signal_set, )(__VA_ARGS__)
#define FAMILY_signal_add(...) MF_SHMEM_AT_4(__VA_ARGS__, FAMILY_ctx_signal_add, FAMILY_signal_add, )(__VA_ARGS__)
";

const SIGNAL_OVERLOADS: &str = r"
inline void FAMILY_signal_set(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe) { FAMILY_ctx_signal_set(ctx, sig_addr, signal, pe); }
inline void FAMILY_signal_add(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe) { FAMILY_ctx_signal_add(ctx, sig_addr, signal, pe); }
";

const SYNC_OVERLOAD: &str = r"
inline int shmem_sync(shmem_team_t team) { return shmem_team_sync(team); }
";

/// Returns macros that expand to the argument after a number of others, pushed along by their own arguments.
fn pickers(names: &[Generic]) -> String {
    let mut counts: BTreeSet<usize> = names
        .iter()
        .flat_map(|name| name.on_context.first())
        .map(|function| function.arguments.len())
        .collect();
    counts.insert(4);
    let mut text = String::new();
    for count in counts {
        let skipped: Vec<String> = (1..=count).map(|number| format!("a{number}")).collect();
        let _ = writeln!(text, "#define MF_SHMEM_AT_{count}({}, chosen, ...) chosen", skipped.join(", "));
    }
    text
}

impl Generic {
    /// Returns the macros for C11.
    fn macros(&self) -> String {
        let own = self.name.trim_start_matches("shmem_").to_uppercase();
        let (plain, on_context) = (format!("MF_SHMEM_{own}"), format!("MF_SHMEM_CTX_{own}"));
        let Some(first) = self.on_context.first() else {
            return selection(&self.name, &self.functions);
        };
        format!(
            "{}{}#define {}(...) MF_SHMEM_AT_{}(__VA_ARGS__, {on_context}, {plain}, )(__VA_ARGS__)\n",
            selection(&plain, &self.functions),
            selection(&on_context, &self.on_context),
            self.name,
            first.arguments.len(),
        )
    }

    /// Returns the overloads for C++. A function of C with the very name is an overload already.
    fn overloads(&self) -> String {
        let mut functions = openshmem::rows().flat_map(Row::functions);
        let plain = functions.find(|function| function.name == self.name);
        let of_c = plain.map(|function| function.parameters());
        let mut text = String::from("\n");
        for function in self.functions.iter().chain(&self.on_context) {
            if of_c.as_ref() == Some(&function.parameters()) {
                continue;
            }
            let returns = if function.result == "void " { "" } else { "return " };
            let (prototype, call) = (function.prototype(&self.name), call(function));
            let overload = format!("inline {prototype} {{ {returns}{}{call}; }}\n", function.name);
            text += &if function.is_complex() {
                format!("#ifdef MF_SHMEM_COMPLEX\n{overload}#endif\n")
            } else {
                overload
            };
        }
        text
    }
}

/// Returns the arguments as they are passed on.
fn call(function: &Function) -> String {
    let names: Vec<&str> = function.arguments.iter().map(|argument| argument.name.as_str()).collect();
    format!("({})", names.join(", "))
}

/// Returns a macro of that name, which selects one of the functions.
fn selection(name: &str, functions: &[Function]) -> String {
    let Some((first, argument)) = functions.first().and_then(|first| Some((first, deciding(first)?))) else {
        return String::new();
    };
    let (mut plain, mut complex) = (Vec::new(), Vec::new());
    for function in functions {
        let Some(element) = function.element else { continue };
        let part = if function.is_complex() { &mut complex } else { &mut plain };
        part.push(format!("{} *: {}", element.c, function.name));
        if argument.c.starts_with("const ") {
            part.push(format!("const {} *: {}", element.c, function.name));
        }
    }
    let complex = match complex.as_slice() {
        [] => String::new(),
        list => format!(" \\\n    MF_SHMEM_AND_COMPLEX({})", list.join(", ")),
    };
    let call = call(first);
    let plain = plain.join(", \\\n    ");
    format!("\n#define {name}{call} _Generic(({}), \\\n    {plain}{complex}){call}\n", argument.name)
}
