// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Probe of undocumented behaviour of this machine's CANN.
//!
//! The simulator has to answer every call, including calls whose hardware behaviour is undocumented. Each
//! such assumption is a *rule* here: one question, the simulator's answer, and a probe that puts the question
//! to the CANN found by the loader. If hardware answers differently, the simulator has one function to
//! change; the rule names it. The document `docs/hardware-bring-up.md` lists the rules in the order in which
//! to ask them.
//!
//! ```text
//! cargo run --release -p ascend-acl-sys --example probe [-- [--json] [--device N] [--library PATH] RULE…]
//! ```
//!
//! Every rule runs in a fresh process ([`child`]), because a question may crash or hang the libraries, and
//! some concern initialization. Rules about several processes start one more ([`pair`]). A probe allocates
//! little, uses its own streams, and releases everything ([`owned`]); the end of its process releases the
//! rest.
//!
//! * [`rule`]: rules, and verdicts on answers. [`rules`]: all of them.
//! * [`cann`]: the libraries as probes use them.
//! * [`report`] writes the output.

#![expect(unsafe_code, reason = "calls into foreign libraries are what the probe is")]

mod cann;
mod child;
mod options;
mod owned;
mod pair;
mod report;
mod rule;
mod rules;

use std::process::ExitCode;

use options::{Options, Task};
use report::Report;
use rule::Rule;

fn main() -> ExitCode {
    let outcome = Options::parse(std::env::args().skip(1)).and_then(|options| match &options.task {
        Task::Help => report::help(),
        Task::List => report::list(&chosen(&options)?),
        Task::Describe => child::describe(&options),
        Task::Answer(id) => child::answer(&options, rule_named(id)?),
        Task::Accompany(id) => pair::accompany(&options, rule_named(id)?),
        Task::Ask => query_rules(&options),
    });
    match outcome {
        Ok(status) => ExitCode::from(status),
        Err(why) => report::refuse(&why),
    }
}

/// Asks all chosen rules, one after the other. 0 when the simulator is right everywhere, 1 when it is not.
fn query_rules(options: &Options) -> Result<u8, String> {
    let chosen = chosen(options)?;
    let machine = child::query_machine(options)?;
    let mut report = Report::begin(options.json, machine)?;
    for rule in chosen {
        let reply = child::query(options, rule);
        report.add(rule, reply)?;
    }
    report.end()
}

/// The rules that the command line names, by id or the start of one.
fn chosen(options: &Options) -> Result<Vec<&'static Rule>, String> {
    let all = rules::all();
    for name in &options.rules {
        if !all.iter().any(|rule| rule.is_called(name)) {
            return Err(format!("there is no rule {name}; --list shows all"));
        }
    }
    let is_chosen =
        |rule: &&Rule| options.rules.is_empty() || options.rules.iter().any(|name| rule.is_called(name));
    Ok(all.into_iter().filter(is_chosen).collect())
}

fn rule_named(id: &str) -> Result<&'static Rule, String> {
    rules::all().into_iter().find(|rule| rule.id == id).ok_or_else(|| format!("there is no rule {id}"))
}
