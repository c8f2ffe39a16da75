// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Jobs that are viewed.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::{MemKind, Rank};
use mf_cache::{Admission, Cache, DiskOptions, Options, Put};
use mf_smem::bm::{Config, Context, Pool, PoolOptions};
use serde_json::Value;

const MEMBER: &str = "MF_TEST_TOP_MEMBER";

/// The process of a member when the environment orders it; otherwise nothing.
#[test]
fn member_of_a_job() {
    let Ok(order) = std::env::var(MEMBER) else { return };
    let [url, rank, size] = order.split(' ').collect::<Vec<_>>()[..] else { panic!("{order}") };
    let (rank, size): (u32, u32) = (rank.parse().unwrap(), size.parse().unwrap());
    let context = Arc::new(Context::init(Config::new(url, size).rank(Rank(rank))).unwrap());
    let pool = Arc::new(context.create(PoolOptions::new(0).host(2 << 20)).unwrap());
    pool.join().unwrap();
    println!("joined");
    let mut line = String::new();
    // All have joined.
    std::io::stdin().read_line(&mut line).unwrap();
    match size {
        SMALL => moves_and_waits(rank, Arc::clone(&pool), &context),
        QUIET => {}
        CACHED => {
            let (cache, folder) = cache_with_disk(&pool, &context);
            std::io::stdin().read_line(&mut line).unwrap();
            cache.close();
            std::fs::remove_dir_all(folder).unwrap();
            return;
        }
        _ => moves_to_the_next(rank, size, Arc::clone(&pool)),
    }
    // Ended by closing this.
    std::io::stdin().read_line(&mut line).unwrap();
    if rank == 0 && size != QUIET {
        std::process::exit(0);
    }
}

/// A cache with values in memory and on disk, which are read again and again, and its folder.
fn cache_with_disk(pool: &Arc<Pool>, context: &Arc<Context>) -> (Arc<Cache>, PathBuf) {
    let folder = std::env::temp_dir().join(format!("mf-top-cache-{}", std::process::id()));
    let disk =
        DiskOptions { folders: vec![folder.clone()], bytes: 16 << 20, admission: Admission::default() };
    let options = Options { disk: Some(disk), ..Options::default() };
    let store = context.whole_store().unwrap();
    let cache = Arc::new(Cache::open(Arc::clone(pool.fabric()), &**store, &options).unwrap());
    let reading = Arc::clone(&cache);
    std::thread::spawn(move || {
        let mut buffer = vec![0; 64 << 10];
        // More than memory has room for; until the cache is closed.
        for key in (0..60u32).map(u32::to_le_bytes).cycle() {
            let how = Put { replace: false, ..Put::default() };
            if reading.put(&key, &[1; 64 << 10], how).and(reading.get(&key, &mut buffer)).is_err() {
                return;
            }
            std::thread::yield_now();
        }
    });
    (cache, folder)
}

/// Rank 0 moves as much as it can, rank 1 waits for it in a group, and rank 2 for all at the store.
fn moves_and_waits(rank: u32, pool: Arc<Pool>, context: &Arc<Context>) {
    let deadline = Instant::now() + Duration::from_secs(60);
    if rank == 1 {
        let group = pool.group(&[Rank(0), Rank(1)], deadline).unwrap();
        // Rank 0 does not come.
        std::thread::spawn(move || group.barrier(deadline));
    }
    if rank == 2 {
        let context = Arc::clone(context);
        std::thread::spawn(move || context.barrier("step", SMALL));
    }
    if rank == 0 {
        let group = pool.group(&[Rank(0), Rank(1)], deadline).unwrap();
        let there = pool.address(MemKind::Host, Rank(1)).unwrap();
        // Some traffic, until the process ends.
        std::thread::spawn(move || {
            let _group = group;
            while pool.put(&[7; 4096], there).is_ok() {
                std::thread::yield_now();
            }
        });
    }
}

/// A little traffic of each rank, also to one that is dead.
fn moves_to_the_next(rank: u32, size: u32, pool: Arc<Pool>) {
    let there = pool.address(MemKind::Host, Rank((rank + 1) % size)).unwrap();
    std::thread::spawn(move || {
        loop {
            let _ = pool.put(&[7; 64], there);
            // Its rate.
            std::thread::sleep(Duration::from_millis(50));
        }
    });
}

/// Ranks of a job in which one waits and another moves much; in others each moves a little.
const SMALL: u32 = 3;
/// Ranks of a job that does nothing, and ends in order.
pub(crate) const QUIET: u32 = 2;
/// Members of the job that has a cache with a tier on disk.
pub(crate) const CACHED: u32 = 1;

pub(crate) struct Job {
    pub(crate) url: String,
    pub(crate) secret: String,
    pub(crate) members: Vec<Option<Child>>,
}

impl Job {
    pub(crate) fn start() -> Self {
        Self::start_with(SMALL, "")
    }

    pub(crate) fn start_with(size: u32, secret: &str) -> Self {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let url = format!("tcp://127.0.0.1:{port}");
        let member = |rank: u32| {
            let member = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "job::member_of_a_job", "--nocapture"])
                .env(MEMBER, format!("{url} {rank} {size}"))
                .env("MF_JOB_SECRET", secret)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn();
            Some(member.unwrap())
        };
        let mut job =
            Self { url: url.clone(), secret: secret.to_owned(), members: (0..size).map(member).collect() };
        for (rank, member) in job.members.iter_mut().enumerate() {
            let lines = BufReader::new(member.as_mut().unwrap().stdout.as_mut().unwrap()).lines();
            assert!(lines.map_while(Result::ok).any(|line| line.contains("joined")), "member {rank} ended");
        }
        for member in job.members.iter_mut().flatten() {
            member.stdin.as_mut().unwrap().write_all(b"go\n").unwrap();
        }
        job
    }

    /// All members leave and end.
    pub(crate) fn end(mut self) {
        for member in self.members.iter_mut().filter_map(Option::as_mut) {
            drop(member.stdin.take());
        }
        for mut member in self.members.drain(..).flatten() {
            assert!(member.wait().unwrap().success());
        }
    }

    /// A member dies.
    pub(crate) fn kill(&mut self, rank: usize) -> u32 {
        let mut killed = self.members[rank].take().unwrap();
        killed.kill().unwrap();
        killed.wait().unwrap();
        killed.id()
    }

    pub(crate) fn top(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mf"));
        command.args(["top", &self.url]).args(arguments);
        command.env("MF_DEVICE", "none").env("MF_JOB_SECRET", &self.secret).output().unwrap()
    }

    pub(crate) fn text(&self, arguments: &[&str]) -> String {
        let output = self.top(arguments);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The picture, once it is as `wanted` says.
    pub(crate) fn once(&self, wanted: impl Fn(&Value) -> bool) -> Value {
        let until = Instant::now() + Duration::from_secs(60);
        loop {
            let picture = self.text(&["--once", "--json", "--interval", "0.2"]);
            let picture: Value = serde_json::from_str(&picture).unwrap();
            if wanted(&picture) {
                return picture;
            }
            assert!(Instant::now() < until, "{picture:#}");
        }
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        for member in self.members.iter_mut().flatten() {
            let _ = member.kill();
            let _ = member.wait();
        }
    }
}
