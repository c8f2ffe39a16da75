// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Lanes: the jobs of each key, and the order in which lanes are served. Pure: no threads, no locks.
//!
//! A lane exists as long as it has jobs or workers. It is *ready* if it has jobs and may have one more
//! worker; ready lanes are served round-robin.

use std::collections::{HashMap, VecDeque};

use super::Job;

pub(super) struct Lanes<J: Job> {
    lanes: HashMap<J::Key, Lane<J>>,
    ready: VecDeque<J::Key>,
    /// Most workers of a lane.
    width: usize,
    /// Number of waiting jobs.
    waiting: usize,
    /// Empty queue of a former lane, for the next one.
    spare: VecDeque<J>,
}

struct Lane<J> {
    jobs: VecDeque<J>,
    workers: usize,
}

impl<J> Lane<J> {
    /// Returns the number of further workers that it can employ.
    fn claims(&self, width: usize) -> usize {
        self.jobs.len().min(width - self.workers)
    }
}

impl<J: Job> Lanes<J> {
    pub(super) fn new(width: usize) -> Self {
        Self { lanes: HashMap::new(), ready: VecDeque::new(), width, waiting: 0, spare: VecDeque::new() }
    }

    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    /// Returns true if no job is waiting or running.
    pub(super) fn is_idle(&self) -> bool {
        self.lanes.is_empty()
    }

    pub(super) fn has_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Adds a job. Returns the number of workers that ready lanes can employ, or 0 if the job employs no
    /// further one.
    pub(super) fn push(&mut self, job: J) -> usize {
        self.waiting += 1;
        let key = job.key();
        let Some(lane) = self.lanes.get_mut(&key) else {
            let mut jobs = std::mem::take(&mut self.spare);
            jobs.push_back(job);
            self.ready.push_back(key.clone());
            self.lanes.insert(key, Lane { jobs, workers: 0 });
            return self.ready.len();
        };
        let before = lane.claims(self.width);
        lane.jobs.push_back(job);
        let now = lane.claims(self.width);
        if now == before {
            return 0;
        }
        if before == 0 {
            self.ready.push_back(key);
        }
        self.ready.len() - 1 + now
    }

    /// Takes the next batch, for one of `threads` workers, which calls [`finish`](Self::finish) after it.
    pub(super) fn take(&mut self, threads: usize) -> Option<(J::Key, J::Batch)> {
        let key = self.ready.pop_front()?;
        let lane = self.lanes.get_mut(&key)?;
        let first = lane.jobs.pop_front()?;
        let before = lane.jobs.len();
        let batch = J::take(first, &mut lane.jobs, threads);
        self.waiting -= 1 + before - lane.jobs.len();
        lane.workers += 1;
        if lane.claims(self.width) > 0 {
            self.ready.push_back(key.clone());
        }
        Some((key, batch))
    }

    /// Ends the work of a worker on a batch of this key.
    pub(super) fn finish(&mut self, key: J::Key) {
        let Some(lane) = self.lanes.get_mut(&key) else { return };
        let before = lane.claims(self.width);
        lane.workers -= 1;
        if lane.jobs.is_empty() && lane.workers == 0 {
            if let Some(lane) = self.lanes.remove(&key) {
                self.spare = lane.jobs;
            }
        } else if before == 0 && lane.claims(self.width) > 0 {
            self.ready.push_back(key);
        }
    }

    /// Removes all waiting jobs, in the order of each key.
    pub(super) fn drain(&mut self) -> Vec<J> {
        self.ready.clear();
        self.waiting = 0;
        let jobs = self.lanes.values_mut().flat_map(|lane| lane.jobs.drain(..)).collect();
        self.lanes.retain(|_, lane| lane.workers > 0);
        jobs
    }
}

#[cfg(not(loom))]
#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::os::service::Panicked;

    /// A number, of the key that is its remainder.
    #[derive(Debug, PartialEq)]
    struct Numbered(u32);

    impl Job for Numbered {
        type Key = u32;
        type Batch = Vec<u32>;

        fn key(&self) -> u32 {
            self.0 % 4
        }

        /// Two at a time.
        fn take(first: Self, rest: &mut VecDeque<Self>, _: usize) -> Vec<u32> {
            [Some(first), rest.pop_front()].into_iter().flatten().map(|job| job.0).collect()
        }

        fn run(_: &mut Vec<u32>) {}

        fn panicked(_: &mut Vec<u32>, _: &Panicked) {}
    }

    proptest! {
        #[test]
        fn every_job_runs_once_in_the_order_of_its_key(
            width in 1..4_usize,
            steps in prop::collection::vec(0..8_u32, 1..80),
        ) {
            let mut lanes = Lanes::<Numbered>::new(width);
            let (mut next, mut running) = (0, Vec::new());
            let mut pushed: BTreeMap<u32, VecDeque<u32>> = BTreeMap::new();
            let drained = [9, 5].repeat(steps.len() + 1);
            for step in steps.into_iter().chain(drained) {
                match step {
                    0..4 => {
                        let number = 4 * next + step;
                        next += 1;
                        let wanted = lanes.push(Numbered(number));
                        pushed.entry(step).or_default().push_back(number);
                        prop_assert!(wanted <= lanes.waiting());
                        prop_assert!(wanted == 0 || lanes.has_ready());
                    }
                    4..6 if !running.is_empty() => lanes.finish(running.remove(0)),
                    _ => {
                        let Some((key, batch)) = lanes.take(1) else {
                            prop_assert!(!lanes.has_ready());
                            continue;
                        };
                        running.push(key);
                        prop_assert!(running.iter().filter(|of| **of == key).count() <= width);
                        for job in batch {
                            prop_assert_eq!(pushed.get_mut(&key).and_then(VecDeque::pop_front), Some(job));
                        }
                    }
                }
                let waiting: usize = pushed.values().map(VecDeque::len).sum();
                prop_assert_eq!(lanes.waiting(), waiting);
                prop_assert_eq!(lanes.is_idle(), waiting == 0 && running.is_empty());
                let is_held_up = |(key, jobs): (&u32, &VecDeque<u32>)| {
                    jobs.is_empty() || running.iter().filter(|of| *of == key).count() == width
                };
                prop_assert_eq!(lanes.has_ready(), !pushed.iter().all(is_held_up));
            }
            prop_assert!(lanes.is_idle() && running.is_empty());
        }
    }

    #[test]
    fn drained_jobs_do_not_run_and_running_ones_finish() {
        let mut lanes = Lanes::<Numbered>::new(1);
        for number in 0..9 {
            lanes.push(Numbered(number));
        }
        let (key, batch) = lanes.take(1).unwrap();
        assert_eq!(batch, [0, 4]);
        let mut drained: Vec<u32> = lanes.drain().into_iter().map(|job| job.0).collect();
        drained.sort_unstable();
        assert_eq!(drained, [1, 2, 3, 5, 6, 7, 8]);
        assert!(!lanes.has_ready() && !lanes.is_idle() && lanes.take(1).is_none());
        lanes.finish(key);
        assert!(lanes.is_idle());
    }
}
