// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The page of a viewer, as programs read it and as a browser shows it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::browser::Browser;
use super::job::{Job, QUIET};

/// The page of a viewer, and a reader of its events.
pub(crate) struct Page {
    viewer: Child,
    address: String,
}

impl Page {
    pub(crate) fn start(job: &Job, place: &str, interval: &str) -> Self {
        let mut viewer = Command::new(env!("CARGO_BIN_EXE_mf"))
            .args(["top", &job.url, "--interval", interval, "--web", place])
            .env("MF_JOB_SECRET", &job.secret)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(viewer.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let (_, port) = line.trim_end().trim_end_matches('/').rsplit_once(':').unwrap();
        Self { viewer, address: format!("127.0.0.1:{port}") }
    }

    /// Returns the page with its head, as it is sent.
    pub(crate) fn reply(&self) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        reply
    }

    /// Sends a request with these header lines. Returns the response line by line.
    fn get(&self, path: &str, headers: &str) -> impl Iterator<Item = String> {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(format!("GET {path} HTTP/1.1\r\n{headers}\r\n").as_bytes()).unwrap();
        BufReader::new(stream).lines().map(|line| line.unwrap())
    }

    /// The pictures that are sent, as they come.
    fn events(&self, headers: &str) -> impl Iterator<Item = Value> {
        let data = |line: String| Some(serde_json::from_str(line.strip_prefix("data: ")?).unwrap());
        self.get("/events", headers).filter_map(data)
    }
}

/// The first picture that is as `wanted` says.
#[track_caller]
fn until(pictures: &mut impl Iterator<Item = Value>, wanted: impl Fn(&Value) -> bool) -> Value {
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        let picture = pictures.next().expect("a further picture");
        if wanted(&picture) {
            return picture;
        }
        assert!(Instant::now() < until, "{picture:#}");
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.viewer.kill();
        let _ = self.viewer.wait();
    }
}

#[test]
fn page_follows_the_job_through_events() {
    let mut job = Job::start();
    let page = Page::start(&job, "127.0.0.1:0", "0.2");
    let html: Vec<String> = page.get("/", "Host: localhost\r\n").collect();
    assert!(html[0].contains(" 200 ") && html.iter().any(|line| line.contains("EventSource")), "{html:?}");
    let refused: Vec<String> = page.get("/events", "Host: other.example\r\n").collect();
    assert!(refused[0].contains(" 404 "), "a page of others: {refused:?}");

    let mut events = page.events("");
    let picture = until(&mut events, |picture| picture["traffic"][0]["to"] == 1);
    assert_eq!((&picture["ranks"][2]["rank"], &picture["flows"]), (&2.into(), &1.into()), "{picture:#}");
    job.kill(2);
    let picture = until(&mut events, |picture| picture["dead"][0]["rank"] == 2);
    assert!(picture["dead"][0]["sinceMs"].is_u64(), "it died while it was viewed: {picture:#}");

    // A thousand readers without reads, while others are served.
    for _ in 0..2 {
        let slow = (0..500).map(|_| {
            let mut stream = TcpStream::connect(&page.address).unwrap();
            // It may have been cut off for others already.
            let _ = stream.write_all(b"GET /events HTTP/1.1\r\n\r\n");
            stream
        });
        let slow: Vec<TcpStream> = slow.collect();
        assert_eq!(page.events("").take(3).count(), 3);
        let open = std::fs::read_dir(format!("/proc/{}/fd", page.viewer.id())).unwrap().count();
        assert!(open < 200, "{open} descriptors");
        drop(slow);
    }
}

#[test]
fn page_beyond_loopback_requires_the_secret() {
    let job = Job::start();
    let refused = job.top(&["--web", "0.0.0.0:0"]);
    assert_eq!(refused.status.code(), Some(1));
    let error = String::from_utf8(refused.stderr).unwrap();
    assert!(error.contains("without a secret") && error.contains("--web"), "{error}");

    // any:s3cret of the test
    let job = Job::start_with(3, "s3cret of the test");
    let page = Page::start(&job, "0.0.0.0:0", "0.2");
    for (path, headers) in [("/", ""), ("/events", "Authorization: Bearer other\r\n")] {
        let refused: Vec<String> = page.get(path, headers).collect();
        assert!(
            refused[0].contains(" 401 ") && refused.iter().any(|line| line.contains("Basic realm")),
            "{refused:?}"
        );
    }
    let basic = "Authorization: Basic YW55OnMzY3JldCBvZiB0aGUgdGVzdA==\r\nHost: node1\r\n";
    assert!(page.get("/", basic).next().unwrap().contains(" 200 "));
    let bearer = "Authorization: Bearer s3cret of the test\r\n";
    assert_eq!(page.events(bearer).next().unwrap()["worldSize"], 3);

    let Some(mut browser) = Browser::start() else { return };
    let url = format!("http://{}/", page.address);
    for wrong in [None, Some("other")] {
        browser.open(&url, wrong);
        browser.until("document.body.innerText.trim() === 'Unauthorized'");
    }
    browser.open(&url, Some(&job.secret));
    browser.until("document.querySelectorAll('.row[data-rank]').length === 3");
}

#[test]
fn page_shows_sixty_four_ranks_and_a_death() {
    let mut job = Job::start_with(64, "");
    let page = Page::start(&job, "127.0.0.1:0", "1");
    let mut events = page.events("");
    let all = |picture: &Value| {
        let ranks = picture["ranks"].as_array().unwrap();
        ranks.len() == 64
            && ranks.iter().all(|rank| rank["operationsPerS"].as_f64().is_some_and(|rate| rate > 0.0))
    };
    let picture = until(&mut events, all);
    assert_eq!(
        (&picture["flows"], &picture["hosts"][0]["ranks"].as_array().unwrap().len()),
        (&64.into(), &64)
    );
    let mut browser = Browser::start();
    if let Some(browser) = &mut browser {
        browser.open(&format!("http://{}/", page.address), None);
        browser.until("document.querySelectorAll('.row[data-rank]').length === 64");
        browser.until("picture.matrix.cells.length === 64 && grid.sums.size === 64");
        browser
            .until("document.getElementById('facts').textContent.includes(' · 64 of 64 ranks · 1 host · ')");
        browser.until("rows.get(7).hint.replaceAll('\\u00a0', ' ').includes('2.00 MiB of 2.00 MiB')");
        browser.until("document.querySelector('#waits .list').textContent === 'none longer than 3 s'");
    }
    let killed = job.kill(5);
    until(&mut events, |picture| picture["dead"][0]["rank"] == 5);
    if let Some(browser) = &mut browser {
        browser.until("document.querySelectorAll('.row[data-rank] > .lost-rank').length === 1");
        browser.until(&format!(
            "(text => text.startsWith('✕ rank 5 died ') && text.endsWith('process {killed}'))\
             (document.querySelector('#deaths .list').textContent)"
        ));
        browser.until("document.getElementById('facts').textContent.includes(' · 63 of 64 ranks')");
    }
}

#[test]
fn page_and_viewer_end_with_the_job() {
    let job = Job::start_with(QUIET, "");
    let mut page = Page::start(&job, "127.0.0.1:0", "0.2");
    let mut events = page.events("");
    let picture = until(&mut events, |picture| picture["ranks"].as_array().unwrap().len() == 2);
    assert_eq!(picture["ended"], false);
    let mut browser = Browser::start();
    if let Some(browser) = &mut browser {
        browser.open(&format!("http://{}/", page.address), None);
        browser.until("document.querySelectorAll('.row[data-rank]').length === 2");
    }
    // A viewer without a page ends, too.
    let mut unread = Page::start(&job, "127.0.0.1:0", "0.2");
    job.end();
    let last = until(&mut events, |picture| picture["ended"] == true);
    assert!(last["atMs"].as_u64() >= picture["atMs"].as_u64(), "{last:#}");
    assert_eq!(events.count(), 0);
    assert_eq!(page.viewer.wait().unwrap().code(), Some(0));
    assert_eq!(unread.viewer.wait().unwrap().code(), Some(0));
    if let Some(browser) = &mut browser {
        browser.until("document.getElementById('state').textContent.startsWith('the job has ended at ')");
        browser.until("document.body.classList.contains('ended')");
    }
}
