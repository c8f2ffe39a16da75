// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Hardware queues, runtime functions and the RDMA client.

use std::ffi::c_void;
use std::time::{Duration, Instant};

use ascend_acl_sys::raw::types::*;
use ascend_sim::acl::devices::aclrtSetDevice;
use ascend_sim::acl::memcpy::aclrtMemcpy;
use ascend_sim::acl::memory::aclrtMalloc;
use ascend_sim::rdma::*;
use ascend_sim::rt::*;
use ascend_sim::stars::*;

use crate::isolated;

const DEVICE: u32 = 0;
const SQID_FULL: i32 = 60;

fn queue(depth: u32) -> u32 {
    let mut input = halSqCqInputInfo { type_: HAL_QUEUE_NORMAL, sqeDepth: depth, ..Default::default() };
    let mut output = halSqCqOutputInfo::default();
    // SAFETY: both structures are valid.
    assert_eq!(unsafe { halSqCqAllocate(DEVICE, &raw mut input, &raw mut output) }, 0);
    output.sqId
}

fn query_queue(queue: u32, property: u32) -> u32 {
    let mut info = halSqCqQueryInfo { sqId: queue, prop: property, ..Default::default() };
    // SAFETY: the structure is valid.
    assert_eq!(unsafe { halSqCqQuery(DEVICE, &raw mut info) }, 0);
    info.value[0]
}

fn send(queue: u32, tasks: &[[u8; 64]]) -> Result<u32, i32> {
    let mut info = halTaskSendInfo {
        type_: HAL_QUEUE_NORMAL,
        tsId: 0,
        sqId: queue,
        timeout: 1000,
        sqe_addr: tasks.as_ptr().cast_mut().cast(),
        sqe_num: u32::try_from(tasks.len()).unwrap(),
        pos: u32::MAX,
        res: [0; 8],
    };
    // SAFETY: the structure is valid and names as many tasks as there are.
    match unsafe { halSqTaskSend(DEVICE, &raw mut info) } {
        0 => Ok(info.pos),
        code => Err(code),
    }
}

fn wait_idle(queue: u32) {
    let end = Instant::now() + Duration::from_secs(20);
    while query_queue(queue, HAL_QUERY_SQ_HEAD) != query_queue(queue, HAL_QUERY_SQ_TAIL) {
        assert!(Instant::now() < end, "the queue stands still");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn copy_task(destination: u64, source: u64, bytes: u32, number: u16) -> [u8; 64] {
    let mut task = [0; 64];
    task[0] = HAL_TASK_SDMA;
    task[6..8].copy_from_slice(&number.to_le_bytes());
    task[14] = HAL_TASK_CREDIT_DEFAULT;
    task[16..20].copy_from_slice(&HAL_SDMA_PLAIN_COPY.to_le_bytes());
    task[28..32].copy_from_slice(&bytes.to_le_bytes());
    task[32..40].copy_from_slice(&source.to_le_bytes());
    task[40..48].copy_from_slice(&destination.to_le_bytes());
    task
}

fn malloc(bytes: usize) -> u64 {
    let mut place = std::ptr::null_mut::<c_void>();
    // SAFETY: the out-pointer is valid.
    assert_eq!(unsafe { aclrtMalloc(&raw mut place, bytes, 0) }, 0);
    place.addr() as u64
}

fn store(address: u64, bytes: &[u8]) {
    let to = std::ptr::with_exposed_provenance_mut(usize::try_from(address).unwrap());
    // SAFETY: the source is a slice; the destination is device memory, which is checked.
    assert_eq!(unsafe { aclrtMemcpy(to, bytes.len(), bytes.as_ptr().cast(), bytes.len(), 1) }, 0);
}

fn load(address: u64, count: usize) -> Vec<u8> {
    let mut bytes = vec![0; count];
    let from = std::ptr::with_exposed_provenance(usize::try_from(address).unwrap());
    // SAFETY: the destination is a vector of that length; the source is device memory, which is checked.
    assert_eq!(unsafe { aclrtMemcpy(bytes.as_mut_ptr().cast(), count, from, count, 2) }, 0);
    bytes
}

fn report(timeout: i32) -> Result<halLogicCqReport, i32> {
    let mut place = halLogicCqReport::default();
    let mut info = halReportRecvInfo {
        type_: HAL_QUEUE_NORMAL,
        tsId: 0,
        cqId: 0,
        timeout,
        cqe_addr: (&raw mut place).cast(),
        cqe_num: 1,
        report_cqe_num: 0,
        stream_id: 0,
        task_id: 0,
        res: [0; 8],
    };
    // SAFETY: the structure is valid and has room for one report.
    match unsafe { halCqReportRecv(DEVICE, &raw mut info) } {
        0 => Ok(place),
        code => Err(code),
    }
}

fn use_device() {
    // SAFETY: no pointers.
    assert_eq!(unsafe { aclrtSetDevice(0) }, 0);
}

#[test]
fn s71_queue_tasks_run_in_order_and_advance_the_head() {
    isolated::run(&[], || {
        use_device();
        let (a, b) = (malloc(4096), malloc(4096));
        let queue = queue(16);
        // Each task doubles the result of the preceding one, round after round, so the head wraps around.
        for round in 0..10_u8 {
            store(a, &[round; 64]);
            let tasks: Vec<[u8; 64]> = (0..6_u16)
                .map(|i| copy_task(a + 64 * u64::from(i + 1), a + 64 * u64::from(i), 64, i))
                .collect();
            send(queue, &tasks).unwrap();
            send(queue, &[copy_task(b, a + 6 * 64, 64, 9)]).unwrap();
            wait_idle(queue);
            assert_eq!(load(b, 64), [round; 64]);
        }
        assert_eq!(query_queue(queue, HAL_QUERY_SQ_HEAD), 70 % 16);
        assert_eq!(query_queue(queue, HAL_QUERY_CQE_STATUS), 0);
    });
}

#[test]
fn s71_full_queue_refuses_tasks() {
    isolated::run(&[], || {
        use_device();
        let a = malloc(4096);
        let queue = queue(8);
        let mut pause = halSqCqQueryInfo { sqId: queue, prop: HAL_QUERY_SQ_PAUSE, ..Default::default() };
        // SAFETY: the structure is valid.
        assert_eq!(unsafe { halSqCqQuery(DEVICE, &raw mut pause) }, 0);
        let task = copy_task(a, a + 64, 64, 0);
        assert_eq!(send(queue, &[task; 5]), Ok(0));
        assert_eq!(send(queue, &[task; 3]), Err(SQID_FULL));
        assert_eq!(send(queue, &[task; 2]), Ok(5));
        assert_eq!(send(queue, &[task]), Err(SQID_FULL));
        assert_eq!((query_queue(queue, HAL_QUERY_SQ_HEAD), query_queue(queue, HAL_QUERY_SQ_TAIL)), (0, 7));
        query_queue(queue, HAL_QUERY_SQ_REENABLE);
        wait_idle(queue);
    });
}

#[test]
fn s72_notifies_order_two_queues() {
    isolated::run(&[], || {
        use_device();
        let mut input = halResourceIdInputInfo { type_: HAL_RESOURCE_NOTIFY, ..Default::default() };
        let mut output = halResourceIdOutputInfo::default();
        // SAFETY: both structures are valid.
        assert_eq!(unsafe { halResourceIdAlloc(DEVICE, &raw mut input, &raw mut output) }, 0);
        let notify = |kind: u8| {
            let mut task = [0; 64];
            task[0] = kind;
            task[8..12].copy_from_slice(&output.resourceId.to_le_bytes());
            task
        };
        let a = malloc(4096);
        let (first, second, other) = (queue(0), queue(0), queue(0));
        store(a, &[1; 64]);
        send(second, &[notify(HAL_TASK_NOTIFY_WAIT), copy_task(a + 128, a + 64, 64, 0)]).unwrap();
        send(other, &[copy_task(a + 256, a, 64, 0)]).unwrap();
        wait_idle(other);
        assert_eq!(query_queue(second, HAL_QUERY_SQ_HEAD), 0, "it waits");
        send(first, &[copy_task(a + 64, a, 64, 0), notify(HAL_TASK_NOTIFY_RECORD)]).unwrap();
        wait_idle(second);
        assert_eq!(load(a + 128, 64), [1; 64]);
        input.resourceId = output.resourceId;
        // SAFETY: the structure is valid.
        assert_eq!(unsafe { halResourceIdFree(DEVICE, &raw mut input) }, 0);
        // SAFETY: as above.
        assert_ne!(unsafe { halResourceIdFree(DEVICE, &raw mut input) }, 0, "it is gone");
    });
}

#[test]
fn s73_unknown_types_and_opcodes_are_reported() {
    isolated::run(&[], || {
        use_device();
        let a = malloc(4096);
        let queue = queue(0);
        assert!(report(1).is_err(), "nothing has failed yet");
        let mut odd = [0; 64];
        odd[0] = 63;
        let mut opcode = copy_task(a, a + 64, 64, 4);
        opcode[16] = 7;
        send(queue, &[odd, opcode]).unwrap();
        wait_idle(queue);
        let (one, two) = (report(1000).unwrap(), report(1000).unwrap());
        assert_eq!((one.sqeType, two.sqeType, two.taskId), (63, HAL_TASK_SDMA, 4));
        assert_ne!(one.errorCode, 0);
        assert_ne!(query_queue(queue, HAL_QUERY_CQE_STATUS), 0);
        assert_eq!(query_queue(queue, HAL_QUERY_CQE_STATUS), 0, "reading clears");
    });
}

#[test]
fn s72_copies_on_950_have_their_length_in_word_12() {
    isolated::run(&[("SOC", "Ascend950PR_957c")], || {
        use_device();
        let a = malloc(2 << 20);
        store(a, &vec![5; 2 << 20]);
        let to = a + (1 << 20);
        store(to, &[1; 128]);
        let queue = queue(0);
        // Programs for that product write other things where the length is on older ones.
        let mut task = copy_task(to, a, 0x1_001f, 6);
        task[48..52].copy_from_slice(&64_u32.to_le_bytes());
        send(queue, &[task]).unwrap();
        wait_idle(queue);
        assert_eq!(query_queue(queue, HAL_QUERY_CQE_STATUS), 0);
        assert_eq!(load(to, 128), [[5; 64], [1; 64]].concat(), "64 bytes were copied");
    });
}

#[test]
fn s74_copies_of_unmapped_addresses_are_reports_and_later_tasks_run() {
    isolated::run(&[], || {
        use_device();
        let a = malloc(4096);
        store(a, &[5; 64]);
        let queue = queue(0);
        send(queue, &[copy_task(0x17ff_0000_0000, a, 64, 1), copy_task(a + 64, a, 64, 2)]).unwrap();
        wait_idle(queue);
        assert_eq!(report(1000).unwrap().taskId, 1);
        assert_eq!(load(a + 64, 64), [5; 64]);
    });
}

#[test]
fn s80_no_network_interfaces_are_listed() {
    isolated::run(&[], || {
        let attributes = 0_u64;
        let mut number = u32::MAX;
        // SAFETY: both pointers are valid.
        assert_eq!(unsafe { ra_get_ifnum((&raw const attributes).cast(), &raw mut number) }, 0);
        assert_eq!(number, 0);
        // SAFETY: as above.
        assert_ne!(unsafe { RaGetIfnum((&raw const attributes).cast(), std::ptr::null_mut()) }, 0);
        assert_ne!(ra_init(std::ptr::null()), 0);
        assert_ne!(RaSocketInit(0), 0);
        // SAFETY: no pointers.
        assert_eq!(unsafe { TsdOpen(0, 2) }, 0);
        // SAFETY: as above.
        assert_ne!(unsafe { TsdOpen(99, 2) }, 0);
    });
}

#[test]
fn runtime_functions_distinguish_processes_and_devices() {
    isolated::run(&[("DEVICES", "2"), ("SERVER", "3")], || {
        let mut pid = 0;
        // SAFETY: the out-pointer is valid.
        assert_eq!(unsafe { rtDeviceGetBareTgid(&raw mut pid) }, 0);
        assert_eq!(pid, std::process::id());
        let info = |device, kind| {
            let mut value = -1;
            // SAFETY: the out-pointer is valid.
            (unsafe { rtGetDeviceInfo(device, 0, kind, &raw mut value) } == 0).then_some(value)
        };
        assert_eq!(info(0, 27), Some(3));
        assert_ne!(info(0, 26), info(1, 26));
        assert_eq!(info(0, 26).unwrap() >> 22, 3);
        assert_eq!((info(2, 26), info(0, 999)), (None, None));
        assert_eq!([39, 48, 49].map(|kind| info(0, kind)), [Some(0); 3]);
        let mut status = 0;
        // SAFETY: no pointers.
        assert_eq!(unsafe { rtEnableP2P(0, 1, 0) }, 0);
        // SAFETY: the out-pointer is valid.
        assert_eq!(unsafe { rtGetP2PStatus(0, 1, &raw mut status) }, 0);
        assert_eq!(status, 1);
        // SAFETY: no pointers.
        assert_ne!(unsafe { rtEnableP2P(0, 0, 0) }, 0);
    });
}
