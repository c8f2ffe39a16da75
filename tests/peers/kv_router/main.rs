// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Reads batches of KV-cache events with Dynamo's decoder, applies them to its index, and checks lookups.
//! `publish.py` writes the lines of stdin:
//!
//! ```text
//! batch HEX         a payload as it was published
//! filtered WORD     the router filters an event of the last batch, for this reason
//! tier WORD         the router files all events of the last batch under this tier
//! found N TOKEN…    the index has the first N blocks of a prompt
//! ```

use std::io::BufRead;

use dynamo_kv_router::RadixTree;
use dynamo_kv_router::protocols::{
    BlockHashOptions, PlacementEvent, WorkerWithDpRank, compute_block_hash_for_seq,
};
use dynamo_kv_router::zmq_wire::{ZmqEventNormalizer, decode_event_batch};

const BLOCK_SIZE: u32 = 4;
const WORKER: WorkerWithDpRank = WorkerWithDpRank { worker_id: 7, dp_rank: 0 };

fn main() {
    let mut router = Router::default();
    let mut checks = 0;
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("stdin is text");
        let (verb, rest) = line.split_once(' ').expect("a word, a space, and more");
        match verb {
            "batch" => router.apply(&bytes(rest)),
            "filtered" => assert!(router.filtered.contains(&rest), "{rest}: {:?}", router.filtered),
            "tier" => {
                assert!(!router.tiers.is_empty());
                assert!(router.tiers.iter().all(|tier| tier == rest), "{rest}: {:?}", router.tiers);
            }
            "found" => {
                let numbers: Vec<u32> = rest.split(' ').map(|word| word.parse().expect("a number")).collect();
                assert_eq!(router.find(&numbers[1..]), numbers[0], "{line}");
            }
            _ => panic!("unknown line: {line}"),
        }
        checks += usize::from(verb != "batch");
    }
    assert!(checks > 0, "nothing was checked");
    println!("{checks} checks passed, {} batches applied", router.batches);
}

struct Router {
    normalizer: ZmqEventNormalizer,
    tree: RadixTree,
    batches: u64,
    next_event: u64,
    /// Reasons and tiers of the events of the last batch.
    filtered: Vec<&'static str>,
    tiers: Vec<String>,
}

impl Default for Router {
    fn default() -> Self {
        Self {
            normalizer: ZmqEventNormalizer::new(BLOCK_SIZE),
            tree: RadixTree::new(),
            batches: 0,
            next_event: 0,
            filtered: Vec::new(),
            tiers: Vec::new(),
        }
    }
}

impl Router {
    fn apply(&mut self, payload: &[u8]) {
        let batch = decode_event_batch(payload).expect("the router decodes the batch");
        assert!(batch.ts > 1.0e9, "the time is in seconds since 1970: {}", batch.ts);
        self.batches += 1;
        self.filtered.clear();
        self.tiers.clear();
        for event in batch.events {
            match self.normalizer.preprocess_with_reason(event, WORKER) {
                Err(reason) => self.filtered.push(reason.as_label()),
                Ok(event) => {
                    let placed = self.normalizer.normalize_preprocessed(event, self.next_event, WORKER);
                    self.next_event += 1;
                    self.index(placed.expect("the router converts the event"));
                }
            }
        }
    }

    fn index(&mut self, placed: PlacementEvent) {
        self.tiers.push(format!("{:?}", placed.placement.tier));
        let event = placed.into_router_event().expect("the event belongs to the worker");
        self.tree.apply_event(event).expect("the index takes the event");
    }

    fn find(&self, tokens: &[u32]) -> u32 {
        let hashes = compute_block_hash_for_seq(tokens, BLOCK_SIZE, BlockHashOptions::default());
        self.tree.find_matches(hashes, false).scores.get(&WORKER).copied().unwrap_or(0)
    }
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hexadecimal digits"))
        .collect()
}
