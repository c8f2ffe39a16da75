// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf-trans-member`: one process with an endpoint, that executes orders, line by line on its standard input.
//! Each order gets one line: `ok` with the result, or `no CODE TEXT`.
//!
//! Memory is named by its address. Fill and find operations use one repeated byte.
#![expect(unsafe_code, reason = "copies of raw addresses")]
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::panic,
    reason = "an order that makes no sense ends the process, and the test with it"
)]

mod started;

use std::io::{BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use mf_base::{Error, Kind, Result};
use mf_smem::trans::{Endpoint, Options, Span};

/// Byte written by `hammer`.
const HAMMERED: u8 = 0xee;
/// Byte of an owner in withdrawn memory.
const OWN: u8 = 0x11;

#[derive(Default)]
struct Member {
    endpoint: Option<Endpoint>,
    hammers: Option<Hammers>,
    downs: Arc<AtomicU64>,
    started: started::Started,
}

struct Hammers {
    ends: Arc<AtomicBool>,
    threads: Vec<JoinHandle<Counts>>,
}

/// Outcomes of transfers: done, refused because the memory is not registered, all others.
#[derive(Clone, Copy, Default)]
struct Counts {
    done: u64,
    refused: u64,
    other: u64,
}

fn main() {
    let mut member = Member::default();
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let words: Vec<&str> = line.split(' ').collect();
        let answer = match member.order(&words) {
            Ok(text) => format!("ok {text}"),
            Err(error) => format!("no {} {}", error.code(), error.to_string().replace('\n', " ")),
        };
        let mut out = std::io::stdout().lock();
        writeln!(out, "{answer}").unwrap();
        out.flush().unwrap();
    }
}

fn number(word: &str) -> u64 {
    word.strip_prefix("0x").map_or_else(|| word.parse(), |digits| u64::from_str_radix(digits, 16)).unwrap()
}

fn pointer(address: u64) -> *mut u8 {
    std::ptr::with_exposed_provenance_mut(usize::try_from(address).unwrap())
}

fn length(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap()
}

/// Fresh pages.
fn map(bytes: u64) -> u64 {
    use rustix::mm::{MapFlags, ProtFlags};
    let access = ProtFlags::READ | ProtFlags::WRITE;
    // SAFETY: a fresh mapping at an address of the kernel's choice replaces nothing.
    let mapped =
        unsafe { rustix::mm::mmap_anonymous(std::ptr::null_mut(), length(bytes), access, MapFlags::PRIVATE) };
    mapped.unwrap().expose_provenance() as u64
}

fn unmap(address: u64, bytes: u64) {
    // SAFETY: the order names memory that is not used any more.
    unsafe { rustix::mm::munmap(pointer(address).cast(), length(bytes)) }.unwrap();
}

fn fill(address: u64, bytes: u64, byte: u8) {
    // SAFETY: the order names memory of this process.
    unsafe { pointer(address).write_bytes(byte, length(bytes)) };
}

/// The first place where something else is.
fn other_than(address: u64, bytes: u64, byte: u8) -> Option<usize> {
    let at = pointer(address);
    // SAFETY: the order names memory of this process; others may write it, so it is read byte by byte.
    (0..length(bytes)).find(|offset| unsafe { at.wrapping_add(*offset).read_volatile() } != byte)
}

fn found(address: u64, bytes: u64, byte: u8) -> Result<String> {
    match other_than(address, bytes, byte) {
        None => Ok(String::new()),
        Some(offset) => Err(Error::new(Kind::Failed, "find")
            .what("another byte is there")
            .with("offset", offset)
            // SAFETY: the order names memory of this process, which is read byte by byte.
            .with("byte", unsafe { pointer(address).wrapping_add(offset).read_volatile() })),
    }
}

impl Member {
    fn endpoint(&self) -> &Endpoint {
        self.endpoint.as_ref().unwrap()
    }

    fn order(&mut self, words: &[&str]) -> Result<String> {
        match *words {
            ["create", url, name] => {
                let options = Options::new(url, name).init_timeout(Duration::from_secs(30));
                self.endpoint = Some(Endpoint::create(options)?);
                Ok(String::new())
            }
            ["destroy"] => {
                self.endpoint.take().unwrap().destroy();
                Ok(String::new())
            }
            ["map", bytes] => Ok(format!("{:#x}", map(number(bytes)))),
            ["unmap", address, bytes] => {
                unmap(number(address), number(bytes));
                Ok(String::new())
            }
            ["protect", address, bytes] => {
                // SAFETY: the order names memory that is only read from now on.
                unsafe {
                    libc::mprotect(pointer(number(address)).cast(), length(number(bytes)), libc::PROT_READ)
                };
                Ok(String::new())
            }
            ["allocate", bytes] => Ok(format!("{:#x}", self.endpoint().allocate(number(bytes))?)),
            ["free", address] => self.endpoint().free(number(address)).map(|()| String::new()),
            ["register", address, bytes] => {
                self.endpoint().register(number(address), number(bytes)).map(|()| String::new())
            }
            ["register_parts", address, bytes, parts] => {
                let (address, bytes) = (number(address), number(bytes));
                for part in 0..number(parts) {
                    self.endpoint().register(address + part * bytes, bytes)?;
                }
                Ok(self.endpoint().registered().to_string())
            }
            ["deregister", address] => self.endpoint().deregister(number(address)).map(|()| String::new()),
            ["fill", address, bytes, byte] => {
                fill(number(address), number(bytes), u8::try_from(number(byte)).unwrap());
                Ok(String::new())
            }
            ["find", address, bytes, byte] => {
                found(number(address), number(bytes), u8::try_from(number(byte)).unwrap())
            }
            ["write", to, address, bytes, byte] => {
                let source = vec![u8::try_from(number(byte)).unwrap(); length(number(bytes))];
                self.endpoint().write(&source, to, number(address)).map(|()| String::new())
            }
            ["read", from, address, bytes, byte] => {
                let mut here = vec![0; length(number(bytes))];
                self.endpoint().read(&mut here, from, number(address))?;
                found(
                    here.as_ptr().expose_provenance() as u64,
                    number(bytes),
                    u8::try_from(number(byte)).unwrap(),
                )
            }
            ["copy", direction, other, local, address, bytes] => {
                let (local, address) = (pointer(number(local)), number(address));
                let spans = [Span { local, address, bytes: number(bytes) }];
                // SAFETY: the order names memory of this process, or none, which is refused.
                unsafe { self.endpoint().transfer(other, &spans, direction == "out") }.map(|()| String::new())
            }
            // Pieces of so many bytes, from twice as many on each.
            ["batch", to, address, bytes, pieces, byte] => {
                let bytes = number(bytes);
                let source = vec![u8::try_from(number(byte)).unwrap(); length(bytes)];
                let span = |piece: u64| Span {
                    local: source.as_ptr().cast_mut(),
                    address: number(address) + 2 * bytes * piece,
                    bytes,
                };
                let spans: Vec<Span> = (0..number(pieces)).map(span).collect();
                // SAFETY: the source lives during the call, and is only read.
                unsafe { self.endpoint().transfer(to, &spans, true) }.map(|()| String::new())
            }
            ["hammer", threads, to, address, bytes] => {
                self.hammer(number(threads), to, number(address), number(bytes));
                Ok(String::new())
            }
            ["halt"] => {
                let Hammers { ends, threads } = self.hammers.take().unwrap();
                ends.store(true, Ordering::Release);
                let mut all = Counts::default();
                for counts in threads.into_iter().map(|thread| thread.join().unwrap()) {
                    all.done += counts.done;
                    all.refused += counts.refused;
                    all.other += counts.other;
                }
                Ok(format!("{} {} {}", all.done, all.refused, all.other))
            }
            ["churn", address, bytes, rounds] => self.churn(number(address), number(bytes), number(rounds)),
            ["churn_fresh", bytes, rounds] => self.churn_fresh(number(bytes), number(rounds)),
            ["note_downs", of] => {
                let (downs, of) = (Arc::clone(&self.downs), of.to_owned());
                let count = move |name: &str| {
                    if name == of {
                        downs.fetch_add(1, Ordering::AcqRel);
                    }
                };
                self.endpoint().set_peer_down_callback(Some(Arc::new(count)))?;
                Ok(String::new())
            }
            ["downs"] => Ok(self.downs.load(Ordering::Acquire).to_string()),
            ["threads_of", name] => {
                let threads = std::fs::read_dir("/proc/self/task").unwrap().flatten();
                let named = threads.filter(|thread| {
                    let known = std::fs::read_to_string(thread.path().join("comm"));
                    known.is_ok_and(|known| known.trim_end() == name)
                });
                Ok(named.count().to_string())
            }
            ["threads"] => Ok(std::fs::read_dir("/proc/self/task").unwrap().count().to_string()),
            _ => match self.started.order(self.endpoint.as_ref(), words) {
                Some(answer) => answer,
                None => panic!("an unknown order: {words:?}"),
            },
        }
    }

    /// Writes pieces of many sizes until the end.
    fn hammer(&mut self, threads: u64, to: &str, address: u64, bytes: u64) {
        let ends = Arc::new(AtomicBool::new(false));
        let sizes = u64::from(bytes.ilog2()) + 1;
        let work = |number: u64| {
            let (endpoint, to, ends) = (self.endpoint().clone(), to.to_owned(), Arc::clone(&ends));
            std::thread::spawn(move || {
                let (source, mut counts, mut dice) =
                    (vec![HAMMERED; length(bytes)], Counts::default(), number * 2 + 1);
                while !ends.load(Ordering::Acquire) {
                    dice = dice.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                    let piece = 1 << ((dice >> 40) % sizes);
                    let piece = bytes.min(piece);
                    let offset = (dice >> 20) % (bytes - piece + 1);
                    match endpoint.write(&source[..length(piece)], &to, address + offset) {
                        Ok(()) => counts.done += 1,
                        Err(error) if error.kind() == Kind::InvalidParam => counts.refused += 1,
                        Err(error) => {
                            eprintln!("{error}");
                            counts.other += 1;
                        }
                    }
                }
                counts
            })
        };
        let threads = (0..threads).map(work).collect();
        self.hammers = Some(Hammers { ends, threads });
    }

    /// Withdraws memory, fills it, finds that only, and registers it again.
    fn churn(&self, address: u64, bytes: u64, rounds: u64) -> Result<String> {
        for _ in 0..rounds {
            self.endpoint().deregister(address)?;
            fill(address, bytes, OWN);
            found(address, bytes, OWN)?;
            std::thread::yield_now();
            found(address, bytes, OWN)?;
            self.endpoint().register(address, bytes)?;
            std::thread::yield_now();
        }
        Ok(String::new())
    }

    /// The same with memory that is given back to the kernel and taken anew in each round, most often at
    /// the same address, while it is allocated from the endpoint in every other round.
    fn churn_fresh(&self, bytes: u64, rounds: u64) -> Result<String> {
        for round in 0..rounds {
            if round % 2 == 0 {
                let address = self.endpoint().allocate(bytes)?;
                std::thread::yield_now();
                self.endpoint().free(address)?;
            }
            let address = map(bytes);
            fill(address, bytes, OWN);
            found(address, bytes, OWN)?;
            self.endpoint().register(address, bytes)?;
            std::thread::yield_now();
            self.endpoint().deregister(address)?;
            fill(address, bytes, OWN);
            std::thread::yield_now();
            found(address, bytes, OWN)?;
            unmap(address, bytes);
        }
        Ok(String::new())
    }
}
