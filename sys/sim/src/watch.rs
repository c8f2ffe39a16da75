// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Injected faults, simulated cost of copies, and the call trace. Off unless asked for by setting or control
//! call, and then one or two loads at each of the three places that ask here:
//! * every exported function, at the [boundary](crate::boundary);
//! * every task of a stream, before it runs: [`crate::stream`];
//! * every transfer of bytes, before it starts: [`before_transfer`].
//!
//! [`faults`] has the rules, [`trace`] the trace.

use std::sync::{OnceLock, RwLock};
use std::time::Duration;

use crate::arg::Arg;
use crate::codes::acl;
use crate::config::Config;
use crate::config::cost::Route;
use crate::fault::{Fault, Outcome, ensure};
use crate::faults::{self, Act, Rules, names};
use crate::instrumentation::{self, COSTLY, FAULTY, TRACED, UNKNOWN, is_damaged};
use crate::machine::{Machine, machine};
use crate::session::Location;
use crate::trace::{self, Trace};
use mf_base::sync::{read, write};

/// Returns the physical number of the device of the calling thread; `None` if it has none.
type CurrentDevice = fn() -> Option<u32>;
static CURRENT_DEVICE: OnceLock<CurrentDevice> = OnceLock::new();

#[derive(Default)]
struct WatchState {
    rules: RwLock<Rules>,
    trace: Option<Trace>,
}

/// Sets the function that finds the device of the calling thread; only the first call has an effect.
pub(crate) fn set_current_device(find: CurrentDevice) {
    let _ = CURRENT_DEVICE.set(find);
}

/// Returns true if calls must be watched.
#[inline]
pub fn is_on() -> bool {
    instrumentation::is_any(UNKNOWN | TRACED | FAULTY)
}

/// Runs one call under observation.
///
/// # Errors
/// The body's, or an injected one.
#[cold]
pub fn observe<const N: usize>(
    name: &'static str,
    args: &impl Fn() -> [(&'static str, Arg); N],
    body: impl FnOnce() -> Outcome,
) -> Outcome {
    let state = state();
    let start = trace::nanoseconds();
    let outcome = refuse_lost(name).and_then(|()| before_call(state, name)).and_then(|()| body());
    if let Some(trace) = &state.trace {
        trace.write(name, &args(), outcome.as_ref().err(), start);
    }
    outcome
}

fn before_call(state: &WatchState, name: &'static str) -> Outcome {
    let hit = rules(state).hit(&[name]);
    match hit {
        None => Ok(()),
        Some(Act::Slow(time)) => {
            std::thread::sleep(time);
            Ok(())
        }
        Some(act) => {
            let fault = fail(&act, None);
            Err(Fault { code: names::code_of_family(name, fault.code), ..fault })
        }
    }
}

/// Returns true if tasks are observed.
#[inline]
pub(crate) fn watches_tasks() -> bool {
    instrumentation::is_any(UNKNOWN | FAULTY)
}

/// Counts a task `name` on `device`, by physical number, and returns the effect of the rule that strikes.
///
/// # Errors
/// 507899 when the device is lost.
pub(crate) fn hit_task(name: &'static str, device: u32) -> Outcome<Option<Act>> {
    alive(device)?;
    Ok(rules(state()).hit(&[name]))
}

/// Returns true if transfers are observed.
#[inline]
pub fn watches_transfers() -> bool {
    instrumentation::is_any(UNKNOWN | FAULTY | COSTLY)
}

/// Waits for the simulated cost of a transfer, and applies injected faults. `by`: the device that moves the
/// bytes, by physical number, or `None` for the host. An end of `None` is memory of the process.
///
/// # Errors
/// An injected one · 507899 when a device is lost · 507056 when a link is cut.
#[cold]
pub fn before_transfer(by: Option<u32>, from: Option<Location>, to: Option<Location>, bytes: u64) -> Outcome {
    let devices: Vec<u32> = [by, device_of(from), device_of(to)].into_iter().flatten().collect();
    for (index, device) in devices.iter().enumerate() {
        devices.iter().skip(index).try_for_each(|other| connected(*device, *other))?;
    }
    let crosses = devices.iter().any(|device| *device != devices[0]);
    let names: &[&str] = if crosses { &[names::TRANSFER, names::CROSSING] } else { &[names::TRANSFER] };
    let hit = rules(state()).hit(names);
    match hit {
        None | Some(Act::Skip | Act::Hang) => {}
        Some(Act::Slow(time)) => std::thread::sleep(time),
        Some(act) => return Err(fail(&act, devices.first().copied())),
    }
    std::thread::sleep(cost(machine()?, from, to, bytes));
    Ok(())
}

/// Checks that `by` still reaches memory at `location`, for accesses that are too small to be transfers.
///
/// # Errors
/// As [`before_transfer`].
#[inline]
pub fn before_access(by: Option<u32>, location: Location) -> Outcome {
    match (by, device_of(Some(location))) {
        _ if !is_damaged() => Ok(()),
        (Some(one), Some(other)) => connected(one, other),
        (Some(device), None) | (None, Some(device)) => alive(device),
        (None, None) => Ok(()),
    }
}

/// Checks that two devices are alive and the link between them is intact.
fn connected(one: u32, other: u32) -> Outcome {
    alive(one)?;
    alive(other)?;
    let cut = one != other && is_damaged() && machine()?.session.is_cut(one, other);
    ensure(!cut, acl::LINK_ERROR, || format!("the link between devices {one} and {other} is cut"))
}

/// Returns the simulated duration of a transfer.
fn cost(machine: &Machine, from: Option<Location>, to: Option<Location>, bytes: u64) -> Duration {
    let config = &machine.config;
    if config.cost.is_free() {
        return Duration::ZERO;
    }
    let route = match (device_of(from), device_of(to)) {
        (Some(from), Some(to)) if from == to => Some(Route::Local),
        (Some(from), Some(to)) => config.topology.link(from, to).map(Route::Link),
        _ => Some(Route::Host),
    };
    route.map_or(Duration::ZERO, |route| config.cost.duration(route, bytes))
}

fn device_of(location: Option<Location>) -> Option<u32> {
    match location {
        Some(Location::Device(device)) => Some(device),
        Some(Location::Host(_)) | None => None,
    }
}

/// Assumed: a call on a lost device returns 507899, until a process resets it.
fn alive(device: u32) -> Outcome {
    ensure(!is_lost(device), acl::DRV_INTERNAL_ERROR, || format!("device {device} is lost; reset it"))
}

/// Returns true if a device, by physical number, is lost.
pub fn is_lost(device: u32) -> bool {
    is_damaged() && machine().is_ok_and(|machine| machine.session.is_lost(device))
}

/// A device was reset: it works again.
pub fn heal(device: u32) {
    if is_damaged()
        && let Ok(machine) = machine()
    {
        // A device of this process has a place on the machine.
        let _ = machine.session.set_lost(device, false);
    }
}

fn refuse_lost(name: &str) -> Outcome {
    if !is_damaged() || names::works_without_device(name) {
        return Ok(());
    }
    match current_device() {
        Some(device) => {
            alive(device).map_err(|fault| Fault { code: names::code_of_family(name, fault.code), ..fault })
        }
        None => Ok(()),
    }
}

fn current_device() -> Option<u32> {
    CURRENT_DEVICE.get().and_then(|find| find())
}

/// Builds the fault of a rule; `device` is the device of the task or transfer.
pub(crate) fn fail(act: &Act, device: Option<u32>) -> Fault {
    let (code, what) = match act {
        Act::Fail(code, what) => (*code, what.as_str()),
        Act::Lose(user) => {
            lose(*user, device);
            (acl::DRV_INTERNAL_ERROR, "the device is lost")
        }
        Act::Skip | Act::Slow(_) | Act::Hang => (acl::INTERNAL_ERROR, "nothing that this place can do"),
    };
    Fault::new(code, format_args!("injected: {what}"))
}

fn lose(user: Option<u32>, device: Option<u32>) {
    let Ok(machine) = machine() else { return };
    let named = user.and_then(|user| machine.devices.get(i32::try_from(user).ok()?).ok());
    if let Some(device) = named.map(|device| device.physical).or(device).or_else(current_device) {
        // A device of this process has a place on the machine.
        let _ = machine.session.set_lost(device, true);
    }
}

/// Adds rules, written as [`faults`] says.
///
/// # Errors
/// 100000 for an invalid rule.
pub fn add_faults(text: &str) -> Outcome {
    let added = faults::parse(text)?;
    let machine = machine()?;
    for user in added.lost() {
        let device = machine.devices.get(i32::try_from(*user).unwrap_or(-1))?;
        machine.session.set_lost(device.physical, true)?;
    }
    let state = state();
    write(&state.rules).add(added);
    instrumentation::set(FAULTY, !rules(state).is_empty());
    Ok(())
}

/// Takes all rules back. Lost devices stay lost.
pub fn clear_faults() {
    write(&state().rules).clear();
    instrumentation::set(FAULTY, false);
}

fn rules(state: &WatchState) -> std::sync::RwLockReadGuard<'_, Rules> {
    read(&state.rules)
}

/// Reads the settings once. Errors in them are reported when the machine is created.
fn state() -> &'static WatchState {
    static STATE: OnceLock<WatchState> = OnceLock::new();
    STATE.get_or_init(|| {
        let state = Config::from_environment().map_or_else(
            |_| WatchState::default(),
            |config| WatchState {
                rules: RwLock::new(faults::parse(&config.faults).unwrap_or_default()),
                trace: config.trace.and_then(|path| Trace::open(&path).ok()),
            },
        );
        instrumentation::set(FAULTY, !rules(&state).is_empty());
        instrumentation::set(TRACED, state.trace.is_some());
        instrumentation::set(UNKNOWN, false);
        state
    })
}
