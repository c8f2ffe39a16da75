// SPDX-License-Identifier: Apache-2.0 OR MIT
use std::sync::Arc;
use std::time::Duration;

use mf_base::settings::Switch;
use mf_store::MemoryStore;

use super::*;
use crate::device::host::{CANDIDATES, HostDevice};

const SHAPE: Shape = Shape { world: 2, max_bytes: [0, GIB] };

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(5)
}

fn devices() -> Devices {
    Devices { host: Arc::new(HostDevice::new(Switch::Off)), accelerator: None }
}

#[test]
fn a_range_taken_in_one_member_moves_the_pool_for_all() {
    let everything = vec![(GIB, 100 * GIB)];
    let punctured = vec![(GIB, 2 * GIB), (4 * GIB, 100 * GIB)];
    assert_eq!(first_fit(&[everything.clone(), everything.clone()], &[], 2 * GIB), Some(GIB));
    assert_eq!(first_fit(&[everything.clone(), punctured], &[], 2 * GIB), Some(4 * GIB));
    let used = std::iter::once(GIB..3 * GIB).collect::<Vec<_>>();
    assert_eq!(first_fit(std::slice::from_ref(&everything), &used, 2 * GIB), Some(3 * GIB));
    assert_eq!(first_fit(&[everything.clone(), vec![]], &[], GIB), None);
    assert_eq!(first_fit(&[everything], &[], 200 * GIB), None);
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
fn windows_follow_one_another_where_both_kinds_may_lie_in_the_same_ranges() {
    let shape = Shape { world: 2, max_bytes: [2 << 20, GIB] };
    let same = || -> Free { [vec![(GIB, 100 * GIB)], vec![(GIB, 100 * GIB)]] };
    assert_eq!(place(&[same(), same()], Vec::new(), shape), Some([GIB, GIB + (4 << 20)]));
    // No range holds both: each finds its own.
    let split =
        || -> Free { [vec![(GIB, 3 * GIB), (7 * GIB, 8 * GIB)], vec![(GIB, 3 * GIB), (7 * GIB, 8 * GIB)]] };
    let large = Shape { world: 1, max_bytes: [2 * GIB, GIB] };
    assert_eq!(place(&[split()], Vec::new(), large), Some([GIB, 7 * GIB]));
    // One member has a device with ranges of its own: each kind by itself, in what is free for it everywhere.
    let apart = || -> Free { [vec![(50 * GIB, 60 * GIB)], vec![(GIB, 100 * GIB)]] };
    assert_eq!(place(&[same(), apart()], Vec::new(), shape), Some([50 * GIB, GIB]));
    let used = vec![50 * GIB..51 * GIB, GIB..2 * GIB];
    assert_eq!(place(&[apart()], used, shape), Some([51 * GIB, 2 * GIB]));
    // The second window keeps clear of the first.
    let device_only = || -> Free { [vec![(GIB, 2 * GIB)], vec![(GIB, 5 * GIB)]] };
    assert_eq!(place(&[device_only()], Vec::new(), shape), Some([GIB, 2 * GIB]));
    let absent = Shape { world: 2, max_bytes: [0, GIB] };
    assert_eq!(place(&[same()], Vec::new(), absent), Some([0, GIB]));
    assert_eq!(place(&[apart()], Vec::new(), Shape { world: 99, max_bytes: [GIB, 0] }), None);
}

#[test]
fn pools_get_ranges_of_their_own_and_give_them_back() {
    let store = MemoryStore::new(2).unwrap().join(None).unwrap();
    publish_free(&store, &devices(), None).unwrap();
    let one = open(&store, &devices(), 0, SHAPE, None, soon()).unwrap();
    let two = open(&store, &devices(), 1, SHAPE, None, soon()).unwrap();
    assert!(one.layout.locate(two.layout.bases()[1]).is_none());
    assert!(two.layout.locate(one.layout.bases()[1]).is_none());
    let bases = one.layout.bases();
    drop(one);
    close(&store, 0).unwrap();
    assert_eq!(open(&store, &devices(), 2, SHAPE, None, soon()).unwrap().layout.bases(), bases);
}

#[test]
fn another_shape_is_refused_with_both() {
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
fn a_range_that_others_use_and_this_process_holds_is_named() {
    let world = MemoryStore::new(2).unwrap();
    let (one, two) = (world.join(None).unwrap(), world.join(None).unwrap());
    publish_free(&one, &devices(), None).unwrap();
    let held = open(&one, &devices(), 9, SHAPE, None, soon()).unwrap();
    let error = open(&two, &devices(), 9, SHAPE, None, soon()).err().unwrap();
    assert_eq!(error.kind(), Kind::InUse);
    assert!(error.fact("taken_by").is_some(), "{error}");
    drop(held);
}
