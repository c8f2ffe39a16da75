// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The URL of a store as the first argument of a command.

use std::ffi::OsString;

/// Id of the option that names a store.
pub const STORE: &str = "store";

/// The arguments with `--store` before the URL of a store that is the first argument of a command, as it is
/// for every command with that option.
pub fn with_store_option(program: &clap::Command, arguments: Vec<OsString>) -> Vec<OsString> {
    let (mut command, mut words) = (program, arguments.iter().enumerate().skip(1).peekable());
    while let Some(below) = words.peek().and_then(|(_, word)| command.find_subcommand(word)) {
        command = below;
        words.next();
    }
    let is_of_store = |argument: &&clap::Arg| argument.get_long() == Some(STORE);
    if command.get_arguments().find(is_of_store).is_none() {
        return arguments;
    }
    let mut values = 0;
    let mut at = None;
    for (place, word) in words {
        let text = word.to_string_lossy();
        if text == "--" {
            break;
        }
        if values > 0 && !text.contains("://") {
            values -= 1;
        } else if values > 0 {
            // The URL of an option.
            break;
        } else if let Some(option) = text.strip_prefix('-').filter(|option| !option.is_empty()) {
            values = values_of(command, option);
        } else {
            at = Some(place).filter(|_| text.contains("://"));
            break;
        }
    }
    let mut arguments = arguments;
    if let Some(place) = at {
        arguments.insert(place, format!("--{STORE}").into());
    }
    arguments
}

/// Number of arguments after an option (without its first dash) that are its values.
fn values_of(command: &clap::Command, option: &str) -> usize {
    let is_it = |argument: &&clap::Arg| match option.strip_prefix('-') {
        Some(long) => argument.get_long() == Some(long),
        None => argument.get_short().is_some_and(|short| option == short.to_string()),
    };
    let takes = |argument: &clap::Arg| argument.get_num_args().map_or(1, |count| count.min_values());
    let found = command.get_arguments().find(is_it);
    found.filter(|argument| argument.get_action().takes_values()).map_or(0, takes)
}
