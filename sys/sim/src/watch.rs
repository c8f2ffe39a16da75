// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Injected faults, what copies cost, and the call trace. Off unless asked for by setting or control call,
//! and then one or two loads at each of the three places that ask here:
//! * every exported function, at the [boundary](crate::boundary);
//! * every task of a stream, before it runs: [`before_task`];
//! * every transfer of bytes, before it starts: [`before_transfer`].
//!
//! * [`faults`]: fault rules.
//! * [`trace`]: one line a call.

pub mod faults;
mod names;
mod trace;

use std::sync::atomic::{AtomicPtr, AtomicU8, AtomicU32, Ordering};
use std::sync::{OnceLock, RwLock};
use std::time::Duration;

use crate::boundary::Arg;
use crate::codes::acl;
use crate::config::Config;
use crate::config::cost::Route;
use crate::device::context;
use crate::fault::{Fault, Outcome, ensure};
use crate::machine::{Machine, machine};
use crate::session::{Location, Session};
use crate::stream::clock::Deadline;
use crate::stream::{Running, timeouts};
use faults::{Act, Rules};
use mf_base::sync::{read, write};
use trace::Trace;

/// The settings were not read yet.
const UNKNOWN: u8 = 1;
const TRACED: u8 = 2;
const FAULTY: u8 = 4;
const COSTLY: u8 = 8;
static ON: AtomicU8 = AtomicU8::new(UNKNOWN);

static NO_DAMAGE: AtomicU32 = AtomicU32::new(0);
/// Number of faults of the machine; other processes change it.
static DAMAGE: AtomicPtr<AtomicU32> = AtomicPtr::new((&raw const NO_DAMAGE).cast_mut());

#[derive(Default)]
struct State {
    rules: RwLock<Rules>,
    trace: Option<Trace>,
}

/// Returns true if calls must be watched.
#[inline]
pub fn is_on() -> bool {
    ON.load(Ordering::Relaxed) & (UNKNOWN | TRACED | FAULTY) != 0 || is_damaged()
}

#[inline]
fn is_damaged() -> bool {
    let damage = DAMAGE.load(Ordering::Relaxed);
    // SAFETY: it points to a static or into the machine's shared part, which is never unmapped.
    unsafe { (*damage).load(Ordering::Relaxed) != 0 }
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

fn before_call(state: &State, name: &'static str) -> Outcome {
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

/// Applies injected faults to the task `name` that is about to run. Returns false if the task is to be
/// skipped.
///
/// # Errors
/// An injected one; 507899 when its device is lost.
#[inline]
pub fn before_task(name: &'static str, running: &Running) -> Outcome<bool> {
    if ON.load(Ordering::Relaxed) & (UNKNOWN | FAULTY) == 0 && !is_damaged() {
        return Ok(true);
    }
    look_at_task(name, running)
}

#[cold]
fn look_at_task(name: &'static str, running: &Running) -> Outcome<bool> {
    let device = running.device.physical;
    alive(device)?;
    let hit = rules(state()).hit(&[name]);
    match hit {
        None => Ok(true),
        Some(Act::Skip) => Ok(false),
        Some(Act::Slow(time)) => {
            pause(time, running);
            Ok(true)
        }
        Some(Act::Hang) => Err(hang(name, running)),
        Some(act) => Err(fail(&act, Some(device))),
    }
}

/// Returns true if transfers are observed.
#[inline]
pub fn watches_transfers() -> bool {
    ON.load(Ordering::Relaxed) & (UNKNOWN | FAULTY | COSTLY) != 0 || is_damaged()
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
    route.map_or(Duration::ZERO, |route| config.cost.of(route, bytes))
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
    match context::with_current(|context| context.device.physical) {
        Ok(device) => {
            alive(device).map_err(|fault| Fault { code: names::code_of_family(name, fault.code), ..fault })
        }
        Err(_) => Ok(()),
    }
}

/// Builds the fault of a rule; `device` is the device of the task or transfer.
fn fail(act: &Act, device: Option<u32>) -> Fault {
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
    let own = || context::with_current(|context| context.device.physical).ok();
    if let Some(device) = named.map(|device| device.physical).or(device).or_else(own) {
        // A device of this process has a place on the machine.
        let _ = machine.session.set_lost(device, true);
    }
}

fn pause(time: Duration, running: &Running) {
    let end = Deadline::after(Some(time));
    while !end.is_over() && !running.is_cancelled() {
        std::thread::sleep(end.slice());
    }
}

/// Waits until the task is cancelled or has run too long.
fn hang(name: &str, running: &Running) -> Fault {
    let end = Deadline::after(timeouts::execute());
    while !end.is_over() && !running.is_cancelled() {
        std::thread::sleep(end.slice());
    }
    Fault::new(acl::AICORE_TIMEOUT, format_args!("injected: {name} hung until its time was over"))
}

/// Adds rules, written as [`faults`] says.
///
/// # Errors
/// 100000 for an invalid rule.
pub fn add_faults(text: &str) -> Outcome {
    let added = faults::parse(text)?;
    let machine = machine()?;
    for user in &added.lost {
        let device = machine.devices.get(i32::try_from(*user).unwrap_or(-1))?;
        machine.session.set_lost(device.physical, true)?;
    }
    let state = state();
    write(&state.rules).add(added);
    set_on(FAULTY, !rules(state).is_empty());
    Ok(())
}

/// Takes all rules back. Lost devices stay lost.
pub fn clear_faults() {
    write(&state().rules).clear();
    set_on(FAULTY, false);
}

/// Applies the settings to the new machine.
///
/// # Errors
/// 100000 for invalid faults or trace file.
pub(crate) fn start(config: &Config) -> Outcome {
    faults::parse(&config.faults)?;
    if let Some(path) = &config.trace {
        Trace::open(path)?;
    }
    // Read already by the call that is going on, unless a test made the machine without any.
    state();
    set_on(COSTLY, !config.cost.is_free());
    Ok(())
}

/// From now on, damage of that machine counts.
pub(crate) fn follow(session: &Session) {
    DAMAGE.store(std::ptr::from_ref(session.damage()).cast_mut(), Ordering::Relaxed);
}

/// Devices that the settings lose from the start.
///
/// # Errors
/// 107001 for an unknown device.
pub(crate) fn lose_from_the_start(machine: &Machine) -> Outcome {
    for user in faults::parse(&machine.config.faults)?.lost {
        let device = machine.devices.get(i32::try_from(user).unwrap_or(-1))?;
        machine.session.set_lost(device.physical, true)?;
    }
    Ok(())
}

fn set_on(bit: u8, on: bool) {
    match on {
        true => ON.fetch_or(bit, Ordering::Relaxed),
        false => ON.fetch_and(!bit, Ordering::Relaxed),
    };
}

fn rules(state: &State) -> std::sync::RwLockReadGuard<'_, Rules> {
    read(&state.rules)
}

/// Reads the settings once. Errors in them are reported when the machine is created.
fn state() -> &'static State {
    static STATE: OnceLock<State> = OnceLock::new();
    STATE.get_or_init(|| {
        let state = Config::from_environment().map_or_else(
            |_| State::default(),
            |config| State {
                rules: RwLock::new(faults::parse(&config.faults).unwrap_or_default()),
                trace: config.trace.and_then(|path| Trace::open(&path).ok()),
            },
        );
        set_on(FAULTY, !rules(&state).is_empty());
        set_on(TRACED, state.trace.is_some());
        set_on(UNKNOWN, false);
        state
    })
}
