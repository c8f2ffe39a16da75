// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Sources of settings: the environment overrides a file.

use std::collections::BTreeMap;

use mf_base::os::descriptor;

use super::NAMES;
use crate::codes::acl;
use crate::fault::{Fault, Outcome};

const PREFIX: &str = "ASCEND_SIM_";

/// All that is set, by name without prefix.
pub(super) fn environment() -> Outcome<BTreeMap<&'static str, String>> {
    let mut own: BTreeMap<&str, String> = BTreeMap::new();
    let mut file = None;
    for (name, value) in std::env::vars_os() {
        let Some(name) = name.to_str().and_then(|name| name.strip_prefix(PREFIX)) else { continue };
        let value = value.into_string().map_err(|value| {
            Fault::new(acl::INVALID_PARAM, format_args!("{PREFIX}{name}={value:?} is not UTF-8"))
        })?;
        match name {
            "CONFIG" => file = Some(value),
            _ => drop(own.insert(known(name, "the environment")?, value)),
        }
    }
    let mut all = match file {
        None => BTreeMap::new(),
        Some(path) => {
            let text = descriptor::read_text(&path).map_err(|e| {
                Fault::new(acl::INVALID_FILE, format_args!("{PREFIX}CONFIG={path} cannot be read: {e}"))
            })?;
            parse(&text, &path)?
        }
    };
    all.extend(own);
    Ok(all)
}

/// The settings of a file.
fn parse(text: &str, path: &str) -> Outcome<BTreeMap<&'static str, String>> {
    let mut all = BTreeMap::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let place = format!("{path} line {}", index + 1);
        let wrong = |what: &str| Fault::new(acl::PARSE_FILE, format_args!("{place}: {what}"));
        let (name, value) = line.split_once('=').ok_or_else(|| wrong("NAME = value expected"))?;
        let name = name.trim();
        let name = known(name.strip_prefix(PREFIX).unwrap_or(name), &place)?;
        if all.insert(name, value.trim().to_owned()).is_some() {
            return Err(wrong(&format!("{name} is set twice")));
        }
    }
    Ok(all)
}

fn known(name: &str, place: &str) -> Outcome<&'static str> {
    if let Some(known) = NAMES.into_iter().find(|known| *known == name) {
        return Ok(known);
    }
    let nearest = NAMES.into_iter().min_by_key(|known| distance(name, known));
    Err(Fault::new(
        acl::INVALID_PARAM,
        format_args!(
            "{place}: unknown setting {PREFIX}{name}; did you mean {PREFIX}{}?",
            nearest.unwrap_or("")
        ),
    ))
}

/// Returns the edit distance between `one` and `other` (insertions, removals, changes).
fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (line, left) in one.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], line + 1);
        for (column, right) in other.bytes().enumerate() {
            let changed = diagonal + usize::from(left != right);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_lines_and_comments() {
        let all = parse("# machine\nDEVICES = 2 # two\n\nASCEND_SIM_SOC=Ascend910B1\n", "f").unwrap();
        assert_eq!(all, BTreeMap::from([("DEVICES", "2".to_owned()), ("SOC", "Ascend910B1".to_owned())]));
    }

    #[test]
    fn files_with_mistakes_are_refused_by_line() {
        for (text, code, says) in [
            ("DEVICES", acl::PARSE_FILE, "f line 1: NAME = value"),
            ("SOC=a\nSOC=b", acl::PARSE_FILE, "f line 2: SOC is set twice"),
            ("DEVICE=2", acl::INVALID_PARAM, "did you mean ASCEND_SIM_DEVICES?"),
            ("HBMBYTE=2", acl::INVALID_PARAM, "did you mean ASCEND_SIM_HBM_BYTES?"),
            ("CONFIG=g", acl::INVALID_PARAM, "unknown setting ASCEND_SIM_CONFIG"),
        ] {
            let fault = parse(text, "f").unwrap_err();
            assert_eq!(fault.code, code);
            assert!(fault.text.contains(says), "{}", fault.text);
        }
    }

    #[test]
    fn distances() {
        assert_eq!(distance("", "ABC"), 3);
        assert_eq!(distance("SEED", "SPEED"), 1);
        assert_eq!(distance("KITTEN", "SITTING"), 3);
    }
}
