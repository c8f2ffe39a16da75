// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The kernels' view of an object: its record and its context in the meta area, and the lost ranks in the
//! control area.

use mf_tests::deadline::wait_until;
use mf_tests::order::share::Share;
use mf_tests::{Answer, Job, Member, pattern};

use super::ranks::{MIB, create, each, has_accelerator, job, ranks, shape, share};

/// Address of the areas for kernels, and for kernels built with the headers of 2025.
const AREAS: [u64; 2] = [0x1800_0000_0000 - (1 << 30) - (32 << 20), 0x1800_0000_0000 - (32 << 20)];
const META: u64 = AREAS[0];
/// From the beginning of an area to its context pages.
const PAGES: u64 = 64 << 10;

fn peek(member: &mut Member, address: u64, bytes: usize) -> Vec<u8> {
    match member.ok(&share(Share::Peek(address, bytes))) {
        Answer::Value(Some(value)) => value,
        other => panic!("{other:?}"),
    }
}

fn number(record: &[u8], at: usize, bytes: usize) -> u64 {
    let mut word = [0; 8];
    word[..bytes].copy_from_slice(&record[at..at + bytes]);
    u64::from_le_bytes(word)
}

fn record(member: &mut Member, id: u64) -> Vec<u8> {
    peek(member, META + 128 + id * 128, 128)
}

/// True if members have an accelerator with kernels that find objects.
fn is_there(what: &str) -> bool {
    if !has_accelerator() {
        mf_tests::skip(what, "members have no accelerator with kernels (MF_TEST_DEVICE)");
        return false;
    }
    if std::env::var("ASCEND_SIM_SOC").is_ok_and(|soc| soc.starts_with("Ascend950")) {
        mf_tests::skip(what, "this product gives no addresses where kernels look");
        return false;
    }
    true
}

fn objects() -> (Job, Vec<Member>) {
    let job = job(2);
    let mut members = ranks(&job, 2);
    create(&mut members, 3);
    create(&mut members, 0);
    (job, members)
}

#[test]
fn records_and_contexts_are_at_the_kernel_addresses() {
    if !is_there("records of objects") {
        return;
    }
    let (job, mut members) = objects();
    for (member, rank) in members.iter_mut().zip(0..) {
        for area in AREAS {
            assert_eq!(number(&peek(member, area, 8), 0, 8), 2);
        }
        for id in [0u32, 3] {
            let known = record(member, u64::from(id));
            let base = shape(member, id)[0];
            for (at, bytes, expected) in
                [(0, 4, u64::from(id)), (4, 4, rank), (8, 4, 2), (12, 4, 0), (16, 8, 4 * MIB), (48, 8, base)]
            {
                assert_eq!(number(&known, at, bytes), expected, "record {id} at {at}");
            }
            assert_eq!(number(&known, 64, 8), 2 * MIB);
            assert_eq!(peek(member, AREAS[1] + 128 + u64::from(id) * 128, 128), known);
        }
        for (length, seed) in [(65536, 7), (100, 8)] {
            member.ok(&share(Share::SetContext(3, length, seed)));
            assert_eq!(number(&record(member, 3), 12, 4), length as u64);
            for area in AREAS {
                assert_eq!(number(&peek(member, area + 128 + 3 * 128, 128), 12, 4), length as u64);
                assert!(peek(member, area + PAGES + (3 << 16), length) == pattern::stream(seed, length));
            }
        }
    }
    each(&mut members, &Share::Destroy(3));
    assert_eq!(AREAS.map(|area| number(&peek(&mut members[0], area, 8), 0, 8)), [1, 1]);
    assert_eq!(record(&mut members[0], 3), [0; 128]);
    each(&mut members, &Share::Destroy(0));
    // The area goes with the last object, and comes back with the next.
    create(&mut members, 5);
    assert_eq!(number(&record(&mut members[1], 5), 0, 4), 5);
    job.finish(members);
}

#[test]
fn kernels_see_dead_and_departed_ranks() {
    if !is_there("ranks that kernels know to be gone") {
        return;
    }
    for dies in [true, false] {
        let (job, mut members) = objects();
        let known = record(&mut members[0], 3);
        let own = number(&known, 56, 8);
        // The timeout of barriers.
        assert!(number(&peek(&mut members[0], own + 0x40, 8), 0, 8) > 0);
        let lost = own + 0x10000;
        assert_eq!(peek(&mut members[0], lost, 8), [0; 8]);
        let mut other = members.remove(1);
        if dies {
            other.kill();
        } else {
            other.ok(&share(Share::Destroy(3)));
        }
        let word = u8::from(!dies) + 1;
        assert!(wait_until(|| peek(&mut members[0], lost, 8) == [0, 0, 0, 0, word, 0, 0, 0]));
        if !dies {
            members.push(other);
        }
        job.finish(members);
    }
}
