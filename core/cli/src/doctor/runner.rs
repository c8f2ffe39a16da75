// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Runs checks side by side, each in a thread of its own, so that none waits for another and a check that
//! hangs costs nothing but its own result.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::finding::Finding;

/// A check that is to be run.
pub(super) struct Check {
    pub(super) name: &'static str,
    pub(super) work: Box<dyn FnOnce() -> Vec<Finding> + Send>,
}

/// Outcome of a check.
pub(super) struct Outcome {
    pub(super) name: &'static str,
    pub(super) findings: Vec<Finding>,
    /// Duration; `None` if it did not end.
    pub(super) took: Option<Duration>,
}

/// After this time the first line of progress, and one after each such time from then on.
const FIRST_PROGRESS: Duration = Duration::from_secs(2);
const NEXT_PROGRESS: Duration = Duration::from_secs(5);

/// Runs all; checks without a result after `limit` get a timeout finding, and are abandoned. `progress`
/// receives the names of running checks.
pub(super) fn run(checks: Vec<Check>, limit: Duration, progress: impl Fn(&[&str], Duration)) -> Vec<Outcome> {
    let started = Instant::now();
    let (sender, results) = channel();
    let mut outcomes: Vec<Outcome> = Vec::with_capacity(checks.len());
    for (index, check) in checks.into_iter().enumerate() {
        let (sender, name) = (sender.clone(), check.name);
        let work = move || {
            let findings = (check.work)();
            // The receiver is gone after the limit.
            let _ = sender.send((index, findings, started.elapsed()));
        };
        let begun = std::thread::Builder::new().name(format!("mf-{name}")).spawn(work);
        let findings = match begun {
            Ok(_) => Vec::new(),
            Err(error) => vec![Finding::error(
                format!("no thread can be started for this check: {error}"),
                "raise the number of processes and threads: ulimit -u",
            )],
        };
        outcomes.push(Outcome { name, findings, took: None });
    }
    drop(sender);
    let mut next = FIRST_PROGRESS;
    loop {
        let until = next.min(limit);
        match results.recv_timeout(until.saturating_sub(started.elapsed())) {
            Ok((index, findings, took)) => {
                if let Some(outcome) = outcomes.get_mut(index) {
                    outcome.findings = findings;
                    outcome.took = Some(took);
                }
            }
            Err(RecvTimeoutError::Timeout) if until < limit => {
                let waiting: Vec<&str> =
                    outcomes.iter().filter(|one| one.is_open()).map(|one| one.name).collect();
                progress(&waiting, started.elapsed());
                next += NEXT_PROGRESS;
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
        }
    }
    let is_late = started.elapsed() >= limit;
    for outcome in outcomes.iter_mut().filter(|one| one.is_open()) {
        outcome.findings = vec![unfinished(outcome.name, limit, is_late)];
    }
    outcomes
}

impl Outcome {
    fn is_open(&self) -> bool {
        self.took.is_none() && self.findings.is_empty()
    }
}

fn unfinished(name: &str, limit: Duration, is_late: bool) -> Finding {
    let remedy = format!("give it more time alone: mf doctor --only {name} --timeout 120");
    if is_late {
        let text = format!("this check had no result after {} s", limit.as_secs_f64());
        return Finding::warning(text, remedy);
    }
    Finding::warning("this check ended without a result, by a fault of its own", remedy)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender};

    use super::super::finding::Severity;
    use super::*;

    fn check(name: &'static str, work: impl FnOnce() -> Vec<Finding> + Send + 'static) -> Check {
        Check { name, work: Box::new(work) }
    }

    #[test]
    fn results_follow_the_order_of_checks() {
        let (go, wait): (Sender<()>, Receiver<()>) = channel();
        let late = check("first", move || {
            wait.recv().unwrap();
            vec![Finding::ok("first")]
        });
        let early = check("second", move || {
            go.send(()).unwrap();
            vec![Finding::note("second")]
        });
        let outcomes = run(vec![late, early], Duration::from_secs(600), |_, _| {});
        let texts: Vec<&str> = outcomes.iter().map(|one| one.findings[0].text.as_str()).collect();
        assert_eq!(texts, ["first", "second"]);
        assert!(outcomes.iter().all(|one| one.took.is_some()));
    }

    #[test]
    fn hanging_check_is_abandoned_and_named() {
        let (_keep, wait): (Sender<()>, Receiver<()>) = channel();
        let hanging = check("hanging", move || {
            let _ = wait.recv();
            Vec::new()
        });
        let outcomes = run(vec![hanging], Duration::from_millis(50), |_, _| {});
        assert_eq!(outcomes[0].findings[0].severity, Severity::Warning);
        assert!(outcomes[0].findings[0].text.contains("no result after 0.05 s"));
        assert!(outcomes[0].took.is_none());
    }

    #[test]
    fn panicking_check_is_reported_and_others_complete() {
        let broken = check("broken", || panic!("this panic belongs to the test"));
        let whole = check("whole", || vec![Finding::ok("done")]);
        let outcomes = run(vec![broken, whole], Duration::from_secs(600), |_, _| {});
        assert!(outcomes[0].findings[0].text.contains("fault of its own"));
        assert_eq!(outcomes[1].findings[0].text, "done");
    }
}
