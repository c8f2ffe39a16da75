// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests of sessions; the test itself plays the store.

mod memories;
mod resume;
mod watching;

use mf_base::Rank;

use super::*;
use crate::api::{Entry, LeaseId, Lifetime};

const FIRST: [u8; 16] = [1; 16];
const SECOND: [u8; 16] = [2; 16];
const NEVER: Micros = 3_600_000_000;

fn welcome(store: [u8; 16], term: u64, revision: u64) -> Welcome {
    Welcome {
        proof: [0; 32],
        rank: Some(3),
        world_size: 8,
        session: 40,
        job_token: [0; 32],
        store,
        term,
        standing: Standing { epoch: 5, members: 4, host_session: None },
        revision,
    }
}

/// A machine that is linked to the first store.
fn linked() -> ClientMachine {
    let mut machine = ClientMachine::new([9; 16]);
    assert_eq!(machine.on_welcome(0, &welcome(FIRST, 1, 10)), []);
    machine
}

fn set(key: &str, value: &str) -> Request {
    Request::Set { key: key.into(), value: value.into(), lifetime: Lifetime::Permanent }
}

fn entry(key: &str, value: &str, revision: u64, owner: Option<u32>) -> Entry {
    Entry { key: key.into(), value: value.into(), revision, owner: owner.map(Rank) }
}

/// Begins a request and checks that it is sent at once; returns its number.
fn begin(machine: &mut ClientMachine, request: Request) -> u64 {
    let (sequence, effects) = machine.begin(0, request, NEVER).unwrap();
    assert_eq!(sent(&effects), [sequence]);
    sequence
}

/// Begins a request and answers it.
fn done(machine: &mut ClientMachine, request: Request, answer: Answer) -> Vec<Effect> {
    let sequence = begin(machine, request);
    let effects = machine.on_reply(0, sequence, Ok(answer.clone()));
    assert_eq!(completed(&effects), [(sequence, Ok(answer))]);
    effects
}

fn sent(effects: &[Effect]) -> Vec<u64> {
    let sent = effects.iter().filter_map(|effect| match effect {
        Effect::Send { sequence, .. } => Some(*sequence),
        _ => None,
    });
    sent.collect()
}

fn requests(effects: &[Effect]) -> Vec<&Request> {
    let sent = effects.iter().filter_map(|effect| match effect {
        Effect::Send { message, .. } => Some(&message.request),
        _ => None,
    });
    sent.collect()
}

fn completed(effects: &[Effect]) -> Vec<(u64, Result<Answer, Failure>)> {
    let completed = effects.iter().filter_map(|effect| match effect {
        Effect::Complete { sequence, result } => Some((*sequence, result.clone())),
        _ => None,
    });
    completed.collect()
}

fn outcome(effects: &[Effect]) -> Kind {
    match &completed(effects)[..] {
        [(_, Err(failure))] => failure.kind(),
        other => panic!("not one failure: {other:?}"),
    }
}
