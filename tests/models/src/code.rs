// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Places in the real code that models speak of.

use std::path::Path;

/// A function of the real code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// File, from the root of the repository.
    pub file: &'static str,
    /// Name of the function.
    pub function: &'static str,
}

/// A condition of the real code that a model can do without.
#[derive(Clone, Copy)]
pub struct Guard<G> {
    /// Name in tables.
    pub name: &'static str,
    /// File, from the root of the repository.
    pub file: &'static str,
    /// Piece of a line that states the condition.
    pub text: &'static str,
    /// The scene in which it matters.
    pub scene: &'static str,
    /// Switches it off.
    pub off: fn(&mut G),
    /// The property that fails without it.
    pub property: &'static str,
}

const PAGE: &str = "docs/proof.md";

fn read(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Panics unless the function is there.
pub fn assert_function(code: Code) {
    let text = read(code.file);
    let is_it = |line: &str| {
        line.split("fn ").skip(1).any(|rest| {
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            name == code.function
        })
    };
    assert!(
        text.lines().any(is_it),
        "{} has no function {}: bring the model up to date",
        code.file,
        code.function
    );
}

/// Panics unless the page of the models has this text.
pub fn assert_documented(text: &str) {
    assert!(read(PAGE).contains(text), "{PAGE} does not have `{text}`: bring it up to date");
}

/// Panics unless the condition is there, and on the page of the models.
pub fn assert_guard<G>(guard: &Guard<G>) {
    let text = read(guard.file);
    assert_documented(&format!("| {} |", guard.name));
    assert!(
        text.lines().any(|line| line.contains(guard.text)),
        "{} has no line with `{}`: bring the guard `{}` up to date",
        guard.file,
        guard.text,
        guard.name
    );
}

/// Declares the kinds of steps of a model, each with its file and function.
#[macro_export]
macro_rules! steps {
    ($(#[$note:meta])* $name:ident { $($(#[$step_note:meta])* $step:ident = $file:literal, $function:literal;)* }) => {
        $(#[$note])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$step_note])* $step),* }

        impl $crate::check::Kind for $name {
            const ALL: &'static [Self] = &[$(Self::$step),*];

            fn code(self) -> $crate::code::Code {
                match self {
                    $(Self::$step => $crate::code::Code { file: $file, function: $function }),*
                }
            }

            fn number(self) -> u32 {
                self as u32
            }
        }
    };
}
