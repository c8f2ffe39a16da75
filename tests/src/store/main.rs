// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf-store-member`: a process that takes part in a config store as a test orders, line by line.
//!
//! Orders are words; each is answered with one line, `ok …` or `error KIND text`. What watches report is
//! collected and returned by the order `events`.

#![allow(clippy::print_stdout, reason = "standard output is how it answers")]

use std::io::BufRead;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use mf_base::sync::lock;
use mf_base::{Error, Kind, Rank, Result};
use mf_bootstrap::StoreUrl;
use mf_bootstrap::rendezvous::{self, Joined, Options};
use mf_store::{Change, Lifetime, RankWish, Store, ViewChange};

const OPERATION: &str = "store member";
const TIMEOUT: Duration = Duration::from_secs(20);

type Events = Arc<Mutex<Vec<String>>>;

fn main() {
    let mut state = State::default();
    for line in std::io::stdin().lock().lines().map_while(std::result::Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match state.carry_out(&words) {
            Ok(text) => println!("ok {text}"),
            Err(error) => println!("error {:?} {error}", error.kind()),
        }
    }
}

#[derive(Default)]
struct State {
    joined: Option<Joined>,
    events: Events,
    load: Option<Load>,
}

/// A thread that counts as fast as it can.
struct Load {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Counted>,
}

#[derive(Default)]
struct Counted {
    acknowledged: i64,
    unknown: i64,
    last_error: String,
}

impl State {
    fn carry_out(&mut self, words: &[&str]) -> Result<String> {
        match words {
            ["serve", url] => self.take_part(url, 0, RankWish::Any, true, true),
            ["join", url, world] => self.take_part(url, number(world)?, RankWish::Any, false, true),
            ["join", url, world, rank] => {
                self.take_part(url, number(world)?, RankWish::Exactly(Rank(number(rank)?)), false, true)
            }
            ["join-only", url, world] => self.take_part(url, number(world)?, RankWish::Any, false, false),
            ["events"] => Ok(std::mem::take(&mut *locked(&self.events)).join(" ")),
            ["count", key] => self.count(key),
            ["count-end"] => self.count_end(),
            words => self.ask(words),
        }
    }

    fn take_part(
        &mut self,
        url: &str,
        world_size: u32,
        wish: RankWish,
        only_server: bool,
        start_server: bool,
    ) -> Result<String> {
        let joined = rendezvous::join(Options {
            wish,
            start_server,
            only_server,
            dynamic: true,
            init_timeout: TIMEOUT,
            request_timeout: TIMEOUT,
            ..Options::new(StoreUrl::parse(url)?, world_size)
        })?;
        let text = joined
            .store
            .as_ref()
            .map_or_else(|| "serving".to_owned(), |store| store.member().rank.to_string());
        self.joined = Some(joined);
        Ok(text)
    }

    fn store(&self) -> Result<&Arc<dyn Store>> {
        let store = self.joined.as_ref().and_then(|joined| joined.store.as_ref());
        store.ok_or_else(|| Error::new(Kind::NotStarted, OPERATION).what("it has not joined"))
    }

    fn ask(&self, words: &[&str]) -> Result<String> {
        let store = self.store()?;
        let until = |ms: &str| number::<u64>(ms).map(|ms| Instant::now() + Duration::from_millis(ms));
        let text = match words {
            ["set", key, value] => store.set(key, value.as_bytes(), Lifetime::Permanent)?.to_string(),
            ["set-mine", key, value] => store.set(key, value.as_bytes(), Lifetime::Session)?.to_string(),
            ["get", key] => store.get(key)?.map_or_else(
                || "none".to_owned(),
                |entry| String::from_utf8_lossy(&entry.value).into_owned(),
            ),
            ["wait", key, ms] => String::from_utf8_lossy(&store.wait(key, until(ms)?)?.value).into_owned(),
            ["add", key, delta] => store.add(key, number(delta)?)?.to_string(),
            ["barrier", name, members, ms] => {
                store.barrier(name, number(members)?, until(ms)?)?;
                String::new()
            }
            ["gather", name, members, value, ms] => {
                let parts = store.allgather(name, number(members)?, value.as_bytes(), until(ms)?)?;
                let texts: Vec<String> = parts
                    .iter()
                    .map(|part| format!("{}={}", part.rank, String::from_utf8_lossy(&part.value)))
                    .collect();
                texts.join(",")
            }
            ["lock", name, ms] => store.lock(name, until(ms)?)?.to_string(),
            ["members"] => {
                let ranks: Vec<String> =
                    store.view()?.members.iter().map(|peer| peer.rank.to_string()).collect();
                ranks.join(",")
            }
            ["term"] => store.leader().term.to_string(),
            ["watch", prefix] => {
                let events = Arc::clone(&self.events);
                store.watch(prefix, Arc::new(move |change| locked(&events).push(change_text(change))))?;
                String::new()
            }
            ["watch-members"] => {
                let events = Arc::clone(&self.events);
                store.watch_members(Arc::new(move |change| locked(&events).extend(member_texts(change))))?;
                String::new()
            }
            ["leave"] => {
                store.close();
                String::new()
            }
            _ => {
                return Err(Error::invalid(OPERATION, "no such order").with("order", words.join(" ")));
            }
        };
        Ok(text)
    }

    fn count(&mut self, key: &str) -> Result<String> {
        let (store, stop) = (Arc::clone(self.store()?), Arc::new(AtomicBool::new(false)));
        let (key, ended) = (key.to_owned(), Arc::clone(&stop));
        let thread = std::thread::spawn(move || {
            let mut counted = Counted::default();
            while !ended.load(Ordering::Acquire) {
                match store.add(&key, 1) {
                    Ok(_) => counted.acknowledged += 1,
                    Err(error) => {
                        counted.unknown += 1;
                        counted.last_error = error.to_string();
                    }
                }
            }
            counted
        });
        self.load = Some(Load { stop, thread });
        Ok(String::new())
    }

    fn count_end(&mut self) -> Result<String> {
        let Some(load) = self.load.take() else {
            return Err(Error::invalid(OPERATION, "nothing counts"));
        };
        load.stop.store(true, Ordering::Release);
        let counted = load
            .thread
            .join()
            .map_err(|_| Error::new(Kind::Failed, OPERATION).what("the counter panicked"))?;
        Ok(format!("{} {} {}", counted.acknowledged, counted.unknown, counted.last_error))
    }
}

fn number<T: FromStr>(text: &str) -> Result<T> {
    text.parse()
        .map_err(|_| Error::invalid(OPERATION, "an order has no number where one belongs").with("text", text))
}

fn change_text(change: &Change) -> String {
    match change {
        Change::Put(entry) => format!("put:{}={}", entry.key, String::from_utf8_lossy(&entry.value)),
        Change::Removed { key, cause, .. } => format!("{cause:?}:{key}"),
        Change::StoreLost => "store-lost".to_owned(),
    }
}

fn member_texts(change: &ViewChange) -> Vec<String> {
    let lists = [("joined", &change.joined), ("left", &change.left), ("dead", &change.dead)];
    lists
        .into_iter()
        .flat_map(|(what, peers)| peers.iter().map(move |peer| format!("{what}:{}", peer.rank)))
        .collect()
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    lock(mutex)
}
