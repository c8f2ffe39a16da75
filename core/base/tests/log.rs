// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Log lines as another program reads them.

use std::os::fd::OwnedFd;
use std::os::unix::net::UnixDatagram;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use mf_base::log;

const MARK: &str = "MF_TEST_LOG_CHILD";

#[test]
fn a_line_is_one_write_with_time_level_process_and_rank() {
    if std::env::var_os(MARK).is_some() {
        log::install();
        log::set_level(1);
        tracing::warn!(peer = "10.0.0.7:4444", count = 3, "a peer was refused");
        log::set_rank(7);
        tracing::error!("the end");
        tracing::debug!("this is below the level");
        return;
    }
    // Every write to a datagram socket is a message of its own.
    let (ours, theirs) = UnixDatagram::pair().unwrap();
    ours.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_line_is_one_write_with_time_level_process_and_rank", "--nocapture"])
        .env(MARK, "1")
        .stdout(Stdio::null())
        .stderr(OwnedFd::from(theirs))
        .spawn()
        .unwrap();
    let read = || {
        let mut buffer = [0; 4096];
        let length = ours.recv(&mut buffer).unwrap();
        String::from_utf8(buffer[..length].to_vec()).unwrap()
    };
    let pid = child.id();
    for (level, rest) in [
        ("warn", format!("pid {pid} rank - log: a peer was refused, peer 10.0.0.7:4444, count 3\n")),
        ("error", format!("pid {pid} rank 7 log: the end\n")),
    ] {
        let line = read();
        let mut words = line.splitn(3, ' ');
        let time = words.next().unwrap().as_bytes();
        assert!(time.len() == 24 && time[10] == b'T' && time[23] == b'Z', "{line}");
        assert_eq!((words.next(), words.next()), (Some(level), Some(&rest[..])), "{line}");
    }
    assert!(child.wait().unwrap().success());
    ours.set_nonblocking(true).unwrap();
    assert!(ours.recv(&mut [0; 16]).is_err(), "there is more");
}

/// Number of the sink's calls.
static CALLS: AtomicU32 = AtomicU32::new(0);

#[test]
fn sink_is_not_called_for_its_own_lines() {
    log::install();
    log::set_sink(|_, text| {
        CALLS.fetch_add(1, Ordering::Relaxed);
        assert!(text.ends_with("of the program"), "{text}");
        tracing::error!("of the sink");
    });
    tracing::error!("first of the program");
    // One that panics has been left, too.
    assert!(std::panic::catch_unwind(|| tracing::error!("of another")).is_err());
    let elsewhere = std::thread::spawn(|| tracing::error!("second of the program"));
    assert!(elsewhere.join().is_ok());
    tracing::error!("third of the program");
    assert_eq!(CALLS.load(Ordering::Relaxed), 4);
    log::clear_sink();
    tracing::error!("fourth of the program");
    assert_eq!(CALLS.load(Ordering::Relaxed), 4);
}

#[test]
fn lines_below_the_level_cost_one_comparison() {
    use tracing::level_filters::LevelFilter;
    log::install();
    let levels = [
        (4, LevelFilter::TRACE),
        (0, LevelFilter::DEBUG),
        (1, LevelFilter::INFO),
        (3, LevelFilter::ERROR),
        (5, LevelFilter::OFF),
        (2, LevelFilter::WARN),
    ];
    for (level, filter) in levels {
        log::set_level(level);
        assert_eq!(LevelFilter::current(), filter);
    }
}
