// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Pointers: their address spaces, and accesses through them.

use super::Finding;
use super::functions::Function;
use super::words::{is_word, line_at, places_of};

/// Finds pointers without an address space, and global memory behind a star, an arrow or an index.
pub(super) fn check(text: &str, functions: &[Function], found: &mut Vec<Finding>) {
    for function in functions {
        let Some(body) = text.get(function.body.clone()) else { continue };
        let line = |at: usize| line_at(text, function.body.start + at);
        let mut global: Vec<&str> = Vec::new();
        for parameter in &function.parameters {
            let is_global = is_global(&parameter.of_type);
            if is_global && !parameter.name.is_empty() {
                global.push(&parameter.name);
            }
            if function.is_entry && parameter.of_type.ends_with('*') && !is_global {
                let what = format!(
                    "{} {}: a pointer to global memory says `__gm__`",
                    parameter.of_type, parameter.name
                );
                found.push(Finding::new(function.line, "gm", what));
            }
        }
        global.extend(declared_in(body));
        for (at, what) in bare_casts(body) {
            let text = format!("`{what}`: a pointer says where it points, `__gm__` or `__ubuf__`");
            found.push(Finding::new(line(at), "gm", text));
        }
        for at in made_of_offsets(body) {
            let what = "a pointer to the unified buffer that is made of a number: copies understand it, but the simulator \
                        faults where the scalar code follows it; make it of a tensor";
            found.push(Finding::new(line(at), "gm", what));
        }
        global.sort_unstable();
        global.dedup();
        for name in global {
            for at in places_of(body, name).filter(|at| goes_through(body, *at, name)) {
                let text = format!(
                    "`{name}` is global memory: the device reads it through a cache of its own; take \
                     GlobalTensor::GetValue and clean the cache, or copy"
                );
                found.push(Finding::new(line(at), "scalar", text));
            }
        }
    }
}

fn is_global(of_type: &str) -> bool {
    places_of(of_type, "__gm__").next().is_some() || of_type.trim_start_matches("const ") == "GM_ADDR"
}

/// Names that a body declares as pointers to global memory.
fn declared_in(body: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for at in places_of(body, "__gm__") {
        let rest = body.get(at..).unwrap_or_default();
        let Some((head, after)) = rest.split_once('*') else { continue };
        // `__gm__ T *name =`; a cast goes on with a bracket.
        if head.chars().all(|c| is_word(c) || c.is_whitespace() || c == ':') {
            names.push(first_word(after));
        }
    }
    for at in places_of(body, "GM_ADDR") {
        names.push(first_word(body.get(at + "GM_ADDR".len()..).unwrap_or_default()));
    }
    names.retain(|name| !name.is_empty() && *name != "const");
    names
}

fn first_word(text: &str) -> &str {
    let text = text.trim_start();
    text.get(..text.find(|c| !is_word(c)).unwrap_or(text.len())).unwrap_or_default()
}

/// Casts to pointers that say nothing of the address space.
fn bare_casts(body: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (cast, closes) in [("reinterpret_cast<", '>'), ("static_cast<", '>'), ("(", ')')] {
        for (at, _) in body.match_indices(cast) {
            let rest = body.get(at + cast.len()..).unwrap_or_default();
            let Some(end) = rest.find(closes) else { continue };
            let of_type = rest.get(..end).unwrap_or_default();
            let is_type = of_type.chars().all(|c| is_word(c) || c.is_whitespace() || c == ':' || c == '*');
            let word = first_word(of_type);
            // `(a *b)` is a product; a cast ends with its star, and something follows it.
            let followed = rest.get(end + 1..).and_then(|rest| rest.trim_start().chars().next());
            let casts = closes == '>' || followed.is_some_and(|c| is_word(c) || c == '(' || c == '&');
            let says = ["__gm__", "__ubuf__"].iter().any(|space| places_of(of_type, space).next().is_some());
            if is_type && of_type.trim_end().ends_with('*') && !word.is_empty() && casts && !says {
                found.push((at, of_type.trim()));
            }
        }
    }
    found
}

/// Casts of numbers to pointers to the unified buffer.
fn made_of_offsets(body: &str) -> impl Iterator<Item = usize> {
    places_of(body, "__ubuf__").filter(|at| {
        let rest = body.get(*at..).unwrap_or_default();
        let behind = rest
            .split_once('*')
            .map(|(_, behind)| behind.trim_start().trim_start_matches(['>', ')', '(', ' ']));
        behind.is_some_and(|value| value.starts_with(|c: char| c.is_ascii_digit()))
    })
}

/// Returns true if the pointer at `at` is dereferenced: `*name`, `name->`, `name[`.
fn goes_through(body: &str, at: usize, name: &str) -> bool {
    let after = body.get(at + name.len()..).unwrap_or_default().trim_start();
    if after.starts_with("->") || after.starts_with('[') {
        // A member of that name, of something else, is not it.
        return !body.get(..at).unwrap_or_default().trim_end().ends_with(['.', '>', ':']);
    }
    let Some(before) = body.get(..at).and_then(|before| before.trim_end().strip_suffix('*')) else {
        return false;
    };
    // A star behind a value multiplies, and one behind a type declares.
    let before = before.trim_end();
    let word = before.rsplit(|c| !is_word(c)).next().unwrap_or_default();
    !before.ends_with(|c: char| is_word(c) || c == ')' || c == ']' || c == '>') || word == "return"
}
