// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Exploration of models.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};

use stateright::{Checker, HasDiscoveries, Model};

use crate::code::{Code, Guard, assert_documented, assert_function, assert_guard};

/// Kind of a step.
pub trait Kind: Copy + Debug + PartialEq + 'static {
    /// All kinds.
    const ALL: &'static [Self];

    /// The function that takes the step.
    fn code(self) -> Code;

    /// Position in `ALL`.
    fn number(self) -> u32;
}

/// A step of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step<K> {
    /// Kind of the step.
    pub kind: K,
    /// The member that takes it.
    pub by: u8,
    /// Another member, or a choice; 0 without one.
    pub on: u8,
}

/// The kinds of steps that an exploration has taken.
#[derive(Default)]
pub struct Taken(AtomicU64);

impl Taken {
    /// Notes that a step of this kind was taken.
    pub fn note(&self, kind: impl Kind) {
        self.0.fetch_or(1 << kind.number(), Ordering::Relaxed);
    }
}

/// A model of a protocol with guards.
pub trait Protocol: Model<Action = Step<Self::Kind>> + Send + Sync + 'static
where
    Self::State: Clone + Debug + Hash + PartialEq + Send + Sync,
{
    /// Kinds of its steps.
    type Kind: Kind;

    /// The steps that were taken.
    fn taken(&self) -> &Taken;
}

/// A step of a trace that a model does not take, or that breaks a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// Number of steps before it.
    pub at: usize,
    /// The step and the reason.
    pub because: String,
}

/// Takes the steps of a trace, which a simulation of the real code has recorded, from the first state of a
/// model on. Returns the last state.
///
/// # Errors
/// A step is not one of the model in its state, or a property fails after it.
pub fn replay<P: Protocol>(model: &P, trace: &[Step<P::Kind>]) -> Result<P::State, Rejected>
where
    P::State: Clone + Debug + Hash + PartialEq + Send + Sync,
{
    let rejected = |at, because| Rejected { at, because };
    let Some(mut state) = model.init_states().into_iter().next() else {
        return Err(rejected(0, "a model without states".to_owned()));
    };
    for (at, step) in trace.iter().enumerate() {
        let mut steps = Vec::new();
        model.actions(&state, &mut steps);
        let next = steps.contains(step).then(|| model.next_state(&state, *step)).flatten();
        let Some(next) = next else {
            let because = format!("{step:?} is none of {steps:?} in {state:#?}");
            return Err(rejected(at, because));
        };
        state = next;
        let properties = model.properties();
        if let Some(property) = properties.iter().find(|property| !(property.condition)(model, &state)) {
            return Err(rejected(at, format!("not `{}` after {step:?} in {state:#?}", property.name)));
        }
    }
    Ok(state)
}

/// Result of an exploration.
#[derive(Clone, Copy, Debug, Default)]
pub struct Explored {
    /// Number of different states.
    pub states: usize,
    /// Steps to the farthest state.
    pub depth: usize,
    taken: u64,
}

impl Explored {
    /// Adds the result of another exploration of the same model.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let (states, depth) = (self.states + other.states, self.depth.max(other.depth));
        Self { states, depth, taken: self.taken | other.taken }
    }

    /// Panics unless every kind of step was taken, and names a function that is there.
    pub fn assert_bound<K: Kind>(&self) {
        for kind in K::ALL {
            assert!(self.taken & 1 << kind.number() != 0, "no state leads to the step {kind:?}");
            assert_function(kind.code());
        }
    }
}

/// Explores all states, as many as the page of the models has of this scene. Panics with the path to the
/// first state in which a property fails.
pub fn explore<P: Protocol>(name: &str, model: P) -> Explored
where
    P::State: Clone + Debug + Hash + PartialEq + Send + Sync,
{
    let checker = model.checker().threads(2).finish_when(HasDiscoveries::AnyFailures).spawn_bfs().join();
    if let Some((property, path)) = checker.discoveries().into_iter().next() {
        let last = path.last_state().clone();
        let steps: Vec<_> = path.into_actions().iter().map(|step| format!("{step:?}")).collect();
        panic!("{name}: not `{property}`, after\n{}\nin {last:#?}", steps.join("\n"));
    }
    let taken = checker.model().taken().0.load(Ordering::Relaxed);
    let explored = Explored { states: checker.unique_state_count(), depth: checker.max_depth(), taken };
    println!("{name}: {} states, up to {} steps", explored.states, explored.depth);
    assert_documented(&format!("| {name} | {} |", explored.states));
    explored
}

/// Returns the steps to a state in which the property fails; `None` if it holds in all.
pub fn counterexample<P: Protocol>(model: P, property: &'static str) -> Option<Vec<P::Action>>
where
    P::State: Clone + Debug + Hash + PartialEq + Send + Sync,
{
    let until = HasDiscoveries::AnyOf(BTreeSet::from([property]));
    let checker = model.checker().threads(2).finish_when(until).spawn_bfs().join();
    checker.discovery(property).map(stateright::Path::into_actions)
}

/// Switches each guard off in turn, and panics unless its property fails then in the model of its
/// scene, which `models` makes.
pub fn assert_guards<P, G>(guards: &[Guard<G>], models: impl Fn(&G, Option<&str>) -> Vec<P>)
where
    P: Protocol,
    P::State: Clone + Debug + Hash + PartialEq + Send + Sync,
    G: Default,
{
    let mut missed = Vec::new();
    for guard in guards {
        assert_guard(guard);
        let mut without = G::default();
        (guard.off)(&mut without);
        match models(&without, Some(guard.scene))
            .into_iter()
            .find_map(|model| counterexample(model, guard.property))
        {
            Some(steps) => {
                println!("without `{}`: not `{}` after {} steps", guard.name, guard.property, steps.len());
            }
            None => missed.push(guard.name),
        }
    }
    assert!(missed.is_empty(), "nothing fails without {missed:?}");
}
