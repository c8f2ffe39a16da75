// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A private view of the file system in which the fixed system paths of CANN exist.
//!
//! This process (also after exec) gets a mount namespace of its own, in which an overlay lies over `/etc`,
//! and one over `/usr/local/Ascend`, or over `/usr/local` if that folder does not exist. Their upper layers
//! are in memory and have no name anywhere: they go with the last process of the namespace, in any case. A
//! process that is not root first gets a user namespace, where it may mount.
//!
//! An overlay hides mounts below its folder, such as a container's `/etc/resolv.conf`: they are bound again
//! on top of it.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use rustix::mount::{MountFlags, MountPropagationFlags, UnmountFlags};
use rustix::thread::UnshareFlags;

use super::layout::{Layout, Library};

/// Layout folder of a fresh machine inside the namespace.
pub(super) const HOME: &str = "/etc/ascend-sim";
/// The folder that gets the overlay.
const COVERED: &str = "/etc";
/// The default place of installations, and its parent.
const INSTALLATIONS: &str = "/usr/local/Ascend";
const LOCAL: &str = "/usr/local";
/// An existing folder that lends its place to the upper layer while the overlay is made.
const LENDER: &str = "/tmp";

/// Moves this process into a namespace where `/etc/ascend_install.info` and other fixed files name the
/// layout, and where it is at the default place of installations; `fresh`: the layout itself is made there
/// too, at [`HOME`], with a link to this library. Returns the reason if the default place stays as it is.
///
/// # Errors
/// The reason, as a text; this process then sees the file system as before, or still as an ordinary user of a
/// user namespace with nothing mounted.
pub(super) fn enter(layout: &Layout, fresh: Option<&Path>) -> Result<Option<String>, String> {
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
    let covered = cover(layout, fresh).map(|()| cover_installations(layout).err());
    // Lazily: the overlay keeps its upper layer, only the name goes.
    let returned = rustix::mount::unmount(LENDER, UnmountFlags::DETACH);
    let uncovered = covered?;
    returned.map_err(|e| failed("the lent folder cannot be returned", e))?;
    Ok(uncovered)
}

fn cover(layout: &Layout, fresh: Option<&Path>) -> Result<(), String> {
    let upper = Path::new(LENDER).join("upper");
    fs::create_dir(&upper).map_err(|e| write_error(&e))?;
    for (name, text) in layout.system_files() {
        fs::write(upper.join(name), text).map_err(|e| write_error(&e))?;
    }
    if let Some(library) = fresh {
        let folder = upper.join("ascend-sim");
        fs::create_dir(&folder).map_err(|e| write_error(&e))?;
        layout.write(&folder, Library::Link(library)).map_err(|e| e.to_string())?;
    }
    overlay(COVERED, &upper)
}

/// Shows the layout at the default place of installations.
fn cover_installations(layout: &Layout) -> Result<(), String> {
    let upper = Path::new(LENDER).join("installations");
    let (covered, folder) = if Path::new(INSTALLATIONS).is_dir() {
        (INSTALLATIONS, upper.clone())
    } else {
        (LOCAL, upper.join("Ascend"))
    };
    for (name, target) in layout.installation_links() {
        let link = folder.join(name);
        fs::create_dir_all(link.parent().unwrap_or(&folder)).map_err(|e| write_error(&e))?;
        symlink(target, link).map_err(|e| write_error(&e))?;
    }
    overlay(covered, &upper)
}

/// Returns the mount points below the folder, without those that lie below another.
fn mounts_below(folder: &str, mounts: &[u8]) -> Vec<PathBuf> {
    let point = |line: &[u8]| line.split(|byte| *byte == b' ').nth(4).map(unescaped);
    let points = mounts.split(|byte| *byte == b'\n').filter_map(point);
    let mut below: Vec<PathBuf> =
        points.filter(|point| point.starts_with(folder) && point != Path::new(folder)).collect();
    below.sort();
    below.dedup_by(|later, earlier| later.starts_with(earlier));
    below
}

/// Decodes a path of `/proc/self/mountinfo`, in which blanks and backslashes are octal: `\040`.
fn unescaped(text: &[u8]) -> PathBuf {
    let (mut bytes, mut rest) = (Vec::new(), text);
    while let Some((first, others)) = rest.split_first() {
        let digits = others.get(..3).filter(|_| *first == b'\\');
        let code = digits.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok());
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &others[3..] } else { others };
    }
    OsString::from_vec(bytes).into()
}

/// Lays an overlay with this upper layer, which stands in the lender, over a folder. Mounts below the folder
/// stay visible.
fn overlay(covered: &str, upper: &Path) -> Result<(), String> {
    let work = upper.with_extension("work");
    fs::create_dir(&work).map_err(|e| write_error(&e))?;
    let mounts = fs::read("/proc/self/mountinfo").map_err(|e| format!("no list of mounts ({e})"))?;
    // One that this user cannot reach stays hidden.
    let kept: Vec<(PathBuf, PathBuf)> = mounts_below(covered, &mounts)
        .into_iter()
        .enumerate()
        .filter_map(|(number, point)| {
            let kept = upper.with_extension(number.to_string());
            keep(&point, &kept).ok().map(|()| (kept, point))
        })
        .collect();
    let options = format!("lowerdir={covered},upperdir={},workdir={}", upper.display(), work.display());
    let options = std::ffi::CString::new(options).map_err(|e| e.to_string())?;
    rustix::mount::mount("ascend-sim", covered, "overlay", MountFlags::empty(), options.as_c_str())
        .map_err(|e| failed(&format!("no overlay over {covered}"), e))?;
    kept.iter().try_for_each(|(kept, point)| bind(kept, point))
}

/// Binds a mount, with mounts below it, to a fresh name in the lender.
fn keep(point: &Path, kept: &Path) -> Result<(), String> {
    let made = if point.is_dir() { fs::create_dir(kept) } else { fs::write(kept, "") };
    made.map_err(|e| write_error(&e))?;
    bind(point, kept)
}

fn bind(from: &Path, to: &Path) -> Result<(), String> {
    rustix::mount::mount_bind_recursive(from, to)
        .map_err(|e| failed(&format!("{} cannot be shown at {}", from.display(), to.display()), e))
}

fn write_error(error: &std::io::Error) -> String {
    format!("the files cannot be written ({error})")
}

fn failed(what: &str, errno: Errno) -> String {
    format!("{what} ({errno})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mounts_below_a_folder_are_found() {
        let mounts = b"22 1 8:1 / / rw - ext4 /dev/a rw\n23 22 8:2 / /usr/local rw - ext4 /dev/b rw\n\
                       24 23 8:3 / /usr/local/Ascend/driver\\0401 ro - ext4 /dev/c ro\n\
                       25 22 8:4 / /usr/locals rw - tmpfs t rw\n26 22 8:3 / /usr/local/Ascend ro - ext4 /dev/c ro\n";
        assert_eq!(mounts_below(LOCAL, mounts), [PathBuf::from("/usr/local/Ascend")]);
        assert_eq!(mounts_below("/usr/local/Ascend", mounts), [PathBuf::from("/usr/local/Ascend/driver 1")]);
        assert_eq!(mounts_below("/opt", mounts), Vec::<PathBuf>::new());
    }
}
