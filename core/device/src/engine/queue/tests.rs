// SPDX-License-Identifier: Apache-2.0 OR MIT
use super::*;
use std::sync::mpsc;
use std::time::Duration;

/// A gate that jobs wait at, so that the tests decide when the worker goes on.
fn gate() -> (mpsc::Sender<()>, Mutex<mpsc::Receiver<()>>) {
    let (open, closed) = mpsc::channel();
    (open, Mutex::new(closed))
}

#[test]
fn jobs_run_in_the_order_of_submission() {
    let done = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&done);
    let queue = Queue::new(16, move |job: u32| {
        seen.lock().unwrap().push(job);
        Ok(())
    });
    for job in 0..1000 {
        queue.submit(job).unwrap();
    }
    queue.wait().unwrap();
    assert!(queue.is_idle());
    assert_eq!(*done.lock().unwrap(), (0..1000).collect::<Vec<_>>());
}

#[test]
fn the_first_error_is_returned_once_and_later_jobs_are_done() {
    let done = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&done);
    let queue = Queue::new(8, move |job: u32| {
        count.fetch_add(1, Ordering::Relaxed);
        if job % 2 == 1 { Err(Error::invalid("job", "odd").with("job", job)) } else { Ok(()) }
    });
    for job in 0..6 {
        queue.submit(job).unwrap();
    }
    assert_eq!(queue.wait().unwrap_err().fact("job"), Some("1"));
    assert_eq!(done.load(Ordering::Relaxed), 6);
    queue.wait().unwrap();
    queue.submit(2).unwrap();
    queue.wait().unwrap();
}

#[test]
fn full_queue_blocks_the_submitter() {
    let (open, closed) = gate();
    let queue = Arc::new(Queue::new(2, move |_: u32| {
        closed.lock().unwrap().recv().unwrap();
        Ok(())
    }));
    queue.submit(0).unwrap();
    queue.submit(1).unwrap();
    assert!(!queue.is_idle());
    let third = Arc::clone(&queue);
    let submitter = std::thread::spawn(move || third.submit(2));
    // It cannot have been accepted: two jobs are unfinished, and none finishes before the gate opens.
    assert_eq!(queue.shared.lock().submitted, 2);
    open.send(()).unwrap();
    submitter.join().unwrap().unwrap();
    open.send(()).unwrap();
    open.send(()).unwrap();
    queue.wait().unwrap();
    assert_eq!(queue.shared.lock().finished, 3);
}

#[test]
fn shutdown_drains_and_refuses_further_jobs() {
    let done = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&done);
    let queue = Queue::new(100, move |_: u32| {
        count.fetch_add(1, Ordering::Relaxed);
        Ok(())
    });
    for job in 0..50 {
        queue.submit(job).unwrap();
    }
    queue.shutdown().unwrap();
    assert_eq!(done.load(Ordering::Relaxed), 50);
    assert_eq!(queue.submit(1).unwrap_err().kind(), Kind::NotStarted);
    queue.shutdown().unwrap();
}

#[test]
fn panicking_job_is_an_error_and_the_worker_continues() {
    let queue = Queue::new(4, |job: u32| if job == 0 { panic!("on purpose") } else { Ok(()) });
    queue.submit(0).unwrap();
    queue.submit(1).unwrap();
    assert_eq!(queue.wait().unwrap_err().kind(), Kind::Failed);
    queue.submit(1).unwrap();
    queue.wait().unwrap();
}

#[test]
fn a_queue_may_be_dropped_by_its_own_job() {
    type Job = Arc<Mutex<Option<Queue<Hold>>>>;
    struct Hold(Job);
    let (notify, notified) = mpsc::channel();
    let queue = Queue::new(4, move |hold: Hold| {
        drop(hold.0.lock().unwrap().take());
        notify.send(()).unwrap();
        Ok(())
    });
    let place: Job = Arc::new(Mutex::new(None));
    let job = Hold(Arc::clone(&place));
    let mut holder = place.lock().unwrap();
    queue.submit(job).unwrap();
    *holder = Some(queue);
    drop(holder);
    notified.recv_timeout(Duration::from_secs(60)).unwrap();
}

#[test]
fn many_submitters_and_waiters_lose_nothing() {
    let sum = Arc::new(AtomicUsize::new(0));
    let total = Arc::clone(&sum);
    let queue = Queue::new(3, move |job: usize| {
        total.fetch_add(job, Ordering::Relaxed);
        Ok(())
    });
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for job in 0..500 {
                    queue.submit(job).unwrap();
                    if job % 50 == 0 {
                        queue.wait().unwrap();
                    }
                }
                queue.wait().unwrap();
            });
        }
    });
    assert_eq!(sum.load(Ordering::Relaxed), 4 * (0..500).sum::<usize>());
}

#[test]
fn a_job_can_queue_another_even_when_the_queue_is_full() {
    let place: Arc<Mutex<Option<Arc<Queue<u32>>>>> = Arc::default();
    let own = Arc::clone(&place);
    let queue = Arc::new(Queue::new(1, move |job: u32| match (&*own.lock().unwrap(), job) {
        (Some(queue), 1..) => queue.submit(job - 1),
        _ => Ok(()),
    }));
    *place.lock().unwrap() = Some(Arc::clone(&queue));
    queue.submit(5).unwrap();
    while !queue.is_idle() {
        queue.wait().unwrap();
    }
    assert_eq!(queue.shared.lock().finished, 6);
    place.lock().unwrap().take();
}

#[test]
fn a_forked_child_is_refused_and_does_not_hang() {
    let queue = Queue::new(4, |_: u32| Ok(()));
    queue.submit(0).unwrap();
    // SAFETY: the child makes calls that are refused before any lock, drops the queue and leaves.
    let child = unsafe { libc::fork() };
    assert!(child >= 0);
    if child == 0 {
        let refused = |result: Result<()>| result.is_err_and(|error| error.kind() == Kind::NotInit);
        let all = refused(queue.wait()) && refused(queue.submit(1)) && refused(queue.shutdown());
        drop(queue);
        // SAFETY: ends the child at once, without the parent's exit handlers.
        unsafe { libc::_exit(i32::from(!all)) };
    }
    let mut status = 0;
    // SAFETY: waits for our own child.
    assert_eq!(unsafe { libc::waitpid(child, &mut status, 0) }, child);
    assert_eq!(status, 0);
    queue.wait().unwrap();
}
