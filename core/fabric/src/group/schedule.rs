// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Message schedule between hosts: dissemination (Bruck), step by step.
//!
//! In step k the leader of host h sends its blocks (of h, h-1, … as many as 2^k) to the leader of h + 2^k,
//! and receives from h - 2^k. After log2(n) steps, rounded up, each host has everything; each block travels
//! to each host once. A barrier is the same with empty blocks: a host that has finished knows that all have
//! arrived, directly or transitively.

/// One step of one host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// Destination host.
    pub(super) to: usize,
    /// Source host.
    pub(super) from: usize,
    /// Number of blocks: the sender's, and of the hosts before it.
    pub(super) blocks: usize,
}

/// Returns the step of this number; `None` after the last one.
pub(super) fn step(hosts: usize, me: usize, number: u32) -> Option<Step> {
    let distance = 1usize.checked_shl(number).filter(|distance| *distance < hosts)?;
    Some(Step {
        to: (me + distance) % hosts,
        from: (me + hosts - distance) % hosts,
        blocks: distance.min(hosts - distance),
    })
}

/// Returns the hosts of the blocks that a sender sends in a step, in their order in the message.
pub(super) fn blocks(hosts: usize, sender: usize, step: Step) -> impl Iterator<Item = usize> {
    (0..step.blocks).map(move |back| (sender + hosts - back) % hosts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn each_host_gets_every_block_once(hosts in 1usize..300) {
            let mut has: Vec<Vec<u32>> = (0..hosts).map(|me| (0..hosts).map(|host| u32::from(host == me)).collect()).collect();
            for number in 0.. {
                let steps: Vec<_> = (0..hosts).filter_map(|me| step(hosts, me, number)).collect();
                if steps.is_empty() {
                    prop_assert!(number <= 9);
                    break;
                }
                let before = has.clone();
                for (me, mine) in steps.iter().enumerate() {
                    prop_assert_eq!(steps[mine.to].from, me);
                    prop_assert_eq!(steps[mine.from].to, me);
                    for block in blocks(hosts, mine.from, steps[mine.from]) {
                        prop_assert_eq!(before[mine.from][block], 1);
                        has[me][block] += 1;
                    }
                }
            }
            prop_assert!(has.iter().flatten().all(|count| *count == 1));
        }
    }
}
