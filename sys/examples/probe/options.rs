// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

/// Task of this run.
pub(crate) enum Task {
    /// Ask the rules.
    Ask,
    /// Show them.
    List,
    /// Show how to use this.
    Help,
    /// For our own children: say what machine this is, answer one rule, be the second process of a rule.
    Describe,
    Answer(String),
    Accompany(String),
}

/// The command line.
pub(crate) struct Options {
    pub(crate) task: Task,
    pub(crate) json: bool,
    /// Let the libraries write to standard error.
    pub(crate) verbose: bool,
    /// The device to use, by the number that programs use.
    pub(crate) device: i32,
    /// First place to search for CANN.
    pub(crate) library: Option<PathBuf>,
    /// Rule ids or prefixes of them; empty means all.
    pub(crate) rules: Vec<String>,
}

impl Options {
    pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            task: Task::Ask,
            json: false,
            verbose: false,
            device: 0,
            library: None,
            rules: Vec::new(),
        };
        let mut arguments = arguments;
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
            match argument.as_str() {
                "--json" => options.json = true,
                "--verbose" => options.verbose = true,
                "--list" => options.task = Task::List,
                "--help" | "-h" => options.task = Task::Help,
                "--device" => {
                    let text = value()?;
                    options.device = text.parse().map_err(|_| format!("--device {text} is no number"))?;
                }
                "--library" => options.library = Some(value()?.into()),
                "--describe" => options.task = Task::Describe,
                "--answer" => options.task = Task::Answer(value()?),
                "--accompany" => options.task = Task::Accompany(value()?),
                other if other.starts_with('-') => {
                    return Err(format!("there is no option {other}; see --help"));
                }
                rule => options.rules.push(rule.to_owned()),
            }
        }
        Ok(options)
    }

    /// Returns the arguments with which a child finds the same libraries and device.
    pub(crate) fn for_children(&self) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = vec!["--device".into(), self.device.to_string().into()];
        if let Some(library) = &self.library {
            arguments.extend(["--library".into(), library.into()]);
        }
        if self.verbose {
            arguments.push("--verbose".into());
        }
        arguments
    }
}
