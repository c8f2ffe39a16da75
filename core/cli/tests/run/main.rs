// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf run` from outside: prefixes, exit codes, the end of a job, floods of output, closed pipes.

#![expect(unsafe_code, reason = "signals of child processes")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests fail the test")]

mod starts;

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Longest that anything here may take.
const DEADLINE: Duration = Duration::from_secs(60);

fn mf(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mf"));
    command.args(arguments).stdin(Stdio::null());
    let in_child = || {
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
            // The caller of the tests may have these ignored, which `mf run` would rightly pass on to its
            // ranks. SAFETY: sets a disposition of the child, which is about to become another
            // program.
            unsafe { libc::signal(signal, libc::SIG_DFL) };
        }
        // The alarm goes on in the new program and ends it, and with it its ranks, should a test hang.
        // SAFETY: one system call.
        unsafe { libc::alarm(60) };
        Ok(())
    };
    // SAFETY: between fork and exec the closure makes system calls only.
    unsafe { command.pre_exec(in_child) };
    command
}

fn run(arguments: &[&str]) -> Output {
    mf(arguments).output().expect("mf starts")
}

fn shell(ranks: &str, options: &[&str], script: &str) -> Output {
    let mut arguments = vec!["run", "-n", ranks];
    arguments.extend(options);
    arguments.extend(["--", "sh", "-c", script]);
    run(&arguments)
}

fn sorted_lines(bytes: &[u8]) -> Vec<String> {
    let mut lines: Vec<String> = String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

/// Waits until a condition holds.
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + DEADLINE;
    while !holds() {
        assert!(Instant::now() < end, "{what} did not happen within {DEADLINE:?}");
        std::thread::yield_now();
    }
}

/// True if a process exists and is not a zombie.
fn is_running(pid: &str) -> bool {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    text.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.trim_start().starts_with(['Z', 'X']))
}

#[test]
fn output_lines_carry_ranks_and_ranks_get_their_environment() {
    let output = shell(
        "3",
        &[],
        "echo $RANK/$LOCAL_RANK of $WORLD_SIZE/$LOCAL_WORLD_SIZE group $GROUP_RANK at $MASTER_ADDR; echo e$ROLE_RANK >&2",
    );
    assert!(output.status.success(), "{output:?}");
    let expected: Vec<String> =
        (0..3).map(|r| format!("[{r}] {r}/{r} of 3/3 group 0 at 127.0.0.1")).collect();
    assert_eq!(sorted_lines(&output.stdout), expected);
    assert_eq!(sorted_lines(&output.stderr), ["[0] e0", "[1] e1", "[2] e2"]);
}

#[test]
fn ranks_share_ports_store_secret_and_run_id() {
    let output = shell(
        "2",
        &["--no-prefix"],
        "echo $MASTER_PORT $MF_CONFIG_STORE_URL $MF_JOB_SECRET $TORCHELASTIC_RUN_ID",
    );
    let lines = sorted_lines(&output.stdout);
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0], lines[1]);
    let words: Vec<&str> = lines[0].split(' ').collect();
    let port: u16 = words[0].parse().unwrap();
    let store: u16 = words[1].strip_prefix("tcp://127.0.0.1:").unwrap().parse().unwrap();
    assert_ne!(port, store);
    assert_eq!(words[2].len(), 64);
    assert!(!words[3].is_empty());
}

#[test]
fn a_given_secret_and_store_are_passed_on() {
    let mut command = mf(&[
        "run",
        "-n",
        "1",
        "--store",
        "tcp://127.0.0.1:5571",
        "--",
        "sh",
        "-c",
        "echo $MF_JOB_SECRET $MF_CONFIG_STORE_URL",
    ]);
    let output = command.env("MF_JOB_SECRET", "mine").output().unwrap();
    assert_eq!(sorted_lines(&output.stdout), ["[0] mine tcp://127.0.0.1:5571"]);
}

#[test]
fn exit_code_is_that_of_the_first_failure() {
    for (script, code) in [("exit 0", 0), ("[ $RANK = 1 ] && exit 7; sleep 600", 7), ("kill -9 $$", 137)] {
        let output = shell("2", &[], script);
        assert_eq!(output.status.code(), Some(code), "{script}: {output:?}");
    }
}

#[test]
fn a_failure_is_named() {
    let output = shell("3", &[], "[ $RANK = 2 ] && exit 3; sleep 600");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("rank 2 exited with code 3"), "{text}");
}

#[test]
fn signals_have_their_usual_names() {
    let output = shell("2", &[], "[ $RANK = 1 ] && kill -9 $$; sleep 600");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("rank 1 was ended by SIGKILL (signal 9)"), "{text}");
}

#[test]
fn other_ranks_are_signalled_before_being_killed() {
    let script = "if [ $RANK = 0 ]; then trap 'echo stopped; exit 0' TERM; echo up; while :; do sleep 0.01; done; \
                  else while ! [ -e $DIR/up ]; do sleep 0.01; done; exit 5; fi";
    let folder = tempfolder("stopped");
    let mut child = mf(&["run", "-n", "2", "--grace", "600", "--", "sh", "-c", script])
        .env("DIR", &folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "[0] up");
    std::fs::write(folder.join("up"), "").unwrap();
    assert_eq!(lines.next().unwrap().unwrap(), "[0] stopped");
    assert_eq!(child.wait().unwrap().code(), Some(5));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn process_ignoring_signals_is_killed_with_its_children() {
    let script = "[ $RANK = 1 ] && exit 4; trap '' TERM; sleep 600 & echo $!; while :; do wait; done";
    let output = shell("2", &["--grace", "0.05", "--no-prefix"], script);
    assert_eq!(output.status.code(), Some(4), "{output:?}");
    // Rank 0 may have been killed before it printed.
    for pid in sorted_lines(&output.stdout) {
        until("the grandchild ends", || !is_running(&pid));
    }
}

#[test]
fn leftover_children_of_a_rank_do_not_delay_the_job() {
    let output = shell("1", &["--no-prefix"], "sleep 600 & echo $!");
    assert!(output.status.success());
    let pid = sorted_lines(&output.stdout).remove(0);
    until("the grandchild ends", || !is_running(&pid));
}

#[test]
fn an_interrupt_is_forwarded() {
    for (signal, number) in [("INT", 2), ("TERM", 15)] {
        let script =
            format!("trap 'echo got {signal}; exit 0' {signal}; echo up; while :; do sleep 0.01; done");
        let mut child =
            mf(&["run", "-n", "1", "--", "sh", "-c", &script]).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert_eq!(lines.next().unwrap().unwrap(), "[0] up");
        send(signal, child.id());
        assert_eq!(lines.next().unwrap().unwrap(), format!("[0] got {signal}"));
        assert_eq!(child.wait().unwrap().code(), Some(128 + number));
    }
}

#[test]
fn ranks_end_when_mf_is_killed() {
    let mut child = mf(&["run", "-n", "2", "--no-prefix", "--", "sh", "-c", "echo $$; exec sleep 600"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let pids: Vec<String> = (0..2).map(|_| lines.next().unwrap().unwrap()).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    for pid in pids {
        until("the rank ends", || !is_running(&pid));
    }
}

#[test]
fn programs_of_wrapper_scripts_end_when_mf_is_killed() {
    for signal in ["KILL", "QUIT"] {
        // The script's own child, and what another shell below it has started.
        let script = "sleep 600 & echo $!; sh -c 'sleep 600 & echo $!; wait'";
        let mut command = mf(&["run", "-n", "2", "--no-prefix", "--", "sh", "-c", script]);
        let no_core = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        let in_child = move || {
            // SAFETY: reads a valid limit.
            unsafe { libc::setrlimit(libc::RLIMIT_CORE, &raw const no_core) };
            Ok(())
        };
        // SAFETY: between fork and exec the closure makes a system call only.
        unsafe { command.pre_exec(in_child) };
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let pids: Vec<String> = (0..4).map(|_| lines.next().unwrap().unwrap()).collect();
        send(signal, child.id());
        assert_eq!(child.wait().unwrap().code(), None, "{signal}");
        for pid in pids {
            until("the program ends", || !is_running(&pid));
        }
    }
}

#[test]
fn a_job_ends_when_the_caller_blocks_or_ignores_signals() {
    let in_child = || {
        // SAFETY: zero is a set; the calls below are system calls upon it.
        let mut all = unsafe { std::mem::zeroed() };
        // SAFETY: as above.
        unsafe { libc::sigfillset(&raw mut all) };
        // SAFETY: as above.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, std::ptr::null_mut()) };
        // SAFETY: as above.
        unsafe { libc::signal(libc::SIGCHLD, libc::SIG_IGN) };
        Ok(())
    };
    let started = |script: &str| {
        let mut command = mf(&["run", "-n", "2", "--no-prefix", "--", "sh", "-c", script]);
        // SAFETY: between fork and exec the closure makes system calls only.
        unsafe { command.pre_exec(in_child) };
        command.stdout(Stdio::piped()).spawn().unwrap()
    };
    // The order of a rank's end and its output's end is random.
    for _ in 0..5 {
        let output = started("exit $((RANK * 3))").wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{output:?}");
    }
    let output = started("grep -E '^Sig(Blk|Ign)' /proc/self/status").wait_with_output().unwrap();
    let lines = sorted_lines(&output.stdout);
    let bits = |name: &str| {
        let line = lines.iter().find_map(|line| line.strip_prefix(name)).unwrap();
        u64::from_str_radix(line.trim(), 16).unwrap()
    };
    assert_eq!(bits("SigBlk:"), 0, "{lines:?}");
    assert_eq!(bits("SigIgn:") & (1 << (libc::SIGCHLD - 1)), 0, "{lines:?}");
    for (signal, number) in [("TERM", 15), ("INT", 2)] {
        let mut child = started("echo up; exec sleep 600");
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert_eq!(lines.next().unwrap().unwrap(), "up");
        send(signal, child.id());
        assert_eq!(child.wait().unwrap().code(), Some(128 + number), "{signal}");
    }
}

#[test]
fn missing_command_exits_with_127() {
    let output = run(&["run", "-n", "2", "--", "no-such-command-here"]);
    assert_eq!(output.status.code(), Some(127));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("command not found: no-such-command-here"), "{text}");
    let output = run(&["run", "-n", "1", "--", "/"]);
    assert_eq!(output.status.code(), Some(126), "{output:?}");
}

#[test]
fn wrong_arguments_are_refused() {
    for arguments in [
        &["run", "-n", "0", "--", "true"][..],
        &["run", "-n", "16385", "--", "true"],
        &["run", "-n", "x", "--", "true"],
        &["run", "-n", "1"],
        &["run", "-n", "1", "--"],
        &["run", "-n", "1", "--grace", "-1", "--", "true"],
        &["nonsense"],
    ] {
        assert_eq!(run(arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn malformed_store_url_is_refused_before_anything_starts() {
    let output = run(&["run", "-n", "1", "--store", "http://127.0.0.1:5570", "--", "echo", "started"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
}

#[test]
fn bytes_long_lines_and_unfinished_lines_pass() {
    let output =
        shell("1", &[], r"printf 'a\377\000b\n'; head -c 3000000 /dev/zero | tr '\0' x; echo; printf last");
    let mut expected = b"[0] a\xff\0b\n[0] ".to_vec();
    expected.extend(std::iter::repeat_n(b'x', 3_000_000));
    expected.extend(b"\n[0] last\n");
    assert_eq!(output.stdout.len(), expected.len());
    assert!(output.stdout == expected);
}

#[test]
fn heavy_output_of_some_ranks_arrives_whole() {
    let script = "[ $RANK = 0 ] && exit 0; i=0; while [ $i -lt 20 ]; do head -c 1000000 /dev/zero | tr '\\0' y | fold -w 99; echo; echo e$i >&2; i=$((i+1)); done";
    let output = shell("3", &["--no-prefix"], script);
    assert!(output.status.success(), "{:?}", output.status);
    assert_eq!(output.stdout.iter().filter(|byte| **byte == b'y').count(), 2 * 20 * 1_000_000);
    assert_eq!(sorted_lines(&output.stderr).len(), 40);
}

#[test]
fn closed_output_pipe_ends_the_job() {
    let mut child = mf(&["run", "-n", "2", "--", "sh", "-c", "while :; do echo line; done"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0u8; 9];
    let mut pipe = child.stdout.take().unwrap();
    pipe.read_exact(&mut first).unwrap();
    drop(pipe);
    // 141 when our own end noticed, 143 when the ranks were stopped first.
    assert!(matches!(child.wait().unwrap().code(), Some(141 | 143)));
}

#[test]
fn stalled_reader_does_not_block_signals() {
    let mut child = mf(&[
        "run",
        "-n",
        "1",
        "--grace",
        "0.05",
        "--",
        "sh",
        "-c",
        "trap '' TERM; while :; do echo line; done",
    ])
    .stdout(Stdio::piped())
    .spawn()
    .unwrap();
    let mut pipe = BufReader::new(child.stdout.take().unwrap());
    pipe.read_line(&mut String::new()).unwrap();
    let pid = child.id();
    until("mf ends", || {
        send("TERM", pid);
        child.try_wait().unwrap().is_some()
    });
    drop(pipe);
}

#[test]
fn sixty_four_ranks_run_on_one_host() {
    let output = shell("64", &["--no-prefix"], "echo $RANK");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(sorted_lines(&output.stdout).len(), 64);
}

#[test]
fn standard_input_of_ranks_is_empty() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_mf"))
        .args(["run", "-n", "1", "--", "cat"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let _ = input.write_all(b"not for the ranks\n");
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stdout.is_empty());
}

fn send(signal: &str, pid: u32) {
    // The process may have ended already.
    let _ =
        Command::new("kill").args([&format!("-{signal}"), &pid.to_string()]).stderr(Stdio::null()).status();
}

fn tempfolder(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("mf-cli-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
