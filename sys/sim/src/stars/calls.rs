// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The driver's functions for hardware queues.

use std::ffi::c_void;
use std::sync::Arc;
use std::time::Duration;

use ascend_acl_sys::raw::types::{
    HAL_CONFIG_BIND_LOGICAL_CQ, HAL_CONFIG_ENABLE_EVENT, HAL_CONFIG_RECORD_ID, HAL_CONFIG_RESET_ID,
    HAL_CONFIG_UNBIND_LOGICAL_CQ, HAL_QUERY_CQE_STATUS, HAL_QUERY_SQ_DEPTH, HAL_QUERY_SQ_HEAD,
    HAL_QUERY_SQ_PAUSE, HAL_QUERY_SQ_REENABLE, HAL_QUERY_SQ_STATUS, HAL_QUERY_SQ_TAIL, HAL_QUEUE_LOGICAL_CQ,
    HAL_QUEUE_NORMAL, HAL_REPORT_ERROR, HAL_REPORT_MATCH, HAL_RESOURCE_NOTIFY, HAL_SQ_DEPTH, HAL_SQE_BYTES,
    drvNotifyInfo, halLogicCqReport, halReportRecvInfo, halResourceConfigInfo, halResourceIdInputInfo,
    halResourceIdOutputInfo, halSqCqFreeInfo, halSqCqInputInfo, halSqCqOutputInfo, halSqCqQueryInfo,
    halTaskSendInfo,
};

use super::entry::{self, TaskEntry};
use super::notifies;
use super::queue::{Report, timestamp};
use super::resources::resources;
use crate::acl::arguments::array;
use crate::clock::Deadline;
use crate::codes::{hal, hal_of_acl};
use crate::device::Device;
use crate::exports;
use crate::fault::{Fault, Outcome, ensure};
use crate::machine::machine;
use crate::product::Line;

/// Bytes between the registers of two notifies. Assumed.
const NOTIFY_STRIDE: u64 = 8;

fn filled<T>(pointer: *const T, name: &str) -> Outcome {
    ensure(!pointer.is_null(), hal::INVALID_VALUE, || format!("{name} is null"))
}

/// The device with this logical number.
fn device(number: u32) -> Outcome<Arc<Device>> {
    let machine = machine().map_err(|fault| Fault { code: hal_of_acl(fault.code), ..fault })?;
    let found = machine.devices.all().iter().find(|device| device.logical() == number);
    found.cloned().ok_or_else(|| Fault::new(hal::INVALID_DEVICE, format_args!("unknown device {number}")))
}

/// Reads a caller's structure. Safety: the pointer is valid, or null, which is refused.
unsafe fn read<T: Copy>(pointer: *const T, name: &str) -> Outcome<T> {
    filled(pointer, name)?;
    // SAFETY: not null, and the caller passes a valid structure.
    Ok(unsafe { pointer.read_unaligned() })
}

unsafe fn take_number(
    device_number: u32,
    input: *mut halResourceIdInputInfo,
    output: *mut halResourceIdOutputInfo,
) -> Outcome {
    filled(output, "out")?;
    // SAFETY: null is refused; else the program passes a valid structure.
    let input = unsafe { read(input, "in") }?;
    let resource = resources().take_number(&*device(device_number)?, input.type_)?;
    // SAFETY: not null; the caller passes a valid structure.
    unsafe { output.write(halResourceIdOutputInfo { resourceId: resource, ..Default::default() }) };
    Ok(())
}

unsafe fn give_number(device_number: u32, input: *mut halResourceIdInputInfo) -> Outcome {
    // SAFETY: null is refused; else the program passes a valid structure.
    let input = unsafe { read(input, "in") }?;
    resources().give_number(&*device(device_number)?, input.type_, input.resourceId)
}

unsafe fn configure(
    device_number: u32,
    input: *mut halResourceIdInputInfo,
    change: *mut halResourceConfigInfo,
) -> Outcome {
    // SAFETY: null is refused; else the program passes a valid structure.
    let input = unsafe { read(input, "in") }?;
    // SAFETY: null is refused; else the program passes a valid structure.
    let change = unsafe { read(change, "config") }?;
    let device = device(device_number)?;
    match change.prop {
        // Reports are kept by the submission queues, where every completion queue finds them.
        HAL_CONFIG_BIND_LOGICAL_CQ | HAL_CONFIG_UNBIND_LOGICAL_CQ | HAL_CONFIG_ENABLE_EVENT => {
            resources().check_number(&device, input.type_, input.resourceId)
        }
        HAL_CONFIG_RECORD_ID if input.type_ == HAL_RESOURCE_NOTIFY => {
            notifies::find(&device, input.resourceId)?.record()
        }
        HAL_CONFIG_RESET_ID if input.type_ == HAL_RESOURCE_NOTIFY => {
            notifies::find(&device, input.resourceId)?.try_take().map(drop)
        }
        HAL_CONFIG_RECORD_ID | HAL_CONFIG_RESET_ID => {
            resources().check_number(&device, input.type_, input.resourceId)
        }
        other => Err(Fault::new(hal::INVALID_VALUE, format_args!("unknown property {other}"))),
    }
}

unsafe fn no_details(device_number: u32, input: *mut halResourceIdInputInfo, info: *mut c_void) -> Outcome {
    let _ = (device_number, input, info);
    Err(Fault::new(hal::NOT_SUPPORT, "the simulator has no details of resources"))
}

unsafe fn make_queue(
    device_number: u32,
    input: *mut halSqCqInputInfo,
    output: *mut halSqCqOutputInfo,
) -> Outcome {
    filled(output, "out")?;
    // SAFETY: null is refused; else the program passes a valid structure.
    let input = unsafe { read(input, "in") }?;
    let device = device(device_number)?;
    let made = match input.type_ {
        HAL_QUEUE_NORMAL => {
            ensure(matches!(input.sqeSize, 0 | HAL_SQE_BYTES), hal::INVALID_VALUE, || {
                format!("tasks have {HAL_SQE_BYTES} bytes, not {}", input.sqeSize)
            })?;
            let depth = if input.sqeDepth == 0 { HAL_SQ_DEPTH } else { input.sqeDepth };
            ensure((2..=HAL_SQ_DEPTH).contains(&depth), hal::INVALID_VALUE, || {
                format!("a queue holds 2 to {HAL_SQ_DEPTH} tasks, not {depth}")
            })?;
            let queue = resources().make_queue(&device, depth)?;
            halSqCqOutputInfo { sqId: queue.number, cqId: queue.number, ..Default::default() }
        }
        HAL_QUEUE_LOGICAL_CQ => {
            let number = resources().make_logical(&device, input.info[0])?;
            halSqCqOutputInfo { cqId: number, ..Default::default() }
        }
        other => {
            return Err(Fault::new(hal::INVALID_VALUE, format_args!("unknown queue type {other}")));
        }
    };
    // SAFETY: not null; the caller passes a valid structure.
    unsafe { output.write(made) };
    Ok(())
}

unsafe fn free_queue(device_number: u32, info: *mut halSqCqFreeInfo) -> Outcome {
    // SAFETY: null is refused; else the program passes a valid structure.
    let info = unsafe { read(info, "info") }?;
    let device = device(device_number)?;
    match info.type_ {
        HAL_QUEUE_NORMAL => resources().free_queue(&device, info.sqId),
        HAL_QUEUE_LOGICAL_CQ => resources().free_logical(&device, info.cqId),
        other => Err(Fault::new(hal::INVALID_VALUE, format_args!("unknown queue type {other}"))),
    }
}

unsafe fn query(device_number: u32, info: *mut halSqCqQueryInfo) -> Outcome {
    // SAFETY: null is refused; else the program passes a valid structure.
    let mut asked = unsafe { read(info, "info") }?;
    let queue = resources().queue(&*device(device_number)?, asked.sqId)?;
    let (head, tail) = queue.ends();
    asked.value[0] = match asked.prop {
        // 1: it runs.
        HAL_QUERY_SQ_STATUS => 1,
        HAL_QUERY_SQ_HEAD => head,
        HAL_QUERY_SQ_TAIL => tail,
        HAL_QUERY_SQ_DEPTH => queue.depth,
        HAL_QUERY_CQE_STATUS => queue.take_status(),
        HAL_QUERY_SQ_REENABLE | HAL_QUERY_SQ_PAUSE => {
            queue.pause(asked.prop == HAL_QUERY_SQ_PAUSE);
            0
        }
        other => {
            return Err(Fault::new(
                hal::NOT_SUPPORT,
                format_args!("the simulator's queues have no property {other}"),
            ));
        }
    };
    // SAFETY: not null (checked when it was read); the caller passes a valid structure.
    unsafe { info.write_unaligned(asked) };
    Ok(())
}

unsafe fn send(device_number: u32, info: *mut halTaskSendInfo) -> Outcome {
    // SAFETY: null is refused; else the program passes a valid structure.
    let mut asked = unsafe { read(info, "info") }?;
    filled(asked.sqe_addr, "sqe_addr")?;
    ensure((1..=HAL_SQ_DEPTH).contains(&asked.sqe_num), hal::INVALID_VALUE, || {
        format!("{} tasks at once; 1 to {HAL_SQ_DEPTH}", asked.sqe_num)
    })?;
    let queue = resources().queue(&*device(device_number)?, asked.sqId)?;
    let machine = machine().map_err(|fault| Fault { code: hal_of_acl(fault.code), ..fault })?;
    // SAFETY: the caller passes that many tasks.
    let entries = unsafe { read_entries(asked.sqe_addr, asked.sqe_num, machine.product.line) }?;
    asked.pos = queue.submit(&entries)?;
    // SAFETY: not null (checked when it was read); the caller passes a valid structure.
    unsafe { info.write_unaligned(asked) };
    Ok(())
}

/// Safety: the caller passes `count` tasks.
unsafe fn read_entries(start: *const u8, count: u32, line: Line) -> Outcome<Vec<TaskEntry>> {
    // SAFETY: the program passes `count` tasks; any bytes are a task.
    let tasks = unsafe { array(start.cast(), count as usize, HAL_SQ_DEPTH as usize, "sqe_addr") };
    let tasks: Vec<[u8; entry::BYTES]> =
        tasks.map_err(|fault| Fault { code: hal::INVALID_VALUE, ..fault })?;
    Ok(tasks.iter().map(|task| entry::parse(task, line)).collect())
}

unsafe fn receive(device_number: u32, info: *mut halReportRecvInfo) -> Outcome {
    // SAFETY: null is refused; else the program passes a valid structure.
    let mut asked = unsafe { read(info, "info") }?;
    filled(asked.cqe_addr, "cqe_addr")?;
    let device = device(device_number)?;
    let stream = match asked.type_ {
        HAL_QUEUE_LOGICAL_CQ => Some(resources().stream_of_logical(&device, asked.cqId)?),
        _ => None,
    };
    let timeout = u64::try_from(asked.timeout).ok().map(Duration::from_millis);
    let reports = wait_for_reports(&device, asked.cqe_num as usize, Deadline::after(timeout));
    ensure(!reports.is_empty(), hal::WAIT_TIMEOUT, || "no report came in time".to_owned())?;
    for (index, report) in reports.iter().enumerate() {
        let at = asked.cqe_addr.cast::<halLogicCqReport>().wrapping_add(index);
        // SAFETY: below `cqe_num`, for which the caller vouches.
        unsafe { at.write_unaligned(as_cqe(report)) };
    }
    asked.report_cqe_num = u32::try_from(reports.len()).unwrap_or(u32::MAX);
    asked.stream_id = stream.unwrap_or(asked.stream_id);
    // SAFETY: not null (checked when it was read); the caller passes a valid structure.
    unsafe { info.write_unaligned(asked) };
    Ok(())
}

/// Assumed: a logical completion queue is notified by every queue of its device.
fn wait_for_reports(device: &Device, most: usize, deadline: Deadline) -> Vec<Report> {
    loop {
        let mut reports = Vec::new();
        for queue in resources().queues(device) {
            reports.extend(queue.reports(most - reports.len(), Deadline::after(Some(Duration::ZERO))));
        }
        if !reports.is_empty() || deadline.is_over() {
            return reports;
        }
        std::thread::sleep(deadline.slice().min(Duration::from_millis(1)));
    }
}

fn as_cqe(report: &Report) -> halLogicCqReport {
    halLogicCqReport {
        streamId: report.entry.stream,
        taskId: report.entry.task,
        errorCode: report.code,
        errorType: 1,
        sqeType: report.entry.kind,
        sqId: report.queue,
        sqHead: report.head,
        bits: HAL_REPORT_MATCH | HAL_REPORT_ERROR,
        timestamp: timestamp(),
        extra: 0,
    }
}

unsafe fn notify_offset(device_number: u32, info: *mut drvNotifyInfo) -> Outcome {
    // SAFETY: null is refused; else the program passes a valid structure.
    let mut asked = unsafe { read(info, "info") }?;
    notifies::find(&device(device_number)?, asked.notifyId)?;
    asked.offset = u64::from(asked.notifyId) * NOTIFY_STRIDE;
    // SAFETY: not null (checked when it was read); the caller passes a valid structure.
    unsafe { info.write_unaligned(asked) };
    Ok(())
}

exports! {
    /// Takes a number: stream 0, event 1, model 2, notify 3.
    fn halResourceIdAlloc(device: u32, input: *mut halResourceIdInputInfo, output: *mut halResourceIdOutputInfo) = take_number;
    /// Gives it back.
    fn halResourceIdFree(device: u32, input: *mut halResourceIdInputInfo) = give_number;
    /// Binds, records or resets the resource of a number.
    fn halResourceConfig(device: u32, input: *mut halResourceIdInputInfo, config: *mut halResourceConfigInfo) = configure;
    /// Returns details of a number: none here.
    fn halResourceDetailQuery(device: u32, input: *mut halResourceIdInputInfo, info: *mut c_void) = no_details;
    /// Makes a submission queue or a logical completion queue.
    fn halSqCqAllocate(device: u32, input: *mut halSqCqInputInfo, output: *mut halSqCqOutputInfo) = make_queue;
    /// Ends it.
    fn halSqCqFree(device: u32, info: *mut halSqCqFreeInfo) = free_queue;
    /// Asks a submission queue.
    fn halSqCqQuery(device: u32, info: *mut halSqCqQueryInfo) = query;
    /// Submits tasks.
    fn halSqTaskSend(device: u32, info: *mut halTaskSendInfo) = send;
    /// Takes reports of failed tasks; waits for the first one.
    fn halCqReportRecv(device: u32, info: *mut halReportRecvInfo) = receive;
    /// Returns the register offset of a notify.
    fn drvNotifyIdAddrOffset(device: u32, info: *mut drvNotifyInfo) = notify_offset;
}
