// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The machine as this process sees it.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Arc, Mutex, OnceLock};

use gpu_sys::Vendor;

use crate::boundary;
use crate::codes::{Code, Outcome};
use crate::device_key::DeviceKey;
use crate::lock::lock;
use crate::settings::settings;
use crate::state::block::Block;
use crate::state::event::Event;
use crate::state::life::Life;
use crate::state::physical::{PhysicalMemory, Shadow};
use crate::state::pinned::Pinned;
use crate::state::queue::Queue;

/// Everything that lives.
#[derive(Default)]
pub(crate) struct Machine {
    pub(crate) started: [bool; 4],
    pub(crate) contexts: BTreeMap<DeviceKey, Life>,
    /// Device memory, by its last address.
    pub(crate) blocks: BTreeMap<u64, Arc<Block>>,
    /// Memory that was made or imported without an address, by handle.
    pub(crate) made: BTreeMap<u64, Arc<PhysicalMemory>>,
    pub(crate) handles_given: u64,
    /// Reserved addresses, by the first.
    pub(crate) reserved: BTreeMap<u64, Arc<Shadow>>,
    /// Pinned host memory, by its last address.
    pub(crate) pinned: BTreeMap<u64, Pinned>,
    /// Streams of programs, by handle.
    pub(crate) streams: BTreeMap<usize, Arc<Queue>>,
    pub(crate) streams_made: usize,
    /// Streams that are destroyed and may have something to do.
    pub(crate) ending: Vec<Arc<Queue>>,
    /// Events of programs, by handle.
    pub(crate) events: BTreeMap<usize, Arc<Event>>,
    pub(crate) events_made: usize,
    /// Default streams.
    pub(crate) defaults: BTreeMap<DeviceKey, Arc<Queue>>,
}

/// The machine.
pub(crate) fn machine() -> &'static Mutex<Machine> {
    static MACHINE: OnceLock<Mutex<Machine>> = OnceLock::new();
    MACHINE.get_or_init(|| {
        register_exit_handler();
        Mutex::default()
    })
}

/// Registers the exit handler.
fn register_exit_handler() {
    extern "C" fn at_exit() {
        boundary::end();
        let Some(file) = &settings().leaks else { return };
        let text: String = lock(machine()).leaks().iter().map(|leak| format!("{leak}\n")).collect();
        let opened = std::fs::OpenOptions::new().create(true).append(true).open(file);
        // There is no one to report it to.
        let _ = opened.and_then(|mut file| file.write_all(text.as_bytes()));
    }
    // SAFETY: the function touches statics only, which are never dropped.
    unsafe { libc::atexit(at_exit) };
}

/// Waits for everything on a device.
pub(crate) fn wait_all_of(place: DeviceKey) {
    let queues: Vec<Arc<Queue>> = {
        let machine = lock(machine());
        let all = machine.streams.values().chain(machine.defaults.values()).chain(&machine.ending);
        all.filter(|queue| queue.place == place).cloned().collect()
    };
    queues.iter().for_each(|queue| queue.wait());
}

/// Starts a driver; drivers of vendors without a GPU fail to start.
pub(crate) fn init(vendor: Vendor) -> Outcome {
    if settings().gpus[vendor.index()] == 0 {
        return Err(Code::NoDevice);
    }
    lock(machine()).started[vendor.index()] = true;
    Ok(())
}

/// Fails where the driver was not started.
pub(crate) fn started(vendor: Vendor) -> Outcome {
    if vendor == Vendor::Amd {
        return init(vendor);
    }
    if lock(machine()).started[vendor.index()] { Ok(()) } else { Err(Code::NotInitialized) }
}

/// A device by its number.
pub(crate) fn device(vendor: Vendor, number: i32) -> Outcome<u32> {
    started(vendor)?;
    let number = u32::try_from(number).map_err(|_| Code::InvalidDevice)?;
    if number < settings().gpus[vendor.index()] { Ok(number) } else { Err(Code::InvalidDevice) }
}

impl Machine {
    /// Bytes that are taken on a device.
    pub(crate) fn used(&self, place: DeviceKey) -> u64 {
        let own = self.blocks.values().filter(|block| block.place == place && block.origin.is_none());
        let plain: u64 = own.filter(|block| block.made.is_none()).map(|block| block.bytes).sum();
        // Physical memory counts once, mapped or not.
        let mapped = self.blocks.values().filter_map(|block| block.made.as_ref());
        let all: BTreeMap<_, u64> =
            self.made.values().chain(mapped).map(|made| (Arc::as_ptr(made), made.own_bytes(place))).collect();
        plain + all.values().sum::<u64>()
    }

    /// The default stream of a device.
    pub(crate) fn default_of(&mut self, place: DeviceKey) -> Outcome<Arc<Queue>> {
        if let Some(queue) = self.defaults.get(&place) {
            return Ok(Arc::clone(queue));
        }
        let queue = Queue::start(place)?;
        self.defaults.insert(place, Arc::clone(&queue));
        Ok(queue)
    }

    /// Ends what lives in the context of a device: all but memory that was made without an address.
    pub(crate) fn end(&mut self, place: DeviceKey) {
        self.blocks.retain(|_, block| block.place != place || block.made.is_some());
        self.pinned.retain(|last, pinned| {
            let stays = pinned.place != place;
            if !stays {
                pinned.end(*last);
            }
            stays
        });
        // The default stream also belongs to the next context.
        let defaults = &self.defaults;
        let is_default = |queue: &Arc<Queue>| defaults.values().any(|other| Arc::ptr_eq(other, queue));
        self.streams.retain(|_, queue| {
            let stays = queue.place != place;
            if !stays && !is_default(queue) {
                queue.end();
            }
            stays
        });
        self.events.retain(|_, event| event.place != place);
    }

    /// Lists leaked objects, one line each.
    pub(crate) fn leaks(&self) -> Vec<String> {
        let mut leaks = Vec::new();
        for block in self.blocks.values() {
            let what = match (block.origin, &block.made) {
                (Some(_), _) => "imported",
                (None, Some(_)) => "mapped",
                (None, None) => "allocated",
            };
            leaks.push(format!("{} {}: {} bytes {what}", block.place.0, block.place.1, block.bytes));
        }
        for made in self.made.values() {
            let what = if made.is_own { "made" } else { "imported" };
            leaks.push(format!("{} {}: {} bytes {what}", made.place.0, made.place.1, made.bytes));
        }
        for shadow in self.reserved.values() {
            leaks.push(format!("{}: {} bytes of addresses reserved", Vendor::Nvidia, shadow.bytes));
        }
        for (last, pinned) in &self.pinned {
            leaks.push(format!("{}: {} bytes pinned", pinned.place.0, last - pinned.first + 1));
        }
        for stream in self.streams.values() {
            leaks.push(format!("{} {}: a stream", stream.place.0, stream.place.1));
        }
        for event in self.events.values() {
            leaks.push(format!("{} {}: an event", event.place.0, event.place.1));
        }
        leaks
    }
}
