// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Every call of CANN fails once, in turn. The operation then returns an error or was done nevertheless,
//! nothing is left behind, and the same operation works right after.
//!
//! The simulator's trace of an undisturbed run lists the calls and their numbers.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use mf_base::Result;
use mf_base::settings::{DeviceChoice, Switch};
use mf_device::host::HostDevice;
use mf_device::{Identity, Locality, RawStream, Window, Word, choose};

use super::isolated::Board;
use super::simulator::{A2, A3, A5, acl, add_faults, census, clear_faults, crew_on, device};
use super::suite::{KIND, Rig, at, decode, encode, map, transfer};

/// An error code that is only handled as a failure.
const CODE: i32 = 507_000;

/// Runs `body` on each product, with a trace.
fn traced(size: usize, body: impl Fn(usize, &Board)) {
    let name = format!("mf-devices-{}-{:?}", std::process::id(), std::thread::current().id());
    let trace = std::env::temp_dir().join(name);
    for soc in [A2, A3, A5] {
        crew_on(soc, size, &[("TRACE", trace.to_str().unwrap())], &body);
    }
    // A child has another name for it, and its parent removes it.
    let _ = fs::remove_file(trace);
}

/// The calls of this process in the trace, from `start` on.
fn calls_since(start: usize) -> Vec<String> {
    let trace = fs::read_to_string(std::env::var("ASCEND_SIM_TRACE").unwrap()).unwrap();
    let own = format!("\"process\":{},", std::process::id());
    let lines = trace[start..].lines().filter(|line| line.contains(&own));
    lines.filter_map(|line| Some(line.split_once("\"call\":\"")?.1.split_once('"')?.0.to_owned())).collect()
}

fn trace_length() -> usize {
    fs::metadata(std::env::var("ASCEND_SIM_TRACE").unwrap()).unwrap().len() as usize
}

/// Returns true for calls that release: when one fails, its object may stay, and that one only.
fn gives_back(call: &str) -> bool {
    ["Release", "Free", "Unmap", "Destroy", "Unregister"].iter().any(|word| call.contains(word))
}

/// Lets each call of `step` fail in turn, on a thread with `home` as its device. After each failure the same
/// step works.
fn each_call_fails(home: i32, step: &dyn Fn() -> Result<()>) {
    acl().set_device(home).unwrap();
    step().unwrap();
    let start = trace_length();
    step().unwrap();
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for call in calls_since(start).into_iter().filter(|call| !call.starts_with("ascsim")) {
        *times.entry(call).or_default() += 1;
    }
    assert!(times.len() > 5, "{times:?}");
    for (call, times) in times {
        for time in 1..=times {
            let before = census();
            add_faults(&format!("{call}@{time}={CODE}"));
            let outcome = step();
            clear_faults();
            // When even the return to it failed.
            acl().set_device(home).unwrap();
            if let Err(error) = &outcome {
                assert!(error.to_string().contains(&call), "{call} {time} of {times}: {error}");
            }
            for ((kind, before), (_, after)) in before.into_iter().zip(census()) {
                let kept = u64::from(gives_back(&call)) * if kind == "reserved" { 1 << 40 } else { 2 };
                assert!(
                    after <= before + kept,
                    "{call} {time} of {times}: {kind} {before} → {after}: {outcome:?}"
                );
            }
            step().unwrap();
        }
    }
}

/// The life of a segment that `peer` may import.
#[test]
fn every_failure_in_the_life_of_a_segment() {
    traced(1, |_, _| {
        let rig = device(0);
        let own = rig.0.identity().unwrap();
        let peer = Identity { process: own.process + 1, ..own };
        let place = Cell::new(0);
        each_call_fails(5, &|| {
            let granule = rig.granule();
            let stride = 3 * granule;
            // A different place each time, in case addresses were not given back.
            place.set(place.get() + 1);
            let window = rig.windows().reserve(KIND, rig.base(place.get()), 3 * stride, stride)?;
            let memory = rig.windows().allocate(KIND, 2 * granule)?;
            // SAFETY: nobody else knows the window.
            unsafe { window.map(stride, &*memory, 0..2 * granule) }?;
            memory.share(&peer)?;
            let longer = memory.grown(3 * granule)?;
            // SAFETY: the window is this test's own, and nothing accesses that part.
            unsafe { window.map(stride + 2 * granule, &*longer, 2 * granule..3 * granule) }?;
            longer.share(&peer)?;
            // SAFETY: the window is this test's own, and nothing accesses that part.
            unsafe { window.unmap(stride, stride) }
        });
    });
}

#[test]
fn every_failure_of_an_importer() {
    traced(2, |rank, board| {
        let rig = device(rank as u32);
        let granule = rig.granule();
        let window = rig.windows().reserve(KIND, rig.base(0), 4 * granule, 2 * granule).unwrap();
        let own = rig.0.identity().unwrap();
        if rank == 0 {
            let memory = rig.windows().allocate(KIND, 2 * granule).unwrap();
            map(&*window, 0, &*memory, 0..2 * granule);
            let process = String::from_utf8(board.take("process")).unwrap().parse().unwrap();
            let shares = memory.share(&Identity { process, ..own }).unwrap();
            board.post("memory", &encode(&shares));
            board.take("done");
            return;
        }
        board.post("process", own.process.to_string().as_bytes());
        let shares = board.take("memory");
        each_call_fails(5, &|| {
            let memory = rig.windows().adopt(KIND, decode(&shares))?;
            // SAFETY: nobody else knows the window.
            unsafe { window.map(0, &*memory, 0..2 * granule) }?;
            // SAFETY: the window is this test's own, and nothing accesses that part.
            let undone = unsafe { window.unmap(0, 2 * granule) };
            // SAFETY: the window is this test's own; memory that one failure kept is released at the second
            // try.
            undone.or_else(|error| unsafe { window.unmap(0, 2 * granule) }.and(Err(error)))
        });
        board.post("done", b"");
    });
}

#[test]
fn every_failure_of_copies() {
    traced(1, |_, _| {
        let rig = device(0);
        let granule = rig.granule();
        let window = rig.windows().reserve(KIND, rig.base(0), granule, granule).unwrap();
        let memory = rig.windows().allocate(KIND, granule).unwrap();
        map(&*window, 0, &*memory, 0..granule);
        each_call_fails(5, &|| copies(&rig, &*window));
    });
}

/// Copies of every kind; a copy reported as done has stored its bytes.
fn copies(rig: &Rig, window: &dyn Window) -> Result<()> {
    let base = window.base();
    let (host, there) = (Locality::Host, Locality::Device);
    let source = [0x5a; 256];
    let mut back = [0u8; 256];
    let into = transfer(source.as_ptr(), host, at(base), there, 256);
    let on = transfer(at(base), there, at(base + 4096), there, 256);
    let out = transfer(at(base + 4096), there, back.as_mut_ptr(), host, 256);
    let mover = rig.mover();
    // SAFETY: the window is mapped, and the buffers live to the end of the function; a lane that is dropped
    // has ended.
    unsafe { mover.copy(&[into]) }?;
    // SAFETY: the window is mapped, and the copies are done on return.
    unsafe { mover.copy(&[into, into]) }?;
    // SAFETY: the window is mapped, and the copies are done on return.
    unsafe { mover.copy(&[on, into]) }?;
    let lane = mover.lane()?;
    // SAFETY: the buffers live to the end of the function, and the lane is waited for.
    let queued = [on, out].iter().try_for_each(|step| unsafe { lane.enqueue(&[*step]) });
    let done = lane.wait();
    mover.quiesce()?;
    queued.and(done)?;
    assert_eq!(back, source);
    mover.register(source.as_ptr().addr() as u64, 256)?;
    mover.unregister(source.as_ptr().addr() as u64, 256);
    Ok(())
}

#[test]
fn every_failure_of_copies_on_a_callers_stream() {
    traced(1, |_, _| {
        let rig = device(0);
        let granule = rig.granule();
        let window = rig.windows().reserve(KIND, rig.base(0), granule, granule).unwrap();
        let memory = rig.windows().allocate(KIND, granule).unwrap();
        map(&*window, 0, &*memory, 0..granule);
        acl().set_device(0).unwrap();
        let stream = acl().create_stream().unwrap();
        each_call_fails(0, &|| {
            let (source, mut middle, mut end) = ([3u8; 64], [0u8; 64], [0u8; 64]);
            let (host, there) = (Locality::Host, Locality::Device);
            let steps = [
                transfer(source.as_ptr(), host, at(window.base()), there, 64),
                transfer(at(window.base()), there, middle.as_mut_ptr(), host, 64),
                transfer(middle.as_ptr(), host, end.as_mut_ptr(), host, 64),
            ];
            // SAFETY: the window is mapped, and the buffers live until the stream was waited for.
            let queued = unsafe { rig.mover().copy_on(RawStream(stream.as_raw()), &steps) };
            let rested = rig.mover().quiesce();
            clear_faults();
            acl().synchronize_stream(stream, None).unwrap();
            queued.and(rested)?;
            assert_eq!(end, source);
            Ok(())
        });
    });
}

#[test]
fn every_failure_of_quick_copies_on_a_callers_stream() {
    traced(1, |_, _| {
        let rig = device(0);
        let granule = rig.granule();
        let window = rig.windows().reserve(KIND, rig.base(0), granule, granule).unwrap();
        let memory = rig.windows().allocate(KIND, granule).unwrap();
        map(&*window, 0, &*memory, 0..granule);
        acl().set_device(0).unwrap();
        let stream = acl().create_stream().unwrap();
        let there = Locality::Device;
        let (from, to) = (at(window.base()), at(window.base() + 4096));
        rig.write(window.base(), &[7; 64]);
        each_call_fails(0, &|| {
            // SAFETY: the window is mapped.
            let queued = unsafe {
                rig.mover().copy_quickly_on(RawStream(stream.as_raw()), &transfer(from, there, to, there, 64))
            };
            let raw = RawStream(stream.as_raw());
            // SAFETY: the window is mapped, and the word lies in it.
            let written = unsafe { rig.mover().write_word_on(raw, window.base() + 8192, Word::U32(9)) };
            let rested = rig.mover().quiesce();
            clear_faults();
            acl().synchronize_stream(stream, None).unwrap();
            queued.and(written).and(rested)?;
            assert_eq!(rig.read(window.base() + 4096, 64), [7; 64]);
            assert_eq!(rig.read(window.base() + 8192, 5), [9, 0, 0, 0, 0]);
            Ok(())
        });
    });
}

/// Work that is refused is not done, and its stream goes on; work that is not is done before the stream does.
#[test]
fn every_failure_of_work_on_a_callers_stream() {
    traced(1, |_, _| {
        let rig = device(0);
        acl().set_device(0).unwrap();
        let stream = acl().create_stream().unwrap();
        each_call_fails(0, &|| {
            let done = Arc::new(AtomicBool::new(false));
            let theirs = Arc::clone(&done);
            let work = Box::new(move || theirs.store(true, Ordering::Release));
            // SAFETY: the stream is alive to the end of the test.
            let queued = unsafe { rig.mover().run_waiting_on(RawStream(stream.as_raw()), work) };
            let rested = rig.mover().quiesce();
            clear_faults();
            acl().synchronize_stream(stream, Some(Duration::from_secs(60))).unwrap();
            assert!(done.load(Ordering::Acquire) || queued.is_err());
            // The thread that it was given to drops it, also if it is not done.
            while Arc::strong_count(&done) > 1 {
                std::thread::yield_now();
            }
            queued.and(rested)
        });
    });
}

#[test]
fn every_failure_of_opening() {
    traced(1, |_, _| {
        each_call_fails(5, &|| {
            let host = Arc::new(HostDevice::new(Switch::Off));
            choose(DeviceChoice::Sim, 0, host).map(drop)
        });
    });
}
