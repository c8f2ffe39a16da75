// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Faults to inject: `ASCEND_SIM_FAULTS`, or `ascsim_add_faults`.
//!
//! A list of rules, separated by `,` or `;`. A rule is `WHERE@N=WHAT`: at the Nth time, counted from 1 since
//! the rule was made; `WHERE@N+=WHAT`: from the Nth on; `WHERE=WHAT`: always.
//!
//! WHERE is the name of an exported function, which then does nothing but fail; of a task of a stream
//! (`memcpy`, `kernel launch`, `notify record` …); or `transfer` or `link transfer`: bytes that move, or
//! that move between devices.
//!
//! WHAT is a number, which is returned unchanged, or a name with a number for each family of functions:
//!
//! | name | effect | default place |
//! |---|---|---|
//! | `oom` | 207001 | functions that take memory |
//! | `link` | 507056 | `link transfer` |
//! | `ecc` | 507054 | `transfer` |
//! | `aicore` | 507015 | `kernel launch` |
//! | `hang` | the task hangs until it is aborted or its time is over (507014) | `kernel launch` |
//! | `drop-notify` | the task is left out | `notify record` |
//! | `slow(US)` | it begins so many microseconds later | `link transfer` |
//! | `lost`, `lost(DEVICE)` | the device (by default the one concerned) is lost: 507899 until a reset | at once |
//!
//! A name alone (`oom`, `oom@3`) strikes at its default place. The first rule that fits counts; all that name
//! the place count up.
//!
//! ```text
//! aclrtMalloc@3=207001,memcpy@2+=507899,oom@10,slow(200),kernel launch@1=hang
//! ```

pub(crate) mod names;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::codes::acl;
use crate::config;
use crate::fault::{Fault, Outcome};

/// Effect of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// This number, with this text.
    Fail(i32, String),
    /// The task waits for its end.
    Hang,
    /// The task is left out.
    Skip,
    /// A pause before.
    Slow(Duration),
    /// The device is lost: this one, by user number, or the one concerned.
    Lose(Option<u32>),
}

#[derive(Debug)]
struct Rule {
    places: Vec<String>,
    first: u64,
    /// Also after the first time.
    onwards: bool,
    act: Act,
    seen: AtomicU64,
}

/// Rules in force.
#[derive(Debug, Default)]
pub struct Rules {
    rules: Vec<Rule>,
    /// Devices that are lost at once, by user number.
    lost: Vec<u32>,
}

impl Rules {
    /// Returns the devices that are lost at once, by user number.
    pub(crate) fn lost(&self) -> &[u32] {
        &self.lost
    }

    pub(crate) fn add(&mut self, mut more: Self) {
        self.rules.append(&mut more.rules);
    }

    pub(crate) fn clear(&mut self) {
        self.rules.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Something with these names happens.
    pub(crate) fn hit(&self, names: &[&str]) -> Option<Act> {
        let mut act = None;
        for rule in &self.rules {
            if rule.places.iter().any(|place| names.contains(&place.as_str())) {
                let time = rule.seen.fetch_add(1, Ordering::Relaxed) + 1;
                let strikes = time == rule.first || (rule.onwards && time > rule.first);
                if strikes && act.is_none() {
                    act = Some(rule.act.clone());
                }
            }
        }
        act
    }
}

/// The rules in a text.
///
/// # Errors
/// 100000 for an invalid rule.
pub fn parse(text: &str) -> Outcome<Rules> {
    let mut rules = Rules::default();
    for part in text.split([',', ';']).map(str::trim).filter(|part| !part.is_empty()) {
        let wrong = |why: &str| Fault::new(acl::INVALID_PARAM, format_args!("invalid fault {part:?}: {why}"));
        let (place, what) = match part.split_once('=') {
            Some((place, what)) => (place.trim(), Some(what.trim())),
            None => (part, None),
        };
        let (place, first, onwards) = match place.split_once('@') {
            None => (place, 1, true),
            Some((place, time)) => {
                let (time, onwards) = time.strip_suffix('+').map_or((time, false), |time| (time, true));
                let first = time.trim().parse().ok().filter(|first| *first > 0);
                let first = first
                    .ok_or_else(|| wrong("the count after @ must be a number from 1, optionally with +"))?;
                (place.trim(), first, onwards)
            }
        };
        let (places, act) = match what {
            Some(what) => (vec![place.to_owned()], act(what)),
            None => (default_places(place), act(place)),
        };
        let act = act.ok_or_else(|| {
            wrong("neither a number nor oom, link, ecc, aicore, hang, drop-notify, slow(US), lost or lost(DEVICE)")
        })?;
        if what.is_none()
            && let Act::Lose(Some(device)) = act
        {
            rules.lost.push(device);
            continue;
        }
        if places.is_empty() || places.iter().any(String::is_empty) {
            return Err(wrong("the place is missing"));
        }
        if matches!(act, Act::Hang | Act::Skip) && !places.iter().all(|place| is_task(place)) {
            return Err(wrong("only tasks can hang or be dropped"));
        }
        rules.rules.push(Rule { places, first, onwards, act, seen: AtomicU64::new(0) });
    }
    Ok(rules)
}

fn is_task(place: &str) -> bool {
    !names::is_function(place) && place != names::TRANSFER && place != names::CROSSING
}

fn act(what: &str) -> Option<Act> {
    let fail = |code, text: &str| Some(Act::Fail(code, text.to_owned()));
    match config::call(what) {
        ("oom", None) => fail(acl::MEMORY_ALLOCATION, "out of memory"),
        ("link", None) => fail(acl::LINK_ERROR, "an error of the link"),
        ("ecc", None) => fail(acl::HBM_ECC, "a memory error that ECC found and could not mend"),
        ("aicore", None) => fail(acl::AICORE_EXCEPTION, "an exception of an AI core"),
        ("hang", None) => Some(Act::Hang),
        ("drop-notify", None) => Some(Act::Skip),
        ("slow", Some(micros)) => {
            config::plain(micros).map(|micros| Act::Slow(Duration::from_micros(micros)))
        }
        ("lost", None) => Some(Act::Lose(None)),
        ("lost", Some(device)) => Some(Act::Lose(Some(device.parse().ok()?))),
        _ => what.parse().ok().and_then(|code| fail(code, "a fault with this number")),
    }
}

fn default_places(name: &str) -> Vec<String> {
    let places: &[&str] = match config::call(name).0 {
        "oom" => &names::ALLOCATIONS,
        "link" | "slow" => &[names::CROSSING],
        "ecc" => &[names::TRANSFER],
        "aicore" | "hang" => &[names::KERNEL],
        "drop-notify" => &[names::NOTIFY],
        _ => &[],
    };
    places.iter().map(|place| (*place).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strikes(text: &str, names: &[&str]) -> Vec<bool> {
        let rules = parse(text).unwrap();
        (0..4).map(|_| rules.hit(names).is_some()).collect()
    }

    #[test]
    fn fault_rules_fire_once_from_a_count_or_always() {
        assert_eq!(strikes("aclrtFree@2=1", &["aclrtFree"]), [false, true, false, false]);
        assert_eq!(strikes("aclrtFree@3+=1", &["aclrtFree"]), [false, false, true, true]);
        assert_eq!(strikes("aclrtFree=1", &["aclrtFree"]), [true; 4]);
        assert_eq!(strikes("aclrtFree=1", &["aclrtFreeHost"]), [false; 4]);
        assert_eq!(strikes("oom@2", &["aclrtMallocPhysical"]), [false, true, false, false]);
        assert_eq!(strikes("link", &["transfer", "link transfer"]), [true; 4]);
        assert_eq!(strikes("link", &["transfer"]), [false; 4]);
    }

    #[test]
    fn first_matching_rule_fires_and_all_count() {
        let rules = parse("memcpy@1=5; memcpy@1+=6 , memcpy@2=7").unwrap();
        let code = |act| match act {
            Some(Act::Fail(code, _)) => code,
            other => panic!("{other:?}"),
        };
        assert_eq!(code(rules.hit(&["memcpy"])), 5);
        assert_eq!(code(rules.hit(&["memcpy"])), 6);
    }

    #[test]
    fn fault_names_map_to_arguments_and_sites() {
        let rules = parse("lost(3),slow(5),drop-notify,hang@2").unwrap();
        assert_eq!(rules.lost, [3]);
        assert_eq!(rules.hit(&[names::CROSSING]), Some(Act::Slow(Duration::from_micros(5))));
        assert_eq!(rules.hit(&[names::NOTIFY]), Some(Act::Skip));
        assert_eq!(rules.hit(&[names::KERNEL]), None);
        assert_eq!(rules.hit(&[names::KERNEL]), Some(Act::Hang));
    }

    #[test]
    fn malformed_rule_is_rejected() {
        for text in [
            "aclrtMalloc",
            "aclrtMalloc@0=1",
            "aclrtMalloc@x=1",
            "=5",
            "5",
            "lost",
            "slow",
            "memcpy=boom",
            "aclrtMalloc=hang",
            "transfer=drop-notify",
            "lost(x)",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
