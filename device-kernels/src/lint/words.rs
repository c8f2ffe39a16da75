// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Words that no kernel contains.

use super::Finding;

/// Words, and why not.
const WORDS: [(&str, &str); 18] = [
    ("throw", "there are no exceptions on the device"),
    ("try", "there are no exceptions on the device"),
    ("catch", "there are no exceptions on the device"),
    ("new", "there is no heap on the device; take a TBuf or a TQue"),
    ("delete", "there is no heap on the device"),
    ("malloc", "there is no heap on the device; take a TBuf or a TQue"),
    ("calloc", "there is no heap on the device; take a TBuf or a TQue"),
    ("free", "there is no heap on the device"),
    ("virtual", "there are no virtual functions on the device"),
    ("dynamic_cast", "there is no run-time type information on the device"),
    ("typeid", "there is no run-time type information on the device"),
    ("thread_local", "blocks are no threads; what a block keeps is a local variable"),
    ("std", "there is no C++ library on the device"),
    ("printf", "there is no output on the device"),
    ("double", "the device has no double; take float"),
    ("asm", "assembler is of one chip only"),
    ("goto", "the compiler for the NPU does not take it everywhere"),
    ("longjmp", "there is no stack to unwind on the device"),
];

/// Finds headers of libraries, except between `#ifdef MF_EMULATION` and its end.
pub(super) fn check_headers(source: &str, found: &mut Vec<Finding>) {
    // One entry for each condition that is open: whether it is for the host alone.
    let mut open: Vec<bool> = Vec::new();
    for (number, line) in source.lines().enumerate() {
        let Some(directive) = line.trim_start().strip_prefix('#').map(str::trim_start) else { continue };
        if directive.starts_with("if") {
            open.push(directive.trim_end() == "ifdef MF_EMULATION");
        } else if directive.starts_with("endif") {
            open.pop();
        } else if directive.starts_with("el") {
            open.pop();
            open.push(false);
        }
        let Some(name) = directive.strip_prefix("include").filter(|_| !open.contains(&true)) else {
            continue;
        };
        let name = name.trim();
        if name.starts_with('<') && name != "<kernel_operator.h>" {
            let text = format!(
                "{name}: there is no library on the device, only kernel_operator.h and what includes it"
            );
            found.push(Finding::new(number + 1, "header", text));
        }
    }
}

/// Finds words.
pub(super) fn check_words(text: &str, found: &mut Vec<Finding>) {
    for (word, why) in WORDS {
        // `= delete` forbids a function, and takes no heap.
        let counts = |at: &usize| {
            word != "delete" || !text.get(..*at).is_some_and(|before| before.trim_end().ends_with('='))
        };
        for at in places_of(text, word).filter(counts) {
            found.push(Finding::new(line_at(text, at), "word", format!("`{word}`: {why}")));
        }
    }
    for condition in ["ASCEND_IS_AIV", "ASCEND_IS_AIC", "ASCEND_IS_NOT_AIV", "ASCEND_IS_NOT_AIC"] {
        let is_alone = |at: &usize| text.get(..*at).is_some_and(|before| before.trim_end().ends_with("if"));
        for at in places_of(text, condition).filter(|at| !is_alone(at)) {
            let what =
                format!("`{condition}` is all that stands between `if` and `{{`, without brackets or `!`");
            found.push(Finding::new(line_at(text, at), "word", what));
        }
    }
    for (at, _) in text.match_indices("[[block_local]]") {
        let what = "`[[block_local]]`: say __BLOCK_LOCAL__, which the compiler of the host knows, too";
        found.push(Finding::new(line_at(text, at), "word", what));
    }
}

/// Returns the places of `word` as a whole word.
pub(super) fn places_of<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(word).map(|(at, _)| at).filter(move |at| {
        let before = text.get(..*at).and_then(|before| before.chars().next_back());
        let after = text.get(at + word.len()..).and_then(|after| after.chars().next());
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

/// The line of a place, from 1.
pub(super) fn line_at(text: &str, at: usize) -> usize {
    text.get(..at).unwrap_or_default().matches('\n').count() + 1
}

pub(super) fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
