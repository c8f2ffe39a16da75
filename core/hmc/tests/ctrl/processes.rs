// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests with processes that die, and that are forked.

use std::process::{Child, Command, Stdio};

use super::*;

const ROLE: &str = "MF_TEST_HMC_PATH";
const SECRET: &str = "MF_TEST_HMC_SECRET";

/// In a child of the tests below: listens at the path, and waits to be killed.
#[test]
fn listens_until_it_is_killed() {
    let Ok(path) = std::env::var(ROLE) else { return };
    let control = control();
    let secret = std::env::var(SECRET).unwrap();
    control.start(&rules(&secret), Listen { tcp: None, unix: Some(&path) }).unwrap();
    loop {
        std::thread::park();
    }
}

fn child(file: &File, secret: &str) -> Child {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "processes::listens_until_it_is_killed"])
        .env(ROLE, file.path())
        .env(SECRET, secret)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    wait_for("the child listens", || file.0.exists());
    child
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn receive_fails_when_the_peer_is_killed() {
    let (file, control) = (File::new("killed"), control());
    let child = child(&file, "");
    control.connect_unix(&rules(""), 0, file.path(), 1).unwrap();
    std::thread::scope(|scope| {
        let receiving = scope.spawn(|| control.receive(Peer::Rank(0), None).unwrap_err());
        kill(child);
        broken(&receiving.join().unwrap(), "died");
    });
    assert!(!control.has(Peer::Rank(0)));
}

#[test]
fn only_the_socket_file_of_a_dead_process_is_replaced() {
    let (file, control) = (File::new("living"), control());
    let child = child(&file, "");
    let at = Listen { tcp: None, unix: Some(file.path()) };
    let error = control.start(&rules(""), at).unwrap_err();
    assert_eq!(error.kind(), Kind::InUse, "{error}");
    control.connect_unix(&rules(""), 0, file.path(), 1).unwrap();
    kill(child);
    assert!(file.0.exists());
    control.start(&rules(""), at).unwrap();
    control.connect_unix(&rules(""), 0, file.path(), 1).unwrap();
    assert!(control.has(Peer::Rank(1)));
    control.stop();
    assert!(!file.0.exists());
}

#[test]
fn later_process_takes_over_a_rank_at_once() {
    for secret in ["", "s"] {
        let (file, rules) = (File::new("claimed"), rules(secret));
        let child = child(&file, secret);
        // With either rank as the lower one: the tie-break would keep its link if both were of one process.
        for own in [1, 3] {
            let (control, port) = listening(&rules);
            control.connect_unix(&rules, 2, file.path(), own).unwrap();
            let claimant = super::control();
            claimant.connect_tcp(&rules, own, "127.0.0.1", port, 2).unwrap();
            // Accepted: a round has passed since.
            assert!(!control.has(Peer::Rank(99)));
            send_tag(control, 2, 5);
            assert_eq!(receive_tag(claimant, own).unwrap(), 5, "secret {secret:?}, own rank {own}");
            send_tag(claimant, own, 6);
            assert_eq!(receive_tag(control, 2).unwrap(), 6);
            // And back again: the last dial wins.
            control.connect_unix(&rules, 2, file.path(), own).unwrap();
            broken(&receive_tag(claimant, own).unwrap_err(), "closed it");
            control.stop();
        }
        kill(child);
    }
}

#[test]
#[expect(unsafe_code, reason = "a child without exec")]
fn a_forked_child_has_no_links_and_leaves_those_of_its_parent() {
    let file = File::new("forked");
    let (server, client) = (control(), control());
    server.start(&rules(""), Listen { tcp: None, unix: Some(file.path()) }).unwrap();
    client.connect_unix(&rules(""), 0, file.path(), 1).unwrap();
    assert!(server.has(Peer::Rank(1)));
    // SAFETY: the child only uses state that does not depend on threads of its parent, and exits.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let is_empty = !server.is_server() && !server.has(Peer::Rank(1)) && !client.has(Peer::Rank(0));
        server.stop();
        client.close_all();
        let code = i32::from(!is_empty);
        // SAFETY: ends the child without the handlers of its parent.
        unsafe { libc::_exit(code) };
    }
    let mut status = 0;
    // SAFETY: the child was just made, and nothing else waits for it.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0, "status {status:#x}");
    send_tag(client, 0, 1);
    assert_eq!(receive_tag(server, 1).unwrap(), 1);
    server.stop();
}
