// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The probe (`examples/probe`) on the simulator, which must give the answers that the probe records; and the
//! list of the simulator's assumptions in `docs/hardware-bring-up.md`.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "helpers of tests fail the test")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;

use serde_json::Value;

/// The program and the simulator, when both are built.
struct Setup {
    program: PathBuf,
    simulator: PathBuf,
}

impl Setup {
    /// None when something is not built; says what.
    fn find(test: &str) -> Option<Self> {
        let own = std::env::current_exe().unwrap();
        let target = own.parent().unwrap().parent().unwrap();
        let program = target.join("examples/probe");
        // `deps` holds the latest build, including builds for other targets.
        let places = [target.join("deps/libascend_sim.so"), target.join("libascend_sim.so")];
        let simulator = places.into_iter().find(|file| file.exists());
        match (program.exists(), simulator) {
            (true, Some(simulator)) => Some(Self { program, simulator }),
            _ => {
                println!(
                    "skip {test}: {} or libascend_sim.so in {} is not built (cargo build -p ascend-acl-sys --example probe \
                     -p ascend-sim)",
                    program.display(),
                    target.display()
                );
                None
            }
        }
    }

    /// Runs the probe on a separate machine with these settings.
    fn run(&self, knobs: &[(&str, &str)], arguments: &[&str]) -> Output {
        self.run_with(&self.simulator, knobs, arguments)
    }

    fn run_with(&self, library: &Path, knobs: &[(&str, &str)], arguments: &[&str]) -> Output {
        let mut command = Command::new(&self.program);
        command.arg("--library").arg(library).args(arguments);
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(|name| name.starts_with("ASCEND_")) {
                command.env_remove(name);
            }
        }
        command.envs(knobs.iter().map(|(name, value)| (format!("ASCEND_SIM_{name}"), value)));
        command.output().unwrap()
    }

    /// Runs all rules, of which none may be answered wrongly, or not at all. Gives the ids by verdict.
    fn agrees(&self, knobs: &[(&str, &str)]) -> Verdicts {
        let output = self.run(knobs, &["--json"]);
        let text = String::from_utf8(output.stdout).unwrap();
        let report: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{knobs:?}: {e}: {text}"));
        assert!(report["machine"]["simulator"].is_string(), "{report:#}");
        let mut verdicts = Verdicts::new();
        for rule in report["rules"].as_array().unwrap() {
            let verdict = rule["verdict"].as_str().unwrap();
            assert!(!["differs", "no answer"].contains(&verdict), "{knobs:?}: {rule:#}");
            verdicts.entry(verdict.to_owned()).or_default().insert(rule["rule"].as_str().unwrap().to_owned());
        }
        assert_eq!(output.status.code(), Some(0), "{knobs:?}");
        assert!(verdicts["agrees"].len() > 50, "{knobs:?}: {verdicts:?}");
        verdicts
    }
}

/// Ids of rules by verdict.
type Verdicts = BTreeMap<String, BTreeSet<String>>;

#[test]
fn simulator_agrees_with_every_probe_rule() {
    let Some(setup) = Setup::find("every-rule") else { return };
    let verdicts = setup.agrees(&[]);
    assert_eq!(
        verdicts.len(),
        1,
        "all can be asked on the simulator, and it is its own measure: {verdicts:?}"
    );
}

#[test]
fn other_products_agree_with_every_probe_rule() {
    let Some(setup) = Setup::find("products") else { return };
    for soc in ["Ascend910B3", "Ascend910B4", "Ascend950PR_957c"] {
        setup.agrees(&[("SOC", soc)]);
    }
}

#[test]
fn alias_mode_agrees_with_every_probe_rule() {
    let Some(setup) = Setup::find("alias") else { return };
    let verdicts = setup.agrees(&[("ADDR", "alias"), ("SCHEDULE", "random(7)")]);
    assert_eq!(verdicts["allowed"], BTreeSet::from(["S39.address".to_owned()]));
}

#[test]
fn two_device_rules_are_skipped_on_one_device() {
    let Some(setup) = Setup::find("one-device") else { return };
    let missing = &setup.agrees(&[("DEVICES", "1")])["not possible here"];
    for rule in ["topology.neighbour", "topology.others", "S18.copy", "S38.disable", "reduce.peer"] {
        assert!(missing.contains(rule), "{rule} is not in {missing:?}");
    }
}

#[test]
fn a_difference_is_reported_with_the_place_and_ends_with_1() {
    let Some(setup) = Setup::find("difference") else { return };
    let output = setup.run(&[("STRICT", "0")], &["S14.reversed", "S44"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.starts_with("simulator ascend-sim"), "{text}");
    assert!(text.contains("differs: success, the simulator: 107000"), "{text}");
    assert!(text.contains("sys/sim/src/acl/memcpy/direction.rs agrees"), "{text}");
    assert!(text.contains("\n2 agrees, 0 allowed, 1 differs"), "{text}");
}

#[test]
fn setup_failure_gives_no_answer() {
    let Some(setup) = Setup::find("before-the-question") else { return };
    let output = setup.run(&[("FAULTS", "aclrtCreateStream@1=507899")], &["S45.zero-idle"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("no answer: aclrtCreateStream"), "{text}");
}

#[test]
fn a_machine_without_cann_ends_with_2_and_the_reason() {
    let Some(setup) = Setup::find("without") else { return };
    // A text file replaces the library, so that the loader path of this machine is irrelevant.
    let folder = std::env::temp_dir().join(format!("probe-without-{}", std::process::id()));
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("libascendcl.so"), "no library").unwrap();
    let output = setup.run_with(&folder, &[], &[]);
    fs::remove_dir_all(&folder).unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("is not a shared library"), "{text}");
}

/// Something that the simulator assumes.
struct Assumption {
    /// Below `sys/sim/src`.
    file: String,
    /// The function, constant or macro.
    item: String,
    text: String,
}

/// Root of the project.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|end| end == "rs") {
            into.push(path);
        }
    }
}

/// The text of a comment line.
fn comment(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let text = ["///", "//!", "//"].into_iter().find_map(|mark| line.strip_prefix(mark))?;
    Some(text.trim())
}

/// Returns the name of the item that a line of code defines.
fn defined(line: &str) -> Option<&str> {
    let words: Vec<&str> = line.split([' ', '(', '<', ':', '!']).filter(|word| !word.is_empty()).collect();
    let at = words.iter().position(|word| ["fn", "const", "static", "macro_rules"].contains(word))?;
    // `const fn` and `unsafe fn` are functions.
    words[at..].iter().find(|word| !["fn", "const", "static", "macro_rules"].contains(word)).copied()
}

/// The assumptions in a file.
fn assumptions(file: &str, source: &str) -> Vec<Assumption> {
    let lines: Vec<&str> = source.lines().collect();
    let marked = |line: &&str| comment(line).is_some_and(|text| text.contains("Assumed"));
    let starts = (0..lines.len()).filter(|at| marked(&lines[*at]));
    starts.map(|at| assumption(file, &lines, at)).collect()
}

fn assumption(file: &str, lines: &[&str], at: usize) -> Assumption {
    let paragraph: Vec<&str> =
        lines[at..].iter().map_while(|line| comment(line).filter(|text| !text.is_empty())).collect();
    let text = paragraph.join(" ");
    let text = match text.split_once("Assumed: ") {
        // A number needs the sentence that says what about.
        Some((_, number)) if number.starts_with(char::is_numeric) => {
            let above = lines[..at].iter().rev().map_while(|line| comment(line));
            let sentence = above.last().unwrap_or_default();
            &format!("{sentence} {number}")
        }
        Some((_, assumed)) => assumed,
        None => text.strip_suffix(" Assumed.").unwrap_or(&text),
    };
    let text = text.replace("[`", "`").replace("`]", "`");
    let line = lines[at].trim_start();
    let below = || lines[at..].iter().find(|line| comment(line).is_none() && !line.trim().starts_with('#'));
    let item = match (line.starts_with("//!"), line.starts_with("///")) {
        (true, _) => None,
        (_, true) => below().and_then(|line| defined(line)),
        // Inside a function.
        _ => lines[..at].iter().rev().find_map(|line| defined(line).filter(|_| line.contains("fn "))),
    };
    Assumption { file: file.to_owned(), item: item.unwrap_or("").to_owned(), text }
}

/// A rule of the probe, as its source says it.
struct Asked {
    id: String,
    question: String,
    /// Answers of the simulator, by product where they differ.
    simulator: String,
    /// Other correct answers.
    also: Vec<String>,
    file: String,
    /// Functions or constants in the file.
    names: Vec<String>,
}

/// The texts between quotes.
fn literals(source: &str) -> Vec<String> {
    source.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

fn parse_rule(source: &str) -> Asked {
    let words = literals(source);
    let (id, question) = (words[0].clone(), words[1].clone());
    let at =
        words.iter().position(|word| word.contains(".rs ")).unwrap_or_else(|| panic!("{id} has no place"));
    let (file, names) = words[at].split_once(".rs ").unwrap();
    let simulator = match &words[2..at] {
        [] => "by SoC".to_owned(),
        [one] => one.clone(),
        several => several.join(" · "),
    };
    let also = source.split_once(".also(&[").map(|(_, list)| literals(list.split(']').next().unwrap()));
    Asked {
        id,
        question,
        simulator,
        also: also.unwrap_or_default(),
        file: format!("{file}.rs"),
        names: names.split(", ").map(str::to_owned).collect(),
    }
}

/// The subjects in the order of the probe, each with the first sentence of its file, and its rules.
fn subjects() -> Vec<(String, Vec<Asked>)> {
    let folder = root().join("sys/examples/probe");
    let list = fs::read_to_string(folder.join("rules.rs")).unwrap();
    let names = list.lines().filter_map(|line| line.trim().strip_suffix("::RULES,"));
    let subject = |name: &str| {
        let source = fs::read_to_string(folder.join(format!("rules/{name}.rs"))).unwrap();
        let heading = source.lines().find_map(|line| line.strip_prefix("//! ")).unwrap();
        let heading = heading.split(". ").next().unwrap().trim_end_matches('.').to_owned();
        (heading, source.split("Rule::new(").skip(1).map(parse_rule).collect())
    };
    names.map(subject).collect()
}

fn rules() -> Vec<Asked> {
    subjects().into_iter().flat_map(|(_, rules)| rules).collect()
}

fn all_assumptions() -> Vec<Assumption> {
    let folder = root().join("sys/sim/src");
    let mut files = Vec::new();
    sources(&folder, &mut files);
    files.sort();
    let read = |path: &PathBuf| {
        let file = path.strip_prefix(&folder).unwrap().display().to_string();
        assumptions(&file, &fs::read_to_string(path).unwrap())
    };
    files.iter().flat_map(read).collect()
}

/// Returns the questions for hardware, as tables of the document.
fn rule_tables() -> String {
    let mut text = String::new();
    for (heading, rules) in subjects() {
        text.push_str(&format!(
            "### {heading}\n| rule | question | the simulator | decided in |\n|---|---|---|---|\n"
        ));
        for Asked { id, question, simulator, also, file, names } in rules {
            let also = if also.is_empty() { String::new() } else { format!(" (or {})", also.join(", ")) };
            let names = names.join("`, `");
            text.push_str(&format!("| `{id}` | {question} | {simulator}{also} | `{file}` `{names}` |\n"));
        }
        text.push('\n');
    }
    text
}

/// Returns the assumptions of the simulator, as the table of the document.
fn assumption_table() -> String {
    let rules = rules();
    let mut text = "| where in `sys/sim/src` | assumed | asked by |\n|---|---|---|\n".to_owned();
    for Assumption { file, item, text: assumed } in all_assumptions() {
        let asks = |rule: &&Asked| rule.file == file && rule.names.contains(&item);
        let ids: Vec<String> = rules.iter().filter(asks).map(|rule| format!("`{}`", rule.id)).collect();
        let asked = if ids.is_empty() { "—".to_owned() } else { ids.join(", ") };
        let place = if item.is_empty() { format!("`{file}`") } else { format!("`{file}` `{item}`") };
        text.push_str(&format!("| {place} | {} | {asked} |\n", assumed.replace('|', "\\|")));
    }
    text
}

/// Puts `part` between the marks of that name, or, unless the tables are to be written, checks that it is
/// there.
fn compare(name: &str, part: &str) {
    // Two tests write the same file.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap();
    let path = root().join("docs/hardware-bring-up.md");
    let document = fs::read_to_string(&path).unwrap();
    let begin = format!("<!-- {name}: written by scripts/regen_docs -->\n");
    let end = format!("<!-- end of {name} -->");
    let (head, rest) = document.split_once(&begin).unwrap();
    let (present, tail) = rest.split_once(&end).unwrap();
    if std::env::var_os("MF_TEST_REGENERATE").is_some() {
        fs::write(&path, format!("{head}{begin}{part}{end}{tail}")).unwrap();
        return;
    }
    assert!(present == part, "{} is out of date: run scripts/regen_docs", path.display());
}

#[test]
fn the_document_lists_every_assumption_of_the_simulator() {
    compare("assumptions", &assumption_table());
}

#[test]
fn the_document_lists_every_rule_of_the_probe() {
    compare("rules", &rule_tables());
}

#[test]
fn every_rule_names_an_existing_source() {
    let mut ids = BTreeSet::new();
    for Asked { id, file, names, .. } in rules() {
        let source = fs::read_to_string(root().join("sys/sim/src").join(&file));
        let source = source.unwrap_or_else(|error| panic!("{id}: {file}: {error}"));
        for name in names {
            assert!(source.lines().any(|line| defined(line) == Some(&name)), "{id}: {file} has no {name}");
        }
        assert!(ids.insert(id.clone()), "{id} is there twice");
    }
}

#[test]
fn assumptions_are_found_with_their_items() {
    let source = "\
/// A first line. Assumed: one thing,
/// on two lines.
///
/// More.
#[inline]
pub(super) const fn first(x: u32) -> u32 {
    // Assumed: another.
}
/// A number. Assumed.
const SECOND: u64 = 8;
fn assumed() {}
";
    let found = assumptions("a.rs", source);
    let pairs: Vec<(&str, &str)> = found.iter().map(|one| (one.item.as_str(), one.text.as_str())).collect();
    assert_eq!(
        pairs,
        [("first", "one thing, on two lines."), ("first", "another."), ("SECOND", "A number.")]
    );
}
