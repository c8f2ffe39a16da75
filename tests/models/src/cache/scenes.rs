// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Programs that are explored, and the guards.

use super::{Cache, ENDS, FOUND, Guards, LEASED, MEMBERS, NOT_OVER, Operation, WHOLE};
use crate::check::Taken;
use crate::code::Guard;

const PUT: Operation = Operation::Put { replicas: 1, far: false };
const FAR: Operation = Operation::Put { replicas: 1, far: true };
const TWICE: Operation = Operation::Put { replicas: 2, far: false };
use Operation::{Evict, Get, Lease, Remove};

/// Name, programs, deaths.
type Scene = (&'static str, [&'static [Operation]; MEMBERS], u32);

const SCENES: &[Scene] = &[
    ("replacement", [&[Get], &[PUT, PUT], &[FAR]], 1),
    ("a writer dies", [&[], &[PUT, Remove, Get], &[FAR]], 2),
    ("reuse", [&[Get], &[PUT, Remove, PUT], &[]], 2),
    ("eviction", [&[Remove, Get], &[PUT], &[FAR, Evict]], 2),
    ("eviction of an orphan", [&[], &[PUT, Evict, Remove, Get], &[FAR]], 2),
    ("eviction after a death", [&[], &[PUT], &[PUT, Evict, Get]], 1),
    ("leases", [&[Lease], &[PUT, Evict, PUT], &[]], 2),
    ("lease of a leaving block", [&[Remove], &[PUT, Evict], &[Lease, Get]], 1),
    ("replicas", [&[Get], &[TWICE], &[Remove]], 2),
    ("replaced replicas", [&[], &[TWICE], &[FAR, Get]], 2),
];

/// The models of all scenes.
pub fn scenes(guards: &Guards, only: Option<&str>) -> Vec<Cache> {
    let model = |(name, programs, deaths): &Scene| Cache {
        name,
        programs: *programs,
        deaths: *deaths,
        is_strict: false,
        guards: *guards,
        taken: Taken::default(),
    };
    SCENES.iter().filter(|scene| only.is_none_or(|only| only == scene.0)).map(model).collect()
}

const PUBLISH: &str = "core/cache/src/publish.rs";
const INDEX: &str = "core/cache/src/index.rs";
const EVICT: &str = "core/cache/src/evict.rs";

/// The guards, each with the property that fails without it.
pub const GUARDS: &[Guard<Guards>] = &[
    Guard {
        name: "a new value records the blocks that it replaces",
        file: PUBLISH,
        text: "block::set_replaced(self.memory, *block, stamp, &named)",
        scene: "a writer dies",
        off: |guards| guards.records_replaced = false,
        property: NOT_OVER,
    },
    Guard {
        name: "a removal retires the blocks that a block had replaced",
        file: PUBLISH,
        text: "self.retire_replaced(block, head, depth)?;",
        scene: "a writer dies",
        off: |guards| guards.retires_replaced = false,
        property: NOT_OVER,
    },
    Guard {
        name: "an eviction retires them, too",
        file: EVICT,
        text: "index.retire_replaced(spot, head, 0)?;",
        scene: "eviction of an orphan",
        off: |guards| guards.evicts_replaced = false,
        property: NOT_OVER,
    },
    Guard {
        name: "a get reads the head again after the copy",
        file: "core/cache/src/read.rs",
        text: "head.is_intact(&self.memory, block)",
        scene: "reuse",
        off: |guards| guards.verifies_copies = false,
        property: WHOLE,
    },
    Guard {
        name: "a lock is taken from dead holders only",
        file: INDEX,
        text: "Some(holder) => is_due && !self.is_alive(holder),",
        scene: "replicas",
        off: |guards| guards.takes_from_dead_only = false,
        property: NOT_OVER,
    },
    Guard {
        name: "a lock is taken from dead holders",
        file: INDEX,
        text: "if may_take && self.memory.compare_swap(at, now.0, mine.0)? == now.0",
        scene: "replacement",
        off: |guards| guards.takes_from_dead = false,
        property: ENDS,
    },
    Guard {
        name: "an eviction reads the lease after it has marked the block",
        file: EVICT,
        text: "if block::lease(memory, spot)? > now {",
        scene: "leases",
        off: |guards| guards.reads_lease_again = false,
        property: LEASED,
    },
    Guard {
        name: "a lease counts if the block is the same after it was written",
        file: "core/cache/src/read.rs",
        text: "if leased && is_same {",
        scene: "leases",
        off: |guards| guards.confirms_lease = false,
        property: LEASED,
    },
    Guard {
        name: "nothing is evicted while an index is rebuilt",
        file: EVICT,
        text: "if index.view.has_lost",
        scene: "eviction after a death",
        off: |guards| guards.eviction_waits = false,
        property: NOT_OVER,
    },
    Guard {
        name: "nothing is removed while an index is rebuilt",
        file: "core/cache/src/write.rs",
        text: "match index.view.has_lost {",
        scene: "a writer dies",
        off: |guards| guards.removal_waits = false,
        property: NOT_OVER,
    },
    Guard {
        name: "a block that is published again yields to a later version",
        file: PUBLISH,
        text: "others.iter().any(|other| other.head.state.version() > head.state.version())",
        scene: "eviction after a death",
        off: |guards| guards.yields_to_later = false,
        property: NOT_OVER,
    },
    Guard {
        name: "a replica is added to the present value only",
        file: PUBLISH,
        text: "if !there.contains(&block) || !is_latest || !is_wanted {",
        scene: "replicas",
        off: |guards| guards.adds_to_latest_only = false,
        property: NOT_OVER,
    },
    Guard {
        name: "an adopter gives unfinished blocks up",
        file: "core/cache/src/arena.rs",
        text: "block::set_state(memory, spot, head.state.to(Phase::Retired))?;",
        scene: "replacement",
        off: |guards| guards.gives_up_unfinished = false,
        property: WHOLE,
    },
    Guard {
        name: "a put that begins again leaves its own blocks in their slots",
        file: PUBLISH,
        text: "partition(|entry| blocks.contains(&entry.slot.block()))",
        scene: "replacement",
        off: |guards| guards.keeps_own_slots = false,
        property: FOUND,
    },
    Guard {
        name: "an adopter goes on with an eviction",
        file: "core/cache/src/arena.rs",
        text: "Phase::Leaving => self.leaving.push(at),",
        scene: "eviction",
        off: |guards| guards.finishes_evictions = false,
        property: NOT_OVER,
    },
    Guard {
        name: "a block that is being evicted is retired, too",
        file: PUBLISH,
        text: "Phase::Live | Phase::Leaving",
        scene: "lease of a leaving block",
        off: |guards| guards.retires_leaving = false,
        property: NOT_OVER,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::Kind;
    use crate::check::{Explored, assert_guards, counterexample, explore};

    #[test]
    fn values_are_whole_and_removed_ones_stay_away() {
        let models = scenes(&Guards::default(), None);
        let all = models.into_iter().map(|model| explore(model.name, model));
        all.fold(Explored::default(), Explored::and).assert_bound::<Kind>();
    }

    /// A limit that the page of the proofs names, and the condition that the real code does without.
    #[test]
    fn replaced_value_may_come_back_if_the_new_one_is_lost_unless_puts_wait() {
        let found = |puts_wait| {
            let guards = Guards { puts_wait, ..Guards::default() };
            let models = scenes(&guards, Some("replaced replicas")).into_iter();
            let mut strict = models.map(|model| Cache { is_strict: true, ..model });
            strict.find_map(|model| counterexample(model, NOT_OVER))
        };
        let steps = found(false).expect("the page names this limit");
        println!("a replaced value comes back with the new one lost after {} steps", steps.len());
        assert_eq!(found(true), None);
    }

    #[test]
    fn each_guard_of_the_cache_is_needed() {
        assert_guards(GUARDS, scenes);
    }
}
