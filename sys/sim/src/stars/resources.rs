// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Scheduler resources of a process: numbers, queues, and the mapping of completion queues to streams.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock, Mutex};

use ascend_acl_sys::raw::types::{
    HAL_RESOURCE_EVENT, HAL_RESOURCE_MODEL, HAL_RESOURCE_NOTIFY, HAL_RESOURCE_STREAM,
};
use mf_base::sync::lock;

use super::queue::Queue;
use crate::codes::hal;
use crate::device::Device;
use crate::fault::{Fault, Outcome};
use crate::machine::machine;
use crate::session::{Number, Pool};

/// Queues of a device.
const QUEUES: u32 = 2048;

/// By device and number.
type Map<T> = Mutex<HashMap<(u32, u32), T>>;

/// Everything held.
#[derive(Default)]
pub(super) struct Resources {
    /// By device, type and number.
    numbers: Mutex<HashMap<(u32, u32, u32), TakenNumber>>,
    submission: Map<Arc<Queue>>,
    /// Logical completion queues, with the stream they were made for.
    logical: Map<u32>,
}

struct TakenNumber {
    /// Given back when dropped.
    _number: Option<Number>,
    notify: Arc<AtomicBool>,
}

/// The resources of this process.
pub(super) fn resources() -> &'static Resources {
    static RESOURCES: LazyLock<Resources> = LazyLock::new(Resources::default);
    &RESOURCES
}

impl Resources {
    /// Takes a number of this type.
    ///
    /// # Errors
    /// 3 for an unknown type · 47, 48, 49 if none are left.
    pub(super) fn take_number(&self, device: &Device, kind: u32) -> Outcome<u32> {
        let pool = match kind {
            HAL_RESOURCE_STREAM => Some(Pool::Stream),
            HAL_RESOURCE_EVENT => Some(Pool::Event),
            HAL_RESOURCE_NOTIFY => Some(Pool::Notify),
            HAL_RESOURCE_MODEL => None,
            _ => {
                return Err(Fault::new(hal::INVALID_VALUE, format_args!("unknown resource type {kind}")));
            }
        };
        let number = pool.map(|pool| machine()?.session.number(device.physical, pool)).transpose();
        let number = number.map_err(|fault| Fault { code: crate::codes::hal_of_acl(fault.code), ..fault })?;
        let mut numbers = lock(&self.numbers);
        let value = match &number {
            Some(number) => number.value,
            // Models are not simulated; their numbers only have to differ.
            None => (0..).find(|value| !numbers.contains_key(&(device.physical, kind, *value))).unwrap_or(0),
        };
        numbers
            .insert((device.physical, kind, value), TakenNumber { _number: number, notify: Arc::default() });
        Ok(value)
    }

    /// Gives a number back.
    ///
    /// # Errors
    /// 11 for one that is not held.
    pub(super) fn give_number(&self, device: &Device, kind: u32, value: u32) -> Outcome {
        let held = lock(&self.numbers).remove(&(device.physical, kind, value));
        held.map(drop).ok_or_else(|| not_held("resource", value))
    }

    /// Checks that a number is held.
    ///
    /// # Errors
    /// 11 for one that is not.
    pub(super) fn check_number(&self, device: &Device, kind: u32, value: u32) -> Outcome {
        if lock(&self.numbers).contains_key(&(device.physical, kind, value)) {
            return Ok(());
        }
        Err(not_held("resource", value))
    }

    /// The flag of a notify that the driver gave out.
    pub(super) fn notify(&self, physical: u32, value: u32) -> Option<Arc<AtomicBool>> {
        let numbers = lock(&self.numbers);
        numbers.get(&(physical, HAL_RESOURCE_NOTIFY, value)).map(|held| Arc::clone(&held.notify))
    }

    /// Makes a submission queue.
    ///
    /// # Errors
    /// 14 if the device has no free ones.
    pub(super) fn make_queue(&self, device: &Arc<Device>, depth: u32) -> Outcome<Arc<Queue>> {
        let mut queues = lock(&self.submission);
        let number = first_free(&queues, device.physical)?;
        let queue = Arc::new(Queue::new(number, depth, Arc::clone(device)));
        queues.insert((device.physical, number), Arc::clone(&queue));
        Ok(queue)
    }

    /// The submission queue with this number.
    ///
    /// # Errors
    /// 11 for an unknown queue.
    pub(super) fn queue(&self, device: &Device, number: u32) -> Outcome<Arc<Queue>> {
        let queue = lock(&self.submission).get(&(device.physical, number)).cloned();
        queue.ok_or_else(|| not_held("queue", number))
    }

    /// Ends a submission queue.
    ///
    /// # Errors
    /// 11 for an unknown queue.
    pub(super) fn free_queue(&self, device: &Device, number: u32) -> Outcome {
        let queue = lock(&self.submission).remove(&(device.physical, number));
        queue.map(|queue| queue.close()).ok_or_else(|| not_held("queue", number))
    }

    /// All submission queues of a device.
    pub(super) fn queues(&self, device: &Device) -> Vec<Arc<Queue>> {
        let queues = lock(&self.submission);
        queues.values().filter(|queue| queue.device.physical == device.physical).cloned().collect()
    }

    /// Makes a logical completion queue for a stream.
    ///
    /// # Errors
    /// 14 if the device has no free ones.
    pub(super) fn make_logical(&self, device: &Device, stream: u32) -> Outcome<u32> {
        let mut queues = lock(&self.logical);
        let number = first_free(&queues, device.physical)?;
        queues.insert((device.physical, number), stream);
        Ok(number)
    }

    /// The stream of a logical completion queue.
    ///
    /// # Errors
    /// 11 for an unknown queue.
    pub(super) fn stream_of_logical(&self, device: &Device, number: u32) -> Outcome<u32> {
        lock(&self.logical)
            .get(&(device.physical, number))
            .copied()
            .ok_or_else(|| not_held("completion queue", number))
    }

    /// Ends a logical completion queue.
    ///
    /// # Errors
    /// 11 for an unknown queue.
    pub(super) fn free_logical(&self, device: &Device, number: u32) -> Outcome {
        let queue = lock(&self.logical).remove(&(device.physical, number));
        queue.map(drop).ok_or_else(|| not_held("completion queue", number))
    }
}

fn first_free<T>(map: &HashMap<(u32, u32), T>, physical: u32) -> Outcome<u32> {
    (0..QUEUES).find(|number| !map.contains_key(&(physical, *number))).ok_or_else(|| {
        Fault::new(hal::NO_RESOURCES, format_args!("the device has no more than {QUEUES} queues"))
    })
}

fn not_held(what: &str, number: u32) -> Fault {
    Fault::new(hal::NOT_EXIST, format_args!("this process has no {what} {number} on that device"))
}
