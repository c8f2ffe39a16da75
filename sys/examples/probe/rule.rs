// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Rules, their answers, and the verdict on an answer.

use ascend_acl_sys::{AclError, Library};

use crate::cann::{Cann, Machine, Product};
use crate::pair::Talk;

/// A question that only hardware can answer.
pub(crate) struct Rule {
    /// The rule of the interface that it belongs to, and a word.
    pub(crate) id: &'static str,
    pub(crate) question: &'static str,
    /// Answer of the simulator.
    pub(crate) simulator: Expected,
    /// Other correct answers.
    pub(crate) also: &'static [&'static str],
    /// Code of the simulator that decides it: a file below `sys/sim/src`, and functions or constants in it.
    pub(crate) place: &'static str,
    /// State required before the question.
    pub(crate) start: Start,
    /// Variables of the environment of its process.
    pub(crate) environment: &'static [(&'static str, &'static str)],
    pub(crate) ask: Ask,
    /// The second process, if the question needs one.
    pub(crate) peer: Option<Part>,
}

/// Puts a question.
pub(crate) type Ask = fn(&Cann) -> Result<Answer, Stop>;
/// Does the part of the second process.
pub(crate) type Part = fn(&Cann, &mut Talk) -> Result<(), Stop>;

/// Answer of the simulator, by product where they differ.
pub(crate) enum Expected {
    Always(&'static str),
    /// A2, A3, 950.
    By([&'static str; 3]),
    /// By SoC name.
    Of(fn(&str) -> &'static str),
}

/// Setup of a probe before its question.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    /// The libraries are open.
    Opened,
    /// ACL is initialised.
    Initialised,
    /// The thread has its device.
    Device,
}

/// Observed behaviour of CANN.
pub(crate) struct Answer {
    /// In short, to be compared: `success`, a code, a value.
    pub(crate) found: String,
    /// In its own words, if it has any.
    pub(crate) text: String,
}

/// Why a question was not put.
pub(crate) enum Stop {
    /// Something is missing that the question is about.
    NotHere(String),
    /// A call before the question failed.
    Before(String),
}

/// Verdict on an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// As the simulator.
    Agrees,
    /// Otherwise, and right as well.
    Allowed,
    /// Otherwise: the simulator is to be changed.
    Differs,
    /// Not asked.
    NotHere,
    /// No answer: a crash, a hang, or an earlier call that failed.
    Unanswered,
}

/// Outcome of a question.
pub(crate) enum Reply {
    Answer(Answer),
    NotHere(String),
    Unanswered(String),
}

impl Rule {
    /// A rule with one answer, asked with a device.
    pub(crate) const fn new(
        id: &'static str,
        question: &'static str,
        simulator: Expected,
        place: &'static str,
        ask: Ask,
    ) -> Self {
        Self {
            id,
            question,
            simulator,
            also: &[],
            place,
            start: Start::Device,
            environment: &[],
            ask,
            peer: None,
        }
    }

    pub(crate) const fn also(mut self, also: &'static [&'static str]) -> Self {
        self.also = also;
        self
    }

    pub(crate) const fn starting(mut self, start: Start) -> Self {
        self.start = start;
        self
    }

    pub(crate) const fn within(mut self, environment: &'static [(&'static str, &'static str)]) -> Self {
        self.environment = environment;
        self
    }

    pub(crate) const fn with_peer(mut self, peer: Part) -> Self {
        self.peer = Some(peer);
        self
    }

    /// Returns true if a name on the command line selects this rule.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.id == name || self.id.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'))
    }

    /// Returns the simulator's answer for this machine.
    pub(crate) fn expected(&self, machine: &Machine) -> &'static str {
        match self.simulator {
            Expected::Always(answer) => answer,
            Expected::By([a2, a3, a5]) => match machine.product {
                Product::A2 => a2,
                Product::A3 => a3,
                Product::A5 => a5,
            },
            Expected::Of(find) => find(&machine.soc),
        }
    }

    /// Compares a reply with the expected answers.
    pub(crate) fn evaluate(&self, machine: &Machine, reply: &Reply) -> Verdict {
        match reply {
            Reply::Answer(answer) if answer.found == self.expected(machine) => Verdict::Agrees,
            Reply::Answer(answer) if self.also.contains(&answer.found.as_str()) => Verdict::Allowed,
            Reply::Answer(_) => Verdict::Differs,
            Reply::NotHere(_) => Verdict::NotHere,
            Reply::Unanswered(_) => Verdict::Unanswered,
        }
    }
}

impl Answer {
    /// A value.
    pub(crate) fn value(found: impl Into<String>) -> Self {
        Self { found: found.into(), text: String::new() }
    }

    /// Renders the result of one call.
    pub(crate) fn from_outcome<T>(outcome: &Result<T, AclError>) -> Result<Self, Stop> {
        match outcome {
            Ok(_) => Ok(Self::value("success")),
            Err(error) => match error.code() {
                Some(_) => Ok(Self { found: code_of(error), text: error.to_string() }),
                None => Err(Stop::NotHere(error.to_string())),
            },
        }
    }

    /// Renders the results of several calls in order.
    pub(crate) fn of_all<T>(outcomes: &[Result<T, AclError>]) -> Result<Self, Stop> {
        let answers: Vec<Self> = outcomes.iter().map(Self::from_outcome).collect::<Result<_, _>>()?;
        let found: Vec<String> = answers.iter().map(|answer| answer.found.clone()).collect();
        let text = answers.into_iter().map(|answer| answer.text).find(|text| !text.is_empty());
        Ok(Self { found: found.join(", "), text: text.unwrap_or_default() })
    }
}

/// Renders a code, with its library if that has its own numbers.
pub(crate) fn code_of(error: &AclError) -> String {
    let code = error.code().map_or_else(|| "no code".to_owned(), |code| code.to_string());
    match error.library() {
        Library::Acl | Library::Runtime => code,
        Library::Hal => format!("driver {code}"),
        Library::Hccl => format!("hccl {code}"),
    }
}

/// A call before a question.
impl From<AclError> for Stop {
    fn from(error: AclError) -> Self {
        if error.is_not_supported() {
            Self::NotHere(error.to_string())
        } else {
            Self::Before(error.to_string())
        }
    }
}

impl Verdict {
    /// In words.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Allowed => "allowed",
            Self::Differs => "differs",
            Self::NotHere => "not possible here",
            Self::Unanswered => "no answer",
        }
    }
}
