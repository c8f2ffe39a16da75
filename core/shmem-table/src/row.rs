// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Rows, and the functions that they expand to.

use crate::elements::{self, Element, Elements};

/// The releases that declared functions, in order within each world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names of the releases")]
pub enum Release {
    G0,
    G1,
    G2a,
    G2b,
    G2c,
    V1_0,
    V1_3_0,
    V1_3_5,
    V1_5_0,
    /// 24 July 2026.
    July2026,
    /// CANN's newest, 1.7.0.
    Head,
    /// OpenSHMEM 1.5, and the functions kept of its predecessors.
    Standard1_5,
    /// OpenSHMEM 1.6.
    Standard1_6,
    /// Not in the standard: a name used by programs from before it.
    Habit,
}

/// The releases of CANN SHMEM.
pub const CANN_RELEASES: &[Release] = &[
    Release::G0,
    Release::G1,
    Release::G2a,
    Release::G2b,
    Release::G2c,
    Release::V1_0,
    Release::V1_3_0,
    Release::V1_3_5,
    Release::V1_5_0,
    Release::July2026,
    Release::Head,
];

impl Release {
    /// Returns its name, for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::G0 => "G0",
            Self::G1 => "G1",
            Self::G2a => "G2a",
            Self::G2b => "G2b",
            Self::G2c => "G2c",
            Self::V1_0 => "v1.0",
            Self::V1_3_0 => "v1.3.0",
            Self::V1_3_5 => "v1.3.5",
            Self::V1_5_0 => "v1.5.0",
            Self::July2026 => "July 2026",
            Self::Head => "HEAD",
            Self::Standard1_5 => "1.5",
            Self::Standard1_6 => "1.6",
            Self::Habit => "habit",
        }
    }
}

/// Functions that differ in parts of their name and in the element type; see the crate's documentation.
#[derive(Debug)]
pub struct Row {
    /// The group of functions that it counts to.
    pub group: &'static str,
    /// Their prototypes.
    pub pattern: &'static str,
    /// Their documentation in C.
    pub doc: &'static str,
    /// The element types; empty for functions without.
    pub elements: Elements,
    /// The first release that declares them.
    pub first: Release,
    /// The last one.
    pub last: Release,
    /// True if the standard advises against them.
    pub is_deprecated: bool,
    /// True if they never return.
    pub is_noreturn: bool,
    /// True if programs call them often: then a reader of the rows treats them separately.
    pub is_frequent: bool,
    /// Result in case of failure, in Rust; empty if the type of the result determines it.
    pub failed: &'static str,
}

impl Row {
    /// Creates a row of OpenSHMEM 1.5 functions without an element type.
    pub const fn new(group: &'static str, pattern: &'static str, doc: &'static str) -> Self {
        Self {
            group,
            pattern,
            doc,
            elements: &[],
            first: Release::Standard1_5,
            last: Release::Standard1_6,
            is_deprecated: false,
            is_noreturn: false,
            is_frequent: false,
            failed: "",
        }
    }

    /// Sets the element types.
    pub const fn of(self, elements: Elements) -> Self {
        Self { elements, ..self }
    }

    /// Sets the releases that declare it.
    pub const fn in_releases(self, first: Release, last: Release) -> Self {
        Self { first, last, ..self }
    }

    /// Marks it as added by OpenSHMEM 1.6.
    pub const fn added(self) -> Self {
        Self { first: Release::Standard1_6, ..self }
    }

    /// Marks it as not in the standard.
    pub const fn outside(self) -> Self {
        Self { first: Release::Habit, last: Release::Habit, ..self }
    }

    /// Marks it as deprecated.
    pub const fn deprecated(self) -> Self {
        Self { is_deprecated: true, ..self }
    }

    /// Marks it as never returning.
    pub const fn noreturn(self) -> Self {
        Self { is_noreturn: true, ..self }
    }

    /// Marks it as called often: in a separate table of the rows for exports.
    pub const fn frequent(self) -> Self {
        Self { is_frequent: true, ..self }
    }

    /// Sets the result in case of failure.
    pub const fn or(self, failed: &'static str) -> Self {
        Self { failed, ..self }
    }

    /// Returns true if a release declares it.
    pub fn is_in(&self, release: Release) -> bool {
        self.first <= release && release <= self.last
    }

    /// Returns the operations of the row, for all element types: `NAME` and `T` stand for the element.
    pub fn operations(&'static self) -> Vec<Function> {
        let (head, rest) = self.pattern.split_once('(').unwrap_or((self.pattern, ""));
        let arguments = rest.strip_suffix(')').unwrap_or(rest);
        alternatives(head).iter().map(|head| self.operation(head, arguments)).collect()
    }

    /// Returns every function of the row: by operation, then by element type.
    pub fn functions(&'static self) -> Vec<Function> {
        let mut functions = Vec::new();
        for operation in self.operations() {
            match self.elements {
                [] => functions.push(operation),
                list => functions.extend(elements::of(list).map(|element| operation.of(element))),
            }
        }
        functions
    }

    fn operation(&'static self, head: &str, arguments: &str) -> Function {
        let (result, pattern) = declared(head);
        let is_on_context = head.contains(CONTEXT) && self.pattern.contains("[ctx_]");
        let mut arguments: Vec<Argument> = if arguments == "void" { Vec::new() } else { listed(arguments) };
        if is_on_context {
            arguments.insert(0, Argument { c: "shmem_ctx_t ".to_owned(), name: "ctx".to_owned() });
        }
        Function {
            row: self,
            name: pattern.clone(),
            pattern,
            element: None,
            result,
            arguments,
            is_on_context,
        }
    }
}

const CONTEXT: &str = "_ctx_";

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its row.
    pub row: &'static Row,
    /// Its name in the header.
    pub name: String,
    /// Its name with `NAME` for the element.
    pub pattern: String,
    /// Its element type.
    pub element: Option<&'static Element>,
    /// The type of its result in C: ends with a space or a star.
    pub result: String,
    /// Its arguments; one without a name is `...`.
    pub arguments: Vec<Argument>,
    /// True if it is the form of its operation that takes a context.
    pub is_on_context: bool,
}

/// An argument of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its type in C, up to the name: ends with a space or a star. `{}` for the name if it is inside the
    /// type.
    pub c: String,
    /// Its name.
    pub name: String,
}

impl Argument {
    /// Returns the declaration with this name.
    pub fn declared(&self, name: &str) -> String {
        if self.c.contains("{}") { self.c.replace("{}", name) } else { format!("{}{name}", self.c) }
    }
}

impl Function {
    /// Returns the function of an operation for one element type.
    fn of(&self, element: &'static Element) -> Self {
        let mut one = self.clone();
        one.name = self.pattern.replace("NAME", element.name);
        one.element = Some(element);
        one.result = with_element(&self.result, element);
        for argument in &mut one.arguments {
            argument.c = with_element(&argument.c, element);
        }
        one
    }

    /// Returns true if its elements are complex numbers.
    pub fn is_complex(&self) -> bool {
        self.element.is_some_and(|element| element.name.starts_with("complex"))
    }

    /// Returns true if an element goes by value: as an argument, or as the result.
    pub fn passes_element(&self) -> bool {
        let is_element = |c: &str| ["T ", "const T "].contains(&c);
        let operation = self.row.operations().into_iter().find(|operation| operation.pattern == self.pattern);
        operation.is_some_and(|operation| {
            is_element(&operation.result)
                || operation.arguments.iter().any(|argument| is_element(&argument.c))
        })
    }

    /// Returns the name of the operation for all element types: the generic name.
    pub fn generic_name(&self) -> String {
        let name = self.pattern.replace("_NAME_", "_");
        if self.is_on_context { name.replacen("ctx_", "", 1) } else { name }
    }

    /// Returns the parameters in C.
    pub fn parameters(&self) -> String {
        let arguments: Vec<String> = self.arguments.iter().map(|one| one.declared(&one.name)).collect();
        if arguments.is_empty() { "void".to_owned() } else { arguments.join(", ") }
    }

    /// Returns the declaration in C, of `name` and without its end.
    pub fn prototype(&self, name: &str) -> String {
        format!("{}{name}({})", self.result, self.parameters())
    }
}

/// Declares rows, in groups: documentation, prototypes, `of` the element types, and attributes.
macro_rules! rows {
    ($($group:literal { $(
        $(#[doc = $doc:literal])+
        $pattern:literal $(of $elements:ident)? $(, $said:ident $(($($value:expr),*))?)*;
    )+ })+) => {
        pub(super) static ROWS: &[crate::Row] = &[$($(
            crate::Row::new($group, $pattern, concat!($($doc, "\n"),+))
                $(.of($elements))? $(.$said($($($value),*)?))*
        ),+),+];
    };
}
pub(crate) use rows;

/// Expands the choices of `{a,b}` and `[a]` (a or nothing).
fn alternatives(text: &str) -> Vec<String> {
    let Some(start) = text.find(['{', '[']) else { return vec![text.to_owned()] };
    let (before, rest) = text.split_at(start);
    let end = rest.find(['}', ']']).unwrap_or(rest.len() - 1);
    let inside = &rest[1..end];
    let choices: Vec<&str> =
        if rest.starts_with('[') { vec!["", inside] } else { inside.split(',').collect() };
    let behind = alternatives(&rest[end + 1..]);
    let chosen =
        choices.iter().flat_map(|choice| behind.iter().map(move |rest| format!("{before}{choice}{rest}")));
    chosen.collect()
}

/// Splits a declaration into type and name.
fn declared(text: &str) -> (String, String) {
    let start = text.rfind([' ', '*']).map_or(0, |at| at + 1);
    (text[..start].to_owned(), text[start..].to_owned())
}

/// Parses a parameter list in C.
fn listed(text: &str) -> Vec<Argument> {
    let mut arguments = Vec::new();
    let (mut start, mut depth) = (0, 0);
    for (at, character) in text.char_indices().chain([(text.len(), ',')]) {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                arguments.push(argument(text[start..at].trim()));
                start = at + 1;
            }
            _ => {}
        }
    }
    arguments
}

fn argument(text: &str) -> Argument {
    if text == "..." {
        return Argument { c: text.to_owned(), name: String::new() };
    }
    if let Some((before, rest)) = text.split_once("(*")
        && let Some((name, behind)) = rest.split_once(')')
    {
        return Argument { c: format!("{before}(*{{}}){behind}"), name: name.to_owned() };
    }
    let (c, name) = declared(text);
    Argument { c, name }
}

/// Replaces the word `T`.
fn with_element(c: &str, element: &Element) -> String {
    let words: Vec<&str> = c.split(' ').map(|word| if word == "T" { element.c } else { word }).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_expand_to_alternatives() {
        assert_eq!(alternatives("a"), ["a"]);
        assert_eq!(alternatives("{a,b}c[_d]"), ["ac", "ac_d", "bc", "bc_d"]);
    }

    #[test]
    fn a_row_is_operation_times_type() {
        static ROW: Row = Row::new(
            "group",
            "T shmem_[ctx_]NAME_g[_nbi](const T *source, void (*func)(int level, const char *msg), int pe)",
            "",
        )
        .of(&["long longlong"]);
        let functions = ROW.functions();
        let names: Vec<&str> = functions.iter().map(|function| function.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "shmem_long_g",
                "shmem_longlong_g",
                "shmem_long_g_nbi",
                "shmem_longlong_g_nbi",
                "shmem_ctx_long_g",
                "shmem_ctx_longlong_g",
                "shmem_ctx_long_g_nbi",
                "shmem_ctx_longlong_g_nbi"
            ]
        );
        let on_context = &functions[5];
        assert_eq!(
            on_context.prototype(&on_context.name),
            "long long shmem_ctx_longlong_g(shmem_ctx_t ctx, const long long *source, \
             void (*func)(int level, const char *msg), int pe)"
        );
        assert_eq!(on_context.generic_name(), "shmem_g");
    }
}
