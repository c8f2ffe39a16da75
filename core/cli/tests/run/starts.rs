// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Jobs that start anew, jobs of several hosts, and files of what their ranks print.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Stdio};

use super::{mf, send, shell, sorted_lines};

/// A folder of a test; gone at its end.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("mf-run-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn failed_job_restarts_and_each_rank_has_a_file() {
    let folder = Folder::new("restarts");
    let logs = folder.0.to_str().unwrap();
    let script = "echo start $TORCHELASTIC_RESTART_COUNT of $TORCHELASTIC_MAX_RESTARTS; echo wrong >&2; \
                  [ $RANK = 0 ] || [ $TORCHELASTIC_RESTART_COUNT = 2 ] || exit 7";
    let output = shell("2", &["--restarts", "3", "--logs", logs], script);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("mf run: restart 1 of 3\n") && said.contains("mf run: restart 2 of 3\n"), "{said}");
    assert!(!said.contains("restart 3") && said.contains("rank 1 exited with code 7"), "{said}");
    // Rank 0 may have been ended before it printed.
    let mut lines = sorted_lines(folder.read("rank-1.log").as_bytes());
    lines.retain(|line| line != "wrong");
    assert_eq!(lines, ["start 0 of 3", "start 1 of 3", "start 2 of 3"]);
    assert!(folder.read("rank-0.log").contains("start 2 of 3\n"));
    let spent = shell("1", &["--restarts", "1"], "exit 9");
    assert_eq!(spent.status.code(), Some(9), "{spent:?}");
    let asked = shell("1", &["--restarts", "5"], "kill -TERM $PPID; sleep 60");
    assert_eq!(asked.status.code(), Some(128 + 15), "{asked:?}");
    assert!(!String::from_utf8_lossy(&asked.stderr).contains("restart 1"), "{asked:?}");
}

#[test]
fn ranks_of_several_hosts_are_one_job() {
    let folder = Folder::new("nodes");
    let logs = folder.0.to_str().unwrap();
    let options = ["--nodes", "3", "--node-rank", "1", "--store", "tcp://127.0.0.1:5570", "--logs", logs];
    let script =
        "echo $RANK $LOCAL_RANK $WORLD_SIZE $GROUP_RANK $MASTER_ADDR $MASTER_PORT $MF_CONFIG_STORE_URL";
    let start = |secret: bool, options: &[&str]| {
        let mut arguments = vec!["run", "-n", "2"];
        arguments.extend(options);
        arguments.extend(["--", "sh", "-c", script]);
        let mut command = mf(&arguments);
        command.env_remove("MF_JOB_SECRET").env_remove("MF_JOB_SECRET_FILE");
        if secret {
            command.env("MF_JOB_SECRET", "a secret of all hosts, long enough");
        }
        command.output().unwrap()
    };
    let output = start(true, &options);
    assert!(output.status.success(), "{output:?}");
    let url = "127.0.0.1 5571 tcp://127.0.0.1:5570";
    assert_eq!(sorted_lines(&output.stdout), [format!("[2] 2 0 6 1 {url}"), format!("[3] 3 1 6 1 {url}")]);
    assert_eq!(folder.read("rank-3.log"), format!("3 1 6 1 {url}\n"));
    for (secret, options, text) in [
        (false, &options[..], "need a common secret"),
        (true, &["--nodes", "2", "--node-rank", "2", "--store", "tcp://127.0.0.1:5570"][..], "not below"),
        (
            true,
            &["--nodes", "9000", "--node-rank", "2", "--store", "tcp://127.0.0.1:5570"][..],
            "no more ranks",
        ),
    ] {
        let output = start(secret, options);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(text), "{text}: {output:?}");
    }
    assert_eq!(start(true, &["--nodes", "2"]).status.code(), Some(2));
}

/// Commands of two hosts, which are this one; ranks 0 and 1 belong to the first, 2 and 3 to the second.
fn two_hosts(restarts: &str, script: &str) -> [Child; 2] {
    let url = format!("tcp://127.0.0.1:{}", three_free_ports());
    ["0", "1"].map(|host| {
        let mut command = mf(&["run", "-n", "2", "--nodes", "2", "--node-rank", host, "--store", &url]);
        command.args(["--restarts", restarts, "--", "sh", "-c", script]);
        command.env("MF_JOB_SECRET", "a secret of all hosts, long enough").env_remove("MF_JOB_SECRET_FILE");
        command.env("MF_STORE_LEASE", "1s");
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    })
}

/// The first of three ports behind each other that are free.
fn three_free_ports() -> u16 {
    loop {
        let first = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = first.local_addr().unwrap().port();
        let is_free = |more| TcpListener::bind(("127.0.0.1", port.checked_add(more)?)).ok();
        if is_free(1).is_some() && is_free(2).is_some() {
            return port;
        }
    }
}

#[test]
fn failure_on_one_host_restarts_the_job_on_all() {
    let script = "echo start $TORCHELASTIC_RESTART_COUNT; [ $TORCHELASTIC_RESTART_COUNT = 2 ] && exit 0; \
                  [ $RANK = 3 ] && exit 7; exec sleep 600";
    let ended = two_hosts("3", script).map(|host| host.wait_with_output().unwrap());
    for (output, [one, other]) in ended.iter().zip([[0, 1], [2, 3]]) {
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let lines = sorted_lines(&output.stdout);
        for rank in [one, other] {
            assert!(lines.contains(&format!("[{rank}] start 2")), "{output:?}");
        }
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("restart 1 of 3\n") && said.contains("restart 2 of 3\n"), "{said}");
        assert!(!said.contains("restart 3"), "{said}");
    }
    let said = String::from_utf8_lossy(&ended[0].stderr);
    assert!(said.contains("host 1 has failed; ending the ranks of this host"), "{said}");
    let spent = two_hosts("1", "[ $RANK = 1 ] && exit 9; exec sleep 600");
    for output in spent.map(|host| host.wait_with_output().unwrap()) {
        assert_eq!(output.status.code(), Some(9), "{output:?}");
    }
}

#[test]
fn killed_or_stopped_host_ends_the_job_on_all_hosts() {
    for is_killed in [true, false] {
        let mut hosts = two_hosts("3", "echo here; exec sleep 600");
        let [_, second] = &mut hosts;
        let mut line = String::new();
        BufReader::new(second.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let signal = if is_killed { "KILL" } else { "INT" };
        send(signal, second.id());
        let [first, second] = hosts.map(|host| host.wait_with_output().unwrap());
        let said = String::from_utf8_lossy(&first.stderr);
        assert!(!said.contains("restart 1"), "{said}");
        if is_killed {
            assert_eq!(first.status.code(), Some(1), "{first:?}");
            assert!(said.contains("the command on host 1 is gone"), "{said}");
        } else {
            assert_eq!([first.status.code(), second.status.code()], [Some(130); 2], "{first:?} {second:?}");
        }
    }
}
