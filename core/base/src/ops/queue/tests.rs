// SPDX-License-Identifier: Apache-2.0 OR MIT
use std::sync::Mutex as StdMutex;
use std::sync::mpsc::{Receiver, Sender, channel};

use super::*;
use crate::sync::lock;

/// A call of a key; its panic is sent to the test.
struct KeyedCall(u32, Box<dyn FnMut() + Send>, Sender<String>);

impl Job for KeyedCall {
    type Key = u32;
    type Batch = Self;

    fn key(&self) -> u32 {
        self.0
    }

    fn take(first: Self, _: &mut VecDeque<Self>, _: usize) -> Self {
        first
    }

    fn run(batch: &mut Self) {
        (batch.1)();
    }

    fn panicked(batch: &mut Self, panicked: &Panicked) {
        batch.2.send(panicked.to_string()).unwrap();
    }
}

const LIMITS: Limits = Limits {
    name: "mf-test-queue",
    threads: 3,
    width: 1,
    waiting: usize::MAX,
    idle: Duration::from_secs(60),
    calls_program: false,
};

fn submit(queue: &WorkQueue<KeyedCall>, key: u32, run: impl FnMut() + Send + 'static) -> Receiver<String> {
    let (panics, panicked) = channel();
    queue.submit(KeyedCall(key, Box::new(run), panics)).map_err(|(refusal, _)| refusal).unwrap();
    panicked
}

/// Submits a job that lasts until the returned sender sends or is dropped, and waits until it runs.
fn block(queue: &WorkQueue<KeyedCall>, key: u32) -> Sender<()> {
    let ((release, released), (begins, begun)) = (channel(), channel());
    submit(queue, key, move || {
        begins.send(()).unwrap();
        let _ = released.recv();
    });
    begun.recv().unwrap();
    release
}

#[test]
fn blocked_key_delays_no_other_key_and_keeps_its_order() {
    let (queue, done) = (WorkQueue::new(LIMITS), Arc::new(StdMutex::new(Vec::new())));
    let release = block(&queue, 1);
    let (ends, ended) = channel();
    for number in 0..20 {
        let (done, ends) = (Arc::clone(&done), ends.clone());
        submit(&queue, 1 + number % 2, move || {
            lock(&done).push(number);
            ends.send(()).unwrap();
        });
    }
    (0..10).for_each(|_| ended.recv().unwrap());
    assert_eq!(*lock(&done), (0..10).map(|number| 2 * number + 1).collect::<Vec<_>>());
    assert_eq!(queue.wait_idle(Some(Instant::now())), Err(10));
    release.send(()).unwrap();
    queue.wait_idle(None).unwrap();
    assert_eq!(lock(&done)[10..], (0..10).map(|number| 2 * number).collect::<Vec<_>>());
    assert!(queue.close().is_empty() && queue.is_idle());
    queue.wait();
}

#[test]
fn threads_are_limited_and_end_when_idle() {
    let queue = WorkQueue::new(Limits { idle: Duration::ZERO, ..LIMITS });
    let releases: Vec<_> = (0..3).map(|key| block(&queue, key)).collect();
    let waiting = submit(&queue, 7, || {});
    assert_eq!(queue.0.lock().threads.len(), 3);
    assert_eq!(queue.wait_idle(Some(Instant::now())), Err(1));
    drop(releases);
    queue.wait();
    assert!(queue.is_idle() && queue.0.lock().threads.is_empty());
    assert!(waiting.recv().is_err(), "it was performed and dropped");
}

#[test]
fn wide_key_employs_several_threads() {
    let queue = WorkQueue::new(Limits { width: 2, ..LIMITS });
    let releases = [block(&queue, 1), block(&queue, 1)];
    submit(&queue, 1, || {});
    assert_eq!(queue.0.lock().threads.len(), 2);
    assert_eq!(queue.wait_idle(Some(Instant::now())), Err(1));
    drop(releases);
    queue.wait_idle(None).unwrap();
}

#[test]
fn full_or_closed_queue_refuses_jobs_and_returns_them() {
    let queue = WorkQueue::new(Limits { waiting: 1, ..LIMITS });
    let release = block(&queue, 1);
    submit(&queue, 1, || unreachable!("it is returned by the end"));
    let job = || KeyedCall(2, Box::new(|| {}), channel().0);
    let (refusal, KeyedCall(key, ..)) = queue.submit(job()).err().unwrap();
    assert!(matches!(refusal, Refusal::Full) && key == 2);
    assert_eq!(queue.close().len(), 1);
    let (refusal, _) = queue.submit(job()).err().unwrap();
    assert!(matches!(refusal, Refusal::Closed) && !queue.is_idle());
    drop(release);
    queue.wait();
    assert!(queue.is_idle());
}

#[test]
fn panic_ends_its_job_only() {
    let queue = WorkQueue::new(LIMITS);
    let first = submit(&queue, 1, || panic!("a panic of a test"));
    let second = submit(&queue, 1, || {});
    let text = first.recv().unwrap();
    assert!(text.contains("mf-test-queue") && text.contains("a panic of a test"), "{text}");
    assert!(second.recv().is_err(), "it was performed and dropped");
    queue.wait_idle(None).unwrap();
}

#[test]
fn job_may_wait_for_the_other_threads() {
    let queue = Arc::new(WorkQueue::new(LIMITS));
    let own = Arc::clone(&queue);
    let ended = submit(&queue, 1, move || {
        own.close();
        own.wait();
    });
    assert!(ended.recv().is_err());
    queue.wait();
}
