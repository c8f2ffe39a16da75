// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Orders for started transfers, prepared lists and notifications. Objects are numbered from 0.

use std::time::Duration;

use mf_base::Result;
use mf_smem::trans::{Endpoint, Notification, Prepared, Span, Transfer};

use super::{length, map, number, pointer};

/// Started and prepared objects; `None` once dropped.
#[derive(Default)]
pub(crate) struct Started {
    transfers: Vec<Option<Transfer>>,
    lists: Vec<Option<Prepared>>,
}

fn shown(notifications: impl IntoIterator<Item = Notification>) -> String {
    let one = |notification: Notification| {
        format!("{}={}", notification.from, String::from_utf8_lossy(&notification.message))
    };
    notifications.into_iter().map(one).collect::<Vec<_>>().join(" ")
}

fn index(word: &str) -> usize {
    length(number(word))
}

impl Started {
    fn add(&mut self, transfer: Transfer) -> Result<String> {
        self.transfers.push(Some(transfer));
        Ok((self.transfers.len() - 1).to_string())
    }

    fn transfer(&self, word: &str) -> &Transfer {
        self.transfers[index(word)].as_ref().unwrap()
    }

    fn start(
        &mut self,
        endpoint: &Endpoint,
        to: &str,
        span: (&str, &str, &str),
        is_write: bool,
        message: Option<&str>,
    ) -> Result<String> {
        let (local, remote, bytes) = span;
        let span = Span { local: pointer(number(local)), address: number(remote), bytes: number(bytes) };
        // SAFETY: memory of this process is not unmapped before its transfers have ended.
        let transfer = unsafe { endpoint.start(to, vec![span], is_write, message.map(str::as_bytes)) }?;
        self.add(transfer)
    }

    /// Executes an order. Returns `None` if it is of another kind.
    pub(crate) fn order(&mut self, endpoint: Option<&Endpoint>, words: &[&str]) -> Option<Result<String>> {
        let done = |done: Result<()>| done.map(|()| String::new());
        Some(match (words, endpoint) {
            (["poll", transfer], _) => {
                self.transfer(transfer).poll().map(|done| if done { "done" } else { "pending" }.to_owned())
            }
            (["await", transfer, milliseconds], _) => {
                done(self.transfer(transfer).wait(Duration::from_millis(number(milliseconds))))
            }
            (["cancel", transfer], _) => {
                self.transfer(transfer).cancel();
                Ok(String::new())
            }
            (["drop", transfer], _) => {
                self.transfers[index(transfer)] = None;
                Ok(String::new())
            }
            (["start", to, local, remote, bytes], Some(endpoint)) => {
                self.start(endpoint, to, (local, remote, bytes), true, None)
            }
            (["start", to, local, remote, bytes, message], Some(endpoint)) => {
                self.start(endpoint, to, (local, remote, bytes), true, Some(message))
            }
            (["start_read", from, local, remote, bytes, message], Some(endpoint)) => {
                self.start(endpoint, from, (local, remote, bytes), false, Some(message))
            }
            // Pieces of so many bytes, one behind the other.
            (["prepare", to, local, remote, bytes, pieces], Some(endpoint)) => {
                let (local, remote, bytes) = (number(local), number(remote), number(bytes));
                let span = |piece: u64| {
                    let (local, address) = (pointer(local + piece * bytes), remote + piece * bytes);
                    Span { local, address, bytes }
                };
                let spans = (0..number(pieces)).map(span).collect();
                // SAFETY: memory of this process is not unmapped before its transfers have ended.
                unsafe { endpoint.prepare(to, spans, true) }.map(|list| {
                    self.lists.push(Some(list));
                    (self.lists.len() - 1).to_string()
                })
            }
            (["start_prepared", list, message, pieces @ ..], _) => {
                let pieces: Vec<u32> = pieces.iter().map(|piece| piece.parse().unwrap()).collect();
                let pieces = (!pieces.is_empty()).then_some(&*pieces);
                let list = self.lists[index(list)].as_ref().unwrap();
                // SAFETY: memory of this process is not unmapped before its transfers have ended.
                match unsafe { list.start(pieces, Some(message.as_bytes())) } {
                    Ok(transfer) => self.add(transfer),
                    Err(error) => Err(error),
                }
            }
            (["notify", to, message], Some(endpoint)) => done(endpoint.notify(to, message.as_bytes())),
            // So many messages that are their numbers.
            (["notify_many", to, count], Some(endpoint)) => {
                let mut messages = (0..number(count)).map(|number| number.to_string());
                done(messages.try_for_each(|message| endpoint.notify(to, message.as_bytes())))
            }
            (["take_all"], Some(endpoint)) => endpoint.notifications().map(shown),
            (["take", milliseconds], Some(endpoint)) => {
                endpoint.notification(Duration::from_millis(number(milliseconds))).map(shown)
            }
            // Starts transfers that are cancelled or dropped at once, or waited for; none goes on behind its
            // end.
            (["race", to, remote, bytes, rounds], Some(endpoint)) => {
                race(endpoint, to, number(remote), number(bytes), number(rounds))
            }
            _ => return None,
        })
    }
}

/// Reads into memory that changes its owner as soon as a transfer has ended.
fn race(endpoint: &Endpoint, from: &str, remote: u64, bytes: u64, rounds: u64) -> Result<String> {
    let (own, mut cancelled) = (map(bytes), 0);
    for round in 0..rounds {
        super::fill(own, bytes, super::OWN);
        let pieces = 16;
        let piece = bytes / pieces;
        let span = |number: u64| Span {
            local: pointer(own + number * piece),
            address: remote + number * piece,
            bytes: piece,
        };
        let spans = (0..pieces).map(span).collect();
        // SAFETY: the memory stays mapped until the transfer has ended.
        let transfer = unsafe { endpoint.start(from, spans, false, None) }?;
        (0..round % 7).for_each(|_| std::thread::yield_now());
        match round % 3 {
            0 => drop(transfer),
            1 => {
                transfer.cancel();
                match transfer.poll() {
                    Ok(true) => {}
                    Ok(false) => panic!("it goes on behind its end"),
                    Err(error) if error.code() == -2098 => cancelled += 1,
                    Err(error) => return Err(error),
                }
            }
            _ => transfer.wait(Duration::from_secs(60))?,
        }
        super::fill(own, bytes, super::HAMMERED);
        std::thread::yield_now();
        super::found(own, bytes, super::HAMMERED)?;
    }
    super::unmap(own, bytes);
    Ok(cancelled.to_string())
}
