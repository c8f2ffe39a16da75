// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Joining one machine, and refused processes.

use std::collections::BTreeSet;
use std::ffi::CStr;

use ascend_sim::acl::general::aclrtGetSocName;
use ascend_sim::acl::versions::aclrtGetVersion;
use ascend_sim::codes::acl;
use ascend_sim::machine::machine;
use ascend_sim::session::{Location, Pool, Session, Sort};
use rustix::process::{Signal, getpid, kill_process};

use super::session::{GIB, HBM, UNKNOWN, die, free, offer, post_number, session, take_number};
use crate::calls::{eventually, nowhere};
use crate::census::own_names;
use crate::isolated::{self, Board};
use crate::program::{Words, set_device};

#[test]
fn s7_concurrently_started_processes_share_one_machine() {
    const MANY: usize = 32;
    isolated::crew(MANY, &[], |rank, board| {
        board.meet("ready", rank, MANY);
        let number = session().number(0, Pool::Stream).unwrap();
        board.post(&format!("number-{rank}"), number.value.to_string().as_bytes());
        let all: BTreeSet<_> = (0..MANY).map(|other| board.take(&format!("number-{other}"))).collect();
        assert_eq!(all.len(), MANY, "each has another number, so all are on one machine");
        board.meet("seen", rank, MANY);
    });
}

#[test]
fn s7_machine_outlives_its_creator() {
    isolated::crew(3, &[HBM], |rank, board| match rank {
        0 => {
            let _gone = session().claim(Location::Device(0), GIB / 4).unwrap();
            board.post("made", b"");
            board.take("joined");
            die();
        }
        1 => {
            board.take("made");
            let _stays = session().claim(Location::Device(0), GIB / 2).unwrap();
            board.post("joined", b"");
            eventually("the maker is collected", || session().claim(Location::Device(0), GIB / 2).is_ok());
            board.post("maker is dead", b"");
            board.take("newcomer has seen");
        }
        _ => {
            board.take("maker is dead");
            assert_eq!(free(), GIB / 2);
            board.post("newcomer has seen", b"");
        }
    });
}

#[test]
fn s7_process_after_all_have_died_makes_a_new_machine() {
    isolated::crew(2, &[HBM], |rank, board| {
        if rank == 0 {
            let _gone = session().claim(Location::Device(0), GIB).unwrap();
            board.post("names", own_names().join("\n").as_bytes());
            die();
        }
        let names = String::from_utf8(board.take("names")).unwrap();
        assert!(!names.is_empty());
        eventually("the names are gone", || {
            let all = std::fs::read_to_string("/proc/net/unix").unwrap();
            names.lines().all(|name| !all.contains(name))
        });
        assert_eq!(free(), GIB);
    });
}

#[test]
fn s7_settings_must_match_the_machine_or_be_unset() {
    isolated::crew(3, &[], |rank, board| {
        // SAFETY: this process has one thread yet.
        let set = |name: &str, value: &str| unsafe { std::env::set_var(name, value) };
        if rank == 0 {
            set("ASCEND_SIM_DEVICES", "3");
            set("ASCEND_SIM_SOC", "Ascend910B1");
            set("ASCEND_SIM_HBM_BYTES", "2G");
            machine().unwrap();
            board.post("made", b"");
            board.take("done-1");
            board.take("done-2");
            return;
        }
        board.take("made");
        if rank == 1 {
            set("ASCEND_SIM_DEVICES", "4");
            let fault = machine().err().unwrap();
            assert_eq!(fault.code, acl::INVALID_PARAM);
            assert!(fault.text.contains("ASCEND_SIM_DEVICES=4, but the machine"), "{}", fault.text);
            assert!(fault.text.contains("was made with 3"), "{}", fault.text);
        } else {
            set("ASCEND_SIM_DEVICES", "3");
            let machine = machine().unwrap();
            assert_eq!(machine.config.soc, "Ascend910B1");
            assert_eq!((machine.config.devices, machine.config.hbm_bytes), (3, 2 << 30));
            assert!(machine.product.needs_peer_access);
        }
        board.post(&format!("done-{rank}"), b"");
    });
}

#[test]
fn s7_machine_of_a_stopped_process_is_not_recreated() {
    isolated::crew(2, &[], |rank, board| {
        if rank == 0 {
            machine().unwrap();
            board.post("process", getpid().as_raw_nonzero().to_string().as_bytes());
            kill_process(getpid(), Signal::STOP).unwrap();
            board.take("done");
            return;
        }
        let process = String::from_utf8(board.take("process")).unwrap();
        let stat = || std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
        eventually("it stops", || stat().contains(") T "));
        let fault = machine().err().unwrap();
        assert!(fault.text.contains(&format!("processes [{process}]")), "{}", fault.text);
        let process = rustix::process::Pid::from_raw(process.parse().unwrap()).unwrap();
        board.post("done", b"");
        kill_process(process, Signal::CONT).unwrap();
    });
}

#[test]
fn s7_forked_child_cannot_call_and_does_not_hold_the_machine() {
    isolated::crew(2, &[HBM], |rank, board| {
        if rank == 0 {
            let _gone = session().claim(Location::Device(0), GIB).unwrap();
            // SAFETY: the child allocates nothing but in the calls that refuse it, and ends without
            // returning; the thread of this process that might hold a lock of the allocator is
            // the listener's, which sleeps.
            if unsafe { libc::fork() } == 0 {
                live_on_as_a_child(board);
            }
            board.take("child");
            die();
        }
        let text = String::from_utf8(board.take("child")).unwrap();
        let (code, parent) = text.split_once(' ').unwrap();
        assert_eq!(code, "107002");
        eventually("the parent is dead", || {
            // A zombie, or gone already.
            std::fs::read_to_string(format!("/proc/{parent}/stat")).map_or(true, |stat| stat.contains(") Z "))
        });
        // The child lives on with copies of all descriptors, and still holds neither names nor memory.
        assert_eq!(session().budget(Location::Device(0)).unwrap(), (GIB, GIB));
        assert!(!board.has("child-ended"));
        board.post("end", b"");
        board.take("child-ended");
    });
}

#[test]
fn s7_forked_child_calls_if_the_parent_asked_for_the_name_alone() {
    isolated::run(&[], || {
        let name = || {
            // SAFETY: the call takes nothing; its text lives as long as the process.
            unsafe { CStr::from_ptr(aclrtGetSocName()) }.to_owned()
        };
        let first = name();
        // SAFETY: the other thread of this process, the listener, only waits, so the child is unrestricted.
        let child = unsafe { libc::fork() };
        if child == 0 {
            let outcome = std::panic::catch_unwind(|| {
                assert_eq!(name(), first);
                set_device(0);
                let memory = Words::new(&[7; 4]);
                assert_eq!(memory.get(), [7; 4]);
            });
            // SAFETY: ends this process at once.
            unsafe { libc::_exit(i32::from(outcome.is_err())) };
        }
        let mut status = 0;
        // SAFETY: the child was not waited for yet.
        unsafe { libc::waitpid(child, &raw mut status, 0) };
        assert_eq!(status, 0);
        set_device(0);
        assert_eq!(Words::new(&[8; 4]).get(), [8; 4]);
    });
}

fn live_on_as_a_child(board: &Board) -> ! {
    let code = code!(aclrtGetVersion(nowhere(), nowhere(), nowhere()));
    board.post("child", format!("{code} {}", std::os::unix::process::parent_id()).as_bytes());
    board.take("end");
    board.post("child-ended", b"");
    // SAFETY: ends this process at once.
    unsafe { libc::_exit(0) }
}

#[test]
fn s7_other_users_get_nothing() {
    if !rustix::process::geteuid().is_root() {
        println!("skip other users: only root can become one");
        return;
    }
    isolated::run(&[], || {
        machine().unwrap();
        let names = own_names();
        let name =
            names.iter().find(|name| !name.ends_with("gate")).unwrap().trim_start_matches('@').to_owned();
        let received = |other: bool| {
            let name = name.clone();
            std::thread::spawn(move || greet(&name, other)).join().unwrap()
        };
        assert_eq!(received(false), 128, "the member answers");
        assert_eq!(received(true), 0, "but not to others");
    });
}

/// Says hello to a listener as oneself or as another user; how many bytes come back.
fn greet(name: &str, as_other: bool) -> usize {
    use rustix::net::*;
    if as_other {
        // Of this thread alone, without the C library, which would change all of them.
        // SAFETY: the call touches no memory.
        assert_eq!(unsafe { libc::syscall(libc::SYS_setresuid, 65534, 65534, 65534) }, 0);
    }
    let socket = socket(AddressFamily::UNIX, SocketType::SEQPACKET, None).unwrap();
    connect(&socket, &SocketAddrUnix::new_abstract_name(name.as_bytes()).unwrap()).unwrap();
    let mut message = [0_u8; 128];
    message[0] = 1;
    send(&socket, &message, SendFlags::NOSIGNAL).unwrap();
    recv(&socket, &mut message[..], RecvFlags::empty()).map_or(0, |(bytes, _)| bytes)
}

#[test]
fn s7_a_second_copy_in_a_process_is_refused() {
    isolated::run(&[], || {
        let first = machine().unwrap();
        let fault = Session::open(&first.config).err().unwrap();
        assert!(fault.text.contains("another copy of the simulator"), "{}", fault.text);
        assert!(session().number(0, Pool::Stream).is_ok());
    });
}

#[test]
fn s7_machine_numbers_identify_processes_across_pid_namespaces() {
    isolated::crew(2, &[], |rank, board| {
        if rank == 0 {
            let closed = || {
                let mut closed = offer(None);
                closed.open = false;
                session().publish(closed).unwrap()
            };
            post_number(board, "maker", u64::from(session().own_process().unsigned_abs()));
            let (theirs, nobodys) = (closed(), closed());
            post_number(board, "theirs", theirs.number);
            post_number(board, "nobodys", nobodys.number);
            let process = take_number(board, "process");
            theirs.allow(&[i32::try_from(process).unwrap()]).unwrap();
            post_number(board, "allowed", 0);
            if process != 0 {
                let back = session().fetch(Sort::Memory, take_number(board, "back"), None, UNKNOWN).unwrap();
                assert_eq!(u64::from(back.exporter.unsigned_abs()), process);
            }
            board.post("done", b"");
            return;
        }
        board.take("nobodys");
        // SAFETY: no pointers. From here on children of this process are in a namespace of their own.
        if unsafe { libc::unshare(libc::CLONE_NEWPID) } != 0 {
            println!("skip process namespaces: this user may not make one");
            post_number(board, "process", 0);
            board.take("done");
            return;
        }
        // SAFETY: all other threads of this process only wait, so the child is unrestricted.
        let child = unsafe { libc::fork() };
        if child == 0 {
            let outcome = std::panic::catch_unwind(|| be_in_another_namespace(board));
            // SAFETY: ends this process at once.
            unsafe { libc::_exit(i32::from(outcome.is_err())) };
        }
        let mut status = 0;
        // SAFETY: the child was not waited for yet.
        unsafe { libc::waitpid(child, &raw mut status, 0) };
        assert_eq!(status, 0);
    });
}

fn be_in_another_namespace(board: &Board) {
    assert_eq!(std::process::id(), 1);
    let own = session().own_process();
    assert!(own > 4_194_304, "no process id of the kernel's: {own}");
    post_number(board, "process", u64::from(own.unsigned_abs()));
    board.take("allowed");
    assert!(session().fetch(Sort::Memory, take_number(board, "theirs"), None, UNKNOWN).is_ok());
    let refused = session().fetch(Sort::Memory, take_number(board, "nobodys"), None, UNKNOWN);
    assert_eq!(refused.unwrap_err().code, acl::NO_PERMISSION);
    let mut closed = offer(None);
    closed.open = false;
    let back = session().publish(closed).unwrap();
    // The other is one whom this namespace has no number for; the machine's maker is known by its process id.
    back.allow(&[i32::try_from(take_number(board, "maker")).unwrap()]).unwrap();
    post_number(board, "back", back.number);
    board.take("done");
}

#[test]
fn s7_differently_named_machines_are_isolated() {
    isolated::crew(2, &[HBM], |rank, board| {
        let name = format!("{}-{rank}", std::env::var("ASCEND_SIM_SESSION").unwrap());
        // SAFETY: this process has one thread yet.
        unsafe { std::env::set_var("ASCEND_SIM_SESSION", name) };
        let _all = session().claim(Location::Device(0), GIB).unwrap();
        board.meet("claimed", rank, 2);
    });
}
