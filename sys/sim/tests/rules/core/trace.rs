// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The call trace.

use std::ptr::null_mut;

use ascend_sim::acl::devices::*;
use ascend_sim::acl::memory::aclrtFree;
use serde_json::Value;

use crate::isolated::{self, Board};

const SIZE: usize = 3;

fn trace_to(board: &Board) {
    // SAFETY: this process has one thread yet.
    unsafe { std::env::set_var("ASCEND_SIM_TRACE", board.path("trace")) };
}

fn lines(board: &Board) -> Vec<Value> {
    let text = std::fs::read_to_string(board.path("trace")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_call_is_traced_from_the_first() {
    isolated::crew(1, &[], |_, board| {
        trace_to(board);
        ok!(aclrtSetDevice(1));
        assert_eq!(code!(aclrtFree(null_mut())), 100000);
        let lines = lines(board);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0]["call"], "aclrtSetDevice");
        assert_eq!(lines[0]["args"]["deviceId"], 1);
        assert_eq!(lines[0]["result"], 0);
        assert_eq!(lines[0].get("error"), None);
        assert_eq!(lines[1]["args"]["devPtr"], "0x0");
        assert_eq!(lines[1]["result"], 100000);
        assert!(lines[1]["error"].as_str().unwrap().contains("is null"));
        assert_eq!(lines[1]["process"], std::process::id());
        assert!(lines[1]["ns"].as_u64() >= lines[0]["ns"].as_u64());
    });
}

#[test]
fn processes_and_threads_share_a_file_line_by_line() {
    isolated::crew(SIZE, &[], |rank, board| {
        trace_to(board);
        let threads: Vec<_> = (0..4)
            .map(|_| {
                std::thread::spawn(|| (0..200).for_each(|_| assert_eq!(code!(aclrtSetDevice(-7)), 107001)))
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        board.meet("traced", rank, SIZE);
        let lines = lines(board);
        assert_eq!(lines.len(), SIZE * 4 * 200);
        assert!(lines.iter().all(|line| line["args"]["deviceId"] == -7));
    });
}

#[test]
fn unwritable_trace_file_is_refused() {
    isolated::run(&[("TRACE", "/nowhere/trace")], || {
        assert_eq!(code!(aclrtSetDevice(0)), 100000);
        assert!(crate::calls::last_error().contains("/nowhere/trace"));
    });
}
