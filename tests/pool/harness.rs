// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The harness itself: it finds planted faults.

use std::path::PathBuf;

use mf_base::Kind;
use mf_tests::shm::Snapshot;
use mf_tests::{Answer, Order, host};

use super::jobs::{SMALL, job};

#[test]
fn leak_check_finds_leftovers() {
    let mut job = job(1);
    // It waits for an end of what never ends.
    job.set(mf_tests::deadline::VARIABLE, "2");
    let mut member = job.member(0);
    member.ok(&Order::Leak);
    let Answer::Remains(remains) = member.ok(&Order::Finish) else { panic!("no census") };
    for part in ["descriptor", "memfd:mf-leak", "mapping", "thread"] {
        assert!(remains.iter().any(|line| line.contains(part)), "{part} is not among {remains:?}");
    }
}

#[test]
fn leftover_file_is_found_unless_another_program_uses_it() {
    // Not in /dev/shm itself, where the other tests look.
    let folder = std::env::temp_dir().join(format!("mf-test-{}", std::process::id()));
    std::fs::create_dir(&folder).unwrap();
    let before = Snapshot::of(&folder);
    let path = folder.join("segment");
    let file = std::fs::File::create(&path).unwrap();
    assert_eq!(before.left_behind(), Vec::<PathBuf>::new());
    drop(file);
    assert_eq!(before.left_behind(), [path]);
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(before.left_behind(), Vec::<PathBuf>::new());
}

#[test]
fn a_wrong_byte_is_found() {
    let job = job(1);
    let mut members = job.pool(SMALL);
    members[0].ok(&Order::Put(0, host(0, 5), 1000, 1));
    members[0].ok(&Order::Put(0, host(0, 505), 1, 2));
    let failure = members[0].refused(&Order::Check(0, host(0, 5), 1000, 1));
    assert!(failure.text.contains("byte 500 of 1000"), "{}", failure.text);
    members[0].refused(&Order::Members(1)).expect(Kind::NotExist, &["no pool"]);
    job.finish(members);
}

#[test]
fn orphaned_member_process_ends() {
    let job = job(1);
    let pid = {
        let member = job.member(0);
        member.pid()
    };
    assert!(!std::path::Path::new(&format!("/proc/{pid}")).exists());
    // It also ends without a drop: the thread that started it has ended.
    let (mut member, _job) = std::thread::spawn(|| {
        let job = super::jobs::job(1);
        (job.member(0), job)
    })
    .join()
    .unwrap();
    let status = member.wait_for_end();
    assert!(!status.success(), "{status}");
}
