// SPDX-License-Identifier: Apache-2.0 OR MIT
//! RAII owners of the bindings release their objects.

#![allow(clippy::unwrap_used, reason = "a test ends where it fails")]

use std::path::PathBuf;

use ascend_acl_sys::owned::{
    DataBuffer, Dataset, DeviceMemory, ModelDescription, OwnedContext, OwnedEvent, OwnedStream,
};
use ascend_acl_sys::raw::types::ACL_HBM_MEM;
use ascend_acl_sys::{Class, Libraries, Search};

/// A folder in which the simulator has the name of ACL; it goes with its owner.
struct Home(PathBuf);

impl Home {
    fn new() -> Self {
        let folder = std::env::temp_dir().join(format!("ascend-sim-owned-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let simulator = std::env::current_exe().unwrap().with_file_name("libascend_sim.so");
        std::os::unix::fs::symlink(simulator, folder.join("libascendcl.so")).unwrap();
        Self(folder)
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn owners_release_their_objects() {
    let home = Home::new();
    let libraries = Libraries::open(&Search::default().explicit(&home.0)).unwrap();
    let (acl, optional) = (libraries.acl(), libraries.optional());
    acl.set_device(0).unwrap();
    let free = || acl.memory_info(ACL_HBM_MEM).unwrap().free_bytes;
    let before = free();
    {
        let mut memory = DeviceMemory::zeroed(acl, 4 << 20).unwrap();
        assert!(free() < before && memory.bytes() == 4 << 20 && !memory.address().is_null());
        memory.fill_from(&[1, 2, 3]).unwrap();
        let mut back = [9; 5];
        memory.copy_to(&mut back).unwrap();
        assert_eq!(back, [1, 2, 3, 0, 0]);
        let much = vec![0; (4 << 20) + 1];
        assert_eq!(memory.fill_from(&much).unwrap_err().class(), Class::InvalidArgument);
        let mut room = much;
        assert_eq!(memory.copy_to(&mut room).unwrap_err().class(), Class::InvalidArgument);

        let (stream, other) = (OwnedStream::new(acl).unwrap(), OwnedStream::new(acl).unwrap());
        let event = OwnedEvent::new(acl).unwrap();
        stream.record(&event).unwrap();
        other.wait(&event).unwrap();
        other.synchronize(None).unwrap();
        // The event is reached a moment before its stream is done.
        stream.synchronize(None).unwrap();
        assert!(event.is_reached().unwrap() && stream.is_done().unwrap());

        let mut set = Dataset::new(optional).unwrap();
        set.push(DataBuffer::new(optional, &memory).unwrap()).unwrap();
        assert_eq!((set.buffers().len(), set.buffers()[0].bytes().unwrap()), (1, 4 << 20));
        assert!(!set.as_raw().is_null());
        // The simulator has no models, so creating a description is an error.
        let refused = ModelDescription::from_model(optional, 1).unwrap_err();
        assert_eq!(refused.function(), "aclmdlCreateDesc");
    }
    assert_eq!(free(), before);
    for _ in 0..5000 {
        // More than there are numbers for.
        drop((OwnedStream::new(acl).unwrap(), OwnedEvent::new(acl).unwrap()));
    }
    context(&libraries);
}

#[expect(unsafe_code, reason = "who makes a context vouches for what is made in it")]
fn context(libraries: &Libraries) {
    let acl = libraries.acl();
    let old = acl.context().unwrap();
    // SAFETY: nothing is made in it.
    let context = unsafe { OwnedContext::new(acl, 0) }.unwrap();
    context.enter().unwrap();
    assert_ne!(acl.context().unwrap(), old);
    drop(context);
    acl.set_context(old).unwrap();
}
