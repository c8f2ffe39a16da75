// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Words of device memory that several members change, of both widths: by one order, from any process.

use mf_base::sync::rcu;
use mf_base::{Gva, Kind, Result};
use mf_fabric::pool::{Mode, Pool};
use mf_fabric::transfer::Signal;
use mf_tests::pattern;
use mf_transport::{Atomic, AtomicKind, SignalKind, Width};

use super::pools::{GET, MIB, PUT, copy, device, holds, members, piece, two};

const WIDTHS: [Width; 2] = [Width::W32, Width::W64];

fn change(pool: &Pool, address: Gva, kind: AtomicKind, width: Width, operand: u64) -> Result<u64> {
    pool.atomic(&rcu::read_lock(), address, Atomic { kind, width, operand, compare: 3 })
}

/// Eight bytes of device memory, by a copy.
fn word(pool: &Pool, address: Gva) -> u64 {
    let mut word = [0; 8];
    copy(pool, piece(address.as_ptr(), word.as_mut_ptr(), 8), GET, Mode::Sync).unwrap();
    u64::from_ne_bytes(word)
}

#[test]
fn device_words_support_atomics_of_owner_and_peers() {
    let (members, pools) = two(2 * MIB, 4 * MIB);
    for (owner, pool) in [(0, &pools[0]), (1, &pools[0]), (0, &pools[1])] {
        for (width, above) in WIDTHS.into_iter().zip([!0xffff_ffff_u64, 0]) {
            let at = device(pool, owner, 64);
            let content = (7 | above).to_ne_bytes();
            copy(pool, piece(content.as_ptr(), at.as_ptr(), 8), PUT, Mode::Sync).unwrap();
            let ask = |kind, operand| change(pool, at, kind, width, operand).unwrap();
            assert_eq!(ask(AtomicKind::Add, u64::MAX - 3), 7, "{width:?} of rank {owner}");
            assert_eq!(ask(AtomicKind::CompareSwap, 12), 3);
            assert_eq!(ask(AtomicKind::CompareSwap, 99), 12);
            assert_eq!(ask(AtomicKind::And, 10), 12);
            assert_eq!(ask(AtomicKind::Or, 5), 8);
            assert_eq!(ask(AtomicKind::Xor, 1), 13);
            assert_eq!(ask(AtomicKind::Swap, 21), 12);
            assert_eq!(ask(AtomicKind::Fetch, 0), 21);
            assert_eq!(word(pool, at), 21 | above, "what lies beside a short word stays");
            let misaligned = change(pool, at.add(width.bytes() / 2), AtomicKind::Add, width, 1);
            assert_eq!(misaligned.unwrap_err().kind(), Kind::InvalidParam);
        }
        let beyond = change(pool, device(pool, owner, 2 * MIB), AtomicKind::Add, Width::W64, 1);
        assert_eq!(beyond.unwrap_err().kind(), Kind::InvalidParam);
    }
    drop(pools);
    members.iter().for_each(super::pools::Member::left_nothing);
}

#[test]
fn concurrent_device_word_changes_are_not_lost() {
    const EACH: u64 = 200;
    let (members, pools) = two(2 * MIB, 2 * MIB);
    for width in WIDTHS {
        for owner in 0..2 {
            let zero = [0; 8];
            let at = device(&pools[0], owner, 8);
            copy(&pools[0], piece(zero.as_ptr(), at.as_ptr(), 8), PUT, Mode::Sync).unwrap();
            let mut olds: Vec<u64> = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..4)
                    .map(|thread| {
                        let pool = &pools[thread % 2];
                        scope.spawn(move || {
                            let add = |_| change(pool, at, AtomicKind::Add, width, 1).unwrap();
                            (0..EACH).map(add).collect::<Vec<u64>>()
                        })
                    })
                    .collect();
                threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
            });
            olds.sort_unstable();
            assert!(olds.iter().copied().eq(0..4 * EACH), "each value was seen once");
            assert_eq!(word(&pools[1], at), 4 * EACH);
        }
    }
    drop(pools);
    members.iter().for_each(super::pools::Member::left_nothing);
}

#[test]
fn device_memory_signals_follow_their_data() {
    let (members, pools) = two(2 * MIB, 2 * MIB);
    let pool = &pools[0];
    let section = rcu::read_lock();
    for owner in 0..2 {
        let before = word(pool, device(pool, owner, 0));
        let at = device(pool, owner, 0);
        for (round, width) in (1..).zip(WIDTHS) {
            let content = pattern::stream(round, 4096);
            let data = piece(content.as_ptr(), device(pool, owner, 8192).as_ptr(), 4096);
            let signal = Signal { address: at.0, kind: SignalKind::Add, value: round, width };
            // SAFETY: the content outlives the call.
            unsafe { pool.put_signal(&section, data, signal) }.unwrap();
            assert!(holds(&pools[1], device(pool, owner, 8192), 4096, round));
        }
        assert_eq!(word(&pools[1], at), before + 3);
        let alone = Signal { address: at.0, kind: SignalKind::Set, value: 9, width: Width::W32 };
        let nothing = piece(std::ptr::null(), std::ptr::null_mut(), 0);
        // SAFETY: nothing is copied.
        unsafe { pool.put_signal(&section, nothing, alone) }.unwrap();
        assert_eq!(word(&pools[1], at), 9);
    }
    drop((section, pools));
    members.iter().for_each(super::pools::Member::left_nothing);
}

#[test]
fn device_word_of_a_departed_owner_is_refused() {
    let members = members(2);
    let pools: Vec<_> = members.iter().map(|member| member.device_pool(2, 2 * MIB, 2 * MIB)).collect();
    let at = device(&pools[0], 1, 0);
    assert_eq!(change(&pools[0], at, AtomicKind::Add, Width::W32, 1).unwrap(), 0);
    pools[1].leave().unwrap();
    let error = change(&pools[0], at, AtomicKind::Add, Width::W32, 1).unwrap_err();
    assert_eq!((error.kind(), error.fact("rank")), (Kind::NotConnected, Some("1")), "{error}");
}
