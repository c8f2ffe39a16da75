// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A private view of the file system in which the fixed system paths of CANN exist.
//!
//! This process (also after exec) gets a mount namespace of its own, in which an overlay lies over `/etc`.
//! Its upper layer is in memory and has no name anywhere: it goes with the last process of the namespace, in
//! any case. A process that is not root first gets a user namespace, where it may mount.

use std::fs;
use std::path::Path;

use rustix::io::Errno;
use rustix::mount::{MountFlags, MountPropagationFlags, UnmountFlags};
use rustix::thread::UnshareFlags;

use super::layout::{Layout, Library};

/// Layout folder of a fresh machine inside the namespace.
pub(super) const HOME: &str = "/etc/ascend-sim";
/// The folder that gets the overlay.
const COVERED: &str = "/etc";
/// An existing folder that lends its place to the upper layer while the overlay is made.
const LENDER: &str = "/tmp";

/// Moves this process into a namespace where `/etc/ascend_install.info` and other fixed files name the
/// layout; `fresh`: the layout itself is made there too, at [`HOME`], with a link to this library.
///
/// # Errors
/// The reason, as a text; this process then sees the file system as before, or still as an ordinary user of a
/// user namespace with nothing mounted.
pub(super) fn enter(layout: &Layout, fresh: Option<&Path>) -> Result<(), String> {
    let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
    let mut flags = UnshareFlags::NEWNS;
    if !user.is_root() {
        flags |= UnshareFlags::NEWUSER;
    }
    // SAFETY: neither flag touches memory or descriptors that Rust's types own.
    unsafe { rustix::thread::unshare_unsafe(flags) }.map_err(|e| failed("no namespace of one's own", e))?;
    if !user.is_root() {
        let map = |file: &str, text: String| {
            fs::write(file, text).map_err(|e| format!("{file} cannot be written ({e})"))
        };
        map("/proc/self/setgroups", "deny".to_owned())?;
        map("/proc/self/uid_map", format!("{0} {0} 1", user.as_raw()))?;
        map("/proc/self/gid_map", format!("{0} {0} 1", group.as_raw()))?;
    }
    let ours = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    rustix::mount::mount_change("/", ours).map_err(|e| failed("mounts cannot be made private", e))?;
    rustix::mount::mount("ascend-sim", LENDER, "tmpfs", MountFlags::empty(), c"mode=0755")
        .map_err(|e| failed("no memory for the files", e))?;
    let covered = cover(layout, fresh);
    // Lazily: the overlay keeps its upper layer, only the name goes.
    let returned = rustix::mount::unmount(LENDER, UnmountFlags::DETACH);
    covered?;
    returned.map_err(|e| failed("the lent folder cannot be returned", e))
}

fn cover(layout: &Layout, fresh: Option<&Path>) -> Result<(), String> {
    let lender = Path::new(LENDER);
    let (upper, work) = (lender.join("upper"), lender.join("work"));
    let write = |error: std::io::Error| format!("the files cannot be written ({error})");
    fs::create_dir(&upper).map_err(write)?;
    fs::create_dir(&work).map_err(write)?;
    for (name, text) in layout.system_files() {
        fs::write(upper.join(name), text).map_err(write)?;
    }
    if let Some(library) = fresh {
        let folder = upper.join("ascend-sim");
        fs::create_dir(&folder).map_err(write)?;
        layout.write(&folder, Library::Link(library)).map_err(|e| e.to_string())?;
    }
    let options = format!("lowerdir={COVERED},upperdir={},workdir={}", upper.display(), work.display());
    let options = std::ffi::CString::new(options).map_err(|e| e.to_string())?;
    rustix::mount::mount("ascend-sim", COVERED, "overlay", MountFlags::empty(), options.as_c_str())
        .map_err(|e| failed("no overlay over /etc", e))
}

fn failed(what: &str, errno: Errno) -> String {
    format!("{what} ({errno})")
}
