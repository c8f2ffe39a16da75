// SPDX-License-Identifier: Apache-2.0 OR MIT
use super::*;

/// A step of a key: it is performed when that many were.
struct Step(u8, usize, Arc<Mutex<usize>>);

impl Job for Step {
    type Key = u8;
    type Batch = Self;

    fn key(&self) -> u8 {
        self.0
    }

    fn take(first: Self, _: &mut VecDeque<Self>, _: usize) -> Self {
        first
    }

    fn run(batch: &mut Self) {
        let mut count = batch.2.lock().unwrap();
        assert_eq!(*count, batch.1);
        *count += 1;
    }

    fn panicked(_: &mut Self, _: &Panicked) {
        unreachable!("a step panicked");
    }
}

/// Two threads submit steps of two keys: all are performed, in the order of each key, and the wait sees
/// their end.
#[test]
fn no_queued_job_is_lost() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.check(|| {
        let limits =
            Limits { name: "", threads: 2, width: 1, waiting: 8, idle: Duration::MAX, calls_program: false };
        let queue = Arc::new(WorkQueue::new(limits));
        let counts = [Arc::new(Mutex::new(0)), Arc::new(Mutex::new(0))];
        let (other, count) = (Arc::clone(&queue), Arc::clone(&counts[1]));
        let thread = loom::thread::spawn(move || {
            assert!(other.submit(Step(1, 0, count)).is_ok());
        });
        for number in 0..2 {
            assert!(queue.submit(Step(0, number, Arc::clone(&counts[0]))).is_ok());
        }
        thread.join().unwrap();
        queue.wait_idle(None).unwrap();
        assert_eq!(counts.each_ref().map(|count| *count.lock().unwrap()), [2, 1]);
        assert!(queue.close().is_empty());
        queue.wait();
    });
}
