// SPDX-License-Identifier: Apache-2.0 OR MIT
//! S75: how ranks come together.

use std::ffi::CString;
use std::ptr::null_mut;

use ascend_acl_sys::raw::types::HcclCommConfig;
use ascend_sim::hccl::config::Head;
use ascend_sim::hccl::*;

use super::*;
use crate::program::Words;

/// Adds up the ranks' numbers by a communicator, to see that it works.
fn sums(comm: *mut c_void, stream: *mut c_void, own: u64) -> u64 {
    let (from, to) = (Words::new(&[own]), Words::new(&[0]));
    let code = call!(HcclAllReduce(from.at, to.at, 1, INT64, SUM, comm, stream));
    assert_eq!(code, 0, "{}", last_error());
    assert_eq!(wait(stream), 0, "{}", last_error());
    to.get()[0]
}

fn name_of(comm: *mut c_void) -> String {
    let mut name = [0_u8; 128];
    assert_eq!(call!(HcclGetCommName(comm, name.as_mut_ptr().cast())), 0);
    String::from_utf8(name.into_iter().take_while(|byte| *byte != 0).collect()).unwrap()
}

#[test]
fn s75_ranks_find_each_other_by_a_root_info() {
    ranks(8, &[], |rank| {
        let (mut size, mut own) = (0, 99);
        assert_eq!(call!(HcclGetRankSize(rank.comm, &raw mut size)), 0);
        assert_eq!(call!(HcclGetRankId(rank.comm, &raw mut own)), 0);
        assert_eq!((size as usize, own as usize), (rank.size, rank.own));
        rank.board.post(&format!("name-{}", rank.own), name_of(rank.comm).as_bytes());
        assert_eq!(rank.board.take("name-0"), rank.board.take("name-7"));
        assert_eq!(sums(rank.comm, rank.stream, 1 << rank.own), 255);
        assert_eq!(call!(HcclCommDestroy(rank.comm)), 0);
    });
}

#[test]
fn s75_communicator_spans_servers_of_one_machine() {
    isolated::crew(2, &[("DEVICES", "1")], |own, board| {
        // SAFETY: no other thread is running yet that reads the environment.
        unsafe { std::env::set_var("ASCEND_SIM_SERVER", own.to_string()) };
        set_device(0);
        let info = carried(own, board, "root");
        let comm = init(2, &info, number(own));
        assert_eq!(sums(comm, stream(), 1 + own as u64), 3);
        board.meet("end", own, 2);
    });
}

#[test]
fn s75_threads_are_ranks_too() {
    isolated::run(&[], || {
        set_device(0);
        let info = root_info();
        std::thread::scope(|scope| {
            for own in 0..5_u32 {
                let info = &info;
                scope.spawn(move || {
                    set_device(own.cast_signed());
                    let comm = init(5, info, own);
                    for round in 0..20 {
                        assert_eq!(sums(comm, stream(), (u64::from(own) + 1) * round), 15 * round);
                    }
                });
            }
        });
    });
}

#[test]
fn s75_all_devices_of_a_process() {
    isolated::run(&[], || {
        let mut devices = [5, 2, 0];
        let mut comms = [null_mut(); 3];
        assert_eq!(
            call!(HcclCommInitAll(3, devices.as_mut_ptr(), comms.as_mut_ptr())),
            0,
            "{}",
            last_error()
        );
        let work: Vec<_> = devices
            .into_iter()
            .zip(comms)
            .map(|(device, comm)| {
                set_device(device);
                let (stream, words) = (stream(), Words::new(&[device.cast_unsigned().into()]));
                let code = call!(HcclAllReduce(words.at, words.at, 1, INT64, SUM, comm, stream));
                assert_eq!(code, 0, "{}", last_error());
                (device, stream, words)
            })
            .collect();
        for (device, stream, words) in work {
            set_device(device);
            assert_eq!(wait(stream), 0, "{}", last_error());
            assert_eq!(words.get(), [7]);
        }
        let mut twice = [1, 1];
        assert_eq!(call!(HcclCommInitAll(2, twice.as_mut_ptr(), comms.as_mut_ptr())), PARA);
        let mut none = [0, 8];
        assert_eq!(call!(HcclCommInitAll(2, none.as_mut_ptr(), comms.as_mut_ptr())), PARA);
        assert_eq!(call!(HcclCommInitAll(0, none.as_mut_ptr(), comms.as_mut_ptr())), PARA);
    });
}

#[test]
fn s75_the_device_is_set_first() {
    isolated::run(&[], || {
        let mut info = HcclRootInfo::default();
        assert_eq!(call!(HcclGetRootInfo(&raw mut info)), RUNTIME);
        set_device(0);
        let info = root_info();
        std::thread::spawn(move || assert_eq!(try_init(1, &info, 0), Err(RUNTIME))).join().unwrap();
        let comm = init(1, &info, 0);
        assert_eq!(sums(comm, stream(), 9), 9);
    });
}

#[test]
fn s75_missing_rank_fails_init() {
    isolated::crew(2, &[("=HCCL_CONNECT_TIMEOUT", "1")], |own, board| {
        set_device(i32::try_from(own).unwrap());
        let info = carried(own, board, "root");
        assert_eq!(try_init(3, &info, number(own)), Err(TIMEOUT));
        let text = last_error();
        assert!(text.contains("rank 2") && text.contains("never came"), "{text}");
        // Too late: it would wait for ranks that have given up.
        board.meet("gave up", own, 2);
        assert!(try_init(3, &info, 2).is_err());
        board.meet("end", own, 2);
    });
}

#[test]
fn s75_rank_dies_during_init() {
    isolated::crew(3, &[], |own, board| {
        set_device(i32::try_from(own).unwrap());
        let info = carried(own, board, "root");
        if own == 1 {
            // Enlists in a thread, and dies before the last one comes.
            let shared = {
                let bytes = info.internal.map(i8::cast_unsigned);
                let address = root::Address::of_root_info(&bytes).unwrap();
                root::fetch(address, 4).unwrap()
            };
            std::thread::spawn(move || {
                set_device(1);
                let _ = try_init(4, &info, 1);
            });
            while shared.names(&[1]).contains("never came") {
                std::thread::yield_now();
            }
            board.post("about to die", b"");
            board.take("the others wait");
            die();
        }
        board.take("about to die");
        board.post("the others wait", b"");
        assert_eq!(try_init(4, &info, number(own)), Err(REMOTE), "{}", last_error());
        assert!(last_error().contains("rank 1"));
    });
}

/// Runs each of these ranks of that size on a thread, on this device, and returns their answers.
fn together(ranks: &[(u32, u32, i32)]) -> Vec<(i32, String)> {
    let info = root_info();
    std::thread::scope(|scope| {
        let ranks: Vec<_> = ranks
            .iter()
            .map(|(rank, size, device)| {
                let info = &info;
                scope.spawn(move || {
                    set_device(*device);
                    let refused = try_init(*size, info, *rank).err();
                    (refused.unwrap_or_default(), last_error())
                })
            })
            .collect();
        let mut answers: Vec<(i32, String)> = ranks.into_iter().map(|rank| rank.join().unwrap()).collect();
        answers.sort();
        answers
    })
}

#[test]
fn s75_contradicting_ranks_are_rejected() {
    isolated::run(&[("=HCCL_CONNECT_TIMEOUT", "1")], || {
        set_device(0);
        let answers = together(&[(0, 2, 0), (1, 2, 1)]);
        assert_eq!(answers, [(0, String::new()), (0, String::new())]);
        for answer in together(&[(0, 2, 3), (1, 2, 3)]) {
            assert_eq!(answer.0, PARA);
            assert!(answer.1.contains("both use device 3"), "{}", answer.1);
        }
        // The second one gets the reason; the first waits in vain.
        let [one, other] = &together(&[(0, 2, 0), (1, 3, 1)])[..] else { panic!() };
        assert_eq!((one.0, other.0), (PARA, TIMEOUT));
        assert!(one.1.contains("others gave"), "{}", one.1);
        let [one, other] = &together(&[(1, 2, 0), (1, 2, 1)])[..] else { panic!() };
        assert_eq!((one.0, other.0), (PARA, TIMEOUT));
        assert!(one.1.contains("is there already") && other.1.contains("rank 0"), "{one:?} {other:?}");
        // An offer ends with the coming together.
        let info = root_info();
        init(1, &info, 0);
        assert_eq!(try_init(1, &info, 0), Err(PARA));
    });
}

#[test]
fn s75_arguments_of_init() {
    isolated::run(&[], || {
        set_device(0);
        let info = root_info();
        let mut comm = null_mut();
        assert_eq!(call!(HcclGetRootInfo(null_mut())), PTR);
        assert_eq!(call!(HcclCommInitRootInfo(2, std::ptr::null(), 0, &raw mut comm)), PTR);
        assert_eq!(call!(HcclCommInitRootInfo(2, &raw const info, 0, null_mut())), PTR);
        assert_eq!(try_init(0, &info, 0), Err(PARA));
        assert_eq!(try_init(2, &info, 2), Err(PARA));
        assert_eq!(try_init(1, &HcclRootInfo::default(), 0), Err(PARA), "no root info");
        let config = std::ptr::null();
        assert_eq!(call!(HcclCommInitRootInfoConfig(1, &raw const info, 0, config, &raw mut comm)), PTR);
        assert!(comm.is_null());
    });
}

fn config(name: &str, size: usize) -> HcclCommConfig {
    let mut config = HcclCommConfig::default();
    Head { size, magic: 0xf0f0_f0f0, version: 10, reserved: 0 }.put(&mut config);
    config.hcclBufferSize = 200;
    config.hcclDeterministic = u32::MAX;
    config.hcclExecTimeOut = -1;
    for (to, byte) in config.hcclCommName.iter_mut().zip(name.bytes()) {
        *to = byte.cast_signed();
    }
    config
}

#[test]
fn s75_configurations_of_any_size() {
    isolated::crew(2, &[], |own, board| {
        set_device(i32::try_from(own).unwrap());
        // One program is older than the other.
        for (round, sizes) in [[2240, 2240], [160, 2240], [2240, 4000]].into_iter().enumerate() {
            let info = carried(own, board, &format!("root-{round}"));
            let config = config("tensor parallel", sizes[own]);
            let mut comm = null_mut();
            let code = call!(HcclCommInitRootInfoConfig(
                2,
                &raw const info,
                number(own),
                &raw const config,
                &raw mut comm
            ));
            assert_eq!(code, 0, "{}", last_error());
            assert_eq!(name_of(comm), "tensor parallel");
            assert_eq!(sums(comm, stream(), 2), 4);
        }
        let info = carried(own, board, "root-names");
        let config = config(["one", "another"][own], 2240);
        let mut comm = null_mut();
        let code = call!(HcclCommInitRootInfoConfig(
            2,
            &raw const info,
            number(own),
            &raw const config,
            &raw mut comm
        ));
        assert_eq!(code, PARA);
        assert!(last_error().contains("another"));
        board.meet("end", own, 2);
    });
}

const TABLE: &str = r#"{"status": "completed", "version": "1.0", "server_count": "1", "server_list":
    [{"server_id": "10.0.0.1", "device": [
        {"device_id": "2", "device_ip": "192.168.0.2", "rank_id": "1"},
        {"device_id": "0", "device_ip": "192.168.0.1", "rank_id": "0"},
        {"device_id": "3", "device_ip": "192.168.0.3", "rank_id": "2"}]}]}"#;

#[test]
fn s75_ranks_find_each_other_by_a_rank_table() {
    isolated::crew(3, &[], |own, board| {
        let device = [0, 2, 3][own];
        set_device(device);
        let path = std::env::temp_dir().join(format!("ascend-sim-table-{}", std::process::id()));
        std::fs::write(&path, TABLE).unwrap();
        let file = CString::new(path.to_str().unwrap()).unwrap();
        let text = CString::new(TABLE).unwrap();
        let mut config = config("by table", 2240);
        // Again and again with the same table, one right after the other.
        for round in 0..10 {
            let mut comm = null_mut();
            let code = match round % 3 {
                0 => call!(HcclCommInitClusterInfo(file.as_ptr(), number(own), &raw mut comm)),
                1 => call!(HcclCommInitClusterInfoConfig(
                    file.as_ptr(),
                    number(own),
                    &raw mut config,
                    &raw mut comm
                )),
                _ => {
                    call!(HcclCommInitClusterInfoMemConfig(
                        text.as_ptr(),
                        number(own),
                        &raw mut config,
                        &raw mut comm
                    ))
                }
            };
            assert_eq!(code, 0, "{}", last_error());
            assert_eq!(round % 3 != 0, name_of(comm) == "by table");
            assert_eq!(sums(comm, stream(), 1 << own), 7);
            assert_eq!(call!(HcclCommDestroy(comm)), 0);
        }
        std::fs::remove_file(path).unwrap();
        board.meet("end", own, 3);
    });
}

#[test]
fn s75_malformed_rank_tables_are_rejected() {
    isolated::run(&[("=HCCL_CONNECT_TIMEOUT", "1")], || {
        set_device(0);
        let mut comm = null_mut();
        let mut config = config("", 2240);
        let mut by_text = |text: &str, rank: u32| {
            let text = CString::new(text).unwrap();
            call!(HcclCommInitClusterInfoMemConfig(text.as_ptr(), rank, &raw mut config, &raw mut comm))
        };
        assert_eq!(by_text("{", 0), PARA);
        assert_eq!(by_text(TABLE, 3), PARA, "no such rank");
        assert_eq!(by_text(TABLE, 2), PARA, "it has another device");
        assert_eq!(by_text(TABLE, 0), TIMEOUT, "the others do not come");
        let mut comm = null_mut();
        let file = c"/nowhere/table.json".as_ptr();
        assert_eq!(call!(HcclCommInitClusterInfo(file, 0, &raw mut comm)), 10);
        assert_eq!(call!(HcclCommInitClusterInfo(std::ptr::null(), 0, &raw mut comm)), PTR);
        assert!(comm.is_null());
    });
}

/// Makes a communicator of some ranks of another one.
fn subset(rank: &Rank<'_>, id: u64, members: &[u32], place: u32) -> Result<*mut c_void, i32> {
    let mut config = config("", 2240);
    let (mut parent, mut sub) = (rank.comm, std::ptr::without_provenance_mut(1));
    let mut members = members.to_vec();
    let at = if members.is_empty() { null_mut() } else { members.as_mut_ptr() };
    let count = number(members.len());
    match call!(HcclCreateSubCommConfig(&raw mut parent, count, at, id, place, &raw mut config, &raw mut sub))
    {
        0 => Ok(sub),
        code => Err(code),
    }
}

#[test]
fn s75_subsets_have_separate_communicators() {
    ranks(6, &[], |rank| {
        let own = number(rank.own);
        // Even and odd ranks, the odd ones in reverse.
        let members = if own.is_multiple_of(2) { vec![0, 2, 4] } else { vec![5, 3, 1] };
        let place = members.iter().position(|member| *member == own).unwrap();
        for round in 0..3 {
            let sub = subset(rank, 7 + round, &members, number(place))
                .unwrap_or_else(|_| panic!("{}", last_error()));
            let (mut size, mut id) = (0, 9);
            assert_eq!(call!(HcclGetRankSize(sub, &raw mut size)), 0);
            assert_eq!(call!(HcclGetRankId(sub, &raw mut id)), 0);
            assert_eq!((size, id as usize), (3, place));
            assert_eq!(
                sums(sub, rank.stream, 1 << own),
                if own.is_multiple_of(2) { 0b01_0101 } else { 0b10_1010 }
            );
        }
        // The parent works on, and so does a subset when the parent is gone.
        assert_eq!(sums(rank.comm, rank.stream, 1), 6);
        let pair = match own {
            0 | 5 => subset(rank, 99, &[5, 0], u32::from(own == 0)).unwrap(),
            _ => subset(rank, 0xffff_ffff, &[], 0).unwrap(),
        };
        assert_eq!(call!(HcclCommDestroy(rank.comm)), 0);
        match own {
            0 | 5 => assert_eq!(sums(pair, rank.stream, 3), 6),
            _ => assert!(pair.is_null(), "in no subset"),
        }
    });
}

#[test]
fn s75_subsets_are_checked() {
    ranks(2, &[], |rank| {
        let own = number(rank.own);
        assert_eq!(subset(rank, 1, &[own, 2], 0), Err(PARA), "no such rank");
        assert_eq!(subset(rank, 1, &[own, own], 0), Err(PARA), "twice");
        assert_eq!(subset(rank, 1, &[0, 1], 1 - own), Err(PARA), "another place");
        assert_eq!(subset(rank, 1, &[1 - own], 0), Err(PARA), "not in it");
        assert_eq!(sums(rank.comm, rank.stream, 1), 2);
    });
}
