// SPDX-License-Identifier: Apache-2.0 OR MIT
//! With a second process.

use std::cell::Cell;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

use mf_base::interrupt;

use super::*;

/// Names the UCX transports that a peer process uses (`UCX_TLS`); without it there is no peer process.
const TLS: &str = "MF_TEST_UCX_TLS";
/// Interval at which a peer process checks its connections: short, so that a test lives through some checks.
const KEEPALIVE: Duration = Duration::from_millis(50);

/// Does nothing in a run of the tests; the next test starts it as its peer, which stays until it is killed.
#[test]
fn peer_process() {
    let Ok(tls) = std::env::var(TLS) else { return };
    let Some(node) = Node::start(1, &tls, false) else { return };
    let (address, _) = node.share(1 << 20);
    let hex: String = node.ucx.address().iter().map(|byte| format!("{byte:02x}")).collect();
    println!("\naddress {address} {hex}");
    std::io::stdout().flush().unwrap();
    let mut line = String::new();
    let _ = std::io::stdin().read_line(&mut line);
}

/// Path of a test of this module, as the test runner prints it.
fn path_of(test: &str) -> String {
    let (_, module) = module_path!().split_once("::").unwrap();
    format!("{module}::{test}")
}

fn start_peer(tls: &str) -> (std::process::Child, u64, Vec<u8>) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "--nocapture", &path_of("peer_process")])
        .env(TLS, tls)
        .env("UCX_KEEPALIVE_INTERVAL", format!("{}ms", KEEPALIVE.as_millis()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for line in lines {
        if let Some((address, hex)) =
            line.unwrap().strip_prefix("address ").and_then(|rest| rest.split_once(' '))
        {
            let bytes = hex.as_bytes().chunks(2);
            let bytes = bytes.map(|two| u8::from_str_radix(std::str::from_utf8(two).unwrap(), 16).unwrap());
            return (child, address.parse().unwrap(), bytes.collect());
        }
    }
    panic!("the other process said nothing");
}

const PEER: Peer = Peer { job: JobId(1), rank: 1, session: 1001 };

/// Starts the other process, which `node` then knows as `PEER`. Returns the address of its memory.
fn introduced(node: &Node, tls: &str) -> (std::process::Child, u64) {
    let (child, address, other) = start_peer(tls);
    node.ucx.introduce(PEER, &other).unwrap();
    (child, address)
}

fn id_of(child: &std::process::Child) -> libc::pid_t {
    libc::pid_t::try_from(child.id()).unwrap()
}

/// The process stands still on return: all of its threads.
fn stop(child: &std::process::Child) {
    // SAFETY: a process of ours.
    unsafe { libc::kill(id_of(child), libc::SIGSTOP) };
    // SAFETY: integers and pointers, for which zeroes are fine.
    let mut stopped: libc::siginfo_t = unsafe { std::mem::zeroed() };
    // SAFETY: a child of this process, and a buffer for its status.
    let waited =
        unsafe { libc::waitid(libc::P_PID, child.id(), &raw mut stopped, libc::WSTOPPED | libc::WNOWAIT) };
    assert_eq!(waited, 0);
}

fn resume(child: &std::process::Child) {
    // SAFETY: a process of ours, which goes on then.
    unsafe { libc::kill(id_of(child), libc::SIGCONT) };
}

#[test]
fn killed_peer_fails_its_operations_and_is_reported() {
    // UCX 1.13 notices it over TCP, and not over shared memory, where deadlines do.
    for tls in &TRANSPORTS[..1] {
        let Some(a) = Node::start(0, tls, false) else { return };
        let (mut child, address) = introduced(&a, tls);
        let mut data = vec![1_u64; 1 << 17];
        let spans = [span(&mut data, address)];
        let put = Operation::Put { key: KEY, spans: &spans };
        a.run(PEER, &put).unwrap();
        let killed = AtomicU64::new(0);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                until("puts run", || killed.load(Ordering::SeqCst) > 20);
                child.kill().unwrap();
                child.wait().unwrap();
            });
            let error = loop {
                if let Err(error) = a.run(PEER, &put) {
                    break error;
                }
                killed.fetch_add(1, Ordering::SeqCst);
            };
            assert_eq!(error.kind(), Kind::NotConnected, "{tls}: {error}");
            assert!(error.to_string().contains("rank 1"), "{error}");
        });
        until("it is reported", || a.owner.lost.lock().unwrap().contains(&PEER));
    }
}

#[test]
fn operations_to_a_stopped_peer_end_at_their_deadline() {
    for tls in TRANSPORTS {
        let Some(a) = Node::start(0, tls, false) else { return };
        let mut data = vec![1_u64; 1 << 17];
        let (mut child, address) = introduced(&a, tls);
        let spans = [span(&mut data, address)];
        let put = Operation::Put { key: KEY, spans: &spans };
        a.run(PEER, &put).unwrap();
        stop(&child);
        let completion = Arc::new(Completion::new());
        let deadline = Instant::now() + Duration::from_millis(300);
        for _ in 0..12 {
            let _ = a.post(PEER, &put, &completion, deadline);
        }
        let error = a.ucx.wait(&completion).unwrap_err();
        assert!(completion.is_done());
        assert!(matches!(error.kind(), Kind::Timeout | Kind::NotConnected), "{tls}: {error}");
        assert!(error.to_string().contains("rank 1"), "{error}");
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

/// Words of a put that does not fit into the buffers of a connection.
const MANY: usize = 1 << 19;

/// Puts `value` into [`MANY`] words of the other process, from memory that ends with the operation.
fn put_many(node: &Node, address: u64, value: u64, deadline: Instant) -> Result<()> {
    let mut data = vec![value; MANY];
    let (spans, completion) = ([span(&mut data, address)], Arc::new(Completion::new()));
    node.post(PEER, &Operation::Put { key: KEY, spans: &spans }, &completion, deadline)?;
    node.ucx.wait(&completion)
}

/// Puts and gets while the other process checks its connections a few times.
fn use_for_a_while(node: &Node, address: u64, value: u64) {
    let mut back = vec![0_u64; MANY];
    let end = Instant::now() + 4 * KEEPALIVE;
    while Instant::now() < end {
        put_many(node, address, value, soon()).unwrap();
        let spans = [span(&mut back, address)];
        node.run(PEER, &Operation::Get { key: KEY, spans: &spans }).unwrap();
        assert!(back.iter().all(|word| *word == value), "a put that failed came late");
    }
}

fn put_to_stopped(node: &Node, child: &std::process::Child, address: u64) {
    stop(child);
    let error = put_many(node, address, 100, Instant::now() + Duration::from_millis(50)).unwrap_err();
    assert_eq!(error.kind(), Kind::Timeout, "{error}");
}

#[test]
fn stopped_peer_that_continues_is_used_again_after_timeouts() {
    for tls in [TRANSPORTS[0], TRANSPORTS[0], TRANSPORTS[1]] {
        let Some(a) = Node::start(0, tls, false) else { return };
        let (mut child, address) = introduced(&a, tls);
        for round in 1..=3 {
            put_many(&a, address, round, soon()).unwrap();
            put_to_stopped(&a, &child, address);
            resume(&child);
            use_for_a_while(&a, address, round);
        }
        assert!(a.owner.lost.lock().unwrap().is_empty());
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

#[test]
fn member_that_left_or_forgot_a_stopped_peer_does_not_disturb_others() {
    let tls = TRANSPORTS[0];
    for forgets in [false, true] {
        let Some(engine) = started(tls, false) else { return };
        let (mut child, address, other) = start_peer(tls);
        let [leaver, other_member] = [0, 2].map(|rank| Node::on(&engine, rank).unwrap());
        let other_process = Node::start(3, tls, false).unwrap();
        for node in [&leaver, &other_member, &other_process] {
            node.ucx.introduce(PEER, &other).unwrap();
            put_many(node, address, 1, soon()).unwrap();
        }
        put_to_stopped(&leaver, &child, address);
        put_to_stopped(&other_process, &child, address);
        // Its worker is left to the process, the one of the first is not.
        drop(other_process);
        if forgets {
            leaver.ucx.forget(PEER);
        } else {
            leaver.ucx.close();
        }
        resume(&child);
        use_for_a_while(&other_member, address, 2);
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

thread_local! {
    /// True if the program interrupts the waits of this thread.
    static LEAVES: Cell<bool> = const { Cell::new(false) };
}

#[test]
fn interrupt_ends_waits_for_a_stopped_peer() {
    interrupt::set_check(|| LEAVES.get());
    for tls in TRANSPORTS {
        let Some(a) = Node::start(0, tls, false) else { return };
        let mut data = vec![1_u64; 1 << 17];
        let (mut child, address) = introduced(&a, tls);
        let spans = [span(&mut data, address)];
        let put = Operation::Put { key: KEY, spans: &spans };
        a.run(PEER, &put).unwrap();
        stop(&child);
        LEAVES.set(true);
        let far = Instant::now() + Duration::from_secs(3600);
        let completion = Arc::new(Completion::new());
        let left = |result: Result<()>| {
            interrupt::end_call();
            let error = result.unwrap_err();
            assert_eq!(error.kind(), Kind::Interrupted, "{tls}: {error}");
        };
        a.post(PEER, &put, &completion, far).unwrap();
        left(a.ucx.wait_interruptible(&completion, Left::Stay));
        assert!(!completion.is_done());
        left(a.ucx.wait_interruptible(&completion, Left::End));
        assert!(completion.is_done());
        // Until there is no room for more.
        left((0..100).try_for_each(|_| a.post(PEER, &put, &completion, far)));
        left(a.ucx.wait_interruptible(&completion, Left::End));
        assert!(completion.is_done());
        LEAVES.set(false);
        resume(&child);
        a.run(PEER, &put).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

#[test]
fn libucp_installs_no_signal_handler_or_patch() {
    let actions = || -> Vec<usize> {
        (1..32)
            .map(|signal| {
                // SAFETY: integers and pointers, for which zeroes are fine.
                let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
                // SAFETY: only asks.
                unsafe { libc::sigaction(signal, std::ptr::null(), &raw mut action) };
                action.sa_sigaction
            })
            .collect()
    };
    let functions: [*const u8; 5] = [
        libc::mmap as *const u8,
        libc::munmap as *const u8,
        libc::madvise as *const u8,
        libc::shmat as *const u8,
        libc::brk as *const u8,
    ];
    // SAFETY: functions are longer than this, and may be read.
    let code = || functions.map(|start| unsafe { start.cast::<[u8; 16]>().read_unaligned() });
    // In a separate process: others of these tests may have opened it already.
    if std::env::var_os("MF_TEST_UCX_OPENS").is_none() {
        let name = path_of("libucp_installs_no_signal_handler_or_patch");
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", &name])
            .env("MF_TEST_UCX_OPENS", "1")
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && printed.contains("1 passed"), "{printed}");
        return;
    }
    let before = (actions(), code());
    let variables = std::env::vars_os().count();
    let Some(node) = Node::start(0, TRANSPORTS[0], false) else { return };
    assert!(before == (actions(), code()));
    assert_eq!(std::env::vars_os().count(), variables);
    node.ucx.close();
}
