// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Kill tests: one of two processes is killed at a random point of a workload, and the other one goes on.
//!
//! `MF_TEST_HMC_KILLS` is the number of points (default 14: each workload, with each end killed, once),
//! `MF_TEST_FIRST_SEED` the first seed; `MF_TEST_SPEED` prints the time until the survivor noticed.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use mf_hmc::ctrl::path_for;

use crate::acts::PLANS;
use crate::processes::{ERROR, NOT_FOUND, SUCCESS, free_port, until};
use crate::side::Side;

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |text| text.parse().unwrap())
}

/// A folder for socket files, removed at the end of the test.
struct Folder(PathBuf);

impl Folder {
    fn new(number: usize) -> Self {
        let folder = std::env::temp_dir().join(format!("mf-hmc-kills-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn count(&self) -> usize {
        std::fs::read_dir(&self.0).unwrap().count()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Small numbers that depend on the seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// The surviving process.
struct Survivor {
    side: Side,
    /// Ports of its communicators, by number.
    ports: [u16; 2],
    folder: Folder,
    /// Longest time until it noticed, and the case.
    slowest: (Duration, String),
}

impl Survivor {
    fn new((number, environment): (usize, &[(&str, &str)])) -> Self {
        let mut side = Side::start(environment);
        let ports = [0, 1].map(|number| listen(&mut side, number));
        Self { side, ports, folder: Folder::new(number), slowest: Default::default() }
    }

    fn census(&mut self) -> [i64; 3] {
        ["threads", "descriptors", "memory"].map(|what| self.side.call(&format!("census {what}")))
    }

    /// Runs one case: a process starts, performs a workload with this one and is killed. This one notices,
    /// and forgets it.
    fn point(&mut self, seed: u64, environment: &[(&str, &str)]) {
        let mut dice = Dice(seed);
        let places = PLANS.len() as u64;
        let plan = PLANS[usize::try_from(seed % places).unwrap()];
        let victim_dials = (seed / places).is_multiple_of(2);
        let about =
            format!("seed {seed}: {plan}, {}", if victim_dials { "the dialer" } else { "who listens" });
        // Streams use a short buffer, the others a large one.
        let on = usize::from(["send", "receive"].contains(&plan));
        let most = if dice.below(2) == 0 { 5000 } else { 8 << 20 };
        let bytes = 1 + dice.below(most);
        let mut victim = Side::start(environment);
        let port = match victim_dials {
            true => self.ports[on],
            false => listen(&mut victim, on),
        };
        let (dialer, other) = match victim_dials {
            true => (&mut victim, &mut self.side),
            false => (&mut self.side, &mut victim),
        };
        assert_eq!(dialer.call(&format!("{on} connect {port} 1")), SUCCESS, "{about}");
        // A dialer that also listens is known by its own port.
        let of_dialer = if victim_dials { 0 } else { self.ports[on] };
        assert_eq!(other.call(&format!("{on} check {of_dialer} 1")), SUCCESS, "{about}");
        let folder = &self.folder.0;
        let act = |is_victim: bool| {
            let is_dialer = is_victim == victim_dials;
            let peer = if is_dialer { port } else { of_dialer };
            let (one, two) = (u8::from(is_victim), u8::from(is_dialer));
            format!("{on} act {plan} {one} {two} {port} {peer} {bytes} {}", folder.display())
        };
        let (of_victim, of_survivor) = (act(true), act(false));
        victim.begin(&of_victim);
        let steps = dice.below(12);
        // Only operations that have begun end.
        let is_together = steps > 0 && (plan != "connect" || !victim_dials);
        if is_together {
            self.side.begin(&of_survivor);
        }
        for _ in 0..steps {
            victim.finish(&about);
        }
        // The random point.
        std::thread::sleep(Duration::from_micros(dice.below(600)));
        let killed = Instant::now();
        victim.kill();
        if is_together {
            let status = self.side.finish(&about);
            let expected = if plan == "connect" { &[SUCCESS][..] } else { &[ERROR, NOT_FOUND] };
            assert!(expected.contains(&status), "{about}: {status}");
        }
        // Its messages may still wait there.
        assert_eq!(self.side.call("ctrl close none"), SUCCESS, "{about}");
        let at = if victim_dials { 0 } else { port };
        // Also without any operation on it.
        until(NOT_FOUND, || self.side.call(&format!("{on} check {at} 1")));
        self.slowest = std::mem::take(&mut self.slowest).max((killed.elapsed(), about.clone()));
        assert_eq!(self.side.call(&format!("{on} put {at} 1 0 0 1")), NOT_FOUND, "{about}");
    }
}

fn listen(side: &mut Side, on: usize) -> u16 {
    loop {
        let port = free_port();
        if side.call(&format!("{on} listen {port} 1")) == SUCCESS {
            return port;
        }
    }
}

#[test]
fn survivor_recovers_from_a_peer_killed_at_any_point() {
    let (points, first) = (number("MF_TEST_HMC_KILLS", 14), number("MF_TEST_FIRST_SEED", 0));
    // A wait for this deadline would not end in time.
    let timeout = ("MF_NET_TIMEOUT", "60m");
    let environments = [&[timeout][..], &[timeout, ("MF_SHM", "false")]];
    let mut survivors = [(0, environments[0]), (1, environments[1])].map(Survivor::new);
    // Resources that come with the first peers, and stay.
    for (survivor, environment) in survivors.iter_mut().zip(environments) {
        for warm in 0..2 * PLANS.len() as u64 {
            if points > 14 {
                survivor.point(first + points + warm, environment);
            }
        }
    }
    let before = survivors.each_mut().map(Survivor::census);
    for seed in first..first + points {
        let route = usize::try_from(seed % 2).unwrap() ^ usize::from(seed / 14 % 2 == 1);
        survivors[route].point(seed, environments[route]);
    }
    for (survivor, before) in survivors.iter_mut().zip(before) {
        // With few points the steady state is not known yet.
        let more = if points > 14 { [0; 3] } else { [8, 24, 8] };
        until(1, || {
            let now = survivor.census();
            i64::from(now.iter().zip(before).zip(more).all(|((now, before), more)| *now <= before + more))
        });
        if std::env::var_os("MF_TEST_SPEED").is_some() {
            let now = survivor.census();
            println!(
                "slowest {:?}; threads, descriptors, mappings: {before:?}, then {now:?}",
                survivor.slowest
            );
        }
    }
    // Only the socket file of the last victim, which its successor owns, may be left.
    for survivor in &mut survivors {
        let (folder, mut last) = (&survivor.folder, Side::start(&[]));
        assert_eq!(last.call(&format!("ctrl listen {}", path_for(folder.0.to_str().unwrap(), 1))), SUCCESS);
        for side in [&mut survivor.side, &mut last] {
            assert_eq!(side.call("ctrl stop none"), SUCCESS);
        }
        assert_eq!(folder.count(), 0, "{:?}", std::fs::read_dir(&folder.0).unwrap().collect::<Vec<_>>());
    }
}
