// SPDX-License-Identifier: Apache-2.0 OR MIT
use std::sync::Arc;
use std::time::Duration;

use mf_base::settings::Switch;
use mf_device::host::{CANDIDATES, HostDevice};
use mf_store::{MemoryClient, MemoryStore};
use proptest::prelude::*;

use super::*;

const SHAPE: Shape = Shape { world: 2, max_bytes: [0, GIB] };

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(5)
}

fn devices() -> Devices {
    Devices::new(Arc::new(HostDevice::new(Switch::Off)))
}

#[test]
fn range_taken_in_a_member_moves_the_pool_for_all() {
    let everything = vec![(GIB, 100 * GIB)];
    let punctured = vec![(GIB, 2 * GIB), (4 * GIB, 100 * GIB)];
    assert_eq!(fit::first_fit(&[everything.clone(), everything.clone()], &[], 2 * GIB, soon()), Some(GIB));
    assert_eq!(fit::first_fit(&[everything.clone(), punctured], &[], 2 * GIB, soon()), Some(4 * GIB));
    let used = std::iter::once(GIB..3 * GIB).collect::<Vec<_>>();
    assert_eq!(fit::first_fit(std::slice::from_ref(&everything), &used, 2 * GIB, soon()), Some(3 * GIB));
    assert_eq!(fit::first_fit(&[everything.clone(), vec![]], &[], GIB, soon()), None);
    assert_eq!(fit::first_fit(&[everything], &[], 200 * GIB, soon()), None);
}

#[test]
fn gaps_are_found_between_mappings() {
    let region = CANDIDATES[0].start;
    let taken: Vec<Range<u64>> = std::iter::once(region + GIB..region + 2 * GIB).collect();
    let free = free_ranges(&regions(&devices(), MemKind::Host, None), &taken);
    assert_eq!(free[0], (region, region + GIB));
    assert_eq!(free[1].0, region + 2 * GIB);
    let preferred = regions(&devices(), MemKind::Device, Some(0x3000_0000_0000));
    assert_eq!(free_ranges(&preferred, &[])[0].0, 0x3000_0000_0000);
}

#[test]
fn windows_of_both_kinds_are_adjacent_in_a_range() {
    let shape = Shape { world: 2, max_bytes: [2 << 20, GIB] };
    let same = || -> Free { [vec![(GIB, 100 * GIB)], vec![(GIB, 100 * GIB)]] };
    assert_eq!(fit::find_bases(&[same(), same()], Vec::new(), shape, soon()), Some([GIB, GIB + (4 << 20)]));
    // No range holds both: each kind gets its own.
    let split =
        || -> Free { [vec![(GIB, 3 * GIB), (7 * GIB, 8 * GIB)], vec![(GIB, 3 * GIB), (7 * GIB, 8 * GIB)]] };
    let large = Shape { world: 1, max_bytes: [2 * GIB, GIB] };
    assert_eq!(fit::find_bases(&[split()], Vec::new(), large, soon()), Some([GIB, 7 * GIB]));
    // One member has a device with ranges of its own: each kind is placed by itself, in the ranges that are
    // free for it everywhere.
    let apart = || -> Free { [vec![(50 * GIB, 60 * GIB)], vec![(GIB, 100 * GIB)]] };
    assert_eq!(fit::find_bases(&[same(), apart()], Vec::new(), shape, soon()), Some([50 * GIB, GIB]));
    let used = vec![50 * GIB..51 * GIB, GIB..2 * GIB];
    assert_eq!(fit::find_bases(&[apart()], used, shape, soon()), Some([51 * GIB, 2 * GIB]));
    // The second window keeps clear of the first.
    let device_only = || -> Free { [vec![(GIB, 2 * GIB)], vec![(GIB, 5 * GIB)]] };
    assert_eq!(fit::find_bases(&[device_only()], Vec::new(), shape, soon()), Some([GIB, 2 * GIB]));
    let absent = Shape { world: 2, max_bytes: [0, GIB] };
    assert_eq!(fit::find_bases(&[same()], Vec::new(), absent, soon()), Some([0, GIB]));
    assert_eq!(
        fit::find_bases(&[apart()], Vec::new(), Shape { world: 99, max_bytes: [GIB, 0] }, soon()),
        None
    );
}

#[test]
fn pools_get_disjoint_ranges_and_release_them() {
    let store = MemoryStore::new(2).unwrap().join(None).unwrap();
    publish_free(&store, &devices(), None).unwrap();
    let one = open(&store, &devices(), 0, SHAPE, None, soon()).unwrap();
    let two = open(&store, &devices(), 1, SHAPE, None, soon()).unwrap();
    assert!(one.layout.locate(two.layout.bases()[1]).is_none());
    assert!(two.layout.locate(one.layout.bases()[1]).is_none());
    drop(one);
    close(&store, 0);
    // Its addresses are free for all, but other tests of this process may be faster to take them.
    let three = open(&store, &devices(), 2, SHAPE, None, soon()).unwrap();
    let used = records::read_table(&store).unwrap().0;
    let used: Vec<_> = used.iter().map(|(pool, entry)| (*pool, entry.bases)).collect();
    assert_eq!(used, [(1, two.layout.bases()), (2, three.layout.bases())]);
}

#[test]
fn members_wait_for_few_round_trips() {
    let world = MemoryStore::new(3).unwrap();
    let members = [world.join(None).unwrap(), world.join(None).unwrap(), world.join(None).unwrap()];
    let started: Vec<_> =
        members.iter().map(|member| start_publishing(member, &devices(), None).unwrap()).collect();
    let opening = |member: &MemoryClient| {
        let before = member.round_trips();
        get_or_create_record(member, 0, SHAPE, soon()).unwrap();
        member.round_trips() - before
    };
    // It shares the first with the publication, which nobody has waited for.
    assert_eq!(opening(&members[0]), 1, "the first one makes the record");
    for (_, reply) in started {
        reply.wait().unwrap();
    }
    assert_eq!(opening(&members[1]), 2, "a later one takes it over");
    // Two pools make the lists of their holders leave together, behind the table.
    let before = members[2].round_trips();
    get_or_create_record(&members[2], 1, SHAPE, soon()).unwrap();
    assert_eq!(members[2].round_trips() - before, 3);
}

#[test]
fn mismatched_shape_is_refused_with_both_shapes() {
    let store = MemoryStore::new(2).unwrap().join(None).unwrap();
    publish_free(&store, &devices(), None).unwrap();
    let first = open(&store, &devices(), 7, SHAPE, None, soon()).unwrap();
    let other = Shape { world: 2, max_bytes: [0, 2 * GIB] };
    let error = open(&store, &devices(), 7, other, None, soon()).err().unwrap();
    assert_eq!(error.kind(), Kind::InvalidParam);
    assert!(error.to_string().contains("2 GiB host"), "{error}");
    drop(first);
}

#[test]
fn conflict_with_an_own_range_is_named() {
    let world = MemoryStore::new(2).unwrap();
    let (one, two) = (world.join(None).unwrap(), world.join(None).unwrap());
    publish_free(&one, &devices(), None).unwrap();
    let held = open(&one, &devices(), 9, SHAPE, None, soon()).unwrap();
    let error = open(&two, &devices(), 9, SHAPE, None, soon()).err().unwrap();
    assert_eq!(error.kind(), Kind::InUse);
    assert!(error.fact("taken_by").is_some(), "{error}");
    drop(held);
}

#[test]
fn members_of_a_pool_agree_on_its_place_and_see_other_pools() {
    let world = MemoryStore::new(2).unwrap();
    let (one, two) = (world.join(None).unwrap(), world.join(None).unwrap());
    publish_free(&one, &devices(), None).unwrap();
    publish_free(&two, &devices(), None).unwrap();
    let other = open(&one, &devices(), 0, SHAPE, None, soon()).unwrap();
    let know = |id| {
        let (first, seen) = prospect(&one, &devices(), id, None, None, true).unwrap();
        let (second, none) = prospect(&two, &devices(), id, None, None, false).unwrap();
        assert!(none.is_none());
        Together { prospects: vec![first, second], seen }
    };
    let make = |store: &MemoryClient, id, together: &Together| {
        open_together(store, &devices(), id, SHAPE, together, soon())
    };
    let together = know(5);
    let made = make(&one, 5, &together).unwrap();
    let bases = made.layout.bases();
    assert!(other.layout.locate(bases[1]).is_none());
    drop(made);
    let unread = Together { seen: None, ..together };
    assert_eq!(make(&two, 5, &unread).unwrap().layout.bases(), bases);
    assert_eq!(records::read_table(&two).unwrap().0[&5].bases, bases);

    let late = know(6);
    let between = open(&two, &devices(), 7, SHAPE, None, soon()).unwrap();
    assert_eq!(make(&one, 6, &late).err().unwrap().kind(), Kind::InUse);
    drop(between);
    let nobody = Together { prospects: late.prospects[1..].to_vec(), seen: None };
    assert_eq!(make(&one, 6, &nobody).err().unwrap().kind(), Kind::InvalidParam);
}

/// Two members, of which the second writes malformed records into the keys of the first.
fn attacked() -> (MemoryClient, MemoryClient) {
    let world = MemoryStore::new(2).unwrap();
    let (honest, other) = (world.join(None).unwrap(), world.join(None).unwrap());
    publish_free(&honest, &devices(), None).unwrap();
    publish_free(&other, &devices(), None).unwrap();
    (honest, other)
}

#[test]
fn forged_free_ranges_fail_the_create_and_name_the_key() {
    let (honest, other) = attacked();
    let key = format!("{FREE_PREFIX}1");
    let of = |ranges: FreeRanges| records::encode(&[ranges.clone(), ranges]).unwrap();
    let many = (1..5000).map(|at| (at * 2 * GIB, at * 2 * GIB + GIB)).collect();
    for value in [
        of(vec![(0, u64::MAX)]),
        of(vec![(GIB, u64::MAX - 1)]),
        of(vec![(u64::MAX, 0)]),
        of(vec![(5, 5)]),
        of(vec![(0, 20 * GIB)]),
        of(many),
        b"nothing".to_vec(),
        Vec::new(),
    ] {
        other.set(&key, &value, Lifetime::Session).unwrap();
        for id in 0..2 {
            let error = open(&honest, &devices(), id, SHAPE, None, soon()).err().unwrap();
            assert_eq!(error.kind(), Kind::Failed, "{error}");
            assert_eq!(error.fact("key"), Some(&*key), "{error}");
        }
    }
    publish_free(&other, &devices(), None).unwrap();
    open(&honest, &devices(), 0, SHAPE, None, soon()).map(drop).unwrap();
}

#[test]
fn forged_table_fails_the_create_and_names_the_key() {
    let (honest, other) = attacked();
    let entry = |bases, shape| PoolRecord { bases, shape, nonce: 1 };
    let of = |entry: PoolRecord| records::encode(&PoolRecords::from([(0, entry)])).unwrap();
    let many: PoolRecords = (0..5000).map(|id| (id, entry([0, GIB], SHAPE))).collect();
    for value in [
        of(entry([0, u64::MAX - GIB], SHAPE)),
        of(entry([0, 1 << 60], SHAPE)),
        of(entry([0, 0], Shape { world: u32::MAX, max_bytes: [u64::MAX, u64::MAX] })),
        of(entry([0, 0], Shape { world: 0, max_bytes: [0, 0] })),
        records::encode(&many).unwrap(),
        b"nothing".to_vec(),
    ] {
        other.set(TABLE_KEY, &value, Lifetime::Permanent).unwrap();
        let error = open(&honest, &devices(), 0, SHAPE, None, soon()).err().unwrap();
        assert_eq!((error.kind(), error.fact("key")), (Kind::Failed, Some(TABLE_KEY)), "{error}");
    }
}

#[test]
fn constantly_rewritten_table_ends_at_the_deadline() {
    let (honest, other) = attacked();
    // The writer stops when the checks have ended, also by a panic.
    let (running, has_ended) = std::sync::mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for id in 1.. {
                if has_ended.try_recv() == Err(std::sync::mpsc::TryRecvError::Disconnected) {
                    return;
                }
                let table = PoolRecords::from([(
                    id,
                    PoolRecord { bases: [0, GIB], shape: SHAPE, nonce: u64::from(id) },
                )]);
                other.set(TABLE_KEY, &records::encode(&table).unwrap(), Lifetime::Permanent).unwrap();
            }
        });
        let _running = running;
        // The call may get its turn between two writes; if not, it ends in time and names the key.
        for id in 100..120 {
            let deadline = Instant::now() + Duration::from_millis(50);
            if let Err(error) = open(&honest, &devices(), id, SHAPE, None, deadline) {
                assert_eq!((error.kind(), error.fact("table")), (Kind::Timeout, Some(TABLE_KEY)), "{error}");
            }
        }
    });
}

#[test]
fn stale_entries_are_removed_by_the_next_table_change() {
    let (one, two) = attacked();
    for id in 0..5 {
        drop(open(&one, &devices(), id, SHAPE, None, soon()).unwrap());
        close(&one, id);
    }
    drop(open(&two, &devices(), 9, SHAPE, None, soon()).unwrap());
    assert_eq!(records::read_table(&two).unwrap().0.into_keys().collect::<Vec<_>>(), [9]);
}

#[test]
fn pool_being_destroyed_may_get_another_shape() {
    let (one, two) = attacked();
    let other = Shape { world: 2, max_bytes: [0, 2 * GIB] };
    // Before, between and after the reads of the `open` keys: one of these moments each round.
    for _ in 0..20 {
        let held = open(&one, &devices(), 3, SHAPE, None, soon()).unwrap();
        let start = std::sync::Barrier::new(2);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                start.wait();
                close(&one, 3);
            });
            start.wait();
            open(&two, &devices(), 3, other, None, soon()).map(drop).unwrap();
        });
        drop(held);
        close(&two, 3);
    }
}

proptest! {
    #[test]
    fn chosen_place_is_free_in_all_members(
        free in prop::collection::vec(prop::collection::vec((0u64..64, 1u64..16), 0..8), 1..4),
        used in prop::collection::vec((0u64..64, 1u64..8), 0..4),
        bytes in 1u64..8,
    ) {
        let ranges = |list: &[(u64, u64)]| -> FreeRanges {
            list.iter().map(|(start, length)| (start * GIB, (start + length) * GIB)).collect()
        };
        let free: Vec<FreeRanges> = free.iter().map(|list| ranges(list)).collect();
        let used: Vec<Range<u64>> = ranges(&used).into_iter().map(|(start, end)| start..end).collect();
        let at = fit::first_fit(&free, &used, bytes * GIB, soon());
        // The same, unit by unit.
        let unit_is_free = |unit: u64| {
            let inside = |range: &(u64, u64)| range.0 <= unit * GIB && (unit + 1) * GIB <= range.1;
            free.iter().all(|list| list.iter().any(inside)) && !used.iter().any(|range| range.contains(&(unit * GIB)))
        };
        let fits = |start: u64| (start..start + bytes).all(unit_is_free);
        if let Some(at) = at {
            prop_assert!(at.is_multiple_of(GIB) && fits(at / GIB));
        } else {
            // A range that the first member has in two pieces is not one place for it.
            let in_one = |start: u64| {
                free[0].iter().any(|range| range.0 <= start * GIB && (start + bytes) * GIB <= range.1)
            };
            prop_assert!(!(0..80).any(|start| fits(start) && in_one(start)));
        }
    }

    #[test]
    fn any_record_is_decoded_or_refused_by_name(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for error in [records::free("k", &bytes).err(), records::table(&bytes).err()].into_iter().flatten() {
            prop_assert!(error.fact("key").is_some());
        }
    }
}

#[test]
fn pool_without_chosen_maximum_is_large_and_adopted_by_later_members() {
    let world = MemoryStore::new(2).unwrap();
    let members: Vec<MemoryClient> = (0..2).map(|_| world.join(None).unwrap()).collect();
    let devices = devices();
    members.iter().for_each(|member| drop(publish_free(member, &devices, None).unwrap()));
    let least = |host: u64| Shape { world: 2, max_bytes: [0, host] };
    let first = adopt(&members[0], 7, least(GIB)).unwrap();
    assert!(first.max_bytes[1] > 32 * GIB, "{first:?}");
    let agreed = open(&members[0], &devices, 7, first, None, soon()).unwrap();
    assert_eq!(adopt(&members[1], 7, least(2 * GIB)).unwrap(), first);
    drop(agreed);
    close(&members[0], 7);
    // A chosen one is adopted, also if it is small.
    let chosen = open(&members[1], &devices, 7, SHAPE, None, soon()).unwrap();
    assert_eq!(adopt(&members[0], 7, least(2 << 20)).unwrap(), SHAPE);
    drop(chosen);
    // No less than the member gives itself.
    let own = 2 << 40;
    assert_eq!(adopt(&members[0], 8, Shape { world: 1, max_bytes: [0, own] }).unwrap().max_bytes[1], own);
}
