// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Versions of the interface and of the installed packages.
//!
//! Later releases of CANN read the versions from `share/info/PACKAGE/version.info` of the installation. The
//! simulator answers from its release, so that the setting `CANN` alone decides; `mf sim` writes these files
//! with the same versions.

use std::ffi::{CStr, c_char};

use ascend_acl_sys::raw::types::aclCANNPackageVersion;

use super::arguments::{give, not_null};
use crate::codes::acl;
use crate::config;
use crate::exports;
use crate::fault::{Fault, Outcome, ensure};
use crate::release::Release;

/// Packages by the numbers of `aclCANNPackageName`.
const BY_NUMBER: [&str; 8] =
    ["runtime", "runtime", "bisheng-compiler", "hccl", "oam-tools", "ops-legacy", "ops-legacy", "driver"];

exports! {
    /// The version of the interface.
    fn aclrtGetVersion(majorVersion: *mut i32, minorVersion: *mut i32, patchVersion: *mut i32) = interface;
    /// The version of a package as text; the room has 128 bytes.
    fn aclsysGetVersionStr(pkgName: *mut c_char, versionStr: *mut c_char) = package_text;
    /// The version of a package as a number that grows with it.
    fn aclsysGetVersionNum(pkgName: *mut c_char, versionNum: *mut i32) = package_number;
    /// The version of CANN or of one of its parts, whole and split.
    fn aclsysGetCANNVersion(name: u32, version: *mut aclCANNPackageVersion) = package_structure;
}

unsafe fn interface(major: *mut i32, minor: *mut i32, patch: *mut i32) -> Outcome {
    let rooms = [(major, "majorVersion"), (minor, "minorVersion"), (patch, "patchVersion")];
    rooms.iter().try_for_each(|(room, name)| not_null(*room, name))?;
    for ((room, _), number) in rooms.into_iter().zip(config::release_of_process().api) {
        // SAFETY: checked for null above.
        unsafe { give(room, number) }?;
    }
    Ok(())
}

unsafe fn package_text(package: *mut c_char, room: *mut c_char) -> Outcome {
    not_null(room, "versionStr")?;
    // SAFETY: null is refused; else the program passes a C string.
    let version = unsafe { version_of(package) }?;
    let text: [c_char; 128] = text(version);
    let bytes = version.len() + 1;
    // SAFETY: the caller's room has 128 bytes, and the text with its end is shorter.
    unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), room, bytes) };
    Ok(())
}

unsafe fn package_number(package: *mut c_char, number: *mut i32) -> Outcome {
    not_null(number, "versionNum")?;
    // SAFETY: null is refused; else the program passes a C string.
    let version = unsafe { version_of(package) }?;
    let found = number_of(version).ok_or_else(|| {
        let needs = "three numbers, and at most one of alpha, beta and rc with a number behind it";
        Fault::new(acl::FAILURE, format_args!("version {version} has no number: it needs {needs}"))
    })?;
    // SAFETY: checked for null above.
    unsafe { give(number, found) }
}

unsafe fn package_structure(name: u32, room: *mut aclCANNPackageVersion) -> Outcome {
    not_null(room, "version")?;
    let package = usize::try_from(name).ok().and_then(|name| BY_NUMBER.get(name));
    let package = package.ok_or_else(|| {
        Fault::new(acl::INVALID_PARAM, format_args!("unknown package {name}: must be 0 to 7"))
    })?;
    let version = version_named(package)?.replacen('-', ".", 1);
    let version = version.replace("beta.", "beta").replace("alpha.", "alpha").replace("rc.", "rc");
    let mut parts = version.splitn(4, '.').chain(std::iter::repeat("0"));
    let mut part = || parts.next().unwrap_or("0");
    let whole = aclCANNPackageVersion {
        version: text(&version),
        majorVersion: text(part()),
        minorVersion: text(part()),
        releaseVersion: text(part()),
        patchVersion: text(part()),
        reserved: [0; 128],
    };
    // SAFETY: checked for null above.
    unsafe { give(room, whole) }
}

/// The number of a version: ten millions for the major version, a hundred thousand for the minor one, a
/// thousand for the patch; previews are below their release. `None` for other texts.
fn number_of(version: &str) -> Option<i32> {
    let version = version.to_ascii_lowercase();
    let previews = [("alpha", 300), ("beta", 200), ("rc", 100)];
    let found = previews.iter().find_map(|(word, below)| Some((version.split_once(word)?, below)));
    let (release, preview) = match found {
        None => (version.as_str(), 0),
        Some(((release, number), below)) => {
            let number: i32 = number.strip_prefix(['.', '-']).unwrap_or(number).parse().ok()?;
            (release.strip_suffix(['.', '-']).unwrap_or(release), number - below)
        }
    };
    let parts: Option<Vec<i32>> = release.split('.').map(|part| part.parse().ok()).collect();
    let [major, minor, patch] = parts?[..] else { return None };
    let high = major.checked_mul(10_000_000)?.checked_add(minor.checked_mul(100_000)?)?;
    high.checked_add(patch.checked_mul(1000)?)?.checked_add(preview)
}

/// A text with zero bytes behind it.
fn text<const BYTES: usize>(text: &str) -> [c_char; BYTES] {
    let mut room = [0; BYTES];
    for (to, byte) in room.iter_mut().take(BYTES - 1).zip(text.bytes()) {
        *to = c_char::from_ne_bytes([byte]);
    }
    room
}

/// The version of a package.
///
/// # Safety
/// Null or a text.
///
/// # Errors
/// 100000 for null · 100003 for a package that is not installed.
unsafe fn version_of(package: *const c_char) -> Outcome<&'static str> {
    not_null(package, "pkgName")?;
    // SAFETY: not null, so it is a text, as the caller promises.
    version_named(&unsafe { CStr::from_ptr(package) }.to_string_lossy())
}

fn version_named(package: &str) -> Outcome<&'static str> {
    let release = config::release_of_process();
    let folder = |name: &str| name.replace('-', "_");
    if ["driver", "firmware"].contains(&package) {
        return Ok(release.driver);
    }
    let is_there = Release::PACKAGES.iter().any(|name| folder(name) == folder(package));
    ensure(is_there, acl::INVALID_FILE, || {
        format!("no package {package:?}: there are driver, firmware, {}", Release::PACKAGES.join(", "))
    })?;
    Ok(release.version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn previews_sort_below_their_release() {
        let numbers = [
            ("8.5.0", 80_500_000),
            ("9.0.0-beta.2", 89_999_802),
            ("9.0.0.beta2", 89_999_802),
            ("9.1.0-RC1", 90_099_901),
            ("9.1.0", 90_100_000),
            ("9.2.0-beta.1", 90_199_801),
            ("9.2.0-alpha.3", 90_199_703),
            ("26.0.0", 260_000_000),
        ];
        for (version, number) in numbers {
            assert_eq!(number_of(version), Some(number), "{version}");
        }
        for version in ["8.3.RC1", "9.1", "9.1.0.1", "9.1.x", "", "9.1.0-beta", "999.0.0"] {
            assert_eq!(number_of(version), None, "{version}");
        }
    }
}
