// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The functions of a source text: device functions with their parameters and bodies.

use super::Finding;
use super::words::{is_word, line_at, places_of};

/// A function that is defined.
pub(super) struct Function {
    pub(super) name: String,
    /// Programs launch it.
    pub(super) is_entry: bool,
    /// It has `__vector__`: vector cores without synchronization.
    pub(super) is_vector: bool,
    pub(super) parameters: Vec<Parameter>,
    pub(super) line: usize,
    /// Range of its body in the text.
    pub(super) body: std::ops::Range<usize>,
}

/// A parameter, without a default.
pub(super) struct Parameter {
    pub(super) of_type: String,
    pub(super) name: String,
}

/// The device functions that are defined in a text without comments.
pub(super) fn functions_of(text: &str) -> Vec<Function> {
    let mut found = Vec::new();
    for at in places_of(text, "__aicore__") {
        let rest = text.get(at..).unwrap_or_default();
        let Some(open) = rest.find('(') else { continue };
        let name = last_word(rest.get(..open).unwrap_or_default());
        let Some(close) = closing(rest, open, '(', ')') else { continue };
        let after = rest.get(close + 1..).unwrap_or_default();
        // A definition continues with its body, after the initializers of a constructor; a declaration ends.
        let Some(brace) = after.find(['{', ';']).filter(|brace| after.as_bytes().get(*brace) == Some(&b'{'))
        else {
            continue;
        };
        let start = close + 1 + brace;
        let Some(end) = closing(rest, start, '{', '}') else { continue };
        // From the line's beginning, because the words may stand in any order.
        let line_start = text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
        let head = text.get(line_start..at + open).unwrap_or_default();
        found.push(Function {
            name: name.to_owned(),
            is_entry: places_of(head, "__global__").next().is_some(),
            is_vector: places_of(head, "__vector__").next().is_some(),
            parameters: parameters(rest.get(open + 1..close).unwrap_or_default()),
            line: line_at(text, at),
            body: at + start..at + end,
        });
    }
    found
}

fn parameters(list: &str) -> Vec<Parameter> {
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for c in list.chars() {
        match c {
            '<' | '(' | '{' => depth += 1,
            '>' | ')' | '}' => depth -= 1,
            _ => {}
        }
        match parts.last_mut() {
            Some(part) if c != ',' || depth > 0 => part.push(c),
            _ => parts.push(String::new()),
        }
    }
    let declared = parts.iter().map(|part| part.split('=').next().unwrap_or_default().trim());
    declared
        .filter(|part| !part.is_empty() && *part != "void")
        .map(|part| {
            let name = last_word(part);
            let of_type = part.get(..part.len() - name.len()).unwrap_or_default().trim();
            // A parameter without a name is all type.
            if of_type.is_empty() || of_type.ends_with("__gm__") {
                Parameter { of_type: part.to_owned(), name: String::new() }
            } else {
                Parameter { of_type: of_type.to_owned(), name: name.to_owned() }
            }
        })
        .collect()
}

/// The word that a text ends with.
fn last_word(text: &str) -> &str {
    let text = text.trim_end();
    let start = text.rfind(|c| !is_word(c)).map_or(0, |at| at + 1);
    text.get(start..).unwrap_or_default()
}

/// Returns the place of the bracket that closes the one at `open`.
fn closing(text: &str, open: usize, opens: char, closes: char) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.get(open..)?.char_indices() {
        if c == opens {
            depth += 1;
        } else if c == closes {
            depth -= 1;
            if depth == 0 {
                return Some(open + at);
            }
        }
    }
    None
}

/// Finds recursive functions. Methods are identified by their names alone, and only plain calls count, not
/// calls through an object, because the text does not show its class.
pub(super) fn check_recursion(text: &str, functions: &[Function], found: &mut Vec<Finding>) {
    let calls = calls_of(text, functions, is_plain_call);
    for (start, function) in functions.iter().enumerate() {
        if reaches(&calls, start, start) {
            let text = format!("{} calls itself, and the stack of the device is small", function.name);
            found.push(Finding::new(function.line, "recursion", text));
            // One finding for a circle.
            return;
        }
    }
}

/// Which functions each one calls, by their numbers.
fn calls_of(text: &str, functions: &[Function], is_call: fn(&str, usize, &str) -> bool) -> Vec<Vec<usize>> {
    let of = |caller: &Function| {
        let body = text.get(caller.body.clone()).unwrap_or_default();
        let called = |callee: &Function| {
            places_of(body, &callee.name).any(|at| is_call(body, at, &callee.name)) && !callee.name.is_empty()
        };
        (0..functions.len()).filter(|index| functions.get(*index).is_some_and(called)).collect()
    };
    functions.iter().map(of).collect()
}

/// A function with all that it calls, also through objects and others.
pub(super) fn reached_from<'a>(
    text: &str,
    functions: &'a [Function],
    start: &Function,
) -> impl Iterator<Item = &'a Function> {
    let calls = calls_of(text, functions, |body, at, name| {
        body.get(at + name.len()..).unwrap_or_default().trim_start().starts_with(['(', '<'])
    });
    let from = functions.iter().position(|function| function.body == start.body).unwrap_or_default();
    let reached: Vec<bool> = (0..functions.len()).map(|to| to == from || reaches(&calls, from, to)).collect();
    functions.iter().zip(reached).filter(|(_, is_reached)| *is_reached).map(|(function, _)| function)
}

fn is_plain_call(body: &str, at: usize, name: &str) -> bool {
    let after = body.get(at + name.len()..).unwrap_or_default().trim_start();
    let before = body.get(..at).unwrap_or_default().trim_end();
    after.starts_with('(') && !before.ends_with(['.', '>', ':'])
}

/// Returns true if calls lead from one function to another.
fn reaches(calls: &[Vec<usize>], from: usize, to: usize) -> bool {
    let mut seen = vec![false; calls.len()];
    let mut open = vec![from];
    while let Some(next) = open.pop() {
        for &called in calls.get(next).into_iter().flatten() {
            if called == to {
                return true;
            }
            if let Some(seen) = seen.get_mut(called).filter(|seen| !**seen) {
                *seen = true;
                open.push(called);
            }
        }
    }
    false
}
